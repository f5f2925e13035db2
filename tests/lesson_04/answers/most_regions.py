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
        "an array of one": lambda *given: np.array([total(comb)(*given)]),
    },
    wrong=[
        Wrong("off by one", total(comb, more=-1), "one term too early"),
        Wrong("no region at first", with_no_region_at_first, "Terms are missing"),
        Wrong("all terms", lambda units, inputs: [comb(units, j) for j in range(inputs + 1)], "Return one whole"),
        Wrong("a share", lambda units, inputs: total(comb)(units, inputs) / 2**units, "Return one whole"),
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
