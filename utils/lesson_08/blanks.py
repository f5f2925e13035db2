"""The lines that lesson 08's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import returned_by, same_to_four_digits

RNG = np.random.default_rng(8)
TABLES = [RNG.normal(size=(n, 3)) * (1, 10, 100) + (0, 5, 50) for n in (6, 5, 7, 4)]
HIDDEN = [np.abs(RNG.normal(size=(n, 4))) for n in (9, 7, 8, 6)]
WANTED = [RNG.normal(size=(len(H), 2)) for H in HIDDEN]
RUNS = [
    np.array(runs)
    for runs in ([0, 0, 1, 1, 2, 5, 5, 11], [3, 3, 4, 4, 6, 8, 0], [1, 2, 2, 9, 9, 9, 11], [10, 10, 4, 5, 5, 6, 15])
]
ERRORS = [
    np.array(errors)
    for errors in (
        [2.61, 2.52, 2.55, 2.7],
        [0.9, 0.34, 0.4, 0.3, 0.7],
        [3.5, 3.05, 3.25, 3.1],
        [3.1, 2.9, 2.2, 2.45, 2.6],
    )
]
SIZES = [
    np.array(sizes)
    for sizes in ([500, 417, 330, 100], [50, 300, 120, 900, 200], [10, 300, 200, 250], [20, 60, 700, 80, 300])
]
SLACKS = (0.1, 0.15, 0.1, 0.5)


def gram(H):
    return H.T @ H


def stops(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether there is no value, because the line stops with an error."""
    return value is None


def any_of(*ways: Callable) -> Callable:
    """Return a remark's rule: the value is that of one of these wrong lines."""
    return returned_by(*(lambda given, way=way: way(**given) for way in ways), same=same_to_four_digits)


# --- ridge regression ---------------------------------------------------------------------------------------


def factors(given: Inputs, value: Any) -> np.ndarray:
    """Return by what HᵀH and the identity are multiplied in the equation that these weights solve.

    The right-hand side is HᵀY. Raises ValueError where they solve none of that form.
    """
    H, Y = given["H"], given["Y"]
    parts, wanted = np.column_stack([(gram(H) @ value).ravel(), np.ravel(value)]), (H.T @ Y).ravel()
    found = np.linalg.lstsq(parts, wanted, rcond=None)[0]
    if not same_to_four_digits(parts @ found, wanted):
        raise ValueError("these weights solve another kind of equation")
    return found


def is_other_multiple(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether the weights solve the equation with another number than the penalty before the identity."""
    of_gram, of_identity = factors(given, value)
    return np.isclose(of_gram, 1, rtol=1e-3) and not np.isclose(of_identity, given["penalty"], rtol=1e-3)


def is_scaled(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether they solve it with a factor before HᵀH, or before HᵀY."""
    return not np.isclose(factors(given, value)[0], 1, rtol=1e-3)


def is_in_some_rows(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether only some rows of the equation have the penalty."""
    H, Y = given["H"], given["Y"]
    rows = np.isclose(H.T @ Y - gram(H) @ value, given["penalty"] * np.asarray(value), rtol=1e-3).all(axis=1)
    return 0 < rows.sum() < len(rows)


# --- inputs, standardised -----------------------------------------------------------------------------------


def is_deviation(given: Inputs, value: Any) -> bool:
    """Return whether this is right, with either of the two standard deviations: over n, or over n − 1."""
    X, known = given["X"], given["X_train"]
    return any(same_to_four_digits(value, (X - known.mean(axis=0)) / known.std(axis=0, ddof=ddof)) for ddof in (0, 1))


def lines(given: Inputs, value: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes and zeros of the columns as straight lines over those of X; ValueError where they are none."""
    X = given["X"]
    slope = np.ptp(value, axis=0) / np.ptp(X, axis=0) * np.sign((value[1] - value[0]) / (X[1] - X[0]))
    zero = X[0] - value[0] / slope
    if not same_to_four_digits(value, slope * (X - zero)):
        raise ValueError("this is no straight line in each column")
    return slope, zero


def is_moved(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether only what is subtracted is wrong."""
    known = given["X_train"]
    slope, zero = lines(given, value)
    return np.allclose(slope, 1 / known.std(axis=0), rtol=1e-3) and not np.allclose(zero, known.mean(axis=0), rtol=1e-3)


def is_stretched(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether only what is divided by is wrong."""
    known = given["X_train"]
    slope, zero = lines(given, value)
    return (
        (slope > 0).all()
        and np.allclose(zero, known.mean(axis=0), rtol=1e-3)
        and not np.allclose(slope, 1 / known.std(axis=0), rtol=1e-3)
    )


def is_other_line(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether something else is subtracted, and something else divided by."""
    known = given["X_train"]
    slope, zero = lines(given, value)
    return not (
        np.allclose(zero, known.mean(axis=0), rtol=1e-3) or np.allclose(abs(slope), 1 / known.std(axis=0), rtol=1e-3)
    )


def both(X: np.ndarray, X_train: np.ndarray) -> np.ndarray:
    """Return all rows below one another."""
    return np.concatenate([X_train, X])


# --- folds --------------------------------------------------------------------------------------------------


def runs_stay_together(given: Inputs, value: Any) -> bool:
    """Return whether runs are dealt out in turn: by their numbers, or by their places among the numbers that occur.

    It does not matter which fold comes first, nor whether the turn goes up or down.
    """
    if np.shape(value) != np.shape(given["run"]) or np.asarray(value).dtype == bool:
        return False
    ways = (given["run"], np.unique(given["run"], return_inverse=True)[1])
    return any(
        np.array_equal(value, (sign * way + first) % given["folds"])
        for way in ways
        for sign in (1, -1)
        for first in range(given["folds"])
    )


def is_yes_or_no(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether only True and False come back."""
    return np.asarray(value).dtype == bool


def is_none_for_each_row(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether what comes back are not as many numbers as there are rows."""
    several = (list, tuple, np.ndarray)
    return (
        not isinstance(value, several)
        or len(value) != len(given["run"])
        or any(isinstance(one, several) for one in value)
    )


def is_torn(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether the rows of some run are in several folds."""
    value = np.asarray(value)
    return any(len(np.unique(value[given["run"] == number])) > 1 for number in given["run"])


def begins_at_1(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether the folds are right but for their numbers, which begin at 1."""
    return np.max(value) == given["folds"] and runs_stay_together(given, np.asarray(value) - 1)


def is_other_remainder(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether these are remainders of the runs' numbers by another number than that of the folds."""
    run = given["run"]
    return any(np.array_equal(value, run % by) for by in range(2, run.max() + 1) if by != given["folds"])


def is_beyond(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a number is none of a fold."""
    value = np.asarray(value)
    return bool(np.any((value < 0) | (value >= given["folds"]) | (value % 1 != 0)))


# --- the simplest -------------------------------------------------------------------------------------------


def error_of(given: Inputs, value: Any) -> float:
    """Return the error of the network of this size; raises ValueError where there is none, or where it is no number."""
    (place,) = np.flatnonzero(given["sizes"] == value)
    return float(given["errors"][place])


def is_several(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether an array comes back, and no number."""
    return np.ndim(value) > 0


def is_place(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a number comes back that may be an index, or a count."""
    return np.ndim(value) == 0 and value not in given["sizes"] and value in range(len(given["sizes"]) + 1)


def is_no_size(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether another number comes back that is none of the sizes."""
    return np.ndim(value) == 0 and value not in given["sizes"] and not is_place(given, value, expected)


def is_too_bad(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a network is chosen whose error is beyond the slack."""
    return error_of(given, value) > given["errors"].min() + given["slack"]


def is_not_the_least(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a network is chosen that is good enough, while a smaller one is, too."""
    return value > expected and not is_too_bad(given, value, expected)


BLANKS = {
    "08.ridge": Blank(
        "ridge",
        [(H, Y, penalty) for H, Y, penalty in zip(HIDDEN, WANTED, (0.5, 2.0, 0.1, 7.0), strict=True)],
        [
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H), H.T @ Y),
                "The penalty is missing: add penalty times the identity to the matrix on the left.",
            ),
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H) + penalty, H.T @ Y),
                "This adds the penalty to every entry of the matrix. The identity has it on the diagonal only: np.eye.",
            ),
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H) + penalty**2 * np.eye(H.shape[1]), H.T @ Y),
                "The penalty is squared here. Put it into the equation as it is.",
            ),
        ],
        [
            (
                is_scaled,
                "Your weights solve an equation in which HᵀH or HᵀY has a factor. Only the identity has one: the "
                "penalty.",
            ),
            (
                any_of(lambda H, Y, penalty: (gram(H) + penalty * np.eye(H.shape[1])) @ (H.T @ Y)),
                "This multiplies HᵀY by the matrix. To solve the equation, divide by it: np.linalg.solve(matrix, HᵀY).",
            ),
            (
                is_other_multiple,
                "Against HᵀH, the identity does not have the penalty here. Put the penalty there as it is, with its "
                "own sign, not halved, doubled or multiplied by the number of rows; and leave HᵀH undivided.",
            ),
            (
                is_in_some_rows,
                "Only some rows of your equation have the penalty. The identity has a 1 for every unit, so every "
                "weight is penalised.",
            ),
            (
                stops,
                "If shapes do not fit: HᵀH and the identity are [units, units], and their sum comes first in "
                "np.linalg.solve; HᵀY is [units, outputs], and comes second.",
            ),
        ],
    ),
    "08.standard": Blank(
        "standardised",
        [(TABLES[i], TABLES[i - 1]) for i in range(4)],
        [
            (
                lambda X, X_train: X - X_train.mean(axis=0) / X_train.std(axis=0),
                "The division comes first here: put the difference into parentheses.",
            ),
        ],
        [
            (
                any_of(
                    lambda X, X_train: (X - X_train.mean()) / X_train.std(),
                    lambda X, X_train: (X - X_train.mean(axis=0)) / X_train.std(),
                    lambda X, X_train: (X - X_train.mean()) / X_train.std(axis=0),
                    lambda X, X_train: (X - X.mean()) / X.std(),
                    lambda X, X_train: (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True),
                ),
                "This mixes columns, whose units differ. Each column of X_train has a mean and a standard deviation "
                "of its own: axis=0 in both.",
            ),
            (
                any_of(
                    lambda X, X_train: (X - X.mean(axis=0)) / X.std(axis=0),
                    lambda X, X_train: (X - X_train.mean(axis=0)) / X.std(axis=0),
                    lambda X, X_train: (X - X.mean(axis=0)) / X_train.std(axis=0),
                    lambda X, X_train: (X - both(X, X_train).mean(axis=0)) / both(X, X_train).std(axis=0),
                ),
                "The mean or the standard deviation is taken from X here, the rows that are transformed. Take both "
                "from X_train alone, the rows that are learned from.",
            ),
            (
                is_moved,
                "You divide by the right numbers. But before that, subtract from each column its mean in X_train.",
            ),
            (
                is_stretched,
                "You subtract the right means. But after that, divide each column by its standard deviation in "
                "X_train: np.std, not the variance and not a norm.",
            ),
            (
                is_other_line,
                "Something else is subtracted and divided by here. Subtract each column's mean in X_train from the "
                "column; then divide the difference by the column's standard deviation in X_train.",
            ),
            (
                lambda given, value, expected: np.shape(value) == given["X_train"].shape != given["X"].shape,
                "This returns as many rows as X_train has. Transform X, with the mean and the standard deviation of "
                "X_train.",
            ),
            (
                stops,
                "If shapes do not fit: X and X_train have the same columns, but not as many rows. Take mean and "
                "standard deviation over the rows of X_train, axis=0, which leaves one number for each column.",
            ),
        ],
        right=is_deviation,
    ),
    "08.folds": Blank(
        "run_folds",
        [(run, folds) for run, folds in zip(RUNS, (4, 3, 5, 4), strict=True)],
        [
            (
                lambda run, folds: run // folds,
                "This is the quotient. Take the remainder, %: it lies between 0 and folds − 1.",
            ),
            (
                lambda run, folds: folds % run,
                "This divides the number of folds by the run's number. Turn it round: the run's number comes first.",
            ),
        ],
        [
            (
                is_yes_or_no,
                "This returns only True and False. A fold is a number: return the remainder itself, and compare it "
                "with nothing.",
            ),
            (
                is_none_for_each_row,
                "This does not return one number for each row. `run` has an entry for each row: compute a fold from "
                "every one of them.",
            ),
            (
                is_torn,
                "This tears runs apart: rows of one run get different folds. Let the run's number alone decide, not "
                "the row's place, and not chance.",
            ),
            (begins_at_1, "Your folds are numbered from 1. Number them from 0, as the remainder does by itself."),
            (is_other_remainder, "This takes the remainder by another number than `folds`. Divide by `folds` itself."),
            (
                is_beyond,
                "Some of these are not numbers of folds, which are whole and go from 0 to folds − 1. The remainder of "
                "the run's number by `folds` is such a number.",
            ),
        ],
        right=runs_stay_together,
    ),
    "08.simplest": Blank(
        "simplest",
        list(zip(ERRORS, SIZES, SLACKS, strict=True)),
        [
            (
                lambda errors, sizes, slack: sizes[np.argmin(errors)],
                "This is the network with the least error. A smaller one may be within slack of it: choose among all "
                "that are.",
            ),
            (
                lambda errors, sizes, slack: sizes[errors <= errors.min() * (1 + slack)].min(),
                "This takes the slack for a share of the least error. It is in the errors' own units: add it to the "
                "least error.",
            ),
        ],
        [
            (
                stops,
                "If nothing is left to choose from: what is good enough is measured from the least error, up to "
                "errors.min() + slack.",
            ),
            (
                is_several,
                "This returns an array. Return one number, the least of the sizes that are good enough: min().",
            ),
            (
                is_place,
                "This is no size, but an index or a count. Pick out the sizes of the networks that are good enough, "
                "sizes[…], and return the least of them.",
            ),
            (
                is_no_size,
                "This number is none of the sizes. Compare the errors, but return a size: the least of those, "
                "sizes[…], whose networks are good enough.",
            ),
            (
                is_too_bad,
                "The network that this chooses is not good enough. Before you take the least size, keep only the "
                "networks whose error is at most slack above the least error: <=.",
            ),
            (
                is_not_the_least,
                "The network that this chooses is good enough, but a smaller one is, too. Return the least size of all "
                "that are.",
            ),
        ],
    ),
}
