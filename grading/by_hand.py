"""Free texts, marked by hand in a table: ``by_hand.csv`` has a row for each, the instructor fills in two columns.

The table is read before anything else happens, and written anew at the end. What was filled in belongs to a text, not
to a round: it stands there again after a regrade, and waits in the gradebook while a student's text is another one.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grading import GradingError
from grading.class_summary import in_order
from grading.final_scores import FinalScore, given
from grading.gradebook import Gradebook, HandMark
from grading.marking import ExerciseMark, text_key
from grading.pseudonyms import Naming
from grading.tables import Roll, clean, csv_text, harmless, line, meant, number
from utils.exercises.definition import Exercise, FreeText, UnknownExercise, find
from utils.files import replace_file

FILE = "by_hand.csv"
COLUMNS = ("student", "exercise", "text", "rubric", "max_points", "points", "comment", "earlier", "key")
_NEEDED = ("student", "exercise", "points", "comment", "key")
_LONGEST = 30_000  # characters: no cell of a spreadsheet holds more than 32,767
TAKE_BACK = "-"


@dataclass(frozen=True)
class _Row:
    """A row as it was filled in, with the line on which it begins."""

    line: int
    cells: Mapping[str, str]

    @property
    def is_filled(self) -> bool:
        return bool(self.cells["points"] or self.cells["comment"])


class _Text(NamedTuple):
    """A free text that the gradebook knows."""

    student: str
    exercise: str
    key: str


class ByHand:
    """The table in ``folder``, read into the gradebook and written from it."""

    def __init__(self, folder: Path, gradebook: Gradebook, naming: Naming) -> None:
        self._path = folder / FILE
        self._gradebook = gradebook
        self._naming = naming
        self._taken_in = b""
        self._rows: list[_Row] = []

    def take_in(self) -> int:
        """Keep what was filled in, and return how much of it is new.

        Raises GradingError, which names the line; nothing is kept then, and the file stays as it is.
        """
        data = self._path.read_bytes() if self._path.exists() else b""
        rows = _rows(self._path, data)
        known = self._known()
        marks: dict[_Text, tuple[HandMark, int]] = {}
        for row in rows:
            if row.is_filled:
                text = self._text_of(row, known)
                mark = self._mark(row, text)
                if marks.setdefault(text, (mark, row.line))[0] != mark:
                    raise self._wrong(row.line, f"line {marks[text][1]} says something else about the same text")
        new = sum(self._gradebook.put_by_hand(*text, mark) for text, (mark, _) in marks.items())
        self._taken_in, self._rows = _digest(data), rows
        return new

    def write(self, scores: Iterable[Sequence[FinalScore]]) -> tuple[int, str]:
        """Write the table, and return how many texts wait, and the name of a backup where one had to be made.

        What somebody has filled in since it was read is taken in first; a file that cannot be understood is kept
        under another name, and so is one that holds more than the new one does.
        """
        backup = self._take_in_what_is_new()
        rows = [
            self._row(score.mark.student, exercise)
            for score in itertools.chain.from_iterable(scores)
            for exercise in score.mark.exercises
            if exercise.text and exercise.counts
        ]
        rows.sort(key=lambda row: (in_order(row["exercise"]), row["student"]))
        if not backup and self._would_lose(rows):
            backup = self._keep_aside()
        text = csv_text(COLUMNS, rows)
        if rows or self._path.exists():
            if not self._path.exists() or self._path.read_bytes() != text.encode():
                replace_file(self._path, text)
        return sum(not row["points"] for row in rows), backup

    def _take_in_what_is_new(self) -> str:
        data = self._path.read_bytes() if self._path.exists() else b""
        if not data or _digest(data) == self._taken_in:
            return ""
        try:
            self.take_in()
        except GradingError:
            return self._keep_aside()
        return ""

    def _would_lose(self, rows: Sequence[Mapping[str, str]]) -> bool:
        """Return whether the file on disk holds something that neither the new rows nor the gradebook hold."""
        return any(value and name not in COLUMNS for row in self._rows for name, value in row.cells.items())

    def _keep_aside(self) -> str:
        names = (self._path.with_name(f"by_hand.backup-{count}.csv") for count in itertools.count(1))
        backup = next(path for path in names if not path.exists())
        self._path.replace(backup)
        return backup.name

    def _known(self) -> dict[str, set[_Text]]:
        """Return every text that was handed in here, by its key."""
        known: dict[str, set[_Text]] = {}
        for student, exercise in self._gradebook.texts():
            key = text_key(exercise.id, exercise.text)
            known.setdefault(key, set()).add(_Text(student, exercise.id, key))
        return known

    def _text_of(self, row: _Row, known: Mapping[str, set[_Text]]) -> _Text:
        """Return the text that a row is about: by its key, and by the student, who may share it with others.

        A spreadsheet may have changed 007 to 7 and 01.20 to 1.2, which the key makes up for.
        """
        texts = known.get(row.cells["key"], set())
        student = row.cells["student"]
        found = self._called(student, texts)
        if len(found) == 1 and _alike(found[0].exercise, row.cells["exercise"]):
            return found[0]
        if texts:
            who = ", ".join(sorted(line(self._naming(text.student)) for text in texts))
            what = ", ".join({text.exercise for text in texts})
            raise self._wrong(
                row.line,
                f"the text with this key is {who}'s, for exercise {what}, "
                f"not {student}'s, for {row.cells['exercise']}. Have cells been moved?",
            )
        return self._text_from_elsewhere(row)

    def _text_from_elsewhere(self, row: _Row) -> _Text:
        """Return the text of a row that was filled in for another folder of results, to wait for that text here."""
        exercise, key = row.cells["exercise"], row.cells["key"]
        if not (key[:1] == "t" and key[1:].isalnum()) or row.cells["student"].startswith("id-"):
            raise self._wrong(row.line, "no text that was handed in has this key. Have cells been moved?")
        if isinstance(_exercise(exercise), FreeText):
            return _Text(_name_in(row.cells["student"]), exercise, key)
        raise self._wrong(row.line, f"{exercise!r} is not an exercise that is marked by hand")

    def _called(self, cell: str, texts: Iterable[_Text]) -> list[_Text]:
        """Return the texts whose student a cell means: by the name as the table shows it, or by what it has become."""
        names = {name: text for text in texts for name in (text.student, self._naming(text.student))}
        name = shown if (shown := _name_in(cell)) in names else Roll(names).find(cell)
        return [names[name]] if name else list({text for other, text in names.items() if _alike(other, cell)})

    def _mark(self, row: _Row, text: _Text) -> HandMark:
        before = self._gradebook.by_hand(text.student, text.exercise).get(text.key, HandMark(None))
        cell, comment = row.cells["points"], meant(row.cells["comment"])
        if cell in ("", TAKE_BACK):
            return HandMark(None if cell else before.points, comment)
        highest = getattr(_exercise(text.exercise), "points", math.inf)
        try:
            points = float(cell.replace(",", "."))
        except ValueError:
            points = math.nan
        if not 0 <= points <= highest:
            raise self._wrong(row.line, f"{cell!r} is not a number of points from 0 to {highest:g}")
        return HandMark(points, comment)

    def _row(self, student: str, exercise: ExerciseMark) -> dict[str, str]:
        key = text_key(exercise.id, exercise.text)
        points, comment = given(self._gradebook, student, exercise)
        text = clean(exercise.text)
        cut = f"{text[:_LONGEST]}\n[The whole text is on the feedback page.]" if len(text) > _LONGEST else text
        rubric = getattr(_exercise(exercise.id), "rubric", "")
        shown = (
            line(self._naming(student)),
            exercise.id,
            harmless(cut),
            harmless(rubric),
            number(_max_points(exercise)),
            number(points),
            harmless(comment),
            harmless(self._earlier(student, exercise, key)),
            key,
        )
        return dict(zip(COLUMNS, shown, strict=True))

    def _earlier(self, student: str, exercise: ExerciseMark, key: str) -> str:
        """Return what the student's text before this one was given."""
        others = [
            mark
            for other, mark in self._gradebook.by_hand(student, exercise.id).items()
            if other != key and mark.points is not None
        ]
        if not others:
            return ""
        comment = f": {others[-1].comment}" if others[-1].comment else ""
        return f"{number(others[-1].points)} of {_max_points(exercise)} points for an earlier text{comment}"

    def _wrong(self, at: int, what: str) -> GradingError:
        return GradingError(
            f"{self._path}, line {at}: {what}. Nothing was read in. Correct this, then run the same command again."
        )


def _rows(path: Path, data: bytes) -> list[_Row]:
    """Return the table's rows; raises GradingError for a file that is no such table."""
    text = _decoded(path, data)
    if not text.strip():
        return []
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restkey="", restval="", strict=True)
    missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
    if missing:
        raise GradingError(f"{path}, line 1: the column {missing[0]} is missing. The first line must name the columns.")
    rows: list[_Row] = []
    first = 2
    try:
        for cells in reader:
            if cells.pop("", None):
                raise csv.Error("there are more cells than columns")
            rows.append(_Row(first, {name: value.strip() for name, value in cells.items()}))
            first = reader.line_num + 1
    except csv.Error as error:
        raise GradingError(f"{path}, line {first}: this is not CSV ({error}). Correct it, and run again.") from None
    return rows


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        at = data[: error.start].count(b"\n") + 1
        raise GradingError(
            f"{path}, line {at}: this is not UTF-8. Save the file as CSV UTF-8, and run again."
        ) from None


def _name_in(cell: str) -> str:
    """Return the normal name that a cell shows."""
    return unicodedata.normalize("NFC", meant(cell))


def _alike(text: str, cell: str) -> bool:
    """Return whether a cell says ``text``, or the same number."""
    try:
        return text == cell or float(text) == float(cell)
    except ValueError:
        return False


def _exercise(id: str) -> Exercise | FreeText | None:
    """Return the exercise, None where the course does not have it any more."""
    try:
        return find(id)
    except UnknownExercise:
        return None


def _max_points(exercise: ExerciseMark) -> float:
    """Return the points that are given by hand at most: the exercise's own, whatever they are worth in this class."""
    return getattr(_exercise(exercise.id), "points", exercise.max_points)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
