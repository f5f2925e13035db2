"""What the build writes into prose.

{{claim NN.words}} is a claim's figures, {{= expression}} a computed value, {{claims}} a folded table of all claims
that the page fills in, {{literature}} what to read next.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import SupportsFloat

import numpy as np

from authoring.diagnostics import Diagnostic, one_line, stop_on
from authoring.literature import to_read
from authoring.source import NotebookSource, SourceCell
from utils import rooms
from utils.claims import find, records
from utils.claims.definition import Claim
from utils.claims.evaluation import Evaluation, evaluate
from utils.claims.experiment import Experiment
from utils.claims.showing import folded, folded_table, in_prose
from utils.types import Data

FILL = re.compile(
    r"\{\{\s*(?:claim\s+(?P<claim>[^{}]*?)|(?P<all>claims)|(?P<next>literature)|=\s*(?P<value>[^{}]*?))\s*\}\}"
)
CLAIMED = re.compile(r'\bclaimed\(\s*"([^"]+)"')
OPENED = re.compile(r"\{\{\s*(?:claim\b|=)[^\n]*")
DIGITS = 3


def fill(source: NotebookSource) -> NotebookSource:
    """Return the source with every fill of its markdown in place; raises AuthoringError with all that cannot be.

    A cell's rules and records come folded, below its text. A claim that its own record refutes is refused.
    """
    diagnostics: list[Diagnostic] = []
    cells = tuple(_filled(cell, source, diagnostics) if cell.kind == "markdown" else cell for cell in source.cells)
    stop_on(diagnostics)
    return replace(source, cells=cells)


def _filled(cell: SourceCell, source: NotebookSource, diagnostics: list[Diagnostic]) -> SourceCell:
    shown: dict[str, Evaluation] = {}

    def put(match: re.Match) -> str:
        try:
            if match["all"]:
                return folded_table((judged(one) for one in dict.fromkeys(_ids(source))), judged)
            if match["next"]:
                return to_read(source.path.parents[1], source.path.stem[:2])
            if match["claim"] is None:
                return in_words(eval(match["value"], _Room(source.path.stem[:2])))
            return in_prose(shown.setdefault(match["claim"], judged(match["claim"])))
        except Exception as error:  # an expression may raise anything; the author is told where
            line = cell.line + cell.text[: match.start()].count("\n")
            diagnostics.append(source.diagnostic(line, f"{match[0]} cannot be filled: {one_line(str(error))} Mend it."))
            return match[0]

    for match in OPENED.finditer(cell.text):
        if not FILL.match(cell.text, match.start()):
            line = cell.line + cell.text[: match.start()].count("\n")
            wrong = f"{match[0]} cannot be filled: braces stand within, or none at its end. Write format(…), say."
            diagnostics.append(source.diagnostic(line, wrong))
    text = FILL.sub(put, cell.text)
    if shown:
        text = f"{text.rstrip()}\n\n{folded(shown.values())}\n"
    return cell if text == cell.text else replace(cell, text=text.rstrip("\n"), written=cell.written or cell.text)


def judged(claim_id: str) -> Evaluation:
    """Return the claim's verdict on its record; raises UnknownClaim, NoRecord, and ValueError where it is refuted."""
    claim = find(claim_id)
    path = records.FOLDER / f"{claim.experiment.name}.json"
    found = _evaluated(claim, path.read_bytes() if path.exists() else b"")
    if found.verdict == "refuted":
        raise ValueError(f"its record refutes claim {claim_id}: {found.figures}, {claim.claimed}.")
    return found


@cache
def _evaluated(claim: Claim, content: bytes) -> Evaluation:
    """Return the verdict on the record with this content: a page may come after a new one."""
    return evaluate(claim, _read(claim.experiment, content))


@cache
def _read(experiment: Experiment, content: bytes) -> Data:
    return records.fitting(experiment).data


class _Room(dict):
    """The modules of a lesson's room, by name, imported when an expression names them; and ``math``."""

    def __init__(self, number: str) -> None:
        super().__init__(math=math)
        self._number = number

    def __missing__(self, name: str) -> object:
        if (rooms.FOLDER / f"lesson_{self._number}" / f"{name}.py").exists():
            return rooms.module_of(self._number, name)
        raise KeyError(name)  # so that what Python itself knows by this name is found


def in_words(value: str | SupportsFloat) -> str:
    """Return a computed value as it stands in prose: whole numbers in full, others with three digits, text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return f"{value:,}"
    rounded = float(f"{float(value):.{DIGITS}g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else np.format_float_positional(rounded, trim="-")


def _ids(source: NotebookSource) -> Iterator[str]:
    """Yield the ids of the claims that a source's prose fills in, and that its code has in a prediction's answer."""
    for cell in source.cells:
        if cell.kind == "markdown":
            yield from (one for one, _ in filled_ids(cell.text))
        else:
            yield from CLAIMED.findall(cell.text)


def filled_ids(source: str) -> Iterator[tuple[str, int]]:
    """Yield each claim's id that a source's text fills in, with its line."""
    for match in FILL.finditer(source):
        if match["claim"] is not None:
            yield match["claim"], source[: match.start()].count("\n") + 1
