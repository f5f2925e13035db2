"""Tables for people, that no spreadsheet takes for programs."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grading.names import UNPRINTABLE, readable, without_ends

_ESCAPE_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
_SEPARATORS = frozenset(',;\t|\n\r"')  # of cells: which of them counts is another one in every country's spreadsheet
# What begins a formula, on East Asian keyboards, too; behind apostrophes, so that each of ours can be taken off again.
_FORMULA = re.compile("'*[=+@|%\uff1d\uff0b\uff0d\uff20-]")


def clean(text: str) -> str:
    """Return text as it would look on a terminal in the end: no escape sequences, no overwritten progress bars."""
    text = _ESCAPE_SEQUENCES.sub("", text).replace("\r\n", "\n")
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = re.sub(f"[{UNPRINTABLE}]", "\N{REPLACEMENT CHARACTER}", text)
    return text.encode("utf-8", "replace").decode("utf-8")


def harmless(text: str) -> str:
    """Return text of which no spreadsheet takes a part for a formula: with an apostrophe wherever one could begin."""
    return "".join(f"'{one}" if starts and _FORMULA.match(text, at) else one for at, one, starts in _starts(text))


def meant(cell: str) -> str:
    """Return the text that ``harmless`` made this cell of."""
    return "".join(
        "" if starts and one == "'" and _FORMULA.match(cell, at + 1) else one for at, one, starts in _starts(cell)
    )


def _starts(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each character's place, the character, and whether a cell could start there, white space aside."""
    starts = True
    for at, one in enumerate(text):
        yield at, one, starts
        starts = one in _SEPARATORS or (starts and one.isspace())


class Roll:
    """The names of a class, each in its normal form: finds whom a cell of a table means."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._alike: dict[str, list[str]] = {}
        for name in self._names:
            self._alike.setdefault(without_ends(name), []).append(name)

    def exact(self, text: str) -> str | None:
        """Return the name that is written as it was handed in, or as our pages and tables show it, else None."""
        shown = unicodedata.normalize("NFC", text)
        return next((name for name in (readable(text), shown, meant(shown)) if name in self._names), None)

    def find(self, text: str) -> str | None:
        """Return the name that is meant, None where that is nobody's or more than one's.

        Where nobody is called exactly so, white space at the ends does not count: what people type loses and gains it.
        """
        exact, alike = self.exact(text), self._alike.get(without_ends(readable(text)), [])
        return alike[0] if exact is None and len(alike) == 1 else exact


def line(text: str) -> str:
    """Return text as one harmless line."""
    return harmless(clean(text).replace("\n", " ").replace("\t", " "))


def number(value: float | None) -> str:
    """Return a number in as few digits as it needs, "" for None."""
    return "" if value is None else f"{value:g}"


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return a table as CSV, each cell in quotes: no semicolon within is a separator, whatever the country's is."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
