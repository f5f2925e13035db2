"""The form of a page: what it asks of its reader is counted, in the built notebook, and has limits.

CONTRIBUTING.md, "The form of a page", says what counts as what.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from nbformat import NotebookNode

from authoring.blanks import LINE, tried
from authoring.course import Lesson, Page
from authoring.diagnostics import Diagnostic, relative
from authoring.filling import CLAIMED, filled_ids
from authoring.links import TAG
from authoring.literature import READ_NEXT
from authoring.minutes import beside, headings, minutes
from utils.exercises import cells
from utils.predictions import EACH_CHOICE

MOST_OF_A_PATH = {
    "words": 2500,
    "folded": 600,
    "code_cells": 35,
    "figures": 10,
    "claims": 12,
    "minutes": 75,
    "before_aha": 15,
    "kilobytes": 600,
}
MOST_OF_AN_EXCURSION = {
    "words": 1800,
    "code_cells": 20,
    "figures": 8,
    "claims": 10,
    "minutes": 40,
    "kilobytes": 600,
}
KILOBYTES_OF_A_PLAYGROUND = 80  # beyond a page's own; a page may have one
# How summaries begin of what counts nowhere: a figure's words, a blank's line, what is said of each choice, and code
# that a reader takes along.
UNREAD = ("The figure in words", LINE, EACH_CHOICE, TO_TAKE_ALONG := "Code to take along")

_SAID = {
    "words": ("words unfolded", "Cut what answers no question of the page."),
    "folded": ("words folded", "Cut some, or move a proof to an excursion."),
    "code_cells": ("code cells", "Leave out or join those that carry no idea."),
    "figures": ("figures", "Keep those that the page cannot do without."),
    "claims": ("claims", "Leave out or move controls and second-order effects."),
    "minutes": ("minutes", "Leave out or move a section."),
    "before_aha": ("minutes before the aha", "Come to it sooner."),
    "kilobytes": ("kB in its notebook", "Draw fewer or smaller figures."),
}
# Of prose: what is no word at all, and what is one word, whatever is in it.
_MARKUP = re.compile(
    rf"(?P<none>^{re.escape(READ_NEXT)}\n+(?:- [^\n]*(?:\n|\Z))+|^```.*?^```|!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)]*\))"
    r"|`[^`]*`|\$\$.*?\$\$|(?<!\\)\$[^$]*\$|\\begin\{(\w+\*?)\}.*?\\end\{\2\}",
    re.DOTALL | re.MULTILINE,
)
_LIVE = re.compile(r"^live_(figure|training)\(", re.MULTILINE)  # what a built page shows of it is a first picture
_MACHINERY = re.compile(r"^(predict|reveal|feedback|own_words|download)\(", re.MULTILINE)


@dataclass(frozen=True)
class PageSize:
    """What a page holds; ``ideas`` are cells with the tag, of ``able`` that could have it; ``bare`` headings without
    minutes; ``before_aha`` is None where no heading is the aha's."""

    page: Page
    words: int
    folded: int
    code_cells: int
    ideas: int
    able: int
    figures: int
    playgrounds: int
    claims: int
    minutes: int | None
    before_aha: int | None
    kilobytes: int
    bare: Sequence[str]

    @property
    def shown(self) -> str:
        """Return the path of the page's source, for messages."""
        return relative(self.page.source("notebooks"), self.page.root)


def measure(page: Page, notebook: NotebookNode) -> PageSize:
    """Return what the page holds: its built notebook, with the sizes of its files and the claims of its source."""
    prose = [cell for cell in notebook.cells if cell.cell_type == "markdown" and TAG not in _tags(cell)]
    run = [cell for cell in notebook.cells if cell.cell_type == "code" and not cell.source.startswith("ask(")]
    code = [cell for cell in run if not tried(cell.source)]
    able = [cell for cell in code if not cells.is_set_up(cell.source) and not _MACHINERY.search(cell.source)]
    read = [_Reader.of(_MARKUP.sub(_plain, cell.source)) for cell in prose]
    read += _outputs(cell for cell in run if not _LIVE.search(cell.source))
    filled = list(filled_ids(page.source("notebooks").read_text(encoding="utf-8")))
    return PageSize(
        page=page,
        words=sum(one.words for one in read),
        folded=sum(one.folded for one in read),
        code_cells=len(code),
        ideas=sum("idea" in _tags(cell) for cell in able),
        able=len(able),
        figures=sum(one.figures for one in read),
        playgrounds=sum(one.playgrounds for one in read),
        claims=len(filled) + sum(len(CLAIMED.findall(cell.source)) for cell in code),
        minutes=minutes(notebook),
        before_aha=_before_aha(prose),
        kilobytes=math.ceil(page.notebook("notebooks").stat().st_size / 1000),
        bare=[heading for cell in prose for heading in headings(cell.source) if beside(heading) is None],
    )


def _tags(cell: NotebookNode) -> Sequence[str]:
    return cell.metadata.get("tags", ())


def _before_aha(prose: Sequence[NotebookNode]) -> int | None:
    before = 0
    for cell in prose:
        if "aha" in _tags(cell):
            return before
        before += sum(beside(heading) or 0 for heading in headings(cell.source))
    return None


def _plain(match: re.Match) -> str:
    return "" if match["none"] is not None else "x"


def _outputs(code: Iterable[NotebookNode]) -> Iterator[_Reader]:
    """Yield what is read and seen in each output; an image's text/plain is its words for who cannot see it."""
    for output in (output for cell in code for output in cell.outputs):
        data = output.get("data", {})
        if any(kind.startswith("image/") for kind in data):
            yield _Reader(figures=1)
        elif "text/html" in data:
            yield _Reader.of(data["text/html"])
        else:
            yield _Reader(words=count(output.get("text", "") + data.get("text/plain", "")))


def count(text: str) -> int:
    """Return how many words a text has: what stands between white space and has a letter or a digit."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


class _Reader(HTMLParser):
    """Counts the words of HTML that are seen and those that are folded, and the figures: pictures, or players."""

    def __init__(self, words: int = 0, figures: int = 0) -> None:
        super().__init__()
        self.words, self.folded, self._pictures, self._players = words, 0, figures, 0
        self.playgrounds = 0
        self._details: list[str] = []  # of each that is open around: "seen", "folded", or "unread" as a figure's words
        self._summary, self._unread = False, False

    @classmethod
    def of(cls, text: str) -> _Reader:
        """Return a reader that has read ``text``."""
        reader = cls()
        reader.feed(text)
        reader.close()
        return reader

    @property
    def figures(self) -> int:
        """Return how many figures are seen; a player's own pictures stand in for it where it cannot move."""
        return self._players or self._pictures

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        self._players += "data-player" in names
        self.playgrounds += "data-playground" in names
        self._pictures += tag == "img"
        if tag == "details":
            self._details.append("seen" if "open" in names else "folded")
        self._summary |= tag == "summary"
        self._unread |= tag in ("script", "style", "figcaption")  # a title belongs to its figure, as in a picture

    def handle_endtag(self, tag: str) -> None:
        if tag == "details" and self._details:
            self._details.pop()
        self._summary &= tag != "summary"
        self._unread &= tag not in ("script", "style", "figcaption")

    def handle_data(self, data: str) -> None:
        if self._summary and data.strip().startswith(UNREAD) and self._details:
            self._details[-1] = "unread"
            return
        around = self._details[:-1] if self._summary else self._details
        if self._unread or "unread" in around:
            return
        if "folded" in around:
            self.folded += count(data)
        else:
            self.words += count(data)


def diagnostics(measured: Sequence[PageSize]) -> list[Diagnostic]:
    """Return where pages are beyond the limits of the form."""
    return [diagnostic for one in measured for diagnostic in _diagnostics(one)]


def _diagnostics(one: PageSize) -> Iterator[Diagnostic]:
    is_path = isinstance(one.page, Lesson)
    for name, most in (MOST_OF_A_PATH if is_path else MOST_OF_AN_EXCURSION).items():
        value, (what, advice) = getattr(one, name) or 0, _SAID[name]
        if name == "kilobytes" and one.playgrounds:
            most += KILOBYTES_OF_A_PLAYGROUND
        if value > most:
            yield Diagnostic(one.shown, None, f"it has {value:,} {what}; at most {most:,} are wanted. {advice}")
    if one.playgrounds > 1:
        text = f"it has {one.playgrounds} playgrounds; one is wanted. Link to another setting of it."
        yield Diagnostic(one.shown, None, text)
    for heading in one.bare:
        text = f'"{heading}" does not say its minutes. Let the heading end with "(5 min)", say.'
        yield Diagnostic(one.shown, None, text)
    if is_path and one.before_aha is None:
        yield Diagnostic(
            one.shown, None, 'no heading is the aha\'s. Begin its cell with `# %% [markdown] tags=["aha"]`.'
        )
    if is_path and 2 * one.ideas < one.able:
        text = f"{one.ideas} of {one.able} cells carry an idea; at least half are wanted. Show its code, and begin the"
        yield Diagnostic(one.shown, None, f'{text} cell with `# %% tags=["idea"]`; move plumbing to utils/.')


def table(measured: Sequence[PageSize]) -> list[str]:
    """Return the lines of a table of what each page holds."""
    head = ["page", "words", "folded", "cells", "ideas", "figures", "claims", "minutes", "to aha", "kB"]
    rows = [head, *(_row(one) for one in measured)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return [line.rstrip() for line in lines]


def _row(one: PageSize) -> list[str]:
    numbers = [one.words, one.folded, one.code_cells, one.figures, one.claims, one.minutes, one.before_aha]
    numbers.append(one.kilobytes)
    shown = ["–" if number is None else f"{number:,}" for number in numbers]
    shown.insert(3, f"{one.ideas / one.able:.0%}" if one.able else "–")
    return [one.page.stem, *shown]
