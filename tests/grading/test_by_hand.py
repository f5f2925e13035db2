"""Free texts marked by hand: what is filled in is kept, whatever happens to the table, the round, or the text."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from grading import GradingError
from grading.by_hand import ByHand
from grading.final_scores import ScoringRules, final_scores
from grading.gradebook import Gradebook, history
from grading.marking import ExerciseMark, SubmissionMark
from grading.pseudonyms import by_id, by_name
from grading.tables import harmless, line
from tests.exercise_99 import make_exercise
from utils.exercises.definition import FreeText


@pytest.fixture(autouse=True)
def lesson(lesson_99):
    lesson_99(make_exercise(), FreeText("99.2", 4, "=Two points for the claim."), FreeText("99.10", 2, "One each."))


def hand_in(gradebook: Gradebook, student: str, text: str, digest: str = "", exercise: str = "99.2") -> None:
    marks = [ExerciseMark("99.1", 4, 3.0, "marked"), ExerciseMark(exercise, 4, None, "pending", text=text)]
    gradebook.put(SubmissionMark(student, "99", digest or text, "pending", 3.0, 8, exercises=marks))


class Desk:
    """A folder of results on an instructor's desk."""

    def __init__(self, folder: Path, round: str = "1", naming=None) -> None:
        self.gradebook = Gradebook(folder, round)
        self.path = folder / "by_hand.csv"
        self.table = ByHand(folder, self.gradebook, naming or by_name)

    def write(self) -> tuple[int, str]:
        return self.table.write(final_scores(self.gradebook, ScoringRules()))

    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.path.read_text(encoding="utf-8"))))

    def fill_in(self, *changes: dict[str, str]) -> None:
        rows = [{**row, **change} for row, change in zip(self.rows(), changes, strict=False)]
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        self.path.write_text(text.getvalue(), encoding="utf-8")

    def marks(self) -> dict[str, tuple]:
        """Return for each student the status, the score, and points and comment of the text."""
        found = {}
        for (result,) in final_scores(self.gradebook, ScoringRules()):
            text = result.mark.exercises[1]
            found[result.mark.student] = (result.mark.status, result.mark.score, text.points, text.comment)
        return found


@pytest.fixture
def desk(tmp_path) -> Desk:
    desk = Desk(tmp_path / "out")
    hand_in(desk.gradebook, "ann", "=1+1 is two.\nSo there.")
    hand_in(desk.gradebook, "007", "Because.")
    return desk


def test_what_is_filled_in_is_marked_and_reappears(desk):
    assert desk.table.take_in() == 0
    assert desk.write() == (2, "")
    rows = {row["student"]: row for row in desk.rows()}
    assert rows["ann"]["text"] == "'=1+1 is two.\nSo there." and rows["ann"]["rubric"] == "'=Two points for the claim."
    assert [rows["ann"][name] for name in ("exercise", "max_points", "points", "comment")] == ["99.2", "4", "", ""]
    desk.fill_in({"points": "2.5", "comment": '=not a formula, "quoted"\nsecond line'}, {"comment": "later"})
    assert desk.table.take_in() == 2
    assert desk.write() == (1, "")
    assert desk.marks() == {
        "007": ("graded", 5.5, 2.5, '=not a formula, "quoted"\nsecond line'),
        "ann": ("pending", 3.0, None, "later"),
    }
    assert desk.rows()[0]["comment"].startswith("'=not")
    before = desk.path.read_bytes()
    assert (desk.table.take_in(), desk.write(), desk.path.read_bytes()) == (0, (1, ""), before)


def test_a_mark_survives_another_round_and_a_changed_text_waits_again(desk, tmp_path):
    desk.write()
    desk.fill_in({"points": "1"}, {"points": "4", "comment": "Well said."})
    desk.table.take_in()
    desk.write()
    desk.gradebook.close()
    again = Desk(tmp_path / "out", "regrade")
    hand_in(again.gradebook, "ann", "=1+1 is two.  \n  So there.".replace("  S", "S"), digest="x")  # spaces at the end
    hand_in(again.gradebook, "007", "I have thought again.")
    again.table.take_in()
    assert again.write() == (1, "")
    assert again.marks() == {"ann": ("graded", 7.0, 4.0, "Well said."), "007": ("pending", 3.0, None, "")}
    assert {row["student"]: row["earlier"] for row in again.rows()} == {
        "ann": "",
        "007": "1 of 4 points for an earlier text",
    }
    hand_in(again.gradebook, "007", "Because.", digest="y")  # the first text after all
    assert again.marks()["007"] == ("graded", 4.0, 1.0, "")
    assert len(list(history(tmp_path / "out"))) == 5


def test_blank_changes_nothing_and_a_dash_takes_back(desk):
    desk.write()
    desk.fill_in({"points": "1", "comment": "a"}, {"points": "2"})
    desk.table.take_in()
    desk.write()
    desk.fill_in({"points": "", "comment": ""}, {"points": "", "comment": "b"})
    desk.table.take_in()
    assert desk.marks() == {"007": ("graded", 4.0, 1.0, "a"), "ann": ("graded", 5.0, 2.0, "b")}
    desk.fill_in({"points": "", "comment": ""}, {"points": "-", "comment": ""})
    desk.table.take_in()
    assert desk.marks() == {"007": ("graded", 4.0, 1.0, "a"), "ann": ("pending", 3.0, None, "")}


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        ({"points": "5"}, 2, "'5' is not a number of points from 0 to 4"),
        ({"points": "-1"}, 2, "not a number of points"),
        ({"points": "nan"}, 2, "not a number of points"),
        ({"points": "inf"}, 2, "not a number of points"),
        ({"points": "two"}, 2, "not a number of points"),
        ({"points": "1", "student": "ann"}, 2, "Have cells been moved"),
        ({"points": "1", "student": "nobody"}, 2, "Have cells been moved"),
        ({"points": "1", "exercise": "99.10"}, 2, "Have cells been moved"),
        ({"points": "1", "key": "1E5"}, 2, "Have cells been moved"),
        ({"points": "1", "key": "tabc", "exercise": "99.1"}, 2, "not an exercise that is marked by hand"),
        ({"points": "1", "key": "tabc", "exercise": "77.1"}, 2, "not an exercise that is marked by hand"),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_is_lost(desk, change, line, said):
    desk.write()
    desk.fill_in(change, {"points": "3"})
    before = desk.path.read_bytes()
    with pytest.raises(GradingError, match=rf"by_hand.csv, line {line}: ") as refused:
        desk.table.take_in()
    assert said in str(refused.value)
    assert desk.path.read_bytes() == before and {mark[0] for mark in desk.marks().values()} == {"pending"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,exercise\n", "line 1: the column points is missing"),
        ('student,exercise,points,comment,key\nann,"99.2', "line 2: this is not CSV"),
        ("student,exercise,points,comment,key\nann,99.2,1,c,t1,more\n", "line 2: this is not CSV"),
    ],
)
def test_a_table_that_is_none(desk, text, said):
    desk.path.write_text(text)
    with pytest.raises(GradingError, match=said):
        desk.table.take_in()
    desk.path.write_bytes(b"student,exercise,points,comment,key\n\xe9\n")
    with pytest.raises(GradingError, match="line 2: this is not UTF-8"):
        desk.table.take_in()


def test_a_line_that_stands_twice(desk):
    desk.write()
    desk.fill_in({"points": "1"}, {"points": "2"})
    line = desk.path.read_text().splitlines()[1]
    desk.path.write_text(desk.path.read_text() + line + "\n")
    desk.table.take_in()
    desk.path.write_text(desk.path.read_text() + line.replace(",1,", ",3,") + "\n")
    with pytest.raises(GradingError, match="says something else about the same text"):
        desk.table.take_in()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_spreadsheets_make_of_it(desk, encoding, delimiter, quoting):
    """Another separator and encoding, a decimal comma, 007 as 7, 99.20 as 99.2."""
    desk.write()
    rows = desk.rows()
    assert [row["student"] for row in rows] == ["007", "ann"]
    rows[0] |= {"student": "7", "exercise": "99.20".rstrip("0"), "points": "1,5"}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    desk.path.write_bytes(text.getvalue().encode(encoding))
    assert desk.table.take_in() == 1
    assert desk.marks()["007"] == ("graded", 4.5, 1.5, "")


def test_what_is_filled_in_while_a_class_is_marked_is_taken_in(desk):
    desk.write()
    desk.table.take_in()
    desk.fill_in({"points": "4"})
    assert desk.write() == (1, "")
    assert desk.marks()["007"] == ("graded", 7.0, 4.0, "") and desk.rows()[0]["points"] == "4"


def test_a_table_that_breaks_meanwhile_is_kept_aside(desk):
    desk.write()
    desk.table.take_in()
    desk.fill_in({"points": "400"})
    filled = desk.path.read_bytes()
    assert desk.write() == (2, "by_hand.backup-1.csv")
    assert (desk.path.parent / "by_hand.backup-1.csv").read_bytes() == filled
    desk.path.write_text("junk")
    assert desk.write() == (2, "by_hand.backup-2.csv")


def test_columns_of_ones_own_are_not_thrown_away(desk):
    desk.write()
    desk.fill_in({"points": "1", "to discuss": "yes"}, {"to discuss": ""})
    desk.table.take_in()
    assert desk.write() == (1, "by_hand.backup-1.csv")
    assert "yes" in (desk.path.parent / "by_hand.backup-1.csv").read_text()


def test_a_row_whose_text_was_replaced_keeps_its_mark(desk):
    desk.write()
    desk.fill_in({"points": "1"}, {"points": "2"})
    hand_in(desk.gradebook, "ann", "Another text.")
    assert desk.table.take_in() == 2  # ann's points are for the text that stands in the row
    desk.write()
    assert desk.marks()["ann"][:3] == ("pending", 3.0, None)
    assert "2 of 4 points for an earlier text" in [row["earlier"] for row in desk.rows()]


def test_a_table_from_another_folder_waits_for_its_texts(desk, tmp_path):
    desk.write()
    desk.fill_in({"points": "1"}, {"points": "2", "comment": "c"})
    new = Desk(tmp_path / "new")
    new.path.write_bytes(desk.path.read_bytes())
    assert new.table.take_in() == 2
    hand_in(new.gradebook, "ann", "=1+1 is two.\nSo there.")
    assert new.marks() == {"ann": ("graded", 5.0, 2.0, "c")}


def test_without_names(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    naming = by_id(tmp_path)
    desk = Desk(folder, naming=naming)
    hand_in(desk.gradebook, "ann", "Because.")
    hand_in(desk.gradebook, "bob", "Because.")  # the same words: only the id tells whose they are
    desk.write()
    assert "ann" not in desk.path.read_text() and {row["student"] for row in desk.rows()} == {
        naming("ann"),
        naming("bob"),
    }
    desk.fill_in(*[{"points": "1" if row["student"] == naming("ann") else "2"} for row in desk.rows()])
    desk.table.take_in()
    assert {who: mark[2] for who, mark in desk.marks().items()} == {"ann": 1.0, "bob": 2.0}
    desk.fill_in({"student": "id-aaaaaaaaaa", "points": "3"})
    with pytest.raises(GradingError, match="line 2"):
        desk.table.take_in()


def test_a_very_long_text_is_cut_and_still_the_same(desk):
    hand_in(desk.gradebook, "zoe", "word " * 20_000)
    desk.write()
    row = desk.rows()[-1]
    assert len(row["text"]) < 32_767 and "The whole text is on the feedback page" in row["text"]
    desk.fill_in({}, {}, {"points": "4"})
    desk.table.take_in()
    assert desk.marks()["zoe"][2] == 4.0


ODD = [
    "\\x20ann",
    "ann",
    "ann\\x20",
    "ann\\x5cx20",
    "=1+1",
    "x;=1",
    "'=1",
    "007",
    "7",
    "7.0",
    "1e1",
    "10",
    "Zoë",
    'a,"b"',
    "nan",
]


def test_odd_names_and_comments_make_the_round_trip(tmp_path):
    """Whoever wrote the same words is told from all others by name alone, whatever the name looks like to a table."""
    desk = Desk(tmp_path / "out")
    for student in ODD:
        hand_in(desk.gradebook, student, "Because.")
    desk.write()
    rows = desk.rows()
    order = sorted(ODD, key=lambda name: next(at for at, row in enumerate(rows) if row["student"] == line(name)))
    comments = {name: f"=1;=2, '+3\n-4 {name}\n'=5" for name in ODD}
    desk.fill_in(*[{"points": str(ODD.index(name) / 8), "comment": harmless(comments[name])} for name in order])
    assert desk.table.take_in() == len(ODD)
    desk.write()
    assert {who: mark[2:] for who, mark in desk.marks().items()} == {
        name: (ODD.index(name) / 8, comments[name]) for name in ODD
    }
    before = desk.path.read_bytes()
    assert (desk.table.take_in(), desk.write(), desk.path.read_bytes()) == (0, (0, ""), before)
    assert not re.search(r"(^|[,;\t|\n])[\s\"]*[=+@]", before.decode())


def test_what_is_said_of_an_earlier_text_is_no_formula(desk):
    desk.write()
    desk.fill_in({"points": "1", "comment": "so;=1+1"})
    desk.table.take_in()
    hand_in(desk.gradebook, "007", "Otherwise.")
    desk.write()
    assert desk.rows()[0]["earlier"] == "1 of 4 points for an earlier text: so;'=1+1"


def test_what_others_programs_do_to_a_name_in_the_table(desk):
    """They decompose accents, and lose the apostrophe before what looks like a formula."""
    hand_in(desk.gradebook, "=Zoë", "Why not.")
    desk.write()
    text = desk.path.read_text(encoding="utf-8").replace("'=Zoë", "=Zoe\u0308").replace('"4","","",', '"4","1","",')
    desk.path.write_text(text, encoding="utf-8")
    assert desk.table.take_in() == 3
    assert desk.marks()["=Zoë"][2] == 1.0
