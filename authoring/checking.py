"""Compares every notebook with its source, without running anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from authoring import digests, page_limits, reference
from authoring.alt_text import check_alt_text
from authoring.answers_below import check_answers_below
from authoring.building import BuildPlan, check_solved, difference, parse, plan, some
from authoring.course import BUILT, SOLUTIONS, Address, Lesson, Page, address, all_pages, chosen_pages, has_solutions
from authoring.diagnostics import AuthoringError, Diagnostic, relative
from authoring.notebook import write_text
from authoring.opening import opening_diagnostics
from authoring.prose_numbers import check_prose_numbers
from authoring.readme import readme_diagnostics
from authoring.unused import unused
from utils.exercises import Exercise, serialization, stored_cases
from utils.rooms import file_of

ROOT = Path(__file__).resolve().parents[1]
WITHOUT_SOLUTIONS = (
    f"There is no folder {SOLUTIONS}/. That stubs and cases are what the solutions make was not checked, only that "
    "they are as they were built, nor that every module of a lesson's room is used."
)


def check(root: Path, number: str | None = None) -> int:
    """Return 0 where all that is built matches its source and keeps the form, else 1.

    Say what each page holds, and what is wrong, or what was checked.
    """
    pages, where = chosen_pages(root, number), address(root)
    recorded = digests.load(root)
    diagnostics = []
    if number is None:
        diagnostics = (
            digests.gone(root, recorded) + orphans(root) + readme_diagnostics(root, where) + reference.diagnostics(root)
        )
        diagnostics += opening_diagnostics(root)
    for page in pages:
        diagnostics += page_diagnostics(page, where, recorded)
    measured = [one for page in pages for one in _measured(page)]
    diagnostics += page_limits.diagnostics(measured)
    for line in [*page_limits.table(measured), "", *map(str, diagnostics)]:
        print(line)
    if diagnostics:
        return 1
    for page in pages:
        for line in possibly_older(page, recorded):
            print(line)
    stems = ", ".join(page.stem for page in pages) or "none yet"
    print(f"Every notebook, stub and cases file matches its source. Pages checked: {stems}.")
    if pages and not has_solutions(root):
        print(WITHOUT_SOLUTIONS)
    return 0


def page_diagnostics(page: Page, where: Address | None, recorded: digests.Digests) -> list[Diagnostic]:
    """Return what does not match in one page, with a lesson's exercises, malformed sources included."""
    try:
        planned = plan(page, where)
    except AuthoringError as error:
        return error.diagnostics
    executed = [one for kind in page.executed for one in _executed_diagnostics(planned, kind, recorded)]
    if not isinstance(page, Lesson):
        return executed
    if not has_solutions(page.root):
        return _changed_diagnostics(page, recorded) + executed
    return _stub_diagnostics(planned) + executed + _cases_diagnostics(page, planned, recorded)


def _measured(page: Page) -> list[page_limits.PageSize]:
    """Return what the page holds; nothing for a notebook that cannot be read, which is told elsewhere."""
    path = page.notebook("notebooks")
    try:
        return [page_limits.measure(page, parse(_read(path) or "", relative(path, page.root)))]
    except AuthoringError:
        return []


def orphans(root: Path) -> list[Diagnostic]:
    """Return the built files that belong to no page, and the modules of rooms and names of utils that nothing uses."""
    pages = all_pages(root)
    lessons = [page for page in pages if isinstance(page, Lesson)]
    belonging = {page.notebook(folder) for page in pages for folder in page.folders}
    belonging |= {lesson.cases for lesson in lessons}
    belonging |= {path for lesson in lessons for path in lesson.room.rglob("*.py")}
    found = [path for folder in BUILT for path in (root / folder).glob("*.ipynb")]
    found += [*(root / "utils" / "exercises" / "cases").glob("*.json"), *(root / "utils").glob("lesson_*/**/*.py")]
    text = "no lesson's source belongs to this file. Delete it, or write its source."
    diagnostics = [Diagnostic(relative(path, root), None, text) for path in sorted(found) if path not in belonging]
    if not has_solutions(root):
        return diagnostics
    diagnostics += [diagnostic for lesson in lessons for diagnostic in _unused(lesson, pages)]
    return diagnostics + (unused(root) if root == ROOT else [])  # a course with fewer lessons uses less


def _unused(lesson: Lesson, pages: Sequence[Page]) -> list[Diagnostic]:
    """Return the modules of the lesson's room that neither its pages nor its exercises nor its claims import."""
    sources = [page.source(folder) for page in pages if page.number == lesson.number for folder in page.executed]
    beginnings = [*sources, lesson.definitions, lesson.room / "__init__.py", file_of(lesson.room, "claims")]
    used = digests.files_of([path for path in beginnings if path and path.exists()], lesson.root)
    text = f"nothing of lesson {lesson.number} imports this file. Delete it, or use it."
    shown = (relative(path, lesson.root) for path in sorted(lesson.room.rglob("*.py")))
    return [Diagnostic(one, None, text) for one in shown if one not in used]


def _stub_diagnostics(planned: BuildPlan) -> list[Diagnostic]:
    lesson, built = planned.page, planned.built["exercises"]
    path = lesson.notebook("exercises")
    shown, content = relative(path, lesson.root), _read(path)
    if content is None:
        return [_missing(lesson, shown)]
    text = f"not what {built.source.shown} makes. Build lesson {lesson.number}; answers belong into work/."
    return [Diagnostic(shown, None, text)] if content != write_text(built.notebook) else []


def _changed_diagnostics(lesson: Lesson, recorded: digests.Digests) -> list[Diagnostic]:
    """Return which of the files that a lesson's solutions make are missing, or not as they were built."""
    diagnostics = []
    for path in (lesson.notebook("exercises"), lesson.cases):
        shown, content = relative(path, lesson.root), _read(path)
        if content is None or recorded.get(shown, {}).get("sha256") != digests.digest(content.encode()):
            text = "missing" if content is None else "changed since it was built"
            advice = "Take it back with `git checkout`; answers belong into work/."
            diagnostics.append(Diagnostic(shown, None, f"{text}. {advice}"))
    return diagnostics


def _executed_diagnostics(planned: BuildPlan, kind: str, recorded: digests.Digests) -> list[Diagnostic]:
    page, built = planned.page, planned.built[kind]
    path = page.notebook(kind)
    shown, content = relative(path, page.root), _read(path)
    again = f"Build lesson {page.number}."
    if content is None:
        return [_missing(page, shown)]
    try:
        notebook = parse(content, shown)
    except AuthoringError as error:
        return error.diagnostics
    if differs := difference(built, notebook):
        return [Diagnostic(shown, None, f"{differs}. {again}")]
    if kind == "solutions" and check_solved(built, notebook, planned.placed):
        return [Diagnostic(shown, None, f"its checks do not show full marks, or a show not its figure. {again}")]
    if recorded.get(shown, {}).get("sha256") != digests.digest(content.encode()):
        return [Diagnostic(shown, None, f"changed since it was built, by hand or by running it. {again}")]
    found = check_alt_text(built, notebook)
    if kind == "notebooks":
        found += check_prose_numbers(built, notebook, page.room) + check_answers_below(built, notebook)
    return found


def _cases_diagnostics(lesson: Lesson, planned: BuildPlan, recorded: digests.Digests) -> list[Diagnostic]:
    shown, content = relative(lesson.cases, lesson.root), _read(lesson.cases)
    again = f"Build lesson {lesson.number}."
    if content is None:
        return [_missing(lesson, shown)]
    if recorded.get(shown, {}).get("sha256") != digests.digest(content.encode()):
        return [Diagnostic(shown, None, f"changed since it was built. {again}")]
    try:
        stored_names = {one: _argument_names(records) for one, records in json.loads(content).items()}
    except (ValueError, KeyError, AttributeError, TypeError, serialization.NotSerializable):
        return [Diagnostic(shown, None, f"this is not what a build writes. {again}")]
    wanted = {one.exercise.id: [one.arguments] for one in planned.placed if isinstance(one.exercise, Exercise)}
    if list(stored_names) != list(wanted):
        text = f"holds cases of {', '.join(stored_names) or 'nothing'}; there should be {', '.join(wanted)}. {again}"
        return [Diagnostic(shown, None, text)]
    return [
        Diagnostic(shown, None, f"the cases of {one} give other arguments than its function takes. {again}")
        for one in wanted
        if stored_names[one] != wanted[one]
    ]


def _argument_names(records: list[dict[str, object]]) -> list[tuple[str, ...]]:
    """Return the different tuples of argument names that these cases give: one, where all is well."""
    return sorted({tuple(stored_cases.case_of(record).given) for record in records})


def possibly_older(page: Page, recorded: digests.Digests) -> list[str]:
    """Return a line for each notebook whose outputs may be older than the code that they came from."""
    lines = []
    for folder in page.executed:
        if changed := digests.changed_inputs(page, folder, recorded):
            shown = relative(page.notebook(folder), page.root)
            lines.append(f"{shown}: its outputs may be older than {some(changed)}. Build it when that matters.")
    return lines


def _read(path: Path) -> str | None:
    """Return the file's text with its own line ends, None where there is no such file."""
    return path.read_bytes().decode("utf-8", errors="replace") if path.exists() else None


def _missing(page: Page, shown: str) -> Diagnostic:
    return Diagnostic(shown, None, f"missing. Build lesson {page.number}.")
