"""The player in headless Chromium: on a page of its own, as a saved output, and in JupyterLab."""

from __future__ import annotations

import io
import itertools
import os
import re
from collections.abc import Callable, Iterator

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.authoring.browser import Lab, photographed
from tests.films import FILMS
from utils import player
from utils.figures import use_style

pytestmark = pytest.mark.slow
RATE, TRIES = 30, 5  # frames a second; the best try counts, as other work on the machine may hold up one of them
WORDS = "Points in the plane that move from one place to another, layer by layer."
# What is drawn, one list for each time that a player draws: the middles of markers, and the boxes of words.
WATCH = """
    const pen = CanvasRenderingContext2D.prototype, {clearRect, drawImage, fillText} = pen;
    window.draws = 0;
    pen.clearRect = function (...place) {
        window.draws += 1;
        this.canvas.seen = {marks: [], words: []};
        return clearRect.apply(this, place);
    };
    pen.drawImage = function (image, x, y, width, height) {
        this.canvas.seen.marks.push([x + width / 2, y + height / 2]);
        return drawImage.call(this, image, x, y, width, height);
    };
    pen.fillText = function (text, x, y) {
        if (text) {
            const size = this.measureText(text), at = this.getTransform().transformPoint({x, y});
            const [left, right] = [size.actualBoundingBoxLeft, size.actualBoundingBoxRight].map(Math.abs);
            const dots = window.devicePixelRatio, [across, down] = [at.x / dots, at.y / dots], high = 7;
            this.canvas.seen.words.push(this.getTransform().b === 0
                ? [text, across - left, across + right, down - high, down + high]
                : [text, across - high, across + high, down - right, down + left]);
        }
        return fillText.call(this, text, x, y);
    };
"""


@pytest.fixture(autouse=True)
def style():
    with plt.rc_context():
        use_style()
        yield


@pytest.fixture
def opened(jupyterlab, tmp_path) -> Iterator[Callable[..., Page]]:
    """What opens a page that holds these pieces, with settings of the browser, and nothing from the network."""
    pages: list[Page] = []

    def opened_page(*pieces: str, width: int = 1280, whole: bool = False, **settings) -> Page:
        path = tmp_path / f"{len(pages)}.html"
        path.write_text(pieces[0] if whole else f"<!doctype html><meta charset=utf-8>{'<p>'.join(pieces)}", "utf-8")
        page = jupyterlab.browser.new_page(viewport={"width": width, "height": 900}, **settings)
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.route("http*://**", lambda route: pytest.fail(f"the page asks for {route.request.url}"))
        page.add_init_script(WATCH)
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield opened_page
    for page in pages:
        page.close()


def film(name: str) -> str:
    """Return the page's piece of this film."""
    scene, labels, words, settings = FILMS[name]()
    return player.player_html(scene, labels, words, **settings)


def moving(n: int = 6, frames: int = 6, axes: int = 2, **settings) -> str:
    """Return the page's piece of points that move."""
    labels = ["input", *(f"after layer {layer}" for layer in range(1, frames))]
    return player.player_html(player.points(places(n, frames, axes)), labels, WORDS, **settings)


def places(n: int = 6, frames: int = 6, axes: int = 2) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, (frames, n, axes))


def slider(page: Page | Locator) -> Locator:
    return page.get_by_role("slider", name="frame")


def position(page: Page | Locator) -> float:
    return float(slider(page).input_value())


def put(page: Page | Locator, value: float) -> None:
    """Move the slider to this place, as a drag does."""
    slider(page).evaluate("(time, to) => { time.value = to; time.dispatchEvent(new Event('input')) }", value)


def marks(page: Page | Locator) -> np.ndarray:
    """Return where markers were drawn last [points, 2]."""
    return np.array(page.locator("canvas").evaluate("canvas => canvas.seen.marks"))


@pytest.mark.full  # it judges by a clock
@pytest.mark.parametrize("axes", [2, 3])
def test_two_thousand_points_move_smoothly(opened, axes):
    page = opened(moving(2000, 6, axes, seconds=0.8))
    count = """() => new Promise(done => {
        const before = window.draws, began = performance.now();
        let frames = 0;
        const look = now => {
            frames += 1;
            const seconds = (now - began) / 1000;
            if (seconds < 1.5) requestAnimationFrame(look);
            else done([(window.draws - before) / seconds, (window.draws - before) / frames]);
        };
        requestAnimationFrame(look);
    })"""

    def measured() -> tuple[float, float]:
        put(page, 0)
        page.get_by_role("button", name="play").click()
        return page.evaluate(count)

    tries = (measured() for _ in range(TRIES))  # a new picture for nearly each frame of the screen
    assert any(rate >= RATE and share > 0.9 for rate, share in tries)


def test_nothing_moves_before_it_is_played_and_it_stops_at_the_end(opened):
    page = opened(moving(seconds=0.3))
    page.wait_for_timeout(500)
    assert position(page) == 0
    drawn = page.evaluate("window.draws")
    page.wait_for_timeout(300)
    assert page.evaluate("window.draws") == drawn
    for _ in range(2):  # at the end, play begins anew
        before = page.evaluate("window.draws")
        page.get_by_role("button", name="play").click()
        page.wait_for_function(f"window.draws > {before}")  # a busy page takes its time to begin, too
        expect(slider(page)).to_have_js_property("value", "5")
        expect(page.get_by_role("button", name="play")).to_be_visible()
        expect(page.get_by_text("after layer 5", exact=True)).to_be_visible()
        drawn = page.evaluate("window.draws")
        page.wait_for_timeout(200)
        assert page.evaluate("window.draws") == drawn


def test_between_two_frames_points_are_on_the_line_between_them(opened):
    page, frames = opened(moving()), places()
    seen = {}
    for at in (0, 1, 1.25, 2, 5):
        put(page, at)
        seen[at] = marks(page)
    assert seen[1.25] == pytest.approx(0.75 * seen[1] + 0.25 * seen[2], abs=0.01)
    words = page.locator("canvas").evaluate("canvas => canvas.seen.words")
    ticks = [(float(one[0].replace("−", "-")), (one[1] + one[2]) / 2, (one[3] + one[4]) / 2) for one in words]
    for axis in range(2):  # pixels are the data, shifted and scaled, as the axis says
        data, pixels = (np.concatenate([one[at][:, axis] for at in (0, 1, 2, 5)]) for one in (frames, seen))
        slope, shift = np.polyfit(data, pixels, 1)
        assert np.abs(slope * data + shift - pixels).max() < 0.2
        assert sum(abs(slope * tick[0] + shift - tick[1 + axis]) < 0.5 for tick in ticks) >= 4


def view_of(page: Page, data: np.ndarray) -> np.ndarray:
    """Return the map [2, 3] by which points in space come onto the page, upwards positive."""
    pixels = marks(page) * [1, -1]
    order = page.locator("canvas").evaluate("canvas => canvas.seen.marks.length")
    assert order == len(data)
    best = None
    for rows in itertools.permutations(range(len(data))):  # the far ones are drawn first
        fitted, rest, *_ = np.linalg.lstsq(np.c_[data[list(rows)], np.ones(len(data))], pixels, rcond=None)
        best = min(filter(None, [best, (rest.sum(), fitted[:3].T.tolist())]))
    assert best[0] < 0.5
    return np.array(best[1])


def test_points_in_space_are_turned_and_not_distorted(opened):
    """The view is a rotation, scaled: its two rows are orthogonal and as long, always; and first that of the strip."""
    page, data = opened(moving(axes=3)), places(axes=3)[0]
    first = view_of(page, data)
    scale = np.linalg.norm(first[0])
    assert first @ first.T == pytest.approx(scale**2 * np.eye(2), abs=0.01 * scale**2)
    box = np.array([[-1.0, 1]] * 3)
    assert first == pytest.approx(scale * player._projected(np.eye(3), box).T, abs=0.01 * scale)
    page.get_by_role("slider", name="turn").fill("60")
    page.get_by_role("slider", name="tilt").fill("-45")
    other = view_of(page, data)
    assert other @ other.T == pytest.approx(scale**2 * np.eye(2), abs=0.01 * scale**2)
    assert np.abs(other - first).max() > 0.3 * scale
    canvas = page.locator("canvas").bounding_box()
    page.mouse.move(canvas["x"] + 100, canvas["y"] + 100)
    page.mouse.down()
    page.mouse.move(canvas["x"] + 160, canvas["y"] + 120)
    page.mouse.up()
    page.mouse.move(canvas["x"] + 10, canvas["y"] + 10)
    assert [page.get_by_role("slider", name=name).input_value() for name in ("turn", "tilt")] == ["90", "-35"]


def test_keys_step(opened):
    page = opened(moving(seconds=0.2))
    for focused in (slider(page), page.get_by_role("img")):
        put(page, 0)
        focused.focus()
        for key, value, label in [
            ("ArrowRight", "1", "after layer 1"),
            ("ArrowUp", "2", "after layer 2"),
            ("ArrowLeft", "1", "after layer 1"),
            ("End", "5", "after layer 5"),
            ("ArrowRight", "5", "after layer 5"),
            ("ArrowDown", "4", "after layer 4"),
            ("Home", "0", "input"),
            ("ArrowLeft", "0", "input"),
            ("ArrowRight", "1", "after layer 1"),
        ]:
            focused.press(key)
            expect(slider(page)).to_have_js_property("value", value)
            expect(slider(page)).to_have_attribute("aria-valuetext", label)


def test_the_space_bar_plays_and_pauses(opened):
    page = opened(moving(seconds=60))
    for focused in (slider(page), page.get_by_role("img")):
        put(page, 1)
        focused.focus()
        focused.press(" ")
        expect(page.get_by_role("button", name="pause")).to_be_visible()
        focused.press(" ")
        expect(page.get_by_role("button", name="play")).to_be_visible()
        assert 1 <= position(page) < 5


LABELS = ["input", "", "", "layer 1", "", "layer 2"]
DRAWN = """() => {
    window.values = [];
    const {clearRect} = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...place) {
        window.values.push(Number(document.querySelector('.time').value));
        return clearRect.apply(this, place);
    };
}"""


def test_frames_without_a_label_are_passed_without_a_rest(opened):
    page = opened(player.player_html(player.points(places()), LABELS, WORDS, seconds=0.8))
    slider(page).focus()
    for key, value, label in [
        ("ArrowRight", "3", "layer 1"),
        ("ArrowRight", "5", "layer 2"),
        ("ArrowLeft", "3", "layer 1"),
        ("ArrowLeft", "0", "input"),
    ]:
        page.keyboard.press(key)
        expect(slider(page)).to_have_js_property("value", value)
        expect(page.get_by_role("button", name="play")).to_be_visible()
        expect(slider(page)).to_have_attribute("aria-valuetext", label)
        assert position(page) == float(value)
    for value, label in ((1, "input"), (2, "layer 1"), (3.9, "layer 1"), (4.1, "layer 2")):
        put(page, value)
        expect(slider(page)).to_have_attribute("aria-valuetext", label)
    put(page, 0)
    page.evaluate(DRAWN)
    page.get_by_role("button", name="play").click()
    expect(slider(page)).to_have_js_property("value", "5")
    seen = page.evaluate("values")
    assert seen.count(3) > 3 and all(seen.count(at) <= 1 for at in (1, 2, 4))
    assert seen == sorted(seen) and {int(value) for value in seen} == {0, 1, 2, 3, 4, 5}


def test_where_less_motion_is_wanted_it_goes_from_label_to_label(opened):
    page = opened(player.player_html(player.points(places()), LABELS, WORDS, seconds=0.3), reduced_motion="reduce")
    page.evaluate(DRAWN)
    page.get_by_role("button", name="play").click()
    expect(slider(page)).to_have_js_property("value", "5")
    put(page, 1.4)
    assert set(page.evaluate("values")) == {0, 3, 5} and position(page) == 0


def test_a_key_that_is_held_down_queues_up_nothing(opened):
    page = opened(moving(seconds=2))
    slider(page).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(2500)
    assert position(page) == 4


def test_the_slider_is_dragged_to_any_place(opened):
    page = opened(moving())
    page.get_by_role("button", name="play").click()
    track = slider(page).bounding_box()
    page.mouse.click(track["x"] + 0.47 * track["width"], track["y"] + track["height"] / 2)
    assert position(page) == pytest.approx(0.47 * 5, abs=0.1)
    expect(page.get_by_role("button", name="play")).to_be_visible()  # and not pause
    before = marks(page)
    page.wait_for_timeout(200)
    assert (marks(page) == before).all()


def test_fingers_play_move_and_turn(opened):
    page = opened(moving(axes=3), has_touch=True, width=800)
    page.get_by_role("button", name="play").tap()
    expect(page.get_by_role("button", name="pause")).to_be_visible()
    track = slider(page).bounding_box()
    page.touchscreen.tap(track["x"] + 0.6 * track["width"], track["y"] + track["height"] / 2)
    assert position(page) == pytest.approx(3, abs=0.1)
    session, canvas = page.context.new_cdp_session(page), page.locator("canvas").bounding_box()
    for kind, x in [("touchStart", 100), *(("touchMove", 100 + 10 * step) for step in range(1, 7)), ("touchEnd", None)]:
        points = [] if x is None else [{"x": canvas["x"] + x, "y": canvas["y"] + 50}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    turn = float(page.get_by_role("slider", name="turn").input_value())
    assert player.ANGLES["turn"] < turn <= player.ANGLES["turn"] + 30
    assert page.locator("canvas").evaluate("canvas => getComputedStyle(canvas).touchAction") == "pan-y"


def test_players_on_one_page_do_not_disturb_each_other(opened):
    page = opened(film("spiral"), film("strip"), film("spiral"))
    expect(page.locator("canvas")).to_have_count(3)
    expect(page.locator("img[src]")).to_have_count(0)
    players = page.locator("[data-player]").all()
    before = [one.locator("canvas").screenshot() for one in players]
    slider(players[2]).press("End")
    after = [one.locator("canvas").screenshot() for one in players]
    assert [position(one) for one in players] == [0, 0, 6]
    assert [one != other for one, other in zip(before, after, strict=True)] == [False, False, True]


@pytest.mark.parametrize("name", FILMS)
def test_where_scripts_do_not_run_the_strip_is_shown(opened, name):
    page = opened(film(name), java_script_enabled=False)
    strip = page.get_by_role("img", name=" ".join(FILMS[name]()[2].split()))
    with Image.open(io.BytesIO(strip.screenshot())) as shot:
        assert shot.width >= 600 and (np.asarray(shot.convert("L")) < 200).mean() > 0.005
    assert page.locator("canvas").count() == page.get_by_role("button").count() == 0
    assert "function" not in page.locator("body").inner_text()


@pytest.mark.parametrize(("width", "dots"), [(1280, 1), pytest.param(800, 2, marks=pytest.mark.full), (400, 1)])
@pytest.mark.parametrize("name", FILMS)
def test_all_is_seen_and_no_words_overlap(opened, name, width, dots):
    page = opened(film(name), width=width, device_scale_factor=dots)
    page.get_by_text("The figure in words").scroll_into_view_if_needed()
    if folder := os.environ.get("SCREENSHOTS"):
        put(page, 1.5)
        page.screenshot(path=f"{folder}/player-{name}-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.locator("canvas").evaluate("c => [c.width, c.height, c.clientWidth, c.clientHeight]")
    assert sizes[:2] == [dots * one for one in sizes[2:]] and sizes[3] > 80
    words = page.locator("canvas").evaluate("canvas => canvas.seen.words")
    assert len(words) > (1 if name == "circle" else 5)
    for text, left, right, top, bottom in words:
        assert 0 <= left and right <= sizes[2] and 0 <= top and bottom <= sizes[3], text
    boxes = [(text, *sides) for text, *sides in words]
    for (one, *a), (other, *b) in itertools.combinations(boxes, 2):
        assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2], (one, other)
    put(page, FILMS[name]()[1].index(max(FILMS[name]()[1], key=len)))
    row = [one.bounding_box() for one in (page.get_by_role("button"), slider(page), page.locator(".label"))]
    for one, other in itertools.pairwise(row):
        assert one["x"] + one["width"] <= other["x"]
    assert row[1]["width"] > 80


def test_where_less_motion_is_wanted_it_goes_from_frame_to_frame(opened):
    page = opened(moving(seconds=0.3), reduced_motion="reduce")
    page.evaluate("""() => {
        window.values = new Set();
        const {clearRect} = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.clearRect = function (...place) {
            window.values.add(document.querySelector('.time').value);
            return clearRect.apply(this, place);
        };
    }""")
    page.get_by_role("button", name="play").click()
    expect(slider(page)).to_have_js_property("value", "5")
    slider(page).press("ArrowLeft")
    put(page, 2.4)
    assert page.evaluate("[...values]") == [*"012345"] and position(page) == 2


def test_every_control_has_a_name_and_shows_where_the_focus_is(opened):
    page = opened(moving(axes=3))
    controls = page.locator("[data-player]").locator("button, input, canvas").all()
    assert len(controls) == 5
    for control in controls:
        expect(control).to_have_accessible_name(re.compile(r"\w+"))
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    expect(page.get_by_role("img")).to_have_accessible_name(WORDS)


def notebook_of(piece: str) -> nbformat.NotebookNode:
    """Return a notebook that shows the piece as a saved output, of a cell that plays other points."""
    source = (
        "import sys\nsys.path.insert(0, '..')\nimport numpy as np\nfrom utils.player import play, points\n"
        "play(points(np.random.default_rng(0).normal(size=(4, 50, 2))), 'abcd', 'fifty points')"
    )
    shown = nbformat.v4.new_output("display_data", data={"text/html": piece, "text/plain": WORDS})
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cell = nbformat.v4.new_code_cell(source, execution_count=7, outputs=[shown])
    return nbformat.v4.new_notebook(cells=[cell], metadata=metadata)


def test_a_saved_output_plays_without_a_kernel(opened):
    """On the page that nbconvert makes, which takes its styles for formulas and nothing else from the network."""
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook_of(moving(seconds=0.1)))
    page = opened(page)
    page.get_by_role("button", name="play").click()
    expect(slider(page)).to_have_js_property("value", "5")


@pytest.fixture
def saved(jupyterlab) -> Lab:
    """JupyterLab, with a notebook of somebody else's that shows a player."""
    nbformat.write(notebook_of(moving()), jupyterlab.work / "player.ipynb")
    lab = jupyterlab.start()
    lab.page.add_init_script(WATCH)
    lab.open_path("player.ipynb")
    return lab


@pytest.mark.full
def test_in_jupyterlab_the_strip_is_there_before_and_the_player_after_the_cell_is_run(saved):
    page = saved.page
    with photographed(page):
        (cell,) = saved.cells("play(points")
        strip = cell.get_by_role("img", name=WORDS)
        expect(strip).to_be_visible()
        assert strip.evaluate("img => img.naturalWidth") > 600 and cell.locator("canvas").count() == 0
        saved.run(cell)
        expect(cell.locator("canvas")).to_be_visible()
        place = "() => jupyterapp.shell.currentWidget.content.activeCellIndex"
        for focused in (slider(cell), cell.locator("canvas")):
            focused.focus()
            before = page.evaluate(place)
            for key in ("End", "ArrowDown", "Home", "ArrowUp"):
                page.keyboard.press(key)
            expect(slider(cell)).to_have_js_property("value", "1")
            page.keyboard.press(" ")
            expect(cell.get_by_role("button", name="pause")).to_be_visible()
            page.keyboard.press(" ")
            assert page.evaluate(place) == before and saved.crashes == []
        for width in (1280, 800):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(300)
            box, room = (cell.locator(one).first.bounding_box() for one in (".film", ".jp-OutputArea-output"))
            assert box["x"] + box["width"] <= room["x"] + room["width"] + 1
        saved.run(cell)  # draws it anew
        expect(cell.locator("canvas")).to_have_count(1)
        expect(cell.get_by_role("button", name="play")).to_be_visible()
