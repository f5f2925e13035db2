"""The fair fight of lesson 02's path: what the reader is shown is what the record says under these terms."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from utils.claims import recorded
from utils.lesson_02 import referee
from utils.lesson_02.fair import EQUAL, PARAMETERS, RATES

SHAPES = {run.depth: str(run) for run in EQUAL[PARAMETERS].values()}


def best(task: str, depth: int) -> np.ndarray:
    """Held-out accuracy by seed at the rate with the best validation median, from random biases."""
    cell = recorded("02_fair")["accuracy"].sel(task=task, start="random biases", run=SHAPES[depth])
    validation = cell.sel(part="validation").transpose("rate", "seed").values
    return cell.sel(part="held-out", rate=RATES[int(np.argmax(np.median(validation, axis=1)))]).values


def test_the_leads_are_those_of_the_record():
    hard = referee.hard_gap()
    for words, depth in (("three", 3), ("five", 5)):
        lead = best("checkerboard 5", depth) - best("checkerboard 5", 1)
        assert hard[words].value == pytest.approx(np.median(lead))


@pytest.mark.parametrize("depth", [1, 5])
def test_the_tables_of_the_coarse_board_are_those_that_the_lab_chooses_from(depth):
    validation, held_out = referee.board_tables(depth)
    assert validation.shape == held_out.shape == (len(RATES), 20)
    chosen = held_out[np.median(validation, axis=1).argmax()]
    np.testing.assert_array_equal(chosen, best("checkerboard 3", depth))


def test_the_board_is_the_coarse_one():
    (X, y), validation, held_out = referee.checkerboard(seed=3)
    assert [len(points) for points, _ in (validation, held_out)] == [2000, 4000] and len(X) == 4000
    squares = torch.floor((X.double() + 1) * 3).long()
    assert torch.equal(y, squares.sum(dim=1) % 2) or torch.equal(y, 1 - squares.sum(dim=1) % 2)


def test_every_choice_of_the_lab_is_drawn_and_said():
    controls = referee.board_controls()
    for start in controls["start"].options:
        for tuning in controls["tuning"].options:
            figure, words = referee.checkerboard_lab(start, tuning)
            assert start in words and tuning in words and figure.axes
    assert len(referee.gaps_on_the_coarse_board().axes) == 1
