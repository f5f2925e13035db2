"""Exercise 05.5: the smallest student that is good enough, and whether the teacher's shape beats one hidden layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rounding import rounded
from utils.exercises.rules import FOUR_DIGITS, has_wrong, hints_of, one_number, returned_by
from utils.lesson_05.student_runs import student_dots

SAME, SHALLOW, UNCLEAR = LABELS = ("same shape", "shallow", "cannot tell")
# how far the same shape is ahead, in standard errors
LEADS = (3.5, -3.5, 3.0, -3.0, 5.0, -5.0, 1.5, -1.5, 1.4, -1.4, 0.4, -0.4, 2.8, -2.8)
CLEAR = 0.1  # no lead is nearer to 2 or to -2
FAR = 1.02  # no two medians are nearer to each other, or to the target, than by this factor
Errors = np.ndarray  # [seeds, students], the last one of the teacher's shape
Statistic = Callable[..., np.ndarray]  # of the seeds


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return experiments with all LEADS, and others with clear leads; the last one's target nobody reaches."""
    further = [*rng.uniform(-1.8, 1.8, 3), *rng.uniform(2.2, 3, 3) * rng.choice([-1, 1], 3)]
    cases = [experiment(rng, lead, rng.choice([0.0, 0.9])) for lead in (*LEADS, *further)]
    cases[-1]["target"] = float(rounded(np.median(cases[-1]["errors"], axis=0).min() / 2))
    return cases


def worked_example() -> Inputs:
    """Return four seeds of three students."""
    errors = [[0.08, 0.01, 0.003], [0.04, 0.02, 0.01], [0.05, 0.03, 0.005], [0.06, 0.016, 0.032]]
    return {"errors": np.array(errors), "parameters": np.array([30, 90, 105]), "target": 0.025}


def experiment(rng: np.random.Generator, lead: float, shared: float) -> Inputs:
    """Return errors of students that were never trained, of which the last leads by so many standard errors.

    ``shared`` says how much of the noise the students of a seed have in common.
    """
    while True:
        seeds, students = int(rng.integers(7, 13)), int(rng.integers(3, 6))
        common, own = rng.normal(0, 0.7, (seeds, 1)), rng.normal(0, 0.7, (seeds, students + 1))
        outliers = 1 + 2 * (rng.random(own.shape) < 0.15)
        logs = np.log(rng.uniform(0.003, 0.03, students + 1)) + shared * common + (1.1 - shared) * own * outliers
        ahead = logs_ahead(np.exp(logs))
        logs[:, -1] += ahead.mean() - lead * standard_error(ahead)
        target = np.exp(np.quantile(np.median(logs, axis=0), rng.uniform(0, 1)) + rng.normal(0, 0.1))
        parameters = 6 * rng.permutation(np.arange(4, 60))[: students + 1]
        given = {"errors": rounded(np.exp(logs)), "parameters": parameters, "target": float(rounded(target))}
        if is_clear(given):
            return given


def is_clear(given: Inputs) -> bool:
    """Return whether no lead is a close call, nor a median, nor which shallow student is best."""
    medians = np.median(given["errors"], axis=0)
    best, second = np.sort(medians[:-1])[:2]
    away = np.abs(np.log(medians / given["target"])).min() > np.log(FAR)
    return bool(away and second > FAR * best and abs(abs(reference(given)[1]) - 2) > CLEAR)


# --- what comes of which way to read it ---------------------------------------------------------------------


def best_shallow(errors: Errors, middle: Statistic = np.median) -> int:
    """Return the place of the shallow student with the least median, or other middle, of its errors."""
    return int(np.argmin(middle(errors[:, :-1], axis=0)))


def logs_ahead(errors: Errors, middle: Statistic = np.median, scale: Callable = np.log) -> np.ndarray:
    """Return for each seed by how much the same shape is ahead of the best shallow student, in logarithms."""
    return scale(errors[:, best_shallow(errors, middle)]) - scale(errors[:, -1])


def standard_error(numbers: np.ndarray, less: int = 1) -> float:
    """Return the standard error of the numbers' mean."""
    return float(numbers.std(ddof=less) / np.sqrt(len(numbers)))


def read(
    of_seeds: Statistic = np.median,
    best_by: Statistic = np.median,
    scale: Callable = np.log,
    unit: Callable[[np.ndarray], float] = standard_error,
    students: Callable[[np.ndarray], np.ndarray] = np.asarray,
    first: Callable = min,
) -> Callable[[Inputs], list]:
    """Return what reads an experiment with another idea of the smallest student, the best one, or the lead."""

    def way(given: Inputs) -> list:
        middles = of_seeds(given["errors"], axis=0)
        enough = students(given["parameters"])[students(middles) <= given["target"]]
        ahead = logs_ahead(given["errors"], best_by, scale)
        lead = float(ahead.mean() / unit(ahead))
        return [int(first(enough, default=0)), lead, SAME if lead > 2 else SHALLOW if lead < -2 else UNCLEAR]

    return way


reference = read()
MISTAKES = [
    (
        read(of_seeds=np.mean),
        read(best_by=np.mean),
        read(of_seeds=np.mean, best_by=np.mean),
        "You choose by the mean over the seeds, but the median is asked for. A single seed that went wrong can "
        "decide a mean.",
    ),
    (
        read(scale=np.asarray),
        "Your lead is about differences of errors, so the seeds with the largest errors decide. Take logarithms first.",
    ),
    (
        read(unit=lambda ahead: ahead.std(ddof=1)),
        read(unit=np.std),
        read(unit=partial(standard_error, less=0)),
        "You do not divide by the standard error. Either your standard deviation divides by n, which is NumPy's "
        "default, and not by n − 1 (`ddof=1`), or you forget that a mean of n differences varies less than one of "
        "them.",
    ),
    (
        read(unit=lambda ahead: -standard_error(ahead)),
        "Your lead has the wrong sign: it should be positive if the teacher's shape has the smaller errors.",
    ),
    (
        read(students=lambda students: students[:-1]),
        read(first=lambda enough, default: [*enough, default][0]),
        "Of all students that are good enough, the teacher's shape among them, return the one with the fewest "
        "parameters. You leave that shape out, or take the first one, but they stand in no order.",
    ),
]


agrees = partial(close, rtol=FOUR_DIGITS, atol=FOUR_DIGITS)
wrong_in = partial(has_wrong, same=agrees)


def explain_student(given: Inputs, value: object, expected: object) -> str:
    """Say what the students' medians are, and the mean and the deviation of the differences."""
    errors, ahead = given["errors"], logs_ahead(given["errors"])
    medians = ", ".join(f"{median:.3g}" for median in np.median(errors, axis=0))
    return (
        f"The students' medians: {medians}; the target: {given['target']:.3g}. The best shallow student is number "
        f"{best_shallow(errors)}, from 0; the {len(ahead)} differences have the mean {ahead.mean():.3g} and the "
        f"standard deviation {ahead.std(ddof=1):.3g}."
    )


def plot_student(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the errors with what was returned, and its words."""
    fewest, number, text = one_number(value[0]), one_number(value[1]), value[2]
    figure, words = student_dots(given["errors"], given["parameters"])
    figure.axes[0].axhline(given["target"], color="black", linestyle=":")
    figure.axes[0].set_title(f'your function: {fewest:g}, {number:.3g}, "{text}"; dotted: the target')
    return figure, f'{words} Your function returns {fewest:g}, {number:.3g} and "{text}".'


STUDENT = Exercise(
    id="05.5",
    points=4,
    answer_name="best_student",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    explain=explain_student,
    plot=plot_student,
    misconceptions=hints_of(MISTAKES, returned_by, same=agrees),
    remarks=[
        (
            wrong_in(2),
            "The two numbers are right, but the verdict is not. Compare the lead with 2 and with −2, and see whom a "
            "positive one favours.",
        ),
        (
            lambda *about: wrong_in(1)(*about) or wrong_in(1, 2)(*about),
            "The number of parameters is right, but the lead is not. Is it over a single student with one hidden "
            "layer, in all seeds the one with the smallest median? Work out the example's differences of logarithms,"
            " and their mean.",
        ),
        (
            wrong_in(0),
            "Lead and verdict are right, but the number of parameters is not. Take the median of each column in the "
            "example, and see which are at most the target. Of these return the fewest parameters, not the place; "
            "return 0 if there are none.",
        ),
    ],
)
