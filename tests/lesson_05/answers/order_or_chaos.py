"""Answers to exercise 05.3, right and wrong."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from scipy.optimize import brentq

from tests.answers import AnswerSuite, Wrong
from utils import meanfield


def density(z):
    return np.exp(-z * z / 2) / np.sqrt(2 * np.pi)


Z = np.linspace(-9, 9, 301)
DENSITY = density(Z) / density(Z).sum()


def mean(function, q):
    return function(np.sqrt(q) * Z) @ DENSITY


def squares(u):
    return np.tanh(u) ** 2


def slopes(u):
    return 1 / np.cosh(u) ** 2


@cache
def at_rest(w, b):
    q = 1.0
    for _ in range(150):
        q = w**2 * mean(squares, q) + b**2
    return q


def chi(w, b, q):
    return w**2 * mean(lambda u: slopes(u) ** 2, q)


def words(chaotic):
    """The answer that calls those networks chaotic for which this holds."""
    return lambda networks: ["chaotic" if chaotic(w, b) else "ordered" for w, b in networks]


def by_root(w, b):
    """The resting length as the root of step(q) − q, by Gauss–Legendre on [0, 9]."""
    x, weights = np.polynomial.legendre.leggauss(80)
    z, weights = 4.5 * (x + 1), 9 * weights * density(4.5 * (x + 1))

    def excess(q):
        return w**2 * (weights @ np.tanh(np.sqrt(q) * z) ** 2) + b**2 - q

    q = brentq(excess, 1e-4, 40, xtol=1e-6) if excess(1e-4) > 0 else 0.0
    return w**2 * (weights @ np.cosh(np.sqrt(q) * z) ** -4.0) > 1


def in_torch(networks):
    """All networks at once; tanh's derivative by autograd."""
    sigmas = torch.tensor(networks, dtype=torch.float64)
    w, b = sigmas.T[:, :, None]
    z = torch.special.ndtri((torch.arange(1000, dtype=torch.float64) + 0.5) / 1000)
    q = torch.full_like(w, 0.5)
    for _ in range(200):
        q = w**2 * torch.tanh(q.sqrt() * z).square().mean(dim=1, keepdim=True) + b**2
    u = (q.sqrt() * z).requires_grad_()
    (slope,) = torch.autograd.grad(torch.tanh(u).sum(), u)
    above = (w**2 * slope.square().mean(dim=1, keepdim=True) > 1).flatten()
    return ["chaotic" if one else "ordered" for one in above.tolist()]


SUITE = AnswerSuite(
    "05.3",
    right={
        "torch": in_torch,
        "roots": words(by_root),
        "iterated, an array": lambda networks: np.where(
            [chi(w, b, at_rest(w, b)) > 1 for w, b in networks], "chaotic", "ordered"
        ),
    },
    wrong=[
        Wrong("at one place", words(lambda w, b: w**2 * slopes(np.sqrt(at_rest(w, b))) ** 2 > 1), "too small"),
        Wrong("a half", words(lambda w, b: chi(w, b, at_rest(w, b)) > 0.5), "too large"),
        Wrong("withheld", words(lambda w, b: meanfield.chi_1(w, b, "tanh") > 1), "write it yourself"),
        Wrong("one word", lambda networks: "chaotic" if networks[0][0] > 1 else "ordered", "Return a list with"),
    ],
    unforeseen={
        "off by one": lambda networks: [*words(lambda w, b: chi(w, b, at_rest(w, b)) > 1)(networks)[1:], "ordered"],
        "σ_b for its square": words(lambda w, b: chi(w, b, at_rest(w, b**0.5)) > 1),
        "σ_w for its square": words(lambda w, b: chi(w, b, at_rest(w**0.5, b)) > 1),
        "tanh for its slope": words(lambda w, b: w**2 * mean(squares, at_rest(w, b)) > 1),
        "root for the resting length": words(lambda w, b: chi(w, b, at_rest(w, b) ** 2) > 1),
        "σ_w > 2": words(lambda w, b: w > 2),
    },
)
