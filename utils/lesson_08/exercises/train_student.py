"""Exercise 08.11: a function that trains a small network on the examples of a teacher it has never seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.lesson_08 import capstone
from utils.lesson_08.capstone import Refused
from utils.lesson_08.exercises.handed_in import Judge, new_seed

TEACHERS = 5
JUDGE = Judge("teacher")


def cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, int]]:
    """Yield the examples of several teachers, each with its seed: from there come the examples to judge on."""
    for _ in range(TEACHERS):
        seed = new_seed(rng)
        X, y = capstone.teacher_parts(seed, capstone.LESSONS)[0]
        yield {"X": X, "y": y}, seed


def on_its_examples(given: Inputs, value: Any) -> capstone.Judged:
    """Return what the judge would say of a network on the examples that it was given; raises Refused."""
    activation, layers = capstone.read(value, JUDGE.target.n_in, JUDGE.target.n_out)
    missed = capstone.error(activation, layers, given["X"], given["y"])
    return capstone.verdict(JUDGE.target, capstone.parameters(layers), missed)


def is_too_large(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether the network fits its examples, and has too many parameters."""
    found = on_its_examples(given, value)
    return found.error <= JUDGE.target.goal and found.parameters > JUDGE.target.full


def explain(given: Inputs, value: Any, expected: Any) -> str:
    """Say which rule is broken, or how many parameters there are and how well the examples are fitted."""
    try:
        found = on_its_examples(given, value)
    except Refused as error:
        return str(error)
    return (
        f"{found.parameters} parameters; on the {capstone.LESSONS} examples that it was given the relative error "
        f"is {found.error:.3f}. On others of this teacher {JUDGE.target.goal:g} is allowed."
    )


TRAIN_STUDENT = Exercise(
    id="08.11",
    points=4,
    answer_name="train_student",
    seconds=8,
    without=["utils.lesson_08.small_networks.student"],
    cases=cases,
    verify=JUDGE.verify,
    wanted=JUDGE.wanted,
    explain=explain,
    misconceptions=[],
    remarks=JUDGE.remarks(
        (
            lambda given, value, expected: on_its_examples(given, value).error > JUDGE.target.goal,
            "Your network does not even fit the examples that it was given. Is what you return the network that you "
            "trained? If it is: more steps, several starts of which the best is kept, or the other activation.",
        ),
        (
            lambda given, value, expected: on_its_examples(given, value).share == 1,
            "Your network fits the examples that it was given, and misses others of the same teacher: it has "
            "learned them by heart. Large weights do that. Fewer steps, or a choice among the starts on examples "
            "that were kept apart, help against it.",
        ),
        too_large=is_too_large,
    ),
)
