"""Exercise 01.3: how many hinges an error bound asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Rule, Solver, equals, hints_of, is_whole, one_number, same_whole_number

# What there is beyond a whole number. Never so little that rounding in another order of operations changes the result.
SHARES = (0.02, 0.2, 0.4, 0.5, 0.8, 0.98)


def _certified_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield {"max_curvature": 1.0, "low": 0.0, "high": 4.0, "tolerance": 0.125}, None
    yield {"max_curvature": 4.0, "low": -1.0, "high": 2.0, "tolerance": 0.125}, None
    yield {"max_curvature": 0.0, "low": -1.0, "high": 1.0, "tolerance": 0.01}, None
    for low, high in ((-1.0, 3.5), (-1.0, 1.5), (0.5, 8.0)):  # four and a half, two and a half, seven and a half
        yield {"max_curvature": 1.0, "low": low, "high": high, "tolerance": 0.125}, None
    for share in SHARES:
        yield needing(rng, int(rng.integers(3, 60)) + share), None
    for fewest in (200, 2000, 60_000):
        yield needing(rng, int(rng.integers(fewest, 1.5 * fewest)) + 0.5), None


def needing(rng: np.random.Generator, count: float) -> Inputs:
    """Return a case in which the bound is the tolerance for so many hinges, which is no whole number."""
    low, length, curvature = rng.uniform(-4, 4), rng.uniform(0.5, 9), rng.uniform(0.2, 30)
    tolerance = curvature * (length / count) ** 2 / 8
    return {"max_curvature": curvature, "low": low, "high": low + length, "tolerance": tolerance}


def hinges_for(given: Inputs, power: float = 0.5, factor: float = 8.0) -> float:
    """Return the count, not yet rounded, from an error of ``curvature * spacing**(1/power) / factor``."""
    length = given["high"] - given["low"]
    return length * (given["max_curvature"] / (factor * given["tolerance"])) ** power


def spacing(given: Inputs) -> float:
    """Return the spacing for which the bound is the tolerance. On a straight line there is none that is the largest."""
    return math.sqrt(8 * given["tolerance"] / given["max_curvature"])


def rounded_up(count: Callable[..., float], **slips: float) -> Solver:
    """Return the way that takes the smallest whole number of hinges that is at least a count."""
    return lambda given: max(1, math.ceil(count(given, **slips)))


def searched(first: int, following: Callable[[int], int]) -> Solver:
    """Return the way that tries one number after another until the bound holds, and passes some over."""

    def way(given: Inputs) -> int:
        count, enough = first, hinges_for(given)
        while count < enough:
            count = following(count)
        return count

    return way


def passes_over(*ways: Solver) -> Rule:
    """Return a rule: the value is the number at which one of these searches stops, and no search stopped at 1."""
    found = equals(*ways)
    return lambda given, value, expected: found(given, value, expected) and one_number(value) > 1


def is_one_more(given: Inputs, value: object, expected: int) -> bool:
    """Return whether the value is one too many."""
    return bool(one_number(value) == expected + 1)


ONE_TOO_MANY = (
    "One too many: N hinges make N pieces between N + 1 knots, and you count the hinges. If the bound is met "
    "exactly, nothing has to be added."
)
MISTAKES = [
    (
        *(rounded_up(hinges_for, factor=factor) for factor in (1.0, 2.0, 4.0, 16.0, 1 / 8)),
        rounded_up(hinges_for, power=1.0),
        rounded_up(lambda given: hinges_for(given) ** 2),
        rounded_up(lambda given: hinges_for(given) * math.sqrt(given["max_curvature"])),
        rounded_up(hinges_for, factor=64.0),
        "This solves another bound. The bound is one eighth of M h², with nothing squared but h. Solve it for h: "
        "the square root goes over all of 8 · tolerance / M.",
    ),
    (
        spacing,
        lambda given: math.ceil(spacing(given)),
        "This is a spacing. Count how many pieces of that length it takes to fill the interval.",
    ),
    (
        rounded_up(lambda given: 1 / spacing(given)),
        rounded_up(lambda given: hinges_for({**given, "low": 0.0})),
        "The length of the interval, high - low, is not in this. Divide it by the number of hinges, and you have "
        "the spacing.",
    ),
]
SEARCHES = [  # after what is always one too many, which even and odd numbers together explain as well
    (
        *(searched(first, lambda n, by=by: n + by) for by in (2, 5, 10) for first in (1, by)),
        searched(1, lambda n: 2 * n),
        "Your search skips numbers, in steps of more than 1 or by doubling, and stops at the first one it tries "
        "that is enough. The smallest one may lie in between, so look there, too.",
    )
]

CERTIFIED = Exercise(
    id="01.3",
    points=2,
    answer_name="certified_hinges",
    cases=_certified_cases,
    verify=same_whole_number,
    wanted=lambda given, expected: "the smallest whole number, at least 1, with which the bound holds",
    misconceptions=[*hints_of(MISTAKES, equals), (is_one_more, ONE_TOO_MANY), *hints_of(SEARCHES, passes_over)],
    remarks=[
        (is_one_more, ONE_TOO_MANY),
        (
            lambda given, value, expected: not is_whole(value) or (expected > 1 and value == expected - 1),
            "A count is a whole number, so round up: with one hinge fewer, the bound is still above the tolerance.",
        ),
        (
            lambda given, value, expected: given["max_curvature"] == 0 and (value is None or value < 1),
            "M = 0 is allowed: the function is a straight line, which needs one hinge for its slope. Return at least "
            "1.",
        ),
    ],
)
