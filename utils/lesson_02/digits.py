"""Depth and width on real data: scikit-learn's digits, split anew for each seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np
import torch
from tqdm.auto import tqdm

from utils.comparison import Sweep, best_rate, sweep
from utils.data import load_table
from utils.lesson_02.cost import sizes_for
from utils.models import mlp
from utils.types import Array, Data, Part

FRACTIONS = (0.6, 0.2, 0.2)  # to train on, to choose the rate with, to report
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
EPOCHS, LONGER, BATCH_SIZE = 30, 120, 64
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


def measure_digits(
    seeds: Sequence[int], names: Sequence[str] = tuple(SHAPES), epochs: int = EPOCHS
) -> dict[str, Array]:
    """accuracy, [seeds, names, RATES, 3 parts], for each of SHAPES or for those named."""
    scores = [train_on_digits(SHAPES[name], seeds, epochs=epochs).scores() for name in tqdm(names, leave=False)]
    return {"accuracy": np.stack(scores, axis=1)}


TRAINED_LONGER = (grid_name(1, 4), grid_name(4, 4), budget_name(1000, 1), budget_name(1000, 4))


def measure_longer(seeds: Sequence[int]) -> dict[str, Array]:
    """accuracy, [seeds, TRAINED_LONGER, RATES, 3 parts], after LONGER passes; before, the same after EPOCHS."""
    before, after = (measure_digits(seeds, TRAINED_LONGER, epochs)["accuracy"] for epochs in (EPOCHS, LONGER))
    return {"accuracy": after, "before": before}


# --- reading what was measured ----------------------------------------------------------------------------

TRAIN, VALIDATION, HELD_OUT = 0, 1, 2


def chosen(data: Data, name: str) -> float:
    """The learning rate with which one of SHAPES is best on validation images."""
    return RATES[_place(data, name)]


def digits(data: Data, name: str, part: int = HELD_OUT, names: Sequence[str] = tuple(SHAPES)) -> Array:
    """The accuracy of one of SHAPES in a part, [seeds], at the rate that is best on validation images.

    names: of the shapes in the data, in their order.
    """
    return data["accuracy"][:, names.index(name), _place(data, name, names), part]


def grid(data: Data, depth: int, width: int) -> Array:
    """The held-out accuracy of `depth` hidden layers of `width` units, [seeds]."""
    return digits(data, grid_name(depth, width))


def at_budget(data: Data, budget: int, depth: int) -> Array:
    """The held-out accuracy of the widest network of this depth within the budget, [seeds]."""
    return digits(data, budget_name(budget, depth))


def longer(data: Data, name: str, part: int = HELD_OUT) -> Array:
    """As `digits`, for the data of TRAINED_LONGER."""
    return digits(data, name, part, TRAINED_LONGER)


def narrow_gap(data: Data, passes: str) -> Array:
    """One hidden layer's held-out accuracy minus four layers', each of 4 units, [seeds]; passes: an array's name."""
    return np.subtract(*(longer({"accuracy": data[passes]}, grid_name(depth, 4)) for depth in (1, 4)))


def _place(data: Data, name: str, names: Sequence[str] = tuple(SHAPES)) -> int:
    return best_rate(data["accuracy"][:, names.index(name), :, VALIDATION], larger_is_better=True)
