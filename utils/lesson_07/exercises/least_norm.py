"""Exercise 07.10: held-out errors of the shortest least squares fit on more and more features."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, hints_of, returned_by

SIZES = ((4, 9), (5, 12), (6, 14), (8, 18), (5, 10), (7, 16), (6, 20), (9, 20))  # examples, features
NEW = 6
LEAST = 0.4  # of the singular values: no digits are lost
Fit = Callable[[np.ndarray, np.ndarray], np.ndarray]  # from features and targets to weights

agrees = partial(close, rtol=FOUR_DIGITS)


def worked_example() -> Inputs:
    """Return two examples with three features of which two suffice."""
    return {
        "F": np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0]]),
        "y": np.array([2.0, 4.0]),
        "F_new": np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 1.0]]),
        "y_new": np.array([3.0, 1.0]),
        "counts": [1, 2, 3],
    }


def sample_case(rng: np.random.Generator, examples: int, features: int) -> Inputs:
    """Return standard normal features, targets of a linear rule with noise, and numbers of features around those
    of the examples, but none so near that the fit depends on rounding.
    """
    while True:
        both = rng.normal(size=(examples + NEW, features)).round(2)
        targets = (both @ rng.normal(size=features) / features**0.5 + 0.5 * rng.normal(size=len(both)) + 1).round(2)
        few = rng.choice(np.arange(1, examples), 2, replace=False)
        many = rng.choice(np.arange(examples + 1, features + 1), 2, replace=False)
        counts = [int(k) for k in rng.permutation([*few, *many])]
        if all(np.linalg.svd(both[:examples, :k])[1].min() > LEAST for k in counts):
            return {
                "F": both[:examples],
                "y": targets[:examples],
                "F_new": both[examples:],
                "y_new": targets[examples:],
                "counts": counts,
            }


# --- what comes of which way to fit -------------------------------------------------------------------------


def shortest(F: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the shortest weights of all that fit best."""
    return np.linalg.lstsq(F, y, rcond=None)[0]


def ridge(strength: float) -> Fit:
    """Return the fit with a penalty on the squared length of the weights."""
    return lambda F, y: np.linalg.solve(F.T @ F + strength * np.eye(F.shape[1]), F.T @ y)


def basic(F: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return weights that fit best and use no more features than there are examples, the first ones."""
    weights = np.zeros(F.shape[1])
    weights[: len(F)] = shortest(F[:, : len(F)], y)
    return weights


def measured(
    fit: Fit = shortest,
    error: Callable[[np.ndarray], float] = lambda gaps: float(np.mean(gaps**2)),
    columns: Callable[[int], slice] = lambda k: slice(k),
    part: str = "_new",
    of_all: bool = False,
) -> Solver:
    """Return the way with another fit, another error, other columns, or the error on the examples themselves."""

    def way(given: Inputs) -> list[float]:
        errors = []
        for k in given["counts"]:
            weights = fit(given["F"], given["y"])[columns(k)] if of_all else fit(given["F"][:, columns(k)], given["y"])
            errors.append(error(given[f"F{part}"][:, columns(k)] @ weights - given[f"y{part}"]))
        return errors

    return way


def with_constant(given: Inputs) -> list[float]:
    """Return what comes of a constant feature that nobody has asked for."""
    both = {name: np.column_stack([np.ones(len(given[name])), given[name]]) for name in ("F", "F_new")}
    return reference({**given, **both, "counts": [k + 1 for k in given["counts"]]})


reference = measured()
MISTAKES = [
    (
        measured(part=""),
        "These are the errors on the examples themselves, which many features fit without any error. New ones are "
        "asked for.",
    ),
    (
        measured(basic),
        "With more features than examples, many weights fit best. You leave some features out, but the shortest "
        "weights use all of them.",
    ),
    (
        *map(measured, map(ridge, (1.0, 0.1, 0.01, 1e-3))),
        "You put a penalty on the weights, so they do not fit best. Take the shortest of the weights that do.",
    ),
    (
        measured(of_all=True),
        "You fit all features at once, and then cut the weights off. Fit the first k features by themselves, for "
        "each k anew.",
    ),
    (
        measured(columns=lambda k: slice(k - 1) if k > 1 else slice(1)),
        measured(columns=lambda k: slice(k + 1)),
        measured(columns=lambda k: slice(-k, None)),
        "Your columns are others. Take the first k, from 0 to k − 1.",
    ),
    (
        measured(error=lambda gaps: float(np.sum(gaps**2))),
        measured(error=lambda gaps: float(np.abs(gaps).mean())),
        measured(error=lambda gaps: float(np.mean(gaps**2) ** 0.5)),
        measured(error=lambda gaps: float(np.mean(gaps**2) / 2)),
        "You take another error. Take the mean of the squared differences, without a root and without a half.",
    ),
    (with_constant, "You add a constant to the features: they are taken as they are."),
]


LEAST_NORM = Exercise(
    id="07.10",
    points=3,
    answer_name="least_norm",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (
            lambda given, value, expected: (
                len(value) == len(expected)
                and all(
                    agrees([one], [right])
                    for one, right, k in zip(value, expected, given["counts"], strict=True)
                    if k <= len(given["y"])
                )
            ),
            "You are right with up to as many features as examples, but not beyond. There, F Fᵀ can be inverted, "
            "and Fᵀ F cannot.",
        ),
    ],
)
