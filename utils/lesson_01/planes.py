"""Three sets in the plane: how many hidden units each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import xarray as xr

from utils.comparison import PARTS, Sweep, at_best_rate, measure_scores, sweep
from utils.data import blobs, circles, spirals, split
from utils.lesson_01.curves import RATES
from utils.models import mlp
from utils.types import Data, Part

PLANES: dict[str, Callable[..., Part]] = {
    "two clouds": blobs,
    "two rings": partial(circles, noise=0.15),
    "two spirals": partial(spirals, turns=1.5),
}


def train_on_plane(set: str, width: int, seeds: Sequence[int]) -> Sweep:
    """One hidden layer of `width` units (0: none) on one of PLANES, 500 points to train on, with every rate."""
    make_parts = partial(split, PLANES[set], 500, 1000, 4000)
    build = partial(mlp, [2, width, 2] if width else [2, 2])
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, epochs=3000, schedule="one-cycle", progress=False)


PLANE_WIDTHS = (0, 2, 3, 4, 8, 16, 32)


def measure_planes(seeds: Sequence[int]) -> Data:
    """accuracy by seed, set, width, rate and part: `train_on_plane` for PLANES and PLANE_WIDTHS."""
    train = partial(train_on_plane, seeds=seeds)
    return measure_scores("accuracy", train, parts=PARTS, set=PLANES, width=PLANE_WIDTHS)


# --- reading what was measured ----------------------------------------------------------------------------


def plane(data: Data, name: str, width: int) -> xr.DataArray:
    """The held-out accuracy on one of PLANES, by seed, at the best rate."""
    return at_best_rate(data["accuracy"].sel(set=name, width=width), larger_is_better=True)
