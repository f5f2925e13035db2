"""Runs a notebook from a fresh kernel of this very Python, one thread, and says where it failed."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, from_dict, v4

from authoring.diagnostics import AuthoringError, one_line, refuse
from authoring.notebook import METADATA, BuiltNotebook
from utils.exercises import cells

SECONDS_PER_CELL = 180
REPRODUCIBLE = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "TQDM_DISABLE": "1",
    "PYTHONHASHSEED": "0",
    "COURSE_BUILD": "1",
}
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_STAGING_ID = "staged-cases"


class OwnKernel(AsyncKernelManager):
    """Starts the Python that runs this build, whatever kernels are installed under the name python3."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """Return the kernel of sys.executable."""
        argv = [sys.executable, "-m", "ipykernel_launcher", "--log-level=40", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def build_environment(scratch: Path) -> dict[str, str]:
    """Return the environment in which sources run: one thread, fixed hashes, no start-up files of the user's."""
    kept = {name: value for name, value in os.environ.items() if name not in ("MPLBACKEND", "PYTHONSTARTUP")}
    return {**kept, **REPRODUCIBLE, "IPYTHONDIR": str(scratch / "ipython")}


def execute(built: BuiltNotebook, scratch: Path, seconds_per_cell: int = SECONDS_PER_CELL) -> NotebookNode:
    """Return the notebook with its outputs, run in its source's folder.

    ``scratch`` holds the lesson's newly generated cases: the checks within use those, for the stored ones are
    replaced only when everything has succeeded. Raises AuthoringError naming the source's line where a
    cell raises, takes too long, or ends the kernel.
    """
    notebook = from_dict(built.notebook)
    notebook.cells.insert(_after_set_up(notebook), _staging_cell(scratch))
    running = {"id": ""}
    client = NotebookClient(
        notebook,
        timeout=seconds_per_cell,
        startup_timeout=120,
        iopub_timeout=30,
        kernel_manager_class=OwnKernel,
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(built.source.path.parent)}},
        on_cell_start=lambda cell, cell_index: running.update(id=cell["id"]),
    )
    try:
        asyncio.run(client.async_execute(env=build_environment(scratch)))
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise _failure(built, running["id"], error, seconds_per_cell) from None
    notebook.cells = [cell for cell in notebook.cells if cell["id"] != _STAGING_ID]
    notebook.metadata = from_dict(METADATA)
    return notebook


def _after_set_up(notebook: NotebookNode) -> int:
    return next(at for at, cell in enumerate(notebook.cells) if cells.is_set_up(cell.source)) + 1


def _staging_cell(scratch: Path) -> NotebookNode:
    """Return a cell, taken out again afterwards, that leaves no name behind in the notebook's namespace."""
    module = '__import__("utils.exercises.stored_cases", fromlist=["FOLDER"])'
    code = f'setattr({module}, "FOLDER", __import__("pathlib").Path({str(scratch)!r}))'
    return v4.new_code_cell(code, id=_STAGING_ID)


def _failure(built: BuiltNotebook, cell_id: str, error: Exception, seconds: int) -> AuthoringError:
    line = built.lines.get(cell_id, 1)
    if isinstance(error, CellTimeoutError):
        text = f"the cell runs longer than {seconds} s. Record what takes so long, or make it smaller."
    elif isinstance(error, CellExecutionError):
        text = f"the cell raised {one_line(f'{error.ename}: {error.evalue}')}. Mend it; nothing was written."
        line += _line_in_cell(error.traceback) - 1
    else:
        text = "the kernel died in this cell. Look for exhausted memory or a crash in compiled code."
    return refuse(built.source.shown, line, text)


def _line_in_cell(traceback: str) -> int:
    """Return the line of the failing cell that IPython's traceback names first, 1 where it names none."""
    match = re.search(r"Cell In\s?\[\d+\], line (\d+)", _ANSI.sub("", traceback))
    return int(match[1]) if match else 1
