"""Proof of exercise 01.6."""

from __future__ import annotations

import numpy as np
import torch
from numpy.polynomial.polynomial import polyval

from tests.proofs import Proof, Wrong


def by_least_squares(x, y, power):
    features = np.vander(x, power + 1)
    return np.mean((y - features @ np.linalg.lstsq(features, y, rcond=None)[0]) ** 2)


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


def by_normal_equations(x, y, power):
    features = np.polynomial.chebyshev.chebvander(x / np.abs(x).max(), power)
    weights = np.linalg.solve(features.T @ features, features.T @ y)
    return [sum((y - features @ weights) ** 2) / len(y)]


def by_a_network(x, y, power):
    """What the course says that it is: a network with the activation z**power, its output weights fitted."""
    offsets = np.linspace(-2, 2, power + 3)
    hidden = (x[:, None] / np.abs(x).max() + offsets) ** power
    features = np.column_stack([hidden, np.ones(len(x))])
    return np.mean((y - features @ np.linalg.pinv(features) @ y) ** 2)


PROOF = Proof(
    "01.6",
    right={"least squares": by_least_squares, "polyfit": by_polyfit, "projection": by_projection,
           "normal equations": by_normal_equations, "a network": by_a_network},
    wrong=[
        Wrong("off by one", lambda x, y, power: by_polyfit(x, y, power - 1), "one too low or too high"),
        Wrong("no constant", lambda x, y, power: np.mean(fitted_by(x, y, range(1, power + 1)) ** 2), "output bias"),
        Wrong("no offsets", lambda x, y, power: np.mean(fitted_by(x, y, {0, power}) ** 2), "multiply out"),
        Wrong("the other order", lambda x, y, power: np.mean((y - polyval(x, np.polyfit(x, y, power))) ** 2),
              "coefficients are misread"),
        Wrong("lstsq's residuals",
              lambda x, y, power: np.linalg.lstsq(np.vander(x, power + 1), y, rcond=None)[1] / len(x), "no residuals"),
        Wrong("polyfit's residual", lambda x, y, power: np.polyfit(x, y, power, full=True)[1][0] / len(x),
              "no residuals"),
    ],
    unforeseen={
        "half": lambda x, y, power: by_polyfit(x, y, power) / 2,
        "unbiased": lambda x, y, power: by_polyfit(x, y, power) * len(x) / max(len(x) - power - 1, 1),
        "largest square": lambda x, y, power: (fitted_by(x, y, range(power + 1)) ** 2).max(),
        "swapped": lambda x, y, power: by_polyfit(y, x, power),
        "always a parabola": lambda x, y, power: by_polyfit(x, y, 2),
        "even places": lambda x, y, power: by_polyfit(np.arange(len(x)), y, power),
        "a share of the variance": lambda x, y, power: by_polyfit(x, y, power) / np.var(y),
        "without the last point": lambda x, y, power: by_polyfit(x[:-1], y[:-1], power),
        "three powers more": lambda x, y, power: np.mean(fitted_by(x, y, range(power + 4)) ** 2),
    },
)
