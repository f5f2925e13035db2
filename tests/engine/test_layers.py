"""Who may know of whom: shared modules of no exercise, claim or lesson, lessons of none but themselves."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from authoring.course import all_lessons
from authoring.definitions import read_definitions
from tests.marks import ROOT, by_lesson
from utils.exercises import Exercise

UTILS = ROOT / "utils"
SHARED = sorted([*UTILS.glob("*.py"), *UTILS.glob("engine/*.py")])
MACHINERY = sorted([*UTILS.glob("exercises/*.py"), *UTILS.glob("claims/*.py")])
ROOMS = sorted(UTILS.glob("lesson_[0-9][0-9]"))
LEAVES = ("withholding", "environment", "types")
PACKAGES = ("authoring", "claims", "cluster", "grading", "utils")


def imported(path: Path) -> set[str]:
    """Return the modules of the course that this file imports, anywhere in it, with the names taken from them."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: names are imported by their whole path"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] in PACKAGES}


def named(path: Path) -> str:
    return path.relative_to(UTILS).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("path", SHARED, ids=named)
def test_shared_modules_know_nothing_of_exercises_claims_and_lessons(path):
    forbidden = ("utils.exercises", "utils.claims", "utils.lesson_")
    assert [name for name in imported(path) if name.startswith(forbidden)] == []


@pytest.mark.parametrize("path", MACHINERY, ids=named)
def test_what_all_exercises_and_claims_share_knows_of_no_lesson(path):
    assert [name for name in imported(path) if name.startswith("utils.lesson_")] == []


@pytest.mark.parametrize("room", by_lesson(ROOMS, lambda room: room.name[-2:]), ids=lambda room: room.name)
def test_lessons_know_nothing_of_each_other(room):
    for path in sorted(room.rglob("*.py")):
        others = [name for name in imported(path) if name.startswith("utils.lesson_")]
        assert [name for name in others if not name.startswith(f"utils.{room.name}")] == [], named(path)


@pytest.mark.slow
def test_imports_make_no_circle():
    """Those within functions included; that a module has its package loaded first is none."""
    modules = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }

    def module_of(name: str) -> str:
        return name if name in modules else name.rpartition(".")[0]

    TopologicalSorter(
        {name: {module_of(one) for one in imported(path)} - {name} for name, path in modules.items()}
    ).prepare()  # raises CycleError, which names them


@pytest.mark.parametrize("leaf", LEAVES)
def test_leaves_import_nothing_of_the_course(leaf):
    assert imported(UTILS / f"{leaf}.py") == set()


@pytest.mark.parametrize("lesson", by_lesson(all_lessons(ROOT), lambda lesson: lesson.number), ids=lambda one: one.stem)
def test_an_exercise_and_its_answers_have_the_name_of_its_answer(lesson):
    exercises = [one for one in read_definitions(lesson).values() if isinstance(one, Exercise)]
    for exercise in exercises:
        module = lesson.definitions.with_name(f"{exercise.answer_name}.py")
        assert f'id="{exercise.id}"' in module.read_text(encoding="utf-8")
    answers = (ROOT / "tests" / lesson.room.name / "answers").glob("*.py")
    assert sorted(path.stem for path in answers) == sorted(one.answer_name for one in exercises)
