"""What lesson 04's definitions promise of every draw, so that no verdict hangs on its luck, and what they say."""

from __future__ import annotations

import copy
import subprocess
import sys
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from scipy.optimize import linprog
from scipy.stats import binomtest

import utils.comparison
from tests.answers import of_seed
from utils import regions
from utils.constructions import relu_network
from utils.data import checkerboard_labels
from utils.exercises import Exercise, layers
from utils.exercises.definition import Inputs
from utils.lesson_04 import counting, line_runs
from utils.lesson_04.exercises import (
    breakpoints,
    came_from_deep,
    fewest_hinges,
    folding_layers,
    most_regions,
    pieces_along,
    square_network,
)
from utils.models import mlp


def cases_of(exercise: Exercise) -> list[Inputs]:
    """Return the cases of two seeds."""
    return [given for seed in range(2) for given in of_seed(exercise.cases, seed)]


def test_the_most_regions_can_be_counted_one_by_one():
    """Who asks for each smaller number again and again takes twice as many calls as there are regions."""
    for given in cases_of(most_regions.REGIONS):
        assert most_regions.most(given) == counting.general_position(**given) < 25_000
        assert given["units"] <= 60 and given["inputs"] <= 6


# --- piecewise linear functions -----------------------------------------------------------------------------


def test_no_fewer_hinges_draw_the_function():
    """By trying all choices of hinges at the knots, where a function is short enough for that."""
    short = [given for given in cases_of(fewest_hinges.HINGES) if len(given["knots"]) <= 8]
    assert len(short) >= 8
    for given in short:
        knots, values = given["knots"], given["values"]
        ramps = np.maximum(knots[:, None] - knots[:-1], 0)
        draws = [
            size
            for size in range(len(knots))
            for chosen in combinations(range(len(knots) - 1), size)
            if misfit(np.c_[np.ones(len(knots)), ramps[:, list(chosen)]], values) < 1e-9
        ]
        assert min(draws) == fewest_hinges.fewest(given)


def misfit(columns: np.ndarray, values: np.ndarray) -> float:
    return np.abs(columns @ np.linalg.lstsq(columns, values, rcond=None)[0] - values).max()


def test_no_slope_is_a_close_call():
    for given in cases_of(fewest_hinges.HINGES):
        slopes = np.diff(given["values"]) / np.diff(given["knots"])
        changes = np.abs(np.diff(slopes, prepend=0.0))
        assert ((changes < 1e-9) | (changes > 0.0499)).all()


def test_bends_are_those_that_the_regions_have():
    for given in cases_of(breakpoints.BREAKPOINTS):
        network = relu_network(list(zip(given["weights"], given["biases"], strict=True)), double=True)
        found = regions.breakpoints(network, (given["low"], given["high"]))
        np.testing.assert_allclose(breakpoints.bends(given), found, atol=1e-9)
        apart = np.diff([given["low"], *breakpoints.switching(given), given["high"]]).min()
        slopes = np.unique([piece.slope[0].round(9) for piece in breakpoints.pieces_of(given)])
        assert apart > (given["high"] - given["low"]) / 501 and np.diff(slopes).min(initial=1) > 0.0499


# --- pictures of units on and off, and pieces along a line --------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_one_layer_can_make_just_the_pictures_that_are_called_so(seed):
    """Whether each unit's points can be parted by a hyperplane, with the lines at random in a space of many inputs."""
    rng = np.random.default_rng(seed)
    for given in of_seed(came_from_deep.CAME_FROM_DEEP.cases, seed)[:4]:
        said = []
        for picture in given["pictures"]:
            lines, count, units = picture.shape
            starts, steps = rng.normal(size=(2, lines, 1, 2 * lines))
            points = (starts + np.linspace(0, 1, count)[:, None] * steps).reshape(lines * count, -1)
            states = picture.reshape(lines * count, units)
            said.append(not all(can_be_parted(points, states[:, unit]) for unit in range(units)))
        assert said == came_from_deep.reference(given)


def can_be_parted(points: np.ndarray, on: np.ndarray) -> bool:
    sides = np.where(on, -1, 1)[:, None] * np.c_[points, np.ones(len(points))]
    found = linprog(np.zeros(sides.shape[1]), A_ub=sides, b_ub=-np.ones(len(sides)), bounds=(None, None))
    return found.status == 0


def test_pictures_are_of_convex_regions_and_some_depth_shows_in_one_unit_alone():
    pictures = [picture for given in cases_of(came_from_deep.CAME_FROM_DEEP) for picture in given["pictures"]]
    for line in (line for picture in pictures for line in picture):
        assert 1 + (line[1:] != line[:-1]).any(axis=1).sum() == len(np.unique(line, axis=0))
    switches = [(picture[:, 1:] != picture[:, :-1]).sum(axis=1) for picture in pictures]
    deep = [times for times in switches if times.max() > 1]
    assert 0.5 < len(deep) / len(pictures) < 0.7
    assert sum((times > 1).sum() == 1 and times.max() == 2 for times in deep) >= 24
    assert any((times == 1).all(axis=1).any() for times in switches if times.max() == 1)


def test_patterns_are_those_of_convex_cells_and_no_verdict_is_a_close_call():
    verdicts = []
    for given in cases_of(pieces_along.PIECES):
        counts = []
        for active in given.values():
            counts.append([len({tuple(pattern) for pattern in one.tolist()}) for one in active])
            assert pieces_along.pieces(active).tolist() == counts[-1] and min(counts[-1]) >= 2
        steps = np.diff(counts, axis=0)[0]
        more, fewer = int((steps > 0).sum()), int((steps < 0).sum())
        assert (more - fewer) ** 2 != 4 * (more + fewer)
        chance = binomtest(more, more + fewer).pvalue
        verdicts.append(pieces_along.reference(given)[1])
        assert chance > 0.1 if verdicts[-1] == "cannot tell" else chance < 0.08
    assert [verdicts.count(one) for one in pieces_along.VERDICTS] == [6, 6, 14]


def on_line(model, origin, direction):
    """Return the network of one input t that is model(origin + t · direction), in float64."""
    first, *others = copy.deepcopy(model).double()
    line = torch.nn.Linear(1, first.out_features, dtype=torch.float64)
    with torch.no_grad():
        line.weight.copy_(first.weight @ torch.as_tensor(direction)[:, None])
        line.bias.copy_(first.bias + first.weight @ torch.as_tensor(origin))
    return torch.nn.Sequential(line, *others)


@pytest.mark.parametrize("sizes", ([2, 6, 2], [2, 4, 4, 2]))
def test_patterns_are_those_of_the_networks_before_and_after(sizes, monkeypatch):
    """Their changes are the cells that the exact count finds along the line."""
    monkeypatch.setattr(line_runs, "EPOCHS", 3)
    monkeypatch.setattr(line_runs, "POINTS", 200)
    kept, original = [], utils.comparison.sweep
    monkeypatch.setattr(
        utils.comparison, "sweep", lambda *args, **options: kept.append(original(*args, **options)) or kept[0]
    )
    start, end = np.array([-1, -0.8]), np.array([1, 0.6])
    found = line_runs.patterns_along(sizes, start, end, n_seeds=3)
    untrained = [mlp(sizes, generator=torch.Generator().manual_seed(2 * seed + 1)) for seed in range(3)]
    trained = [models[0] for models in kept[0].models]
    assert not np.array_equal(*found)
    for active, models in zip(found, (untrained, trained), strict=True):
        assert active.shape == (3, line_runs.PLACES, sum(sizes[1:-1]))
        cells = [regions.count_regions(on_line(model, start, end - start), (0.0, 1.0)) for model in models]
        assert pieces_along.pieces(active).tolist() == cells


def test_a_notebook_that_is_marked_loads_no_torch_for_the_experiment(root):
    code = "import sys, utils.lesson_04.line_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


# --- layers that are handed in ------------------------------------------------------------------------------


def test_layers_are_evaluated_as_torch_does():
    rng = np.random.default_rng(0)
    network = [(rng.normal(size=(4, 2)), rng.normal(size=4)), (rng.normal(size=(3, 4)), rng.normal(size=3))]
    X = rng.normal(size=(20, 2))
    wanted = relu_network(network, double=True)(torch.tensor(X)).detach().numpy()
    np.testing.assert_allclose(layers.evaluate(network, X), wanted, atol=1e-12)
    assert layers.sizes_of(network) == [2, 4, 3] and layers.sizes_of(network[::-1]) == []
    assert not layers.is_readable([network[0][0]]) and not layers.is_readable(3)


@pytest.mark.parametrize("k", folding_layers.FOLDS)
def test_the_board_is_the_courses_and_one_wrong_column_is_found(k):
    """A shift of three half cells goes wrong at the far edge alone."""
    given, X = {"k": k, "side": 1.0}, np.random.default_rng(k).random((4000, 2))
    wanted, network = folding_layers.board(k, X), folding_layers.built(given)
    labels = checkerboard_labels(torch.tensor(X), 2 ** (k - 1), (0.0, 1.0)).numpy()
    assert (wanted == 1 - 2 * labels).all() and (folding_layers.colours(network, X) == wanted).all()
    assert folding_layers.is_board(given, network) and not folding_layers.is_board({"k": k, "side": 1.25}, network)
    shifted = folding_layers.built(given, shift=3 * 0.5 ** (k + 1))
    right = folding_layers.is_right(given, shifted).all(axis=1).reshape(2**k, 2**k)
    assert right[:-1, :-1].all() and not folding_layers.is_board(given, shifted)


@pytest.mark.parametrize("m", square_network.DEPTHS)
def test_the_error_is_the_power_of_4_that_is_told(m):
    """Between the knots j/2^m the error is that of a parabola's chord, h²/4."""
    given = {"m": m, "end": 1.0}
    off = square_network.curve_of(given, square_network.built(given)) - square_network.PLACES**2
    assert off.max() == (0.5**m) ** 2 / 4 == square_network.bound(m) and off.min() == 0
    assert square_network.is_square(given, square_network.built(given))
    assert not square_network.is_square({"m": m, "end": 1.25}, square_network.built(given))


# --- what is said and drawn of values -----------------------------------------------------------------------


def test_what_is_said_of_values():
    given = fewest_hinges.case([0, 1, 3, 4, 6], [1, 1, 5, 7, 6])
    assert fewest_hinges.explain_hinges(given, 3, 2) == "The slopes from knot to knot: 0, 2, 2, -0.5."
    example = came_from_deep.worked_example()
    said = came_from_deep.explain_deep(example, [True, True], [False, True])
    assert said == "Wrong about: 0. Picture 0 has 1 × 4 × 3 (lines × points × units)."
    assert came_from_deep.explain_deep(example, True, [False, True]) == ""
    network = of_seed(breakpoints.BREAKPOINTS.cases, 0)[0]
    said = breakpoints.explain_breakpoints(network, [0.0, 1.0], np.array([0.5, 1.0, 1.5]))
    assert said == "Bends that you miss: 2 of 3. Your places where the network does not bend: 1 of 2."
    assert breakpoints.explain_breakpoints(network, "0, 1", np.array([0.5])) == ""
    board = folding_layers.built({"k": 1, "side": 2.0}, shift=0.0)
    said = folding_layers.explain_board({"k": 1, "side": 2.0}, board, None)
    assert said.startswith("0 of 4 squares") and said.endswith("(0.5, 0.5), a = 0, b = 0.")
    assert "Sizes [2, 4, 4, 2]" in folding_layers.explain_board({"k": 2, "side": 1.0}, board, None)
    said = square_network.explain_square({"m": 1, "end": 4.0}, [([[1.0]] * 3, [0, 0, 0]), ([[0, 0, 1]], [0])], None)
    assert said == "Yours is furthest off at x = 4: 4 there, x² is 16. It may be off by 4² · 4^-2 = 1."
    said = pieces_along.explain_pieces(pieces_along.worked_example(), [1.5, "more"], None)
    assert said == (
        "Pieces before training: 2, 3, 2; after it: 3, 4, 4. So 3 of 3 seeds have more, 0 have fewer, and 2√3 is 3.46."
    )


def test_what_is_drawn_of_values():
    figure, words = fewest_hinges.plot_hinges(fewest_hinges.case([0, 1, 3, 4, 6], [1, 1, 5, 7, 6]), 3)
    assert figure.axes[0].lines[0].get_ydata().tolist() == [1, 1, 5, 7, 6] and words.endswith("returns 3.")
    figure, words = came_from_deep.plot_deep(came_from_deep.worked_example(), [False, True])
    assert [ax.get_title() for ax in figure.axes] == ["0: one layer", "1: deep"]
    assert figure.axes[1].images[0].get_array()[2].tolist() == [1, 0, 0, 1] and words.endswith("one layer, deep.")
    figure, words = breakpoints.plot_breakpoints(of_seed(breakpoints.BREAKPOINTS.cases, 0)[0], [0.5, 1.5])
    *found, drawn = figure.axes[0].lines
    assert [line.get_xdata()[0] for line in found] == [0.5, 1.5]
    np.testing.assert_allclose(drawn.get_xydata(), [[-1, 0], [0, 0], [0.5, 0], [1, 0.5], [1.5, 0], [3, 0]], atol=1e-9)
    given = {"k": 2, "side": 1.0}
    figure, words = folding_layers.plot_board(given, folding_layers.built(given))
    wanted, drawn = (ax.images[0].get_array() for ax in figure.axes)
    assert (wanted == drawn).all() and wanted.shape == (32, 32) and "100% of it" in words
    given = {"m": 3, "end": 1.0}
    figure, words = square_network.plot_square(given, square_network.built(given))
    assert figure.axes[0].lines[0].get_ydata().max() == 4.0**-4 and "than 0.00391." in words
    example = pieces_along.worked_example()
    figure, words = pieces_along.plot_pieces(example, [1.5, "cannot tell"])
    assert [line.get_ydata().tolist() for line in figure.axes[0].lines] == [[2, 3], [3, 4], [2, 4]]
    figure, words = line_runs.pattern_bars(example["before"][0], example["after"][0])
    assert (figure.axes[0].images[0].get_array()[0] == [1, 1, 0, 0, 0, 0, 0]).all()
    assert "1 of the units switch before training, 2 after it" in words
    plt.close("all")
