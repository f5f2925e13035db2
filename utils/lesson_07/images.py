"""Depth in images: layers of filters on digits, 3 to 21 of them, with sums around each two and without."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import nn

from utils.claims import experiment
from utils.comparison import PARTS, generators, one_thread, score
from utils.downloads import DOWNLOADS, load_download
from utils.engine.torch_run import BatchedRun
from utils.engine.training_plan import make_plan
from utils.lesson_07.networks import HE, N_OUT, NEAR, digits
from utils.lesson_07.readings import best
from utils.models import ResidualBlock, initialize
from utils.types import Data, Part

MEGABYTES = DOWNLOADS["cifar10"].megabytes
SKIPS = "skips"
ROUNDING = {"error": 0.8}  # float32: without AVX-512, 18 of 36 after six epochs
PIXELS, CHANNELS, SIDE = 8, 8, 3  # a side of an image; channels of all layers, and the side of their filters
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
BATCH, EPOCHS, LONGER = 16, 6, 18
NETS: dict[str, tuple[str, int]] = {  # how layers are joined, and how many there are
    "plain 3": (HE, 3),
    "plain 11": (HE, 11),
    "plain 21": (HE, 21),
    "skips 3": (SKIPS, 3),
    "skips 11": (SKIPS, 11),
    "skips 21": (SKIPS, 21),
    "near 21": (NEAR, 21),
}


def deep_net(joined: str, depth: int, *, generator: torch.Generator) -> nn.Sequential:
    """Return an odd number of layers of filters, the largest of each map, and one linear layer: [n, 64] to [n, 10].

    joined: SKIPS for blocks of two layers with a sum around them, V of each divided by the root of their number; HE for
    the same layers without sums, each with its ReLU; NEAR for these from filters that hand on each map as it is, plus
    He's over the root of the depth. The first layer goes in steps of two pixels: maps have 4×4 places.
    """
    blocks = (depth - 1) // 2
    layer = partial(nn.Conv2d, CHANNELS, CHANNELS, SIDE, padding=SIDE // 2)
    branches = [nn.Sequential(layer(), nn.ReLU(), layer()) for _ in range(blocks)]
    first = nn.Sequential(nn.Conv2d(1, CHANNELS, SIDE, stride=2, padding=SIDE // 2), nn.ReLU())
    inner = [ResidualBlock(one) if joined == SKIPS else nn.Sequential(*one, nn.ReLU()) for one in branches]
    last = (nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(CHANNELS, N_OUT))
    model = nn.Sequential(nn.Unflatten(1, (1, PIXELS, PIXELS)), *first, *inner, *last)
    initialize(model, "he", generator=generator)
    with torch.no_grad():
        for branch in branches:
            if joined == SKIPS:
                branch[-1].weight.mul_(blocks**-0.5)
            if joined == NEAR:
                for one in branch[::2]:
                    one.weight.mul_(depth**-0.5).add_(nn.init.dirac_(torch.empty_like(one.weight)))
    return model


def learn(seeds: Sequence[int], net: str, epochs: int) -> Data:
    """Return the errors of one of NETS on digits after so many epochs, by Adam at constant rates.

    All networks go at once, in float32: so filters take a seventh of the time.
    """
    parts = [digits(generator=generators(seed)[0]) for seed in seeds]
    models = [deep_net(*NETS[net], generator=generators(seed)[1]) for seed in seeds for _ in RATES]
    X, y = (torch.stack([pairs[0][k] for pairs in parts for _ in RATES]) for k in (0, 1))
    with one_thread():
        run = BatchedRun(make_plan(models, X, y, lr=[*RATES] * len(seeds), epochs=epochs, batch_size=BATCH))
        run.run(epochs, lambda: None)
        missed = [
            [1 - score(model, *part) for part in parts[place // len(RATES)]] for place, model in enumerate(models)
        ]
    errors = np.where(run.alive.numpy()[:, None], missed, np.nan).reshape(len(seeds), len(RATES), 1, len(PARTS))
    return xr.Dataset({"error": (("seed", "rate", "reading", "part"), errors)}, {"seed": [*seeds], **WITHIN})


WITHIN = {"rate": [*RATES], "reading": [0], "part": [*PARTS]}
sums = experiment("07_image_sums", seeds=11, minutes=1, chunk=6, net=NETS, within=WITHIN, unstable=ROUNDING)(
    partial(learn, epochs=EPOCHS)
)
longer = experiment(
    "07_image_sums_longer",
    seeds=11,
    minutes=1,
    chunk=6,
    net=("plain 21", "skips 21"),
    within=WITHIN,
    unstable=ROUNDING,
)(partial(learn, epochs=LONGER))


def larger(name: str, n_train: int, n_held_out: int, *, generator: torch.Generator, download: bool) -> list[Part]:
    """Return the two parts of a larger data set, as `load_download` does, and print where others stand in for it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        parts = load_download(name, n_train, n_held_out, generator=generator, download=download)
    print(*(one.message for one in caught if one.category is UserWarning), sep="\n")
    return parts


# --- reading what was measured ----------------------------------------------------------------------------


def lead(data: Data, behind: str, ahead: str) -> xr.DataArray:
    """Return by how much the held-out error of one of NETS exceeds another's, by seed, each at its best rate."""
    return best(data, net=behind) - best(data, net=ahead)


def median(data: Data, net: str) -> float:
    """Return the median held-out error of one of NETS."""
    return float(best(data, net=net).median())
