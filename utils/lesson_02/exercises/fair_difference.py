"""Exercise 02.7: a fair comparison of two shapes, from the tables of their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.discrimination import draw_until
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, same_number
from utils.types import Array

Pick = Callable[[Array, Array], int]  # from a shape's validation and held-out scores to the place of a rate


@dataclass(frozen=True)
class Sort:
    """What the tables of a case are like.

    ``lost`` of the shapes have a rate that is better by ``lift`` than it would be, but for runs that diverged: at
    most a third of the seeds, or more than half of them where it is ``most``. Where it is ``last``, leaving out the
    last rate changes the result, too, and so does choosing by the mean.
    """

    seeds: int
    rates: int
    lost: int
    last: bool = False
    lift: float = 0.08
    most: bool = False


SORTS = (
    Sort(9, 4, 0), Sort(8, 5, 1), Sort(12, 6, 2), Sort(7, 4, 1, last=True), Sort(11, 5, 2, last=True),
    Sort(10, 6, 0, last=True),
    Sort(9, 5, 1, most=True),  # a rate that np.nanmedian takes, and zeros in the place of nan do not
    Sort(8, 4, 2, lift=-0.15),  # rates that neither of them takes
)


def fair_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """Yield the cases, the worked example first."""
    for given in draw_until(told_apart, lambda: [worked_example(), *(drawn(rng, sort) for sort in SORTS)]):
        yield given, None


def told_apart(cases: list[dict]) -> bool:
    """Return whether no mistake is, wherever it changes the result, the same as another one.

    Nor is it right, in all cases, to round to three digits, or to choose by the lower of two middles, as torch does.
    """
    ways = [*always_wrong(), *RATE_MISTAKES, *SKIPPING, _nan_as_zero, _rate_by_mean, _both_by_mean, _without_last]
    found = np.array([[way(given) for given in cases] for way in ways])
    wrong = ~np.isclose(found, [fair(given) for given in cases])
    same = np.isclose(found[:, None], found, equal_nan=True) | ~wrong[:, None]  # of each pair, in each case
    slips = np.array([[round(fair(given), 3), _rate_by_lower_median(given)] for given in cases]).T
    missed = (np.abs(slips - [fair(given) for given in cases]) > 4e-4).any(axis=1)
    return bool(same.all(axis=-1).sum() == len(ways) and missed.all())


def always_wrong() -> list[Way]:
    """Return the ways to compare of the table MISTAKES."""
    return [way for *ways, _ in MISTAKES for way in ways]


def drawn(rng: np.random.Generator, sort: Sort) -> dict:
    """Return tables for which every usual mistake changes the result."""
    return draw_until(lambda given: telling(given, sort), tables, rng, sort)


def worked_example() -> dict:
    """Three seeds and three rates, of which the last diverges once for the deep shape."""
    nan = float("nan")
    return {
        "deep_validation": np.array([[0.90, 0.94, nan], [0.88, 0.96, 0.99], [0.92, 0.80, 0.98]]),
        "deep_held_out": np.array([[0.89, 0.93, nan], [0.90, 0.95, 0.98], [0.91, 0.82, 0.97]]),
        "shallow_validation": np.array([[0.80, 0.85, 0.70], [0.90, 0.84, 0.75], [0.86, 0.92, 0.72]]),
        "shallow_held_out": np.array([[0.82, 0.88, 0.70], [0.87, 0.86, 0.74], [0.84, 0.90, 0.71]]),
    }


def tables(rng: np.random.Generator, sort: Sort) -> dict:
    """Return scores of both shapes."""
    size = sort.seeds, sort.rates
    of_seed = rng.normal(0, 0.02, (sort.seeds, 1))  # a seed's data are easier or harder for both shapes
    given = {}
    for place, name in enumerate(("deep", "shallow")):
        level = rng.uniform(0.72, 0.86) + rng.uniform(0, 0.06, sort.rates)
        both = level + of_seed + rng.normal(0, 0.03, size)
        validation, held_out = (both + rng.normal(0, 0.02, size) for _ in range(2))
        if place < sort.lost:
            rate, gone = rng.integers(sort.rates), diverged(rng, sort)
            for table in (validation, held_out):
                table[:, rate] += sort.lift
                table[gone, rate] = np.nan
        given |= {f"{name}_validation": validation, f"{name}_held_out": held_out}
    return {name: np.minimum(table, 0.999).round(3) for name, table in given.items()}


def diverged(rng: np.random.Generator, sort: Sort) -> Array:
    """Return the seeds whose run diverged at the rate that is lost."""
    fewest, most = (sort.seeds // 2 + 1, sort.seeds - 3) if sort.most else (1, sort.seeds // 3)
    return rng.permutation(sort.seeds)[: rng.integers(fewest, most + 1)]


def telling(given: dict, sort: Sort) -> bool:
    """Return whether every usual mistake that such tables can tell changes the result."""
    right = fair(given)
    if any(is_close_call(given[f"{shape}_validation"]) for shape in ("deep", "shallow")):
        return False
    wrong = [_without_last, _rate_by_mean] if sort.last else []
    if sort.lost:
        wrong += RATE_MISTAKES
    if sort.lost and sort.lift > 0:
        wrong += SKIPPING if sort.most else SKIPPING + FILLING
    wrong += always_wrong()
    return all(not abs(mistake(given) - right) < 0.004 for mistake in wrong)


def is_close_call(validation: Array) -> bool:
    """Return whether two rates are so close in their medians, or means, that rounding, or a tie, could decide."""
    medians, means = (np.sort(middle(usable(validation), axis=0)) for middle in (np.median, np.mean))
    return bool(medians[-1] - medians[-2] < 0.0015 or means[-1] - means[-2] < 1e-4)


# --- what comes of which way to compare ---------------------------------------------------------------------


def usable(table: Array) -> Array:
    """Return the table with the rates at which a run diverged as the worst of all."""
    return np.where(np.isnan(table).any(axis=0), -1.0, table)


def _by_median(validation: Array, held_out: Array) -> int:
    return int(np.median(usable(validation), axis=0).argmax())


def at(given: dict, shape: str, pick: Pick) -> Array:
    """Return a shape's held-out scores, [seeds], at the rate that ``pick`` chooses."""
    pair = given[f"{shape}_validation"], given[f"{shape}_held_out"]
    return pair[1][:, pick(*pair)]


def compared(given: dict, pick: Pick, middle: Callable[[Array], float] = np.median) -> float:
    """Return the middle of the differences, seed by seed, at the rates that ``pick`` chooses."""
    return float(middle(at(given, "deep", pick) - at(given, "shallow", pick)))


def fair(given: dict) -> float:
    """Return the right answer."""
    return compared(given, _by_median)


def one_rate(of: str) -> Callable[[dict], float]:
    """Return a way to compare both shapes at the rate that is best for the one named."""
    return lambda given: compared(given, lambda *_: _by_median(given[f"{of}_validation"], given[f"{of}_held_out"]))


def _by_mean(validation: Array, held_out: Array) -> int:
    return int(usable(validation).mean(axis=0).argmax())


def _rate_by_mean(given: dict) -> float:
    return compared(given, _by_mean)


def _rate_by_lower_median(given: dict) -> float:
    return compared(given, lambda validation, _: int(np.sort(usable(validation), axis=0)[
        (len(validation) - 1) // 2].argmax()))


def _both_by_mean(given: dict) -> float:
    return compared(given, _by_mean, np.mean)


def rate_for_each_seed(given: dict) -> float:
    """Return what comes of choosing anew for each seed, on its validation score alone."""
    chosen = {}
    for shape in ("deep", "shallow"):
        places = usable(given[f"{shape}_validation"]).argmax(axis=1)
        chosen[shape] = given[f"{shape}_held_out"][np.arange(len(places)), places]
    return float(np.median(chosen["deep"] - chosen["shallow"]))


def _best_of_each_seed(given: dict) -> float:
    best = {shape: usable(given[f"{shape}_held_out"]).max(axis=1) for shape in ("deep", "shallow")}
    return float(np.median(best["deep"] - best["shallow"]))


def without_nan(validation: Array, held_out: Array) -> int:
    """Return the place of the largest of the medians of the runs that did not diverge."""
    return int(np.nanmedian(validation, axis=0).argmax())


def with_zeros(validation: Array, held_out: Array) -> int:
    """Return the place of the largest median where a run that diverged counts as 0."""
    return int(np.median(np.nan_to_num(validation), axis=0).argmax())


def _nan_skipped(given: dict) -> float:
    return compared(given, without_nan, np.nanmedian)


def _nan_as_zero(given: dict) -> float:
    return fair({name: np.nan_to_num(table) for name, table in given.items()})


def _nan_as_zero_then_skipped(given: dict) -> float:
    return compared(given, with_zeros, np.nanmedian)


def out_for_both(given: dict) -> float:
    """Return what comes of leaving out, for both shapes, each rate at which either of them diverged."""
    out = np.any([np.isnan(table).any(axis=0) for table in given.values()], axis=0)
    return fair({name: np.where(out, np.nan, table) if "val" in name else table for name, table in given.items()})


def place_among_the_rest(given: dict) -> float:
    """Return what comes of counting the columns without those that are out, and reading off the whole table."""

    def place(validation: Array, held_out: Array) -> int:
        return int(np.median(validation[:, ~np.isnan(validation).any(axis=0)], axis=0).argmax())

    return compared(given, place)


def _seeds_dropped(given: dict) -> float:
    kept = ~np.any([np.isnan(table).any(axis=1) for table in given.values()], axis=0)
    return fair({name: table[kept] for name, table in given.items()})


def _without_last(given: dict) -> float:
    return fair({name: table[:, :-1] for name, table in given.items()})


OUT = [  # which rates are out; the first two change the result wherever a rate is lost
    (place_among_the_rest,
     "Your index counts only the rates that are left; the held-out table still has all of them."),
    (out_for_both,
     "A rate is out for the network that diverged at it, not for the other one."),
    # Of the rates at which a run diverged zeros let the fewest through, np.nanmedian more, and argmax all: in this
    # order a nan that comes of one of them gets its own hint.
    (_nan_as_zero, lambda given: compared(given, with_zeros), _nan_as_zero_then_skipped,
     "A run that diverged counts as 0 here, which a median hardly notices: the rate is out altogether."),
    (_nan_skipped, lambda given: compared(given, without_nan), _seeds_dropped,
     "Runs that diverged are left out here (`np.nanmedian` does so, and so does dropping the seed), which rewards "
     "a rate that ruins some runs. Drop the rate, and keep all seeds."),
]
MISTAKES = [  # that change the result in every case
    (lambda given: -fair(given),
     "The sign is the wrong way round: deep minus shallow."),
    (lambda given: 100 * fair(given),
     "This is in percent: the tables hold accuracies from 0 to 1, and their difference is asked for as it is."),
    (lambda given: fair({name: table.T for name, table in given.items()}),
     "Rows are taken for rates here: a row is a seed, a column is a rate."),
    (lambda given: compared(given, lambda validation, held_out: _by_median(held_out, validation)),
     "You chose the rate on the held-out scores: then they are no longer held out. Choose on validation scores."),
    (one_rate("deep"),
     "Both networks have the rate that is best for the deep one. What is best for one may be bad for the other."),
    (one_rate("shallow"),
     "Both networks have the rate that is best for the shallow one. What is best for one may be bad for the "
     "other."),
    (lambda given: fair({name: given[name.replace("held_out", "validation")] for name in given}),
     "These are differences of validation scores. They chose the rates, so they look too good: report "
     "held-out scores."),
    (rate_for_each_seed,
     "You chose a rate for each seed anew. A network's rate is chosen once, by its median over the seeds."),
    (_best_of_each_seed,
     "You took each seed's best held-out score over the rates: nobody who has not seen the held-out data can."),
    (lambda given: compared(given, lambda validation, _: int(usable(validation).max(axis=0).argmax())),
     "The best single run chose your rate: one lucky seed. Take the rate with the best median over the seeds."),
    (lambda given: float(at(given, "deep", _by_median).max() - at(given, "shallow", _by_median).max()),
     lambda given: float(np.nanmax(given["deep_held_out"]) - np.nanmax(given["shallow_held_out"])),
     "This compares the best seeds of the two: more luck, not more skill. Take the difference seed by seed, and "
     "the median of these."),
    (lambda given: compared(given, _by_median, np.max),
     "This is the difference in the most favourable seed: the median of the differences is asked for."),
    (lambda given: float(np.median(at(given, "deep", _by_median)) - np.median(at(given, "shallow", _by_median))),
     "This is the difference of two medians. A seed has the same data for both networks: take differences seed by "
     "seed first, then their median."),
    (lambda given: compared(given, _by_median, np.mean),
     "This is the mean of the differences: the median is asked for."),
    (lambda given: compared(given, lambda validation, _: int(np.median(-usable(-validation), axis=0).argmin())),
     "You chose the rate with the smallest score. These are accuracies: larger is better."),
    (lambda given: float(np.nanmedian(given["deep_held_out"] - given["shallow_held_out"])),
     "You took the median over all rates: choose one rate for each network first."),
]
OFTEN = [  # that change it in those cases that are drawn for it
    (_rate_by_mean, _both_by_mean,
     "The mean over the seeds chose your rate: the median is asked for."),
    (_without_last, lambda given: fair({name: table[:, 1:] for name, table in given.items()}),
     "One rate is left out: a network may do best at the first or at the last of them."),
]
RATE_MISTAKES = (place_among_the_rest, out_for_both)
SKIPPING = (_nan_skipped, _seeds_dropped)
FILLING = (_nan_as_zero, _nan_as_zero_then_skipped)


def is_nan(given: dict, value: object, expected: float) -> bool:
    """Return whether the value is no number, where a run diverged."""
    return np.ndim(value) == 0 and bool(np.isnan(value))


FAIR = Exercise(
    id="02.7",
    points=3,
    answer_name="fair_difference",
    cases=fair_cases,
    verify=same_number(rtol=FOUR_DIGITS, atol=1e-6),  # the tables have three digits after the point
    misconceptions=hints_of([*OUT, *MISTAKES, *OFTEN], equals),
    remarks=[
        (lambda given, value, expected: np.size(value) > 1,
         "Return one number: the median, over the seeds, of the differences."),
        (is_nan,
         "Your result is nan. A run that diverged is nan, and so is every median with it, which NumPy's argmax takes "
         "for the largest of all: a rate at which a run diverged is out."),
    ],
)
