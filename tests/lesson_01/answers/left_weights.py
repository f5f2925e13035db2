"""Answers to exercise 01.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
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


def changed(change):
    return lambda knots, values: change(by_differences(knots, values))


def forgotten_constant(knots, values):
    hinges = np.maximum(knots[None, 1:] - knots[:, None], 0)
    return np.linalg.lstsq(hinges, values, rcond=None)[0]


def minus_the_next_weight(knots, values):
    """From each slope the next weight is taken away, instead of all later ones."""
    weights = [0.0]
    for slope in (np.diff(values) / np.diff(knots))[::-1]:
        weights.append(-slope - weights[-1])
    return weights[:0:-1]


SUITE = AnswerSuite(
    "01.2",
    right={
        "differences": changed(lambda weights: weights[:, None]),
        "loop": by_loop,
        "linear system": lambda *given: by_linear_system(*(part.astype(np.float32) for part in given)),
    },
    wrong=[
        Wrong("off by one", changed(lambda weights: np.insert(weights, 0, 0)), "each knot but the first"),
        Wrong("no last", changed(lambda weights: weights[:-1]), "each knot but the first"),
        Wrong(
            "everything",
            lambda knots, values: (knots[1:], by_differences(knots, values), values[-1]),
            "Return only the weights",
        ),
        Wrong(
            "withheld", lambda knots, values: relu_interpolant(-knots[::-1], values[::-1])[1][::-1], "write it yourself"
        ),
    ],
    unforeseen={
        "sizes": changed(np.abs),
        "to one digit": changed(lambda weights: weights.round(1)),
        "minus the next weight": minus_the_next_weight,
        "forgotten constant": forgotten_constant,
        "np.gradient": lambda knots, values: np.gradient(values, knots)[1:],
        "each hinge alone": lambda knots, values: (values[:-1] - values[-1]) / np.diff(knots),
    },
)
