"""nbval over the notebooks: lessons and solutions green, stubs red, and green exactly when all is solved."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

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


@pytest.mark.parametrize("lesson", by_lesson(LESSONS, str))
def test_stubs_run_through_and_are_red_at_every_check_of_a_function(root, lesson):
    """A free text's check prints the same whatever was written: nobody but a reader can tell."""
    (stub,) = root.glob(f"exercises/{lesson}_*.ipynb")
    calls = [found for cell in cells_of(stub) if (found := call(cell.source))]
    checks = sum(kind == "check" and name != "None" for kind, _, name in calls)
    counts, text = run_nbval(root, stub)
    assert counts["failed"] == checks and counts["passed"] > 0, text
    failures = text.split("short test summary info")[0]  # where CI is set, pytest's summary repeats them whole
    assert failures.count("Cell outputs differ") == checks, "a cell that is no check failed"


def cells_of(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def students(root, tmp_path_factory):
    """A copy of the course with one student's notebook for each way to change it, and what nbval said."""
    course = tmp_path_factory.mktemp("course")
    for name in ("authoring", "grading", "utils", "conftest.py", "pyproject.toml"):
        copy = shutil.copytree if (root / name).is_dir() else shutil.copyfile
        copy(root / name, course / name)
    (course / "work").mkdir()
    solved = nbformat.read(next(root.glob("solutions/01_*.ipynb")), as_version=4)
    results = {}
    for name, change in CHANGES.items():
        notebook = nbformat.from_dict(solved)
        notebook.cells = [cell.copy() for cell in solved.cells]
        change(notebook)
        path = course / "work" / f"01_{name}.ipynb"
        nbformat.write(notebook, path)
    notebooks = sorted((course / "work").glob("*.ipynb"))
    counts, text = run_nbval(course, *notebooks)
    for name in CHANGES:
        results[name] = re.findall(rf"^FAILED work/01_{name}\.ipynb::(.*?)(?: - .*)?$", text, re.M)
    results["counts"] = counts
    results["left"] = sorted(set((course / "work").iterdir()) - set(notebooks))
    return results


def index_of(notebook, wanted: str, kind: str) -> int:
    for index, cell in enumerate(notebook.cells):
        found = exercise_id(cell.source) if kind == "answer" else (call(cell.source) or [0, 0])[1]
        if found == wanted and (kind == "answer" or cell.source.startswith(kind)):
            return index
    raise LookupError(wanted)


def solve(notebook):
    """Their own outputs, saved by platforms in all manners."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text="whatever was there")]
            cell.execution_count = None


def break_an_answer(notebook):
    notebook.cells[
        index_of(notebook, "01.2", "answer")
    ].source = "# exercise 01.2\ndef interpolant_weights(knots, values):\n    return np.diff(values) / np.diff(knots)"


def cheat_with_outputs(notebook):
    """A wrong answer whose saved output claims otherwise."""
    break_an_answer(notebook)
    text = notebook.cells[index_of(notebook, "01.2", "check")].outputs[0].text
    assert "3 of 3" in text
    notebook.cells[index_of(notebook, "01.2", "check")].outputs = [nbformat.v4.new_output("stream", text="✗ …\n")]


def cheat_with_markers(notebook):
    break_an_answer(notebook)
    notebook.cells[index_of(notebook, "01.2", "check")].metadata = {"tags": ["nbval-skip", "nbval-raises-exception"]}


def add_scratch(notebook):
    """Cells of one's own may fail, print, and carry nbval's markers."""
    notebook.cells.append(nbformat.v4.new_code_cell("1 / 0"))
    index = index_of(notebook, "01.1", "answer")
    notebook.cells[index].source = notebook.cells[index].source + "\n# NBVAL_SKIP\n# NBVAL_CHECK_OUTPUT\nprint(1)"


def remove_a_check(notebook):
    del notebook.cells[index_of(notebook, "01.3", "check")]


def repeat_a_check(notebook):
    notebook.cells.append(nbformat.v4.new_code_cell(notebook.cells[index_of(notebook, "01.3", "check")].source))


def edit_a_check(notebook):
    notebook.cells[index_of(notebook, "01.3", "check")].source = 'check("01.3", certified_hinges); print("hi")'


def check_something_else(notebook):
    notebook.cells[index_of(notebook, "01.3", "check")].source = 'check("01.3", collapse)'


def check_under_another_name(notebook):
    index = index_of(notebook, "01.3", "check")
    notebook.cells[index].source = 'check("01.3", mine)'
    notebook.cells.insert(index, nbformat.v4.new_code_cell("mine = certified_hinges"))


def check_an_unknown_exercise(notebook):
    notebook.cells.append(nbformat.v4.new_code_cell('check("01.9", collapse)'))


CHANGES = {
    function.__name__: function
    for function in (
        solve, break_an_answer, cheat_with_outputs, cheat_with_markers, add_scratch, remove_a_check, repeat_a_check,
        edit_a_check, check_something_else, check_under_another_name, check_an_unknown_exercise,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", ["solve", "add_scratch"])
def test_a_solved_notebook_is_green(students, name):
    assert students[name] == [] and students["counts"]["passed"] > 0


@pytest.mark.parametrize(
    "name", ["break_an_answer", "cheat_with_outputs", "cheat_with_markers", "edit_a_check", "check_something_else",
             "check_under_another_name", "check_an_unknown_exercise"],
)  # fmt: skip
def test_an_unsolved_or_edited_check_is_red(students, name):
    assert len(students[name]) == 1 and students[name][0].startswith("Cell ")


def test_nbval_keeps_nothing_of_what_its_checks_gave(students):
    assert students["left"] == []


@pytest.mark.parametrize("name", ["remove_a_check", "repeat_a_check"])
def test_a_missing_or_repeated_check_is_red(students, name):
    assert students[name] == ["check 01.3"]
