"""How long a page takes: the minutes beside its headings."""

from __future__ import annotations

import re
from dataclasses import dataclass

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


@dataclass(frozen=True)
class ExerciseParts:
    """What a notebook of exercises says of itself below its title: ``points`` and ``minutes`` of those of the path.

    They come first in it; ``further`` are the minutes of all others.
    """

    points: int = 0
    minutes: int = 0
    further: int = 0

    def __str__(self) -> str:
        """Return the minutes in words."""
        return f"{self.minutes} min" + (f", and {self.further} min for more" if self.further else "")


def exercise_parts(notebook: NotebookNode) -> ExerciseParts:
    """Return what a notebook of exercises says of itself."""
    title = next(cell.source for cell in notebook.cells if cell.source.startswith("# "))
    parts = re.findall(r"\b(\d+)\s+points\s+and\s+about\s+(\d+)\s+minutes\b", title)
    (points, path), (_, further), *_ = [*(map(int, part) for part in parts), (0, 0), (0, 0)]
    return ExerciseParts(points, path, further)
