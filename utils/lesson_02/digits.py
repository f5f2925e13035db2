"""Depth and width on real data: scikit-learn's digits, split anew for each seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import torch
import xarray as xr

from utils.claims import experiment
from utils.comparison import ACCURACY, PARTS, Sweep, sweep
from utils.data import load_table
from utils.lesson_02.cost import sizes_for
from utils.models import mlp
from utils.types import Data, Part

FRACTIONS = (0.6, 0.2, 0.2)  # to train on, to choose the rate with, to report
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
EPOCHS, BATCH_SIZE = 30, 64
DEPTHS, WIDTHS = (1, 2, 3, 4), (4, 8, 16, 32, 64, 128)
BUDGETS = (1000, 5000)  # parameters
LINEAR = "no hidden layer"
SHAPES = {  # by name, also of the widest networks of each depth with at most so many parameters
    LINEAR: [64, 10],
    **{f"{depth} × {width}": [64, *[width] * depth, 10] for depth in DEPTHS for width in WIDTHS},
    **{f"{budget} in {depth}": sizes_for(budget, depth) for budget in BUDGETS for depth in DEPTHS},
}


def digit_parts(*, generator: torch.Generator) -> list[Part]:
    """Return three parts of the 1,797 digits, split at random without overlap: 1,078, 360 and 359 images."""
    return _split(generator.initial_seed())


@cache  # 33 shapes ask for the same 20 splits, and reading the table takes its time
def _split(seed: int) -> list[Part]:
    return load_table("digits", FRACTIONS, generator=torch.Generator().manual_seed(seed))


@experiment("02_digits", ACCURACY, rates=RATES, parts=PARTS, minutes=2, network=SHAPES)
def digits(seeds: Sequence[int], network: str) -> Sweep:
    """Train one of SHAPES on the digits; a seed has a split and initial weights of its own."""
    build = partial(mlp, SHAPES[network])
    options = {"epochs": EPOCHS, "batch_size": BATCH_SIZE, "schedule": "one-cycle", "progress": False}
    return sweep(build, digit_parts, seeds=seeds, lrs=RATES, **options)


# --- reading what was measured ----------------------------------------------------------------------------


def grid(data: Data, depth: int, width: int) -> xr.DataArray:
    """Return the held-out accuracy of `depth` hidden layers of `width` units, by seed."""
    return digits.best(data, network=f"{depth} × {width}")


def at_budget(data: Data, budget: int, depth: int) -> xr.DataArray:
    """Return the held-out accuracy of the widest network of this depth within the budget, by seed."""
    return digits.best(data, network=f"{budget} in {depth}")
