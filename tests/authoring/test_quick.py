"""What `make quick` chooses: by what git says, and by what test files import, name and start."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import marks, quick
from tests.authoring.test_set_up import git

FILES = {
    "utils/__init__.py": "",
    "utils/low.py": "",
    "utils/high.py": "def f():\n    from utils import low",
    "utils/other.py": "PATH = 'a table.txt'.replace(' ', '/')",
    "grading/pages.py": "from jinja2 import Environment\nFOLDER = 'templates'\nSTYLE = 'plain.css'"
    "\nGUIDE, SAID = 'guide.md', 'as README.md and base.css have it'",
    "grading/reports.py": "import grading.pages",
    "grading/templates/page.html": "",
    "grading/plain.css": "",
    "grading/base.css": "",
    "grading/guide.md": "",
    "README.md": "",
    "tests/helpers.py": "from utils.high import f",
    "tests/engine/conftest.py": "import utils.other",
    "tests/engine/test_high.py": "from tests.helpers import f",
    "tests/grading/test_pages.py": "import grading.pages",
    "tests/grading/test_reports.py": "import grading.reports",
    "tests/grading/test_started.py": "COMMAND = 'import grading.pages'",
    "tests/grading/test_nothing.py": "'README.md'",
}


@pytest.fixture
def tree(tmp_path) -> Path:
    """A small tree, committed."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git("init", ".", cwd=tmp_path)
    commit(tmp_path)
    return tmp_path


def commit(tree: Path) -> None:
    git("add", ".", cwd=tree)
    git("commit", "-m", "a change", cwd=tree)


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("utils/low.py", ["high"]),  # by way of two others, of which one imports it late
        ("utils/other.py", ["high"]),  # by its folder's conftest
        ("utils/__init__.py", ["high"]),
        ("tests/helpers.py", ["high"]),
        ("grading/pages.py", ["pages", "reports", "started"]),
        ("grading/templates/page.html", ["pages", "reports", "started"]),
        ("grading/plain.css", ["pages", "reports", "started"]),
        ("grading/base.css", []),  # in a sentence
        ("grading/guide.md", ["pages", "started"]),  # no more than a link, to whom does not name the module
        ("tests/grading/test_nothing.py", ["nothing"]),
        ("README.md", ["nothing"]),
        ("LICENSE", []),
    ],
)
def test_what_a_file_concerns(tree, file, wanted):
    assert [path.stem for path in quick.concerned(tree, {file})] == [f"test_{name}" for name in wanted]


def test_what_git_says_has_changed(tree):
    assert quick.changed(tree) is None  # one commit: there is none before
    (tree / "utils" / "a néw file.py").touch()
    (tree / "utils" / "low.py").write_text("1")
    assert quick.changed(tree) == {"utils/a néw file.py", "utils/low.py"}
    commit(tree)
    assert quick.changed(tree) == {"utils/a néw file.py", "utils/low.py"}
    (tree / "README.md").unlink()
    assert quick.changed(tree) == {"README.md"}


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"utils/low.py", "tests/conftest.py"}, True),
        ({"utils/low.py", "utils/gone.py"}, True),  # whoever imports it has not changed
        ({"utils/low.py", "gone.md"}, False),
    ],
)
def test_what_concerns_all(tree, files, wanted):
    assert quick.concerns_all(tree, files) is wanted


def test_a_folder_that_git_does_not_know(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert quick.changed(tmp_path) is None
    monkeypatch.setenv("PATH", "")
    assert quick.changed(tmp_path) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("results/06_gains.json", ["lesson_06"]),
        ("notebooks/06_initialization.py", ["pages_06"]),
        ("tests/lesson_06/answers/orthogonal.py", ["exercise_06_6"]),
        ("utils/meanfield.py", ["exercise_05_2", "exercise_05_3", "exercise_06_1"]),
        ("grading/judging.py", []),
    ],
)
def test_which_exercises_and_lessons_a_file_concerns(file, wanted):
    assert sorted(quick.concerned_marks(marks.ROOT, {file})) == wanted


@pytest.mark.parametrize(
    ("some", "checked"),
    [({"exercise_06_6"}, None), ({"exercise_06_6", "pages_06"}, ["06"]), ({"lesson_06", "pages_04"}, [])],
)
def test_where_a_lessons_tests_pass_its_pages_are_checked(monkeypatch, some, checked):
    started: list[list[str]] = []
    monkeypatch.setattr(quick, "changed", lambda root: {"a file"})
    monkeypatch.setattr(quick, "test_files", lambda root: [])
    monkeypatch.setattr(quick, "concerned_marks", lambda root, files: some)
    monkeypatch.setattr(
        quick.subprocess, "run", lambda command, cwd: started.append(command[2:]) or SimpleNamespace(returncode=3)
    )
    for tested in (1, 0):
        monkeypatch.setattr(quick, "_run", lambda *arguments, status=tested: status)
        goes_on = checked is not None and not tested
        assert quick.main() == (3 if goes_on else tested)
        assert started == ([["authoring", "check", *checked]] if goes_on else [])


def test_of_many_files_those_are_run_that_import_or_name_what_has_changed_themselves(tree):
    among = quick.concerned(tree, {"grading/pages.py"})
    assert [path.stem for path in quick.nearest(tree, {"grading/pages.py"}, among)] == ["test_pages", "test_started"]
    assert quick.nearest(tree, {"utils/low.py"}, quick.concerned(tree, {"utils/low.py"})) == []
    assert quick.nearest(tree, {"README.md"}, quick.concerned(tree, {"README.md"})) != []


def test_of_many_exercises_the_first_of_each_lesson_are_run():
    few, others = {f"exercise_01_{k}" for k in range(1, 9)}, {"lesson_02", "pages_01"}
    assert quick.sampled(few | others) == few | others
    assert (
        quick.sampled(few | others | {"exercise_02_4", "exercise_02_3"}) == {"exercise_01_1", "exercise_02_3"} | others
    )


def item(file: str, *names: str) -> SimpleNamespace:
    """A test in this file with marks of these names, as far as a choice looks at it."""
    found = [SimpleNamespace(name=name) for name in ("slow", *names)]
    return SimpleNamespace(path=marks.ROOT / file, iter_markers=lambda: found)


def test_tests_of_other_exercises_are_left_out():
    """Of a file that holds tests of all lessons; what belongs to an exercise is not taken for its lesson's."""
    wanted = [
        item("tests/engine/test_files.py"),
        item("tests/engine/test_answers.py", "lesson_06", "exercise_06_6"),
        item("tests/claims/test_lessons.py", "lesson_06"),
        item("tests/lesson_04/test_boards.py", "lesson_04"),
        item("tests/engine/test_figures.py", "lesson_02"),
    ]
    others = [
        item("tests/lesson_02/test_flip.py", "lesson_02"),
        item("tests/engine/test_answers.py", "lesson_06", "exercise_06_7"),
        item("tests/engine/test_axes.py"),
    ]
    left_out: list = []
    config = SimpleNamespace(
        option=SimpleNamespace(concerned="exercise_06_6,lesson_06,lesson_04,pages_02,tests/engine/test_files.py"),
        hook=SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items)),
    )
    items = [*others, *wanted]
    quick.pytest_collection_modifyitems(config, items)
    assert items == wanted and left_out == others


@pytest.mark.full
def test_the_command_runs_what_is_concerned(root):
    """With workers, to which the choice is handed on."""
    arguments = ["-n", "1", "--concerned", "exercise_06_6", "-m", "not full", "tests/engine/test_answers.py"]
    done = subprocess.run(quick.command(arguments), cwd=root, capture_output=True, text=True)
    assert done.returncode == 0 and re.search(r"\b1?\d passed", done.stdout), done.stdout
