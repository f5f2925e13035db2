"""Three sets in the plane: how many hidden units each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from tqdm.auto import tqdm

from utils.comparison import Sweep, sweep
from utils.data import blobs, circles, spirals, split
from utils.lesson_01.curves import RATES, at_best_rate
from utils.lesson_01.rings import HELD_OUT
from utils.models import mlp
from utils.types import Array, Data, Part

PLANES: dict[str, Callable[..., Part]] = {
    "two clouds": blobs,
    "two rings": partial(circles, noise=0.15),
    "two spirals": partial(spirals, turns=1.5),
}


def train_on_plane(name: str, width: int, seeds: Sequence[int]) -> Sweep:
    """One hidden layer of `width` units (0: none) on one of PLANES, 500 points to train on, with every rate."""
    make_parts = partial(split, PLANES[name], 500, 1000, 4000)
    build = partial(mlp, [2, width, 2] if width else [2, 2])
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, epochs=3000, schedule="one-cycle", progress=False)


PLANE_WIDTHS = (0, 2, 3, 4, 8, 16, 32)


def measure_planes(seeds: Sequence[int]) -> dict[str, Array]:
    """accuracy, [seeds, sets, widths, rates, 3 parts]: `train_on_plane` for PLANES and PLANE_WIDTHS."""
    pairs = [(name, width) for name in PLANES for width in PLANE_WIDTHS]
    scores = [train_on_plane(*pair, seeds).scores() for pair in tqdm(pairs, leave=False)]
    grid = np.stack(scores, axis=1)
    return {"accuracy": grid.reshape(len(grid), len(PLANES), len(PLANE_WIDTHS), *grid.shape[2:])}


# --- reading what was measured ----------------------------------------------------------------------------


def plane(data: Data, name: str, width: int) -> Array:
    """The held-out accuracy on one of PLANES, [seeds], at the best rate."""
    scores = data["accuracy"][:, list(PLANES).index(name), PLANE_WIDTHS.index(width)]
    return at_best_rate(scores, larger_is_better=True)[:, HELD_OUT]
