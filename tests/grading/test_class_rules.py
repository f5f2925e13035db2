"""What counts in a class: the file that says it, and what becomes of marks by it."""

from __future__ import annotations

from argparse import Namespace
from datetime import UTC, datetime, timedelta

import pytest

from grading import GradingError
from grading.__main__ import _rules, main
from grading.class_rules import read_class
from grading.class_summary import LessonSummary
from grading.course import headings_of
from grading.final_scores import ScoringRules, final_scores
from grading.gradebook import Gradebook, HandMark
from grading.lateness import Lateness
from grading.marking import ExerciseMark, SubmissionMark, text_key
from utils.exercises.definition import Exercise, load_lesson

WHOLE = """
[late]
grace = 15
penalty = 10
cap = 50
[lesson.02]
due = 2026-03-08T18:00:00Z
further = true
[lesson.02.points]
"02.5" = 4
"02.8" = 0
[lesson.03]
due = "2026-03-15T18:00+00:00"
penalty = 20
assignment = "Lesson 03 (77)"
"""


def read(tmp_path, text: str):
    path = tmp_path / "class.toml"
    path.write_text(text)
    return read_class(path)


def points_in(lesson: str) -> dict[str, int]:
    """Return the points of a lesson's exercises in a round whose free texts have none."""
    return {id: one.points for id, one in load_lesson(lesson).items() if isinstance(one, Exercise)}


def marks_of(lesson: str, share: float = 1.0) -> SubmissionMark:
    """Return the mark of somebody who has this share of every exercise's points, path and further alike."""
    exercises = [ExerciseMark(id, one, share * one, "marked") for id, one in points_in(lesson).items()]
    total = sum(one.max_points for one in exercises)
    return SubmissionMark("ann", lesson, "d", "graded", share * total, total, exercises=exercises)


def counted(tmp_path, mark: SubmissionMark, rules: ScoringRules | None = None, time: datetime | None = None):
    gradebook = Gradebook(tmp_path / "out")
    gradebook.put(mark, time)
    [[found]] = final_scores(gradebook, rules or ScoringRules())
    gradebook.close()
    return found


def test_a_whole_file(tmp_path):
    rules = read(tmp_path, WHOLE)
    late = rules.scoring.lateness
    assert (late.due, late.per_day, late.cap, late.grace) == (None, 10, 50, timedelta(minutes=15))
    assert late.of("02").due == datetime(2026, 3, 8, 18, tzinfo=UTC) and late.of("02").per_day == 10
    assert late.of("03").due == datetime(2026, 3, 15, 18, tzinfo=UTC) and late.of("03").per_day == 20
    assert late.of("04").due is None and late.of("03").cap == 50 and late.applies
    assert rules.scoring.further == {"02"} and rules.scoring.points == {"02.5": 4, "02.8": 0}
    assert rules.assignments == {"03": "Lesson 03 (77)"}


def test_a_time_without_a_zone_is_this_machines(tmp_path):
    due = read(tmp_path, "[lesson.02]\ndue = 2026-03-08T18:00:00").scoring.lateness.of("02").due
    assert due == datetime(2026, 3, 8, 18).astimezone()


@pytest.mark.parametrize("lesson", ["01", "02", "07"])
def test_without_a_file_the_path_counts_alone(tmp_path, lesson):
    """The oracle reads the page: what stands above its heading "Going further"."""
    beyond = {id for id, heading in headings_of(lesson).items() if heading.further}
    path = sum(one for id, one in points_in(lesson).items() if id not in beyond)
    found = counted(tmp_path, marks_of(lesson))
    assert beyond and (found.mark.score, found.mark.max_score, found.final) == (path, path, path)
    assert {one.id for one in found.mark.exercises if not one.counts} == beyond & set(points_in(lesson))
    assert all(one.points == one.max_points for one in found.mark.exercises)


def test_going_further_is_switched_on_for_one_lesson_or_all_but_one(tmp_path):
    total = sum(points_in("02").values())
    assert total > 8
    for text, wanted in (
        ("[lesson.02]\nfurther = true", total),
        ("further = true", total),
        ("", 8),
        ("further = true\n[lesson.02]\nfurther = false", 8),
    ):
        found = counted(tmp_path, marks_of("02"), read(tmp_path, text).scoring)
        assert (found.mark.score, found.mark.max_score) == (wanted, wanted), text


def test_points_are_scaled_and_an_exercise_that_has_points_counts_wherever_it_stands(tmp_path):
    rules = read(tmp_path, '[lesson.02.points]\n"02.5" = 4\n"02.1" = 0\n"02.3" = 2.5').scoring
    own = points_in("02")
    assert headings_of("02")["02.3"].further
    found = counted(tmp_path, marks_of("02", 0.5), rules).mark
    of = {one.id: one for one in found.exercises}
    assert (of["02.5"].points, of["02.5"].max_points) == (2, 4)
    assert (of["02.3"].points, of["02.3"].max_points) == (1.25, 2.5)
    assert (of["02.1"].points, of["02.1"].max_points, of["02.1"].counts) == (own["02.1"] / 2, own["02.1"], False)
    assert found.max_score == 8 - own["02.5"] - own["02.1"] + 4 + 2.5
    assert found.score == pytest.approx(found.max_score / 2)


def test_what_has_no_headings_counts_and_stays_as_it_is(tmp_path):
    exercises = [ExerciseMark("90.1", 5, 2.0, "marked", rows=[], notes=[])]
    mark = SubmissionMark("ann", "90", "d", "graded", 2.0, 5, exercises=exercises)
    assert counted(tmp_path, mark).mark == mark


def test_a_notebook_that_could_not_be_read_has_the_maximum_of_its_lesson(tmp_path):
    all_of_it = sum(one.points for one in load_lesson("02").values())  # in a round whose texts have points
    for total, wanted in ((sum(points_in("02").values()), 8), (all_of_it, 10)):
        mark = SubmissionMark("ann", "02", "d", "unreadable", None, total, problem="broken")
        found = counted(tmp_path / str(total), mark).mark
        assert (found.score, found.max_score) == (None, wanted)
    nobodys = SubmissionMark("bob", "", "d", "unreadable", None, None, problem="broken")
    assert counted(tmp_path / "b", nobodys).mark.max_score is None


def test_a_text_is_marked_on_its_own_scale_and_scaled_at_the_end(tmp_path):
    text = ExerciseMark("02.9", 2, None, "pending", text="because")
    rest = ExerciseMark("02.5", 3, 3.0, "marked")
    mark = SubmissionMark("ann", "02", "d", "pending", 3.0, 5, exercises=[rest, text])
    gradebook = Gradebook(tmp_path)
    gradebook.put(mark)
    rules = ScoringRules(points={"02.9": 10})
    [[waits]] = final_scores(gradebook, rules)
    assert (waits.mark.status, waits.mark.score, waits.mark.max_score) == ("pending", 3, 13)
    gradebook.put_by_hand("ann", "02.9", text_key("02.9", "because"), HandMark(1.5))
    [[done]] = final_scores(gradebook, rules)
    assert (done.mark.status, done.mark.score, done.mark.max_score) == ("graded", 10.5, 13)


def test_a_text_that_does_not_count_holds_nothing_back(tmp_path):
    exercises = [ExerciseMark("02.5", 3, 3.0, "marked"), ExerciseMark("02.8", 2, None, "pending", text="because")]
    mark = SubmissionMark("ann", "02", "d", "pending", 3.0, 5, exercises=exercises)
    found = counted(tmp_path, mark, ScoringRules(points={"02.8": 0})).mark
    assert (found.status, found.score, found.max_score) == ("graded", 3, 3)


def test_what_ran_for_too_long_is_no_zero_where_the_text_beside_it_does_not_count(tmp_path):
    exercises = [ExerciseMark("02.5", 3, 0.0, "timeout"), ExerciseMark("02.8", 2, None, "pending", text="because")]
    mark = SubmissionMark("ann", "02", "d", "pending", 0.0, 5, exercises=exercises)
    score = counted(tmp_path, mark, read(tmp_path, '[lesson.02.points]\n"02.8" = 0').scoring)
    assert (score.mark.status, score.mark.score, score.final) == ("timeout", None, None)


def test_each_lesson_is_late_by_its_own_rule(tmp_path):
    rules = read(tmp_path, WHOLE).scoring
    on = datetime(2026, 3, 10, 12, tzinfo=UTC)  # in the second day after the one date, before the other
    second = counted(tmp_path, marks_of("02"), rules, on)
    third = counted(tmp_path / "3", marks_of("03"), rules, on)
    assert (second.days_late, second.percent) == (2, 20) and second.penalty == pytest.approx(second.mark.score / 5)
    assert (third.days_late, third.penalty) == (0, 0)


def options(**given) -> Namespace:
    blank = dict.fromkeys(("class_file", "due", "late_penalty", "late_cap", "grace", "assignment", "lesson"))
    return Namespace(**{**blank, "keep": "last", "names": "auto", **given})


def test_an_option_replaces_what_the_file_says_for_all_lessons(tmp_path):
    read(tmp_path, WHOLE)
    due = datetime(2026, 4, 1, tzinfo=UTC)
    late = _rules(options(class_file=tmp_path / "class.toml", due=due, late_cap=30.0)).scoring.lateness
    assert {late.due, late.of("02").due, late.of("03").due} == {due} and {late.cap, late.of("03").cap} == {30}
    assert (late.of("02").per_day, late.of("03").per_day) == (10, 20)
    assert _rules(options()).scoring.lateness == Lateness()
    assert _rules(options(keep="best")).scoring.keep == "best"


def test_another_column_on_canvas_is_one_lessons(tmp_path):
    given = {"names": "canvas", "lesson": "02", "assignment": "Two (5)"}
    assert _rules(options(**given)).assignments == {"02": "Two (5)"}
    for wrong in ({"lesson": None}, {"names": "moodle"}):
        with pytest.raises(GradingError, match="--names canvas and --lesson"):
            _rules(options(**{**given, **wrong}))


WRONG = [
    ("[late", "is not TOML: "),
    ("[lesson.02]\ndue = 2026-03-08T18:00", "at line 2.* give a time with seconds"),
    ("[late]\ngrace = 15 minutes", "is not TOML: .* (at line 2, column 12)"),
    ("[late]\nperc = 3", "[late] has perc, which means nothing here. There are: due, grace, penalty, cap."),
    ("[late]\ngrase = 3", "Did you mean grace?"),
    ("lessons = 3", "the file has lessons, which means nothing here. .* Did you mean lesson?"),
    ("[lesson.02]\npoint = 3", "[lesson.02] has point, .* Did you mean points?"),
    ("late = 3", "late is 3, but it should be a table. Write [late] above"),
    ("lesson.02 = 3", "lesson.02 is 3, but it should be a table"),
    ("[lesson.02]\npoints = 4", "lesson.02.points is 4, but it should be a table"),
    ("[lesson.55]", "there is no lesson 55 with exercises. There are: 01, 02"),
    ("[lesson.2]", "there is no lesson 2 "),
    ('[lesson.02.points]\n"02.55" = 1', "lesson 02 has no exercise 02.55. There are: .* Did you mean 02.5?"),
    ('[lesson.02.points]\n"03.1" = 1', "lesson 02 has no exercise 03.1"),
    ("[lesson.02.points]\n02.5 = 1", '02 without quotes. Write "02.5" = 4.'),
    *(
        (f'[lesson.02.points]\n"02.5" = {value}', "the points of 02.5: .* is not a number from 0 to 1000")
        for value in ("-1", "true", '"4"', "nan", "inf", "1001", "[4]")
    ),
    ("further = 1", "further: 1 is neither true nor false"),
    ("[lesson.02]\nfurther = 'yes'", "lesson.02.further: 'yes' is neither true nor false"),
    *(
        (f"[lesson.02]\ndue = {value}", "lesson.02.due: .* is not a time")
        for value in ("3", "true", '"soon"', "18:00:00", "[]")
    ),
    *(
        (f"[late]\n{key} = {value}", f"late.{key}: .* is not a number from 0 to 100")
        for key, value in (("penalty", "-1"), ("penalty", "101"), ("cap", "true"), ("cap", '"50"'), ("cap", "nan"))
    ),
    *((f"[lesson.02]\ngrace = {value}", "lesson.02.grace: .* is no") for value in ("-1", "1.5", "true", "1e9")),
    ('[lesson.02.points]\n"02.5" = 0\n"02.8" = 0\n"02.1" = 0\n"02.10" = 0', "nothing counts in lesson 02"),
    ("[lesson.02]\nassignment = 3", "lesson.02.assignment: 3 is not an assignment's title"),
    ('[lesson.02]\nassignment = " "', "is not an assignment's title"),
    ('[lesson.02]\nassignment = "ID"', "one of its own columns"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path, text, sentence):
    pattern = "".join(part if part == ".*" else _escaped(part) for part in sentence.partition(".*"))
    with pytest.raises(GradingError, match=pattern) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(str(tmp_path / "class.toml")) and "\n" not in str(error.value)


def _escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "[]().?" else one for one in text)


@pytest.mark.parametrize("content", [b"[late", b"\xff\xfe", None])
def test_a_wrong_file_stops_everything_before_anything_is_written(tmp_path, capsys, content):
    path = tmp_path / "class.toml"
    if content is not None:
        path.write_bytes(content)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_text("{}")
    out = tmp_path / "out"
    assert main(["grade", str(tmp_path / "in"), "--out", str(out), "--class", str(path)]) == 2
    assert str(path) in capsys.readouterr().err and not out.exists()


def test_a_class_page_takes_points_that_are_not_whole():
    """Whatever class.toml says: each score stands in one of the ranges, the highest in the last that there is."""
    for highest in (0.5, 1, 7.25, 10, 10.5, 27, 28.4):
        lesson = LessonSummary("02")
        for score in (0, highest / 3, highest):
            lesson.add(SubmissionMark("ann", "02", "d", "graded", score, highest))
        assert sum(count for _, count, _ in lesson.bars) == 3 and lesson.bars[-1][1] >= 1
        assert lesson.bars[-1][0].endswith(f"to {highest}")
