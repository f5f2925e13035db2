"""Exercise 01.7: an experiment over learning rates, read honestly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import draw_until
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.lesson_01.rate_sweep import accuracy_dots

RATES = (0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
SIZES = ((6, 10), (6, 10), (8, 6), (7, 7), (6, 11))  # rates and seeds of the drawn cases
GAP = 0.002  # that separates the best from the second, by whatever one chooses
PARTS = ("training", "validation", "held_out")

Scores = Callable[[Inputs], np.ndarray]


def _sweep_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield (
        {
            "rates": np.array([0.01, 0.001, 0.1]),
            "training": np.array([[0.93, 0.94, 0.92, 0.66], [0.90, 0.91, 0.90, 0.89], [1.00, 0.99, 0.98, 0.97]]),
            "validation": np.array([[0.90, 0.88, 0.86, 0.60], [0.85, 0.84, 0.86, 0.85], [0.70, 0.93, 0.72, 0.74]]),
            "held_out": np.array([[0.86, 0.85, 0.84, 0.61], [0.87, 0.86, 0.89, 0.82], [0.71, 0.90, 0.73, 0.70]]),
        },
        None,
    )
    for n_rates, n_seeds in SIZES:
        yield draw_until(is_telling, invented, rng, n_rates, n_seeds), None


def invented(rng: np.random.Generator, n_rates: int, n_seeds: int) -> Inputs:
    """Return accuracies of networks that were never trained: six of the rates each look best in a way of their own."""
    best, steady, lucky, torn, memorised, peeked, *_ = rng.permutation(n_rates)
    level = rng.uniform(0.85, 0.9) - rng.uniform(0.03, 0.08, n_rates)
    level[[best, steady, peeked]] = level.max() + np.array([0.02, 0.005, 0.0])
    network = level[:, None] + 0.006 * rng.normal(size=(n_rates, n_seeds))
    some, seeds = (n_seeds - 1) // 2, rng.permutation(n_seeds)
    network[best, seeds[:some]] = rng.uniform(0.5, 0.7, some)  # less than half of the seeds: the median stays
    network[torn, seeds[some : 2 * some]] += 0.09
    network[lucky, seeds[-1]] += 0.12
    network[[steady, peeked], seeds[:2]] -= 0.05
    memory = rng.uniform(0.01, 0.03, (n_rates, 1))
    memory[memorised] += 0.09
    luck = 0.003 * rng.normal(size=n_rates)
    luck[[best, peeked]] += (-0.015, 0.02)
    held_out = network + luck[:, None] + 0.004 * rng.normal(size=network.shape)
    accuracies = {"training": network + memory, "validation": network, "held_out": held_out}
    return {"rates": rng.permutation(RATES)[:n_rates], **{part: accuracies[part].clip(0, 1).round(3) for part in PARTS}}


def scores(statistic: Callable, part: str, axis: int = 1) -> Scores:
    """Return what makes a statistic of a part's accuracies over the seeds, one for each rate; axis 0 is the other."""
    return lambda given: statistic(given[part], axis=axis)


medians = partial(scores, np.median)


def votes(given: Inputs) -> np.ndarray:
    """Return for how many seeds each rate has the highest validation accuracy."""
    return np.bincount(given["validation"].argmax(axis=0), minlength=len(given["rates"]))


def reading(chosen_by: Scores, report: Scores | None = None) -> Solver:
    """Return what reads an experiment by these scores: the rate with the highest, and what is reported there.

    That is the median held-out accuracy, or another one of its row by ``report``.
    """

    def read(given: Inputs) -> list[float]:
        chosen = chosen_by(given).argmax()
        return [given["rates"][chosen], (report or medians("held_out"))(given)[chosen]]

    return read


MISTAKES = [
    # First, since it stops where there are more seeds than rates: what is left may look like another mistake.
    (
        reading(medians("validation", axis=0)),
        reading(medians("validation", axis=0), medians("held_out", axis=0)),
        "These medians go over the rates, and there is one for each seed. A row belongs to a rate, so take the "
        "median of each row.",
    ),
    (
        reading(medians("held_out")),
        reading(medians("training")),
        reading(medians("training"), medians("training")),
        "The validation accuracies have to choose. Training accuracies are highest where most is memorised, and "
        "held-out accuracies look better than they are if they choose: what chooses must not report.",
    ),
    (
        reading(medians("validation"), medians("validation")),
        "The rate is right, but the number is its validation accuracy. This was chosen for being the highest, so "
        "it flatters. Report the points that had no say.",
    ),
    (
        reading(scores(np.mean, "validation"), scores(np.mean, "held_out")),
        reading(scores(np.mean, "validation")),
        reading(medians("validation"), scores(np.mean, "held_out")),
        reading(scores(np.max, "validation")),
        reading(scores(np.max, "validation"), scores(np.max, "held_out")),
        "There is a mean or a maximum where the median is asked for. A few seeds that fail pull a mean down, and "
        "a single lucky network makes a maximum: take medians.",
    ),
]


def is_telling(given: Inputs) -> bool:
    """Return whether every usual way to choose leads to another rate, and none hangs on a tie."""
    ways = [*map(medians, PARTS), scores(np.mean, "validation"), scores(np.max, "validation"), votes]
    found = [way(given) for way in ways]
    clear = all(np.diff(np.sort(numbers))[-1] >= GAP for numbers in found)
    return clear and len({numbers.argmax() for numbers in found}) == len(ways)


def is_tried(given: Inputs, value: object) -> bool:
    """Return whether the first of two numbers is one of the rates."""
    rate, _ = value
    return any(close(rate, tried) for tried in given["rates"])


def is_rounded(given: Inputs, value: object, expected: list[float]) -> bool:
    """Return whether the number is the right one rounded, in per cent, or one of the middle two."""
    row, right = np.sort(given["held_out"][np.isclose(given["rates"], expected[0], atol=0).argmax()]), expected[1]
    near = [round(value[1], digits) for digits in range(4) if abs(value[1] - right) < 0.501 * 10.0**-digits]
    forms = [100 * right, *near, *row[[(len(row) - 1) // 2, len(row) // 2]]]
    return bool(close(value[0], expected[0])) and any(close(value[1], form) for form in forms)


def explain_reading(given: Inputs, value: object, expected: list[float]) -> str:
    """Say what the experiment found at the rate that was chosen."""
    if not is_tried(given, value):
        return ""
    row = np.isclose(given["rates"], value[0], atol=0).argmax()
    found = ", ".join(f"{part.replace('_', '-')} {medians(part)(given)[row]:.4g}" for part in PARTS)
    return f"At your rate, {given['rates'][row]:g}, the medians over the seeds are: {found}."


def plot_reading(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the experiment with the rate and the number that were returned, and its words."""
    rate, number = (float(part) for part in value)
    figure, words = accuracy_dots(**given)
    for ax in figure.axes:
        ax.axvline(rate, color="black", linestyle=":")
    figure.axes[-1].axhline(number, color="black", linestyle="--")
    figure.suptitle(f"your rate: {rate:g}, your number: {number:.3g}")
    return figure, f"{words} Your function chooses the rate {rate:g} and reports {number:.3g}."


READ_SWEEP = Exercise(
    id="01.7",
    points=3,
    answer_name="read_sweep",
    cases=_sweep_cases,
    verify=lambda given, hidden, value, expected: close(value, expected),
    wanted=lambda given, expected: (
        "the rate with the highest median validation accuracy, and the median held-out accuracy there"
    ),
    explain=explain_reading,
    plot=plot_reading,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            lambda given, value, expected: value is not None and not (np.size(value) == 2 and is_tried(given, value)),
            "Return two numbers: first one of the rates that were tried (the rate itself, not its place), then the "
            "number to report.",
        ),
        (
            is_rounded,
            "The rate is right, and the number nearly: return a share between 0 and 1 with all its digits, and for "
            "an even number of values the mean of the middle two.",
        ),
        (
            lambda given, value, expected: close(value[0], expected[0]),
            "The rate is right, but the number is not. Report the median over the seeds of the held-out accuracies "
            "at this rate: the median of one row of `held_out`, not of all of it, and not the best of them.",
        ),
        (
            lambda given, value, expected: close(value[1], expected[1]),
            "The number is right, but the rate is not: row i belongs to `rates[i]`, and the rates come in no order.",
        ),
    ],
)
