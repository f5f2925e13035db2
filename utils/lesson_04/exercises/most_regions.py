"""Exercise 04.1: the most regions of one hidden layer."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, perm

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, equals, hints_of, is_no, is_number, is_whole, same_whole_number

EXAMPLE = (3, 2)  # units and inputs
DRAWN = ((4, 20, 1), (21, 60, 1), (2, 5, 6), (3, 5, 5), (8, 24, 2), (25, 60, 2), (6, 20, 3), (21, 50, 3), (8, 16, 4),
         (17, 28, 4), (9, 20, 5), (9, 17, 6))  # units from, to, and inputs


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return the worked example, and sizes at random: of one input, with few units, and others."""
    sizes = [EXAMPLE, *((int(rng.integers(low, high + 1)), inputs) for low, high, inputs in DRAWN)]
    return [{"units": units, "inputs": inputs} for units, inputs in sizes]


# --- what comes of which way to count -----------------------------------------------------------------------


def counting(number: Callable[[int, int], int]) -> Way:
    """Return the way to count that gives ``number(units, inputs)``."""
    return lambda given: number(given["units"], given["inputs"])


def summing(term: Callable[[int, int], int], first: int = 0, more: int = 0) -> Way:
    """Return what sums ``term(units, j)`` for j from ``first`` to inputs + ``more``."""
    return counting(lambda units, inputs: sum(term(units, j) for j in range(first, inputs + more + 1)))


most = summing(comb)

MISTAKES = [
    (counting(lambda units, inputs: 2**units),
     "2 to the number of units would be right if each new unit cut every region that is there. In one layer it "
     "soon cannot: a line that crosses three others meets four regions, of seven."),
    (counting(lambda units, inputs: units + 1),
     "Units + 1 is right for one input. On more inputs a unit's crease is longer than a point, and cuts several "
     "regions."),
    (counting(lambda units, inputs: 1 + units + comb(units, 2)),
     counting(lambda units, inputs: 1 + units + comb(units, 2) + comb(units, 3)),
     "Your number of inputs is always the same one. It is handed to you: with each further input the sum has one "
     "more term."),
    (summing(comb, more=-1),
     "Your sum ends one term too early. The last term says how many points there are in which as many creases meet "
     "as there are inputs: each adds a region. (`range(inputs)` ends before `inputs`.)"),
    (summing(comb, more=1),
     "Your sum goes one term too far: more creases than there are inputs do not meet in one point, if they lie at "
     "their best."),
    (summing(comb, first=1),
     "One region is missing: without any unit there is one already."),
    (counting(comb),
     "This is one term alone: in how many ways as many units as inputs can be chosen. The smaller choices count as "
     "well. (In a recursion: without any unit there is one region, not none.)"),
    (summing(perm),
     "You count the same creases several times, in each order: which of them meet does not depend on an order."),
    (counting(lambda units, inputs: comb(units - 1, inputs)),
     "These are the regions that are closed in on all sides. Those that go on for ever count as well."),
    (counting(lambda units, inputs: 2 * sum(comb(units - 1, j) for j in range(inputs))),
     "This is right for creases that all run through one point, as without biases. The biases may move them."),
    (counting(lambda units, inputs: sum(comb(inputs, j) for j in range(units + 1))),
     "Units and inputs have changed places: the units are what is chosen from."),
    (counting(lambda units, inputs: (units + 1) ** inputs),
     "You take the product over the inputs, as for a grid: units + 1 in each direction would take that many units "
     "for every input."),
    (counting(lambda units, inputs: units**inputs),
     "Units to the power of inputs tells how the count grows, not what it is: draw three lines in the plane."),
    (counting(lambda units, inputs: units * inputs + 1),
     "You give each unit as many new regions as there are inputs. Later creases cross more of the earlier ones, "
     "and cut more regions."),
    (counting(lambda units, inputs: 1 + units + comb(units, inputs)),
     "In the plane this is right. With more inputs the terms in between are missing."),
    (counting(lambda units, inputs: sum(comb(units - 1, j) for j in range(inputs + 1))),
     counting(lambda units, inputs: sum(comb(units + 1, j) for j in range(inputs + 1))),
     "This is the count for one unit fewer, or for one more: begin with one region and no unit."),
]
GUESSES = [counting(lambda units, inputs: 2**inputs), counting(lambda units, inputs: comb(units + inputs, inputs))]


REGIONS = Exercise(
    id="04.1",
    points=2,
    answer_name="most_regions",
    cases=lambda rng: discriminating_cases(lambda: drawn(rng), most, MISTAKES, GUESSES),
    verify=same_whole_number,
    without=[f"utils.lesson_04.counting.{name}" for name in ("zaslavsky", "product_bound", "serra_bound")],
    misconceptions=hints_of(MISTAKES, equals, rtol=0, atol=0),
    remarks=[
        (is_no(is_number),
         "Return one number: the regions are counted."),
        (lambda given, value, expected: not is_whole(value), "Regions are counted: return a whole number."),
        (lambda given, value, expected: given["inputs"] >= given["units"] and value != expected,
         "With no more units than inputs every pattern of units on and off is possible: there the count is 2 to the "
         "number of units."),
    ],
)
