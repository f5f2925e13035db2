"""Rounds of marking: which one goes on, and which one is shown of each lesson."""

from __future__ import annotations

import contextlib

import pytest

from grading.gradebook import Gradebook
from grading.marking import SubmissionMark


@pytest.fixture
def put(tmp_path):
    """A function that keeps a mark in a round, None the last one, and returns that round's name."""

    def keep(round, student, lesson, score, waited=False):
        with contextlib.closing(Gradebook(tmp_path / "out", round)) as gradebook:
            gradebook.seed()
            gradebook.put(SubmissionMark(student, lesson, f"{student} {lesson}", "graded", score, 5, waited=waited))
            return gradebook.round

    return keep


def shown(folder, round=None):
    """The marks that are shown: student, lesson and score."""
    with contextlib.closing(Gradebook(folder, round)) as gradebook:
        return {(one.mark.student, one.mark.lesson): one.mark.score for all in gradebook.students() for one in all}


def test_the_round_that_was_begun_last_goes_on(put):
    assert [put(None, "ann", "90", 1), put("2", "ann", "90", 2), put(None, "bob", "90", 2)] == ["1", "2", "2"]
    assert [put("1", "cid", "90", 1), put(None, "cid", "90", 2)] == ["1", "2"]


def test_each_lesson_is_shown_as_of_this_round_or_the_latest_that_has_it(put, tmp_path):
    for mark in [("1", "ann", "90", 1), ("1", "bob", "91", 1), ("2", "ann", "90", 2), ("3", "bob", "91", 3)]:
        put(*mark)
    assert shown(tmp_path / "out") == {("ann", "90"): 2, ("bob", "91"): 3}
    assert shown(tmp_path / "out", "1") == {("ann", "90"): 1, ("bob", "91"): 1}
    assert shown(tmp_path / "out", "4") == {("ann", "90"): 2, ("bob", "91"): 3}


def test_marks_are_their_owners_alone(put, tmp_path):
    put(None, "ann", "90", 1)
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0


def test_what_waited_is_to_be_marked_again(put, tmp_path):
    put(None, "ann", "90", 1, True)
    put(None, "bob", "90", 1)
    with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
        assert [gradebook.waited(one, "90", f"{one} 90") for one in ("ann", "bob", "cid")] == [True, False, False]
        assert [gradebook.status(one, "90", f"{one} 90") for one in ("ann", "bob", "cid")] == [None, "graded", None]
