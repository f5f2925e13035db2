"""The Colab way: a notebook alone in an empty folder fetches the course with git, runs, and changes nothing else.

A copy of the course is stamped with an address that git takes for a folder here; tests/doors has the other ways.
Every page and every solution does so in an environment with Google Colab's versions, constraints.txt. The code asks
nowhere for Colab's own module google.colab: it is not needed here. The course that git fetches is a handout: it has no
solutions. A student's file is the solved notebook.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

from authoring.course import all_lessons, all_pages
from authoring.output_normalization import WIDGET_VIEW
from authoring.restamping import restamp
from tests.authoring.test_set_up import PUBLIC, publish, rewritten
from tests.marks import lesson
from utils.exercises.cells import call

pytestmark = pytest.mark.slow
HANDOUT = ("authoring", "exercises", "grading", "notebooks", "results", "utils", "README.md", "pyproject.toml")
ROOT = Path(__file__).parents[2]
CONSTRAINTS = Path(__file__).with_name("constraints.txt")
LESSONS = [page.stem for page in all_lessons(ROOT)]
EXCURSIONS = [page.stem for page in all_pages(ROOT) if page.stem not in LESSONS]


def in_colab(stems: list[str]) -> list[Any]:
    return [pytest.param(stem, "colab", marks=[pytest.mark.full, lesson(stem[:2])]) for stem in stems]


WAYS = [pytest.param(LESSONS[0], "own", marks=pytest.mark.full), *in_colab(LESSONS)]

# Before the first cell and after the last one: what the kernel opened for writing, and whose code it has imported.
LISTEN = """
import os as _os, sys as _sys
_written = set()
def _note(event, arguments, writing=_os.O_WRONLY | _os.O_RDWR | _os.O_CREAT):
    if event == "open" and isinstance(arguments[0], str) and (arguments[2] or 0) & writing:
        _written.add(_os.path.abspath(arguments[0]))
    if event in ("os.mkdir", "os.rename", "os.symlink", "os.link"):
        _names = (name for name in arguments[:2] if isinstance(name, (str, bytes)))
        _written.update(_os.path.abspath(_os.fsdecode(name)) for name in _names)
_sys.addaudithook(_note)
"""
REPORT = """
import json as _json
print(_json.dumps({"written": sorted(_written), "utils": _sys.modules["utils"].__file__}))
"""
# After each prediction, live figure and live training: the same once more, used as a reader does with the mouse.
COMMIT = """
_answer, _button, _said, *_ = _box.children
_answer.value = _answer.options[-1]
_button.click()
print(_answer.value, _said.value, sep="\\n")
"""
MOVE = """
import asyncio as _asyncio
_picture, _moved = _box.children[-2], _box.children[0]
_before = bytes(_picture.value)
if hasattr(_moved, "options"):
    _moved.index = 0 if _moved.index else len(_moved.options) - 1
else:
    _moved.value = _moved.min if _moved.value != _moved.min else _moved.max
for _ in range(600):  # a picture that trains networks takes a while on a busy machine
    if bytes(_picture.value) != _before:
        break
    await _asyncio.sleep(0.1)
print(bytes(_picture.value) != _before)
"""
START = """
import asyncio as _asyncio
from utils.live_training import LiveTraining as _Live
_picture, _sentence = _box.children[-2:]
_start, _stop = next(one.children for one in _box.children if hasattr(one, "children") and len(one.children) == 2)
_before = _sentence.value
_start.click()
_turns = _Live._training._turns
for _ in range(10):
    _turns._answer.value = _turns._question.value  # what the page does
    await _asyncio.sleep(0)
_while = _sentence.value
_stop.click()
_turns._answer.value += 1
print(_while != _before, _sentence.value == _while, _Live._training is None)
"""
USES = {"predict(": COMMIT, "live_figure(": MOVE, "live_training(": START}


@dataclass(frozen=True)
class Place:
    """Where a notebook lies alone: its folder, the kernel's environment, and the Python that runs it."""

    folder: Path
    python: Path
    environment: dict[str, str]


@pytest.fixture(scope="module")
def stamped(root, tmp_path_factory) -> Path:
    """A copy of the course, solutions and all, with a public address: what its notebooks hold is what runs."""
    course = tmp_path_factory.mktemp("stamped")
    for name in (*HANDOUT, "solutions"):
        copy = copy_folder if (root / name).is_dir() else shutil.copy
        copy(root / name, course / name)
    restamp(course, PUBLIC.repository, PUBLIC.tag)
    return course


@pytest.fixture(scope="module")
def repository(stamped, tmp_path_factory) -> Path:
    """A git repository of the handout, with the tag that the notebooks ask for."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "course").mkdir()
    for name in HANDOUT:
        copy = copy_folder if (stamped / name).is_dir() else shutil.copy
        copy(stamped / name, folder / "course" / name)
    publish(folder / "course", folder / "bare.git", tag=PUBLIC.tag)
    return folder / "bare.git"


def copy_folder(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.fixture(scope="module")
def colab(root) -> Path:
    """The Python of an environment with Colab's versions, which make sets up where it is missing."""
    done = subprocess.run(["make", ".venv-colab/.ready", f"PYTHON={sys.executable}"], cwd=root, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return root / ".venv-colab" / "bin" / "python"


@pytest.fixture
def place(request, repository, tmp_path) -> Iterator[Callable[..., Place]]:
    """Make an empty folder; afterwards nothing installed may have changed, and nothing may lie beside the folder."""
    frozen = {}

    def make(environment: str) -> Place:
        python = request.getfixturevalue("colab") if environment == "colab" else Path(sys.executable)
        frozen[python] = freeze(python)
        (tmp_path / "alone").mkdir()
        return Place(tmp_path / "alone", python, {**kernel_environment(tmp_path), **rewritten(repository)})

    yield make
    for python, before in frozen.items():
        assert freeze(python) == before
    assert {path.name for path in tmp_path.iterdir()} == {"alone", "home", "platform", "tmp"}
    assert [*(tmp_path / "home").iterdir(), *(tmp_path / "tmp").iterdir()] == []


def kernel_environment(scratch: Path) -> dict[str, str]:
    """Return an environment without this run's settings: an empty home, and a place for what the platform writes."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ}
    # PyTorch makes itself a folder for compiled code as soon as it counts FLOPs.
    platform = ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME")
    own = {name: scratch / "platform" / name.lower() for name in platform}
    own |= {"HOME": scratch / "home", "TMPDIR": scratch / "tmp"}
    for folder in own.values():
        folder.mkdir(parents=True)
    return {**kept, **{name: str(folder) for name, folder in own.items()}}


def freeze(python: Path) -> str:
    done = subprocess.run([python, "-m", "pip", "freeze", "--all"], check=True, capture_output=True, text=True)
    return done.stdout


def run_alone(place: Place, notebook: Path) -> NotebookNode:
    """Return the notebook, copied to the folder and run there, with the extra cells of LISTEN, USES and REPORT.

    Raises CellExecutionError for a cell that fails; what was written must lie in the folder.
    """
    alone = Path(shutil.copy(notebook, place.folder))
    run = nbformat.read(alone, as_version=4)
    run.cells = [v4.new_code_cell(LISTEN), *with_uses(run.cells), v4.new_code_cell(REPORT)]

    class Kernel(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            argv = [str(place.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name="Python 3", language="python")

    resources = {"metadata": {"path": str(place.folder)}}
    client = NotebookClient(run, timeout=180, startup_timeout=120, resources=resources, kernel_manager_class=Kernel)
    client.execute(env=place.environment)
    assert_at_home(json.loads(printed(run.cells[-1])), place)
    return run


def with_uses(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the cells; behind each prediction, live figure and live training one that uses another such widget."""
    for cell in cells:
        yield cell
        for beginning, use in USES.items():
            if cell.cell_type == "code" and cell.source.startswith(beginning):
                yield v4.new_code_cell(f"_box = {cell.source}\n{use}")


def assert_at_home(report: dict[str, object], place: Place) -> None:
    """Assert that the course came from the clone, and that the kernel wrote nothing elsewhere."""
    scratch = place.folder.parent
    assert Path(report["utils"]).parents[2] == place.folder
    allowed = (place.folder, scratch / "platform", Path("/dev"))
    elsewhere = [path for path in map(Path, report["written"]) if not any(path.is_relative_to(one) for one in allowed)]
    # Python keeps what it compiles beside the sources.
    assert [path for path in elsewhere if "__pycache__" not in path.parts] == []


def printed(cell: NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.get("outputs", []))


def shown(cell: NotebookNode) -> str:
    """Return the texts of what the cell displays."""
    return "\n".join(output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))


def shows(cell: NotebookNode, kind: str) -> int:
    """Return how many of the cell's outputs are of this kind."""
    return sum(kind in output.get("data", {}) for output in cell.get("outputs", []))


def figures(cell: NotebookNode) -> int:
    """Return how many figures the cell shows: pictures, and in a built page those that are folded there."""
    pages = (output.get("data", {}).get("text/html", "") for output in cell.get("outputs", []))
    return shows(cell, "image/png") + sum("<summary>The figure</summary>" in page for page in pages)


def assert_figures(run: NotebookNode, built: Path) -> None:
    """Assert that each cell shows as many figures as in the built notebook."""
    ours = {cell.id: figures(cell) for cell in run.cells}
    theirs = {cell.id: figures(cell) for cell in nbformat.read(built, as_version=4).cells}
    assert {one: ours[one] for one in theirs} == theirs


@pytest.mark.parametrize(("stem", "environment"), in_colab(EXCURSIONS))
def test_an_excursion_opens_alone(stamped, place, stem, environment):
    """Its set-up and its first cell: nbval runs the rest."""
    here = place(environment)
    page = nbformat.read(stamped / "notebooks" / f"{stem}.ipynb", as_version=4)
    code = [at for at, cell in enumerate(page.cells) if cell.cell_type == "code"]
    page.cells = page.cells[: code[1] + 1]
    opened = here.folder.parent / "platform" / f"{stem}.ipynb"
    nbformat.write(page, opened)
    assert run_alone(here, opened).cells


@pytest.mark.full
@pytest.mark.parametrize(("stem", "environment"), WAYS)
def test_a_path_runs_alone(stamped, place, stem, environment):
    here = place(environment)
    run = run_alone(here, stamped / "notebooks" / f"{stem}.ipynb")
    assert_figures(run, stamped / "notebooks" / f"{stem}.ipynb")
    widgets = [cell for cell in run.cells if cell.cell_type == "code" and cell.source.startswith(tuple(USES))]
    assert widgets and all(shows(cell, WIDGET_VIEW) for cell in widgets)
    moved = [printed(cell) for cell in run.cells if cell.cell_type == "code" and cell.source.endswith(MOVE)]
    assert set(moved) <= {"True\n"}
    started = [printed(cell) for cell in run.cells if cell.cell_type == "code" and cell.source.endswith(START)]
    assert set(started) <= {"True True True\n"}
    assert_predictions(run, here.folder)


def assert_predictions(run: NotebookNode, folder: Path) -> None:
    """Assert that each prediction was noted, kept beside the notebook, and shown again where it is resolved."""
    sources = [cell for cell in run.cells if cell.cell_type == "code"]
    kept = {}
    for cell in sources:
        if cell.source.endswith(COMMIT):
            chosen, said = printed(cell).splitlines()[-2:]
            assert said == f"Committed to: {chosen}"
            kept[re.search(r'predict\(\s*"([^"]+)"', cell.source)[1]] = chosen
    there = json.loads((folder / "my-course.json").read_text(encoding="utf-8"))["predictions"]
    assert kept and {key: entry["choice"] for key, entry in there.items()} == kept
    for key, chosen in kept.items():
        resolved = [shown(cell) for cell in sources if f'reveal("{key}"' in cell.source]
        assert resolved and all(f"You predicted: {chosen}\nThat is" in text for text in resolved), key


@pytest.mark.full
@pytest.mark.parametrize(("stem", "environment"), WAYS)
def test_a_solved_exercise_notebook_runs_alone(stamped, place, stem, environment):
    solved = stamped / "solutions" / f"{stem}.ipynb"
    run = run_alone(place(environment), solved)
    assert_figures(run, solved)
    said = {cell.id: printed(cell) for cell in run.cells}
    wanted = {cell.id: printed(cell) for cell in nbformat.read(solved, as_version=4).cells if call(cell.source)}
    assert wanted and {one: said[one] for one in wanted} == wanted


@pytest.mark.full
def test_the_environment_has_colabs_versions(colab):
    pins = [line for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines() if "==" in line]
    installed = {line.lower().replace("-", "_") for line in freeze(colab).splitlines()}
    assert len(pins) > 20 and {pin.lower().replace("-", "_") for pin in pins} <= installed
