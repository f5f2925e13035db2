"""Trainings in float64, read off more than once: what a longer one brings, in one go."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
import xarray as xr
from torch import nn

from utils.comparison import HELD_OUT, PARTS, at_best_rate, generators, one_thread, score
from utils.training import Trainer
from utils.types import Data, Part

BATCH = 32


def in_float64(
    build: Callable[..., nn.Module], make_parts: Callable[..., Sequence[Part]]
) -> tuple[Callable[..., nn.Module], Callable[..., Sequence[Part]]]:
    """Return both, as for `utils.comparison.sweep`, for a training in float64.

    PyTorch rounds sums differently on different processors. In float32 most trainings make that large enough to change
    which labels are missed, in float64 only chaotic ones.
    """

    def parts(**given: object) -> list[Part]:
        return [(X.double() if X.is_floating_point() else X, y) for X, y in make_parts(**given)]

    return lambda **given: build(**given).double(), parts


def errors_at(
    epochs: Sequence[int],
    build: Callable[..., nn.Module],
    make_parts: Callable[..., Sequence[Part]],
    *,
    seeds: Sequence[int],
    rates: Sequence[float],
) -> Data:
    """Return the share of wrong answers, "error", by "seed", "rate", "reading" and "part", by Adam at constant rates.

    build, make_parts: as for `utils.comparison.sweep`, with its three parts.
    epochs: after how many each reading is taken, rising; readings count from 0. NaN where a run diverged.
    """
    build, make_parts = in_float64(build, make_parts)
    parts = [make_parts(generator=generators(seed)[0]) for seed in seeds]
    models = [build(generator=generators(seed)[1]) for seed in seeds for _ in rates]
    X, y = (torch.stack([pairs[0][k] for pairs in parts for _ in rates]) for k in (0, 1))
    errors = np.full((len(seeds), len(rates), len(epochs), len(PARTS)), math.nan)
    with one_thread():
        trainer = Trainer(models, X, y, lr=[*rates] * len(seeds), epochs=epochs[-1], batch_size=BATCH)
        for reading, more in enumerate(np.diff([0, *epochs])):
            trainer.run(int(more))
            for place, (model, history) in enumerate(zip(models, trainer.histories, strict=True)):
                seed, rate = divmod(place, len(rates))
                if not history.diverged:
                    errors[seed, rate, reading] = [1 - score(model, *part) for part in parts[seed]]
    axes = {"seed": [*seeds], "rate": [*rates], "reading": [*range(len(epochs))], "part": [*PARTS]}
    return xr.Dataset({"error": xr.DataArray(errors, axes)})


def best(data: Data, *, reading: int = 0, part: str = HELD_OUT, **cell: object) -> xr.DataArray:
    """Return a part's errors by "seed" of a cell after a reading, at the rate that is best there on validation data."""
    return at_best_rate(data["error"].sel(reading=reading, **cell), larger_is_better=False, part=part)
