"""What counts in the end: which of a student's submissions, with what was marked by hand, less what lateness costs.

All of this is worked out anew for each export from what the gradebook holds, so that a rule can be changed at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from grading.course import Heading, headings
from grading.gradebook import Gradebook, HandMark, StoredMark
from grading.lateness import Lateness
from grading.marking import ExerciseMark, SubmissionMark, status_of, text_key, with_hand_marks
from utils.exercises.definition import FreeText, UnknownExercise, load_lesson


@dataclass(frozen=True)
class ScoringRules:
    """How scores are counted: ``keep`` is "last" or "best".

    Of an exercise count the ``points`` that it has here, else its own; one below "Going further" counts where it has
    ``points``, and in the lessons that ``further`` names. ``headings`` says which those are.
    """

    keep: str = "last"
    lateness: Lateness = field(default_factory=Lateness)
    further: frozenset[str] = frozenset()
    points: Mapping[str, float] = field(default_factory=dict)
    headings: Callable[[str], Mapping[str, Heading]] = headings

    def points_of(self, exercise: str, own: float) -> float:
        """Return what an exercise of ``own`` points is worth, 0 where it does not count."""
        lesson = exercise.partition(".")[0]
        heading = self.headings(lesson).get(exercise)
        beyond = heading is not None and heading.further and lesson not in self.further
        return self.points.get(exercise, 0 if beyond else own)


@dataclass(frozen=True)
class FinalScore:
    """What counts for one student in one lesson.

    ``days_late`` is None where nobody knows when it was handed in, ``penalty`` what lateness costs, in points, and
    ``percent`` of the points earned; ``earlier`` is the number of submissions that do not count. ``file`` is the path
    under which the platform gave the one that does.
    """

    mark: SubmissionMark
    time: datetime | None = None
    days_late: int | None = None
    percent: float = 0.0
    penalty: float = 0.0
    earlier: int = 0
    file: str = ""

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
    found = [_final_score(gradebook, stored, rules, len(group) - 1) for stored in _in_order(group)]
    scored = [score for score in found if score.final is not None]
    if rules.keep == "best" and scored:
        return max(reversed(scored), key=lambda score: score.final or 0)  # the later one of two that are as good
    return found[-1]


def _in_order(group: list[StoredMark]) -> list[StoredMark]:
    """Return what was handed in, the last one last: by the times where all are known, else by the turns."""
    by_time = all(stored.time for stored in group)
    return sorted(group, key=lambda stored: (stored.time if by_time else 0, stored.turn))


def _final_score(gradebook: Gradebook, stored: StoredMark, rules: ScoringRules, earlier: int) -> FinalScore:
    mark = with_hand_marks(stored.mark, lambda exercise: given(gradebook, stored.mark.student, exercise))
    mark, lateness = by_rules(mark, rules), rules.lateness.of(mark.lesson)
    known = stored.late or (stored.time is not None and lateness.due is not None)
    days = lateness.days(stored.time, stored.late)
    percent = lateness.percent(days)
    penalty = lateness.penalty(mark.score or 0, days)
    return FinalScore(mark, stored.time, days if known else None, percent, penalty, earlier, stored.file)


def by_rules(mark: SubmissionMark, rules: ScoringRules) -> SubmissionMark:
    """Return the mark with what its exercises are worth in this class; those that do not count stay as they are."""
    if not mark.exercises:
        return replace(mark, max_score=_max_score_by_rules(mark, rules))
    exercises = [_worth(exercise, rules.points_of(exercise.id, exercise.max_points)) for exercise in mark.exercises]
    if exercises == list(mark.exercises):
        return mark
    counted = [exercise for exercise in exercises if exercise.counts]
    waits = any(exercise.state == "pending" for exercise in counted)
    status = mark.status
    if status == "pending" and not waits:  # then the text that waits does not count
        status = status_of([exercise for exercise in exercises if exercise.state != "pending"])
    points = None if status in ("timeout", "crashed") else mark.score
    score = None if points is None else _rounded(sum(exercise.points or 0 for exercise in counted))
    return replace(
        mark,
        exercises=exercises,
        score=score,
        status=status,
        max_score=_rounded(sum(one.max_points for one in counted)),
    )


def _worth(exercise: ExerciseMark, points: float) -> ExerciseMark:
    if points in (0, exercise.max_points):
        return replace(exercise, counts=points > 0)
    earned = None if exercise.points is None else _rounded(exercise.points * points / exercise.max_points)
    return replace(exercise, points=earned, max_points=points)


def _max_score_by_rules(mark: SubmissionMark, rules: ScoringRules) -> float | None:
    """Return the most that a notebook could have had which could not be read, None where nobody knows its lesson."""
    try:
        exercises = load_lesson(mark.lesson)
    except UnknownExercise:
        return mark.max_score
    texts_count = mark.max_score == sum(exercise.points for exercise in exercises.values())  # in its round
    return _rounded(
        sum(
            rules.points_of(id, one.points)
            for id, one in exercises.items()
            if texts_count or not isinstance(one, FreeText)
        )
    )


def _rounded(points: float) -> float:
    """Return points to the hundredth, a whole number as an int."""
    rounded = round(points, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def given(gradebook: Gradebook, student: str, exercise: ExerciseMark) -> tuple[float | None, str]:
    """Return the points and the comment that a person gave for this very text."""
    mark = gradebook.by_hand(student, exercise.id).get(text_key(exercise.id, exercise.text), HandMark(None))
    return mark.points, mark.comment
