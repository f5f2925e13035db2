"""The part of README.md that follows from the built pages: the table of lessons, and how long they take."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from authoring.course import Address, Lesson, Page, all_pages
from authoring.diagnostics import Diagnostic
from authoring.links import badge, site
from authoring.minutes import exercise_parts, minutes, title

FILE = "README.md"
PUBLIC = (
    "How to get it: [read it]({1}), or follow a badge to Google Colab, where there is nothing to install. Or run "
    "`git clone -b {0.tag} {0.repository}`, and then see [Start](#start)."
)
PRIVATE = (
    "How to get it: take the whole folder, as a clone or an archive, then see [Start](#start). A notebook alone does "
    "not run, except in Google Colab with the course's zip file beside it: see [In Google Colab](#in-google-colab)."
)
_GENERATED = re.compile(r"(?<=<!-- lessons: written by a build -->\n).*?(?=<!-- end of lessons -->)", re.DOTALL)


def with_lessons(text: str, root: Path, where: Address | None) -> str:
    """Return the README's text with its generated part as the built pages make it."""
    return _GENERATED.sub(lambda _: "\n" + lessons(root, where) + "\n", text)


def readme_diagnostics(root: Path, where: Address | None) -> list[Diagnostic]:
    """Return whether README.md, where there is one, says something else than the built pages."""
    path = root / FILE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if with_lessons(text, root, where) == text:
        return []
    return [Diagnostic(FILE, None, "its lessons are not what the pages make. Build any lesson.")]


def lessons(root: Path, where: Address | None) -> str:
    """Return a table with a row for each lesson, its excursions in one cell, and a sentence of how long they take."""
    rows, sums = [], {"paths": 0, "exercises": 0, "further": 0, "excursions": 0}
    pages = [page for page in all_pages(root) if all(page.notebook(folder).exists() for folder in page.folders)]
    for lesson in (page for page in pages if isinstance(page, Lesson)):
        path, tasks = title_and_minutes(lesson), exercise_parts(_read(lesson, "exercises"))
        beside = [page for page in pages if page.number == lesson.number and page != lesson]
        named = [(page, *title_and_minutes(page)) for page in beside]
        cells = [
            f"{path[0]}",
            f"{_link('path', lesson, 'notebooks', where)}, {path[1]} min",
            f"{_link('exercises', lesson, 'exercises', where)}, {tasks}",
            "; ".join(f"{_link(one.stem[:3], one, 'notebooks', where)}, {time} min" for one, _, time in named),
        ]
        rows.append(f"| {' | '.join(cells)} |")
        sums["paths"] += path[1]
        sums["exercises"] += tasks.minutes
        sums["further"] += tasks.further
        sums["excursions"] += sum(time for *_, time in named)
    hours = {kind: f"{round(total / 60)} hours" for kind, total in sums.items()}
    said = f"The paths take about {hours['paths']}, and their exercises about {hours['exercises']}. There are "
    said += f"also further exercises, about {hours['further']}, and excursions, about {hours['excursions']}; "
    said += "nothing else needs them."
    head = ["| lesson | read and run | do | excursions |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, "", said, "", how_to_get_it(where), ""])


def how_to_get_it(where: Address | None) -> str:
    """Return the sentence that says how to get the course."""
    return PUBLIC.format(where, site(where)) if where else PRIVATE


def title_and_minutes(page: Page) -> tuple[str, int]:
    """Return the title of a built page and its minutes."""
    notebook = _read(page, "notebooks")
    return title(notebook) or page.stem, minutes(notebook) or 0


def _link(text: str, page: Page, folder: str, where: Address | None) -> str:
    path = f"{folder}/{page.stem}.ipynb"
    return f"[{text}]({path})" + (f" {badge(where, path)}" if where else "")


def _read(page: Page, folder: str) -> nbformat.NotebookNode:
    return nbformat.read(page.notebook(folder), as_version=4)
