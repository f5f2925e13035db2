"""Marks, and what they rest on: the jobs that compute a student's answers, and the evidence that comes of them."""

from __future__ import annotations

import gc
import hashlib
import json
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from authoring.set_up import without_set_up
from grading import GradingError
from grading.course import GradedLesson, load, plain
from grading.notebook_answers import NotebookCell, Submission, check_of, find_answer, free_text, points_at_home
from grading.own_processes import running
from grading.protocol import Job, JobResult
from utils.exercises import serialization, stored_cases
from utils.exercises.definition import Exercise, FreeText, UnknownExercise
from utils.exercises.scoring import Case

BASE_SECONDS = 10.0  # for the imports and the top-level code that a student added, on a busy machine
PATIENCE = 5  # times what the solution takes
PASS_SECONDS = 30.0  # of computing, for the cells of a whole notebook, beside what its exercises have
GENEROUS, SLACK_BYTES = 16, 100_000  # times what the solution's values take, and so much more
NOT_DONE = "did not finish this check, and was stopped"
LONGEST_TEXT = 5_000  # characters of what a page says about an answer, in one piece


@dataclass(frozen=True)
class ExerciseMark:
    """What one exercise came to, as the feedback page shows it.

    ``state`` is "marked", "not started", "timeout", "crashed" or "pending"; ``points`` is None while pending.
    ``rows`` are label and text of the public case at which the answer falls short. ``comment`` is what the person
    who marked a free text wrote, ``code`` the student's own cell. ``counts`` says whether the points are among those
    of the score.
    """

    id: str
    max_points: float
    points: float | None
    state: str
    reason: str = ""
    rows: Sequence[Sequence[str]] = ()
    hint: str = ""
    notes: Sequence[str] = ()
    output: str = ""
    text: str = ""
    comment: str = ""
    code: str = ""
    counts: bool = True


@dataclass(frozen=True)
class SubmissionMark:
    """What one submission came to; ``score`` is None where it could not be marked, ``problem`` says why.

    ``remark`` is what else is to be said of what the student handed in; ``texts`` are, by exercise, the free texts
    of a round in which these have no points.
    """

    student: str
    lesson: str
    digest: str
    status: str
    score: float | None
    max_score: float | None
    problem: str = ""
    exercises: Sequence[ExerciseMark] = ()
    remark: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerResults:
    """What became of an answer: on the public cases, and, where that came to its end, on the secret ones."""

    public: JobResult
    secret: JobResult | None = None


@dataclass(frozen=True)
class Evidence:
    """All that judging one answer needs, as data that can be sent to another process.

    ``cases`` holds the public cases, ``public`` of them, and then the secret ones; ``results`` is None where there was
    no answer to run. ``most`` is how many bytes of plain data a value may take.
    """

    exercise: str
    cases: Sequence[Case]
    public: int
    most: int
    results: AnswerResults | None
    notes: Sequence[str] = ()
    code: str = ""
    whole: AnswerResults | None = None


class JobBuilder:
    """Makes one exercise's jobs: holds its public and its secret cases, the solution's values included.

    The secret cases come from the round's seed and the exercise's id.
    """

    def __init__(self, exercise: Exercise, lesson: GradedLesson, seed: str) -> None:
        self.exercise = plain(exercise)
        self._set_up = lesson.set_up
        self._page = frozenset(cell.strip() for cell in lesson.page)
        public = stored_cases.load(exercise)
        digest = hashlib.sha256(f"{seed} {exercise.id}".encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "big"))
        records = [*public, *stored_cases.sample_cases(exercise, lesson.solutions[exercise.id], rng)]
        self._public = len(public)
        self._cases = [stored_cases.case_of(record) for record in records]
        self._givens = [json.dumps(record["given"]) for record in records]
        wanted = max(len(serialization.dumps(case.expected)) for case in self._cases)
        self._most = 2 ** math.ceil(math.log2(GENEROUS * wanted + SLACK_BYTES))  # a power of 2 tells of no case

    def jobs(self, submission: Submission) -> tuple[Job, Job] | None:
        """Return the jobs that compute the submission's answer, on public and on secret cases; None for no answer."""
        found = find_answer(submission.cells, self.exercise.id, self.exercise.answer_name)
        if found.index is None:
            return None
        above, below = (
            [code for cell in part if (code := self._code(cell))]
            for part in (submission.cells[: found.index], submission.cells[found.index + 1 :])
        )
        job = Job(
            exercise=self.exercise.id,
            name=self.exercise.answer_name,
            without=tuple(self.exercise.without),
            set_up=self._set_up,
            earlier=above,
            later=below,
            answer=submission.cells[found.index].source,
            cases=self._givens[: self._public],
            seconds=self._seconds,
            most=self._most,
        )
        return job, replace(job, cases=self._givens[self._public :], secret=True)

    @property
    def _seconds(self) -> float:
        return BASE_SECONDS + PATIENCE * self.exercise.seconds

    def _code(self, cell: NotebookCell) -> str:
        """Return what of a cell is the student's or the page's code, "" for none."""
        pristine = cell.kind != "code" or cell.source.strip() in {set_up.strip() for set_up in self._set_up}
        return "" if pristine else without_set_up(cell.source)

    @staticmethod
    def passes(builders: Sequence[JobBuilder], submission: Submission) -> tuple[Job, Job]:
        """Return the jobs that run the submission's notebook from its top, on public and on secret cases.

        The exercises of these builders withhold the same, from the first cell on.
        """
        first = builders[0]
        code = [(at, source) for at, cell in enumerate(submission.cells) if (source := first._code(cell))]
        place: dict[int | None, int] = {at: number for number, (at, _) in enumerate(code)}
        unchanged = [
            number for number, (at, _) in enumerate(code) if submission.cells[at].source.strip() in first._page
        ]
        checks = [builder._check(submission, place) for builder in builders]

        def job(part: Callable[[JobBuilder], Sequence[str]], *, secret: bool) -> Job:
            givens = [part(builder) for builder in builders]
            return Job(
                exercise=first.exercise.id[:2],
                name="",
                without=tuple(first.exercise.without),
                set_up=first._set_up,
                earlier=[source for _, source in code],
                answer="",
                cases=[given for of_one in givens for given in of_one],
                seconds=PASS_SECONDS + sum(builder._seconds for builder in builders),
                checks=[{**check, "cases": len(of_one)} for check, of_one in zip(checks, givens, strict=True)],
                unchanged=unchanged,
                secret=secret,
                most=max(builder._most for builder in builders),
            )

        public = job(lambda builder: builder._givens[: builder._public], secret=False)
        return public, job(lambda builder: builder._givens[builder._public :], secret=True)

    def _check(self, submission: Submission, place: Mapping[int | None, int]) -> dict[str, Any]:
        """Return the exercise's check as a pass is told of it; ``place`` says which of its cells a cell is."""
        at, name = check_of(submission.cells, self.exercise.id)
        name = name or self.exercise.answer_name
        limits = {"seconds": self._seconds, "most": self._most}
        return {"exercise": self.exercise.id, "name": name, "at": place.get(at), **limits}

    def evidence(
        self, submission: Submission, results: AnswerResults | None, whole: AnswerResults | None = None
    ) -> Evidence:
        """Return what is to be judged; ``results`` is None where there were no jobs, ``whole`` where no pass was."""
        found = find_answer(submission.cells, self.exercise.id, self.exercise.answer_name)
        code = "" if found.index is None else submission.cells[found.index].source
        notes = [found.note] if found.note else []
        return Evidence(self.exercise.id, self._cases, self._public, self._most, results, notes, code, whole)


def results_within(
    submission: Submission, builders: Sequence[JobBuilder], run: Callable[[Job], JobResult], *, secret: bool
) -> dict[str, JobResult]:
    """Return what becomes of these exercises within their whole notebook, which ``run`` runs, by exercise.

    One of which a case is missing was stopped, or was not reached.
    """
    found: dict[str, JobResult] = {}
    alike: dict[tuple[str, ...], list[JobBuilder]] = {}
    for builder in builders:
        alike.setdefault(tuple(builder.exercise.without), []).append(builder)
    for group in alike.values():
        job = JobBuilder.passes(group, submission)[secret]
        result, first = run(job), 0
        for check in job.checks:
            cases = range(first, first := first + check["cases"])
            messages = {at: result.messages[case] for at, case in enumerate(cases) if case in result.messages}
            one = JobResult(messages=messages, earlier_ran=True, cell_ran=True, defined=True)
            if len(messages) < len(cases):
                done = result.ended == "done"
                one = JobResult("timeout", NOT_DONE) if done else JobResult(result.ended, result.reason)
            found[check["exercise"]] = one
    return found


def more_at_home(
    submission: Submission, missed: Mapping[str, float], builder_of: Mapping[str, JobBuilder]
) -> list[JobBuilder]:
    """Return the builders of those exercises whose saved checks do not show that they have the same points at home."""
    found = []
    for builder in (builder_of[id] for id in missed):
        exercise = builder.exercise
        shown = points_at_home(submission.cells, exercise.id, exercise.answer_name)
        if shown is None or shown > missed[exercise.id]:
            found.append(builder)
    return found


def did_something_else(within: JobResult, alone: JobResult) -> bool:
    """Return whether an answer came to its end within its notebook, and to other values than alone."""
    return within.ended == "done" and within.messages != alone.messages


def job_builders(lesson: GradedLesson, seed: str) -> dict[str, JobBuilder]:
    """Return a job builder for each exercise that is marked by a function's values.

    Raises GradingError where the public cases are not stored, and where the secret ones cannot be drawn.
    """
    made = {}
    for id, exercise in lesson.exercises.items():
        if isinstance(exercise, Exercise):
            try:
                made[id] = JobBuilder(exercise, lesson, seed)
            except UnknownExercise as error:
                raise GradingError(str(error)) from None
            except Exception as error:  # the course's own cases and solutions may fail in any way
                text = " ".join(f"{type(error).__name__}: {error}".split())
                raise GradingError(
                    f"The cases of exercise {id} cannot be drawn ({text}). Correct them first."
                ) from error
    return made


class Drawing:
    """A lesson that is loaded, and whose cases are drawn, in a process of its own, which begins at once.

    It runs the solutions, and takes the memory of their libraries with it.
    """

    def __init__(self, number: str, seed: str, *, free_texts: bool = False, solutions: Path | None = None) -> None:
        self.number = number
        self._found: Any = None
        # A thread, since a process begins only when all is loaded that it shares with others.
        self._thread = threading.Thread(target=self._draw, args=(number, seed, free_texts, solutions), daemon=True)
        self._thread.start()

    def _draw(self, *arguments: object) -> None:
        try:
            with running(_draw, *arguments) as (_, receiving):
                self._found = receiving.recv()
        except EOFError:
            said = f"The solutions of lesson {self.number} end the process that runs them. Correct them."
            self._found = GradingError(said)
        except Exception as error:
            self._found = error

    def result(self) -> tuple[GradedLesson, dict[str, JobBuilder]]:
        """Wait, and return the lesson, without its functions, and its job builders.

        Raises GradingError as ``load`` and ``job_builders`` do.
        """
        self._thread.join()
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def _draw(sending: Connection, number: str, seed: str, free_texts: bool, solutions: Path | None) -> None:
    """Send the result of a drawing, or the GradingError that it raises."""
    gc.disable()  # as for a set-up
    try:
        lesson = load(number, free_texts=free_texts, solutions=solutions)
        gc.freeze()  # all that is loaded stays to the end
        gc.enable()
        builders = job_builders(lesson, seed)
    except GradingError as error:
        sending.send(error)
        return
    exercises = {id: plain(one) if isinstance(one, Exercise) else one for id, one in lesson.exercises.items()}
    sending.send((replace(lesson, exercises=exercises, solutions={}), builders))


def mark_submission(
    submission: Submission, lesson: GradedLesson, answers: Mapping[str, ExerciseMark]
) -> SubmissionMark:
    """Return the mark of a readable submission from those of its ``answers``, and its free texts."""
    marks = [
        _free_text_mark(exercise, submission) if isinstance(exercise, FreeText) else answers[id]
        for id, exercise in lesson.exercises.items()
    ]
    texts = {id: text for id in lesson.unmarked if (text := free_text(submission.cells, id))}
    facts = (submission.student, lesson.number, submission.digest)
    return SubmissionMark(*facts, **_sum(marks), max_score=lesson.max_score, remark=submission.remark, texts=texts)


def _sum(marks: Sequence[ExerciseMark]) -> dict[str, Any]:
    """Return the exercises' marks with the status and the score that they come to."""
    status = status_of(marks)
    points = sum(mark.points or 0 for mark in marks if mark.counts)
    score = round(points, 2) if status in ("graded", "pending") else None
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
    written = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return "t" + hashlib.sha256(f"{exercise}\n{written}".encode("utf-8", "backslashreplace")).hexdigest()[:15]


def unreadable(submission: Submission, lesson: GradedLesson | None) -> SubmissionMark:
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
