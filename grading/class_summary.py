"""The class at a glance: who has what, how each exercise went, and which hints were given most often."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grading.course import headings
from grading.final_scores import FinalScore
from grading.marking import ExerciseMark, SubmissionMark

MOST_FREQUENT = 5
MOST_BARS = 10  # of the points that were earned, beside that of those who have none
# How an exercise can have gone, from good to bad, in the words of the page.
OUTCOMES = ("full points", "some points", "no points", "stopped", "waiting", "not started")


@dataclass(frozen=True)
class ClassRow:
    """One student's row: the score, and the page's address."""

    score: FinalScore
    address: str


@dataclass
class ExerciseSummary:
    """How one exercise went: ``outcomes`` counts students, ``hints`` counts those who were given each hint."""

    id: str
    max_points: float
    counts: bool = True
    outcomes: Counter[str] = field(default_factory=Counter)
    hints: Counter[str] = field(default_factory=Counter)
    points: float = 0.0
    marked: int = 0

    @property
    def mean(self) -> float:
        """Return the mean of the points, of those who have points."""
        return self.points / self.marked if self.marked else 0.0

    @property
    def shares(self) -> list[tuple[str, int, float]]:
        """Return each outcome that occurs, with its number of students and its percentage."""
        total = self.outcomes.total()
        counts = [(word, self.outcomes[word]) for word in OUTCOMES]
        return [(word, count, 100 * count / total) for word, count in counts if count]

    @property
    def frequent_hints(self) -> list[tuple[str, int]]:
        """Return the hints that were given most often, with their numbers of students."""
        return sorted(self.hints.items(), key=lambda item: (-item[1], item[0]))[:MOST_FREQUENT]


@dataclass
class LessonSummary:
    """How one lesson went: the scores, how many are ``waiting`` for points, and how much each has begun.

    ``begun`` counts those who have begun nothing, "some" of the exercises that count, or "all" of them.
    """

    number: str
    max_score: float = 0
    submissions: int = 0
    scores: list[float] = field(default_factory=list)
    waiting: int = 0
    begun: Counter[str] = field(default_factory=Counter)
    exercises: list[ExerciseSummary] = field(default_factory=list)

    def add(self, mark: SubmissionMark) -> None:
        """Take in one submission."""
        self.submissions += 1
        self.max_score = max(self.max_score, mark.max_score or 0)
        if mark.score is not None:
            self.scores.append(mark.score)
            self.waiting += mark.status == "pending"
        if mark.exercises:
            self.begun[_begun(mark)] += 1

    @property
    def quartiles(self) -> list[float]:
        """Return the quartiles of the scores, the median in the middle; nothing for fewer than four scores."""
        return statistics.quantiles(self.scores, n=4, method="inclusive") if len(self.scores) >= 4 else []

    @property
    def median(self) -> float:
        """Return the median of the scores."""
        return statistics.median(self.scores)

    @property
    def bars(self) -> list[tuple[str, int, float]]:
        """Return ranges of points, how many scores each has, and the percentage of the fullest: nothing comes first."""
        highest = math.ceil(max(self.max_score, 1))  # points in class.toml need not be whole
        width = math.ceil(highest / MOST_BARS)
        tops = range(0, highest + width, width)
        counts = Counter(math.ceil(score / width) for score in self.scores)
        words = [f"over {top - width:g} to {min(top, self.max_score)}" if top else "0" for top in tops]
        most = max(counts.values(), default=1)
        return [(word, counts[at], 100 * counts[at] / most) for at, word in enumerate(words)]


def _begun(mark: SubmissionMark) -> str:
    """Return how much of a lesson was begun; what is below "Going further" may count, and may not."""
    left_out = [one.state == "not started" for one in mark.exercises]
    if all(left_out) and not mark.texts:
        return "nothing"
    return "some" if any(left and one.counts for left, one in zip(left_out, mark.exercises, strict=True)) else "all"


class ClassSummary:
    """Takes in students one by one and keeps of each no more than a row."""

    def __init__(self) -> None:
        self.entries: list[ClassRow] = []
        self.statuses: Counter[str] = Counter()
        self._exercises: dict[str, ExerciseSummary] = {}
        self._lessons: dict[str, LessonSummary] = {}

    def add(self, scores: Sequence[FinalScore], address: str) -> None:
        """Take in one student's scores, whose page is at ``address``."""
        for score in scores:
            self.statuses[score.mark.status] += 1
            for mark in score.mark.exercises:
                self._add(mark)
            if number := score.mark.lesson:
                self._lessons.setdefault(number, LessonSummary(number)).add(score.mark)
            self.entries.append(ClassRow(_without_details(score), address))

    def _add(self, mark: ExerciseMark) -> None:
        exercise = self._exercises.setdefault(mark.id, ExerciseSummary(mark.id, mark.max_points, mark.counts))
        exercise.outcomes[_outcome(mark)] += 1
        if mark.points is not None:
            exercise.points += mark.points
            exercise.marked += 1
        if mark.hint:
            exercise.hints[mark.hint] += 1

    @property
    def not_graded(self) -> list[ClassRow]:
        """Return the rows of those whose status is another than graded."""
        return [entry for entry in self.entries if entry.score.mark.status != "graded"]

    @property
    def lessons(self) -> list[LessonSummary]:
        """Return how each lesson went, and in it each exercise, in the order of the pages."""
        exercises = sorted(self._exercises.values(), key=lambda one: on_page(one.id))
        return [
            replace(lesson, exercises=[one for one in exercises if one.id.startswith(f"{number}.")])
            for number, lesson in sorted(self._lessons.items())
        ]


def on_page(exercise_id: str) -> tuple[str, int, int]:
    """Return what sorts exercises as their pages have them; those that a page does not have come last."""
    lesson, number = in_order(exercise_id)
    ids = list(headings(lesson))
    return lesson, ids.index(exercise_id) if exercise_id in ids else len(ids), number


def in_order(exercise_id: str) -> tuple[str, int]:
    """Return what sorts exercises: 01.10 comes after 01.9."""
    lesson, number = exercise_id.split(".")
    return lesson, int(number)


def _outcome(mark: ExerciseMark) -> str:
    if mark.points is None:
        return "waiting"
    if mark.state in ("timeout", "crashed"):
        return "stopped"
    if mark.state == "not started":
        return "not started"
    return "full points" if mark.points == mark.max_points else "some points" if mark.points else "no points"


def _without_details(score: FinalScore) -> FinalScore:
    return replace(score, mark=replace(score.mark, exercises=(), remark="", texts={}))
