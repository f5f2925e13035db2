"""Exercise 05.5: the smallest student that is good enough, and whether the teacher's shape beats one hidden layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rounding import rounded
from utils.exercises.rules import (
    FOUR_DIGITS,
    Way,
    has_wrong,
    hints_of,
    is_no,
    is_number,
    is_whole,
    one_number,
    returned_by,
)
from utils.lesson_05.student_runs import student_dots

SAME, SHALLOW, UNCLEAR = VERDICTS = ("same shape", "shallow", "cannot tell")
LEADS = (  # how far the same shape is ahead, in standard errors, and how much of the noise the students share
    (3.5, 0.9), (-3.5, 0.9), (3.0, 0.8), (-3.0, 0.8), (5.0, 0.0), (-5.0, 0.3), (1.5, 0.0), (-1.5, 0.9), (1.4, 0.9),
    (-1.4, 0.0), (0.4, 0.9), (-0.4, 0.5), (2.8, 0.9), (-2.8, 0.9),
)
FURTHER = 6  # experiments that are drawn without a lead being asked for
CLEAR = 0.1  # no lead is nearer to 2 or to -2
FAR = 1.02  # no error is nearer to the target than by this factor
Errors = np.ndarray  # [seeds, students], the last one of the teacher's shape


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return experiments with all LEADS, and others with leads at random."""
    leads = [experiment(rng, *lead) for lead in LEADS]
    return leads + [experiment(rng, rng.uniform(-3, 3), rng.choice([0.0, 0.9])) for _ in range(FURTHER)]


def worked_example() -> Given:
    """Four seeds of three students."""
    errors = [[0.08, 0.01, 0.003], [0.04, 0.02, 0.01], [0.05, 0.03, 0.005], [0.06, 0.016, 0.032]]
    return {"errors": np.array(errors), "parameters": np.array([30, 90, 105]), "target": 0.025}


def experiment(rng: np.random.Generator, lead: float, shared: float) -> Given:
    """Return errors of students that were never trained, of which the last leads by so many standard errors."""
    while True:
        seeds, students = int(rng.integers(7, 13)), int(rng.integers(3, 6))
        common, own = rng.normal(0, 0.7, (seeds, 1)), rng.normal(0, 0.7, (seeds, students + 1))
        outliers = 1 + 2 * (rng.random(own.shape) < 0.15)
        logs = np.log(rng.uniform(0.003, 0.03, students + 1)) + shared * common + (1.1 - shared) * own * outliers
        best = np.argmin(np.median(logs[:, :-1], axis=0))
        ahead = logs[:, best] - logs[:, -1]
        logs[:, -1] += ahead.mean() - lead * _deviation(ahead) / np.sqrt(seeds)
        target = np.exp(np.quantile(np.median(logs, axis=0), rng.uniform(0, 1)) + rng.normal(0, 0.1))
        parameters = 6 * rng.permutation(np.arange(4, 60))[: students + 1]
        given = {"errors": rounded(np.exp(logs)), "parameters": parameters, "target": float(rounded(target))}
        if is_clear(given):
            return given


def _deviation(numbers: np.ndarray, less: int = 1) -> float:
    return float(numbers.std(ddof=less))


def is_clear(given: Given) -> bool:
    """Return whether no lead is a close call, nor a median, nor which shallow student is best."""
    errors = given["errors"]
    ratios = errors / given["target"]
    medians = np.sort(np.median(errors[:, :-1], axis=0))
    return (
        not ((ratios < FAR) & (ratios > 1 / FAR)).any()
        and not ((np.median(ratios, axis=0) < FAR) & (np.median(ratios, axis=0) > 1 / FAR)).any()
        and medians[1] > FAR * medians[0]
        and abs(abs(lead(errors)) - 2) > CLEAR
    )


# --- what comes of which way to read it ---------------------------------------------------------------------


def _best_shallow(errors: Errors) -> int:
    return int(np.argmin(np.median(errors[:, :-1], axis=0)))


def logs_ahead(errors: Errors) -> np.ndarray:
    """Return for each seed by how much the same shape is ahead of the best shallow student, in logarithms."""
    return np.log(errors[:, _best_shallow(errors)]) - np.log(errors[:, -1])


def lead(errors: Errors, ahead: Callable[[Errors], np.ndarray] = logs_ahead, less: int = 1) -> float:
    """Return the mean of such differences in units of its standard error."""
    differences = ahead(errors)
    return float(differences.mean() / (_deviation(differences, less) / np.sqrt(len(differences))))


def _paired_test_verdict(number: float, margin: float = 2.0) -> str:
    if not abs(number) > margin:
        return UNCLEAR
    return SAME if number > 0 else SHALLOW


def smallest(
    errors: Errors, parameters: np.ndarray, target: float, of_seeds: Callable = np.median, choose: Callable = min
) -> int:
    """Return the fewest parameters of the students that reach the target, 0 where none does."""
    reached = of_seeds(errors, axis=0) <= target
    return int(choose(parameters[reached])) if reached.any() else 0


def read(
    fewest: Callable[..., float] = smallest, leads: Callable[[Errors], float] = lead,
    judge: Callable[[float], str] = _paired_test_verdict,
) -> Way:
    """Return what reads an experiment with another idea of the smallest student, of the lead or of the verdict."""

    def way(given: Given) -> list:
        with np.errstate(invalid="ignore"):  # a student may be compared with itself
            number = float(leads(given["errors"]))
        return [fewest(**given), number, judge(number)]

    return way


right = read()


def _of_seeds(statistic: Callable) -> Callable[..., int]:
    return lambda errors, parameters, target: smallest(errors, parameters, target, statistic)


def _with_least_error(errors: Errors, parameters: np.ndarray, target: float) -> int:
    medians = np.median(errors, axis=0)
    return int(parameters[np.argmin(medians)]) if medians.min() <= target else 0


def _unpaired(errors: Errors) -> float:
    one, other = np.log(errors[:, _best_shallow(errors)]), np.log(errors[:, -1])
    return (one.mean() - other.mean()) / np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / len(errors))


def over(errors_of: Callable[[Errors], Errors]) -> Callable[[Errors], float]:
    """Return the lead over other errors of shallow students [seeds] than those of the best one."""
    return lambda errors: lead(errors, lambda errors: np.log(errors_of(errors)) - np.log(errors[:, -1]))


over_best_mean = over(lambda errors: errors[:, errors[:, :-1].mean(axis=0).argmin()])


def over_largest(given: Given) -> list:
    """Return what comes of taking the largest shallow student for the best."""
    largest = np.argmax(given["parameters"][:-1])
    return read(leads=over(lambda errors: errors[:, largest]))(given)


MISTAKES = [
    (read(_of_seeds(np.mean)), read(leads=over_best_mean), read(_of_seeds(np.mean), over_best_mean),
     "You choose by the mean over the seeds: the median is asked for. One seed that went wrong can carry a mean."),
    (read(_of_seeds(np.min)),
     "A student is good enough here if its best seed is: that is luck. Take the median over the seeds."),
    (read(_of_seeds(np.max)),
     "A student is good enough here only if all of its seeds are. Take the median over the seeds."),
    (read(_of_seeds(lambda errors, axis: errors[0])),
     "The first seed alone says here which student is good enough. Take the median over the seeds."),
    (read(lambda errors, parameters, target: smallest(errors, parameters, target, choose=max)),
     "This is the largest student that reaches the target: the smallest is asked for."),
    (read(_with_least_error),
     read(lambda errors, parameters, target: int(parameters[np.argmin(np.median(errors, axis=0))])),
     "This is the student with the smallest error. A smaller one may reach the target as well, and if none does "
     "the answer is 0."),
    (read(lambda errors, parameters, target: smallest(errors, parameters, target, choose=lambda found: found[0])),
     "This is the first student in the list that reaches the target: the list is not sorted by size."),
    (read(lambda errors, parameters, target: smallest(errors[:, :-1], parameters[:-1], target)),
     "You look for the smallest among the shallow students alone: the last one, of the teacher's shape, counts, "
     "too."),
    (read(lambda errors, parameters, target: int(np.argmax(parameters == smallest(errors, parameters, target)))),
     read(lambda errors, parameters, target: int(np.argmax(np.median(errors, axis=0) <= target))),
     "This is the student's place in the list: return its number of parameters."),
    (read(leads=lambda errors: lead(errors, lambda errors: errors[:, _best_shallow(errors)] - errors[:, -1])),
     "Your lead is about differences of errors, in which the seeds with the largest errors decide. Take logarithms "
     "first."),
    (read(leads=over(lambda errors: errors[:, :-1].min(axis=1))),
     "You compare with the shallow student that is best for this very seed, so that luck chooses anew each time. "
     "One student is meant, the one with the smallest median."),
    (read(leads=over(lambda errors: errors[:, -2])), read(leads=over(lambda errors: errors[:, 0])),
     read(leads=over(lambda errors: np.exp(np.log(errors[:, :-1]).mean(axis=1)))),
     "Your lead is over another shallow student, or over the mean of all: the one with the smallest median error "
     "is to be compared."),
    (over_largest,
     "You take the largest shallow student for the best. The best one is that with the smallest median error, "
     "whatever its size."),
    (read(leads=over(lambda errors: errors[:, np.median(errors, axis=0).argmin()])),
     "Your best student may be the one of the teacher's shape, and is then compared with itself. Choose among the "
     "shallow ones, all but the last."),
    (read(leads=_unpaired),
     "Your standard error is that of two separate groups. Subtract seed by seed first: what a seed does to both "
     "students cancels."),
    (read(leads=lambda errors: logs_ahead(errors).mean() / _deviation(logs_ahead(errors))),
     "You divide by the standard deviation of the differences. The mean of n of them varies less: its standard "
     "error is the deviation divided by √n."),
    (read(leads=lambda errors: logs_ahead(errors).mean()),
     "This is the mean of the differences: divide it by its standard error."),
    (read(leads=lambda errors: lead(errors, less=0)),
     "Your standard deviation divides by n, NumPy's default: n − 1 is asked for, `ddof=1`."),
    (read(leads=lambda errors: np.sign(logs_ahead(errors)).sum() / np.sqrt(len(errors))),
     "You count the seeds that are ahead. This lead is about how far they are ahead: the mean of the differences, "
     "over its standard error."),
    (read(leads=lambda errors: -lead(errors)), read(judge=lambda number: _paired_test_verdict(-number)),
     'The wrong way round: the lead is positive, and the verdict "same shape", where the same shape has the '
     "smaller errors."),
    (read(judge=lambda number: _paired_test_verdict(number, 0.0)),
     "Here whoever is ahead wins, however small the lead: it has to be larger than 2."),
    (read(judge=lambda number: SAME if number > 2 else UNCLEAR),
     read(judge=lambda number: SAME if number > 2 else SHALLOW),
     'There are three verdicts: a clear lead either way has a name, and all the rest is "cannot tell".'),
]
NESTED = [  # wrong only where one of those above is, and right more often
    (read(judge=lambda number: _paired_test_verdict(number, 1.0)),
     "Your margin is one standard error, which chance exceeds in about one of three experiments: two are asked "
     "for."),
]
GUESSES = [  # that no hint is made for
    *(read(_of_seeds(partial(np.quantile, q=share))) for share in (0.25, 0.75)),
    read(leads=lambda errors: lead(errors, lambda errors: errors[:, _best_shallow(errors)] / errors[:, -1])),
    read(judge=lambda number: _paired_test_verdict(number, 4.0)),
    read(judge=lambda number: UNCLEAR),
    read(judge=lambda number: SAME),
]


def is_triple(value: object) -> bool:
    """Return whether the value is a whole number, a number and one of the three texts."""
    if not (isinstance(value, list) and len(value) == 3 and is_number(value[0]) and is_number(value[1])):
        return False
    return is_whole(value[0]) and value[2] in VERDICTS


def without_nan(triple: list) -> list:
    """Return the triple with 0 for nan, which agrees with nothing."""
    return [0.0 if part != part else part for part in triple]


agrees = partial(close, rtol=FOUR_DIGITS, atol=FOUR_DIGITS)
wrong_in = partial(has_wrong, same=agrees)


def explain_student(given: Given, value: object, expected: object) -> str:
    """Say what the students' medians are, and the mean and the deviation of the differences."""
    errors, ahead = given["errors"], logs_ahead(given["errors"])
    medians = ", ".join(f"{median:.3g}" for median in np.median(errors, axis=0))
    return (
        f"The students' medians: {medians}; the target: {given['target']:.3g}. The best shallow student is number "
        f"{_best_shallow(errors)}, from 0; the {len(ahead)} differences have the mean {ahead.mean():.3g} and the "
        f"standard deviation {_deviation(ahead):.3g}."
    )


def plot_student(given: Given, value: object) -> tuple[object, str]:
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
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES, GUESSES),
    verify=lambda given, hidden, value, expected: agrees(value, expected),
    explain=explain_student,
    plot=plot_student,
    misconceptions=hints_of(
        [*MISTAKES, *NESTED], returned_by, same=lambda one, other: agrees(without_nan(one), without_nan(other))
    ),
    remarks=[
        (is_no(is_triple),
         "Return three things: a whole number, a number, and one of the texts \"same shape\", \"shallow\" and "
         '"cannot tell".'),
        (wrong_in(2),
         "The two numbers are right, the verdict is not: compare the lead with 2 and with −2."),
        (lambda *about: wrong_in(1)(*about) or wrong_in(1, 2)(*about),
         "The number of parameters is right, the lead is not: work out the differences of the logarithms in the "
         "example, their mean and its standard error."),
        (wrong_in(0),
         "Lead and verdict are right, the number of parameters is not: take the median of each column in the example, "
         "and see which of them are at most the target."),
    ],
)
