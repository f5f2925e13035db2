"""A tanh network of a hundred hidden layers on digits, from orthogonal and from Gaussian weights of gain 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import PARTS, at_best_rate, sweep
from utils.lesson_06.first_aid import N_IN, N_OUT, digits
from utils.models import mlp
from utils.types import Data

DEPTH, WIDTH = 100, 32
EPOCHS, LONGER, BATCH = 30, 4, 100
RATES = (0.000003, 0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003)
KINDS = {"orthogonal": "orthogonal", "Gaussian": "normal"}  # as `initialize` calls them


def hundred_layers(kind: str, width: int = WIDTH, *, generator: torch.Generator) -> nn.Sequential:
    """Return the network with weights of this kind, one of KINDS, and zero biases."""
    return mlp([N_IN, *[width] * DEPTH, N_OUT], "tanh", init=KINDS[kind], generator=generator)


@experiment(
    "06_hundred", within={"kind": KINDS, "rate": RATES, "part": PARTS}, seeds=12, minutes=3, chunk=2,
)
def hundred(seeds: Sequence[int]) -> Data:
    """Return accuracies: "accuracy" by kind too; "longer", from Gaussian weights with more steps."""

    def cell(kind: str, longer: int = 1) -> xr.DataArray:
        options = {"epochs": EPOCHS * longer, "batch_size": BATCH, "schedule": "cosine", "progress": False}
        return sweep(partial(hundred_layers, kind), digits, seeds=seeds, lrs=RATES, **options).scores()

    return xr.Dataset({"accuracy": over(cell, kind=KINDS), "longer": cell("Gaussian", LONGER)})


def reached(data: Data, kind: str) -> xr.DataArray:
    """Return held-out accuracies by seed, tuned, from one of KINDS, or "longer": Gaussian weights with more steps."""
    scores = data["longer"] if kind == "longer" else data["accuracy"].sel(kind=kind, drop=True)
    return at_best_rate(scores, larger_is_better=True)


def hundred_answer(data: Data) -> dict[str, float]:
    """Return what the prediction's answer says: median accuracies, and the number of seeds."""
    return {**{kind.lower(): float(reached(data, kind).median()) for kind in KINDS}, "seeds": data.sizes["seed"]}
