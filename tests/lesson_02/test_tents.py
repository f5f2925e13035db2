"""The tents' pictures: units and parameters counted in the drawing, and folds against the tent, iterated by itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import FancyBboxPatch

from utils.constructions import sawtooth_network
from utils.lesson_02 import tents_figures
from utils.lesson_02.sawtooth import one_layer_sawtooth
from utils.lesson_02.tents_figures import BEND, STRETCHING, TURNING, folds, two_networks


def tents(x: float, k: int) -> float:
    """Return the tent of the tent of … x."""
    for _ in range(k):
        x = 2 * x if x < 0.5 else 2 - 2 * x
    return x


# --- the two networks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 6])
def test_the_drawing_has_a_dot_for_each_unit_a_box_for_each_layer_and_pytorchs_counts(k):
    figure = two_networks(k)
    (ax,) = figure.axes
    dots = [line.get_xydata() for line in ax.lines if line.get_marker() == "o"]
    boxes = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    assert [len(layer) for layer in dots] == [2] * k + [2**k] and len(boxes) == k + 1
    for layer, box in zip(dots, boxes, strict=True):
        assert box.get_path().get_extents(box.get_patch_transform()).count_contains(layer) == len(layer)
        assert len(np.unique(layer.round(6), axis=0)) == len(layer)
    assert len({line.get_markersize() for line in ax.lines if line.get_marker() == "o"}) == 1
    nearest = [np.linalg.norm(layer[1:] - layer[0], axis=1).min() for layer in dots]
    assert nearest == pytest.approx([nearest[0]] * len(nearest)), "one scale"
    labels = "\n".join(text.get_text() for text in ax.texts)
    for model in (sawtooth_network(k), one_layer_sawtooth(k)):
        assert f":\n{sum(parameter.numel() for parameter in model.parameters()):,} parameters" in labels


def test_ten_tents_take_61_parameters_or_3073():
    figure = two_networks()
    labels = [text.get_text().replace("\n", " ") for text in figure.axes[0].texts]
    assert "10 hidden layers of 2 units: 61 parameters" in labels
    assert "1 hidden layer of 1,024 units: 3,073 parameters" in labels
    figure.suptitle("The same function, 61 parameters or 3,073", x=0.01, ha="left", fontsize=12, fontweight="bold")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in (*figure.axes[0].texts, *figure.texts)]
    wide, high = figure.bbox.size
    for box in boxes:
        assert 0 <= box.x0 and box.x1 <= wide and 0 <= box.y0 and box.y1 <= high
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


# --- the strip that is folded -----------------------------------------------------------------------------


def panels(k: int) -> dict[str, np.ndarray]:
    """Return the strip [frames, vertices, 2], the graph, and the points marked on either."""
    (strip, on_strip), (graph, on_graph) = folds(k)[0].values()
    return {
        "strip": strip.frames[:, 0],
        "on strip": on_strip.frames[:, :, 0],
        "graph": graph.frames[:, 0],
        "on graph": on_graph.frames[:, :, 0],
    }


def at_rest(k: int) -> list[int]:
    """Return the frames with a label."""
    return [at for at, label in enumerate(folds(k)[1]) if label]


def crossings(line: np.ndarray, height: float) -> np.ndarray:
    """Return where, from left to right, a line [vertices, 2] crosses a height."""
    (x, y), steps = line[:-1].T, np.diff(line, axis=0)
    through = (y < height) != (y + steps[:, 1] < height)
    return np.sort((x + (height - y) / np.where(through, steps[:, 1], 1) * steps[:, 0])[through])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(1, 6))
def test_every_point_of_the_strip_ends_where_the_tents_say(x, k):
    places, heights = tents_figures._folded(np.array(x), np.zeros(len(x)), k)
    assert len(places) == len(heights) == k * (TURNING + STRETCHING) + 1
    for fold in range(k + 1):
        wanted = [tents(one, fold) for one in x]
        np.testing.assert_allclose(heights[fold * (TURNING + STRETCHING)], wanted, atol=1e-9)
        np.testing.assert_allclose(places[fold * (TURNING + STRETCHING), :, 1], wanted, atol=1e-9)


@pytest.mark.parametrize("k", [1, 4])
def test_at_rest_strip_and_graph_have_as_many_pieces_as_the_folds_make(k):
    seen, labels = panels(k), folds(k)[1]
    assert [labels[at] for at in at_rest(k)][1:] == [
        f"{fold} fold{'s' if fold > 1 else ''}" for fold in range(1, k + 1)
    ]
    for fold, at in enumerate(at_rest(k)):
        slopes = np.diff(seen["graph"][at][:, 1]) / np.diff(seen["graph"][at][:, 0])
        assert 1 + np.count_nonzero(np.diff(slopes)) == 2**fold
        np.testing.assert_allclose(np.abs(slopes), 2**fold)
        sheets = crossings(seen["strip"][at], 0.3721)
        np.testing.assert_allclose(sheets, tents_figures.SHEET * np.arange(2**fold), atol=1e-9)
        assert len(crossings(seen["graph"][at], 0.3721)) == 2**fold


@pytest.mark.parametrize("k", [1, 4])
def test_strip_graph_and_marked_points_agree_where_they_rest(k):
    seen = panels(k)
    for fold, at in enumerate(at_rest(k)):
        marked = seen["on graph"][at]
        assert marked[:, 1] == pytest.approx([tents(x, fold) for x in tents_figures.MARKED])
        assert seen["on strip"][at][:, 1] == pytest.approx(marked[:, 1])
        assert np.interp(marked[:, 0], *seen["graph"][at].T) == pytest.approx(marked[:, 1])
        for x, y in seen["on strip"][at]:
            assert np.abs(crossings(seen["strip"][at], y) - x).min() < 1e-9
    np.testing.assert_array_equal(seen["graph"][:, :, 0], seen["graph"][:1, :, 0].repeat(len(seen["graph"]), axis=0))


def test_while_it_turns_the_strip_keeps_its_shape_and_nothing_jumps():
    """Between creases; the bends around them are drawn, and have no length on the strip."""
    k = 4
    strip = panels(k)["strip"]
    ends = strip[:, 1:-1].reshape(len(strip), 2**k - 1, len(BEND), 2)
    first = np.concatenate([strip[:, :1], ends[:, :, -1]], axis=1)
    last = np.concatenate([ends[:, :, 0], strip[:, -1:]], axis=1)
    lengths = np.linalg.norm(last - first, axis=2)
    for fold in range(k):
        turning = lengths[fold * (TURNING + STRETCHING) :][: TURNING + 1]
        np.testing.assert_allclose(turning, 2**fold / 2**k, atol=1e-9)
        frames = strip[fold * (TURNING + STRETCHING) :][: TURNING + 1]
        above = frames[:, frames[0, :, 1] > 0.5 + 1e-9]
        apart = np.linalg.norm(above[:, :, None] - above[:, None], axis=3)
        np.testing.assert_allclose(apart, apart[:1].repeat(len(apart), axis=0), atol=1e-9)  # it turns as one
    assert np.linalg.norm(np.diff(strip, axis=0), axis=2).max() < 0.35
