"""The table of a run: one row for each claim, at most 120 columns wide."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from utils.claims.evaluation import Evaluation

WIDTH = 120
HEAD = ("claim", "effect [95 % interval]", "seeds", "claimed", "verdict")
_COUNTED = {"holds": "hold", "open": "open", "refuted": "refuted"}


def table(judged: Sequence[Evaluation]) -> str:
    """Return the verdicts as a table, and below it how many of each there are and what is refuted."""
    lines = [columns([HEAD, *(_row(one) for one in judged)])]
    counts = Counter(one.verdict for one in judged)
    sums = ", ".join(f"{counts[verdict]} {word}" for verdict, word in _COUNTED.items())
    lines += ["", f"{len(judged)} claim{'s' * (len(judged) != 1)}: {sums}."]
    for one in judged:
        if one.verdict == "refuted":
            lines += textwrap.wrap(f"Refuted: {one.claim.id}: {one.claim.says}", WIDTH, subsequent_indent="  ")
    return "\n".join(lines)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as text, below the first of them a line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _row(judged: Evaluation) -> tuple[str, ...]:
    verdict = "REFUTED" if judged.verdict == "refuted" else judged.verdict
    return judged.claim.id, judged.figures, str(judged.seeds), judged.claim.claimed, verdict
