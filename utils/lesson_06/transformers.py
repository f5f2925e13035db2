"""Excursion 06c's measurements: positions that grow alike, gradients where the norm stands, and a short training.

Dong, Cordonnier & Loukas 2021, "Attention is not all you need"; Xiong et al. 2020, "On layer normalization in the
transformer architecture". The texts are those of excursion 07c, the last words of short reviews.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap

from utils.attention import NORMS, Bare, Transformer, apart, draw, transformer
from utils.claims import experiment
from utils.comparison import ACCURACY, Sweep, one_thread, sweep
from utils.reviews import MAX_LENGTH, WORDS, reviews
from utils.types import Data, Part

PRE, POST = NORMS
POSITIONS = LENGTH = (MAX_LENGTH - 2) // 2  # words of a review's end, as in 07c
WIDTH = 64  # of networks at random weights

PARTS_OF_A_BLOCK = {  # what a block has beside attention and a layer norm
    "attention alone": {"skips": False, "feeds": False},
    "with feed-forward": {"skips": False, "feeds": True},
    "with skips": {"skips": True, "feeds": False},
    "with both": {"skips": True, "feeds": True},
}
ALONE, FED, SKIPPED, BOTH = PARTS_OF_A_BLOCK
SHARPER = (1, 4, 16)  # factors on the weights of queries and keys
LAYERS = 24
MILLIONTH = 1e-6
ROUNDING = 1e-12  # below this share, what is left is partly float64's rounding

DEPTHS = (2, 4, 8, 16, 24)
GAINS = (1.0, 0.5)
EXAMPLES = 16
ENDS = ("first", "last")

TRAINED_DEPTHS = TWO, SIX = (2, 6)  # six as in Vaswani et al. 2017
TRAINED_WIDTH = 16
RATES = (0.0006, 0.0012, 0.0025, 0.005, 0.01, 0.02)
SCHEDULES = {"with warm-up": "one-cycle", "without": "cosine"}
WARM, COLD = SCHEDULES
BATCH, TEXTS, UNSEEN_COUNT = 8, 2048, 500
EPOCHS, LONGER = 4, 8
STEPS = EPOCHS * TEXTS // BATCH
HALF = GAINS[1]


# --- positions grow alike ---------------------------------------------------------------------------------


@experiment(
    "06_alike", seeds=40, minutes=0.2, within={"layer": range(LAYERS + 1)}, having=PARTS_OF_A_BLOCK, sharper=SHARPER
)
def alike(seed: int, having: str, sharper: float) -> Data:
    """Return by layer how far apart the rows of twelve random positions are, after that many random blocks."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(1, POSITIONS, WIDTH, generator=generator).double()
    shares = [apart(x).item()]
    with torch.no_grad(), one_thread():
        for _ in range(LAYERS):
            block = draw(Bare(WIDTH, **PARTS_OF_A_BLOCK[having]), generator=generator).double()
            block.self_attn.in_proj_weight[: 2 * WIDTH] *= sharper
            x = block(x)
            shares.append(apart(x).item())
    return xr.Dataset({"apart": ("layer", shares)}, {"layer": range(LAYERS + 1)})


def decades_apart(data: Data, layer: int, having: str, sharper: float = 1) -> xr.DataArray:
    """Return by seed the power of ten of `apart` after a layer; float64's rounding where that is all there is."""
    shares = data["apart"].sel(layer=layer, having=having, sharper=sharper, drop=True)
    return np.log10(np.maximum(shares, np.finfo(float).eps))


def layers_apart(data: Data, having: str, sharper: Sequence[float] = (1,)) -> xr.DataArray:
    """Return by seed the first layer after which at most a millionth is left, the latest over these factors.

    One more than all layers, where more is left after the last.
    """
    more = data["apart"].sel(having=having, sharper=list(sharper), drop=True) > MILLIONTH
    return more.sum("layer").max("sharper").astype(float)


def power(data: Data) -> xr.DataArray:
    """Return by seed the power to which attention alone raises `apart` in a layer: the last that rounding leaves.

    Where r becomes c rᵖ, the drop of log r is p times the drop in the layer before.
    """
    shares = data["apart"].sel(having=ALONE, sharper=1, drop=True).transpose("seed", "layer")

    def last(row: np.ndarray) -> float:
        kept = np.log(row[row > ROUNDING])
        before, after = np.diff(kept[-3:])
        return float(after / before)

    return xr.DataArray([last(row) for row in shares.values], {"seed": data["seed"]}, ["seed"])


# --- where the norm stands --------------------------------------------------------------------------------


def reader(
    depth: int, norm: str, gain: float = 1.0, width: int = TRAINED_WIDTH, *, generator: torch.Generator
) -> Transformer:
    """Return a transformer that reads a review's end, and answers for or against."""
    return transformer(len(WORDS), LENGTH, 2, depth=depth, width=width, norm=norm, gain=gain, generator=generator)


def gradient_sizes(model: Transformer, X: Tensor, y: Tensor) -> list[float]:
    """Return for the first and the last block the root mean square, over examples, of the norm of the loss's gradient.

    Of the weights that Xiong et al. 2020 look at: the second matrix of the feed-forward network.
    """
    weights = {name: values.detach() for name, values in model.named_parameters()}
    names = [f"blocks.{block}.linear2.weight" for block in (0, len(model.blocks) - 1)]

    def loss(some: dict[str, Tensor], text: Tensor, label: Tensor) -> Tensor:
        answer = functional_call(model, {**weights, **some}, (text[None],))
        return nn.functional.cross_entropy(answer, label[None])

    found = vmap(grad(loss), (None, 0, 0))({name: weights[name] for name in names}, X, y)
    return [found[name].flatten(1).norm(dim=1).square().mean().sqrt().item() for name in names]


@experiment("06_norms", seeds=60, minutes=0.4, within={"block": ENDS}, norm=NORMS, depth=DEPTHS, gain=GAINS)
def norms(seed: int, norm: str, depth: int, gain: float) -> Data:
    """Return how large the gradient of a single text's loss is in the first and the last block at random weights."""
    generator = torch.Generator().manual_seed(seed)
    X, y = reviews(EXAMPLES, generator=generator)
    with one_thread():
        sizes = gradient_sizes(reader(depth, norm, gain, WIDTH, generator=generator), X[:, -LENGTH:], y)
    return xr.Dataset({"gradient": ("block", sizes)}, {"block": list(ENDS)})


def depth_power(data: Data, norm: str, gain: float = 1.0, block: str = "last") -> xr.DataArray:
    """Return by seed the power of the depth with which the gradient goes, between 8 and 24 blocks."""
    few, many = 8, DEPTHS[-1]
    of = data["gradient"].sel(norm=norm, gain=gain, block=block, drop=True)
    return np.log(of.sel(depth=many, drop=True) / of.sel(depth=few, drop=True)) / np.log(many / few)


# --- a short training -------------------------------------------------------------------------------------


def review_parts(*, generator: torch.Generator) -> list[Part]:
    """Return the ends of 2,048 reviews to train on, then of 500 to choose the rate with and 500 held out."""
    made = [reviews(n, generator=generator) for n in (TEXTS, UNSEEN_COUNT, UNSEEN_COUNT)]
    return [(X[:, -LENGTH:], y) for X, y in made]


def read(
    seeds: Sequence[int],
    norm: str = POST,
    depth: int = SIX,
    warm_up: str = WARM,
    gain: float = 1.0,
    epochs: int = EPOCHS,
) -> Sweep:
    """Return transformers that learned to read reviews, by Adam, with every rate."""
    options = {"epochs": epochs, "batch_size": BATCH, "schedule": SCHEDULES[warm_up], "progress": False}
    with one_thread():
        return sweep(partial(reader, depth, norm, gain), review_parts, seeds=seeds, lrs=RATES, **options)


# In float32 other processors round otherwise, and labels change at the larger rates: without AVX-512, 20 of 48.
OF_A_RACE = {"rates": RATES, "seeds": 11, "chunk": 11, "unstable": {"accuracy": 0.6}}
reads = experiment("06_reads", ACCURACY, minutes=1.7, norm=NORMS, depth=TRAINED_DEPTHS, **OF_A_RACE)(read)
cold = experiment("06_reads_cold", ACCURACY, minutes=1.3, norm=NORMS, warm_up=(COLD,), **OF_A_RACE)(read)
longer = experiment("06_reads_longer", ACCURACY, minutes=1.3, norm=(POST,), epochs=(LONGER,), **OF_A_RACE)(read)
small = experiment("06_reads_small", ACCURACY, minutes=0.6, norm=(POST,), gain=(HALF,), **OF_A_RACE)(read)
