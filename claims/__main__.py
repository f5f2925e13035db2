"""The command line: ``python -m claims run``, ``verify`` and ``check``."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import sys
from pathlib import Path

from tqdm import tqdm

from claims import ClaimsError
from claims.checking import all_claims, check
from claims.running import failure, run
from claims.table import columns, table
from claims.verifying import ABSOLUTE, HEAD, RELATIVE, TIMES, verify
from cluster import Cluster, ClusterError
from cluster.processes import Processes
from cluster.provenance import ROOT
from utils.claims import records
from utils.claims.definition import Claim, UnknownClaim, experiments_of, load_claims

_KEPT = {"run": "; what is measured is kept, and the same command goes on from there", "verify": "", "check": ""}


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 done, 1 a claim is refuted or something is wrong, 2 not done, 130 interrupted."""
    options = _parser().parse_args(arguments)
    try:
        return {"check": _check, "run": _run, "verify": _verify}[options.command](options)
    except (ClaimsError, UnknownClaim) as error:
        print(f"claims: {error}", file=sys.stderr)
    except ClusterError as error:
        print(f"claims: {error} What is measured is kept, and the same command goes on.", file=sys.stderr)
    except OSError as error:
        print(f"claims: stopped ({error}){_KEPT[options.command]}.", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"\nclaims: interrupted{_KEPT[options.command]}.", file=sys.stderr)
        return 130
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m claims", description="Measures the course's claims again.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="compare claims, records and lessons, without measuring")
    run_command = commands.add_parser(
        "run",
        help="measure claims with fresh seeds",
        description="Measures claims with fresh seeds, enough of them to refute a claim, and prints the verdicts. "
        "Exits with 1 if a claim is refuted. If it is interrupted, the same command goes on where it stopped.",
    )
    verify_command = commands.add_parser(
        "verify",
        help="measure one recorded seed of each experiment again",
        description="Measures one recorded seed of each experiment again, drawn at random, and compares all its "
        "numbers with the record's. Exits with 1 if one differs.",
    )
    for command in (run_command, verify_command):
        command.add_argument("--lesson", type=_lesson, metavar="NN", help="only this lesson's claims")
        command.add_argument(
            "--only",
            nargs="+",
            default=[],
            metavar="NAME",
            help="only these claims, such as 01.two-units, or experiments",
        )
    add = run_command.add_argument
    add("--record", action="store_true", help="measure as many seeds as a record has, and write it to results/")
    add(
        "--folder",
        type=Path,
        default=ROOT / "claims-runs",
        metavar="DIR",
        help="where a run is kept; default: claims-runs",
    )
    add(
        "--workers",
        type=_count,
        nargs="?",
        const=os.cpu_count() or 1,
        default=1,
        metavar="N",
        help="measure in N processes, each on one core; without a number, one process for each core",
    )
    add("--scheduler", metavar="ADDRESS", help="have a Dask cluster measure, such as tcp://10.0.0.1:8786")
    add("--fresh", action="store_true", help="begin anew instead of going on with an interrupted run")
    return parser


def _lesson(text: str) -> str:
    if not re.fullmatch(r"\d{1,2}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a lesson's number. Write it as in 01.")
    return text.zfill(2)


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of workers. Give a whole number from 1 to 999.")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    claims = _chosen(options)
    if not claims:
        print("There are no claims here yet.")
        return 0
    with _workers(options) as cluster:
        outcome = run(claims, options.folder, fresh=options.fresh, record=options.record, cluster=cluster)
    print("", table(outcome.judged), sep="\n")
    if options.record:
        print(f"Recorded in {records.FOLDER.name}/: {', '.join(outcome.records) or 'nothing'}.")
    for words in outcome.failures:
        print(f"claims: {words}", file=sys.stderr)
    if any(one.verdict == "refuted" for one in outcome.judged):
        return 1
    return 2 if outcome.failures else 0


def _workers(options: argparse.Namespace) -> contextlib.AbstractContextManager[Cluster | Processes | None]:
    if options.scheduler:
        return Cluster(options.scheduler)
    return Processes(options.workers) if options.workers > 1 else contextlib.nullcontext()


def _verify(options: argparse.Namespace) -> int:
    rng, wrong = random.Random(), 0
    rows: list[tuple[str, ...]] = [HEAD]
    for experiment in tqdm(experiments_of(_chosen(options)).values(), disable=None, leave=False):
        try:
            one = verify(experiment, rng)
            rows.append(one.row)
            wrong += not one.agrees
        except Exception as error:  # an experiment may raise anything; the others are to be verified all the same
            print(f"claims: {failure(experiment.name, error)}", file=sys.stderr)
            wrong += 1
    print(columns(rows))
    print(f"\nA number may differ by {RELATIVE:.0e} of itself plus {ABSOLUTE:.0e}, a time by the factor {TIMES:g}.")
    return 1 if wrong else 0


def _chosen(options: argparse.Namespace) -> list[Claim]:
    """Return the claims of the lesson and with the ids or experiments asked for; raises ClaimsError."""
    claims = list(load_claims(options.lesson).values()) if options.lesson else all_claims()
    names = options.only
    known = sorted({name for claim in claims for name in (claim.id, claim.experiment.name)})
    for name in names:
        if name not in known:
            raise ClaimsError(f"there is no claim or experiment {name} here. There are: {', '.join(known) or 'none'}.")
    return [claim for claim in claims if not names or {claim.id, claim.experiment.name} & set(names)]


def _check(_: argparse.Namespace) -> int:
    problems, listed = check(ROOT)
    for line in [*problems, *listed]:
        print(line)
    if problems:
        return 1
    print(f"Lessons, claims and records fit together. Claims: {len(all_claims())}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
