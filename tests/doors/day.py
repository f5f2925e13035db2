"""A student's day with lesson 01, the same through every door: read, write, bet, do the exercise, come back.

A door is a way in which the course is had. Nothing of this repository is in reach of its kernels but what it gives, and
they start from an environment written out in full, in which nothing says that this is a test.
"""

from __future__ import annotations

import json
import os
import re
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

from utils.exercises.cells import call, exercise_id

BLANK = "def network(x, hinges, weights, bias):\n    return {}relu(x[:, None] - hinges) @ weights"
NO_BIAS = "The bias is missing"
CALL = 'network = yours("01.network")'
# The first choice of 01.weights, which is wrong, as the mouse takes it.
BET = """_answer, _button, _said, *_ = _box.children
_answer.value = _answer.options[0]
_button.click()
print(_said.value)"""
EXERCISE, POINTS = "01.2", 3
SLOPES, RIGHT = "np.diff(values) / np.diff(knots)", "np.diff(np.diff(values) / np.diff(knots), append=0.0)"
# As `make learn` does before JupyterLab starts.
OPEN = """from authoring import learn
learn.copy_notebooks(learn.ROOT, learn.ROOT / "work")
learn.write_start_page(learn.read_pages(learn.ROOT), learn.ROOT / "work")"""
WRONG_BET, FIRST_BET = "That is not what you predicted.", "01.weights"


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
    home.mkdir(parents=True, exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8"}


def run(door: Door, path: Path, cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return a page's cells after a fresh kernel of the door's Python has run them, beside the page.

    Raises CellExecutionError for a cell that fails.
    """

    class Kernel(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            argv = [str(door.python), "-m", "ipykernel_launcher", "--log-level=40", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name="Python 3", language="python")

    notebook = v4.new_notebook(cells=[*map(v4.new_code_cell, door.first), *cells])
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook, timeout=180, startup_timeout=120, resources=resources, kernel_manager_class=Kernel
    )
    client.execute(env=door.environment)
    return notebook.cells[len(door.first) :]


def read_on(door: Door, *, whole: bool = False) -> None:
    """Run lesson 01's path, to its first answer or whole; write its first blank wrong and right, and bet wrongly."""
    cells = nbformat.read(door.page, as_version=4).cells
    answer = next(at for at, cell in enumerate(cells) if f'reveal("{FIRST_BET}"' in cell.source)
    ran = run(door, door.page, [*_with_a_reader(cells if whole else cells[: answer + 1])])
    said = {cell.source: printed(cell) for cell in ran if cell.cell_type == "code"}
    blanks = [printed(cell) for cell in ran if cell.source.startswith(CALL)]
    assert [text.splitlines()[0] for text in blanks] == [
        "Not yet: network is still to be written, or its cell to be run.",
        "Not yet: network returns another value than is wanted.",
        "✓ Your network is right, and the page goes on with it.",
    ]
    assert NO_BIAS in blanks[1]
    (bet,) = (text for source, text in said.items() if source.endswith(BET))
    (chosen,) = re.findall(r"Committed to: (.*)", bet)
    shown = next(displayed(cell) for cell in ran if f'reveal("{FIRST_BET}"' in cell.source)
    assert f"You predicted: {chosen}" in shown and WRONG_BET in shown


def _with_a_reader(cells: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the page's cells, and behind the first blank and the first prediction what a reader does there."""
    for cell in cells:
        yield cell
        if cell.cell_type == "code" and cell.source.startswith(CALL):
            for wrong_or_right in ("", "bias + "):
                yield v4.new_code_cell(BLANK.format(wrong_or_right))
                yield v4.new_code_cell(cell.source)
        if cell.cell_type == "code" and f'predict("{FIRST_BET}"' in cell.source:
            yield v4.new_code_cell(f"_box = {cell.source}\n{BET}")


def do_the_exercise(door: Door) -> None:
    """Follow the page's link to the exercise, write it wrong, then right, and save the notebook with what it says."""
    prose = "\n".join(cell.source for cell in nbformat.read(door.page, as_version=4).cells)
    links = {link.partition("#")[0] for link in re.findall(rf"\[exercise {EXERCISE}\]\(([^)\s]+)", prose)}
    assert {Path(os.path.normpath(door.page.parent / link)).name for link in links} == {door.stub.name}
    notebook = nbformat.read(door.stub, as_version=4)
    at = next(at for at, cell in enumerate(notebook.cells) if exercise_id(cell.source) == EXERCISE)
    check = next(cell for cell in notebook.cells if (call(cell.source) or ("", ""))[:2] == ("check", EXERCISE))
    stub = notebook.cells[at].source
    assert "raise NotImplementedError" in stub
    answers = [re.sub(r"raise NotImplementedError.*", f"return {value}", stub) for value in (SLOPES, RIGHT)]
    before = [*notebook.cells[:at], v4.new_code_cell(answers[0]), v4.new_code_cell(check.source)]
    ran = run(door, door.stub, [*before, v4.new_code_cell(answers[1]), *notebook.cells[at + 1 :]])
    said = [printed(cell) for cell in ran if cell.source == check.source]
    assert said[0].startswith(f"✗ Exercise {EXERCISE}: 0 of {POINTS}") and "These are the slopes." in said[0]
    assert said[1].strip() == f"✓ Exercise {EXERCISE}: {POINTS} of {POINTS} points."
    notebook.cells = ran[:at] + ran[at + 2 :]  # the wrong one was written over
    nbformat.write(notebook, door.stub)


def come_back(door: Door) -> None:
    """Open the saved exercises again: they show what they showed, and what is kept says what was done."""
    saved = nbformat.read(door.stub, as_version=4)
    shown = next(cell for cell in saved.cells if (call(cell.source) or ("", ""))[:2] == ("check", EXERCISE))
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
