"""Figures for every reader: their content in words, colours that can be told apart, and never colour alone."""

from __future__ import annotations

import html
import re
from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from authoring.alt_text import FEWEST_CHARACTERS
from tests.colour_vision import VISION, contrast, distance, lab
from tests.marks import ROOT, by_lesson
from utils import meanfield_plots, plots, region_plots
from utils.figures import COLOURS, use_style
from utils.meanfield import critical_sigma_w, phase_diagram
from utils.models import mlp
from utils.regions import linear_regions

BUILT = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])
APART = 9  # CIEDE2000, where about 1 is just noticeable side by side
BOX = ((-1, 1), (-1, 1))
TEXT_CONTRAST = 4.5  # WCAG 2.2, 1.4.3


def network(sizes: list[int]) -> torch.nn.Sequential:
    return mlp(sizes, generator=torch.Generator().manual_seed(0))


@pytest.fixture(autouse=True)
def style():
    with plt.rc_context():
        use_style()
        yield
    plt.close("all")


# Words


@pytest.mark.parametrize(
    "path", by_lesson(BUILT, lambda path: path.stem), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_image_has_its_words_beside_it(path):
    """In the metadata, as plain text, and in the next output for those who see neither."""
    images = 0
    for cell in nbformat.read(path, as_version=4).cells:
        outputs = [output for output in cell.get("outputs", []) if "data" in output]
        for output, following in pairwise([*outputs, None]):
            kinds = [kind for kind in output.data if kind.startswith("image/")]
            page = output.data.get("text/html", "")
            within = re.findall(r'<img[^>]* alt="([^"]*)"', page)  # a player's strip, or folded
            assert len(within) == page.count("<img")
            assert all(len(alt) >= FEWEST_CHARACTERS and page.count(alt) >= 2 for alt in within)
            images += len(within)
            for kind in kinds:
                images += 1
                alt = output.metadata[kind]["alt"]
                assert len(alt.strip()) >= FEWEST_CHARACTERS and output.data["text/plain"] == alt
                assert html.escape(alt) in following.data["text/html"]
    assert images > 0


def test_a_figure_is_kept_once(monkeypatch):
    """Twice as PNG would make notebooks twice as large."""
    from utils.figures import show_figure

    shown = []
    monkeypatch.setattr("IPython.display.display", lambda *args, **kwargs: shown.append(args[0]))
    show_figure(plt.figure(), "An empty figure, which shows nothing at all.")
    assert [*shown[0]] == ["image/png", "text/plain"] and "base64" not in shown[1].data


# Colours


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_the_distance_is_ciede2000(one, other, published):
    """Pairs of table 1 in Sharma, Wu & Dalal 2005."""
    assert distance(np.array(one), np.array(other)) == pytest.approx(published, abs=5e-5)
    assert distance(np.array(other), np.array(one)) == pytest.approx(published, abs=5e-5)


def test_colours_are_measured_right():
    """White, black, and sRGB's red in CIELAB (D65); grey looks the same to everybody."""
    assert lab("white") == pytest.approx([100, 0, 0], abs=1e-6) and lab("black") == pytest.approx([0, 0, 0])
    assert lab("#ff0000") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert contrast("white", "black") == 21 and contrast("#767676", "white") == pytest.approx(4.54, abs=0.005)
    for matrix in VISION.values():
        assert matrix.sum(axis=1) == pytest.approx(1, abs=2e-6)


@pytest.mark.parametrize("vision", VISION)
def test_any_two_colours_of_the_palette_can_be_told_apart(vision):
    """The nearest are 9.9 apart: green and grey with deuteranopia, where line styles carry the meaning, too."""
    for one, other in combinations(COLOURS.values(), 2):
        assert distance(lab(one, vision), lab(other, vision)) >= APART, (one, other)


WEAK = {"orange", "sky"}  # 2.3 to 1: darker ones would come as near as 4 to red and 7 to green for some readers


@pytest.mark.parametrize("name", COLOURS)
def test_lines_are_seen_on_white_and_told_from_black(name):
    """WCAG 2.2, 1.4.11 wants 3 to 1 of graphics; in shades of grey each colour is 20 of L* from white and black."""
    lightness = lab(COLOURS[name])[0]
    assert lightness <= 80 and (lightness >= 20 or name == "black")
    assert (contrast(COLOURS[name], "white") >= 3) == (name not in WEAK)


def test_weak_colours_come_last_and_no_two_lines_of_the_cycle_have_one_style():
    cycle = list(plt.rcParams["axes.prop_cycle"])
    assert {one["color"] for one in cycle[-2:]} == {COLOURS[name] for name in WEAK}
    assert len({str(one["linestyle"]) for one in cycle}) == len({one["color"] for one in cycle}) == len(cycle) == 7


@pytest.mark.parametrize("vision", VISION)
def test_region_maps_are_told_apart_from_what_is_drawn_on_them(vision):
    """Regions differ in lightness; the boundary is red between white, and the creases are black."""
    shades = plt.get_cmap("Blues")(np.linspace(0.1, 0.7, 25))[:, :3]
    drawn = region_plots.plot_regions(linear_regions(network([2, 6, 1]), BOX)).collections[0].get_facecolor()[:, :3]
    assert (drawn >= shades.min(axis=0)).all() and (drawn <= shades.max(axis=0)).all()
    assert distance(lab(shades[0], vision), lab(shades[-1], vision)) >= 3 * APART
    for shade in shades:
        assert distance(lab(shade, vision), lab("black", vision)) >= APART
        assert distance(lab(shade, vision), lab(COLOURS["red"], vision)) >= APART
    assert contrast(COLOURS["red"], "white") >= 3


@pytest.mark.parametrize("vision", VISION)
def test_order_and_chaos_are_told_apart_in_the_phase_diagram(vision):
    ordered, critical, chaotic = plt.get_cmap("PuOr_r")([0.15, 0.5, 0.85])[:, :3]
    for one, other in combinations((ordered, critical, chaotic), 2):
        assert distance(lab(one, vision), lab(other, vision)) >= APART
    assert contrast(critical, "black") >= 3


# Never colour alone


def interpolant() -> Figure:
    x, knots = np.linspace(-5, 5, 101), np.linspace(-5, 5, 9)
    return plots.plot_interpolant(x, np.cos(x), knots, np.sin(knots), np.sin(x)).figure


def phases(activation: str) -> Figure:
    diagram = phase_diagram(np.linspace(0.5, 3, 30), np.linspace(0.02, 2, 30), activation)
    critical = [critical_sigma_w(sigma_b, activation) for sigma_b in diagram.sigma_b]
    return meanfield_plots.plot_phase_diagram(diagram, critical).figure


def regions() -> Figure:
    return region_plots.plot_regions(linear_regions(network([2, 6, 1]), BOX)).figure


GRID = np.linspace(0, 1, 20)
DRAWN = {
    "interpolant": interpolant,
    "hinges": lambda: plots.plot_hinges(GRID, [0.1, 0.5], [1.0, -2.0]).figure,
    "errors": lambda: plots.plot_errors([5, 10, 20], [1.0, 0.3, 0.1], [1.1, 0.4, 0.2]).figure,
    "phases of tanh": lambda: phases("tanh"),
    "phases of relu": lambda: phases("relu"),
    "regions": regions,
    "pieces": lambda: region_plots.plot_pieces(network([1, 6, 3]), (-2, 2)).figure,
}


@pytest.mark.parametrize("name", DRAWN)
def test_lines_differ_in_more_than_colour(name):
    """Named lines of different colours have another line style or marker, each."""
    for ax in DRAWN[name]().axes:
        named = [line for line in ax.lines if not line.get_label().startswith("_")]
        looks = {(line.get_linestyle(), line.get_marker()) for line in named}
        assert len(looks) == len(named)


@pytest.mark.parametrize("name", DRAWN)
def test_words_in_figures_can_be_read(name):
    """Every text, against the pixels below it: the figure is drawn with its letters, and without."""
    figure = DRAWN[name]()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = [text for text in figure.findobj(plt.Text) if text.get_visible() and text.get_text().strip()]
    boxes = [text.get_window_extent() for text in texts]
    colours = [text.get_color() for text in texts]
    for text in texts:
        text.set_color("none")
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3] / 255
    assert len(texts) > 4
    for text, box, colour in zip(texts, boxes, colours, strict=True):
        below = pixels[max(0, int(box.y0)) : int(box.y1) + 1, max(0, int(box.x0)) : int(box.x1) + 1].reshape(-1, 3)
        worst = min((contrast(colour, pixel) for pixel in np.unique(below, axis=0)), default=21)
        assert worst >= TEXT_CONTRAST, f"{text.get_text()}: {worst:.2f}"
