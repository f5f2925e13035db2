"""What lesson 02's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from utils.lesson_02.exercises import count_pieces, fair_difference, widest


def slopes_at(given: dict, x: np.ndarray) -> np.ndarray:
    """The network's slopes at these places, by the chain rule."""
    h, slope = x[None], np.ones((1, x.size))
    for depth, (weight, bias) in enumerate(zip(given["weights"], given["biases"], strict=True)):
        if depth:
            h, slope = np.maximum(h, 0), slope * (h > 0)
        h, slope = weight @ h + bias[:, None], weight @ slope
    return slope[0]


@pytest.mark.parametrize("seed", range(4))
def test_looking_at_slopes_is_right_on_a_fine_grid_and_wrong_on_a_coarse_one(seed):
    cases = [given for given, _ in count_pieces.pieces_cases(np.random.default_rng(seed))]
    right = [count_pieces.pieces(given) for given in cases]
    for count in (*count_pieces.TOO_FEW, 500, 512, 1000, 4096, 5000, 10_000):
        shares = (np.arange(count) + 0.5) / count
        found = []
        for given in cases:
            slopes = slopes_at(given, given["low"] + shares * (given["high"] - given["low"]))
            found.append(1 + int((np.abs(np.diff(slopes)) > 1e-6).sum()))
        assert (found == right) == (count not in count_pieces.TOO_FEW), count


@pytest.mark.parametrize("seed", range(4))
def test_slopes_that_are_nearly_the_same_are_in_every_draw(seed):
    cases = [given for given, _ in count_pieces.pieces_cases(np.random.default_rng(seed))]
    for least in (0.07, 0.1, 0.2, 0.3, 0.5):
        changes = [np.abs(np.diff([float(slope) for slope in count_pieces.slopes_in_order(given)])) for given in cases]
        assert any((change < least).any() for change in changes)
        assert all((change > 0.05).all() for change in changes)


@pytest.mark.parametrize("seed", range(4))
def test_widths_are_found_at_once_or_never_one_by_one(seed):
    cases = [given for given, _ in widest.widest_cases(np.random.default_rng(seed))]
    widths = [widest.largest(given, widest.cost) for given in cases]
    assert [width for width in widths if 10_000 < width < 4e8] == [] and sum(width >= 4e8 for width in widths) == 2
    assert all(given["budget"] > 1e16 for given, width in zip(cases, widths, strict=True) if width >= 4e8)
    assert max(given["budget"] for given in cases) < 2**63


@pytest.mark.parametrize("seed", range(4))
def test_torchs_median_is_no_way_to_choose_a_rate(seed):
    """It is the lower one of the two in the middle."""

    def place(validation: np.ndarray, held_out: np.ndarray) -> int:
        return int(torch.as_tensor(fair_difference.usable(validation)).median(dim=0).values.argmax())

    cases = [given for given, _ in fair_difference.fair_cases(np.random.default_rng(seed))]
    found = [fair_difference.compared(given, place) for given in cases]
    assert not np.allclose(found, [fair_difference.fair(given) for given in cases], atol=1e-4)
