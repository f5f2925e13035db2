"""Files for people: tables that no spreadsheet takes for programs, written whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grading.names import UNPRINTABLE

_ESCAPE_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
_PROGRAM = tuple("=+-@|%'")  # what a cell may not begin with; the apostrophe, so that the first one can be taken off


def clean(text: str) -> str:
    """Return text as it would look on a terminal in the end: no escape sequences, no overwritten progress bars."""
    text = _ESCAPE_SEQUENCES.sub("", text).replace("\r\n", "\n")
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    text = re.sub(f"[{UNPRINTABLE}]", "\N{REPLACEMENT CHARACTER}", text)
    return text.encode("utf-8", "replace").decode("utf-8")


def harmless(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: with an apostrophe before it where need be."""
    return f"'{text}" if text.lstrip().startswith(_PROGRAM) or text[:1].isspace() else text


def meant(cell: str) -> str:
    """Return the text that ``harmless`` made this cell of."""
    rest = cell.removeprefix("'")
    return rest if rest != cell and harmless(rest) == cell else cell


def line(text: str) -> str:
    """Return text as one harmless line."""
    return harmless(clean(text).replace("\n", " ").replace("\t", " "))


def number(value: float | None) -> str:
    """Return a number in as few digits as it needs, "" for None."""
    return "" if value is None else f"{value:g}"


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def replace_file(path: Path, text: str, *, private: bool = False) -> None:
    """Write the file beside its place first, so that nobody ever reads half of it; ``private``: for its owner only."""
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
