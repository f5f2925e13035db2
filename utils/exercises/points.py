"""The points that a student's checks have given, kept: the best of each exercise (see `utils.local_storage`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from utils import local_storage
from utils.exercises import definition
from utils.exercises.definition import Exercise, FreeText


def earned(exercise: Exercise, fraction: float) -> float:
    """Return this fraction of the exercise's points, as it is printed and kept."""
    return round(fraction * exercise.points, 2)


def keep(exercise: Exercise, points: float) -> None:
    """Keep these points where they are more than before. It never fails and never prints: a check goes on."""
    best = _best(local_storage.read(local_storage.POINTS), exercise)
    if best is None or points > best:
        entry = {"points": points, "of": exercise.points, "date": date.today().isoformat()}
        local_storage.write(local_storage.POINTS, exercise.id, entry)


def progress() -> None:
    """Print a table of the exercises of every lesson that was begun here: the best points, and the most there are."""
    kept = local_storage.read(local_storage.POINTS)
    begun = [
        number for number in definition.lessons_with_exercises() if any(one.startswith(f"{number}.") for one in kept)
    ]
    exercises = [exercise for number in begun for exercise in definition.load_lesson(number).values()]
    if not exercises:
        return print("No points are kept here yet. Run an exercise's check, and it keeps the points that you earn.")
    print("exercise  points")
    for exercise in exercises:
        print(_row(exercise, kept))
    checked = [exercise for exercise in exercises if isinstance(exercise, Exercise)]
    total = sum(_best(kept, exercise) or 0 for exercise in checked)
    return print(f"together  {total:g} of {sum(exercise.points for exercise in checked)}")


def _row(exercise: Exercise | FreeText, kept: Mapping[str, Any]) -> str:
    if isinstance(exercise, FreeText):
        return f"{exercise.id:<8}  a short text"
    best = _best(kept, exercise)
    return f"{exercise.id:<8}  {'–' if best is None else format(best, 'g')} of {exercise.points}"


def _best(kept: Mapping[str, Any], exercise: Exercise) -> float | None:
    """Return the points kept of an exercise, maybe of another version of it, None where there are none."""
    return best(kept.get(exercise.id), exercise.points)


def best(entry: object, most: int) -> float | None:
    """Return the points of an entry, at most ``most``, None where it has none that can be read."""
    points = entry.get("points") if isinstance(entry, Mapping) else None
    return min(points, most) if isinstance(points, int | float) and math.isfinite(points) else None
