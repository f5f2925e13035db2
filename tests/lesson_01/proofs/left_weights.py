"""Proof of exercise 01.2."""

from __future__ import annotations

import numpy as np
import torch
from scipy.interpolate import make_interp_spline

from tests.proofs import CONSTANT_HINT, Proof, Wrong
from utils.constructions import relu_interpolant


def by_differences(knots, values):
    slopes = np.diff(values) / np.diff(knots)
    return np.concatenate([np.diff(slopes), -slopes[-1:]])


def by_loop(knots, values):
    weights, slope = [], 0.0
    for i in range(len(knots) - 1, 0, -1):
        new = (values[i] - values[i - 1]) / (knots[i] - knots[i - 1])
        weights.insert(0, float(slope - new))
        slope = new
    return weights


def by_linear_system(knots, values):
    """The weights that solve relu(t_i - t_j) a = y_j - y_N, in torch."""
    t, y = torch.as_tensor(knots), torch.as_tensor(values)
    return torch.linalg.solve(torch.relu(t[None, 1:] - t[:-1, None]), y[:-1] - y[-1])


def by_spline(knots, values):
    """The jumps of SciPy's derivative of the piecewise linear spline."""
    slopes = make_interp_spline(knots, values, k=1).derivative()(0.5 * (knots[1:] + knots[:-1]))
    return tuple(np.append(slopes[1:], 0.0) - slopes)


def slopes_only(knots, values):
    return np.diff(values) / np.diff(knots)


def opening_right(knots, values):
    return np.diff(slopes_only(knots, values), prepend=0.0)


def minus_the_next_weight(knots, values):
    weights = []
    for slope in slopes_only(knots, values)[::-1]:
        weights.insert(0, -slope - (weights[0] if weights else 0.0))
    return weights


def undivided(knots, values):
    return np.diff(np.diff(values), append=0)


def last_replaced(new):
    """The right weights, but for the last one: ``new`` gets the last slope and the values."""

    def answer(knots, values):
        weights = by_differences(knots, values)
        weights[-1] = new(slopes_only(knots, values)[-1], values)
        return weights

    return answer


def first_is_a_slope(knots, values):
    """As in the lesson, where the first weight is the first slope."""
    weights = by_differences(knots, values)
    weights[0] = slopes_only(knots, values)[0]
    return weights


def forgotten_constant(knots, values):
    hinges = np.maximum(knots[None, 1:] - knots[:, None], 0)
    return np.linalg.lstsq(hinges, values, rcond=None)[0]


PROOF = Proof(
    "01.2",
    right={"differences": by_differences, "loop": by_loop, "linear system": by_linear_system, "spline": by_spline,
           "float32": lambda knots, values: by_linear_system(knots.astype(np.float32), values.astype(np.float32)),
           "a column": lambda knots, values: by_differences(knots, values)[:, None]},
    wrong=[
        Wrong("zeros", lambda knots, values: np.zeros(len(knots) - 1), CONSTANT_HINT),
        Wrong("off by one", lambda knots, values: np.insert(by_differences(knots, values), 0, 0), "One weight too"),
        Wrong("no last", lambda knots, values: by_differences(knots, values)[:-1], "One weight is missing"),
        Wrong("opening right", opening_right, "open to the right"),
        Wrong("slopes", slopes_only, "These are the slopes"),
        Wrong("sign", lambda knots, values: -by_differences(knots, values), "signs are the wrong way"),
        Wrong("values' differences", lambda knots, values: np.diff(values), "These are differences of values"),
        Wrong("undivided", lambda knots, values: np.diff(np.diff(values), append=0), "changes of the values"),
        Wrong("evenly spaced", lambda knots, values: undivided(knots, values) / (knots[1] - knots[0]),
              "not evenly spaced"),
        Wrong("the mean spacing", lambda knots, values: undivided(knots, values) / np.diff(knots).mean(),
              "not evenly spaced"),
        Wrong("the last spacing", lambda knots, values: undivided(knots, values) / (knots[-1] - knots[-2]),
              "not evenly spaced"),
        Wrong("opening right, negated", lambda knots, values: -opening_right(knots, values), "open to the right"),
        Wrong("the last sign", last_replaced(lambda slope, values: slope), "sign of the last"),
        Wrong("nothing at the last knot", last_replaced(lambda slope, values: 0.0), "Only the last weight"),
        Wrong("the constant at the last knot", last_replaced(lambda slope, values: values[-1]), "Only the last weight"),
        Wrong("the last first", lambda knots, values: np.roll(by_differences(knots, values), 1), "stands first"),
        Wrong("forgotten constant", forgotten_constant, "y_N before"),
        Wrong("four places", lambda knots, values: by_differences(knots, values).round(4), "through by hand"),
        Wrong("random", lambda knots, values: np.cos(7 * knots[1:] + 3 * values[1:]), "through by hand"),
        Wrong("reversed", lambda knots, values: by_differences(knots, values)[::-1], "order is reversed"),
        Wrong("only the next", minus_the_next_weight, "not only the next one"),
        Wrong("the first is a slope", first_is_a_slope, "Only the first weight"),
        Wrong("each hinge alone", lambda knots, values: (values[:-1] - values[-1]) / np.diff(knots), "the only one"),
        Wrong("everything", lambda knots, values: (knots[1:], by_differences(knots, values), values[-1]), "alone"),
        Wrong("withheld",
              lambda knots, values: relu_interpolant(-knots[::-1], values[::-1])[1][::-1], "write it yourself"),
        Wrong("a number", lambda knots, values: 0.0, "you returned a number"),
    ],
    unforeseen={
        "half": lambda knots, values: by_differences(knots, values) / 2,
        "sizes": lambda knots, values: np.abs(by_differences(knots, values)),
        "to one digit": lambda knots, values: by_differences(knots, values).round(1),
        "added up": lambda knots, values: np.cumsum(by_differences(knots, values)),
        "np.gradient": lambda knots, values: np.gradient(values, knots)[1:],
        "the slopes' means": lambda knots, values: np.convolve(slopes_only(knots, values), [0.5, 0.5])[1:],
        "knots over values": lambda knots, values: by_differences(values, knots),
        "divided once more": lambda knots, values: by_differences(knots, values) / np.diff(knots),
        "sums of slopes": lambda knots, values: np.append(
            slopes_only(knots, values)[1:] + slopes_only(knots, values)[:-1], -slopes_only(knots, values)[-1]),
        "from the mean": lambda knots, values: (values.mean() - values[1:]) / np.diff(knots),
    },
)
