"""Reads a lesson's exercise definitions from the course at hand."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from authoring.course import Lesson
from authoring.problems import AuthoringError, Problem, from_exception, refuse, relative, stop_on
from utils.exercises import Exercise, FreeText

Definitions = dict[str, Exercise | FreeText]


def read_definitions(lesson: Lesson) -> Definitions:
    """Return the lesson's exercises by id, in order; raises AuthoringError where they cannot be used.

    The file is read afresh each time, from ``lesson.root``: another course, or an older state of this
    one, may be imported already.
    """
    path = lesson.definitions
    shown = relative(path, lesson.root)
    if not path.exists():
        raise refuse(shown, None, f"missing. Define the exercises of lesson {lesson.number} there.")
    try:
        exercises = list(_run(lesson).EXERCISES)
    except Exception as error:  # whatever an author's file raises is to be shown with its line
        problem = from_exception(error, lesson.root, path, "reading the definitions")
        raise AuthoringError([problem]) from None
    stop_on(_problems(lesson, exercises))
    return {exercise.id: exercise for exercise in exercises}


def _run(lesson: Lesson) -> ModuleType:
    """Return the module of definitions, compiled from its text: a cached .pyc may be a second too old."""
    name = f"utils.exercises.{lesson.definitions.stem}"
    spec = importlib.util.spec_from_file_location(name, lesson.definitions)
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up while they are made
    try:
        text = lesson.definitions.read_text(encoding="utf-8")
        exec(compile(text, str(lesson.definitions), "exec"), module.__dict__)
    finally:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
    return module


def complaint(lesson: Lesson, quoted: str, text: str) -> Problem:
    """Return a problem at the last line of the definitions that holds ``quoted`` as a text, if any does."""
    lines = lesson.definitions.read_text(encoding="utf-8").splitlines()
    found = [at for at, line in enumerate(lines, 1) if f'"{quoted}"' in line]
    return Problem(relative(lesson.definitions, lesson.root), found[-1] if found else None, text)


def _problems(lesson: Lesson, exercises: list[object]) -> list[Problem]:
    if not all(isinstance(exercise, (Exercise, FreeText)) for exercise in exercises) or not exercises:
        shown = relative(lesson.definitions, lesson.root)
        return [Problem(shown, None, "EXERCISES is no list of Exercise and FreeText, or is empty. Mend it.")]
    ids = [exercise.id for exercise in exercises]
    names = [exercise.answer_name for exercise in exercises if isinstance(exercise, Exercise)]
    problems = [
        complaint(lesson, one, f"the id {one} belongs to another lesson. Let it begin with {lesson.number}.")
        for one in ids
        if not one.startswith(f"{lesson.number}.")
    ]
    for kind, found in (("id", ids), ("answer_name", names)):
        twice = sorted({one for one in found if found.count(one) > 1})
        problems += [complaint(lesson, one, f"the {kind} {one} is used twice. Change one of them.") for one in twice]
    return problems
