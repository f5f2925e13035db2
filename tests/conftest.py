"""What several test files share; which lesson a test belongs to, and with which others it runs on one core."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest

from tests import marks, pages
from tests.shares import Shares
from utils.exercises import definition, stored_cases
from utils.exercises.definition import Exercise, FreeText

ROOT = Path(__file__).parents[1]
# These take longest and run side by side: marking has time limits, and one browser is enough. What compiles goes before
# them, beside what needs nothing compiled: each copy of the course has what was compiled when it was made.
TOGETHER = ("tests/authoring/browser/", "tests/grading/")
BESIDE = ("tests/authoring/test_build.py", "tests/authoring/test_execution.py")
FIRST = ("tests/engine/test_compilation.py", *BESIDE, *TOGETHER)
LONG = ("tests/claims/test_lessons.py", "tests/engine/test_answers.py")  # an hour in `make test-all`: lesson by lesson

matplotlib.use("Agg")


def group_of(nodeid: str) -> str:
    """Return which tests this one runs with in one process: those of its file, of its lesson too where the file is one
    of LONG, or those of one of the folders TOGETHER.
    """
    file, _, name = nodeid.partition("::")
    if file in LONG and (lesson := re.search(r"\[(\d\d)\D", name)):
        return f"{file}::{lesson[1]}"
    return next((folder for folder in TOGETHER if nodeid.startswith(folder)), file)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marks of lessons and exercises known, and count what each lesson's tests take."""
    for number in definition.lessons_with_exercises():
        config.addinivalue_line("markers", f"lesson_{number}: belongs to lesson {number}")
        for exercise_id in definition.load_lesson(number):
            name = marks.exercise(exercise_id).name
            config.addinivalue_line("markers", f"{name}: belongs to exercise {exercise_id}")
    config.pluginmanager.register(Shares(), "shares")


def pytest_report_header() -> list[str]:
    """Say which pages are run again, and which of them only by `make test-all`."""
    old = [page for page in pages.pages() if page.own or page.shared]
    again = [page.shown for page in pages.to_run(old)]
    rest = [page.shown for page in old if page.shown not in again]
    lines = {"pages changed since their build, run again": again, "left to `make test-all`": rest}
    return [f"{what}: {', '.join(some)}" for what, some in lines.items() if some]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a lesson's folder; put in front what goes first."""
    for item in items:
        folder = item.path.relative_to(ROOT).parts[1]
        if folder.startswith("lesson_"):
            item.add_marker(folder)
    items.sort(key=lambda item: FIRST.index(group) if (group := group_of(item.nodeid)) in FIRST else len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Return what hands out whole groups of tests, in their order. (The mark xdist_group does nothing in pytest 9.)"""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = group_of
    return scheduler


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Close what a test has drawn."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(autouse=True)
def no_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what a test imports from leaving bytecode: an edit of the same length within a second would find it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the course's folder."""
    return ROOT


@pytest.fixture
def lesson_99(monkeypatch, tmp_path):
    """Install a lesson 99 of the given exercises, with the stored cases of a solution that doubles."""

    def install(*exercises: Exercise | FreeText):
        table = {exercise.id: exercise for exercise in exercises}
        known = definition.load_lesson
        monkeypatch.setattr(definition, "load_lesson", lambda number: table if number == "99" else known(number))
        monkeypatch.setattr(stored_cases, "FOLDER", tmp_path)
        cases = {
            e.id: stored_cases.sample_cases(e, lambda x: 2 * x, stored_cases.public_rng(e.id))
            for e in exercises
            if isinstance(e, Exercise) and e.answer_name != "unbuilt"
        }
        (tmp_path / "99.json").write_text(stored_cases.text(cases), encoding="utf-8")
        return exercises[0]

    return install
