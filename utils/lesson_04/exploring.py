"""Every region of a network on a square: the one around a point, and the pieces along a line through it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from utils.checks import real_number
from utils.models import mlp
from utils.regions import Region, Regions, linear_regions

SQUARE = ((-1.0, 1.0), (-1.0, 1.0))
BIAS_STD = 0.5


def drawn_network(depth: int, width: int, seed: int = 0, gain: float = 1.0) -> nn.Sequential:
    """Return a ReLU network 2 → width → … → 1 with weights N(0, 2 gain² / n_in) and biases N(0, ¼).

    A seed's weights are the same at every gain, but for that factor. The biases do not grow with the gain: a network
    without biases has its creases in the same places at every gain.
    """
    generator = torch.Generator().manual_seed(seed)
    gain = real_number("gain", gain, least=0)
    return mlp([2, *[width] * depth, 1], init=("he", gain), bias_std=BIAS_STD, generator=generator)


def region_at(regions: Regions, point: Sequence[float]) -> Region:
    """Return the polygon that holds the point, or one at whose edge it lies; the point is inside of the box."""
    after = np.arange(1, len(regions.vertices) + 1)
    after[regions.ends - 1] = regions.starts
    edges, ways = regions.vertices[after] - regions.vertices, np.asarray(point) - regions.vertices
    inside = (edges[:, 0] * ways[:, 1] - edges[:, 1] * ways[:, 0]) / np.hypot(*edges.T)  # to the left of each edge
    return regions[int(np.argmax(np.minimum.reduceat(inside, regions.starts)))]


def cell_on(line: nn.Sequential, x: float) -> tuple[float, float]:
    """Return the ends of the activation cell around x of a network of one input, within the square's side."""
    cells = linear_regions(line, SQUARE[0])
    return cells[min(int(np.searchsorted(cells.vertices[1::2, 0], x)), len(cells) - 1)].interval


def some(number: int, what: str) -> str:
    """Return "1 region", or "2,000 regions"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
