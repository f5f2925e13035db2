"""The second way in which answers are run: in their notebook, from its top, as at home; in the student's process.

Each check is done by a child, forked where the notebook calls it, with whatever the cell hands over. So what comes
below changes nothing, and what a check leaves behind is gone. A child sends values; judging is for the grader.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from grading import worker

TRIES, WAIT = 20, 0.2  # seconds
CELL_PART = 2 / 3  # of the time that cells have together; what computes in C is stopped with all the rest


def run(job: Mapping[str, Any], notebook: worker.Notebook, grader: worker.JsonSocket) -> None:
    """Run the job's cells from the top, and send what each check's cases come to.

    A cell that fails, or takes too long, is passed over. Of the page's own cells, which nobody changed, those run whose
    names another one reads.
    """
    first = 0
    due: dict[int | None, list[tuple[int, Mapping[str, Any]]]] = {}
    for check in job["checks"]:
        due.setdefault(check["at"], []).append((first, check))
        first += check["cases"]
    left_out = _unread(job["earlier"], set(job["unchanged"]), {check["name"] for check in job["checks"]})
    seconds = CELL_PART * (job["seconds"] - sum(check["seconds"] for check in job["checks"]))
    for at, cell in enumerate(job["earlier"]):
        if at in due or at not in left_out:
            grader.send(above=at)
        for begins, check in due.get(at, ()):
            _in_a_child(check, begins, job, notebook, grader)
        if at not in due and at not in left_out:
            _run_cell(cell, at, notebook, seconds)
    for begins, check in due.get(None, ()):
        _in_a_child(check, begins, job, notebook, grader)
    grader.send(earlier=True)
    grader.send(cell="", defined=True)


def _run_cell(cell: str, at: int, notebook: worker.Notebook, seconds: float) -> None:
    try:
        with worker.at_most(seconds, signal.ITIMER_PROF):
            notebook.run(cell, f"<cell {at}>")
    except BaseException:
        pass  # as a reader passes over a cell that is red


def _unread(cells: Sequence[str], unchanged: set[int], names: set[str]) -> set[int]:
    """Return those of the unchanged cells that bind or change nothing that is read."""
    from utils.exercises.slicing import names_read

    found = {at: worker.statements_of([cell], [f"<cell {at}>"])[0] for at, cell in enumerate(cells)}
    read = names.union(*(names_read(of) for at, of in found.items() if at not in unchanged))
    left = set(unchanged)
    while needed := {at for at in left if any((one.binds | one.changes) & read for one in found[at])}:
        left -= needed
        read.update(*(names_read(found[at]) for at in needed))
    return left


def _in_a_child(
    check: Mapping[str, Any],
    first: int,
    job: Mapping[str, Any],
    notebook: worker.Notebook,
    grader: worker.JsonSocket,
) -> None:
    """Have a child call what the check is handed, for its cases, and wait for its end."""
    worker.flush()  # or it would be printed twice
    if child := _fork():
        os.waitpid(child, 0)
        return
    try:
        if sys.platform == "linux":
            from grading import namespaces

            namespaces.die_with_parent()
        if "torch" in sys.modules:  # its threads are not forked with it, and it would wait for them
            sys.modules["torch"].set_num_threads(1)
        worker.limit_computing(1 + int(check["seconds"]))
        function = notebook.names.get(check["name"])
        worker.seed()
        for case, given in enumerate(job["cases"][first : first + check["cases"]], start=first):
            if callable(function):
                grader.send(case=case, **worker.outcome(function, given, {**check, "without": job["without"]}))
        worker.flush()
    finally:
        os._exit(0)


def _fork() -> int:
    """Return what ``os.fork`` does, once the machine has room for it: others may fill its memory for a moment."""
    for _ in range(TRIES):
        try:
            return os.fork()
        except OSError:
            time.sleep(WAIT)
    return os.fork()
