"""Reads a lesson's exercise definitions from the course at hand."""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from authoring.course import Lesson
from authoring.diagnostics import AuthoringError, Diagnostic, from_exception, refuse, relative, stop_on
from utils.exercises import Exercise, FreeText

Definitions = dict[str, Exercise | FreeText]


def read_definitions(lesson: Lesson) -> Definitions:
    """Return the lesson's exercises by id, in order; raises AuthoringError where they cannot be used.

    The package is read afresh each time, from ``lesson.root``: another course, or an older state of this
    one, may be imported already.
    """
    path = lesson.definitions
    shown = relative(path, lesson.root)
    if not path.exists():
        raise refuse(shown, None, f"missing. List the exercises of lesson {lesson.number} there.")
    try:
        with _afresh(lesson) as package:
            exercises = list(package.EXERCISES)
    except Exception as error:  # whatever an author's file raises is to be shown with its line
        diagnostic = from_exception(error, lesson.root, path, "reading the definitions")
        raise AuthoringError([diagnostic]) from None
    stop_on(_diagnostics(lesson, exercises))
    return {exercise.id: exercise for exercise in exercises}


@contextlib.contextmanager
def _afresh(lesson: Lesson) -> Iterator[ModuleType]:
    """Yield the package of definitions, imported from ``lesson.root``; what was imported before comes back after."""
    name = f"utils.{lesson.room.name}.exercises"
    before = _take_out(name)
    importlib.invalidate_caches()
    spec = spec_from_file_location(
        name, lesson.definitions, submodule_search_locations=[str(lesson.definitions.parent)]
    )
    assert spec is not None and spec.loader is not None  # since the file's name ends in .py
    package = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(package)
        yield package
    finally:
        _take_out(name)
        sys.modules.update(before)


def _take_out(package: str) -> dict[str, ModuleType]:
    """Return the modules of the package that are imported, which now they are no more."""
    names = [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
    return {name: sys.modules.pop(name) for name in names}


def complaint(lesson: Lesson, quoted: str, text: str) -> Diagnostic:
    """Return a diagnostic at the last definition of an exercise that names ``quoted``: its id, or its answer's name."""
    found = [place for path in sorted(lesson.definitions.parent.glob("*.py")) for place in _definitions(path, quoted)]
    path, line = found[-1] if found else (lesson.definitions, None)
    return Diagnostic(relative(path, lesson.root), line, text)


def _definitions(path: Path, quoted: str) -> Iterator[tuple[Path, int]]:
    """Yield where in this file an Exercise or a FreeText is made with the text ``quoted``, in order."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Exercise", "FreeText"):
            values: Sequence[ast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
            yield from ((path, v.lineno) for v in values if isinstance(v, ast.Constant) and v.value == quoted)


def _diagnostics(lesson: Lesson, listed: list[object]) -> list[Diagnostic]:
    exercises = [one for one in listed if isinstance(one, (Exercise, FreeText))]
    if len(exercises) < len(listed) or not listed:
        shown = relative(lesson.definitions, lesson.root)
        return [Diagnostic(shown, None, "EXERCISES is no list of Exercise and FreeText, or is empty. Mend it.")]
    ids = [exercise.id for exercise in exercises]
    names = [exercise.answer_name for exercise in exercises if isinstance(exercise, Exercise)]
    diagnostics = [
        complaint(lesson, one, f"the id {one} belongs to another lesson. Let it begin with {lesson.number}.")
        for one in ids
        if not one.startswith(f"{lesson.number}.")
    ]
    for kind, found in (("id", ids), ("answer_name", names)):
        twice = sorted({one for one in found if found.count(one) > 1})
        diagnostics += [complaint(lesson, one, f"the {kind} {one} is used twice. Change one of them.") for one in twice]
    return diagnostics
