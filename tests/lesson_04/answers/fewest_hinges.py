"""Answers to exercise 04.3, right and wrong."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
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


SUITE = AnswerSuite(
    "04.3",
    right={
        "weights": by_weights,
        "areas": by_areas,
        "step by step": step_by_step,
        "torch": in_torch,
        "float": counting(lambda s: float(bends(s) + first(s))),
        "an array of one": counting(lambda s: np.array([bends(s) + first(s)])),
    },
    wrong=[
        Wrong("off by one", counting(bends), "only if the first piece is not flat"),
        Wrong("lesson 01's network", lambda knots, values: len(relu_interpolant(knots, values)[0]), "count the knots"),
        Wrong("the weights", lambda knots, values: relu_interpolant(knots, values)[1], "Return one whole number"),
        Wrong("a half", counting(lambda s: (len(s) + 1) / 2 + 0.25), "Return one whole number"),
    ],
    unforeseen={
        "stretches of one sign": counting(lambda s: bends(np.sign(s)) + 1),
        "the first value": lambda knots, values: bends(slopes_of(knots, values).round(6)) + (values[0] != 0),
        "a tolerance of 0.3": lambda knots, values: int(
            (np.abs(np.diff(slopes_of(knots, values), prepend=0)) > 0.3).sum()
        ),
        "different values": lambda knots, values: len(set(values.tolist())),
        "steps of one length": lambda knots, values: int(
            (np.abs(np.diff(np.diff(values) / (knots[1] - knots[0]), prepend=0)) > 1e-6).sum() - 1
        ),
        "whole slopes": counting(lambda s: bends(s.astype(int)) + first(s)),
    },
)
