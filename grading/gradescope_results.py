"""What Gradescope shows of a submission: the content of its results.json, of texts that it renders as they are.

A test is there for each exercise. What was not marked has no score at all: a zero would look like one that was earned.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grading.class_summary import on_page
from grading.course import title
from grading.marking import ExerciseMark, SubmissionMark
from grading.tables import clean

NOT_DONE = (
    "Marking did not finish. No points were given or taken. Hand in again, and tell your instructor if you see this a "
    "second time."
)
PARTLY = (
    "Marking did not finish. What was reached has its points. Hand in again, and tell your instructor if you see this "
    "a second time."
)
NOT_REACHED = "Not reached: marking ended before this exercise had its turn. It has neither points nor a zero."
NOTHING = "Not marked: the answers ran for too long, or ended their process. There are neither points nor a zero."
COULD_NOT = "This could not be marked"


def results_text(output: str, tests: Sequence[Mapping[str, Any]], score: float | None = None) -> str:
    """Return the text of results.json; ``score`` None stands for none at all.

    What a program prints is for the instructor, and everything else for the student, at once.
    """
    formats = dict.fromkeys(("output_format", "test_output_format", "test_name_format"), "text")
    scored = {} if score is None else {"score": score}
    shown = {"output": clean(output), "visibility": "visible", "stdout_visibility": "hidden", "tests": list(tests)}
    return json.dumps({**scored, **formats, **shown}, indent=1) + "\n"


def not_marked(problem: str) -> str:
    """Return the text of results.json where nothing was marked, and what is to be said of it."""
    return results_text(problem, [{"name": COULD_NOT, "status": "failed", "output": clean(problem)}])


def of_mark(mark: SubmissionMark, not_reached: Mapping[str, bool], said: Iterable[str] = ()) -> str:
    """Return the text of results.json for a mark, by the class's rules, of what was reached.

    ``not_reached`` are the ids of the other exercises, each with whether it counts; ``said`` is about all of it.
    """
    texts = [f"{title(id)}: your short text was found. It has no points here." for id in mark.texts]
    marked = any(one.counts and one.state == "marked" for one in mark.exercises)
    score = mark.score if marked or not not_reached else None  # what was not reached may be all that was answered
    tests = {one.id: _test(one, score is not None) for one in mark.exercises}
    tests |= {
        id: _named(id, f"{_counts(counts)}{NOT_REACHED}", status="failed" if counts else None)
        for id, counts in not_reached.items()
    }
    whole = "" if not_reached else NOTHING if score is None else f"{score:g} of {mark.max_score:g} points."
    lines = [*said, whole, mark.remark, *sorted(texts)]
    return results_text("\n".join(filter(None, lines)), [tests[id] for id in sorted(tests, key=on_page)], score)


def _test(mark: ExerciseMark, scored: bool) -> dict[str, Any]:
    """Return what is shown of one exercise; it has points where it counts and anything could be marked."""
    points = {"score": mark.points, "max_score": mark.max_points} if mark.counts and scored else {}
    solved, is_left = mark.points == mark.max_points, mark.state == "not started" and not mark.counts
    status = None if is_left else "passed" if solved else "failed"
    return _named(mark.id, _counts(mark.counts) + _feedback(mark, scored), status=status, **points)


def _named(id: str, output: str, **more: Any) -> dict[str, Any]:
    given = {name: value for name, value in more.items() if value is not None}
    return {"number": id, "name": title(id), "output": clean(output), **given}


def _counts(counts: bool) -> str:
    return "" if counts else "Not counted. "


def _feedback(mark: ExerciseMark, scored: bool) -> str:
    """Return what a feedback page says of an exercise, but for the code; what was computed stands to the right."""
    if mark.state == "not started":
        return "Not started."
    parts = [f"{mark.points:g} of {mark.max_points:g} points." if scored else "Not marked.", mark.reason]
    parts += [f"{label}\n{_indented(text)}" for label, text in mark.rows]
    parts += [f"Your cell printed\n{_indented(mark.output)}"] if mark.output else []
    parts += [f"Hint. {mark.hint}"] if mark.hint else []
    return "\n\n".join(filter(None, [*parts, *(f"Note. {note}" for note in mark.notes)]))


def _indented(text: str) -> str:
    return textwrap.indent(clean(text), "    ", lambda line: True)
