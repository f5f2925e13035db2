"""From a hand-built checkerboard network, shaken, and back by training; and to the checkerboard from random weights.

A board of k folds has 2^k × 2^k squares. The hand-built network draws it with k + 1 hidden layers of four units: each
coordinate is shifted by half a square and folded k times by tent(x) = 2 relu(x) − 4 relu(x − ½), two units each; with
a and b, what comes out less ½, the last four units make |a + b| − |a − b|, which has the sign of ab: positive on
squares of colour 0, such as that in the corner. All networks here have two outputs, one for each colour, and are
trained by cross-entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.checks import real_number
from utils.claims import experiment
from utils.comparison import (
    ACCURACY,
    UNSEEN,
    VALIDATION,
    Sweep,
    as_rates,
    at_best_rate,
    best_rates,
    generators,
    score,
    sweep,
)
from utils.constructions import relu_network
from utils.data import checkerboard, split
from utils.lesson_04.boards import folded_board
from utils.models import mlp, mlp_flops, mlp_parameters
from utils.statistics import Estimate, proportion
from utils.types import Data, Part
from utils.withholding import withholdable

POINTS = (8000, 2000, 4000)  # to train on, to choose the rate with, to report
BATCH = 200
TRAINING = {"batch_size": BATCH, "schedule": "one-cycle", "progress": False}

FOLDS = (2, 3, 4)  # boards of 4 × 4, 8 × 8 and 16 × 16 squares
A_SQUARE = ", ".join(str(POINTS[0] // 4**k) for k in FOLDS)  # points to train on
NOISES = (0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
BACK = 0.97  # right answers, of which an unshaken network keeps about .99 when it is trained
SCALE = 4.0  # the first output minus the second is 4 (|a + b| − |a − b|)
SHAKEN_RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
SHAKEN_EPOCHS, LONGER_SHAKEN_EPOCHS = 250, 1000  # 10,000 steps, and 40,000
AT_THE_EDGE = (0.04, 0.08)  # from which four folds, and three, mostly do not come back
WIDTHS = (4, 16)

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
RISING = (2, 3, 4)
SHAPES = {1: 272, 2: 34, 4: 20}  # width by depth: 1,362 parameters each
RACE_EPOCHS = 75  # 3,000 steps
LONGER_EPOCHS = 300
LONGER = (3, 4)
SPREADS = (0.1, 0.5)  # of the biases of He's initialisation: which suits a network better depends on its depth
GAINS = (1, 16)  # of the first layer's weights and biases, where each shape has the better start of two
FINEST = 4  # folds
UNIT, CENTRED = (0.0, 1.0), (-1.0, 1.0)


# --- boards and the hand-built network --------------------------------------------------------------------


def board_parts(k: int, bounds: tuple[float, float] = UNIT, *, generator: torch.Generator) -> list[Part]:
    """Return three parts of a board of 2^k × 2^k squares, to train on, choose with and report: X [n, 2], y [n]."""
    return split(checkerboard, *POINTS, generator=generator, frequency=2 ** (k - 1), bounds=bounds)


@withholdable
def folded_classifier(k: int) -> nn.Sequential:
    """Return the hand-built network [2, 4, …, 4, 2] of k folds on [0, 1]²: the output that is ahead is the colour.

    Raises TypeError or ValueError for a k that is not 1, 2, …
    """
    *folds, (product, _) = [(layer.weight.detach(), layer.bias.detach()) for layer in folded_board(k)[::2]]
    return relu_network([*folds, (SCALE / 2 * torch.cat([product, -product]), torch.zeros(2))])


@torch.no_grad()
def shaken(k: int, noise: float, *, generator: torch.Generator) -> nn.Sequential:
    """Return the hand-built network with normal noise on every weight and bias, of standard deviation noise × rms.

    The root mean square is that of the weight matrix or of the vector of biases to which the number belongs. So zeros
    are shaken like other weights, and the noise does not know which connections are used. The same generator gives
    the same noise, but for its size. Raises TypeError or ValueError for noise that is negative or no number.
    """
    real_number("noise", noise, least=0)
    model = folded_classifier(k)
    for numbers in model.parameters():
        rms = numbers.square().mean().sqrt()
        numbers += noise * rms * torch.randn(numbers.shape, generator=generator)
    return model


@torch.no_grad()
def switches(model: nn.Sequential, X: Tensor) -> Tensor:
    """Return which hidden units are on, bool [n, units], at each of the points X [n, 2]."""
    on = []
    for layer in model:
        X = layer(X)
        if isinstance(layer, nn.ReLU):
            on.append(X > 0)
    return torch.cat(on, dim=1)


def same_switches(one: nn.Sequential, other: nn.Sequential, X: Tensor) -> float:
    """Return the share of units and points X at which a unit is on, or off, as is its like in the other network."""
    return (switches(one, X) == switches(other, X)).double().mean().item()


# --- measuring --------------------------------------------------------------------------------------------


def train_shaken(k: int, noise: float, epochs: int, seeds: Sequence[int]) -> Sweep:
    """Return the shaken network of k folds, trained with every rate from every seed; for all noises the same data."""
    return sweep(
        partial(shaken, k, noise), partial(board_parts, k), seeds=seeds, lrs=SHAKEN_RATES, epochs=epochs, **TRAINING
    )


@experiment("04_returning", minutes=1.5, folds=FOLDS, within={"noise": NOISES, "rate": SHAKEN_RATES, "part": UNSEEN})
def returned(seeds: Sequence[int], folds: int) -> Data:
    """Return what training makes of the shaken network, by noise; and of its unshaken twin for comparison.

    accuracy, also by rate and part. same, also by rate: `same_switches` of the network and of its twin, both trained
    with this rate. before, same_before: held-out accuracy, and the switches, untrained.
    """
    twins = train_shaken(folds, 0.0, SHAKEN_EPOCHS, seeds)
    unseen = [parts[-1] for parts in twins.parts]

    def shaken_by(noise: float) -> Data:
        trained = train_shaken(folds, noise, SHAKEN_EPOCHS, seeds) if noise else twins
        starts = [shaken(folds, noise, generator=generators(seed)[1]) for seed in seeds]
        same = [
            [same_switches(*pair, X) for pair in zip(*rows, strict=True)]
            for *rows, (X, _) in zip(trained.models, twins.models, unseen, strict=True)
        ]
        arrays = {
            "same": (("seed", "rate"), np.array(same)),
            "before": ("seed", [score(model, *part) for model, part in zip(starts, unseen, strict=True)]),
            "same_before": (
                "seed",
                [
                    same_switches(model, folded_classifier(folds), X)
                    for model, (X, _) in zip(starts, unseen, strict=True)
                ],
            ),
        }
        axes = {"seed": list(seeds), "rate": list(SHAKEN_RATES)}
        return xr.Dataset({"accuracy": trained.scores().sel(part=UNSEEN), **arrays}, axes)

    return over(shaken_by, noise=NOISES)


@experiment("04_longer_returning", ACCURACY, rates=SHAKEN_RATES, seeds=20, minutes=3, folds=FOLDS, noise=AT_THE_EDGE)
def longer_returned(seeds: Sequence[int], folds: int, noise: float) -> Sweep:
    """Return the shaken network, trained for four times as many steps."""
    return train_shaken(folds, noise, LONGER_SHAKEN_EPOCHS, seeds)


def race(sizes: Sequence[int], k: int, spread: float, epochs: int, seeds: Sequence[int]) -> Sweep:
    """Return networks from random weights, trained on a board of k folds in [−1, 1]² with every rate from every seed.

    ``spread``: of the biases of He's initialisation.
    """
    start = partial(mlp, list(sizes), init="he", bias_std=spread)
    return sweep(start, partial(board_parts, k, CENTRED), seeds=seeds, lrs=RATES, epochs=epochs, **TRAINING)


@experiment(
    "04_scratch", ACCURACY, rates=RATES, seeds=12, minutes=2.5, chunk=4, folds=FOLDS, width=WIDTHS, spread=SPREADS
)
def scratch(seeds: Sequence[int], folds: int, width: int, spread: float) -> Sweep:
    """Return the hand-built architecture, and a wider one, from random weights."""
    return race([2, *[width] * (folds + 1), 2], folds, spread, SHAKEN_EPOCHS, seeds)


def sizes(depth: int) -> list[int]:
    """Return the sizes of one of SHAPES."""
    return [2, *[SHAPES[depth]] * depth, 2]


@experiment(
    "04_rising",
    seeds=12,
    minutes=4,
    chunk=4,
    folds=RISING,
    within={"depth": SHAPES, "spread": SPREADS, "rate": RATES, "part": UNSEEN},
)
def rising(seeds: Sequence[int], folds: int) -> Data:
    """Return accuracy by depth, spread, rate, part; nearest: that of the nearest training point's colour, held out."""
    parts = [board_parts(folds, CENTRED, generator=generators(seed)[0]) for seed in seeds]
    nearest = xr.DataArray([nearest_right(of[0], of[-1]) for of in parts], {"seed": list(seeds)}, ["seed"])
    accuracy = over(
        lambda depth, spread: race(sizes(depth), folds, spread, RACE_EPOCHS, seeds).scores(),
        depth=SHAPES,
        spread=SPREADS,
    )
    return xr.Dataset({"accuracy": accuracy.sel(part=UNSEEN), "nearest": nearest})


@experiment(
    "04_longer", ACCURACY, rates=RATES, seeds=12, minutes=2.5, chunk=4, folds=LONGER, depth=SHAPES, spread=SPREADS
)
def longer(seeds: Sequence[int], folds: int, depth: int, spread: float) -> Sweep:
    """Return networks of one of SHAPES, trained for four times as many steps."""
    return race(sizes(depth), folds, spread, LONGER_EPOCHS, seeds)


@torch.no_grad()
def steeper(sizes: Sequence[int], gain: float, spread: float, *, generator: torch.Generator) -> nn.Sequential:
    """Return a network from He's initialisation, its first weights and biases ``gain`` times as large.

    So the first creases stay where they are. ``spread``: of the biases before that.
    """
    model = mlp(list(sizes), init="he", bias_std=spread, generator=generator)
    model[0].weight.mul_(gain)
    model[0].bias.mul_(gain)
    return model


@experiment(
    "04_steep",
    ACCURACY,
    rates=RATES,
    seeds=11,
    minutes=2,
    chunk=4,
    depth=(1, 4),
    gain=GAINS,
    spread=SPREADS,
)
def steep(seeds: Sequence[int], depth: int, gain: int, spread: float) -> Sweep:
    """Return networks on the finest board after 12,000 steps, from first layers as they are and ``gain`` times them."""
    build, parts = partial(steeper, sizes(depth), gain, spread), partial(board_parts, FINEST, CENTRED)
    return sweep(build, parts, seeds=seeds, lrs=RATES, epochs=LONGER_EPOCHS, **TRAINING)


def nearest_right(known: Part, asked: Part) -> float:
    """Return the share of points whose colour is that of the nearest known point."""
    (X, y), (X_asked, y_asked) = known, asked
    return (y[torch.cdist(X_asked, X).argmin(1)] == y_asked).double().mean().item()


# --- reading what was measured ----------------------------------------------------------------------------


def ended(data: Data, folds: int, **place: float) -> xr.DataArray:
    """Return by seed the held-out accuracy after training, with the best rate, and the best spread where these vary.

    place: the noise, the width or the depth.
    """
    found = data["accuracy"].sel(folds=folds, **place)
    if "spread" in found.dims:
        found = as_rates(found, "spread", "rate")
    return at_best_rate(found, larger_is_better=True)


def came_back(data: Data, folds: int, noise: float) -> xr.DataArray:
    """Return by seed 1 where training ended with at least BACK right answers, else 0."""
    return (ended(data, folds, noise=noise) >= BACK).astype(float)


def same_after(data: Data, folds: int, noise: float) -> xr.DataArray:
    """Return by seed the share of switches like the trained twin's after training, at the rate best for the shaken."""
    cell = data.sel(folds=folds, noise=noise)
    rates = best_rates(cell["accuracy"].sel(part=VALIDATION), larger_is_better=True)
    return cell["same"].sel(rate=rates).reset_coords(drop=True)


def same_agreement(data: Data) -> dict[str, float]:
    """Return what `reveal` says of runs that came back, three folds, noise .02: medians of the switches like the
    twin's.
    """
    back = came_back(data, 3, 0.02) == 1
    before, after = data["same_before"].sel(folds=3, noise=0.02), same_after(data, 3, 0.02)
    return {"before": float(before[back].median()), "after": float(after[back].median())}


def reach(data: Data, folds: int) -> float:
    """Return the largest noise up to which, for each noise, more than half of the runs come back, or 0."""
    reached = takewhile(lambda noise: came_back(data, folds, noise).mean() > 0.5, NOISES)
    return max(reached, default=0.0)


def reaches(data: Data) -> dict[str, float]:
    """Return what `reveal` says of all boards: `reach`, by the number of folds in words, and medians without noise."""
    medians = (float(ended(data, folds, noise=0.0).median()) for folds in FOLDS)
    return {
        **{word: reach(data, folds) for word, folds in zip(("two", "three", "four"), FOLDS, strict=True)},
        "unshaken": ", ".join(f"{right:.3f}" for right in medians),
    }


def shares_back(data: Data, folds: int) -> list[Estimate]:
    """Return for each of NOISES the share of runs that come back."""
    runs = [came_back(data, folds, noise).values for noise in NOISES]
    return [proportion(int(run.sum()), len(run)) for run in runs]


def lead(data: Data, folds: int) -> xr.DataArray:
    """Return by seed the held-out accuracy of four layers minus that of one."""
    return ended(data, folds, depth=4) - ended(data, folds, depth=1)


def lead_from_better_start(data: Data) -> xr.DataArray:
    """Return by seed the held-out accuracy of four layers minus that of one, each with its best gain, spread and rate.

    All three are chosen together, on validation data.
    """
    found = [as_rates(data["accuracy"].sel(depth=depth), "gain", "spread", "rate") for depth in (4, 1)]
    four, one = (at_best_rate(scores, larger_is_better=True) for scores in found)
    return four - one


def best_of_shapes(data: Data, folds: int) -> xr.DataArray:
    """Return by seed the held-out accuracy of the best of the three shapes."""
    return over(lambda depth: ended(data, folds, depth=depth), depth=SHAPES).max("depth")


def short_of_neighbours(data: Data, folds: int) -> xr.DataArray:
    """Return by seed the nearest neighbour's held-out accuracy minus that of the best of the three shapes."""
    return data["nearest"].sel(folds=folds, drop=True) - best_of_shapes(data, folds)


def medians_of_shapes(data: Data, folds: int) -> dict[str, float]:
    """Return what `reveal` says of a race: the median held-out accuracy, by the depth in words."""
    words = ("one", "two", "four")
    return {word: float(ended(data, folds, depth=depth).median()) for word, depth in zip(words, SHAPES, strict=True)}


def times_the_parameters(folds: int) -> int:
    """Return how many times the parameters of the hand-built architecture the wider one of WIDTHS has, rounded."""
    narrow, wide = (mlp_parameters([2, *[width] * (folds + 1), 2]) for width in WIDTHS)
    return round(wide / narrow)


def parameters(depth: int) -> int:
    """Return the number of parameters of one of SHAPES."""
    return mlp_parameters(sizes(depth))


def step_flops(depth: int) -> int:
    """Return the floating-point operations of one training step of one of SHAPES, per example."""
    return mlp_flops(sizes(depth)).step
