"""Whether claims, records and lessons fit together, without measuring anything."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from authoring.filling import filled_ids
from utils.claims import records
from utils.claims.definition import Claim, experiments_of, lessons_with_claims, load_claims
from utils.claims.evaluation import evaluate


def check(root: Path) -> tuple[list[str], list[str]]:
    """Return what is wrong, and what is only to be listed: missing records, and claims that a record leaves open."""
    claims = all_claims()
    experiments = experiments_of(claims)
    shown, problems = shown_ids(root)
    known = {claim.id for claim in claims}
    shown |= {
        one: f"beside {claim.id}" for claim in claims if claim.id in shown for one in claim.named if one not in shown
    }  # a page's table has a mirror control's figures
    problems += [f"{place}: there is no claim {one}" for one, place in shown.items() if one not in known]
    problems += [f"claim {claim.id}: no lesson shows it" for claim in claims if claim.id not in shown]
    problems += [
        f"claim {claim.id}: its mirror control names {one}, which does not exist"
        for claim in claims
        for one in claim.named
        if one not in known
    ]
    problems += [
        f"claim {claim.id} says that one thing leads another. Say in `tried` how you tried to break that"
        for claim in claims
        if claim.leads and not claim.tried
    ]
    for path in sorted(records.FOLDER.glob("*.json")):
        if path.stem not in experiments:
            problems.append(f"results/{path.name}: no claim rests on an experiment {path.stem}")
    listed: list[str] = []
    for experiment in experiments.values():
        of_it = [claim for claim in claims if claim.experiment == experiment]
        if (records.FOLDER / f"{experiment.name}.json").exists():
            _judge(of_it, problems, listed)
        else:
            again = f"`make claims LESSON={experiment.name[:2]} RECORD=yes`"
            listed.append(f"results/{experiment.name}.json: not recorded yet; {again} measures and records it")
    return problems, listed


def all_claims() -> list[Claim]:
    """Return the claims of all lessons, in order."""
    return [claim for number in lessons_with_claims() for claim in load_claims(number).values()]


def shown_ids(root: Path) -> tuple[dict[str, str], list[str]]:
    """Return the ids that the lessons' sources show, with one place of each, and the calls that name none."""
    found: dict[str, str] = {}
    problems = []
    for path in sorted((root / "notebooks").glob("*.py")):
        for one, line in filled_ids(path.read_text(encoding="utf-8")):
            found.setdefault(one, f"{path.relative_to(root).as_posix()}:{line}")
        for call in _calls(path):
            place = f"{path.relative_to(root).as_posix()}:{call.lineno}"
            if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
                found.setdefault(call.args[0].value, place)
            else:
                problems.append(f'{place}: claimed needs the id itself first, as in claimed("01.two-units")')
    return found, problems


def _calls(path: Path) -> Sequence[ast.Call]:
    """Return the calls of `claimed` in a lesson's source, by whatever name its module is imported."""
    calls = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "claimed"]


def _judge(claims: Sequence[Claim], problems: list[str], listed: list[str]) -> None:
    """Add what there is to say about the record of these claims' one experiment, and about them on it."""
    try:
        data = records.fitting(claims[0].experiment).data
    except records.NoRecord as error:
        problems.append(str(error))
        return
    for claim in claims:
        try:
            one = evaluate(claim, data)
        except ValueError as error:
            problems.append(str(error))
            continue
        said = f"claim {claim.id}: {one.figures} on its record, {claim.claimed}: {one.verdict}"
        {"refuted": problems, "open": listed}.get(one.verdict, []).append(said)
