"""How a lesson shows a claim: the sentence, the figures behind it, and what would refute it."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable

from utils.claims.definition import find
from utils.claims.evaluation import Evaluation, evaluate
from utils.claims.experiment import LEAST_SEEDS
from utils.claims.records import recorded
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
    judged = evaluate(claim, recorded(claim.experiment.name) if data is None else data)
    print(text(judged, live=data is not None))


def in_prose(judged: Evaluation) -> str:
    """Return what stands in a sentence for the claim: its figures and how many seeds they are from."""
    doubt = "" if judged.verdict == "holds" else f", {judged.verdict}"
    return f"{judged.figures}, {judged.seeds} seeds{doubt}"


def folded(shown: Iterable[Evaluation]) -> str:
    """Return what is folded below these claims' sentences, as HTML: what each is, by which rule, and its record."""
    items = []
    for one in shown:
        claim, record = one.claim, f"results/{one.claim.experiment.name}.json"
        rule = f"{claim.of}: {claim.statistic}; {claim.refuted_if}; {record}"
        items.append(f"<li><b>{claim.id}</b> {html.escape(claim.says)} ({html.escape(rule)})</li>")
    head = "<details><summary>measured how? (with 95 % intervals)</summary><ul>"
    return "\n".join([head, *items, "</ul></details>"])


def folded_table(shown: Iterable[Evaluation]) -> str:
    """Return a table of claims, folded, as HTML: each with its figures and its seeds."""
    cells = ((one.claim.id, html.escape(one.figures), f"{one.seeds} seeds") for one in shown)
    rows = [f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in cells]
    head = "<details><summary>All claims of this page</summary><table>"
    return "\n".join([head, *rows, "</table></details>"])


def text(judged: Evaluation, *, live: bool) -> str:
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
