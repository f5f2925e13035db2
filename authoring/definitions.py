"""Reads a lesson's exercise definitions from the course at hand."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

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
    """Yield the package of definitions, all its modules made from their texts; what was imported comes back after."""
    finder = _FromText(lesson)
    before = finder.take_out()
    sys.meta_path.insert(0, finder)
    try:
        spec = finder.find_spec(finder.name)
        package = module_from_spec(spec)
        sys.modules[finder.name] = package  # dataclasses look their module up while they are made
        spec.loader.exec_module(package)
        yield package
    finally:
        sys.meta_path.remove(finder)
        finder.take_out()
        sys.modules.update(before)


class _Text(SourceFileLoader):
    """Compiles a module from its text: a cached .pyc may be a second too old."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


class _FromText:
    """Finds the modules of one lesson's package of definitions."""

    def __init__(self, lesson: Lesson) -> None:
        self.name, self.folder = f"utils.{lesson.room.name}.exercises", lesson.definitions.parent

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        inside = name.removeprefix(f"{self.name}.")
        if name == self.name:
            file, places = self.folder / "__init__.py", [str(self.folder)]
        elif name != inside and (self.folder / f"{inside}.py").exists():
            file, places = self.folder / f"{inside}.py", None
        else:
            return None
        return spec_from_file_location(name, file, loader=_Text(name, str(file)), submodule_search_locations=places)

    def take_out(self) -> dict[str, ModuleType]:
        """Return the modules of the package that are imported, which now they are no more."""
        names = [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]
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


def _diagnostics(lesson: Lesson, exercises: list[object]) -> list[Diagnostic]:
    if not all(isinstance(exercise, (Exercise, FreeText)) for exercise in exercises) or not exercises:
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
