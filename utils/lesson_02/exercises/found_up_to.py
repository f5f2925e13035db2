"""Exercise 02.8: how many pieces of the sawtooth training finds, read from an experiment over seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.lesson_02.saw_runs import error_dots

ALL_PIECES = ((2, 4, 8, 16, 32), (4, 8, 16, 32), (2, 8, 16, 64), (2, 4, 16, 32, 128), (3, 9, 27, 81, 243))
SIZES = ((4, 10), (3, 9), (4, 12), (3, 8), (4, 11), (3, 6))  # architectures and seeds of the drawn cases
SHARES, FACTORS = (0.25, 0.35, 0.7, 0.75, 0.8, 0.9), (0.125, 2.0, 5.0)  # other ideas of what is found

agrees = partial(close, rtol=0.0, atol=1e-6)  # as numbers of pieces


def found_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(
        lambda: [worked_example(), *(invented(rng, *size) for size in SIZES)], reference, MISTAKES, GUESSES
    )


def worked_example() -> Inputs:
    """Return two architectures; the second has a lucky run, one that diverged, and finds 8 pieces without 4."""
    nan = float("nan")
    return {
        "pieces": np.array([2, 4, 8]),
        "missed": np.array(
            [
                [[0.01, 0.02, 0.01, 0.03], [0.05, 0.04, 0.62, nan], [0.03, 0.71, 0.88, 0.64]],
                [[0.02, 0.01, 0.03, 0.55], [0.04, 0.58, 0.49, nan], [0.06, 0.05, 0.07, 0.79]],
            ]
        ),
        "threshold": 0.1,
    }


def invented(rng: np.random.Generator, architectures: int, seeds: int) -> Inputs:
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
    errors = np.concatenate(
        [
            threshold * rng.uniform(0.02, 0.3, count),
            np.full(diverged, np.nan),
            threshold * rng.uniform(low, high, seeds - count - diverged),
        ]
    )
    return rng.permutation(errors.round(4))


# --- what comes of which way to read it ---------------------------------------------------------------------


def up_to(given: Inputs, found: np.ndarray) -> list[int]:
    """Return for each architecture the largest number of pieces with all smaller ones in ``found``, [.., pieces]."""
    return np.append(0, given["pieces"])[levels_of(found)].tolist()


def levels_of(found: np.ndarray) -> np.ndarray:
    """Return how many levels are found before the first that is not, for each architecture."""
    return np.cumprod(found, axis=1).sum(axis=1)


def by_half(given: Inputs) -> np.ndarray:
    """Return whether at least half of the seeds found it, [architectures, pieces]."""
    return (given["missed"] <= given["threshold"]).mean(axis=2) >= 0.5


def reference(given: Inputs) -> list[int]:
    """Return the right answer."""
    return up_to(given, by_half(given))


def where(found: Callable[[np.ndarray, float], np.ndarray]) -> Solver:
    """Return what reads an experiment with another idea of what is found: of the errors and the threshold."""

    def read(given: Inputs) -> list[int]:
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


def at_level(change: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Solver:
    """Return what makes each answer otherwise: of how many levels are found, and of the numbers of pieces, 0 first."""
    return lambda given: change(levels_of(by_half(given)), np.append(0, given["pieces"])).tolist()


def first_missed(given: Inputs) -> list[int]:
    """Return the first number of pieces that each misses, the first of all where it misses none, as argmin has it."""
    return given["pieces"][by_half(given).argmin(axis=1)].tolist()


def over_pieces(given: Inputs) -> list[int]:
    """Return the answer with the share over the numbers of pieces instead of the seeds."""
    share = (given["missed"] <= given["threshold"]).mean(axis=1)
    return up_to(given, share[:, : len(given["pieces"])] >= 0.5)


MISTAKES = [
    (
        where(lambda missed, threshold: (missed <= threshold).any(axis=2)),
        where(lambda missed, threshold: (missed <= threshold).all(axis=2)),
        "You let the best runs decide, or the worst: a single seed is enough, or all are needed. Count the seeds "
        "instead: at least half of them must find it.",
    ),
    (
        where(lambda missed, threshold: missed.mean(axis=2) <= threshold),
        where(mean_where_finite),
        "You let the mean error decide. A few bad runs raise it, and many near misses do not: count the seeds that "
        "find it.",
    ),
    (
        where(lambda missed, threshold: 2 * (missed <= threshold).sum(axis=2) >= (~np.isnan(missed)).sum(axis=2)),
        where(lambda missed, threshold: np.nanmedian(missed, axis=2) <= threshold),  # no case has lost all runs
        where(lambda missed, threshold: np.median(missed, axis=2) <= threshold),
        where(lambda missed, threshold: (missed <= threshold).mean(axis=2) * ~np.isnan(missed).any(axis=2) >= 0.5),
        where(lambda missed, threshold: (~(missed > threshold)).mean(axis=2) >= 0.5),
        where(lambda missed, threshold: np.median(np.nan_to_num(missed), axis=2) <= threshold),
        "A run that diverged is one seed that did not find it, of all seeds. `np.nanmedian` leaves it out, one nan "
        "makes all of `np.median` nan, and neither of `nan <= threshold` and `nan > threshold` is True.",
    ),
    (
        where(lambda missed, threshold: (missed >= threshold).mean(axis=2) >= 0.5),
        "You count the runs that miss too much. A run finds the sawtooth if its error is at most the threshold.",
    ),
    (
        where(lambda missed, threshold: (missed <= threshold).mean(axis=2) > 0.5),
        where(median_of_all),
        "Exactly half of the seeds is at least half. (The median of an even number of errors is the mean of the "
        "middle two, which is another question: count.)",
    ),
    (
        lambda given: (by_half(given) * given["pieces"]).max(axis=1).tolist(),
        lambda given: np.append(0, given["pieces"])[by_half(given).sum(axis=1)].tolist(),
        "You count every number of pieces that is found. But the first one that is missed ends the search: count only "
        "those before it.",
    ),
    (
        at_level(lambda found, pieces: found),
        at_level(lambda found, pieces: found - 1),
        at_level(lambda found, pieces: 2**found),
        at_level(lambda found, pieces: np.where(found, 2**found, 0)),
        at_level(lambda found, pieces: pieces[np.maximum(found - 1, 0)]),
        at_level(lambda found, pieces: pieces[np.minimum(found + 1, len(pieces) - 1)]),
        at_level(lambda found, pieces: pieces[1:][found - 1]),
        first_missed,
        "You see how far each architecture comes, but you return something else. Return the last entry of `pieces` "
        "that is found, the entry and not its place: 0 if the first is missed, and the last one if none is.",
    ),
]
GUESSES = [  # that no hint is made for
    *(where(lambda missed, threshold, s=share: (missed <= threshold).mean(axis=2) >= s) for share in SHARES),
    *(where(lambda missed, threshold, f=factor: (missed <= f * threshold).mean(axis=2) >= 0.5) for factor in FACTORS),
    *(where(lambda missed, threshold, i=i: missed[:, :, i] <= threshold) for i in (0, -1)),
    lambda given: np.median(
        np.append(0, given["pieces"])[levels_of(given["missed"] <= given["threshold"])], axis=1
    ).tolist(),
]


def is_for_each(given: Inputs, value: object) -> bool:
    """Return whether there is one number for each architecture."""
    return np.shape(value) == (len(given["missed"]),)


def is_possible(given: Inputs, value: object) -> bool:
    """Return whether there is a number for each architecture, each 0 or one of the numbers of pieces."""
    return is_for_each(given, value) and set(np.asarray(value).tolist()) <= {0, *given["pieces"].tolist()}


def explain_found(given: Inputs, value: object, expected: list[int]) -> str:
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


def plot_found(given: Inputs, value: object) -> tuple[object, str]:
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
        (
            lambda given, value, expected: not is_for_each(given, value) or agrees(value, over_pieces(given)),
            "Return one number for each architecture, from its seeds: the first axis of `missed` has the "
            "architectures, the second the numbers of pieces, the third the seeds.",
        ),
    ],
)
