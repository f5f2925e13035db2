"""Depth in images: convolutional networks of one, two and four layers on digits, and what else widens their view."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import nn

from utils.claims import experiment
from utils.comparison import PARTS
from utils.downloads import DOWNLOADS, load_download
from utils.lesson_07.networks import N_OUT, digits
from utils.lesson_07.readings import best, errors_at
from utils.models import count_parameters, initialize
from utils.types import Data, Part

SIDE = 8
EPOCHS = (2, 4)  # until a reading each
LAST = len(EPOCHS) - 1
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
MEGABYTES = DOWNLOADS["cifar10"].megabytes
LARGEST, EVERY = "each map's largest value", "every place"  # what the output layer is handed
SHAPES: dict[str, tuple[int, int, int]] = {  # layers, side of the filters, channels; but for the last, about as large
    "one of 3×3": (1, 3, 55),
    "two of 3×3": (2, 3, 10),
    "four of 3×3": (4, 3, 6),
    "one of 7×7": (1, 7, 18),
    "one of 3×3, six channels": (1, 3, 6),
}


def conv_net(depth: int, side: int, channels: int, read: str = LARGEST, *, generator: torch.Generator) -> nn.Sequential:
    """Return layers of filters with ReLU and one linear layer, from He's weights: [n, 64] to [n, 10]."""
    layers: list[nn.Module] = [nn.Unflatten(1, (1, SIDE, SIDE))]
    for n_in in (1, *[channels] * (depth - 1)):
        layers += [nn.Conv2d(n_in, channels, side, padding=side // 2), nn.ReLU()]
    layers += [nn.AdaptiveMaxPool2d(1)] if read == LARGEST else []
    features = channels * (1 if read == LARGEST else SIDE * SIDE)
    return initialize(nn.Sequential(*layers, nn.Flatten(), nn.Linear(features, N_OUT)), "he", generator=generator)


@experiment(
    "07_images",
    seeds=11,
    minutes=1.2,
    chunk=1,
    shape=SHAPES,
    within={"rate": RATES, "reading": range(len(EPOCHS)), "part": PARTS},
)
def images(seeds: Sequence[int], shape: str) -> Data:
    """Return the errors of networks of one of SHAPES on digits, after each of EPOCHS."""
    return errors_at(EPOCHS, partial(conv_net, *SHAPES[shape]), digits, seeds=seeds, rates=RATES)


@experiment(
    "07_images_longer",
    seeds=11,
    minutes=2,
    chunk=1,
    shape=("one of 3×3", "four of 3×3"),
    within={"rate": RATES, "reading": range(1), "part": PARTS},
)
def longer(seeds: Sequence[int], shape: str) -> Data:
    """Return the errors after six times as many epochs."""
    return errors_at((6 * EPOCHS[LAST],), partial(conv_net, *SHAPES[shape]), digits, seeds=seeds, rates=RATES)


def larger(name: str, n_train: int, n_held_out: int, *, generator: torch.Generator, download: bool) -> list[Part]:
    """Return the two parts of a larger data set, as `load_download` does, and print where others stand in for it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        parts = load_download(name, n_train, n_held_out, generator=generator, download=download)
    print(*(one.message for one in caught if one.category is UserWarning), sep="\n")
    return parts


# --- reading what was measured ----------------------------------------------------------------------------


def lead(data: Data, behind: str, ahead: str, reading: int = LAST) -> xr.DataArray:
    """Return by how much the held-out error of one of SHAPES exceeds another's, by seed, each at its best rate."""
    return best(data, shape=behind, reading=reading) - best(data, shape=ahead, reading=reading)


def parameters(shape: str) -> int:
    """Return the number of parameters of one of SHAPES."""
    return count_parameters(conv_net(*SHAPES[shape], generator=torch.Generator()))


def image_medians(data: Data) -> dict[str, float]:
    """Return the median held-out errors at the end, by short names."""
    names = ("one", "two", "four", "wide", "narrow")
    return {
        name: float(best(data, shape=shape, reading=LAST).median()) for name, shape in zip(names, SHAPES, strict=True)
    }
