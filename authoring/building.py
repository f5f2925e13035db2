"""Builds lessons: everything is made and verified first, and written only when all of a lesson has succeeded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from authoring import digests
from authoring.course import Address, Lesson, address, all_lessons, chosen_lessons
from authoring.definitions import read_definitions
from authoring.drawing import draw_cases
from authoring.execution import execute
from authoring.filling import fill
from authoring.normal import MAX_BYTES, normalise, unrepeatable
from authoring.notebook import Built, build_notebook, build_stub, expected_text, write_text
from authoring.numbers import by_hand
from authoring.pictures import keep_pictures
from authoring.problems import AuthoringError, Problem, refuse, relative, stop_on
from authoring.source import read_source
from authoring.structure import Placed, place_exercises, plain_lesson_problems
from authoring.words import wordless
from utils.exercises import cells


@dataclass(frozen=True)
class Plan:
    """What a lesson's three notebooks are made from, validated, before anything runs."""

    lesson: Lesson
    built: Mapping[str, Built]
    placed: Sequence[Placed]


def plan(lesson: Lesson, where: Address) -> Plan:
    """Return the lesson's notebooks as its sources make them, not executed; raises AuthoringError with all problems."""
    problems: list[Problem] = []
    try:
        source = fill(read_source(lesson.source("notebooks"), lesson.root))
        problems += plain_lesson_problems(source)
    except AuthoringError as error:
        problems += error.problems
    try:
        solution = fill(read_source(lesson.source("solutions"), lesson.root))
        placed = place_exercises(solution, read_definitions(lesson))
    except AuthoringError as error:
        problems += error.problems
    stop_on(problems)
    built = {
        "notebooks": build_notebook(source, where, "notebooks"),
        "solutions": build_notebook(solution, where, "solutions"),
        "exercises": build_stub(solution, placed, where),
    }
    return Plan(lesson, built, placed)


def build(root: Path, number: str | None = None, say: Callable[[str], None] = print) -> None:
    """Build one lesson, or all for None, and say what was done; raises AuthoringError, that lesson unwritten."""
    where = address(root)
    for lesson in chosen_lessons(root, number):
        changed = build_lesson(plan(lesson, where), say)
        say(f"{lesson.stem}: " + (f"wrote {', '.join(changed)}." if changed else "nothing has changed."))


def build_lesson(planned: Plan, say: Callable[[str], None]) -> list[str]:
    """Return the files of one lesson that were written, all of them or none; raises AuthoringError."""
    lesson = planned.lesson
    stub = write_text(planned.built["exercises"].notebook)
    _refuse_changed_stub(lesson, stub)
    with tempfile.TemporaryDirectory(prefix="authoring-") as folder:
        scratch = Path(folder)
        say(f"{lesson.stem}: drawing the cases …")
        texts = {lesson.cases: draw_cases(lesson, scratch), lesson.notebook("exercises"): stub}
        for kind in ("notebooks", "solutions"):
            say(f"{lesson.stem}: running {kind}/{lesson.stem} …")
            texts[lesson.notebook(kind)] = _executed_text(planned, kind, scratch)
    texts[lesson.root / digests.FILE] = _digests_text(lesson, texts)
    return [relative(path, lesson.root) for path in write_all(texts)]


def _refuse_changed_stub(lesson: Lesson, stub: str) -> None:
    """Raise AuthoringError where the stub is not the one that the last build wrote: somebody's work is in it."""
    path = lesson.notebook("exercises")
    shown = relative(path, lesson.root)
    content = path.read_bytes() if path.exists() else stub.encode()
    recorded = digests.load(lesson.root).get(shown, {}).get("sha256")
    if content != stub.encode() and digests.digest(content) != recorded:
        raise changed_stub(shown)


def changed_stub(shown: str) -> AuthoringError:
    """Return the error that reports a stub in which somebody's work is."""
    text = (
        "somebody changed this stub since it was built, and a build would lose that. "
        "Move it elsewhere (work/, say) if it holds answers, else delete it; then build again."
    )
    return refuse(shown, None, text)


def _executed_text(planned: Plan, kind: str, scratch: Path) -> str:
    built, root = planned.built[kind], planned.lesson.root
    notebook = execute(built, scratch)
    normalise(notebook)
    keep_pictures(notebook, planned.lesson.notebook(kind))
    stop_on(unrepeatable(built, notebook, root) + wordless(built, notebook))
    if kind == "notebooks":
        stop_on(by_hand(built, notebook, planned.lesson.room))
    else:
        stop_on(unsolved(built, notebook, planned.placed))
    text = write_text(notebook)
    if len(text.encode()) >= MAX_BYTES:
        size = f"{len(text.encode()) / 1e6:.2f} MB; less than {MAX_BYTES / 1e6:g} MB is wanted"
        raise refuse(built.source.shown, None, f"its notebook takes {size}. Draw fewer or smaller figures.")
    return text


def unsolved(built: Built, notebook: NotebookNode, placed: Sequence[Placed]) -> list[Problem]:
    """Return the cells of an executed solution that say other than full marks, or talk where they should draw."""
    full_marks = {one.exercise.id: expected_text(one) for one in placed}
    problems = []
    for cell in notebook.cells:
        call = cells.call(cell.source) if cell.cell_type == "code" else None
        if call is None:
            continue
        expected = full_marks[call[1]] if call[0] == "check" else ""
        printed = "".join(output.get("text", "") for output in cell.outputs)
        if printed != expected:
            wanted = "give full marks" if call[0] == "check" else "draw"
            text = f"the solution's own {call[0]} does not {wanted}, but prints {printed.strip()!r}. Mend one of them."
            problems.append(built.source.problem(built.lines[cell.id], text))
    return problems


def _digests_text(lesson: Lesson, texts: Mapping[Path, str]) -> str:
    """Return the digests file with this lesson's files, and without those of lessons that are no more."""
    numbers, stems = zip(*((one.number, one.stem) for one in all_lessons(lesson.root)), strict=True)
    kept = {name: entry for name, entry in digests.load(lesson.root).items() if Path(name).stem in (*numbers, *stems)}
    for path, content in texts.items():
        kept[relative(path, lesson.root)] = {"sha256": digests.digest(content.encode())}
    for folder in ("notebooks", "solutions"):
        name = relative(lesson.notebook(folder), lesson.root)
        kept[name]["made from"] = digests.inputs(lesson, folder)
    return digests.text(kept)


def write_all(texts: Mapping[Path, str]) -> list[Path]:
    """Return the paths whose content changed: each is replaced whole, and none before all are on the disk."""
    changed = [path for path, text in texts.items() if not path.exists() or path.read_bytes() != text.encode()]
    waiting: list[tuple[Path, Path]] = []
    try:
        for path in changed:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            waiting.append((temporary, path))
            temporary.write_bytes(texts[path].encode())
        for temporary, path in waiting:
            os.replace(temporary, path)
    finally:
        for temporary, _ in waiting:
            temporary.unlink(missing_ok=True)
    return changed
