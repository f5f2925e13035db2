"""What is judged, in a process of its own, and what a page says of it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, replace

import pytest

from grading import GradingError, course, judging, marking, own_processes
from grading.judging import mark_of
from grading.marking import AnswerResults, Drawing, job_builders
from grading.notebook_answers import Submission
from grading.protocol import CaseMessage, JobResult, SetUpFailed
from utils.exercises import serialization


def mark_from(builder, story, ended="done", reason=""):
    """The mark of an answer that is right on the public cases; story: what each secret case came to, None: nothing."""
    evidence = builder.evidence(Submission("ann", "01", ""), None)
    cases, first = evidence.cases, evidence.public
    public = {at: CaseMessage("value", serialization.dumps(cases[at].expected)) for at in range(first)}
    secret = {at: one for at, one in enumerate(story(cases[first:])) if one is not None}
    results = AnswerResults(
        JobResult(messages=public, cell_ran=True, defined=True),
        JobResult(ended, reason, secret, True, True, defined=True),
    )
    return mark_of(replace(evidence, results=results))


def returning(values):
    return [CaseMessage("value", serialization.dumps(value)) for value in values]


STORIES = {
    "wrong": lambda cases: returning(case.expected + 1 for case in cases),
    "a constant": lambda cases: returning(0 for _ in cases),
    "its input": lambda cases: returning({str(case.given): 1} for case in cases),
    "an error": lambda cases: [CaseMessage("error", message=f"ValueError: {case.given}") for case in cases],
    "another shape": lambda cases: returning([[0.0] * (7 + at)] for at, case in enumerate(cases)),
    "what cannot be read": lambda cases: [CaseMessage("value", text) for text in ("{", "[" * 9**5, '"' + "x" * 9**7)],
    "nothing": lambda cases: [None for _ in cases],
    "not started": lambda cases: [CaseMessage("not started") for _ in cases],
}


@pytest.fixture(scope="module")
def builder():
    return job_builders(course.load("01"), "a seed")["01.3"]


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize(
    "end",
    [
        ("done", ""),
        ("crashed", "ended its whole process (exit status 7)"),
        ("timeout", "was still running after 3 s and was stopped"),
    ],
)
def test_a_page_tells_that_secret_cases_failed_and_nothing_else_of_them(builder, story, end):
    expected = mark_from(builder, STORIES["wrong"])
    assert expected.reason == judging.MISSED
    assert mark_from(builder, STORIES[story], *end) == expected


def test_not_even_how_many_secret_cases_failed_is_told(builder):
    right = lambda cases: returning(case.expected for case in cases)  # noqa: E731
    assert mark_from(builder, right).points == builder.exercise.points
    one_short = lambda cases: [*right(cases)[:-1], *returning([None])]  # noqa: E731
    assert mark_from(builder, one_short) == mark_from(builder, STORIES["wrong"])


# --- judging in a process of its own ----------------------------------------------------------------------


@pytest.mark.full
def test_what_is_drawn_apart_is_drawn_alike_and_leaves_the_libraries_there(builder, root):
    """Lesson 05 needs torch for its solutions, lesson 08 for its exercises, too."""
    code = """
import sys
from grading import course, judging, marking
drawn = {number: marking.Drawing(number, "a seed").result() for number in ("05", "08")}
import grading.__main__
assert not {"torch", "pandas", "scipy", "nbformat", "distributed"} & sys.modules.keys()
for number, (lesson, builders) in drawn.items():
    here = course.load(number)
    submission = marking.Submission("ann", number, "")
    for id, one in marking.job_builders(here, "a seed").items():
        assert repr(builders[id].evidence(submission, None)) == repr(one.evidence(submission, None)), id
        assert vars(builders[id])["_givens"] == vars(one)["_givens"] and builders[id].exercise == one.exercise
    assert (lesson.max_score, lesson.version, lesson.set_up) == (here.max_score, here.version, here.set_up)
    assert list(lesson.exercises) == list(here.exercises) and not lesson.solutions
print("alike")"""
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout == "alike\n", done.stderr


def test_an_error_of_drawing_says_what_to_mend(monkeypatch, tmp_path):
    with pytest.raises(GradingError, match="holds no solutions of lesson 01"):
        Drawing("01", "a seed", solutions=tmp_path).result()
    monkeypatch.setattr(marking, "_draw", os._exit)
    monkeypatch.setattr(own_processes, "_context", multiprocessing.get_context("fork"))
    with pytest.raises(GradingError, match="The solutions of lesson 01 end the process that runs them. Correct them"):
        Drawing("01", "a seed").result()


def _say_what_is_loaded(sending):
    sending.send([number for number in ("01", "02", "03") if f"utils.lesson_{number}.exercises" in sys.modules])


@pytest.mark.full
def test_exercises_are_loaded_for_all_processes_that_follow(monkeypatch):
    loaded = []
    monkeypatch.setattr(own_processes, "_loaded", set())
    for lessons in (["02"], ["02"], ["03", "02"]):
        own_processes.have_loaded(lessons)
        first = own_processes.multiprocessing.forkserver._forkserver._forkserver_pid
        with own_processes.running(_say_what_is_loaded) as (_, receiving):
            loaded.append((receiving.recv(), first))
    assert [names for names, _ in loaded] == [["02"], ["02"], ["02", "03"]]
    assert loaded[0][1] == loaded[1][1] != loaded[2][1]


def test_a_run_that_ends_while_a_process_starts_says_nothing_of_it(root):
    """As where the cases are being drawn when it turns out that the class cannot be marked."""
    code = """
import threading, time
from grading.own_processes import multiprocessing, running
connect, asked = multiprocessing.forkserver.connect_to_new_process, threading.Event()
def slowly(descriptors):
    found = connect(descriptors)
    asked.set()
    time.sleep(0.3)
    return found
multiprocessing.forkserver.connect_to_new_process = slowly
def draw():
    with running(print, "started"):
        time.sleep(60)
threading.Thread(target=draw, daemon=True).start()
assert asked.wait(60)"""
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def evidence_of(builder, text):
    """Evidence of an answer that returned this text of plain data everywhere."""
    said = dict.fromkeys(range(99), CaseMessage("value", text))
    results = AnswerResults(
        JobResult(messages=said, cell_ran=True, defined=True), JobResult(messages=said, cell_ran=True, defined=True)
    )
    return replace(builder.evidence(Submission("ann", "01", ""), results), most=10**9)


def judged(evidence):
    return judging.judge_in_subprocess(evidence, threading.Event())


def test_what_is_judged_apart_is_judged_alike(builder):
    wrong = evidence_of(builder, "7")
    assert judged([wrong, replace(wrong, results=None)]) == [mark_of(wrong), mark_of(replace(wrong, results=None))]


@pytest.mark.parametrize("trouble", [pytest.param("memory", marks=pytest.mark.full), "time", signal.SIGSEGV])
def test_trouble_costs_the_answer_that_makes_it_and_no_other(builder, monkeypatch, trouble):
    """A list of 30 million lists, an answer that is judged for ever, and a process that dies."""
    wrong, bad = evidence_of(builder, "7"), evidence_of(builder, "8")
    if trouble == "memory":
        bad = evidence_of(builder, "[" + "[]," * 30_000_000 + "[]]")
    else:
        monkeypatch.setattr(judging, "SECONDS", 1)
        bad = replace(bad, results=replace(bad.results, public=Trouble(trouble)))
    one, two, three = judged([wrong, bad, wrong])
    assert one == three == mark_of(wrong) and one.state == "marked"
    assert two.points == 0 and (two.state, two.reason) == ("crashed", judging.TOO_MUCH)


class Trouble(JobResult):
    """A run that whoever reads it has trouble with: once, where ``output`` names a file."""

    def __init__(self, kind):
        super().__init__(cell_ran=True, defined=True)
        self.reason = kind

    @property
    def ended(self):
        while self.reason == "time":
            pass
        if not os.path.exists(self.output):
            if self.output:
                open(self.output, "x").close()
            os.kill(os.getpid(), self.reason)
        return "done"

    @ended.setter
    def ended(self, value):
        pass

    def __repr__(self):
        return "trouble"  # a failed test shows its values, and would end or stop this process


@pytest.mark.parametrize("end", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.full)])
def test_a_judge_that_others_end_or_stop_costs_nobody_points(builder, monkeypatch, tmp_path, end):
    """Once, and another one judges; twice, and the submission is left for the next run."""
    monkeypatch.setattr(judging, "STALLED", 0.3)  # a busy machine leaves a judge waiting for a while
    wrong = evidence_of(builder, "7")
    bad = replace(wrong, results=replace(wrong.results, public=Trouble(end)))
    with pytest.raises(SetUpFailed, match="ended or stopped, twice"):
        judged([wrong, bad])
    bad.results.public.output = str(tmp_path / "once")
    assert [one.points for one in judged([wrong, bad])] == [0.0, 0.0] and (tmp_path / "once").exists()


def test_where_nothing_can_be_judged_nobody_is_marked(builder, monkeypatch):
    monkeypatch.setattr(judging, "_judge_all", lambda *given: os._exit(1))
    monkeypatch.setattr(own_processes, "_context", multiprocessing.get_context("fork"))
    with pytest.raises(SetUpFailed):
        judged([evidence_of(builder, "7")])


def test_lines_that_differ_in_numbers_alone_are_folded():
    steps = [f"step {at:4}: loss {0.5**at:.3g}" for at in range(40)]
    text = "\n".join(["begin", *steps, "end", "", "1", "2", "3", "4"])
    shown = ["begin", *steps[:2], "… 37 more like these …", steps[-1], "end", "", "1", "2", "3", "4"]
    assert judging._first_lines(text).splitlines() == shown


def test_all_lines_of_what_was_printed_are_shown_or_counted():
    for run in (1, 4, 5, 30):
        lines = [f"{'x' * (at // run)} {at}" for at in range(1200)]
        *shown, last = judging._first_lines("\n".join(lines)).splitlines()
        folded = [int(line.split()[1]) for line in shown if line.startswith("…")]
        assert len(shown) == judging.OUTPUT_LINES and set(folded) <= {run - 3}
        assert len(shown) - len(folded) + sum(folded) + int(last.split()[2]) == len(lines)


def test_no_text_on_a_page_is_longer_than_a_page(builder):
    loud = evidence_of(builder, "7")
    public = replace(loud.results.public, cell_error="x" * 10**6, output="y\n" * 10**6, reason="z" * 10**6)
    for ended in ("done", "crashed"):
        mark = mark_of(replace(loud, results=replace(loud.results, public=replace(public, ended=ended))))
        assert len(json.dumps(asdict(mark))) < 20_000
