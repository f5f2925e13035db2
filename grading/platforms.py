"""What goes back to Canvas or Moodle: a table of scores for each lesson, and the pages in a zip file.

Both are as the platforms' own code reads them. Canvas: ``lib/gradebook_importer.rb``, and
``infer_comment_context_from_filename`` in ``app/models/abstract_assignment.rb``. Moodle:
``mod/assign/feedback/offline/importgradeslib.php`` and ``mod/assign/feedback/file/importziplib.php``.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from grading.final_scores import FinalScore
from grading.names import SCHEMES, Owner, feedback_path, readable, some
from grading.pseudonyms import Naming
from grading.tables import csv_text, line, number
from utils.files import replace_file

PLATFORMS = {"canvas": "Canvas", "moodle": "Moodle"}
PAGES_FILE = "feedback.zip"
_SHOWN = 20  # names in one line; the rest is counted
_CANVAS_COLUMNS = ("Student", "ID", "Section")
_MOODLE_COLUMNS = ("Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)")
# What Canvas does not take for an assignment.
_RESERVED = re.compile(
    r"(Student|LastName|FirstName|ID|Section|SIS User ID|SIS Login ID|Integration ID|Root Account)"
    r"|.*((Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)).*"
)
# What means another thing on another system, or cannot be written: separators, control characters, no Unicode.
_UNSAFE = re.compile("[\\\\\x00-\x1f\x7f\ud800-\udfff]")


def column(title: object) -> str:
    """Return the title of an assignment on Canvas; raises ValueError for what cannot be one."""
    if not isinstance(title, str) or not title.strip() or not title.isprintable():
        raise ValueError(f"{title!r} is not an assignment's title, such as Lesson 02 (1234)")
    if _RESERVED.fullmatch(title):
        raise ValueError(f"Canvas takes {title!r} for one of its own columns. Give the assignment another title")
    return title


class PlatformFiles:
    """Takes in students one by one, and writes what their platform, "canvas" or "moodle", takes back.

    These files name people, whatever name the pages show. ``assignments`` are the titles of lessons' columns on Canvas.
    """

    def __init__(self, platform: str, assignments: Mapping[str, str] | None = None) -> None:
        self._platform = platform
        self._assignments = assignments or {}
        self._scores: dict[str, list[FinalScore]] = {}
        self._pages: dict[str, str] = {}
        self._unknown: set[str] = set()
        self._files: list[str] = []

    def add(self, scores: Sequence[FinalScore], page: str) -> None:
        """Take in one student's scores and page."""
        for score in scores:
            student = score.mark.student
            path = self._path(score)
            if path:
                self._pages[path] = page
            if self._id(student) is None or not path:
                self._unknown.add(student)
            if self._id(student) is not None and score.mark.max_score is not None:
                self._scores.setdefault(score.mark.lesson, []).append(score)

    def write(self, folder: Path) -> None:
        """Write the tables and the zip file into ``folder``, for its owner only."""
        table = self._canvas if self._platform == "canvas" else self._moodle
        contents: dict[str, str | bytes] = {
            f"{self._platform}-{lesson}.csv": table(lesson, scores) for lesson, scores in sorted(self._scores.items())
        }
        contents[PAGES_FILE] = _zipped(self._pages)
        for name, content in contents.items():
            replace_file(folder / name, content, private=True)
        self._files = list(contents)

    def lines(self, folder: Path, naming: Naming) -> list[str]:
        """Return the lines to be printed about what was written."""
        found = (
            [
                f"For {PLATFORMS[self._platform]}, with people's names: {folder / self._files[0]}, "
                f"{', '.join(self._files[1:])}."
            ]
            if self._files
            else []
        )
        if self._unknown:
            who = some(sorted(map(naming, self._unknown)), _SHOWN)
            found.append(f"Left out of some of these, because the files' names do not say whose they are: {who}.")
        return found

    def _path(self, score: FinalScore) -> str:
        """Return the page's path in the zip file, "" where the platform would not know, or not be sure, whose it is."""
        student = score.mark.student
        empty = f"{student}_assignsubmission_file_" if self._platform == "moodle" else ""  # what holds no file
        path = feedback_path(self._platform, score.file or empty)
        known = self._id(student) is not None or (self._platform == "canvas" and _is_anonymous(student))
        return path if known and not _UNSAFE.search(path) and _owner(self._platform, path) == student else ""

    def _id(self, student: str) -> str | None:
        """Return the platform's number of a student, None where the name does not tell.

        Canvas takes the first number between underscores, Moodle what is behind the first underscore.
        """
        *name, last = student.split("_")
        ids = [part for part in (*name, last) if re.fullmatch("[0-9]+", part)]
        alone = len(name) == 1 if self._platform == "moodle" else len(ids) == 1 and not _is_anonymous(student)
        return last if alone and ids[-1:] == [last] else None

    def _canvas(self, lesson: str, scores: Sequence[FinalScore]) -> str:
        """Return the table for Canvas's gradebook: an empty cell would delete the score that stands there."""
        title = self._assignments.get(lesson, f"Lesson {lesson}")
        rows = [{"Student": "Points Possible", title: number(scores[0].mark.max_score)}]
        rows += [
            {"Student": _name(score), "ID": str(self._id(score.mark.student)), title: points}
            for score in scores
            if (points := _points(score))
        ]
        return csv_text((*_CANVAS_COLUMNS, title), rows)

    def _moodle(self, lesson: str, scores: Sequence[FinalScore]) -> str:
        """Return the grading worksheet of an assignment; Moodle passes over empty grades."""
        cells = (
            (
                f"Participant {self._id(score.mark.student)}",
                _name(score),
                _points(score),
                number(score.mark.max_score),
                "",
            )
            for score in scores
        )
        return csv_text(_MOODLE_COLUMNS, (dict(zip(_MOODLE_COLUMNS, row, strict=True)) for row in cells))


def _owner(platform: str, path: str) -> str:
    """Return the student to whom ``--names`` gives what lies under this path, "" for none."""
    owner = SCHEMES[platform](tuple(path.split("/")))
    return readable(owner.student) if isinstance(owner, Owner) else ""


def _is_anonymous(student: str) -> bool:
    """Return whether Canvas gave no name and no number, but a word of its own."""
    return re.fullmatch("anon_[^_]+", student) is not None


def _name(score: FinalScore) -> str:
    return line(score.mark.student.rpartition("_")[0])


def _points(score: FinalScore) -> str:
    """Return the points that count, "" while some of them wait for a person, and where there are none."""
    return "" if score.mark.status == "pending" else number(score.final)


def _zipped(pages: Mapping[str, str]) -> bytes:
    """Return a zip file of the pages, the same bytes for the same pages."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, page in sorted(pages.items()):
            archive.writestr(zipfile.ZipInfo(path), page.encode(), zipfile.ZIP_DEFLATED)
    return data.getvalue()
