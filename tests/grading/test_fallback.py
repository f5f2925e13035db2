"""In which order jobs are run, and which of them once more: without the cells above the answer."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

from grading import course
from grading.grading_run import GradingRun, run_job
from grading.marking import markers
from grading.notebook_answers import Submission, cells_of
from grading.protocol import Job, JobResult
from tests.grading.helpers import notebook

JOB = Job("90.1", "double", (), (), ("class Trap: endless",), "def double(x): ...", (), 1.0)
DONE = JobResult(cell_ran=True, defined=True)
IN_THE_CELL = JobResult(ended="timeout", cell_ran=True)
BEFORE_THE_CELL = JobResult(ended="timeout")
BY_ITSELF = JobResult(ended="timeout", earlier_ran=True)
WAITED = JobResult(ended="timeout", earlier_ran=True, waited=True)


def after(*runs: JobResult, job: Job = JOB) -> tuple[JobResult, list[int]]:
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
    assert after(JobResult(ended="crashed"), IN_THE_CELL) == (IN_THE_CELL, [1, 0])
    assert after(JobResult(ended="crashed", earlier_ran=True), DONE) == (DONE, [1, 0])


def test_an_answer_that_hangs_without_them_too_keeps_its_first_run():
    assert after(BEFORE_THE_CELL, JobResult(ended="crashed")) == (BEFORE_THE_CELL, [1, 0])
    assert after(BEFORE_THE_CELL, job=replace(JOB, earlier=())) == (BEFORE_THE_CELL, [0])


def test_what_idled_is_not_run_once_more():
    assert after(WAITED) == (WAITED, [1])


def test_no_process_of_a_submission_knows_a_secret_case_while_another_one_may_be_quoted():
    """Not even one that is run once more; and what is not answered, or fails, is not told any."""
    asked = []

    def run(job, stop):
        asked.append((job.exercise, job.secret))
        return DONE if not job.earlier or job.exercise != "01.3" else BEFORE_THE_CELL

    sources = [f"# exercise {id}\ndef {marker.exercise.answer_name}(): ..." for id, marker in MARKERS.items()]
    cells = cells_of(notebook(*[source for source in sources if "01.5" not in source]))
    GradingRun(None, SimpleNamespace(run=run), "")._run(Submission("ann", "01", "", cells), MARKERS)
    secrets = [secret for _, secret in asked]
    assert secrets == sorted(secrets) and 1 < sum(secrets) < len(secrets)
    assert {id for id, _ in asked} == set(MARKERS) - {"01.5"}
    assert [asked.count(("01.3", secret)) for secret in (False, True)] == [2, 2]


MARKERS = markers(course.load("01"), "a seed")
