"""Depth and width on real data: scikit-learn's digits, split anew for each seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial

import torch
import xarray as xr

from utils.comparison import HELD_OUT, PARTS, Sweep, at_best_rate, measure_scores, sweep
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


def grid_name(depth: int, width: int) -> str:
    """The name in SHAPES of a network with `depth` hidden layers of `width` units."""
    return f"{depth} × {width}"


def budget_name(budget: int, depth: int) -> str:
    """The name in SHAPES of the widest network of this depth with at most `budget` parameters."""
    return f"{budget} in {depth}"


SHAPES: dict[str, list[int]] = {
    LINEAR: [64, 10],
    **{grid_name(depth, width): [64, *[width] * depth, 10] for depth in DEPTHS for width in WIDTHS},
    **{budget_name(budget, depth): sizes_for(budget, depth) for budget in BUDGETS for depth in DEPTHS},
}


def digit_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of the 1,797 digits, split at random without overlap: 1,078, 360 and 359 images."""
    return _split(generator.initial_seed())


@cache  # 33 shapes ask for the same 20 splits, and reading the table takes its time
def _split(seed: int) -> list[Part]:
    return load_table("digits", FRACTIONS, generator=torch.Generator().manual_seed(seed))


def train_on_digits(sizes: Sequence[int], seeds: Sequence[int], *, epochs: int = EPOCHS) -> Sweep:
    """Networks of these sizes on the digits, with every rate; a seed has a split and initial weights of its own."""
    build = partial(mlp, list(sizes))
    options = {"epochs": epochs, "batch_size": BATCH_SIZE, "schedule": "one-cycle", "progress": False}
    return sweep(build, digit_parts, seeds=seeds, lrs=RATES, **options)


def measure_digits(seeds: Sequence[int], networks: Iterable[str] = SHAPES) -> Data:
    """accuracy by seed, network, rate and part, for each of SHAPES or for those named."""
    return measure_scores(
        "accuracy", lambda network: train_on_digits(SHAPES[network], seeds), parts=PARTS, network=networks
    )


# --- reading what was measured ----------------------------------------------------------------------------


def digits(data: Data, network: str, part: str = HELD_OUT) -> xr.DataArray:
    """The accuracy of one of SHAPES in a part, by seed, at the rate that is best on validation images."""
    return at_best_rate(data["accuracy"].sel(network=network), larger_is_better=True, part=part)


def grid(data: Data, depth: int, width: int) -> xr.DataArray:
    """The held-out accuracy of `depth` hidden layers of `width` units, by seed."""
    return digits(data, grid_name(depth, width))


def at_budget(data: Data, budget: int, depth: int) -> xr.DataArray:
    """The held-out accuracy of the widest network of this depth within the budget, by seed."""
    return digits(data, budget_name(budget, depth))
