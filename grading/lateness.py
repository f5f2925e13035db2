"""When a submission was handed in, and what it costs to be late.

The rule: who hands in more than ``grace`` after the due date loses ``per_day`` percent of the points earned for each
day that has begun since the due date, by this machine's clock, ``cap`` percent at most. Where only the platform's mark
says that something is late, and no time is known, it is one day. Where nothing is known, it is on time.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from grading import GradingError
from grading.submissions import StudentFiles
from grading.tables import Roll

_DAY = timedelta(days=1)
_YEARS = range(1970, 9999)  # at the ends of Python's years, no time can be told in another zone


@dataclass(frozen=True)
class Lateness:
    """The due date and the rule; percent are numbers from 0 to 100. ``lessons`` have rules of their own."""

    due: datetime | None = None
    per_day: float = 0.0
    cap: float = 100.0
    grace: timedelta = timedelta()
    lessons: Mapping[str, Lateness] = field(default_factory=dict)

    @property
    def applies(self) -> bool:
        """Return whether anybody can be late at all."""
        return self.due is not None or self.per_day > 0 or any(one.applies for one in self.lessons.values())

    def of(self, lesson: str) -> Lateness:
        """Return the rule for one lesson."""
        return self.lessons.get(lesson, self)

    def everywhere(self, **fields: Any) -> Lateness:
        """Return the rule with these fields in all lessons."""
        lessons = {number: replace(one, **fields) for number, one in self.lessons.items()}
        return replace(self, **fields, lessons=lessons)

    def days(self, time: datetime | None, called_late: bool) -> int:
        """Return the number of days begun since the due date, 0 for what is on time or within the grace."""
        if time is None or self.due is None:
            return int(called_late)
        if time - self.due <= max(self.grace, timedelta()):
            return 0
        late = _by_the_clock(time) - _by_the_clock(self.due)  # a day has 23 or 25 hours where clocks are changed
        return max(1, math.ceil(late / _DAY))

    def percent(self, days: int) -> float:
        """Return the percentage of the points earned that so many days cost."""
        return min(self.cap, days * self.per_day)

    def penalty(self, score: float, days: int) -> float:
        """Return the points that so many days cost, to the hundredth."""
        return round(score * self.percent(days) / 100, 2)


def _by_the_clock(time: datetime) -> datetime:
    return time.astimezone().replace(tzinfo=None)


def moment(text: str) -> datetime:
    """Return a time written as in ISO 8601, in local time where it names no zone; raises ValueError for others.

    Its text says what is wrong, in the second half of a sentence.
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("is not a time. Write it as in 2026-03-01T18:00 or 2026-03-01T18:00+01:00") from None
    if time.year not in _YEARS:
        raise ValueError(f"is not a time in the years {_YEARS[0]} to {_YEARS[-1]}")
    return time if time.tzinfo else time.astimezone()


Times = Mapping[tuple[str, str], datetime]


def read_times(path: Path) -> Times:
    """Return the times in a CSV file with the columns student, time, and if wanted file, by student and file.

    Both are as they stand there: ``with_times`` finds out whom they mean.

    Raises GradingError, which names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {"student", "time"} <= set(rows.fieldnames or ()):
                raise GradingError(f"{path} lacks the columns student and time in its first line. Write them there.")
            return {whose: _time(path, rows.line_num, row["time"]) for row in rows if (whose := _whose(row))[0].strip()}
    except OSError as error:
        raise GradingError(f"The file of times {path} could not be read ({error.strerror}).") from None
    except (UnicodeDecodeError, csv.Error):
        raise GradingError(f"{path} is not a CSV file in UTF-8. Save it as CSV UTF-8.") from None


def _whose(row: Mapping[str, str | None]) -> tuple[str, str]:
    return row["student"] or "", row.get("file") or ""


def _time(path: Path, line: int, text: str | None) -> datetime:
    try:
        return moment(text or "")
    except ValueError as error:
        raise GradingError(f"{path}, line {line}: {text!r} {error}.") from None


def with_times(students: Iterable[StudentFiles], times: Times) -> tuple[list[StudentFiles], list[str]]:
    """Return the students with the times that the file gives, and whom it names that is not one of them."""
    everybody = list(students)
    roll = Roll(one.student for one in everybody)
    times_of: dict[str | None, dict[str, datetime]] = {}
    for (name, file), time in sorted(times.items(), key=lambda row: roll.exact(row[0][0]) is not None):
        times_of.setdefault(roll.find(name), {})[file.strip()] = time  # whose name is exact comes last, and counts
    unknown = {name.strip() for name, _ in times if roll.find(name) is None}
    return [_timed(one, times_of.get(one.student, {})) for one in everybody], sorted(unknown)


def _timed(files: StudentFiles, times: Mapping[str, datetime]) -> StudentFiles:
    """Return the student's documents with their times; the file "" stands for all that have none of their own."""
    roll = Roll(one.name for one in files.documents)
    own = {roll.find(file): time for file, time in times.items() if file}
    documents = (replace(one, time=own.get(one.name) or times.get("") or one.time) for one in files.documents)
    return replace(files, documents=tuple(documents))
