"""Lesson 07's measurements of capacity on a noisy board: shapes, numbers of examples, and what is said to regularise.

The board has 4×4 squares, and a tenth of the labels is wrong, in all parts alike: no classifier is expected to miss
fewer than that.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import HELD_OUT, PARTS, TRAINING, Score, Sweep, at_best_rate, generators, sweep
from utils.data import checkerboard, split
from utils.engine.training_plan import one_cycle
from utils.lesson_07.networks import wrong_share
from utils.models import mlp
from utils.training import Trainer, train
from utils.types import Data, Part

WRONG = 0.1  # share of the labels that is flipped
UNSEEN_SIZES = (1000, 2000)  # to choose on, held out
SHAPES = {"1 layer of 16": (16,), "1 layer of 64": (64,), "1 layer of 450": (450,), "3 layers of 32": (32,) * 3}
SMALL, AS_LARGE, DEEP = "1 layer of 16", "1 layer of 450", "3 layers of 32"  # the last two have about 2,260 parameters
EXAMPLES = (50, 100, 200, 800)
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
BATCH, STEPS, MORE_STEPS = 50, 1000, 2000
RACE = 200  # examples where two shapes are compared, and regularisers

STRENGTHS = {
    "L2": (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03),
    "weight decay": (0.01, 0.03, 0.1, 0.3, 1.0, 3.0),
    "L1": (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03),
    "dropout": (0.01, 0.02, 0.05, 0.1, 0.2, 0.4),
}
AIDED_RATE = 0.03
NONE, EARLY = "none", "early stopping"
AIDS = {"l2": "L2", "decay": "weight decay", "l1": "L1", "dropout": "dropout", "early": EARLY}  # in claims' ids
# pairs of strength and rate, of each kind as many
SETTINGS = {kind: [(0.0, rate) for rate in RATES] for kind in (NONE, EARLY)} | {
    kind: [(strength, AIDED_RATE) for strength in strengths] for kind, strengths in STRENGTHS.items()
}
EVERY = 5  # epochs: how often early stopping looks, and L1 shrinks

SUM_INPUTS, SUM_NOISE, SUM_DEPTHS, SUM_WIDTH = 10, 0.1, (1, 20), 10
SUM_RATES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
SUM_SIZES, SUM_EPOCHS = (800, 500, 1000), 60
SUM_FEW = 100  # examples beside the 800, in as many steps


MISSED = Score("error", of=wrong_share)


def noisy_board(n: int, *, generator: torch.Generator) -> Part:
    """Return points on a board of 4×4 squares, X [n, 2] and y [n], a tenth of the labels wrong."""
    X, y = checkerboard(n, generator=generator)
    return X, torch.where(torch.rand(n, generator=generator) < WRONG, 1 - y, y)


def parts(n: int, *, generator: torch.Generator) -> list[Part]:
    """Return n points to train on, points to choose on, and held-out ones."""
    return split(noisy_board, n, *UNSEEN_SIZES, generator=generator)


def network(shape: str, bias_std: float = 0.0, *, generator: torch.Generator) -> nn.Sequential:
    """Return a ReLU network for the board, of one of SHAPES, from He's weights."""
    return mlp([2, *SHAPES[shape], 2], init="he", bias_std=bias_std, generator=generator)


# --- capacity ---------------------------------------------------------------------------------------------


def learned(seeds: Sequence[int], shape: str, examples: int = RACE, steps: int = STEPS, bias_std: float = 0.0) -> Sweep:
    """Return networks of one shape, trained on so many points of the noisy board, in as many steps for any number."""
    build, options = partial(network, shape, bias_std), _options(examples, steps)
    return sweep(build, partial(parts, examples), seeds=seeds, lrs=RATES, progress=False, **options)


capacity = experiment(
    "07_capacity",
    MISSED,
    rates=RATES,
    parts=PARTS,
    seeds=12,
    minutes=0.6,
    chunk=3,
    shape=SHAPES,
    examples=EXAMPLES,
)(learned)
longer = experiment(
    "07_capacity_longer",
    MISSED,
    rates=RATES,
    parts=PARTS,
    seeds=12,
    minutes=0.3,
    chunk=3,
    shape=(SMALL, AS_LARGE, DEEP),
    steps=(MORE_STEPS,),
)(learned)


biased = experiment(
    "07_capacity_biases",
    MISSED,
    rates=RATES,
    parts=PARTS,
    seeds=12,
    minutes=0.3,
    chunk=3,
    shape=(AS_LARGE, DEEP),
    examples=(800,),
    bias_std=(0.5,),
)(learned)


def _options(examples: int, steps: int = STEPS) -> dict[str, object]:
    return {"epochs": steps * BATCH // examples, "batch_size": min(BATCH, examples), "schedule": "one-cycle"}


def gap(data: Data, shape: str, **cell: int) -> xr.DataArray:
    """Return by seed the held-out error less the training error, at the rate best on validation data."""
    missed, fitted = (capacity.best(data, part=part, shape=shape, **cell) for part in (HELD_OUT, TRAINING))
    return missed - fitted


def lead(data: Data, over: str = SMALL, **cell: int) -> xr.DataArray:
    """Return by seed the held-out error of one of SHAPES less the deep network's, each at its best rate."""
    if "bias_std" in data.dims:
        data = data.squeeze("bias_std", drop=True)
    return capacity.best(data, shape=over, **cell) - capacity.best(data, shape=DEEP, **cell)


# --- what is said to regularise ---------------------------------------------------------------------------


@experiment(
    "07_regularised",
    seeds=12,
    minutes=0.5,
    chunk=1,
    kind=SETTINGS,
    within={"setting": range(len(RATES)), "part": PARTS},
    unstable={"error": 0.2},  # PyTorch trains those with dropout, a sixth
)
def regularised(seed: int, kind: str) -> xr.Dataset:
    """Return the errors of networks trained on few points of the noisy board, one for each of the kind's settings."""
    pairs = parts(RACE, generator=generators(seed)[0])
    errors = [[wrong_share(model, X, y) for X, y in pairs] for model in raced(kind, pairs, seed)]
    axes = {"setting": range(len(errors)), "part": [*PARTS]}
    return xr.Dataset({"error": xr.DataArray(np.array(errors), axes, ["setting", "part"])})


def raced(kind: str, pairs: Sequence[Part], seed: int) -> list[nn.Module]:
    """Return deep networks trained on the first of the pairs, one for each of the kind's settings."""
    strengths, rates = zip(*SETTINGS[kind], strict=True)
    models = [network(DEEP, generator=generators(seed)[1]) for _ in rates]
    (X, y), (X_val, y_val), _ = pairs
    options = {"X": X, "y": y, **_options(len(X))}
    if kind in ("L2", "weight decay"):
        optimizer = "adam" if kind == "L2" else "adamw"
        for model, strength, rate in zip(models, strengths, rates, strict=True):
            train(model, lr=rate, weight_decay=strength, optimizer=optimizer, progress=False, **options)
        return models
    if kind == "dropout":
        drop_out(models, X, y, strengths, generator=torch.Generator().manual_seed(seed))
        return models
    best, kept = [np.inf] * len(models), [*models]
    trainer = Trainer(models, lr=rates, **options)
    while not trainer.done:
        trainer.run(None if kind == NONE else EVERY)
        for number, model in enumerate(models):
            if kind == "L1":
                shrink(model, strengths[number] * rates[number] * EVERY * len(X) / BATCH)
            elif kind == EARLY and (error := wrong_share(model, X_val, y_val)) < best[number]:
                best[number], kept[number] = error, copy.deepcopy(model)
    return kept


def drop_out(
    models: Sequence[nn.Sequential],
    X: Tensor,
    y: Tensor,
    shares: Sequence[float],
    *,
    generator: torch.Generator,
) -> None:
    """Train networks for the board side by side, by Adam on a one-cycle schedule, each with its share of dropout."""
    layers = [[model[place] for model in models] for place in range(0, len(models[0]), 2)]
    weights = [
        [torch.stack([getattr(layer, name).data for layer in row]).requires_grad_() for name in ("weight", "bias")]
        for row in layers
    ]
    kept = 1 - torch.tensor(shares)[:, None, None]
    optimizer = torch.optim.Adam([one for pair in weights for one in pair], lr=AIDED_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, one_cycle(STEPS))
    order = torch.Generator().manual_seed(0)  # as the other networks have it
    for _ in range(STEPS * BATCH // len(X)):
        for rows in torch.randperm(len(X), generator=order).split(BATCH):
            h = X[rows].expand(len(models), -1, -1)
            for place, (W, b) in enumerate(weights):
                if place > 0:
                    h = h.relu() * (torch.rand(*h.shape, generator=generator) < kept) / kept
                h = torch.baddbmm(b[:, None], h, W.transpose(1, 2))
            loss = len(models) * nn.functional.cross_entropy(h.flatten(0, 1), y[rows].repeat(len(models)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    for row, pair in zip(layers, weights, strict=True):
        for number, layer in enumerate(row):
            layer.weight.data, layer.bias.data = (one.data[number].clone() for one in pair)


@torch.no_grad()
def shrink(model: nn.Sequential, by: float) -> None:
    """Move each weight, not the biases, towards 0 by so much, and no further: the proximal step of an L1 penalty."""
    for layer in model[::2]:
        layer.weight.copy_(layer.weight.sign() * (layer.weight.abs() - by).clamp(min=0))


def aided(data: Data, kind: str, part: str = HELD_OUT) -> xr.DataArray:
    """Return a part's errors by seed at the setting that is best for all other seeds."""
    return at_best_rate(data["error"].sel(kind=kind).rename(setting="rate"), larger_is_better=False, part=part)


def spared(data: Data, kind: str) -> xr.DataArray:
    """Return by seed the held-out error without aid less that with it."""
    return aided(data, NONE) - aided(data, kind)


# --- a task that is a straight line -----------------------------------------------------------------------


def noisy_sum(n: int, *, generator: torch.Generator) -> Part:
    """Return ten uniform inputs, X [n, 10], and their sum with some noise, y [n, 1]."""
    X = torch.rand(n, SUM_INPUTS, generator=generator)
    return X, X.sum(dim=1, keepdim=True) + SUM_NOISE * torch.randn(n, 1, generator=generator)


def sum_parts(examples: int = SUM_SIZES[0], *, generator: torch.Generator) -> list[Part]:
    """Return noisy sums to train on, to choose on, and held out."""
    return split(noisy_sum, examples, *SUM_SIZES[1:], generator=generator)


def summed(seeds: Sequence[int], depth: int, examples: int = SUM_SIZES[0]) -> Sweep:
    """Return networks of narrow layers that learned a sum, in as many steps from any number of examples."""
    build = partial(mlp, [SUM_INPUTS, *[SUM_WIDTH] * depth, 1], init="he")
    epochs = SUM_EPOCHS * SUM_SIZES[0] // examples
    options = {"epochs": epochs, "batch_size": BATCH, "schedule": "one-cycle", "progress": False}
    return sweep(build, partial(sum_parts, examples), seeds=seeds, lrs=SUM_RATES, **options)


sums = experiment(
    "07_sums",
    Score("squared"),
    rates=SUM_RATES,
    parts=PARTS,
    seeds=12,
    minutes=0.1,
    chunk=12,
    depth=SUM_DEPTHS,
)(summed)
sums_few = experiment(
    "07_sums_few",
    Score("squared"),
    rates=SUM_RATES,
    parts=PARTS,
    seeds=12,
    minutes=0.1,
    chunk=12,
    depth=SUM_DEPTHS,
    examples=(SUM_FEW,),
)(summed)


def sum_gap(data: Data, depth: int) -> xr.DataArray:
    """Return by seed the held-out less the training error after SUM_FEW examples, at the best rate."""
    of = [sums_few.best(data, depth=depth, examples=SUM_FEW, part=part) for part in (HELD_OUT, TRAINING)]
    return of[0] - of[1]
