"""What a build makes, byte for byte, and that a build that fails leaves everything as it was.

The golden files are the small course's notebooks; ``GOLDEN=write pytest tests/authoring/test_build.py`` renews them.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nbformat
import pytest

from authoring import building, digests
from authoring.building import build, plan
from authoring.course import Lesson, address, all_pages
from authoring.diagnostics import AuthoringError
from authoring.notebook import build_notebook, write_text
from authoring.solutions import answers
from authoring.source import code_cells, read_source
from tests.authoring.courses import (
    BUILT,
    CASES,
    DEFINITIONS,
    DOUBLE,
    EXCURSION,
    GOLDEN,
    LESSON,
    SOLUTION,
    STEM,
    STUB,
    contents,
    edit,
    sources,
    whole,
)
from utils.exercises import cells


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    root = whole(tmp_path_factory.mktemp("course"))
    build(root)
    return root


@pytest.fixture
def course(built, tmp_path) -> Path:
    """A copy of the built course, to be changed."""
    return Path(shutil.copytree(built, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__")))


def refused(root: Path) -> str:
    """Return what a build says that must fail, once it is sure that the build changed nothing."""
    before = contents(root)
    with pytest.raises(AuthoringError) as caught:
        build(root)
    assert contents(root) == before
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("golden", BUILT)
def test_what_is_built(built, golden):
    content = (built / BUILT[golden]).read_text(encoding="utf-8")
    if os.environ.get("GOLDEN") == "write":
        (GOLDEN / golden).write_text(content, encoding="utf-8")
    assert content == (GOLDEN / golden).read_text(encoding="utf-8")


def test_the_digests_are_those_of_all_pages(built):
    assert digests.load(built).keys() == set(BUILT.values())


def test_the_stub_needs_no_execution(tmp_path):
    sources(tmp_path)
    planned = plan(Lesson(tmp_path, STEM), address(tmp_path))
    assert write_text(planned.built["exercises"].notebook) == (GOLDEN / "stub.json").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_second_build_changes_no_byte(course, capsys):
    before = contents(course)
    build(course, "01", everything=True)
    assert contents(course) == before
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "01a_more: nothing has changed." and "01_small: nothing has changed." in said
    assert len([line for line in said if ": running " in line]) == 3


@pytest.mark.parametrize(
    ("file", "old", "new", "run"),
    [
        (LESSON, "It adds numbers", "It sums numbers", ["notebooks/01_small"]),
        ("pyproject.toml", "v1.0", "v1.1", ["notebooks/01_small", "solutions/01_small", "notebooks/01a_more"]),
        (EXCURSION, "1 - 2", "2 - 1", ["notebooks/01a_more"]),
        (SOLUTION, "Return twice the number", "Return it twice", ["solutions/01_small"]),
        (DOUBLE, "points=2", "points=3", ["solutions/01_small"]),
        (CASES, '"01.1"', '"01.3"', ["solutions/01_small"]),
        ("utils/exercises/scoring.py", "CONSTANT_HINT = ", "_CHANGED = CONSTANT_HINT = ", []),
    ],
)
def test_a_build_runs_what_has_changed_itself(course, monkeypatch, capsys, file, old, new, run):
    edit(course, file, old, new)
    ran = []

    def executed(planned, kind, scratch):
        ran.append(f"{kind}/{planned.page.stem}")
        return planned.page.notebook(kind).read_text(encoding="utf-8")

    monkeypatch.setattr(building, "_executed_text", executed)
    monkeypatch.setattr(building, "generate_cases", lambda lesson, scratch: lesson.cases.read_text(encoding="utf-8"))
    build(course)
    assert ran == run
    said = "left as it is, though utils/exercises/scoring.py changed, which other lessons use."
    assert (said in capsys.readouterr().out) == (run == [])


def test_a_new_cell_changes_no_other_id(tmp_path):
    where = address(sources(tmp_path))

    def ids():
        notebook = build_notebook(read_source(tmp_path / LESSON, tmp_path), where).notebook
        return [cell.id for cell in notebook.cells]

    before = ids()
    edit(tmp_path, LESSON, '# %% [markdown] tags=["aha"]', "# %%\nx = 1\n\n# %% [markdown]")
    after = ids()
    assert len(set(after)) == len(after) == len(before) + 1
    assert [one for one in after if one in before] == before


def test_the_set_up_is_generated_before_the_first_code(built):
    for golden in BUILT.keys() - {"cases.json"}:
        notebook = nbformat.read(built / BUILT[golden], as_version=4)
        assert f"blob/v1.0/{BUILT[golden]})" in notebook.cells[0].source
        first = next(cell.source for cell in notebook.cells if cell.cell_type == "code")
        assert cells.is_set_up(first) and "someone/small-course" in first


def test_lines_of_cells(tmp_path):
    source = read_source(sources(tmp_path) / SOLUTION, tmp_path)
    lines = source.text.splitlines()
    for cell in source.cells:
        assert lines[cell.line - 1 : cell.line - 1 + len(cell.text.splitlines())] == cell.text.splitlines()


# A stub that was changed


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_changed_stub_is_not_overwritten(course, monkeypatch, forgotten):
    edit(course, STUB, 'raise NotImplementedError(\\"exercise 01.1\\")', "return 2 * x")
    if forgotten:
        (course / digests.FILE).unlink()
    monkeypatch.setattr(building, "generate_cases", lambda *_: pytest.fail("nothing needs to run to know this"))
    text = refused(course)
    assert text.startswith(f"{STUB}: somebody changed this stub") and "Move it elsewhere" in text


@pytest.mark.slow
def test_a_stub_of_an_older_source_is_replaced(course):
    edit(course, SOLUTION, "Return twice the number.", "Return two times the number.")
    build(course)
    assert "two times" in (course / STUB).read_text(encoding="utf-8")


# A build that fails


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (LESSON, "SEED = 0", "SEED = 0\n1 / 0", "notebooks/01_small.py:13: the cell raised ZeroDivisionError: "),
        (
            SOLUTION,
            '# %%\nshow("01.1"',
            '# %%\nmath.tau = 1\nmath.nothing\n\n# %%\nshow("01.1"',
            "solutions/01_small.py:39: the cell raised AttributeError: ",
        ),
        (DOUBLE, '{"x": 3.0}, None', '{"x": 1 / 0}, None', f"{DOUBLE}:8: generating the cases of 01.1 failed"),
        (DOUBLE, '{"x": 3.0}, None', '__import__("os")._exit(3), None', f"{DEFINITIONS}: generating the cases died"),
        (LESSON, "float(math.pi)", "object()", "notebooks/01_small.py:28: the output holds a memory address"),
        (
            DOUBLE,
            'answer_name="double",',
            'answer_name="double",\n    plot=lambda given, value: value[3],',
            "solutions/01_small.py:38: the solution's own show does not draw, but prints 'We cannot draw this",
        ),
        (SOLUTION, '# %%\nshow("01.1"', '# %%\nmath.tau = 1\n\n# %%\nshow("01.1"', None),
    ],
    ids=["lesson", "solution", "cases", "dead process", "address", "show", "check"],
)
@pytest.mark.slow
def test_a_failing_build_writes_nothing(course, file, old, new, expected):
    if expected is None:  # run without the cell that spoils it, the solution is right; in the notebook it is not
        edit(course, SOLUTION, "result = 2 * x\n", "result = math.tau // 3 * x\n")
        expected = "solutions/01_small.py:44: the solution's own check does not give full marks, but prints '✗"
    edit(course, file, old, new)
    assert refused(course).startswith(expected)


# The solution's answers


def test_answers_are_functions(tmp_path):
    functions = answers(sources(tmp_path), "01")
    assert list(functions) == ["01.1", "01.2"]
    assert functions["01.1"](4) == 8 and functions["01.2"]([]) == 5


def test_answers_run_set_up_and_exercises_only(tmp_path):
    title = '# %% [markdown]\nr"""\n## Exercise 01.1'
    edit(sources(tmp_path), SOLUTION, title, "# %%\n1 / 0\n\n" + title)
    assert answers(tmp_path, "01")["01.1"](4) == 8


def test_an_answer_that_is_not_there_is_named(tmp_path):
    edit(sources(tmp_path), SOLUTION, "def double(", "def twice(")
    with pytest.raises(AuthoringError, match=r"solutions/01_small.py: no answer is called double \(01.1\)"):
        answers(tmp_path, "01")


def test_answers_stand_in_the_code_cells_that_a_build_reads(root):
    for page in all_pages(root):
        for folder in page.executed:
            path = page.source(folder)
            read = [(cell.line, cell.text) for cell in read_source(path, root).cells if cell.kind == "code"]
            assert list(code_cells(path.read_text(encoding="utf-8"))) == read, path


def test_an_answers_traceback_names_the_sources_line(tmp_path):
    edit(sources(tmp_path), SOLUTION, "result = 2 * x", "result = 2 / x")
    with pytest.raises(ZeroDivisionError) as caught:
        answers(tmp_path, "01")["01.1"](0)
    last = caught.traceback[-1]
    assert (last.path, last.lineno + 1) == (tmp_path / SOLUTION, 31)
    assert str(last.statement).strip() == "result = 2 / x"


def test_answers_of_an_unknown_lesson(tmp_path):
    with pytest.raises(AuthoringError, match="there is no lesson 07; there are: 01"):
        answers(sources(tmp_path), "07")


def test_a_source_that_begins_with_a_byte_order_mark_is_read(tmp_path):
    """As some editors of Windows write it."""
    path = sources(tmp_path) / LESSON
    before = read_source(path, tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert (after := read_source(path, tmp_path)).cells == before.cells and after.text == before.text
