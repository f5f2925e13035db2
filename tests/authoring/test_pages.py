"""Which pages `make test` runs again: those that changed themselves, and two lessons for what all of them share."""

from __future__ import annotations

import json

import pytest

from authoring import digests
from authoring.course import Lesson
from tests import pages
from tests.authoring.courses import ROOM, built, edit
from tests.pages import Page, to_run


def page(number: int, *, own: bool = False, shared: bool = True, folder: str = "notebooks") -> Page:
    return Page(Lesson(pages.ROOT, f"{number:02}_words"), folder, own, own or shared)


def test_what_has_changed_itself_is_run_and_two_lessons_for_the_rest():
    mine, others = page(3, own=True), [page(number) for number in range(4, 9)]
    solutions = page(4, folder="solutions")
    assert to_run([mine, solutions, *others]) == [mine, *others[:2]]


def test_nothing_is_run_where_nothing_has_changed():
    assert to_run([page(number, shared=False) for number in range(1, 9)]) == []


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The small course after a build, taken for this one."""
    monkeypatch.setattr(pages, "ROOT", built(tmp_path))
    return tmp_path


def found() -> dict[str, tuple[bool, bool]]:
    return {one.folder: (one.own, one.shared) for one in pages.pages()}


@pytest.mark.parametrize(
    ("file", "lesson", "solution"),
    [
        ("notebooks/01_small.py", (True, True), (False, False)),
        ("solutions/01_small.py", (False, False), (True, True)),
        (f"{ROOM}/exercises/double.py", (False, False), (True, True)),
        ("utils/exercises/verdict.py", (False, False), (False, True)),
        ("requirements.txt", (False, True), (False, True)),
        ("utils/models.py", (False, False), (False, False)),
    ],
)
def test_a_change_makes_those_pages_old_that_use_it(small, file, lesson, solution):
    assert found() == {"notebooks": (False, False), "solutions": (False, False)}
    with (small / file).open("a") as changed:
        changed.write("# changed\n")
    assert found() == {"notebooks": lesson, "solutions": solution}


def test_what_a_page_no_longer_uses_is_a_change_of_its_own_source(small):
    edit(small, "notebooks/01_small.py", "import math", "import cmath as math")
    recorded = json.loads((small / digests.FILE).read_text())
    assert found()["notebooks"] == (True, True) and len(recorded) == 4
