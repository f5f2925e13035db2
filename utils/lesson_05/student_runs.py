"""Experiments of the exercises: students that learn one random deep teacher, or many of them.

What they need of torch is loaded when they run: who marks a class runs a notebook's imports, and no experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from utils.engine.compilation import notify_if_slow

if TYPE_CHECKING:
    import torch
    from matplotlib.figure import Figure
    from torch import nn

    from utils.types import Part

    TeacherOf = Callable[[torch.Generator], nn.Module]

POINTS, UNSEEN = 2000, 1000  # to train on; to choose the rate on, and as many to report
EPOCHS, BATCH = 150, 50  # 6,000 steps, for every student
RATES = (0.003, 0.01, 0.03, 0.06, 0.1, 0.2)
PARAMETER_TICKS = (30, 100, 300, 1000)


def one_teacher(
    widths: Sequence[int], n_seeds: int, sigma: float = 2.0, first_seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return relative held-out errors [seeds, students] of one teacher's students, and their parameters [students].

    The students have one hidden layer of these widths; the last one has the teacher's shape instead. Each seed draws
    data and initial weights; each student has the rate that is best on validation data.
    """
    with notify_if_slow("Loading PyTorch …"):
        from utils.lesson_05.networks import N_IN, shape
        from utils.models import mlp_parameters

        teacher = _teacher(sigma, _seeded(0))
    students = [*((N_IN, width, 1) for width in widths), shape()]
    errors = [_errors(sizes, lambda generator: teacher, range(first_seed, first_seed + n_seeds)) for sizes in students]
    return np.stack(errors, axis=1), np.array([mlp_parameters(sizes, bias=False) for sizes in students])


def many_teachers(widths: Sequence[int], n_teachers: int, sigma: float = 2.0, first_seed: int = 0) -> np.ndarray:
    """Return relative held-out errors [teachers, widths] of students of one hidden layer, each of its own teacher."""
    with notify_if_slow("Loading PyTorch …"):
        from utils.lesson_05.networks import N_IN

    seeds = range(first_seed, first_seed + n_teachers)
    return np.stack([_errors((N_IN, width, 1), partial(_teacher, sigma), seeds) for width in widths], axis=1)


def teacher_data(sigma: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return inputs and outputs of a random teacher, to fit and held out: X, y, held_X, held_y."""
    with notify_if_slow("Loading PyTorch …"):
        teacher = _teacher(sigma, _seeded(seed))
    (X, y), _, (held_X, held_y) = _parts(lambda generator: teacher, generator=_seeded(seed))
    return tuple(part.double().numpy() for part in (X, y[:, 0], held_X, held_y[:, 0]))


def _seeded(seed: int) -> torch.Generator:
    import torch

    return torch.Generator().manual_seed(seed)


def _teacher(sigma: float, generator: torch.Generator) -> nn.Module:
    from utils.lesson_05.networks import random_teacher

    return random_teacher(sigma=sigma, generator=generator).float()


def _parts(teacher_of: TeacherOf, *, generator: torch.Generator) -> list[Part]:
    """Return pairs (X, y) to train on, to choose the rate on, and held out; y is in units of its deviation."""
    import torch

    from utils.lesson_05.networks import N_IN

    teacher = teacher_of(generator)
    inputs = [torch.randn(count, N_IN, generator=generator) for count in (POINTS, UNSEEN, UNSEEN)]
    with torch.no_grad():
        outputs = [teacher(X) for X in inputs]
    return [(X, y / outputs[0].std()) for X, y in zip(inputs, outputs, strict=True)]


def _errors(sizes: Sequence[int], teacher_of: TeacherOf, seeds: Sequence[int]) -> np.ndarray:
    """Return the relative held-out errors [seeds] of one student at the rate that is best for it."""
    from utils.comparison import at_best_rate, sweep
    from utils.lesson_05.networks import relative_error, student

    swept = sweep(
        partial(student, sizes),
        partial(_parts, teacher_of),
        seeds=seeds,
        lrs=RATES,
        epochs=EPOCHS,
        batch_size=BATCH,
        schedule="one-cycle",
        progress=False,
    )
    return at_best_rate(swept.scores(relative_error), larger_is_better=False).values


def student_dots(errors: np.ndarray, parameters: np.ndarray) -> tuple[Figure, str]:
    """Return a figure of the errors [seeds, students] against the students' parameters, and what they show in words.

    The last student has the teacher's shape.
    """
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(7, 3.8))
    medians, shallow = np.median(errors, axis=0), np.argsort(parameters[:-1])
    small = {"color": COLOURS["grey"], "alpha": 0.5, "markersize": 4, "linestyle": "none"}
    for seed in errors:
        ax.plot(parameters[:-1], seed[:-1], "o", **small)
    ax.plot(parameters[shallow], medians[shallow], "o-", color=COLOURS["blue"])
    ax.plot(np.full(len(errors), parameters[-1]), errors[:, -1], "^", **small)
    ax.plot(parameters[-1], medians[-1], "^", color=COLOURS["red"], markersize=9)
    ax.annotate(
        "one hidden layer",
        (parameters[:-1].max(), medians[shallow][-1]),
        xytext=(-6, -14),
        textcoords="offset points",
        ha="right",
        color=COLOURS["blue"],
    )
    ax.annotate(
        "the teacher's shape",
        (parameters[-1], medians[-1]),
        xytext=(9, -4),
        textcoords="offset points",
        color=COLOURS["red"],
    )
    ax.set(xscale="log", yscale="log", xlabel="parameters of the student", ylabel="relative held-out error")
    ax.set_xticks(PARAMETER_TICKS, map(str, PARAMETER_TICKS))
    ax.minorticks_off()
    figure.suptitle("Small and grey: each seed. Large: the median over the seeds")
    numbers = ", ".join(f"{m:.2g} at {p}" for p, m in zip(parameters[:-1], medians[:-1], strict=True))
    return figure, (
        f"Relative held-out errors of {len(errors)} seeds against the students' parameters. Medians of the students "
        f"with one hidden layer: {numbers}. Of the student with the teacher's shape: {medians[-1]:.2g} at "
        f"{parameters[-1]}."
    )
