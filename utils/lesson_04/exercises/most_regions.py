"""Exercise 04.1: the most regions of one hidden layer."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, perm

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, equals, hints_of, same_whole_number

DRAWN = (
    (4, 20, 1),
    (21, 60, 1),
    (2, 5, 6),
    (3, 5, 5),
    (8, 24, 2),
    (25, 60, 2),
    (6, 20, 3),
    (21, 50, 3),
    (8, 16, 4),
    (17, 28, 4),
    (9, 20, 5),
    (9, 17, 6),
)  # units from, to, and inputs


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and sizes at random: of one input, with few units, and others."""
    sizes = [(3, 2), *((int(rng.integers(low, high + 1)), inputs) for low, high, inputs in DRAWN)]
    return [{"units": units, "inputs": inputs} for units, inputs in sizes]


# --- what comes of which way to count -----------------------------------------------------------------------


def counting(number: Callable[[int, int], int]) -> Solver:
    """Return the way to count that gives ``number(units, inputs)``."""
    return lambda given: number(given["units"], given["inputs"])


def summing(term: Callable[[int, int], int], first: int = 0, more: int = 0) -> Solver:
    """Return what sums ``term(units, j)`` for j from ``first`` to inputs + ``more``."""
    return counting(lambda units, inputs: sum(term(units, j) for j in range(first, inputs + more + 1)))


def most_of(units: int, inputs: int) -> int:
    """Return the most regions."""
    return sum(comb(units, j) for j in range(inputs + 1))


most = counting(most_of)

MISTAKES = [
    (
        counting(lambda units, inputs: 2**units),
        "2 to the number of units would be right if each new unit cut every region that is there. In one layer it "
        "soon cannot: a line that crosses three others meets four regions, of seven.",
    ),
    (
        counting(lambda units, inputs: units + 1),
        counting(lambda units, inputs: 1 + units + comb(units, 2)),
        counting(lambda units, inputs: 1 + units + comb(units, 2) + comb(units, 3)),
        "Your number of inputs is always the same. It is handed to you: each further input gives the sum one more "
        "term.",
    ),
    (
        summing(comb, more=-1),
        summing(comb, more=1),
        "Your sum ends one term too early, or too late. The last term says in how many points as many creases meet as "
        "there are inputs: each adds a region, and more never meet. (`range(inputs)` ends before `inputs`.)",
    ),
    (summing(comb, first=1), "One region is missing: without any unit there is one already."),
    (
        counting(lambda units, inputs: most_of(units, inputs) + 1),
        counting(lambda units, inputs: most_of(units, inputs) + units),
        counting(lambda units, inputs: most_of(units, inputs) + comb(units, 2) * (inputs > 1)),
        counting(lambda units, inputs: most_of(units, inputs) + comb(units, inputs)),
        counting(lambda units, inputs: 2 * most_of(units, inputs)),
        counting(lambda units, inputs: 2 * most_of(units, inputs) - 1),
        counting(lambda units, inputs: most_of(units, inputs) + most_of(units, inputs - 1)),
        "You count something twice: the region that is there without any unit, or all regions that one term stands "
        "for, or every one there is. No unit is one of the choices already, and each choice of units counts once.",
    ),
    (
        counting(comb),
        counting(lambda units, inputs: 1 + units + comb(units, inputs)),
        counting(lambda units, inputs: 1 + comb(units, inputs)),
        counting(lambda units, inputs: comb(units - 1, inputs)),
        "You leave out terms. Units are chosen in every number from none to as many as there are inputs, and each of "
        "these counts. (In a recursion: without any unit there is one region, not none.)",
    ),
    (
        counting(lambda units, inputs: sum(comb(inputs, j) for j in range(units + 1))),
        "Units and inputs have changed places: the units are what is chosen from.",
    ),
    (
        counting(lambda units, inputs: (units + 1) ** inputs),
        counting(lambda units, inputs: units**inputs),
        counting(lambda units, inputs: comb(units + inputs, inputs)),
        "You count too many, as in a grid of creases in each direction, or with a crease that cuts itself. A new "
        "crease is cut by the others alone, with one input fewer: units − 1, not units.",
    ),
]
GUESSES = [  # that no hint is made for
    counting(lambda units, inputs: 2**inputs),
    summing(perm),
    counting(lambda units, inputs: units * inputs + 1),
]


REGIONS = Exercise(
    id="04.1",
    points=2,
    answer_name="most_regions",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), most, MISTAKES, GUESSES),
    verify=same_whole_number,
    without=[f"utils.lesson_04.counting.{name}" for name in ("general_position", "product_bound", "serra_bound")],
    misconceptions=hints_of(MISTAKES, equals, rtol=0, atol=0),
)
