"""The checkerboard of 2^k × 2^k squares on the unit square: folded by layers, drawn by one layer, and scored by areas.

Its squares are +1 and −1 in turn, +1 in the corner at (0, 0).
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor, nn

from utils.checks import real_number, whole_number
from utils.constructions import relu_network
from utils.data import checkerboard_labels
from utils.regions import linear_regions
from utils.types import Array
from utils.withholding import withholdable

TENT = (2.0, -4.0)  # tent(x) = 2 relu(x) − 4 relu(x − ½) for x ≥ 0
UNIT_SQUARE = ((0.0, 1.0), (0.0, 1.0))


def board_signs(X: Tensor, k: int) -> Tensor:
    """Return the board's sign, int64 [n], at the points X [n, 2] of the unit square."""
    return 1 - 2 * checkerboard_labels(X, 2 ** (whole_number("k", k) - 1), (0.0, 1.0))


# --- the two networks -------------------------------------------------------------------------------------


@withholdable
def folded_board(k: int, shift: float = 0.5) -> nn.Sequential:
    """Return the network [2, 4, …, 4, 1] of k + 1 hidden layers that is positive where the board is +1.

    k layers fold: a = tent^k(x + shift · 2^-k) − ½, two units a layer, and b from y likewise. The last one cuts:
    |a + b| − |a − b| = 2 min(|a|, |b|) sign(ab), four units. What is affine between two ReLUs is one layer. With
    shift = 0, folds on the grid lines, the sign is right on half of every square only. All numbers are powers of two:
    for shift = ½, and for 0, the output is exact at multiples of 2^-12, in float32, too.
    Raises TypeError or ValueError for a k that is not 1, 2, …, and a shift that is no number.
    """
    beside = real_number("shift", shift) / 2 ** whole_number("k", k)
    both = np.kron(np.eye(2), [TENT])  # from the four units of a fold to (a + ½, b + ½)
    split, offsets = np.kron(np.eye(2), np.ones((2, 1))), np.array([0.0, -0.5, 0.0, -0.5])
    signs = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    folds = [(split, offsets + beside)] + [(split @ both, offsets)] * (k - 1)
    cut = [(signs @ both, signs @ [-0.5, -0.5]), (np.array([[1.0, 1.0, -1.0, -1.0]]), np.zeros(1))]
    return relu_network([*folds, *cut])


def shallow_board(k: int) -> nn.Sequential:
    """Return the network [2, 4 · 2^k − 5, 1] that is positive where the board is +1 and negative where it is −1.

    Zigzag(u − v) − zigzag(u + v) for u = 2^k x, v = 2^k y, where a zigzag is 1 at even numbers, −1 at odd ones, and
    straight between them. Of the whole numbers that u − v and u + v pass in the square the first and the last get no
    hinge: these cut through corner squares only, where going straight on keeps the sign. That leaves 2 · 2^k − 3
    hinges for each, and one unit more makes −4 v, the linear part. Raises TypeError or ValueError for a k that is not
    1, 2, …
    """
    m = 2 ** whole_number("k", k)
    turns = -4.0 * (-1.0) ** np.arange(2 * m - 3)  # the zigzag's changes of slope, the first one downwards
    falling, rising = np.arange(2 - m, m - 1), np.arange(2, 2 * m - 1)  # where u − v and u + v are whole
    weight = m * np.repeat([[1.0, -1.0], [1.0, 1.0], [0.0, 1.0]], [2 * m - 3, 2 * m - 3, 1], axis=0)
    hidden = weight, -np.concatenate([falling, rising, [0]])
    return relu_network([hidden, (np.concatenate([turns, -turns, [-4.0]])[None], np.array([2.0 * m]))])


def deep_units(k: int) -> int:
    """Return 4 (k + 1), the hidden units of `folded_board`."""
    return 4 * (whole_number("k", k) + 1)


def shallow_units(k: int) -> int:
    """Return 4 · 2^k − 5, the hidden units of `shallow_board`: with fewer, no network of one hidden layer has the
    board's signs. The proof is in excursion 04b.
    """
    return 4 * 2 ** whole_number("k", k) - 5


def inner_corners(k: int) -> Array:
    """Return the places [(2^k − 1)², 2] inside the unit square in which four squares of the board meet."""
    lines = np.arange(1, 2 ** whole_number("k", k)) / 2**k
    return np.stack(np.meshgrid(lines, lines), axis=-1).reshape(-1, 2)


def outer_corners(k: int) -> Array:
    """Return the inner corners [2 · 2^k − 3, 2] of the lowest row and the first column: no rising line has two."""
    corners = inner_corners(k)
    return corners[(corners == corners.min()).any(axis=1)]


# --- what they do -----------------------------------------------------------------------------------------


def share_right(model: nn.Sequential, k: int) -> float:
    """Return the share of the unit square's area on which the network is positive where the board is +1 and only there.

    Exact but for rounding: every region is cut along the board's grid and along the network's zero line, and its area
    counted or not. model: as in `linear_regions`, two inputs, one output, starting with nn.Linear, nn.ReLU, nn.Linear.
    Raises ValueError for another one.
    """
    cells = linear_regions(nn.Sequential(*_ruled(model, k), nn.ReLU()), UNIT_SQUARE)
    centres = cells.centres()
    positive = np.einsum("ni,ni->n", cells.A[:, 0], centres) + cells.c[:, 0] > 0
    right = positive == (board_signs(torch.from_numpy(centres), k).numpy() > 0)
    return float(cells.sizes()[right].sum())


def _ruled(model: nn.Sequential, k: int) -> nn.Sequential:
    """Return the same network with a unit for each inner grid line in its first layer, which nothing reads."""
    ruled = copy.deepcopy(model).double()
    if [type(module) for module in ruled[:3]] != [nn.Linear, nn.ReLU, nn.Linear] or ruled[-1].out_features != 1:
        raise ValueError(f"model is {model}: wanted nn.Linear, nn.ReLU, nn.Linear, …, with one output")
    lines = torch.arange(1, 2 ** whole_number("k", k)).double() / 2**k
    first, second = ruled[0], ruled[2]
    first.weight.data = torch.cat([first.weight.data, torch.eye(2).double().repeat_interleave(len(lines), dim=0)])
    first.bias.data = torch.cat([first.bias.data, -lines, -lines])
    second.weight.data = torch.cat([second.weight.data, second.weight.new_zeros(len(second.weight), 2 * len(lines))], 1)
    return ruled
