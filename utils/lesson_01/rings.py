"""Two classes in the plane: rings that overlap, and three sets of which each needs more units than the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import ACCURACY, HELD_OUT, PARTS, TRAINING, VALIDATION, Score, Sweep, best_rate, sweep
from utils.data import blobs, circles, spirals, split
from utils.lesson_01.curves import RATES
from utils.models import mlp
from utils.types import Data, Part

RING_RATES = (0.00003, 0.0001, 0.0003, *RATES)  # in a fixed number of steps a small rate is early stopping, too
RING_STEPS = 2000
RING_WIDTHS = (2, 3, 5, 10, 30, 100)
NOISE = 0.35  # the standard deviation of a point's distance from its circle

PLANES: dict[str, Callable[..., Part]] = {
    "two clouds": blobs,
    "two rings": partial(circles, noise=0.15),
    "two spirals": partial(spirals, turns=1.5),
}
PLANE_WIDTHS = (0, 2, 3, 4, 8, 16, 32)  # 0: no hidden layer


def ring_parts(*, generator: torch.Generator, squares: bool = False) -> list[Part]:
    """Return parts of two noisy rings that overlap: 100 points to train on, 1,000 to choose with, 4,000 to report.

    squares: with four features instead of two, x₁, x₂, x₁², x₂².
    """
    parts = split(circles, 100, 1000, 4000, generator=generator, noise=NOISE)
    return [(torch.cat([X, X**2], dim=1), y) for X, y in parts] if squares else parts


def rings(seed: int) -> list[Part]:
    """Return `ring_parts` of a seed."""
    return ring_parts(generator=torch.Generator().manual_seed(seed))


def ring_bayes_accuracy() -> float:
    """Return the accuracy of the best of all classifiers on `ring_parts`, by numerical integration over the radius.

    Both classes have uniform angles, so the better guess depends on the distance from the origin alone, whose
    density is φ((r − R)/s)/s + φ((r + R)/s)/s for a ring of radius R and noise s (a negative draw comes out on
    the other side).
    """
    r, step = np.linspace(0, 6, 60_001, retstep=True)
    densities = [sum(np.exp(-(((r - side * R) / NOISE) ** 2) / 2) for side in (1, -1)) for R in (0.5, 1.5)]
    return float(np.maximum(*densities).sum() * step / (2 * NOISE * np.sqrt(2 * np.pi)))


@torch.no_grad()
def cross_entropy(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the mean cross-entropy of the network's outputs for classes y [n]."""
    return nn.functional.cross_entropy(model(X), y).item()


RINGS: dict[str, tuple] = {  # a network's sizes, its activation, and its data
    "line": ([2, 2], "relu", ring_parts),
    "squares": ([4, 2], "relu", partial(ring_parts, squares=True)),
    "deep linear": ([2, 10, 10, 2], "identity", ring_parts),
    **{f"{width} units": ([2, width, 2], "relu", ring_parts) for width in RING_WIDTHS},
}


@experiment(
    "01_rings",
    ACCURACY,
    Score("loss", of=cross_entropy),
    rates=RING_RATES,
    parts=PARTS,
    seeds=40,
    chunk=20,
    network=RINGS,
)
def on_rings(seeds: Sequence[int], network: str) -> Sweep:
    """Train one of RINGS with every rate."""
    sizes, activation, make_parts = RINGS[network]
    build = partial(mlp, sizes, activation)
    return sweep(build, make_parts, seeds=seeds, lrs=RING_RATES, epochs=RING_STEPS, progress=False)


def ring(data: Data, network: str, part: str = HELD_OUT, by: str = VALIDATION, what: str = "accuracy") -> xr.DataArray:
    """Return for one of RINGS: accuracy (or loss) in `part`, by seed, at the rate that is best in part `by`.

    Best on validation points is the highest accuracy, best on the training points the lowest loss: the rate that
    has learned most of them by heart (several may be right on all).
    """
    criterion = data["loss" if by == TRAINING else "accuracy"]
    rate = best_rate(criterion.sel(network=network, part=by), larger_is_better=by != TRAINING)
    return data[what].sel(network=network, part=part, rate=rate)


@experiment("01_planes", ACCURACY, rates=RATES, parts=PARTS, set=PLANES, width=PLANE_WIDTHS)
def on_planes(seeds: Sequence[int], set: str, width: int) -> Sweep:
    """Train one hidden layer of `width` units on one of PLANES, 500 points to train on, with every rate."""
    make_parts = partial(split, PLANES[set], 500, 1000, 4000)
    build = partial(mlp, [2, width, 2] if width else [2, 2])
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, epochs=3000, schedule="one-cycle", progress=False)
