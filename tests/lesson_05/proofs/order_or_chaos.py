"""Proof of exercise 05.3."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from scipy.optimize import brentq

from tests.proofs import Proof, Wrong
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
def at_rest(w, b, steps=150, q=1.0):
    for _ in range(steps):
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


def correlations_end_below_one(sigma_w, sigma_b):
    if sigma_b == 0:
        return sigma_w > 1
    return meanfield.correlations(200, sigma_w, sigma_b, "tanh", c_0=0.99)[-1] < 0.999


def neighbours_separate(sigma_w, sigma_b):
    generator = torch.Generator().manual_seed(0)
    return meanfield.measured_lyapunov(300, 20, sigma_w, sigma_b, "tanh", skip=10, generator=generator).value > 0


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


def by_neighbours(w, b):
    """Two inputs of correlation just below 1 at the resting length: does their correlation come nearer to 1?"""
    q, c = max(at_rest(w, b), 1e-9), 1 - 1e-4
    x, y = np.meshgrid(Z[::2], Z[::2])
    weights = np.outer(DENSITY[::2], DENSITY[::2])
    one, other = np.tanh(np.sqrt(q) * x), np.tanh(np.sqrt(q) * (c * x + np.sqrt(1 - c * c) * y))
    return w**2 * ((one - other) ** 2 * weights).sum() / weights.sum() / 2 > q * (1 - c)


PROOF = Proof(
    "05.3",
    right={
        "iterated": words(lambda w, b: chi(w, b, at_rest(w, b)) > 1), "roots": words(by_root), "torch": in_torch,
        "neighbours": words(by_neighbours),
        "an array": lambda networks: np.where(
            [chi(w, b, at_rest(w, b)) > 1 for w, b in networks], "chaotic", "ordered"),
    },
    wrong=[
        Wrong("off by one", words(lambda w, b: chi(w, b, 1.0) > 1), "does not stay"),
        Wrong("five steps", words(lambda w, b: chi(w, b, at_rest(w, b, steps=5)) > 1), "does not stay"),
        Wrong("σ_b for its square", words(lambda w, b: chi(w, b, at_rest(w, b**0.5)) > 1), "deviations are squared"),
        Wrong("σ_w for its square", words(lambda w, b: chi(w, b, at_rest(w**0.5, b)) > 1), "deviations are squared"),
        Wrong("σ_w > 1", words(lambda w, b: w > 1), "without biases alone"),
        Wrong("biases left out", words(lambda w, b: chi(w, 0, at_rest(w, 0)) > 1), "without biases alone"),
        Wrong("slope not squared", words(lambda w, b: w**2 * mean(slopes, at_rest(w, b)) > 1), "squared before"),
        Wrong("tanh for its slope", words(lambda w, b: w**2 * mean(squares, at_rest(w, b)) > 1), "average tanh itself"),
        Wrong("q for its root", words(lambda w, b: chi(w, b, at_rest(w, b) ** 2) > 1), "at its root times z"),
        Wrong("resting length", words(lambda w, b: at_rest(w, b) > 1), "You look at lengths"),
        Wrong("growth", words(lambda w, b: at_rest(w, b, steps=1) > 1), "You look at lengths"),
        Wrong("both deviations", words(lambda w, b: w**2 + b**2 > 1), "separate nothing"),
        Wrong("bias added", words(lambda w, b: chi(w, b, at_rest(w, b)) + b**2 > 1), "only change the length"),
        Wrong("exchanged", words(lambda w, b: chi(w, b, at_rest(w, b)) < 1), "wrong way round"),
        Wrong("at one place", words(lambda w, b: w**2 * slopes(np.sqrt(at_rest(w, b))) ** 2 > 1), "too small"),
        Wrong("σ not squared", words(lambda w, b: w * mean(lambda u: slopes(u) ** 2, at_rest(w, b)) > 1), "too small"),
        Wrong("a half", words(lambda w, b: chi(w, b, at_rest(w, b)) > 0.5), "too large"),
        Wrong("χ₁ itself", lambda networks: [chi(w, b, at_rest(w, b)) for w, b in networks], "Return a list with"),
        Wrong("one word", lambda networks: "chaotic" if networks[0][0] > 1 else "ordered", "Return a list with"),
        Wrong("withheld", words(lambda w, b: meanfield.chi_1(w, b, "tanh") > 1), "write it yourself"),
        Wrong("phase", lambda networks: [meanfield.phase(w, b, "tanh") for w, b in networks], "write it yourself"),
        Wrong("correlations", words(correlations_end_below_one), "write it yourself"),
        Wrong("neighbours", words(neighbours_separate), "write it yourself"),
    ],
    unforeseen={
        "σ_w > 2": words(lambda w, b: w > 2),
        "σ_w > σ_b": words(lambda w, b: w > b),
        "product": words(lambda w, b: w * b > 1),
        "odd": words(lambda w, b: round(100 * w) % 2),
        "few biases": words(lambda w, b: b < 0.5),
        "half of them": lambda networks: ["ordered", "chaotic"] * 2 if len(networks) == 4 else ["ordered"] * 3,
        "the first": lambda networks: words(lambda w, b: w > 1.4)(networks)[:1] * len(networks),
    },
)
