"""Exercise 02.7: a fair comparison of two shapes, from the tables of their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until, same
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, same_number
from utils.types import Array

SHAPES = ("deep", "shallow")
Score = Callable[[Array, Array], Array]  # from a shape's validation and held-out tables to its scores by seed
SORTS = (  # seeds and rates; for how many of the shapes a rate is lost; by what it is better; whether most runs are
    (9, 4, 0, 0.08, False),
    (8, 5, 1, 0.08, False),
    (12, 6, 2, 0.08, False),
    (7, 4, 1, 0.08, False),
    (11, 5, 2, 0.08, False),
    (10, 6, 0, 0.08, False),
    (9, 5, 1, 0.08, True),  # a rate that np.nanmedian takes, and zeros in the place of nan do not
    (8, 4, 2, -0.15, False),  # rates that neither of them takes
)


def fair_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    clear = partial(draw_until, lambda given: is_clear(given) and is_telling(given), tables, rng)
    return discriminating_cases(lambda: [worked_example(), *(clear(*sort) for sort in SORTS)], fair, MISTAKES, GUESSES)


def worked_example() -> Inputs:
    """Return three seeds and three rates, of which the last diverges once for the deep shape."""
    nan = float("nan")
    return {
        "deep_validation": np.array([[0.90, 0.94, nan], [0.88, 0.96, 0.99], [0.92, 0.80, 0.98]]),
        "deep_held_out": np.array([[0.89, 0.93, nan], [0.90, 0.95, 0.98], [0.91, 0.82, 0.97]]),
        "shallow_validation": np.array([[0.80, 0.85, 0.70], [0.90, 0.84, 0.75], [0.86, 0.92, 0.72]]),
        "shallow_held_out": np.array([[0.82, 0.88, 0.70], [0.87, 0.86, 0.74], [0.84, 0.90, 0.71]]),
    }


def tables(rng: np.random.Generator, seeds: int, rates: int, lost: int, lift: float, most: bool) -> Inputs:
    """Return scores of both shapes.

    ``lost`` of the shapes have a rate that is better by ``lift`` than it would be, but for runs that diverged: at
    most a third of the seeds, or more than half of them where it is ``most``.
    """
    of_seed = rng.normal(0, 0.02, (seeds, 1))  # a seed's data are easier or harder for both shapes
    given = {}
    for place, name in enumerate(SHAPES):
        level = rng.uniform(0.72, 0.86) + rng.uniform(0, 0.06, rates)
        both = level + of_seed + rng.normal(0, 0.03, (seeds, rates))
        validation, held_out = (both + rng.normal(0, 0.02, both.shape) for _ in range(2))
        if place < lost:
            fewest, at_most = (seeds // 2 + 1, seeds - 3) if most else (1, seeds // 3)
            rate, gone = rng.integers(rates), rng.permutation(seeds)[: rng.integers(fewest, at_most + 1)]
            for table in (validation, held_out):
                table[:, rate] += lift
                table[gone, rate] = np.nan
        given |= {f"{name}_validation": validation, f"{name}_held_out": held_out}
    return {name: np.minimum(table, 0.999).round(3) for name, table in given.items()}


def is_clear(given: Inputs) -> bool:
    """Return whether no two rates are so close in their medians, or means, that rounding, or a tie, could decide."""
    for shape in SHAPES:
        table = usable(given[f"{shape}_validation"])
        for middle, least in ((np.median, 0.0015), (np.mean, 1e-4)):
            if np.diff(np.sort(middle(table, axis=0)))[-1] < least:
                return False
    return True


def is_telling(given: Inputs) -> bool:
    """Return whether a place that moved leads to a number, not to nan, and out for one shape is not out for both."""
    lost = [np.isnan(given[f"{shape}_validation"]).any() for shape in SHAPES]
    moved, both_out = by_seed(at(place_among_the_rest))(given), of_tables(out_for_both)(given)
    return not np.isnan(moved) and (sum(lost) != 1 or not same(both_out, fair(given)))


# --- what comes of which way to compare ---------------------------------------------------------------------


def usable(table: Array) -> Array:
    """Return the table with the rates at which a run diverged as the worst of all."""
    return np.where(np.isnan(table).any(axis=0), -1.0, table)


def best(table: Array, middle: Callable[..., Array] = np.median) -> int:
    """Return the place of the usable rate with the best middle over the seeds."""
    return int(middle(usable(table), axis=0).argmax())


def by_seed(score: Score, middle: Callable[[Array], float] = np.median) -> Solver:
    """Return the way that takes the middle of the differences of both shapes' scores, seed by seed."""
    return lambda given: float(
        middle(np.subtract(*(score(given[f"{shape}_validation"], given[f"{shape}_held_out"]) for shape in SHAPES)))
    )


def at(pick: Callable[[Array], int]) -> Score:
    """Return the scores at the rate that ``pick`` chooses from the validation table."""
    return lambda validation, held_out: held_out[:, pick(validation)]


def of_tables(change: Callable[[str, Inputs], Array]) -> Solver:
    """Return the way that is right about other tables: those that ``change`` makes of each one's name, and all."""
    return lambda given: fair({name: change(name, given) for name in given})


def one_rate(shape: str) -> Solver:
    """Return the way that compares both shapes at the rate that is best for this one."""
    return lambda given: by_seed(at(lambda _: best(given[f"{shape}_validation"])))(given)


def without_nan(table: Array) -> int:
    """Return the place of the largest of the medians of the runs that did not diverge."""
    return int(np.nanmedian(table, axis=0).argmax())


def with_zeros(table: Array) -> int:
    """Return the place of the largest median where a run that diverged counts as 0."""
    return int(np.median(np.nan_to_num(table), axis=0).argmax())


def place_among_the_rest(table: Array) -> int:
    """Return the place of the best rate among those at which no run diverged."""
    return int(np.median(table[:, ~np.isnan(table).any(axis=0)], axis=0).argmax())


def with_all_runs(name: str, given: Inputs) -> Array:
    """Return a table without the seeds of which a run diverged."""
    return given[name][~np.any([np.isnan(table).any(axis=1) for table in given.values()], axis=0)]


def out_for_both(name: str, given: Inputs) -> Array:
    """Return a table with each rate lost at which either shape diverged."""
    lost = np.any([np.isnan(table).any(axis=0) for table in given.values()], axis=0)
    return np.where(lost, np.nan, given[name]) if "validation" in name else given[name]


fair = by_seed(at(best))
by_mean = partial(best, middle=np.mean)
MISTAKES = [
    (
        by_seed(lambda validation, held_out: held_out[:, best(held_out)]),
        "You chose the rate on the held-out scores, so they are no longer held out. Choose on the validation scores.",
    ),
    (
        one_rate("deep"),
        one_rate("shallow"),
        of_tables(out_for_both),
        "You do not tune each network by itself. What is best for one may be bad for the other, and a rate at which "
        "one diverges may serve the other.",
    ),
    (
        of_tables(lambda name, given: given[name.replace("held_out", "validation")]),
        "These are differences of validation scores. They chose the rates, so they look too good: report "
        "held-out scores.",
    ),
    (
        by_seed(lambda validation, held_out: held_out[np.arange(len(held_out)), usable(validation).argmax(axis=1)]),
        by_seed(lambda validation, held_out: held_out[np.arange(len(held_out)), np.nanargmax(validation, axis=1)]),
        by_seed(lambda validation, held_out: usable(held_out).max(axis=1)),
        *(
            by_seed(lambda validation, held_out: held_out[np.nanmedian(validation, axis=1).argmax()], middle)
            for middle in (np.median, np.nanmedian)
        ),
        of_tables(lambda name, given: given[name].T),
        "You chose a rate for each seed, or a seed for each rate. Rows are seeds, columns are rates: choose one rate "
        "for each network, by its median over the seeds.",
    ),
    (
        by_seed(lambda validation, held_out: np.median(held_out[:, best(validation)])),
        by_seed(at(best), np.mean),
        by_seed(at(by_mean)),
        by_seed(at(by_mean), np.mean),
        "Over the seeds you need a median twice, and never a mean: first to choose a rate, and in the end of the "
        "differences seed by seed. That is not the difference of two medians.",
    ),
    (
        by_seed(at(place_among_the_rest)),
        "You use a rate's place among those that are left as if it were its place in the whole table. But once a "
        "column is dropped, the later ones have moved.",
    ),
    (
        by_seed(at(without_nan), np.nanmedian),
        by_seed(at(without_nan)),
        of_tables(with_all_runs),
        by_seed(at(with_zeros), np.nanmedian),
        by_seed(at(with_zeros)),
        of_tables(lambda name, given: np.nan_to_num(given[name])),
        "You leave out runs that diverged, as `np.nanmedian` does, or count them as 0, which a median hardly notices. "
        "That rewards a rate that ruins some runs: drop the rate altogether, and keep all seeds.",
    ),
]
GUESSES = [  # that no hint is made for
    lambda given: round(fair(given), 3),
    by_seed(at(lambda validation: int(np.sort(usable(validation), axis=0)[(len(validation) - 1) // 2].argmax()))),
    by_seed(at(partial(best, middle=np.max))),
    by_seed(at(lambda validation: int(np.median(-usable(-validation), axis=0).argmin()))),
    by_seed(at(best), np.max),
    by_seed(lambda validation, held_out: held_out[:, best(validation)].max()),
    *(of_tables(lambda name, given, part=part: given[name][:, part]) for part in (slice(-1), slice(1, None))),
]


FAIR = Exercise(
    id="02.7",
    points=3,
    answer_name="fair_difference",
    cases=fair_cases,
    verify=same_number(rtol=FOUR_DIGITS, atol=1e-6),  # the tables have three digits after the point
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (
            lambda given, value, expected: np.ndim(value) == 0 and bool(np.isnan(value)),
            "Your result is nan. A run that diverged is nan, and so is every median with it, which NumPy's argmax "
            "takes for the largest of all: a rate at which a run diverged is out. (`np.isnan` finds it, `== "
            "np.nan` does not.)",
        ),
    ],
)
