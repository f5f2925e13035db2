"""Proof of exercise 04.1."""

from __future__ import annotations

import itertools
from functools import cache
from math import comb, perm

import numpy as np
import torch
from scipy.special import binom

from tests.proofs import Proof, Wrong


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


def in_scipy(units, inputs):
    return binom(units, np.arange(inputs + 1)).sum()


def in_torch(units, inputs):
    powers = torch.ones(1, dtype=torch.float64)
    for _ in range(units):  # of 1 + x
        powers = torch.cat([powers, torch.zeros(1)]) + torch.cat([torch.zeros(1), powers])
    return powers[: inputs + 1].sum()


def total(term, first=0, more=0):
    return lambda units, inputs: sum(term(units, j) for j in range(first, inputs + more + 1))


@cache
def with_no_region_at_first(units, inputs):
    if inputs == 0:
        return 1
    if units == 0:
        return 0
    return with_no_region_at_first(units - 1, inputs) + with_no_region_at_first(units - 1, inputs - 1)


@cache
def the_same_units(units, inputs):
    """Has the new crease cut by as many others as there are units."""
    if units == 0 or inputs == 0:
        return 1
    return the_same_units(units - 1, inputs) + the_same_units(units, inputs - 1)


PROOF = Proof(
    "04.1",
    right={
        "one crease more": by_one_crease_more, "a table": by_a_table, "choices": by_choices, "scipy": in_scipy,
        "torch": in_torch, "an array of one": lambda *given: np.array([total(comb)(*given)]),
    },
    wrong=[
        Wrong("off by one", total(comb, more=-1), "one term too early"),
        Wrong("one too far", total(comb, more=1), "one term too far"),
        Wrong("doubling", lambda units, inputs: 2**units, "it soon cannot"),
        Wrong("units + 1", lambda units, inputs: units + 1, "right for one input"),
        Wrong("the plane", lambda units, inputs: 1 + units + units * (units - 1) // 2, "always the same one"),
        Wrong("space", lambda units, inputs: 1 + units + comb(units, 2) + comb(units, 3), "always the same one"),
        Wrong("from 1", total(comb, first=1), "One region is missing"),
        Wrong("the last term", comb, "one term alone"),
        Wrong("no region at first", with_no_region_at_first, "one term alone"),
        Wrong("in order", total(perm), "in each order"),
        Wrong("bounded", lambda units, inputs: comb(units - 1, inputs), "go on for ever"),
        Wrong("no biases", lambda units, inputs: 2 * total(comb, more=-1)(units - 1, inputs), "through one point"),
        Wrong("exchanged", lambda units, inputs: total(comb)(inputs, units), "changed places"),
        Wrong("grid", lambda units, inputs: (units + 1) ** inputs, "as for a grid"),
        Wrong("powers", lambda units, inputs: units**inputs, "how the count grows"),
        Wrong("times", lambda units, inputs: 1 + units * inputs, "as many new regions as"),
        Wrong("1 + n + C(n, d)", lambda units, inputs: 1 + units + comb(units, inputs), "terms in between"),
        Wrong("a unit fewer", lambda units, inputs: total(comb)(units - 1, inputs), "one unit fewer"),
        Wrong("a unit more", lambda units, inputs: total(comb)(units + 1, inputs), "one unit fewer"),
        Wrong("all terms", lambda units, inputs: [comb(units, j) for j in range(inputs + 1)], "Return one number"),
        Wrong("a share", lambda units, inputs: total(comb)(units, inputs) / 2**units, "a whole number"),
        Wrong("all patterns but none on", lambda units, inputs: min(total(comb)(units, inputs), 2**units - 1),
              "every pattern of units"),
    ],
    unforeseen={
        "2 to the inputs": lambda units, inputs: 2**inputs,
        "the same units": the_same_units,
        "weights": lambda units, inputs: units * (inputs + 1),
        "units squared": lambda units, inputs: units**2 + 1,
        "two more": lambda units, inputs: total(comb)(units, inputs) + 2,
        "twice": lambda units, inputs: 2 * total(comb)(units, inputs),
        "halves": lambda units, inputs: 1 + units + units * (units - 1) // 2 * (inputs - 1),
        "with repetition": lambda units, inputs: sum(comb(units + j - 1, j) for j in range(inputs + 1)),
        "triangles": lambda units, inputs: 1 + sum(range(units + 1)) * max(inputs - 1, 1),
    },
)
