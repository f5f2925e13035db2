"""Results as files: ``grades.csv``, a page of feedback for each student, and a page about the class."""

from __future__ import annotations

import contextlib
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup, escape

from grading.class_summary import OUTCOMES, ClassSummary, in_order, on_page
from grading.course import title
from grading.final_scores import FinalScore
from grading.lateness import Lateness
from grading.names import without_names
from grading.platforms import PlatformFiles
from grading.pseudonyms import Naming, by_name
from grading.readers import LessonReaders
from grading.tables import clean, csv_text, line, number
from utils.feedback import CLEAR
from utils.files import replace_file

if TYPE_CHECKING:
    import jinja2

COLUMNS = ("student", "lesson", "status", "score", "max_score")
LATE_COLUMNS = ("handed_in", "days_late", "penalty", "final_score")
IDS_FILE = "ids.csv"
MOST_LINES = 12  # of code that a page shows unfolded
_OURS = 'content="python -m grading"'  # stands in every page, and tells ours from others in the same folder
_SENTENCES = {
    "pending": "Marked, except for the texts that are still to be marked by hand.",
    "graded": "",
    "timeout": "Not marked, because the answers ran for too long.",
    "crashed": "Not marked, because the answers ended the process that ran them.",
    "unreadable": "Not marked, because this notebook could not be read.",
}


def write(
    folder: Path,
    students: Iterable[Sequence[FinalScore]],
    naming: Naming,
    lateness: Lateness,
    readers: Sequence[LessonReaders] = (),
    platform: PlatformFiles | None = None,
) -> None:
    """Write the grades and the pages into ``folder``, each file whole or not at all, and what ``platform`` takes back.

    ``readers`` says what the class predicted and remarked while it read. A page that an earlier export wrote, and
    that shows nobody's results any more, is removed.
    """
    (folder / "feedback").mkdir(exist_ok=True)
    rows: list[dict[str, str]] = []
    exercises: dict[str, None] = {}
    ids: dict[str, str] = {}
    summary = ClassSummary()
    for scores in students:
        student = scores[0].mark.student
        ids[naming(student)] = student
        shown = [_shown(score, naming) for score in scores]
        name = f"feedback/{page_name(naming(student))}"
        text = page(shown, lateness)
        replace_file(folder / name, text)
        if platform:
            platform.add(scores, text)
        summary.add(shown, name)
        rows += [_row(score) for score in shown]
        exercises |= dict.fromkeys(exercise.id for score in scores for exercise in score.mark.exercises)
    if naming is not by_name:
        rows.sort(key=lambda row: (row["student"], row["lesson"]))  # the order of the names would tell who is who
        summary.entries.sort(key=lambda entry: (entry.score.mark.student, entry.score.mark.lesson))
        whose = [{"id": id, "student": line(student)} for id, student in sorted(ids.items())]
        replace_file(folder / IDS_FILE, csv_text(("student", "id"), whose), private=True)
    late = LATE_COLUMNS if lateness.applies or any(row["handed_in"] or row["days_late"] for row in rows) else ()
    columns = [*COLUMNS, *sorted(exercises, key=in_order), *late]
    table = csv_text(columns, ({name: row.get(name, "") for name in columns} for row in rows))
    replace_file(folder / "grades.csv", table)
    replace_file(folder / "index.html", class_page(summary, readers))
    if platform:
        platform.write(folder)
    _remove_old_pages(folder / "feedback", {page_name(name) for name in ids})


def page(scores: Sequence[FinalScore], lateness: Lateness) -> str:
    """Return one student's feedback as HTML; whatever came from the student is escaped."""
    student = scores[0].mark.student
    return _template("feedback.html").render(
        student=student,
        scores=[_in_order_of_page(score) for score in scores],
        sentences=_SENTENCES,
        lateness=lateness,
        most_lines=MOST_LINES,
        style=_css(),
    )


def _in_order_of_page(score: FinalScore) -> FinalScore:
    mark = score.mark
    exercises = sorted(mark.exercises, key=lambda one: on_page(one.id))
    texts = dict(sorted(mark.texts.items(), key=lambda one: on_page(one[0])))
    return replace(score, mark=replace(mark, exercises=exercises, texts=texts))


def class_page(summary: ClassSummary, readers: Sequence[LessonReaders] = ()) -> str:
    """Return the page about the class as HTML."""
    has_late = any(entry.score.days_late is not None for entry in summary.entries)
    return _template("index.html").render(
        summary=summary,
        readers=readers,
        outcomes=OUTCOMES,
        words=CLEAR,
        has_late=has_late,
        sentences=_SENTENCES,
        style=_css(),
    )


def page_name(student: str) -> str:
    """Return the file name of a student's page: plain on every system, and another one for each student.

    The digest tells students apart whose names are alike where letters' case and accents do not count.
    """
    decomposed = unicodedata.normalize("NFKD", student).lower()
    words = re.findall("[a-z0-9]+", "".join(one for one in decomposed if not unicodedata.combining(one)))
    slug = "-".join(words)[:40].strip("-") or "student"
    return f"{slug}-{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.html"


def _shown(score: FinalScore, naming: Naming) -> FinalScore:
    """Return the score under the name that is shown; with ids, no sentence names a file either."""
    if naming is by_name:
        return score
    mark = score.mark
    problem, remark = without_names(mark.problem), without_names(mark.remark)
    return replace(score, mark=replace(mark, student=naming(mark.student), problem=problem, remark=remark))


def _remove_old_pages(folder: Path, current: set[str]) -> None:
    for path in folder.glob("*.html"):
        if path.name not in current and path.is_file():
            with contextlib.suppress(UnicodeDecodeError), path.open(encoding="utf-8") as file:
                if _OURS in file.read(1000):
                    path.unlink()


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # here, so that nothing waits for it before a class is marked

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value,
    )
    environment.filters["title"] = title
    environment.filters["points"] = lambda value: f"{value:g}"
    environment.filters["prose"] = _prose
    environment.filters["address"] = quote
    return environment


@cache
def _template(name: str) -> jinja2.Template:
    return _environment().get_template(name)


@cache
def _css() -> Markup:
    return Markup((Path(__file__).parent / "templates" / "style.css").read_text(encoding="utf-8"))


def _prose(text: str) -> Markup:
    """Return a sentence as HTML, what stands in backticks as code."""
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(clean(text)))))


def _row(score: FinalScore) -> dict[str, str]:
    mark = score.mark
    counted = {} if mark.score is None else {exercise.id: number(exercise.points) for exercise in mark.exercises}
    facts = (line(mark.student), mark.lesson, mark.status, number(mark.score), number(mark.max_score))
    late = (
        score.time.isoformat(timespec="seconds") if score.time else "",
        "" if score.days_late is None else str(score.days_late),
        "" if mark.score is None else number(score.penalty),
        number(score.final),
    )
    return {**dict(zip(COLUMNS, facts, strict=True)), **counted, **dict(zip(LATE_COLUMNS, late, strict=True))}
