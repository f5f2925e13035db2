"""Networks drawn at random, whose regions on a square are looked at."""

from __future__ import annotations

import torch
from torch import nn

from utils.checks import real_number
from utils.models import mlp

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


def some(number: int, what: str) -> str:
    """Return "1 region", or "2,000 regions"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
