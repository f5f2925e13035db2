"""Answers to exercise 05.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from scipy.integrate import quad
from scipy.optimize import brentq

from tests.answers import AnswerSuite, Wrong
from utils import meanfield

GRID = np.linspace(-8, 8, 1001)


def density(z):
    return np.exp(-z * z / 2) / np.sqrt(2 * np.pi)


def by_scipy(q, sigma_b):
    return np.sqrt((q - sigma_b**2) / (quad(lambda z: np.tanh(np.sqrt(q) * z) ** 2 * density(z), 0, 10)[0] * 2))


def by_quadrature(q, sigma_b):
    x, weights = np.polynomial.hermite.hermgauss(60)
    return ((q - sigma_b**2) * np.sqrt(np.pi) / (weights @ np.tanh(np.sqrt(2 * q) * x) ** 2)) ** 0.5


def by_quantiles(q, sigma_b):
    """In torch, at evenly spaced quantiles."""
    z = torch.special.ndtri((torch.arange(200_000, dtype=torch.float64) + 0.5) / 200_000)
    return ((q - sigma_b**2) / torch.tanh(q**0.5 * z).square().mean()).sqrt()


WEIGHTS = density(GRID) / density(GRID).sum()


def next_length(q, sigma, sigma_b=0.0):
    """The path's own line, on the path's grid."""
    return sigma**2 * (WEIGHTS @ np.tanh(np.sqrt(q) * GRID) ** 2) + sigma_b**2


def by_halves(q, sigma_b):
    """The path's line, and a search for the σ with which it returns q."""
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if next_length(q, middle, sigma_b) < q else (low, middle)
    return low


def by_a_root(q, sigma_b):
    """The path's line, and SciPy's root of what is left of q."""
    return brentq(lambda sigma: next_length(q, sigma, sigma_b) - q, 0, 20, xtol=1e-10)


def by_two_steps(q, sigma_b):
    """A step is a straight line in σ²: from the one at σ = 0 and the one at σ = 1 the rest follows."""
    without, one = next_length(q, 0.0, sigma_b), next_length(q, 1.0, sigma_b)
    return np.array([np.sqrt((q - without) / (one - without))])


def on_grid_to_3(q, sigma_b):
    z, width = np.linspace(-3, 3, 4001, retstep=True)
    return np.sqrt((q - sigma_b**2) / ((np.tanh(np.sqrt(q) * z) ** 2 * density(z)).sum() * width))


def by_sample(q, sigma_b):
    z = np.random.default_rng(1).normal(size=1000)
    return np.sqrt((q - sigma_b**2) / (np.tanh(np.sqrt(q) * z) ** 2).mean())


def with_mean(function, combine=lambda q, m, b: ((q - b**2) / m) ** 0.5):
    z = np.linspace(-9, 9, 3001)
    return lambda q, b: combine(q, np.average(function(z * np.sqrt(q)), weights=density(z)), b)


def squares(u):
    return np.tanh(u) ** 2


def from_a_list(q, sigma_b):
    """The nearest of some hundred σ."""
    tried = np.arange(0.05, 4, 0.01)
    return tried[np.abs([next_length(q, sigma, sigma_b) - q for sigma in tried]).argmin()]


SUITE = AnswerSuite(
    "05.2",
    right={
        "scipy": by_scipy,
        "quadrature": by_quadrature,
        "quantiles in torch": by_quantiles,
        "halving": by_halves,
        "a root": by_a_root,
        "two steps": by_two_steps,
    },
    wrong=[
        Wrong("a sample", by_sample, "to four digits"),
        Wrong("a grid to 3", on_grid_to_3, "to four digits"),
        Wrong("withheld", lambda q, b: meanfield.length_map(q, 1.0, b, "tanh"), "write it yourself"),
        Wrong("the path's line at σ = 1", lambda q, b: next_length(q, 1.0, b), "This is not the σ_w"),
        Wrong("the path's line at σ² = q", lambda q, b: next_length(q, np.sqrt(q), b), "This is not the σ_w"),
        Wrong("bias left out", with_mean(squares, lambda q, m, b: np.sqrt(q / m)), "The biases are missing"),
        Wrong("bias taken off last", with_mean(squares, lambda q, m, b: np.sqrt(q / m) - b), "in the wrong place"),
        Wrong("the variance", with_mean(squares, lambda q, m, b: (q - b**2) / m), "returns σ_w² itself"),
        Wrong(
            "no step",
            lambda q, b: np.sqrt((q - b**2) / (squares(q**0.5 * GRID) * density(GRID)).sum()),
            "do not add up to 1",
        ),
        Wrong(
            "a mean from -8 to 8",
            lambda q, b: np.sqrt((q - b**2) / np.mean(squares(q**0.5 * GRID) * density(GRID))),
            "do not add up to 1",
        ),
        Wrong("all alike", lambda q, b: np.sqrt((q - b**2) / np.mean(squares(q**0.5 * GRID))), "the normal density"),
        Wrong("a list", lambda *given: [by_scipy(*given), 0], "A number was expected"),
    ],
    unforeseen={
        "off by one": lambda q, b: by_scipy(next_length(q, 1.0, b), b),
        "sines": with_mean(lambda u: np.sin(u) ** 2),
        "slopes": with_mean(lambda u: np.cosh(u) ** -4),
        "one deviation": with_mean(squares, lambda q, m, b: np.sqrt(q / m) / (1 + b)),
        "fourth powers": with_mean(lambda u: np.tanh(u) ** 4),
        "upside down": with_mean(squares, lambda q, m, b: np.sqrt(m / (q - b**2))),
        "hundredths": from_a_list,
    },
)
