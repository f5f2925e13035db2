"""Reading what a student handed in: which notebook counts, and where in it each answer stands.

Learning platforms rewrite notebooks: they drop cell ids and metadata, change the format's version, add a byte
order mark. So a file is read as JSON, leniently, and answers are found by their text alone.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from authoring.notebook import WRITE_HERE
from grading.names import quoted, some
from grading.submissions import MAX_ARCHIVE_BYTES, MAX_BYTES, Document, StudentFiles, Unreadable, notebooks_of
from utils.exercises.cells import call, exercise_id, is_set_up

MAX_ITEMS = 1_000_000  # lists, objects and their entries in one notebook: each takes a hundred times its own bytes
MAX_TOKENS = 5_000_000  # texts and brackets through which the ends of outputs are looked for: seconds
MAX_SOURCE = 5_000_000  # characters in all cells of one notebook
MAX_CELLS = 10_000  # of one notebook
MAX_NOTEBOOKS = 100  # of one student
MAX_TEXT = 50_000  # characters of a free text
MAX_PRINTED = 200  # characters of what a check printed
_MOST_NAMED = 5  # files in one sentence
_CELL_BYTES, _CHARACTER_BYTES = 200, 4  # of memory, at most
# Comments, and texts, with those that never end. Nothing is tried twice: whatever a cell holds, one look is enough.
_TEXT = re.compile(
    r"#[^\n]*+|\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+(?:\"\"\")?|'''(?:[^'\\]|\\.|'(?!''))*+(?:''')?"
    r"|\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\.|[^'\\\n])*+'?",
    re.DOTALL,
)
# What nobody reads and may be large, up to its first bracket; texts, perhaps without an end; brackets.
_TOKEN = re.compile(rb'(?P<begin>"(?:outputs|metadata)"\s*+:\s*+[\[{])|"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_TOO_MANY = "The notebook holds too many outputs. Clear them and save it again."
TURNED = "Its cell is a text cell, and was read as code. Turn it back into a code cell."
_ONLY_ONE = "hand in only the notebook that counts."


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """One cell of a notebook: ``kind`` is "code", "markdown" or "raw".

    ``executed`` says as which code cell it ran last, 0 where no number was saved, ``printed`` is the beginning of what
    a check printed then.
    """

    kind: str
    source: str
    executed: int = 0
    printed: str = ""


@dataclass(frozen=True)
class Submission:
    """One student's notebook for one lesson; ``problem`` is a sentence where it cannot be marked, else empty.

    ``name`` is the file's, ``file`` its path as the platform gave it; ``time`` says when it was handed in, None where
    nobody knows, and ``late`` whether the platform calls it late. ``remark`` is what else is to be said of what the
    student handed in.
    """

    student: str
    lesson: str
    digest: str
    cells: tuple[NotebookCell, ...] = ()
    problem: str = ""
    name: str = ""
    time: datetime | None = None
    late: bool = False
    version: tuple[str, int] | None = None
    remark: str = ""
    file: str = ""


@dataclass(frozen=True)
class Answer:
    """Where an exercise's answer stands: the cell's index (None where there is none), and what was odd about it."""

    index: int | None
    note: str = ""


def read(files: StudentFiles, lesson: str | None = None, *, all_versions: bool = False) -> list[Submission]:
    """Return the student's submissions, one for each lesson (only ``lesson`` where it is given).

    Of several for one lesson the last counts, where the platform's numbers or known times tell which it is; with
    ``all_versions`` all of them are returned then, the last one last. Where nothing tells, the only one with answers
    counts. Where there are more, and where nothing can be read, there is one submission with a problem: a person
    decides. Raises Changing for a file in motion.
    """
    everything = _read_all(files, lesson)
    readable = [submission for submission in everything if not submission.problem]
    remark = _remark(_once(everything), files.remark) if readable else ""
    by_lesson: dict[str, list[Submission]] = {}
    for submission in readable or everything:
        by_lesson.setdefault(submission.lesson, []).append(submission)
    chosen = [one for _, group in sorted(by_lesson.items()) for one in _that_count(group, all_versions)]
    path = files.documents[0].file if files.documents else files.file  # of what could not be opened
    return [replace(submission, remark=remark, file=submission.file or path) for submission in chosen]


def _read_all(files: StudentFiles, lesson: str | None) -> list[Submission]:
    """Return what each of the student's notebooks holds, within the limits for one student."""
    found: list[Submission] = []
    left = MAX_ARCHIVE_BYTES
    for count, document in enumerate(notebooks_of(files)):
        if count == MAX_NOTEBOOKS:
            return [_too_much(files.student, lesson)]
        if isinstance(document, Unreadable):
            submission = _failed(files.student, lesson, str(document))
        else:
            submission, size = _read_one(files.student, document, lesson)
            left -= size
        if left < 0:
            return [_too_much(files.student, lesson)]
        found.append(submission)
    return found or [_failed(files.student, lesson, "No .ipynb file was handed in.")]


def _too_much(student: str, lesson: str | None) -> Submission:
    return _failed(student, lesson, f"There is more than can be read: {_ONLY_ONE}")


def _failed(student: str, lesson: str | None, problem: str, digest: str = "", **more: Any) -> Submission:
    return Submission(student, lesson or "", digest or _digest(problem.encode()), problem=problem, **more)


def _read_one(student: str, document: Document, wanted: str | None) -> tuple[Submission, int]:
    """Return what one notebook holds, and its bytes, those of memory that its cells take included."""
    facts = {name: getattr(document, name) for name in ("name", "time", "late", "version", "file")}
    data = b""
    try:
        data = document.read(MAX_BYTES)
        cells = cells_of(data)
        lesson = _lesson_of(cells, wanted)
    except Unreadable as error:
        return _failed(student, wanted, str(error), _digest(data) if data else "", **facts), len(data)
    kept = sum(_CELL_BYTES + _CHARACTER_BYTES * len(cell.source) for cell in cells)
    return Submission(student, lesson, _digest(data), cells, **facts), len(data) + kept


def _that_count(group: list[Submission], all_versions: bool) -> list[Submission]:
    """Return the last of a student's submissions for one lesson, or all in their order; the answered one, or a problem.

    The last counts, also where an earlier one equals it. Of all versions, the first of two alike is returned: where the
    best one counts, that is the less late.
    """
    in_order = _in_order(group) or _in_order(group := _once(group))
    if in_order:
        return _once(in_order) if all_versions else in_order[-1:]
    answered = [one for one in group if not one.problem and _has_answers(one.cells)]
    if len(answered) < 2 and not group[0].problem:
        return answered or group[:1]  # beside it lie stubs as they were handed out
    first = group[0]
    names = some(sorted(quoted(submission.name) for submission in group), _MOST_NAMED)
    digest = _digest("".join(sorted(submission.digest for submission in group)).encode())
    problem = " ".join(dict.fromkeys(submission.problem for submission in group[:3])).strip()
    problem = problem or f"There are {len(group)} notebooks for lesson {first.lesson} ({names}): {_ONLY_ONE}"
    times = [one.time for one in group if one.time]
    facts = {"time": max(times, default=None), "late": any(one.late for one in group), "file": first.file}
    return [_failed(first.student, first.lesson, problem, digest, **facts)]


def _has_answers(cells: tuple[NotebookCell, ...]) -> bool:
    """Return whether something was written into a cell of an exercise."""
    found = [(exercise, cell.source) for cell in cells if (exercise := exercise_id(cell.source))]
    return any(not _is_untouched(source, exercise) and WRITE_HERE not in source for exercise, source in found)


def _once(group: list[Submission]) -> list[Submission]:
    """Return the first of those that are alike."""
    found: dict[str, Submission] = {}
    for submission in group:
        found.setdefault(submission.digest, submission)
    return list(found.values())


def _in_order(group: list[Submission]) -> list[Submission]:
    """Return the submissions in the order in which they were handed in, [] where nothing tells it."""
    if len(group) == 1:
        return group
    versions = [one.version or ("", 0) for one in group]
    if all(one.version for one in group) and len({name for name, _ in versions}) == 1 and len(set(versions)) > 1:
        return [one for _, one in sorted(zip(versions, group, strict=True), key=lambda pair: pair[0])]
    by_time = {one.time: one for one in group if one.time}
    return [by_time[time] for time in sorted(by_time)] if len(by_time) == len(group) else []


def _remark(everything: list[Submission], more_to_say: str) -> str:
    """Return a sentence about the notebooks that could not be read, and what is said of other files."""
    problems = [
        f"{quoted(submission.name)}: {submission.problem}".removeprefix("``: ")
        for submission in everything
        if submission.problem
    ]
    more = len(problems) - _MOST_NAMED
    left = [f"And {more} more."] if more > 0 else []
    said = ["Something else could not be read.", *problems[:_MOST_NAMED], *left] if problems else []
    return " ".join([*said, more_to_say]).strip()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def cells_of(data: bytes) -> tuple[NotebookCell, ...]:
    """Return a notebook's cells, of any version of the format; raises Unreadable for what is no notebook."""
    if not data.strip():
        raise Unreadable("The file is empty. Save the notebook and hand it in again.")
    if _items(data) > MAX_ITEMS:
        data = _without_outputs(data)
    if _items(data) > MAX_ITEMS:
        raise Unreadable(_TOO_MANY)
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable(
            "The file is not a notebook, or it is damaged. Save it as .ipynb and hand it in again."
        ) from None
    raw = notebook.get("cells") if isinstance(notebook, dict) else None
    if raw is None and isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        raw = [cell for sheet in sheets for cell in _list(sheet.get("cells"))]
    if not isinstance(raw, list):
        raise Unreadable("The file is not a notebook: it has no cells. Hand in the exercise notebook itself.")
    cells = tuple(_cell(cell) for cell in raw if isinstance(cell, dict))
    if len(cells) > MAX_CELLS or sum(len(cell.source) for cell in cells) > MAX_SOURCE:
        raise Unreadable(
            "The cells hold more text than can be read. Hand in only the exercise notebook with your answers."
        )
    return cells


def _items(data: bytes) -> int:
    """Return at most how many lists and objects, and entries of them, there are."""
    return sum(map(data.count, (b"[", b"{", b",")))


def _without_outputs(data: bytes) -> bytes:
    """Return a notebook's text with its outputs and metadata empty, without building what they hold.

    Raises Unreadable where looking for their ends takes too long.
    """
    kept, start, depth = bytearray(), 0, 0
    for count, token in enumerate(_TOKEN.finditer(data)):
        if count == MAX_TOKENS:
            raise Unreadable(_TOO_MANY)
        last = data[token.end() - 1]
        if depth == 0 and token.lastgroup:
            kept += data[start : token.end()]
            depth = 1
        elif depth and last in b"[{":
            depth += 1
        elif depth and last in b"]}":
            depth, start = depth - 1, token.end() - 1
    return bytes(kept) if depth else bytes(kept + data[start:])


def _cell(cell: dict[str, Any]) -> NotebookCell:
    source = cell.get("source", cell.get("input", ""))  # "input" in version 3 of the format
    text = source if isinstance(source, str) else "".join(part for part in _list(source) if isinstance(part, str))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kind = said if (said := cell.get("cell_type")) in ("code", "raw") else "markdown"
    executed = number if kind == "code" and type(number := cell.get("execution_count")) is int else 0
    return NotebookCell(kind, text, executed, _printed(cell) if executed and call(text) else "")


def _printed(cell: dict[str, Any]) -> str:
    """Return the beginning of a cell's first output."""
    first = next((one for one in _list(cell.get("outputs")) if isinstance(one, dict)), {})
    parts = first.get("text")
    text = parts if isinstance(parts, str) else next((one for one in _list(parts) if isinstance(one, str)), "")
    return text[:MAX_PRINTED]


def _list(value: Any) -> list:
    return value if isinstance(value, list) else []


def _lesson_of(cells: tuple[NotebookCell, ...], wanted: str | None) -> str:
    """Return the lesson that most of the exercises' ids name; raises Unreadable where it is not the wanted one."""
    ids = [found for cell in cells if (found := exercise_id(cell.source))]
    if not ids:
        example = f"{wanted or '01'}.1"
        if any(is_set_up(cell.source) for cell in cells):
            raise Unreadable(
                "This is a page to read, not its exercises. Hand in the notebook of exercises, where you wrote "
                f"your answers into cells below lines such as # exercise {example}."
            )
        raise Unreadable(f"No exercise was found. An answer's cell must begin with the line # exercise {example}.")
    if wanted is not None and any(found[:2] == wanted for found in ids):
        return wanted
    lesson = Counter(found[:2] for found in ids).most_common(1)[0][0]
    if wanted is not None:
        raise Unreadable(f"This is the notebook of lesson {lesson}, but lesson {wanted} is being marked.")
    return lesson


def find_answer(cells: tuple[NotebookCell, ...], exercise: str, name: str) -> Answer:
    """Return where the function ``name`` that answers ``exercise`` stands.

    The last cell that begins with the exercise's line and binds the name counts; where that is untouched, or the line
    was lost, the last cell that defines the function; where nothing does, the last cell with the line. Where no code
    cell has either, one that was turned to text is read as the code that it was.
    """
    code = [(i, cell.source) for i, cell in enumerate(cells) if cell.kind == "code"]
    if not any(exercise_id(source) == exercise or defines(source, name) for _, source in code):
        turned = [
            i for i, cell in enumerate(cells) if exercise_id(cell.source) == exercise and binds(cell.source, name)
        ]
        return Answer(turned[-1], TURNED) if turned else Answer(None)
    marked = [i for i, source in code if exercise_id(source) == exercise]
    binding = [i for i in marked if binds(cells[i].source, name)]
    touched = [i for i in binding if not _is_untouched(cells[i].source, exercise)]
    others = [i for i, source in code if exercise_id(source) is None and defines(source, name)]
    written = [i for i in others if not _is_untouched(cells[i].source, exercise)]
    if len(touched) > 1:
        return Answer(touched[-1], f"{len(touched)} cells answer this exercise, and the last of them was marked.")
    if touched:
        return Answer(touched[0])
    if written or (others and not binding):
        note = f"The function was found by its name, because the line # exercise {exercise} is not above it."
        return Answer((written or others)[-1], note)
    found = binding or marked
    return Answer(found[-1]) if found else Answer(None)


def check_of(cells: tuple[NotebookCell, ...], exercise: str) -> tuple[int | None, str]:
    """Return where the last cell is that is this exercise's check and no more, and the name that it hands over."""
    for at in reversed(range(len(cells))):
        kind, id, name = (cells[at].kind == "code" and call(cells[at].source)) or ("", "", "")
        if (kind, id) == ("check", exercise):
            return at, name
    return None, ""


def points_at_home(cells: tuple[NotebookCell, ...], exercise: str, name: str) -> float | None:
    """Return the points that the saved check shows, None where it shows none, or not those of the answer as it is."""
    at, _ = check_of(cells, exercise)
    answer = find_answer(cells, exercise, name).index
    if at is None or answer is None or not 0 < cells[answer].executed < cells[at].executed:
        return None
    said = re.match(rf"[✓✗–] Exercise {re.escape(exercise)}: (?:(\d+(?:\.\d+)?) of |not started)", cells[at].printed)
    return float(said[1] or 0) if said else None


def defines(source: str, name: str) -> bool:
    """Return whether a line of the cell defines ``name`` at the top level: a cheap look that runs nothing."""
    return bool(re.search(rf"^(?:(?:async\s+)?def\s+{name}\b|{name}\s*[:=](?!=))", _code_of(source), re.MULTILINE))


def binds(source: str, name: str) -> bool:
    """Return whether the cell binds ``name`` in any way, as far as a cheap look tells."""
    binding = rf"\b(?:def|class|as|import)\s+{name}\b|\b{name}\s*(?:[,:][^=\n]{{0,60}})?=(?!=)"
    return re.search(binding, _code_of(source)) is not None


def _code_of(source: str) -> str:
    """Return the source without comments and without what stands in quotes."""
    return _TEXT.sub("", source)


def _is_untouched(source: str, exercise: str) -> bool:
    """Return whether the line is still there at which an answer is to be written."""
    return re.search(rf"raise NotImplementedError\([\"']exercise {re.escape(exercise)}[\"']\)", source) is not None


def free_text(cells: tuple[NotebookCell, ...], exercise: str) -> str:
    """Return what was written below the last line ``# exercise NN.k``, in a cell of any kind; "" for nothing.

    What is too long is cut, and says so: that is the text which is shown, marked and told from others by its key.
    """
    texts = [cell.source for cell in cells if exercise_id(cell.source) == exercise]
    written = [text.strip().partition("\n")[2].replace(WRITE_HERE, "").strip() for text in texts]
    text = next((text for text in reversed(written) if text), "")
    cut = f"{text[:MAX_TEXT].rstrip()}\n\n[Cut here: only the first {MAX_TEXT:,} characters of a text are read.]"
    return cut if len(text) > MAX_TEXT else text
