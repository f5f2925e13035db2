"""What several test files share; which lesson a test belongs to, and with which others it runs on one core."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import marks
from tests.shares import Shares
from utils.exercises import definition, stored
from utils.exercises.definition import Exercise, FreeText

ROOT = Path(__file__).parents[1]
# These run side by side, each alone on its core: marking has time limits, and one browser is enough. They take
# longest, and go first.
TOGETHER = ("marking", "browser")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marks of lessons and exercises known, and count what each lesson's tests take."""
    for number in marks.LESSONS:
        config.addinivalue_line("markers", f"lesson_{number}: belongs to lesson {number}")
        for exercise_id in definition.load_lesson(number):
            name = marks.exercise(exercise_id).name
            config.addinivalue_line("markers", f"{name}: belongs to exercise {exercise_id}")
    config.pluginmanager.register(Shares(), "shares")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in a lesson's folder, and group all tests for `--dist loadgroup`: a file's stay together."""
    for item in items:
        inside = item.path.relative_to(ROOT).parts
        if inside[1].startswith("lesson_"):
            item.add_marker(inside[1])
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    groups = [item.get_closest_marker("xdist_group").args[0] for item in items]
    places = {group: place for place, group in enumerate([*TOGETHER, *dict.fromkeys(groups)][::-1])}
    order = sorted(range(len(items)), key=lambda at: -places[groups[at]])
    items[:] = [items[at] for at in order]


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Nothing; what a test has drawn is closed."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(scope="session")
def root() -> Path:
    """The course's folder."""
    return ROOT


@pytest.fixture
def lesson_99(monkeypatch, tmp_path):
    """Install a lesson 99 of the given exercises, with the stored cases of a solution that doubles."""

    def install(*exercises: Exercise | FreeText):
        table = {exercise.id: exercise for exercise in exercises}
        known = definition.load_lesson
        monkeypatch.setattr(definition, "load_lesson", lambda number: table if number == "99" else known(number))
        monkeypatch.setattr(stored, "FOLDER", tmp_path)
        cases = {
            e.id: stored.draw(e, lambda x: 2 * x, stored.public_rng(e.id))
            for e in exercises
            if isinstance(e, Exercise) and e.answer_name != "unbuilt"
        }
        (tmp_path / "99.json").write_text(stored.text(cases), encoding="utf-8")
        return exercises[0]

    return install
