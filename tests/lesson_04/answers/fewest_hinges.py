"""Answers to exercise 04.3, right and wrong."""

from __future__ import annotations

import itertools
import math
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


def with_isclose(**tolerances):
    """Each slope is compared with the one before it, the first one with 0."""

    def answer(knots, values):
        slopes = np.append(0.0, slopes_of(knots, values))
        return int(np.sum(~np.isclose(slopes[1:], slopes[:-1], **tolerances)))

    return answer


def within_of_the_larger(share):
    def answer(knots, values):
        slopes = [0.0, *slopes_of(knots, values).tolist()]
        return sum(not math.isclose(a, b, rel_tol=share, abs_tol=1e-6) for a, b in itertools.pairwise(slopes))

    return answer


def by_runs(knots, values):
    """As many hinges as there are stretches of one slope, without a first one that is flat."""
    runs = [slope for slope, _ in itertools.groupby(slopes_of(knots, values).round(2).tolist(), key=lambda s: s + 0.0)]
    return len(runs) - (runs[0] == 0)


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
        "runs": by_runs,
        "isclose": with_isclose(rtol=0, atol=0.02),
        "isclose, by a small share": with_isclose(rtol=1e-6, atol=1e-8),
        "float": counting(lambda s: float(bends(s) + first(s))),
        "an array of one": counting(lambda s: np.array([bends(s) + first(s)])),
    },
    wrong=[
        Wrong("off by one", counting(bends), "only if the first piece is not flat"),
        Wrong("lesson 01's network", lambda knots, values: len(relu_interpolant(knots, values)[0]), "count the knots"),
        Wrong("the weights", lambda knots, values: relu_interpolant(knots, values)[1], "A number was expected"),
        Wrong("within 10 %", with_isclose(rtol=0.1, atol=1e-6), "small bends are lost"),
        Wrong("within 5 %", with_isclose(rtol=0.05, atol=1e-6), "small bends are lost"),
        Wrong("within 10 % of the larger", within_of_the_larger(0.1), "small bends are lost"),
        Wrong("a tolerance of 0.1", with_isclose(rtol=0, atol=0.1), "small bends are lost"),
    ],
    unforeseen={
        "stretches of one sign": counting(lambda s: bends(np.sign(s)) + 1),
        "the first value": lambda knots, values: bends(slopes_of(knots, values).round(6)) + (values[0] != 0),
        "a half": counting(lambda s: (len(s) + 1) / 2 + 0.25),
        "different values": lambda knots, values: len(set(values.tolist())),
        "steps of one length": lambda knots, values: int(
            (np.abs(np.diff(np.diff(values) / (knots[1] - knots[0]), prepend=0)) > 1e-6).sum() - 1
        ),
        "whole slopes": counting(lambda s: bends(s.astype(int)) + first(s)),
    },
)
