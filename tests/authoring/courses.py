"""Small courses for the tests of authoring: the one beside this file, whole, edited, or with utils."""

from __future__ import annotations

import shutil
from pathlib import Path

from authoring import digests
from authoring.course import all_pages

REPOSITORY = Path(__file__).parents[2]
SMALL = Path(__file__).parent / "course"
NOT_UTILS = shutil.ignore_patterns("__pycache__", "lesson_*", "cases")
LESSON, SOLUTION = "notebooks/01_small.py", "solutions/01_small.py"
ROOM = "utils/lesson_01"
DEFINITIONS, DOUBLE = f"{ROOM}/exercises/__init__.py", f"{ROOM}/exercises/double.py"
STEM, EXCURSION_STEM = "01_small", "01a_more"
EXCURSION = f"notebooks/{EXCURSION_STEM}.py"
STUB = f"exercises/{STEM}.ipynb"
CASES = "utils/exercises/cases/01.json"
GOLDEN = Path(__file__).parent / "golden"
BUILT = {
    "lesson.json": f"notebooks/{STEM}.ipynb",
    "solution.json": f"solutions/{STEM}.ipynb",
    "stub.json": STUB,
    "cases.json": CASES,
    "excursion.json": f"notebooks/{EXCURSION_STEM}.ipynb",
}


def sources(root: Path) -> Path:
    """Return ``root`` as the small course's sources: all that is needed where nothing runs."""
    shutil.copytree(SMALL, root, dirs_exist_ok=True)
    return root


def whole(root: Path) -> Path:
    """Return ``root`` as the small course with the utils that its notebooks import."""
    shutil.copytree(REPOSITORY / "utils", sources(root) / "utils", dirs_exist_ok=True, ignore=NOT_UTILS)
    return root


def built(root: Path) -> Path:
    """Return ``root`` as the small course after a build, put together from the golden files: nothing runs."""
    whole(root)
    recorded = {}
    for golden, file in BUILT.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOLDEN / golden, root / file)
        recorded[file] = {"sha256": digests.digest((root / file).read_bytes())}
    for page in all_pages(root):
        for folder in page.executed:
            recorded[f"{folder}/{page.stem}.ipynb"]["made from"] = digests.inputs(page, folder)
    (root / digests.FILE).parent.mkdir(exist_ok=True)
    (root / digests.FILE).write_text(digests.text(recorded), encoding="utf-8")
    return root


def edit(root: Path, file: str, old: str, new: str) -> None:
    """Replace the one place in ``file`` that reads ``old``."""
    text = (root / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{text.count(old)} places in {file} read {old!r}"
    (root / file).write_text(text.replace(old, new), encoding="utf-8")


def contents(root: Path) -> dict[str, bytes]:
    """Return all files below ``root`` but compiled ones, by their path from there."""
    files = [path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
