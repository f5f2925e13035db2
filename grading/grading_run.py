"""One run of the grader: reads, runs, judges and stores student by student."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from grading.course import GradedLesson, load, set_up_of
from grading.gradebook import Gradebook
from grading.judging import judge_in_subprocess
from grading.marking import AnswerResults, JobBuilder, SubmissionMark, job_builders, mark_submission, unreadable
from grading.notebook_answers import Submission, read
from grading.protocol import Job, JobResult, SetUpFailed, Stopped
from grading.runner import Runner
from grading.submissions import Changing, StudentFiles
from utils.exercises.definition import lessons_with_exercises


@dataclass
class RunSummary:
    """What a run did: new marks by status, how many stay unchanged, and who is not marked through no fault of theirs.

    ``waited`` counts submissions of which an answer's time went by without its computing; they are marked again by the
    next run. ``postponed`` has a pair for each of these, the student and the reason.
    """

    marked: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    waited: int = 0
    postponed: list[tuple[str, str]] = field(default_factory=list)


class GradingRun:
    """A run: one seed and one version of each lesson for everybody, free texts with points or without.

    ``solutions`` is the folder of the solutions' sources, None for the course's own.

    A submission has a thread, which waits for the processes that run its answers, and then for the one that judges
    them; whatever is stored is written in the thread that calls ``mark``.
    """

    def __init__(
        self, gradebook: Gradebook, runner: Runner, seed: str, *, all_versions: bool = False, free_texts: bool = False,
        solutions: Path | None = None,
    ) -> None:
        self._gradebook = gradebook
        self._all_versions = all_versions
        self._free_texts = free_texts
        self._solutions = solutions
        self._runner = runner
        self._seed = seed
        self._lessons: dict[str, tuple[GradedLesson, dict[str, JobBuilder]]] = {}
        self._versions: dict[str, list[Submission]] = {}  # of those students who have several, while they are marked
        self._stop = threading.Event()
        self.summary = RunSummary()

    def mark(
        self, students: Iterable[StudentFiles], lesson: str | None, workers: int, step: Callable[[bool], object]
    ) -> RunSummary:
        """Mark what is not marked yet, ``workers`` students at a time.

        ``step`` is called after each student, with whether anything had to be run. Interrupted, this ends what is
        running, keeps what is marked, and lets the interruption through. Raises GradingError for a lesson that the
        course does not have, or that has changed since its round began.
        """
        if lesson is not None:
            self._lesson(lesson)
        work = (self._to_run(files, lesson) for files in students)
        with ThreadPoolExecutor(workers) as pool:
            try:
                self._mark_all(pool, work, workers, step)
            finally:
                self._stop.set()  # no thread waits for a process any longer
        return self.summary

    def _mark_all(
        self, pool: ThreadPoolExecutor, work: Iterator[list[Submission]], workers: int, step: Callable[[bool], object]
    ) -> None:
        """Keep ``workers`` students running and one more waiting each, so that memory does not grow with the class."""
        running: set[Future] = set()
        while True:
            for submissions in islice(work, 2 * workers - len(running)):
                running.add(pool.submit(self._mark_each, submissions))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                done = future.result()
                for submission, mark in done:
                    if isinstance(mark, SetUpFailed):
                        self.summary.postponed.append((submission.student, str(mark)))
                    else:
                        self._keep(mark, submission)
                for submission in self._versions.pop(done[0][0].student, ()) if done else ():
                    self._note_again(submission)
                step(bool(done))

    def _to_run(self, files: StudentFiles, lesson: str | None) -> list[Submission]:
        """Return the student's submissions that have to be run; the others are dealt with at once."""
        try:
            submissions = read(files, lesson, all_versions=self._all_versions)
        except Changing as error:
            self.summary.postponed.append((files.student, str(error)))
            return []
        to_run = [submission for submission in submissions if self._has_to_run(submission)]
        if to_run and len(submissions) > len(to_run):
            self._versions[files.student] = submissions
        return to_run

    def _note_again(self, submission: Submission) -> None:
        """Put a version behind those that came before it: some were marked in this run, some in an earlier one."""
        key = (submission.student, submission.lesson, submission.digest)
        if self._gradebook.status(*key) is not None:
            self._gradebook.resubmit(*key, submission.time, submission.late, submission.file)

    def _has_to_run(self, submission: Submission) -> bool:
        known = submission.lesson in lessons_with_exercises()
        if not known and not submission.problem:
            there_are = ", ".join(lessons_with_exercises())
            problem = f"There is no lesson {submission.lesson} with exercises in this course; there are: {there_are}."
            submission = replace(submission, problem=problem)
        key = (submission.student, submission.lesson, submission.digest)
        status = self._gradebook.status(*key)
        # What could not be marked then may be markable now, such as a notebook of a lesson that is new.
        if status is not None and (status != "unreadable" or submission.problem):
            self._gradebook.resubmit(*key, submission.time, submission.late, submission.file)
            self.summary.unchanged += 1
            return False
        lesson, _ = self._lesson(submission.lesson) if known else (None, {})
        if submission.problem:
            self._keep(unreadable(submission, lesson), submission)
        return not submission.problem

    def _mark_each(self, submissions: list[Submission]) -> list[tuple[Submission, SubmissionMark | SetUpFailed]]:
        return [(submission, self._mark(submission)) for submission in submissions]

    def _mark(self, submission: Submission) -> SubmissionMark | SetUpFailed:
        """Return a submission's mark, or why there is none, in a pool's thread."""
        lesson, builder_of = self._lessons[submission.lesson]
        try:
            results = self._run(submission, builder_of)
        except SetUpFailed as error:
            return SetUpFailed(f"the set-up of lesson {submission.lesson} did not run: {error}")
        evidence = [builder.evidence(submission, results.get(id)) for id, builder in builder_of.items()]
        try:
            marks = judge_in_subprocess(evidence, self._stop)
        except SetUpFailed as error:
            return error
        mark = mark_submission(submission, lesson, {mark.id: mark for mark in marks})
        return replace(mark, waited=any(result.waited for result in results.values()))

    def _run(self, submission: Submission, builder_of: dict[str, JobBuilder]) -> dict[str, AnswerResults]:
        """Return what became of each exercise that is answered.

        All public cases come before any secret one is told to any process: what such a process leaves behind, in the
        cache of the disk for example, is seen by none whose words a page repeats.
        """
        hung: set[str] = set()
        jobs = {id: found for id, builder in builder_of.items() if (found := builder.jobs(submission))}
        results = {id: AnswerResults(self._run_one(public, hung)) for id, (public, _) in jobs.items()}
        for id, (_, secret) in jobs.items():
            if results[id].public.is_answered:
                results[id] = replace(results[id], secret=self._run_one(secret, hung))
        return results

    def _run_one(self, job: Job, hung: set[str]) -> JobResult:
        if self._stop.is_set():
            raise Stopped
        return run_job(self._runner, job, self._stop, hung)

    def _keep(self, mark: SubmissionMark, submission: Submission) -> None:
        self._gradebook.put(mark, submission.time, submission.late, submission.file)
        self.summary.marked[mark.status] += 1
        self.summary.waited += mark.waited

    def _lesson(self, number: str) -> tuple[GradedLesson, dict[str, JobBuilder]]:
        """Return the lesson and its job builders; the solutions run once."""
        if number not in self._lessons:
            # Its libraries load while ours load here.
            self._runner.prepare(set_up_of(number, solutions=self._solutions))
            lesson = load(number, free_texts=self._free_texts, solutions=self._solutions)
            self._gradebook.bind(number, lesson.version)
            self._lessons[number] = lesson, job_builders(lesson, self._seed)
        return self._lessons[number]


def run_job(runner: Runner, job: Job, stop: threading.Event, hung: set[str]) -> JobResult:
    """Return what became of a job, without the cells above the answer that hang or crash.

    What stands above an answer are other exercises, and one that hangs or crashes leaves the others marked. It takes
    its time once in a submission: ``hung`` holds the cells that others of its jobs have met, and takes in this one's.
    Where the rest hangs or crashes, too, nothing above the answer is run. A cell that hangs when those above are done
    with hangs by itself, and does not get its time twice.
    """

    def run(earlier: Sequence[str]) -> JobResult:
        result = runner.run(replace(job, earlier=earlier), stop)
        if result.ended == "timeout" or not result.earlier_ran:
            hung.add(result.running)
        return result

    earlier = [cell for cell in job.earlier if cell not in hung]
    first = result = run(earlier)
    while earlier and not _came_to_the_answer(result):
        others = [cell for cell in earlier if cell not in hung]
        earlier = others if result is first and len(others) < len(earlier) else ()
        result = run(earlier)
    return result if result.cell_ran else first


def _came_to_the_answer(result: JobResult) -> bool:
    """Return whether a run tells of the answer itself: came to its end, or at least to that of its cell, or hangs."""
    return result.ended == "done" or result.cell_ran or (result.ended == "timeout" and result.earlier_ran)
