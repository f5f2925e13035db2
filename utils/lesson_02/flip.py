"""The diagonal flip: networks of many shapes on all sixteen 2×2 images, and the smallest error that rank allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import sweep
from utils.data import diagonal_flip
from utils.models import mlp, mlp_flops
from utils.training import train_ensemble
from utils.types import Data, Part

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
ACTIVATIONS = ("relu", "leaky_relu", "identity")
WIDTHS = (2, 3, 4, 8, 16)
WIDTH_STEPS = 1000
GREY = 2000  # images in shades of grey, to look at what happens between the sixteen

NARROW = (1, 2, 3)
NARROW_STEPS = 3000
PLACES: dict[str, Callable[[int], list[int]]] = {
    "first": lambda width: [4, width, 16, 4],
    "middle": lambda width: [4, 16, width, 16, 4],
    "last": lambda width: [4, 16, width, 4],
}
SHAPES = {
    "one layer of 16": [4, 16, 4],
    "two layers of 8": [4, 8, 8, 4],
    "one layer of 8": [4, 8, 4],
    "two layers of 16": [4, 16, 16, 4],
    "one layer of 6": [4, 6, 4],
    "two layers of 4": [4, 4, 4, 4],
}  # two of 148 parameters, two that have one of these widths each, one of 58 and one of 60
INITS = {"PyTorch's": "default", "He's": "he"}
SPEED_RATES = (0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
SPEED_STEPS = 1000
SIXTEEN, SHADES = "the sixteen images", "images in shades of grey"

LEVEL = 1 / 32  # what one unit more or less makes of the floor
NEAR = 0.1 * LEVEL  # within this an error counts as on a level


def flip_floor(width: int) -> float:
    """Return the smallest half mean squared error on the sixteen images when the last hidden layer has `width` units.

    Half of the mean over images and outputs, affine output layer. By Bessel's inequality; see the lesson.
    """
    return max(4 - width, 0) / 32


@torch.no_grad()
def half_mse(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return half of the mean over images and outputs of the squared error."""
    return (model(X) - y).square().mean().item() / 2


def flip_parts(*, generator: torch.Generator) -> list[Part]:
    """Return the sixteen images with their transposes, and 2,000 images whose pixels are shades of grey, uniform in [0,
    1].
    """
    grey = torch.rand(GREY, 4, generator=generator)
    return [diagonal_flip(), (grey, grey[:, [0, 2, 1, 3]])]


def second_start(sizes: Sequence[int], activation: str, *, generator: torch.Generator) -> nn.Sequential:
    """Return the network that the generator gives after another one, which begins where the first sweep's began."""
    mlp(sizes, activation, generator=generator)
    return mlp(sizes, activation, generator=generator)


def train_on_flip(sizes: Sequence[int], activation: str, seeds: Sequence[int], steps: int) -> Data:
    """Return networks of these sizes on all sixteen images, from two starts for each seed, with every rate.

    By seed and rate, chosen: half-MSE on the sixteen images from the first start, which is there to choose the rate
    with. error, grey, dead: from the second start, half-MSE on the sixteen images, half-MSE on grey ones, and
    `constant_units`. NaN where a run diverged.
    """
    options = {"seeds": seeds, "lrs": RATES, "epochs": steps, "schedule": "one-cycle", "progress": False}
    options["part_names"] = SIXTEEN, SHADES
    first = sweep(partial(mlp, list(sizes), activation), flip_parts, **options)
    second = sweep(partial(second_start, list(sizes), activation), flip_parts, **options)
    errors = second.scores(half_mse)
    return xr.Dataset(
        {
            "chosen": first.scores(half_mse).sel(part=SIXTEEN, drop=True),
            "error": errors.sel(part=SIXTEEN, drop=True),
            "grey": errors.sel(part=SHADES, drop=True),
            "dead": second.scores(constant_units).sel(part=SIXTEEN, drop=True),
        }
    )


@torch.no_grad()
def constant_units(model: nn.Sequential, X: Tensor, y: Tensor) -> float:
    """Return how many units of the last hidden layer have one value for all X, up to rounding; y is not looked at."""
    hidden = model[:-1](X)
    return float((hidden.amax(dim=0) - hidden.amin(dim=0) < 1e-6).sum())


@experiment(
    "02_flip_widths", seeds=100, minutes=0.5, chunk=25, within={"rate": RATES}, activation=ACTIVATIONS, width=WIDTHS
)
def widths(seeds: Sequence[int], activation: str, width: int) -> Data:
    """Return what `train_on_flip` does, for one hidden layer."""
    return train_on_flip([4, width, 4], activation, seeds, WIDTH_STEPS)


@experiment(
    "02_flip_narrow",
    seeds=100,
    minutes=3,
    chunk=20,
    within={"rate": RATES},
    activation=ACTIVATIONS,
    place=PLACES,
    width=NARROW,
)
def narrow(seeds: Sequence[int], activation: str, place: str, width: int) -> Data:
    """Return what `train_on_flip` does, for one narrow layer among others."""
    return train_on_flip(PLACES[place](width), activation, seeds, NARROW_STEPS)


def train_many(models: Sequence[nn.Sequential], lr: float = 0.03, steps: int = NARROW_STEPS) -> list[float]:
    """Return the half-MSE of each network after Adam on the sixteen images, one-cycle; all of one shape, trained in
    place.
    """
    train_ensemble(models, *diagonal_flip(), epochs=steps, lr=lr, schedule="one-cycle", progress=False)
    return [half_mse(model, *diagonal_flip()) for model in models]


@experiment("02_flip_speed", seeds=100, minutes=1, chunk=25, within={"rate": SPEED_RATES}, init=INITS, shape=SHAPES)
def speed(seeds: Sequence[int], init: str, shape: str) -> Data:
    """Return by seed and rate the first step before which the half-MSE is below NEAR, or SPEED_STEPS.

    Adam at a constant rate, from two starts for each seed: "chosen" is there to choose the rate with, "steps" to be
    reported.
    """
    starts = [2 * seed + start for seed in seeds for start in (0, 1)]
    models = [
        mlp(SHAPES[shape], init=INITS[init], generator=torch.Generator().manual_seed(start))
        for start in starts
        for _ in SPEED_RATES
    ]
    rates = list(SPEED_RATES) * len(starts)
    histories = train_ensemble(models, *diagonal_flip(), epochs=SPEED_STEPS, lr=rates, progress=False)
    found = [next(iter(np.flatnonzero(history.loss / 2 < NEAR)), SPEED_STEPS) for history in histories]
    found = np.array(found, dtype=float).reshape(len(seeds), 2, len(SPEED_RATES))
    axes = [("seed", list(seeds)), ("rate", list(SPEED_RATES))]
    return xr.Dataset({"chosen": xr.DataArray(found[:, 0], axes), "steps": xr.DataArray(found[:, 1], axes)})


def listed_loss(width: int, *, epochs: int = 200, lr: float = 0.05, seed: int = 42) -> float:
    """Return the half-MSE that a book chapter's listing ends with: gradient descent image by image, from one start."""
    X, Y = (part.double().numpy() for part in diagonal_flip())
    rng = np.random.RandomState(seed)
    W1, b1 = rng.randn(4, width) * np.sqrt(2 / 4), np.zeros(width)
    W2, b2 = rng.randn(width, 4) * np.sqrt(2 / width), np.zeros(4)
    for _ in range(epochs):
        losses = []
        for x, y in zip(X, Y, strict=True):
            z = x @ W1 + b1
            h = np.maximum(z, 0)
            error = h @ W2 + b2 - y
            losses.append(0.5 * np.mean(error**2))
            of_z = (error / 4 @ W2.T) * (z > 0)
            W2, b2 = W2 - lr * np.outer(h, error / 4), b2 - lr * error / 4
            W1, b1 = W1 - lr * np.outer(x, of_z), b1 - lr * of_z
    return float(np.mean(losses))


# --- reading what was measured ----------------------------------------------------------------------------

TIE = 0.01 * LEVEL


def at_best(cell: Data, what: str) -> xr.DataArray:
    """Return `what` by seed, of arrays by seed and rate, at the rate with the best mean over the starts that choose it.

    The mean, since errors come in levels, on which the medians of several rates are equal. Of rates that are as good
    as the best, to TIE, the middle one is taken: which is ahead by less is a matter of rounding. A rate at which a
    run diverged, NaN, is out.
    """
    means = cell["chosen"].mean("seed", skipna=False)
    tied = means["rate"][means <= means.min() + TIE].values
    return cell[what].sel(rate=tied[len(tied) // 2])


def flipped(data: Data, activation: str, width: int, what: str = "error") -> xr.DataArray:
    """Return the half-MSE (or grey, dead) of one hidden layer of this width, by seed."""
    return at_best(data.sel(activation=activation, width=width), what)


def narrowed(data: Data, activation: str, place: str, width: int, what: str = "error") -> xr.DataArray:
    """Return the half-MSE (or grey, dead) with one narrow layer in one of PLACES, by seed."""
    return at_best(data.sel(activation=activation, place=place, width=width), what)


def levels(errors: xr.DataArray) -> xr.DataArray:
    """Return for each number of levels from 0 to 4, on how many of the starts the half-MSE is within NEAR of it."""
    return xr.DataArray([int((abs(errors - level * LEVEL) < NEAR).sum()) for level in range(5)], dims="level")


def quickest(data: Data, init: str, shape: str) -> xr.DataArray:
    """Return steps by seed, at the rate with the smallest median over the starts that choose it.

    Where medians are equal, as where most starts never get there, the mean decides.
    """
    cell = data.sel(init=init, shape=shape)
    rates = [float(rate) for rate in cell["rate"]]
    best = min(rates, key=lambda rate: [float(of(cell["chosen"].sel(rate=rate))) for of in (np.median, np.mean)])
    return cell["steps"].sel(rate=best)


def slower(data: Data, shape: str, than: str, init: str = "PyTorch's") -> xr.DataArray:
    """Return by seed how many times the steps of one of SHAPES another one takes, each at its best rate."""
    return quickest(data, init, shape) / quickest(data, init, than)


def steps_at_best(data: Data) -> dict[str, float]:
    """Return the median steps of one layer of 16 and of 8, "wide" and "narrow", of two of 8, "deep", of 16, "both"."""
    shapes = {
        "wide": "one layer of 16",
        "narrow": "one layer of 8",
        "deep": "two layers of 8",
        "both": "two layers of 16",
    }
    return {name: float(quickest(data, "PyTorch's", shape).median()) for name, shape in shapes.items()}


def mean_errors(data: Data) -> dict[str, float]:
    """Return the mean half-MSE with three units, in units of LEVEL, by activation."""
    return {activation: float(flipped(data, activation, 3).mean() / LEVEL) for activation in ("relu", "identity")}


def arithmetic(shape: str) -> int:
    """Return the FLOPs of a training step for one image, with one of SHAPES."""
    return mlp_flops(SHAPES[shape]).step
