"""Leaves a page's blanks to its reader: what stands between # BEGIN BLANK and # END BLANK is cut, and folded below."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from authoring.diagnostics import Diagnostic
from authoring.source import NotebookSource, SourceCell
from utils.exercises.blanks import CELL

LINE = "If you are stuck: the line"  # the summary of what is folded
MOST_STATEMENTS = 3
_LIKE = re.compile(r"^.*\b(BEGIN|END)[ _-]*BLANK\b.*$", re.IGNORECASE | re.MULTILINE)
_TRIED = re.compile(r'^(\w+) = yours\("(\d\d[a-c]?\.[a-z0-9-]+)"\)', re.MULTILINE)


def left_to_the_reader(source: NotebookSource) -> NotebookSource:
    """Return the source as its page has it: each blank's body is ``...``, and the body is folded in a cell below."""
    cells = [part for cell in source.cells for part in _parts(cell)]
    return replace(source, cells=tuple(cells))


def tried(text: str) -> list[tuple[str, str]]:
    """Return the name and the key of each blank that a cell tries."""
    return _TRIED.findall(text)


def blank_diagnostics(source: NotebookSource) -> list[Diagnostic]:
    """Return the blanks that are not one short function, alone in its cell, which the next cell tries."""
    found = []
    code = [cell for cell in source.cells if cell.kind == "code"]
    for cell, below in zip(code, [*code[1:], None], strict=True):
        if _LIKE.search(cell.text):
            found.append((cell.line, _wrong(cell, below)))
    advice = "CONTRIBUTING.md says how a blank stands."
    return [source.diagnostic(line, f"{wrong}. {advice}") for line, wrong in found if wrong]


def _wrong(cell: SourceCell, below: SourceCell | None) -> str:
    match = CELL.fullmatch(cell.text)
    if match is None or len(_LIKE.findall(cell.text)) != 2:
        return "a blank's cell begins with `# BEGIN BLANK`, ends with `# END BLANK`, and has both once"
    function = _function(match[1])
    if function is None:
        return "between the markers of a blank stands one function with a docstring, and nothing else"
    if not 2 <= len(function.body) <= 1 + MOST_STATEMENTS:
        return f"a blank is one line or two, {MOST_STATEMENTS} statements at most"
    if function.name not in [name for name, _ in tried(below.text if below else "")]:
        return f'the next code cell does not say `{function.name} = yours("NN.word")`'
    return ""


def _function(text: str) -> ast.FunctionDef | None:
    """Return the function with a docstring that the text is, None where it is anything else, or more."""
    body = ast.parse(text).body
    one = body[0] if len(body) == 1 else None
    return one if isinstance(one, ast.FunctionDef) and ast.get_docstring(one) else None


def _parts(cell: SourceCell) -> Iterator[SourceCell]:
    match = CELL.fullmatch(cell.text) if cell.kind == "code" else None
    function = _function(match[1]) if match else None
    if match is None or function is None:
        yield cell
        return
    docstring, lines = function.body[0], match[1].splitlines()
    kept, body = lines[: docstring.end_lineno], "\n".join(lines[docstring.end_lineno :])
    yield replace(cell, text="\n".join([*kept, "    ...  # your turn"]))
    folded = f"<details><summary>{LINE}</summary>\n\n```python\n{body}\n```\n\n</details>"
    yield SourceCell("markdown", folded, cell.line)
