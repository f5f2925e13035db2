"""How a lesson shows a claim: its figures in a sentence, and folded below what is measured and claimed."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable

from utils.claims.definition import ID, RANGE_SET, find
from utils.claims.evaluation import Evaluation, evaluate
from utils.claims.records import recorded
from utils.types import Data


def claimed(claim_id: str, data: Data | None = None) -> str:
    """Return what `in_prose` says of a claim, for a prediction's answer: of its record, or of ``data`` measured here.

    Raises UnknownClaim, NoRecord where there are neither data nor a record, and
    ValueError for data that are not those of the claim's experiment.
    """
    claim = find(claim_id)
    return in_prose(evaluate(claim, recorded(claim.experiment.name) if data is None else data))


def in_prose(judged: Evaluation) -> str:
    """Return what stands in a sentence for the claim: its effect, rounded, and whether it is settled.

    The interval is folded, and in the table.
    """
    return judged.effect.rounded + (f" ({judged.unsettled})" if judged.unsettled else "")


def folded(shown: Iterable[Evaluation]) -> str:
    """Return what is folded below these claims' sentences, as HTML: what is measured, with its interval, the range
    claimed, when it was set, the record.
    """
    items = [
        f"<li><b>{one.claim.id}</b> {html.escape(f'{one.claim.of}: {one.figures}, {one.seeds} seeds')}; "
        f"{html.escape(one.claim.claimed)}; {RANGE_SET[one.claim.range_set]}; "
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
            rows.append(f'<tr><td></td><td colspan="2">against it: {html.escape(tried)}</td></tr>')
    head = "<details><summary>All claims of this page</summary>"
    said = "<p>With 95 % intervals. A claim whose interval leaves its range is not settled.</p><table>"
    return "\n".join([head, said, *rows, "</table></details>"])
