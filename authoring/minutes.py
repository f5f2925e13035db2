"""How long a page takes: the minutes beside its headings."""

from __future__ import annotations

import re

from nbformat import NotebookNode

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^## .*", re.MULTILINE)
_BESIDE = re.compile(r"\((\d+) min\)$")


def headings(prose: str) -> list[str]:
    """Return the headings of sections in the text of a markdown cell."""
    return [heading.rstrip() for heading in _HEADING.findall(_FENCED.sub("", prose))]


def beside(heading: str) -> int | None:
    """Return the minutes that stand beside a heading, as in "## 1 Fold a line (5 min)", None where there are none."""
    match = _BESIDE.search(heading)
    return int(match[1]) if match else None


def minutes(notebook: NotebookNode) -> int | None:
    """Return the sum of the minutes beside a page's headings, None where no heading has any."""
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    known = [found for text in prose for heading in headings(text) if (found := beside(heading)) is not None]
    return sum(known) if known else None


def title(notebook: NotebookNode) -> str | None:
    """Return the title of a built page, None where it has none."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1] if found else None


def exercise_minutes(notebook: NotebookNode) -> int:
    """Return the sum of the minutes that a notebook of exercises says, below its title, that they take."""
    title = next(cell.source for cell in notebook.cells if cell.source.startswith("# "))
    return sum(map(int, re.findall(r"\babout\s+(\d+)\s+minutes\b", title)))
