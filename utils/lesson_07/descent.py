"""Lesson 07's double descent: least squares on random features of the digits, exactly, and trained networks beside it.

The random features are one hidden ReLU layer that is not trained. Some of the labels to train on may be wrong; all
others are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor

from utils.claims import experiment
from utils.comparison import HELD_OUT, PARTS, TRAINING, VALIDATION, Sweep, at_best_rate, best_rate, generators, sweep
from utils.data import load_table
from utils.lesson_07.capacity import MISSED
from utils.models import mlp
from utils.types import Array, Data, Part

EXAMPLES, OTHERS = 300, (500, 997)  # digits to train on; to choose on and held out
FEATURES = (10, 30, 100, 150, 200, 250, 300, 350, 450, 600, 1000, 3000)
FEWER = tuple(count for count in FEATURES if count < EXAMPLES)
NOISES = (0.0, 0.2)  # share of labels drawn anew
RIDGES = (0.0, *(10.0**power for power in range(-6, 3)))
TINY = 1e-12  # of the largest singular value: below it is rounding, as of a feature that is 0 for all images

WIDTHS = (2, 4, 6, 8, 10, 12, 16, 32, 40, 64, 128)  # 40 units have as many parameters as there are targets, 3,000
WRONG = (0.0, 0.2, 0.4)
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
ONE_RATE = 0.01  # at which networks wide enough fit everything
EPOCHS = 400
FITTED = 0.005  # training error, at most


def noisy_digits(wrong: float, *, generator: torch.Generator) -> list[Part]:
    """Return digits to train on, a share of their labels drawn anew, digits to choose on, and held-out ones."""
    total = EXAMPLES + sum(OTHERS)
    (X, y), *others = load_table("digits", [count / total for count in (EXAMPLES, *OTHERS)], generator=generator)
    drawn = torch.randint(10, y.shape, generator=generator)
    return [(X, torch.where(torch.rand(len(y), generator=generator) < wrong, drawn, y)), *others]


def misses(outputs: Array, y: Tensor) -> float:
    """Return the share of digits whose largest output [n, 10] is not at their label."""
    return float((outputs.argmax(axis=1) != y.numpy()).mean())


# --- least squares ----------------------------------------------------------------------------------------


@experiment(
    "07_descent", minutes=0.5, chunk=1, features=FEATURES, within={"wrong": NOISES, "ridge": RIDGES, "part": PARTS}
)
def descent(seed: int, features: int) -> xr.Dataset:
    """Return least-squares fits' errors on so many random features, and the smallest singular value.

    The singular value is a share of the largest, of those that are not rounding.
    """
    made, drawn = generators(seed)
    start = made.get_state()
    W = torch.randn(64, features, generator=drawn, dtype=torch.float64) / 8
    errors = np.zeros((len(NOISES), len(RIDGES), len(PARTS)))
    for place, wrong in enumerate(NOISES):
        parts = noisy_digits(wrong, generator=made.set_state(start))
        if place == 0:  # the images are the same, and so is all but the labels
            phis = [(X.double() @ W).relu().numpy() / features**0.5 for X, _ in parts]
            U, s, V_t = np.linalg.svd(phis[0], full_matrices=False)
            U, s, V_t = U[:, s > TINY * s[0]], s[s > TINY * s[0]], V_t[s > TINY * s[0]]
            along = [phi @ V_t.T for phi in phis]
        targets = U.T @ np.eye(10)[parts[0][1]]
        for row, ridge in zip(errors[place], RIDGES, strict=True):
            weights = (s / (s**2 + ridge))[:, None] * targets
            row[:] = [misses(phi @ weights, y) for phi, (_, y) in zip(along, parts, strict=True)]
    axes = {"wrong": [*NOISES], "ridge": [*RIDGES], "part": [*PARTS]}
    return xr.Dataset({"error": xr.DataArray(errors, axes, [*axes]), "smallest": s[-1] / s[0]})


def least_norm(data: Data, features: int, wrong: float, part: str = HELD_OUT) -> xr.DataArray:
    """Return the minimum-norm fit's errors by seed."""
    return data["error"].sel(features=features, wrong=wrong, ridge=0.0, part=part).reset_coords(drop=True)


def chosen_ridge(data: Data, features: int, wrong: float) -> float:
    """Return the ridge with the least median error on validation data."""
    scores = data["error"].sel(features=features, wrong=wrong, part=VALIDATION).rename(ridge="rate")
    return best_rate(scores.reset_coords(drop=True), larger_is_better=False)


def ridged(data: Data, features: int, wrong: float, part: str = HELD_OUT) -> xr.DataArray:
    """Return the errors by seed of the fit whose ridge is chosen on validation data, by all other seeds."""
    cell = data["error"].sel(features=features, wrong=wrong).rename(ridge="rate")
    return at_best_rate(cell, larger_is_better=False, part=part)


def first_minimum(data: Data, wrong: float) -> int:
    """Return the number of features, below that of examples, whose minimum-norm fit is best on validation data."""
    return min(FEWER, key=lambda features: float(least_norm(data, features, wrong, VALIDATION).median()))


def peak(data: Data, wrong: float) -> xr.DataArray:
    """Return by seed the minimum-norm fit's error with as many features as examples less that at the first minimum."""
    return least_norm(data, EXAMPLES, wrong) - least_norm(data, first_minimum(data, wrong), wrong)


def second(data: Data, wrong: float) -> xr.DataArray:
    """Return by seed the minimum-norm fit's error at the first minimum less that with the most features."""
    return least_norm(data, first_minimum(data, wrong), wrong) - least_norm(data, FEATURES[-1], wrong)


# --- trained networks -------------------------------------------------------------------------------------


@experiment(
    "07_trained",
    MISSED,
    rates=RATES,
    parts=PARTS,
    seeds=12,
    minutes=1.5,
    chunk=3,
    wrong=WRONG,
    width=WIDTHS,
)
def trained(seeds: Sequence[int], wrong: float, width: int) -> Sweep:
    """Return networks of one hidden layer, trained by Adam on 300 digits, some of whose labels are wrong."""
    build = partial(mlp, [64, width, 10], init="he")
    return sweep(build, partial(noisy_digits, wrong), seeds=seeds, lrs=RATES, epochs=EPOCHS, progress=False)


def at_one_rate(data: Data, width: int, wrong: float, part: str = HELD_OUT) -> xr.DataArray:
    """Return a part's errors by seed after the last epoch at the one rate."""
    return data["error"].sel(width=width, wrong=wrong, rate=ONE_RATE, part=part).reset_coords(drop=True)


def threshold(data: Data, wrong: float) -> int:
    """Return the least width that fits the training labels in the median at the one rate."""
    medians = {width: float(at_one_rate(data, width, wrong, TRAINING).median()) for width in WIDTHS}
    return next(width for width, missed in medians.items() if missed < FITTED + 1e-9)  # it may be that, to rounding


def rise(data: Data, wrong: float) -> xr.DataArray:
    """Return by seed the held-out error where networks begin to fit less that at the best of the smaller widths.

    Which is best is chosen on validation data.
    """
    return at_one_rate(data, threshold(data, wrong), wrong) - at_one_rate(data, _best_unfitted(data, wrong), wrong)


def highest(data: Data, wrong: float) -> xr.DataArray:
    """Return by seed the held-out error at the worst of all widths that fit less that at the best of the smaller ones.

    Which is worst, and which is best, is chosen on validation data.
    """
    fitting = [width for width in WIDTHS if width >= threshold(data, wrong)]
    worst = max(fitting, key=lambda width: float(at_one_rate(data, width, wrong, VALIDATION).median()))
    return at_one_rate(data, worst, wrong) - at_one_rate(data, _best_unfitted(data, wrong), wrong)


def _best_unfitted(data: Data, wrong: float) -> int:
    """Return the width with the best validation error, of those below `threshold`."""
    smaller = [width for width in WIDTHS if width < threshold(data, wrong)]
    return min(smaller, key=lambda width: float(at_one_rate(data, width, wrong, VALIDATION).median()))


def tuned_spares(data: Data, wrong: float) -> xr.DataArray:
    """Return by seed the held-out error where networks begin to fit, at the one rate less at the best."""
    width = threshold(data, wrong)
    return at_one_rate(data, width, wrong) - trained.best(data, width=width, wrong=wrong)
