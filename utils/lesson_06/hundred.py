"""A tanh network of a hundred hidden layers on digits, from orthogonal weights of gain 1 and from Gaussian ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import HELD_OUT, PARTS, VALIDATION, at_best_rate, sweep
from utils.lesson_06.first_aid import N_IN, N_OUT, digits
from utils.models import mlp
from utils.types import Data

DEPTH, WIDTH = 100, 32
EPOCHS, LONGER, BATCH = 30, 4, 100
RATES = (0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003)
GAINS, LONGER_GAIN = (1.0, 1.05, 1.1, 1.15), 1.1  # of Gaussian weights; LONGER_GAIN was best in a first look
KINDS = {"orthogonal": "orthogonal", "Gaussian": "normal"}  # as `initialize` calls them


def hundred_layers(kind: str, width: int = WIDTH, gain: float = 1.0, *, generator: torch.Generator) -> nn.Sequential:
    """Return the network with weights of this kind, one of KINDS, and zero biases."""
    return mlp([N_IN, *[width] * DEPTH, N_OUT], "tanh", init=(KINDS[kind], gain), generator=generator)


@experiment(
    "06_hundred",
    within={"gain": GAINS, "rate": RATES, "part": PARTS},
    seeds=12,
    minutes=3.5,
    chunk=2,
)
def hundred(seeds: Sequence[int]) -> Data:
    """Return accuracies from "orthogonal" weights, "Gaussian" ones by gain, and from these "longer" at LONGER_GAIN."""

    def cell(kind: str, gain: float = 1.0, longer: int = 1) -> xr.DataArray:
        options = {"epochs": EPOCHS * longer, "batch_size": BATCH, "schedule": "cosine", "progress": False}
        return sweep(partial(hundred_layers, kind, gain=gain), digits, seeds=seeds, lrs=RATES, **options).scores()

    return xr.Dataset(
        {
            "orthogonal": cell("orthogonal"),
            "Gaussian": over(partial(cell, "Gaussian"), gain=GAINS),
            "longer": cell("Gaussian", LONGER_GAIN, LONGER),
        }
    )


def reached(data: Data, name: str, gain: float = 1.0, part: str = HELD_OUT) -> xr.DataArray:
    """Return accuracies by seed of what `hundred` has by this name, at the best rate; of Gaussian ones, at a gain."""
    scores = data[name].sel(gain=gain, drop=True) if name == "Gaussian" else data[name]
    return at_best_rate(scores, larger_is_better=True, part=part)


def at_best_gain(data: Data) -> xr.DataArray:
    """Return held-out accuracies by seed from Gaussian weights, at the gain that is best on validation data."""
    best = max(GAINS, key=lambda gain: float(reached(data, "Gaussian", gain, VALIDATION).median()))
    return reached(data, "Gaussian", best)


def hundred_answer(data: Data) -> dict[str, float]:
    """Return what the prediction's answer says: median accuracies, and the number of seeds."""
    return {**{kind.lower(): float(reached(data, kind).median()) for kind in KINDS}, "seeds": data.sizes["seed"]}
