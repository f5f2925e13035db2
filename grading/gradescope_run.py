"""Marks what was handed in on Gradescope: ``python -m grading.gradescope_run FOLDER``, their /autograder.

It reads FOLDER/submission and writes FOLDER/results/results.json anew after each step: whatever ends this, what is
marked by then is there. With ``--trial``, which the set-up runs, it marks the solutions instead and writes nothing.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import math
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from authoring.course import find_lesson
from authoring.source import read_source
from grading import GradingError
from grading import gradescope_results as results
from grading.course import ROOT, load, set_up_of
from grading.final_scores import ScoringRules, by_rules
from grading.judging import judge_in_subprocess, unfinished
from grading.marking import (
    AnswerResults,
    ExerciseMark,
    SubmissionMark,
    did_something_else,
    job_builders,
    mark_submission,
    more_at_home,
    results_within,
)
from grading.notebook_answers import NotebookCell, Submission, read
from grading.pieces import MOST_KEPT, PieceResults, run_job
from grading.protocol import Job, JobResult, SetUpFailed, Stopped
from grading.sandbox_selection import choose
from grading.submissions import Changing, StudentFiles, collect
from utils.exercises import serialization
from utils.files import replace_file

SETTINGS = "marking.json"  # the lesson, the minutes, the seed, and what each exercise is worth
PUBLIC_SHARE = 0.6  # of the time, for the public cases: what hangs there leaves some for the secret ones of the others
SPARE_SECONDS = 30  # in which a run that is over has to end by itself
FAULT = "Not marked, through no fault of yours: {why} Hand in again later, and tell your instructor if this persists."
STOPPED = (
    "Marking ran out of its {minutes:g} minutes. What was reached by then has its points. Look for what takes so long, "
    "and hand in again."
)
CLOSED = (
    "def answer(path):\n    try:\n        open(path).close()\n    except OSError:\n        return 'closed'\n"
    "    return 'open'"
)
Keep = Callable[[str], object]


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, since results.json says what there is to say, and 1 for a trial that failed."""
    folder, *more = sys.argv[1:] if arguments is None else arguments
    settings = json.loads((ROOT / SETTINGS).read_text(encoding="utf-8"))
    path = Path(folder) / "results" / "results.json"
    try:
        if more == ["--trial"]:
            return _trial(settings)
        with _time_limit(settings["minutes"]) as stop:
            _mark(Path(folder) / "submission", settings, stop, lambda text: replace_file(path, text))
        return 0
    except GradingError as error:
        print(error)
        why = "the autograder is not set up as it should be."
    except Exception:  # what stands in results.json is what came before it
        traceback.print_exc(file=sys.stdout)
        why = "marking failed."
    if more:
        return 1
    if json.loads(path.read_text(encoding="utf-8")).get("score") is None:
        replace_file(path, results.not_marked(FAULT.format(why=why)))
    return 0


@contextlib.contextmanager
def _time_limit(minutes: float) -> Iterator[threading.Event]:
    """Yield what is set when the time is over; who does not end soon after that is ended."""
    stop = threading.Event()
    timer = threading.Timer(60 * minutes, stop.set)
    timer.daemon = True
    timer.start()
    faulthandler.dump_traceback_later(60 * minutes + SPARE_SECONDS, exit=True, file=sys.__stderr__ or sys.stderr)
    try:
        yield stop
    finally:
        timer.cancel()
        faulthandler.cancel_dump_traceback_later()


def _mark(folder: Path, settings: Mapping[str, Any], stop: threading.Event, keep: Keep) -> None:
    """Mark what lies in the folder, and keep each step's results."""
    started, minutes = time.monotonic(), settings["minutes"]
    submission = _submission(folder, settings["lesson"])
    if submission.problem:
        keep(results.not_marked(submission.problem))
        return
    marking = Marking(settings, stop)
    try:
        end = started + 60 * minutes * PUBLIC_SHARE
        for text in marking.steps(submission, end):
            keep(text)
    except Stopped:
        keep(marking.text(STOPPED.format(minutes=minutes)))
    except SetUpFailed as error:
        print(f"The sandbox failed: {error}.")
        keep(marking.text(FAULT.format(why="what answers run in failed.")))
    finally:
        marking.close()
    print(f"Done after {time.monotonic() - started:.0f} s.")


def _trial(settings: Mapping[str, Any]) -> int:
    """Mark the solutions, see that an answer reads nothing that is closed, and say what came of both."""
    marking = Marking(settings, stop := threading.Event())
    try:
        source = read_source(find_lesson(ROOT, settings["lesson"]).source("solutions"), ROOT)
        cells = tuple(NotebookCell(one.kind, one.text) for one in source.cells)
        for _ in marking.steps(Submission("", settings["lesson"], "", cells), math.inf):
            pass
        cases = [serialization.dumps({"path": str(path)}) for path in (source.path, ROOT / SETTINGS)]
        looked = marking.runner.run(Job("00.0", "answer", (), (), (), CLOSED, cases, 20.0), stop)
    finally:
        marking.close()
    mark = marking.mark()
    wrong = [one.id for one in mark.exercises if one.points != one.max_points]
    print(f"The solutions get {mark.score or 0:g} of {mark.max_score:g} points.")
    if wrong:
        print(f"These should get all of their points: {', '.join(wrong)}.")
    is_closed = [message.value for message in looked.messages.values()] == ['"closed"'] * len(cases)
    print("An answer cannot read the solutions or the seed." if is_closed else "AN ANSWER CAN READ THE SOLUTIONS.")
    return int(bool(wrong) or not is_closed)


def _submission(folder: Path, lesson: str) -> Submission:
    """Return the one notebook that counts, or what is wrong with what was handed in."""
    try:
        students = collect(folder).students
    except GradingError:  # there is none
        students = []
    documents = tuple(one for student in students for one in student.documents)
    try:
        (submission,) = read(StudentFiles("", documents), lesson)
    except Changing as error:
        return Submission("", lesson, "", problem=f"{error}: hand in again.")
    return submission


class Marking:
    """Marks one submission by what ``settings`` says, in the best sandbox that there is; raises GradingError."""

    def __init__(self, settings: Mapping[str, Any], stop: threading.Event) -> None:
        self.sandbox, self.runner = choose("auto", ROOT, set_up_of(settings["lesson"]))
        print(f"Sandbox: {self.sandbox}.", flush=True)
        self.lesson = load(settings["lesson"])
        self.marks: dict[str, ExerciseMark] = {}
        self._builders = job_builders(self.lesson, settings["seed"])
        self._rules = ScoringRules(points=settings["points"])
        self._stop = stop
        self._submission = Submission("", self.lesson.number, "")

    def close(self) -> None:
        """End what waits in the sandbox."""
        self.runner.close()

    def steps(self, submission: Submission, public_end: float) -> Iterator[str]:
        """Yield what results.json says after each step.

        All answers are run on the public cases before any process is told a secret one; those whose turn does not come
        before ``public_end``, by ``time.monotonic``, are not reached. Raises Stopped, and SetUpFailed.
        """
        self._submission = submission
        jobs = {id: found for id, builder in self._builders.items() if (found := builder.jobs(submission))}
        public = self._public_results({id: one for id, (one, _) in jobs.items()}, public_end)
        whole = self._whole_results(public, public_end)
        for id, builder in self._builders.items():
            if id in jobs and id not in public.results:
                continue
            outcome = AnswerResults(public.results[id]) if id in jobs else None
            if outcome and outcome.public.is_answered:
                secret = self._run(jobs[id][1], public.hung)
                outcome = replace(outcome, secret=self._run(jobs[id][1], public.hung) if secret.waited else secret)
            within = AnswerResults(whole[id]) if id in whole else None
            if within and did_something_else(within.public, public.results[id]):
                secret_within = results_within(submission, [builder], self._run_pass, secret=True)
                within = replace(within, secret=secret_within[id])
            (self.marks[id],) = judge_in_subprocess([builder.evidence(submission, outcome, within)], self._stop)
            yield self.text("" if len(self.marks) == len(self._builders) else results.PARTLY)
        if len(self.marks) < len(self._builders):
            raise Stopped

    def _public_results(self, jobs: Mapping[str, Job], end: float) -> PieceResults:
        """Return what became of the jobs; what did nothing until its time was over is tried once more."""
        found = PieceResults()
        for id, job in jobs.items():
            if time.monotonic() < end:
                found.add(id, self._run(job, found.hung), MOST_KEPT)
        for id, result in list(found.results.items()):
            if result.waited:
                found.add(id, self._run(jobs[id], found.hung), MOST_KEPT, again=True)
        return found

    def _whole_results(self, public: PieceResults, end: float) -> dict[str, JobResult]:
        """Return what became, within the whole notebook, of what misses points by itself, as far as there is time."""
        results = public.results.items()
        evidence = [self._builders[id].evidence(self._submission, AnswerResults(one)) for id, one in results]
        missed = unfinished(evidence, self._stop) if time.monotonic() < end else {}
        more = more_at_home(self._submission, missed, self._builders)
        return results_within(self._submission, more, self._run_pass, secret=False)

    def _run_pass(self, job: Job) -> JobResult:
        return run_job(self.runner, job, self._stop, set())

    def _run(self, job: Job, hung: set[str]) -> JobResult:
        return run_job(self.runner, job, self._stop, hung)

    def mark(self) -> SubmissionMark:
        """Return the mark of what was reached, by the class's rules."""
        reached = {id: one for id, one in self.lesson.exercises.items() if id in self.marks}
        part = replace(self.lesson, exercises=reached)
        return by_rules(mark_submission(self._submission, part, self.marks), self._rules)

    def text(self, said: str) -> str:
        """Return what results.json says now, ``said`` first of all."""
        left = {id: self._rules.points[id] > 0 for id in self._builders if id not in self.marks}
        return results.of_mark(self.mark(), left, [said])


if __name__ == "__main__":
    sys.exit(main())
