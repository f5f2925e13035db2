"""Writes reference/, where a reader looks things up: made of what stands once elsewhere, or held against it.

The glossary is that of reference/glossary.toml. The errata are those of reference/errata.toml, with the figures of the
claims they name; the literature is that of reference/literature.toml, with the sections that cite it. Theorems are the
paragraphs of pages that begin with **Theorem** (source). or **Proposition.**, claims those of the lessons with their
records, cards the last figures of the paths. What is written by hand has its links kept (authoring/by_hand.py).
"""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from authoring import by_hand, errata, links, literature
from authoring.course import Lesson, Page, all_pages, tables
from authoring.diagnostics import AuthoringError, Diagnostic, one_line, refuse, relative, stop_on
from authoring.filling import CLAIMED, filled_ids, judged
from authoring.mentions import Course, stub_cells
from utils import rooms
from utils.claims.definition import Claim, UnknownClaim, find, lessons_with_claims, load_claims
from utils.claims.records import NoRecord
from utils.pages import KEY

FOLDER = "reference"
GLOSSARY = f"{FOLDER}/glossary.toml"
CITING = (errata.PAGE, "theorems.md")  # the lists whose citations lead to the literature
WRITTEN = "<!-- Written by `make build`: edit what it is made of. -->"
TITLE = re.compile(r"^# (\d\d.*)$", re.MULTILINE)
HEADING = re.compile(r"^(?=## )", re.MULTILINE)
MINUTES = re.compile(r" \(\d+ min\)$")
MARK = re.compile(r"\*\*(Theorem|Proposition)(?:\*\* \(([^()]*)\)\.|\.\*\*)\s")
MARK_LIKE = re.compile(r"\*\*(?:Theorem|Proposition|Lemma|Corollary)\b")
ABOUT_ERRATA = """\
Five texts were read closely for this page: *Depth vs width*, a tutorial of Neuromatch Academy (G. Mel de Fontenay);
*Going Deep: Why Depth Matters*, a notebook that others have adapted from module 14a of Dataflowr (A. Bursuc; what
follows is about the notebook, not the module); *Introducing Deep Learning*, from lecture notes (P. Chodrow, 2025); and
two that name no author: a chapter of an online book, and a set of slides.

They get most things right, and are worth reading ([From other texts](from_other_texts.md) says where the course covers
each of their parts). The tutorial asks one of the best questions about depth, the notebook draws what others only say,
and the chapter explains nearly every line of its code. Most of these mistakes are common, and not theirs alone. We have
made some, too: see the end. Figures come from the [claims](claims.md), with 95 % intervals; what is **open** there is
not decided yet."""
# A statement goes on over a formula of its own, and over a numbered list.
END = re.compile(r'\n(?:\n(?!\$\$|1\. )|- |</|""")|\Z')


@dataclass(frozen=True)
class Section:
    """A part of a page's source: from one heading to the next; ``heading`` is "" for what stands before the first."""

    page: Page
    line: int
    text: str

    @property
    def heading(self) -> str:
        """Return the heading without its marks, with the minutes."""
        return self.text.splitlines()[0][3:].rstrip() if self.text.startswith("## ") else ""

    @property
    def link(self) -> str:
        """Return a link to it, as JupyterLab forms the anchors of headings."""
        words = f"{self.page.stem.split('_')[0]}, {MINUTES.sub('', self.heading)}".removesuffix(", ")
        anchor = f"#{self.heading.replace(' ', '-')}" if self.heading else ""
        return f"[{words}](../notebooks/{self.page.stem}.ipynb{anchor})"

    def diagnostic(self, at: int, text: str) -> Diagnostic:
        """Return what is wrong at the place ``at`` of the text."""
        shown = relative(self.page.source("notebooks"), self.page.root)
        return Diagnostic(shown, self.line + self.text[:at].count("\n"), text)


@dataclass(frozen=True)
class Statement:
    """A theorem, which is quoted and has a ``source``, or a proposition, which is proved where it stands."""

    section: Section
    kind: str
    source: str
    says: str


def texts(root: Path) -> dict[Path, str]:
    """Return what the files of reference/ ought to hold, by path; nothing for a course without a glossary.

    Raises AuthoringError for a malformed glossary, statement, erratum or work, and for a claim that its record refutes.
    """
    if not (root / GLOSSARY).exists():
        return {}
    pages = all_pages(root)
    sections = [section for page in pages for section in sections_of(page)]
    made = {
        "glossary.md": _glossary(root, sections),
        errata.PAGE: _errata(root, sections),
        "theorems.md": _theorems(sections),
        "claims.md": _claims(sections),
        "cards.html": _cards(pages),
    }
    if works := literature.read(root):
        made[literature.PAGE] = _literature(works, sections, pages, made[errata.PAGE])
        made |= {name: works.linked(made[name], literature.PAGE) for name in CITING}
    written = by_hand.texts(root, _headings(root, sections))
    return {root / FOLDER / name: text for name, text in made.items()} | written


def diagnostics(root: Path) -> list[Diagnostic]:
    """Return what in reference/ is not what it ought to be."""
    try:
        wanted = texts(root)
    except AuthoringError as error:
        return error.diagnostics
    works, listed = literature.read(root), wanted.get(root / FOLDER / literature.PAGE, "")
    uncited = [one for one in dict.fromkeys(works.works.values()) if one.entry not in listed] if works else []
    unread = "{}: nothing cites this. Cite it, or leave it out."
    again = "not what the pages, the records, the glossary, the errata and the literature make. Build a lesson, any."
    return [Diagnostic(literature.FILE, None, unread.format(one.key)) for one in uncited] + [
        Diagnostic(relative(path, root), None, again)
        for path, text in wanted.items()
        if not path.exists() or path.read_bytes() != text.encode()
    ]


def sections_of(page: Page) -> list[Section]:
    """Return the parts of a page's source, in order."""
    found, line = [], 1
    for text in HEADING.split(page.source("notebooks").read_text(encoding="utf-8")):
        found.append(Section(page, line, text))
        line += text.count("\n")
    return found


def title(page: Page) -> str:
    """Return the page's title, with its number."""
    match = TITLE.search(page.source("notebooks").read_text(encoding="utf-8"))
    return match[1] if match else page.stem


def _headings(root: Path, sections: Sequence[Section]) -> dict[str, list[str]]:
    """Return the headings of pages, and of exercises, by the notebook in which they stand."""
    found: dict[str, list[str]] = {}
    for section in sections:
        found.setdefault(f"notebooks/{section.page.stem}.ipynb", []).append(section.heading)
    for lesson, heading in Course(root).exercises.values():
        found.setdefault(f"exercises/{lesson.stem}.ipynb", []).append(heading)
    return found


def _page(heading: str, about: str, lines: Sequence[str]) -> str:
    return "\n".join([f"# {heading}", "", about, "", *lines, "", WRITTEN, ""])


def _by_number(sections: Sequence[Section]) -> dict[str, Section]:
    """Return the sections by page and number, as in "01a 3"."""
    return {f"{section.page.stem.split('_')[0]} {section.heading.split(' ')[0]}": section for section in sections}


def _glossary(root: Path, sections: Sequence[Section]) -> str:
    by_number, rows, wrong = _by_number(sections), [], []
    for term, entry in sorted(tables(root, GLOSSARY).items(), key=lambda item: item[0].casefold()):
        section = by_number.get(entry.get("at", ""))
        known = {"is", "at"} <= set(entry) <= {"is", "at", "by", "letter", "code"}
        if section is None or not known or "|" in entry["is"]:
            text = f'{term}: wanted are a sentence `is`, without |, and page and section, as in at = "01a 3". Mend it.'
            wrong.append(Diagnostic(GLOSSARY, None, text))
            continue
        code = f"`{entry['code']}`" if "code" in entry else ""
        word = f'<a id="{word_anchor(term)}"></a>**{term}**'
        rows.append(f"| {word} | {entry.get('letter', '')} | {code} | {entry['is']} | {section.link} |")
    stop_on(wrong)
    about = "These are the course's words. Each quantity has one name and one letter on all pages."
    head = ["| word | letter | in code | what it is | introduced in |", "|---|---|---|---|---|"]
    return _page("Glossary", about, [*head, *rows])


def word_anchor(term: str) -> str:
    """Return the end of the address of a word in the glossary; of "He's weights" it is he-weights."""
    return errata.anchor(term.replace("'s ", " "))


def statements_of(section: Section) -> list[Statement]:
    """Return the theorems and propositions of a section; raises AuthoringError for one that is malformed."""
    marks = list(MARK.finditer(section.text))
    starts, found = [mark.start() for mark in marks], []
    form = "write **Theorem** (author year). or **Proposition.** before the statement."
    wrong = [
        section.diagnostic(match.start(), f"{match[0]} is not so marked that a build finds it: {form}")
        for match in MARK_LIKE.finditer(section.text)
        if match.start() not in starts
    ]
    for mark, following in zip(marks, [*starts[1:], None], strict=False):
        end = next(END.finditer(section.text, mark.end())).start()  # at the text's end, if nowhere before
        proved = "∎" in section.text[end:following]
        if mark[1] == "Theorem" and not re.search(r"\d{4}", mark[2] or ""):
            wrong.append(section.diagnostic(mark.start(), "a theorem is quoted: name its author and year behind it."))
        if mark[1] == "Proposition" and not proved:
            text = "a proposition is proved where it stands, up to ∎. Write the proof, or quote it as a theorem."
            wrong.append(section.diagnostic(mark.start(), text))
        says = re.sub(r"\$\$\s*(.*?)\s*\$\$", r"$\1$", " ".join(section.text[mark.end() : end].split()))
        found.append(Statement(section, mark[1], mark[2] or "", says))
    stop_on(wrong)
    return found


def _theorems(sections: Sequence[Section]) -> str:
    lines, last = [], None
    for one in (statement for section in sections for statement in statements_of(section)):
        if one.section.page != last:
            last = one.section.page
            lines += ["", f"## {title(last)}", ""]
        how = f"quoted: {one.source}" if one.kind == "Theorem" else f"proved there, after {one.source}"
        lines.append(f"- **{one.kind}** ({how.removesuffix(', after ')}; {one.section.link}). {one.says}")
    about = (
        "This is what the pages prove, or quote from those who proved it. A *proposition* is proved where it stands,\n"
        "often folded; a *theorem* is quoted."
    )
    return _page("Theorems and propositions", about, lines[1:])


def places(sections: Sequence[Section]) -> dict[str, list[Section]]:
    """Return the sections that show each claim, by its id, in order."""
    found: dict[str, list[Section]] = {}
    for section in sections:
        shown = [one for one, _ in filled_ids(section.text)] + CLAIMED.findall(section.text)
        for claim_id in dict.fromkeys(shown):
            found.setdefault(claim_id, []).append(section)
    return found


def _claims(sections: Sequence[Section]) -> str:
    stand, lines = places(sections), []
    wrong: list[Diagnostic] = []
    for number in lessons_with_claims():
        claims = load_claims(number)
        lines += [
            "",
            f"## Lesson {number}",
            "",
            "| claim | what is said | measured | rule | shown in |",
            "|---|---|---|---|---|",
        ]
        for one in claims.values():
            beside = [other.id for other in claims.values() if one.id in other.named]
            shown = "; ".join(section.link for section in stand.get(one.id, ())) or f"beside {', '.join(beside)}"
            says = f"{_cell(one.says)}<br>*Against it:* {_cell(one.tried)}" if one.tried else _cell(one.says)
            lines.append(f"| **{one.id}** | {says} | {_figures(one, wrong)} | {one.claimed} | {shown} |")
    stop_on(wrong)
    about = (
        "This is all that the course has measured, with 95 % intervals and rules. If one thing leads another, it also\n"
        "says how we tried to break that. A claim is **open** if its interval is not within its rule."
    )
    return _page("Claims", about, lines[1:])


def _figures(claim: Claim, wrong: list[Diagnostic]) -> str:
    """Return what the claim measures, with its figures; what its record refutes is put down as ``wrong``."""
    figures = "not recorded yet"
    try:
        found = judged(claim.id)
        figures = f"{found.figures}, {found.seeds} seeds{', **open**' * (found.verdict == 'open')}"
    except NoRecord:
        pass
    except ValueError as error:
        wrong.append(Diagnostic(f"results/{claim.experiment.name}.json", None, one_line(str(error))))
    return f"{_cell(claim.of)}: {figures}"


def _errata(root: Path, sections: Sequence[Section]) -> str:
    by_number, stand, lines, wrong = _by_number(sections), places(sections), [], []
    fields, last = {"under", "said", "where", "fact", "at"}, None
    for name, entry in errata.read(root).items():
        section = by_number.get(entry.get("at", ""))
        if section is None or not fields <= set(entry) <= fields | {"claims"}:
            text = (
                f"{name}: wanted are `under` which heading, what is `said`, `where`, the `fact`, page and section, "
                'as in at = "01a 3", and maybe a list of `claims`. Mend it.'
            )
            wrong.append(Diagnostic(errata.FILE, None, text))
            continue
        lines += [f"## {entry['under']}", ""] if entry["under"] != last else []
        last, how = entry["under"], "Measured" if "claims" in entry else "Shown"
        said, fact = f"**Said** in {entry['where']}: {entry['said']}", f"**In fact:** {entry['fact']}"
        measured = [_measured(name, one, section, stand, wrong) for one in entry.get("claims", ())]
        lines += [
            f'<a id="{errata.anchor(name)}"></a>',
            "",
            f"### {name}",
            "",
            said,
            "",
            fact,
            "",
            f"*{how} here:* {section.link}.",
            "",
        ]
        lines += [*measured, ""] if measured else []
    stop_on(wrong)
    return _page("Errata: what is often said of depth, and what is so", ABOUT_ERRATA, lines[:-1])


def _measured(
    name: str, claim_id: str, here: Section, stand: Mapping[str, list[Section]], wrong: list[Diagnostic]
) -> str:
    """Return what a claim says below the erratum of this name, with its figures; and with links where it is not shown
    ``here``, but elsewhere.
    """
    try:
        claim = find(claim_id)
    except UnknownClaim as error:
        wrong.append(Diagnostic(errata.FILE, None, f"{name}: {one_line(str(error))} Mend it."))
        return ""
    shown = stand.get(claim_id, [])
    links = [] if here in shown else [one.link for one in shown]
    return f"- {_cell(claim.says).removesuffix('.')} ({'; '.join([_figures(claim, wrong), *links])})."


def _literature(
    works: literature.Literature, sections: Sequence[Section], pages: Sequence[Page], corrected: str
) -> str:
    """Return the list of works with the sections, paths' ends, exercises and errata that cite them, without a work that
    nothing does; raises AuthoringError for what a prediction or an erratum cites without an entry.
    """
    wrong = [Diagnostic(errata.FILE, None, complaint) for _, complaint in works.unknown(corrected)]
    citing = []
    for section in sections:
        room = section.page.room
        said = [text for key, text in _predicted(section.page.number).items() if f'"{key}"' in section.text]
        unknown = [complaint for text in said for _, complaint in works.unknown(text)]
        wrong += [Diagnostic(f"utils/{room.name}/page.py", None, complaint) for complaint in dict.fromkeys(unknown)]
        citing.append((section.link, "\n\n".join([section.text, *said])))
    for page in (one for one in pages if isinstance(one, Lesson)):
        read_next = "; ".join(works.to_read.get(page.number, ()))
        citing.append((f"[{page.number}, Read next](../notebooks/{page.stem}.ipynb)", read_next))
        citing.append((f"[{links.name(page, 'exercises')}](../exercises/{page.stem}.ipynb)", _unlinked(page)))
    shown: dict[literature.Work, dict[str, None]] = {}
    for link, text in [*citing, (f"[errata]({errata.PAGE})", corrected)]:
        for _, _, work in works.found(text):
            if work:
                shown.setdefault(work, {})[link] = None
    stop_on(wrong)
    listed = sorted(shown.items(), key=lambda item: item[0].anchor)
    about = "These are the works that the pages cite, sorted by the first author's name, and where they are cited."
    return _page("Literature", about, [f"- {work.entry} *Cited in* {'; '.join(there)}." for work, there in listed])


@cache
def _predicted(number: str) -> dict[str, str]:
    """Return what a lesson's room says of each prediction, by its key, as far as it is text."""
    path = rooms.file_of(rooms.FOLDER / f"lesson_{number}", "page")
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path else ():
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and KEY.fullmatch(str(key.value)):
                parts = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
                found[str(key.value)] = "\n\n".join(part for part in parts if isinstance(part, str))
    return found


def _unlinked(lesson: Lesson) -> str:
    """Return the prose of a lesson's exercises, without the links that a build has put there."""
    prose = "\n\n".join(text for text, _ in stub_cells(lesson.notebook("exercises"), lesson.root))
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", prose)


def _cell(text: str) -> str:
    return html.escape(text, quote=False).replace("|", "\\|").replace("*", "\\*").replace("$", "\\$")


STYLE = """
@page { size: A4 landscape; margin: 7mm; }
body { font: 10pt sans-serif; margin: 0.5mm; }
h1 { position: absolute; clip-path: inset(50%); }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 3mm; }
figure { margin: 0; padding: 2mm; border: 0.3mm solid #767676; border-radius: 2mm; break-inside: avoid; }
figcaption { font-weight: bold; margin-bottom: 1mm; }
@media screen and (max-width: 700px) { main { display: block; } figure { margin-bottom: 3mm; } }
img { width: 100%; max-height: 50mm; object-fit: contain; display: block; }
"""


def _cards(pages: Sequence[Page]) -> str:
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        "<title>The cards of all lessons</title>",
        '<meta name="viewport" content="width=device-width">',
        '<link rel="icon" href="data:,">',
        f"<style>{STYLE}</style>",
        WRITTEN,
        "<main>",
        "<h1>The cards of all lessons</h1>",
    ]
    for page in pages:
        if isinstance(page, Lesson) and (card := _card(page)):
            source = f"data:image/png;base64,{''.join(card['data']['image/png'].split())}"
            words = html.escape("".join(card["data"]["text/plain"]))
            lines += [
                f"<figure><figcaption>{html.escape(title(page))}</figcaption>",
                f'<img src="{source}" alt="{words}"></figure>',
            ]
    return "\n".join([*lines, "</main>", "</html>", ""])


def _card(page: Page) -> dict | None:
    """Return the output of a built page that is the lesson's card, None where it shows none."""
    path = page.notebook("notebooks")
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []
    except (ValueError, KeyError, TypeError):
        raise refuse(relative(path, page.root), None, "this is no notebook. Delete it and build its lesson.") from None
    drawn = [output for cell in cells if "page.card()" in "".join(cell["source"]) for output in cell["outputs"]]
    return next((output for output in drawn if "image/png" in output.get("data", {})), None)
