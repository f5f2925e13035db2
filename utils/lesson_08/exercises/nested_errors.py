"""Exercise 08.3: three numbers to report after a search with nested validation, of which one is honest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, each_to_four_digits, hints_of, returned_by

SIZES = ((5, 8), (4, 4), (6, 4), (3, 20), (5, 5), (8, 6), (4, 12), (7, 7))  # outer folds and settings
GAP = 0.002  # between the least and the second least of all that may choose
Errors = np.ndarray  # [outer folds, settings]
Part = Callable[[Errors, Errors], float]  # from both tables to one number


def case(inner: object, outer: object) -> Inputs:
    """Return the case of these two tables."""
    return {"inner": np.array(inner, dtype=float), "outer": np.array(outer, dtype=float)}


def worked_example() -> Inputs:
    """Return three outer folds and three settings, with another winner in the second fold."""
    return case(
        [[0.20, 0.30, 0.26], [0.36, 0.28, 0.24], [0.22, 0.32, 0.30]],
        [[0.32, 0.28, 0.24], [0.35, 0.32, 0.27], [0.28, 0.24, 0.39]],
    )


def sample_case(rng: np.random.Generator, folds: int, settings: int) -> Inputs:
    """Return errors of settings that differ a little, with noise of their own in each fold."""

    def drawn() -> Inputs:
        level = rng.uniform(0.2, 0.4) + 0.02 * rng.normal(size=settings)
        inner, outer = (level + 0.06 * rng.normal(size=(folds, settings)) for _ in range(2))
        return case(inner.clip(0.01).round(3), (outer + 0.02).clip(0.01).round(3))

    return draw_until(is_telling, drawn)


def is_telling(given: Inputs) -> bool:
    """Return whether nothing that may choose is nearly a tie, and the wrong ways to choose lead elsewhere."""
    inner, outer = given["inner"], given["outer"]
    rows = [*inner, *outer, inner.mean(axis=0), outer.mean(axis=0)]
    clear = all(np.diff(np.sort(row)[:2])[0] >= GAP for row in rows)
    parts = [honest(inner, outer), one_for_all(inner, outer), least_mean(inner, outer), outer.min(axis=1).mean()]
    return clear and bool(np.diff(np.sort(parts)).min() > GAP)


# --- what comes of which way to read ------------------------------------------------------------------------


def honest(inner: Errors, outer: Errors) -> float:
    """Return the mean outer error of what each outer fold has chosen inside."""
    return float(outer[np.arange(len(inner)), inner.argmin(axis=1)].mean())


def one_for_all(inner: Errors, outer: Errors) -> float:
    """Return the mean outer error of one setting, chosen by all the inner errors."""
    return float(outer[:, inner.mean(axis=0).argmin()].mean())


def optimistic(inner: Errors, outer: Errors) -> float:
    """Return the mean of the least inner errors."""
    return float(inner.min(axis=1).mean())


def least_mean(inner: Errors, outer: Errors) -> float:
    """Return the least mean outer error of a setting."""
    return float(outer.mean(axis=0).min())


def reading(first: Part = optimistic, second: Part = honest, third: Part = least_mean) -> Solver:
    """Return the way that reports these three numbers."""
    return lambda given: [part(given["inner"], given["outer"]) for part in (first, second, third)]


def along_another_axis() -> list[Solver]:
    """Return the ways in which one, two or all three numbers take columns for rows."""
    parts = optimistic, honest, least_mean

    def way_of(wrong: tuple[bool, ...]) -> Solver:
        def way(given: Inputs) -> list[float]:
            inner, outer = given["inner"], given["outer"]
            return [
                part(inner.T, outer.T) if other else part(inner, outer)
                for part, other in zip(parts, wrong, strict=True)
            ]

        return way

    return [way_of(wrong) for wrong in product((False, True), repeat=len(parts)) if any(wrong)]


def median_of(given: Inputs) -> list[float]:
    """Return the three numbers with medians over the folds instead of means."""
    inner, outer = given["inner"], given["outer"]
    chosen = outer[np.arange(len(inner)), inner.argmin(axis=1)]
    return [float(np.median(inner.min(axis=1))), float(np.median(chosen)), float(np.median(outer, axis=0).min())]


reference = reading()
MISTAKES = [
    (
        *along_another_axis(),
        "At least one of your numbers goes along the other axis. A row of each table is an outer fold and a column a "
        "setting: `axis=1` runs through the settings of one fold, `axis=0` through the folds of one setting.",
    ),
    (
        reading(second=one_for_all),
        "Your second number chooses one setting by the inner errors of all folds. In these, the rows that an outer "
        "fold holds out have had a say. Let each outer fold choose by its own row of `inner` alone.",
    ),
    (
        reading(second=lambda inner, outer: outer.min(axis=1).mean()),
        reading(second=least_mean),
        "Your second number lets outer errors choose. Choose each outer fold's setting by the least inner error, and "
        "only then look up its outer error.",
    ),
    (
        reading(first=lambda inner, outer: inner.mean(axis=0).min()),
        "Your first number takes means first: find the least inner error of each outer fold, then their mean.",
    ),
    (
        reading(third=lambda inner, outer: outer.min(axis=1).mean()),
        reading(third=lambda inner, outer: outer.min()),
        reading(third=one_for_all),
        "Your third number is made in another way. Take the mean of each setting's outer errors, then the least of "
        "these means.",
    ),
    (
        lambda given: [-part for part in reference({name: -given[name] for name in given})],
        "You take the largest. But these are errors, so the least is the best.",
    ),
    (median_of, "You take medians over the outer folds. Take means, for all three numbers."),
]


def explain_errors(given: Inputs, value: object, expected: object) -> str:
    """Say which setting each outer fold chooses, and which of the numbers are wrong."""
    if np.shape(value) != (3,) or each_to_four_digits(value, expected):
        return ""
    wrong = [
        name
        for name, one, right in zip(("first", "second", "third"), value, expected, strict=True)
        if not each_to_four_digits([one], [right])
    ]
    return f"Wrong: the {', the '.join(wrong)}."


NESTED_ERRORS = Exercise(
    id="08.3",
    points=3,
    answer_name="nested_errors",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *size) for size in SIZES)], reference, MISTAKES
    ),
    verify=lambda given, hidden, value, expected: each_to_four_digits(value, expected),
    explain=explain_errors,
    misconceptions=hints_of(MISTAKES, returned_by, same=each_to_four_digits),
    remarks=[
        (
            lambda given, value, expected: sorted(np.asarray(value).round(9)) == sorted(np.asarray(expected).round(9)),
            "The three numbers are right, but in another order: first the optimistic one, then the honest "
            "one, then the one that held-out errors chose.",
        ),
    ],
)
