"""What the grader needs of one lesson: its pristine set-up, its exercises, its solutions, its version."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from authoring import course as authored
from authoring.diagnostics import AuthoringError
from authoring.solutions import answers
from authoring.source import code_cells, text_of
from grading import GradingError
from utils.exercises.cells import is_set_up
from utils.exercises.definition import Exercise, FreeText, UnknownExercise, load_lesson, must_be_a_lesson

ROOT = Path(__file__).resolve().parent.parent
FURTHER = "\n## Going further\n"
_HEADING = re.compile(r"^## Exercise (\d\d\.\d+)(?:: (.*?))?(?: \([^()]*\))?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class GradedLesson:
    """One lesson as the grader uses it; ``version`` changes with whatever can change a mark.

    ``exercises`` have points in this round; ``unmarked`` are the ids of the free texts that have none. ``page`` holds
    the code cells of the exercises as they are handed out, none where they are not built.
    """

    number: str
    exercises: Mapping[str, Exercise | FreeText]
    unmarked: tuple[str, ...]
    set_up: tuple[str, ...]
    solutions: Mapping[str, Callable]
    version: str
    page: tuple[str, ...] = ()

    @property
    def max_score(self) -> int:
        """Return the points of all exercises, those marked by hand included."""
        return sum(exercise.points for exercise in self.exercises.values())


def plain(exercise: Exercise) -> Exercise:
    """Return the exercise without its functions: what another process can be told of it."""
    none: dict[str, Any] = dict.fromkeys(("cases", "verify", "wanted", "explain", "plot"))
    return replace(exercise, **none, misconceptions=(), remarks=())


def load(number: str, root: Path = ROOT, *, free_texts: bool = False, solutions: Path | None = None) -> GradedLesson:
    """Return lesson ``number``, whose free texts have points where ``free_texts``.

    ``solutions`` is the folder of the solutions' sources, None for the course's own. Raises GradingError where the
    course has no such lesson, or a broken one, and where its solutions are not there.
    """
    set_up = set_up_of(number, root, solutions=solutions)
    try:
        exercises = load_lesson(number)
        lesson = authored.find_lesson(root, number)
        source = _source(lesson, solutions)
        with contextlib.redirect_stdout(io.StringIO()):  # a set-up may greet its reader
            functions = answers(root, number, source)
    except (UnknownExercise, AuthoringError) as error:
        raise GradingError(str(error)) from None
    marked = {id: one for id, one in exercises.items() if free_texts or isinstance(one, Exercise)}
    unmarked = tuple(id for id in exercises if id not in marked)
    return GradedLesson(number, marked, unmarked, set_up, functions, _version(lesson, source), _page(lesson))


def set_up_of(number: str, root: Path = ROOT, *, solutions: Path | None = None) -> tuple[str, ...]:
    """Return the cells of the lesson's set-up, in a moment: nothing runs. Raises GradingError as ``load`` does.

    They are those of the solution's source: the cell that fetches the course is not among them, and the runner
    sets ``sys.path`` itself.
    """
    try:
        must_be_a_lesson(number)
        source = _source(authored.find_lesson(root, number), solutions)
        text = text_of(source, root)
    except (UnknownExercise, AuthoringError) as error:
        raise GradingError(str(error)) from None
    return tuple(cell for _, cell in code_cells(text) if is_set_up(cell))


@dataclass(frozen=True)
class Heading:
    """What stands above an exercise on its page: its title, and whether that is below "Going further"."""

    title: str
    further: bool


def headings_of(number: str, root: Path = ROOT) -> dict[str, Heading]:
    """Return the headings of a lesson's exercises by id, in the page's order; nothing where there is no such lesson.

    They are those of the exercise notebook, or where that is not built of the solution's source.
    """
    try:
        lesson = authored.find_lesson(root, number)
        stub = lesson.notebook("exercises")
        text = _prose(stub) if stub.exists() else lesson.source("solutions").read_text(encoding="utf-8")
    except (AuthoringError, OSError, ValueError):
        return {}
    further = text.find(FURTHER)
    return {found[1]: Heading(found[2], -1 < further < found.start()) for found in _HEADING.finditer(text)}


@cache
def headings(lesson: str) -> Mapping[str, Heading]:
    """Return the headings of one of this course's lessons, read once."""
    return headings_of(lesson)


def title(exercise_id: str) -> str:
    """Return an exercise's name with its title, where its page gives it one."""
    heading = headings(exercise_id[:2]).get(exercise_id)
    return f"Exercise {exercise_id}: {heading.title}" if heading and heading.title else f"Exercise {exercise_id}"


def _source(lesson: authored.Lesson, solutions: Path | None) -> Path:
    """Return the file of a lesson's solutions, in this folder or the course's own; raises GradingError without one."""
    if solutions is None and not authored.has_solutions(lesson.root):
        raise GradingError(
            f"There are no solutions in {lesson.root} to mark with. Say where they are with --solutions DIR."
        )
    folder = solutions or lesson.source(authored.SOLUTIONS).parent
    path = folder / f"{lesson.stem}.py"
    if not path.is_file():
        raise GradingError(f"{folder} holds no solutions of lesson {lesson.number}. It should contain {path.name}.")
    return path


def _prose(notebook: Path) -> str:
    """Return the text of a notebook's markdown cells; raises ValueError where it is none."""
    return "\n".join(_sources(notebook, "markdown"))


def _page(lesson: authored.Lesson) -> tuple[str, ...]:
    try:
        return tuple(_sources(lesson.notebook("exercises"), "code"))
    except (OSError, ValueError):
        return ()


def _sources(notebook: Path, kind: str) -> list[str]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def _version(lesson: authored.Lesson, source: Path) -> str:
    folders = (lesson.cases.parents[1], lesson.definitions.parent)  # what all exercises share, and this lesson's
    code = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    digest = hashlib.sha256()
    for path in [*code, lesson.cases, source]:
        digest.update(hashlib.sha256(path.read_bytes() if path.exists() else b"").digest())
    return digest.hexdigest()
