"""What goes back to Canvas and Moodle: scores as their importers read them, and pages that find their students."""

from __future__ import annotations

import csv
import io
import re
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.final_scores import FinalScore
from grading.marking import SubmissionMark
from grading.names import SCHEMES, Owner, feedback_path, readable
from grading.platforms import PlatformFiles, column
from grading.pseudonyms import by_name
from tests.grading.helpers import DOUBLE, SET_UP, TOTAL, grade, grades, notebook, rows
from tests.grading.test_submissions import zipped


def a_score(student: str, file: str = "", score: float | None = 2.5, status: str = "graded", **more) -> FinalScore:
    lesson, penalty = more.pop("lesson", "02"), more.pop("penalty", 0.0)
    most = more.pop("max_score", 8)
    return FinalScore(SubmissionMark(student, lesson, "d", status, score, most), penalty=penalty, file=file)


def written(folder: Path, platform: str, *everybody: list[FinalScore], **assignments: str) -> PlatformFiles:
    files = PlatformFiles(platform, assignments.get("assignments"))
    for scores in everybody:
        files.add(scores, f"<p>{scores[0].mark.student}</p>")
    files.write(folder)
    return files


def table(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def imported_by_canvas(path: Path) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return each column's maximum, and the scores by column and id, as ``lib/gradebook_importer.rb`` reads them."""
    header, *rows = table(path)
    assert len(header) > 3 and "Student" in header[0] and "ID" in header[1] and "Section" in header[2]
    most, scores = {}, {title: {} for title in header[3:]}
    for row in rows:
        if "Points Possible" in row[0]:
            most = dict(zip(header[3:], row[3:], strict=True))
        else:
            for title, cell in zip(header[3:], row[3:], strict=True):
                scores[title][row[1]] = cell
    return most, scores


def imported_by_moodle(path: Path) -> dict[int, str]:
    """Return the grades by participant, as ``importgradeslib.php`` reads them in English."""
    header, *rows = table(path)
    at = {name: header.index(name) for name in ("Identifier", "Grade", "Last modified (grade)")}
    return {int(row[at["Identifier"]][len("Participant ") :]): row[at["Grade"]] for row in rows}


def whose_by_canvas(path: str) -> tuple[str, str]:
    """Return the numbers of the user and of the file, as ``infer_comment_context_from_filename`` finds them."""
    parts = [part for part in path.rpartition("/")[2].split("_") if part != "LATE"]
    if parts[0] == "anon":
        return parts[1], parts[2]
    user, attachment = [part for part in parts if re.fullmatch("[0-9]+", part)][:2]
    return user, attachment


def whose_by_moodle(path: str) -> tuple[int, str]:
    """Return the participant and the file's name, as ``is_valid_filename_for_import`` finds them."""
    parts = ["", "import", *path.split("/")]
    while parts:
        info = parts.pop(0).split("_", 4)
        if len(info) >= 4 and info[1].isdigit() and info[2:4] == ["assignsubmission", "file"]:
            return int(info[1]), "/".join([*info[4:], *parts]).lstrip("/")
    raise AssertionError(path)


def test_canvas_takes_the_points_that_count(tmp_path):
    files = written(
        tmp_path,
        "canvas",
        [a_score("leeann_12", "leeann_LATE_12_90_hw-1.ipynb", 6.0, penalty=1.5)],
        [a_score("kimbo_13", "kimbo_13_91_hw.ipynb", 0.0)],
        [a_score("poeed_14", "poeed_14_92_hw.ipynb", None, "unreadable")],
        [a_score("rayjo_15", "rayjo_15_93_hw.ipynb", 3.0, "pending")],
    )
    most, scores = imported_by_canvas(tmp_path / "canvas-02.csv")
    assert most == {"Lesson 02": "8"}
    assert scores == {"Lesson 02": {"12": "4.5", "13": "0"}}  # no row, hence nothing deleted, for those without a score
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert {whose_by_canvas(name): archive.read(name).decode() for name in archive.namelist()} == {
            ("12", "90"): "<p>leeann_12</p>",
            ("13", "91"): "<p>kimbo_13</p>",
            ("14", "92"): "<p>poeed_14</p>",
            ("15", "93"): "<p>rayjo_15</p>",
        }
    [line] = files.lines(tmp_path, by_name)
    assert "canvas-02.csv" in line and "feedback.zip" in line


def test_moodle_takes_the_points_that_count_on_the_assignments_scale(tmp_path):
    file = "class/{}_assignsubmission_file_/a/hw.ipynb"
    everybody = [
        [a_score("Ann Lee_12", file.format("Ann Lee_12"), 6.0, penalty=1.5)],
        [a_score("Bo_13", "Bo_13_assignsubmission_file_hw.ipynb", None, "unreadable")],
        [a_score("Cy_14", file.format("Cy_14"), 3.0, "pending")],
        [a_score("Di_15", "", None, "unreadable")],  # an empty folder
    ]
    written(tmp_path, "moodle", *everybody)
    assert imported_by_moodle(tmp_path / "moodle-02.csv") == {12: "4.5", 13: "", 14: "", 15: ""}
    assert {row[3] for row in table(tmp_path / "moodle-02.csv")[1:]} == {"8"}
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        found = {whose_by_moodle(name): archive.read(name).decode() for name in archive.namelist()}
    assert found == {(int(one.mark.student[-2:]), "feedback.html"): f"<p>{one.mark.student}</p>" for [one] in everybody}


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_each_lesson_has_a_table_of_its_own(tmp_path, platform):
    names = "ann_1_{}_hw.ipynb" if platform == "canvas" else "ann_1_assignsubmission_file_/{}.ipynb"
    scores = [
        a_score("ann_1", names.format(2)),
        a_score("ann_1", names.format(3), 1.0, lesson="03", max_score=9.5),
        a_score("ann_1", names.format(4), None, "unreadable", lesson="", max_score=None),
    ]
    written(tmp_path, platform, scores, assignments={"03": "Third (77)"})
    assert {path.name for path in tmp_path.iterdir()} == {f"{platform}-02.csv", f"{platform}-03.csv", "feedback.zip"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    if platform == "canvas":
        assert imported_by_canvas(tmp_path / "canvas-03.csv") == ({"Third (77)": "9.5"}, {"Third (77)": {"1": "1"}})


def test_whom_a_name_does_not_tell_is_left_out_and_named(tmp_path):
    eve = "Eve_5_assignsubmission_file_x_12"  # who would have Ann's number where the last one counted
    for platform, student, file in (
        ("moodle", eve, f"{eve}_assignsubmission_file_hw.ipynb"),
        ("moodle", "A_B_7", "A_B_7_assignsubmission_file_/hw.ipynb"),  # for Moodle, B would be the number
        ("canvas", "lee_5_ann_12", "lee_5_ann_12_9_hw.ipynb"),  # for Canvas, 5 would be the student
        ("canvas", "x\\y_3", "x\\y_3_4_hw.ipynb"),
        ("canvas", "ann_3", ""),
    ):
        folder = tmp_path / student.replace("\\", "")
        folder.mkdir(exist_ok=True)
        ann = ("Ann_12", "Ann_12_assignsubmission_file_/hw.ipynb" if platform == "moodle" else "Ann_12_1_hw.ipynb")
        files = written(folder, platform, [a_score(*ann)], [a_score(student, file, 1.0)])
        with zipfile.ZipFile(folder / "feedback.zip") as archive:
            assert len(archive.namelist()) == 1, student
        assert files.lines(folder, lambda name: name.upper())[-1].endswith(f"whose they are: {student.upper()}.")
        read = imported_by_moodle if platform == "moodle" else lambda path: imported_by_canvas(path)[1]["Lesson 02"]
        assert "2.5" in read(folder / f"{platform}-02.csv").values()


def test_who_is_anonymous_on_canvas_gets_a_page(tmp_path):
    files = written(tmp_path, "canvas", [a_score("anon_x1", "LATE_anon_x1_90_hw.ipynb")])
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert [whose_by_canvas(name) for name in archive.namelist()] == [("x1", "90")]
    assert not (tmp_path / "canvas-02.csv").exists() and "anon_x1" in files.lines(tmp_path, by_name)[-1]


_TEXT = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=12)
_WORDS = st.text(st.characters(exclude_characters="/_\\\x7f", min_codepoint=32, exclude_categories=("Cs",)), min_size=1)
_NUMBER = st.integers(0, 10**9).map(str)


@given(_TEXT, st.sampled_from(("", "_LATE")), _NUMBER, _NUMBER, _TEXT, st.sampled_from(("canvas", "moodle", "flat")))
def test_a_page_is_read_back_as_its_students_or_left_out(name, late, id, file_id, file, kind):
    platform = "canvas" if kind == "canvas" else "moodle"
    given = {
        "canvas": f"in/{name}{late}_{id}_{file_id}_{file}",
        "flat": f"{name}_{id}_assignsubmission_file_{file}",
        "moodle": f"{name}_{id}_assignsubmission_file_/{file}",
    }[kind]
    owner = SCHEMES[platform](tuple(given.split("/")))
    files = PlatformFiles(platform)
    files.add([a_score(readable(owner.student), given)], "page")
    for path in files._pages:
        again = SCHEMES[platform](tuple(path.split("/")))
        assert isinstance(again, Owner) and readable(again.student) == readable(owner.student)
        assert "\\" not in path and ".." not in path.split("/") and not path.startswith("/")
        whose_by_canvas(path) if platform == "canvas" else whose_by_moodle(path)


@given(_WORDS, st.sampled_from(("", "_LATE")), _NUMBER, _NUMBER, _TEXT)
def test_what_the_platforms_themselves_name_is_never_left_out(name, late, id, file_id, file):
    """No underscore, backslash or control character stands in their names; numbers are the platforms' own."""
    exported = f"{name}x{late}_{id}_{file_id}_{file}", f"{name}_{id}_assignsubmission_file_/{file}"
    for platform, path, whose in zip(("canvas", "moodle"), exported, ((id, file_id), (int(id), _PAGE)), strict=True):
        found = feedback_path(platform, path)
        owner = SCHEMES[platform](tuple(path.split("/")))
        assert (whose_by_canvas if platform == "canvas" else whose_by_moodle)(found) == whose
        files = PlatformFiles(platform)
        files.add([a_score(readable(owner.student), path)], "page")
        assert [*files._pages] == [found]


_PAGE = "feedback.html"


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "ID", "Section", "Final Score (3)", "Override Grade", 3])
def test_what_cannot_be_an_assignments_title(title):
    with pytest.raises(ValueError):
        column(title)


def test_the_zip_files_bytes_are_those_of_its_pages(tmp_path):
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        written(folder, "canvas", [a_score("ann_1", "ann_1_2_hw.ipynb")], [a_score("bo_2", "bo_2_3_hw.ipynb")])
    assert (tmp_path / "a" / "feedback.zip").read_bytes() == (tmp_path / "b" / "feedback.zip").read_bytes()


@pytest.mark.slow
def test_from_canvas_and_back_with_ids_on_the_pages(course, tmp_path):
    """A class file counts one exercise double and the other not; the next one changes scores, and marks nothing."""
    export, class_file, out = tmp_path / "export.zip", tmp_path / "class.toml", tmp_path / "out"
    export.write_bytes(
        zipped(
            {
                "leeann_LATE_12_90_hw-1.ipynb": notebook(SET_UP, DOUBLE, TOTAL),
                "oddedith_13_93_hw.ipynb": b"junk",
                "parkso_14_94_hw.zip": b"junk",
            }
        )
    )
    class_file.write_text(
        '[late]\npenalty = 25\n[lesson.90.points]\n"90.1" = 4\n"90.2" = 0\n[lesson.90]\nassignment = "Double (5)"'
    )
    asked = (export, "--out", out, "--names", "canvas", "--lesson", "90", "--anonymous", "--class", class_file)
    done = grade(course, *asked)
    assert "with people's names" in done.stdout and "leeann" not in done.stdout
    ids = {row["student"]: row["id"] for row in rows(out / "ids.csv")}
    row = grades(out)[ids["leeann_12"]]
    assert [row[name] for name in ("score", "max_score", "90.1", "90.2", "final_score")] == ["4", "4", "4", "3", "3"]
    assert imported_by_canvas(out / "canvas-90.csv") == ({"Double (5)": "4"}, {"Double (5)": {"12": "3"}})
    with zipfile.ZipFile(out / "feedback.zip") as archive:
        pages = {whose_by_canvas(name): archive.read(name).decode() for name in archive.namelist()}
    assert ids["leeann_12"] in pages["12", "90"] and "leeann" not in pages["12", "90"] and len(pages) == 3
    class_file.write_text("")
    again = grade(course, *asked, "--assignment", "Other (6)")
    assert "Kept 3 that were marked already." in again.stdout
    assert imported_by_canvas(out / "canvas-90.csv") == ({"Other (6)": "5"}, {"Other (6)": {"12": "5"}})
