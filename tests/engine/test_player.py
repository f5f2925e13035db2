"""The player's page, as Python writes it: the frames in it, its size, its words, the same bytes each time, errors."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from tests.films import FILMS
from utils import player
from utils.figures import COLOURS, use_style
from utils.pages import FigureText
from utils.player import LIMIT, bars, lines, play, player_html, points, polygons

WORDS = "Points in the plane that move from one place to another."


@pytest.fixture(autouse=True)
def style():
    with plt.rc_context():
        use_style()
        yield
    assert plt.get_fignums() == []


def film_of(page: str) -> dict:
    """Return what the page hands to its script."""
    return json.loads(re.search(r"\}\)\((\{.*\})\)</script>$", page, re.DOTALL)[1])


def numbers(film: dict, shape: dict) -> np.ndarray:
    """Return the frames of a shape, read as base64 says: each number is twelve bits, the highest first."""
    whole = shape["data"] + "A" * (-len(shape["data"]) % 4)
    bits = np.unpackbits(np.frombuffer(base64.b64decode(whole), np.uint8))
    size = (shape["frames"], shape["items"], shape["vertices"], len(film["low"]))
    levels = bits[: 12 * np.prod(size)].reshape(*size, 12) @ (1 << np.arange(12)[::-1])
    return np.array(film["low"]) + levels / 4095 * (np.array(film["high"]) - film["low"])


def cloud(frames: int, n: int, axes: int = 2) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(frames, n, axes)) * [1, 50, 3][:axes]


@pytest.mark.slow
@pytest.mark.parametrize("axes", [2, 3])
def test_the_frames_are_in_the_page_to_half_a_step(axes):
    moving, still = cloud(5, 33, axes), cloud(1, 6, axes).reshape(1, 2, 3, axes)
    film = film_of(player_html([points(moving, np.arange(33) % 3), lines(still)], "abcde", WORDS))
    shapes = film["panels"][0]["shapes"]
    step = (np.array(film["high"]) - film["low"]) / 4095
    assert (step <= np.ptp(np.concatenate([moving.reshape(-1, axes), still.reshape(-1, axes)]), axis=0) / 4095).all()
    for shape, frames in zip(shapes, (moving[:, :, None], still), strict=True):
        assert (np.abs(numbers(film, shape) - frames) <= 0.5001 * step).all()
    assert shapes[0]["groups"] == "012" * 11 and film["labels"] == [*"abcde"]


def test_bars_stand_on_zero_between_their_edges():
    heights, edges = np.array([[1.0, 4.0], [3.0, 0.0]]), [0, 1, 5]
    frames = bars(heights, edges).frames
    assert frames.min(axis=2).tolist() == [[[0, 0], [1, 0]]] * 2
    assert frames.max(axis=2).tolist() == [[[1, 1], [5, 4]], [[1, 3], [5, 0]]]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILMS)
def test_a_film_fits_its_page_and_its_strip_says_the_same(name):
    scene, labels, words, settings = FILMS[name]()
    page = player_html(scene, labels, words, **settings)
    picture = base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', page)[1])
    assert len(page) - len(picture) * 4 / 3 < LIMIT / 2 and len(picture) < 20_000
    with Image.open(io.BytesIO(picture)) as strip:
        assert strip.width <= 720 and strip.height < 420
        dark = np.asarray(strip.convert("L")) < 200
    assert dark[:, : dark.shape[1] // 5].any() and dark[:, -dark.shape[1] // 5 :].any()
    assert "http" not in page.replace("http://www.w3.org", "")
    assert player_html(scene, labels, words, **settings) == page, "the same bytes each time"


def test_the_strip_shows_frames_that_have_a_label(monkeypatch):
    drawn = []
    monkeypatch.setattr(player, "_draw", lambda ax, shape, frame, view: drawn.append(frame[0, 0, 0]))
    frames = np.arange(13.0)[:, None, None] * np.ones((1, 1, 2))
    player_html(points(frames), ["0", "1", "", "3", *[""] * 8, "12"], WORDS)
    assert drawn == [0, 1, 3, 12]


@pytest.mark.slow
def test_two_thousand_points_in_ten_frames_fit_and_more_are_refused_with_what_to_do():
    labels = [f"after layer {n}" for n in range(10)]
    page = player_html(points(cloud(10, 2000), np.arange(2000) % 2), labels, WORDS)
    strip = re.search(r"base64,([^\"]+)", page)[1]
    assert 90_000 < len(page) - len(strip) <= LIMIT
    with pytest.raises(ValueError, match=r"takes 1\d\d kB .* 100 are allowed; show fewer frames \(10 now"):
        player_html(points(cloud(10, 2200)), labels, WORDS)
    player_html([points(cloud(1, 9000)), points(cloud(10, 2))], labels, WORDS)


def test_the_words_are_the_pictures_and_stand_beside_it(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    play(points(cloud(2, 5)), ["<before>", '"after"'], ' Points <move> from "here"\n  to there & back. ')
    (data,) = shown
    words = 'Points <move> from "here" to there & back.'
    assert data["text/plain"] == words and data.keys() == {"text/html", "text/plain"}
    said = html.escape(words)
    assert f'alt="{said}"' in data["text/html"] and f"</summary>{said}</details>" in data["text/html"]


def test_the_title_of_a_registered_text_stands_above_the_film(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["text/html"]))
    monkeypatch.setattr("utils.pages.figures", {"99.film": FigureText("It moves < it turns", "A point that moves.")})
    play(points([[[0, 0]], [[1, 1]]]), ["a", "b"], "99.film")
    play(points([[[0, 0]], [[1, 1]]]), ["a", "b"], "A point that moves.")
    assert shown == [f"<figcaption><b>It moves &lt; it turns</b></figcaption>{shown[1]}", shown[1]]


def test_a_film_that_answers_a_prediction_is_folded_while_that_waits(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["text/html"]))
    monkeypatch.setattr("utils.player.waits", lambda key: key == "99.odd")
    for answers in (None, "99.even", "99.odd"):
        play(points([[[0, 0]], [[1, 1]]]), ["a", "b"], "A point that moves.", answers=answers)
    plain, open_, hidden = shown
    assert plain == open_ and hidden == f"<details><summary>The film</summary>{plain}</details>"


def test_a_label_cannot_end_the_script():
    page = player_html({"</script><b>": [points(cloud(2, 5), names=["<!--"])]}, ["</script>", "b"], WORDS)
    assert page.count("</script>") == 1 and page.endswith("</script>") and "<!--" not in page
    assert film_of(page)["labels"] == ["</script>", "b"] and film_of(page)["panels"][0]["title"] == "</script><b>"


def test_another_film_has_another_name():
    one, other = points(cloud(2, 5)), points(cloud(2, 5) + [[[0, 0]], [[0, 1]]])
    names = {film_of(player_html(scene, labels, WORDS))["id"] for scene in (one, other) for labels in ("ab", "ac")}
    assert len(names) == 4


def test_all_panels_have_one_scale_and_the_bounds_that_are_given():
    panels = {"small": points(cloud(2, 5)), "large": points(10 * cloud(2, 5))}
    film = film_of(player_html({title: [shape] for title, shape in panels.items()}, "ab", WORDS))
    assert len(film["panels"]) == 2 and film["high"] == (10 * cloud(2, 5)).reshape(-1, 2).max(axis=0).tolist()
    film = film_of(player_html(panels["small"], "ab", WORDS, bounds=((-1, 1), (-40, 40))))
    assert film["view"] == [[-1, 1], [-40, 40]]
    places = np.array([place for place, _ in film["ticks"][1]])
    assert 3 <= len(places) <= 7 and (np.abs(places) <= 40).all() and [text for _, text in film["ticks"][0]][0] == "−1"


def test_the_legend_names_each_look_once():
    shape = points(cloud(2, 4), [0, 1, 1, 0], colours=["blue", "red"], names=["A", "B"])
    film = film_of(player_html({"one": [shape], "two": [shape]}, "ab", WORDS))
    assert [(entry["name"], film["colours"][entry["style"]]) for entry in film["names"]] == [
        ("A", COLOURS["blue"]),
        ("B", COLOURS["red"]),
    ]


def test_each_colour_has_a_marker_and_a_line_style_of_its_own():
    assert set(player.NAMES) == set(COLOURS)
    script = Path(player.__file__).with_suffix(".js").read_text(encoding="utf-8")
    markers = re.search(r"const MARKERS = \[(.*?)\];", script, re.DOTALL)[1]
    dashes = re.search(r"const DASHES = \[(.*?)\];", script)[1]
    assert len(set(re.findall(r'"(M[^"]+)"', markers))) == len(set(player.MARKERS)) == len(player.NAMES)
    assert len(re.findall('"[^"]*"', dashes)) == len(player.DASHES) == len(player.NAMES)


PLANE, SPACE = np.zeros((2, 3, 2)), np.zeros((2, 3, 3))
SHAPES = {
    "no frames": (lambda: points(np.zeros((2, 3))), r"points want an array \[frames, points, 2 or 3\], not \(2, 3\)"),
    "four axes": (lambda: points(np.zeros((2, 3, 4))), r"2 or 3\], not \(2, 3, 4\)"),
    "none": (lambda: points(np.zeros((2, 0, 2))), r"not \(2, 0, 2\)"),
    "lines": (lambda: lines(PLANE), r"lines want an array \[frames, lines, vertices, 2 or 3\], not \(2, 3, 2\)"),
    "polygons": (lambda: polygons(SPACE[:, None]), r"polygons want an array \[frames, polygons, vertices, 2\], not"),
    "nan": (lambda: points(PLANE * np.nan), "frames of points hold a number that is not finite"),
    "groups": (lambda: points(PLANE, [0, 1]), "groups want a whole number from 0 to 7 for each of the 3 points"),
    "group": (lambda: points(PLANE, [0, 1, 2], colours=["red", "blue"]), "from 0 to 1 for each of the 3 points"),
    "half": (lambda: points(PLANE, [0, 0.5, 1]), "groups want a whole number"),
    "colour": (lambda: points(PLANE, colours=["pink"]), "colours are names out of blue, .*, not 'pink'"),
    "names": (lambda: points(PLANE, [0, 1, 0], names=["A"]), "there are 1 names for 2 groups of points"),
    "bars": (lambda: bars(np.zeros((2, 3)), [0, 1, 2]), r"bars want heights .* not \(2, 3\) and \(3,\)"),
    "flat bars": (lambda: bars(np.zeros(3), [0, 1, 2, 3]), "bars want heights"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_that_is_none_is_refused(name):
    make, text = SHAPES[name]
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize(
    ("scene", "settings", "text"),
    [
        ({}, {}, "the scene has 0 panels; one to 4 are wanted"),
        ({"a": []}, {}, "each with a shape"),
        ({title: [points(PLANE)] for title in "abcde"}, {}, "the scene has 5 panels"),
        ([points(PLANE), points(SPACE)], {}, "some shapes lie in the plane and others in space"),
        (points(PLANE), {"labels": "abc"}, "there are 3 labels, and 2 frames of points"),
        (points(PLANE[:1]), {"labels": "a"}, "a single frame does not move"),
        (points(PLANE), {"labels": ["", "b"]}, "the first or the last label is empty"),
        (points(PLANE), {"labels": ["a", ""]}, "the first or the last label is empty"),
        (points(PLANE), {"words": " \n"}, "words are empty"),
        (points(PLANE), {"seconds": 0}, "seconds is 0; a number above 0"),
        (points(PLANE), {"seconds": float("nan")}, "seconds is nan"),
        (points(PLANE), {"bounds": ((0, 1),)}, "bounds want a pair .* for each of the 2 axes"),
        (points(PLANE), {"bounds": ((0, 1), (1, 1))}, "bounds want a pair"),
        (points(PLANE + [[[0, 0]], [[9, 0]]]), {"bounds": ((0, 1), (0, 1))}, "more than 8 times the bounds"),
    ],
)
def test_a_scene_that_cannot_be_played_is_refused(scene, settings, text):
    settings = {"labels": "ab", "words": WORDS, **settings}
    with pytest.raises(ValueError, match=text):
        player_html(scene, **settings)
