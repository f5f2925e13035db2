"""Proof of exercise 01.6."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.polynomial import Polynomial
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


def small_as_zero(least):
    def answer(x, y, power):
        floor = by_polyfit(x, y, power)
        return floor if floor >= least else 0.0

    return answer


def residuals_of_lstsq(x, y, power):
    return np.linalg.lstsq(np.vander(x, power + 1), y, rcond=None)[1] / len(x)


def through_the_first(x, y, power):
    p = np.polynomial.Polynomial.fit(x[: power + 1], y[: power + 1], power)
    return np.mean((y - p(x)) ** 2)


def free_of_noise(x, y, power):
    """Divided as a noise's variance is estimated, which is 0/0 where there are as many points as coefficients."""
    return np.sum(fitted_by(x, y, range(power + 1)) ** 2) / (len(x) - power - 1)


def errors_of(x, y, power):
    return fitted_by(x, y, range(power + 1))


PROOF = Proof(
    "01.6",
    right={"least squares": by_least_squares, "polyfit": by_polyfit, "projection": by_projection,
           "normal equations": by_normal_equations, "a network": by_a_network},
    wrong=[
        Wrong("off by one", lambda x, y, power: by_polyfit(x, y, power - 1), "One degree short"),
        Wrong("one too many", lambda x, y, power: np.mean(fitted_by(x, y, range(power + 2)) ** 2), "degree too high"),
        Wrong("always degree eight", lambda x, y, power: np.mean(fitted_by(x, y, range(9)) ** 2), "is smaller than"),
        Wrong("root", lambda x, y, power: math.sqrt(by_polyfit(x, y, power)), "root"),
        Wrong("sum", lambda x, y, power: len(x) * by_polyfit(x, y, power), "the sum"),
        Wrong("half", lambda x, y, power: by_polyfit(x, y, power) / 2, "half"),
        Wrong("unbiased", lambda x, y, power: by_polyfit(x, y, power) * len(x) / max(len(x) - power - 1, 1),
              "number of points"),
        Wrong("ddof=1", lambda x, y, power: np.var(fitted_by(x, y, range(power + 1)), ddof=1), "number of points"),
        Wrong("no constant", lambda x, y, power: np.mean(fitted_by(x, y, range(1, power + 1)) ** 2), "output bias"),
        Wrong("no offsets", lambda x, y, power: np.mean(fitted_by(x, y, {0, power}) ** 2), "multiply out"),
        Wrong("the power alone", lambda x, y, power: np.mean(fitted_by(x, y, [power]) ** 2), "multiply out"),
        Wrong("every second", lambda x, y, power: np.mean(fitted_by(x, y, range(power % 2, power + 1, 2)) ** 2),
              "multiply out"),
        Wrong("absolute", lambda x, y, power: np.abs(fitted_by(x, y, range(power + 1))).mean(), "square them first"),
        Wrong("largest", lambda x, y, power: np.abs(fitted_by(x, y, range(power + 1))).max(), "largest error"),
        Wrong("largest square", lambda x, y, power: (fitted_by(x, y, range(power + 1)) ** 2).max(), "largest squared"),
        Wrong("swapped", lambda x, y, power: by_polyfit(y, x, power), "swapped"),
        Wrong("swapped in the fit", lambda x, y, power: np.mean((np.polyval(np.polyfit(y, x, power), x) - y) ** 2),
              "is larger than"),
        *[Wrong(f"0 below {least}", small_as_zero(least), "smaller than") for least in (1e-4, 1e-6, 1e-8)],
        Wrong("first points", through_the_first, "runs through the first points"),
        Wrong("always a parabola", lambda x, y, power: by_polyfit(x, y, 2), "whatever the power"),
        Wrong("as an estimate", free_of_noise, "number of points"),
        Wrong("the first residual", lambda x, y, power: residuals_of_lstsq(x, y, power)[0], "no residuals"),
        Wrong("polyfit's residual", lambda x, y, power: np.polyfit(x, y, power, full=True)[1][0] / len(x),
              "no residuals"),
        Wrong("even places", lambda x, y, power: by_polyfit(np.arange(len(x)), y, power), "one after the other"),
        Wrong("sorted", lambda x, y, power: by_polyfit(np.sort(x), y, power), "belong together"),
        Wrong("lstsq's residuals", residuals_of_lstsq, "no residuals"),
        Wrong("the other order", lambda x, y, power: np.mean((y - polyval(x, np.polyfit(x, y, power))) ** 2),
              "in the wrong order"),
        Wrong("the scaled x's", lambda x, y, power: np.mean((y - polyval(x, Polynomial.fit(x, y, power).coef)) ** 2),
              "shifted and scaled"),
        Wrong("coefficients", lambda x, y, power: np.polyfit(x, y, power), "Return one number"),
    ],
    unforeseen={
        "the median": lambda x, y, power: np.median(errors_of(x, y, power) ** 2),
        "a share of the variance": lambda x, y, power: by_polyfit(x, y, power) / np.var(y),
        "what is explained": lambda x, y, power: np.var(y) - by_polyfit(x, y, power),
        "in logarithms": lambda x, y, power: -np.log(by_polyfit(x, y, power) + 1e-3),
        "three times": lambda x, y, power: 3 * by_polyfit(x, y, power),
        "half the points": lambda x, y, power: np.mean(
            (y - np.polyval(np.polyfit(x[::2], y[::2], power // 2), x)) ** 2),
        "without the last point": lambda x, y, power: by_polyfit(x[:-1], y[:-1], power),
        "sizes of y": lambda x, y, power: by_polyfit(x, np.abs(y), power),
        "half the power": lambda x, y, power: by_polyfit(x, y, power // 2),
        "three powers more": lambda x, y, power: np.mean(fitted_by(x, y, range(power + 4)) ** 2),
        "n - 2": lambda x, y, power: by_polyfit(x, y, power) * len(x) / (len(x) - 2),
    },
)
