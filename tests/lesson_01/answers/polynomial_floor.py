"""Answers to exercise 01.6, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def fitted_by(x, y, powers):
    features = np.stack([x**power for power in powers], axis=1)
    return y - features @ np.linalg.lstsq(features, y, rcond=None)[0]


def by_polyfit(x, y, power):
    return float(np.square(np.polyval(np.polyfit(x, y, power), x) - y).mean())


def by_projection(x, y, power):
    """What is left of y when its parts along an orthonormal basis are taken away, in torch."""
    basis = torch.linalg.qr(torch.as_tensor(x)[:, None] ** torch.arange(power + 1)).Q
    y = torch.as_tensor(y)
    return (y.square().sum() - (basis.T @ y).square().sum()) / len(y)


def by_a_network(x, y, power):
    """What the course says that it is: a network with the activation z**power, its output weights fitted."""
    offsets = np.linspace(-2, 2, power + 3)
    hidden = (x[:, None] / np.abs(x).max() + offsets) ** power
    features = np.column_stack([hidden, np.ones(len(x))])
    return np.mean((y - features @ np.linalg.pinv(features) @ y) ** 2)


SUITE = AnswerSuite(
    "01.6",
    right={"polyfit": by_polyfit, "projection": by_projection, "a network": lambda *given: [by_a_network(*given)]},
    wrong=[
        Wrong("off by one", lambda x, y, power: by_polyfit(x, y, power - 1), "the wrong degree"),
        Wrong(
            "lstsq's residuals",
            lambda x, y, power: np.linalg.lstsq(np.vander(x, power + 1), y, rcond=None)[1] / len(x),
            "no residuals",
        ),
        Wrong(
            "polyfit's residual", lambda x, y, power: np.polyfit(x, y, power, full=True)[1][0] / len(x), "no residuals"
        ),
    ],
    unforeseen={
        "median square": lambda x, y, power: np.median(fitted_by(x, y, range(power + 1)) ** 2),
        "swapped": lambda x, y, power: by_polyfit(y, x, power),
        "even places": lambda x, y, power: by_polyfit(np.arange(len(x)), y, power),
        "a share of the variance": lambda x, y, power: by_polyfit(x, y, power) / np.var(y),
        "without the last point": lambda x, y, power: by_polyfit(x[:-1], y[:-1], power),
        "three powers more": lambda x, y, power: np.mean(fitted_by(x, y, range(power + 4)) ** 2),
    },
)
