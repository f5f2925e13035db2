"""Judging: from what came out of a student's processes to points and feedback, in a process of its own.

Whatever a student returned is read there and nowhere else. Where that process computes for too long, takes too much
memory or dies of itself, and the next one too, the answer that was being judged is worth nothing, and all others are
judged in another one. Where somebody else ends it, twice, the submission is left for the next run.

What a page says is a function of the public cases and of the points.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import resource
import signal
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import numpy as np

from grading.marking import LONGEST_TEXT, AnswerResults, Evidence, ExerciseMark
from grading.own_processes import running
from grading.protocol import CaseMessage, JobResult, SetUpFailed, Stopped
from grading.worker import limit_computing
from utils.exercises import checking, serialization
from utils.exercises.call_answer import AnswerOutcome
from utils.exercises.definition import Exercise, find
from utils.exercises.scoring import Verdict, score_answer

OUTPUT_LINES = 40
LONGEST_RUN = 4  # lines in a row that differ in numbers alone: what is folded takes four, too
SECONDS = 20  # of computing for one submission; an honest one takes a hundredth of a second
STALLED = 10  # times as long without a word: it was stopped, or the machine is more than busy
# Exit statuses that others are to blame for: it is stopped (None), what it was forked from has gone, or a signal.
KILLED = {None, 255, *(-one for one in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT))}
BYTES = 2**30  # of memory, beside what is loaded
TOO_MUCH = (
    "We could not judge what your answer returned: judging it failed, or took more than "
    f"{SECONDS} s or {BYTES // 2**20} MB of memory."
)
# How many there are that fail would be a few bits about the secret cases, for each submission.
MISSED = (
    "Your answer is right on the cases that the check in your notebook uses, but wrong, stopped or too slow on others."
)
OTHERS = (
    "The other cases come from the same ranges as those in your notebook. Try inputs of your own, including the "
    "extremes that the exercise allows, and compare with a computation by hand."
)
# By what an error's text shows: what the student's machine has and marking has not.
LACKING = {
    "NameError": "Marking takes what the function needs from all cells of the notebook, but no cell defines this name "
    "there. Perhaps the cell that did is gone, reads a file of yours, or uses a package that the course lacks.",
    "FileNotFoundError": "Marking has none of your files. Write what the answer needs from this one into a cell.",
    "ModuleNotFoundError": "Marking has only the packages that the course installs, and no modules of your own. "
    "Do without this one, or write what you need from it into a cell.",
    "URLError|gaierror|ConnectionError|unreachable": "Marking has no network. Write what the answer needs into a cell.",
}
FROM_THE_TOP = (
    "This answer needs what other cells do, not only what they define, so it was marked in your notebook, run from "
    "the top."
)
_TICK = 0.1
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def judge_in_subprocess(evidence: Sequence[Evidence], stop: threading.Event) -> list[ExerciseMark]:
    """Return the marks of a submission's answers, judged in a process of their own.

    Raises SetUpFailed where no such process can be had, and Stopped once ``stop`` is set.
    """
    marks: list[ExerciseMark] = []
    tried = -1  # the answer at which a process has failed before
    while len(marks) < len(evidence):
        more, trouble = _as_far_as_it_goes(evidence[len(marks) :], stop)
        marks += more
        again, tried = tried == len(marks), len(marks)
        if again and trouble:
            raise SetUpFailed(f"the process that judges {trouble}, twice")
        if again:
            marks.append(_Judging(evidence[len(marks)]).mark(0.0, "crashed", reason=TOO_MUCH))
    return marks


def _as_far_as_it_goes(evidence: Sequence[Evidence], stop: threading.Event) -> tuple[list[ExerciseMark], str]:
    """Return the marks that one process comes to, and what happened to it that no answer is to blame for."""
    with running(_judge_all, evidence, SECONDS) as (process, receiving):
        messages = list(_received(receiving, len(evidence) + 1, stop))
        if receiving.poll():  # the end of the file: it is ending, however long the machine takes over that
            process.join(STALLED)
        status = process.exitcode
    if not messages:
        return [], "did not start"
    return messages[1:], "was ended or stopped" if status in KILLED else ""


def _received(receiving: Connection, most: int, stop: threading.Event) -> Iterator[Any]:
    """Yield the process's messages, at most so many, until it has died or says nothing for too long; raises Stopped.

    Time counts by looks, so that none goes by while this process is stopped.
    """
    left = round(STALLED * SECONDS / _TICK)
    while most and left:
        if stop.is_set():
            raise Stopped
        left -= 1
        if receiving.poll(_TICK):
            try:
                yield receiving.recv()
            except EOFError:
                return
            most -= 1


def _judge_all(sending: Connection, evidence: Sequence[Evidence], seconds: int) -> NoReturn:
    """Say that there is somebody, then the marks, one after the other, as far as the limits allow."""
    sending.send("ready")
    _limit_memory()
    limit_computing(int(time.process_time()) + 1 + seconds)
    with contextlib.suppress(MemoryError):
        for one in evidence:
            sending.send(mark_of(one))
    os._exit(0)


def _limit_memory() -> None:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            loaded = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (loaded + BYTES, loaded + BYTES))
    except (OSError, ValueError):  # macOS has no /proc, and limits nothing
        pass


def unfinished(evidence: Sequence[Evidence], stop: threading.Event) -> dict[str, float]:
    """Return those answers that somebody has begun and that miss points on the public cases, with what they have there.

    Raises SetUpFailed and Stopped.
    """
    public = []
    for one in evidence:
        if one.results is not None:
            twice = [*one.cases[: one.public], *one.cases[: one.public]]
            public.append(replace(one, cases=twice, results=AnswerResults(one.results.public, one.results.public)))
    marks = judge_in_subprocess(public, stop) if public else []
    missed = [mark for mark in marks if mark.state != "not started" and mark.points != mark.max_points]
    return {mark.id: mark.points or 0.0 for mark in missed}


def mark_of(evidence: Evidence) -> ExerciseMark:
    """Return the mark of one answer: the better one, where it was run in two ways."""
    mark = _Judging(evidence).judged()
    if whole := evidence.whole:
        other = _Judging(replace(evidence, results=whole)).judged()
        if (other.points or 0) > (mark.points or 0):
            mark = replace(other, notes=[*other.notes, FROM_THE_TOP], output=mark.output)
        elif whole.public.ended != "done":
            mark = replace(
                mark, notes=[*mark.notes, f"Run from its top, as at home, your notebook {whole.public.reason}."]
            )
    return replace(
        mark,
        reason=_short(mark.reason),
        rows=[(label, _short(text)) for label, text in mark.rows],
        hint=_short(mark.hint),
        notes=[_short(note) for note in mark.notes],
    )


class _Judging:
    """One answer's evidence, and what is to be said of it."""

    def __init__(self, evidence: Evidence) -> None:
        exercise = find(evidence.exercise)
        assert isinstance(exercise, Exercise)  # of a free text there is no evidence
        self._exercise = exercise
        self._cases = evidence.cases
        self._public = range(evidence.public)
        self._secret = range(evidence.public, len(evidence.cases))
        self._most = evidence.most
        self._results = evidence.results
        self._notes = list(evidence.notes)
        self._code = _short(evidence.code)
        self._output = _first_lines(evidence.results.public.output) if evidence.results else ""

    def mark(self, points: float, state: str, **more: Any) -> ExerciseMark:
        exercise = self._exercise
        more = {"notes": self._notes, "output": self._output, "code": self._code, **more}
        return ExerciseMark(exercise.id, exercise.points, points, state, **more)

    def judged(self) -> ExerciseMark:
        if self._results is None:
            return self.mark(0.0, "not started")
        result = self._results.public
        if result.ended != "done":
            reason = f"Your answer {result.reason}{self._where(result)}."
            return self.mark(0.0, result.ended, reason=reason, rows=self._stuck_at(result))
        if result.cell_error:
            self._notes.append(f"A line of this cell, or one that it needs, stopped with an error: {result.cell_error}")
        outcomes = self._outcomes(result, self._public)
        outcomes += map(_started, self._outcomes(self._results.secret, self._secret))
        public, secret = (self._verdict(part, outcomes) for part in (self._public, self._secret))
        if not public.started:
            return self.mark(0.0, "not started")
        points = round(secret.fraction * self._exercise.points, 2)
        if secret.failing is None:
            return self.mark(points, "marked")
        said = [result.cell_error, *(outcomes[case].message for case in self._public)]
        self._notes += [note for error, note in LACKING.items() if any(re.search(error, text) for text in said)]
        if public.failing is None:
            return self.mark(points, "marked", reason=MISSED, hint=OTHERS)
        rows = self._rows(public.failing, outcomes[public.failing])
        return self.mark(points, "marked", rows=rows, hint=public.hint)

    def _outcomes(self, result: JobResult | None, part: range) -> list[AnswerOutcome]:
        """Return the outcomes of these cases, an error for each where there was no function to call."""
        if result is None or not result.defined:
            missing = result.cell_error if result else ""
            missing = missing or f"the cell defines no function named {self._exercise.answer_name}"
            return [AnswerOutcome("error", message=missing)] * len(part)
        return [self._outcome(result.messages.get(at)) for at in range(len(part))]

    def _outcome(self, message: CaseMessage | None) -> AnswerOutcome:
        if message is None:
            return AnswerOutcome("error", message="no value came back")
        if message.kind != "value":
            return AnswerOutcome(message.kind, message=message.message, printed=message.printed)
        try:
            value = serialization.loads(message.value, max_bytes=self._most)
        except serialization.NotSerializable as error:
            return AnswerOutcome("error", message=str(error), printed=message.printed)
        return AnswerOutcome("value", value, printed=message.printed)

    def _verdict(self, part: range, outcomes: Sequence[AnswerOutcome]) -> Verdict:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # comparing a student's odd values warns, and that is nobody's concern
            return score_answer(self._exercise, self._cases[part.start : part.stop], outcomes[part.start : part.stop])

    def _rows(self, index: int, outcome: AnswerOutcome) -> list[tuple[str, str]]:
        rows = checking.failure_rows(self._exercise, self._cases[index], outcome, first=index == 0)
        return [(label.capitalize(), text) for label, text in rows]

    def _where(self, result: JobResult) -> str:
        if not result.cell_ran:
            return ", while the cell itself ran, before the function was called" if result.earlier_ran else ""
        return ", at the input below" if self._next(result) is not None else ", when all was computed"

    def _stuck_at(self, result: JobResult) -> list[tuple[str, str]]:
        at = self._next(result)
        if not result.cell_ran or at is None:
            return []
        return [("Input", checking.format_given(self._cases[at].given))]

    def _next(self, result: JobResult) -> int | None:
        """Return the public case that was being computed when the run ended."""
        return next((case for case in self._public if case not in result.messages), None)


def _started(outcome: AnswerOutcome) -> AnswerOutcome:
    """Return an outcome that says nothing of whether it is one: of a secret case that would be a word too many."""
    return AnswerOutcome("error") if outcome.kind == "not started" else outcome


def _first_lines(text: str) -> str:
    lines = list(_folded(text.splitlines()))
    left = sum(count for _, count in lines[OUTPUT_LINES:])
    more = [f"… and {left} more lines"] if left else []
    return "\n".join([line[:300] for line, _ in lines[:OUTPUT_LINES]] + more)


def _folded(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield lines, and how many each stands for: one for the inner ones of many in a row, alike but for numbers."""
    for _, group in itertools.groupby(lines, key=lambda line: _NUMBER.sub("0", "".join(line.split()))):
        run = list(group)
        inner = len(run) - 3
        if len(run) <= LONGEST_RUN:
            yield from ((line, 1) for line in run)
        else:
            yield from ((run[0], 1), (run[1], 1), (f"… {inner} more like these …", inner), (run[-1], 1))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …"
