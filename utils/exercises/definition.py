"""The one definition of an exercise, used both by the student's check and for marking a class."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from utils import rooms

Inputs = Mapping[str, Any]
Hint = tuple[Callable[[Inputs, Any, Any], bool], str]  # a rule, and what to say where it matches
ID = re.compile(r"(\d\d)\.(\d+)")
SLOW_HINT = "Look for work that is done once for each of many units, and for values that are computed over and over."


class UnknownExercise(LookupError):
    """An exercise id or a lesson number that the course does not have."""


class Judged(Protocol):
    """What an answer is judged by: an `Exercise`, whose fields these are, or a page's blank."""

    @property
    def verify(self) -> Callable[[Inputs, Any, Any, Any], float]: ...
    @property
    def misconceptions(self) -> Sequence[Hint]: ...
    @property
    def remarks(self) -> Sequence[Hint]: ...
    @property
    def wanted(self) -> Callable[[Inputs, Any], str] | None: ...
    @property
    def explain(self) -> Callable[[Inputs, Any, Any], str] | None: ...


@dataclass(frozen=True)
class Exercise:
    """An exercise whose answer is a function of plain data.

    ``cases(rng)`` yields pairs ``(given, hidden)``. ``given`` maps the answer's argument names, in order,
    to plain data and is all that the answer gets; ``hidden`` (held-out data, say) stays with ``verify``.
    ``verify(given, hidden, value, expected)`` returns a fraction of the points from 0 to 1; ``value`` is
    what the answer returned and ``expected`` what the solution returned, both as plain data with tensors
    turned into arrays. The mark is ``points`` times the minimum over the cases.

    ``misconceptions`` is an ordered list of ``(matches(given, value, expected), hint)``: the rule says whether a
    mistake has this result, the hint names the mistake. ``remarks`` are such pairs, too, whose hints say what is seen
    of the case that is shown and are true whatever the cause. Which hint speaks: see ``utils.exercises.scoring``.

    ``without`` names functions of ``utils`` that the answer may not call, such as
    ``"utils.constructions.relu_interpolant"``. ``seconds`` is what the solution takes for all its cases;
    ``slow_hint`` is shown if an answer takes too long. ``wanted(given, expected)`` says in words what the result should
    have been, where showing the solution's value would say too much or too little. ``explain(given, value, expected)``
    says where and by how much a wrong value misses, or "" where it has nothing to say. ``plot(given, value)`` returns
    a figure of one result, for ``show``, and what it shows in words; where nothing is wrong it is that of the case
    number ``plotted_case``, from 0.

    Raises ValueError for an id that is not NN.k, for points that are not a positive integer, and for
    seconds outside 0 to 10.
    """

    id: str
    points: int
    answer_name: str
    cases: Callable[[np.random.Generator], Iterable[tuple[Inputs, Any]]]
    verify: Callable[[Inputs, Any, Any, Any], float]
    misconceptions: Sequence[Hint]
    remarks: Sequence[Hint] = ()
    without: Sequence[str] = ()
    seconds: float = 1
    wanted: Callable[[Inputs, Any], str] | None = None
    explain: Callable[[Inputs, Any, Any], str] | None = None
    plot: Callable[[Inputs, Any], tuple[Any, str]] | None = None
    plotted_case: int = 0
    slow_hint: str = SLOW_HINT

    def __post_init__(self) -> None:
        _validate(self.id, self.points)
        if not self.answer_name.isidentifier():
            raise ValueError(f"answer_name of {self.id} is {self.answer_name!r}. Give the name of a function.")
        if not 0 < self.seconds <= 10:
            raise ValueError(f"seconds of {self.id} is {self.seconds!r}. Give a number above 0, at most 10.")


@dataclass(frozen=True)
class FreeText:
    """A question that is answered in prose, and by itself without points: its text is shown, and not marked.

    A round of marking that is begun with ``--free-text`` counts its points. A person gives them then, by the
    ``rubric``, and until that is done the student's status is "pending".

    Raises ValueError for an id that is not NN.k and for points that are not a positive integer.
    """

    id: str
    points: int
    rubric: str

    def __post_init__(self) -> None:
        _validate(self.id, self.points)


def _validate(exercise_id: str, points: int) -> None:
    if not ID.fullmatch(exercise_id):
        raise ValueError(f'the exercise id {exercise_id!r} does not have the form "NN.k", such as "03.2"')
    if not isinstance(points, int) or points < 1:
        raise ValueError(f"points of {exercise_id} is {points!r}. Give a positive whole number.")


def load_lesson(number: str) -> dict[str, Exercise | FreeText]:
    """Return the lesson's exercises by id, in the order of the definitions.

    ``number`` is two digits, such as "01". Raises UnknownExercise where the lesson has no definitions,
    ValueError where two definitions share an id or an id belongs to another lesson.
    """
    must_be_a_lesson(number)
    module = rooms.module_of(number, "exercises")
    exercises: dict[str, Exercise | FreeText] = {}
    for exercise in module.EXERCISES:
        if not exercise.id.startswith(f"{number}.") or exercise.id in exercises:
            raise ValueError(
                f"utils/lesson_{number}/exercises has {exercise.id}, which is taken or belongs to another lesson"
            )
        exercises[exercise.id] = exercise
    return exercises


def must_be_a_lesson(number: str) -> None:
    """Raise UnknownExercise where the lesson has no definitions; none are loaded."""
    if number not in lessons_with_exercises():
        known = ", ".join(lessons_with_exercises()) or "none"
        raise UnknownExercise(f"There is no lesson {number} with exercises. The lessons that have some are: {known}.")


def lessons_with_exercises() -> list[str]:
    """Return the two-digit numbers of the lessons that define exercises, sorted."""
    return rooms.lessons_with("exercises")


def find(exercise_id: str) -> Exercise | FreeText:
    """Return the exercise with this id; raises UnknownExercise, with the ids that there are."""
    match = ID.fullmatch(exercise_id) if isinstance(exercise_id, str) else None
    if match is None:
        raise UnknownExercise(f'{exercise_id!r} is not an exercise id. Write the id as text, such as "01.2".')
    exercises = load_lesson(match[1])
    if exercise_id not in exercises:
        known = ", ".join(exercises)
        raise UnknownExercise(f"There is no exercise {exercise_id}. Lesson {match[1]} has {known}.")
    return exercises[exercise_id]
