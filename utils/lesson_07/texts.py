"""Depth in text: recurrent networks of one, two and four layers on short reviews, and rules beside them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import PARTS, TRAINING
from utils.lesson_07.readings import BATCH, best, errors_at
from utils.models import initialize
from utils.reviews import MAX_LENGTH, WORDS, reviews
from utils.types import Data, Part

LONGEST_CLAUSE = (MAX_LENGTH - 2) // 2  # in words: what a network is given of a review, its end
STEPS, LONGER = (256, 512), (2048,)  # until a reading each
LAST = len(STEPS) - 1
FEW, MANY = 512, 2048  # reviews to train on
UNSEEN_COUNT = 500
RATES = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04)
SHAPES: dict[str, tuple[int, int]] = {  # layers and width; the last has as many parameters as four layers
    "1 × 16": (1, 16),
    "2 × 16": (2, 16),
    "4 × 16": (4, 16),
    "1 × 27": (1, 27),
}
ENDS = ("1 × 16", "4 × 16")


class Recurrent(nn.Module):
    """A layer h ← tanh(W x + b + U h) that reads from left to right: [n, words, width] to the same shape."""

    def __init__(self, width: int):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.back = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.inner(x)
        h, states = torch.zeros_like(inner[:, 0]), []
        for word in range(inner.shape[1]):
            h = torch.tanh(inner[:, word] + self.back(h))
            states.append(h)
        return torch.stack(states, dim=1)


class Reader(nn.Sequential):
    """A stack of recurrent layers between an embedding and a linear layer: words' numbers [n, words] to [n, 2]."""

    def forward(self, words: Tensor) -> Tensor:
        return super().forward(words.long())[:, -1]


def reader(depth: int, width: int, *, generator: torch.Generator) -> Reader:
    """Return a Reader as PyTorch draws it, but that the matrices U are orthogonal."""
    model = Reader(nn.Embedding(len(WORDS), width), *[Recurrent(width) for _ in range(depth)], nn.Linear(width, 2))
    initialize(model, generator=generator)
    for layer in model[1:-1]:
        initialize(layer.back, "orthogonal", generator=generator)
    return model


def review_parts(count: int, *, generator: torch.Generator) -> list[Part]:
    """Return the ends of so many reviews to train on, then of 500 to choose the rate with and 500 held out."""
    made = [reviews(n, generator=generator) for n in (count, UNSEEN_COUNT, UNSEEN_COUNT)]
    return [(X[:, -LONGEST_CLAUSE:], y) for X, y in made]


def learn(seeds: Sequence[int], shape: str, count: int, steps: Sequence[int] = STEPS) -> Data:
    """Return the errors of one of SHAPES on so many reviews, after so many steps each."""
    epochs = [one * BATCH // count for one in steps]
    return errors_at(epochs, partial(reader, *SHAPES[shape]), partial(review_parts, count), seeds=seeds, rates=RATES)


WITHIN = {"rate": RATES, "reading": range(len(STEPS)), "part": PARTS}
ROUNDING = {"error": 0.5}  # at the three largest rates a difference in the last bit grows to another network
ROUNDING_LONGER = {"error": 0.67}  # and after more steps at the fourth
few = experiment(
    "07_texts_few",
    seeds=12,
    minutes=2,
    chunk=12,
    within=WITHIN,
    shape=ENDS,
    unstable=ROUNDING,
)(partial(learn, count=FEW))
longer = experiment(
    "07_texts_longer",
    seeds=12,
    minutes=4,
    chunk=12,
    within={**WITHIN, "reading": range(len(LONGER))},
    shape=ENDS[1:],
    unstable=ROUNDING_LONGER,
)(partial(learn, count=MANY, steps=LONGER))
many = experiment(
    "07_texts",
    seeds=12,
    minutes=3,
    chunk=12,
    within=WITHIN,
    shape=SHAPES,
    unstable=ROUNDING,
)(partial(learn, count=MANY))


# --- reading what was measured ----------------------------------------------------------------------------


def lag(data: Data, reading: int, beside: str = "1 × 27") -> xr.DataArray:
    """Return by how much the held-out error of four layers exceeds that of one, by seed, each at its best rate."""
    return best(data, shape="4 × 16", reading=reading) - best(data, shape=beside, reading=reading)


def median_of_one(data: Data) -> float:
    """Return the median held-out error of one layer of 16 units at the end."""
    return float(best(data, shape="1 × 16", reading=LAST).median())


def fitted(data: Data, shape: str) -> xr.DataArray:
    """Return the lowest training error over the rates, by seed, at the end."""
    return data["error"].sel(shape=shape, reading=LAST, part=TRAINING, drop=True).min("rate")
