"""The skeleton of a new lesson builds at once, is proved like every other, and overwrites nothing."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from authoring.__main__ import main
from authoring.building import plan
from authoring.course import Lesson, Page, address
from authoring.definitions import read_definitions
from authoring.skeleton import TEMPLATES, _files
from authoring.solutions import answers
from tests.answers import of_the_table
from tests.authoring.courses import REPOSITORY, contents, sources, whole
from tests.engine.test_answers import verdict_on
from utils.exercises import stored_cases

ROOM, TESTS = "utils/lesson_09", "tests/lesson_09"
SUITE, TEST = f"{TESTS}/answers/positive_sum.py", f"{TESTS}/test_sums.py"
FILES = [
    "notebooks/09_two_words.py",
    "solutions/09_two_words.py",
    *(f"{ROOM}/{name}.py" for name in ("__init__", "sums", "sums_figures", "claims", "page")),
    f"{ROOM}/exercises/__init__.py",
    f"{ROOM}/exercises/positive_sum.py",
    SUITE,
    TEST,
]


def test_what_is_written(tmp_path, capsys):
    before = contents(sources(tmp_path))
    assert main(["new", "09", "two_words"], tmp_path) == 0
    assert capsys.readouterr().out == f"Wrote {', '.join(FILES)}. Next: python -m authoring build 09\n"
    after = contents(tmp_path)
    assert sorted(after.keys() - before.keys()) == sorted(FILES)
    assert before.items() <= after.items()
    assert not any(re.search(rb"@[A-Z]+@", after[file]) for file in FILES)
    assert b"# 09 Two words: " in after[FILES[0]]
    plan(Lesson(tmp_path, "09_two_words"), address(tmp_path))


def test_an_excursion_is_one_source(tmp_path, capsys):
    before = contents(sources(tmp_path))
    assert main(["new", "01b", "two_words"], tmp_path) == 0
    assert capsys.readouterr().out == "Wrote notebooks/01b_two_words.py. Next: python -m authoring build 01\n"
    after = contents(tmp_path)
    text = after.pop("notebooks/01b_two_words.py")
    assert after == before and b"@" not in text and b"# 01b Two words: " in text
    plan(Page(tmp_path, "01b_two_words"), address(tmp_path))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("01a", "notebooks/01a_more.py: is there already, so that 01a is taken. Choose another number.\n"),
        ("02a", "notebooks: there is no lesson 02; there are: 01.\n"),
        (
            "01d",
            'notebooks: "01d two_words" is no number and slug. Two digits and lower-case words are wanted: '
            "new 09 some_words; for an excursion, a, b or c behind them: new 09a some_words\n",
        ),
    ],
)
def test_an_excursion_that_cannot_be(tmp_path, capsys, number, expected):
    before = contents(sources(tmp_path))
    assert main(["new", number, "two_words"], tmp_path) == 1
    assert contents(tmp_path) == before and capsys.readouterr() == ("", expected)


@pytest.mark.full
def test_it_builds_at_once(tmp_path):
    whole(tmp_path)
    for arguments in (["new", "09", "two_words"], ["new", "09a", "more"], ["build", "09"], ["check", "09"]):
        assert main(arguments, tmp_path) == 0
    for package in ("claims", "cluster", "authoring"):
        shutil.copytree(REPOSITORY / package, tmp_path / package, dirs_exist_ok=True)
    for command in (["pytest", "-q", TEST], ["claims", "check"]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_its_exercise_is_proved(tmp_path):
    main(["new", "09", "two_words"], sources(tmp_path))
    spec = importlib.util.spec_from_file_location("answers_09", tmp_path / SUITE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    suite = module.SUITE
    exercise = read_definitions(Lesson(tmp_path, "09_two_words"))["09.1"]
    solution = answers(tmp_path, "09")["09.1"]
    all_wrong = [*of_the_table(exercise, ["values"]), *suite.wrong]
    assert len(suite.right) >= 3 and len(all_wrong) >= 6 and len(suite.unforeseen) >= 6
    for seed in range(20):
        records = stored_cases.sample_cases(exercise, solution, np.random.default_rng(seed))
        for name, answer in suite.right.items():
            assert verdict_on(exercise, answer, records).fraction == 1, name
        for wrong in all_wrong:
            verdict = verdict_on(exercise, wrong.answer, records)
            assert verdict.fraction < 1 and wrong.hint in verdict.hint, f"{wrong.name}: {verdict.hint}"
        for name, answer in suite.unforeseen.items():
            verdict = verdict_on(exercise, answer, records)
            assert verdict.fraction < 1 and verdict.hint not in [hint for _, hint in exercise.misconceptions], name


@pytest.mark.parametrize("file", ["notebooks/09_others.py", "solutions/09_two_words.py", *FILES[2:]])
def test_nothing_is_overwritten(tmp_path, capsys, file):
    (sources(tmp_path) / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("mine")
    before = contents(tmp_path)
    assert main(["new", "09", "two_words"], tmp_path) == 1
    assert contents(tmp_path) == before
    text = f"{file}: is there already, so that 09 is taken. Choose another number.\n"
    assert capsys.readouterr() == ("", text)


@pytest.mark.parametrize(
    ("number", "slug"),
    [
        ("9", "x"),
        ("009", "x"),
        ("00", "x"),
        ("ab", "x"),
        ("²²", "x"),
        ("٠٩", "x"),
        ("09", "X"),
        ("09", ""),
        ("09", "a-b"),
        ("09", "a__b"),
        ("09", "../x"),
        ("../09", "x"),
        ("09", "a b"),
    ],
)
def test_a_bad_number_or_slug_is_one_sentence(tmp_path, capsys, number, slug):
    before = contents(sources(tmp_path))
    assert main(["new", number, slug], tmp_path) == 1
    assert contents(tmp_path) == before
    assert capsys.readouterr().err.count("\n") == 1


def test_every_template_is_used():
    made = [*_files(Lesson(Path(), "09_two_words")).values(), "excursion"]
    assert sorted(made) == sorted(path.stem for path in TEMPLATES.iterdir())
