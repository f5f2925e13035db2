"""Exercise 03.3: from which stage on the classes are linearly separated, read from an experiment over seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.lesson_03.probe_runs import probe_lines

SIZES = ((4, 9, 6), (3, 8, 5), (4, 11, 7), (3, 7, 6), (4, 10, 5), (3, 6, 7), (4, 12, 5))  # networks, seeds, stages
LEVELS = (0.9, 0.9, 0.95, 0.98)
NEVER = -1

agrees = partial(close, rtol=0.0, atol=1e-6)  # as numbers of stages


def separated_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(
        lambda: [worked_example(), *(invented(rng, *size) for size in SIZES)], reference, MISTAKES
    )


def worked_example() -> Inputs:
    """Return two tasks; in the second the median rises above the level, falls again, and one run diverged."""
    nan = float("nan")
    return {
        "accuracies": np.array(
            [
                [[0.52, 0.90, 0.97, 0.99], [0.55, 0.98, 0.99, 0.98], [0.50, 0.62, 0.93, 0.97]],
                [[0.61, 0.97, 0.90, 0.96], [0.60, 0.96, 0.91, 0.99], [nan, nan, nan, nan]],
            ]
        ),
        "level": 0.95,
    }


def invented(rng: np.random.Generator, tasks: int, seeds: int, stages: int) -> Inputs:
    """Return accuracies of probes of networks that were never trained: each task misleads in its own way."""
    level = float(rng.choice(LEVELS))
    return {"accuracies": np.array([of_task(rng, seeds, stages, level) for _ in range(tasks)]), "level": level}


def of_task(rng: np.random.Generator, seeds: int, stages: int, level: float) -> np.ndarray:
    """Return accuracies [seeds, stages] of one task, of which a few runs diverged."""
    diverged = int(rng.choice([0, 1, 1, (seeds - 1) // 3]))
    columns = [of_stage(rng, seeds - diverged, seeds, level, above) for above in pattern(rng, stages)]
    lost = np.full((diverged, stages), np.nan)
    return rng.permutation(np.concatenate([np.stack(columns, axis=1), lost]))


def pattern(rng: np.random.Generator, stages: int) -> list[bool]:
    """Return at which stages the median is above the level: from some stage on, and perhaps before that."""
    first = int(rng.choice([*range(stages), stages, stages]))
    return [i >= first or (i < first - 1 and rng.random() < 0.5) for i in range(stages)]


def of_stage(rng: np.random.Generator, left: int, seeds: int, level: float, above: bool) -> np.ndarray:
    """Return accuracies of the runs that did not diverge: more than half of all seeds are above the level, or not."""
    most_below, least_above = (seeds - 1) // 2, seeds // 2 + 1
    counts = (least_above, left - 1, left - 1, left) if above else (0, 1, 1, most_below, most_below)
    count = min(max(int(rng.choice(counts)), least_above if above else 0), left)
    low = rng.choice([0.5, level - 0.06])
    high = rng.uniform(level + 0.006, min(1.0, level + 0.06), count)
    return rng.permutation(np.concatenate([high, rng.uniform(low, level - 0.006, left - count)])).round(3)


# --- what comes of which way to read it ---------------------------------------------------------------------


def by(center: Callable[..., np.ndarray]) -> Solver:
    """Return the way to read an experiment that takes ``center`` of the accuracies, over the seeds, for the median."""
    return lambda given: staying(center(given["accuracies"], axis=1) >= given["level"]).tolist()


def staying(above: np.ndarray) -> np.ndarray:
    """Return the first place along the last axis from which all are true, NEVER where the last is not."""
    kept = np.cumprod(above[..., ::-1], axis=-1).sum(axis=-1)
    return np.where(kept, above.shape[-1] - kept, NEVER)


def medians(accuracies: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return the medians over all seeds, [tasks, stages]: a run that diverged is right about nothing."""
    return np.median(np.nan_to_num(accuracies), axis=axis)


reference = by(medians)


def then(change: Callable[[np.ndarray, int], np.ndarray]) -> Solver:
    """Return what becomes of the right stages, [tasks], and the number of stages."""
    return lambda given: change(np.array(reference(given)), given["accuracies"].shape[2]).tolist()


def first_above(given: Inputs, never: int = NEVER, more: int = 0) -> list[int]:
    """Return the first stage above the level, wherever it goes from there, or after that many more stages."""
    above = medians(given["accuracies"]) >= given["level"]
    above = above[:, : above.shape[1] - more] & above[:, more:]
    return np.where(above.any(axis=1), above.argmax(axis=1), never).tolist()


def seed_by_seed(given: Inputs, never: int = NEVER) -> list[float]:
    """Return the median over the seeds of each one's own stage."""
    own = staying(given["accuracies"] >= given["level"])
    return np.median(np.where(own == NEVER, never, own), axis=1).tolist()


MISTAKES = [
    (
        first_above,
        lambda given: first_above(given, never=0),
        lambda given: first_above(given, more=1),
        "This is the first stage above the level, but the median falls below it again later: it has to stay.",
    ),
    (
        by(np.mean),
        by(np.nanmean),
        by(lambda accuracies, axis: np.nan_to_num(accuracies).mean(axis)),
        by(np.min),
        by(np.nanmin),
        "The mean decides here, or the worst seed, and a few seeds that fail pull it down: the median is asked for.",
    ),
    (
        by(np.nanmedian),
        by(np.median),
        "The runs that diverged are left out here (`np.nanmedian` does that), or one of them spoils all the others: a "
        "median with a nan among its numbers is nan, and no comparison with nan is True. Their accuracy counts as 0.",
    ),
    (
        seed_by_seed,
        lambda given: seed_by_seed(given, never=given["accuracies"].shape[2]),
        lambda given: [int(stage) for stage in seed_by_seed(given)],
        "You follow each seed by itself and take the median of its stages. Take the median of the accuracies first, "
        "stage by stage.",
    ),
    (
        then(lambda stage, stages: np.where(stage == NEVER, NEVER, stage + 1)),
        then(lambda stage, stages: stage + 1),
        then(lambda stage, stages: np.where(stage > 0, stage - 1, stage)),
        "Your stages are one off: they are counted from 0, which is the data themselves, and it is the first one at or "
        "above the level that is wanted, not the last one below it.",
    ),
    (
        then(lambda stage, stages: np.where(stage == NEVER, stages - 1, stage)),
        then(lambda stage, stages: np.where(stage == NEVER, stages, stage)),
        then(lambda stage, stages: np.maximum(stage, 0)),
        "Where the median is below the level at the last stage, −1 is wanted. (`argmax` of nothing but False is 0.)",
    ),
    (
        *(
            lambda given, axis=axis: staying(medians(given["accuracies"], axis) >= given["level"]).tolist()
            for axis in (0, 2)
        ),
        "Your median runs over the tasks, or over the stages. The seeds are axis 1 of `accuracies`, axis 0 of one "
        "task.",
    ),
]


def explain_separated(given: Inputs, value: object, expected: list[int]) -> str:
    """Say what the medians are in the first task that the value is wrong about."""
    place = next(i for i, stage in enumerate(value) if stage != expected[i])
    numbers = ", ".join(f"{median:.3g}" for median in medians(given["accuracies"])[place])
    return (
        f"Task {place}: the medians over all seeds are {numbers}, stage by stage, and the level is {given['level']:g}."
    )


def plot_separated(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the experiment with the stages that were returned, and its words."""
    stages = [f"{float(stage):g}" for stage in value]
    names = [f"task {i}: {'never' if stage == '-1' else f'from stage {stage} on'}" for i, stage in enumerate(stages)]
    figure, words = probe_lines(**given, names=names)
    return figure, f"{words} Your function returns {', '.join(stages)}."


SEPARATED = Exercise(
    id="03.3",
    points=3,
    answer_name="separated_from",
    cases=separated_cases,
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    explain=explain_separated,
    plot=plot_separated,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (
            lambda given, value, expected: (
                value is not None and (np.shape(value) != (len(given["accuracies"]),) or None in value)
            ),
            "Return a list with one whole number for each task, when the loop over the tasks is through: −1, not None, "
            "where the median is below the level at the last stage.",
        ),
    ],
)
