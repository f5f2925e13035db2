"""The solution's answers as functions: for generating cases, for marking, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from authoring.course import find_lesson
from authoring.definitions import read_definitions
from authoring.diagnostics import AuthoringError, from_exception, refuse, relative
from authoring.source import code_cells, text_of
from utils.exercises import Exercise, cells


def answers(root: Path, number: str, path: Path | None = None) -> dict[str, Callable[..., Any]]:
    """Return the solution's function for each exercise of a lesson, by id; free texts have none.

    Only the set-up and the exercises' own cells of ``solutions/NN_slug.py``, or of the source at ``path``, run, in a
    fresh namespace, with the ``utils`` that this process imports. Tracebacks name the source's file and lines. Raises
    AuthoringError for an unknown lesson, a source that is missing, code that raises, and an answer that is not there.
    """
    lesson = find_lesson(root, number)
    path = path or lesson.source("solutions")
    text = text_of(path, root)
    exercises = [one for one in read_definitions(lesson).values() if isinstance(one, Exercise)]
    namespace: dict[str, Any] = {"__name__": f"solutions_{number}"}
    try:
        exec(compile(_needed(text), str(path), "exec"), namespace)
    except Exception as error:  # an author's code may raise anything
        raise AuthoringError([from_exception(error, root, path, "running the solution")]) from None
    if missing := [f"{one.answer_name} ({one.id})" for one in exercises if one.answer_name not in namespace]:
        raise refuse(relative(path, root), None, f"no answer is called {', '.join(missing)}. Write what is missing.")
    return {one.id: namespace[one.answer_name] for one in exercises}


def _needed(text: str) -> str:
    """Return the source with nothing but its set-up and exercise cells, at their own lines."""
    lines = [""] * len(text.split("\n"))
    for first, cell in code_cells(text):
        if cells.is_set_up(cell) or cells.exercise_id(cell):
            lines[first - 1 : first + cell.count("\n")] = cell.split("\n")
    return "\n".join(lines)
