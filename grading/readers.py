"""What a class predicted and remarked while it read: from ``my-course.json``, which students may hand in along.

``download()`` gives each reader that file, see ``utils.local_storage``. The questions, their choices and the right ones
stand in the built notebooks, folded where they are answered: no lesson's code is run for them.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from grading.course import ROOT
from grading.gradebook import Gradebook
from grading.names import quoted
from grading.submissions import Changing, StudentFiles, Unreadable, own_files_of
from grading.tables import clean
from utils.feedback import CLEAR
from utils.local_storage import FEEDBACK, PREDICTIONS, parse

MAX_BYTES = 1_000_000
MAX_FILES = 10  # of one student
MAX_REMARKS = 3  # of one student on one section: the last ones
LONGEST = 500  # characters of a remark
DAMAGED = (
    f"is damaged, larger than {MAX_BYTES // 1_000_000} MB, or not what download() gives. Nothing was read from it, "
    "and your points do not depend on it."
)
_HEADING = re.compile(r"^#+ (.*?)(?: \([^()]*\bmin\))?$", re.MULTILINE)
_BOLD_QUESTION = re.compile(r"\*\*([^*]+\?)\*\*")
_CALL = re.compile(r'^(predict|feedback)\("([^"]+)"', re.MULTILINE)
_CHOICES = re.compile(
    r"(?:<b>([^<]*)</b> </p><ol>(?:<li>[^<]*</li>)+</ol><details>(?:(?!<ol).)*)?"
    r'<ol data-prediction="([^"]+)">(.*?)</ol>',
    re.DOTALL,
)
_CHOICE = re.compile(r'<li data-right="(yes|no)">(?:✓ )?<b>(.*?)</b>', re.DOTALL)


@dataclass(frozen=True)
class Question:
    """A prediction as its page asks for it: the section, the question, the choices, the right one's number from 1."""

    key: str
    section: str
    text: str
    choices: tuple[str, ...]
    right: int


@dataclass
class AskedQuestions:
    """What the course's pages ask: the predictions by key, and the sections of which they ask for a remark."""

    questions: dict[str, Question] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)


@dataclass
class PredictionSummary:
    """How many of the class chose what: ``chosen`` counts them by the choice's number."""

    question: Question
    chosen: Counter[int]

    @property
    def wrong(self) -> int:
        """Return how many did not choose the right one."""
        return self.chosen.total() - self.chosen[self.question.right]

    @property
    def rows(self) -> list[tuple[str, bool, int, float]]:
        """Return each choice, whether it is right, how many chose it, and their percentage."""
        counts = [(text, number, self.chosen[number]) for number, text in enumerate(self.question.choices, 1)]
        return [
            (text, number == self.question.right, count, 100 * count / self.chosen.total())
            for text, number, count in counts
        ]


@dataclass
class SectionRemarks:
    """What the class remarked of one section: how many chose each of the three words, and the texts with theirs."""

    section: str
    words: Counter[str] = field(default_factory=Counter)
    texts: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class LessonReaders:
    """What the class predicted and remarked in one lesson, the prediction that fooled most of it first."""

    number: str
    predictions: list[PredictionSummary]
    remarks: list[SectionRemarks]


@cache
def asked(root: Path = ROOT) -> AskedQuestions:
    """Return what the built notebooks ask, in the pages' order; a notebook that is not built has no questions."""
    found = AskedQuestions()
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        _read_page(json.loads(path.read_text(encoding="utf-8"))["cells"], found)
    return found


def _read_page(cells: Iterable[Mapping[str, Any]], found: AskedQuestions) -> None:
    section, above, texts = "", "", {}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            headings = list(_HEADING.finditer(source))
            section = headings[-1][1] if headings else section
            above = source[headings[-1].end() :] if headings else f"{above}\n{source}"
        for call, key in _CALL.findall(source):
            if call == "feedback":
                found.sections[key] = section
            else:
                texts[key] = _question(above)
        shown = "".join("".join(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", ()))
        for text, key, items in _CHOICES.findall(shown):
            choices = _CHOICE.findall(items)
            right = [is_right for is_right, _ in choices].index("yes") + 1
            words = tuple(html.unescape(choice) for _, choice in choices)
            found.questions[key] = Question(key, section, html.unescape(text) or texts.get(key, ""), words, right)


def _question(above: str) -> str:
    """Return the last question in bold of what stands above a prediction, "" for none; formulas lose their dollars."""
    words = " ".join((_BOLD_QUESTION.findall(above) or [""])[-1].replace("$", "").split())
    return words[:1].upper() + words[1:]


def take_in(students: Iterable[StudentFiles], gradebook: Gradebook) -> list[StudentFiles]:
    """Keep what students' own files hold, and return the students with a remark for what cannot be read.

    What an earlier file held stays. A file in motion is left for the next run.
    """
    before = dict(gradebook.readers())
    found = []
    for files in students:
        known = before.get(files.student, {PREDICTIONS: {}, FEEDBACK: {}})
        kept, remarks = known, []
        for name, content in sorted(_contents(files), key=_older_first):
            try:
                kept = _joined(kept, kept_in(content))
            except ValueError:
                remarks.append(f"{quoted(name)} {DAMAGED}")
        if kept != known:
            gradebook.put_reader(files.student, kept)
        found.append(replace(files, remark=" ".join(remarks)))
    return found


def _older_first(file: tuple[str, bytes]) -> tuple[int, str]:
    """Return what sorts copies: a browser calls the next one my-course (1).json."""
    return len(file[0]), file[0]


def _contents(files: StudentFiles) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each of the student's own files, no bytes where they cannot be read."""
    try:
        for document in islice(own_files_of(files), MAX_FILES):
            try:
                yield document.name, document.read(MAX_BYTES)
            except Unreadable:
                yield document.name, b""
    except Changing:
        return


def kept_in(content: bytes) -> dict[str, dict]:
    """Return what is kept of a file: the choices' numbers and the remarks, by key; raises ValueError for a damaged one.

    A number counts where the page has that choice under it, a remark where the page asks for one.
    """
    kept, course = parse(content), asked()
    predictions = {
        key: number
        for key, entry in kept.get(PREDICTIONS, {}).items()
        if key in course.questions and (number := _number(entry, course.questions[key].choices))
    }
    remarks = {
        key: said
        for key, entries in kept.get(FEEDBACK, {}).items()
        if key in course.sections and (said := _remarks(entries))
    }
    return {PREDICTIONS: predictions, FEEDBACK: remarks}


def _number(entry: Any, choices: Sequence[str]) -> int | None:
    """Return the number of the choice that was committed to, None for none, or for one of another version."""
    number = entry.get("number") if isinstance(entry, dict) else None
    is_one = type(number) is int and 1 <= number <= len(choices) and entry.get("choice") == choices[number - 1]
    return number if is_one else None


def _remarks(entries: Any) -> list[list[str]]:
    """Return the word and the text of each remark."""
    said = [
        [entry["clear"], _short(entry.get("text"))]
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and entry.get("clear") in CLEAR
    ]
    return said[-MAX_REMARKS:]


def _short(text: Any) -> str:
    line = clean(" ".join(text.split())) if isinstance(text, str) else ""
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _joined(before: Mapping[str, dict], now: Mapping[str, dict]) -> dict[str, dict]:
    return {kind: {**before[kind], **now[kind]} for kind in (PREDICTIONS, FEEDBACK)}


def of_class(readers: Iterable[tuple[str, Mapping[str, Any]]]) -> list[LessonReaders]:
    """Return what a class predicted and remarked, lesson by lesson, from what was kept of each student."""
    everything = [kept for _, kept in readers]
    if not everything:
        return []
    course = asked()
    predictions = [
        PredictionSummary(question, Counter(chosen))
        for key, question in course.questions.items()
        if (
            chosen := [
                number
                for kept in everything
                if (number := kept[PREDICTIONS].get(key, 0)) in range(1, len(question.choices) + 1)
            ]
        )
    ]
    remarks = {
        key: _together(section, said)
        for key, section in course.sections.items()
        if (said := [one for kept in everything for one in kept[FEEDBACK].get(key, ())])
    }
    lessons = sorted({one.question.key[:2] for one in predictions} | {key[:2] for key in remarks})
    return [
        LessonReaders(
            lesson,
            sorted((one for one in predictions if one.question.key[:2] == lesson), key=lambda one: -one.wrong),
            [one for key, one in remarks.items() if key[:2] == lesson],
        )
        for lesson in lessons
    ]


def _together(section: str, said: Iterable[Sequence[str]]) -> SectionRemarks:
    """Return what was said of one section, in an order that does not tell who said it."""
    in_order = sorted(said, key=lambda one: (CLEAR.index(one[0]), one[1]))
    words = Counter(word for word, _ in in_order)
    return SectionRemarks(section, words, [(word, text) for word, text in in_order if text])
