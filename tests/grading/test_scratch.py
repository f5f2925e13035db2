"""Temporary folders: gone with whoever made them, or when the next run begins, and nobody else's ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from grading.scratch import Scratch, sweep
from tests.grading.helpers import ROOT

# Makes a folder and what a student may leave in it, starts a process as students' ones are started, and waits.
HOLDS = """
import subprocess, sys, time
from grading.scratch import Scratch
made = Scratch()
(made.path / "deep").mkdir()
(made.path / "deep" / "file").touch()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], cwd=made.path, start_new_session=True)
print(made.path, child.pid, flush=True)
time.sleep(600)
"""


# Has something judged, and waits.
JUDGES = """
import threading, time
from grading import judging
judging.lessons_with_exercises = lambda: []  # which take seconds to load
assert judging._as_far_as_it_goes([], threading.Event())[1] != "did not start"
print(flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def age(path: Path, seconds: float = 100.0) -> None:
    os.utime(path, (time.time() - seconds,) * 2)


def test_what_a_killed_process_leaves_is_swept_and_what_a_living_one_has_stays(temporary):
    environment = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    name, child = process.stdout.readline().split()
    age(Path(name))
    try:
        sweep()
        assert (Path(name) / "deep" / "file").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
        age(Path(name))
        sweep()  # the process that was started lives on, and holds nothing
        assert os.path.exists(f"/proc/{child}") and not Path(name).exists()
    finally:
        os.kill(int(child), signal.SIGKILL)
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_of_the_process_that_judges(monkeypatch, end):
    with tempfile.TemporaryDirectory(prefix="judges-", dir="/tmp") as name:  # a socket's path has 100 letters
        monkeypatch.setattr(tempfile, "tempdir", name)
        with subprocess.Popen(
            [sys.executable, "-c", JUDGES],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": name},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout.readline() == b"\n"
            assert list(Path(name).iterdir()) != []
            process.send_signal(end)
        for path in Path(name).iterdir():
            age(path)
        if end == signal.SIGKILL:
            sweep()
        assert list(Path(name).iterdir()) == []


@pytest.mark.slow
def test_judging_works_where_temporary_folders_have_long_names():
    """As long as multiprocessing itself can use them."""
    with tempfile.TemporaryDirectory(prefix=60 * "l", dir="/tmp") as name:
        with subprocess.Popen(
            [sys.executable, "-c", JUDGES],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": name},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout.readline() == b"\n"
            process.terminate()


def test_only_old_folders_of_ours_are_swept(temporary, monkeypatch):
    outside = temporary / "outside"
    outside.mkdir()
    (outside / "mine").touch()
    others = [temporary / "grading-homework", temporary / "grading-2026", temporary / "my-grading-scratch-x"]
    for path in others:
        path.mkdir()
    (temporary / "grading-scratch-link").symlink_to(outside)
    (temporary / "grading-scratch-file").touch()
    young, old = temporary / "grading-scratch-young", temporary / "grading-scratch-old"
    young.mkdir()
    old.mkdir()
    for path in [*others, outside, old]:
        age(path)
    before = set(temporary.rglob("*"))
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    sweep()  # as somebody else
    assert set(temporary.rglob("*")) == before
    monkeypatch.undo()
    tempfile.tempdir, was = str(temporary), tempfile.tempdir
    try:
        sweep()
    finally:
        tempfile.tempdir = was
    assert set(temporary.rglob("*")) == before - {old}


def test_a_folder_is_gone_with_its_block_however_deep_it_is(temporary):
    with pytest.raises(ZeroDivisionError), Scratch() as folder:
        assert folder.parent == temporary and folder.stat().st_mode & 0o077 == 0
        here = os.open(folder, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("deeper", dir_fd=here)
            here, above = os.open("deeper", os.O_RDONLY, dir_fd=here), here
            os.close(above)
        os.close(here)
        raise ZeroDivisionError
    assert list(temporary.iterdir()) == []
