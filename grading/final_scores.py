"""What counts in the end: which of a student's submissions, with what was marked by hand, less what lateness costs.

All of this is worked out anew for each export from what the gradebook holds, so that a rule can be changed at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from grading.gradebook import Gradebook, HandMark, StoredMark
from grading.lateness import Lateness
from grading.marking import ExerciseMark, SubmissionMark, text_key, with_hand_marks


@dataclass(frozen=True)
class ScoringRules:
    """How scores are counted: ``keep`` is "last" or "best"."""

    keep: str = "last"
    lateness: Lateness = field(default_factory=Lateness)


@dataclass(frozen=True)
class FinalScore:
    """What counts for one student in one lesson.

    ``days_late`` is None where nobody knows when it was handed in, ``penalty`` what lateness costs, in points, and
    ``percent`` of the points earned; ``earlier`` is the number of submissions that do not count.
    """

    mark: SubmissionMark
    time: datetime | None = None
    days_late: int | None = None
    percent: float = 0.0
    penalty: float = 0.0
    earlier: int = 0

    @property
    def final(self) -> float | None:
        """Return the points that count, None where nothing was marked."""
        return None if self.mark.score is None else round(self.mark.score - self.penalty, 2)


def final_scores(gradebook: Gradebook, rules: ScoringRules) -> Iterator[list[FinalScore]]:
    """Yield each student's scores, one for each lesson, students sorted by name.

    A notebook whose lesson could not be told is shown only while nothing was handed in after it.
    """
    for everything in gradebook.students():
        last = max(stored.turn for stored in everything)
        lessons: dict[str, list[StoredMark]] = {}
        for stored in everything:
            if stored.mark.lesson or stored.turn == last:
                lessons.setdefault(stored.mark.lesson, []).append(stored)
        yield [_counted(gradebook, group, rules) for _, group in sorted(lessons.items())]


def _counted(gradebook: Gradebook, group: list[StoredMark], rules: ScoringRules) -> FinalScore:
    found = [_final_score(gradebook, stored, rules.lateness, len(group) - 1) for stored in _in_order(group)]
    scored = [score for score in found if score.final is not None]
    if rules.keep == "best" and scored:
        return max(reversed(scored), key=lambda score: score.final)  # the later one of two that are as good
    return found[-1]


def _in_order(group: list[StoredMark]) -> list[StoredMark]:
    """Return what was handed in, the last one last: by the times where all are known, else by the turns."""
    by_time = all(stored.time for stored in group)
    return sorted(group, key=lambda stored: (stored.time if by_time else 0, stored.turn))


def _final_score(gradebook: Gradebook, stored: StoredMark, lateness: Lateness, earlier: int) -> FinalScore:
    mark = with_hand_marks(stored.mark, lambda exercise: given(gradebook, stored.mark.student, exercise))
    known = stored.late or (stored.time is not None and lateness.due is not None)
    days = lateness.days(stored.time, stored.late)
    percent = lateness.percent(days)
    penalty = lateness.penalty(mark.score or 0, days)
    return FinalScore(mark, stored.time, days if known else None, percent, penalty, earlier)


def given(gradebook: Gradebook, student: str, exercise: ExerciseMark) -> tuple[float | None, str]:
    """Return the points and the comment that a person gave for this very text."""
    mark = gradebook.by_hand(student, exercise.id).get(text_key(exercise.id, exercise.text), HandMark(None))
    return mark.points, mark.comment
