"""Makes notebooks from sources: generated cells, deterministic ids, minimal metadata. Nothing runs here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from authoring import links
from authoring.blanks import left_to_the_reader
from authoring.course import Address
from authoring.exercise_cells import PlacedExercise
from authoring.set_up import set_up
from authoring.solution_markers import cut_text
from authoring.source import NotebookSource, SourceCell
from utils.exercises import FreeText, cells, checking

if TYPE_CHECKING:
    from nbformat import NotebookNode

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
GENERATED = 1  # the line of cells that no source has; those of a source come after its first marker
WRITE_HERE = "*Write your answer here.*"
WHEN_SOLVED = "When solved: "  # a tick without it is one's own
STUB_NOTE = (
    "Below each check stands what it says **when it is solved**. "
    "Run the check, and it says how far your own answer is. A `NameError` there means that you have not run the set-up "
    "cells, or the answer's own cell.\n\n"
    "Marking takes your function, and what it needs from all cells of this notebook. It has no files or packages of "
    "your own; if a check sees that you use one, it says so."
)


@dataclass(frozen=True)
class BuiltNotebook:
    """A notebook made from a source; ``lines`` maps each cell's id to its line there (generated cells: GENERATED).

    ``written`` has, by id, what stands in the source where the build has filled something in.
    """

    source: NotebookSource
    notebook: NotebookNode
    lines: dict[str, int]
    written: dict[str, str] = field(default_factory=dict)


def build_notebook(
    source: NotebookSource, where: Address | None, around: tuple[str, str] | None = None
) -> BuiltNotebook:
    """Return the notebook of a page or a solution, not executed, with the links ``around`` it, its head and foot."""
    return _assemble(source, left_to_the_reader(source).cells, where, around, source.path.parent.name)


def build_stub(
    source: NotebookSource,
    placed: Sequence[PlacedExercise],
    where: Address | None,
    around: tuple[str, str] | None = None,
) -> BuiltNotebook:
    """Return the exercise notebook: solutions cut, and under each check what a solved exercise prints."""
    from nbformat import v4

    parts = list(source.cells)
    for one in placed:
        cell = parts[one.answer]
        parts[one.answer] = replace(cell, text=_unanswered(cell, one))
    parts.insert(1, SourceCell("markdown", STUB_NOTE, GENERATED))
    built = _assemble(source, parts, where, around, "exercises")
    expected = {one.exercise.id: expected_text(one) for one in placed}
    for cell in built.notebook.cells:
        call = cells.call(cell.source) if cell.cell_type == "code" else None
        if call and call[0] == "check":
            cell.outputs = [v4.new_output("stream", name="stdout", text=WHEN_SOLVED + expected[call[1]])]
    return built


def expected_text(placed: PlacedExercise) -> str:
    """Return what the check of a solved exercise prints, its last newline included."""
    exercise = placed.exercise
    if isinstance(exercise, FreeText):
        return checking.pending_text(exercise) + "\n"
    return checking.full_marks_text(exercise) + "\n"


def _unanswered(cell: SourceCell, placed: PlacedExercise) -> str:
    if placed.cut is None:
        return f"{cell.text.splitlines()[0]}\n\n{WRITE_HERE}"
    return cut_text(cell, placed.cut, placed.exercise.id)


def _assemble(
    source: NotebookSource,
    parts: Iterable[SourceCell],
    where: Address | None,
    around: tuple[str, str] | None,
    folder: str,
) -> BuiltNotebook:
    """Return a notebook of these cells, with links at head and foot and the generated set-up before the first code.

    It lies in ``folder``.
    """
    from nbformat import from_dict, v4  # here, so that who marks a class does not wait for it

    parts = [*parts]
    if around:
        head, foot = (SourceCell("markdown", text, GENERATED, tags=(links.TAG,)) for text in around)
        parts = [head, *parts, foot]
    first_code = next(at for at, cell in enumerate(parts) if cell.kind == "code")
    parts.insert(first_code, SourceCell("code", set_up(where), GENERATED))
    notebook = v4.new_notebook(metadata=from_dict(METADATA))
    lines, written = {}, {}
    seen: dict[tuple[str, str], int] = {}
    for cell in parts:
        content = (cell.kind, cell.written or cell.text)
        seen[content] = seen.get(content, 0) + 1
        text = links.published(cell.text, folder, where) if cell.kind == "markdown" else cell.text
        one = cell_id(*content, seen[content])
        make = v4.new_markdown_cell if cell.kind == "markdown" else v4.new_code_cell
        notebook.cells.append(make(text, id=one, metadata={"tags": list(cell.tags)} if cell.tags else {}))
        lines[one] = cell.line
        if cell.written:
            written[one] = cell.written
    return BuiltNotebook(source, notebook, lines, written)


def cell_id(kind: str, text: str, occurrence: int) -> str:
    """Return a cell's id: from its own text alone, so that neither a new cell nor a new record changes it."""
    return hashlib.sha256(f"{kind} {occurrence}\n{text}".encode()).hexdigest()[:12]


def write_text(notebook: NotebookNode) -> str:
    """Return the file's text; raises nbformat.ValidationError for a notebook that breaks the format."""
    import nbformat

    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"
