"""Cuts what stands between # BEGIN SOLUTION and # END SOLUTION, strictly."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from authoring.source import SourceCell

_LINE = re.compile(r"( *)# (BEGIN|END) SOLUTION")
_LIKE = re.compile(r"\b(BEGIN|END)[ _-]*SOLUTIONS?\b", re.IGNORECASE)
Complaint = tuple[int, str]


@dataclass(frozen=True)
class Cut:
    """The lines of a cell's text from ``begin`` to ``end``, both markers included, and their indentation."""

    begin: int
    end: int
    indent: str


def marker_lines(cell: SourceCell) -> list[int]:
    """Return the numbers, in the source, of the lines that are markers or look like markers."""
    return [cell.line + at for at, line in enumerate(cell.text.splitlines()) if _LIKE.search(line)]


def find_cut(cell: SourceCell, function: ast.FunctionDef) -> tuple[Cut | None, list[Complaint]]:
    """Return what is to be cut out of this function, or None with complaints: pairs of source line and text.

    ``function`` is one with a docstring, parsed from the cell's text.
    """
    lines = cell.text.splitlines()
    malformed = [at for at, line in enumerate(lines) if _LIKE.search(line) and not _LINE.fullmatch(line)]
    if malformed:
        text = "a marker is a line of its own, `# BEGIN SOLUTION` or `# END SOLUTION`. Mend this line."
        return None, [(cell.line + at, text) for at in malformed]
    found = [(at, match[1], match[2]) for at, line in enumerate(lines) if (match := _LINE.fullmatch(line))]
    complaint = _pairing(cell.line, function, found)
    if complaint:
        return None, [complaint]
    (begin, indent, _), (end, end_indent, _) = found
    cut = Cut(begin, end, indent)
    complaint = _place(cell, function, cut, end_indent)
    return (None, [complaint]) if complaint else (cut, [])


def _pairing(first: int, function: ast.FunctionDef, found: list[tuple[int, str, str]]) -> Complaint | None:
    """Return the complaint about markers that are not one BEGIN followed by one END."""
    if not found:
        text = f"{function.name} has no `# BEGIN SOLUTION` and `# END SOLUTION`. Mark its solution."
        return first + function.lineno - 1, text
    open_at = None
    for count, (at, _, word) in enumerate(found):
        if word == "BEGIN" and open_at is not None:
            text = f"`# BEGIN SOLUTION` within the one of line {first + open_at}."
            return first + at, f"{text} Keep one pair of markers."
        if word == "END" and open_at is None:
            return first + at, "`# END SOLUTION` without its `# BEGIN SOLUTION`. Add it, or remove this line."
        if count > 1:
            return first + at, f"a second solution in {function.name}. Keep one pair of markers."
        open_at = at if word == "BEGIN" else None
    if open_at is not None:
        return first + open_at, "`# BEGIN SOLUTION` is never closed. Add `# END SOLUTION` in the same function."
    return None


def _place(cell: SourceCell, function: ast.FunctionDef, cut: Cut, end_indent: str) -> Complaint | None:
    """Return the complaint about a pair of markers that does not enclose statements of the function's body."""
    begin = cell.line + cut.begin
    between = cell.text.splitlines()[cut.begin + 1 : cut.end]
    if all(not line.strip() or line.lstrip().startswith("#") for line in between):
        return begin, "there is nothing between the markers. Write the solution there."
    if not (_end(function.body[0]) - 1 < cut.begin < _end(function) and cut.indent):
        text = f"the solution is marked outside the body of {function.name}."
        return begin, f"{text} Move the markers below its docstring."
    if cut.indent != end_indent:
        return cell.line + cut.end, "`# END SOLUTION` is not indented as its `# BEGIN SOLUTION`. Align the two."
    try:
        ast.parse(cut_text(cell, cut, ""))
    except SyntaxError:
        text = "what is left without the solution is not valid Python."
        return begin, f"{text} Let the markers enclose whole statements, and align them."
    return None


def _end(statement: ast.stmt) -> int:
    """Return the number of a statement's last line, which whatever was parsed has."""
    return statement.end_lineno or statement.lineno


def cut_text(cell: SourceCell, cut: Cut, exercise_id: str) -> str:
    """Return the cell's text with the solution replaced by the error that says "not started"."""
    lines = cell.text.splitlines()
    lines[cut.begin : cut.end + 1] = [f'{cut.indent}raise NotImplementedError("exercise {exercise_id}")']
    return "\n".join(lines)
