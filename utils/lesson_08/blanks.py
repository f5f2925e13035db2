"""The lines that lesson 08's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

RNG = np.random.default_rng(8)
TABLES = [RNG.normal(size=(n, 3)) * (1, 10, 100) + (0, 5, 50) for n in (6, 5, 7, 4)]
HIDDEN = [np.abs(RNG.normal(size=(n, 4))) for n in (9, 7, 8, 6)]
WANTED = [RNG.normal(size=(len(H), 2)) for H in HIDDEN]
RUNS = [
    np.array(runs)
    for runs in ([0, 0, 1, 1, 2, 5, 5, 9], [3, 3, 4, 4, 6, 7, 0], [1, 2, 2, 8, 8, 8, 11], [10, 10, 4, 5, 5, 6, 13])
]
ERRORS = [
    np.array(errors)
    for errors in ([2.61, 2.52, 2.55, 2.7], [0.9, 0.34, 0.3, 0.4, 0.7], [3.5, 3.05, 3.25, 3.1], [3.1, 2.9, 2.2, 2.45])
]
SIZES = [
    np.array(sizes)
    for sizes in ([500, 417, 330, 100], [50, 300, 900, 120, 200], [10, 300, 200, 250], [20, 60, 700, 80])
]
SLACKS = (0.1, 0.15, 0.1, 0.5)


def gram(H):
    return H.T @ H


def runs_stay_together(given, value):
    """Return whether runs are dealt out in turn: by their numbers, or by their places among the numbers that occur."""
    ways = (given["run"], np.unique(given["run"], return_inverse=True)[1])
    return any(np.array_equal(value, way % given["folds"]) for way in ways)


BLANKS = {
    "08.ridge": Blank(
        "ridge",
        [(H, Y, penalty) for H, Y, penalty in zip(HIDDEN, WANTED, (0.5, 2.0, 0.1, 7.0), strict=True)],
        [
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H), H.T @ Y),
                "This is without the penalty: the matrix on the left also has penalty times the identity.",
            ),
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H) + penalty, H.T @ Y),
                "This adds the penalty to every entry. The identity has it on the diagonal only: np.eye.",
            ),
            (
                lambda H, Y, penalty: np.linalg.solve(gram(H) + penalty**2 * np.eye(H.shape[1]), H.T @ Y),
                "The penalty stands in the equation as it is, not squared.",
            ),
        ],
    ),
    "08.standard": Blank(
        "standardised",
        [(TABLES[i], TABLES[i - 1]) for i in range(4)],
        [
            (
                lambda X, X_train: (X - X.mean(axis=0)) / X.std(axis=0),
                "These are the mean and the deviation of the rows "
                "that are transformed. Take those of the rows that "
                "are learned from.",
            ),
            (
                lambda X, X_train: (X - X_train.mean()) / X_train.std(),
                "This mixes the columns' units. Each column has a mean of its own: axis=0.",
            ),
            (
                lambda X, X_train: X - X_train.mean(axis=0) / X_train.std(axis=0),
                "The division comes first here: put the difference into parentheses.",
            ),
            (
                lambda X, X_train: (X - X_train.mean(axis=0)) / X_train.var(axis=0),
                "This divides by the variance. Divide by its root, the standard deviation.",
            ),
        ],
    ),
    "08.folds": Blank(
        "run_folds",
        [(run, folds) for run, folds in zip(RUNS, (4, 3, 5, 4), strict=True)],
        [
            (
                lambda run, folds: np.arange(len(run)) % folds,
                "This deals out rows, and tears runs apart. Let the run's number decide, not the row's.",
            ),
            (lambda run, folds: run // folds, "That is the quotient. The remainder lies between 0 and folds − 1."),
        ],
        right=runs_stay_together,
    ),
    "08.simplest": Blank(
        "simplest",
        list(zip(ERRORS, SIZES, SLACKS, strict=True)),
        [
            (
                lambda errors, sizes, slack: sizes[np.argmin(errors)],
                "This is the best one. A smaller one may be within slack of it.",
            ),
            (
                lambda errors, sizes, slack: sizes[errors <= errors.min() * (1 + slack)].min(),
                "The slack is added to the least error, in the same units. It is no percentage.",
            ),
            (
                lambda errors, sizes, slack: sizes[errors <= errors.min() + slack][0],
                "This is the first one that is good enough. Among those, the smallest is wanted.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "Is nothing left to choose from? What is good enough is measured from the least error: errors.min() + "
                "slack.",
            )
        ],
    ),
}
