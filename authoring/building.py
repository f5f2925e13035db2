"""Builds pages: everything is made and verified first, and written only when all of a lesson has succeeded."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from authoring import digests, links, opening, readme, reference
from authoring.alt_text import check_alt_text
from authoring.answers_below import check_answers_below
from authoring.case_generation import generate_cases
from authoring.course import (
    SOLUTIONS,
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
from authoring.literature import cited
from authoring.mentions import linked
from authoring.notebook import GENERATED, BuiltNotebook, build_notebook, build_stub, expected_text, write_text
from authoring.output_normalization import check_repeatable, normalise
from authoring.prose_numbers import check_prose_numbers
from authoring.source import read_source
from utils.exercises import cells
from utils.files import replace_files

SHOWN = 3  # of the names in a list


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
        source = fill(cited(read_source(page.source("notebooks"), page.root), page.root))
        source = linked(source, page, "notebooks")
        built["notebooks"] = build_notebook(source, where, links.around(page, "notebooks", where))
        diagnostics += plain_lesson_diagnostics(source)
    except AuthoringError as error:
        diagnostics += error.diagnostics
    if isinstance(page, Lesson) and has_solutions(page.root):
        try:
            solution = fill(cited(read_source(page.source("solutions"), page.root), page.root))
            placed = place_exercises(solution, read_definitions(page))
            solution = linked(solution, page, "solutions")  # and as they lead from the exercises
            built["solutions"] = build_notebook(solution, where, links.around(page, "solutions", where))
            built["exercises"] = build_stub(solution, placed, where, links.around(page, "exercises", where))
        except AuthoringError as error:
            diagnostics += error.diagnostics
    stop_on(diagnostics)
    return BuildPlan(page, built, placed)


def build(root: Path, number: str | None = None, *, everything: bool = False) -> None:
    """Build what has changed of one lesson and its excursions, or of all for None, then reference/; say what was done.

    ``everything`` builds what has not changed, too. Raises AuthoringError, the page at hand unwritten.
    """
    stop_without_solutions(root, "a build")
    where = address(root)
    for page in chosen_pages(root, number):
        planned = plan(page, where)
        kinds = [kind for kind in page.executed if everything or _is_old(planned, kind)]
        changed = build_page(planned, kinds)
        print(f"{page.stem}: " + (f"wrote {', '.join(changed)}." if changed else "nothing has changed."))
    texts: dict[Path, str | bytes] = {**reference.texts(root), **opening.pictures(root)}
    if (readme_path := root / readme.FILE).exists():
        texts[readme_path] = readme.with_lessons(readme_path.read_text(encoding="utf-8"), root, where)
    if written := write_all(texts):
        print(f"wrote {', '.join(relative(path, root) for path in written)}.")


def _is_old(planned: BuildPlan, kind: str) -> bool:
    """Return whether a notebook's own inputs have changed, or it is not the one that its source makes.

    What it shares with other lessons counts nowhere: a word in a helper would build all pages.
    """
    page, recorded = planned.page, digests.load(planned.page.root)
    written = [page.notebook(kind)]
    if isinstance(page, Lesson) and kind == SOLUTIONS:
        written += [page.notebook("exercises"), page.cases]
    for path in written:
        known = recorded.get(relative(path, page.root), {}).get("sha256")
        if not path.exists() or digests.digest(path.read_bytes()) != known:
            return True
    changed, shown = digests.changed_inputs(page, kind, recorded), relative(page.notebook(kind), page.root)
    if digests.own_changes(page, changed) or difference(planned.built[kind], parse(_text(page, kind), shown)):
        return True
    if len(written) > 1 and _text(page, "exercises") != _stub(planned):
        return True
    if changed:
        print(f"{shown}: left as it is, though {some(changed)} changed, which other lessons use. ALL=yes builds it.")
    return False


def _text(page: Page, folder: str) -> str:
    return page.notebook(folder).read_bytes().decode("utf-8", errors="replace")


def _stub(planned: BuildPlan) -> str:
    return write_text(planned.built["exercises"].notebook)


def build_page(planned: BuildPlan, kinds: Sequence[str]) -> list[str]:
    """Return the files of one page that were written, all of them or none, for notebooks of these ``kinds``.

    Raises AuthoringError.
    """
    page = planned.page
    texts: dict[Path, str] = {}
    with tempfile.TemporaryDirectory(prefix="authoring-") as folder:
        scratch = Path(folder)
        if isinstance(page, Lesson) and SOLUTIONS in kinds:
            stub = _stub(planned)
            _refuse_changed_stub(page, stub)
            print(f"{page.stem}: generating the cases …")
            texts = {page.cases: generate_cases(page, scratch), page.notebook("exercises"): stub}
        elif isinstance(page, Lesson) and page.cases.exists():
            shutil.copy(page.cases, scratch)
        for kind in kinds:
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
        raise digests.changed_stub(shown)


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
        if page.notebook(folder) in texts:
            kept[relative(page.notebook(folder), page.root)]["made from"] = digests.inputs(page, folder)
    return digests.text(kept)


def parse(content: str, shown: str) -> NotebookNode:
    """Return the notebook in this text; raises AuthoringError where there is none."""
    try:
        notebook = nbformat.reads(content, as_version=4)
        nbformat.validate(notebook)
    except (ValueError, KeyError, AttributeError, TypeError, nbformat.ValidationError):
        raise refuse(shown, None, "this is no notebook. Delete it and build its lesson.") from None
    return notebook


def difference(built: BuiltNotebook, notebook: NotebookNode) -> str:
    """Return what first differs between a notebook and what its source makes, outputs aside; "" for nothing."""
    wanted = built.notebook
    for ours, theirs in zip(wanted.cells, notebook.cells, strict=False):
        same = all(ours[key] == theirs.get(key) for key in ("cell_type", "id", "source", "metadata"))
        if not same:
            line = built.lines[ours.id]
            place = "a generated cell" if line == GENERATED else f"the cell of {built.source.shown}:{line}"
            filled = ours.id in built.written and ours.id == theirs.get("id")
            return f"{place} {'has other numbers or links than the sources make' if filled else 'is another one here'}"
    if len(wanted.cells) != len(notebook.cells):
        return f"it has {len(notebook.cells)} cells, {built.source.shown} makes {len(wanted.cells)}"
    if wanted.metadata != notebook.metadata or (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        return "its metadata are not those that the build writes"
    return ""


def some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


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
