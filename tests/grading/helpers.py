"""A small course of its own, invented students' notebooks, the command that marks them, and single jobs."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import nbformat
import pytest

from benchmarks._grading_class import add_lesson, copy_course
from grading.export import page_name
from grading.protocol import Job, JobResult
from grading.runner import Runner
from utils.exercises import serialization

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parent
# Short limits.
PREPARED = "import sys; import grading.marking as m; m.BASE_SECONDS = m.PASS_SECONDS = 3.0\n"
RUN = "from grading.__main__ import main\nsys.exit(main())"
SET_UP = """# set-up
import math

from utils.exercises import check
from utils.helper_90 import total_of

HALF = 0.5
print("the set-up's own words")"""
DOUBLE = "# exercise 90.1\ndef double(x):\n    return 2 * x"
TOTAL = "# exercise 90.2\ndef total(values):\n    return sum(values)"
STUBS = (
    '# exercise 90.1\ndef double(x):\n    raise NotImplementedError("exercise 90.1")',
    '# exercise 90.2\ndef total(values):\n    raise NotImplementedError("exercise 90.2")',
)


INCREMENT = "# exercise 91.1\ndef increment(n):\n    return n + 1"
OPEN = ("--sandbox", "none")  # for answers that write where a test reads it


def make_course(root: Path) -> Path:
    """Return ``root``, holding this course's code and the fixture lessons 90 and 91 with their cases."""
    copy_course(root)
    shutil.copy(FIXTURES / "helper_90.py", root / "utils")
    shutil.copy(ROOT / "requirements.txt", root)
    for number in ("90", "91"):
        stem = f"{number}_fixture"
        add_lesson(root, stem, (FIXTURES / f"lesson_{number}.py").read_text(), (FIXTURES / f"{stem}.py").read_text())
    return root


def notebook(*sources: str) -> bytes:
    """Return a notebook of these cells: code, and markdown where a source begins with "md:"."""
    cells = [
        nbformat.v4.new_markdown_cell(source[3:]) if source.startswith("md:") else nbformat.v4.new_code_cell(source)
        for source in sources
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()


def hand_in(folder: Path, submissions: dict[str, bytes]) -> Path:
    """Return ``folder``, holding one notebook for each student."""
    folder.mkdir(parents=True, exist_ok=True)
    for student, data in submissions.items():
        (folder / f"{student}.ipynb").write_bytes(data)
    return folder


def grade(course: Path, *arguments: object, status: int = 0) -> subprocess.CompletedProcess:
    """Run ``python -m grading grade`` in the course, with short limits, and return what it said."""
    done = subprocess.run(command(*arguments), cwd=course, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done


def command(*arguments: object) -> list[str]:
    """Return the command that marks, with short limits."""
    return [sys.executable, "-c", PREPARED + RUN, "grade", *map(str, arguments)]


def skip_outside_ci(why: str) -> NoReturn:
    """Skip a test that needs what this machine does not have; where CI runs, that is a failure."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(why)


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    """Return once the condition holds, which it must within so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


def children(process: int) -> list[int]:
    """Return the processes that this one has started and that are still there, zombies included."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*"):
        with contextlib.suppress(OSError):
            found += map(int, (task / "children").read_text().split())
    return found


def alive(pid: int) -> bool:
    """Return whether there is such a process, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def a_job(code: str, **more: object) -> Job:
    """Return the job of an answer, a function named f, which is called once unless there are more cases."""
    fields = {"without": (), "set_up": (), "earlier": (), "cases": ['{"dict": []}'], "seconds": 20.0}
    return Job("90.1", "f", answer=code, **{**fields, **more})


def run(runner: Runner, code: str, stop: threading.Event | None = None, **more: object) -> JobResult:
    """Return what became of a job."""
    return runner.run(a_job(code, **more), stop or threading.Event())


def value(runner: Runner, code: str, **more: object) -> Any:
    """Return what the answer's function returned, and see that it came to its end."""
    result = run(runner, code, **more)
    assert (result.ended, result.cell_error) == ("done", ""), result
    assert result.messages[0].kind == "value", result.messages
    return serialization.loads(result.messages[0].value)


def page_of(out: Path, student: str) -> str:
    """Return the feedback page of a student, by the normal name or the id that it is shown under."""
    return (out / "feedback" / page_name(student)).read_text(encoding="utf-8")


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lines(path: Path) -> list[str]:
    """Return the lines of a table, without the quotes around its cells; no cell holds a comma."""
    return [",".join(cells) for cells in csv.reader(path.read_text(encoding="utf-8").splitlines())]


def grades(out: Path) -> dict[str, dict[str, str]]:
    """Return the rows of ``grades.csv`` by student."""
    return {row["student"]: row for row in rows(out / "grades.csv")}


def version_3(*sources: str) -> bytes:
    """Return a notebook in version 3 of the format, as old platforms write it."""
    cells = [{"cell_type": "code", "input": source.splitlines(keepends=True), "outputs": []} for source in sources]
    return json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
