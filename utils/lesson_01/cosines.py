"""Random cosines for a bell in many dimensions."""

from __future__ import annotations

import numpy as np
import xarray as xr

from utils.claims import experiment
from utils.types import Data

COSINE_INPUTS, COSINE_UNITS = (1, 10, 100), (10, 100, 1000)


def cosine_errors(n_in: int, n_units: int, seed: int, *, n_points: int = 1000) -> tuple[float, float]:
    """Return the mean squared error of n random cosine units for exp(−|x|²/2), and what the theory expects of it.

    The points have random directions, and lengths uniform in [0, 2] whatever n_in is: so the target varies as much
    in many dimensions as in one.
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_points, n_in))
    X *= rng.uniform(0, 2, size=(n_points, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    squares = np.square(X).sum(axis=1)
    network = np.cos(X @ rng.normal(size=(n_in, n_units))).mean(axis=1)
    expected = np.square(1 - np.exp(-squares)).mean() / (2 * n_units)
    return float(np.square(network - np.exp(-squares / 2)).mean()), float(expected)


def bell_variance() -> float:
    """Return the variance of exp(−|x|²/2) for |x| uniform in [0, 2]: the squared error of the best constant."""
    length = np.linspace(0, 2, 200_001)
    return float(np.exp(-(length**2) / 2).var())


@experiment("01_cosines", seeds=40, minutes=0.2, inputs=COSINE_INPUTS, units=COSINE_UNITS)
def cosines(seed: int, inputs: int, units: int) -> Data:
    """Return both errors of `cosine_errors`, measured and expected."""
    return xr.Dataset(dict(zip(("measured", "expected"), cosine_errors(inputs, units, seed), strict=True)))


def largest(data: Data, what: str = "measured") -> xr.DataArray:
    """Return the squared error of 1,000 units in 100 dimensions, measured (or expected), by seed."""
    return data[what].sel(inputs=100, units=1000)
