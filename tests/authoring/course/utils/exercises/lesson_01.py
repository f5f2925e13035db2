"""The exercises of a small lesson."""

from utils.exercises.definition import Exercise, FreeText
from utils.exercises.verdict import close


def double_cases(rng):
    yield {"x": 3.0}, None
    yield {"x": float(rng.integers(10, 100))}, {"held out": [1, 2]}


def positive_sum_cases(rng):
    yield {"values": [1.0, -2.0, 3.0]}, None
    yield {"values": [-1.0]}, None


EXERCISES = [
    Exercise(
        id="01.1",
        points=2,
        answer_name="double",
        cases=double_cases,
        verify=lambda given, hidden, value, expected: close(value, expected),
        misconceptions=[],
    ),
    Exercise(
        id="01.2",
        points=1,
        answer_name="positive_sum",
        cases=positive_sum_cases,
        verify=lambda given, hidden, value, expected: close(value, expected),
        misconceptions=[],
    ),
    FreeText(id="01.3", points=3, rubric="A reason: 3 points."),
]
