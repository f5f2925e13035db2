"""Exercise 06.8: the scale of a residual network's branches at which the stream's variance grows as much as wanted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, one_number, same_number

NORMALISED, OTHERS = (1, 2, 3, 6, 12), (2, 3, 4, 6, 12)  # blocks, besides the example and the one that grows much
ROUGH = 0.03  # by this share a coarse search may be off
Grown = Callable[[np.ndarray, float], float]  # from the branches' variances and the scale to the stream's variance


def worked_example() -> Given:
    """Four branches whose variances add up to 5, a quarter of which is 1.25."""
    return case([[1.0, 3.0], [0.5, 0.5]], True, 2.25)


def case(variances: object, normalised: bool, growth: float) -> Given:
    """Return the case of a stream through these branches."""
    return {"variances": np.array(variances, dtype=float), "normalised": normalised, "growth": float(growth)}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return networks of all depths in a random order, with normalised branches and with others."""
    forms = [*((blocks, True) for blocks in NORMALISED), *((blocks, False) for blocks in OTHERS)]
    cases = [
        case(rng.uniform(0.2, 3, (blocks, 2)).round(2), normalised, round(rng.uniform(1.3, 8), 2))
        for blocks, normalised in forms
    ]
    cases.append(grows_much(rng))
    return [cases[i] for i in rng.permutation(len(cases))]


def grows_much(rng: np.random.Generator) -> Given:
    """Return a network whose branches are not normalised, and need a scale larger than 1."""
    return case(rng.uniform(0.2, 0.6, (1, 2)).round(2), False, round(rng.uniform(5, 8), 2))


# --- what comes of which way to let the stream grow ---------------------------------------------------------


def total(variances: np.ndarray, s: float) -> float:
    """Return the stream's variance where each branch adds s² times its own."""
    return 1 + s**2 * variances.sum()


def product(variances: np.ndarray, s: float) -> float:
    """Return the stream's variance where each branch adds in proportion to what the stream has there."""
    return np.prod(1 + s**2 * variances)


def solving(of_normalised: Grown, of_others: Grown, target: Callable[[float], float] = lambda growth: growth) -> Way:
    """Return the way that finds the scale at which the stream's variance is the target."""

    def way(given: Given) -> float:
        grown = of_normalised if given["normalised"] else of_others
        low, high, wanted = 0.0, 1.0, target(given["growth"])
        while grown(given["variances"], high) < wanted:
            high *= 2
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if grown(given["variances"], middle) < wanted else (low, middle)
        return high

    return way


def changed(change: Callable[[np.ndarray], np.ndarray]) -> Way:
    """Return the right way, for other variances."""
    return solving(lambda v, s: total(change(v), s), lambda v, s: product(change(v), s))


right = solving(total, product)


MISTAKES = [
    (lambda given: right(given) ** 2,
     "This is s². The scale multiplies the branch itself, so the branch's variance is multiplied by s²: take the root "
     "at the end."),
    (changed(lambda v: v[:, :1]), changed(lambda v: v[:, 1:]),
     "You count one branch of each block. A block has two, and both of them add to the stream."),
    (changed(lambda v: v.mean(axis=1)), changed(lambda v: np.full(len(v), v.mean())),
     "You count as many branches as there are blocks. A block has two branches, so there are twice as many."),
    (changed(np.mean), solving(lambda v, s: total(v.mean(), s), product),
     "You average the variances: each branch adds its own, so add them up."),
    (solving(total, total),
     "You add up in all cases. Branches that are not normalised grow with the stream: what each adds is a multiple of "
     "what the stream has there."),
    (solving(product, product),
     "You multiply in all cases. A normalised branch does not know how large the stream is, so it adds the same "
     "whatever came before it."),
    (changed(lambda v: np.full(v.shape, v.mean())),
     "You put the mean variance in place of all. A sum does not mind, but a product of different factors does."),
    (solving(total, lambda v, s: product(v.sum(axis=1), s)),
     "You let both branches of a block read the same stream. They act one after the other: the second reads what the "
     "first has added to."),
    (solving(total, lambda v, s: np.exp(s**2 * v.sum())),
     "You replace each factor 1 + s² v by its exponential. That is near where s² v is small, but not the same."),
    (solving(lambda v, s: (1 + s * np.sqrt(v).sum()) ** 2, lambda v, s: np.prod(1 + s * np.sqrt(v)) ** 2),
     "You add standard deviations. Of things that are uncorrelated the variances add up."),
    (solving(total, product, target=lambda growth: growth + 1), solving(lambda v, s: total(v, s) - 1, product),
     "The stream itself counts as well: it begins with the variance 1, and the branches add what is missing up to "
     "`growth`, not all of it."),
    (solving(total, product, target=lambda growth: growth**2),
     "You take `growth` for that of the standard deviation. It is the variance that becomes so many times as large."),
    (lambda given: given["variances"].size ** -0.5, lambda given: len(given["variances"]) ** -0.5,
     "You look at the number of branches, or of blocks, alone. 1/√(2N) is the answer where all branches are "
     "normalised, have the variance 1, and the stream's variance is to double."),
]


def _is_rough(given: Given, value: object, expected: float) -> bool:
    return abs(one_number(value) - expected) <= ROUGH * expected


def explain_growth(given: Given, value: object, expected: float) -> str:
    """Say how large the stream's variance becomes with this scale."""
    if not np.isfinite(one_number(value)):
        return ""
    grown = (total if given["normalised"] else product)(given["variances"], one_number(value))
    return f"With your scale the variance becomes {grown:.4g} times as large; {given['growth']:.4g} times is wanted."


RESIDUAL_SCALE = Exercise(
    id="06.8",
    points=4,
    answer_name="residual_scale",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0.0),
    explain=explain_growth,
    misconceptions=hints_of(MISTAKES, equals, rtol=1e-4),
    remarks=[
        (is_no(is_number),
         "Return one number: the same scale for all branches."),
        (lambda given, value, expected: not one_number(value) > 0,
         "The scale is a positive number: without branches the stream's variance stays what it was."),
        (lambda given, value, expected: expected > 1 and abs(one_number(value) - 1) < FOUR_DIGITS,
         "Here the scale is larger than 1, as it may be: an interval from 0 to 1 does not contain it."),
        (_is_rough,
         "Near, but not to four digits: go on halving the interval in which the scale lies."),
        (lambda given, value, expected: not given["normalised"],
         "Here the branches are not normalised: each adds s² times its own number times the variance that the stream "
         "has where the branch reads it."),
        (lambda given, value, expected: given["normalised"],
         "Here the branches are normalised: each adds s² times its own variance, however large the stream is."),
    ],
)
