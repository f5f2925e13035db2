"""Exercise 01.3: how many hinges an error bound asks for."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise
from utils.exercises.rules import is_whole, same_whole_number

# What there is beyond a whole number. Never so little that rounding in another order of operations changes the result.
SHARES = (0.02, 0.2, 0.4, 0.5, 0.8, 0.98)


def _certified_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"max_curvature": 1.0, "low": 0.0, "high": 4.0, "tolerance": 0.125}, None
    yield {"max_curvature": 4.0, "low": -1.0, "high": 2.0, "tolerance": 0.125}, None
    yield {"max_curvature": 0.0, "low": -1.0, "high": 1.0, "tolerance": 0.01}, None
    yield {"max_curvature": 1.0, "low": -1.0, "high": 3.5, "tolerance": 0.125}, None  # four and a half
    for share in SHARES:
        yield needing(rng, int(rng.integers(3, 60)) + share), None
    for fewest in (200, 2000, 60_000):
        yield needing(rng, int(rng.integers(fewest, 1.5 * fewest)) + 0.5), None


def needing(rng: np.random.Generator, count: float) -> dict:
    """Return a case in which the bound is the tolerance for so many hinges, which is no whole number."""
    low, length, curvature = rng.uniform(-4, 4), rng.uniform(0.5, 9), rng.uniform(0.2, 30)
    tolerance = curvature * (length / count) ** 2 / 8
    return {"max_curvature": curvature, "low": low, "high": low + length, "tolerance": tolerance}


def hinges_for(given: dict, power: float = 0.5, factor: float = 8.0) -> float:
    """Return the count, not yet rounded, from an error of ``curvature * spacing**(1/power) / factor``."""
    length = given["high"] - given["low"]
    return length * (given["max_curvature"] / (factor * given["tolerance"])) ** power


def is_spacing(given: dict, value: object, expected: int) -> bool:
    """Return whether the value is the spacing for which the bound is the tolerance, rounded perhaps.

    On a straight line any spacing is.
    """
    if given["max_curvature"] == 0:
        return value is not None
    spacing = math.sqrt(8 * given["tolerance"] / given["max_curvature"])
    return bool(close(value, spacing)) or value in (math.floor(spacing), math.ceil(spacing))


def rounded_up(count: float) -> int:
    """Return the smallest whole number of hinges that is at least ``count``."""
    return max(1, math.ceil(count))


CERTIFIED = Exercise(
    id="01.3",
    points=2,
    answer_name="certified_hinges",
    cases=_certified_cases,
    verify=same_whole_number,
    wanted=lambda given, expected: "the smallest whole number, at least 1, with which the bound holds",
    misconceptions=[
        (lambda given, value, expected: value == rounded_up(hinges_for(given) ** 2),
         "This is N squared: take the root."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given, factor=1.0)),
         "The factor 1/8 of the bound is missing."),
        (lambda given, value, expected: value in [rounded_up(hinges_for(given, factor=f)) for f in (2.0, 4.0, 16.0)],
         "The bound has another factor: one eighth of M h²."),
        (lambda given, value, expected: value == rounded_up(hinges_for({**given, "max_curvature": 1.0})),
         "M is not in your count: the more a function bends, the more hinges it needs."),
        (is_spacing,
         "This is a spacing, not how many of that length it takes to fill the interval."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given) * math.sqrt(given["max_curvature"])),
         "The root goes over M as well: solve M h²/8 = tolerance for h."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given, power=1.0)),
         "The error falls with the square of the spacing: solve M h²/8 = tolerance for h."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given) / (given["high"] - given["low"]))
         or value == rounded_up(hinges_for({**given, "low": 0.0})),
         "The spacing is the length of the interval, high - low, divided by the number of hinges."),
    ],
    remarks=[
        (lambda given, value, expected: value == expected + 1,
         "One too many: N hinges make N pieces between N + 1 knots, and hinges are counted here; "
         "where the bound is met exactly, nothing needs adding."),
        (lambda given, value, expected: 0 < value < 0.9 * expected and expected > 100 and value % 50 in (0, 49),
         "Your search seems to end at a fixed bound, and the number that is wanted lies beyond it: search on, or "
         "solve the inequality for N."),
        (lambda given, value, expected: not is_whole(value),
         "A count is a whole number: round up, since rounding down would break the certificate."),
        (lambda given, value, expected: expected > 1 and value == expected - 1,
         "One too few: with this many hinges the bound is still above the tolerance. Round up."),
        (lambda given, value, expected: given["max_curvature"] == 0 and value is None,
         "M = 0 is allowed: the function is a straight line, and one hinge does."),
        (lambda given, value, expected: given["max_curvature"] == 0 and value < 1,
         "A straight line still needs its one hinge, for the slope: at least 1."),
    ],
)
