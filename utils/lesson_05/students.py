"""Shallow students of deep random teachers: how far off they end, and whether width, points or optimiser is to blame.

Teachers, students and errors are those of `networks`; targets are divided by their standard deviation on the training
points. A shallow student has one hidden layer. Students are fitted by Levenberg-Marquardt unless something else is
said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import HELD_OUT, PARTS, TRAINING, at_best_rate, generators, sweep
from utils.data import split, teacher_data
from utils.least_squares import PRUNE
from utils.lesson_05 import networks
from utils.lesson_05.networks import N_IN, SIGMA, fitted_student, random_teacher, relative_error
from utils.statistics import median
from utils.types import Array, Data, Part
from utils.withholding import withholdable

NARROW, WIDE = TEACHER_WIDTHS = (5, 100)
SIGMAS = (0.4, 0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5)  # each about a quarter larger than the one before
TEACHERS = 20
POINTS, VALIDATION_POINTS, UNSEEN_POINTS = 4000, 2000, 4000
UNITS, RESTARTS, STEPS = 45, 2, 100
# A step takes about rows × parameters² multiplications. So a student of the teacher's shape, fitted to 500 rows, can
# take 53 steps for one of 45 units on all rows. From these restarts it takes about 6,000 for the other's 200: no more.
SAME_RESTARTS, SAME_STEPS, SAME_ROWS = 100, 400, 500
SAME_TARGET = 1e-26  # mean squared error on these rows, of answers with variance 1, where a search ends

WIDTHS = (5, 15, 45, 135)
SAMPLES = (1000, 4000, 16_000)
LONGER = {"restarts": 4, "steps": 200}
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
BATCH, EPOCHS = 200, (1000, 5000)  # the first take about as long as the 100 steps of Levenberg-Marquardt
TARGET = 1e-6
SHOWN = [TRAINING, HELD_OUT]


# --- teachers and students --------------------------------------------------------------------------------


def teacher_parts(
    width: int, sigma: float, sizes: Sequence[int], depth: int = networks.DEPTH, *, generator: torch.Generator
) -> list[Part]:
    """Return so many points of one random teacher, in parts: X [n, 5], y [n, 1]; y has variance 1 on the first part."""
    teacher = random_teacher(width, sigma, depth, generator=generator)
    parts = split(teacher_data, *sizes, generator=generator, teacher=teacher)
    scale = parts[0][1].std()
    return [(X, y / scale) for X, y in parts]


def shallow_student(
    units: int, X: Tensor, y: Tensor, *, generator: torch.Generator, restarts: int = RESTARTS, steps: int = STEPS
) -> nn.Sequential:
    """Return the student of one hidden layer that fits the points best, of so many restarts with so many steps each."""
    return fitted_student([X.shape[1], units, 1], X, y, generator=generator, restarts=restarts, max_steps=steps)


def same_shape_student(
    width: int, X: Tensor, y: Tensor, *, generator: torch.Generator, steps: int | None = None
) -> nn.Sequential:
    """Return the best student of a teacher's shape: many restarts on some rows, of which most are given up early."""
    options = {"rows": SAME_ROWS, "target": SAME_TARGET, "halt": True, "prune": PRUNE, "threads": 1}
    steps = SAME_STEPS if steps is None else steps
    return fitted_student(
        networks.shape(width), X, y, generator=generator, restarts=SAME_RESTARTS, max_steps=steps, **options
    )


# --- measuring --------------------------------------------------------------------------------------------


@experiment(
    "05_sigmas",
    seeds=20,
    minutes=11,
    chunk=2,
    within={"width": TEACHER_WIDTHS, "part": SHOWN},
    sigma=SIGMAS,
    unstable={"same": 0.25},  # what a search that does not reach zero ends with, at the largest σ
)
def by_sigma(seed: int, sigma: float) -> Data:
    """Return relative errors: the seed is the teacher's, and its weights differ only by the factor σ.

    linear, by teacher's width: of the best linear map, held-out. shallow, by width and part: of 45 units, training
    and held-out. same: of students of the teacher's shape, teachers of width 5, held-out.
    """

    def errors(width: int) -> Data:
        data, weights = generators(seed)
        train, unseen = teacher_parts(width, sigma, (POINTS, UNSEEN_POINTS), generator=data)
        model = shallow_student(UNITS, *train, generator=weights)
        shallow = [relative_error(model, *part) for part in (train, unseen)]
        linear = relative_error(networks.linear_student(*train), *unseen)
        return xr.Dataset({"linear": linear, "shallow": ("part", shallow)}, {"part": SHOWN})

    data, weights = generators(seed)
    train, unseen = teacher_parts(NARROW, sigma, (POINTS, UNSEEN_POINTS), generator=data)
    same = relative_error(same_shape_student(NARROW, *train, generator=weights), *unseen)
    return over(errors, width=TEACHER_WIDTHS).assign(same=same)


@experiment("05_linear", seeds=400, minutes=0.3, chunk=100, sigma=(SIGMAS[0], SIGMA))
def straightness(seed: int, sigma: float) -> Data:
    """Return "left": what the best linear map leaves of a teacher of width 5, held-out."""
    train, unseen = teacher_parts(NARROW, sigma, (POINTS, UNSEEN_POINTS), generator=generators(seed)[0])
    return xr.Dataset({"left": relative_error(networks.linear_student(*train), *unseen)})


@experiment(
    "05_blame",
    seeds=20,
    minutes=14.3,
    chunk=2,
    within={"units": WIDTHS, "points": SAMPLES, "part": PARTS, "epochs": EPOCHS, "rate": RATES},
)
def blame(seeds: Sequence[int]) -> Data:
    """Return relative errors of shallow students of teachers of width 5 and σ = 2, by seed and part.

    fitted, by units and points too: one restart of Levenberg-Marquardt. longer: 45 units, 4,000 points, more restarts
    and steps. adam, by epochs and rate: 45 units, 4,000 points, batches of 200.
    """

    def fitted(seed: int, units: int, points: int, **budget: int) -> xr.DataArray:
        data, weights = generators(seed)
        (X, y), *unseen = teacher_parts(NARROW, SIGMA, (max(SAMPLES), VALIDATION_POINTS, UNSEEN_POINTS), generator=data)
        train = X[:points], y[:points]
        model = shallow_student(units, *train, generator=weights, **budget)
        return xr.DataArray([relative_error(model, *part) for part in (train, *unseen)], {"part": [*PARTS]}, ["part"])

    def adam(epochs: int) -> xr.DataArray:
        parts = partial(teacher_parts, NARROW, SIGMA, (POINTS, VALIDATION_POINTS, UNSEEN_POINTS))
        return sweep(
            partial(networks.student, [N_IN, UNITS, 1]),
            parts,
            seeds=seeds,
            lrs=RATES,
            epochs=epochs,
            batch_size=BATCH,
            schedule="one-cycle",
            progress=False,
        ).scores(relative_error)

    return xr.Dataset(
        {
            "fitted": over(partial(fitted, restarts=1), seed=seeds, units=WIDTHS, points=SAMPLES),
            "longer": over(partial(fitted, units=UNITS, points=POINTS, **LONGER), seed=seeds),
            "adam": over(adam, epochs=EPOCHS),
        }
    )


# --- reading what was measured ----------------------------------------------------------------------------


def held_out(data: Data, width: int, sigma: float | list[float], kind: str = "shallow") -> xr.DataArray:
    """Return by seed, and by σ where it is a list, the held-out error of the kind of student, "shallow" or "linear"."""
    errors = data[kind].sel(width=width, sigma=sigma)
    return (errors.sel(part=HELD_OUT) if kind == "shallow" else errors).reset_coords(drop=True)


def fitted(data: Data, units: int | list[int], points: int, part: str = HELD_OUT) -> xr.DataArray:
    """Return by seed, and by units where they are a list, the error of so many, fitted by Levenberg-Marquardt."""
    return data["fitted"].sel(units=units, points=points, part=part).reset_coords(drop=True)


def by_adam(data: Data, epochs: int) -> xr.DataArray:
    """Return by seed the held-out error after so many epochs of Adam, with the best rate."""
    return at_best_rate(data["adam"].sel(epochs=epochs, drop=True), larger_is_better=False)


@withholdable
def width_for(errors: Array, widths: Sequence[int] = WIDTHS, target: float = TARGET) -> Array:
    """Return the width at which the line through log error against log width reaches the target: errors [..., widths].

    Raises ValueError for other numbers of errors than widths, and for errors that are not positive.
    """
    logs, x = np.asarray(errors, dtype=float), np.log(np.asarray(widths, dtype=float))
    if logs.shape[-1] != len(x) or not (logs > 0).all():
        raise ValueError(f"errors has shape {logs.shape}: wanted a positive error for each of {len(x)} widths")
    y = np.log(logs)
    slope = ((x - x.mean()) * y).sum(-1) / ((x - x.mean()) ** 2).sum()
    return np.exp(x.mean() + (np.log(target) - y.mean(-1)) / slope)


def extrapolated(
    data: Data, widths: Sequence[int] = WIDTHS, points: int = SAMPLES[-1], part: str = HELD_OUT
) -> xr.DataArray:
    """Return by seed the width that the line through these widths' errors needs for TARGET."""
    errors = fitted(data, [*widths], points, part).transpose("seed", "units")
    return xr.DataArray(width_for(errors, widths), {"seed": data["seed"].values}, ["seed"])


# --- what `reveal` says ------------------------------------------------------------------------------------


def recovered(data: Data, sigma: float) -> xr.DataArray:
    """Return by seed 1 where the student of the teacher's shape recovered its teacher to RECOVERED, else 0."""
    return (data["same"].sel(sigma=sigma, drop=True) <= networks.RECOVERED).astype(float)


def shape_answer(data: Data) -> dict[str, object]:
    """Return how many teachers the search recovers at each σ, in words, at which σ any, and in how many steps.

    Also the median and the worst error at σ = 1, and the median error at the largest σ.
    """
    easy, hardest = (data["same"].sel(sigma=sigma) for sigma in (1.0, SIGMAS[-1]))
    counts = {sigma: int(recovered(data, sigma).sum()) for sigma in SIGMAS}
    return {
        "counts": ", ".join(f"{count} at {sigma:g}" for sigma, count in counts.items()),
        "any": [sigma for sigma, count in counts.items() if count],
        "steps": SAME_STEPS,
        "teachers": data.sizes["seed"],
        "easy": float(easy.median()),
        "worst": float(easy.max()),
        "hardest": float(hardest.median()),
    }


def remedies(data: Data) -> dict[str, xr.DataArray]:
    """Return by seed what is left of the error of 45 units on 4,000 points, as a share, after each of five changes."""
    changed = {
        "Adam, about as long": by_adam(data, EPOCHS[0]),
        "Adam, five times as long": by_adam(data, EPOCHS[1]),
        "four restarts, twice the steps": data["longer"].sel(part=HELD_OUT, drop=True),
        "four times the points": fitted(data, UNITS, SAMPLES[-1]),
        "three times the units": fitted(data, WIDTHS[-1], POINTS),
        "both: units and points": fitted(data, WIDTHS[-1], SAMPLES[-1]),
    }
    return {name: errors / fitted(data, UNITS, POINTS) for name, errors in changed.items()}


def blame_answer(data: Data) -> dict[str, float]:
    """Return the median shares of the error that all changes but the first leave."""
    left = [float(share.median()) for share in remedies(data).values()]
    return dict(zip(("adam", "longer", "points", "units", "both"), left[1:], strict=True))


def widths_answer(data: Data) -> dict[str, float]:
    """Return the least and the most of the extrapolated widths, their ratio, that without the largest, and how many."""
    found = np.sort(extrapolated(data))
    least, second, most = found[[0, -2, -1]]
    return {"least": least, "most": most, "ratio": most / least, "rest": second / least, "teachers": len(found)}


def print_widths(data: Data) -> None:
    """Print the width for a millionth by which students the line is fitted to: median, its interval, and range."""
    print(f"{'fitted to':<18}{'points':>8}   {'median, and its 95 % interval':<36}least … most of {data.sizes['seed']}")
    most = SAMPLES[-1]
    lines = [(WIDTHS, most), (WIDTHS[:3], most), (WIDTHS[1:], most), (WIDTHS, POINTS), (WIDTHS, most, TRAINING)]
    for widths, points, *part in lines:
        found = extrapolated(data, widths, points, *part)
        middle = median(found.values, method="order")
        numbers = [
            f"{number:,.2g}" if number > 1e6 else f"{number:,.0f}"
            for number in (middle.value, middle.low, middle.high, found.min(), found.max())
        ]
        between = f"{numbers[0]} [{numbers[1]}, {numbers[2]}]"
        ending = f" ({part[0]})" if part else ""
        print(f"{', '.join(map(str, widths)):<18}{points:>8,}   {between:<36}{numbers[3]} … {numbers[4]}{ending}")
