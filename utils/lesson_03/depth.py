"""How many blocks a spiral needs: stacks of one to four blocks of 8 units, and one wide block, on one to two turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import nn

from utils.claims import experiment
from utils.comparison import ACCURACY, Sweep, sweep
from utils.data import spirals, split
from utils.lesson_03.folding import identity_block
from utils.lesson_03.probing import EPOCHS, NOISE, RATES, SCHEDULE
from utils.models import mlp
from utils.types import Data

UNITS = 8  # of a narrow block
MOST_BLOCKS = 4
TURNS = (1.0, 1.25, 1.5, 1.75, 2.0)
SHAPES = {  # by name: blocks, and units of each
    "1 block of 8": (1, 8),
    "2 blocks of 8": (2, 8),
    "3 blocks of 8": (3, 8),
    "4 blocks of 8": (4, 8),
    "1 block of 16": (1, 16),
    "1 block of 32": (1, 32),
}
NARROW = tuple(SHAPES)[:MOST_BLOCKS]
IDENTITY, DEFAULT = STARTS = ("identity", "PyTorch's")
POINTS, NEW = 1000, 2000  # to train on, and to choose the rate by; held out
ENOUGH = 0.9  # of the held-out points on their side


def stack(blocks: int, units: int, start: str = IDENTITY, *, generator: torch.Generator) -> nn.Sequential:
    """Return blocks 2 → units → 2 and an affine read-out, in one row of layers; ``start`` is one of STARTS.

    With "identity" each block leaves the plane as it is; the read-out, and with the other start all, is PyTorch's.
    """
    layers = []
    for _ in range(blocks):
        layers += identity_block(units, generator) if start == IDENTITY else mlp([2, units, 2], generator=generator)
    return nn.Sequential(*layers, *mlp([2, 2], generator=generator))


@experiment("03_depth", ACCURACY, rates=RATES, minutes=4, shape=SHAPES, turns=TURNS, start=STARTS)
def depths(seeds: Sequence[int], shape: str, turns: float, start: str) -> Sweep:
    """Return the shape's accuracies on the two arms of a spiral."""
    make_parts = partial(split, spirals, POINTS, POINTS, NEW, turns=turns, noise=NOISE)
    return sweep(partial(stack, *SHAPES[shape], start), make_parts, seeds=seeds, lrs=RATES, epochs=EPOCHS, **SCHEDULE)


def accuracy(data: Data, shape: str, turns: float, start: str = IDENTITY) -> xr.DataArray:
    """Return held-out accuracy by seed, at the rate that is best on validation points."""
    return depths.best(data, shape=shape, turns=turns, start=start)


def medians(data: Data, start: str = IDENTITY) -> xr.DataArray:
    """Return median held-out accuracies by "shape" and "turns"."""
    found = [[float(accuracy(data, shape, turns, start).median()) for turns in TURNS] for shape in SHAPES]
    return xr.DataArray(found, [("shape", [*SHAPES]), ("turns", [*TURNS])])


def depth_answer(data: Data) -> dict:
    """Return the narrow stacks' medians at the longest spiral, "narrow", of 100 the first two, "one" and "two"; and how
    many blocks it takes to have ENOUGH right, "needed", in a word.
    """
    narrow = medians(data).sel(shape=[*NARROW], turns=TURNS[-1]).values.tolist()
    words = ("One", "Two", "Three", "Four", "More than four")
    return {"narrow": narrow, "one": 100 * narrow[0], "two": 100 * narrow[1], "needed": words[fewest(narrow) - 1]}


def fewest(narrow: Sequence[float], **_: object) -> int:
    """Return how many blocks it takes to have ENOUGH right, of medians by blocks; one more than all where none does."""
    return next((blocks for blocks, right in enumerate(narrow, 1) if right >= ENOUGH), len(narrow) + 1)
