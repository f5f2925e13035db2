"""Which pages `make test` runs again: those that changed themselves, and two paths for what all of them share."""

from __future__ import annotations

import json

import pytest

from authoring import course, digests
from authoring.course import Lesson
from tests import pages
from tests.authoring.courses import ROOM, built, edit
from tests.pages import Page, to_run


def page(number: int, *, own: bool = False, shared: bool = True, folder: str = "notebooks", letter: str = "") -> Page:
    of = (course.Page if letter else Lesson)(pages.ROOT, f"{number:02}{letter}_words")
    return Page(of, folder, own, own or shared)


def test_what_has_changed_itself_is_run_and_two_paths_for_the_rest():
    mine, others = [page(3, own=True), page(5, own=True, letter="b")], [page(number) for number in range(4, 9)]
    solutions, excursion = page(4, folder="solutions"), page(3, letter="a")
    assert to_run([*mine, excursion, solutions, *others]) == [*mine, *others[:2]]


def test_nothing_is_run_where_nothing_has_changed():
    assert to_run([page(number, shared=False) for number in range(1, 9)]) == []


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The small course after a build, taken for this one."""
    monkeypatch.setattr(pages, "ROOT", built(tmp_path))
    monkeypatch.setattr(pages, "changed", {})
    return tmp_path


def found() -> dict[str, tuple[bool, bool]]:
    return {one.shown.split(".")[0]: (one.own, one.shared) for one in pages.pages()}


LESSON, SOLUTION, EXCURSION = "notebooks/01_small", "solutions/01_small", "notebooks/01a_more"


@pytest.mark.parametrize(
    ("file", "own", "shared"),
    [
        ("notebooks/01_small.py", [LESSON], []),
        ("notebooks/01a_more.py", [EXCURSION], []),
        ("solutions/01_small.py", [SOLUTION], []),
        (f"{ROOM}/exercises/double.py", [SOLUTION], []),
        ("utils/exercises/scoring.py", [], [SOLUTION]),
        ("requirements.txt", [], [LESSON, SOLUTION, EXCURSION]),
        ("utils/models.py", [], []),
    ],
)
def test_a_change_makes_those_pages_old_that_use_it(small, file, own, shared):
    assert found() == dict.fromkeys([LESSON, SOLUTION, EXCURSION], (False, False))
    with (small / file).open("a") as changed:
        changed.write("# changed\nCHANGED = True\n")
    assert found() == {one: (one in own, one in own + shared) for one in (LESSON, SOLUTION, EXCURSION)}


def test_what_a_page_no_longer_uses_is_a_change_of_its_own_source(small):
    edit(small, "notebooks/01_small.py", "import math", "import cmath as math")
    recorded = json.loads((small / digests.FILE).read_text())
    assert found()[LESSON] == (True, True) and len(recorded) == 5
