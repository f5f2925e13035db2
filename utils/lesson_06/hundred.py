"""A tanh network of a hundred hidden layers on digits, from orthogonal and from Gaussian weights of gain 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import nn

from utils.axes import over
from utils.comparison import at_best_rate, sweep
from utils.lesson_06.first_aid import N_IN, N_OUT, digits
from utils.models import mlp
from utils.types import Data

DEPTH, WIDTH = 100, 32
EPOCHS, LONGER, BATCH = 30, 4, 100
RATES = (0.000003, 0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003)
KINDS = {"orthogonal": "orthogonal", "Gaussian": "normal"}  # as `initialize` calls them


def hundred_layers(kind: str, *, generator: torch.Generator) -> nn.Sequential:
    """The network with weights of this kind, one of KINDS, and zero biases."""
    return mlp([N_IN, *[WIDTH] * DEPTH, N_OUT], "tanh", init=KINDS[kind], generator=generator)


def measure_hundred(seeds: Sequence[int]) -> Data:
    """Accuracies by seed, rate and part: "accuracy" by kind too; "longer", from Gaussian weights with more steps."""

    def cell(kind: str, longer: int = 1) -> xr.DataArray:
        trained = sweep(
            partial(hundred_layers, kind), digits, seeds=seeds, lrs=RATES, epochs=EPOCHS * longer,
            batch_size=BATCH, schedule="cosine", progress=False,
        )
        return trained.scores()

    return xr.Dataset({"accuracy": over(cell, kind=KINDS), "longer": cell("Gaussian", LONGER)})


def of_kind(data: Data, kind: str) -> xr.DataArray:
    """Accuracies by seed, rate and part from weights of this kind, "longer" for Gaussian ones with more steps."""
    return data["longer"] if kind == "longer" else data["accuracy"].sel(kind=kind, drop=True)


def reached(data: Data, kind: str) -> xr.DataArray:
    """By seed the held-out accuracy at the rate that is best on validation data."""
    return at_best_rate(of_kind(data, kind), larger_is_better=True)


def hundred_answer(data: Data) -> dict[str, float]:
    """What the prediction's answer says: median accuracies, and the number of seeds."""
    medians = {name: float(reached(data, kind).median()) for name, kind in
               (("orthogonal", "orthogonal"), ("gaussian", "Gaussian"))}
    return {**medians, "seeds": data.sizes["seed"]}
