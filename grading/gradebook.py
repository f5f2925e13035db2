"""Where marks are stored: an SQLite file that is written student by student, so that nothing is done twice.

Whoever wants to look while a class is being marked can: readers and the writer do not wait for each other. Only one
marking at a time is at work in a folder.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import resource
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grading import GradingError
from grading.marking import ExerciseMark, SubmissionMark
from grading.names import readable
from grading.tables import Roll

FILE = "results.sqlite"
LOCK = ".marking.lock"
_APPLICATION = 0x4D41524B  # says in the file's header that it is ours
_VERSION = 3
_BUSY_SECONDS = 20
_ROOM = 2**17
_THIS_ONE = "round = ? AND student = ? AND lesson = ? AND digest = ?"
_SCHEMA = f"""
PRAGMA auto_vacuum = FULL;
BEGIN;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE results (
    round TEXT NOT NULL, student TEXT NOT NULL, lesson TEXT NOT NULL, digest TEXT NOT NULL,
    turn INTEGER NOT NULL, handed_in TEXT, late INTEGER NOT NULL, file TEXT NOT NULL,
    marked_at TEXT NOT NULL, status TEXT NOT NULL, score REAL, mark TEXT NOT NULL,
    PRIMARY KEY (round, student, lesson, digest)
);
CREATE TABLE public_results (
    round TEXT NOT NULL, student TEXT NOT NULL, lesson TEXT NOT NULL, digest TEXT NOT NULL, results TEXT NOT NULL,
    PRIMARY KEY (round, student, lesson, digest)
);
CREATE TABLE readers (student TEXT PRIMARY KEY, kept TEXT NOT NULL);
CREATE TABLE by_hand (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, exercise TEXT NOT NULL, text_key TEXT NOT NULL,
    points REAL, comment TEXT NOT NULL, entered_at TEXT NOT NULL
);
CREATE INDEX by_hand_of ON by_hand (student, exercise, text_key);
COMMIT;
"""


@dataclass(frozen=True)
class StoredMark:
    """A mark as it is stored: when it was handed in (None: nobody knows), whether the platform calls it late.

    ``turn`` counts up whenever something is handed in, ``marked_at`` is in local time, and ``file`` is the path under
    which it came, in the platform's own words.
    """

    mark: SubmissionMark
    time: datetime | None = None
    late: bool = False
    turn: int = 0
    marked_at: str = ""
    round: str = ""
    file: str = ""


@dataclass(frozen=True)
class HandMark:
    """What a person gave for a text: ``points`` is None for a comment alone, and for a mark taken back."""

    points: float | None
    comment: str = ""


class Gradebook:
    """All rounds of marking in a folder: their seeds, the lessons' versions, and every mark that was ever given.

    ``round`` names the one that is worked on, None the one that was begun last. A student's resubmission gets a row of
    its own, and no row is ever removed. What is marked by hand belongs to all rounds. Raises GradingError for a folder
    that holds something else, and while another process is at work on it.
    """

    def __init__(self, folder: Path, round: str | None = None) -> None:
        _must_be_ours(folder)
        path = folder / FILE
        self._lock = _Lock(folder)
        try:
            path.touch(mode=0o600)  # the seed is in it
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._open()
            self.round = round or self._last_round()
        except sqlite3.OperationalError as error:
            self._lock.release()
            raise GradingError(f"{path} cannot be used: {cause(error, folder)}.") from None
        except sqlite3.DatabaseError:
            self._lock.release()
            raise GradingError(f"{path} is damaged or not ours. Choose another folder for --out.") from None
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> None:
        if self._database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            self._database.executescript(_SCHEMA)
        _must_be_this_version(self._database)
        self._database.execute("PRAGMA journal_mode = WAL")  # refused in silence where the file system cannot do it
        self._database.execute("PRAGMA synchronous = FULL")

    def _last_round(self) -> str:
        query = "SELECT name FROM facts WHERE name LIKE 'seed of %' ORDER BY rowid DESC LIMIT 1"
        found = self._database.execute(query).fetchone()
        return found[0].removeprefix("seed of ") if found else "1"

    def close(self) -> None:
        """Let go of the folder."""
        self._database.close()
        self._lock.release()

    def seed(self, wanted: str | None = None) -> str:
        """Return the round's seed, ``wanted`` or a random one on first use; raises GradingError for another."""
        query = "SELECT name FROM facts WHERE name LIKE 'seed of %' AND name != ? AND value = ?"
        if found := self._database.execute(query, (f"seed of {self.round}", wanted)).fetchone():
            raise GradingError(
                f"Round {found[0].removeprefix('seed of ')} has the seed of this file, and so the same "
                "secret cases. Write another text into the file."
            )
        seed = self._fact(f"seed of {self.round}", wanted or secrets.token_hex(32))
        if wanted not in (None, seed):
            raise GradingError(
                "This round was begun with another seed. Leave --seed-file out, or name a new round with --round."
            )
        return seed

    def free_texts(self, wanted: bool = False) -> bool:
        """Return whether free texts have points in this round, ``wanted`` on first use.

        Raises GradingError where they are wanted in a round that was begun without.
        """
        found = self._fact(f"free texts in {self.round}", str(wanted)) == str(True)
        if wanted and not found:
            raise GradingError(
                "This round was begun without --free-text. Leave it out, or name a new round with --round, so that all "
                "are marked alike."
            )
        return found

    def bind(self, lesson: str, version: str) -> None:
        """Note a lesson's version; raises GradingError where this round has marked by another one."""
        if self._fact(f"version of {lesson} in {self.round}", version) != version:
            raise GradingError(
                f"Lesson {lesson} has changed since this round began. Name a new one, such as --round again, so that "
                "all are marked alike."
            )

    def _fact(self, name: str, value: str) -> str:
        """Return what is stored under ``name``, which is ``value`` from the first time on."""
        self._database.execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, value))
        return self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()[0]

    def status(self, student: str, lesson: str, digest: str) -> str | None:
        """Return the status of this very submission in this round, None where it is not marked yet."""
        key = (self.round, student, lesson, digest)
        found = self._database.execute(f"SELECT status FROM results WHERE {_THIS_ONE}", key).fetchone()
        return found[0] if found else None

    def resubmit(
        self, student: str, lesson: str, digest: str, when: datetime | None, late: bool, file: str = ""
    ) -> None:
        """Note that a submission that is marked already was handed in again: it is the student's latest now."""
        key = (self.round, student, lesson, digest)
        with self._together():
            turn, was, was_late, was_file = self._database.execute(
                f"SELECT turn, handed_in, late, file FROM results WHERE {_THIS_ONE}", key
            ).fetchone()
            now = (
                turn if turn == self._last_turn(student, lesson) else self._next_turn(),
                _text(when) or was,
                late,
                _unicode(file) or was_file,
            )
            if now != (turn, was, bool(was_late), was_file):
                self._database.execute(
                    f"UPDATE results SET turn = ?, handed_in = ?, late = ?, file = ? WHERE {_THIS_ONE}", (*now, *key)
                )

    def put(self, mark: SubmissionMark, when: datetime | None = None, late: bool = False, file: str = "") -> None:
        """Keep a mark; it is on disk when this returns."""
        key = (self.round, mark.student, mark.lesson, mark.digest)
        with self._together():
            row = (
                *key,
                self._next_turn(),
                _text(when),
                late,
                _unicode(file),
                _now(),
                mark.status,
                mark.score,
                json.dumps(asdict(mark)),
            )
            self._database.execute(f"INSERT OR REPLACE INTO results VALUES ({', '.join('?' * len(row))})", row)
            self._database.execute(f"DELETE FROM public_results WHERE {_THIS_ONE}", key)

    def put_public(self, student: str, lesson: str, digest: str, results: str) -> None:
        """Keep what became of a submission's answers on the public cases until it has its mark."""
        row = (self.round, student, lesson, digest, results)
        self._database.execute("INSERT OR REPLACE INTO public_results VALUES (?, ?, ?, ?, ?)", row)

    def public(self, student: str, lesson: str, digest: str) -> str | None:
        """Return what became of a submission's answers on the public cases, None where that is not known yet."""
        key = (self.round, student, lesson, digest)
        found = self._database.execute(f"SELECT results FROM public_results WHERE {_THIS_ONE}", key).fetchone()
        return found[0] if found else None

    def put_reader(self, student: str, kept: Mapping[str, Any]) -> None:
        """Keep what a student's own file holds, which ``download()`` makes: the latest counts, in all rounds."""
        self._database.execute("INSERT OR REPLACE INTO readers VALUES (?, ?)", (student, json.dumps(kept)))

    def readers(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what the students' own files hold, students sorted by name."""
        for student, kept in self._database.execute("SELECT student, kept FROM readers ORDER BY student").fetchall():
            yield student, json.loads(kept)

    def students(self) -> Iterator[list[StoredMark]]:
        """Yield the marks of each student, turn by turn, students sorted by name.

        Of each lesson these are the marks of this round, or of the latest that has any.
        """
        rounds = dict(
            self._database.execute(
                "SELECT lesson, round FROM (SELECT lesson, round, max(turn) FROM results GROUP BY lesson)"
            )
        )
        here = self._database.execute("SELECT DISTINCT lesson, round FROM results WHERE round = ?", (self.round,))
        rounds |= dict(here)
        for (student,) in self._database.execute("SELECT DISTINCT student FROM results ORDER BY student").fetchall():
            marks = _stored_marks(self._database, "student = ?", (student,))
            if shown := [stored for stored in marks if stored.round == rounds[stored.mark.lesson]]:
                yield shown

    def put_by_hand(self, student: str, exercise: str, text_key: str, mark: HandMark) -> bool:
        """Keep what a person gave for a text; return whether that is anything new."""
        if self.by_hand(student, exercise).get(text_key, HandMark(None)) == mark:
            return False
        row = (student, exercise, text_key, mark.points, mark.comment, _now())
        self._database.execute("INSERT INTO by_hand VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)
        return True

    def by_hand(self, student: str, exercise: str) -> dict[str, HandMark]:
        """Return what a person gave for each of the student's texts, by the text's key, the latest text last."""
        query = """SELECT text_key, points, comment FROM by_hand WHERE student = ? AND exercise = ? ORDER BY id"""
        found: dict[str, HandMark] = {}
        for key, points, comment in self._database.execute(query, (student, exercise)):
            found.pop(key, None)
            found[key] = HandMark(points, comment)
        return found

    def texts(self) -> Iterator[tuple[str, ExerciseMark]]:
        """Yield every free text that was ever handed in, with its student."""
        rows = self._database.execute("SELECT student, mark FROM results ORDER BY student, lesson, turn")
        for student, mark in rows:
            yield from ((student, exercise) for exercise in _mark(mark).exercises if exercise.text)

    def _last_turn(self, student: str, lesson: str) -> int:
        query = "SELECT max(turn) FROM results WHERE round = ? AND student = ? AND lesson = ?"
        return self._database.execute(query, (self.round, student, lesson)).fetchone()[0]

    def _next_turn(self) -> int:
        return self._database.execute("SELECT coalesce(max(turn), 0) + 1 FROM results").fetchone()[0]

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """Make what is written in the block one change: all of it is on disk afterwards, or nothing."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise


def history(folder: Path, student: str | None = None) -> Iterator[StoredMark]:
    """Yield every mark that was ever given in ``folder``, to one student or to all, a marking at work or not."""
    path = folder / FILE
    if not path.is_file():
        raise GradingError(f"{folder} holds no results. Name the folder that --out named.")
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            _must_be_this_version(database)
            condition = "TRUE" if student is None else "student = ?"
            values = () if student is None else (_known(database, folder, student),)
            yield from _stored_marks(database, condition, values)
    except sqlite3.DatabaseError as error:
        raise GradingError(f"{path} cannot be read ({error}).") from None


def _known(database: sqlite3.Connection, folder: Path, student: str) -> str:
    found = Roll(name for (name,) in database.execute("SELECT DISTINCT student FROM results")).find(student)
    if found is None:
        raise GradingError(f"{folder} holds no mark for {readable(student)}. Write the name as grades.csv shows it.")
    return found


def _stored_marks(database: sqlite3.Connection, condition: str, values: tuple[str, ...]) -> Iterator[StoredMark]:
    query = f"""SELECT mark, handed_in, late, turn, marked_at, round, file FROM results
                WHERE {condition} ORDER BY student, lesson, turn"""
    for mark, handed_in, late, *others in database.execute(query, values):
        when = datetime.fromisoformat(handed_in) if handed_in else None
        yield StoredMark(_mark(mark), when, bool(late), *others)


def _must_be_this_version(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
        raise sqlite3.DatabaseError("it is not ours")
    if database.execute("PRAGMA user_version").fetchone() != (_VERSION,):
        raise GradingError("The results there are from another version of the grader. Choose another folder for --out.")


class _Lock:
    """Makes sure that one marking at a time is at work in a folder: it ends with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)  # marks, with people's names
            self._descriptor = self._locked()
        except BlockingIOError:
            text = "another marking is using it; wait until that ends"
            raise GradingError(f"{folder / FILE} cannot be used: {text}.") from None
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise GradingError(f"{folder} cannot be written to ({error.strerror}). Choose another --out.") from None

    def _locked(self) -> int:
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._path.exists() and os.fstat(descriptor).st_ino == self._path.stat().st_ino:
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)  # whoever held it has removed the file meanwhile

    def release(self) -> None:
        """Let go, and leave nothing behind."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


def cause(error: Exception, folder: Path) -> str:
    """Return what stopped the work in ``folder``, and what to do about it."""
    code, text = getattr(error, "errno", None), str(error)
    if code in (errno.ENOSPC, errno.EDQUOT) or "disk is full" in text or _is_full(folder):
        place = getattr(error, "filename2", None) or getattr(error, "filename", None)
        return "the disk is full: make room" + (f" for {place}" if place else "")
    most = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    if most != resource.RLIM_INFINITY and (code == errno.EFBIG or "disk I/O error" in text):
        return f"no file may be larger than {most:,} bytes: raise that limit, which ulimit -f shows"
    if "database is locked" in text:
        return "another program holds the results: close it"
    return text


def _is_full(folder: Path) -> bool:
    """Return whether there is no room for what the database needs beside itself, of which it says only "I/O error"."""
    try:
        return shutil.disk_usage(folder).free < _ROOM
    except OSError:
        return False


def _must_be_ours(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise GradingError(f"{folder} is a file. Give --out a folder that does not exist yet or is empty.")
    if folder.is_dir() and _others(folder) and not (folder / FILE).is_file():
        raise GradingError(f"{folder} holds files that are not ours. Choose an empty or a new folder for --out.")


def _others(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {LOCK}


def _mark(text: str) -> SubmissionMark:
    data = json.loads(text)
    return SubmissionMark(**{**data, "exercises": [ExerciseMark(**exercise) for exercise in data["exercises"]]})


def _text(when: datetime | None) -> str | None:
    return when.isoformat() if when else None


def _unicode(path: str) -> str:
    """Return a path that can be stored: a file's name may hold bytes that are no UTF-8."""
    return path.encode("utf-8", "replace").decode("utf-8")


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")
