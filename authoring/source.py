"""Reads a py:percent source into cells that know their line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from authoring.diagnostics import Diagnostic, refuse, relative, stop_on
from utils.exercises import cells as recognise

if TYPE_CHECKING:
    from nbformat import NotebookNode

PERCENT = {"extension": ".py", "format_name": "percent"}
_MARKER = re.compile(r"""# %%( tags=\["idea"\]| \[markdown\]( tags=\["aha"\])?)?""")
_BLOCK = 'r"""'


@dataclass(frozen=True)
class SourceCell:
    """One cell of a source: ``kind`` is "markdown" or "code", ``line`` that of its text's first line.

    ``written`` is the text before the build filled it in, "" where there was nothing to fill in. ``tags`` are
    those of its marker: ("idea",) on code, ("aha",) on the markdown of a heading.
    """

    kind: str
    text: str
    line: int
    written: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotebookSource:
    """A source that was read: ``shown`` is its path from the course's root, for messages."""

    path: Path
    shown: str
    text: str
    cells: tuple[SourceCell, ...]

    def diagnostic(self, line: int, text: str) -> Diagnostic:
        """Return a diagnostic at this line of the source."""
        return Diagnostic(self.shown, line, text)


def read_source(path: Path, root: Path) -> NotebookSource:
    """Return the source at ``path``; raises AuthoringError, with every line that is malformed."""
    shown, text = relative(path, root), text_of(path, root)
    lines = text.splitlines()
    read = _read_cells(lines)
    starts = [start for start, _ in read]
    stop_on(_marker_diagnostics(shown, lines, starts))
    stop_on(_syntax_diagnostics(shown, text))
    cells = tuple(
        SourceCell(cell.cell_type, cell.source, _first_line(lines, start), tags=tuple(cell.metadata.get("tags", ())))
        for start, cell in read
    )
    source = NotebookSource(path, shown, text, cells)
    stop_on(_cell_diagnostics(source, starts) + _shape_diagnostics(source))
    return source


def text_of(path: Path, root: Path) -> str:
    """Return the text of the source at ``path``; raises AuthoringError where there is none."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors of Windows write a byte order mark
    except FileNotFoundError:
        raise refuse(relative(path, root), None, "missing. Write it, or take it back from git.") from None
    except UnicodeDecodeError:
        raise refuse(relative(path, root), None, "this is not UTF-8 text. Save it in that encoding.") from None


def code_cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield each code cell in the text of a source that a build reads without complaint, with its first line's number.

    Marking needs no more of it, and is spared jupytext, which takes half a second to load.
    """
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("# %%")]
    for start, end in pairwise([*starts, len(lines)]):
        if "[markdown]" not in lines[start]:
            yield start + 2, "\n".join(lines[start + 1 : end]).rstrip("\n")


def _read_cells(lines: list[str]) -> list[tuple[int, NotebookNode]]:
    """Return each cell as jupytext reads it, with the index of its first line, which its `reads` does not keep."""
    from jupytext.cell_reader import DoublePercentScriptCellReader  # here, since it takes half a second

    found, at = [], 0
    while at < len(lines):
        cell, length = DoublePercentScriptCellReader(PERCENT).read(lines[at:])
        found.append((at, cell))
        at += length
    return found


def _marker_diagnostics(shown: str, lines: list[str], starts: list[int]) -> list[Diagnostic]:
    tags = 'tags=["idea"] for code, tags=["aha"] for markdown'
    text = f"a cell begins with `# %%` or `# %% [markdown]` and nothing else, or with {tags} behind it. Mend this line."
    if not starts:
        return [Diagnostic(shown, None, "the file is empty. A source begins with a markdown cell, the title.")]
    return [Diagnostic(shown, start + 1, text) for start in starts if not _MARKER.fullmatch(lines[start])]


def _syntax_diagnostics(shown: str, text: str) -> list[Diagnostic]:
    try:
        ast.parse(text)
    except SyntaxError as error:
        advice = "Mend it; magics are written as comments, such as `# %timeit f(x)`."
        return [Diagnostic(shown, error.lineno, f"this is not valid Python ({error.msg}). {advice}")]
    return []


def _first_line(lines: list[str], start: int) -> int:
    """Return the number of the first line of text in the cell whose marker has index ``start``."""
    after = range(start + 1, len(lines))
    return next((at + 1 for at in after if lines[at].strip() not in ("", _BLOCK)), start + 1)


def _cell_diagnostics(source: NotebookSource, starts: list[int]) -> list[Diagnostic]:
    """Return the cells that are empty, and markdown that is no r-block: without the r a formula's \\ is eaten."""
    lines, diagnostics = source.text.splitlines(), []
    for cell, start in zip(source.cells, starts, strict=True):
        if not cell.text.strip():
            diagnostics.append(source.diagnostic(start + 1, "this cell is empty. Remove it."))
        elif cell.kind == "markdown" and lines[start + 1] != _BLOCK:
            text = 'a markdown cell is one block from r""" to """. Write it so.'
            diagnostics.append(source.diagnostic(start + 1, text))
        elif "aha" in cell.tags and not cell.text.startswith("## "):
            text = "the tag aha is that of a heading, but this cell does not begin with `## `. Move the tag there."
            diagnostics.append(source.diagnostic(start + 1, text))
    return diagnostics


def _shape_diagnostics(source: NotebookSource) -> list[Diagnostic]:
    diagnostics, first = [], source.cells[0]
    if first.kind != "markdown" or not first.text.startswith("# "):
        diagnostics.append(source.diagnostic(first.line, "the first cell is not a title. Begin with markdown, `# …`."))
    code = next((cell for cell in source.cells if cell.kind == "code"), None)
    if code is None:
        diagnostics.append(source.diagnostic(first.line, "there is no code cell. Add one that begins with `# set-up`."))
    elif not recognise.is_set_up(code.text):
        text = "the first code cell is not the set-up. Let its first line begin with `# set-up`."
        diagnostics.append(source.diagnostic(code.line, text))
    return diagnostics
