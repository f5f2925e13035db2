"""Marking on a cluster: the same marks and pages, whatever dies, and a sentence where it cannot be done."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clusters import kill, local_cluster
from tests.grading.helpers import (
    DOUBLE,
    SET_UP,
    STUBS,
    TOTAL,
    command,
    grade,
    grades,
    hand_in,
    notebook,
    page_of,
    wait_for,
)

pytestmark = pytest.mark.full

SLEEPS = "# exercise 90.1\nimport time\ndef double(x):\n    time.sleep(0.5)\n    return 2 * x"
HANGS = "# exercise 90.1\ndef double(x):\n    while True:\n        pass"
SAYS = "# exercise 90.2\ndef total(values):\n    print('ünïcode \\ud800')\n    return sum(values) + 1"
KILLS = "# exercise 90.1\nimport os\ndef double(x):\n    os.kill(os.getppid(), 9)\n    return 2 * x"


@pytest.fixture(scope="module")
def seed(tmp_path_factory) -> Path:
    """The file of a seed that all rounds here have."""
    path = tmp_path_factory.mktemp("seed") / "seed.txt"
    path.write_text("any")
    return path


@pytest.fixture(scope="module")
def cluster(course, tmp_path_factory):
    """A cluster of two workers, with the course that nobody changes."""
    with local_cluster(tmp_path_factory.mktemp("cluster"), course, 2) as cluster:
        yield cluster


def written(out: Path) -> dict[str, bytes]:
    """Return all that a marking has written for people to read."""
    files = [path for path in out.rglob("*") if path.is_file() and not path.name.startswith("results.sqlite")]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def test_marks_and_pages_are_the_same_byte_by_byte_also_where_a_worker_is_killed(course, cluster, tmp_path, seed):
    """One worker is killed while it has somebody's answer, which sleeps; its nanny starts another."""
    answers = {
        "ann": [DOUBLE, TOTAL],
        "bob": [SLEEPS, TOTAL],
        "cyd": [HANGS, TOTAL],
        "dan": [DOUBLE, SAYS],
        "eve": [*STUBS],
        "fay": ["md:nothing"],
    }
    submissions = hand_in(tmp_path / "in", {who: notebook(SET_UP, *cells) for who, cells in answers.items()})
    submissions.joinpath("gil.ipynb").write_text("no notebook")
    outs = [tmp_path / name for name in ("here", "there", "killed")]
    options = ("--lesson", "90", "--seed-file", seed)
    grade(course, submissions, "--out", outs[0], *options)
    said = grade(course, submissions, "--out", outs[1], *options, "--scheduler", cluster.address).stdout
    assert f"Sandbox of the workers at {cluster.address}: bubblewrap." in said
    (worker, _) = cluster.workers()
    process = subprocess.Popen(
        command(submissions, "--out", outs[2], *options, "--scheduler", cluster.address),
        cwd=course,
        stdout=subprocess.PIPE,
    )
    process.stdout.readline()  # the sandbox is chosen: pieces follow
    kill(worker)
    assert process.wait(120) == 0
    wait_for(lambda: len(cluster.workers()) == 2, 60)
    here, *others = map(written, outs)
    assert len(here) > len(answers) and [other == here for other in others] == [True, True]
    assert [grades(outs[0])[who]["score"] for who in ("ann", "bob", "cyd", "dan")] == ["5", "5", "3", "2"]


def test_who_ends_workers_loses_that_exercise_and_nobody_else_anything(course, tmp_path, seed):
    """Without a sandbox an answer can kill the worker that runs it: a real worker, as often as it is tried."""
    answers = {who: [DOUBLE, TOTAL] for who in ("ann", "bob", "cyd")} | {"kim": [KILLS, TOTAL]}
    submissions = hand_in(tmp_path / "in", {who: notebook(SET_UP, *cells) for who, cells in answers.items()})
    with local_cluster(tmp_path / "cluster", course, 2, allowed_failures=0) as cluster:
        grade(
            course,
            submissions,
            "--out",
            tmp_path / "out",
            "--lesson",
            "90",
            "--seed-file",
            seed,
            "--sandbox",
            "none",
            "--scheduler",
            cluster.address,
        )
    scores = {who: row["score"] for who, row in grades(tmp_path / "out").items()}
    assert scores == {"ann": "5", "bob": "5", "cyd": "5", "kim": "3"}
    assert "ended one worker of the cluster after the other" in page_of(tmp_path / "out", "kim")


def test_what_a_cluster_cannot_do_is_said_in_a_sentence(course, cluster, tmp_path, seed):
    """Without a scheduler, with a worker that has another version of the course, and with one that has none."""
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, DOUBLE)})
    options = (submissions, "--out", tmp_path / "out", "--lesson", "90", "--seed-file", seed, "--scheduler")
    assert "No scheduler answers at" in grade(course, *options, "tcp://127.0.0.1:9", status=2).stderr
    assert "is not a scheduler's address" in grade(course, *options, "10.0.0.1", status=2).stderr
    other = shutil.copytree(course, tmp_path / "other")
    with (other / "utils" / "helper_90.py").open("a") as file:
        file.write("# changed\n")
    for folder, said in ((other, "has another version of the course (code)"), (tmp_path, "No module named 'cluster'")):
        with local_cluster(tmp_path / f"cluster of {folder.name}", folder, 1) as wrong:
            stderr = grade(course, *options, wrong.address, status=2).stderr
            assert said in stderr and "the same command goes on" in stderr
    grade(course, *options, cluster.address)
    assert grades(tmp_path / "out")["ann"]["score"] == "2"


def test_a_scheduler_that_is_killed_is_told_in_one_line(course, tmp_path):
    answers = {f"ann{n}": notebook(SET_UP, f"{SLEEPS}\n# {n}", TOTAL) for n in range(8)}
    submissions = hand_in(tmp_path / "in", answers)
    (tmp_path / "cluster").mkdir()
    with local_cluster(tmp_path / "cluster", course, 1) as cluster:
        with (tmp_path / "log").open("w") as log:
            marking = subprocess.Popen(
                command(submissions, "--out", tmp_path / "out", "--scheduler", cluster.address),
                cwd=course,
                stdout=log,
                stderr=subprocess.PIPE,
                text=True,
            )
        wait_for(lambda: "Sandbox of the workers" in (tmp_path / "log").read_text())
        cluster.scheduler.kill()
        _, said = marking.communicate(timeout=300)
    assert marking.returncode == 2 and said.count("\n") == 1 and "has gone" in said
