"""Exercise 01.2: the sum of the positive parts."""

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise


def positive_sum_cases(rng):
    yield {"values": [1.0, -2.0, 3.0]}, None
    yield {"values": [-1.0]}, None


POSITIVE_SUM = Exercise(
    id="01.2",
    points=1,
    answer_name="positive_sum",
    cases=positive_sum_cases,
    verify=lambda given, hidden, value, expected: close(value, expected),
    misconceptions=[],
)
