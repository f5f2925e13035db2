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


def halving(high, steps=60):
    """The answer that halves an interval from 0 on, in torch."""

    def answer(variances, normalised, growth):
        ends = torch.tensor([0.0, high], dtype=torch.float64)
        for _ in range(steps):
            s = ends.mean()
            ends[int(walked(variances, normalised, s) >= growth)] = s
        return s

    return answer


def with_variances(change):
    return lambda variances, *rest: by_scipy(change(variances), *rest)


SUITE = AnswerSuite(
    "06.8",
    right={"scipy": by_scipy, "polynomial": by_polynomial, "halving": halving(100.0)},
    wrong=[
        Wrong("up to 1", halving(1.0), "larger than 1"),
        Wrong("few halvings", halving(4.0, steps=13), "Near, but not to four digits"),
    ],
    unforeseen={
        "off by one": with_variances(lambda v: v.ravel()[:-1]),
        "N for 2N": with_variances(lambda v: v.mean(axis=1)),
        "deviations": with_variances(np.sqrt),
        "growth of the deviation": lambda v, n, r: by_scipy(v, n, r**2),
        "1/(2N)": lambda v, n, r: 1 / v.size,
        "growth over the scale": lambda v, n, r: by_scipy(v, n, r) * r,
    },
)
