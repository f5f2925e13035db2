"""Answers to exercise 05.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from scipy.integrate import quad

from tests.answers import AnswerSuite, Wrong
from utils import meanfield

GRID = np.linspace(-8, 8, 1001)


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


def on_grid_to_3(q, sigma_w, sigma_b):
    z, width = np.linspace(-3, 3, 4001, retstep=True)
    return sigma_w**2 * (np.tanh(np.sqrt(q) * z) ** 2 * density(z)).sum() * width + sigma_b**2


def by_sample(q, sigma_w, sigma_b):
    z = np.random.default_rng(1).normal(size=1000)
    return sigma_w**2 * (np.tanh(np.sqrt(q) * z) ** 2).mean() + sigma_b**2


def with_mean(function, combine=lambda m, w, b: w**2 * m + b**2):
    z = np.linspace(-9, 9, 3001)
    return lambda q, w, b: combine(np.average(function(z * np.sqrt(q)), weights=density(z)), w, b)


def squares(u):
    return np.tanh(u) ** 2


def two_steps(q, sigma_w, sigma_b):
    return by_scipy(by_scipy(q, sigma_w, sigma_b), sigma_w, sigma_b)


SUITE = AnswerSuite(
    "05.2",
    right={"scipy": by_scipy, "quadrature": by_quadrature, "quantiles in torch": by_quantiles},
    wrong=[
        Wrong("a sample", by_sample, "to four digits"),
        Wrong("a grid to 3", on_grid_to_3, "to four digits"),
        Wrong("withheld", lambda q, w, b: meanfield.length_map(q, w, b, "tanh"), "write it yourself"),
        Wrong("bias in brackets", with_mean(squares, lambda m, w, b: w**2 * (m + b**2)), "not where they belong"),
        Wrong("no step", lambda q, w, b: w**2 * (squares(q**0.5 * GRID) * density(GRID)).sum() + b**2, "a step of it"),
        Wrong(
            "a mean from -8 to 8",
            lambda q, w, b: w**2 * np.mean(squares(q**0.5 * GRID) * density(GRID)) + b**2,
            "does not add up to 1",
        ),
        Wrong("a list", lambda *given: [by_scipy(*given), 0], "A number was expected"),
    ],
    unforeseen={
        "off by one": two_steps,
        "sines": with_mean(lambda u: np.sin(u) ** 2),
        "slopes": with_mean(lambda u: np.cosh(u) ** -4),
        "one deviation": with_mean(squares, lambda m, w, b: (w**2 + b**2) * m),
        "fourth powers": with_mean(lambda u: np.tanh(u) ** 4),
        "exchanged": lambda q, w, b: by_scipy(q, b, w),
    },
)
