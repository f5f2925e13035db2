"""Exercise 06.8: the scale of a residual network's branches at which the stream's variance grows as much as wanted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, one_number, same_number

NEAR = 0.03  # by this share a search may be off that stops too early
NORMALISED, OTHERS = (1, 2, 3, 6, 12), (2, 3, 4, 6, 12)  # blocks, besides the example and the one that grows much
Grown = Callable[[np.ndarray, float], float]  # from the branches' variances and the scale to the stream's variance


def worked_example() -> Inputs:
    """Return four branches whose variances add up to 5, a quarter of which is 1.25."""
    return case([[1.0, 3.0], [0.5, 0.5]], True, 2.25)


def case(variances: object, normalised: bool, growth: float) -> Inputs:
    """Return the case of a stream through these branches."""
    return {"variances": np.array(variances, dtype=float), "normalised": normalised, "growth": float(growth)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return networks of all depths in a random order, with normalised branches and with others.

    The last one drawn has small branches, and needs a scale larger than 1.
    """
    forms = [*((blocks, True) for blocks in NORMALISED), *((blocks, False) for blocks in OTHERS)]
    cases = [
        case(rng.uniform(0.2, 3, (blocks, 2)).round(2), normalised, round(rng.uniform(1.3, 8), 2))
        for blocks, normalised in forms
    ]
    cases.append(case(rng.uniform(0.2, 0.6, (1, 2)).round(2), False, round(rng.uniform(5, 8), 2)))
    return [cases[i] for i in rng.permutation(len(cases))]


# --- what comes of which way to let the stream grow ---------------------------------------------------------


def total(variances: np.ndarray, s: float) -> float:
    """Return the stream's variance where each branch adds s² times its own."""
    return 1 + s**2 * variances.sum()


def product(variances: np.ndarray, s: float) -> float:
    """Return the stream's variance where each branch adds in proportion to what the stream has there."""
    return np.prod(1 + s**2 * variances)


def solving(of_normalised: Grown, of_others: Grown) -> Solver:
    """Return the way that finds the scale at which the stream's variance is ``growth``."""

    def way(given: Inputs) -> float:
        grown = of_normalised if given["normalised"] else of_others
        low, high = 0.0, 1.0
        while grown(given["variances"], high) < given["growth"]:
            high *= 2
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if grown(given["variances"], middle) < given["growth"] else (low, middle)
        return high

    return way


def changed(change: Callable[[np.ndarray], np.ndarray]) -> Solver:
    """Return the right way, for other variances."""
    return solving(lambda v, s: total(change(v), s), lambda v, s: product(change(v), s))


reference = solving(total, product)
MISTAKES = [
    (
        lambda given: reference(given) ** 2,
        "This is s². The scale multiplies the branch itself, so the branch's variance is multiplied by s²: take "
        "the root at the end.",
    ),
    (
        changed(lambda v: v[:, :1]),
        changed(lambda v: v[:, 1:]),
        "You count one branch of each block. A block has two, and both of them add to the stream.",
    ),
    (
        changed(np.mean),
        solving(lambda v, s: total(v.mean(), s), product),
        changed(np.ones_like),
        solving(*[lambda v, s: total(np.ones_like(v), s)] * 2),
        lambda given: given["variances"].size ** -0.5,
        "You average the variances of the branches, or take all of them for 1. But each branch adds its own.",
    ),
    (
        solving(total, total),
        solving(product, product),
        solving(product, total),
        "You mix up the two kinds of networks, or treat them alike. A normalised branch adds the same however large "
        "the stream is; one that is not normalised adds a multiple of what the stream has there.",
    ),
    (
        solving(total, lambda v, s: product(v.sum(axis=1), s)),
        "You let both branches of a block read the same stream. They act one after the other: the second reads the "
        "stream to which the first has added.",
    ),
    (
        lambda given: reference({**given, "growth": given["growth"] + 1}),
        solving(lambda v, s: total(v, s) - 1, product),
        solving(total, lambda v, s: product(v, s) - 1),
        solving(total, lambda v, s: np.prod(s**2 * v)),
        "You leave out the stream itself. It begins with the variance 1, so the branches add only what is missing up "
        "to `growth`.",
    ),
]


def explain_growth(given: Inputs, value: object, expected: float) -> str:
    """Say how large the stream's variance becomes with this scale."""
    if not np.isfinite(one_number(value)):
        return ""
    grown = (total if given["normalised"] else product)(given["variances"], one_number(value))
    return f"With your scale the variance becomes {grown:.4g} times as large; {given['growth']:.4g} times is wanted."


RESIDUAL_SCALE = Exercise(
    id="06.8",
    points=4,
    answer_name="residual_scale",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0.0),
    explain=explain_growth,
    misconceptions=hints_of(MISTAKES, equals, rtol=1e-4),
    remarks=[
        (
            lambda given, value, expected: 0 < abs(one_number(value) / expected - 1) < NEAR,
            "Near, but not to four digits. If you search, go on: each halving gives one more binary digit, and a grid "
            "is no finer than its step. If you do not search, your formula is an approximation.",
        ),
        (
            lambda given, value, expected: expected > 1 and abs(one_number(value) - 1) < FOUR_DIGITS,
            "Here the scale is larger than 1, as it may be: an interval from 0 to 1 does not contain it.",
        ),
    ],
)
