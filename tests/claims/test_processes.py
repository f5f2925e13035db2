"""Measuring in processes of this machine: the same numbers for the same seeds, whatever ends them."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.claims.helpers import copied
from tests.claims.test_cluster import COMMAND, chunks, with_the_same_seeds
from tests.grading.helpers import wait_for

pytestmark = pytest.mark.slow


def working(process: subprocess.Popen) -> list[int]:
    """Return the processes that measure for this one, whose other child keeps track of semaphores."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    found = [int(child) for path in threads for child in path.read_text().split()]
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.full
@pytest.mark.parametrize("ended_by", ["Ctrl-C", "a process that is killed"])
def test_processes_measure_the_same_numbers_and_go_on(root, tmp_path, ended_by):
    course = tmp_path / "course"
    copied(root, course)
    here = subprocess.run([*COMMAND, "here"], cwd=course, capture_output=True, text=True)
    assert here.returncode == 0, here.stderr
    with_the_same_seeds(course)
    before = (course / "calls.txt").read_text().count("gain")
    (course / "slow").write_text("300")  # which nobody who presses Ctrl-C is to wait for
    command = [*COMMAND, "there", "--workers", "2"]
    process = subprocess.Popen(command, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (course / "calls.txt").read_text().count("gain") >= before + 2, 60)
    workers = working(process)
    assert len(workers) == 2
    if ended_by == "Ctrl-C":
        process.send_signal(signal.SIGINT)
    else:
        subprocess.run(["kill", "-9", str(workers[0])], check=True)
    _, said = process.communicate(timeout=60)
    code, words = (130, "claims: interrupted") if ended_by == "Ctrl-C" else (2, "has ended, perhaps for want of memory")
    assert process.returncode == code and words in said and "the same command goes on" in said
    assert "leaked" not in said and not any(Path(f"/proc/{one}").exists() for one in workers)
    (course / "slow").unlink()
    again = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert chunks(course / "there") == chunks(course / "here") and len(chunks(course / "here")) == 5
    assert again.stdout.splitlines()[-5:] == here.stdout.splitlines()[-5:]


def test_what_fails_in_a_process_is_told_with_its_traceback_and_the_rest_is_measured(root, tmp_path):
    course = tmp_path / "course"
    copied(root, course)
    (course / "broken").touch()
    done = subprocess.run([*COMMAND, "there", "--workers"], cwd=course, capture_output=True, text=True)
    assert done.returncode == 2 and "no luck" in done.stderr and "in measure_gain" in done.stderr
    assert done.stderr.count("90_gain: measuring it failed.") == 1 and "90_loss: 12 seeds" in done.stdout + done.stderr
