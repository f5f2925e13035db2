"""What lesson 90 of the tests measures with; stands beside the course's own modules of utils."""

import numpy as np
import xarray as xr


def draw(seeds: list[int], center: float) -> xr.DataArray:
    """Return one normal number for each seed."""
    numbers = [np.random.default_rng(seed).normal(center, 0.1) for seed in seeds]
    return xr.DataArray(numbers, {"seed": list(seeds)}, "seed")
