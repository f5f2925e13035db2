"""Judging: from what came out of a student's process to points and feedback, with ``verify`` in this process."""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grading import GradingError
from grading.course import Lesson
from grading.runner import Job, Run
from grading.submission import Submission, find_answer, free_text
from utils.exercises import checking, plain, stored
from utils.exercises.cells import is_set_up
from utils.exercises.definition import Exercise, FreeText, UnknownExercise
from utils.exercises.running import Outcome
from utils.exercises.verdict import Verdict, judge

OUTPUT_LINES = 40
BASE_SECONDS = 10.0  # for the imports and the top-level code that a student added, on a busy machine
PATIENCE = 5  # times what the solution takes
GENEROUS, SLACK_BYTES = 16, 100_000  # times what the solution's values take, and so much more
OTHERS = (
    "The others are drawn from the same ranges as those in your notebook. Try inputs of your own, at the ends of what "
    "the exercise allows, too, and compare with a computation by hand."
)
NOT_DEFINED = (
    "Marking runs the set-up, then the imports, functions, classes and constants of the cells above, then this "
    "cell. What other computations define is not there: compute it inside the function."
)


@dataclass(frozen=True)
class ExerciseMark:
    """What one exercise came to, as the feedback page shows it.

    ``state`` is "marked", "not started", "timeout", "crashed" or "pending"; ``points`` is None while pending.
    ``rows`` are label and text of the public case at which the answer falls short. ``comment`` is what the person
    who marked a free text wrote.
    """

    id: str
    max_points: int
    points: float | None
    state: str
    reason: str = ""
    rows: Sequence[Sequence[str]] = ()
    hint: str = ""
    notes: Sequence[str] = ()
    output: str = ""
    text: str = ""
    comment: str = ""


@dataclass(frozen=True)
class SubmissionMark:
    """What one submission came to; ``score`` is None where it could not be marked, ``problem`` says why.

    ``remark`` is what else is to be said of what the student handed in.
    """

    student: str
    lesson: str
    digest: str
    status: str
    score: float | None
    max_score: int | None
    problem: str = ""
    exercises: Sequence[ExerciseMark] = ()
    remark: str = ""


class Marker:
    """Marks one exercise: holds its public and its secret cases, the solution's values included.

    The secret cases come from the round's seed and the exercise's id. Answers get the public inputs first: what
    comes and what is printed then may be quoted, and an answer that saw a secret input could print it.
    """

    def __init__(self, exercise: Exercise, lesson: Lesson, seed: str) -> None:
        self.exercise = exercise
        self._set_up = lesson.set_up
        public = stored.load(exercise)
        digest = hashlib.sha256(f"{seed} {exercise.id}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "big"))
        records = [*public, *stored.draw(exercise, lesson.solutions[exercise.id], rng)]
        self._public = range(len(public))
        self._secret = range(len(public), len(records))
        self._cases = [stored.case_of(record) for record in records]
        self._givens = [json.dumps(record["given"]) for record in records]
        wanted = max(len(plain.dumps(case.expected)) for case in self._cases)
        self._most = 2 ** math.ceil(math.log2(GENEROUS * wanted + SLACK_BYTES))  # a power of 2 tells of no case

    def job(self, submission: Submission) -> Job | None:
        """Return the job that computes the submission's answer, None where there is no answer."""
        found = find_answer(submission.cells, self.exercise.id, self.exercise.answer_name)
        if found.index is None:
            return None
        pristine = {cell.strip() for cell in self._set_up}
        code = [cell.source for cell in submission.cells[: found.index] if cell.kind == "code"]
        return Job(
            exercise=self.exercise.id,
            name=self.exercise.answer_name,
            without=tuple(self.exercise.without),
            set_up=self._set_up,
            earlier=[source for source in code if not (is_set_up(source) and source.strip() in pristine)],
            answer=submission.cells[found.index].source,
            cases=self._givens[: len(self._public)],
            secret=self._givens[len(self._public) :],
            seconds=BASE_SECONDS + PATIENCE * 2 * self.exercise.seconds,  # twice: public and secret cases
            most=self._most,
        )

    def mark(self, submission: Submission, run: Run | None) -> ExerciseMark:
        """Return the mark for what the job came to; ``run`` is None where there was no job."""
        note = find_answer(submission.cells, self.exercise.id, self.exercise.answer_name).note
        notes = [note] if note else []
        if run is None:
            return self._mark(0.0, "not started", notes=notes)
        output = _first_lines(run.output)
        if run.ended != "done" and not run.told_all:
            reason = f"Your answer {run.reason}, {self._where(run)}."
            return self._mark(0.0, run.ended, reason=reason, rows=self._stuck_at(run), notes=notes, output=output)
        if run.cell_error:
            notes.append(f"The cell itself stopped with an error: {run.cell_error}")
        return self._judged(run, notes, output)

    def _judged(self, run: Run, notes: list[str], output: str) -> ExerciseMark:
        outcomes = self._outcomes(run)
        public, secret = (self._verdict(part, outcomes) for part in (self._public, self._secret))
        if not secret.started or not public.started:
            return self._mark(0.0, "not started", notes=notes, output=output)
        points = round(secret.fraction * self.exercise.points, 2)
        if secret.failing is None:
            return self._mark(points, "marked", notes=notes, output=output)
        if any("NameError" in outcomes[case].message for case in self._public):
            notes.append(NOT_DEFINED)
        if public.failing is None:
            return self._mark(points, "marked", reason=self._short(outcomes), hint=OTHERS, notes=notes, output=output)
        rows = self._rows(public.failing, outcomes[public.failing])
        return self._mark(points, "marked", rows=rows, hint=public.hint, notes=notes, output=output)

    def _outcomes(self, run: Run) -> list[Outcome]:
        """Return the outcomes in the order of the cases, an error for each where there was no function to call."""
        if not run.defined:
            missing = run.cell_error or f"the cell defines no function named {self.exercise.answer_name}"
            return [Outcome("error", message=missing)] * len(self._cases)
        nothing = Outcome("error", message="no value came back")
        return [run.outcomes.get(case, nothing) for case in range(len(self._cases))]

    def _verdict(self, part: range, outcomes: Sequence[Outcome]) -> Verdict:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # comparing a student's odd values warns, and that is nobody's concern
            return judge(self.exercise, self._cases[part.start : part.stop], outcomes[part.start : part.stop])

    def _short(self, outcomes: Sequence[Outcome]) -> str:
        """Return how many of the secret cases an answer misses that is right on the public ones: no more is told."""
        missed = sum(self._verdict(range(case, case + 1), outcomes).fraction < 1 for case in self._secret)
        others = f"{missed} of {len(self._secret)} others"
        return f"Right on the cases that the check in your notebook shows, but on {others} wrong, stopped or too slow."

    def _rows(self, index: int, outcome: Outcome) -> list[tuple[str, str]]:
        rows = checking.failure_rows(self.exercise, self._cases[index], outcome, first=index == 0)
        return [(label.capitalize(), text) for label, text in rows]

    def _where(self, run: Run) -> str:
        if not run.cell_ran:
            return "while the cell itself ran, before the function was called"
        at = self._next(run)
        return "at the input below" if at in self._public else "while the function computed one of the cases"

    def _stuck_at(self, run: Run) -> list[tuple[str, str]]:
        at = self._next(run)
        if not run.cell_ran or at not in self._public:
            return []
        return [("Input", checking.format_given(self._cases[at].given))]

    def _next(self, run: Run) -> int | None:
        """Return the case that was being computed when the run ended."""
        return next((case for case in range(len(self._cases)) if case not in run.outcomes), None)

    def _mark(self, points: float, state: str, **more: object) -> ExerciseMark:
        return ExerciseMark(self.exercise.id, self.exercise.points, points, state, **more)


def markers(lesson: Lesson, seed: str) -> dict[str, Marker]:
    """Return a marker for each exercise that is marked by a function's values.

    Raises GradingError where the public cases are not stored, and where the secret ones cannot be drawn.
    """
    made = {}
    for id, exercise in lesson.exercises.items():
        if isinstance(exercise, Exercise):
            try:
                made[id] = Marker(exercise, lesson, seed)
            except UnknownExercise as error:
                raise GradingError(str(error)) from None
            except Exception as error:  # the course's own cases and solutions may fail in any way
                text = " ".join(f"{type(error).__name__}: {error}".split())
                raise GradingError(f"The cases of exercise {id} cannot be drawn ({text}): mend them first.") from error
    return made


def mark_submission(
    submission: Submission, lesson: Lesson, marker_of: dict[str, Marker], run_of: Callable[[str], Run | None]
) -> SubmissionMark:
    """Return the mark of a readable submission; ``run_of`` gives an exercise's run."""
    marks = [
        _free_text_mark(exercise, submission)
        if isinstance(exercise, FreeText)
        else marker_of[id].mark(submission, run_of(id))
        for id, exercise in lesson.exercises.items()
    ]
    facts = (submission.student, lesson.number, submission.digest)
    return SubmissionMark(*facts, **_sum(marks), max_score=lesson.max_score, remark=submission.remark)


def _sum(marks: Sequence[ExerciseMark]) -> dict[str, Any]:
    """Return the exercises' marks with the status and the score that they come to."""
    status = status_of(marks)
    score = round(sum(mark.points or 0 for mark in marks), 2) if status in ("graded", "pending") else None
    return {"status": status, "score": score, "exercises": marks}


def with_hand_marks(mark: SubmissionMark, given: Callable[[ExerciseMark], tuple[float | None, str]]) -> SubmissionMark:
    """Return the mark with the points and the comment that a person has ``given`` for each free text."""
    if not any(exercise.text for exercise in mark.exercises):
        return mark
    return replace(mark, **_sum([_by_hand(one, *given(one)) if one.text else one for one in mark.exercises]))


def _by_hand(mark: ExerciseMark, points: float | None, comment: str) -> ExerciseMark:
    return replace(mark, state="pending" if points is None else "marked", points=points, comment=comment)


def text_key(exercise: str, text: str) -> str:
    """Return a short word that is another one for every text; white space at the lines' ends does not count.

    It begins with a letter, so that no spreadsheet takes it for a number.
    """
    plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return "t" + hashlib.sha256(f"{exercise}\n{plain}".encode("utf-8", "backslashreplace")).hexdigest()[:15]


def unreadable(submission: Submission, lesson: Lesson | None) -> SubmissionMark:
    """Return the mark of a submission with a problem: no score, never a zero."""
    facts = (submission.student, submission.lesson, submission.digest)
    max_score = lesson.max_score if lesson else None
    return SubmissionMark(*facts, "unreadable", None, max_score, submission.problem, remark=submission.remark)


def status_of(marks: Sequence[ExerciseMark]) -> str:
    """Return a submission's status: what hung or crashed decides only where nothing else was answered."""
    states = {mark.state for mark in marks}
    if "pending" in states:
        return "pending"
    broken = [state for state in ("timeout", "crashed") if state in states]
    return broken[0] if broken and "marked" not in states else "graded"


def _free_text_mark(exercise: FreeText, submission: Submission) -> ExerciseMark:
    text = free_text(submission.cells, exercise.id)
    if not text:
        return ExerciseMark(exercise.id, exercise.points, 0.0, "not started")
    return ExerciseMark(exercise.id, exercise.points, None, "pending", text=text)


def _first_lines(text: str) -> str:
    lines = text.splitlines()
    more = [f"… and {len(lines) - OUTPUT_LINES} more lines"] if len(lines) > OUTPUT_LINES else []
    return "\n".join([line[:300] for line in lines[:OUTPUT_LINES]] + more)
