"""Teachers of width 100 with 4, 16 and 64 hidden layers: what a line leaves of each, and what students leave.

Teachers and errors are those of `students`. Above σ = 1 the deepest multiply a rounding error by many powers of ten,
and below it their outputs are as small as 1e-7: they compute in float64, and their outputs are divided by their
deviation before a student of float32 sees them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr

from utils.claims import experiment
from utils.comparison import Score, Sweep, generators, sweep
from utils.lesson_05 import networks
from utils.lesson_05.networks import N_IN, relative_error
from utils.lesson_05.students import WIDE, teacher_parts
from utils.types import Array, Data, Part

DEPTHS = (4, 16, 64)
SIGMAS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0)
TAUGHT = 0.8, 1.25
FLAT, DEEP = "one layer of 300", "four layers of 60"
STUDENTS = {FLAT: (N_IN, 300, 1), DEEP: (N_IN, 60, 60, 60, 60, 1)}
LINE_ROWS = (1000, 2000)  # to fit a line to its five inputs; held out
ROWS = (8000, 2000, 2000)  # training, validation, held-out
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
BATCH, EPOCHS = 100, 32  # 2,560 steps


@experiment("05_depths", seeds=40, minutes=3, chunk=4, depth=DEPTHS, sigma=SIGMAS)
def lines(seed: int, depth: int, sigma: float) -> Data:
    """Return "linear", the held-out error of the best linear map; a seed's teacher differs only by the factor σ."""
    train, unseen = teacher_parts(WIDE, sigma, LINE_ROWS, depth, generator=generators(seed)[0])
    return xr.Dataset({"linear": relative_error(networks.linear_student(*train), *unseen)})


@experiment(
    "05_deep_students",
    Score("error", of=relative_error),
    rates=RATES,
    seeds=12,
    minutes=4,
    chunk=6,
    depth=(DEPTHS[0], DEPTHS[-1]),
    sigma=TAUGHT,
    student=STUDENTS,
)
def taught(seeds: Sequence[int], depth: int, sigma: float, student: str) -> Sweep:
    """Return students after Adam, each seed with a teacher, data and initial weights of its own."""

    def single(*, generator: torch.Generator) -> list[Part]:
        parts = teacher_parts(WIDE, sigma, ROWS, depth, generator=generator)
        return [(X.float(), y.float()) for X, y in parts]

    return sweep(
        partial(networks.student, STUDENTS[student]),
        single,
        seeds=seeds,
        lrs=RATES,
        epochs=EPOCHS,
        batch_size=BATCH,
        schedule="one-cycle",
        progress=False,
    )


# --- reading what was measured ----------------------------------------------------------------------------


def left(data: Data, depth: int, sigma: float) -> xr.DataArray:
    """Return by seed what a line leaves of the teacher of this depth and σ."""
    return data["linear"].sel(depth=depth, sigma=sigma).reset_coords(drop=True)


def half_missed(data: Data, depth: int) -> xr.DataArray:
    """Return by seed the σ at which a line leaves half of the teacher, between the first two of SIGMAS around it.

    Infinite where it leaves less than half at every σ.
    """

    def crossing(row: Array) -> float:
        above = np.flatnonzero(row >= 0.5)
        if not len(above):
            return math.inf
        last = max(above[0], 1)
        return float(np.interp(0.5, row[last - 1 : last + 1], SIGMAS[last - 1 : last + 1]))

    errors = data["linear"].sel(depth=depth, drop=True).transpose("seed", "sigma")
    return xr.DataArray([crossing(row) for row in errors.values], {"seed": data["seed"].values}, ["seed"])


def depth_answer(data: Data) -> dict[str, float]:
    """Return what `reveal` says: at which σ a line misses half of 64 and of 16 layers, what it leaves of 4 at 2, and
    how many steps students take.
    """
    deep, middle = (float(half_missed(data, depth).median()) for depth in (64, 16))
    shallow = float(left(data, 4, SIGMAS[-1]).median())
    steps = EPOCHS * ROWS[0] // BATCH
    return {"deep": deep, "middle": middle, "shallow": shallow, "teachers": data.sizes["seed"], "steps": steps}
