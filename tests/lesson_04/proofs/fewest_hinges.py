"""Proof of exercise 04.3."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.constructions import relu_interpolant


def slopes_of(knots, values):
    return np.diff(values) / np.diff(knots)


def by_weights(knots, values):
    """The hinges of lesson 01's network whose weight is not 0."""
    return int(np.sum(np.abs(relu_interpolant(knots, values)[1]) > 1e-3))


def by_areas(knots, values):
    """A knot bends the function where it spans a triangle with its neighbours; (x0 - 1, y0) stands before the first."""
    x, y = np.append(knots[0] - 1, knots), np.append(values[0], values)
    count = 0
    for i in range(1, len(x) - 1):
        area = (x[i] - x[i - 1]) * (y[i + 1] - y[i]) - (x[i + 1] - x[i]) * (y[i] - y[i - 1])
        count += abs(area) > 0.02 * (x[i] - x[i - 1]) * (x[i + 1] - x[i])
    return count


def step_by_step(knots, values):
    """In plain Python, with fractions near what was meant."""
    slope, count = 0, 0
    for i in range(len(knots) - 1):
        rise = (float(values[i + 1]) - float(values[i])) / (float(knots[i + 1]) - float(knots[i]))
        new = Fraction(rise).limit_denominator(1000)
        count += new != slope
        slope = new
    return count


def in_torch(knots, values):
    slopes = torch.tensor(values).diff() / torch.tensor(knots).diff()
    return 1 + (slopes.diff().abs() > 1e-4).sum() - (slopes[0].abs() < 1e-4).int()


def counting(count):
    return lambda knots, values: count(slopes_of(knots, values).round(6))


def bends(slopes):
    return int(np.count_nonzero(np.diff(slopes)))


def first(slopes):
    return int(slopes[0] != 0)


def signs(slopes):
    return np.sign(slopes[slopes != 0])


def pieces(slopes):
    return slopes[np.append(True, np.diff(slopes) != 0)]


PROOF = Proof(
    "04.3",
    right={
        "weights": by_weights, "areas": by_areas, "step by step": step_by_step, "torch": in_torch,
        "float": counting(lambda s: float(bends(s) + first(s))),
        "an array of one": counting(lambda s: np.array([bends(s) + first(s)])),
    },
    wrong=[
        Wrong("off by one", counting(bends), "before the first of them"),
        Wrong("one at the end, too", counting(lambda s: bends(s) + first(s) + 1), "behind the last knot"),
        Wrong("pieces", counting(lambda s: bends(s) + 1), "You count the pieces"),
        Wrong("segments", lambda knots, values: len(knots) - 1, "each stretch between"),
        Wrong("lesson 01's network", lambda knots, values: len(relu_interpolant(knots, values)[0]), "each stretch"),
        Wrong("knots inside", lambda knots, values: len(knots) - 2, "count the knots inside"),
        Wrong("knots inside and the first slope", counting(lambda s: len(s) - 1 + first(s)), "weight is the change"),
        Wrong("knots", lambda knots, values: len(knots), "one hinge for each knot"),
        Wrong("turns", counting(lambda s: bends(signs(s)) + first(s)), "rises and falls"),
        Wrong("turns alone", counting(lambda s: bends(signs(s))), "rises and falls"),
        Wrong("stretches of one sign", counting(lambda s: bends(np.sign(s)) + 1), "rises and falls"),
        Wrong("upward", counting(lambda s: (np.diff(s) > 0).sum() + first(s)), "one direction only"),
        Wrong("downward", counting(lambda s: (np.diff(s) < 0).sum() + first(s)), "one direction only"),
        Wrong("different slopes", counting(lambda s: len(set(s.tolist()))), "different slopes"),
        Wrong("not flat", counting(lambda s: np.count_nonzero(pieces(s))), "which undoes the slope"),
        Wrong("differences", lambda knots, values: int(
            (np.abs(np.diff(np.diff(values), prepend=0)) > 1e-6).sum()), "divide by their distance"),
        Wrong("exactly", lambda knots, values: int((np.diff(slopes_of(knots, values), prepend=0) != 0).sum()),
              "but for rounding"),
        Wrong("a set, exactly", lambda knots, values: (np.diff(values)[1:] * np.diff(knots)[:-1]
              != np.diff(values)[:-1] * np.diff(knots)[1:]).sum() + (values[1] != values[0]), "but for rounding"),
        Wrong("the first value", lambda knots, values: bends(slopes_of(knots, values).round(6)) + (values[0] != 0),
              "the function's first value"),
        Wrong("the last slope", counting(lambda s: bends(s) + int(s[-1] != 0)), "the last slope"),
        Wrong("the weights", lambda knots, values: relu_interpolant(knots, values)[1], "Return one number"),
        Wrong("a half", counting(lambda s: (len(s) + 1) / 2 + 0.25), "a whole number"),
        Wrong("a tolerance of 0.3", lambda knots, values: int(
            (np.abs(np.diff(slopes_of(knots, values), prepend=0)) > 0.3).sum()), "however small it is"),
        Wrong("two for each", counting(lambda s: 2 * (bends(s) + first(s))), "with fewer"),
    ],
    unforeseen={
        "a tolerance of 0.1": lambda knots, values: int(
            (np.abs(np.diff(slopes_of(knots, values), prepend=0)) > 0.1).sum()),
        "a tolerance of 1": lambda knots, values: int(
            (np.abs(np.diff(slopes_of(knots, values), prepend=0)) > 1).sum()),
        "half of the knots": lambda knots, values: len(knots) // 2,
        "rising pieces": counting(lambda s: (pieces(s) > 0).sum()),
        "two more": counting(lambda s: bends(s) + first(s) + 2),
        "different changes": counting(lambda s: len(set(np.diff(s, prepend=0).round(3).tolist()))),
        "different values": lambda knots, values: len(set(values.tolist())),
        "steps of one length": lambda knots, values: int(
            (np.abs(np.diff(np.diff(values) / (knots[1] - knots[0]), prepend=0)) > 1e-6).sum() - 1),
        "whole slopes": counting(lambda s: bends(s.astype(int)) + first(s)),
    },
)
