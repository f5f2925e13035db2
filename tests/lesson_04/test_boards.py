"""The board, folded and in one layer: against parities, areas known beforehand, and tents that are iterated here."""

from __future__ import annotations

import copy
import html
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from torch import nn

from tests.choices import assert_right
from utils import pages
from utils.constructions import relu_network
from utils.lesson_04 import boards, boards_figures, page
from utils.lesson_04.boards import folded_board, inner_corners, outer_corners, shallow_board, shallow_units
from utils.models import mlp
from utils.player import LIMIT
from utils.regions import count_regions

KS = (1, 2, 3, 6)


def parity(points: np.ndarray, k: int) -> np.ndarray:
    """Return +1 in the square at (0, 0), and in every square an even number of steps away from it."""
    return np.where((np.floor(2**k * points).astype(int).sum(axis=-1)) % 2 == 0, 1, -1)


def tents(x: np.ndarray, k: int) -> np.ndarray:
    for _ in range(k):
        x = 1 - abs(2 * x - 1)
    return x


def inner_points(k: int) -> np.ndarray:
    """Return four points in each square, away from its edges and from its middle."""
    line = (np.arange(2 ** (k + 1)) + 0.5) / 2 ** (k + 1)
    return np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


def hidden_units(model: nn.Sequential) -> list[int]:
    return [module.out_features for module in model if isinstance(module, nn.Linear)][:-1]


def half_plane(n: list[float], c: float) -> nn.Sequential:
    """Return n · p − c as a network with one hidden layer."""
    sides = np.array([[1.0, -1.0]])
    return relu_network([(sides.T * n, -c * sides[0]), (sides, np.zeros(1))])


# --- the two networks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("build", [folded_board, shallow_board])
def test_every_square_has_its_sign_and_float32_rounds_nothing(build, k):
    """At the middles of the squares' quarters, and at multiples of a small power of two."""
    model, points = build(k), np.random.default_rng(k).integers(0, 2**12, size=(5000, 2)) / 2**12
    points = np.concatenate([inner_points(k), points])
    single = model(torch.tensor(points, dtype=torch.float32)).detach()[:, 0]
    np.testing.assert_array_equal(single, model.double()(torch.tensor(points)).detach()[:, 0])
    np.testing.assert_array_equal(single[: 4 * 4**k].sign(), parity(inner_points(k), k))


@pytest.mark.parametrize("k", KS)
def test_units_are_those_that_the_lesson_counts(k):
    assert hidden_units(folded_board(k)) == [4] * (k + 1) and boards.deep_units(k) == 4 * (k + 1)
    assert hidden_units(shallow_board(k)) == [shallow_units(k)] == [4 * 2**k - 5]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_regions_counted_one_by_one(k):
    """Each square has at least a region of its own; the folded network has four, but for the edges."""
    assert count_regions(folded_board(k), boards.UNIT_SQUARE) == 4 * 4**k + 1
    assert count_regions(shallow_board(k), boards.UNIT_SQUARE) == 2 * 4**k + 2 * 2**k - 8


@pytest.mark.parametrize("k", KS)
def test_by_area_both_networks_are_right_everywhere_and_the_trap_on_a_half(k):
    for model, share in ((folded_board(k), 1), (shallow_board(k), 1), (folded_board(k, shift=0), 0.5)):
        assert boards.share_right(model, k) == pytest.approx(share, abs=1e-9)


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.integers(1, 4))
def test_points_that_the_trap_lays_on_each_other_have_opposite_signs(x, y, k):
    """So no cut of the pile is right on more than a half: whatever it says is wrong at one of the two."""
    x, y = (np.floor(2**k * one) + np.clip(2**k * one % 1, 0.1, 0.9) for one in (x, y))
    mirrored = 2 * max(np.floor(x), 1) - x if x > 1 else 2 - x
    there, other = np.array([x, y]) / 2**k, np.array([mirrored, y]) / 2**k
    np.testing.assert_allclose(tents(there, k), tents(other, k), atol=1e-9)
    assert parity(there, k) == -parity(other, k)


# --- areas ------------------------------------------------------------------------------------------------


def test_areas_that_can_be_told_beforehand():
    """A corner triangle in a +1 square, an eighth of the area; and all of the −1 squares outside of it."""
    assert boards.share_right(half_plane([-1, -1], -0.5), 1) == pytest.approx(0.5 + 0.125)
    assert boards.share_right(half_plane([1, 1], 0.5), 1) == pytest.approx(1 - 0.625)
    assert boards.share_right(half_plane([0, 0], 1), 3) == pytest.approx(0.5)


def test_areas_of_a_random_network_agree_with_a_fine_grid():
    model = mlp([2, 8, 8, 1], init="he", bias_std=0.5, generator=torch.Generator().manual_seed(3))
    before = copy.deepcopy(model.state_dict())
    line = (np.arange(1200) + 0.5) / 1200
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    signs = np.sign(model(torch.tensor(points, dtype=torch.float32)).detach()[:, 0].numpy())
    assert boards.share_right(model, 2) == pytest.approx((signs == parity(points, 2)).mean(), abs=1e-3)
    assert all(torch.equal(one, before[name]) for name, one in model.state_dict().items())


# --- what one layer needs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 5])
def test_no_rising_line_passes_through_two_of_the_outer_corners(k):
    corners = outer_corners(k)
    assert 2 * len(corners) + 1 == shallow_units(k)
    for one, other in itertools.combinations(corners, 2):
        assert (other - one).prod() <= 0


def shallow_layer(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return weight and bias of `shallow_board`'s hidden layer: its creases, and last the unit of the linear part."""
    return tuple(parameter.detach().double().numpy() for parameter in shallow_board(k)[0].parameters())


@pytest.mark.parametrize("k", [1, 3])
def test_a_rising_and_a_falling_crease_of_the_shallow_network_meet_in_every_inner_corner(k):
    weight, bias = shallow_layer(k)
    through = np.abs(inner_corners(k) @ weight.T + bias) < 1e-9
    rising, falling = (through[:, weight.prod(axis=1) * side < 0].sum(axis=1) for side in (1, -1))
    assert len(through) == (2**k - 1) ** 2 and (rising == 1).all() and (falling == 1).all()


def triangles(k: int) -> np.ndarray:
    """Return each square's middle and its corners, [4^k, 5, 2], in units of a square.

    Where all creases run along the squares' diagonals, a network is affine on the triangles between the middle and two
    corners. So it has the board's signs where it has them in the middles, and in no corner the opposite one.
    """
    lower = np.stack(np.meshgrid(*[np.arange(2**k)] * 2), axis=-1).reshape(-1, 1, 2)
    return lower + [[0.5, 0.5], [0, 0], [0, 1], [1, 0], [1, 1]]


def draws(units: np.ndarray, k: int) -> bool:
    """Return whether some weights of these units [4^k, 5, n] and a bias draw the board: by a linear program."""
    signs = parity(triangles(k)[:, :1] / 2**k, k)[..., None]
    features = (signs * np.concatenate([units, np.ones_like(units[..., :1])], axis=-1)).reshape(-1, units.shape[-1] + 1)
    least = np.tile([1, 0, 0, 0, 0], 4**k)
    found = linprog(np.zeros(features.shape[1]), -features, -least, bounds=(None, None))
    assert found.status in (0, 2)  # there are such weights, or there are none
    return found.status == 0


@pytest.mark.parametrize("k", [1, 2])
def test_the_only_creases_that_one_unit_less_could_have_do_not_draw_the_board_whichever_way_they_open(k):
    """The last step of the proof in 04b. With the unit of the linear part they do, whichever way they open."""
    weight, bias = shallow_layer(k)
    before = triangles(k) / 2**k @ weight.T + bias
    ways = list(itertools.product((1, -1), repeat=shallow_units(k) - 1))
    assert len(ways) == {1: 4, 2: 1024}[k] and not any(draws(np.maximum(before[..., :-1] * way, 0), k) for way in ways)
    assert draws(np.maximum(before, 0), k)


@pytest.mark.parametrize("k", KS)
def test_with_as_many_units_as_the_proof_asks_for_every_point_has_its_sign_exactly(k):
    m, (weight, bias) = 2**k, shallow_layer(k)
    assert (np.abs(weight[:-1]) == m).all() and (bias == np.round(bias)).all() and (weight[-1] == [0, m]).all()
    values = shallow_board(k).double()(torch.tensor(triangles(k) / m)).detach().numpy()[..., 0]
    right = values * parity(triangles(k)[:, :1] / m, k)
    assert (right[:, 0] > 0).all() and (right >= 0).all()


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: folded_board(0), ValueError, "k is 0"),
        (lambda: shallow_board(1.5), TypeError, "k is 1.5"),
        (lambda: folded_board(2, shift="half"), TypeError, "shift is 'half'"),
        (lambda: boards.share_right(mlp([2, 3, 2]), 2), ValueError, "with one output"),
        (lambda: boards_figures.folding(3, 0.5), ValueError, "k is 3: wanted at most 2"),
        (lambda: boards_figures.folding(2, 0.25), ValueError, "shift is 0.25"),
    ],
)
def test_bad_input_is_named(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


# --- the sheet that is folded -----------------------------------------------------------------------------


def film(k: int, shift: float) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], list[str]]:
    """Return pieces, dots and cut [frames, n, vertices, 2]; which pieces and dots are orange; and the labels."""
    (pieces, dots, cut), labels, _ = boards_figures.folding(k, shift)
    return (
        {"pieces": pieces.frames, "dots": dots.frames, "cut": cut.frames},
        {"pieces": pieces.groups, "dots": dots.groups},
        labels,
    )


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize(("shift", "colours"), [(0.5, 1), (0, 2)])
def test_corners_lie_where_the_tents_say_and_squares_on_their_own_colour_or_on_both(k, shift, colours):
    frames, orange, labels = film(k, shift)
    sheet = frames["pieces"][0] + shift / 2**k
    for what in ("pieces", "dots"):
        np.testing.assert_array_equal(parity(frames[what][0].mean(axis=1), k) < 0, orange[what])
    for fold in range(1, 2 * k + 1):
        frame = next(frame for frame, label in enumerate(labels) if label.startswith(f"fold {fold}:"))
        x, y = tents(sheet[..., 0], min(fold, k)), tents(sheet[..., 1], max(fold - k, 0))
        np.testing.assert_allclose(frames["pieces"][frame], np.stack([x, y], axis=-1), atol=1e-12)
    np.testing.assert_allclose(frames["pieces"][-1], sheet, atol=1e-12)
    corners = frames["pieces"][labels.index("the cut")]
    low, high = corners.min(axis=1), corners.max(axis=1)
    for place in (low + high) / 2:
        there = ((low < place) & (place < high)).all(axis=1)
        assert len(set(orange["pieces"][there])) == colours
    if shift:
        own = ((low + high > 1).sum(axis=1) == 1).astype(int)
        np.testing.assert_array_equal(orange["pieces"], own)  # what the cut says


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("shift", [0, 0.5])
def test_each_square_has_one_mark_in_its_middle_and_orange_ones_leave_the_edge_of_blue_ones_free(k, shift):
    frames, orange, labels = film(k, shift)
    dots = frames["dots"][0, :, 0]
    assert sorted(map(tuple, dots)) == sorted(
        map(tuple, inner_points(k).reshape(2**k, 2, 2**k, 2, 2).mean(axis=(1, 3)).reshape(-1, 2))
    )
    sizes = np.ptp(frames["pieces"][0], axis=1)
    assert (sizes[orange["pieces"] == 1] < 0.9 * sizes[orange["pieces"] == 0].min()).all()
    assert (np.diff(orange["pieces"]) >= 0).all() and (np.diff(orange["dots"]) <= 0).all()  # which is drawn last


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("shift", [0, 0.5])
def test_one_cut_each_way_and_unfolded_it_is_the_grid_or_runs_half_a_square_beside_it(k, shift):
    frames, _, labels = film(k, shift)
    cut, near = frames["cut"], 4 * boards_figures.CUT * 2**k
    upright, level = np.split(cut, 2, axis=1)
    before = labels.index("the cut")
    assert (cut[:before].max(axis=-1) > boards_figures.TOP).all(), "it waits outside of the view"
    assert abs(upright[before, ..., 0] - 0.5).max() < near and abs(level[before, ..., 1] - 0.5).max() < near
    wanted = {0.5: np.arange(1, 2**k), 0: np.arange(2**k) + 0.5}[shift] / 2**k
    for lines, axis in ((upright, 0), (level, 1)):
        np.testing.assert_allclose(lines[-1, ..., axis].mean(axis=-1), wanted + shift / 2**k, atol=1e-9)


@pytest.mark.slow
def test_the_films_are_continuous_stay_in_view_and_fit_a_page(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data["text/html"]))
    for shift in (0, 0.5):
        frames, _, _ = film(2, shift)
        (low, high), _ = boards_figures.folding(2, shift)[2]["bounds"]
        assert np.linalg.norm(np.diff(frames["pieces"], axis=0), axis=-1).max() < 0.8
        assert low <= frames["pieces"].min() and frames["pieces"].max() <= high
        page.play_folding(2, shift)
    for film_page, key in zip(shown, ("04.trap-folded", "04.folding"), strict=True):
        assert html.escape(" ".join(pages.figure_text(key).alt.split())) in film_page and len(film_page) < LIMIT
    assert plt.get_fignums() == []


# --- figures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 5, 6])
def test_the_drawing_has_a_dot_for_each_unit(k):
    figure = boards_figures.deep_and_shallow(k)
    (ax,) = figure.axes
    dots = [len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o"]
    assert dots == [*[4] * (k + 1), shallow_units(k)]
    figure.suptitle(pages.figure_text("04.shallow").title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in (*ax.texts, *figure.texts)]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))


def test_the_creases_are_those_of_the_networks_units():
    figure = boards_figures.diagonals(2)
    left, right = figure.axes
    drawn = {(line.get_slope(), line.get_xy1()[1]) for line in left.lines}
    layer = shallow_board(2)[0]
    weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
    wanted = {(-x / y, -c / y) for (x, y), c in zip(weight[:-1], bias[:-1], strict=True)}
    assert drawn == wanted and len(drawn) == 10
    np.testing.assert_array_equal(left.images[0].get_array(), parity(inner_points(2), 2).reshape(8, 8)[::2, ::2])
    np.testing.assert_allclose(right.lines[-1].get_xydata(), outer_corners(2))


# --- predictions ------------------------------------------------------------------------------------------


def test_the_right_choices_and_the_title_are_what_is_measured():
    units = sum(hidden_units(folded_board(5))), *hidden_units(shallow_board(5))
    title = pages.figure_text("04.shallow").title
    assert tuple(int(word) for word in title.split() if word.isdigit()) == units == (24, 123)
    assert_right("04.edges", {"share": boards.share_right(folded_board(3, shift=0), 3)}, "half")
    assert_right("04.shallow", {"units": page.shallow_units(5)}, "about 120")
