"""What several test files share."""

from __future__ import annotations

from pathlib import Path

import pytest

from utils.exercises import definition, stored
from utils.exercises.definition import Exercise, FreeText
from utils.exercises.verdict import close

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The course's folder."""
    return ROOT


def double_cases(rng):
    yield {"x": 1.0}, None
    yield {"x": float(rng.uniform(2, 3))}, None


def make_exercise(**changes) -> Exercise:
    """An exercise that wants twice its argument, with the given fields changed."""
    fields = {
        "id": "99.1", "points": 4, "answer_name": "double", "cases": double_cases,
        "verify": lambda given, hidden, value, expected: close(value, expected),
        "misconceptions": [(lambda given, value, expected: close(value, given["x"] ** 2), "That is the square.")],
    }  # fmt: skip
    return Exercise(**{**fields, **changes})


@pytest.fixture
def lesson_99(monkeypatch, tmp_path):
    """Install a lesson 99 of the given exercises, with the stored cases of a solution that doubles."""

    def install(*exercises: Exercise | FreeText):
        table = {exercise.id: exercise for exercise in exercises}
        known = definition.load_lesson
        monkeypatch.setattr(definition, "load_lesson", lambda number: table if number == "99" else known(number))
        monkeypatch.setattr(stored, "FOLDER", tmp_path)
        cases = {
            e.id: stored.draw(e, lambda x: 2 * x, stored.public_rng(e.id))
            for e in exercises
            if isinstance(e, Exercise) and e.answer_name != "unbuilt"
        }
        (tmp_path / "99.json").write_text(stored.text(cases), encoding="utf-8")
        return exercises[0]

    return install
