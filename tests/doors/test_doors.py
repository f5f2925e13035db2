"""The student's day through every door that needs no browser; and the instructor's, with what each handed in."""

from __future__ import annotations

import csv
import dataclasses
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import nbformat
import pytest

from authoring import handout
from authoring.course import all_lessons, all_pages
from authoring.notebook import WHEN_SOLVED
from authoring.restamping import restamp
from tests.authoring.test_nbval import left_of
from tests.authoring.test_set_up import PUBLIC, publish, rewritten
from tests.doors import day
from tests.doors.day import EXERCISE, OPEN, POINTS, Door
from tests.marks import by_lesson
from utils.exercises.cells import call
from utils.exercises.checking import not_started_text
from utils.exercises.definition import Exercise, find

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PATHS = [page.stem for page in all_lessons(ROOT)]
EXCURSIONS = [page.stem for page in all_pages(ROOT) if page.stem not in PATHS]
FIRST = PATHS[0]
STUB, SOLUTION = (ROOT / f"{folder}/{FIRST}.ipynb" for folder in ("exercises", "solutions"))
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


@dataclass(frozen=True)
class Source:
    """What doors are made of, each made once: ``folder`` is empty."""

    folder: Path

    @cached_property
    def packed(self) -> Path:
        """The zip file that students get."""
        return handout.write_handout(ROOT, self.folder / "depth-course.zip")

    @cached_property
    def published(self) -> Path:
        """A copy of the course that was stamped with an address; ``published.git`` is what git takes for that."""
        course = copied(self.folder / "published")
        restamp(course, PUBLIC.repository, PUBLIC.tag)
        publish(course, self.folder / "published.git", tag=PUBLIC.tag)
        return course

    @cached_property
    def colab(self) -> Path:
        """The Python of an environment with Colab's versions, which make sets up where it is missing."""
        subprocess.run(["make", ".venv-colab/.ready", f"PYTHON={sys.executable}"], cwd=ROOT, check=True)
        return ROOT / ".venv-colab/bin/python"


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Source:
    return Source(tmp_path_factory.mktemp("source"))


def in_course(folder: Path, course: Path, stem: str, **more: object) -> Door:
    """Return the door of a whole course, opened as `make learn` opens it."""
    copies = course / f"work/lessons/lesson_{stem}.ipynb", course / f"work/{stem}.ipynb"
    door = Door(folder, *copies, day.environment(folder / "home"), course=course, **more)
    subprocess.run([door.python, "-c", OPEN], cwd=course, env=door.environment, check=True, capture_output=True)
    return door


def copied(target: Path) -> Path:
    """Return the folder of all that a clone or an archive has, as it lies here: what is not committed yet, too."""
    aside = shutil.ignore_patterns(".*", "__pycache__", "work", "_site", "_handout")
    return Path(shutil.copytree(ROOT, target, ignore=aside))


def clone(folder: Path, source: Source, stem: str) -> Door:
    return in_course(folder, copied(folder / "the course"), stem)


def unpacked(folder: Path, source: Source) -> Path:
    shutil.unpack_archive(source.packed, folder)
    return folder / handout.FOLDER


def handed_out(folder: Path, source: Source, stem: str) -> Door:
    return in_course(folder, unpacked(folder, source), stem)


def plain_jupyter(folder: Path, source: Source, stem: str, device: str = "meta") -> Door:
    """The notebooks of the handout themselves, opened from a folder above, without make; a reader's default device."""
    course = unpacked(folder / "Downloads", source)
    pages = course / f"notebooks/{stem}.ipynb", course / f"exercises/{stem}.ipynb"
    first = [f"import torch\ntorch.set_default_device({device!r})"]  # which stopped all paths
    return Door(folder, *pages, day.environment(folder / "home"), first=first)


def on_windows(folder: Path, source: Source, stem: str) -> Door:
    door = in_course(folder, unpacked(folder, source), stem, first=[WINDOWS])
    door.environment.update(NO_UTF_8)
    return door


def alone(folder: Path, course: Path, stem: str) -> list[Path]:
    """Return both notebooks, each alone in a folder of its own: Colab gives each a machine. Excursions have one."""
    made = [folder / f"{kind}/{stem}.ipynb" for kind in ("notebooks", "exercises")]
    for path in made:
        path.parent.mkdir(parents=True)
        if (there := course / path.relative_to(folder)).is_file():
            shutil.copy(there, path)
    return made


def colab_with_the_zip(folder: Path, source: Source, stem: str, at: str = "depth-course (1).zip") -> Door:
    """As a browser calls a second download."""
    door = Door(folder, *alone(folder, ROOT, stem), day.environment(folder / "home"))
    for notebook in (door.page, door.stub):
        (notebook.parent / at).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source.packed, notebook.parent / at)
    return door


def colab_published(folder: Path, source: Source, stem: str) -> Door:
    """Colab's own module google.colab is not asked for, and not there."""
    notebooks = alone(folder, source.published, stem)
    return Door(folder, *notebooks, day.environment(folder / "home") | rewritten(source.published.with_suffix(".git")))


def colab_with_its_versions(folder: Path, source: Source, stem: str) -> Door:
    return dataclasses.replace(colab_published(folder, source, stem), python=source.colab)


DOORS: dict[str, Callable[[Path, Source, str], Door]] = {
    "handout": handed_out,
    "clone": clone,
    "plain Jupyter": plain_jupyter,
    "Windows": on_windows,
    "Colab with the zip": colab_with_the_zip,
    "Colab with the zip in Drive": partial(colab_with_the_zip, at="drive/MyDrive/depth-course.zip"),
    "Colab, published": colab_published,
    "Colab's versions": colab_with_its_versions,
}
RARE = "Colab with the zip in Drive", "Colab's versions"
ALL_PATHS = "handout", "clone", "Colab's versions"
if shutil.which("nvidia-smi"):
    DOORS["beside a GPU"] = partial(plain_jupyter, device="cuda")


def test_on_windows_marking_ends_in_a_sentence():
    code = "import runpy, sys; sys.modules['fcntl'] = None; runpy.run_module('grading', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "install WSL" in done.stderr


@pytest.mark.parametrize("option", ["--nbval-lax", pytest.param("--nbval", marks=pytest.mark.full)])
def test_nbval_where_the_courses_own_rules_are_out_of_reach(option, tmp_path, source):
    """Unsolved, and run and saved so, a notebook alone beside the zip file is red at each check; solved it is green."""
    door = colab_with_the_zip(tmp_path / "somewhere else", source, FIRST)
    command = [door.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", option, "--nbval-current-env", "hw.ipynb"]
    for path, red in (door.stub, 7), (SOLUTION, 0):
        notebook = left_of(path)
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


@pytest.fixture
def folder(tmp_path) -> Path:
    """A student's, with a space in its name."""
    (tmp_path / "a student").mkdir()
    return tmp_path / "a student"


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.full] if one in RARE else []) for one in DOORS])
def test_a_day_with_the_first_lesson(name, folder, source, handed_in):
    door = DOORS[name](folder, source, FIRST)
    day.read_on(door, whole=name == "handout")
    day.do_the_exercise(door)
    day.come_back(door)
    shutil.copy(door.stub, handed_in / f"{name}.ipynb")


@pytest.mark.full
@pytest.mark.parametrize("stem", by_lesson(PATHS, str))
@pytest.mark.parametrize("name", ALL_PATHS)
def test_a_whole_path_and_its_solved_exercises(name, stem, folder, source):
    door = DOORS[name](folder, source, stem)
    day.read_on(door, whole=True)
    if name == "handout":  # what nobody has begun runs to its end, too
        day.run(door, door.stub, nbformat.read(door.stub, as_version=4).cells)
    day.solve(door, (source.published if name == "Colab's versions" else ROOT) / f"solutions/{stem}.ipynb")


@pytest.mark.full
@pytest.mark.parametrize("stem", by_lesson(EXCURSIONS, str))
def test_an_excursion_opens_in_colab(stem, folder, source):
    """Its set-up and its first cell: nbval runs the rest."""
    door = colab_with_its_versions(folder, source, stem)
    cells = nbformat.read(door.page, as_version=4).cells
    end = [at for at, cell in enumerate(cells) if cell.cell_type == "code"][1]
    assert day.run(door, door.page, cells[: end + 1])


def test_the_instructors_day(handed_in, tmp_path):
    """What the doors gave, packed as ILIAS does beside the untouched notebook, has full marks; what came late, too."""
    solved = [*sorted(handed_in.glob("*.ipynb")), SOLUTION]  # that alone, if no door's test ran before
    export = tmp_path / "Uebung 1.zip"
    for late in (False, True):
        names = [one.stem for one in solved] + ["late"] * late
        with zipfile.ZipFile(export, "w") as archive:
            for name, notebook in zip(names, [*solved, solved[0]], strict=False):
                archive.write(notebook, f"Abgaben/{name}/Copy of 01.ipynb")
                archive.write(STUB, f"Abgaben/{name}/01.ipynb")
        command = [sys.executable, "-m", "grading", "grade", export, "--lesson", "01", "--out", tmp_path / "marks"]
        command += ["--round", str(1 + late)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with (tmp_path / "marks/grades.csv").open(encoding="utf-8", newline="") as file:
            points = {row["student"]: float(row[EXERCISE]) for row in csv.DictReader(file)}
        assert points == dict.fromkeys(names, POINTS)
        assert len([*(tmp_path / "marks/feedback").glob("*.html")]) == len(names)
    assert "01.2" in (tmp_path / "marks/index.html").read_text(encoding="utf-8")
