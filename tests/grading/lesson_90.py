"""Two exercises that are quick to answer, right and wrong."""

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise


def double_cases(rng):
    yield {"x": 3.0}, None
    yield {"x": -1.5}, None
    for _ in range(3):
        yield {"x": float(rng.normal())}, None


def total_cases(rng):
    yield {"values": [1.0, 2.0, 4.0]}, None
    yield {"values": []}, None
    for _ in range(3):
        yield {"values": rng.normal(size=int(rng.integers(2, 6))).tolist()}, None


EXERCISES = [
    Exercise(
        "90.1",
        2,
        "double",
        double_cases,
        lambda given, hidden, value, expected: 1.0 if close(value, expected) else 0.5 * close(value, -expected),
        [(lambda given, value, expected: close(value, given["x"] ** 2), "HINT squared, not doubled")],
        seconds=0.01,
    ),
    Exercise(
        "90.2",
        3,
        "total",
        total_cases,
        lambda given, hidden, value, expected: close(value, expected),
        [(lambda given, value, expected: close(value, sum(given["values"][1:])), "HINT the first one is missing")],
        without=["utils.helper_90.total_of"],
        seconds=0.01,
    ),
]
