"""Marking with solutions that lie outside of the course: all that marking reads of them comes from there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from grading import GradingError
from grading.__main__ import main
from grading.course import headings_of, load, set_up_of
from tests.grading.helpers import DOUBLE, ROOT, SET_UP, TOTAL, grade, grades, hand_in, notebook

LESSON = "01"
SOURCE = next((ROOT / "solutions").glob("01_*.py"))


@pytest.fixture
def public(tmp_path) -> Path:
    """What of this course's first lesson is looked at without running anything, without solutions."""
    root = tmp_path / "public"
    for folder in ("notebooks", "exercises", "utils/lesson_01", "utils/exercises"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "0[2-8]*"))
    return root


def test_without_solutions_it_says_which_option_names_them(public, tmp_path):
    with pytest.raises(GradingError, match="There are no solutions in .*--solutions DIR"):
        load(LESSON, public)
    (tmp_path / "empty").mkdir()
    with pytest.raises(GradingError, match=f"empty holds no solutions of lesson 01. It should contain {SOURCE.name}"):
        load(LESSON, public, solutions=tmp_path / "empty")


def test_everything_is_read_from_there(public, tmp_path):
    """The set-up, the functions and the version are those of the source there; equal ones make an equal lesson."""
    there = tmp_path / "there"
    there.mkdir()
    shutil.copy(SOURCE, there)
    own, elsewhere = load(LESSON), load(LESSON, public, solutions=there)
    assert (elsewhere.version, elsewhere.set_up) == (own.version, own.set_up)
    text = SOURCE.read_text(encoding="utf-8")
    changed = text.replace("# set-up\n", "# set-up\nANOTHER = 1\n", 1)
    assert changed != text
    (there / SOURCE.name).write_text(changed, encoding="utf-8")
    assert "ANOTHER = 1" in set_up_of(LESSON, public, solutions=there)[0] and "ANOTHER" not in own.set_up[0]
    another = load(LESSON, public, solutions=there)
    assert another.version != own.version
    assert all(one.__code__.co_filename == str(there / SOURCE.name) for one in another.solutions.values())


def test_headings_do_not_need_them(public):
    assert headings_of(LESSON, public) == headings_of(LESSON)
    shutil.rmtree(public / "exercises")
    assert headings_of(LESSON, public) == {}


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("no/such", "is not a folder"),
        ("utils/exercises", "can read. Move the solutions elsewhere"),
        (sys.prefix, "Students' code can read all of that"),
    ],
)
def test_a_folder_that_cannot_be(folder, said, tmp_path, capsys):
    submissions = hand_in(tmp_path / "in", {"ann": notebook("1")})
    arguments = ["grade", submissions, "--out", tmp_path / "out", "--solutions", ROOT / folder]
    assert main([str(one) for one in arguments]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_class_is_marked_with_them(course, tmp_path):
    root, there = tmp_path / "course", tmp_path / "kept apart"
    shutil.copytree(course, root)
    shutil.move(root / "solutions", there)
    wrong = DOUBLE.replace("2 *", "3 *")
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, DOUBLE, TOTAL), "bob": notebook(SET_UP, wrong)})
    grade(root, submissions, "--out", tmp_path / "out", "--lesson", "90", "--solutions", there, "--sandbox", "none")
    assert {name: row["status"] for name, row in grades(tmp_path / "out").items()} == {"ann": "graded", "bob": "graded"}
    scores = {name: float(row["score"]) for name, row in grades(tmp_path / "out").items()}
    assert scores["ann"] > scores["bob"] == 0
    said = grade(root, submissions, "--out", tmp_path / "other", "--lesson", "90", "--sandbox", "none", status=2).stderr
    assert "Say where they are with --solutions DIR" in said
