"""How a lesson shows a claim: the sentence, the figures behind it, and what would refute it."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Iterable

from utils.claims.definition import ID, find
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
    """Return what is folded below these claims' sentences, as HTML: what is measured, the range claimed, the record."""
    items = [
        f"<li><b>{one.claim.id}</b> {html.escape(f'{one.claim.of}: {one.claim.claimed}')}; "
        f"results/{one.claim.experiment.name}.json</li>"
        for one in shown
    ]
    return "\n".join(["<details><summary>measured how?</summary><ul>", *items, "</ul></details>"])


def folded_table(shown: Iterable[Evaluation], judge: Callable[[str], Evaluation]) -> str:
    """Return a table of claims, folded, as HTML: each with its figures, its seeds and its mirror control.

    ``judge`` gives the figures of the claims that a mirror control names, which may stand on other pages.
    """
    rows = []
    for one in shown:
        cells = one.claim.id, html.escape(one.figures), f"{one.seeds} seeds"
        rows.append(f"<tr><td>{'</td><td>'.join(cells)}</td></tr>")
        if one.claim.tried:
            tried = ID.sub(lambda match: f"{match[0]} ({judge(match[0]).figures})", one.claim.tried)
            rows.append(f'<tr><td></td><td colspan="2">tried against it: {html.escape(tried)}</td></tr>')
    head = "<details><summary>All claims of this page</summary>"
    said = "<p>With 95 % intervals. A claim is refuted where the 99.9 % interval lies outside of its range.</p><table>"
    return "\n".join([head, said, *rows, "</table></details>"])


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
