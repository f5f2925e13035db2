"""The diagonal flip: networks of many shapes on all sixteen 2×2 images, and the smallest error that rank allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.comparison import sweep
from utils.data import diagonal_flip
from utils.models import mlp
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
NOT_NARROW = [4, 16, 16, 16, 4]  # what a narrow middle layer is compared with; leaky ReLU
SIXTEEN, SHADES = "the sixteen images", "images in shades of grey"


def flip_floor(width: int) -> float:
    """The smallest half mean squared error on the sixteen images when the last hidden layer has `width` units.

    Half of the mean over images and outputs, affine output layer. By Bessel's inequality; see the lesson.
    """
    return max(4 - width, 0) / 32


@torch.no_grad()
def half_mse(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Half of the mean over images and outputs of the squared error."""
    return (model(X) - y).square().mean().item() / 2


def flip_parts(*, generator: torch.Generator) -> list[Part]:
    """The sixteen images with their transposes, and 2,000 images whose pixels are shades of grey, uniform in [0, 1]."""
    grey = torch.rand(GREY, 4, generator=generator)
    return [diagonal_flip(), (grey, grey[:, [0, 2, 1, 3]])]


def second_start(sizes: Sequence[int], activation: str, *, generator: torch.Generator) -> nn.Sequential:
    """The network that the generator gives after another one, which begins where the first sweep's began."""
    mlp(sizes, activation, generator=generator)
    return mlp(sizes, activation, generator=generator)


def train_on_flip(sizes: Sequence[int], activation: str, seeds: Sequence[int], steps: int) -> Data:
    """Networks of these sizes on all sixteen images, from two starts for each seed, with every rate.

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
    """How many units of the last hidden layer have the same value for all X, up to rounding; y is not looked at."""
    hidden = model[:-1](X)
    return float((hidden.amax(dim=0) - hidden.amin(dim=0) < 1e-6).sum())


def measure_widths(seeds: Sequence[int]) -> Data:
    """What `train_on_flip` returns, by activation and width, for one hidden layer."""

    def trained(activation: str, width: int) -> Data:
        return train_on_flip([4, width, 4], activation, seeds, WIDTH_STEPS)

    return over(trained, activation=ACTIVATIONS, width=WIDTHS)


def measure_narrow(seeds: Sequence[int]) -> Data:
    """What `train_on_flip` returns, by activation, place and width, for one narrow layer."""

    def trained(activation: str, place: str, width: int) -> Data:
        return train_on_flip(PLACES[place](width), activation, seeds, NARROW_STEPS)

    return over(trained, activation=ACTIVATIONS, place=PLACES, width=NARROW)


def measure_not_narrow(seeds: Sequence[int]) -> Data:
    """What `train_on_flip` returns for NOT_NARROW."""
    return train_on_flip(NOT_NARROW, "leaky_relu", seeds, NARROW_STEPS)


# --- reading what was measured ----------------------------------------------------------------------------

LEVEL = 1 / 32  # what one unit more or less makes of the floor
TIE = 0.01 * LEVEL


def at_best(cell: Data, what: str) -> xr.DataArray:
    """`what` by seed, of arrays by seed and rate, at the rate with the best mean over the starts that choose it.

    The mean, since errors come in levels, on which the medians of several rates are equal. Of rates that are as good
    as the best, to TIE, the middle one is taken: which is ahead by less is a matter of rounding. A rate at which a
    run diverged, NaN, is out.
    """
    means = cell["chosen"].mean("seed", skipna=False)
    tied = means["rate"][means <= means.min() + TIE].values
    return cell[what].sel(rate=tied[len(tied) // 2])


def flipped(data: Data, activation: str, width: int, what: str = "error") -> xr.DataArray:
    """Half-MSE (or grey, dead) of one hidden layer of this width, by seed."""
    return at_best(data.sel(activation=activation, width=width), what)


def narrowed(data: Data, activation: str, place: str, width: int, what: str = "error") -> xr.DataArray:
    """Half-MSE (or grey, dead) with one narrow layer in one of PLACES, by seed."""
    return at_best(data.sel(activation=activation, place=place, width=width), what)
