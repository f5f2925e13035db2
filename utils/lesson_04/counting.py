"""How many linear regions could a ReLU network have, how many can be built, and how many are there?

Bounds and constructions are for hidden layers of n_1, …, n_L units on n_0 inputs, the numbers `widths` and `inputs`,
and count activation cells of the whole input space, as `utils.regions` does within a box. Sources:

- Zaslavsky 1975, "Facing up to arrangements";
- Montúfar, Pascanu, Cho & Bengio 2014, "On the number of linear regions of deep neural networks";
- Raghu, Poole, Kleinberg, Ganguli & Sohl-Dickstein 2017, "On the expressive power of deep neural networks", and
  Montúfar 2017, "Notes on the number of linear regions of deep neural networks";
- Serra, Tjandraatmadja & Ramalingam 2018, "Bounding and counting linear regions of deep neural networks".

The board that networks learn is `utils.data.checkerboard`: 4 × 4 squares on [-1, 1]².
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from math import comb, prod

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.checks import whole_number
from utils.claims import experiment
from utils.comparison import HELD_OUT, UNSEEN, VALIDATION, as_rates, best_rates, generators, sweep
from utils.constructions import relu_network
from utils.data import checkerboard, split
from utils.models import mlp
from utils.regions import Bounds, count_regions
from utils.types import Array, Data, Part
from utils.withholding import withholdable

UNITS = 32
SHAPES = {f"{depth}×{UNITS // depth}": depth for depth in (1, 2, 4, 8)}  # by name, the number of hidden layers
SHALLOW, DEEP, NARROW = LONGER = ("1×32", "4×8", "8×4")  # those that are trained four times as long, too
DEFAULT, HE = INITS = ("PyTorch's", "He")
WIDER = "He, wider biases"
BIAS_STDS = {HE: 0.1, WIDER: 0.5}  # He's initialisation has biases 0, whose creases would all pass through one point
BOX: Bounds = ((-1.0, 1.0), (-1.0, 1.0))  # that the board fills
WIDE: Bounds = ((-1000.0, 1000.0), (-1000.0, 1000.0))
BOARD, PLANE = PLACES = ("board", "plane")
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
COMMON_RATE = 0.03  # at which one layer and four both learn
SMALLER = 0.1  # than the rate at which one layer from He's weights is best, by little
POINTS = (2000, 1000, 4000)  # to train on, to choose the rate and the initialisation with, to report
TRAINING = {"batch_size": 100, "schedule": "one-cycle", "progress": False}
EPOCHS, LONGER_EPOCHS = 200, 800  # 4,000 steps, and 16,000
GROWN = (32, 64, 128, 256)  # units in all
GROWN_DEPTHS = (1, 2, 4, 8)


# --- what is proved ---------------------------------------------------------------------------------------


@withholdable
def general_position(units: int, inputs: int) -> int:
    """Return the most regions that so many hyperplanes cut the space into: Σ_{j ≤ inputs} C(units, j).

    Those in general position have as many (Schläfli, about 1852); Zaslavsky 1975 counts those of any arrangement.
    Raises TypeError or ValueError.
    """
    units, inputs = whole_number("units", units, least=0), whole_number("inputs", inputs, least=0)
    return sum(comb(units, j) for j in range(inputs + 1))


@withholdable
def product_bound(widths: Sequence[int], inputs: int) -> int:
    """Return Π_l Σ_{j ≤ d_l} C(n_l, j) with d_l = min(n_0, …, n_l), which no network has more regions than.

    Each layer cuts each region, on which all before it is affine, so its image has at most d_l dimensions (Montúfar
    2017; Raghu et al. 2017 have its order of growth). Raises TypeError or ValueError.
    """
    widths, inputs = _checked(widths, inputs)
    dimensions = accumulate([inputs, *widths], min)
    next(dimensions)
    return prod(general_position(width, d) for width, d in zip(widths, dimensions, strict=True))


@withholdable
def serra_bound(widths: Sequence[int], inputs: int) -> int:
    """Return the bound Σ_{(j_1, …, j_L) ∈ J} Π_l C(n_l, j_l) of Serra et al. 2018, theorem 1.

    J: all whole numbers 0 ≤ j_l ≤ min(n_0, n_1 − j_1, …, n_{l−1} − j_{l−1}, n_l). A region of layer l with n_l − j_l
    active units has an image of at most so many dimensions, and C(n_l, j_l) bounds how many there are of these.
    Raises TypeError or ValueError.
    """
    widths, inputs = _checked(widths, inputs)

    def from_layer(layer: int, dimensions: int) -> int:
        if layer == len(widths):
            return 1
        width = widths[layer]
        return sum(
            comb(width, j) * from_layer(layer + 1, min(dimensions, width - j))
            for j in range(min(dimensions, width) + 1)
        )

    return from_layer(0, inputs)


def folded_regions(widths: Sequence[int], inputs: int, *, both_sides: bool = True) -> int:
    """Return the regions of `folding_network` on the unit cube: Π_{l<L} pieces_l^{n_0} · Σ_{j ≤ n_0} C(n_L, j).

    With hinges that open to one side, a coordinate's ⌊n_l / n_0⌋ units make as many pieces (Montúfar et al. 2014,
    theorem 5). With hinges to both sides three or more make one piece more (Serra et al. 2018, from below).
    Raises TypeError or ValueError.
    """
    widths, inputs = _checked(widths, inputs)
    pieces = [_pieces(width // inputs, both_sides) for width in widths[:-1]]
    return prod(count**inputs for count in pieces) * general_position(widths[-1], inputs)


# --- a network that folds ---------------------------------------------------------------------------------


def zigzag(units: int, *, both_sides: bool = True) -> tuple[Array, Array, Array, float]:
    """Return signs, hinges and weights [units], and a bias, of bias + Σ weight · relu(sign · (x − hinge)).

    Each piece of this function of one input maps onto all of [0, 1]. Hinges to one side, all signs +1, make `units`
    pieces on [0, 1], equally long, of which the first begins at the first hinge, 0. With both_sides the third of
    three or more units opens to the left, and there are `units` + 1 pieces, the first half as long as the others.
    """
    signs = np.ones(units)
    if _pieces(units, both_sides) == units:
        hinges, slope, first = np.arange(units) / units, float(units), float(units)
    else:
        hinges, slope, first = (2 * np.arange(units) + 1) / (2 * units + 1), units + 0.5, -3 * (units + 0.5)
        signs[2] = -1
    weights = 2 * slope * (-1.0) ** np.arange(units) * (1 if first > 0 else -1)
    weights[0] = first
    # at 0 only what opens to the left is active, and the function is to be 0 there
    bias = 0.0 - float(weights[signs < 0] @ hinges[signs < 0])
    return signs, hinges, weights, bias


def folding_network(widths: Sequence[int], inputs: int = 2, *, both_sides: bool = True) -> nn.Sequential:
    """Return a hand-built network of these hidden layers, float64, with `folded_regions` regions in the unit cube.

    Each layer but the last folds the cube onto itself, coordinate by coordinate, by a `zigzag`. The last one cuts the
    folded cube in general position, by tangents of the parabola y = x², whose crossings ((s + t) / 2, st) all lie
    within; unfolding lays its cuts out many times. Units that are left over do nothing. With at least three units
    in the last layer, no two neighbouring regions have the same affine map.
    Raises TypeError, and ValueError for more than 2 inputs, for a layer narrower than the inputs, and for no layer.
    """
    widths, inputs = _checked(widths, inputs)
    if inputs > 2 or min(widths) < inputs:
        raise ValueError(f"inputs is {inputs} and widths is {widths}: wanted 1 or 2 inputs, and no narrower layer")
    readout, shift, layers = np.eye(inputs), np.zeros(inputs), []
    for width in widths[:-1]:
        signs, hinges, weights, bias = zigzag(width // inputs, both_sides=both_sides)
        split_up = _padded(np.kron(np.eye(inputs), signs[:, None]), width)
        layers.append((split_up @ readout, split_up @ shift - _padded(np.tile(signs * hinges, inputs), width)))
        readout, shift = _padded(np.kron(np.eye(inputs), weights[:, None]), width).T, np.full(inputs, bias)
    cuts, offsets = _tangents(widths[-1], inputs)
    # powers of two: the last unit that is active outweighs all others, so the slope is zero nowhere
    layers += [(cuts @ readout, cuts @ shift - offsets), (2.0 ** np.arange(widths[-1])[None], np.zeros(1))]
    return relu_network(layers, double=True)


def _tangents(count: int, inputs: int) -> tuple[Array, Array]:
    """Return weights [count, inputs] and offsets [count] of so many points in (0, 1), or lines across the unit square.

    They open to either side in turn, so that of three or more units at least one is active everywhere.
    """
    t, sides = np.arange(1, count + 1) / (count + 1), -((-1.0) ** np.arange(count))[:, None]
    if inputs == 1:
        return sides, sides[:, 0] * t
    return sides * np.stack([2 * t, -np.ones(count)], axis=1), sides[:, 0] * t**2


def _padded(rows: Array, count: int) -> Array:
    return np.concatenate([rows, np.zeros((count - len(rows), *rows.shape[1:]))])


def _pieces(units: int, both_sides: bool) -> int:
    return units + 1 if both_sides and units >= 3 else units


def _checked(widths: Sequence[int], inputs: int) -> tuple[list[int], int]:
    numbers = [whole_number(f"widths[{i}]", width) for i, width in enumerate(widths)]
    if not numbers:
        raise ValueError("widths is empty: wanted the units of at least one hidden layer")
    return numbers, whole_number("inputs", inputs)


# --- what networks have -----------------------------------------------------------------------------------


def widths_of(shape: str) -> list[int]:
    """Return the units of each hidden layer of a shape by its name, such as "4×8"."""
    return [UNITS // SHAPES[shape]] * SHAPES[shape]


def draw(widths: Sequence[int], init: str = DEFAULT, *, generator: torch.Generator) -> nn.Sequential:
    """Return a random network of two inputs, as PyTorch draws it, or He et al. 2015, with biases N(0, BIAS_STDS²)."""
    options = {"init": "he", "bias_std": BIAS_STDS[init]} if init in BIAS_STDS else {}
    return mlp([2, *widths, 1], generator=generator, **options)


def board(n: int, *, generator: torch.Generator) -> Part:
    """Return uniform points X [n, 2] on a board of 4 × 4 squares on [-1, 1]², and y [n, 1]: −1 or 1 by the colour."""
    X, label = checkerboard(n, generator=generator)
    return X, 2.0 * label[:, None].float() - 1


@torch.no_grad()
def share_right(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the share of points for which the network's output has the sign of y."""
    return (model(X).sign() == y).double().mean().item()


def counts_of(model: nn.Sequential) -> xr.DataArray:
    """Return by "place" the regions on the board, and on a square a thousand times as wide."""
    return xr.DataArray([count_regions(model, BOX), count_regions(model, WIDE)], [("place", list(PLACES))])


WITHIN = {"place": PLACES, "rate": RATES, "part": UNSEEN}


@experiment("04_counts", minutes=1.5, chunk=5, shape=SHAPES, init=INITS, within=WITHIN)
def counts(seeds: Sequence[int], shape: str, init: str) -> Data:
    """Return what `count_trained` does after 4,000 steps."""
    return count_trained(seeds, shape, init, EPOCHS)


@experiment("04_longer_counts", minutes=2, chunk=5, shape=LONGER, init=INITS, within=WITHIN)
def longer_counts(seeds: Sequence[int], shape: str, init: str) -> Data:
    """Return what `count_trained` does after four times as many steps."""
    return count_trained(seeds, shape, init, LONGER_EPOCHS)


def count_trained(seeds: Sequence[int], shape: str, init: str, epochs: int) -> Data:
    """Return random [seed, place], of the networks from which training begins, trained [seed, rate, place], and
    accuracy.
    """
    build, parts = partial(draw, widths_of(shape), init), partial(split, board, *POINTS)
    swept = sweep(build, parts, seeds=seeds, lrs=RATES, epochs=epochs, **TRAINING)
    return xr.Dataset(
        {
            "random": over(lambda seed: counts_of(build(generator=generators(seed)[1])), seed=seeds),
            "trained": over(lambda seed, rate: counts_of(swept.model(seed, rate)), seed=seeds, rate=RATES),
            "accuracy": swept.scores(share_right).sel(part=UNSEEN),
        }
    )


@experiment("04_biases", minutes=0.2, chunk=5, shape=(SHALLOW, DEEP), init=(WIDER,), within=WITHIN)
def biases(seeds: Sequence[int], shape: str, init: str) -> Data:
    """Return what `count_trained` does after 4,000 steps, from wider biases."""
    return count_trained(seeds, shape, init, EPOCHS)


@experiment("04_growth", minutes=0.2, init=INITS, depth=GROWN_DEPTHS, units=GROWN)
def grown(seed: int, init: str, depth: int, units: int) -> Data:
    """Return count: the regions on the board of a random network with so many units in all."""
    model = draw([units // depth] * depth, init, generator=torch.Generator().manual_seed(seed))
    return xr.Dataset({"count": float(count_regions(model, BOX))})


# --- reading what was measured ----------------------------------------------------------------------------


def at_chosen(data: Data, array: str, shape: str, inits: Sequence[str] = INITS, **place: str) -> xr.DataArray:
    """Return by seed an array of trained networks, at the initialisation, of ``inits``, and the rate that are chosen.

    They are best on validation points for all other seeds.
    """
    cell = as_rates(data[["accuracy", "trained"]].sel(shape=shape, init=[*inits]), "init", "rate")
    rates = best_rates(cell["accuracy"].sel(part=VALIDATION), larger_is_better=True)
    return cell[array].sel(rate=rates, **place).reset_coords(drop=True)


def random_count(data: Data, shape: str, init: str = DEFAULT) -> xr.DataArray:
    """Return by seed the regions of random networks on the board."""
    return data["random"].sel(shape=shape, init=init, place=BOARD).reset_coords(drop=True)


def trained_count(data: Data, shape: str, place: str = BOARD, inits: Sequence[str] = INITS) -> xr.DataArray:
    """Return by seed the regions of trained networks, at the initialisation and the rate that are chosen."""
    return at_chosen(data, "trained", shape, inits, place=place)


def depth_at_best(data: Data, place: str = BOARD, inits: Sequence[str] = INITS) -> xr.DataArray:
    """Return by seed the regions of four trained layers over those of one, each at what is chosen for it."""
    return trained_count(data, DEEP, place, inits) / trained_count(data, SHALLOW, place, inits)


def count_at_rate(
    data: Data, shape: str, rate: float = COMMON_RATE, *, init: str = HE, place: str = BOARD
) -> xr.DataArray:
    """Return by seed the regions of networks that were trained with one rate."""
    return data["trained"].sel(shape=shape, init=init, rate=rate, place=place).reset_coords(drop=True)


def depth_ratio(data: Data, rate: float = COMMON_RATE, init: str = HE) -> xr.DataArray:
    """Return by seed the regions on the board of four trained layers over those of one, with one rate for both."""
    return count_at_rate(data, DEEP, rate, init=init) / count_at_rate(data, SHALLOW, rate, init=init)


def accuracy(data: Data, shape: str) -> xr.DataArray:
    """Return by seed the held-out accuracy at the initialisation and the rate that are chosen."""
    return at_chosen(data, "accuracy", shape, part=HELD_OUT)


def spared_by_best(data: Data) -> xr.DataArray:
    """Return by seed one layer's held-out accuracy at the rate that is chosen minus that at SMALLER, from WIDER."""
    cell = {"shape": SHALLOW, "init": WIDER, "rate": SMALLER, "part": HELD_OUT}
    return at_chosen(data, "accuracy", SHALLOW, [WIDER], part=HELD_OUT) - data["accuracy"].sel(cell, drop=True)


def depth_at_smaller(data: Data) -> xr.DataArray:
    """Return by seed the regions of four layers at their best rate over those of one at SMALLER, from WIDER."""
    return trained_count(data, DEEP, inits=[WIDER]) / count_at_rate(data, SHALLOW, SMALLER, init=WIDER)


def ahead_of_narrow(data: Data) -> xr.DataArray:
    """Return by seed the held-out accuracy of four layers of 8 minus that of eight layers of 4."""
    return accuracy(data, DEEP) - accuracy(data, NARROW)


def change(data: Data, shape: str, init: str = HE) -> xr.DataArray:
    """Return by seed the regions of networks trained at the chosen rate over those of the same ones before training."""
    return trained_count(data, shape, inits=[init]) / random_count(data, shape, init)


def change_at_rate(data: Data, shape: str, rate: float, init: str = HE) -> xr.DataArray:
    """Return by seed `change` of networks that were trained with one rate."""
    return count_at_rate(data, shape, rate, init=init) / random_count(data, shape, init)


def grown_count(data: Data, depth: int, units: int = GROWN[-1]) -> xr.DataArray:
    """Return by seed the regions of random networks with so many units in all, by default the most, by He."""
    return data["count"].sel(init=HE, depth=depth, units=units).reset_coords(drop=True)


def growth(data: Data, depth: int) -> xr.DataArray:
    """Return by seed the exponent with which random networks' regions grow from the fewest units to the most."""
    return np.log(grown_count(data, depth) / grown_count(data, depth, GROWN[0])) / np.log(GROWN[-1] / GROWN[0])
