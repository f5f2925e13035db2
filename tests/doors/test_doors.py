"""The student's day through every door that needs no browser; and the instructor's, with what each handed in."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from authoring import handout
from authoring.notebook import WHEN_SOLVED
from authoring.restamping import restamp
from tests.authoring.test_nbval import left_of
from tests.authoring.test_set_up import PUBLIC, publish, rewritten
from tests.doors import day
from tests.doors.day import EXERCISE, OPEN, POINTS, Door
from utils.exercises.cells import call
from utils.exercises.checking import not_started_text
from utils.exercises.definition import Exercise, find

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGE, STUB = "notebooks/01_universal_approximation.ipynb", "exercises/01_universal_approximation.ipynb"
COPIES = "work/lessons/lesson_01_universal_approximation.ipynb", "work/01_universal_approximation.ipynb"
# What is not there on Windows is not there for the course; text without an encoding is not UTF-8.
WINDOWS = """import builtins
imported = builtins.__import__
def on_windows(name, globals=None, *rest, **more):
    ours = (globals or {}).get("__name__", "").partition(".")[0] in ("utils", "authoring", "__main__")
    if ours and name in ("fcntl", "resource", "pwd", "grp", "termios"):
        raise ImportError(name)
    return imported(name, globals, *rest, **more)
builtins.__import__ = on_windows
"""
NO_UTF_8 = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "utf-8"}

# A reader's own line: a default device that is not the CPU stopped all paths.
OTHER_DEVICE = 'import torch\ntorch.set_default_device("meta")'


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> Path:
    """The zip file that students get."""
    return handout.write_handout(ROOT, tmp_path_factory.mktemp("handout") / "depth-course.zip")


def in_course(folder: Path, course: Path, **more: object) -> Door:
    """Return the door of a whole course, opened as `make learn` opens it."""
    door = Door(folder, *(course / copy for copy in COPIES), day.environment(folder / "home"), course=course, **more)
    subprocess.run([door.python, "-c", OPEN], cwd=course, env=door.environment, check=True, capture_output=True)
    return door


def copied(target: Path) -> Path:
    """Return the folder of all that a clone or an archive has, as it lies here: what is not committed yet, too."""
    aside = shutil.ignore_patterns(".*", "__pycache__", "work", "_site", "_handout")
    return Path(shutil.copytree(ROOT, target, ignore=aside))


def clone(folder: Path, packed: Path) -> Door:
    return in_course(folder, copied(folder / "the course"))


def unpacked(folder: Path, packed: Path) -> Path:
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    return folder / handout.FOLDER


def handed_out(folder: Path, packed: Path) -> Door:
    return in_course(folder, unpacked(folder, packed))


def plain_jupyter(folder: Path, packed: Path) -> Door:
    """The notebooks of the handout themselves, opened from a folder above, without make; on another default device."""
    course = unpacked(folder / "Downloads", packed)
    return Door(folder, course / PAGE, course / STUB, day.environment(folder / "home"), first=[OTHER_DEVICE])


def on_windows(folder: Path, packed: Path) -> Door:
    door = in_course(folder, unpacked(folder, packed), first=[WINDOWS])
    door.environment.update(NO_UTF_8)
    return door


def alone(folder: Path, source: Path) -> list[Path]:
    """Return both notebooks, each alone in a folder of its own: Colab gives each a machine."""
    made = []
    for name in (PAGE, STUB):
        (folder / Path(name).parent).mkdir(parents=True)
        made.append(Path(shutil.copy(source / name, folder / Path(name).parent)))
    return made


def colab_with_the_zip(folder: Path, packed: Path) -> Door:
    door = Door(folder, *alone(folder, ROOT), day.environment(folder / "home"))
    for notebook in (door.page, door.stub):
        shutil.copy(packed, notebook.with_name("depth-course (1).zip"))  # as a browser calls the second download
    return door


def colab_with_the_zip_in_drive(folder: Path, packed: Path) -> Door:
    door = Door(folder, *alone(folder, ROOT), day.environment(folder / "home"))
    for notebook in (door.page, door.stub):
        (notebook.parent / "drive/MyDrive").mkdir(parents=True)
        shutil.copy(packed, notebook.parent / "drive/MyDrive")
    return door


def colab_published(folder: Path, packed: Path) -> Door:
    """A copy of the course that was stamped with an address, and that git takes for the public one."""
    made = folder.with_name("published")
    course = copied(made / "course")
    restamp(course, PUBLIC.repository, PUBLIC.tag)
    notebooks = alone(folder, course)
    publish(course, made / "bare.git", tag=PUBLIC.tag)
    return Door(folder, *notebooks, day.environment(folder / "home") | rewritten(made / "bare.git"))


DOORS: dict[str, Callable[[Path, Path], Door]] = {
    "handout": handed_out,
    "clone": clone,
    "plain Jupyter": plain_jupyter,
    "Windows": on_windows,
    "Colab with the zip": colab_with_the_zip,
    "Colab with the zip in Drive": colab_with_the_zip_in_drive,
    "Colab, published": colab_published,
}
RARE = ("Colab with the zip in Drive",)


def test_on_windows_marking_ends_in_a_sentence():
    code = "import runpy, sys; sys.modules['fcntl'] = None; runpy.run_module('grading', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "install WSL" in done.stderr


@pytest.mark.parametrize("option", ["--nbval-lax", pytest.param("--nbval", marks=pytest.mark.full)])
def test_nbval_where_the_courses_own_rules_are_out_of_reach(option, tmp_path, packed):
    """Unsolved, and run and saved so, a notebook alone beside the zip file is red at each check; solved it is green."""
    door = colab_with_the_zip(tmp_path / "somewhere else", packed)
    command = [door.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", option, "--nbval-current-env", "hw.ipynb"]
    for source, red in (door.stub, 7), (ROOT / STUB.replace("exercises", "solutions"), 0):
        notebook = left_of(source)
        for cell in notebook.cells:
            cell.execution_count = 1
            kind, one, _ = call(cell.source) or ("", "", "")
            if red and kind == "check" and isinstance(exercise := find(one), Exercise):
                cell.outputs[0].text = not_started_text(exercise) + "\n"
            elif red and kind == "check":
                cell.outputs[0].text = cell.outputs[0].text.removeprefix(WHEN_SOLVED)
        nbformat.write(notebook, door.stub.with_name("hw.ipynb"))
        done = subprocess.run(command, cwd=door.stub.parent, env=door.environment, capture_output=True, text=True)
        counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout.splitlines()[-1])}
        assert counts.get("failed", 0) == red and counts["passed"] > 7 and "error" not in counts, done.stdout


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory) -> Path:
    """The folder of what the students of all doors hand in."""
    return tmp_path_factory.mktemp("handed in")


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.full] if one in RARE else []) for one in DOORS])
def test_a_day_with_the_first_lesson(name, tmp_path, packed, handed_in):
    (tmp_path / "a student").mkdir()
    door = DOORS[name](tmp_path / "a student", packed)
    day.read_on(door, whole=name == "handout")
    day.do_the_exercise(door)
    day.come_back(door)
    shutil.copy(door.stub, handed_in / f"{name}.ipynb")


def test_the_instructors_day(handed_in, tmp_path):
    """What the doors gave, packed as ILIAS does beside the untouched notebook, has full marks; what came late, too."""
    solution = ROOT / STUB.replace("exercises", "solutions")  # if no door's test ran before
    solved = [*sorted(handed_in.glob("*.ipynb")), solution]
    export = tmp_path / "Uebung 1.zip"
    for late in (False, True):
        names = [one.stem for one in solved] + ["late"] * late
        with zipfile.ZipFile(export, "w") as archive:
            for name, notebook in zip(names, [*solved, solved[0]], strict=False):
                archive.write(notebook, f"Abgaben/{name}/Copy of 01.ipynb")
                archive.write(ROOT / STUB, f"Abgaben/{name}/01.ipynb")
        command = [sys.executable, "-m", "grading", "grade", export, "--lesson", "01", "--out", tmp_path / "marks"]
        command += ["--round", str(1 + late), "--sandbox", "none"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with (tmp_path / "marks/grades.csv").open(encoding="utf-8", newline="") as file:
            points = {row["student"]: float(row[EXERCISE]) for row in csv.DictReader(file)}
        assert points == dict.fromkeys(names, POINTS)
        assert len([*(tmp_path / "marks/feedback").glob("*.html")]) == len(names)
    assert "01.2" in (tmp_path / "marks/index.html").read_text(encoding="utf-8")
