"""Random cosines for a bell in many dimensions, and for |x₁|, beside units that are trained."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import exp, lgamma, sqrt

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import HELD_OUT, VALIDATION, Score, Sweep, at_best_rate, one_thread, sweep
from utils.models import mlp
from utils.types import Array, Data, Part

COSINE_INPUTS, COSINE_UNITS = (1, 10, 100), (10, 100, 1000)
OTHER_INPUTS, OTHER_UNITS = (10, 100), 1000
OTHER_POINTS = (4000, 2000, 2000)  # to fit, to choose the penalty with, and held out
PENALTIES = (0.01, 1.0, 10.0, 100.0, 1000.0)
TRAINED_UNITS, TRAINED_RATES = 10, (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)


def ball_points(n: int, n_in: int, rng: np.random.Generator) -> Array:
    """Return [n, n_in], points in random directions, whose distances from the origin are uniform in [0, 2]."""
    X = rng.normal(size=(n, n_in))
    return X * (rng.uniform(0, 2, size=(n, 1)) / np.linalg.norm(X, axis=1, keepdims=True))


def cosine_errors(n_in: int, n_units: int, seed: int, *, n_points: int = 1000) -> tuple[float, float]:
    """Return the mean squared error of n random cosine units for exp(−|x|²/2), and what the theory expects of it.

    The points have random directions, and lengths uniform in [0, 2] whatever n_in is: so the target varies as much
    in many dimensions as in one.
    """
    rng = np.random.default_rng(seed)
    X = ball_points(n_points, n_in, rng)
    squares = np.square(X).sum(axis=1)
    network = np.cos(X @ rng.normal(size=(n_in, n_units))).mean(axis=1)
    expected = np.square(1 - np.exp(-squares)).mean() / (2 * n_units)
    return float(np.square(network - np.exp(-squares / 2)).mean()), float(expected)


def bell_variance() -> float:
    """Return the variance of exp(−|x|²/2) for |x| uniform in [0, 2]: the squared error of the best constant."""
    length = np.linspace(0, 2, 200_001)
    return float(np.exp(-(length**2) / 2).var())


def barron_bound(n_in: int, n_units: int, radius: float = 2.0) -> float:
    """Return Barron's bound (2 r C)²/N on the bell's mean squared error, where C is the mean of |ω|, ω standard normal.

    That mean is √2 Γ((d + 1)/2)/Γ(d/2) in d dimensions.
    """
    mean_length = sqrt(2) * exp(lgamma((n_in + 1) / 2) - lgamma(n_in / 2))
    return (2 * radius * mean_length) ** 2 / n_units


@experiment("01_cosines", seeds=40, minutes=0.2, inputs=COSINE_INPUTS, units=COSINE_UNITS)
def cosines(seed: int, inputs: int, units: int) -> Data:
    """Return both errors of `cosine_errors`, measured and expected."""
    return xr.Dataset(dict(zip(("measured", "expected"), cosine_errors(inputs, units, seed), strict=True)))


def largest(data: Data, what: str = "measured") -> xr.DataArray:
    """Return the squared error of 1,000 units in 100 dimensions, measured (or expected), by seed."""
    return data[what].sel(inputs=100, units=1000)


@experiment(
    "01_waves",
    seeds=20,
    minutes=0.5,
    within={"penalty": PENALTIES, "part": (VALIDATION, HELD_OUT)},
    inputs=OTHER_INPUTS,
)
def fitted_waves(seed: int, inputs: int) -> Data:
    """Return "missed", over the variance: 1,000 random waves whose output weights are fitted to |x₁|, by penalty."""
    rng = np.random.default_rng([seed, inputs])
    waves, phases = rng.normal(size=(inputs, OTHER_UNITS)), rng.uniform(0, 2 * np.pi, OTHER_UNITS)
    points = [ball_points(n, inputs, rng) for n in OTHER_POINTS]
    hidden, targets = [np.cos(X @ waves + phases) for X in points], [np.abs(X[:, 0]) for X in points]
    mean = targets[0].mean()
    square, product = hidden[0].T @ hidden[0], hidden[0].T @ (targets[0] - mean)
    missed = []
    for penalty in PENALTIES:
        weights = np.linalg.solve(square + penalty * np.eye(OTHER_UNITS), product)
        errors = zip(hidden[1:], targets[1:], strict=True)
        missed.append([np.square(H @ weights + mean - y).mean() / y.var() for H, y in errors])
    axes = {"penalty": [*PENALTIES], "part": [VALIDATION, HELD_OUT]}
    return xr.Dataset({"missed": (list(axes), missed)}, axes)


def waves_missed(data: Data, inputs: int) -> xr.DataArray:
    """Return by seed what fitted waves miss of |x₁|, held out, at the penalty that is best on validation points."""
    return at_best_rate(data["missed"].sel(inputs=inputs, drop=True).rename(penalty="rate"), larger_is_better=False)


def other_parts(*, generator: torch.Generator) -> list[Part]:
    """Return the points of `fitted_waves` in 100 dimensions and |x₁| there, scaled to train on, in float64.

    Inputs are multiplied by 10, so that each has a mean square near 1; targets have mean 0 and variance 1 on the first.
    """
    inputs, rng = OTHER_INPUTS[-1], np.random.default_rng(generator.initial_seed())
    points = [ball_points(n, inputs, rng) for n in OTHER_POINTS]
    first = np.abs(points[0][:, 0])
    targets = [(np.abs(X[:, :1]) - first.mean()) / first.std() for X in points]
    return [(torch.from_numpy(sqrt(inputs) * X), torch.from_numpy(y)) for X, y in zip(points, targets, strict=True)]


def left_over(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the mean squared error over the targets' variance."""
    with torch.no_grad():
        return ((model(X) - y).square().mean() / y.var(correction=0)).item()


@experiment(
    "01_trained",
    Score("missed", of=left_over),
    rates=TRAINED_RATES,
    seeds=12,
    chunk=12,
    minutes=0.4,
    activation=("relu", "sigmoid"),
)
def trained_units(seeds: Sequence[int], activation: str) -> Sweep:
    """Return 100 → 10 → 1 networks, all of whose weights are trained for |x₁|."""
    build = partial(mlp, [OTHER_INPUTS[-1], TRAINED_UNITS, 1], activation)
    options = {"epochs": 60, "batch_size": 100, "schedule": "one-cycle", "progress": False}
    with one_thread():
        return sweep(lambda **given: build(**given).double(), other_parts, seeds=seeds, lrs=TRAINED_RATES, **options)
