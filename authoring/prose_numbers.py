"""Numbers in a lesson's prose: each of them follows on the page or was put there by the build, none by hand.

A number counts that has a decimal point, a "%" or "times" after it, or three digits or more. It follows where the same
section (from one heading to the next) has it, rounded as in the prose, in its code, in what its cells print, in a
formula, or in what the build filled in; whole numbers, which are mostly settings, may stand anywhere on the page or in
the code of the lesson's room. Years are left out, and so is a paragraph or an item that cites a publication by its
year, whose numbers are quoted; and the two confidence levels that all claims have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from authoring.diagnostics import Diagnostic
from authoring.filling import FILL
from authoring.notebook import BuiltNotebook
from utils import pages, rooms
from utils.claims.evaluation import REFUTING, SHOWN
from utils.pages import KEY

LEVELS = {str(round(100 * level, 1)).removesuffix(".0") for level in (SHOWN, REFUTING)}
_HEADING = re.compile(r"(?m)^(?=#{1,6} )")
_WORDS = re.compile(r'"""(.*?)"""', re.DOTALL)  # a figure's, in a code cell
_EXACT = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", re.DOTALL)  # formulas and code in prose
_UNREAD = re.compile(r"\]\([^)]*\)|<[^>]*>|https?://\S*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CITES = re.compile(r"\((?:[^()]*, )?(?:19|20)\d\d\w?\)|\b[A-Z]\w+ (?:19|20)\d\d\b")
_EVIDENCE = re.compile(r"\d[\d,]*\.?\d*(?:e[-+]?\d+)?|\.\d+")
_NUMBER = re.compile(
    r"(?<![\w.,/^⁄-])(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?![\w^/⁄]|[.,]\d)(?P<unit>\s?%|\stimes\b)?"
)


@dataclass
class _Section:
    """What stands between two headings: prose by line of the source, and the numbers that follow there."""

    prose: list[tuple[int, str, str]] = field(default_factory=list)  # and whose words of the room's they are
    evidence: set[float] = field(default_factory=set)


def check_prose_numbers(built: BuiltNotebook, notebook: NotebookNode, room: Path) -> list[Diagnostic]:
    """Return the numbers in the prose of an executed lesson, figures' words included, that follow from nothing."""
    sections = _sections(built, notebook, room)
    page = _numbers(path.read_text(encoding="utf-8").replace("_", "") for path in sorted(room.rglob("*.py")))
    page = page.union(*(section.evidence for section in sections))
    return [
        built.source.diagnostic(line, f'the number "{shown}" was written by hand{_said_where(key)}')
        for section in sections
        for line, shown, key in _unproved(section, page)
    ]


def _said_where(key: str) -> str:
    """Return the end of the complaint: whose words they are, where they stand in the room, and what to do."""
    if key:
        return f", in what the room says of {key}: nothing in its section prints it. Print it there, or leave it out."
    return (
        ": nothing in its section computes or prints it. Fill in a claim, {{claim NN.words}}, or a value, "
        "{{= expression}}, print it, or leave it out."
    )


def _registered(code: str, room: Path) -> Iterator[tuple[str, str]]:
    """Yield keys that a cell names, each with what the room says of that figure, or answers to that prediction."""
    if room.parent == rooms.FOLDER and rooms.file_of(room, "page"):
        rooms.module_of(room.name[-2:], "page")
    for key in (match[1] for match in re.finditer(rf'"({KEY.pattern})"', code)):
        if key in pages.figures:
            yield from ((key, pages.figures[key].title), (key, pages.figures[key].alt))
        if key in pages.predictions:
            yield key, pages.predictions[key].answer


def _sections(built: BuiltNotebook, notebook: NotebookNode, room: Path) -> list[_Section]:
    sections = [_Section()]
    for cell in notebook.cells:
        line = built.lines.get(cell.id, 1)
        if cell.cell_type == "code":
            sections[-1].prose += [(line, words, key) for key, words in _registered(cell.source, room)]
            for words in _WORDS.finditer(cell.source):
                sections[-1].prose.append((line + cell.source[: words.start(1)].count("\n"), words[1], ""))
            sections[-1].evidence |= _numbers([_WORDS.sub(" ", cell.source), *_printed(cell)])
            continue
        written = built.written.get(cell.id, cell.source)
        for part in _HEADING.split(written):
            if part.startswith("#"):
                sections.append(_Section())
            sections[-1].prose.append((line, part, ""))
            sections[-1].evidence |= _numbers(_EXACT.findall(part))
            line += part.count("\n")
        # The build may have made links of words: without these, both texts are the same between what it filled in.
        sections[-1].evidence |= _numbers(_fills(*(_LINK.sub(r"\1", text) for text in (written, cell.source))))
    return sections


def _fills(written: str, filled: str) -> Iterator[str]:
    """Yield what the build has put in the places of a text that are to be filled."""
    ends = [0, *(place for match in FILL.finditer(written) for place in match.span()), len(written)]
    at = ends[1]
    for begin, end in zip(ends[2::2], ends[3::2], strict=True):
        after = filled.index(written[begin:end], at)
        yield filled[at:after]
        at = after + end - begin


def _printed(cell: NotebookNode) -> Iterator[str]:
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        yield output.get("text", "")
        moves = "data-player" in data.get("text/html", "")
        if not moves and not any(kind.startswith("image/") for kind in data):  # else its text is the figure's words
            yield data.get("text/plain", "")


def _numbers(texts: Iterable[str]) -> set[float]:
    found = (match.replace(",", "").rstrip(".") for text in texts for match in _EVIDENCE.findall(text))
    return {float(one) for one in found if one}


def _unproved(section: _Section, page: set[float]) -> Iterator[tuple[int, str, str]]:
    for line, text, key in section.prose:
        for start, paragraph in _paragraphs(text):
            if not _CITES.search(paragraph):
                doubtful = _doubtful(paragraph, section.evidence, page)
                yield from ((line + start + at, shown, key) for at, shown in doubtful)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs and items of a text, each with the number of lines before it."""
    at = 0
    for part in re.split(r"(?m)(?=^\s*\n|^\s*[-*] |^\s*\d+\. |^\|)", text):
        yield at, part
        at += part.count("\n")


def _doubtful(paragraph: str, evidence: set[float], page: set[float]) -> Iterator[tuple[int, str]]:
    hidden = paragraph
    for pattern in (FILL, _EXACT, _UNREAD):
        hidden = pattern.sub(lambda match: re.sub(r"\S", "x", match[0]), hidden)
    for match in _NUMBER.finditer(hidden):
        digits, unit = match["digits"], (match["unit"] or "").strip()
        whole, value = "." not in digits, float(digits.replace(",", ""))
        is_year = whole and "," not in digits and 1900 <= value <= 2100
        if (whole and value < 100 and not unit) or is_year or re.fullmatch(r"0\d\.\d+", digits):
            continue
        if unit == "%" and digits in LEVELS:
            continue
        places = 0 if whole else len(digits.split(".")[1])
        among = page if whole and not unit else evidence
        scales = (1, 100) if unit == "%" else (1,)
        if not any(round(scale * known, places) == value for known in among for scale in scales):
            yield hidden[: match.start()].count("\n"), match[0].strip()
