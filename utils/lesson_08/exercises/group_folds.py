"""Exercise 08.2: folds for cross-validation that tear no group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by

CASES = 12
Order = Callable[[np.ndarray], Sequence]  # from the groups of rows to the groups in the order in which they are dealt


def case(groups: object, k: int) -> Inputs:
    """Return the case of these groups and so many folds."""
    return {"groups": np.array(groups, dtype=int), "k": int(k)}


def worked_example() -> Inputs:
    """Return nine rows of five groups, of which one comes back later."""
    return case([7, 7, 7, 2, 7, 5, 5, 3, 9], 2)


def sample_case(rng: np.random.Generator) -> Inputs:
    """Return rows of groups of all sizes, in runs, of which some come back later."""
    k = int(rng.integers(2, 6))
    names = rng.choice(np.arange(1, 100), k + int(rng.integers(3, 7)), replace=False)
    runs = [np.full(size, name) for name, size in zip(names, rng.integers(1, 7, len(names)), strict=True)]
    runs += [np.full(2, name) for name in rng.choice(names, 3, replace=False)]
    return case(np.concatenate([runs[place] for place in rng.permutation(len(runs))]), k)


# --- what comes of which way to deal ------------------------------------------------------------------------


def as_they_come(groups: np.ndarray) -> list[int]:
    """Return the groups in the order of their first rows."""
    return list(dict.fromkeys(groups.tolist()))


def dealing(
    order: Order = as_they_come,
    weigh: Callable[[np.ndarray], int] = np.sum,
    choose: Callable[[np.ndarray], int] = np.argmin,
) -> Solver:
    """Return the way with another order, another weight of a group (from its mask of rows), or another choice."""

    def way(given: Inputs) -> list[int]:
        groups, loads = given["groups"], np.zeros(given["k"], dtype=int)
        folds = np.zeros(len(groups), dtype=int)
        for group in order(groups):
            fold = int(choose(loads))
            folds[groups == group] = fold
            loads[fold] += weigh(groups == group)
        return folds.tolist()

    return way


def last_of_the_smallest(loads: np.ndarray) -> int:
    """Return the largest number among the folds with the fewest rows."""
    return len(loads) - 1 - int(loads[::-1].argmin())


def by_size(groups: np.ndarray) -> list[int]:
    """Return the groups from the largest to the smallest."""
    return sorted(as_they_come(groups), key=lambda group: -int((groups == group).sum()))


def by_runs(given: Inputs) -> list[int]:
    """Return what comes of taking each run of rows for a group of its own."""
    runs = np.cumsum(np.diff(given["groups"], prepend=given["groups"][0]) != 0)
    return reference({"groups": runs, "k": given["k"]})


def counted_as_met(given: Inputs) -> list[int]:
    """Return what comes of counting of each group, when another is dealt, only the rows that stand before that."""
    loads, fold_of = np.zeros(given["k"], dtype=int), {}
    for group in given["groups"].tolist():
        fold = fold_of.setdefault(group, int(loads.argmin()))
        loads[fold] += 1
    return [fold_of[group] for group in given["groups"].tolist()]


def row_by_row(given: Inputs) -> list[int]:
    """Return what comes of dealing rows in turn."""
    return (np.arange(len(given["groups"])) % given["k"]).tolist()


def in_blocks(given: Inputs) -> list[int]:
    """Return what comes of cutting the rows into blocks of the same size."""
    blocks = np.array_split(np.arange(len(given["groups"])), given["k"])
    return [fold for fold, block in enumerate(blocks) for _ in block]


reference = dealing()
MISTAKES = [
    (
        row_by_row,
        in_blocks,
        "Your folds tear groups: rows of one group are held out in several folds, so that a network is asked about a "
        "group that it has been trained on.",
    ),
    (
        by_runs,
        "You treat a group that comes back later as a new one. All its rows belong in one fold, wherever they stand.",
    ),
    (
        dealing(weigh=lambda rows: 1),
        lambda given: (given["groups"] % given["k"]).tolist(),
        "You deal the groups in turn, or by their numbers, as if all had the same size. Give each group to the fold "
        "with the fewest rows so far.",
    ),
    (
        counted_as_met,
        "You count a group's rows one by one, as they come. As soon as a group is dealt, all its rows count, even "
        "those further down.",
    ),
    (
        dealing(np.unique),
        dealing(by_size),
        dealing(lambda groups: as_they_come(groups[::-1])),
        "You deal the groups in another order. Deal them in the order of their first rows, whatever their numbers "
        "and sizes are.",
    ),
    (
        dealing(choose=last_of_the_smallest),
        "Where several folds have equally few rows, you take another one. Take the one with the smallest number.",
    ),
    (lambda given: [fold + 1 for fold in reference(given)], "Your folds are numbered from 1. Number them from 0."),
]


def is_form(given: Inputs, value: object) -> bool:
    """Return whether the value has one whole number for each row."""
    numbers = np.asarray(value, dtype=float)
    return numbers.shape == given["groups"].shape and bool((numbers % 1 == 0).all())


def has_another_form(given: Inputs, value: object, expected: object) -> bool:
    """Return whether the value can be read, and is no list of whole numbers for the rows."""
    try:
        return value is not None and not is_form(given, value)
    except (TypeError, ValueError):
        return True


def explain_folds(given: Inputs, value: object, expected: object) -> str:
    """Say which group is torn, or which is the first row that is wrong."""
    if has_another_form(given, value, expected):
        return ""
    folds = np.asarray(value)
    torn = [group for group in as_they_come(given["groups"]) if len(set(folds[given["groups"] == group])) > 1]
    if torn:
        among = sorted({int(fold) for fold in folds[given["groups"] == torn[0]]})
        return f"Group {torn[0]} is torn: its rows are in the folds {', '.join(map(str, among))}."
    wrong = np.flatnonzero(folds != np.asarray(expected))
    return f"No group is torn. Row {wrong[0]} is the first in another fold than wanted." if len(wrong) else ""


GROUP_FOLDS = Exercise(
    id="08.2",
    points=2,
    answer_name="group_folds",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng) for _ in range(CASES))], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: float(
        is_form(given, value) and close(np.asarray(value, dtype=float), expected)
    ),
    explain=explain_folds,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (has_another_form, "Return a list with one whole number for each row: the fold in which the row is held out."),
    ],
)
