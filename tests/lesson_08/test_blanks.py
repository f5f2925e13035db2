"""What a reader is told of wrong lines in the path's blanks, beyond the mistakes that a room lists."""

from __future__ import annotations

import numpy as np
import pytest

from utils import pages
from utils.exercises import yours
from utils.lesson_08 import page  # noqa: F401 (which registers the blanks)

eye, solve = np.eye, np.linalg.solve
RIDGE = [
    (lambda H, Y, penalty: solve(H.T @ H - penalty * eye(4), H.T @ Y), "the identity does not have the penalty"),
    (
        lambda H, Y, penalty: solve(H.T @ H + len(H) * penalty * eye(4), H.T @ Y),
        "the identity does not have the penalty",
    ),
    (lambda H, Y, penalty: solve(penalty * H.T @ H + eye(4), H.T @ Y), "HᵀH or HᵀY has a factor"),
    (lambda H, Y, penalty: solve(H.T @ H / len(H) + penalty * eye(4), H.T @ Y), "HᵀH or HᵀY has a factor"),
    (lambda H, Y, penalty: solve(H.T @ H + penalty * np.diag([0, 1, 1, 1]), H.T @ Y), "Only some rows"),
    (lambda H, Y, penalty: (H.T @ H + penalty * eye(4)) @ H.T @ Y, "multiplies HᵀY by the matrix"),
    (lambda H, Y, penalty: solve(H @ H.T + penalty * eye(4), H.T @ Y), "If shapes do not fit"),
    (lambda H, Y, penalty: H.T @ solve(H @ H.T + penalty * eye(len(H)), Y), "✓"),
]
STANDARD = [
    (lambda X, X_train: (X - X.mean(axis=0)) / X.std(axis=0), "taken from X here"),
    (lambda X, X_train: (X - X_train.mean(axis=0)) / X.std(axis=0), "taken from X here"),
    (lambda X, X_train: (X - X_train.mean(axis=0)) / X_train.std(), "mixes columns"),
    (lambda X, X_train: X / X_train.std(axis=0), "subtract from each column its mean"),
    (lambda X, X_train: (X - X_train.mean(axis=0)) / X_train.var(axis=0), "divide each column by its standard"),
    (lambda X, X_train: X - X_train.mean(axis=0), "divide each column by its standard"),
    (lambda X, X_train: (X - X_train.min(axis=0)) / np.ptp(X_train, axis=0), "Something else is subtracted"),
    (lambda X, X_train: (X_train - X_train.mean(axis=0)) / X_train.std(axis=0), "as many rows as X_train"),
    (lambda X, X_train: (X - X_train.mean(axis=1)) / X_train.std(axis=1), "If shapes do not fit"),
    (lambda X, X_train: (X - X_train.mean(axis=0)) / X_train.std(axis=0, ddof=1), "✓"),
]
FOLDS = [
    (lambda run, folds: run % folds == 0, "only True and False"),
    (lambda run, folds: np.array_split(run, folds), "one number for each row"),
    (lambda run, folds: np.unique(run) % folds, "one number for each row"),
    (lambda run, folds: np.arange(len(run)) % folds, "tears runs apart"),
    (lambda run, folds: run % folds + 1, "numbered from 1"),
    (lambda run, folds: run % (folds + 1), "by another number than"),
    (lambda run, folds: run / folds, "not numbers of folds"),
    (lambda run, folds: (run + 1) % folds, "✓"),
]
SIMPLEST = [
    (lambda errors, sizes, slack: sizes.min(), "is not good enough"),
    (lambda errors, sizes, slack: sizes[errors >= errors.min() + slack].min(), "is not good enough"),
    (lambda errors, sizes, slack: sizes[errors <= errors.min() + slack][0], "a smaller one is, too"),
    (lambda errors, sizes, slack: sizes[errors <= errors.min() + slack][-1], "a smaller one is, too"),
    (lambda errors, sizes, slack: sizes[errors <= errors.min() + slack], "returns an array"),
    (lambda errors, sizes, slack: errors.argmin(), "an index or a count"),
    (lambda errors, sizes, slack: errors.min() + slack, "none of the sizes"),
    (lambda errors, sizes, slack: sizes[errors <= slack].min(), "If nothing is left"),
    (lambda errors, sizes, slack: sizes[errors < errors.min() + slack].min(), "✓"),
]
LINES = {"08.ridge": RIDGE, "08.standard": STANDARD, "08.folds": FOLDS, "08.simplest": SIMPLEST}


@pytest.mark.parametrize(("key", "at"), [(key, at) for key, rows in LINES.items() for at in range(len(rows))])
def test_a_wrong_line_is_told_what_is_wrong_with_it(capsys, key, at):
    line, told = LINES[key][at]
    exec(f'{pages.blank(key).name} = yours("{key}")', {"yours": yours, pages.blank(key).name: line})
    assert told in " ".join(capsys.readouterr().out.split())
