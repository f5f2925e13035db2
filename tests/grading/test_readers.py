"""Students' own files: what is taken in of them, what is refused, and what the class's page makes of them."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from grading import export, readers
from grading.class_summary import ClassSummary, LessonSummary, on_page
from grading.final_scores import FinalScore
from grading.gradebook import Gradebook
from grading.lateness import Lateness
from grading.marking import ExerciseMark, SubmissionMark
from grading.notebook_answers import read
from grading.submissions import collect
from tests.grading.helpers import DOUBLE, notebook
from tests.grading.test_submissions import class_of, zipped
from utils import pages

GOOD = notebook(DOUBLE)
WEIGHTS, LINE = "01.weights", "01.line"
REMARK = {"clear": "partly", "text": "Why?", "date": "2026-03-01"}


def own_file(numbers: dict[str, int], *remarks: object, **more: object) -> bytes:
    """Return a file as the course keeps it, of a reader who chose these."""
    questions = readers.asked().questions
    chosen = {
        key: {"choice": questions[key].choices[number - 1], "number": number, "date": "2026-03-01"}
        for key, number in numbers.items()
    }
    return json.dumps({"predictions": {**chosen, **more}, "feedback": {"01.learning": list(remarks)}}).encode()


@pytest.mark.parametrize("number", ["01", "02"])
def test_the_questions_are_those_that_the_lessons_rooms_register(number):
    importlib.import_module(f"utils.lesson_{number}.page")
    registered = {key: one for key, one in pages.predictions.items() if key.startswith(f"{number}.")}
    found = {key: one for key, one in readers.asked().questions.items() if key.startswith(f"{number}.")}
    assert set(found) == set(registered) and len(found) > 5
    for key, one in registered.items():
        assert found[key].choices == one.choices
        assert callable(one.right) or found[key].right == one.right
        assert not one.question or found[key].text == one.question
    assert all(one.section for one in found.values())


@pytest.mark.parametrize(
    ("names", "files"),
    [
        ("auto", {"ann/hw.ipynb": GOOD, "ann/my-course (1).json": b"@"}),
        ("auto", {"ann.zip": {"hw.ipynb": GOOD, "work/my-course.json": b"@", "__MACOSX/my-course.json": b"x"}}),
        ("canvas", {"ann_1_90_hw.ipynb": GOOD, "ann_1_91_my-course-1.json": b"@"}),
        (
            "moodle",
            {"ann_1_assignsubmission_file_/hw.ipynb": GOOD, "ann_1_assignsubmission_file_/sub/My-Course.json": b"@"},
        ),
    ],
)
def test_the_file_is_found_where_platforms_and_students_put_it(tmp_path, names, files):
    content = own_file({WEIGHTS: 2}, REMARK)
    filled = {
        name: content
        if data == b"@"
        else zipped({inner: content if one == b"@" else one for inner, one in data.items()})
        if isinstance(data, dict)
        else data
        for name, data in files.items()
    }
    (taken,), kept = taken_in(tmp_path, zipped(filled), names)
    assert list(kept.values()) == [{"predictions": {WEIGHTS: 2}, "feedback": {"01.learning": [["partly", "Why?"]]}}]
    (submission,) = read(taken)
    assert (submission.problem, submission.remark) == ("", "")


def taken_in(tmp_path: Path, data: bytes, names: str = "auto"):
    """Return the students, and what the gradebook then holds."""
    gradebook = Gradebook(tmp_path / "out")
    try:
        taken = readers.take_in(class_of(tmp_path, data, names).students, gradebook)
        return taken, dict(gradebook.readers())
    finally:
        gradebook.close()


def test_the_file_alone_is_no_notebook_and_a_file_of_nobody_is_left_out(tmp_path):
    class_ = class_of(tmp_path, zipped({"ann/my-course.json": own_file({}), "bob.ipynb": GOOD, "my-course.json": b""}))
    assert [one.student for one in class_.students] == ["ann", "bob"]
    (alone,) = read(class_.students[0])
    assert alone.problem == "No .ipynb file was handed in."
    assert class_.left_out == ["my-course.json (no .ipynb)"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"[1]",
        b'{"predictions": []}',
        b"\xff{}",
        b'{"a": {}}' + b" " * 1_000_000,
        b'{"predictions": ' + b'{"a": ' * 50_000 + b"1" + b"}" * 50_001,
        b'{"a": ' + b"1" * 10_000 + b"}",
    ],
)
def test_a_damaged_file_is_a_remark_and_stops_nothing(tmp_path, content):
    folder = tmp_path / "in" / "ann"
    folder.mkdir(parents=True)
    (folder / "hw.ipynb").write_bytes(GOOD)
    (folder / "my-course.json").write_bytes(content)
    gradebook = Gradebook(tmp_path / "out")
    (taken,) = readers.take_in(collect(tmp_path / "in").students, gradebook)
    assert list(gradebook.readers()) == []
    gradebook.close()
    (submission,) = read(taken)
    assert (submission.problem, submission.remark) == ("", f"`my-course.json` {readers.DAMAGED}")
    (packed,), _ = taken_in(tmp_path, zipped({"ann.zip": zipped({"hw.ipynb": GOOD, "my-course.json": content})}))
    assert readers.DAMAGED in packed.remark


@pytest.mark.parametrize(
    "entry",
    [
        {"seen": True},
        {"number": 2},
        {"choice": "2 and −2"},
        {"choice": "2 and −2", "number": True},
        "2 and −2",
        [2],
        2,
        None,
        *({"choice": "2 and −2", "number": number} for number in (0, 1, 3, -3, 99, 2.0, "2", None, [2], 10**30)),
    ],
)
def test_what_is_no_commitment_counts_as_none(entry):
    assert readers.asked().questions[WEIGHTS].choices[1] == "2 and −2"  # so that only the entry is wrong
    content = own_file({LINE: 1}, **{WEIGHTS: entry, "01.nothing": {"choice": "a", "number": 1}})
    assert readers.kept_in(content)["predictions"] == {LINE: 1}


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ({"clear": "clear"}, ["clear", ""]),
        ({"clear": "not clear", "text": ["a"]}, ["not clear", ""]),
        ({"clear": "clear", "text": "a\x1b[31m\u202eb\n c"}, ["clear", "a\N{REPLACEMENT CHARACTER}b c"]),
        ({"clear": "clear", "text": "\ud800"}, ["clear", "?"]),
        ({"clear": "partly", "text": "x" * 501}, ["partly", "x" * 499 + "…"]),
        ({"clear": "very"}, None),
        ({"clear": ["clear"]}, None),
        ({"text": "a"}, None),
        ("clear", None),
        (None, None),
    ],
)
def test_remarks_are_three_words_and_a_clean_line(entry, kept):
    assert readers.kept_in(own_file({}, entry))["feedback"] == ({"01.learning": [kept]} if kept else {})
    many = own_file({}, *[REMARK] * 5000)
    assert len(readers.kept_in(many)["feedback"]["01.learning"]) == readers.MAX_REMARKS
    assert (
        readers.kept_in(json.dumps({"feedback": {"01.learning": REMARK, "01.no": [REMARK]}}).encode())["feedback"] == {}
    )


@pytest.mark.parametrize("entry", [{"date": "2026-03-01", "text": "One."}, {"number": 1}, "\ud800", [[]], None])
def test_answers_in_own_words_are_not_taken_in(entry):
    content = json.loads(own_file({LINE: 1}, REMARK))
    kept = readers.kept_in(json.dumps({**content, "words": {"08.answer": entry, WEIGHTS: entry}}).encode())
    assert kept == {"predictions": {LINE: 1}, "feedback": {"01.learning": [["partly", "Why?"]]}}


def test_a_later_file_adds_to_an_earlier_one(tmp_path):
    taken_in(tmp_path, zipped({"ann/a.ipynb": GOOD, "ann/my-course.json": own_file({WEIGHTS: 1})}))
    taken_in(tmp_path, zipped({"ann/a.ipynb": GOOD}))
    _, kept = taken_in(tmp_path, zipped({"ann/a.ipynb": GOOD, "ann/my-course.json": own_file({LINE: 1})}))
    assert kept["ann"]["predictions"] == {WEIGHTS: 1, LINE: 1}


def test_what_fooled_most_of_the_class_comes_first_and_nobody_is_named():
    chosen = [{WEIGHTS: 2, LINE: 1}, {WEIGHTS: 2, LINE: 2}, {WEIGHTS: 1, LINE: 3}, {"03.probe": 2}, {WEIGHTS: 99}]
    said = [["clear", ""], ["not clear", "<b>z</b>"], ["partly", "y"], ["partly", "x"], ["clear", ""]]
    class_ = [
        (f"s{at}", {"predictions": numbers, "feedback": {"01.learning": [one]}})
        for at, (numbers, one) in enumerate(zip(chosen, said, strict=True))
    ]
    first, third = readers.of_class(class_)
    assert [(one.question.key, one.wrong, one.chosen.total()) for one in first.predictions] == [
        (LINE, 2, 3),
        (WEIGHTS, 1, 3),
    ]
    assert [row[1:3] for row in first.predictions[1].rows] == [(False, 1), (True, 2), (False, 0), (False, 0)]
    assert (third.number, third.predictions[0].wrong, third.remarks) == ("03", 0, [])
    assert first.remarks[0].texts == [("partly", "x"), ("partly", "y"), ("not clear", "<b>z</b>")]
    text = export.class_page(ClassSummary(), [first, third])
    assert "2 of 3\n    were wrong" in text and "0 of 1\n    was wrong" in text and "clear: 2, partly: 2" in text
    assert "&lt;b&gt;z&lt;/b&gt;" in text and "s0" not in text.partition("</style>")[2]
    assert readers.of_class([]) == []


def score_of(student: str, points: dict[str, float | None], lesson: str = "01", **more: object) -> FinalScore:
    """Return the score of a student with these points, None for what is not started."""
    exercises = [
        ExerciseMark(id, 3, found or 0.0, "not started" if found is None else "marked", code="x\n" * 13)
        for id, found in points.items()
    ]
    fields = {"status": "graded", "score": sum(found or 0 for found in points.values()), "max_score": 6, **more}
    return FinalScore(SubmissionMark(student, lesson, student, exercises=exercises, **fields))


def test_exercises_stand_in_the_order_of_the_page_with_title_and_code():
    score = score_of("ann", {"01.1": 3.0, "01.2": None, "01.8": 0.0, "01.99": 1.0})
    further = [replace(one, counts=one.id != "01.8") for one in score.mark.exercises]
    text = export.page([replace(score, mark=replace(score.mark, exercises=further))], Lateness())
    body = text.partition("</style>")[2]
    places = [body.index(f'<h3 id="exercise-{id}">') for id in ("01.2", "01.1", "01.8", "01.99")]
    assert places == sorted(places) and "Exercise 01.1: a stack of linear layers is one layer" in body
    assert body.count("<summary>Your code (13 lines)</summary>") == 3 and "<details open" not in body
    assert body.count(">not counted<") == 1 and body.count(">Not counted.<") == 1
    short = export.page(
        [replace(score, mark=replace(score.mark, exercises=[replace(further[0], code="<i>")]))], Lateness()
    )
    assert "<details open>\n<summary>Your code</summary>\n<pre>&lt;i&gt;</pre>" in short
    ids = ["01.2", "01.1", "02.5", "90.2", "90.10"]
    assert sorted(sorted(ids), key=on_page) == ids


def test_the_spread_of_points():
    lesson = LessonSummary("01")
    for points in (0, 0, 0.5, 2, 2.5, 20):
        lesson.add(score_of("a", {}, score=points, max_score=20).mark)
    assert [(words, count) for words, count, _ in lesson.bars if count] == [
        ("0", 2),
        ("over 0 to 2", 2),
        ("over 2 to 4", 1),
        ("over 18 to 20", 1),
    ]
    assert lesson.bars[0][2] == 100 and len(lesson.bars) == 11
    assert sum(count for _, count, _ in lesson.bars) == 6
    assert lesson.median == 1.25 and lesson.quartiles == [0.125, 1.25, 2.375]


@pytest.mark.parametrize(
    ("class_", "said"),
    [
        ([], []),
        ([score_of("a", {"01.1": 1.5})], ["One has points: 1.5 of 6."]),
        ([score_of("a", {}, status="unreadable", score=None, max_score=None)], ["Nobody has points."]),
        (
            [
                score_of("a", {"01.1": None}),
                score_of("b", {"01.1": 3.0, "01.2": None}),
                score_of("c", {"02.1": 3.0}, "02"),
            ],
            [
                "2 have points, from 0 to 3 of\n  6. The median is 1.5.",
                "1 had not started anything, 1 left something out.",
                "Lesson 02, exercise",
                "One has points: 3 of 6.",
            ],
        ),
    ],
)
def test_the_class_page_of_any_class(class_, said):
    summary = ClassSummary()
    for score in class_:
        summary.add([score], "feedback/x.html")
    text = export.class_page(summary)
    assert all(one in text for one in said), text.partition("</style>")[2]
