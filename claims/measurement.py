"""Where a run keeps what it has measured: a folder for each experiment, written chunk by chunk."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import xarray as xr
from tqdm import tqdm

from claims import ClaimsError
from cluster.provenance import changed, only_versions
from utils.claims.definition import Experiment, find_experiment
from utils.claims.records import Record, differences
from utils.files import replace_file
from utils.types import Data

LOWEST, HIGHEST = 2**20, 2**31  # fresh seeds are from here to below there; the fixed ones are small
PLAN = "plan.json"
_measuring = threading.Lock()


@dataclass(frozen=True)
class MeasurementPlan:
    """What one measurement of an experiment is: its seeds, how many at a time, and what it is measured with.

    It is ``done`` when a run that included it has come to its end; the next run then draws new seeds.
    """

    seeds: list[int]
    chunk: int
    made_with: dict[str, str]
    done: bool = False

    def chunks(self) -> list[list[int]]:
        """Return the seeds, chunk by chunk."""
        return [self.seeds[start : start + self.chunk] for start in range(0, len(self.seeds), self.chunk)]


class Measurement:
    """One measurement of an experiment in ``folder``, with so many seeds: goes on where the last run was interrupted.

    ``made_with`` is what `provenance.made_with` returns now. Where it, the number of seeds or the experiment's
    definition has changed since, where the last run came to its end, and with ``fresh``, it starts anew with new seeds.
    """

    def __init__(
        self, experiment: Experiment, folder: Path, made_with: dict[str, str], *, seeds: int, fresh: bool = False
    ) -> None:
        self.experiment = experiment
        self._folder = folder / experiment.name
        kept = None if fresh else self._kept(seeds, made_with)
        self.plan = kept or MeasurementPlan(fresh_seeds(seeds), experiment.chunk, made_with)
        self._parts: list[tuple[Data, float] | None] = [None] * len(self.plan.chunks())
        if kept is None:
            self._write_plan(self.plan)
            for path in self._folder.glob("chunk_*.json"):
                path.unlink()
        for index in range(len(self._parts)):
            self._parts[index] = self._read(index)

    @property
    def missing(self) -> list[int]:
        """Return the numbers of the chunks that are not measured yet."""
        return [index for index, part in enumerate(self._parts) if part is None]

    def keep(self, index: int, chunk: str) -> None:
        """Keep what `measured` returned for a chunk's seeds; it is on the disk when this returns."""
        replace_file(self._path(index), chunk)
        self._parts[index] = self._read(index)

    def record(self) -> Record:
        """Return the whole measurement; raises ClaimsError while a chunk is missing, or where two do not match."""
        if self.missing:
            raise ClaimsError(f"{self.experiment.name} has not been measured yet")
        chunks = [part for part in self._parts if part is not None]
        parts = [data for data, _ in chunks]
        if len({tuple(sorted((name, values.dims) for name, values in data.items())) for data in parts}) > 1:
            raise ClaimsError(f"{self.experiment.name}: its arrays have other names or axes from chunk to chunk")
        data = xr.concat(parts, "seed", join="exact", data_vars="minimal")
        minutes = round(sum(seconds for _, seconds in chunks) / 60, 2)
        return Record(self.experiment.name, minutes, only_versions(self.plan.made_with), data)

    def finish(self) -> None:
        """Note that a run with this measurement has come to its end."""
        self._write_plan(replace(self.plan, done=True))

    def _kept(self, seeds: int, made_with: dict[str, str]) -> MeasurementPlan | None:
        """Return the plan of the run that was interrupted, None where there is none that can go on."""
        path, name = self._folder / PLAN, self.experiment.name
        if not path.exists():
            return None
        try:
            plan = MeasurementPlan(**json.loads(path.read_text(encoding="utf-8")))
            before = len(plan.seeds), plan.chunk
        except (ValueError, TypeError):
            self._say_damaged(path)
            return None
        if plan.done:
            return None
        other = changed(plan.made_with, made_with)
        if before != (seeds, self.experiment.chunk):
            other.append("how many seeds there are, in all or at a time")
        if other:
            tqdm.write(f"{name}: changed since it was begun: {', '.join(other)}. It is measured anew.")
            return None
        return plan

    def _read(self, index: int) -> tuple[Data, float] | None:
        """Return a chunk's data and seconds, None where it is missing, damaged, or of another run."""
        path = self._path(index)
        if not path.exists():
            return None
        try:
            kept = json.loads(path.read_bytes())
            part = xr.Dataset.from_dict(kept["data"]), kept["seconds"]
        except (ValueError, KeyError, TypeError):
            self._say_damaged(path)
            return None
        return part if kept["seeds"] == self.plan.chunks()[index] else None

    def _say_damaged(self, path: Path) -> None:
        tqdm.write(f"{self.experiment.name}: {path.name} is damaged, so what it held is measured anew.")

    def _path(self, index: int) -> Path:
        return self._folder / f"chunk_{index:03d}.json"

    def _write_plan(self, plan: MeasurementPlan) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._folder / PLAN, json.dumps(asdict(plan), indent=1) + "\n")


def measured(experiment: Experiment, seeds: Sequence[int]) -> str:
    """Return what a chunk's seeds come to, with the seconds that it took, as JSON.

    One chunk at a time in a process. Raises ClaimsError where it is not as promised, and whatever ``measure`` raises.
    """
    with _measuring:
        started = time.perf_counter()
        data = checked(experiment, experiment.measure(seeds), seeds)
        seconds = time.perf_counter() - started
    return json.dumps({"seeds": seeds, "seconds": seconds, "data": data.to_dict()})


def measured_here(piece: tuple[str, list[int]]) -> str:
    """Return, on a cluster's worker, what `measured` returns for an experiment's name and seeds."""
    name, seeds = piece
    return measured(find_experiment(name), seeds)


def fresh_seeds(count: int) -> list[int]:
    """Return ``count`` different seeds from the system's entropy, far from the small ones that tests fix."""
    return random.SystemRandom().sample(range(LOWEST, HIGHEST), count)


def checked(experiment: Experiment, data: Data, seeds: Sequence[int]) -> Data:
    """Return what ``measure`` returned; raises ClaimsError unless it is numbers for these seeds, with these axes."""
    if not isinstance(data, xr.Dataset) or not data:
        found = "no array" if isinstance(data, xr.Dataset) else type(data).__name__
        raise ClaimsError(f"{experiment.name}: measure returned {found}; an xarray.Dataset is wanted")
    for name, values in data.items():
        if not re.fullmatch(r"\w+", str(name)) or values.dtype.kind not in "biuf" or "seed" not in values.dims:
            found = f"an array {name!r} of {values.dtype}, with the axes {values.dims}"
            raise ClaimsError(
                f'{experiment.name}: measure returned {found}. It must return numbers with an axis "seed"'
            )
    if data["seed"].values.tolist() != list(seeds):
        raise ClaimsError(f"{experiment.name}: measure returned the seeds {data['seed'].values}, not {list(seeds)}")
    differing = differences(experiment, data)
    if differing:
        raise ClaimsError(f"{experiment.name}: in what measure returned {'; '.join(differing)}")
    return data
