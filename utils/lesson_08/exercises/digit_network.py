"""Exercise 08.12: a small network for shifted and thickened digits, whose pixels the grader reorders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.lesson_08 import capstone
from utils.lesson_08.exercises.handed_in import Judge, new_seed

ORDERS = 3
FEW = 4  # units of one hidden layer, too few for the goal; with another layer behind them, one fewer is
JUDGE = Judge("digits", lambda given, X: capstone.reordered(X, given["order"]))
BACKWARDS = Judge("digits", lambda given, X: capstone.reordered(X, np.argsort(given["order"])))


def is_narrow(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a network misses more than the goal, and hardly has units through which images could pass."""
    activation, layers = capstone.read(value, JUDGE.target.n_in, JUDGE.target.n_out)
    hidden = capstone.sizes_of(layers)[1:-1]
    narrow = bool(hidden) and min(hidden) <= (FEW if len(hidden) == 1 else FEW - 1)
    return narrow and JUDGE.misses(given, value)


def cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, int]]:
    """Yield the pixels row by row, and in other orders, each with the seed of the images to judge on."""
    yield {"order": np.arange(64)}, new_seed(rng)
    for _ in range(ORDERS):
        yield {"order": rng.permutation(64)}, new_seed(rng)


DIGIT_NETWORK = Exercise(
    id="08.12",
    points=4,
    answer_name="digit_network",
    cases=cases,
    verify=JUDGE.verify,
    wanted=JUDGE.wanted,
    explain=JUDGE.explain,
    misconceptions=[],
    remarks=JUDGE.remarks(
        (
            lambda given, value, expected: (
                list(given["order"]) != list(range(64)) and not BACKWARDS.misses(given, value)
            ),
            "Your network would be right if the pixels were put in order the other way: column i of the first "
            "weight has to be what column `order[i]` was.",
        ),
        (
            is_narrow,
            "Your network is too narrow: all that it knows of an image has to pass through its smallest hidden layer, "
            "and there are ten digits to tell apart. Spend more of the budget there.",
        ),
        (
            lambda given, value, expected: JUDGE.misses(given, value),
            "Within the rules, but it misses more than the goal. Does it miss as much with the pixels in their own "
            "order? If not, it is the order. If so: was it trained on images that are shifted and thickened, and "
            "on many of them?",
        ),
    ),
)
