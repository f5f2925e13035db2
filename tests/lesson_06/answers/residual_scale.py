"""Answers to exercise 06.8, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from scipy.optimize import brentq

from tests.answers import AnswerSuite, Wrong


def walked(variances, normalised, s):
    """The stream's variance, branch by branch."""
    stream = 1.0
    for v in np.ravel(variances):
        stream = stream + s * s * (v if normalised else v * stream)
    return stream


def by_scipy(variances, normalised, growth):
    return brentq(lambda s: walked(variances, normalised, s) - growth, 0, 100, xtol=1e-13)


def by_polynomial(variances, normalised, growth):
    """The largest real root of a polynomial in s²."""
    if normalised:
        return ((growth - 1) / np.sum(variances)) ** 0.5
    of_square = np.polynomial.Polynomial([1.0])
    for v in variances.ravel():
        of_square *= np.polynomial.Polynomial([1.0, v])
    roots = (of_square - growth).roots()
    return np.sqrt(roots[np.argmin(np.abs(roots.imag) + (roots.real < 0) * 100)].real)


def by_newton(variances, normalised, growth):
    """In the logarithm of the growth, in torch."""
    v = torch.as_tensor(variances).flatten()
    if normalised:
        return torch.sqrt((growth - 1) / v.sum())
    square = torch.tensor(0.0, dtype=torch.float64)
    for _ in range(60):
        square = square - (torch.log1p(square * v).sum() - np.log(growth)) / (v / (1 + square * v)).sum()
    return square.sqrt()


def up_to_one(variances, normalised, growth):
    """Halving, in an interval that ends at 1."""
    low, high = 0.0, 1.0
    for _ in range(60):
        s = (low + high) / 2
        low, high = (s, high) if walked(variances, normalised, s) < growth else (low, s)
    return s


def with_variances(change):
    return lambda variances, *rest: by_scipy(change(variances), *rest)


SUITE = AnswerSuite(
    "06.8",
    right={"scipy": by_scipy, "polynomial": by_polynomial, "newton": by_newton},
    wrong=[
        Wrong("up to 1", up_to_one, "larger than 1"),
        Wrong("no root of a sum", lambda v, n, r: (r - 1) / v.sum() if n else by_scipy(v, n, r) ** 2, "take the root"),
        Wrong("stream forgotten", lambda v, n, r: np.sqrt(r / v.sum()) if n else by_scipy(v, n, r),
              "The stream itself counts"),
    ],
    unforeseen={
        "off by one": with_variances(lambda v: v.ravel()[:-1]),
        "N for 2N": with_variances(lambda v: v.mean(axis=1)),
        "alike": with_variances(lambda v: np.full(v.shape, v.mean())),
        "deviations": with_variances(np.sqrt),
        "exponential": lambda v, n, r: np.sqrt((r - 1 if n else np.log(r)) / v.sum()),
        "growth of the deviation": lambda v, n, r: by_scipy(v, n, r**2),
        "1/√(2N)": lambda v, n, r: 1 / np.sqrt(v.size),
        "kinds exchanged": lambda v, n, r: by_scipy(v, not n, r),
        "too coarse": lambda *given: np.round(by_scipy(*given), 2),
    },
)
