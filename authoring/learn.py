"""Open the course: a working copy of its notebooks in work/, a start page, and JupyterLab.

What git tracks is never edited by a student, and what lies in work/ is never overwritten.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from authoring import start_page
from authoring.links import at_home
from authoring.start_page import read_pages, write_start_page
from utils.files import replace_file

ROOT = Path(__file__).parents[1]
# Where copies lie in work/, and how their names begin: tabs show the names, and tell a lesson from its exercises.
COPIES = {
    "exercises": "",
    "notebooks": "lessons/lesson_",
    "solutions": "solutions/solutions_",
    "reference": "reference/",
}
_LINK = re.compile(
    rf"\]\((?:(?P<home>\.\./README\.md)|(?:\.\./(?P<folder>{'|'.join(COPIES)})/)?(?P<name>\w+\.(?:ipynb|md)))(?=[)#])"
)
_TO_HEADING = re.compile(r"\]\((?P<file>[\w./]+\.ipynb)#(?P<heading>(?:[^()\s]|\([^()\s]*\))+)\)")


def copy_notebooks(root: Path, work: Path) -> tuple[list[Path], list[Path]]:
    """Return the notebooks copied into ``work`` and those that were there already, which stay as they are."""
    copied, kept = [], []
    for folder, begins in COPIES.items():
        # ipynb; of the reference html and md. Jupyter leaves folders of checkpoints, whose names end alike.
        for source in sorted(one for one in (root / folder).glob("*.[him]*") if one.is_file()):
            destination = work / f"{begins}{source.name}"
            if destination.exists():
                kept.append(destination)
                continue
            destination.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            if source.suffix == ".md":
                text = to_cells(text, source.parent)
            content = relinked(text, folder).encode()
            replace_file(destination, content)  # an interrupted copy is never taken for a whole one
            copied.append(destination)
    return copied, kept


def to_cells(text: str, folder: Path) -> str:
    """Return a Markdown file's text with its links to headings of notebooks as links to the cells that have these.

    JupyterLab does not scroll to a heading in a notebook that the link has to open first; to a cell it does.
    """
    cells: dict[str, dict[str, str]] = {}

    def put(match: re.Match) -> str:
        file, heading = match["file"], match["heading"]
        if file not in cells:
            cells[file] = _cells_by_heading(folder / file)
        return f"]({file}#cell-id={cells[file][heading]})" if heading in cells[file] else match[0]

    return _TO_HEADING.sub(put, text)


def _cells_by_heading(notebook: Path) -> dict[str, str]:
    """Return the ids of a notebook's cells by their headings, as these stand in links."""
    if not notebook.exists():
        return {}
    found = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if "id" in cell]
    return {
        heading.replace(" ", "-"): cell["id"]
        for cell in found
        if cell["cell_type"] == "markdown"
        for heading in re.findall(r"^## (.*\S)", "".join(cell["source"]), re.MULTILINE)
    }


def relinked(text: str, folder: str) -> str:
    """Return a notebook's text with its links to other notebooks, and home, as they lead from where learn copies it.

    In a public copy, too, whose own links are addresses.
    """

    def put(match: re.Match) -> str:
        there = "start.md" if match["home"] else f"{COPIES[match['folder'] or folder]}{match['name']}"
        return "](" + posixpath.relpath(there, posixpath.dirname(COPIES[folder]) or ".")

    return _LINK.sub(put, at_home(text, folder))


def settle_jupyterlab(settings: Path) -> None:
    """Make this environment's JupyterLab open Markdown files as pages, ask no questions about news, and save widgets.

    And let it send what widgets say to the kernel's main thread, as every other Jupyter does: in a thread of their own
    they draw while a cell is run, and Matplotlib knows but one current figure. Overrides that are there already are
    kept.
    """
    path = settings / "overrides.json"
    try:
        overrides = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        overrides = {}
    plugin = overrides.setdefault("@jupyterlab/docmanager-extension:plugin", {})
    plugin.setdefault("defaultViewers", {}).setdefault("markdown", "Markdown Preview")
    overrides.setdefault("@jupyterlab/apputils-extension:notification", {"fetchNews": "false"})
    widgets = overrides.setdefault("@jupyter-widgets/jupyterlab-manager:plugin", {})
    widgets.setdefault("saveState", True)  # else a saved page has errors where its pictures and predictions were
    kernels = overrides.setdefault("@jupyterlab/apputils-extension:kernels-settings", {})
    kernels.setdefault("commsOverSubshells", "disabled")
    settings.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(overrides, indent=1), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status; does not return where JupyterLab takes over the process."""
    parser = argparse.ArgumentParser(prog="python -m authoring.learn", description=__doc__.splitlines()[0])
    parser.add_argument("--port", default="", help="serve on this port (default: JupyterLab chooses)")
    parser.add_argument(
        "--browser", choices=["yes", "no"], default="yes", help="with no, only print the address and serve"
    )
    options = parser.parse_args(arguments)
    if options.port and not (options.port.isdecimal() and 0 < int(options.port) < 65536):
        print(f"PORT is {options.port!r}; but it must be a number from 1 to 65535.", file=sys.stderr)
        return 2
    work = ROOT / "work"
    copied, kept = copy_notebooks(ROOT, work)
    write_start_page(read_pages(ROOT), work)
    # Only where the course has an environment of its own: a shared one keeps its settings.
    if Path(sys.prefix) == ROOT / ".venv":
        settle_jupyterlab(Path(sys.prefix) / "share/jupyter/lab/settings")
    print(f"work/: {len(copied)} files copied; {len(kept)} were there already and stay as they are.")
    print("Starting JupyterLab. To stop it, press Ctrl-C twice here.", flush=True)
    command = _jupyter_command(work, options.port, options.browser == "yes")
    if sys.platform == "win32":  # execv there takes a path with a space in it for two
        with contextlib.suppress(KeyboardInterrupt):
            subprocess.run(command)
        return 0
    os.execv(sys.executable, command)


def _jupyter_command(work: Path, port: str, browser: bool) -> list[str]:
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={work}", "--log-level=WARN"]
    command += ["--LabApp.default_url=/lab/tree/start.md"]
    command += [f"--ServerApp.jpserver_extensions={start_page.__name__}=True"]  # which keeps the start page up to date
    command += [f"--port={port}", "--ServerApp.port_retries=0"] if port else []
    command += [] if browser else ["--no-browser"]
    # A container's only user is often root; JupyterLab wants to be told that this is meant.
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return command


if __name__ == "__main__":
    sys.exit(main())
