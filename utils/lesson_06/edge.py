"""Lesson 06's measurements at the edge: how deep a tanh network can be and still learn, and what orthogonal weights do.

Depth scales are those of Schoenholz et al. 2017, "Deep information propagation"; orthogonal weights those of Saxe et
al. 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, log

import numpy as np
import torch
import xarray as xr
from numpy.typing import ArrayLike
from torch import nn

from utils.claims import experiment
from utils.comparison import ACCURACY, HELD_OUT, PARTS, Sweep, as_rates, at_best_rate, one_thread, sweep
from utils.data import load_table
from utils.lesson_06.hundred import KINDS, hundred_layers
from utils.meanfield import chi_1, depth_scale
from utils.models import mlp
from utils.types import Data

SIGMA_B = 0.05**0.5  # the biases of Schoenholz et al. 2017
ORDERED, EDGE, CHAOTIC = (0.7, 0.9, 1.0, 1.1, 1.2), 1.33, (1.6, 2.0, 2.5, 3.0, 4.0)
GAINS = (*ORDERED, EDGE, *CHAOTIC)
DEPTHS = (3, 6, 12, 24, 48)
RATES = (0.0003, 0.0015, 0.0075, 0.04, 0.2, 1.0)
WIDTH, CLASSES = 50, 10
EPOCHS, BATCH = 3, 16
FRACTIONS = (0.6, 0.2, 0.2)  # of the 1,797 digits
STEPS = EPOCHS * ceil(1078 / BATCH)
HALF_WAY = (1 + 1 / CLASSES) / 2  # from all right to chance
BOTH_EPOCHS = (EPOCHS, 4 * EPOCHS)
LONGER_GAINS, LONGER_DEPTHS = (0.9, 2.5), (8, 16, 32)
ELSEWHERE, ELSEWHERE_DEPTHS = (3.0, 1.0), (4, 8, 16, 32)  # σ_w and σ_b where the gradient's scale is tested
NEXT = (1.2, 1.6)  # the gains that lie next to the edge

WIDTHS = (25, 100, 200)  # of networks of a hundred layers
LAYERS_RATES = (0.0005, 0.002, 0.005, 0.01, 0.03, 0.1)
LAYERS_FRACTIONS = (0.4, 0.2, 0.2)
LAYERS_STEPS = ceil(719 / BATCH)  # in one epoch
BOTH_GAINS, BOTH_WIDTH, BOTH_RATES = (1.05, 1.1, 1.15), 100, (0.002, 0.005, 0.01)  # of both kinds of weights


def reach(gain: float, sigma_b: float = SIGMA_B) -> float:
    """Return the depth, 6 ξ_c, to which tanh networks learn according to Schoenholz et al. 2017, section 5."""
    return 6 * depth_scale(gain, sigma_b, "tanh")[1]


def gradient_reach(gain: float, sigma_b: float = SIGMA_B) -> float:
    """Return the depth, 6/|ln χ₁|, over which a gradient's mean square changes by e⁶; below the edge 6 ξ_c."""
    return 6 / abs(log(chi_1(gain, sigma_b, "tanh")))


def tanh_network(gain: float, depth: int, sigma_b: float = SIGMA_B, *, generator: torch.Generator) -> nn.Sequential:
    """Return a tanh network for digits with Gaussian weights of this gain and biases of this standard deviation."""
    sizes = [64, *[WIDTH] * depth, CLASSES]
    return mlp(sizes, "tanh", init=("lecun", gain), bias_std=sigma_b, generator=generator)


# --- measuring --------------------------------------------------------------------------------------------


def learned(seeds: Sequence[int], gain: float, depth: int, epochs: int = EPOCHS, sigma_b: float = SIGMA_B) -> Sweep:
    """Return tanh networks after plain gradient descent on digits, which are divided anew for each seed."""
    build, parts = partial(tanh_network, gain, depth, sigma_b), partial(load_table, "digits", FRACTIONS)
    options = {"optimizer": "sgd", "epochs": epochs, "batch_size": BATCH, "progress": False}
    return sweep(build, parts, seeds=seeds, lrs=RATES, **options)


trainable = experiment(
    "06_edge",
    ACCURACY,
    rates=RATES,
    parts=PARTS,
    seeds=12,
    minutes=2,
    chunk=1,
    gain=GAINS,
    depth=DEPTHS,
)(learned)
longer = experiment(
    "06_longer",
    ACCURACY,
    rates=RATES,
    seeds=12,
    minutes=0.8,
    chunk=1,
    epochs=BOTH_EPOCHS,
    gain=LONGER_GAINS,
    depth=LONGER_DEPTHS,
)(learned)


elsewhere = experiment(
    "06_elsewhere",
    ACCURACY,
    rates=RATES,
    seeds=12,
    minutes=0.5,
    chunk=1,
    gain=ELSEWHERE[:1],
    depth=ELSEWHERE_DEPTHS,
)(partial(learned, sigma_b=ELSEWHERE[1]))


@experiment(
    "06_widths",
    ACCURACY,
    rates=LAYERS_RATES,
    seeds=12,
    minutes=1.7,
    chunk=1,
    width=WIDTHS,
    init=KINDS,
    unstable={"accuracy": 0.25},  # PyTorch trains the widest: without AVX-512 6 and 13 of 72 were others
)
def widths(seeds: Sequence[int], width: int, init: str) -> Sweep:
    """Return tanh networks of a hundred layers after few steps on digits."""
    return few_steps(seeds, width, init)


@experiment(
    "06_both_gains",
    ACCURACY,
    rates=BOTH_RATES,
    seeds=11,
    minutes=2,
    chunk=1,
    init=KINDS,
    gain=BOTH_GAINS,
)
def both_gains(seeds: Sequence[int], init: str, gain: float) -> Sweep:
    """Return such networks of width 100, with either kind of weights of some gain."""
    with one_thread():
        return few_steps(seeds, BOTH_WIDTH, init, gain, BOTH_RATES)


def few_steps(
    seeds: Sequence[int], width: int, init: str, gain: float = 1.0, rates: Sequence[float] = LAYERS_RATES
) -> Sweep:
    """Return tanh networks of a hundred layers after an epoch of plain gradient descent on digits."""
    build, parts = partial(hundred_layers, init, width, gain), partial(load_table, "digits", LAYERS_FRACTIONS)
    options = {"optimizer": "sgd", "epochs": 1, "batch_size": BATCH, "progress": False}
    return sweep(build, parts, seeds=seeds, lrs=rates, **options)


# --- reading ----------------------------------------------------------------------------------------------


def falls_below(accuracies: ArrayLike, depths: ArrayLike) -> float:
    """Return where accuracies, one a depth, fall below HALF_WAY for good, between depths on a logarithmic scale.

    It is the shallowest or the deepest of the depths, where they are below everywhere, or not at the end.
    """
    accuracies, depths = np.asarray(accuracies, dtype=float), np.asarray(depths, dtype=float)
    reached = np.flatnonzero(accuracies >= HALF_WAY)
    if len(reached) == 0 or reached[-1] == len(depths) - 1:
        return float(depths[0] if len(reached) == 0 else depths[-1])
    two = slice(reached[-1], reached[-1] + 2)
    return float(np.exp(np.interp(-HALF_WAY, -accuracies[two], np.log(depths[two]))))


def trainable_depth(data: Data, gain: float, *, part: str = HELD_OUT, **cell: float) -> xr.DataArray:
    """Return by seed the depth at which this gain's accuracy falls half-way to chance, each depth at its best rate."""
    depths = data["depth"].values
    by_depth = np.stack([trainable.best(data, part=part, gain=gain, depth=depth, **cell) for depth in depths], axis=1)
    return xr.DataArray([falls_below(row, depths) for row in by_depth], {"seed": data["seed"]}, ["seed"])


def ratio_to_theory(data: Data, gains: Sequence[float]) -> xr.DataArray:
    """Return by seed the trainable depth over 6 ξ_c, the geometric mean over the gains."""
    return np.exp(xr.concat([np.log(trainable_depth(data, gain) / reach(gain)) for gain in gains], "gain").mean("gain"))


def power_of_theory(data: Data, gains: Sequence[float]) -> xr.DataArray:
    """Return by seed the power of 6 ξ_c with which the trainable depth grows over the gains; 1 is proportional."""
    logarithms = np.stack([np.log(trainable_depth(data, gain)) for gain in gains])
    slopes = np.polyfit(np.log([reach(gain) for gain in gains]), logarithms, 1)[0]
    return xr.DataArray(slopes, {"seed": data["seed"]}, ["seed"])


def depth_gained(data: Data, gain: float) -> xr.DataArray:
    """Return by seed the trainable depth after four times the epochs over that before."""
    before, after = (trainable_depth(data, gain, epochs=epochs) for epochs in BOTH_EPOCHS)
    return after / before


def orthogonal_lead(data: Data, width: int) -> xr.DataArray:
    """Return by seed the held-out accuracy of orthogonal weights minus that of Gaussian ones, at this width."""
    return widths.best(data, width=width, init="orthogonal") - widths.best(data, width=width, init="Gaussian")


def gained_lead(data: Data) -> xr.DataArray:
    """Return by seed the lead of orthogonal weights, each kind at the gain and rate best for it for the other seeds."""
    scores = as_rates(data["accuracy"], "gain", "rate")
    one, other = (at_best_rate(scores.sel(init=init, drop=True), larger_is_better=True) for init in KINDS)
    return one - other


def nearest(data: Data) -> xr.DataArray:
    """Return by seed the trainable depth over 6/|ln χ₁|, the geometric mean over the gains next to the edge."""
    logs = [np.log(trainable_depth(data, gain) / gradient_reach(gain)) for gain in NEXT]
    return np.exp(xr.concat(logs, "gain").mean("gain"))


def four_streams(stream: Callable[..., list[float]], branches: int = 96) -> dict[str, list[float]]:
    """Return what stream(scale, normalised) returns, the variance after each branch: with and without both."""
    small = branches**-0.5
    return {
        "plain": stream(1, False),
        "normalised": stream(1, True),
        "scaled": stream(small, False),
        "normalised and scaled": stream(small, True),
    }
