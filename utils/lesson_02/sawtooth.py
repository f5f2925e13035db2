"""The sawtooth of lesson 02: built exactly, and what training finds of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import Score, Sweep, sweep
from utils.constructions import hinge_network, relu_interpolant
from utils.data import curve, sawtooth, split
from utils.models import mlp
from utils.types import Data, Part

VARIANCE = 1 / 12  # of the sawtooth, whose values are uniform on [0, 1]: the squared error of the best constant
CENTRED = (-1.0, 1.0)


# --- hand-built ----------------------------------------------------------------------------


def one_layer_sawtooth(k: int) -> nn.Sequential:
    """Return the sawtooth of 2^k pieces with one hidden layer, of 2^k units: the interpolant of its corners."""
    corners = np.linspace(0, 1, 2**k + 1)
    return hinge_network(*relu_interpolant(corners, np.arange(2**k + 1) % 2))


# --- trained from random weights --------------------------------------------------------------------------

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
EPOCHS, BATCH = 1000, 125  # of 1,000 points: 8,000 steps
FOLDS = (2, 3, 4, 5, 6)
RANDOM = {"init": "he", "bias_std": 0.5}  # bends all over the interval, and values that keep their size with depth


def _deep(width: int) -> Callable[[int], list[int]]:
    return lambda k: [1, *[width] * k, 1]


SHAPES = {  # the sizes for each k
    "2 wide, k deep": _deep(2),
    "8 wide, k deep": _deep(8),
    "one layer, as many parameters as 8 wide": lambda k: [1, 24 * k - 16, 1],
}
NARROW, WIDE, AS_WIDE = SHAPES
FOUND = 0.01  # of the variance missed, at most


def sawtooth_parts(k: int, *, generator: torch.Generator) -> list[Part]:
    """Return 1,000 random points to train on, 1,000 others to choose with, and 4,096 evenly spaced ones to report.

    Inputs are u = 2x − 1, in [-1, 1], since networks train better on those.
    """
    data = partial(curve, target=lambda u: sawtooth((u + 1) / 2, k), bounds=CENTRED)
    x = (torch.arange(4096)[:, None] + 0.5) / 4096
    return [*split(data, 1000, 1000, generator=generator), (2 * x - 1, sawtooth(x, k))]


@torch.no_grad()
def share_missed(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the network's mean squared error as a share of the best constant's: 0 is the sawtooth itself, 1 a
    constant.
    """
    return (model(X) - y).square().mean().item() / VARIANCE


def train_on_sawtooth(
    k: int,
    build: Callable[..., nn.Module],
    seeds: Sequence[int],
    *,
    lrs: Sequence[float] = RATES,
    epochs: int = EPOCHS,
) -> Sweep:
    """Return networks on the sawtooth of 2^k pieces, at each rate. build: takes generator=… and returns a network."""
    options = {"epochs": epochs, "batch_size": BATCH, "schedule": "one-cycle", "progress": False}
    return sweep(build, partial(sawtooth_parts, k), seeds=seeds, lrs=lrs, **options)


def train_shape(shape: str, folds: int, seeds: Sequence[int], **options: object) -> Sweep:
    """Return `train_on_sawtooth` for one of SHAPES."""
    return train_on_sawtooth(folds, partial(mlp, SHAPES[shape](folds), **RANDOM), seeds, **options)


@experiment(
    "02_saw_shapes",
    Score("missed", of=share_missed),
    rates=RATES,
    seeds=80,
    minutes=4,
    chunk=10,
    shape=SHAPES,
    folds=FOLDS,
)
def shapes(seeds: Sequence[int], shape: str, folds: int) -> Sweep:
    """Train one of SHAPES from random weights."""
    return train_shape(shape, folds, seeds)


# --- reading what was measured ----------------------------------------------------------------------------


def missed(data: Data, shape: str, k: int) -> xr.DataArray:
    """Return the share of the variance that a shape misses after training, held-out, by seed, at the best rate."""
    return shapes.best(data, shape=shape, folds=k)


def share_found(data: Data, shape: str, k: int) -> float:
    """Return the share of seeds that found the sawtooth of 2^k pieces: missed at most FOUND of its variance."""
    return float((missed(data, shape, k) <= FOUND).mean())
