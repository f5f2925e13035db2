"""What lesson 02's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tests.proofs import of_seed
from utils.exercises import stored_cases
from utils.lesson_02.exercises import count_pieces, fair_difference, found_up_to, held_equal, sawtooth_layers, widest


def slopes_at(given: dict, x: np.ndarray) -> np.ndarray:
    """The network's slopes at these places, by the chain rule."""
    h, slope = x[None], np.ones((1, x.size))
    for depth, (weight, bias) in enumerate(zip(given["weights"], given["biases"], strict=True)):
        if depth:
            h, slope = np.maximum(h, 0), slope * (h > 0)
        h, slope = weight @ h + bias[:, None], weight @ slope
    return slope[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_looking_at_slopes_is_right_on_a_fine_grid_and_wrong_on_a_coarse_one(seed):
    cases = of_seed(count_pieces.pieces_cases, seed)
    right = [count_pieces.pieces(given) for given in cases]
    for count in (*count_pieces.TOO_FEW, 500, 512, 1000, 4096, 5000, 10_000):
        shares = (np.arange(count) + 0.5) / count
        found = []
        for given in cases:
            slopes = slopes_at(given, given["low"] + shares * (given["high"] - given["low"]))
            found.append(1 + int((np.abs(np.diff(slopes)) > 1e-6).sum()))
        assert (found == right) == (count not in count_pieces.TOO_FEW), count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_slopes_that_are_nearly_the_same_are_in_every_draw(seed):
    cases = of_seed(count_pieces.pieces_cases, seed)
    for least in (0.07, 0.1, 0.2, 0.3, 0.5):
        changes = [np.abs(np.diff([float(slope) for slope in count_pieces.slopes_in_order(given)])) for given in cases]
        assert any((change < least).any() for change in changes)
        assert all((change > 0.05).all() for change in changes)


@pytest.mark.parametrize("seed", range(4))
def test_widths_are_found_at_once_or_never_one_by_one(seed):
    cases = of_seed(widest.widest_cases, seed)
    widths = [widest.largest(given, widest.cost) for given in cases]
    assert [width for width in widths if 10_000 < width < 4e8] == [] and sum(width >= 4e8 for width in widths) == 2
    assert all(given["budget"] > 1e16 for given, width in zip(cases, widths, strict=True) if width >= 4e8)
    assert max(given["budget"] for given in cases) < 2**63


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_torchs_median_is_no_way_to_choose_a_rate(seed):
    """It is the lower one of the two in the middle."""

    def place(validation: np.ndarray, held_out: np.ndarray) -> int:
        return int(torch.as_tensor(fair_difference.usable(validation)).median(dim=0).values.argmax())

    cases = of_seed(fair_difference.fair_cases, seed)
    found = [fair_difference.compared(given, place) for given in cases]
    assert not np.allclose(found, [fair_difference.fair(given) for given in cases], atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_error_is_near_the_threshold_and_each_number_of_pieces_is_an_answer(seed):
    cases = of_seed(found_up_to.found_cases, seed)
    for given in cases:
        of_threshold = given["missed"] / given["threshold"]
        assert not ((of_threshold > 0.75) & (of_threshold < 1.1)).any() and (np.diff(given["pieces"]) > 0).all()
        assert not np.isnan(given["missed"]).all(axis=2).any()
    answers = [(number, given) for given in cases for number in found_up_to.right(given)]
    assert any(number == 0 for number, _ in answers) and any(number == given["pieces"][-1] for number, given in answers)
    halves = [2 * (given["missed"] <= given["threshold"]).sum(axis=2) == given["missed"].shape[2] for given in cases]
    assert sum(half.sum() for half in halves) >= 3


def test_what_is_said_and_drawn_of_an_experiment_that_was_read():
    given = found_up_to.worked_example()
    said = [found_up_to.explain_found(given, value, [4, 2]) for value in ([8, 2], [4, 8], [4, 0], [2, 2], [3, 2])]
    assert said == [
        "With architecture 0 these were found, of 4 seeds: 2 pieces by 4, 4 pieces by 2, 8 pieces by 1.",
        "With architecture 1 these were found, of 4 seeds: 2 pieces by 3, 4 pieces by 1, 8 pieces by 3.",
        "With architecture 1 these were found, of 4 seeds: 2 pieces by 3.",
        "With architecture 0 these were found, of 4 seeds: 4 pieces by 2.",
        "",
    ]
    figure, words = found_up_to.plot_found(given, np.array([4, 2]))
    assert [ax.get_title() for ax in figure.axes] == ["architecture 0: found up to 4", "architecture 1: found up to 2"]
    assert words.endswith("Your function returns 4, 2.")
    plt.close(figure)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_budgets_are_equal_or_plainly_not_and_each_is_both(seed):
    cases = of_seed(held_equal.equal_cases, seed)
    found = []
    for given in cases:
        one, other = (np.array(budgets(training)) for training in (given["one"], given["other"]))
        ratios = np.maximum(one / other, other / one)
        assert ((ratios <= 1.03) | (ratios >= 1.08)).all()
        found.append(ratios <= 1.05)
        assert given["one"]["sizes"][0] == given["other"]["sizes"][0]
        assert given["one"]["sizes"][-1] == given["other"]["sizes"][-1]
    counts = np.sum(found, axis=0)
    assert (counts >= 3).all() and (counts <= len(cases) - 3).all()


def budgets(training: dict) -> list[float]:
    """The four numbers by the real network: its parameters, and PyTorch's own count of FLOPs of a batch of one."""
    from torch.utils.flop_counter import FlopCounterMode

    sizes, batch = training["sizes"], training["batch"]
    layers = [torch.nn.Linear(n_in, n_out) for n_in, n_out in zip(sizes, sizes[1:], strict=False)]
    with FlopCounterMode(display=False) as counter:
        torch.nn.Sequential(*layers)(torch.zeros(1, sizes[0])).sum().backward()
    parameters = sum(parameter.numel() for layer in layers for parameter in layer.parameters())
    units = sum(layer.out_features for layer in layers[:-1])
    return [parameters, counter.get_total_flops() * batch * training["steps"], units, batch * (sizes[0] + units)]


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
    plt.close(figure)


@pytest.mark.slow
def test_each_drawing_of_budgets_has_a_scale_that_can_be_read():
    for record in stored_cases.load(held_equal.HELD_EQUAL):
        figure, _ = held_equal.plot_equal(stored_cases.case_of(record).given, [])
        (ax,) = figure.axes
        low, high = ax.get_xlim()
        assert 2 <= sum(low <= tick <= high for tick in ax.get_xticks()) <= 10
        plt.close(figure)


def test_a_right_sawtooth_is_drawn_with_lopsided_tents():
    drawn = stored_cases.case_of(
        stored_cases.load(sawtooth_layers.SAWTOOTH)[sawtooth_layers.SAWTOOTH.plotted_case]
    ).given
    assert drawn["k"] == 4 and abs(drawn["peak"] - 0.5) > 0.05


def test_a_case_that_asks_of_nothing_is_answered_by_nothing():
    """An empty list is right where nothing was held equal, and only there."""
    for record in stored_cases.load(held_equal.HELD_EQUAL):
        case = stored_cases.case_of(record)
        assert held_equal.HELD_EQUAL.verify(case.given, None, [], case.expected) == (not len(case.expected))
