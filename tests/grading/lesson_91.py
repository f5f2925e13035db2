"""One exercise, and one question that is marked by hand."""

from utils.exercises.comparing import close
from utils.exercises.definition import Exercise, FreeText

EXERCISES = [
    Exercise(
        "91.1",
        1,
        "increment",
        lambda rng: [({"n": int(n)}, None) for n in rng.integers(0, 9, 3)],
        lambda given, hidden, value, expected: close(value, expected),
        [],
        seconds=0.01,
    ),
    FreeText("91.2", 4, "Two points for the claim, two for the reason."),
]
