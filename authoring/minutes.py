"""How long a page takes: the minutes beside its headings, or what its sentence on time says."""

from __future__ import annotations

import re

from nbformat import NotebookNode

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^## .*", re.MULTILINE)
_BESIDE = re.compile(r"\((\d+) min\)$")
_TIME = re.compile(r"\*\*Time:\*\*\s+about\s+(.+?)(?:[.,;]|\s+for\b|$)", re.DOTALL)
_NUMBERS = {"an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def headings(prose: str) -> list[str]:
    """Return the headings of sections in the text of a markdown cell."""
    return [heading.rstrip() for heading in _HEADING.findall(_FENCED.sub("", prose))]


def beside(heading: str) -> int | None:
    """Return the minutes that stand beside a heading, as in "## 1 Fold a line (5 min)", None where there are none."""
    match = _BESIDE.search(heading)
    return int(match[1]) if match else None


def minutes(notebook: NotebookNode) -> int | None:
    """Return the sum of the minutes beside a page's headings; where no heading has any, those of its sentence on time.

    The sentence is of the form "**Time:** about two and a half hours"; None where there is none, either.
    """
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    known = [found for text in prose for heading in headings(text) if (found := beside(heading)) is not None]
    if known:
        return sum(known)
    said = _TIME.search("\n".join(prose))
    return in_minutes(" ".join(said[1].split())) if said else None


def in_minutes(words: str) -> int | None:
    """Return the minutes of "90 minutes", "an hour", "two and a half hours" or "an hour and a half", else None."""
    if match := re.fullmatch(r"(\d+) minutes", words):
        return int(match[1])
    if words == "half an hour":
        return 30
    number = "|".join(_NUMBERS)
    match = re.fullmatch(rf"({number}|\d+)( and a half)? hours?( and a half)?", words)
    if match is None:
        return None
    hours = _NUMBERS.get(match[1]) or int(match[1])
    return 60 * hours + 30 * bool(match[2] or match[3])
