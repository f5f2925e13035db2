"""Exercise 02.8: how many pieces of the sawtooth training finds, read from an experiment over seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, hints_of, returned_by
from utils.lesson_02.saw_runs import error_dots

ALL_PIECES = ((2, 4, 8, 16, 32), (4, 8, 16, 32), (2, 8, 16, 64), (2, 4, 16, 32, 128), (3, 9, 27, 81, 243))
SIZES = ((4, 10), (3, 9), (4, 12), (3, 8), (4, 11), (3, 6))  # architectures and seeds of the drawn cases
SHARES, FACTORS = (0.25, 0.35, 0.7, 0.75, 0.8, 0.9), (0.125, 2.0, 5.0)  # other ideas of what is found

agrees = partial(close, rtol=0.0, atol=1e-6)  # as numbers of pieces


def found_cases(rng: np.random.Generator) -> Iterator[tuple[Given, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(
        lambda: [worked_example(), *(invented(rng, *size) for size in SIZES)], right, MISTAKES, GUESSES
    )


def worked_example() -> Given:
    """Two architectures; the second has a lucky run, one that diverged, and finds 8 pieces without 4."""
    nan = float("nan")
    return {
        "pieces": np.array([2, 4, 8]),
        "missed": np.array([
            [[0.01, 0.02, 0.01, 0.03], [0.05, 0.04, 0.62, nan], [0.03, 0.71, 0.88, 0.64]],
            [[0.02, 0.01, 0.03, 0.55], [0.04, 0.58, 0.49, nan], [0.06, 0.05, 0.07, 0.79]],
        ]),
        "threshold": 0.1,
    }


def invented(rng: np.random.Generator, architectures: int, seeds: int) -> Given:
    """Return errors of networks that were never trained: each level of each architecture misleads in its own way."""
    pieces = np.array(ALL_PIECES[rng.integers(len(ALL_PIECES))])
    threshold = float(rng.choice([0.05, 0.1, 0.2]))
    missed = [
        [level(rng, seeds, threshold, found) for found in pattern(rng, len(pieces))] for _ in range(architectures)
    ]
    return {"pieces": pieces, "missed": np.array(missed), "threshold": threshold}


def pattern(rng: np.random.Generator, levels: int) -> list[bool]:
    """Return which levels half of the seeds find: the first few, not the next, and perhaps one after it."""
    first = int(rng.choice(levels + 1))
    return [i < first or (i > first and rng.random() < 0.5) for i in range(levels)]


def level(rng: np.random.Generator, seeds: int, threshold: float, found: bool) -> np.ndarray:
    """Return errors of one architecture at one number of pieces, far from the threshold or NaN."""
    half = seeds / 2
    if found:
        count = int(rng.choice([np.ceil(half), np.ceil(half), np.ceil(half) + 1, seeds - 1, seeds]))
    else:
        count = int(rng.choice([0, 1, np.ceil(half) - 2, np.ceil(half) - 1, np.ceil(half) - 1]))
    diverged = int(rng.integers(0, min(seeds - count, seeds // 3) + 1))
    low, high = rng.choice([[1.3, 1.5], [3.0, 4.5]])  # times the threshold: some means stay below it, others do not
    errors = np.concatenate([
        threshold * rng.uniform(0.02, 0.3, count),
        np.full(diverged, np.nan),
        threshold * rng.uniform(low, high, seeds - count - diverged),
    ])
    return rng.permutation(errors.round(4))


# --- what comes of which way to read it ---------------------------------------------------------------------


def up_to(given: Given, found: np.ndarray) -> list[int]:
    """Return for each architecture the largest number of pieces with all smaller ones in ``found``, [.., pieces]."""
    return np.append(0, given["pieces"])[levels_of(found)].tolist()


def levels_of(found: np.ndarray) -> np.ndarray:
    """Return how many levels are found before the first that is not, for each architecture."""
    return np.cumprod(found, axis=1).sum(axis=1)


def by_half(given: Given) -> np.ndarray:
    """Return whether at least half of the seeds found it, [architectures, pieces]."""
    return (given["missed"] <= given["threshold"]).mean(axis=2) >= 0.5


def right(given: Given) -> list[int]:
    """Return the right answer."""
    return up_to(given, by_half(given))


def where(found: Callable[[np.ndarray, float], np.ndarray]) -> Way:
    """Return what reads an experiment with another idea of what is found: of the errors and the threshold."""

    def read(given: Given) -> list[int]:
        with np.errstate(all="ignore"):
            return up_to(given, found(given["missed"], given["threshold"]))

    return read


def mean_where_finite(missed: np.ndarray, threshold: float) -> np.ndarray:
    """Return whether the mean of the runs that did not diverge is below the threshold."""
    left = ~np.isnan(missed)
    return np.where(left, missed, 0.0).sum(axis=2) <= threshold * left.sum(axis=2)


def median_of_all(missed: np.ndarray, threshold: float) -> np.ndarray:
    """Return whether the median is below the threshold where a run that diverged is the worst of all."""
    return np.median(np.where(np.isnan(missed), np.inf, missed), axis=2) <= threshold


def seed_by_seed(given: Given) -> list[float]:
    """Return the median over the seeds of what each of them finds by itself."""
    own = np.append(0, given["pieces"])[levels_of(given["missed"] <= given["threshold"])]
    return np.median(own, axis=1).tolist()


def changed(change: Callable[[np.ndarray], np.ndarray]) -> Way:
    """Return what makes the answer of how many levels are found, [architectures]."""
    return lambda given: change(levels_of(by_half(given))).tolist()


def at_level(change: Callable[[np.ndarray, int], np.ndarray]) -> Way:
    """Return what takes each answer from another place in ``pieces``: of the levels found, and of their number."""
    return lambda given: given["pieces"][change(levels_of(by_half(given)), len(given["pieces"]))].tolist()


GUESSES = [  # that no hint is made for
    *(where(lambda missed, threshold, s=share: (missed <= threshold).mean(axis=2) >= s) for share in SHARES),
    *(where(lambda missed, threshold, f=factor: (missed <= f * threshold).mean(axis=2) >= 0.5) for factor in FACTORS),
    where(lambda missed, threshold: missed[:, :, -1] <= threshold),
]
MISTAKES = [
    (where(lambda missed, threshold: (missed <= threshold).any(axis=2)),
     "This is what the best runs show: a single seed is enough here. Count the seeds: at least half of them must "
     "find it."),
    (where(lambda missed, threshold: (missed <= threshold).all(axis=2)),
     "Here every seed has to find it: half of the seeds are enough."),
    (where(lambda missed, threshold: missed.mean(axis=2) <= threshold), where(mean_where_finite),
     "The mean error decides here: a few bad runs raise it, and many near misses do not. Count the seeds that find "
     "it."),
    (where(lambda missed, threshold: (~(missed > threshold)).mean(axis=2) >= 0.5),
     where(lambda missed, threshold: np.median(np.nan_to_num(missed), axis=2) <= threshold),
     "Runs that diverged count as found here: every comparison with nan is False, so `not missed > threshold` is "
     "True, and `np.nan_to_num` makes 0 of nan, an error that could not be better."),
    (where(lambda missed, threshold: 2 * (missed <= threshold).sum(axis=2) >= (~np.isnan(missed)).sum(axis=2)),
     where(lambda missed, threshold: np.nanmedian(missed, axis=2) <= threshold),  # no case has lost all runs
     "The runs that diverged are left out here (`np.nanmedian` and `np.nanmean` do that): they were tried, and did "
     "not find it. The share is of all seeds."),
    (where(lambda missed, threshold: np.median(missed, axis=2) <= threshold),
     where(lambda missed, threshold: (missed <= threshold).mean(axis=2) * ~np.isnan(missed).any(axis=2) >= 0.5),
     "One run that diverged undoes all the others here, as it does in `np.median`, where one nan makes all nan: it "
     "counts as one seed that did not find it."),
    (where(lambda missed, threshold: (missed <= threshold).mean(axis=2) > 0.5), where(median_of_all),
     "Exactly half of the seeds is at least half. (The median of an even number of errors is the mean of the "
     "middle two, which is another question: count.)"),
    (where(lambda missed, threshold: (missed >= threshold).mean(axis=2) >= 0.5),
     "These are errors: a seed has found the sawtooth where it misses at most the threshold."),
    (where(lambda missed, threshold: missed[:, :, 0] <= threshold),
     "You look at the first seed alone: the last axis holds all of them."),
    (lambda given: (by_half(given) * given["pieces"]).max(axis=1).tolist(),
     "This number was found, but a smaller one was not: the first that is missed ends the search."),
    (lambda given: np.append(0, given["pieces"])[by_half(given).sum(axis=1)].tolist(),
     "You count all numbers of pieces that were found, wherever they stand: count those before the first that was "
     "not."),
    (seed_by_seed,
     "You follow each seed by itself through the numbers of pieces. These are different networks: at each number "
     "of pieces, take the share of the seeds first."),
    (changed(lambda levels: levels), changed(lambda levels: levels - 1),
     "This counts the entries of `pieces`, or is a place among them: return the number of pieces itself."),
    (changed(lambda levels: 2**levels), changed(lambda levels: np.where(levels, 2**levels, 0)),
     "The numbers of pieces need not be 2, 4, 8 and so on: take them from `pieces`."),
    (at_level(lambda found, count: found - 1), at_level(lambda found, count: np.maximum(found - 1, 0)),
     "Where not even the first number of pieces was found, 0 is wanted. (The index -1 is the last entry.)"),
    (at_level(lambda found, count: np.minimum(found, count - 1)),
     "This is the first number of pieces that was not found: the one before it is wanted."),
    (lambda given: up_to(given, by_half(given)[:, :-1]),
     lambda given: np.append(0, given["pieces"])[np.maximum(levels_of(by_half(given)) - 1, 0)].tolist(),
     "One number of pieces too few is looked at: the last one can be found, too."),
]


def is_for_each(given: Given, value: object) -> bool:
    """Return whether there is one number for each architecture."""
    return np.shape(value) == (len(given["missed"]),)


def is_possible(given: Given, value: object) -> bool:
    """Return whether there is a number for each architecture, each 0 or one of the numbers of pieces."""
    return is_for_each(given, value) and set(np.asarray(value).tolist()) <= {0, *given["pieces"].tolist()}


def explain_found(given: Given, value: object, expected: list[int]) -> str:
    """Say by how many seeds the pieces were found that the first wrong number says were, or the next beyond it."""
    if not is_possible(given, value):
        return ""
    counts, pieces = (given["missed"] <= given["threshold"]).sum(axis=2), given["pieces"]
    place = next(i for i, number in enumerate(value) if number != expected[i])
    said = int((pieces <= value[place]).sum())
    if value[place] > expected[place]:
        of = ", ".join(f"{k} pieces by {n}" for k, n in zip(pieces[:said], counts[place], strict=False))
    else:
        of = f"{pieces[said]} pieces by {counts[place, said]}"
    return f"With architecture {place} these were found, of {given['missed'].shape[2]} seeds: {of}."


def plot_found(given: Given, value: object) -> tuple[object, str]:
    """Return a figure of the experiment with the numbers that were returned, and its words."""
    numbers = [f"{float(number):g}" for number in value]
    names = [f"architecture {i}: found up to {number}" for i, number in enumerate(numbers)]
    figure, words = error_dots(**given, names=names)
    for ax in figure.axes:
        ax.title.set_fontsize(9)
    return figure, f"{words} Your function returns {', '.join(numbers)}."


FOUND = Exercise(
    id="02.8",
    points=3,
    answer_name="found_up_to",
    cases=found_cases,
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    explain=explain_found,
    plot=plot_found,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (lambda given, value, expected: not is_for_each(given, value),
         "Return one number for each architecture: the first axis of `missed` has the architectures, the second the "
         "numbers of pieces, the third the seeds."),
        (lambda given, value, expected: not is_possible(given, value),
         "Each number is 0 or one of `pieces`."),
        (lambda given, value, expected: (np.asarray(value) >= expected).all(),
         "Too much was called found here: a number of pieces of yours, or one below it, was found by fewer than half "
         "of the seeds."),
        (lambda given, value, expected: (np.asarray(value) <= expected).all(),
         "Too little was called found here: the next number of pieces, too, was found by at least half of the seeds."),
    ],
)
