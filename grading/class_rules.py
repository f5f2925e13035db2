"""What counts in a class: ``class.toml`` says which exercises, their points, and what lateness costs, per lesson."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from grading import GradingError
from grading.final_scores import ScoringRules
from grading.lateness import Lateness, moment
from grading.platforms import column
from utils.exercises.definition import lessons_with_exercises, load_lesson

_MOST_POINTS = 1000
_MOST_MINUTES = 999_999


@dataclass(frozen=True)
class ClassRules:
    """How scores are counted, and the lessons' columns on a platform."""

    scoring: ScoringRules = field(default_factory=ScoringRules)
    assignments: Mapping[str, str] = field(default_factory=dict)


class _Wrong(ValueError):
    """What is wrong in a class's file, as a sentence."""


def read_class(path: Path) -> ClassRules:
    """Return what a class's file says; raises GradingError, which says what is wrong there."""
    try:
        with path.open("rb") as file:
            return _rules(tomllib.load(file))
    except OSError as error:
        raise GradingError(f"The class file {path} could not be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise GradingError(f"{path} is not text in UTF-8. Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise GradingError(
            f"{path} is not TOML: {error}. Put text and an exercise's number into quotes, and give a time with "
            "seconds, as in 2026-03-08T18:00:00."
        ) from None
    except _Wrong as error:
        raise GradingError(f"{path}: {error}") from None


def _rules(data: Mapping[str, Any]) -> ClassRules:
    _must_be_known(data, ("late", "further", "lesson"), "the file")
    late = _table(data, "late", "late")
    _must_be_known(late, _LATE, "[late]")
    lateness = _lateness(late, "late", Lateness())
    lessons = {number: _lesson(number, given) for number, given in _table(data, "lesson", "lesson").items()}
    by_default = _truth(data.get("further", False), "further")
    further = frozenset(
        number
        for number in lessons_with_exercises()
        if _truth(lessons.get(number, {}).get("further", by_default), f"lesson.{number}.further")
    )
    late_of = {number: _lateness(given, f"lesson.{number}", lateness) for number, given in lessons.items()}
    points = {id: value for number, given in lessons.items() for id, value in _points(number, given).items()}
    scoring = ScoringRules(lateness=replace(lateness, lessons=late_of), further=further, points=points)
    for number, given in lessons.items():
        if "points" in given and not any(scoring.points_of(id, one.points) for id, one in load_lesson(number).items()):
            raise _Wrong(f"nothing counts in lesson {number}. Leave at least one exercise its points.")
    assignments = {
        number: _column(given["assignment"], f"lesson.{number}.assignment")
        for number, given in lessons.items()
        if "assignment" in given
    }
    return ClassRules(scoring, assignments)


def _lesson(number: str, given: Any) -> Mapping[str, Any]:
    if number not in lessons_with_exercises():
        there_are = ", ".join(lessons_with_exercises())
        raise _Wrong(f"there is no lesson {number} with exercises. There are: {there_are}.")
    given = _table({number: given}, number, f"lesson.{number}")
    _must_be_known(given, (*_LATE, "further", "points", "assignment"), f"[lesson.{number}]")
    return given


def _points(number: str, given: Mapping[str, Any]) -> dict[str, float]:
    where = f"[lesson.{number}.points]"
    points = _table(given, "points", f"lesson.{number}.points")
    exercises = load_lesson(number) if points else {}
    for id, value in points.items():
        if isinstance(value, dict):
            raise _Wrong(f'{where} has {id} without quotes. Write "{id}.{next(iter(value), 1)}" = 4.')
        if id not in exercises:
            raise _Wrong(f"{where}: lesson {number} has no exercise {id}. {_instead(id, exercises)}")
        _number(value, f"the points of {id}", _MOST_POINTS)
    return dict(points)


def _lateness(given: Mapping[str, Any], where: str, default: Lateness) -> Lateness:
    """Return the default rule with what is given instead."""
    return replace(
        default, **{name: read(given[key], f"{where}.{key}") for key, (name, read) in _LATE.items() if key in given}
    )


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise _Wrong(f"{where} is {found!r}, but it should be a table. Write [{where}] above what belongs to it.")
    return found


def _must_be_known(given: Iterable[str], known: Iterable[str], where: str) -> None:
    for key in given:
        if key not in known:
            raise _Wrong(f"{where} has {key}, which means nothing here. {_instead(key, known)}")


def _instead(word: str, known: Iterable[str]) -> str:
    """Return all that there is, and what was probably meant."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"There are: {', '.join(known)}." + (f" Did you mean {near[0]}?" if near else "")


def _number(value: Any, what: str, most: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise _Wrong(f"{what}: {value!r} is not a number from 0 to {most}.")
    return value


def _percent(value: Any, what: str) -> float:
    return _number(value, what, 100)


def _minutes(value: Any, what: str) -> timedelta:
    if not isinstance(value, int):
        raise _Wrong(f"{what}: {value!r} is not a whole number of minutes.")
    return timedelta(minutes=_number(value, what, _MOST_MINUTES))


def _time(value: Any, what: str) -> datetime:
    try:
        return moment(value.isoformat() if isinstance(value, datetime) else value)
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise _Wrong(f"{what}: {str(value)!r} is not a time. Write it as 2026-03-08T18:00:00.") from None


def _truth(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(f"{what}: {value!r} is neither true nor false.")
    return value


def _column(value: Any, what: str) -> str:
    try:
        return column(value)
    except ValueError as error:
        raise _Wrong(f"{what}: {error}.") from None


# The keys about lateness: the field of ``Lateness`` that each sets, and how it is read.
_LATE: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    "due": ("due", _time),
    "grace": ("grace", _minutes),
    "penalty": ("per_day", _percent),
    "cap": ("cap", _percent),
}
