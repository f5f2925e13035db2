"""The works that pages cite: what reference/literature.toml says of them, and the links that lead to it.

An author writes "Poole et al. (2016)", and nothing else: in prose, what names a work by its authors and year becomes a
link to its entry in reference/literature.md, and what names one that has no entry is refused. Headings, code, formulas
and what is a link already stay. {{literature}}, at the end of a path, lists three works to read next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from authoring.course import tables
from authoring.diagnostics import Diagnostic, stop_on
from authoring.errata import anchor
from authoring.mentions import STAYS
from authoring.source import NotebookSource, SourceCell

FILE, PAGE = "reference/literature.toml", "literature.md"
NEXT, EXCEPTIONS = "next", "exceptions"
READ_NEXT = "**Read next**"
HOW_MANY, MOST_WORDS = 3, 70  # of what a path ends with
FIELDS = {"authors", "title", "where", "checked"}
LINKS = {"doi": ("DOI", "https://doi.org/"), "arxiv": ("arXiv", "https://arxiv.org/abs/"), "url": ("online", "")}
_NAME = r"(?:[A-Z]\.\s+)*[A-ZÀ-Þ][\w-]*\w"
_YEAR = r"(?:1[6-9]|20)\d\d(?![\w-]|\.\d)"
_CITED = (
    rf"\b(?P<names>{_NAME}(?:,\s+{_NAME})*(?:,?\s+(?:&|and)\s+{_NAME})?(?:,?\s+et\s+al\.)?)(?:['’]s)?,?"
    rf"\s+(?:\({_YEAR}\)|\(?{_YEAR})|\({_YEAR}\)"
)
_CITATION = re.compile(_CITED)


@dataclass(frozen=True)
class Work:
    """What a page cites: its ``key`` is how it is cited, ``says`` the fields of its entry."""

    key: str
    says: Mapping[str, str] = field(compare=False)

    @property
    def anchor(self) -> str:
        """Return the end of its address."""
        return anchor(self.key)

    @property
    def entry(self) -> str:
        """Return what the list says of it."""
        there = {name: self.says[name].replace("(", "%28").replace(")", "%29") for name in LINKS if name in self.says}
        links = [f"[{LINKS[name][0]}]({LINKS[name][1]}{address})" for name, address in there.items()]
        said = f"{self.says['authors']}: *{self.says['title']}*. {'. '.join([self.says['where'], *links])}."
        return f'<a id="{self.anchor}"></a>**{self.key}.** {said}'


@dataclass(frozen=True)
class Literature:
    """The works by all forms in which pages cite them, what a path says to read next, and what cites nothing."""

    works: Mapping[str, Work]
    to_read: Mapping[str, Mapping[str, str]]
    exceptions: frozenset[str]
    pattern: re.Pattern

    def found(self, text: str) -> Iterator[tuple[int, int, Work | None]]:
        """Yield where a text cites, and what: None where no entry has it."""
        for match in self.pattern.finditer(text):
            if not match["cited"]:
                continue
            # "For tanh, Cybenko (1989)" begins with no author: the longest end that is known counts.
            starts = [match.start(), *(match.start() + comma.end() for comma in re.finditer(r",\s+", match[0]))]
            forms = [(start, _form(text[start : match.end()])) for start in starts]
            known = next(((start, self.works[form]) for start, form in forms if form in self.works), None)
            if known:
                yield known[0], match.end(), known[1]
            elif forms[0][1] not in self.exceptions:
                yield match.start(), match.end(), None

    def linked(self, text: str, file: str) -> str:
        """Return Markdown whose citations are links to their entries in ``file``."""
        at, parts = 0, []
        for start, end, work in self.found(text):
            if work:
                parts += [text[at:start], f"[{text[start:end]}]({file}#{work.anchor})"]
                at = end
        return "".join([*parts, text[at:]])

    def unknown(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield what cites a work without an entry, each with the number of lines before it and what to do."""
        for start, end, work in self.found(text):
            if work is None:
                advice = f"Write its entry in {FILE}, or the form under [{EXCEPTIONS}] there if it is no citation."
                cited = " ".join(text[start:end].split())
                yield text[:start].count("\n"), f'"{cited}" cites what has no entry. {advice}'


def _form(text: str) -> str:
    """Return a citation in the form in which all spellings of it are the same: Cho & Saul 2009."""
    plain = re.sub(r"\b[A-Z]\.\s+|['’]s\b|[()]", "", " ".join(text.split())).replace(" and ", " & ")
    return re.sub(r",(?= \d{4}$| et al)", "", plain)


def read(root: Path) -> Literature | None:
    """Return the course's literature, None where it has none; raises AuthoringError for a file that is malformed."""
    if not (root / FILE).exists():
        return None
    entries = tables(root, FILE)
    to_read, exceptions = entries.pop(NEXT, {}), entries.pop(EXCEPTIONS, {})
    works: dict[str, Work] = {}
    wrong = []
    for key, says in entries.items():
        fields = {name: value for name, value in says.items() if name != "also"}
        optional = {*LINKS, "also"}
        if not FIELDS <= set(says) <= FIELDS | optional or not all(isinstance(one, str) for one in fields.values()):
            text = f"{key}: wanted are texts {', '.join(sorted(FIELDS))}, maybe {', '.join(sorted(optional))}. Mend it."
            wrong.append(text)
        for form in (key, *says.get("also", ())):
            if _form(form) in works:
                wrong.append(f"{key}: another entry is cited as {form}, too. Cite one of them otherwise.")
            works[_form(form)] = Work(key, fields)
    wrong += [text for number, why in to_read.items() for text in _not_to_read(number, why, works)]
    stop_on([Diagnostic(FILE, None, text) for text in wrong])
    written = [form for key, says in entries.items() for form in (key, *says.get("also", ()))]
    others = [r"\s+".join(map(re.escape, form.split())) for form in written if not _CITATION.fullmatch(form)]
    stays = rf"<summary>.*?</summary>|\{{\{{.*?\}}\}}|{STAYS}"
    pattern = re.compile(rf"{stays}|(?P<cited>{'|'.join([*others, _CITED])})", re.DOTALL | re.MULTILINE)
    return Literature(works, to_read, frozenset(map(_form, exceptions)), pattern)


def _not_to_read(number: str, why: Mapping[str, str], works: Mapping[str, Work]) -> Iterator[str]:
    """Yield what is wrong with what a lesson says to read next."""
    for key in why:
        if _form(key) not in works:
            yield f"[{NEXT}.{number}] names {key}, which has no entry. Mend it."
    words = sum(len(f"{key} {reason}".split()) for key, reason in why.items())
    if len(why) != HOW_MANY or words > MOST_WORDS:
        wanted = f"{HOW_MANY} of {MOST_WORDS} words at most are wanted"
        yield f"[{NEXT}.{number}] has {len(why)} works and {words} words; {wanted}."


def cited(source: NotebookSource, root: Path) -> NotebookSource:
    """Return the source with its citations as links; raises AuthoringError with those of what has no entry."""
    literature = read(root)
    if literature is None:
        return source
    cells = [_linked(cell, literature) if cell.kind == "markdown" else cell for cell in source.cells]
    prose = [cell for cell in source.cells if cell.kind == "markdown"]
    wrong = [(cell.line + line, text) for cell in prose for line, text in literature.unknown(cell.text)]
    stop_on([source.diagnostic(line, text) for line, text in wrong])
    return replace(source, cells=tuple(cells))


def _linked(cell: SourceCell, literature: Literature) -> SourceCell:
    text = literature.linked(cell.text, f"../reference/{PAGE}")
    return cell if text == cell.text else replace(cell, text=text, written=cell.text)


def to_read(root: Path, number: str) -> str:
    """Return the list of what to read after this lesson; raises ValueError where nothing is to be read."""
    literature = read(root)
    if literature is None or number not in literature.to_read:
        raise ValueError(f"{FILE} has no [{NEXT}.{number}].")
    lines = [
        f"- [{key}](../reference/{PAGE}#{literature.works[_form(key)].anchor}): {why}"
        for key, why in literature.to_read[number].items()
    ]
    return "\n".join([READ_NEXT, "", *lines, ""])
