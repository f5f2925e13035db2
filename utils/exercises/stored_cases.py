"""The cases of the public seed, stored with the solution's values when the notebooks are built.

Drawing them again would depend on the NumPy at hand; stored, a check needs no solution either.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from utils.exercises import serialization
from utils.exercises.definition import Exercise, UnknownExercise
from utils.exercises.scoring import Case

FOLDER = Path(__file__).parent / "cases"


def public_rng(exercise_id: str) -> np.random.Generator:
    """Return the generator of the public seed, a different one for each exercise id."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(exercise_id.encode()).digest()[:8], "big"))


def sample_cases(exercise: Exercise, solution: Callable, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return the exercise's cases for ``rng`` in JSON's types: given, hidden, and the solution's value."""
    drawn = []
    for given, hidden in exercise.cases(rng):
        stored = serialization.dumps(given)
        expected = solution(*serialization.loads(stored, tensors=True).values())
        drawn.append(
            {
                "given": json.loads(stored),
                "hidden": serialization.encode(hidden),
                "expected": serialization.encode(expected),
            }
        )
    return drawn


def case_of(record: Mapping[str, Any]) -> Case:
    """Return one drawn case as the judge wants it, tensors as arrays."""
    return Case(*(serialization.decode(record[part]) for part in ("given", "hidden", "expected")))


def load(exercise: Exercise) -> list[dict[str, Any]]:
    """Return the stored cases of one exercise; raises UnknownExercise where none are stored."""
    path = FOLDER / f"{exercise.id[:2]}.json"
    cases = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if exercise.id not in cases:
        build = f"python -m authoring build {exercise.id[:2]}"
        raise UnknownExercise(f"No cases are stored for exercise {exercise.id}. Build its lesson with `{build}`.")
    return cases[exercise.id]


def text(cases: Mapping[str, list[dict[str, Any]]]) -> str:
    """Return the file's text for a lesson's drawn cases: one line for each case, so that a diff can be read."""
    blocks = []
    for exercise_id, records in cases.items():
        lines = ",\n".join(f"  {json.dumps(record)}" for record in records)
        blocks.append(f"{json.dumps(exercise_id)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(blocks) + "\n}\n"
