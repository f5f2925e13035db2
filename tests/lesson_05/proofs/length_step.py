"""Proof of exercise 05.2."""

from __future__ import annotations

import numpy as np
import torch
from scipy.integrate import quad

from tests.proofs import Proof, Wrong
from utils import meanfield


def density(z):
    return np.exp(-z * z / 2) / np.sqrt(2 * np.pi)


def by_scipy(q, sigma_w, sigma_b):
    return sigma_w**2 * quad(lambda z: np.tanh(np.sqrt(q) * z) ** 2 * density(z), 0, 10)[0] * 2 + sigma_b**2


def by_quadrature(q, sigma_w, sigma_b):
    x, weights = np.polynomial.hermite.hermgauss(60)
    return sigma_w**2 * (weights @ np.tanh(np.sqrt(2 * q) * x) ** 2) / np.sqrt(np.pi) + sigma_b**2


def by_quantiles(q, sigma_w, sigma_b):
    """In torch, at evenly spaced quantiles."""
    z = torch.special.ndtri((torch.arange(200_000, dtype=torch.float64) + 0.5) / 200_000)
    return sigma_w**2 * torch.tanh(q**0.5 * z).square().mean() + sigma_b**2


def on_grid(end, count=4001):
    def answer(q, sigma_w, sigma_b):
        z, width = np.linspace(-end, end, count, retstep=True)
        return sigma_w**2 * (np.tanh(np.sqrt(q) * z) ** 2 * density(z)).sum() * width + sigma_b**2

    return answer


def weighed_alike(end, count):
    def answer(q, sigma_w, sigma_b):
        return sigma_w**2 * (np.tanh(np.sqrt(q) * np.linspace(-end, end, count)) ** 2).mean() + sigma_b**2

    return answer


def by_sample(size):
    def answer(q, sigma_w, sigma_b):
        z = np.random.default_rng(1).normal(size=size)
        return sigma_w**2 * (np.tanh(np.sqrt(q) * z) ** 2).mean() + sigma_b**2

    return answer


def mean(function, q):
    z = np.linspace(-9, 9, 3001)
    return np.average(function(z * np.sqrt(q)), weights=density(z))


def squares(u):
    return np.tanh(u) ** 2


def slopes(u):
    return 1 / np.cosh(u) ** 2


def parts(combine, function=squares):
    return lambda q, sigma_w, sigma_b: combine(mean(function, q), sigma_w, sigma_b)


def with_mean(function):
    return parts(lambda m, w, b: w**2 * m + b**2, function)


def steps(count):
    def answer(q, sigma_w, sigma_b):
        for _ in range(count):
            q = on_grid(10, 801)(q, sigma_w, sigma_b)
        return q

    return answer


def hermgauss(scale_nodes, scale_weights, nodes=60):
    def answer(q, sigma_w, sigma_b):
        x, weights = np.polynomial.hermite.hermgauss(nodes)
        return sigma_w**2 * scale_weights * (weights @ np.tanh(np.sqrt(q) * scale_nodes * x) ** 2) + sigma_b**2

    return answer


PROOF = Proof(
    "05.2",
    right={"scipy": by_scipy, "quadrature": by_quadrature, "quantiles in torch": by_quantiles, "grid": on_grid(10)},
    wrong=[
        Wrong("off by one", steps(2), "more than one step"),
        Wrong("five steps", steps(5), "more than one step"),
        Wrong("at rest", steps(300), "more than one step"),
        Wrong("σ_w not squared", parts(lambda m, w, b: w * m + b**2), "both deviations are squared"),
        Wrong("σ_b not squared", parts(lambda m, w, b: w**2 * m + b), "both deviations are squared"),
        Wrong("neither squared", parts(lambda m, w, b: w * m + b), "both deviations are squared"),
        Wrong("tanh(q z)", lambda q, w, b: w**2 * mean(squares, q * q) + b**2, "standard deviation is √q"),
        Wrong("tanh(z)", lambda q, w, b: w**2 * mean(squares, 1) + b**2, "standard deviation is √q"),
        Wrong("mean of tanh", with_mean(np.tanh), "0 by symmetry"),
        Wrong("mean of |tanh|", with_mean(lambda u: np.abs(np.tanh(u))), "mean of |tanh|"),
        Wrong("slopes", with_mean(lambda u: slopes(u) ** 2), "belongs to χ₁"),
        Wrong("slopes, not squared", with_mean(slopes), "belongs to χ₁"),
        Wrong("no tanh", lambda q, w, b: w**2 * q + b**2, "without tanh"),
        Wrong("no bias", parts(lambda m, w, b: w**2 * m), "biases are missing"),
        Wrong("bias in brackets", parts(lambda m, w, b: w**2 * (m + b**2)), "multiplies the mean alone"),
        Wrong("root", parts(lambda m, w, b: np.sqrt(w**2 * m + b**2)), "take a root at the end"),
        Wrong("activations", lambda q, w, b: mean(squares, q), "mean square behind tanh"),
        Wrong("tanh last", lambda q, sigma_w, sigma_b: mean(squares, sigma_w**2 * q + sigma_b**2),
              "mean square behind tanh"),
        Wrong("at one place", lambda q, w, b: w**2 * np.tanh(np.sqrt(q)) ** 2 + b**2, "a single place"),
        Wrong("density", parts(lambda m, w, b: w**2 * m * np.sqrt(2 * np.pi) + b**2), "add up to 1"),
        Wrong("half the line", parts(lambda m, w, b: w**2 * m / 2 + b**2), "half of the mean"),
        Wrong("hermgauss", hermgauss(1, 1), "`hermgauss` is made for"),
        Wrong("hermgauss, nodes", hermgauss(1, np.pi**-0.5), "`hermgauss` is made for"),
        Wrong("hermgauss, weights", hermgauss(2**0.5, 1), "`hermgauss` is made for"),
        *[Wrong(f"{count} alike to {end}", weighed_alike(end, count), "weigh all z alike")
          for end, count in ((8, 1001), (8, 201), (10, 10_001), (5, 100), (3, 2001))],
        Wrong("a sample", by_sample(1000), "to four digits"),
        Wrong("a larger sample", by_sample(100_000), "to four digits"),
        Wrong("a grid to 3", on_grid(3), "to four digits"),
        Wrong("a grid to 4", on_grid(4), "to four digits"),
        *[Wrong(f"{nodes} nodes", hermgauss(2**0.5, np.pi**-0.5, nodes), "to four digits") for nodes in (10, 40)],
        Wrong("all added", lambda q, w, b: q + w**2 + b**2 + 1, "never larger"),
        Wrong("a list", lambda *given: [by_scipy(*given), 0], "Return one number"),
        Wrong("withheld", lambda q, w, b: meanfield.length_map(q, w, b, "tanh"), "write it yourself"),
        Wrong("lengths", lambda q, w, b: meanfield.lengths(2, 1, 0, "tanh", q_0=q)[-1] * w**2 + b**2,
              "write it yourself"),
    ],
    unforeseen={
        "ReLU": with_mean(lambda u: np.maximum(u, 0) ** 2),
        "cubes": with_mean(lambda u: np.abs(np.tanh(u)) ** 3),
        "q multiplied": lambda q, w, b: q * (w**2 * mean(squares, q) + b**2),
        "deviation": lambda q, w, b: np.std([w * np.tanh(q), b]),
        "the variance of the square": parts(lambda m, w, b: w**2 * (m - m**2) + b**2),
        "tanh outside": lambda q, w, b: np.tanh(w**2 * q + b**2),
        "σ cubed": parts(lambda m, w, b: w**3 * m + b**3),
        "exchanged": lambda q, w, b: by_scipy(q, b, w),
        "biases taken away": parts(lambda m, w, b: w**2 * m - b**2),
        "halved bias": parts(lambda m, w, b: w**2 * m + b**2 / 2),
        "no signal": lambda q, w, b: b**2 + w**2,
    },
)
