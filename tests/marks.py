"""Marks that say whose a test is: `pytest -m lesson_02`, `pytest -m exercise_02_4`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def lesson(number: str) -> pytest.MarkDecorator:
    """Return the mark of the lesson of this number."""
    return getattr(pytest.mark, f"lesson_{number}")


def exercise(exercise_id: str) -> pytest.MarkDecorator:
    """Return the mark of the exercise of this id."""
    return getattr(pytest.mark, f"exercise_{exercise_id.replace('.', '_')}")


def by_lesson(values: Iterable[Any], number: Callable[[Any], str], *marks: pytest.MarkDecorator) -> list[Any]:
    """Return the values as parameters, each with the mark of the lesson whose number begins ``number(value)``."""
    return [pytest.param(value, marks=[lesson(number(value)[:2]), *marks]) for value in values]
