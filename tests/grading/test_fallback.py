"""A job whose time or life is lost in the cells above the answer is run once more without them."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

from grading.rounds import run_job
from grading.runner import Job, Run

JOB = Job("90.1", "double", (), (), ("class Trap: endless",), "def double(x): ...", (), 1.0)
DONE = Run(cell_ran=True, defined=True)
IN_THE_CELL = Run(ended="timeout", cell_ran=True)
BEFORE_THE_CELL = Run(ended="timeout")
BY_ITSELF = Run(ended="timeout", earlier_ran=True)


def after(*runs: Run, job: Job = JOB) -> tuple[Run, list[int]]:
    """Return what ``run_job`` makes of these runs, and how many cells each job was handed."""
    asked, left = [], list(runs)
    runner = SimpleNamespace(run=lambda job, stop: asked.append(len(job.earlier)) or left.pop(0))
    return run_job(runner, job, threading.Event()), asked


def test_a_run_that_came_to_the_answer_is_not_repeated():
    assert after(DONE) == (DONE, [1])
    assert after(IN_THE_CELL) == (IN_THE_CELL, [1])
    assert after(BY_ITSELF) == (BY_ITSELF, [1])


def test_cells_above_that_hang_or_crash_are_left_out():
    assert after(BEFORE_THE_CELL, DONE) == (DONE, [1, 0])
    assert after(Run(ended="crashed"), IN_THE_CELL) == (IN_THE_CELL, [1, 0])
    assert after(Run(ended="crashed", earlier_ran=True), DONE) == (DONE, [1, 0])


def test_an_answer_that_hangs_without_them_too_keeps_its_first_run():
    assert after(BEFORE_THE_CELL, Run(ended="crashed")) == (BEFORE_THE_CELL, [1, 0])
    assert after(BEFORE_THE_CELL, job=replace(JOB, earlier=())) == (BEFORE_THE_CELL, [0])
