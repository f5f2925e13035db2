"""Answers to exercise 06.1, right and wrong."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch
from scipy.integrate import quad
from scipy.stats import norm

from tests.answers import AnswerSuite, Wrong
from utils import meanfield


def by_fractions(left, right, n_in, n_out):
    share = (Fraction(left) ** 2 + Fraction(right) ** 2) / 2
    return math.sqrt(1 / (share * n_in))


def two_lines(left, right):
    return lambda z: np.where(z < 0, left * z, right * z)


def by_scipy(left, right, n_in, n_out):
    passed = quad(lambda z: two_lines(left, right)(z) ** 2 * norm.pdf(z), -9, 9, points=[0])[0]
    return (n_in * passed) ** -0.5


def by_gain_in_torch(left, right, n_in, n_out):
    """PyTorch knows the gain of a leaky ReLU; what is on the right is taken out first."""
    gain = torch.nn.init.calculate_gain("leaky_relu", left / right) / abs(right)
    return gain / n_in**0.5


def by_sample(left, right, n_in, n_out):
    z = np.random.default_rng(1).normal(size=2000)
    return 1 / np.sqrt(n_in * np.mean(two_lines(left, right)(z) ** 2))


def from_share(share):
    return lambda left, right, n_in, n_out: 1 / np.sqrt(n_in * share(left, right))


SUITE = AnswerSuite(
    "06.1",
    right={"fractions": by_fractions, "scipy": by_scipy, "torch": by_gain_in_torch},
    wrong=[
        Wrong(
            "off by one",
            lambda left, right, n_in, n_out: by_fractions(left, right, n_in + 1, n_out),
            "Near, but not to four digits",
        ),
        Wrong("mean slope", from_share(lambda left, right: (left + right) ** 2 / 4 or np.nan), "Half of the"),
        Wrong("a sample", by_sample, "Near, but not to four digits"),
        Wrong(
            "withheld",
            lambda left, right, n_in, n_out: (
                (n_in * meanfield.length_map(1.0, 1.0, 0.0, two_lines(left, right))) ** -0.5
            ),
            "write it yourself",
        ),
    ],
    unforeseen={
        "fourth powers": from_share(lambda left, right: (left**4 + right**4) / 2),
        "right alone": from_share(lambda left, right: right**2 / 2),
        "product": from_share(lambda left, right: abs(left * right) or np.nan),
        "wrong way round": from_share(lambda left, right: 2 / (left**2 + right**2)),
        "default": lambda left, right, n_in, n_out: (3 * n_in) ** -0.5,
        "product of fans": lambda left, right, n_in, n_out: by_fractions(left, right, math.sqrt(n_in * n_out), n_out),
    },
)
