"""Exercise 01.1: twice a number."""

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise


def double_cases(rng):
    yield {"x": 3.0}, None
    yield {"x": float(rng.integers(10, 100))}, {"held out": [1, 2]}


DOUBLE = Exercise(
    id="01.1",
    points=2,
    answer_name="double",
    cases=double_cases,
    verify=lambda given, hidden, value, expected: close(value, expected),
    misconceptions=[],
)
