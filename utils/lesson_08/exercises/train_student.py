"""Exercise 08.11: a function that trains a small network on the examples of a teacher it has never seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.lesson_08 import capstone
from utils.lesson_08.capstone import Refused
from utils.lesson_08.exercises.handed_in import Judge, new_seed
from utils.types import Array

TEACHERS, HARD = 5, 2  # of them
TOO_FEW, ENOUGH = 2, 3  # hidden units: for a hard teacher, and for any that is given
BEYOND, WITHIN = 1.2, 0.65  # times the goal: what no network of too few units reaches, and what one of enough does
STARTS, EVALUATIONS = 6, 60  # of a fit
SMALL = 13  # parameters of a network that could have another unit
JUDGE = Judge("teacher")


def cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, int]]:
    """Yield the examples of several teachers, each with its seed: from there come the examples to judge on.

    Two units reach the goal with four teachers in five. So some are such that two do not reach it, and all are such
    that three do.
    """
    for hard in rng.permutation(TEACHERS) < HARD:
        seed = draw_until(lambda seed, hard=hard: is_wanted(seed, bool(hard)), new_seed, rng)
        X, y = capstone.teacher_parts(seed, capstone.LESSONS)[0]
        yield {"X": X, "y": y}, seed


def is_wanted(seed: int, hard: bool) -> bool:
    """Return whether enough units reach the goal with this teacher and, where it is to be hard, too few do not."""
    return not (hard and reaches(seed, TOO_FEW, BEYOND)) and reaches(seed, ENOUGH, WITHIN)


def reaches(seed: int, units: int, times: float) -> bool:
    """Return whether some network of so many units misses so many times the goal at most, with this teacher."""
    (X, y), (X_new, y_new) = capstone.teacher_parts(seed, capstone.LESSONS)[0], capstone.drawn("teacher", seed)
    fitted = fits(X.double().numpy(), y.double().numpy()[:, 0], units)
    missed = (capstone.error("tanh", layers, X_new.numpy(), y_new.numpy()) for layers in fitted)
    return any(one <= times * JUDGE.target.goal for one in missed)


def fits(X: Array, y: Array, units: int) -> Iterator[capstone.Layers]:
    """Yield from several starts the layers of so many tanh units that fit y [n], by Levenberg's and Marquardt's way."""
    from scipy.optimize import least_squares

    def parts(p: Array) -> tuple[Array, Array, Array, float]:
        return p[: 3 * units].reshape(units, 3), p[3 * units : 4 * units], p[4 * units : -1], p[-1]

    def missed(p: Array) -> Array:
        W, b, a, c = parts(p)
        return np.tanh(X @ W.T + b) @ a + c - y

    def slopes(p: Array) -> Array:
        W, b, a, _ = parts(p)
        h = np.tanh(X @ W.T + b)
        inner = (1 - h**2) * a
        by_weight = (inner[:, :, None] * X[:, None]).reshape(len(X), -1)
        return np.hstack([by_weight, inner, h, np.ones((len(X), 1))])

    for start in np.random.default_rng(0).normal(0, 0.7, (STARTS, 5 * units + 1)):
        W, b, a, c = parts(least_squares(missed, start, slopes, method="lm", max_nfev=EVALUATIONS).x)
        yield [(W, b), (a[None], np.array([c]))]


def on_its_examples(given: Inputs, value: Any) -> capstone.Judged:
    """Return what the judge would say of a network on the examples that it was given; raises Refused."""
    activation, layers = capstone.read(value, JUDGE.target.n_in, JUDGE.target.n_out)
    missed = capstone.error(activation, layers, given["X"], given["y"])
    return capstone.verdict(JUDGE.target, capstone.parameters(layers), missed)


def is_too_large(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether the network fits its examples, and has too many parameters."""
    found = on_its_examples(given, value)
    return found.error <= JUDGE.target.goal and found.parameters > JUDGE.target.full


def explain(given: Inputs, value: Any, expected: Any) -> str:
    """Say which rule is broken, or how many parameters there are and how well the examples are fitted."""
    try:
        found = on_its_examples(given, value)
    except Refused as error:
        return str(error)
    return (
        f"{found.parameters} parameters; on the {capstone.LESSONS} examples that it was given the relative error "
        f"is {found.error:.3f}. On others of this teacher {JUDGE.target.goal:g} is allowed."
    )


def is_small(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a network with few hidden units does not fit its examples."""
    found, layers = on_its_examples(given, value), capstone.read(value, JUDGE.target.n_in, JUDGE.target.n_out)[1]
    return len(layers) > 1 and found.parameters <= SMALL and found.error > JUDGE.target.goal


TRAIN_STUDENT = Exercise(
    id="08.11",
    points=4,
    answer_name="train_student",
    seconds=8,
    cases=cases,
    verify=JUDGE.verify,
    wanted=JUDGE.wanted,
    explain=explain,
    misconceptions=[],
    remarks=JUDGE.remarks(
        (
            is_small,
            "Your network does not fit the examples of every teacher, and it uses only about half of the parameters "
            "that it may have. Some teachers bend more than so few units can follow.",
        ),
        (
            lambda given, value, expected: on_its_examples(given, value).error > JUDGE.target.goal,
            "Your network does not even fit the examples that it was given. Is what you return the network that you "
            "trained? If it is: more steps, several starts of which the best is kept, or another shape of network.",
        ),
        (
            lambda given, value, expected: on_its_examples(given, value).share == 1,
            "Your network fits the examples that it was given, and misses others of the same teacher: it has "
            "learned them by heart. Large weights do that. Fewer steps, or a choice among the starts on examples "
            "that were kept apart, help against it.",
        ),
        too_large=is_too_large,
    ),
)
