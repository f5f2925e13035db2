"""x² by depth and by hinges: the two networks, what is proved of their errors, and what is measured."""

from __future__ import annotations

import copy

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import nn

from utils.checks import whole_number
from utils.constructions import hinge_network, relu_interpolant, relu_network
from utils.types import Array
from utils.withholding import withholdable

SAMPLES = 4096  # pieces, at most, in whose middles an error is measured
BEND = np.array([2.0, -4.0, 0.0])  # the tent, from the three units of a layer


@withholdable
def square_network(m: int) -> nn.Sequential:
    """Return the network [1, 3, …, 3, 1] of m hidden layers that computes x − Σ_{s≤m} tent^s(x) / 4^s on [0, 1].

    It interpolates x² between the multiples of 2^-m (Yarotsky 2017, Proposition 2). In every layer two units fold, and
    the third carries the running sum, which is at least x² there, so that ReLU leaves it alone. float64. Raises
    TypeError or ValueError for an m that is not 1, 2, …
    """
    layers = [(np.ones((3, 1)), np.array([0.0, -0.5, 0.0]))]
    for s in range(1, whole_number("m", m) + 1):
        total = np.array([0.0, 0.0, 1.0]) - BEND / 4.0**s
        layers.append((np.stack([BEND, BEND, total]), np.array([0.0, -0.5, 0.0])))
    weight, bias = layers.pop()
    return relu_network([*layers, (weight[2:], bias[2:])], double=True)


def hinges(pieces: int) -> nn.Sequential:
    """Return the network of one hidden layer, a unit for each piece, that interpolates x² on [0, 1]. float64."""
    knots = np.linspace(0, 1, whole_number("pieces", pieces) + 1)
    return hinge_network(*relu_interpolant(knots, knots**2), double=True)


def depth_error(m: ArrayLike) -> Array:
    """Return the largest error of `square_network` on [0, 1], 4^-(m+1): in the middle of every piece."""
    return 4.0 ** -(np.asarray(m, dtype=float) + 1)


def hinge_error(pieces: ArrayLike, *, best: bool = False) -> Array:
    """Return the largest error on [0, 1] of the interpolant of x² on equal pieces, 1/(4N²); or the least possible.

    The least with N pieces is 1/(8N²): one of them is at least 1/N long, and the best line for x² on an interval of
    length h misses it by h²/8 (Chebyshev). The interpolant, lowered by as much, attains it.
    """
    return 1 / ((8 if best else 4) * np.asarray(pieces, dtype=float) ** 2)


def measured_error(model: nn.Sequential, pieces: int, dtype: torch.dtype = torch.float64) -> float:
    """Return the largest error in the middles of the pieces, of at most 4,096 of them, computed in ``dtype``."""
    middles = (np.unique(np.linspace(0, pieces - 1, min(pieces, SAMPLES)).round()) + 0.5) / pieces
    x = torch.tensor(middles[:, None], dtype=dtype)
    with torch.no_grad():
        y_hat = copy.deepcopy(model).to(dtype)(x)[:, 0]
    exact = x.numpy()[:, 0].astype(np.longdouble) ** 2
    return float(np.abs(y_hat.numpy().astype(np.longdouble) - exact).max())
