"""The class at a glance: who has what, how each exercise went, and which hints were given most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grading.final_scores import FinalScore
from grading.marking import ExerciseMark

MOST_FREQUENT = 5
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
    max_points: int
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


class ClassSummary:
    """Takes in students one by one and keeps of each no more than a row."""

    def __init__(self) -> None:
        self.entries: list[ClassRow] = []
        self.statuses: Counter[str] = Counter()
        self._exercises: dict[str, ExerciseSummary] = {}

    def add(self, scores: Sequence[FinalScore], address: str) -> None:
        """Take in one student's scores, whose page is at ``address``."""
        for score in scores:
            self.statuses[score.mark.status] += 1
            for mark in score.mark.exercises:
                self._add(mark)
            self.entries.append(ClassRow(_without_details(score), address))

    def _add(self, mark: ExerciseMark) -> None:
        exercise = self._exercises.setdefault(mark.id, ExerciseSummary(mark.id, mark.max_points))
        exercise.outcomes[_outcome(mark)] += 1
        if mark.points is not None:
            exercise.points += mark.points
            exercise.marked += 1
        if mark.hint:
            exercise.hints[mark.hint] += 1

    @property
    def exercises(self) -> list[ExerciseSummary]:
        """Return how each exercise went, in the exercises' order."""
        return sorted(self._exercises.values(), key=lambda exercise: in_order(exercise.id))


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
