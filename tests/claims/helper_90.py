"""What lesson 90 of the tests measures with; stands beside the course's own modules of utils."""

import numpy as np


def draw(seeds: list[int], center: float) -> np.ndarray:
    """Return one normal number for each seed."""
    return np.array([np.random.default_rng(seed).normal(center, 0.1) for seed in seeds])
