"""Makes links of what prose says of exercises and excursions, and leads each exercise back to where it is called.

An author writes "exercise 03.2", "exercises 03.2 and 03.3" or "excursion 01a", and nothing else: in prose, every id
that there is becomes a link; one that there is not is refused where the word stands before it. Headings, code, formulas
and what is a link already stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from authoring.course import Lesson, Page, all_pages, has_solutions
from authoring.diagnostics import Diagnostic, refuse, relative, stop_on
from authoring.links import REMINDER
from authoring.notebook import cell_id
from authoring.source import NotebookSource, SourceCell

_HEADING = re.compile(r"(?m)^## (.+?)[ \t]*$")
_TITLE = re.compile(r"(?m)^## (Exercise (\d\d\.\d+)\b.*?)[ \t]*$")
_MENTION = (
    r"(?:(?P<word>\b[Ee]xercises?|\b[Ee]xcursions?)\s+)?(?<![\w.$/-])(?P<id>0\d(?:\.\d{1,2}|[a-z]))(?![\w$-]|\.\w)"
)
# What no link is put into: code, formulas, links, tags and headings.
STAYS = r"^```.*?^```|`[^`]*`|\$\$.*?\$\$|(?<!\\)\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)|<(?:!--.*?--|/?\w[^>]*)>|^#+ [^\n]*"
_PROSE = re.compile(rf"{STAYS}|{_MENTION}", re.DOTALL | re.MULTILINE)
_CELL = re.compile(r'^# %% \[markdown\][^\n]*\nr"""\n(.*?)\n"""$', re.DOTALL | re.MULTILINE)
_MINUTES = re.compile(r" \(\d+ min\)$")


@dataclass(frozen=True)
class Call:
    """A place where a page mentions an exercise: below this heading, and whether it says to do it now."""

    page: Page
    heading: str
    exercise: str
    now: bool
    arrow: bool


@dataclass(frozen=True)
class Course:
    """What there is to be linked to, read from the sources' text."""

    root: Path

    @cached_property
    def pages(self) -> list[Page]:
        """Return the course's pages."""
        return all_pages(self.root)

    @cached_property
    def exercises(self) -> dict[str, tuple[Page, str]]:
        """Return each exercise's lesson and heading by its id."""
        lessons = [page for page in self.pages if isinstance(page, Lesson)]
        return {
            match[2]: (lesson, match[1])
            for lesson in lessons
            for heading in _headings(lesson, "solutions")
            if (match := _TITLE.match(f"## {heading}"))
        }

    @cached_property
    def excursions(self) -> dict[str, Page]:
        """Return each excursion by its number and letter."""
        return {page.stem[:3]: page for page in self.pages if not isinstance(page, Lesson)}

    def calls(self, number: str) -> list[Call]:
        """Return the places where the pages of a lesson mention its exercises, in the pages' order."""
        pages = [page for page in self.pages if page.number == number]
        return [call for page in pages for call in _calls(page) if call.exercise in self.exercises]

    def link(self, one: str, page: Page, folder: str) -> str | None:
        """Return the link from a notebook of the page to an exercise or an excursion, None where there is none.

        To another lesson's exercises it leads to the notebook only, since a lesson is built without the others.
        """
        if one in self.excursions:
            return f"{'' if folder == 'notebooks' else '../notebooks/'}{self.excursions[one].stem}.ipynb"
        if one in self.exercises:
            lesson, heading = self.exercises[one]
            there = "../exercises/" if folder == "notebooks" else ""
            at = anchor(lesson, "solutions", heading) if lesson.number == page.number else ""
            return f"{there}{lesson.stem}.ipynb{at}"
        return None


def linked(source: NotebookSource, page: Page, folder: str) -> NotebookSource:
    """Return the source with its mentions as links, and below each exercise's heading a link to where it is called.

    Raises AuthoringError with the mentions of what there is not, and where the exercises' order is not the path's.
    """
    course = Course(page.root)
    diagnostics: list[Diagnostic] = []
    back = {} if folder == "notebooks" else _places(course, page)
    cells = [_linked(cell, source, page, folder, course, back, diagnostics) for cell in source.cells]
    if folder != "notebooks":
        diagnostics += _out_of_order(course, page, source)
    stop_on(diagnostics)
    return replace(source, cells=tuple(cells))


def anchor(page: Page, folder: str, heading: str) -> str:
    """Return the end of a link to the cell that has this heading, an exercise's in the stub as in the solution.

    JupyterLab finds a heading by its text, too, but none that has a formula in it, or a letter that is not ASCII.
    """
    found = _headings(page, folder).get(heading)
    return f"#cell-id={found}" if found else ""


def _headings(page: Page, folder: str) -> dict[str, str]:
    """Return the ids of cells by the headings in them, as the source makes them, or as they stand in the stub.

    That is built, and the headings of exercises are read there where the course has no solutions.
    """
    if folder == "solutions" and not has_solutions(page.root):
        cells = stub_cells(page.notebook("exercises"), page.root)
    else:
        texts = _CELL.findall(_text(page, folder))
        cells = [(text, cell_id("markdown", text.strip(), 1)) for text in texts]
    found: dict[str, str] = {}
    for text, one in cells:
        for heading in _HEADING.findall(text):
            found.setdefault(heading, one)
    return found


def stub_cells(path: Path, root: Path) -> list[tuple[str, str]]:
    """Return the text and the id of each markdown cell of a stub; nothing where it is missing, which a check says."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []
        return [("".join(cell["source"]), cell["id"]) for cell in cells if cell["cell_type"] == "markdown"]
    except (ValueError, KeyError, TypeError):
        raise refuse(relative(path, root), None, "this is no notebook. Take it back with `git checkout`.") from None


def _linked(
    cell: SourceCell,
    source: NotebookSource,
    page: Page,
    folder: str,
    course: Course,
    back: dict[str, str],
    diagnostics: list[Diagnostic],
) -> SourceCell:
    if cell.kind != "markdown":
        return cell

    def put(match: re.Match) -> str:
        if match["id"] is None:
            return match[0]
        target = course.link(match["id"], page, folder)
        if target:
            return f"[{match[0]}]({target})"
        if match["word"]:
            line = cell.line + cell.text[: match.start()].count("\n")
            text = f"there is no {match['word'].lower().removesuffix('s')} {match['id']}. Mend the id."
            diagnostics.append(source.diagnostic(line, text))
        return match[0]

    text = _PROSE.sub(put, cell.text)
    text = _TITLE.sub(lambda match: f"{match[0]}\n\n{back[match[2]]}" if match[2] in back else match[0], text)
    return cell if text == cell.text else replace(cell, text=text, written=cell.written or cell.text)


def _places(course: Course, page: Page) -> dict[str, str]:
    """Return for each exercise that a page calls a link to the section that does: the path's, else an excursion's."""
    best: dict[str, Call] = {}
    for call in sorted(course.calls(page.number), key=lambda call: (not call.now, not call.arrow)):
        best.setdefault(call.exercise, call)
    return {
        one: f"*[← {call.page.stem.split('_')[0]}, {_MINUTES.sub('', call.heading)}]"
        f"(../notebooks/{call.page.stem}.ipynb{anchor(call.page, 'notebooks', call.heading)}) · {REMINDER}*"
        for one, call in best.items()
    }


def _out_of_order(course: Course, page: Page, source: NotebookSource) -> list[Diagnostic]:
    """Return whether the exercises that the path says to do now stand in another order than it does so."""
    called = list(dict.fromkeys(call.exercise for call in course.calls(page.number) if call.now and call.page == page))
    stand = [match[2] for match in _TITLE.finditer(_text(page, "solutions")) if match[2] in called]
    if stand == called:
        return []
    text = f"the path calls {', '.join(called)} in this order, and here they stand as {', '.join(stand)}. Move them."
    return [Diagnostic(source.shown, None, text)]


def _calls(page: Page) -> Iterator[Call]:
    heading = ""
    for paragraph in re.split(r"\n\s*\n", _text(page, "notebooks")):
        first = _HEADING.search(paragraph)
        heading = first[1] if first else heading
        arrow = re.search(r"(?m)^\*→", paragraph) is not None
        for match in _PROSE.finditer(paragraph):
            if match["id"] and heading:
                now = arrow and "Now do" in paragraph
                yield Call(page, heading, match["id"], now, arrow)


def _text(page: Page, folder: str) -> str:
    path = page.source(folder)
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
