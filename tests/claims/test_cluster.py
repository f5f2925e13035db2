"""Measuring on a cluster: the same numbers for the same seeds, whatever dies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.claims.helpers import copied
from tests.clusters import kill, local_cluster
from tests.grading.helpers import wait_for

pytestmark = pytest.mark.full

COMMAND = [sys.executable, "-m", "claims", "run", "--only", "90.gains", "90.loses", "--folder"]


def chunks(folder: Path) -> dict[str, dict]:
    """Return what was measured, chunk by chunk, but for the seconds that it took."""
    kept = {path.relative_to(folder).as_posix(): json.loads(path.read_text()) for path in folder.rglob("chunk_*.json")}
    return {name: {"seeds": chunk["seeds"], "data": chunk["data"]} for name, chunk in kept.items()}


def with_the_same_seeds(course: Path) -> None:
    """Have a run into the folder "there" measure the seeds of the one into "here"."""
    for path in (course / "here").rglob("plan.json"):
        other = course / "there" / path.parent.name / path.name
        other.parent.mkdir(parents=True)
        other.write_text(json.dumps({**json.loads(path.read_text()), "done": False}))


def test_a_cluster_measures_the_same_numbers_also_where_a_worker_is_killed(root, tmp_path):
    course = tmp_path / "course"
    copied(root, course)
    here = subprocess.run([*COMMAND, "here"], cwd=course, capture_output=True, text=True)
    assert here.returncode == 0, here.stderr
    with_the_same_seeds(course)
    (course / "slow").touch()
    with local_cluster(tmp_path / "cluster", course, 2) as cluster:
        command = [*COMMAND, "there", "--scheduler", cluster.address]
        process = subprocess.Popen(command, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for((course / "there/90_gain/chunk_000.json").exists, 60)
        kill(cluster.workers()[0])
        out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert chunks(course / "there") == chunks(course / "here") and len(chunks(course / "here")) == 5
    assert out.splitlines()[-5:] == here.stdout.splitlines()[-5:]


def test_what_fails_on_a_cluster_is_told_with_its_traceback_and_the_rest_is_measured(root, tmp_path):
    course = tmp_path / "course"
    copied(root, course)
    (course / "broken").touch()
    with local_cluster(tmp_path / "cluster", course, 1) as cluster:
        done = subprocess.run(
            [*COMMAND, "there", "--scheduler", cluster.address], cwd=course, capture_output=True, text=True
        )
    assert done.returncode == 2 and "no luck" in done.stderr and "in measure_gain" in done.stderr
    assert "90_gain: measuring it failed." in done.stderr and "90_loss: 12 seeds" in done.stdout + done.stderr
    assert done.stderr.count("measuring it failed") == 1
