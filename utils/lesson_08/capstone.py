"""The capstone: what a small network is to reach on points that it has not seen, and the judge of it.

A network is handed in as a pair (activation, layers): "relu" or "tanh", which acts behind every layer but the last, and
a pair (weight, bias) for each layer, first layer first. Whoever judges it, an exercise, a page or the table of records,
calls `judged`: entries become float32, all of them count, and the outputs are computed here, in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from utils.data import checkerboard, spirals
from utils.models import mlp
from utils.types import Array, Part

Layers = list[tuple[np.ndarray, np.ndarray]]
ACTIVATIONS = {"relu": lambda z: np.maximum(z, 0), "tanh": np.tanh}
DEEPEST = 8  # hidden layers
LARGEST = 1000.0  # size of an entry: a float32 holds some 40 bits of choices, of which the judge means to read few
MOST, ROWS = 10_000, 1000  # entries of a network, and points at a time: nobody is to fill the judge's memory
TURNS, NOISE = 1.5, 0.08  # of the spirals
SHIFT, THICKENING = 0.5, 0.6  # at most, in pixels, and as a share of a neighbour's ink
TEACHER, SIGMA, BIAS = [3, 4, 4, 1], 1.5, 0.5  # sizes, and standard deviations of σ/√n and of the biases
LINEAR = 0.15, 0.45  # what the best linear map misses of a teacher's variance
SPAN = 3**0.5  # of a teacher's inputs, uniform from −SPAN to SPAN: their variance is 1
LESSONS = 500  # examples of a teacher that a student gets
FREQUENCY = 4  # of the board: 8×8 squares


# --- what is drawn ------------------------------------------------------------------------------------------


def generator_of(seed: int) -> torch.Generator:
    """Return a generator with this seed."""
    return torch.Generator().manual_seed(seed)


def spiral_points(n: int, *, generator: torch.Generator) -> Part:
    """Return points of the capstone's two spirals: X float32 [n, 2], y int64 [n]."""
    return spirals(n, generator=generator, turns=TURNS, noise=NOISE)


def digit_images(copies: int, *, generator: torch.Generator) -> Part:
    """Return all 1,797 digits so many times, each shifted and thickened by chance: X float32 [n, 64], y int64 [n].

    A pixel is −1 where it is blank and 1 where it is full of ink. An image is shifted by up to SHIFT pixels each way,
    with what lies between pixels interpolated; then each pixel has at least a share of the ink of its darkest
    neighbour, up to THICKENING.
    """
    images, labels = _digits()
    ink, n = images.repeat(copies, 1, 1, 1), copies * len(images)
    moved = torch.eye(2, 3).repeat(n, 1, 1)
    moved[:, :, 2] = SHIFT * (2 * torch.rand(n, 2, generator=generator) - 1) / 4  # the image is 2 wide, and 8 pixels
    grid = functional.affine_grid(moved, [n, 1, 8, 8], align_corners=False)
    ink = functional.grid_sample(ink, grid, align_corners=False)
    share = THICKENING * torch.rand(n, 1, 1, 1, generator=generator)
    ink = torch.maximum(ink, share * functional.max_pool2d(ink, 3, stride=1, padding=1))
    return 2 * ink.reshape(n, 64) - 1, labels.repeat(copies)


def plain_digits() -> Tensor:
    """Return the digits as they ship, X float32 [1797, 64] from −1 to 1."""
    return 2 * _digits()[0].reshape(-1, 64) - 1


@lru_cache(1)
def _digits() -> Part:
    import sklearn.datasets  # a second to load

    ink, labels = sklearn.datasets.load_digits(return_X_y=True)
    return torch.tensor(ink / 16, dtype=torch.float32).reshape(-1, 1, 8, 8), torch.tensor(labels).long()


def board_points(n: int, *, generator: torch.Generator) -> Part:
    """Return points of a board of 8×8 squares on the unit square: X float32 [n, 2], y int64 [n]."""
    return checkerboard(n, generator=generator, frequency=FREQUENCY, bounds=(0.0, 1.0))


@dataclass(frozen=True)
class Teacher:
    """A tanh network, from X [n, 3] to answers [n, 1] whose mean is about 0 and whose variance is about 1."""

    network: nn.Module
    mean: Tensor
    std: Tensor

    @torch.no_grad()
    def __call__(self, X: Tensor) -> Tensor:
        return (self.network(X) - self.mean) / self.std


def teacher_of(seed: int, generator: torch.Generator | None = None) -> Teacher:
    """Return the teacher with this seed, of the sizes TEACHER, with normal weights.

    It is drawn again until the best linear map misses a share within LINEAR.
    """
    generator = generator or generator_of(seed)
    while True:
        network = mlp(TEACHER, "tanh", init=("normal", SIGMA), bias_std=BIAS, generator=generator)
        X = _inputs(4000, generator)
        with torch.no_grad():
            y = network(X)
        teacher = Teacher(network, y.mean(), y.std())
        if LINEAR[0] < _missed_by_a_line(X, teacher(X)) < LINEAR[1]:
            return teacher


def teacher_parts(seed: int, *sizes: int) -> list[Part]:
    """Return so many examples of the teacher with this seed, part by part: X float32 [n, 3], y float32 [n, 1]."""
    generator = generator_of(seed)
    teacher = teacher_of(seed, generator)
    return [(X, teacher(X)) for X in (_inputs(n, generator) for n in sizes)]


def _inputs(n: int, generator: torch.Generator) -> Tensor:
    """Return a teacher's inputs [n, 3]: bounded, so that whoever has 500 of them has seen most of what there is."""
    return SPAN * (2 * torch.rand(n, TEACHER[0], generator=generator) - 1)


def _missed_by_a_line(X: Tensor, y: Tensor) -> float:
    columns = torch.cat([X, torch.ones(len(X), 1)], dim=1)
    return (columns @ torch.linalg.lstsq(columns, y).solution - y).square().mean().item()


# --- the targets --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """What a network is to reach: an error of at most ``goal`` on what ``draw(seed)`` draws.

    The error is the share of points that it misses or, where ``relative``, its mean squared error divided by the
    variance of the targets. All points of the exercise are for at most ``full`` parameters, half of them for ``half``.
    """

    n_in: int
    n_out: int
    goal: float
    full: int
    half: int
    draw: Callable[[int], Part]
    relative: bool = False


TARGETS = {
    "spirals": Target(2, 1, 0.03, 30, 45, lambda seed: spiral_points(10_000, generator=generator_of(seed))),
    "teacher": Target(3, 1, 0.08, 21, 35, lambda seed: teacher_parts(seed, LESSONS, 4000)[1], relative=True),
    "digits": Target(64, 10, 0.11, 370, 500, lambda seed: digit_images(3, generator=generator_of(seed))),
    "board": Target(2, 1, 0.01, 100, 200, lambda seed: board_points(10_000, generator=generator_of(seed))),
}


@lru_cache(64)
def drawn(name: str, seed: int) -> Part:
    """Return what the judge of a target draws with this seed; whoever gets it must not change it."""
    return TARGETS[name].draw(seed)


# --- the judge ----------------------------------------------------------------------------------------------


class Refused(ValueError):
    """A network that is not within the rules: ``kind`` is one word on which rule it breaks."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


def read(network: Any, n_in: int, n_out: int) -> tuple[str, Layers]:
    """Return activation and layers of a network, each entry float32; raises Refused for one that breaks a rule."""
    if not isinstance(network, (tuple, list)) or len(network) != 2:
        raise Refused("form", "A network is a pair (activation, layers).")
    activation, given = network
    if type(activation) is not str or activation not in ACTIVATIONS:
        raise Refused("activation", 'The activation is one text for all layers, "relu" or "tanh".')
    if not isinstance(given, (tuple, list)) or not 1 <= len(given) <= DEEPEST + 1:
        raise Refused("depth", f"A list of at least one layer and at most {DEEPEST + 1} is wanted, the last included.")
    layers = [_layer(number, one) for number, one in enumerate(given, 1)]
    _check_sizes(layers, n_in, n_out)
    if parameters(layers) > MOST:
        raise Refused("budget", f"The network has more than {MOST:,} entries.")
    return activation, layers


def _layer(number: int, layer: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return weight [n_out, n_in] and bias [n_out] in float32."""
    if not isinstance(layer, (tuple, list)) or len(layer) != 2:
        raise Refused("form", f"Layer {number} is no pair (weight, bias).")
    weight, bias = (_array(number, part) for part in layer)
    if weight.ndim != 2 or bias.ndim != 1 or not weight.size or weight.shape[0] != len(bias):
        raise Refused(
            "sizes",
            f"Layer {number} has a weight of shape {weight.shape} and a bias of shape {bias.shape}: "
            "(units, inputs) and (units,) are wanted, with at least one of each.",
        )
    return weight, bias


def _array(number: int, part: Any) -> np.ndarray:
    try:
        array = np.array(part.numpy(force=True) if isinstance(part, Tensor) else part)
    except ValueError:
        raise Refused("form", f"A part of layer {number} is no rectangular array.") from None
    if array.dtype.kind not in "iuf":
        raise Refused("form", f"A part of layer {number} does not consist of real numbers.")
    if array.size > MOST:
        raise Refused("budget", f"Layer {number} has more than {MOST:,} entries.")
    if not (np.abs(array.astype(float)) <= LARGEST).all():  # nan is not, and a whole number's size may overflow
        raise Refused("entries", f"Layer {number} has an entry that is not a number of at most {LARGEST:g} in size.")
    return array.astype(np.float32)


def _check_sizes(layers: Layers, n_in: int, n_out: int) -> None:
    sizes = sizes_of(layers)
    if sizes[0] != n_in or sizes[-1] != n_out:
        raise Refused(
            "sizes", f"The network has {sizes[0]} inputs and {sizes[-1]} outputs: {n_in} and {n_out} are wanted."
        )
    for number, ((_, bias), (weight, _)) in enumerate(pairwise(layers), 2):
        if weight.shape[1] != len(bias):
            raise Refused(
                "sizes", f"Layer {number} reads {weight.shape[1]} numbers, and the one before it has {len(bias)} units."
            )


def sizes_of(layers: Layers) -> list[int]:
    """Return [inputs, units, …, outputs]."""
    return [layers[0][0].shape[1], *(len(bias) for _, bias in layers)]


def parameters(layers: Layers) -> int:
    """Return the number of entries, weights and biases, zeros and repeated ones as well."""
    return sum(weight.size + bias.size for weight, bias in layers)


def outputs(activation: str, layers: Layers, X: Array) -> Array:
    """Return the outputs [points, n_out] at X [points, n_in], in float64, so that rounding computes nothing."""
    found = []
    for h in np.array_split(np.asarray(X, dtype=float), -(-len(X) // ROWS)):
        for place, (weight, bias) in enumerate(layers):
            h = (ACTIVATIONS[activation](h) if place else h) @ weight.T.astype(float) + bias
        found.append(h)
    return np.concatenate(found)


def error(activation: str, layers: Layers, X: Array, y: Array) -> float:
    """Return the share of the points missed, or, where y has floats [n, 1], the relative squared error.

    One output says class 1 where it is positive; of several the largest says which class.
    """
    found, y = outputs(activation, layers, X), np.asarray(y)
    if y.dtype.kind == "f":
        return float(np.mean((found - y) ** 2) / np.var(y))
    said = found.argmax(axis=1) if found.shape[1] > 1 else found[:, 0] > 0
    return float((said != y).mean())


@dataclass(frozen=True)
class Judged:
    """What the judge says of a network: its parameters, its error, and the share of an exercise's points."""

    parameters: int
    error: float
    share: float


def judged(network: Any, name: str, seed: int, change: Callable[[Array], Array] = np.asarray) -> Judged:
    """Return what comes of a network on the points of a target that ``seed`` draws; raises Refused, see `read`.

    ``change`` is what was done to the inputs before the network sees them, such as a turn of the plane.
    """
    target = TARGETS[name]
    activation, layers = read(network, target.n_in, target.n_out)
    X, y = drawn(name, seed)
    return verdict(target, parameters(layers), error(activation, layers, change(X.numpy()), y.numpy()))


def verdict(target: Target, count: int, missed: float) -> Judged:
    """Return the verdict on a network of so many parameters with this error."""
    share = 0.0 if not missed <= target.goal else 1.0 if count <= target.full else 0.5 if count <= target.half else 0.0
    return Judged(count, missed, share)


# --- what was done to the inputs ----------------------------------------------------------------------------


def turned(X: Array, angle: float) -> Array:
    """Return the points X [n, 2], turned about the origin by an angle in radians, counterclockwise."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(X) @ np.array([[cos, sin], [-sin, cos]])


def reordered(X: Array, order: Array) -> Array:
    """Return images X [n, 64] whose pixel number i was number ``order[i]``."""
    return np.asarray(X)[:, np.asarray(order, dtype=int)]
