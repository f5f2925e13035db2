"""One run of the grader: reads, runs, judges and stores student by student."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from cluster import WorkersDied
from cluster.spreading import in_parallel
from grading.course import GradedLesson, set_up_of
from grading.gradebook import Gradebook
from grading.judging import judge_in_subprocess, unfinished
from grading.marking import (
    AnswerResults,
    Drawing,
    JobBuilder,
    SubmissionMark,
    did_something_else,
    mark_submission,
    more_at_home,
    results_within,
    unreadable,
)
from grading.notebook_answers import Submission, read
from grading.own_processes import have_loaded
from grading.pieces import MOST_KEPT, Piece, PieceResults, PieceRunner
from grading.protocol import Job, JobResult, SetUpFailed
from grading.submissions import Changing, StudentFiles
from utils.exercises.definition import lessons_with_exercises

WAITED = '"waited": true'  # in what is kept of public results; where a student prints it, its quotes are escaped there
ENDED_WORKERS = "ended one worker of the cluster after the other"


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

    A submission has a thread, which waits for what runs its answers, and then for the process that judges them, of
    which there are no more than cores; whatever is stored is written in the thread that calls ``mark``.
    """

    def __init__(
        self,
        gradebook: Gradebook,
        pieces: PieceRunner,
        seed: str,
        *,
        all_versions: bool = False,
        free_texts: bool = False,
        solutions: Path | None = None,
        begun: Drawing | None = None,
    ) -> None:
        self._gradebook = gradebook
        self._all_versions = all_versions
        self._free_texts = free_texts
        self._solutions = solutions
        self._pieces = pieces
        self._seed = seed
        self._begun = begun
        self._lessons: dict[str, tuple[GradedLesson, dict[str, JobBuilder]]] = {}
        self._not_run: set[tuple[str, str, str]] = set()  # for which the set-up failed, or which have changed
        self._ended_workers: set[tuple[str, str, str]] = set()  # or had the ill luck to be with somebody who did
        self._judges = threading.Semaphore(os.cpu_count() or 1)
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
                have_loaded(self._lessons)
                self._run_whole(pool, waiting, lesson, workers)
                self._run_secret(pool, waiting, lesson, workers, step)
            finally:
                self._stop.set()  # no thread waits for a process any longer
        return self.summary

    def _run_public(
        self,
        pool: ThreadPoolExecutor,
        students: Iterable[StudentFiles],
        lesson: str | None,
        workers: int,
        step: Callable[[bool], object],
    ) -> list[StudentFiles]:
        """Run all answers on the public cases, and return whose are to be run on the secret ones.

        What did nothing until its time was over, and what ended workers, is tried once more, while nothing else runs.
        """
        waiting, again = [], []
        work = ((files, self._to_run(files, lesson)) for files in students)
        for (files, to_run), done in in_parallel(pool, workers, work, self._public_results_of_each):
            for submission, results in done:
                self._keep_public(results, submission)
            if any(self._wants_to_be_alone(submission) for submission, _ in to_run):
                again.append(files)
            step(bool(done))
            if to_run:
                waiting.append(files)
            else:
                step(False)
        for files in again:
            for submission in self._read(files, lesson):
                if self._wants_to_be_alone(submission):
                    before = self._kept_public(submission)
                    self._keep_public(self._public_results(submission, before=before, alone=True), submission)
        return waiting

    def _run_whole(
        self, pool: ThreadPoolExecutor, students: Iterable[StudentFiles], lesson: str | None, workers: int
    ) -> None:
        """Run within its whole notebook, on the public cases, what misses points there by itself."""
        work = ((files, *self._with_public_results(files, lesson)) for files in students)
        for _, done in in_parallel(pool, workers, work, self._whole_results_of_each):
            for submission, results in done:
                self._keep_public(results, submission)

    def _whole_results_of_each(
        self, work: tuple[StudentFiles, list[Submission], list[tuple[Submission, str]]]
    ) -> list[tuple[Submission, PieceResults | SetUpFailed]]:
        known = [(submission, _results_of(text, submission)) for submission, text in work[2]]
        return [(one, self._with_whole_results(one, results)) for one, results in known if results.whole is None]

    def _with_whole_results(self, submission: Submission, public: PieceResults) -> PieceResults | SetUpFailed:
        _, builder_of = self._lessons[submission.lesson]
        evidence = [builder_of[id].evidence(submission, AnswerResults(result)) for id, result in public.results.items()]
        try:
            with self._judges:
                missed = unfinished(evidence, self._stop)
            whole = self._within(submission, more_at_home(submission, missed, builder_of))
        except SetUpFailed as error:
            return error
        except WorkersDied:
            whole = {}
        return PieceResults(public.results, public.hung, whole)

    def _within(
        self, submission: Submission, builders: Sequence[JobBuilder], *, secret: bool = False
    ) -> dict[str, JobResult]:
        def run(job: Job) -> JobResult:
            return self._pieces.run(Piece({job.exercise: job}, most=MOST_KEPT), self._stop).results[job.exercise]

        return results_within(submission, builders, run, secret=secret)

    def _wants_to_be_alone(self, submission: Submission) -> bool:
        """Return whether something of this submission is to be tried once more, while nothing else runs."""
        waited = WAITED in (self._gradebook.public(*_key(submission)) or "")
        return waited or _key(submission) in self._ended_workers

    def _run_secret(
        self,
        pool: ThreadPoolExecutor,
        students: Iterable[StudentFiles],
        lesson: str | None,
        workers: int,
        step: Callable[[bool], object],
    ) -> None:
        """Run what came to its end on the public cases on the secret ones, judge both, and keep the marks.

        What did nothing until its time was over, and what ended workers, is tried once more, while nothing else runs.
        """
        again = []
        work = ((files, *self._with_public_results(files, lesson)) for files in students)
        for (files, submissions, _), done in in_parallel(pool, workers, work, self._marks_of_each):
            for submission, mark in done:
                self._keep(mark, submission)
            if any(mark is None for _, mark in done):
                again.append(files)
            self._note_again(submissions)
            step(bool(done))
        for files in again:
            submissions, to_run = self._with_public_results(files, lesson)
            for submission, text in to_run:
                self._keep(self._mark(submission, _results_of(text, submission), alone=True), submission)
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
            problem = f"There is no lesson {submission.lesson} with exercises in this course. There are: {there_are}."
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
    ) -> list[tuple[Submission, PieceResults | SetUpFailed | None]]:
        done, left = [], MOST_KEPT
        for submission, known in work[1]:
            if not known:
                results = self._public_results(submission, left)
                left -= results.size if isinstance(results, PieceResults) else 0
                done.append((submission, results))
        return done

    def _public_results(
        self, submission: Submission, most: int = MOST_KEPT, *, before: PieceResults | None = None, alone: bool = False
    ) -> PieceResults | SetUpFailed | None:
        """Return what became of each exercise that is answered on the public cases, in a pool's thread.

        It has at most so many characters. Of what came out ``before``, that stays which did not wait. What is run
        ``alone`` counts, whatever comes of it; else None is for what ended workers.
        """
        found = before or PieceResults()
        jobs = {
            id: public
            for id, (public, _) in self._jobs(submission).items()
            if id not in found.results or found.results[id].waited
        }
        try:
            done = self._run(Piece(jobs, frozenset(found.hung), most), alone)
        except SetUpFailed as error:
            return SetUpFailed(f"the set-up of lesson {submission.lesson} did not run: {error}")
        except WorkersDied:
            return None
        for id, one in done.results.items():
            found.add(id, one, again=alone)
        return PieceResults(found.results, found.hung | done.hung)

    def _run(self, piece: Piece, alone: bool) -> PieceResults:
        """Return what became of a piece; raises WorkersDied where others may have been beside it.

        What is ``alone`` is run job by job, and whatever job ends workers then has crashed.
        """
        if not alone:
            return self._pieces.run(piece, self._stop)
        found = PieceResults(hung=set(piece.hung))
        for id, job in piece.jobs.items():
            most = piece.most and max(0, piece.most - found.size)
            try:
                one = self._pieces.run(Piece({id: job}, frozenset(found.hung), most), self._stop)
                found.results[id], found.hung = one.results[id], one.hung
            except WorkersDied:
                found.results[id] = JobResult("crashed", ENDED_WORKERS)
        return found

    def _marks_of_each(
        self, work: tuple[StudentFiles, list[Submission], list[tuple[Submission, str]]]
    ) -> list[tuple[Submission, SubmissionMark | SetUpFailed | None]]:
        return [(one, self._mark(one, _results_of(text, one))) for one, text in work[2]]

    def _mark(
        self, submission: Submission, public: PieceResults, *, alone: bool = False
    ) -> SubmissionMark | SetUpFailed | None:
        """Return a submission's mark, or why there is none, in a pool's thread.

        None is for an answer that did nothing until its time was over, or that ended workers, unless it was ``alone``.
        """
        lesson, builder_of = self._lessons[submission.lesson]
        try:
            results = self._results(submission, public, alone)
            whole = self._whole_results(submission, public)
        except SetUpFailed as error:
            return SetUpFailed(f"the set-up of lesson {submission.lesson} did not run: {error}")
        except WorkersDied:
            return None
        if not alone and any(one.secret and one.secret.waited for one in results.values()):
            return None
        evidence = [builder.evidence(submission, results.get(id), whole.get(id)) for id, builder in builder_of.items()]
        try:
            with self._judges:
                marks = judge_in_subprocess(evidence, self._stop)
        except SetUpFailed as error:
            return error
        return mark_submission(submission, lesson, {mark.id: mark for mark in marks})

    def _results(self, submission: Submission, public: PieceResults, alone: bool) -> dict[str, AnswerResults]:
        """Return what became of each answer, now that those which came to their end are run on the secret cases."""
        results = {id: AnswerResults(result) for id, result in public.results.items()}
        jobs = {id: secret for id, (_, secret) in self._jobs(submission).items() if results[id].public.is_answered}
        done = self._run(Piece(jobs, frozenset(public.hung)), alone) if jobs else PieceResults()
        return results | {id: replace(results[id], secret=one) for id, one in done.results.items()}

    def _whole_results(self, submission: Submission, public: PieceResults) -> dict[str, AnswerResults]:
        """Return what became of each answer within its notebook; on the secret cases, where it did something else."""
        _, builder_of = self._lessons[submission.lesson]
        found = {id: AnswerResults(result) for id, result in (public.whole or {}).items()}
        other = [builder_of[id] for id in found if did_something_else(found[id].public, public.results[id])]
        secret = self._within(submission, other, secret=True)
        return {id: replace(one, secret=secret.get(id)) for id, one in found.items()}

    def _jobs(self, submission: Submission) -> Mapping[str, tuple[Job, Job]]:
        """Return the jobs of each exercise that is answered, on public and on secret cases."""
        _, builder_of = self._lessons[submission.lesson]
        return {id: found for id, builder in builder_of.items() if (found := builder.jobs(submission))}

    def _keep_public(self, results: PieceResults | SetUpFailed | None, submission: Submission) -> None:
        if isinstance(results, SetUpFailed):
            self._not_run.add(_key(submission))
            self.summary.postponed.append((submission.student, str(results)))
        elif results is None:
            self._ended_workers.add(_key(submission))
        else:
            self._gradebook.put_public(*_key(submission), results.to_text())

    def _kept_public(self, submission: Submission) -> PieceResults | None:
        text = self._gradebook.public(*_key(submission))
        return _results_of(text, submission) if text else None

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
            self._pieces.prepare(set_up_of(number, solutions=self._solutions))
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


def _key(submission: Submission) -> tuple[str, str, str]:
    """Return what the grade book knows a submission by, within a round."""
    return submission.student, submission.lesson, submission.digest


def _results_of(text: str, submission: Submission) -> PieceResults:
    return PieceResults.of_text(text, (cell.source for cell in submission.cells))
