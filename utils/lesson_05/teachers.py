"""A random deep teacher and its students: what each learns of it, and what recovers its very weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import torch
import xarray as xr
from torch import Tensor, nn
from torch.nn.functional import normalize

from utils.axes import over
from utils.claims import experiment, recorded
from utils.comparison import UNSEEN, VALIDATION, Score, Sweep, at_best_rate, best_rate, generators, sweep
from utils.data import split, teacher_data
from utils.engine.compilation import notify_if_slow
from utils.engine.compiled_run import available_cores
from utils.environment import is_interactive
from utils.least_squares import Fit, fit_with_restarts
from utils.lesson_05 import networks
from utils.lesson_05.networks import RECOVERED, fitted_student, random_teacher, relative_error, shape, student
from utils.models import mlp_parameters
from utils.training import Trainer
from utils.types import Data, Part
from utils.withholding import withholdable

SHAPE = shape()
ROWS = (4000, 1000, 2000)  # training, validation, held-out
WIDTHS = (5, 18, 45, 135)  # of the shallow students; 18 units have about as many parameters as the teacher
SAME, OTHER = "same shape", "deep 6-6-5"  # the second has four parameters less, in three hidden layers
STUDENTS = {
    **{f"shallow {width}": (SHAPE[0], width, 1) for width in WIDTHS},
    SAME: SHAPE,
    OTHER: (SHAPE[0], 6, 6, 5, 1),
}
EQUAL, WIDEST = "shallow 18", "shallow 135"
RATES = (1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3)
BATCH = 250
EPOCHS = 1250  # 20,000 steps
LONG_EPOCHS = 62_500  # a million steps
# starts and steps of Levenberg-Marquardt on all 4,000 rows: at most 4 s each, but for the widest, on one core
STARTS = {
    "shallow 5": (20, 200),
    "shallow 18": (20, 200),
    "shallow 45": (5, 200),
    "shallow 135": (1, 80),
    SAME: (20, 200),
    OTHER: (20, 200),
}
TARGET = 1e-24  # relative error on the training rows, where a search ends
LIMIT = 20.0  # seconds of one core: ten seconds of two
PATIENCE = 60.0  # seconds after which a recorded search ends in any case; so nearly none is cut short by its clock


# --- teachers and students --------------------------------------------------------------------------------


def lesson_parts(*, generator: torch.Generator, **of_teacher: int) -> tuple[nn.Sequential, list[Part]]:
    """Return a new teacher, and three parts (X, y) of normal inputs and what it makes of them, in float64, of ROWS.

    of_teacher: width and depth, where they are not those of SHAPE.
    """
    teacher = random_teacher(generator=generator, **of_teacher)
    return teacher, split(teacher_data, *ROWS, generator=generator, teacher=teacher)


def single_parts(*, generator: torch.Generator, **of_teacher: int) -> list[Part]:
    """Return `lesson_parts` in float32, which is twice as fast and has digits enough for Adam."""
    return [_single(part) for part in lesson_parts(generator=generator, **of_teacher)[1]]


def parameters(name: str) -> int:
    """Return the number of parameters of one of STUDENTS."""
    return mlp_parameters(STUDENTS[name], bias=False)


# --- what students learn ----------------------------------------------------------------------------------


@experiment("05_students", seeds=20, minutes=10, chunk=1, within={"student": STUDENTS, "rate": RATES, "part": UNSEEN})
def learned(seeds: Sequence[int]) -> Data:
    """Return relative errors, each seed with a teacher, data and initial weights of its own.

    adam by seed, student, rate and part, of which two are recorded. exact, by seed and student, after
    Levenberg-Marquardt, and linear, by seed, for the figure: both held-out.
    """

    def adam(student: str) -> xr.DataArray:
        return after_epochs(STUDENTS[student], EPOCHS, seeds).scores(relative_error).sel(part=UNSEEN)

    def exact(seed: int, student: str) -> xr.DataArray:
        data, weights = generators(seed)
        training, _, held_out = lesson_parts(generator=data)[1]
        starts, steps = STARTS[student]
        best = fitted_student(STUDENTS[student], *training, generator=weights, restarts=starts, max_steps=steps)
        return xr.DataArray(relative_error(best, *held_out))

    def linear(seed: int) -> xr.DataArray:
        training, _, held_out = lesson_parts(generator=generators(seed)[0])[1]
        return xr.DataArray(relative_error(networks.linear_student(*training), *held_out))

    return xr.Dataset(
        {
            "adam": over(adam, student=STUDENTS),
            "exact": over(exact, seed=seeds, student=STUDENTS),
            "linear": over(linear, seed=seeds),
        }
    )


@experiment(
    "05_mirror",
    Score("error", of=relative_error),
    rates=RATES,
    seeds=12,
    minutes=1,
    chunk=4,
    student=(EQUAL, SAME, OTHER),
)
def mirror(seeds: Sequence[int], student: str) -> Sweep:
    """Return students of teachers of one hidden layer of 18 units, whose shape is that of EQUAL."""
    return after_epochs(STUDENTS[student], EPOCHS, seeds, width=STUDENTS[EQUAL][1], depth=1)


def after_epochs(sizes: Sequence[int], epochs: int, seeds: Sequence[int], **of_teacher: int) -> Sweep:
    """Return students of these sizes after Adam with batches of BATCH, with every rate."""
    return sweep(
        partial(student, sizes),
        partial(single_parts, **of_teacher),
        seeds=seeds,
        lrs=RATES,
        epochs=epochs,
        batch_size=BATCH,
        schedule="cosine",
        progress=False,
    )


# --- exact recovery ---------------------------------------------------------------------------------------


@experiment("05_recovery", seeds=40, minutes=2, chunk=1, timing=True)
def recovery(seed: int) -> Data:
    """Return how a search by Levenberg-Marquardt on one core ends, each with a teacher of its own.

    error: relative, held-out. seconds, steps, restarts: what it took. gap: the largest difference of a weight from
    the teacher's, once both have their units in the same order and with the same signs.
    """
    warm_up()
    data, weights = generators(seed)
    teacher, (training, _, held_out) = lesson_parts(generator=data)
    fit = recover(*training, seconds=PATIENCE, generator=weights, threads=1)
    return xr.Dataset(
        {
            "error": relative_error(fit.model, *held_out),
            "seconds": fit.seconds,
            "steps": float(fit.steps),
            "restarts": float(fit.restarts),
            "gap": weight_gap(teacher, fit.model),
        }
    )


@cache
def warm_up() -> None:
    """Compile the steps of Levenberg-Marquardt, or load them, so that no clock counts it."""
    data, weights = generators(0)
    training, *_ = lesson_parts(generator=data)[1]
    fitted_student(SHAPE, *training, generator=weights, restarts=1, max_steps=2)


def recover(X: Tensor, y: Tensor, *, seconds: float, generator: torch.Generator, threads: int | None = None) -> Fit:
    """Return the best student of the teacher's shape that restarts of Levenberg-Marquardt find in so many seconds."""
    with notify_if_slow(f"Searching for {seconds:g} s at most …"):
        return fit_with_restarts(
            lambda generator: student(SHAPE, generator=generator),
            X,
            y,
            target=TARGET * y.var().item(),
            seconds=seconds,
            generator=generator,
            threads=threads,
        )


def recover_in_time(X: Tensor, y: Tensor, *, seconds: float, generator: torch.Generator) -> Fit:
    """Return `recover` in a reader's seconds; a build and a test wait for the end, however busy the machine is."""
    warm_up()
    return recover(X, y, seconds=seconds if is_interactive() else 10 * PATIENCE, generator=generator)


@experiment("05_adam", Score("error", of=relative_error), rates=RATES, seeds=20, minutes=7, chunk=1)
def long_adam(seeds: Sequence[int]) -> Sweep:
    """Return students of the teacher's shape after a million steps of Adam."""
    return after_epochs(SHAPE, LONG_EPOCHS, seeds)


def print_adam(training: Part, held_out: Part, *, rate: float, seconds: float = 10.0) -> None:
    """Print what Adam reaches in so many seconds on all cores, the best of a start for each of them.

    In a build and in tests: what was recorded, since how far a clock lets Adam go depends on the machine.
    """
    if not is_interactive():
        error = long_adam.best(recorded("05_adam")).median().item()
        print(f"Adam, a million steps, as recorded: relative error {error:.0e} (median over teachers)")
        return
    models, steps = adam_for(seconds, training, rate=rate)
    errors = [relative_error(model, *_single(training)) for model in models]
    error = relative_error(models[errors.index(min(errors))], *_single(held_out))
    print(f"Adam, {len(models)} starts, {steps:,} steps each: relative error {error:.0e}")


def adam_for(seconds: float, training: Part, *, rate: float) -> tuple[list[nn.Module], int]:
    """Return students of the teacher's shape after so many seconds of Adam, one for each core, and their steps."""
    starts = range(available_cores())
    X, y = _single(training)

    def run(epochs: int, progress: bool) -> tuple[list[nn.Module], float]:
        models = [student(SHAPE, generator=torch.Generator().manual_seed(start)) for start in starts]
        trainer = Trainer(models, X, y, epochs=epochs, lr=rate, batch_size=BATCH, schedule="cosine")
        trainer.run(progress=progress)
        return models, trainer.seconds

    run(2, False)  # compiles, or loads what was compiled
    epochs = max(1, int(100 * seconds / run(100, False)[1]))
    return run(epochs, True)[0], epochs * (len(X) // BATCH)


def _single(part: Part) -> Part:
    X, y = part
    return X.float(), y.float()


# --- the same weights, up to order and sign ---------------------------------------------------------------


@withholdable
def weight_gap(teacher: nn.Sequential, student: nn.Sequential) -> float:
    """Return the largest difference of a weight, once the student's units have the teacher's order and signs.

    tanh is odd: a hidden unit whose weights, in and out, all change their signs computes the same. Layer by layer each
    of the teacher's units takes the student's unit whose weights are most alike in direction; where two take the same
    one, the students' weights are others, and so is the gap.
    """
    T, S = weights(teacher), weights(student)
    for k in range(len(T) - 1):
        likeness = normalize(T[k]) @ normalize(S[k]).T
        order = likeness.abs().argmax(1)
        sign = likeness.gather(1, order[:, None]).sign()
        S[k], S[k + 1] = sign * S[k][order], S[k + 1][:, order] * sign.T
    return max((t - s).abs().max().item() for t, s in zip(T, S, strict=True))


def weights(model: nn.Sequential) -> list[Tensor]:
    """Return copies of a network's weight matrices, from the first layer to the last."""
    return [layer.weight.detach().clone() for layer in model if isinstance(layer, nn.Linear)]


# --- reading what was measured ----------------------------------------------------------------------------


def after_adam(data: Data, student: str) -> xr.DataArray:
    """Return by seed the held-out relative error after Adam, with the rate that is best on validation data."""
    return at_best_rate(data["adam"].sel(student=student), larger_is_better=False)


def recovered_within(data: Data, seconds: float) -> xr.DataArray:
    """Return by seed 1 where the teacher was recovered within so many seconds of one core, else 0."""
    return ((data["error"] <= RECOVERED) & (data["seconds"] <= seconds)).astype(float)


def best_adam_rate(data: Data) -> float:
    """Return the rate at which a million steps of Adam end best, on validation data, in the median of teachers."""
    return best_rate(data["error"].sel(part=VALIDATION), larger_is_better=False)


def student_medians(data: Data) -> dict[str, float]:
    """Return what `reveal` says of the students after Adam: the median relative error of three of them, in words."""
    names = {"equal": EQUAL, "wide": WIDEST, "same": SAME}
    return {word: after_adam(data, name).median().item() for word, name in names.items()}


def digits_reached(recovery: Data, adam: Data) -> dict[str, float]:
    """Return what `reveal` says of both ways: the median relative errors, and how many teachers were recovered."""
    return {
        "error": recovery["error"].median().item(),
        "adam": long_adam.best(adam).median().item(),
        "found": int(recovered_within(recovery, LIMIT).sum()),
        "teachers": recovery.sizes["seed"],
        "limit": LIMIT,
    }
