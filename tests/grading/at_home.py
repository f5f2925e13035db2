"""Notebooks as their students run them: ``python -m tests.grading.at_home FILE``, their cells on stdin as JSON.

Each runs in an IPython shell of its own, top to bottom, in a folder with files of its student's; what it prints goes
into FILE, by notebook.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import sys
import tempfile
import types
from pathlib import Path

from tests.grading.honest import FILES, OWN_PACKAGE


def main() -> None:
    """Fork a process for each notebook, from one that has loaded what the course needs."""
    import IPython  # noqa: F401
    import pandas  # noqa: F401
    import torch  # noqa: F401

    import utils.lesson_01.exercises  # noqa: F401

    printed = {name: _printed(cells) for name, cells in json.load(sys.stdin).items()}
    Path(sys.argv[1]).write_text(json.dumps(printed), encoding="utf-8")


def _printed(cells: list[str]) -> str:
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        with open(writing, "w", encoding="utf-8") as said, tempfile.TemporaryDirectory() as folder:
            said.write(_run(cells, Path(folder)))
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as said:
        text = said.read()
    os.wait()
    return text


def _run(cells: list[str], folder: Path) -> str:
    from IPython.core.interactiveshell import InteractiveShell

    os.environ["IPYTHONDIR"] = str(folder)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.modules[OWN_PACKAGE] = types.ModuleType(OWN_PACKAGE)
    shell = InteractiveShell.instance(colors="NoColor")
    asyncio.set_event_loop(asyncio.new_event_loop())
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        for cell in cells:
            shell.run_cell(cell, store_history=True)
    return said.getvalue()


if __name__ == "__main__":
    main()
