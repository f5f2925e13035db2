"""In which order jobs are run, and which of them once more: without the cells above the answer."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest

from cluster import WorkersDied
from grading import course
from grading.gradebook import Gradebook
from grading.grading_run import ENDED_WORKERS, GradingRun
from grading.marking import JobBuilder, job_builders
from grading.notebook_answers import Submission, cells_of
from grading.pieces import Here, Piece, PieceResults, run_job
from grading.protocol import CaseMessage, Job, JobResult, SetUpFailed
from grading.submissions import collect
from tests.grading.helpers import hand_in, notebook

JOB = Job("90.1", "double", (), (), ("class Trap: endless",), "def double(x): ...", (), 1.0)
ABOVE = ("one = 1", "class Trap: endless", "two = 2")
THREE = replace(JOB, earlier=ABOVE)
DONE = JobResult(cell_ran=True, defined=True)
IN_THE_CELL = JobResult(ended="timeout", cell_ran=True)
BEFORE_THE_CELL = JobResult(ended="timeout")
BY_ITSELF = JobResult(ended="timeout", earlier_ran=True)
WAITED = JobResult(ended="timeout", earlier_ran=True, waited=True)


@cache
def builders() -> dict[str, JobBuilder]:
    """Return what makes the jobs of lesson 01."""
    return job_builders(course.load("01"), "a seed")


def after(*runs: JobResult, job: Job = JOB, hung: set[str] | None = None) -> tuple[JobResult, list[int]]:
    """Return what ``run_job`` makes of these runs, and how many cells each job was handed."""
    asked, left = [], list(runs)
    runner = SimpleNamespace(run=lambda job, stop: asked.append(len(job.earlier)) or left.pop(0))
    return run_job(runner, job, threading.Event(), set() if hung is None else hung), asked


def test_a_run_that_came_to_the_answer_is_not_repeated():
    assert after(DONE) == (DONE, [1])
    assert after(IN_THE_CELL) == (IN_THE_CELL, [1])
    assert after(BY_ITSELF) == (BY_ITSELF, [1])


def test_cells_above_that_hang_or_crash_are_left_out():
    assert after(BEFORE_THE_CELL, DONE) == (DONE, [1, 0])
    assert after(JobResult(ended="crashed"), IN_THE_CELL) == (IN_THE_CELL, [1, 0])
    assert after(JobResult(ended="crashed", earlier_ran=True), DONE) == (DONE, [1, 0])


def test_an_answer_that_hangs_without_them_too_keeps_its_first_run():
    assert after(BEFORE_THE_CELL, JobResult(ended="crashed")) == (BEFORE_THE_CELL, [1, 0])
    assert after(BEFORE_THE_CELL, job=replace(JOB, earlier=())) == (BEFORE_THE_CELL, [0])


def test_only_the_cell_that_hangs_is_left_out_and_nothing_above_is_run_where_another_hangs_too():
    at = [JobResult(ended="timeout", running=cell) for cell in ABOVE]
    hung: set[str] = set()
    assert after(at[1], DONE, job=THREE, hung=hung) == (DONE, [3, 2]) and ABOVE[1] in hung
    assert after(at[1], at[2], DONE, job=THREE) == (DONE, [3, 2, 0])
    assert after(at[1], at[2], at[0], job=THREE) == (at[1], [3, 2, 0])


def test_a_cell_that_hung_is_left_out_of_the_further_jobs():
    hung = {ABOVE[1]}
    assert after(DONE, job=THREE, hung=hung) == (DONE, [2])
    by_itself = replace(BY_ITSELF, running=JOB.answer)
    assert after(by_itself, job=THREE, hung=hung) == (by_itself, [2])
    assert after(DONE, job=replace(THREE, earlier=(*ABOVE, JOB.answer)), hung=hung) == (DONE, [2])


def test_an_answer_that_crashes_only_after_the_cells_above_is_there_for_the_others():
    hung: set[str] = set()
    assert after(JobResult(ended="crashed", earlier_ran=True, running=JOB.answer), DONE, hung=hung) == (DONE, [1, 0])
    assert JOB.answer not in hung


def test_a_submission_pays_for_a_cell_that_hangs_once():
    asked = []

    def run(job, stop):
        asked.append(ABOVE[1] in job.earlier)
        return JobResult(ended="timeout", running=ABOVE[1]) if asked[-1] else DONE

    answers = [f"# exercise {id}\ndef {builder.exercise.answer_name}(): ..." for id, builder in builders().items()]
    cells = cells_of(notebook(*ABOVE, *answers))
    _in_two_turns(run, Submission("ann", "01", "", cells))
    assert asked == [True] + [False] * (2 * len(builders()))


def test_what_idled_is_not_run_once_more_at_once():
    assert after(WAITED) == (WAITED, [1])


def _in_two_turns(run, submission: Submission) -> None:
    """Run the submission's answers on the public cases, keep what came of that as text, and run the secret ones."""
    work = GradingRun(None, Here(_runner(run)), "")
    work._lessons["01"] = SimpleNamespace(number="01"), builders()
    cells = [cell.source for cell in submission.cells]
    public = PieceResults.of_text(work._public_results(submission).to_text(), cells)
    work._results(submission, public, False)


def _runner(run) -> SimpleNamespace:
    return SimpleNamespace(run=run, prepare=lambda set_up: None)


class Recording:
    """A runner that notes each job's exercise, and whether it is secret; it stops where it is told to."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.asked: list[tuple[str, bool]] = []
        self._stop_at = stop_at

    def prepare(self, set_up: tuple[str, ...]) -> None:
        """Do nothing."""

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return that the function was there, or be interrupted."""
        if len(self.asked) == self._stop_at:
            raise KeyboardInterrupt
        self.asked.append((job.exercise, job.secret))
        return DONE


@pytest.mark.full
def test_no_process_of_a_class_knows_a_secret_case_while_another_one_may_be_quoted(tmp_path):
    """Not even of another lesson, and in whichever turn it is interrupted; the next run repeats what was running."""
    class_ = [(student, lesson) for student in ("ann", "bob", "cid") for lesson in ("01", "03")]
    for student, lesson in class_:
        exercise = course.load(lesson).exercises[f"{lesson}.1"]
        source = f"# exercise {exercise.id}\ndef {exercise.answer_name}(): ..."
        (tmp_path / "in" / student).mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / student / f"{lesson}.ipynb").write_bytes(notebook(source))
    asked = []
    for stop_at in (4, 4, None):
        with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
            run = GradingRun(gradebook, Here(runner := Recording(stop_at)), "a seed")
            with contextlib.suppress(KeyboardInterrupt):
                run.mark(collect(tmp_path / "in").students, None, 1, lambda ran: None)
        asked += runner.asked
    turns = [secret for _, secret in asked]
    assert turns == sorted(turns)
    for lesson in ("01", "03"):  # an answer on public and on secret cases, and its whole notebook on public ones
        for job in ((f"{lesson}.1", False), (f"{lesson}.1", True), (lesson, False)):
            assert 3 <= asked.count(job) <= 3 + 4
    assert len({*asked}) == 6
    assert run.summary.marked.total() and run.summary.postponed == []


class Waiting(Recording):
    """A runner on which one exercise's jobs wait: so many public ones and so many secret ones."""

    def __init__(self, public: int, secret: int) -> None:
        super().__init__()
        self._left = {False: public, True: secret}

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return that the function was there, or that it did nothing; of a whole notebook that it is none."""
        if job.checks:
            return DONE
        super().run(job, stop)
        if job.exercise == "01.1" and self._left[job.secret]:
            self._left[job.secret] -= 1
            return replace(WAITED, reason="did nothing")
        return DONE


@pytest.mark.slow
@pytest.mark.parametrize(
    "public, secret, jobs, state",
    [
        (1, 0, 5, "marked"),
        (2, 0, 4, "timeout"),
        (0, 1, 5, "marked"),
        (0, 9, 5, "marked"),
    ],
)
def test_what_did_nothing_is_tried_once_more_in_its_turn_and_then_counts(tmp_path, public, secret, jobs, state):
    """After all others, and before any secret case where it is a public one; nothing is left for another run."""
    sources = [f"# exercise 01.{n}\ndef {course.load('01').exercises[f'01.{n}'].answer_name}(): ..." for n in (1, 3)]
    hand_in(tmp_path / "in", {"ann": notebook(sources[0]), "bob": notebook(sources[1])})
    with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
        for count in (jobs, 0):
            run = GradingRun(gradebook, Here(runner := Waiting(public, secret)), "a seed")
            run.mark(collect(tmp_path / "in").students, None, 2, lambda ran: None)
            assert len(runner.asked) == count
            turns = [is_secret for _, is_secret in runner.asked]
            assert turns == sorted(turns)
        ((ann,), _) = gradebook.students()
    assert next(one.state for one in ann.mark.exercises if one.id == "01.1") == state


class Deadly(Here):
    """Runs pieces on workers that die: of some student's public or secret job, and with it whatever is beside it."""

    def __init__(self, student: str, exercise: str, secret: bool, beside: int) -> None:
        super().__init__(Waiting(0, 0))
        self._deadly, self._beside = (student, exercise, secret), beside

    def run(self, piece: Piece, stop: threading.Event) -> PieceResults:
        """Return what became of a piece, or raise WorkersDied."""
        student = next(iter(piece.jobs.values())).answer.rpartition(" ")[2]
        has_it = any((student, id, job.secret) == self._deadly for id, job in piece.jobs.items())
        beside = self._beside and not has_it
        if beside:
            self._beside -= 1
        if has_it or beside:
            raise WorkersDied("one after the other")
        return super().run(piece, stop)


@pytest.mark.slow
@pytest.mark.parametrize("secret", [False, True])
def test_who_ends_workers_loses_that_exercise_and_nobody_else_anything(tmp_path, secret):
    """Those who were beside that submission are tried again, and so are its own other exercises."""
    names = {n: course.load("01").exercises[f"01.{n}"].answer_name for n in (1, 3)}
    sources = {
        student: [f"# exercise 01.{n}\ndef {name}(): ...  # {student}" for n, name in names.items()]
        for student in ("ann", "bob", "cyd")
    }
    hand_in(tmp_path / "in", {student: notebook(*cells) for student, cells in sources.items()})
    with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
        run = GradingRun(gradebook, Deadly("bob", "01.3", secret, 2), "a seed")
        run.mark(collect(tmp_path / "in").students, None, 2, lambda ran: None)
        marks = {stored[0].mark.student: stored[0].mark for stored in gradebook.students()}
    assert run.summary.postponed == [] and run.summary.marked.total() == 3
    states = {
        student: {one.id: one.state for one in mark.exercises if one.state != "not started"}
        for student, mark in marks.items()
    }
    both = {"01.1": "marked", "01.3": "marked"}
    assert states == {"ann": both, "bob": both | {"01.3": "marked" if secret else "crashed"}, "cyd": both}
    reasons = [one.reason for one in marks["bob"].exercises if one.id == "01.3"]
    assert reasons == ["" if secret else f"Your answer {ENDED_WORKERS}."]


@pytest.mark.slow
def test_a_set_up_that_fails_at_the_second_try_leaves_the_rest_and_goes_on_by_the_next_run(tmp_path):
    source = f"# exercise 01.1\ndef {course.load('01').exercises['01.1'].answer_name}(): ..."
    hand_in(tmp_path / "in", {"ann": notebook(source)})

    class Failing(Waiting):
        def run(self, job: Job, stop: threading.Event) -> JobResult:
            if self.asked:
                raise SetUpFailed("no memory")
            return super().run(job, stop)

    with contextlib.closing(Gradebook(tmp_path / "out")) as gradebook:
        found = []
        for runner in (Failing(1, 0), Waiting(0, 0)):
            run = GradingRun(gradebook, Here(runner), "a seed")
            run.mark(collect(tmp_path / "in").students, None, 1, lambda ran: None)
            found.append(run.summary)
        ((ann,),) = gradebook.students()
    assert [(len(one.postponed), one.marked.total()) for one in found] == [(1, 0), (0, 1)]
    assert next(one.state for one in ann.mark.exercises if one.id == "01.1") == "marked"


def test_one_student_does_not_fill_the_grade_book():
    """What comes back beyond a limit is worth nothing, and is not kept."""
    said = replace(DONE, messages={0: CaseMessage("value", "1" * 1000)})
    work = GradingRun(None, Here(_runner(lambda job, stop: said)), "")
    work._lessons["01"] = SimpleNamespace(number="01"), builders()
    sources = [f"# exercise {id}\ndef {builder.exercise.answer_name}(): ..." for id, builder in builders().items()]
    public = work._public_results(Submission("ann", "01", "", cells_of(notebook(*sources))), 2500)
    assert [result.ended for result in public.results.values()] == ["done"] * 2 + ["crashed"] * (len(builders()) - 2)
    assert public.size == 2000
