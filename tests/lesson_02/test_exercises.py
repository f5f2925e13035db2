"""What lesson 02's definitions promise of every draw: no verdict hangs on its luck, and oracles of other ways."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import minimize

from tests.answers import of_seed
from tests.lesson_02.answers.count_pieces import by_middles
from tests.lesson_02.answers.gradients import by_autograd
from tests.lesson_02.answers.held_equal import by_building
from utils.constructions import relu_network
from utils.exercises import stored_cases
from utils.lesson_02.exercises import (
    count_pieces,
    found_up_to,
    gradients,
    held_equal,
    rank_floor,
    sawtooth_layers,
    widest,
)
from utils.regions import count_regions, linear_pieces, linear_regions


def stored(exercise) -> list:
    return [stored_cases.case_of(record) for record in stored_cases.load(exercise)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_pieces_are_those_of_the_exact_regions_and_there_are_no_close_calls(seed):
    """As the prompt says: places are the same or 1/500 of the interval apart, slopes are the same or 0.05 apart."""
    for given in of_seed(count_pieces.pieces_cases, seed):
        model = relu_network(list(zip(given["weights"], given["biases"], strict=True)), double=True)
        bounds = low, high = given["low"], given["high"]
        slopes = linear_pieces(model, bounds).slopes[:, 0]
        assert count_pieces.pieces(given) == len(slopes)
        assert len(count_pieces.cuts(given)) - 1 == count_regions(model, bounds)
        cells = [region.interval for region in linear_regions(model, bounds)]
        assert min(b - a for a, b in cells) >= 0.999 * (high - low) / 500
        apart = np.diff(np.sort(slopes))
        assert ((apart < 1e-9) | (apart > 0.0499)).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_looking_at_slopes_is_right_on_a_fine_grid_and_wrong_on_a_coarse_one(seed):
    cases = of_seed(count_pieces.pieces_cases, seed)
    right = [count_pieces.pieces(given) for given in cases]
    for count in (*count_pieces.TOO_FEW, 500, 512, 1000, 4096, 5000, 10_000):
        found = [by_middles(*given.values(), count=count) for given in cases]
        assert (found == right) == (count not in count_pieces.TOO_FEW), count
    assert [by_middles(*given.values(), least=0.07) for given in cases] != right  # slopes that are nearly the same


@pytest.mark.parametrize("seed", range(2))
def test_widths_are_found_at_once_or_never_one_by_one(seed):
    cases = of_seed(widest.widest_cases, seed)
    widths = [widest.largest(given, widest.cost) for given in cases]
    assert [width for width in widths if 10_000 < width < 4e8] == [] and sum(width >= 4e8 for width in widths) == 2
    assert all(given["budget"] > 1e16 for given, width in zip(cases, widths, strict=True) if width >= 4e8)
    assert max(given["budget"] for given in cases) < 2**63


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_no_error_is_near_the_threshold_and_each_number_of_pieces_is_an_answer(seed):
    cases = of_seed(found_up_to.found_cases, seed)
    for given in cases:
        of_threshold = given["missed"] / given["threshold"]
        assert not ((of_threshold > 0.75) & (of_threshold < 1.1)).any() and (np.diff(given["pieces"]) > 0).all()
        assert not np.isnan(given["missed"]).all(axis=2).any()
    answers = [(number, given) for given in cases for number in found_up_to.reference(given)]
    assert any(number == 0 for number, _ in answers) and any(number == given["pieces"][-1] for number, given in answers)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_budgets_are_equal_or_plainly_not_and_each_is_both(seed):
    cases = of_seed(held_equal.equal_cases, seed)
    names = []
    for given in cases:
        ratios = [held_equal.ratio(given, cost) for cost in held_equal.COSTS.values()]
        assert all(ratio <= 1.03 or ratio >= 1.08 for ratio in ratios)
        names += by_building(**given)  # the real networks
        assert all(given["one"]["sizes"][end] == given["other"]["sizes"][end] for end in (0, -1))
    assert all(3 <= names.count(name) <= len(cases) - 3 for name in held_equal.NAMES)


def test_an_empty_list_is_right_where_nothing_was_held_equal_and_only_there():
    for case in stored(held_equal.HELD_EQUAL):
        assert held_equal.HELD_EQUAL.verify(case.given, None, [], case.expected) == (not len(case.expected))


@pytest.mark.parametrize("seed", range(3))
def test_the_backward_pass_is_autograds_and_its_cases_stay_away_from_bends(seed):
    for given in of_seed(gradients.gradient_cases, seed):
        found = gradients.gradients_of(given)
        for part, wanted in zip(found, by_autograd(*given.values()), strict=True):
            for one, other in zip(part, wanted, strict=True):
                np.testing.assert_allclose(one, other, atol=1e-12)
        h = given["X"]
        for weight, bias in zip(given["weights"][:-1], given["biases"][:-1], strict=True):
            z = h @ weight.T + bias
            assert np.abs(z).min() > 9e-4
            h = np.maximum(z, 0)
        assert all(np.abs(gradient).max() > 9e-4 for gradient in found[0])


@pytest.mark.parametrize("seed", range(2))
def test_the_rank_floor_is_reached_by_a_linear_network_and_not_bettered_by_any_hidden_values(seed):
    for given in of_seed(rank_floor.rank_cases, seed):
        Y, floor = rank_floor.targets(given), rank_floor.tail(given)

        def error(numbers, Y=Y, width=given["width"]):
            hidden = np.column_stack([numbers.reshape(len(Y), width), np.ones(len(Y))])
            return 0.5 * np.mean((hidden @ np.linalg.lstsq(hidden, Y, rcond=None)[0] - Y) ** 2)

        mean = given["X"].mean(axis=0)
        directions = np.linalg.svd((given["X"] - mean) @ given["A"].T, full_matrices=False)[2][: given["width"]]
        hidden = (given["X"] - mean) @ (directions @ given["A"]).T  # linear in X
        padded = np.column_stack([hidden, np.zeros((len(Y), given["width"] - hidden.shape[1]))])
        assert error(padded.ravel()) == pytest.approx(floor, rel=1e-9, abs=1e-12)
        start = padded + 0.3 * np.random.default_rng(seed).normal(size=padded.shape)
        assert minimize(error, start.ravel(), method="L-BFGS-B", options={"maxiter": 30}).fun >= floor - 1e-9


@pytest.mark.parametrize(("k", "peak"), [(1, 0.25), (4, 0.7), (6, 0.34)])
def test_the_sawtooth_is_the_tent_composed_and_an_error_on_one_piece_is_seen(k, peak):
    x, given = np.linspace(0, 1, 3001), {"k": k, "peak": peak}
    y = x
    for _ in range(k):
        y = np.where(y <= peak, y / peak, (1 - y) / (1 - peak))
    np.testing.assert_allclose(sawtooth_layers.sawtooth_at(given, x), y, atol=1e-9)
    layers = sawtooth_layers.built(given)
    assert sawtooth_layers.is_sawtooth(given, layers)
    for layer, part in [(0, 1), (k - 1, 0), (k, 0), (k, 1)]:
        moved = [tuple(np.array(one, dtype=float) for one in pair) for pair in layers]
        moved[layer][part].flat[-1] += 0.004
        assert not sawtooth_layers.is_sawtooth(given, moved), (layer, part)


# --- what is said and drawn -------------------------------------------------------------------------------


def test_what_is_said_and_drawn_of_an_experiment_that_was_read():
    given = found_up_to.worked_example()
    said = [found_up_to.explain_found(given, value, [4, 2]) for value in ([8, 2], [4, 0], [3, 2])]
    assert said == [
        "With architecture 0 these were found, of 4 seeds: 2 pieces by 4, 4 pieces by 2, 8 pieces by 1.",
        "With architecture 1 these were found, of 4 seeds: 2 pieces by 3.",
        "",
    ]
    figure, words = found_up_to.plot_found(given, np.array([4, 2]))
    assert [ax.get_title() for ax in figure.axes] == ["architecture 0: found up to 4", "architecture 1: found up to 2"]
    assert words.endswith("Your function returns 4, 2.")


def test_what_is_said_and_drawn_of_budgets():
    given = held_equal.worked_example()
    assert held_equal.explain_equal(given, ["parameters", "arithmetic", "memory"], ["parameters", "arithmetic"]) == (
        "memory: 1,100 for `one` and 850 for `other`, a ratio of 1.294."
    )
    said = held_equal.explain_equal(given, [], ["arithmetic"])
    assert said == "arithmetic: 14,000,000 for `one` and 13,875,000 for `other`, a ratio of 1.009."
    assert held_equal.explain_equal(given, "memory", ["memory"]) == "" == held_equal.explain_equal(given, [], [])
    figure, words = held_equal.plot_equal(given, ["parameters"])
    assert [line.get_marker() for line in figure.axes[0].lines] == ["o", "x", "x", "x"]
    assert words.endswith("memory 0.773. Your function calls equal: parameters.")


@pytest.mark.slow
def test_each_drawing_of_budgets_has_a_scale_that_can_be_read():
    for case in stored(held_equal.HELD_EQUAL):
        figure, _ = held_equal.plot_equal(case.given, [])
        (ax,) = figure.axes
        low, high = ax.get_xlim()
        assert 2 <= sum(low <= tick <= high for tick in ax.get_xticks()) <= 10
        plt.close(figure)


def test_what_is_said_and_drawn_of_a_sawtooth_and_of_pieces():
    given = {"k": 1, "peak": 0.25}
    plateau = sawtooth_layers.built(given, tent=(4.0, -4.0))  # 1 from the peak on: furthest off at x = 1
    assert "x = 1: 1 there, 0 is wanted" in sawtooth_layers.explain_sawtooth(given, plateau, None)
    assert "Sizes [1, 2, 1] are wanted" in sawtooth_layers.explain_sawtooth(given, plateau[:1], None)
    assert "off by more than 1" in sawtooth_layers.plot_sawtooth(given, plateau)[1]
    drawn = stored(sawtooth_layers.SAWTOOTH)[sawtooth_layers.SAWTOOTH.plotted_case].given
    assert drawn["k"] == 4 and abs(drawn["peak"] - 0.5) > 0.05  # lopsided
    figure, words = count_pieces.plot_pieces(of_seed(count_pieces.pieces_cases, 0)[0], 3)
    assert "(-1, 0), (0, 0), (1, 1), (2, 0)" in words and "count: 3" in figure.axes[0].get_title()


def test_what_is_said_of_layers_and_of_a_constant():
    given = of_seed(gradients.gradient_cases, 0)[0]
    right = gradients.gradients_of(given)
    wrong = [[0 * right[0][0], right[0][1]], right[1]]
    assert gradients.gradient_explain(given, wrong, right).splitlines() == [
        "gradients of the weights: layer 1 wrong, layer 2 right",
        "gradients of the biases: layer 1 right, layer 2 right",
    ]
    assert "half mean squared error 1.25." in rank_floor.rank_explain(of_seed(rank_floor.rank_cases, 0)[0], 0.0, 0.25)
