"""Answers to exercise 04.1, right and wrong."""

from __future__ import annotations

import itertools
from functools import cache
from math import comb, perm

import numpy as np

from tests.answers import AnswerSuite, Wrong


def by_one_crease_more(units, inputs):
    if units == 0 or inputs == 0:
        return 1
    return by_one_crease_more(units - 1, inputs) + by_one_crease_more(units - 1, inputs - 1)


def by_a_table(units, inputs):
    """Row by row, as Pascal's triangle."""
    row = np.ones(inputs + 1, dtype=int)
    for _ in range(units):
        row[1:] = row[1:] + row[:-1]
    return row[-1]


def by_products(units, inputs):
    """Each term from the one before it, in floats."""
    term = regions = 1.0
    for j in range(1, inputs + 1):
        term *= (units - j + 1) / j
        regions += term
    return round(regions)


@cache
def from_one_input(units, inputs):
    """Each crease adds what the creases before it cut it into; on a line there is one more piece than points."""
    if inputs == 1:
        return units + 1
    return 1 + sum(from_one_input(before, inputs - 1) for before in range(units))


def by_a_table_of_two(units, inputs):
    """The rows begin as if no unit made two regions."""
    row = np.full(inputs + 1, 2)
    for _ in range(units):
        row[1:] = row[1:] + row[:-1]
    return int(row[-1])


def both_sides(units, inputs):
    """A region on either side of every piece of a crease, and one to begin with."""
    return 1 + 2 * sum(by_one_crease_more(before, inputs - 1) for before in range(units))


def by_choices(units, inputs):
    return sum(1 for size in range(inputs + 1) for _ in itertools.combinations(range(units), size))


def total(term, first=0, more=0):
    return lambda units, inputs: sum(term(units, j) for j in range(first, inputs + more + 1))


@cache
def with_no_region_at_first(units, inputs):
    if inputs == 0:
        return 1
    if units == 0:
        return 0
    return with_no_region_at_first(units - 1, inputs) + with_no_region_at_first(units - 1, inputs - 1)


SUITE = AnswerSuite(
    "04.1",
    right={
        "one crease more": by_one_crease_more,
        "a table": by_a_table,
        "choices": by_choices,
        "a product each": by_products,
        "from one input": from_one_input,
        "an array of one": lambda *given: np.array([total(comb)(*given)]),
    },
    wrong=[
        Wrong("off by one", total(comb, more=-1), "one term too early"),
        Wrong("no region at first", with_no_region_at_first, "You leave out terms"),
        Wrong("all terms", lambda units, inputs: [comb(units, j) for j in range(inputs + 1)], "A number was expected"),
        Wrong("one, and the sum from none on", lambda *given: 1 + total(comb)(*given), "You count something twice"),
        Wrong("twice", lambda *given: 2 * total(comb)(*given), "You count something twice"),
        Wrong("both sides of each crease", both_sides, "You count something twice"),
        Wrong("a row of two too many", by_a_table_of_two, "You count something twice"),
    ],
    unforeseen={
        "2^d": lambda units, inputs: 2**inputs,
        "in order": total(perm),
        "no biases": lambda units, inputs: 2 * total(comb, more=-1)(units - 1, inputs),
        "times": lambda units, inputs: 1 + units * inputs,
        "a unit fewer": lambda units, inputs: total(comb)(units - 1, inputs),
        "two more": lambda units, inputs: total(comb)(units, inputs) + 2,
    },
)
