"""Rounds of marking: which one goes on, and which one is shown of each lesson."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from grading import GradingError
from grading.final_scores import ScoringRules, final_scores
from grading.gradebook import Gradebook
from grading.lateness import Lateness
from grading.marking import SubmissionMark


@pytest.fixture
def put(tmp_path):
    """A function that keeps a mark in a round, None the last one, and returns that round's name."""

    def keep(round, student, lesson, score):
        with contextlib.closing(Gradebook(tmp_path / "out", round)) as gradebook:
            gradebook.seed()
            gradebook.put(SubmissionMark(student, lesson, f"{student} {lesson}", "graded", score, 5))
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


def test_two_rounds_have_two_seeds(tmp_path):
    """The same cases again would be none that nobody has met."""
    for round, wanted in (("1", "a"), ("1", "a"), ("2", "b")):
        with contextlib.closing(Gradebook(tmp_path / "out", round)) as gradebook:
            assert gradebook.seed(wanted) == wanted
    with contextlib.closing(Gradebook(tmp_path / "out", "3")) as gradebook:
        with pytest.raises(GradingError, match="Round 1 has the seed of this file"):
            gradebook.seed("a")
        assert gradebook.seed() not in ("a", "b")


def test_the_best_is_what_counts_most_after_penalties(tmp_path):
    """Four points on time are more than five on the second day, at half of the points a day."""
    due = datetime(2026, 3, 1, tzinfo=UTC)
    with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
        for score, hours in ((4, -1), (5, 1), (4, -1.5)):
            mark = SubmissionMark("ann", "90", f"{score} {hours}", "graded", score, 5)
            gradebook.put(mark, due + timedelta(hours=hours))
        late = Lateness(due, per_day=50)
        ((best,),) = final_scores(gradebook, ScoringRules("best", late))
        ((last,),) = final_scores(gradebook, ScoringRules("last", late))
    assert (best.final, best.mark.digest) == (4, "4 -1")  # of two alike the later
    assert (last.final, last.mark.score) == (2.5, 5)
