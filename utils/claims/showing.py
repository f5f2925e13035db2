"""How a lesson shows a claim: the sentence, the figures behind it, and what would refute it."""

from __future__ import annotations

import textwrap

from utils.claims.definition import LEAST_SEEDS, find
from utils.claims.records import recorded
from utils.claims.verdict import Judged, judge
from utils.types import Data

WIDTH = 100
_DOUBTS = {
    "open": "OPEN: the 95 % interval of these seeds is not within the claimed range.",
    "refuted": "REFUTED by these seeds: the 99.9 % interval lies outside the claimed range.",
}


def show_claim(claim_id: str, data: Data | None = None) -> None:
    """Print the claim with its effect, from ``data`` that the notebook measured or else from results/.

    A verdict is printed where the claim does not hold. Raises UnknownClaim, NoRecord where there are neither
    data nor a record, and ValueError for data that are not those of the claim's experiment.
    """
    claim = find(claim_id)
    judged = judge(claim, recorded(claim.experiment.name) if data is None else data)
    print(text(judged, live=data is not None))


def text(judged: Judged, *, live: bool) -> str:
    """Return what `show_claim` prints: three lines, or four with a verdict, each wrapped at 100 characters."""
    claim, seeds = judged.claim, f"{judged.seeds} seed{'s' * (judged.seeds != 1)}"
    source = f"{seeds}, measured in this notebook" if live else f"recorded, {seeds}"
    few = "" if judged.seeds >= LEAST_SEEDS else f"; fewer than {LEAST_SEEDS} seeds cannot refute it"
    lines = [
        f"Claim {claim.id}: {claim.says}",
        f"  {claim.of}: {claim.statistic} {judged.figures} (95 %; {source})",
        f"  {claim.refuted_if}{few}",
    ]
    if judged.verdict in _DOUBTS:
        lines.append(f"  {_DOUBTS[judged.verdict]}")
    wrap = textwrap.TextWrapper(WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrap.fill(line) for line in lines)
