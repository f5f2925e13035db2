"""Proof of exercise 06.1."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch
from scipy.integrate import quad

from tests.proofs import Proof, Wrong
from utils import meanfield


def by_fractions(left, right, n_in, n_out):
    share = (Fraction(left) ** 2 + Fraction(right) ** 2) / 2
    return math.sqrt(1 / (share * n_in))


def two_lines(left, right):
    return lambda z: np.where(z < 0, left * z, right * z)


def by_scipy(left, right, n_in, n_out):
    def density(z):
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    passed = quad(lambda z: float(two_lines(left, right)(z)) ** 2 * density(z), -9, 9, points=[0])[0]
    return (n_in * passed) ** -0.5


def by_gain_in_torch(left, right, n_in, n_out):
    """PyTorch knows the gain of a leaky ReLU; what is on the right is taken out first."""
    gain = torch.nn.init.calculate_gain("leaky_relu", left / right) / abs(right)
    return gain / n_in**0.5


def by_sample(size):
    def answer(left, right, n_in, n_out):
        z = np.random.default_rng(1).normal(size=size)
        return 1 / np.sqrt(n_in * np.mean(two_lines(left, right)(z) ** 2))

    return answer


def from_share(share, fan=lambda n_in, n_out: n_in):
    return lambda left, right, n_in, n_out: 1 / np.sqrt(fan(n_in, n_out) * share(left, right))


def kept(left, right):
    return (left**2 + right**2) / 2


def variance(left, right):
    return kept(left, right) - ((right - left) / np.sqrt(2 * np.pi)) ** 2


def times(factor):
    return lambda left, right, n_in, n_out: factor(n_in, n_out) / np.sqrt(kept(left, right))


def by_fan(fan):
    return from_share(kept, fan)


PROOF = Proof(
    "06.1",
    right={"fractions": by_fractions, "scipy": by_scipy, "torch": by_gain_in_torch},
    wrong=[
        Wrong("variance", lambda *given: by_fractions(*given) ** 2, "variance of the weights"),
        Wrong("gain", times(lambda n_in, n_out: 1), "This is the gain"),
        Wrong("gain squared", lambda left, right, *_: 2 / (left**2 + right**2), "This is the gain"),
        Wrong("outputs", by_fan(lambda n_in, n_out: n_out), "number of outputs"),
        Wrong("smaller fan", by_fan(min), "number of outputs"),
        Wrong("Glorot", by_fan(lambda n_in, n_out: (n_in + n_out) / 2), "Glorot and Bengio"),
        Wrong("sum of fans", by_fan(lambda n_in, n_out: n_in + n_out), "Glorot and Bengio"),
        Wrong("He", lambda left, right, n_in, n_out: np.sqrt(2 / n_in), "He's formula"),
        Wrong("LeCun", lambda left, right, n_in, n_out: n_in**-0.5, "without an activation"),
        Wrong("second moment less the mean's square", from_share(variance), "the variance behind the activation"),
        Wrong("not halved", from_share(lambda left, right: left**2 + right**2), "only half of all"),
        Wrong("mean size", from_share(lambda left, right: (abs(left) + abs(right)) / 2), "average the slopes. It is"),
        Wrong("mean slope", lambda left, right, n_in, n_out: 2 / abs(left + right) / np.sqrt(n_in) if left + right
              else np.nan, "Square each"),
        Wrong("right alone", from_share(lambda left, right: right**2 / 2), "positive pre-activations alone"),
        Wrong("leaky", from_share(lambda left, right: (1 + left**2) / 2), "formula for leaky ReLU"),
        Wrong("default", lambda left, right, n_in, n_out: (3 * n_in) ** -0.5, "PyTorch's default"),
        Wrong("uniform", lambda *given: math.sqrt(3) * by_fractions(*given), "limit of a uniform distribution"),
        Wrong("multiplied", lambda left, right, n_in, n_out: np.sqrt(kept(left, right) / n_in), "wrong way round"),
        Wrong("no root of n", times(lambda n_in, n_out: 1 / n_in), "the root of that"),
        Wrong("off by one", by_fan(lambda n_in, n_out: n_in + 1), "Near, but not to four digits"),
        Wrong("a sample", by_sample(2000), "Near, but not to four digits"),
        Wrong("negative", lambda *given: -by_fractions(*given) - 1, "standard deviation is positive"),
        Wrong("weights", lambda *given: [by_fractions(*given)] * 3, "Return one number"),
        Wrong("withheld", lambda left, right, n_in, n_out: (
            n_in * meanfield.length_map(1.0, 1.0, 0.0, two_lines(left, right))) ** -0.5, "write it yourself"),
    ],
    unforeseen={
        "difference of slopes": from_share(lambda left, right: (right - left) ** 2 / 2),
        "product of fans": by_fan(lambda n_in, n_out: np.sqrt(n_in * n_out)),
        "cubes": from_share(lambda left, right: (abs(left) ** 3 + abs(right) ** 3) / 2),
        "larger slope": from_share(lambda left, right: max(abs(left), abs(right)) ** 2),
        "tanh's gain": lambda left, right, n_in, n_out: 5 / 3 / np.sqrt(n_in),
        "twice": lambda *given: 2 * by_fractions(*given),
        "root twice": lambda *given: by_fractions(*given) ** 0.5,
        "logarithm": lambda *given: abs(np.log(by_fractions(*given))),
    },
)
