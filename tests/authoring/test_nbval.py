"""nbval over the notebooks: lessons and solutions green, stubs red, and green exactly when all is solved."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests import marks
from tests.marks import by_lesson
from tests.pages import only_changed, pages
from utils.exercises.cells import call, exercise_id
from utils.exercises.definition import lessons_with_exercises

pytestmark = pytest.mark.slow
PAGES, LESSONS = pages(), lessons_with_exercises()


def run_nbval(root: Path, *paths: Path) -> tuple[dict[str, int], str]:
    """Return the counts that pytest reports, and all that it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "--nbval-lax", "--nbval-current-env", *map(str, paths)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])}
    return counts, done.stdout


@pytest.mark.page
@pytest.mark.parametrize("page", only_changed(PAGES), ids=lambda page: page.shown)
def test_lessons_and_solutions_are_green(root, page):
    counts, text = run_nbval(root, root / page.shown)
    assert counts.keys() == {"passed"}, text


@pytest.mark.parametrize("lesson", [*by_lesson(LESSONS[:1], str), *by_lesson(LESSONS[1:], str, pytest.mark.full)])
def test_stubs_without_their_experiments_are_red_at_every_check_of_a_function(course, lesson):
    """What trains networks before a reader's eyes tells nothing about checks, and takes half a minute in lesson 05."""
    (stub,) = marks.ROOT.glob(f"exercises/{lesson}_*.ipynb")
    nbformat.write(left_of(stub), course / "handed in" / "stub.ipynb")
    assert_red_at_every_check(course, course / "handed in" / "stub.ipynb")


def left_of(path: Path) -> nbformat.NotebookNode:
    """Return what of a notebook belongs to its checks."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and belongs_to_checks(cell.source)]
    return notebook


def belongs_to_checks(source: str) -> bool:
    return bool(source.startswith("# set-up") or exercise_id(source) or call(source))


def assert_red_at_every_check(course: Path, stub: Path) -> None:
    """A free text's check prints the same whatever was written: nobody but a reader can tell."""
    calls = [found for cell in nbformat.read(stub, as_version=4).cells if (found := call(cell.source))]
    checks = sum(kind == "check" and name != "None" for kind, _, name in calls)
    counts, text = run_nbval(course, stub)
    assert checks and counts["failed"] == checks and counts["passed"] > 0, text
    failures = text.split("short test summary info")[0]  # where CI is set, pytest's summary repeats them whole
    assert failures.count("NotSolved: ") == checks, "a cell that is no check failed"


# What a student hands in: a notebook of whatever name, in whatever folder of a copy of the course


@pytest.fixture
def course(root, tmp_path) -> Path:
    shutil.copytree(root / "utils", tmp_path / "utils")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copyfile(root / name, tmp_path / name)
    (tmp_path / "handed in").mkdir()
    return tmp_path


@pytest.fixture
def solved(root) -> nbformat.NotebookNode:
    return left_of(next(root.glob("solutions/01_*.ipynb")))


def failures(course: Path, notebook: nbformat.NotebookNode) -> list[str]:
    """Return the names of what fails in this notebook of a student, once it is sure that nothing else is left there."""
    path = course / "handed in" / "hw (1).ipynb"
    nbformat.write(notebook, path)
    counts, text = run_nbval(course, path)
    assert counts["passed"] > 0 and list(path.parent.iterdir()) == [path]
    return sorted(re.findall(r"^FAILED handed in/hw \(1\)\.ipynb::(.*?)(?: - .*)?$", text, re.M))


def answer(notebook: nbformat.NotebookNode, wanted: str) -> nbformat.NotebookNode:
    return next(cell for cell in notebook.cells if exercise_id(cell.source) == wanted)


def check_of(notebook: nbformat.NotebookNode, wanted: str) -> nbformat.NotebookNode:
    return next(cell for cell in notebook.cells if cell.source.startswith(f'check("{wanted}", '))


def test_a_solved_notebook_is_green(course, solved):
    """With their own outputs, saved by platforms in all manners; other cells may fail, print, and carry markers."""
    for cell in solved.cells:
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text="whatever was there")]
            cell.execution_count = None
    solved.cells.append(nbformat.v4.new_code_cell("1 / 0"))
    answer(solved, "01.1").source += "\n# NBVAL_SKIP\n# NBVAL_CHECK_OUTPUT\nprint(1)"
    assert failures(course, solved) == []


def test_each_check_that_is_unsolved_edited_missing_or_repeated_is_red(course, solved):
    checks = {f"01.{k}": check_of(solved, f"01.{k}") for k in range(1, 8)}
    for wrong in ("01.1", "01.2"):
        name = call(checks[wrong].source)[2]
        answer(solved, wrong).source = f"# exercise {wrong}\ndef {name}(*arguments):\n    return None"
    assert "3 of 3" in checks["01.2"].outputs[0].text  # which nobody trusts
    checks["01.1"].metadata = {"tags": ["nbval-skip", "nbval-raises-exception"]}
    checks["01.3"].source += '; print("hi")'
    checks["01.4"].source = 'check("01.4", collapse)'
    checks["01.5"].source = 'mine = broken_hypothesis\ncheck("01.5", mine)'
    solved.cells.remove(checks["01.6"])
    solved.cells.append(nbformat.v4.new_code_cell(checks["01.7"].source))
    solved.cells.append(nbformat.v4.new_code_cell('check("01.9", collapse)'))
    code = [cell for cell in solved.cells if cell.cell_type == "code"]
    red = [code.index(checks[one]) for one in ("01.1", "01.2", "01.3", "01.4", "01.5")]
    assert failures(course, solved) == sorted(
        [*(f"Cell {n}" for n in [*red, len(code) - 1]), "check 01.6", "check 01.7"]
    )
