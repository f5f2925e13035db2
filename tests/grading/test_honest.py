"""Honest notebooks keep their points: what the check at home accepts, marking accepts, or the check says why not."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from authoring.course import Address
from authoring.set_up import set_up
from grading.course import load
from grading.judging import mark_of
from grading.marking import AnswerResults, JobBuilder, job_builders
from grading.notebook_answers import NotebookCell, Submission
from grading.pieces import run_job
from grading.sandbox_selection import choose
from tests.grading.helpers import ROOT
from tests.grading.honest import notebooks

NOTEBOOKS = notebooks()
FULL = "✓ Exercise 01.2: 3 of 3 points."
SAID = "will not have"
QUICK = ["a helper below", "a constant twice", "np.vectorize", "an old attempt in quotes below", "said: a file inside"]


@pytest.fixture(scope="module")
def builder() -> JobBuilder:
    return job_builders(load("01"), "a seed")["01.2"]


def at_home(names: list[str], folder: Path) -> dict[str, str]:
    """Return what each notebook prints where it was written."""
    set_up = [cell for cell in load("01").set_up if "use_style" in cell]
    given = json.dumps({name: [*set_up, *NOTEBOOKS[name]] for name in names})
    command = [sys.executable, "-m", "tests.grading.at_home", str(folder / "printed.json")]
    subprocess.run(command, input=given, cwd=ROOT, text=True, check=True, capture_output=True)
    return json.loads((folder / "printed.json").read_text(encoding="utf-8"))


def marked(names: list[str], builder: JobBuilder) -> dict[str, float]:
    """Return what marking gives for each notebook."""
    (_, runner), found = choose("auto", ROOT), {}
    for name in names:
        submission = Submission("ann", "01", "d", tuple(NotebookCell("code", cell) for cell in NOTEBOOKS[name]))
        jobs = builder.jobs(submission)
        results = AnswerResults(*(run_job(runner, job, threading.Event(), set()) for job in jobs))
        found[name] = mark_of(builder.evidence(submission, results)).points
    runner.close()
    return found


@pytest.mark.parametrize("names", [QUICK, pytest.param(list(NOTEBOOKS), marks=pytest.mark.full)], ids=["some", "all"])
def test_marking_gives_what_the_check_at_home_gives(names, builder, tmp_path):
    printed, points = at_home(names, tmp_path), marked(names, builder)
    assert [name for name in names if FULL not in printed[name]] == []
    assert [name for name in names if (SAID in printed[name]) != name.startswith("said: ")] == []
    assert [name for name in names if points[name] < 3 and SAID not in printed[name]] == []


@pytest.mark.parametrize("where", [None, Address("https://github.com/owner/name", "v1")], ids=["here", "published"])
def test_a_page_says_nothing_of_the_cell_that_fetches_the_course(where, builder):
    """Which a handed-in notebook begins with, and which finds no course in the sandbox."""
    cells = [set_up(where), *builder._set_up, NOTEBOOKS[QUICK[0]][0]]
    job, _ = builder.jobs(Submission("ann", "01", "d", tuple(NotebookCell("code", cell) for cell in cells)))
    assert (*job.earlier, *job.later) == ()
    cells[0] += "\nimport math\n"  # of the student's own, in the same cell
    job, _ = builder.jobs(Submission("ann", "01", "d", tuple(NotebookCell("code", cell) for cell in cells)))
    assert job.earlier == ["import math"]
