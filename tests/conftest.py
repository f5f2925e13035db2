"""What several test files share; which lesson a test belongs to, and with which others it runs on one core."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from hypothesis import HealthCheck, settings
from threadpoolctl import threadpool_limits

from tests import marks, pages
from tests.proofs import Proofs
from tests.shares import Shares
from utils.exercises import definition, stored_cases
from utils.exercises.definition import Exercise, FreeText

ROOT = Path(__file__).parents[1]
# These take longest and go first, so that none of them is left for the end.
FIRST = (
    "tests/doors/test_doors.py",
    "tests/grading/test_hostile.py",
    "tests/authoring/browser/test_lesson.py",
    "tests/site",
    "tests/grading/test_gradescope.py",
    "tests/grading/test_class.py",
    "tests/engine/test_playground_views.py",
    "tests/authoring/browser/test_player.py",
    "tests/authoring/test_build.py",
)
LONG = ("tests/claims/test_lessons.py", "tests/engine/test_answers.py")  # most of `make test-all`

# What is imported and collected stays to the end: looking for what does not took two fifths of the time.
gc.disable()
# Linear algebra has one thread, as on pages. Of several, each waits for the others at work, which on a busy machine
# took twenty times the CPU seconds. NumPy is loaded; what is not yet, and the processes of tests, read the variable.
threadpool_limits(1, "blas")
os.environ["OPENBLAS_NUM_THREADS"] = "1"
matplotlib.use("Agg")
STYLE = matplotlib.rcParams.copy()

# `make test` draws the same examples each time, so that a new failure comes from the change that is tested, never from
# chance or a slow machine. Nothing is kept from one run for the next: what one machine has kept, another has not.
# `make test-all` asks for "explore", which draws new examples; a failure then prints what draws its own again. Where CI
# is set, Hypothesis has other defaults, so each setting that differs there is named here.
ALIKE = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("same", **ALIKE, derandomize=True)
settings.register_profile("explore", **ALIKE, derandomize=False)
settings.load_profile("same")  # before Hypothesis loads the profile that --hypothesis-profile names


def group_of(nodeid: str) -> str:
    """Return which tests this one runs with in one process: its file's, or in a LONG file its experiment's."""
    file, _, name = nodeid.partition("::")
    if file.startswith("tests/site/"):  # They share a site, and a browser.
        return "tests/site"
    one = re.search(r"\[(\d\d[._]\w+)", name) if file in LONG else None
    return f"{file}::{one[1]}" if one else file


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make test` and `make test-all` say of the exercises' proofs."""
    choices = ("all", "unrecorded", "record")
    parser.addoption("--proofs", default="all", choices=choices, help="which exercises' proofs are run, or recorded")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marks of lessons and exercises known, and count what each lesson's tests take."""
    for number in definition.lessons_with_exercises():
        config.addinivalue_line("markers", f"lesson_{number}: belongs to lesson {number}")
        for exercise_id in definition.load_lesson(number):
            name = marks.exercise(exercise_id).name
            config.addinivalue_line("markers", f"{name}: belongs to exercise {exercise_id}")
    pages.changed.update(getattr(config, "workerinput", {}).get("pages", {}))
    config.pluginmanager.register(Shares(), "shares")
    config.pluginmanager.register(Proofs(config), "proofs")


def pytest_report_header() -> list[str]:
    """Say which pages are run again, and which of them only by `make test-all`."""
    old = [page for page in pages.pages() if page.own or page.shared]
    again = [page.shown for page in pages.to_run(old)]
    rest = [page.shown for page in old if page.shown not in again]
    lines = {"pages changed since their build, run again": again, "left to `make test-all`": rest}
    return [f"{what}: {', '.join(some)}" for what, some in lines.items() if some]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Have garbage be collected again once all tests are there: only what comes then, and seldom.

    What reads many pages makes so many objects that looking for cycles took two thirds of its time.
    """
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a lesson's folder; put in front what goes first."""
    for item in items:
        folder = item.path.relative_to(ROOT).parts[1]
        if folder.startswith("lesson_"):
            item.add_marker(folder)
    items.sort(key=lambda item: FIRST.index(group) if (group := group_of(item.nodeid)) in FIRST else len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Tell a worker of pytest-xdist which pages have changed: it would read all modules again."""
    node.workerinput["pages"] = {page.shown: (page.own, page.shared) for page in pages.pages()}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Have PyTorch begin each test alike, whichever ran before it: with one seed, and with one thread, as on pages."""
    if torch := sys.modules.get("torch"):
        torch.default_generator.manual_seed(0)
        torch.set_num_threads(1)


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
    """Close what a test has drawn, and set back the style that it, or a page's set-up cell, has set."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
    if dict.__ne__(matplotlib.rcParams, STYLE):
        matplotlib.rcParams.update(STYLE)


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
