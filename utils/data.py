"""Data sets of the course, and how to get independent parts of them.

A data set is a function (n, *, generator, …) -> (X, y): X float32 [n, n_in]; y int64 [n] for classes 0, 1, …,
or float32 [n, n_out] for regression. Everything random comes from the generator. Train and held-out parts
come from `split`, which draws each part anew; real tables (`load_table`) are divided without overlap.
Short texts are in `utils.reviews`, sets to download in `utils.downloads`. A wrong argument raises TypeError
or ValueError with a text that says which it was.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from scipy.optimize import brentq
from torch import Tensor, nn

from utils.checks import interval, one_of, random_generator, real_number, whole_number
from utils.types import Part


def split(make: Callable[..., Part], *sizes: int, generator: torch.Generator, **options: Any) -> list[Part]:
    """Return one (X, y) per size, drawn independently of each other from the same distribution.

    (X, y), (X_test, y_test) = split(spirals, 1000, 500, generator=generator, noise=0.1)

    make is a function of this module, options are passed on to it. Each part has a generator of its own,
    seeded from `generator`: it stays the same when another part's size changes.
    """
    if not callable(make):
        raise TypeError(f"make is {make!r}: wanted a function (n, *, generator) -> (X, y)")
    if not sizes:
        raise ValueError("sizes is empty: wanted the number of points of each part, such as 1000, 500")
    sizes = tuple(whole_number(f"sizes[{i}]", n) for i, n in enumerate(sizes))
    random_generator("generator", generator)
    seeds = torch.randint(2**62, (len(sizes),), generator=generator)
    return [
        make(n, generator=torch.Generator().manual_seed(seed), **options)
        for n, seed in zip(sizes, seeds.tolist(), strict=True)
    ]


# --- classes in the plane ---------------------------------------------------------------------------------


def blobs(n: int, *, generator: torch.Generator) -> Part:
    """Return two Gaussian clouds around (-1, -1) and (1, 1): X float32 [n, 2], y int64 [n], classes in turn.

    Their standard deviation is 0.6, so that a straight line is right for 99 % of the points.
    """
    y = _labels_in_turn(n, generator)
    centers = 2.0 * y[:, None] - 1
    return centers + 0.6 * _normal(n, 2, generator), y


def circles(n: int, *, generator: torch.Generator, radii: tuple[float, float] = (0.5, 1.5), noise: float = 0.1) -> Part:
    """Return two rings around the origin: X float32 [n, 2], y int64 [n], 0 inside and 1 outside, in turn.

    noise: the standard deviation of a point's distance from the origin around radii[y].
    """
    inner, outer = interval("radii", radii)
    y = _labels_in_turn(n, generator)
    angle = 2 * math.pi * torch.rand(len(y), generator=generator)
    radius = torch.tensor([inner, outer])[y] + _noise(noise, len(y), generator)
    return _from_polar(angle, radius), y


def spirals(n: int, *, generator: torch.Generator, turns: float = 2, noise: float = 0.08) -> Part:
    """Return two interleaved spirals of radius 0 to 2, one class each: X float32 [n, 2], y int64 [n], in turn.

    noise: the standard deviation of a point's distance from the origin, drawn anew for each point.
    """
    turns = real_number("turns", turns, above=0)
    y = _labels_in_turn(n, generator)
    position = torch.rand(len(y), generator=generator)
    angle = 2 * math.pi * (turns * position + y / 2)
    return _from_polar(angle, 2 * position + _noise(noise, len(y), generator)), y


def checkerboard(
    n: int, *, generator: torch.Generator, frequency: int = 2, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Part:
    """Return uniform points on a square of 2·frequency × 2·frequency cells: X float32 [n, 2], y int64 [n].

    bounds: (low, high) of both coordinates. On the unit square frequency 2^(k-1) gives 2^k × 2^k cells.
    """
    low, high = interval("bounds", bounds)
    X = low + (high - low) * _uniform(n, 2, generator)
    return X, checkerboard_labels(X, frequency, bounds)


def checkerboard_labels(X: Tensor, frequency: int = 2, bounds: tuple[float, float] = (-1.0, 1.0)) -> Tensor:
    """Return the checkerboard's class of each row of X [n, 2]: int64 [n], 0 in the cell at (low, low)."""
    frequency, (low, high) = whole_number("frequency", frequency), interval("bounds", bounds)
    cells = torch.floor((_plane(X).double() - low) * (2 * frequency / (high - low))).long()
    return cells.clamp(0, 2 * frequency - 1).sum(1) % 2


def swirl(n: int, *, generator: torch.Generator) -> Part:
    """Return uniform points on [-1, 1]², class 1 where sin(angle − 4π·radius) > 0: X float32 [n, 2], y int64 [n]."""
    X = 2 * _uniform(n, 2, generator) - 1
    return X, swirl_labels(X)


def swirl_labels(X: Tensor) -> Tensor:
    """Return the swirl's class of each row of X [n, 2]: int64 [n]."""
    x, y = _plane(X).double().unbind(1)
    return (torch.sin(torch.atan2(y, x) - 4 * math.pi * torch.hypot(x, y)) > 0).long()


# --- functions of one variable ----------------------------------------------------------------------------


def sawtooth(x: Tensor, k: int = 3) -> Tensor:
    """Return the tent map applied k times: 2^k linear pieces on [0, 1] (Telgarsky 2015), continued periodically."""
    return 1 - torch.abs(1 - 2 * torch.remainder(2 ** (whole_number("k", k) - 1) * x, 1))


def curve(
    n: int,
    *,
    generator: torch.Generator,
    target: Callable[[Tensor], Tensor],
    bounds: tuple[float, float],
    noise: float = 0.0,
) -> Part:
    """Return noisy values of a function at uniform points of an interval: X, y float32 [n, 1].

    noise: the standard deviation of what is added to each value.
    """
    if not callable(target):
        raise TypeError(f"target is {target!r}: wanted a function, tensor to tensor")
    low, high = interval("bounds", bounds)
    X = low + (high - low) * _uniform(n, 1, generator)
    return X, target(X) + _noise(noise, n, generator)[:, None]


# --- functions of several variables -----------------------------------------------------------------------


def diagonal_flip() -> Part:
    """Return all sixteen 2×2 images of zeros and ones and their transposes, as rows: X, y float32 [16, 4]."""
    X = torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 4)
    return X, X.reshape(16, 2, 2).transpose(1, 2).reshape(16, 4)


@torch.no_grad()
def teacher_data(n: int, *, generator: torch.Generator, teacher: nn.Module) -> Part:
    """Return standard normal inputs and what the teacher makes of them, X [n, n_in], y [n, n_out], gradient-free.

    teacher: a network that begins with a linear layer, in whose type (float32 or float64) the data come; a random
    teacher is mlp(sizes, init=("normal", sigma), generator=…).
    """
    layers = teacher.modules() if isinstance(teacher, nn.Module) else ()
    first = next((layer for layer in layers if isinstance(layer, nn.Linear)), None)
    if first is None:
        raise TypeError(f"teacher is {teacher!r}: wanted a network with linear layers")
    X = _normal(n, first.in_features, generator, first.weight.dtype)
    return X, teacher(X)


def tree(node: Callable[[Tensor, Tensor], Tensor], X: Tensor) -> Tensor:
    """Return a binary tree's values [n, 1] of inputs X [n, 2^levels]: node(a, b) joins neighbours, level by level."""
    while X.shape[1] > 1:
        X = node(X[:, 0::2], X[:, 1::2])
    return X


def game(n: int, *, generator: torch.Generator) -> Part:
    """Return the ends X [n, 8], standard normal, of a game of three moves, and what it is worth, y [n, 1].

    The player to move chooses a half of the ends that are left; y is their worth to the player who moves second.
    """
    X = _normal(n, 8, generator)
    return X, tree(lambda a, b: -torch.maximum(a, b), X)


@dataclass(frozen=True, eq=False)
class RandomField:
    """f(x) = √(2/N) Σ cos(directionᵢ·x + phaseᵢ): a smooth function in which no inputs belong together.

    directions [n_in, N], phases [N]; X [n, n_in] to [n, 1]. For large N and normal directions this is a
    Gaussian process with a squared exponential kernel (Rahimi & Recht 2007).
    """

    directions: Tensor
    phases: Tensor

    @property
    def n_in(self) -> int:
        """Return the number of inputs."""
        return self.directions.shape[0]

    def __call__(self, X: Tensor) -> Tensor:
        waves = torch.cos(X @ self.directions.to(X.dtype) + self.phases.to(X.dtype))
        return waves.sum(-1, keepdim=True) * math.sqrt(2 / len(self.phases))

    def roughness(self) -> float:
        """Return E|∇f|² / Var f for standard normal inputs, exactly, from E cos(u·x + c) = exp(−|u|²/2) cos c."""
        U, c = self.directions.double(), self.phases.double()
        products, squares = U.T @ U, U.square().sum(0)
        lengths = squares[:, None] + squares
        # twice the expected products of two waves are difference ± total
        difference = torch.exp(products - lengths / 2) * torch.cos(c[:, None] - c)
        total = torch.exp(-products - lengths / 2) * torch.cos(c[:, None] + c)
        mean = (torch.exp(-squares / 2) * torch.cos(c)).sum()
        return float((products * (difference - total)).sum() / ((difference + total).sum() - 2 * mean**2))


def random_field(n_in: int, *, roughness: float, generator: torch.Generator, n_waves: int = 512) -> RandomField:
    """Return a RandomField as rough as asked: a control for a compositional function, without its structure.

    roughness: E|∇f|² / Var f for standard normal inputs, as `measure_roughness` measures it. It exceeds 1,
    which only linear functions reach (the Gaussian Poincaré inequality).
    Raises ValueError, too, in the rare case that no stretching of the waves drawn gives it.
    """
    n_in, n_waves = whole_number("n_in", n_in), whole_number("n_waves", n_waves)
    roughness = real_number("roughness", roughness, above=1)
    directions = _normal(n_in, n_waves, generator)
    phases = 2 * math.pi * torch.rand(n_waves, generator=generator)

    def scaled(log_scale: float) -> RandomField:
        return RandomField(directions * math.exp(log_scale), phases)

    # fine waves have roughness n_in·scale², but it never falls below 1, however long the waves
    fine = 0.5 * math.log(roughness / n_in)
    low, high = fine - 5, fine + 1
    excess = lambda log_scale: math.log(scaled(log_scale).roughness() / roughness)  # noqa: E731
    if excess(low) > 0 or excess(high) < 0:
        raise ValueError(f"roughness is {roughness}: wanted one that these {n_waves} waves can have; draw again")
    return scaled(brentq(excess, low, high, xtol=1e-3))


def measure_roughness(target: Callable[[Tensor], Tensor], X: Tensor) -> float:
    """Return E|∇f|² / Var f over the rows of X: how fast a function [n, n_in] to [n, 1] varies, whatever its scale.

    1 for a linear function of standard normal inputs, k² for sin(kx) where it runs through many waves.
    """
    if not isinstance(X, Tensor) or X.ndim != 2:
        raise TypeError(f"X is {_kind(X)}: wanted a tensor [n, n_in]")
    X = X.detach().clone().requires_grad_()
    with torch.enable_grad():
        y = target(X)
        (gradient,) = torch.autograd.grad(y.sum(), X)
    return (gradient.square().sum(1).mean() / y.detach().var()).item()


# --- real tables ------------------------------------------------------------------------------------------

TABLES = ("digits", "breast_cancer", "wine", "diabetes")


def load_table(name: str, fractions: Sequence[float] = (0.7, 0.3), *, generator: torch.Generator) -> list[Part]:
    """Return one (X, y) per fraction of a table that comes with scikit-learn, without overlap, training part first.

    (X, y), (X_test, y_test) = load_table("wine", generator=generator)

    "digits" [1797, 64], 10 classes, rows are 8×8 images; "breast_cancer" [569, 30], 2; "wine" [178, 13], 3;
    "diabetes" [442, 10], regression. Columns (for digits, the pixels all together) are standardised by the
    first part's mean and standard deviation, as is a regression's y; each part has each class in proportion.
    """
    one_of("name", name, TABLES)
    X, y = _read_table(name)
    parts = divide(X, y, fractions, generator=generator)
    X_train, y_train = parts[0]
    # a pixel that is dark in nearly all training images would explode when scaled by itself
    scale_X = _standardiser(X_train.reshape(-1, 1) if name == "digits" else X_train)
    scale_y = _standardiser(y_train) if y.is_floating_point() else lambda y: y
    return [(scale_X(X).float(), scale_y(y).float() if y.is_floating_point() else y) for X, y in parts]


def divide(X: Tensor, y: Tensor, fractions: Sequence[float], *, generator: torch.Generator) -> list[Part]:
    """Return one (X, y) per fraction of the rows, at random, without overlap, each class in proportion.

    X [n, …]; y [n] whole numbers (classes) or [n, n_out] floats. Fractions are positive, their sum at most 1.
    Raises ValueError, too, when a part would be empty.
    """
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows and y has {len(y)}: wanted as many")
    shares = torch.tensor(
        [real_number(f"fractions[{i}]", f, above=0) for i, f in enumerate(fractions)], dtype=torch.float64
    )
    if len(shares) == 0 or shares.sum() > 1 + 1e-9:
        raise ValueError(f"fractions is {fractions!r}: wanted positive numbers whose sum is at most 1")
    ends = (shares.cumsum(0) * len(X)).round().long().tolist()
    order = _spread_classes(y, random_generator("generator", generator))
    parts = [order[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    if any(len(part) == 0 for part in parts):
        raise ValueError(f"fractions is {fractions!r}: wanted at least one of the {len(X)} rows in each part")
    return [(X[part], y[part]) for part in parts]


def _read_table(name: str) -> Part:
    import sklearn.datasets  # a second to load, and only tables need it

    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    X, y = torch.as_tensor(X, dtype=torch.float64), torch.as_tensor(y)
    return X, y.double()[:, None] if name == "diabetes" else y.long()


def _standardiser(train: Tensor) -> Callable[[Tensor], Tensor]:
    mean, std = train.mean(0), train.std(0, correction=0)
    std = torch.where(std > 0, std, torch.ones_like(std))  # a constant column becomes 0
    return lambda values: (values - mean) / std


def _spread_classes(y: Tensor, generator: torch.Generator) -> Tensor:
    """Return a random order of the rows in which every stretch has each class in proportion."""
    order = torch.randperm(len(y), generator=generator)
    if y.is_floating_point():
        return order
    position = torch.empty(len(y), dtype=torch.float64)
    for label in y.unique():
        members = (y[order] == label).nonzero().flatten()
        offset = torch.rand((), generator=generator, dtype=torch.float64)
        position[members] = (torch.arange(len(members)) + offset) / len(members)
    return order[position.argsort(stable=True)]


# --- drawing ----------------------------------------------------------------------------------------------


def _normal(n: int, n_in: int, generator: torch.Generator, dtype: torch.dtype = torch.float32) -> Tensor:
    n, n_in = whole_number("n", n), whole_number("n_in", n_in)
    return torch.randn(n, n_in, generator=random_generator("generator", generator), dtype=dtype)


def _uniform(n: int, n_in: int, generator: torch.Generator) -> Tensor:
    n, n_in = whole_number("n", n), whole_number("n_in", n_in)
    return torch.rand(n, n_in, generator=random_generator("generator", generator))


def _noise(noise: float, n: int, generator: torch.Generator) -> Tensor:
    return real_number("noise", noise, least=0) * torch.randn(n, generator=generator)


def _labels_in_turn(n: int, generator: torch.Generator) -> Tensor:
    """Return 0, 1, …, 0, 1, …: any stretch is balanced."""
    random_generator("generator", generator)
    return torch.arange(whole_number("n", n)) % 2


def _from_polar(angle: Tensor, radius: Tensor) -> Tensor:
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], dim=1)


def _plane(X: Tensor) -> Tensor:
    if not isinstance(X, Tensor) or X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"X is {_kind(X)}: wanted a tensor [n, 2]")
    return X


def _kind(X: Any) -> str:
    return f"a tensor of shape {tuple(X.shape)}" if isinstance(X, Tensor) else f"of type {type(X).__name__}"
