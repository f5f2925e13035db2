"""The start page of work/: every lesson with what its reader has done of it, and what comes next.

It is written from what is kept in work/my-course.json, when the course starts and, by JupyterLab's server, whenever
that file changes; the page itself needs no kernel.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import nbformat

from authoring.course import STEM
from authoring.minutes import ExerciseParts, exercise_parts, minutes, title
from utils import local_storage
from utils.exercises.points import best
from utils.files import replace_file

INDENT = "&emsp;↳ "  # before an excursion's title, below its lesson's
WRITTEN = "<!-- This page is written by the course. Delete this line to keep your own. -->"
LOOKS_EVERY = 1000  # milliseconds between two looks of JupyterLab's server at what is kept
_ASKED = re.compile(r"^(?:predict|ask)\((.*?)\)$", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r'"(\d\d[a-z]?\.[^"]+)"')
_BLANK = re.compile(r'^\w+ = yours\("([^"]+)"\)', re.MULTILINE)
_POINTS = re.compile(r"✓ Exercise (\S+): \d+ of (\d+) points")


@dataclass(frozen=True)
class Page:
    """A built page as the start page sees it: what it asks for, and what of that is done.

    ``asked`` and ``blanks`` are keys; ``points`` are by exercise, in their order; ``kept`` is what is kept, by kind and
    key.
    """

    stem: str
    title: str
    minutes: int
    exercises: ExerciseParts
    asked: Sequence[str]
    blanks: Sequence[str]
    points: Mapping[str, int]
    kept: Mapping[str, Mapping] = field(default_factory=dict)

    @property
    def is_path(self) -> bool:
        """Return whether this is a lesson's path, and no excursion."""
        return bool(STEM.fullmatch(self.stem))

    def _count(self, kind: str, keys: Sequence[str]) -> int:
        return sum(key in self.kept.get(kind, {}) for key in keys)

    @property
    def minutes_left(self) -> int:
        """Return the page's minutes by the share of its predictions and blanks that are still to come."""
        done = self._count("predictions", self.asked) + self._count("blanks", self.blanks)
        things = len(self.asked) + len(self.blanks)
        return round(self.minutes * (1 - done / things)) if things else self.minutes

    @property
    def earned(self) -> dict[str, float]:
        """Return the points that are kept of its exercises."""
        entries = self.kept.get("points", {})
        return {key: best(entries.get(key), most) or 0 for key, most in self.points.items()}

    @property
    def exercise_minutes_left(self) -> int:
        """Return the minutes of the path's exercises by the share of their points that are still to come."""
        sums = accumulate(self.points.values())
        of_path = [key for key, so_far in zip(self.points, sums, strict=True) if so_far <= self.exercises.points]
        most, earned = (sum(points[key] for key in of_path) for points in (self.points, self.earned))
        return round(self.exercises.minutes * (1 - earned / most)) if most else 0

    @property
    def steps(self) -> list[str]:
        """Return what is left of it: the page itself, and the exercises that belong to it."""
        about = f"about {self.minutes_left} minutes left" if self.done else f"{self.minutes} minutes"
        steps = (
            [f"[{self.title.split(':')[0]}](lessons/lesson_{self.stem}.ipynb), {about}"] if self.minutes_left else []
        )
        if left := self.exercise_minutes_left:
            steps.append(f"[exercises {self.stem[:2]}]({self.stem}.ipynb), about {left} minutes")
        return steps

    @property
    def done(self) -> str:
        """Return what is done of it, in words, "" where nothing is."""
        of = (("predictions", self.asked), ("blanks", self.blanks))
        counts = [
            *((self._count(kind, keys), len(keys), kind) for kind, keys in of),
            (sum(self.earned.values()), sum(self.points.values()), "points"),
        ]
        if not any(done for done, _, _ in counts):
            return ""
        return " · ".join(f"{done:g} of {most} {kind}" for done, most, kind in counts if most)


def read_pages(root: Path) -> list[Page]:
    """Return the course's built pages in order, as they were built: a reader's copies may have been changed."""
    return [_read(path) for path in sorted((root / "notebooks").glob("[0-9][0-9]*_*.ipynb"))]


def _read(path: Path) -> Page:
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    stub, points, parts = path.parents[1] / "exercises" / path.name, {}, ExerciseParts()
    if stub.exists():
        exercises = nbformat.read(stub, as_version=4)
        said = "".join(one.get("text", "") for cell in exercises.cells for one in cell.get("outputs", []))
        points, parts = {key: int(most) for key, most in _POINTS.findall(said)}, exercise_parts(exercises)
    asked = [key for call in _ASKED.findall(code) for key in _KEY.findall(call)]
    name = title(notebook) or path.stem
    return Page(path.stem, name, minutes(notebook) or 0, parts, asked, _BLANK.findall(code), points)


def start_page(pages: Sequence[Page], work: Path) -> str:
    """Return the start page in Markdown."""
    pages = [replace(page, kept=_kept(work)) for page in pages]
    rows = [_row(page, work) for page in pages]
    about = ["Excursions are for the curious, and nothing else needs them."] if INDENT in "".join(rows) else []
    files = sorted(one for one in (work / "reference").glob("*.*") if one.is_file())  # and no folder of checkpoints
    lists = " · ".join(f"[{one.stem.replace('_', ' ')}](reference/{one.name})" for one in files)
    hours = ", ".join(
        f"{name} {_hours(sum(times))}"
        for name, times in (
            ("paths", (page.minutes for page in pages if page.is_path)),
            ("their exercises", (page.exercises.minutes for page in pages)),
            ("further exercises", (page.exercises.further for page in pages)),
            ("excursions", (page.minutes for page in pages if not page.is_path)),
        )
    )
    return "\n".join(
        [
            "# What does depth buy a neural network, and what does it cost?",
            "",
            *_next(pages),
            "",
            "Open a lesson, commit to its predictions, run it cell by cell, and then do its exercises.",
            *about,
            f"Here is how long it all takes: {hours}.",
            "",
            "| lesson | open | time | done |",
            "|---|---|---|---|",
            *rows,
            "",
            *([f"Pages to look things up in, and to print: {lists}.", ""] if lists else []),
            "The notebooks here are your own copies. Change them as you like: nothing overwrites them. To get a fresh",
            "copy, rename or delete yours, and start the course again. This page shows what you had done when you",
            "opened it. To see what you have done since, reload it in the browser.",
            "",
            WRITTEN,
            "",
        ]
    )


def _row(page: Page, work: Path) -> str:
    links = [f"[{'lesson' if page.is_path else 'excursion'}](lessons/lesson_{page.stem}.ipynb)"]
    links += [f"[exercises]({page.stem}.ipynb)"] if (work / f"{page.stem}.ipynb").exists() else []
    solutions = f"solutions/solutions_{page.stem}.ipynb"
    links += [f"[solutions]({solutions})"] if (work / solutions).exists() else []
    indent = "" if page.is_path else INDENT
    takes = f"; exercises {page.exercises}" if page.exercises.minutes else ""
    return f"| {indent}{page.title} | {' · '.join(links)} | {page.minutes} min{takes} | {page.done} |"


def _next(pages: Sequence[Page]) -> list[str]:
    """Return what comes next: what of the paths and their exercises is not done, in the course's order.

    And what else is half done, wherever in the course.
    """
    steps = [step for page in pages if page.is_path for step in page.steps]
    begun = [page.steps[0] for page in pages if page.done and page.steps]
    if not any(page.done for page in pages):
        return [f"**Begin with** {step}." for step in steps[:1]]
    said = [
        f"**Next:** {'; then '.join(steps[:3])}." if steps else "**All done.** What was hard? Do it again next month."
    ]
    if others := [step for step in begun if step not in steps[:3]]:
        said += ["", f"Half done: {'; '.join(others)}."]
    return said


def _hours(total: int) -> str:
    return f"{total / 60:.0f} hours" if total >= 90 else f"{total} minutes"


def _kept(work: Path) -> dict[str, dict]:
    try:
        return local_storage.parse((work / local_storage.NAME).read_bytes())
    except (OSError, ValueError):  # none yet, or one that the next check puts aside
        return {}


def write_start_page(pages: Sequence[Page], work: Path) -> Path:
    """Return the start page's path, written anew unless a reader made it their own."""
    page = work / "start.md"
    if not page.exists() or WRITTEN in page.read_text(encoding="utf-8"):
        replace_file(page, start_page(pages, work))
    return page


def writer(root: Path, work: Path) -> Callable[[], None]:
    """Return what writes the start page anew where what is kept has changed since it was called last."""
    pages, kept = read_pages(root), work / local_storage.NAME
    seen = [_changed(kept)]

    def look() -> None:
        if seen[-1] != _changed(kept):
            seen[:] = [_changed(kept)]
            write_start_page(pages, work)

    return look


def _changed(file: Path) -> int:
    return file.stat().st_mtime_ns if file.exists() else 0


def _load_jupyter_server_extension(server: Any) -> None:
    """Have JupyterLab's server, which `authoring.learn` starts, keep the start page up to date."""
    from tornado.ioloop import PeriodicCallback

    PeriodicCallback(writer(Path(__file__).parents[1], Path(server.root_dir)), LOOKS_EVERY).start()


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "authoring.start_page"}]
