"""The invented class, and that the pages for instructors say what is so."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grading import (
    GradingError,
    archives,
    by_hand,
    demo,
    export,
    idling,
    judging,
    marking,
    notebook_answers,
    sandbox,
    sandbox_selection,
    submissions,
)
from grading.__main__ import _parser
from grading.names import SCHEMES, Owner
from grading.notebook_answers import read
from grading.submissions import collect


@pytest.mark.slow
def test_the_class_has_thirty_of_all_kinds_and_stays_the_same(tmp_path):
    path, arguments = demo.make(tmp_path / "a")
    again, _ = demo.make(tmp_path / "b")
    assert path.read_bytes() == again.read_bytes()
    path.write_bytes(b"changed by its reader")
    assert demo.make(tmp_path / "a")[0].read_bytes() == b"changed by its reader"
    found = [read(one, demo.LESSON)[0] for one in collect(again, "canvas").students]
    assert len(found) == demo.SIZE == 30 == len({one.student for one in found})
    assert sum(bool(one.problem) for one in found) == 4 and sum(one.late for one in found) == 3
    assert _parser().parse_args(arguments).names == "canvas"
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "mine.txt").touch()
    with pytest.raises(GradingError, match="not ours"):
        demo.make(tmp_path / "thesis")


@pytest.mark.slow
@pytest.mark.full
def test_the_demonstrations_marks_are_those_that_its_class_has_earned(root, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "grading", "demo", "--out", str(tmp_path / "d")],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with (tmp_path / "d" / "marks" / "grades.csv").open(newline="") as file:
        rows = {row["student"].rpartition("_")[0]: row for row in csv.DictReader(file)}
    scores = {name: (row["status"], row["score"], row["final_score"]) for name, row in rows.items()}
    assert len(rows) == 30
    assert scores["adeyemitolu"] == ("pending", "18", "18") and scores["bauerjonas"] == ("graded", "18", "18")
    assert scores["chenmei"] == ("graded", "18", "16.2") and scores["jonespatrick"] == ("graded", "11", "5.5")
    with (tmp_path / "d" / "marks" / "by_hand.csv").open(newline="") as file:
        assert [row["exercise"] for row in csv.DictReader(file)] == [demo.TEXT] * 2
    assert scores["schmidtlena"] == ("crashed", "", "") and scores["parksoojin"] == ("unreadable", "", "")
    for hostile in ("vanderbergtim", "wangli", "ximenespaulo", "yilmazdeniz", "zhangwei"):
        assert scores[hostile] == ("graded", "0", "0")


def page(root: Path) -> str:
    return (root / "grading" / "README.md").read_text(encoding="utf-8")


def test_the_page_names_every_option_and_no_other(root):
    grade = _parser()._subparsers._group_actions[0].choices["grade"]
    known = {option for action in grade._actions for option in action.option_strings if option.startswith("--")}
    named = set(re.findall(r"--[a-z][a-z-]+", page(root)))
    assert named - known == {"--student", "--minutes"}  # of history, and of pack
    assert {
        "--names",
        "--times",
        "--due",
        "--late-penalty",
        "--late-cap",
        "--grace",
        "--keep",
        "--anonymous",
        "--class",
        "--assignment",
        "--round",
        "--seed-file",
        "--out",
        "--lesson",
    } <= named


def test_the_page_says_what_is_so(root):
    text = " ".join(page(root).split())
    assert ", ".join(export.COLUMNS) in text and ", ".join(export.LATE_COLUMNS) in text
    for head, rows in (("`--names`", set(SCHEMES)), ("`--sandbox`", set(sandbox_selection.NAMES) - {"auto"})):
        table = re.search(rf"^\| {head}[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)", page(root), re.M)[1]
        assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == rows, head
    assert f"above {submissions.MAX_BYTES // 10**6} MB" in text
    assert f"{notebook_answers.MAX_NOTEBOOKS} notebooks or {submissions.MAX_ARCHIVE_BYTES // 10**6} MB" in text
    assert f"{submissions.MAX_ENTRIES:,} files" in text and f"than {archives.MAX_RATIO} times" in text
    assert f"{notebook_answers.MAX_SOURCE:,} characters in its cells" in text
    assert f"the first {notebook_answers.MAX_TEXT:,} characters" in text
    assert f"`{export.page_name('Ann Lee')}` for Ann Lee" in text
    assert marking.PATIENCE == 5 and f"{marking.BASE_SECONDS:g} seconds of computing and five times" in text
    assert f"nothing for {idling.SECONDS:g} seconds" in text
    assert f"{sandbox.LIMITS['memory'] // 2**30} GB of memory, {sandbox.LIMITS['processes']} processes" in text
    assert f"{judging.BYTES // 2**30} GB and {judging.SECONDS} seconds of computing" in text
    assert {"text", "rubric", "max_points", "points", "comment", "earlier", "key"} <= set(by_hand.COLUMNS)
    for name, example in (("canvas", "leeann_12345"), ("moodle", "Ann Lee_12345")):
        shown = re.search(rf"\| `{name}` \| `{example}` for `([^`]+)`", text)[1]
        owner = SCHEMES[name](tuple(shown.split("/")))
        assert isinstance(owner, Owner) and owner.student == example
    for file in (by_hand.FILE, export.IDS_FILE, "anonymous.key", "results.sqlite", "grades.csv", "index.html"):
        assert f"`{file}`" in text
