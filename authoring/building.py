"""Builds pages: everything is made and verified first, and written only when all of a lesson has succeeded."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from authoring import digests, links, opening, readme, reference
from authoring.alt_text import check_alt_text
from authoring.answers_below import check_answers_below
from authoring.case_generation import generate_cases
from authoring.course import (
    Address,
    Lesson,
    Page,
    address,
    all_pages,
    chosen_pages,
    has_solutions,
    stop_without_solutions,
)
from authoring.definitions import read_definitions
from authoring.diagnostics import AuthoringError, Diagnostic, refuse, relative, stop_on
from authoring.execution import execute
from authoring.exercise_cells import PlacedExercise, place_exercises, plain_lesson_diagnostics
from authoring.filling import fill
from authoring.mentions import linked
from authoring.notebook import BuiltNotebook, build_notebook, build_stub, expected_text, write_text
from authoring.output_normalization import check_repeatable, normalise
from authoring.prose_numbers import check_prose_numbers
from authoring.source import read_source
from utils.exercises import cells
from utils.files import replace_files


@dataclass(frozen=True)
class BuildPlan:
    """What a page's notebooks, by folder, are made from, validated, before anything runs.

    Without the course's solutions that is the path alone of a lesson, too.
    """

    page: Page
    built: Mapping[str, BuiltNotebook]
    placed: Sequence[PlacedExercise]


def plan(page: Page, where: Address | None) -> BuildPlan:
    """Return the page's notebooks as its sources make them, not executed; raises AuthoringError."""
    diagnostics: list[Diagnostic] = []
    built, placed = {}, []
    try:
        source = fill(read_source(page.source("notebooks"), page.root))
        source = linked(source, page, "notebooks")
        built["notebooks"] = build_notebook(source, where, links.around(page, "notebooks", where))
        diagnostics += plain_lesson_diagnostics(source)
    except AuthoringError as error:
        diagnostics += error.diagnostics
    if isinstance(page, Lesson) and has_solutions(page.root):
        try:
            solution = fill(read_source(page.source("solutions"), page.root))
            placed = place_exercises(solution, read_definitions(page))
            solution = linked(solution, page, "solutions")  # and as they lead from the exercises
            built["solutions"] = build_notebook(solution, where, links.around(page, "solutions", where))
            built["exercises"] = build_stub(solution, placed, where, links.around(page, "exercises", where))
        except AuthoringError as error:
            diagnostics += error.diagnostics
    stop_on(diagnostics)
    return BuildPlan(page, built, placed)


def build(root: Path, number: str | None = None) -> None:
    """Build one lesson with its excursions, or all for None, then reference/, and say what was done.

    Raises AuthoringError, the page at hand unwritten.
    """
    stop_without_solutions(root, "a build")
    where = address(root)
    for page in chosen_pages(root, number):
        changed = build_page(plan(page, where))
        print(f"{page.stem}: " + (f"wrote {', '.join(changed)}." if changed else "nothing has changed."))
    texts = {**reference.texts(root), **opening.pictures(root)}
    if (page := root / readme.FILE).exists():
        texts[page] = readme.with_lessons(page.read_text(encoding="utf-8"), root, where)
    if changed := write_all(texts):
        print(f"wrote {', '.join(relative(path, root) for path in changed)}.")


def build_page(planned: BuildPlan) -> list[str]:
    """Return the files of one page that were written, all of them or none; raises AuthoringError."""
    page, texts = planned.page, {}
    with tempfile.TemporaryDirectory(prefix="authoring-") as folder:
        scratch = Path(folder)
        if isinstance(page, Lesson):
            stub = write_text(planned.built["exercises"].notebook)
            _refuse_changed_stub(page, stub)
            print(f"{page.stem}: generating the cases …")
            texts = {page.cases: generate_cases(page, scratch), page.notebook("exercises"): stub}
        for kind in page.executed:
            print(f"{page.stem}: running {kind}/{page.stem} …")
            texts[page.notebook(kind)] = _executed_text(planned, kind, scratch)
    texts[page.root / digests.FILE] = _digests_text(page, texts)
    return [relative(path, page.root) for path in write_all(texts)]


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


def _executed_text(planned: BuildPlan, kind: str, scratch: Path) -> str:
    built, page = planned.built[kind], planned.page
    notebook = execute(built, scratch)
    normalise(notebook)
    stop_on(check_repeatable(built, notebook, page.root) + check_alt_text(built, notebook))
    if kind == "notebooks":
        stop_on(check_prose_numbers(built, notebook, page.room) + check_answers_below(built, notebook))
    else:
        stop_on(check_solved(built, notebook, planned.placed))
    return write_text(notebook)


def check_solved(built: BuiltNotebook, notebook: NotebookNode, placed: Sequence[PlacedExercise]) -> list[Diagnostic]:
    """Return the cells of an executed solution that say other than full marks, or talk where they should draw."""
    full_marks = {one.exercise.id: expected_text(one) for one in placed}
    diagnostics = []
    for cell in notebook.cells:
        call = cells.call(cell.source) if cell.cell_type == "code" else None
        if call is None:
            continue
        expected = full_marks[call[1]] if call[0] == "check" else ""
        printed = "".join(output.get("text", "") for output in cell.outputs)
        if printed != expected:
            wanted = "give full marks" if call[0] == "check" else "draw"
            text = f"the solution's own {call[0]} does not {wanted}, but prints {printed.strip()!r}. Mend one of them."
            diagnostics.append(built.source.diagnostic(built.lines[cell.id], text))
    return diagnostics


def _digests_text(page: Page, texts: Mapping[Path, str]) -> str:
    """Return the digests file with this page's files, and without those of pages that are no more."""
    numbers, stems = zip(*((one.number, one.stem) for one in all_pages(page.root)), strict=True)
    kept = {name: entry for name, entry in digests.load(page.root).items() if Path(name).stem in (*numbers, *stems)}
    for path, content in texts.items():
        kept[relative(path, page.root)] = {"sha256": digests.digest(content.encode())}
    for folder in page.executed:
        name = relative(page.notebook(folder), page.root)
        kept[name]["made from"] = digests.inputs(page, folder)
    return digests.text(kept)


def write_all(contents: Mapping[Path, str | bytes]) -> list[Path]:
    """Return the paths whose content changed: each is replaced whole, and none before all are on the disk."""
    changed = [
        path
        for path, content in contents.items()
        if not path.exists() or path.read_bytes() != (content.encode() if isinstance(content, str) else content)
    ]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
    replace_files({path: contents[path] for path in changed})
    return changed
