"""Targets on an interval, networks that are built or trained for them, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import HELD_OUT, VALIDATION, Sweep, best_rates, sweep
from utils.constructions import polyline, relu_interpolant
from utils.data import curve, split
from utils.models import mlp
from utils.types import Array, Data, Part

SQUARED, LARGEST = "squared", "largest"
U = np.linspace(-1, 1, 20_001)
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)


@dataclass(frozen=True)
class Curve:
    """A target f on [-half_width, half_width]. Networks see x / half_width, which lies in [-1, 1]."""

    f: Callable[[Array], Array]
    half_width: float

    def scaled(self, u: Tensor) -> Tensor:
        """Return f(half_width · u), in u's type."""
        return torch.as_tensor(self.f(self.half_width * u.double().numpy())).to(u.dtype)

    def grid(self, n: int = 20_001) -> Array:
        """Return n evenly spaced points of the interval, x."""
        return np.linspace(-self.half_width, self.half_width, n)


CURVES = {
    "sin": Curve(np.sin, 5.0),
    "cos": Curve(np.cos, 5.0),
    "two sines": Curve(lambda x: np.sin(x) + 0.5 * np.sin(5 * x), 5.0),
    "sin, four times as wide": Curve(np.sin, 20.0),
    "square": Curve(np.square, 1.0),
    "step": Curve(lambda x: np.where(x >= 0, 1.0, 0.0), 1.0),
}


def curve_parts(target: Curve, *, generator: torch.Generator, beyond: float = 1.0) -> list[Part]:
    """Return 500 random points to train on, 500 others to choose with, and the whole interval, 20,001 points.

    beyond: this last part, to report on, is so many times as wide.
    """
    data = partial(curve, target=target.scaled, bounds=(-1, 1))
    u = torch.linspace(-beyond, beyond, 20_001)[:, None]
    return [*split(data, 500, 500, generator=generator), (u, target.scaled(u))]


def train_on_curve(
    name: str,
    width: int,
    seeds: Sequence[int],
    *,
    build: Callable[..., nn.Module] | None = None,
    lrs: Sequence[float] = RATES,
    steps: int = 3000,
    beyond: float = 1.0,
) -> Sweep:
    """Train one hidden layer of `width` units on one of CURVES, with every rate.

    build: takes generator=… and returns a network; None: ReLU units as PyTorch starts them.
    """
    build = build or partial(mlp, [1, width, 1])
    make_parts = partial(curve_parts, CURVES[name], beyond=beyond)
    return sweep(build, make_parts, seeds=seeds, lrs=lrs, epochs=steps, schedule="one-cycle", progress=False)


def spread_network(
    width: int, activation: str = "relu", steepness: float = 1.0, *, generator: torch.Generator
) -> nn.Sequential:
    """Return a network whose hidden units all bend inside [-1, 1]: act(±steepness · (u − t)) with t uniform there.

    PyTorch's own start draws weight and bias from the same interval, so that half of the bends lie outside.
    """
    model = mlp([1, width, 1], activation, generator=generator)
    signs = torch.sign(torch.rand(width, generator=generator) - 0.5)
    bends = 2 * torch.rand(width, generator=generator) - 1
    with torch.no_grad():
        model[0].weight.copy_(steepness * signs[:, None])
        model[0].bias.copy_(-steepness * signs * bends)
    return model


def built_network(target: Curve, width: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """Return the ReLU interpolant with evenly spaced hinges as a network that can be trained.

    a·relu(u − t) is written as (a/q)·relu(q·u − q·t) with q = √|a|: two weights of the same size, so that
    one rate suits both. generator: ignored; nothing is random.
    """
    u = np.linspace(-1, 1, width + 1)
    hinges, weights, bias = relu_interpolant(u, target.f(target.half_width * u))
    q = np.sqrt(np.abs(weights)) + 1e-3  # a hinge of weight 0 stays one that training can use
    model = mlp([1, width, 1], generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        model[0].weight.copy_(torch.as_tensor(q[:, None]))
        model[0].bias.copy_(torch.as_tensor(-q * hinges))
        model[2].weight.copy_(torch.as_tensor(weights / q)[None])
        model[2].bias.fill_(bias)
    return model


def built(name: str, width: int, error: str = SQUARED) -> float:
    """Return SQUARED or LARGEST of the interpolant of one of CURVES, with evenly spaced hinges, on its interval."""
    curve, x = CURVES[name], CURVES[name].grid()
    errors = polyline(curve.grid(width + 1), curve.f)(x) - curve.f(x)
    return float(np.abs(errors).max() if error == LARGEST else np.square(errors).mean())


def best_weights_error(name: str, width: int) -> float:
    """Return the mean squared error of evenly spaced hinges with the best of all output weights."""
    hidden = np.maximum(U[:, None] - np.linspace(-1, 1, width + 1)[:-1], 0)
    return least_squares_error(np.column_stack([np.ones_like(U), hidden]), CURVES[name])


def least_squares_error(columns: Array, target: Curve) -> float:
    """Return the mean squared error, at U, of the sum of these columns [20001, n] that is nearest to the target."""
    y = target.f(target.half_width * U)
    return float(np.square(columns @ np.linalg.lstsq(columns, y, rcond=None)[0] - y).mean())


@torch.no_grad()
def largest_error(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the largest absolute difference between the network's outputs and y [n, 1]."""
    return (model(X) - y).abs().max().item()


def curve_scores(swept: Sweep) -> Data:
    """Return SQUARED and LARGEST, by seed and rate: the mean squared and the largest error on the whole interval.

    And VALIDATION: the mean squared error on the points that are there to choose the rate with.
    """
    squared, largest = swept.scores(), swept.scores(largest_error)
    parts = {VALIDATION: (squared, VALIDATION), SQUARED: (squared, HELD_OUT), LARGEST: (largest, HELD_OUT)}
    return xr.Dataset({name: errors.sel(part=part, drop=True) for name, (errors, part) in parts.items()})


def at_best_curve(errors: Data, error: str) -> xr.DataArray:
    """Return SQUARED or LARGEST of `curve_scores`, at the rate with the smallest error on validation points."""
    return errors[error].sel(rate=best_rates(errors[VALIDATION], larger_is_better=False))


# --- what training finds of what can be written down ------------------------------------------------------

TARGET_NAMES = ("sin", "two sines", "sin, four times as wide")
LEARNING_WIDTHS = (10, 20, 40, 80)
LEARNING_RATES = (1e-5, 1e-4, *RATES)  # the same for every start; the written-down one wants small ones
STARTS: dict[str, Callable[[Curve, int], Callable[..., nn.Module]]] = {  # builders, which take generator=…
    "default": lambda target, width: partial(mlp, [1, width, 1]),
    "spread": lambda target, width: partial(spread_network, width),
    "steep tanh": lambda target, width: partial(spread_network, width, "tanh", 10.0),
    "written down": lambda target, width: partial(built_network, target, width),
}


@experiment(
    "01_learning",
    seeds=20,
    minutes=10,
    chunk=4,
    start=STARTS,
    target=TARGET_NAMES,
    width=LEARNING_WIDTHS,
    within={"rate": LEARNING_RATES},
)
def learning(seeds: Sequence[int], start: str, target: str, width: int) -> Data:
    """Return `curve_scores` of networks that were trained long for a target, from a start."""
    build = STARTS[start](CURVES[target], width)
    return curve_scores(train_on_curve(target, width, seeds, build=build, lrs=LEARNING_RATES, steps=10_000))


def learned(data: Data, start: str, target: str, width: int, error: str = SQUARED) -> xr.DataArray:
    """Return the error after training from a start, by seed, at the best rate."""
    return at_best_curve(data.sel(start=start, target=target, width=width), error)
