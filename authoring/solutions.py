"""The solution's answers as functions: for generating cases, for marking, for tests."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

from authoring.course import find_lesson
from authoring.definitions import read_definitions
from authoring.diagnostics import AuthoringError, from_exception
from authoring.exercise_cells import place_exercises
from authoring.source import NotebookSource, read_source
from utils.exercises import Exercise, cells


def answers(root: Path, number: str, path: Path | None = None) -> dict[str, Callable[..., Any]]:
    """Return the solution's function for each exercise of a lesson, by id; free texts have none.

    Only the set-up and the exercises' own cells of ``solutions/NN_slug.py``, or of the source at ``path``, run, in a
    fresh namespace, with the ``utils`` that this process imports. Tracebacks name the source's file and lines. Raises
    AuthoringError for an unknown lesson, a malformed source, and code that raises.
    """
    lesson = find_lesson(root, number)
    source = read_source(path or lesson.source("solutions"), root)
    placed = place_exercises(source, read_definitions(lesson))
    namespace: dict[str, Any] = {"__name__": f"solutions_{number}"}
    try:
        exec(compile(_needed(source), str(source.path), "exec"), namespace)
    except Exception as error:  # an author's code may raise anything
        raise AuthoringError([from_exception(error, root, source.path, "running the solution")]) from None
    exercises = [one.exercise for one in placed if isinstance(one.exercise, Exercise)]
    return {exercise.id: namespace[exercise.answer_name] for exercise in exercises}


def _needed(source: NotebookSource) -> ast.Module:
    """Return the source's statements that stand in set-up and exercise cells, at their own lines."""
    tree = ast.parse(source.text)
    wanted: set[int] = set()
    for cell in source.cells:
        if cell.kind == "code" and (cells.is_set_up(cell.text) or cells.exercise_id(cell.text)):
            wanted.update(range(cell.line, cell.line + len(cell.text.splitlines())))
    tree.body = [statement for statement in tree.body if statement.lineno in wanted]
    return tree
