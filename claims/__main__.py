"""The command line: ``python -m claims run`` and ``python -m claims check``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from claims import ClaimsError
from claims.checking import all_claims, check
from claims.code import ROOT
from claims.running import run
from claims.table import table
from utils.claims import records
from utils.claims.definition import Claim, UnknownClaim, load_claims


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 done, 1 a claim is refuted or something is wrong, 2 not done, 130 interrupted."""
    options = _parser().parse_args(arguments)
    try:
        return _check() if options.command == "check" else _run(options)
    except (ClaimsError, UnknownClaim) as error:
        print(f"claims: {error}", file=sys.stderr)
    except OSError as error:
        print(f"claims: stopped ({error}); what is measured is kept, and the same command goes on.", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nclaims: interrupted; what is measured is kept, and the same command goes on.", file=sys.stderr)
        return 130
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m claims", description="Measures the course's claims again.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="compare claims, records and lessons, without measuring")
    run_command = commands.add_parser(
        "run",
        help="measure claims with fresh seeds",
        description="Measures claims with fresh seeds and prints the verdicts; exits 1 where one is refuted. "
        "Interrupted, the same command goes on where it stopped.",
    )
    add = run_command.add_argument
    add("--lesson", type=_lesson, metavar="NN", help="only this lesson's claims")
    add("--only", nargs="+", default=[], metavar="NAME", help="only these claims (01.two-units) or experiments")
    add("--record", action="store_true", help="write what was measured to results/")
    add("--folder", type=Path, default=ROOT / "claims-runs", metavar="DIR", help="where a run is kept (claims-runs)")
    add("--fresh", action="store_true", help="do not go on with an interrupted run, but begin anew")
    return parser


def _lesson(text: str) -> str:
    if not re.fullmatch(r"\d{1,2}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no lesson's number; write it as in 01")
    return text.zfill(2)


def _run(options: argparse.Namespace) -> int:
    claims = list(load_claims(options.lesson).values()) if options.lesson else all_claims()
    claims = _chosen(claims, options.only)
    if not claims:
        print("There are no claims here yet.")
        return 0
    outcome = run(claims, options.folder, fresh=options.fresh, record=options.record)
    print("", table(outcome.judged), sep="\n")
    if options.record:
        print(f"Recorded in {records.FOLDER.name}/: {', '.join(outcome.records) or 'nothing'}.")
    for failure in outcome.failures:
        print(f"claims: {failure}", file=sys.stderr)
    if any(one.verdict == "refuted" for one in outcome.judged):
        return 1
    return 2 if outcome.failures else 0


def _chosen(claims: Sequence[Claim], names: Sequence[str]) -> list[Claim]:
    """Return the claims with these ids or experiments, all of them for no names; raises ClaimsError."""
    known = sorted({name for claim in claims for name in (claim.id, claim.experiment.name)})
    for name in names:
        if name not in known:
            raise ClaimsError(f"there is no claim or experiment {name} here; there are: {', '.join(known) or 'none'}.")
    return [claim for claim in claims if not names or {claim.id, claim.experiment.name} & set(names)]


def _check() -> int:
    problems, listed = check(ROOT)
    for line in [*problems, *listed]:
        print(line)
    if problems:
        return 1
    print(f"Lessons, claims and records fit together. Claims: {len(all_claims())}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
