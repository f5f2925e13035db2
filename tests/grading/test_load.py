"""2,000 submissions on a cluster of four workers: one is slow, one is killed, and in the end the scheduler."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.clusters import LocalCluster, kill, local_cluster
from tests.grading.helpers import DOUBLE, SET_UP, TOTAL, alive, command, grades, hand_in, notebook

pytestmark = [pytest.mark.slow, pytest.mark.full]

COUNT, MEGABYTES = 2000, 300
WRONG = "# exercise 90.2\ndef total(values):\n    return sum(values) + 1"
KINDS = (
    (notebook(SET_UP, DOUBLE, TOTAL), "5"),
    (notebook(SET_UP, DOUBLE, WRONG), "2"),
    (notebook(SET_UP, TOTAL), "3"),
)  # and what each has earned


@contextlib.contextmanager
def slowed(process: int):
    """Stop a process for three quarters of its time."""
    over = threading.Event()

    def hold() -> None:
        while alive(process) and not over.is_set():
            os.kill(process, signal.SIGSTOP)
            over.wait(0.75)
            os.kill(process, signal.SIGCONT)
            over.wait(0.25)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        yield
    finally:
        over.set()
        holder.join()


def peak_megabytes(process: int) -> float:
    """Return the most memory that a process has had, 0 for one that has gone."""
    with contextlib.suppress(OSError, TypeError):
        return int(re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process}/status").read_text())[1]) / 1024
    return 0.0


def wait_for_marks(process: subprocess.Popen, said: Path, percent: int) -> float:
    """Return the grader's peak of memory once it says that it has done so much, or has ended."""
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, peak_megabytes(process.pid))
        done = re.findall(r"(\d+)% done", said.read_text())
        if done and int(done[-1]) >= percent:
            break
        time.sleep(0.1)
    return peak


def test_marks_are_right_whatever_dies(course, tmp_path):
    """Killed are a worker, when some are marked, and the scheduler, when most are: the same command goes on."""
    students = {f"s{n:04}": KINDS[n % len(KINDS)] for n in range(COUNT)}
    submissions = hand_in(tmp_path / "in", {who: data for who, (data, _) in students.items()})
    out, said = tmp_path / "out", tmp_path / "said.txt"
    started = time.monotonic()

    def marking(cluster: LocalCluster) -> subprocess.Popen:
        return subprocess.Popen(
            command(submissions, "--out", out, "--lesson", "90", "--scheduler", cluster.address),
            cwd=course,
            stdout=subprocess.DEVNULL,
            stderr=said.open("w"),
        )

    with local_cluster(tmp_path / "cluster", course, 4) as cluster:
        grader = marking(cluster)
        slow, killed, *_ = cluster.workers()
        with slowed(slow):
            peak = wait_for_marks(grader, said, 20)
            kill(killed)
            peak = max(peak, wait_for_marks(grader, said, 60))
        kill(cluster.scheduler.pid)
        assert grader.wait(120) == 2 and "The scheduler" in said.read_text() and "goes on" in said.read_text()
    with local_cluster(tmp_path / "another", course, 4) as cluster:
        grader = marking(cluster)
        peak = max(peak, wait_for_marks(grader, said, 101))
        assert grader.returncode == 0, said.read_text()
    spent = time.monotonic() - started
    print(f"{COUNT} submissions in {spent:.0f} s, the grader's peak {peak:.0f} MB")
    scores = {who: row["score"] for who, row in grades(out).items()}
    assert scores == {who: earned for who, (_, earned) in students.items()}
    assert 50 < peak < MEGABYTES
