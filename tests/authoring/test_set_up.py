"""The generated set-up: what it says where it finds no course, and what git fetches. tests/doors has the rest."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from authoring.course import Address
from authoring.exercise_cells import MOST_COLUMNS, MOST_LINES
from authoring.set_up import MARKER_FILE, set_up

# Nothing of the machine's own git settings, and no network: an address is rewritten to a folder, or fails.
QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
PUBLIC = Address("https://github.com/someone/small-course", "v1.0")


def git(*arguments: str, cwd: Path) -> None:
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *author, *arguments], cwd=cwd, check=True, capture_output=True, env={**os.environ, **QUIET})


def publish(course: Path, bare: Path, *, tag: str | None) -> None:
    """Make ``bare`` a repository of ``course``: one commit, tagged, and one more on the default branch."""
    git("init", ".", cwd=course)
    git("add", ".", cwd=course)
    git("commit", "-m", "first", cwd=course)
    if tag:
        git("tag", tag, cwd=course)
    (course / "later").touch()
    git("add", ".", cwd=course)
    git("commit", "-m", "second", cwd=course)
    git("clone", "--bare", str(course), str(bare), cwd=course)


@pytest.fixture
def tree(tmp_path) -> Path:
    """A folder that is a course as far as the set-up can tell."""
    marker = tmp_path / "tree" / MARKER_FILE
    marker.parent.mkdir(parents=True)
    marker.touch()
    return tmp_path / "tree"


@pytest.fixture
def empty(tmp_path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def rewritten(bare: Path, repository: str = PUBLIC.repository) -> dict[str, str]:
    """Return the environment in which git takes ``bare`` for the public address ``repository``."""
    return {
        **QUIET,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{bare}.insteadOf",
        "GIT_CONFIG_VALUE_0": repository,
    }


def run(folder: Path, environment: dict[str, str], where: Address | None = PUBLIC) -> subprocess.CompletedProcess:
    """Run the set-up's code in ``folder``; it prints what comes first on the path."""
    code = set_up(where) + "\nprint(sys.path[0])"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)


def assert_found(done: subprocess.CompletedProcess, course: Path) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{course}\n", "")


@pytest.mark.parametrize("where", [PUBLIC, None], ids=["stamped", "no address"])
@pytest.mark.parametrize("folder", [".", "notebooks", "work/lessons/deep"])
def test_inside_a_course_git_is_not_needed(tree, folder, where):
    (tree / folder).mkdir(parents=True, exist_ok=True)
    assert_found(run(tree / folder, {"PATH": ""}, where), tree)


def test_without_an_address_nothing_is_fetched_and_the_reader_is_told_what_to_do(empty, tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("git", "sh"):  # what is started leaves a trace
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
        (tmp_path / "bin" / name).chmod(0o755)
    done = run(empty, {"PATH": str(tmp_path / "bin")}, None)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.count("\n") == 1
    assert all(words in done.stderr for words in ("1. drag depth-course.zip", "2. run this cell again", "Drive"))
    assert not (tmp_path / "started").exists() and not [*empty.iterdir()]
    assert not any(word in set_up(None) for word in ("http", "git ", "subprocess", "clone"))


def test_a_zip_file_that_is_not_there_as_a_whole_is_as_none_and_of_several_the_last_counts(empty):
    """An upload that goes on, and the one of last week."""
    (empty / "depth-course.zip").write_bytes(b"PK half")
    assert "run this cell again" in run(empty, {}, None).stderr
    for name, at in (("depth-course (1).zip", 1), ("depth-course-new.zip", 2)):
        with zipfile.ZipFile(empty / name, "w") as archive:
            archive.writestr(f"of {name[:-4]}/{MARKER_FILE}", "")
        os.utime(empty / name, (at, at))
    os.utime(empty / "depth-course.zip", (3, 3))
    assert_found(run(empty, {}, None), empty / "of depth-course-new")
    assert_found(run(empty, {}, None), empty / "of depth-course-new")


@pytest.mark.parametrize(("tag", "later"), [("v1.0", False), (None, True)], ids=["tag", "no tag"])
def test_in_an_empty_folder_git_fetches_the_course_once(tree, empty, tmp_path, tag, later):
    publish(tree, tmp_path / "bare.git", tag=tag)
    course = empty / "small-course"
    assert_found(run(empty, rewritten(tmp_path / "bare.git")), course)
    assert (course / "later").exists() == later
    assert_found(run(empty, {"PATH": ""}), course)


@pytest.mark.parametrize("reason", ["no git", "no repository", "broken folder"])
def test_where_a_course_cannot_be_fetched_git_says_why(tree, empty, tmp_path, reason):
    publish(tree, tmp_path / "bare.git", tag="v1.0")
    environment = rewritten(tmp_path / ("absent" if reason == "no repository" else "bare.git"))
    if reason == "no git":
        environment["PATH"] = ""
    if reason == "broken folder":
        (empty / "small-course").mkdir()
        (empty / "small-course" / "half").touch()
    done = run(empty, environment)
    said = {
        "no git": "git: not found",
        "no repository": "does not appear to be a git repository",
        "broken folder": "fatal: destination path 'small-course' already exists",
    }
    assert (done.returncode, done.stdout) == (1, "") and said[reason] in done.stderr
    assert done.stderr.startswith("No course. If there is a folder small-course, delete it, and run this cell again.")
    assert "Traceback" not in done.stderr
    if reason != "no git":  # all that git says, to its last line
        command = ["git", "clone", "-q", "--depth", "1", PUBLIC.repository]
        own = subprocess.run(command, cwd=empty, env={**os.environ, **environment}, capture_output=True, text=True)
        assert done.stderr.strip().endswith(own.stderr.strip())


@pytest.mark.parametrize("where", [PUBLIC, None], ids=["stamped", "no address"])
def test_the_cell_is_short_and_plain(where):
    lines = set_up(where).splitlines()
    assert lines[0].startswith("# set-up")
    assert sum(not line.startswith("#") for line in lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_COLUMNS
    ast.parse(set_up(where), feature_version=(3, 11))
