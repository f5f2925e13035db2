"""A run: measures experiments, judges their claims, and records what was asked for."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from claims import ClaimsError
from claims.measurement import Measurement
from claims.provenance import made_with
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


def run(claims: Sequence[Claim], folder: Path, *, fresh: bool = False, record: bool = False) -> RunReport:
    """Measure all that these claims rest on, going on where an interrupted run stopped, and judge them.

    What fails is reported and does not keep the rest from being measured; the same run again then goes on.
    """
    now = made_with()
    opened = [Measurement(one, folder, now, fresh=fresh) for one in experiments_of(claims).values()]
    outcome = RunReport()
    _measure_all(opened, outcome)
    _judge_all(claims, outcome)
    if record:
        records.FOLDER.mkdir(parents=True, exist_ok=True)
        for name, found in outcome.records.items():
            replace_file(records.FOLDER / f"{name}.json", records.text(found))
    if not outcome.failures:
        for measurement in opened:
            measurement.finish()
    return outcome


def _measure_all(opened: Sequence[Measurement], outcome: RunReport) -> None:
    """Measure what is missing, chunk by chunk; the bar counts expected time, to tell how much is left."""
    total = sum(_expected(one, index) for one in opened for index in range(len(one.plan.chunks())))
    left = sum(_expected(one, index) for one in opened for index in one.missing)
    form = "{l_bar}{bar}| {elapsed}, {remaining} left"
    with tqdm(total=total, initial=total - left, bar_format=form, disable=None, dynamic_ncols=True) as bar:
        for measurement in opened:
            name = measurement.experiment.name
            bar.set_description(name)
            try:
                for index in measurement.missing:
                    measurement.measure(index)
                    bar.update(_expected(measurement, index))
                outcome.records[name] = found = measurement.record()
                tqdm.write(f"{name}: {len(found.seeds)} seeds in {found.minutes:.1f} minutes.")
            except Exception as error:  # an experiment may raise anything; hours of others' work must not be lost to it
                outcome.failures.append(failure(name, error))


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
    return f"{name}: measuring it failed.\n{''.join(traceback.format_exception(error)).rstrip()}"
