"""What lesson 04's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from scipy.optimize import linprog

from tests.proofs import of_seed
from utils import regions
from utils.lesson_04.exercises import breakpoints, came_from_deep, fewest_hinges, most_regions
from utils.models import mlp

SEEDS = range(2)


def test_the_most_regions_are_those_of_lines_at_random():
    """Counted in a box so large that nearly all crossings lie in it; and what is known of four inputs."""
    for units in (3, 5, 8):
        model = mlp([2, units, 1], generator=torch.Generator().manual_seed(units)).double()
        assert regions.count_regions(model, ((-1e4, 1e4), (-1e4, 1e4))) == most_regions.most(
            {"units": units, "inputs": 2}
        )
    of_four_inputs = [most_regions.most({"units": units, "inputs": 4}) for units in (2, 3, 8, 16)]
    assert of_four_inputs == [4, 8, 163, 2517]


@pytest.mark.parametrize("seed", SEEDS)
def test_regions_can_be_counted_one_by_one(seed):
    """Who asks for each smaller number again and again takes twice as many calls as there are regions."""
    cases = of_seed(most_regions.REGIONS.cases, seed)
    assert max(map(most_regions.most, cases)) < 25_000
    assert max(given["units"] for given in cases) <= 60 and max(given["inputs"] for given in cases) <= 6


@pytest.mark.parametrize("seed", SEEDS)
def test_no_fewer_hinges_draw_the_function(seed):
    """By trying all choices of hinges at the knots, where a function is short enough for that."""
    tried = 0
    for given in of_seed(fewest_hinges.HINGES.cases, seed):
        knots, values = given["knots"], given["values"]
        if len(knots) <= 8:
            tried += 1
            ramps = np.maximum(knots[:, None] - knots[:-1], 0)
            draws = [
                size
                for size in range(len(knots))
                for chosen in combinations(range(len(knots) - 1), size)
                if misfit(np.c_[np.ones(len(knots)), ramps[:, list(chosen)]], values) < 1e-9
            ]
            assert min(draws) == fewest_hinges.fewest(given)
    assert tried >= 4


def misfit(columns: np.ndarray, values: np.ndarray) -> float:
    return np.abs(columns @ np.linalg.lstsq(columns, values, rcond=None)[0] - values).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_slope_is_a_close_call(seed):
    for given in of_seed(fewest_hinges.HINGES.cases, seed):
        slopes = np.diff(given["values"]) / np.diff(given["knots"])
        changes = np.abs(np.diff(slopes, prepend=0.0))
        assert ((changes < 1e-9) | (changes > 0.0499)).all()


@pytest.mark.parametrize("seed", SEEDS)
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
        assert said == came_from_deep.right(given)


def can_be_parted(points: np.ndarray, on: np.ndarray) -> bool:
    sides = np.where(on, -1, 1)[:, None] * np.c_[points, np.ones(len(points))]
    found = linprog(np.zeros(sides.shape[1]), A_ub=sides, b_ub=-np.ones(len(sides)), bounds=(None, None))
    return found.status == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_no_pattern_comes_back_along_a_line(seed):
    """Not even in the worked example, which was made by hand: regions are convex."""
    for given in of_seed(came_from_deep.CAME_FROM_DEEP.cases, seed):
        for line in (line for picture in given["pictures"] for line in picture):
            stretches = 1 + (line[1:] != line[:-1]).any(axis=1).sum()
            assert stretches == len(np.unique(line, axis=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_some_depth_shows_in_one_unit_alone(seed):
    pictures = [
        picture for given in of_seed(came_from_deep.CAME_FROM_DEEP.cases, seed)[1:] for picture in given["pictures"]
    ]
    switches = [(picture[:, 1:] != picture[:, :-1]).sum(axis=1) for picture in pictures]
    deep = [times for times in switches if times.max() > 1]
    assert 0.5 < len(deep) / len(pictures) < 0.7
    assert sum((times > 1).sum() == 1 and times.max() == 2 for times in deep) >= 12
    assert any((times == 1).all(axis=1).any() for times in switches if times.max() == 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_bends_are_those_that_the_regions_have(seed):
    for given in of_seed(breakpoints.BREAKPOINTS.cases, seed):
        sizes = [weight.shape[1] for weight in given["weights"]] + [1]
        model = mlp(sizes, generator=torch.Generator().manual_seed(0)).double()
        with torch.no_grad():
            for layer, weight, bias in zip(model[::2], given["weights"], given["biases"], strict=True):
                layer.weight.copy_(torch.tensor(weight))
                layer.bias.copy_(torch.tensor(bias))
        found = regions.breakpoints(model, (given["low"], given["high"]))
        np.testing.assert_allclose(breakpoints.bends(given), found, atol=1e-9)
        assert np.diff([given["low"], *breakpoints.switching(given), given["high"]]).min() > 1e-3


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


def test_what_is_drawn_of_values():
    given = fewest_hinges.case([0, 1, 3, 4, 6], [1, 1, 5, 7, 6])
    figure, words = fewest_hinges.plot_hinges(given, 3)
    assert figure.axes[0].lines[0].get_ydata().tolist() == [1, 1, 5, 7, 6] and words.endswith("returns 3.")
    plt.close(figure)
    figure, words = came_from_deep.plot_deep(came_from_deep.worked_example(), [False, True])
    assert [ax.get_title() for ax in figure.axes] == ["0: one layer", "1: deep"]
    unit = figure.axes[1].images[0].get_array()[2]
    assert unit.tolist() == [1, 0, 0, 1] and words.endswith("one layer, deep.")
    plt.close(figure)
    network = of_seed(breakpoints.BREAKPOINTS.cases, 0)[0]
    figure, words = breakpoints.plot_breakpoints(network, [0.5, 1.5])
    *found, drawn = figure.axes[0].lines
    assert [line.get_xdata()[0] for line in found] == [0.5, 1.5]
    np.testing.assert_allclose(drawn.get_xdata(), [-1, 0, 0.5, 1, 1.5, 3], atol=1e-9)
    np.testing.assert_allclose(drawn.get_ydata(), [0, 0, 0, 0.5, 0, 0], atol=1e-9)
    plt.close(figure)
