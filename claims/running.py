"""A run: measures experiments, judges their claims, and records what was asked for."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from claims import ClaimsError
from claims.measurement import Measurement, measured, measured_here
from cluster import Cluster, ClusterError, PieceFailed, WorkersDied
from cluster.processes import Processes
from cluster.provenance import made_with
from cluster.spreading import in_parallel
from utils.claims import records
from utils.claims.definition import Claim, experiments_of
from utils.claims.evaluation import Evaluation, evaluate
from utils.claims.records import Record
from utils.files import replace_file


@dataclass
class RunReport:
    """What a run found: the verdicts, the records by experiment, and why others were not measured or judged."""

    judged: list[Evaluation] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def run(
    claims: Sequence[Claim],
    folder: Path,
    *,
    fresh: bool = False,
    record: bool = False,
    cluster: Cluster | Processes | None = None,
) -> RunReport:
    """Measure all that these claims rest on, going on where an interrupted run stopped, and judge them.

    A ``record`` is of all seeds, and without one a sample is measured. What fails is reported and does not keep the
    rest from being measured; the same run again then goes on. A ``cluster``, or some processes, measures the same
    chunks, many at the same time; raises ClusterError where that can do no more.
    """
    now = made_with()
    opened = [
        Measurement(one, folder, now, seeds=one.seeds if record else one.sample, fresh=fresh)
        for one in experiments_of(claims).values()
    ]
    outcome = RunReport()
    _measure_all(opened, outcome, cluster)
    order = {one.experiment.name: number for number, one in enumerate(opened)}
    outcome.records = dict(sorted(outcome.records.items(), key=lambda found: order[found[0]]))
    _judge_all(claims, outcome)
    if record:
        records.FOLDER.mkdir(parents=True, exist_ok=True)
        for name, found in outcome.records.items():
            replace_file(records.FOLDER / f"{name}.json", records.text(found))
    if not outcome.failures:
        for measurement in opened:
            measurement.finish()
    return outcome


def _measure_all(opened: Sequence[Measurement], outcome: RunReport, cluster: Cluster | Processes | None) -> None:
    """Measure what is missing, chunk by chunk; the bar counts expected time, to tell how much is left."""
    total = sum(_expected(one, index) for one in opened for index in range(len(one.plan.chunks())))
    left = sum(_expected(one, index) for one in opened for index in one.missing)
    form = "{l_bar}{bar}| {elapsed}, {remaining} left"
    failed: set[str] = set()
    with tqdm(total=total, initial=total - left, bar_format=form, disable=None, dynamic_ncols=True) as bar:
        for one, index, chunk in _chunks(opened, failed, cluster):
            name = one.experiment.name
            bar.set_description(name)
            try:
                if isinstance(chunk, Exception):
                    raise chunk
                if index is not None:
                    one.keep(index, chunk)
                    bar.update(_expected(one, index))
                if not one.missing:
                    outcome.records[name] = found = one.record()
                    tqdm.write(f"{name}: {len(found.seeds)} seeds in {found.minutes:.1f} minutes.")
            except Exception as error:  # an experiment may raise anything; hours of others' work must not be lost to it
                if name not in failed:
                    outcome.failures.append(failure(name, error))
                failed.add(name)


def _chunks(
    opened: Sequence[Measurement], failed: set[str], cluster: Cluster | Processes | None
) -> Iterator[tuple[Measurement, int | None, str | Exception]]:
    """Yield the chunks that are missing, as they are measured: its number, and what it came to or why it did not.

    The number is None for an experiment of which nothing is missing. Of one that has failed nothing more is begun.
    """
    yield from ((one, None, "") for one in opened if not one.missing)
    pieces = [(one, index) for one in opened for index in one.missing]
    if cluster is None:
        yield from (
            (one, index, _or_error(measured, one.experiment, one.plan.chunks()[index]))
            for one, index in pieces
            if one.experiment.name not in failed
        )
        return
    tqdm.write(f"Measured by {cluster}, at most {cluster.threads} chunks at a time.")
    stop = threading.Event()

    def measured_there(piece: tuple[Measurement, int]) -> str | Exception:
        one, index = piece
        return _or_error(cluster.run, measured_here, (one.experiment.name, one.plan.chunks()[index]), stop)

    pieces.sort(key=lambda piece: _expected(*piece), reverse=True)  # or the longest is waited for in the end
    pending = (piece for piece in pieces if piece[0].experiment.name not in failed)
    workers = 2 * cluster.threads  # one at work and one that waits for each thread
    with ThreadPoolExecutor(workers) as pool:
        try:
            for (one, index), chunk in in_parallel(pool, workers, pending, measured_there):
                if isinstance(chunk, ClusterError):
                    raise chunk
                yield one, index, chunk
        finally:
            stop.set()


def _or_error(function: Callable[..., str], *given: Any) -> str | Exception:
    try:
        return function(*given)
    except Exception as error:
        return error


def _judge_all(claims: Iterable[Claim], outcome: RunReport) -> None:
    for claim in claims:
        found = outcome.records.get(claim.experiment.name)
        if found is None:
            continue
        try:
            outcome.judged.append(evaluate(claim, found.data))
        except ValueError as error:
            outcome.failures.append(str(error))


def _expected(measurement: Measurement, index: int) -> int:
    """Return about how many milliseconds a chunk takes: whole numbers, whose sums are exact."""
    experiment, seeds = measurement.experiment, len(measurement.plan.chunks()[index])
    return round(experiment.minutes * 60_000 * seeds / experiment.seeds)


def failure(name: str, error: Exception) -> str:
    """Return in words why an experiment could not be measured; with its traceback, unless it is one of ours."""
    if isinstance(error, (ClaimsError, records.NoRecord)):
        return str(error)
    if isinstance(error, WorkersDied):
        return f"{name}: measuring it ended one worker of the cluster after the other ({error})."
    where = error.traceback if isinstance(error, PieceFailed) else "".join(traceback.format_exception(error))
    return f"{name}: measuring it failed.\n{where.rstrip()}"
