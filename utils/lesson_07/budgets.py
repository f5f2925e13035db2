"""Digits at several depths with two budgets of steps: what is missed, and when the training error first is 1 %."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import xarray as xr
from torch import nn

from utils.claims import experiment
from utils.comparison import HELD_OUT, PARTS, at_best_rate, best_rates, sweep
from utils.lesson_07.networks import DEFAULT, HE, NEAR, digits, plain, stream
from utils.training import History
from utils.types import Data

BATCH, PER_EPOCH = 50, 18  # images in a step, steps in a pass over the 898
EPOCHS, LONGER = 33, 10
SHORT, LONG = EPOCHS * PER_EPOCH, LONGER * EPOCHS * PER_EPOCH  # steps
RATES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
LONG_RATES = RATES[:-1]  # at the largest, networks of five layers and more learn nothing
DEPTHS = (1, 5, 21, 51)
DEEP, DEEPER, WIDER = 51, 201, 64
SKIP = "skip"
LIMIT = 0.01  # of the training error that is waited for
NEVER = 1e9  # steps, where rates are compared

NETWORKS: dict[str, Callable[..., nn.Sequential]] = {
    **{f"{HE} {depth}": partial(plain, depth) for depth in DEPTHS},
    **{f"{NEAR} {depth}": partial(plain, depth, NEAR) for depth in DEPTHS[1:]},
    **{f"{SKIP} {depth}": partial(stream, depth // 2) for depth in DEPTHS[1:]},
    **{f"{DEFAULT} {depth}": partial(plain, depth, DEFAULT) for depth in DEPTHS[2:]},
    # one change to a network of 51 layers
    "he, LayerNorm": partial(plain, DEEP, norm=nn.LayerNorm),
    "he, BatchNorm": partial(plain, DEEP, norm=nn.BatchNorm1d),
    "skip, no factor": partial(stream, DEEP // 2, 1.0),
    "skip, LayerNorm, no factor": partial(stream, DEEP // 2, 1.0, norm=nn.LayerNorm),
    "skip, ReLU on the stream": partial(stream, DEEP // 2, relu_on_stream=True),  # as He et al. had it first
    "near, wider": partial(plain, DEEP, NEAR, width=WIDER),
    "near, deeper": partial(plain, DEEPER, NEAR),
}
LONG_NETWORKS = [
    *(f"{HE} {depth}" for depth in DEPTHS),
    f"{NEAR} {DEEP}",
    *(f"{DEFAULT} {depth}" for depth in DEPTHS[2:]),
]


def steps_until(history: History) -> float:
    """Return after how many steps a pass over the training images first missed at most LIMIT of them; NaN for never.

    What a pass misses is counted batch by batch, each before its own step.
    """
    passes = history.accuracy[: history.steps // PER_EPOCH * PER_EPOCH].reshape(-1, PER_EPOCH)
    reached = np.flatnonzero(1 - passes.mean(axis=1) <= LIMIT)
    return float((reached[0] + 1) * PER_EPOCH) if len(reached) else np.nan


def trained(seeds: Sequence[int], network: str, epochs: int, rates: Sequence[float]) -> Data:
    """Return error [seed, rate, part] and steps until LIMIT [seed, rate] of a network, one of NETWORKS, on digits."""
    runs = sweep(
        NETWORKS[network],
        digits,
        seeds=seeds,
        lrs=rates,
        epochs=epochs,
        batch_size=BATCH,
        schedule="cosine",
        progress=False,
    )
    until = [[steps_until(history) for history in row] for row in runs.histories]
    return xr.Dataset({"error": 1 - runs.scores(), "until": (("seed", "rate"), until)})


@experiment(
    "07_short",
    within={"rate": RATES, "part": PARTS},
    seeds=12,
    minutes=12,
    chunk=12,
    network=[*NETWORKS],
    unstable={"error": 0.2, "until": 0.2},
)
def short(seeds: Sequence[int], network: str) -> Data:
    """Return `trained` after SHORT steps."""
    return trained(seeds, network, EPOCHS, RATES)


@experiment(
    "07_long",
    within={"rate": LONG_RATES, "part": PARTS},
    seeds=12,
    minutes=10,
    chunk=12,
    network=LONG_NETWORKS,
    unstable={"error": 0.2, "until": 0.2},
)
def long(seeds: Sequence[int], network: str) -> Data:
    """Return `trained` after LONG steps."""
    return trained(seeds, network, LONGER * EPOCHS, LONG_RATES)


# --- reading ----------------------------------------------------------------------------------------------


def missed(data: Data, network: str, part: str = HELD_OUT) -> xr.DataArray:
    """Return the share missed by seed, at the rate that is best on validation data."""
    return at_best_rate(data["error"].sel(network=network), larger_is_better=False, part=part)


def fastest(data: Data, network: str) -> xr.DataArray:
    """Return the steps until LIMIT by seed, ∞ for never, at the rate at which all others' median is smallest."""
    steps = data["until"].sel(network=network)
    rates = best_rates(steps.fillna(NEVER), larger_is_better=False)
    return steps.sel(rate=rates).fillna(np.inf).reset_coords(drop=True)


def at_least(steps: xr.DataArray, most: int) -> xr.DataArray:
    """Return the steps with ``most``, the whole budget, in the place of never."""
    return steps.where(np.isfinite(steps), most)


def until(short: Data, long: Data, network: str) -> xr.DataArray:
    """Return the steps until LIMIT by seed, `at_least`, of whichever budget gets there first, by the median."""
    found = [
        (fastest(data, network), most)
        for data, most in ((short, SHORT), (long, LONG))
        if network in data["network"].values
    ]
    return at_least(*min(found, key=lambda one: float(one[0].median())))
