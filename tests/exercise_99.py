"""An exercise of a lesson 99 that wants twice its argument, for the tests of what all exercises share."""

from __future__ import annotations

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise


def double_cases(rng):
    yield {"x": 1.0}, None
    for x in rng.uniform(2, 3, 3):
        yield {"x": float(x)}, None


def make_exercise(**changes) -> Exercise:
    """An exercise that wants twice its argument, with the given fields changed."""
    fields = {
        "id": "99.1",
        "points": 4,
        "answer_name": "double",
        "cases": double_cases,
        "verify": lambda given, hidden, value, expected: close(value, expected),
        "misconceptions": [(lambda given, value, expected: close(value, given["x"] ** 2), "That is the square.")],
    }
    return Exercise(**{**fields, **changes})
