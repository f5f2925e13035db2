"""A student's day with a lesson, the same through every door: read, write, bet, do the exercise, come back.

A door is a way in which the course is had. Nothing of this repository is in reach of its kernels but what it gives, and
they start from an environment written out in full, in which nothing says that this is a test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

from authoring.output_normalization import WIDGET_VIEW
from utils.exercises.cells import call, exercise_id

BLANK = "def network(x, hinges, weights, bias):\n    return {}relu(x[:, None] - hinges) @ weights"
NO_BIAS = "The bias is not added"
CALL = 'network = yours("01.network")'
FIRST_BET = "01.weights"
EXERCISE, POINTS = "01.2", 3
SLOPES, RIGHT = "np.diff(values) / np.diff(knots)", "np.diff(np.diff(values) / np.diff(knots), append=0.0)"
# As `make learn` does before JupyterLab starts.
OPEN = """from authoring import learn
learn.copy_notebooks(learn.ROOT, learn.ROOT / "work")
learn.write_start_page(learn.read_pages(learn.ROOT), learn.ROOT / "work")"""

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
print(_json.dumps([*sorted(_written), _sys.modules["utils"].__file__]))
"""
# Behind each prediction, live figure and live training: the same once more, used as a reader does with the mouse. Of a
# prediction the first choice is taken, which is wrong for FIRST_BET.
COMMIT = """
_answer, _button, _said, *_ = _box.children
_answer.value = _answer.options[0]
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
print(_while != _before and _sentence.value == _while and _Live._training is None)
"""
USES = {"predict(": COMMIT, "live_figure(": MOVE, "live_training(": START}


@dataclass(frozen=True)
class Door:
    """What a student has in hand: a path's page and its exercises, somewhere in ``folder``, and a Python.

    ``course`` is the course's folder where `make learn` keeps a start page in it; ``first`` are cells that a reader
    runs before all others.
    """

    folder: Path
    page: Path
    stub: Path
    environment: dict[str, str]
    python: Path = Path(sys.executable)
    course: Path | None = None
    first: Sequence[str] = ()


def environment(home: Path) -> dict[str, str]:
    """Return a student's environment: an empty home, and what a system has."""
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home / "tmp"), "LC_ALL": "C.UTF-8"}


def run(door: Door, path: Path, cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return a page's cells after a fresh kernel of the door's Python has run them, beside the page.

    Raises CellExecutionError for a cell that fails. The course that is imported, and all that is written, must lie in
    the door's folder.
    """

    class Kernel(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            argv = [str(door.python), "-m", "ipykernel_launcher", "--log-level=40", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name="Python 3", language="python")

    first = [v4.new_code_cell(source) for source in (LISTEN, *door.first)]
    notebook = v4.new_notebook(cells=[*first, *cells, v4.new_code_cell(REPORT)])
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook, timeout=180, startup_timeout=120, resources=resources, kernel_manager_class=Kernel
    )
    client.execute(env=door.environment)
    touched = map(Path, json.loads(printed(notebook.cells.pop())))
    # Python keeps what it compiles beside the sources of what is installed, too.
    allowed = door.folder, Path("/dev")
    elsewhere = [one for one in touched if not any(one.is_relative_to(root) for root in allowed)]
    assert [one for one in elsewhere if "__pycache__" not in one.parts] == []
    return notebook.cells[len(first) :]


def read_on(door: Door, *, whole: bool) -> None:
    """Run a path, whole or to its first answer, and use what there is to use; all is shown and kept as it should be.

    In lesson 01 the first blank is written wrong and right.
    """
    cells = nbformat.read(door.page, as_version=4).cells
    wanted = {cell.id: figures(cell) for cell in cells}
    end = next(at for at, cell in enumerate(cells, 1) if cell.source.startswith("reveal("))
    ran = run(door, door.page, [*_with_a_reader(cells[: None if whole else end])])
    ran = [cell for cell in ran if cell.cell_type == "code"]
    assert [figures(cell) for cell in ran if cell.id in wanted] == [wanted[one.id] for one in ran if one.id in wanted]
    widgets = [cell for cell in ran if cell.source.startswith(tuple(USES))]
    assert widgets and all(shows(cell, WIDGET_VIEW) for cell in widgets)
    assert {printed(cell) for cell in ran if cell.source.endswith((MOVE, START))} <= {"True\n"}
    if blanks := [printed(cell) for cell in ran if cell.source.startswith(CALL)]:
        assert NO_BIAS in blanks[1] and [text.splitlines()[0] for text in blanks] == [
            "Not yet: network is still empty, or its cell has not been run yet.",
            "Not yet: network does not return the right value.",
            "✓ Your network is right, and the page goes on with it.",
        ]
    kept = {}
    for cell in (one for one in ran if one.source.endswith(COMMIT)):
        chosen, said = printed(cell).splitlines()[-2:]
        assert said == f'You have committed to "{chosen}".'
        kept[re.search(r'predict\(\s*"([^"]+)"', cell.source)[1]] = chosen
    there = json.loads(next(door.folder.rglob("my-course.json")).read_text(encoding="utf-8"))["predictions"]
    assert kept and {key: there[key]["choice"] for key in kept} == kept
    for key, chosen in kept.items():
        resolved = [displayed(cell) for cell in ran if f'reveal("{key}"' in cell.source]
        answered = f'You said "{chosen}"' + (". The answer is" if key == FIRST_BET else "")
        assert all(answered in text for text in resolved) and (resolved or not whole), key


def _with_a_reader(cells: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the page's cells, and behind the first blank, and each thing to be used, what a reader does there."""
    for cell in cells:
        yield cell
        if cell.cell_type == "code" and cell.source.startswith(CALL):
            for wrong_or_right in ("", "bias + "):
                yield v4.new_code_cell(BLANK.format(wrong_or_right))
                yield v4.new_code_cell(cell.source)
        for beginning, use in USES.items():
            if cell.cell_type == "code" and cell.source.startswith(beginning):
                yield v4.new_code_cell(f"_box = {cell.source}\n{use}")


def do_the_exercise(door: Door) -> None:
    """Follow the page's link to the exercise, write it wrong, then right, and save the notebook with what it says."""
    prose = "\n".join(cell.source for cell in nbformat.read(door.page, as_version=4).cells)
    links = {link.partition("#")[0] for link in re.findall(rf"\[exercise {EXERCISE}\]\(([^)\s]+)", prose)}
    assert {Path(os.path.normpath(door.page.parent / link)).name for link in links} == {door.stub.name}
    notebook = nbformat.read(door.stub, as_version=4)
    at = next(at for at, cell in enumerate(notebook.cells) if exercise_id(cell.source) == EXERCISE)
    end = next(at for at, cell in enumerate(notebook.cells, 1) if is_check(cell))
    check = notebook.cells[end - 1]
    stub = notebook.cells[at].source
    wrong, right = answers(stub)
    before = [*notebook.cells[:at], v4.new_code_cell(wrong), v4.new_code_cell(check.source)]
    ran = run(door, door.stub, [*before, v4.new_code_cell(right), *notebook.cells[at + 1 : end]])
    said = [printed(cell) for cell in ran if cell.source == check.source]
    assert said[0].startswith(f"✗ Exercise {EXERCISE}: 0 of {POINTS}") and "These are the slopes" in said[0]
    assert said[1].strip() == f"✓ Exercise {EXERCISE}: {POINTS} of {POINTS} points."
    notebook.cells = [*ran[:at], *ran[at + 2 :], *notebook.cells[end:]]  # the wrong one was written over
    nbformat.write(notebook, door.stub)


def is_check(cell: NotebookNode) -> bool:
    return (call(cell.source) or ("", ""))[:2] == ("check", EXERCISE)


def answers(stub: str) -> tuple[str, ...]:
    """Return what a student writes into the exercise's cell first, and then."""
    assert "raise NotImplementedError" in stub
    return tuple(re.sub(r"raise NotImplementedError.*", f"return {value}", stub) for value in (SLOPES, RIGHT))


def solve(door: Door, solved: Path) -> None:
    """Run the lesson's solved exercises where the stub lies: figures and checks are those of the built notebook."""
    shutil.copy(solved, door.stub)
    cells = nbformat.read(door.stub, as_version=4).cells
    ran = {cell.id: cell for cell in run(door, door.stub, cells)}
    built = [cell for cell in nbformat.read(solved, as_version=4).cells if cell.cell_type == "code"]
    assert [figures(ran[cell.id]) for cell in built] == [*map(figures, built)]
    checks = [cell for cell in built if call(cell.source)]
    assert checks and [printed(ran[cell.id]) for cell in checks] == [*map(printed, checks)]


def come_back(door: Door) -> None:
    """Open the saved exercises again: they show what they showed, and what is kept says what was done."""
    saved = nbformat.read(door.stub, as_version=4)
    shown = next(filter(is_check, saved.cells))
    assert printed(shown).startswith(f"✓ Exercise {EXERCISE}")
    kept = [json.loads(one.read_text(encoding="utf-8")) for one in door.folder.rglob("my-course.json")]
    done = {(kind, key) for one in kept for kind, entries in one.items() for key in entries}
    assert done >= {("blanks", "01.network"), ("predictions", FIRST_BET), ("points", EXERCISE)}
    if door.course:
        subprocess.run([door.python, "-c", OPEN], cwd=door.course, env=door.environment, check=True)
        page = (door.course / "work/start.md").read_text(encoding="utf-8")
        assert re.search(r"\*\*Next:\*\* \[01 .*?\), about \d+ minutes left; then \[exercises 01\]", page)
        assert f" · 1 of 5 blanks · {POINTS} of 18 points |" in page


def printed(cell: NotebookNode) -> str:
    """Return what a cell prints."""
    return "".join(output.get("text", "") for output in cell.get("outputs", []))


def displayed(cell: NotebookNode) -> str:
    """Return the texts of what a cell displays."""
    return "\n".join(output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))


def shows(cell: NotebookNode, kind: str) -> int:
    """Return how many of the cell's outputs are of this kind."""
    return sum(kind in output.get("data", {}) for output in cell.get("outputs", []))


def figures(cell: NotebookNode) -> int:
    """Return how many figures the cell shows: pictures, and in a built page those that are folded there."""
    pages = (output.get("data", {}).get("text/html", "") for output in cell.get("outputs", []))
    return shows(cell, "image/png") + sum("<summary>The figure</summary>" in page for page in pages)
