"""Marking on a cluster's workers: they run pieces as this machine would.

A worker gets the cells and the inputs of the cases: no seed, no expected value, no hidden one, and nobody's name but
what the cells hold. What it reads of a student's process is data, and goes back as text.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from cluster import Cluster, PieceFailed, Refused
from grading import GradingError
from grading.course import ROOT
from grading.pieces import Here, Piece, PieceResults
from grading.protocol import Job, SetUpFailed
from grading.runner import Runner
from grading.sandbox_selection import choose
from grading.scratch import sweep

_choosing = threading.Lock()


class OnCluster:
    """Runs pieces on a cluster's workers, each of which has this sandbox; raises ClusterError where one has it not."""

    def __init__(self, cluster: Cluster, sandbox: str) -> None:
        self._cluster, self._sandbox = cluster, sandbox
        self.sandboxes = sorted(set(cluster.ask_all(sandbox_here, sandbox).values()))

    def prepare(self, set_up: Sequence[str]) -> None:
        """Do nothing: a worker loads with its first piece."""

    def run(self, piece: Piece, stop: threading.Event) -> PieceResults:
        """Return what became of a piece; see ``PieceRunner``."""
        jobs = {id: vars(job) for id, job in piece.jobs.items()}
        told = {"sandbox": self._sandbox, "jobs": jobs, "hung": sorted(piece.hung), "most": piece.most}
        try:
            said = self._cluster.run(run_here, told, stop)
        except PieceFailed as error:
            raise SetUpFailed(str(error)) from None
        if "set_up_failed" in said:
            raise SetUpFailed(said["set_up_failed"])
        return PieceResults.of_text(said["results"], {one for job in piece.jobs.values() for one in job.earlier})


def sandbox_here(sandbox: str) -> str:
    """Return, on a worker, which sandbox it has; raises Refused where that cannot be had."""
    return _chosen(sandbox)[0]


def run_here(told: Mapping[str, Any]) -> dict[str, str]:
    """Return, on a worker, what became of the piece that it was told of; raises Refused where there is no sandbox."""
    jobs = {id: Job(**job) for id, job in told["jobs"].items()}
    piece = Piece(jobs, frozenset(told["hung"]), told["most"])
    try:
        return {"results": Here(_chosen(told["sandbox"])[1]).run(piece, threading.Event()).to_text()}
    except SetUpFailed as error:
        return {"set_up_failed": str(error)}


def _chosen(sandbox: str) -> tuple[str, Runner]:
    with _choosing:
        return _chosen_once(sandbox)


@cache
def _chosen_once(sandbox: str) -> tuple[str, Runner]:
    sweep()
    try:
        name, runner = choose(sandbox, ROOT)
    except (GradingError, OSError) as error:
        raise Refused(f"cannot shut students' code in: {error}") from None
    atexit.register(runner.close)
    return name, runner
