"""Pieces of marking: a submission's jobs of one turn, run one after the other.

What a piece is, how its jobs are run and what becomes of a failure is the same here and on a cluster's workers
(``grading.on_cluster``).
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from grading.protocol import CaseMessage, Job, JobResult, Stopped
from grading.runner import Runner
from utils.exercises.cells import first_line

MOST_KEPT = 32 * 2**20  # characters of what a student's processes said of public cases, all versions together
_LONGEST_LINE = 100
TOO_MUCH = "returned more than any answer needs"


@dataclass(frozen=True)
class Piece:
    """The jobs, by exercise, and the cells that are known to hang.

    All results together have at most ``most`` characters from the student's processes: an honest one has some thousand.
    None: as many as the jobs' own limits allow.
    """

    jobs: Mapping[str, Job]
    hung: frozenset[str] = frozenset()
    most: int | None = None


@dataclass
class PieceResults:
    """What became of a piece's jobs, by exercise, and which of the submission's cells hang.

    ``whole`` holds what became of exercises within their whole notebook, None where that is not known yet.
    """

    results: dict[str, JobResult] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)
    whole: dict[str, JobResult] | None = None

    @property
    def size(self) -> int:
        """Return how many characters came from the student's processes."""
        said = [text for one in self.results.values() for text in (one.output, one.cell_error)]
        messages = [message for one in self.results.values() for message in one.messages.values()]
        return sum(map(len, said)) + sum(len(one.value) + len(one.message) + len(one.printed) for one in messages)

    def add(self, id: str, result: JobResult, most: int | None = None, *, again: bool = False) -> None:
        """Take in what became of one exercise; ``again``: it counts although it waited, since it had waited before.

        One with which there are more than ``most`` characters is taken for one that crashed.
        """
        self.results[id] = replace(result, running="", waited=result.waited and not again)
        if most is not None and self.size > most:
            self.results[id] = JobResult("crashed", TOO_MUCH, cell_ran=True)

    def to_text(self) -> str:
        """Return it as JSON."""
        hung = [_digest(cell) for cell in self.hung]
        results = {id: asdict(one) for id, one in self.results.items()}
        whole = None if self.whole is None else {id: asdict(one) for id, one in self.whole.items()}
        return json.dumps({"results": results, "hung": hung, "whole": whole})

    @classmethod
    def of_text(cls, text: str, cells: Iterable[str]) -> PieceResults:
        """Return what ``to_text`` made this of; ``cells`` are those of the same submission."""
        data = json.loads(text)
        hung = {cell for cell in cells if data["hung"] and _digest(cell) in data["hung"]}
        whole = data.get("whole")  # an earlier version had none
        return cls(_results(data["results"]), hung, None if whole is None else _results(whole))


def _digest(cell: str) -> str:
    return hashlib.sha256(cell.encode("utf-8", "surrogatepass")).hexdigest()


def _results(data: dict[str, Any]) -> dict[str, JobResult]:
    found = {}
    for id, one in data.items():
        messages = {int(case): CaseMessage(**message) for case, message in one["messages"].items()}
        found[id] = JobResult(**{**one, "messages": messages})
    return found


class PieceRunner(Protocol):
    """Runs pieces, several at the same time from several threads."""

    def prepare(self, set_up: Sequence[str]) -> None:
        """Begin to load what jobs with this set-up need, and return at once."""
        ...

    def run(self, piece: Piece, stop: threading.Event) -> PieceResults:
        """Return what became of a piece.

        Raises SetUpFailed, WorkersDied where it ended one worker after the other, and whatever once ``stop`` is set.
        """
        ...


class Here:
    """Runs pieces on this machine."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.prepare = runner.prepare

    def run(self, piece: Piece, stop: threading.Event) -> PieceResults:
        """Return what became of a piece; see ``PieceRunner``."""
        results = PieceResults(hung=set(piece.hung))
        for id, job in piece.jobs.items():
            if stop.is_set():
                raise Stopped
            results.add(id, run_job(self._runner, job, stop, results.hung), piece.most)
        return results


def run_pass(runner: Runner, job: Job, stop: threading.Event) -> JobResult:
    """Return what became of a pass through a notebook; where it was ended, the reason names the cell."""
    result = runner.run(job, stop)
    if result.ended != "done" and result.running:
        line = first_line(result.running)[:_LONGEST_LINE]
        result.reason = f"{result.reason}, in the cell that begins with: {line}"
    return result


def run_job(runner: Runner, job: Job, stop: threading.Event, hung: set[str]) -> JobResult:
    """Return what became of a job, without the cells above the answer that hang or crash.

    What stands above an answer are other exercises, and one that hangs or crashes leaves the others marked. It takes
    its time once in a submission: ``hung`` holds the cells that others of its jobs have met, and takes in this one's.
    Where the rest hangs or crashes, too, nothing above the answer is run. A cell that hangs when those above are done
    with hangs by itself, and does not get its time twice.
    """
    if job.checks:
        return run_pass(runner, job, stop)

    def run(earlier: Sequence[str]) -> JobResult:
        result = runner.run(replace(job, earlier=earlier), stop)
        if result.ended == "timeout" or not result.earlier_ran:
            hung.add(result.running)
        return result

    earlier: Sequence[str] = [cell for cell in job.earlier if cell not in hung]
    first = result = run(earlier)
    while earlier and not _came_to_the_answer(result):
        others = [cell for cell in earlier if cell not in hung]
        earlier = others if result is first and len(others) < len(earlier) else ()
        result = run(earlier)
    return result if result.cell_ran else first


def _came_to_the_answer(result: JobResult) -> bool:
    """Return whether a run tells of the answer itself: came to its end, or at least to that of its cell, or hangs."""
    return result.ended == "done" or result.cell_ran or (result.ended == "timeout" and result.earlier_ran)
