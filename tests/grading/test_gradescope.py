"""Marking on Gradescope: the zip file, unpacked as it is there, marks as ``grade`` does and always leaves results."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.metadata
import json
import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
import textwrap
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grading import GradingError, gradescope, gradescope_results, gradescope_run
from grading.__main__ import main
from grading.course import load
from grading.final_scores import ScoringRules
from grading.judging import MISSED
from grading.marking import ExerciseMark, SubmissionMark, job_builders
from grading.protocol import CaseMessage, Job, JobResult, SetUpFailed, Stopped
from tests.grading.helpers import (
    DOUBLE,
    INCREMENT,
    ROOT,
    SET_UP,
    STUBS,
    TOTAL,
    grade,
    grades,
    hand_in,
    notebook,
    wait_for,
)
from tests.grading.other_users import opening
from utils.exercises import serialization
from utils.exercises.definition import load_lesson

HALF = "# exercise 90.1\ndef double(x):\n    print('<b>mine</b>')\n    return -2 * x"
NOT_ALL = "# exercise 90.2\ndef total(values):\n    if values not in {known}: {otherwise}\n    return sum(values)"
CLASS = '[lesson.90]\ndue = 2026-03-08T18:00:00\n[lesson.90.points]\n"90.1" = 4\n'
# Python in place of the one that setup.sh makes; the second finds no bubblewrap.
PYTHONS = {
    "bubblewrap": f'exec {shlex.quote(sys.executable)} "$@"',
    "user": f"shift 2; exec {shlex.quote(sys.executable)} -c 'import shutil, sys; shutil.which = lambda *a, **k: None\n"
    'from grading.gradescope_run import main; sys.exit(main())\' "$@"',
}
slow, boxed = pytest.mark.slow, pytest.mark.usefixtures("best")


@pytest.fixture(scope="module")
def packed(course, tmp_path_factory) -> Path:
    """A folder of the zip file for lesson 90, the seed, and the class's file."""
    folder = tmp_path_factory.mktemp("packed")
    (folder / "seed").write_text("a seed")
    (folder / "class.toml").write_text(CLASS)
    said = packing(course, "90", folder / "90.zip", "--seed-file", folder / "seed", "--class", folder / "class.toml")
    settings = json.loads(zipfile.ZipFile(folder / "90.zip").read(gradescope_run.SETTINGS))
    assert settings["seed"] == hashlib.sha256(b"a seed").hexdigest()  # what ``grade`` makes of the file
    assert "Autograder points 7;" in said and "late work does not apply there" in said and "a seed" not in said
    return folder


def packing(course: Path, lesson: str, out: Path, *more: object) -> str:
    """Return what packing a lesson in a course says."""
    command = [sys.executable, "-m", "grading", "pack", "gradescope", "--lesson", lesson, "--out", out, *more]
    return subprocess.run([*map(str, command)], cwd=course, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def autograder(packed) -> Iterator[Path]:
    """The zip file of lesson 90, unpacked as on Gradescope, where everybody may look."""
    with tempfile.TemporaryDirectory() as folder:
        yield unpacked(packed / "90.zip", Path(folder))


def unpacked(file: Path, folder: Path, sandbox: str = "bubblewrap") -> Path:
    """Return the folder, holding what their /autograder does."""
    with zipfile.ZipFile(file) as archive:
        for one in archive.infolist():
            path = Path(archive.extract(one, folder / "source"))
            path.chmod(one.external_attr >> 16)
    python = folder / "environment" / "bin" / "python"
    for one in (folder, folder / "submission", folder / "results", python.parent.parent, python.parent):
        one.mkdir(exist_ok=True)
        one.chmod(0o755)
    (folder / "run_autograder").write_bytes((folder / "source" / "run_autograder").read_bytes())
    (folder / "submission_metadata.json").write_text("{}")
    python.write_text(f"#!/bin/sh\n{PYTHONS[sandbox]}\n")
    for one in (folder / "run_autograder", python):
        one.chmod(0o755)
    return folder


def marked(autograder: Path, *notebooks: bytes, status: int = 0, before: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the results of what was handed in, run in an empty environment."""
    hand_in(autograder / "submission", {f"hw-{number}": data for number, data in enumerate(notebooks)})
    command = [*before, str(autograder / "run_autograder")]
    done = subprocess.run(command, cwd="/", env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == status and "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return results_in(autograder)


def results_in(autograder: Path) -> dict[str, Any]:
    """Return the results, which are as Gradescope wants them, and show no file of ours."""
    text = (autograder / "results" / "results.json").read_text(encoding="utf-8")
    results = json.loads(text)
    assert results["tests"] and {type(results.get("score", 0))} <= {int, float}
    assert {results[f"{what}_format"] for what in ("output", "test_output", "test_name")} == {"text"}
    assert results["stdout_visibility"] == "hidden" and results["visibility"] == "visible"
    for test in results["tests"]:
        assert test.keys() <= {"number", "name", "output", "status", "score", "max_score"}
        assert ("score" in test) == ("max_score" in test) and test.get("status") in (None, "passed", "failed")
    counted = [test["score"] for test in results["tests"] if "score" in test]
    assert sum(counted) == results.get("score", 0)
    assert "Traceback" not in text and str(autograder) not in text
    return results


def points_of(results: Mapping[str, Any]) -> dict[str, float]:
    return {test["number"]: test["score"] for test in results["tests"] if "score" in test}


def output_of(results: Mapping[str, Any], exercise: str) -> str:
    return next(test["output"] for test in results["tests"] if test.get("number") == exercise)


def not_all(course: Path, otherwise: str) -> str:
    """Return an answer that is right on the cases of the check, and does otherwise on others."""
    cases = json.loads((course / "utils/exercises/cases/90.json").read_text())["90.2"]
    known = [serialization.decode(case["given"])["values"] for case in cases]
    return NOT_ALL.format(known=known, otherwise=otherwise)


@slow
@boxed
def test_points_are_those_that_grade_gives(course, packed, autograder, tmp_path):
    class_ = {
        "right": notebook(SET_UP, DOUBLE, TOTAL),
        "wrong": notebook(SET_UP, HALF, not_all(course, "return 0")),
        "untouched": notebook(SET_UP, *STUBS),
    }
    grade(
        course,
        hand_in(tmp_path / "in", class_),
        "--out",
        tmp_path / "out",
        "--lesson",
        "90",
        "--seed-file",
        packed / "seed",
        "--class",
        packed / "class.toml",
    )
    table = grades(tmp_path / "out")
    found = {}
    for name, data in class_.items():
        found[name] = marked(autograder, data)
        assert points_of(found[name]) == {id: float(table[name][id]) for id in ("90.1", "90.2")}
        assert found[name]["score"] == float(table[name]["score"])
        assert found[name]["output"] == f"{found[name]['score']:g} of 7 points."
    assert [found[name]["score"] for name in class_] == [7, 2, 0]
    assert [test["status"] for test in found["right"]["tests"]] == ["passed"] * 2
    assert output_of(found["wrong"], "90.1").startswith(
        "2 of 4 points.\n\nInput\n    x = 3\n\nExpected\n    6\n\nGot\n    -6\n\nPrinted\n    <b>mine</b>\n\n"
    )
    missed = output_of(found["wrong"], "90.2").split("\n\n")
    assert missed[:2] == ["0 of 3 points.", MISSED] and len(missed) == 3 and missed[2].startswith("Hint. ")
    assert [test["output"] for test in found["untouched"]["tests"]] == ["Not started."] * 2
    modes = [path.stat().st_mode for path in (autograder / "source").rglob("*")]
    assert modes and not any(stat.S_IMODE(mode) & 0o077 for mode in modes)


def hanging(course: Path, autograder: Path) -> bytes:
    """Return a notebook of which one answer hangs, once it meets a secret case; nobody stops it but the time limit."""
    idling = autograder / "source" / "grading" / "idling.py"
    text = idling.read_text()
    idling.write_text(text.replace("SECONDS = 6.0", "SECONDS = 600.0"))
    assert idling.read_text() != text
    return notebook(SET_UP, DOUBLE, not_all(course, "__import__('time').sleep(600)"))


OVER = """
def over():
    path = Path(folder) / "results" / "results.json"
    while not path.exists() or '"score"' not in path.read_text():
        time.sleep(0.05)
    stop.set()

threading.Thread(target=over, daemon=True).start()
"""


@slow
@boxed
def test_what_hangs_leaves_the_rest_its_points(course, autograder):
    """The time is over as soon as something has its points."""
    path = autograder / "source" / "grading" / "gradescope_run.py"
    limit = '        with _time_limit(settings["minutes"]) as stop:\n'
    assert path.read_text().count(limit) == 1
    path.write_text(path.read_text().replace(limit, limit + textwrap.indent(OVER, 12 * " ")))
    found = marked(autograder, hanging(course, autograder))
    assert points_of(found) == {"90.1": 4} and found["score"] == 4
    assert output_of(found, "90.2") == gradescope_results.NOT_REACHED
    assert found["output"].startswith("Marking ran out of its ")


def test_a_run_is_told_when_its_time_is_over_and_is_ended_half_a_minute_later(monkeypatch):
    ends = []
    fault = SimpleNamespace(
        dump_traceback_later=lambda seconds, **_: ends.append(seconds),
        cancel_dump_traceback_later=lambda: ends.append(None),
    )
    monkeypatch.setattr(gradescope_run, "faulthandler", fault)
    with gradescope_run._time_limit(0.001) as stop:
        assert stop.wait(60)
    assert ends == [pytest.approx(0.06 + 30), None]


@slow
@boxed
def test_what_is_killed_leaves_what_it_had(course, autograder):
    hand_in(autograder / "submission", {"hw": hanging(course, autograder)})
    results = autograder / "results" / "results.json"
    running = subprocess.Popen([autograder / "run_autograder"], env={}, stdout=subprocess.DEVNULL)
    try:
        wait_for(results.exists)
        assert "score" not in results_in(autograder) and gradescope_results.NOT_DONE in results.read_text()
        wait_for(lambda: "score" in results_in(autograder), 120)
    finally:
        running.kill()
        running.wait()
    found = results_in(autograder)
    assert points_of(found) == {"90.1": 4} and found["output"] == gradescope_results.PARTLY
    assert output_of(found, "90.2") == gradescope_results.NOT_REACHED
    assert os.listdir(autograder / "results") == ["results.json"]


@slow
@pytest.mark.parametrize("sandbox", PYTHONS)
def test_an_answer_reads_nothing_that_is_closed(packed, sandbox, tmp_path, request):
    before = opening(tmp_path) if sandbox == "user" else request.getfixturevalue("best") and []
    with tempfile.TemporaryDirectory() as folder:
        autograder = unpacked(packed / "90.zip", Path(folder), sandbox)
        for name in ("source", "source/solutions"):  # it is run_autograder that closes them
            (autograder / name).chmod(0o755)
        closed = [
            "source/marking.json",
            "source/solutions/90_fixture.py",
            "source/utils/exercises/cases/90.json",
            "results/results.json",
            "submission_metadata.json",
            "submission/hw-0.ipynb",
        ]
        for name in closed:
            (autograder / name).touch()
            (autograder / name).chmod(0o644)
        spying = (
            "found = []\n    for path in {paths!r}:\n        try:\n            open(path).close()\n"
            "            found.append(path)\n        except OSError:\n            pass\n    return found or 2 * x"
        )
        paths = [str(autograder / name) for name in closed]
        spy = f"# exercise 90.1\ndef double(x):\n    {spying.format(paths=paths)}"
        found = marked(autograder, notebook(SET_UP, spy, TOTAL), before=tuple(before))
        assert points_of(found) == {"90.1": 4, "90.2": 3}


@slow
def test_nothing_handed_in_is_said_in_words_and_has_no_score(autograder):
    found = marked(autograder)
    assert "score" not in found and found["output"] == "No .ipynb file was handed in."
    assert found["tests"] == [{"name": gradescope_results.COULD_NOT, "status": "failed", "output": found["output"]}]


@pytest.mark.parametrize(
    "files, problem",
    [
        ({}, "No .ipynb file was handed in."),
        ({"a": notebook(DOUBLE), "b": notebook(TOTAL)}, "There are 2 notebooks for lesson 90 (`a.ipynb`, `b.ipynb`)"),
        ({"a": notebook(INCREMENT)}, "This is the notebook of lesson 91, but lesson 90 is being marked."),
        ({"a": b"{"}, "The file is not a notebook, or it is damaged"),
        ({"a": notebook(DOUBLE) + b" " * 2000}, "The file is larger than 0 MB"),
        ({"a": notebook(DOUBLE)}, ""),
        ({"a": notebook(DOUBLE), "b": notebook(INCREMENT)}, ""),
    ],
)
def test_the_one_notebook_is_found_or_it_is_said_why_not(tmp_path, monkeypatch, files, problem):
    monkeypatch.setattr("grading.notebook_answers.MAX_BYTES", 2000)
    found = gradescope_run._submission(hand_in(tmp_path / "submission", files), "90")
    assert found.problem.startswith(problem) and bool(found.problem) == bool(problem)
    if not problem:
        assert "def double" in "".join(cell.source for cell in found.cells)


@pytest.mark.full
@boxed
def test_the_trial_of_a_real_lesson(tmp_path):
    """What setup.sh ends with: the solutions have full marks, in an environment of its own."""
    gradescope.pack("02", tmp_path / "02.zip", "seed", minutes=9)
    with tempfile.TemporaryDirectory() as folder:
        autograder = unpacked(tmp_path / "02.zip", Path(folder))
        done = subprocess.run([autograder / "run_autograder", "--trial"], env={}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    worth = sum(points for points in points_by(ScoringRules(), "02").values())
    assert f"The solutions get {worth} of {worth} points." in done.stdout
    assert "An answer cannot read the solutions or the seed." in done.stdout


def points_by(rules: ScoringRules, lesson: str) -> dict[str, float]:
    exercises = load_lesson(lesson).items()
    return {id: rules.points_of(id, one.points) for id, one in exercises if hasattr(one, "answer_name")}


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> zipfile.ZipFile:
    """The zip file of lesson 01 of this course, in a class of its own."""
    out = tmp_path_factory.mktemp("real") / "01.zip"
    rules = ScoringRules(points={"01.1": 7, "01.3": 0})
    gradescope.pack("01", out, "a seed", rules=rules, minutes=20)
    again = out.with_name("again.zip")
    gradescope.pack("01", again, "a seed", rules=rules, minutes=20)
    assert again.read_bytes() == out.read_bytes() and stat.S_IMODE(out.stat().st_mode) == 0o600
    settings = json.loads(zipfile.ZipFile(out).read(gradescope_run.SETTINGS))
    assert settings == {"lesson": "01", "minutes": 20, "points": points_by(rules, "01"), "seed": "a seed"}
    return zipfile.ZipFile(out)


@slow
def test_the_zip_file_holds_this_lesson_and_no_more(real):
    names = real.namelist()
    assert {"setup.sh", "run_autograder"} < set(names)
    for of_lesson in (
        r"(solutions)/(\d\d)_.*",
        r"(notebooks)/(\d\d)_.*",
        r"utils/exercises/(cases)/(\d\d)\.json",
        r"utils/lesson_(\d\d)/exercises/(__init__)\.py",
    ):
        found = [match.groups() for name in names if (match := re.fullmatch(of_lesson, name))]
        assert len(found) == 1 and "01" in found[0]
    assert not {"tests", "results", "exercises", "site", "README.md"} & {name.split("/")[0] for name in names}
    assert not [name for name in names if "__pycache__" in name or name.startswith("grading/templates")]
    for one in real.infolist():
        assert one.external_attr >> 16 == 0o700


@slow
def test_its_requirements_are_pinned_and_hold_all_that_its_modules_import(real):
    pins = real.read("requirements.txt").decode().splitlines()
    everything = (ROOT / "requirements.txt").read_text().splitlines()
    assert set(pins) < set(everything)
    assert {pin.split("==")[0] for pin in set(everything) - set(pins) if "==" in pin} == gradescope.NOT_FOR_MARKING
    ours = {name.split("/")[0] for name in real.namelist()}
    trees = [ast.parse(real.read(name)) for name in real.namelist() if name.endswith(".py")]
    found = {
        alias.name for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Import) for alias in one.names
    }
    found |= {one.module for tree in trees for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module}
    needed = {name.split(".")[0] for name in found} - ours - sys.stdlib_module_names - {"google"}
    brings = importlib.metadata.packages_distributions()
    all_pinned, pinned = ({normal(pin.split("==")[0]) for pin in some} for some in (everything, pins))
    installed = with_dependencies(pinned) - all_pinned | pinned  # what is pinned at home is pinned there
    assert {"torch", "numpy", "jupytext"} <= needed
    for name in needed:
        assert {normal(one) for one in brings[name]} & installed, name


def with_dependencies(packages: set[str]) -> set[str]:
    """Return these packages and all that they need, as far as they are installed, by their normal names."""
    found, waiting = set(), {normal(name) for name in packages}
    while waiting:
        found.add(name := waiting.pop())
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            needed = [one for one in importlib.metadata.requires(name) or () if "extra ==" not in one]
            waiting |= {normal(re.match(r"[\w.-]+", one)[0]) for one in needed} - found
    return found


def normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def refused(capsys, *arguments: object) -> str:
    assert main([*map(str, ("pack", "gradescope", *arguments))]) == 2
    return capsys.readouterr().err


@slow
def test_what_cannot_work_is_refused_in_a_sentence(tmp_path, capsys):
    out = ("--out", tmp_path / "a.zip")
    assert "There is no lesson 77" in refused(capsys, "--lesson", "77", *out)
    (tmp_path / "none").mkdir()
    assert "holds no solutions" in refused(capsys, "--lesson", "01", "--solutions", tmp_path / "none", *out)
    (tmp_path / "seed").touch()
    assert "is empty" in refused(capsys, "--lesson", "01", "--seed-file", tmp_path / "seed", *out)
    assert "could not be written" in refused(capsys, "--lesson", "01", "--out", tmp_path / "none")
    text = next(id for id, one in load_lesson("01").items() if not hasattr(one, "answer_name"))
    points = "".join(f'"{id}" = {int(id == text)}\n' for id in load_lesson("01"))
    (tmp_path / "class.toml").write_text(f"[lesson.01.points]\n{points}")
    assert "Nothing that is marked here counts" in refused(
        capsys, "--lesson", "01", "--class", tmp_path / "class.toml", *out
    )
    assert not (tmp_path / "a.zip").exists()
    for minutes in ("0", "1.5", "40"):
        with pytest.raises(SystemExit):
            main(["pack", "gradescope", "--lesson", "01", "--minutes", minutes])


# Of a set-up whose commands fail: what they are, and what it says.
FAILING = {
    "apt-get": ("exit 1", "The lists of packages could not be fetched."),
    "python3": ("exit 1", "There is no Python 3.11 or newer here: choose a newer base image."),
    "chmod": ("exit 1", "cannot be closed to students' code: run this as root."),
}


@pytest.mark.parametrize("failing", FAILING)
def test_a_set_up_that_fails_says_why(tmp_path, failing):
    script, said = FAILING[failing]
    commands = {"apt-get": 'case "$*" in *python3.11*) exit 1;; esac', failing: script}
    for name, text in commands.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "source").mkdir()
    setup = tmp_path / "source" / "setup.sh"
    setup.write_bytes((ROOT / "grading/templates/gradescope/setup.sh").read_bytes())
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", setup], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("SET-UP FAILED: ") and said in done.stdout.splitlines()[-1]


def a_mark(id: str = "01.2", points: float = 1.0, state: str = "marked", **more: object) -> ExerciseMark:
    return ExerciseMark(id, 3, points, state, **more)


def shown(*exercises: ExerciseMark, left: Mapping[str, bool] | None = None, **more: object) -> dict[str, Any]:
    fields = {"status": "graded", "score": 1.0, "max_score": 3, **more}
    mark = SubmissionMark("", "01", "", exercises=exercises, **fields)
    return json.loads(gradescope_results.of_mark(mark, left or {}))


def test_what_does_not_count_has_no_points():
    found = shown(
        a_mark(),
        a_mark("01.3", 3.0, counts=False),
        a_mark("01.4", 0.0, "not started", counts=False),
        texts={"01.8": "mine"},
        left={"01.5": True, "01.6": False},
    )
    assert points_of(found) == {"01.2": 1.0}
    status = {test["number"]: test.get("status") for test in found["tests"]}
    assert status == {"01.2": "failed", "01.3": "passed", "01.4": None, "01.5": "failed", "01.6": None}
    assert output_of(found, "01.3") == "Not counted. 3 of 3 points."
    assert output_of(found, "01.4") == "Not counted. Not started."
    assert output_of(found, "01.6") == f"Not counted. {gradescope_results.NOT_REACHED}"
    assert "mine" not in json.dumps(found) and "your short text was found" in found["output"]


def test_where_no_answer_came_to_its_end_there_is_no_zero():
    found = shown(a_mark(points=0.0, state="timeout", reason="It ran."), score=None, status="timeout")
    assert "score" not in found and points_of(found) == {}
    assert output_of(found, "01.2") == "Not marked.\n\nIt ran." and found["output"] == gradescope_results.NOTHING
    for one in (a_mark(points=0.0, state="not started"), a_mark(points=3.0, counts=False)):
        found = shown(one, left={"01.3": True})  # what is not reached may be all that was answered, and that counts
        assert "score" not in found and points_of(found) == {}


def test_what_a_student_wrote_stands_to_the_right_and_is_printable():
    said = "✓ 3 of 3 points.\n\n<script>\x1b[31m\u202e\ud800"
    found = shown(a_mark(rows=[("Got", said)], output=said, hint="H", notes=["N\x1b[31m"], reason="R\u202e"))
    lines = output_of(found, "01.2").splitlines()
    own = ["1 of 3 points.", "R\N{REPLACEMENT CHARACTER}", "Got", "Your cell printed", "Hint. H", "Note. N"]
    assert [line for line in lines if line and not line.startswith("    ")] == own
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ud800-\udfff]", output_of(found, "01.2"))
    assert [line for line in lines if line.startswith("    <script>")]


class Fake:
    """A runner that notes its jobs, in whose hands so many secret jobs end before it is stopped."""

    def __init__(self, secret: int = 99, waiting: tuple[bool, ...] = (), error: Exception | None = None) -> None:
        self.asked: list[tuple[str, bool]] = []
        self.cases: dict[str, Sequence[str]] = {}
        self._secret, self._waiting, self._error = secret, [*waiting], error or Stopped()
        self.prepare = lambda set_up: None
        self.close = lambda: None

    def run(self, job: Job, stop: object) -> JobResult:
        """Return what no answer of these returns, or that it waited for what did not come; of a notebook nothing."""
        if job.checks:
            return JobResult()
        self.asked.append((job.exercise, job.secret))
        self.cases[job.exercise] = job.cases
        if sum(secret for _, secret in self.asked) > self._secret:
            raise self._error
        if self._waiting and job.secret == self._waiting[0]:
            self._waiting.pop(0)
            return JobResult("timeout", "did nothing", earlier_ran=True, waited=True)
        messages = {number: CaseMessage("value", '"wrong"') for number in range(len(job.cases))}
        return JobResult(cell_ran=True, earlier_ran=True, defined=True, messages=messages)


def faked(tmp_path: Path, monkeypatch, runner: Fake | GradingError, share: float = 1.0) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the results for a notebook with two answers of lesson 01, in a runner's hands."""

    def choose(*_: object) -> tuple[str, Fake]:
        if isinstance(runner, Fake):
            return "fake", runner
        raise runner

    names = {id: load_lesson("01")[id].answer_name for id in ("01.1", "01.3")}
    hand_in(tmp_path / "submission", {"a": notebook(*(f"# exercise {i}\ndef {n}(): ..." for i, n in names.items()))})
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.json").write_text(gradescope_results.not_marked("nothing yet"))
    settings = {"lesson": "01", "minutes": 9, "points": points_by(ScoringRules(), "01"), "seed": "a seed"}
    (tmp_path / gradescope_run.SETTINGS).write_text(json.dumps(settings))
    monkeypatch.setattr(gradescope_run, "ROOT", tmp_path)
    monkeypatch.setattr(gradescope_run, "choose", choose)
    monkeypatch.setattr(gradescope_run, "PUBLIC_SHARE", share)
    return gradescope_run.main([str(tmp_path)]), results_in(tmp_path)


@slow
def test_no_process_is_told_a_secret_case_before_all_public_ones_are_done(tmp_path, monkeypatch):
    status, found = faked(tmp_path, monkeypatch, runner := Fake(waiting=(False, True)))
    order = [secret for _, secret in runner.asked]
    assert status == 0 and order == sorted(order)
    first, other = dict.fromkeys(id for id, _ in runner.asked)
    assert {first, other} == {"01.1", "01.3"}
    assert runner.asked == [(first, False), (other, False), (first, False), *[(first, True)] * 2, (other, True)]
    builders = job_builders(load("01"), "a seed")
    assert runner.cases == {
        id: builders[id].jobs(gradescope_run._submission(tmp_path / "submission", "01"))[1].cases
        for id in (first, other)
    }
    assert set(points_of(found).values()) == {0.0} and not output_of(found, first).startswith("Not ")


@slow
def test_when_time_is_over_what_was_reached_counts(tmp_path, monkeypatch):
    status, found = faked(tmp_path, monkeypatch, runner := Fake(secret=1))
    first, other = dict.fromkeys(id for id, _ in runner.asked)
    assert status == 0 and found["score"] == 0 and found["output"].startswith("Marking ran out of its 9 ")
    assert output_of(found, first).startswith("0 of") and output_of(found, other) == gradescope_results.NOT_REACHED


@slow
def test_where_the_public_cases_take_all_the_time_nothing_is_a_zero(tmp_path, monkeypatch):
    status, found = faked(tmp_path, monkeypatch, runner := Fake(), share=-1.0)
    assert status == 0 and runner.asked == [] and "score" not in found and points_of(found) == {}


@slow
@pytest.mark.parametrize(
    "runner",
    [
        GradingError("no sandbox: /secret/path"),
        Fake(secret=0, error=SetUpFailed("/secret/path")),
        Fake(secret=0, error=ValueError("/secret/path")),
    ],
)
def test_a_fault_of_ours_is_said_without_its_reasons_and_is_no_zero(tmp_path, monkeypatch, capsys, runner):
    status, found = faked(tmp_path, monkeypatch, runner)
    assert status == 0 and "score" not in found
    assert "Not marked, through no fault of yours" in found["output"] and "secret" not in json.dumps(found)
    assert "/secret/path" in capsys.readouterr().out
