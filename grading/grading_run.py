"""One run of the grader: reads, runs, judges and stores student by student."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from grading.course import GradedLesson, set_up_of
from grading.gradebook import Gradebook
from grading.judging import judge_in_subprocess
from grading.marking import AnswerResults, Drawing, JobBuilder, SubmissionMark, mark_submission, unreadable
from grading.notebook_answers import Submission, read
from grading.own_processes import have_loaded
from grading.protocol import CaseMessage, Job, JobResult, SetUpFailed, Stopped
from grading.runner import Runner
from grading.submissions import Changing, StudentFiles
from utils.exercises.definition import lessons_with_exercises

MOST_KEPT = 32 * 2**20  # characters of what a student's processes said of public cases, all versions together
TOO_MUCH = "returned more than any answer needs"
WAITED = '"waited": true'
Work, Done = TypeVar("Work"), TypeVar("Done")


@dataclass
class RunSummary:
    """What a run did: new marks by status, how many stay unchanged, and who is not marked through no fault of theirs.

    ``postponed`` has a pair for each of these, the student and the reason.
    """

    marked: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    postponed: list[tuple[str, str]] = field(default_factory=list)


class GradingRun:
    """A run: one seed and one version of each lesson for everybody, free texts with points or without.

    All answers of all students are run on the public cases before any process is told a secret one: what such a process
    leaves behind, in the cache of the disk for example, is then seen by none of this run whose words a page repeats.

    ``solutions`` is the folder of the solutions' sources, None for the course's own. ``begun`` is a drawing of the same
    seed, with the same options, that runs already.

    A submission has a thread, which waits for the processes that run its answers, and then for the one that judges
    them; whatever is stored is written in the thread that calls ``mark``.
    """

    def __init__(
        self, gradebook: Gradebook, runner: Runner, seed: str, *, all_versions: bool = False, free_texts: bool = False,
        solutions: Path | None = None, begun: Drawing | None = None,
    ) -> None:
        self._gradebook = gradebook
        self._all_versions = all_versions
        self._free_texts = free_texts
        self._solutions = solutions
        self._runner = runner
        self._seed = seed
        self._begun = begun
        self._lessons: dict[str, tuple[GradedLesson, dict[str, JobBuilder]]] = {}
        self._not_run: set[tuple[str, str, str]] = set()  # for which the set-up failed, or which have changed
        self._stop = threading.Event()
        self.summary = RunSummary()

    def mark(
        self, students: Iterable[StudentFiles], lesson: str | None, workers: int, step: Callable[[bool], object]
    ) -> RunSummary:
        """Mark what is not marked yet, ``workers`` students at a time.

        ``step`` is called twice for each student, with whether anything had to be run. Interrupted, this ends what is
        running, keeps what is done, and lets the interruption through. Raises GradingError for a lesson that the
        course does not have, or that has changed since its round began.
        """
        if lesson is not None:
            self._lesson(lesson)
        with ThreadPoolExecutor(workers) as pool:
            try:
                waiting = self._run_public(pool, students, lesson, workers, step)
                self._run_secret(pool, waiting, lesson, workers, step)
            finally:
                self._stop.set()  # no thread waits for a process any longer
        return self.summary

    def _run_public(
        self, pool: ThreadPoolExecutor, students: Iterable[StudentFiles], lesson: str | None, workers: int,
        step: Callable[[bool], object],
    ) -> list[StudentFiles]:
        """Run all answers on the public cases, and return whose are to be run on the secret ones.

        What did nothing until its time was over is tried once more, while nothing else runs.
        """
        waiting, again = [], []
        work = ((files, self._to_run(files, lesson)) for files in students)
        for (files, to_run), done in _in_parallel(pool, workers, work, self._public_results_of_each):
            for submission, results in done:
                self._keep_public(results, submission)
            if any(WAITED in (self._gradebook.public(*_key(submission)) or "") for submission, _ in to_run):
                again.append(files)
            step(bool(done))
            if to_run:
                waiting.append(files)
            else:
                step(False)
        for files in again:
            for submission, text in self._with_public_results(files, lesson)[1]:
                before = PublicResults.of_text(text, submission)
                self._keep_public(self._public_results(submission, before=before), submission)
        return waiting

    def _run_secret(
        self, pool: ThreadPoolExecutor, students: Iterable[StudentFiles], lesson: str | None, workers: int,
        step: Callable[[bool], object],
    ) -> None:
        """Run what came to its end on the public cases on the secret ones, judge both, and keep the marks.

        What did nothing until its time was over is tried once more, while nothing else runs.
        """
        have_loaded(self._lessons)
        again = []
        work = ((files, *self._with_public_results(files, lesson)) for files in students)
        for (files, submissions, _), done in _in_parallel(pool, workers, work, self._marks_of_each):
            for submission, mark in done:
                self._keep(mark, submission)
            if any(mark is None for _, mark in done):
                again.append(files)
            self._note_again(submissions)
            step(bool(done))
        for files in again:
            submissions, to_run = self._with_public_results(files, lesson)
            for submission, text in to_run:
                self._keep(self._mark(submission, PublicResults.of_text(text, submission), alone=True), submission)
            self._note_again(submissions)

    def _read(self, files: StudentFiles, lesson: str | None) -> list[Submission]:
        try:
            return read(files, lesson, all_versions=self._all_versions)
        except Changing as error:
            self.summary.postponed.append((files.student, str(error)))
            return []

    def _to_run(self, files: StudentFiles, lesson: str | None) -> list[tuple[Submission, bool]]:
        """Return the student's submissions that have no mark, each with whether its public results are known already.

        The others are dealt with at once.
        """
        to_run = [submission for submission in self._read(files, lesson) if self._has_to_run(submission)]
        return [(submission, self._gradebook.public(*_key(submission)) is not None) for submission in to_run]

    def _with_public_results(
        self, files: StudentFiles, lesson: str | None
    ) -> tuple[list[Submission], list[tuple[Submission, str]]]:
        """Return all of the student's submissions, and those to be run on secret cases, with their public results.

        They are read again: the class would not fit into memory. What has changed since is left for the next run.
        """
        submissions = self._read(files, lesson)
        public = [(one, self._gradebook.public(*_key(one))) for one in submissions]
        for one, text in public:
            if text is None and self._gradebook.status(*_key(one)) is None and _key(one) not in self._not_run:
                self._not_run.add(_key(one))
                self.summary.postponed.append((one.student, "the notebook changed while the class was marked"))
        return submissions, [(one, text) for one, text in public if text and _key(one) not in self._not_run]

    def _note_again(self, submissions: list[Submission]) -> None:
        """Put versions in their order: some were marked in this run, some in an earlier one."""
        for submission in submissions if len(submissions) > 1 else ():
            if self._gradebook.status(*_key(submission)) is not None:
                self._gradebook.resubmit(*_key(submission), submission.time, submission.late, submission.file)

    def _has_to_run(self, submission: Submission) -> bool:
        known = submission.lesson in lessons_with_exercises()
        if not known and not submission.problem:
            there_are = ", ".join(lessons_with_exercises())
            problem = f"There is no lesson {submission.lesson} with exercises in this course; there are: {there_are}."
            submission = replace(submission, problem=problem)
        status = self._gradebook.status(*_key(submission))
        # What could not be marked then may be markable now, such as a notebook of a lesson that is new.
        if status is not None and (status != "unreadable" or submission.problem):
            self._gradebook.resubmit(*_key(submission), submission.time, submission.late, submission.file)
            self.summary.unchanged += 1
            return False
        lesson, _ = self._lesson(submission.lesson) if known else (None, {})
        if submission.problem:
            self._keep(unreadable(submission, lesson), submission)
        return not submission.problem

    def _public_results_of_each(
        self, work: tuple[StudentFiles, list[tuple[Submission, bool]]]
    ) -> list[tuple[Submission, PublicResults | SetUpFailed]]:
        done, left = [], MOST_KEPT
        for submission, known in work[1]:
            if not known:
                results = self._public_results(submission, left)
                left -= results.size if isinstance(results, PublicResults) else 0
                done.append((submission, results))
        return done

    def _public_results(
        self, submission: Submission, most: int = MOST_KEPT, *, before: PublicResults | None = None
    ) -> PublicResults | SetUpFailed:
        """Return what became of each exercise that is answered on the public cases, in a pool's thread.

        It has at most so many characters: an honest one has some thousand. Of what came out ``before``, that stays
        which did not wait; the rest has the machine alone now, and counts.
        """
        found = before or PublicResults()
        try:
            for id, (public, _) in self._jobs(submission).items():
                if before and not found.results[id].waited:
                    continue
                result = self._run_one(public, found.hung)
                found.results[id] = replace(result, running="", waited=result.waited and not before)
                if found.size > most:
                    found.results[id] = JobResult("crashed", TOO_MUCH, cell_ran=True)
        except SetUpFailed as error:
            return SetUpFailed(f"the set-up of lesson {submission.lesson} did not run: {error}")
        return found

    def _marks_of_each(
        self, work: tuple[StudentFiles, list[Submission], list[tuple[Submission, str]]]
    ) -> list[tuple[Submission, SubmissionMark | SetUpFailed | None]]:
        return [(one, self._mark(one, PublicResults.of_text(text, one))) for one, text in work[2]]

    def _mark(
        self, submission: Submission, public: PublicResults, *, alone: bool = False
    ) -> SubmissionMark | SetUpFailed | None:
        """Return a submission's mark, or why there is none, in a pool's thread.

        None is for an answer that did nothing until its time was over, unless it had the machine ``alone``.
        """
        lesson, builder_of = self._lessons[submission.lesson]
        try:
            results = self._results(submission, public)
        except SetUpFailed as error:
            return SetUpFailed(f"the set-up of lesson {submission.lesson} did not run: {error}")
        if not alone and any(one.secret and one.secret.waited for one in results.values()):
            return None
        evidence = [builder.evidence(submission, results.get(id)) for id, builder in builder_of.items()]
        try:
            marks = judge_in_subprocess(evidence, self._stop)
        except SetUpFailed as error:
            return error
        return mark_submission(submission, lesson, {mark.id: mark for mark in marks})

    def _results(self, submission: Submission, public: PublicResults) -> dict[str, AnswerResults]:
        """Return what became of each answer, now that those which came to their end are run on the secret cases."""
        results = {id: AnswerResults(result) for id, result in public.results.items()}
        for id, (_, secret) in self._jobs(submission).items():
            if results[id].public.is_answered:
                results[id] = replace(results[id], secret=self._run_one(secret, public.hung))
        return results

    def _jobs(self, submission: Submission) -> dict[str, tuple[Job, Job]]:
        """Return the jobs of each exercise that is answered, on public and on secret cases."""
        _, builder_of = self._lessons[submission.lesson]
        return {id: found for id, builder in builder_of.items() if (found := builder.jobs(submission))}

    def _run_one(self, job: Job, hung: set[str]) -> JobResult:
        if self._stop.is_set():
            raise Stopped
        return run_job(self._runner, job, self._stop, hung)

    def _keep_public(self, results: PublicResults | SetUpFailed, submission: Submission) -> None:
        if isinstance(results, SetUpFailed):
            self._not_run.add(_key(submission))
            self.summary.postponed.append((submission.student, str(results)))
        else:
            self._gradebook.put_public(*_key(submission), results.to_text())

    def _keep(self, mark: SubmissionMark | SetUpFailed | None, submission: Submission) -> None:
        if isinstance(mark, SetUpFailed):
            self.summary.postponed.append((submission.student, str(mark)))
        elif mark:
            self._gradebook.put(mark, submission.time, submission.late, submission.file)
            self.summary.marked[mark.status] += 1

    def _lesson(self, number: str) -> tuple[GradedLesson, dict[str, JobBuilder]]:
        """Return the lesson and its job builders; the solutions run once."""
        if number not in self._lessons:
            # Its libraries load while ours load here.
            self._runner.prepare(set_up_of(number, solutions=self._solutions))
            lesson, builders = self._drawing(number).result()
            self._gradebook.bind(number, lesson.version)
            self._lessons[number] = lesson, builders
        return self._lessons[number]

    def _drawing(self, number: str) -> Drawing:
        if self._begun and self._begun.number == number:
            return self._begun
        if not self._lessons:
            have_loaded([number])
        return Drawing(number, self._seed, free_texts=self._free_texts, solutions=self._solutions)


@dataclass
class PublicResults:
    """What became of a submission's answers on the public cases, by exercise, and which of its cells hang."""

    results: dict[str, JobResult] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        """Return how many characters came from the student's processes."""
        said = [text for one in self.results.values() for text in (one.output, one.cell_error)]
        messages = [message for one in self.results.values() for message in one.messages.values()]
        return sum(map(len, said)) + sum(len(one.value) + len(one.message) + len(one.printed) for one in messages)

    def to_text(self) -> str:
        """Return it as JSON."""
        hung = [_digest(cell) for cell in self.hung]
        return json.dumps({"results": {id: asdict(one) for id, one in self.results.items()}, "hung": hung})

    @classmethod
    def of_text(cls, text: str, submission: Submission) -> PublicResults:
        """Return what ``to_text`` made this of, for the same submission."""
        data = json.loads(text)
        results = {id: _result(one) for id, one in data["results"].items()}
        hung = {cell.source for cell in submission.cells if data["hung"] and _digest(cell.source) in data["hung"]}
        return cls(results, hung)


def _digest(cell: str) -> str:
    return hashlib.sha256(cell.encode("utf-8", "surrogatepass")).hexdigest()


def _result(data: dict[str, Any]) -> JobResult:
    messages = {int(case): CaseMessage(**message) for case, message in data["messages"].items()}
    return JobResult(**{**data, "messages": messages})


def _key(submission: Submission) -> tuple[str, str, str]:
    """Return what the grade book knows a submission by, within a round."""
    return submission.student, submission.lesson, submission.digest


def _in_parallel(
    pool: ThreadPoolExecutor, workers: int, work: Iterator[Work], task: Callable[[Work], Done]
) -> Iterator[tuple[Work, Done]]:
    """Yield each piece of work with what ``task`` made of it, as they are done.

    ``workers`` run and one more waits each, so that memory does not grow with the class.
    """
    running: dict[Future, Work] = {}
    while True:
        for one in islice(work, 2 * workers - len(running)):
            running[pool.submit(task, one)] = one
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            yield running.pop(future), future.result()


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
