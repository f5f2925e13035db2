"""Marking a class from end to end: platforms' exports, late work, ids, texts by hand, kills, full disks, pages."""

from __future__ import annotations

import contextlib
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from grading.gradebook import Gradebook, history
from tests.colour_vision import contrast
from tests.grading.helpers import (
    DOUBLE,
    INCREMENT,
    OPEN,
    SET_UP,
    STUBS,
    TOTAL,
    command,
    grade,
    grades,
    hand_in,
    lines,
    notebook,
    page_of,
    rows,
    wait_for,
)
from tests.grading.test_submissions import zipped

pytestmark = pytest.mark.slow

SOLVED, HALF = notebook(SET_UP, DOUBLE, TOTAL), notebook(SET_UP, DOUBLE)


def test_an_export_of_canvas_with_late_work(course, tmp_path):
    """Fixed columns first, then what lateness costs; one student's broken zip stops nobody."""
    archive = tmp_path / "export.zip"
    archive.write_bytes(
        zipped(
            {
                "leeann_1_90_hw.ipynb": SOLVED,
                "roybob_LATE_2_91_hw-1.ipynb": SOLVED,
                "ngcy_LATE_3_92_hw.ipynb": HALF,
                "oddedith_4_93_hw.zip": b"PK\x03\x04 broken",
                "packfay_5_94_hw.zip": zipped({"deep/hw.ipynb": SOLVED, "../../../evil.ipynb": SOLVED}),
            }
        )
    )
    times = tmp_path / "times.csv"
    times.write_text("student,time\nroybob_2,2026-03-04T00:00+00:00\nleeann_1,2026-03-01T18:05+00:00\n")
    done = grade(
        course,
        archive,
        "--out",
        tmp_path / "out",
        "--names",
        "canvas",
        "--times",
        times,
        "--due",
        "2026-03-01T18:00+00:00",
        "--late-penalty",
        20,
        "--late-cap",
        "50%",
        "--grace",
        10,
    )
    assert lines(tmp_path / "out" / "grades.csv") == [
        "student,lesson,status,score,max_score,90.1,90.2,handed_in,days_late,penalty,final_score",
        "leeann_1,90,graded,5,5,2,3,2026-03-01T18:05:00+00:00,0,0,5",
        "ngcy_3,90,graded,2,5,2,0,,1,0.4,1.6",
        "oddedith_4,,unreadable,,,,,,,,",
        "packfay_5,90,graded,5,5,2,3,,,0,5",
        "roybob_2,90,graded,5,5,2,3,2026-03-04T00:00:00+00:00,3,2.5,2.5",
    ]
    text = page_of(tmp_path / "out", "roybob_2")
    assert "Handed in 3 days late" in text and "50 % of the points earned are taken off" in text and "2.5 count" in text
    assert "which counts as one day" in page_of(tmp_path / "out", "ngcy_3")
    assert "its path leads out of the archive" in page_of(tmp_path / "out", "packfay_5")
    assert "is not a zip file, or it is damaged" in page_of(tmp_path / "out", "oddedith_4")
    assert not list(tmp_path.rglob("evil*")) and "evil" not in done.stdout
    later = grade(
        course,
        archive,
        "--out",
        tmp_path / "out",
        "--names",
        "canvas",
        "--due",
        "2026-03-03T18:00+00:00",
        "--late-penalty",
        1,
    )
    assert "Kept 5 that were marked already." in later.stdout  # another rule, nothing marked again, times kept
    assert {row["student"]: row["penalty"] for row in rows(tmp_path / "out" / "grades.csv")}["roybob_2"] == "0.05"


def test_last_or_best(course, tmp_path):
    export, out = tmp_path / "export.zip", tmp_path / "out"
    export.write_bytes(zipped({"leeann_1_90_hw.ipynb": SOLVED, "leeann_1_91_hw-1.ipynb": HALF}))
    grade(course, export, "--out", out, "--names", "canvas")
    assert grades(out)["leeann_1"]["score"] == "2"
    best = grade(course, export, "--out", out, "--names", "canvas", "--keep", "best")
    assert "Marked 1 submission" in best.stdout and grades(out)["leeann_1"]["score"] == "5"
    told = subprocess.run(
        [sys.executable, "-m", "grading", "history", "--out", str(out), "--student", "leeann_1"],
        cwd=course,
        capture_output=True,
        text=True,
    )
    assert [re.search(r"graded, (\d) of 5", line)[1] for line in told.stdout.splitlines()] == ["5", "2"]
    grade(course, export, "--out", out, "--names", "canvas", "--keep", "last")
    assert grades(out)["leeann_1"]["score"] == "2"


def test_ids_stand_for_names_and_nothing_else(course, tmp_path):
    """No page or table has a name, nor that of a file that is called like a student; one called e changes no word."""
    names = ["Ann Smith", "Bob Stone", "zz-first"]
    submissions = hand_in(tmp_path / "in", dict.fromkeys(names, SOLVED))
    hand_in(submissions / "e", {"Ann Smith 1": SOLVED, "Ann Smith 2": HALF})
    hand_in(submissions / "Ann Lee", {"Ann Lee": SOLVED, "Ann Lee `old`": b"junk"})
    hand_in(submissions, {"Eve Poe": notebook(INCREMENT, "md:# exercise 91.2\nBecause.")})
    out = tmp_path / "out"
    grade(course, submissions, "--out", out, "--free-text")
    assert "<code>Ann Lee &#39;old&#39;.ipynb</code>: The file is not a notebook" in page_of(out, "Ann Lee")
    (out / "feedback" / "own.html").write_text("<p>mine</p>")
    grade(course, submissions, "--out", out, "--anonymous")
    ids = {row["student"]: row["id"] for row in rows(out / "ids.csv")}
    assert set(ids) == {*names, "e", "Ann Lee", "Eve Poe"}
    assert all(re.fullmatch("id-[a-z2-7]{10}", id) for id in ids.values())
    assert (out / "ids.csv").stat().st_mode & 0o077 == (out / "anonymous.key").stat().st_mode & 0o077 == 0
    for path in [out / "grades.csv", out / "by_hand.csv", out / "index.html", *(out / "feedback").glob("id-*")]:
        shown = path.read_text(encoding="utf-8")
        assert not [name for name in {*ids} - {"e"} if name in shown or name in path.name], path
        assert any(id in shown for id in ids.values())
    for text in (page_of(out, ids["e"]), (out / "index.html").read_text()):
        assert "There are 2 notebooks for lesson 90 (a file, a file): hand in only" in text
    assert "could not be read. a file: The file is not a notebook" in page_of(out, ids["Ann Lee"])
    assert [path.name for path in (out / "feedback").iterdir() if not path.name.startswith("id-")] == ["own.html"]
    assert [row["student"] for row in rows(out / "grades.csv")] == sorted(ids.values())
    grade(course, submissions, "--out", out, "--anonymous", "--round", "again")
    assert {row["student"]: row["id"] for row in rows(out / "ids.csv")} == ids


def test_free_texts_by_hand_from_end_to_end(course, tmp_path):
    out, text = tmp_path / "out", "md:# exercise 91.2\nBecause."
    submissions = hand_in(tmp_path / "in", {"ann": notebook(INCREMENT, text), "bob": notebook(INCREMENT, text)})
    said = grade(course, submissions, "--out", out, "--free-text").stdout
    assert "2 free texts wait for points in" in said
    table = out / "by_hand.csv"
    assert rows(table)[0]["rubric"] == "Two points for the claim, two for the reason."
    table.write_text(table.read_text().replace('"4","","",', '"4","9","well",'))
    refused = grade(course, submissions, "--out", out, status=2)
    assert (
        "by_hand.csv, line 2: '9' is not a number of points from 0 to 4" in refused.stderr
        and '"9","well",' in table.read_text()
    )
    table.write_text(table.read_text().replace('"9","well",', '"3.5","<b>well</b>",'))
    assert "Read in from by_hand.csv: 2 marked by hand." in grade(course, submissions, "--out", out).stdout
    assert [(row["status"], row["score"], row["91.2"]) for row in rows(out / "grades.csv")] == [
        ("graded", "4.5", "3.5")
    ] * 2
    assert "&lt;b&gt;well&lt;/b&gt;" in page_of(out, "ann")
    seed = tmp_path / "seed"
    seed.write_text("another")
    hand_in(submissions, {"bob": notebook(INCREMENT, text + " Or not.")})
    said = grade(course, submissions, "--out", out, "--round", "2", "--free-text", "--seed-file", seed).stdout
    assert "Marked 2 submissions: 1 graded, 1 pending" in said.replace("2 pending", "1 graded, 1 pending")
    assert {row["student"]: row["status"] for row in rows(out / "grades.csv")} == {"ann": "graded", "bob": "pending"}
    assert {row["student"]: (row["points"], row["earlier"]) for row in rows(table)} == {
        "ann": ("3.5", ""),
        "bob": ("", "3.5 of 4 points for an earlier text: <b>well</b>"),
    }


def test_a_lesson_that_the_course_has_got_meanwhile(course, tmp_path):
    own = shutil.copytree(course, tmp_path / "course")
    hidden = own / "utils" / "lesson_91"
    hidden.rename(tmp_path / "lesson_91")
    submissions = hand_in(tmp_path / "in", {"ann": notebook(INCREMENT), "bob": SOLVED})
    grade(own, submissions, "--out", tmp_path / "out")
    assert grades(tmp_path / "out")["ann"]["status"] == "unreadable"
    (tmp_path / "lesson_91").rename(hidden)
    done = grade(own, submissions, "--out", tmp_path / "out")
    assert "Marked 1 submission: 1 graded" in done.stdout and grades(tmp_path / "out")["ann"]["score"] == "1"


def slow_answer(log: Path) -> bytes:
    """An answer that takes a moment, and notes each time that it is run."""
    code = (
        f"# exercise 90.1\nimport os, time\nwith open({str(log)!r}, 'a') as f: f.write('x')\ntime.sleep(0.25)\n"
        "def double(x):\n    return 2 * x"
    )
    return notebook(SET_UP, code)


def marked_so_far(out: Path) -> set[str]:
    try:
        return {stored.mark.student for stored in history(out)}
    except Exception:  # killed before there was anything
        return set()


@pytest.mark.full
def test_kill_at_any_moment_then_the_same_command(course, tmp_path):
    """Six kills at random moments, three of them after one more is marked: what is marked stays, is not run again, and
    the end is as if nothing had been."""
    logs = {f"s{at:02}": tmp_path / f"s{at:02}.log" for at in range(12)}
    submissions, out = (
        hand_in(tmp_path / "in", {name: slow_answer(log) for name, log in logs.items()}),
        tmp_path / "out",
    )
    arguments = command(submissions, "--out", out, "--workers", 2, *OPEN)
    rng, runs = random.Random(0), {}
    for number in range(6):
        process = subprocess.Popen(arguments, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number % 2:
            wait_for(lambda: len(marked_so_far(out)) > min(len(runs), len(logs) - 1))
        time.sleep(rng.uniform(0.05, 0.5 if number % 2 else 2.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for student in marked_so_far(out):
            runs.setdefault(student, logs[student].read_text())
    assert len(runs) >= 3
    done = grade(course, submissions, "--out", out, "--workers", 2, *OPEN)
    assert f"Kept {len(runs)} that w" in done.stdout
    assert {student: logs[student].read_text() for student in runs} == runs
    assert {name: row["score"] for name, row in grades(out).items()} == dict.fromkeys(logs, "2")
    assert {path.name for path in out.iterdir()} == {"grades.csv", "feedback", "index.html", "results.sqlite"}
    with sqlite3.connect(out / "results.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM results").fetchone() == (12,)


def small_disk(folder: Path) -> bool:
    """Mount a disk of 1.5 MB at ``folder``; return whether that is allowed here."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(folder)], capture_output=True)
    return mounted.returncode == 0


@pytest.mark.parametrize("room", [pytest.param(0, marks=pytest.mark.full), 80_000])
def test_a_disk_that_fills_up(course, tmp_path, room):
    """Whether at once or in the middle: a clear message, all as it was, and the rest is done once there is room."""
    disk = tmp_path / "disk"
    if shutil.which("mount") is None or not small_disk(disk):
        pytest.skip("a small disk cannot be mounted here")
    try:
        submissions = hand_in(tmp_path / "in", dict.fromkeys("abc", SOLVED))
        grade(course, submissions, "--out", disk / "out")
        before = grades(disk / "out")
        (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - room))
        hand_in(submissions, {"b": HALF, **{f"d{at:02}": b"junk" for at in range(40)}})
        stopped = grade(course, submissions, "--out", disk / "out", status=2)
        assert "the disk is full: make room" in stopped.stderr and stopped.stderr.count("\n") == 1
        assert grades(disk / "out") == before and not list((disk / "out").rglob(".*.new"))
        (disk / "filler").unlink()
        kept = marked_so_far(disk / "out")
        assert set("abc") <= kept and (len(kept) > 3) == (room > 0)
        grade(course, submissions, "--out", disk / "out")
        after = {name: row["score"] for name, row in grades(disk / "out").items()}
        assert len(after) == 43 and [after[name] for name in "abc"] == ["5", "2", "5"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def stopped_by_a_limit(course: Path, most: int, *arguments: object) -> None:
    """Mark where no file may be larger than so many bytes, and see that this is said."""
    limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))}
    done = subprocess.run(command(*arguments), cwd=course, capture_output=True, text=True, **limits)
    assert done.returncode == 2 and done.stderr.strip() == (
        f"grading: stopped (no file may be larger than {most:,} bytes: raise that limit, which ulimit -f shows); "
        "what is marked is kept, and the same command goes on."
    )


def test_a_limit_on_the_size_of_files(course, tmp_path):
    """The database may grow no further: a clear message, and what it holds is whole."""
    submissions, out = hand_in(tmp_path / "in", {"a": SOLVED}), tmp_path / "out"
    grade(course, submissions, "--out", out)
    hand_in(submissions, {f"b{at}": b"no notebook" for at in range(60)})
    grown = (out / "results.sqlite").stat().st_size + 10_000
    stopped_by_a_limit(course, grown, submissions, "--out", out, *OPEN)  # a sandbox has files of its own to be laid out
    grade(course, submissions, "--out", out)
    assert len(grades(out)) == 61


def test_a_limit_that_a_sandbox_does_not_keep_to(course, best, tmp_path):
    """No sandbox is to blame for what cannot be laid out for it: here a file of the course."""
    own = shutil.copytree(course, tmp_path / "course")
    (own / "utils" / "lesson_90" / "large.txt").write_bytes(bytes(200_000))
    stopped_by_a_limit(own, 100_000, hand_in(tmp_path / "in", {"a": SOLVED}), "--out", tmp_path / "out")


def test_one_marking_at_a_time(course, tmp_path):
    submissions, out = hand_in(tmp_path / "in", {"a": HALF}), tmp_path / "out"
    with contextlib.closing(Gradebook(out)):
        refused = grade(course, submissions, "--out", out, *OPEN, status=2)
    assert "another marking is using it; wait until that ends" in refused.stderr
    grade(course, submissions, "--out", out, *OPEN)


def test_everybody_may_look_while_a_class_is_marked(course, tmp_path):
    log, out = tmp_path / "log", tmp_path / "out"
    submissions = hand_in(tmp_path / "in", {"a": HALF, "b": slow_answer(log).replace(b"0.25", b"4")})
    process = subprocess.Popen(command(submissions, "--out", out, "--workers", 1, *OPEN), cwd=course)
    wait_for(lambda: "a" in marked_so_far(out))
    with sqlite3.connect(f"file:{out / 'results.sqlite'}?mode=ro", uri=True) as reader:
        assert ("a", 2.0) in reader.execute("SELECT student, score FROM results").fetchall()
    assert process.wait() == 0
    assert len(grades(out)) == 2


def test_a_file_in_motion_is_nobodys_fault(course, tmp_path):
    submissions = hand_in(tmp_path / "in", {"ann": HALF, "bob": HALF})
    moving = (
        "import grading.submissions as c, itertools\nreal, count = c.FileSource._chunks, itertools.count()\n"
        "c.FileSource._chunks = lambda self, limit: iter([b'%d' % next(count)]) if self.parts == ('bob.ipynb',) "
        "else real(self, limit)\n"
    )
    arguments = command(submissions, "--out", tmp_path / "out")
    arguments[2] = moving + arguments[2]
    done = subprocess.run(arguments, cwd=course, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "Not marked, through no fault of theirs: bob; `bob.ipynb` changed while it was read" in done.stdout
    assert set(grades(tmp_path / "out")) == {"ann"}
    grade(course, submissions, "--out", tmp_path / "out")
    assert set(grades(tmp_path / "out")) == {"ann", "bob"}


class Tags(HTMLParser):
    """Collects a page's tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


HOSTILE = "<script>alert(1)</script>"


def test_hostile_names_and_outputs_stay_text(course, tmp_path):
    """No tag, attribute or address of a page is a student's: whatever their names, files and prints hold."""
    prints = (
        f"# exercise 90.1\nprint({HOSTILE!r} * 3, '\"><img src=x onerror=y>', '{{{{7*7}}}}')\ndef double(x):\n"
        f"    print({HOSTILE!r})\n    return {HOSTILE!r}"
    )
    archive = tmp_path / "in.zip"
    archive.write_bytes(
        zipped(
            {
                '"><script>alert(1)<\\script>/x<b>.ipynb': notebook(SET_UP, prints, *STUBS[1:]),
                "javascript:alert(1)/a.ipynb": SOLVED,
                "javascript:alert(1)/<i>b.ipynb": HALF,
                "a' onclick='x/a.ipynb": notebook("# exercise 90.1\n1 / 0  # <u>"),
                "=cmd()/a.ipynb": b"<html>",
                "\u202egro.evil/a.ipynb": SOLVED,
            }
        )
    )
    out = tmp_path / "out"
    grade(course, archive, "--out", out)
    pages = [out / "index.html", *(out / "feedback").iterdir()]
    assert len(pages) == 6
    allowed = {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "a",
        "span",
        "section",
        "article",
        "div",
        "ul",
        "li",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "dl",
        "dt",
        "dd",
        "pre",
        "code",
        "br",
        "details",
        "summary",
    }
    for path in pages:
        text = path.read_text(encoding="utf-8")
        tags = Tags(text).tags
        assert {tag for tag, _ in tags} <= allowed
        attributes = {name for _, given in tags for name in given}
        assert not [name for name in attributes if name.startswith("on")] and "src" not in attributes
        addresses = [given["href"] for tag, given in tags if tag == "a"]
        assert all(
            re.fullmatch(r"(feedback/[\w%.@+=,()~-]+\.html|grades\.csv|#exercise-[\d.]+)", one) for one in addresses
        )
        assert (
            "default-src 'none'" in text and "\u202e" not in text and "49" not in re.sub(r"#\w+|\d\d%", "", text[6000:])
        )
    for address in [given["href"] for tag, given in Tags(pages[0].read_text()).tags if tag == "a"]:
        assert (out / unquote(address)).is_file()


def test_pages_can_be_read_by_everybody(course, tmp_path):
    """Language, one main heading, headings in order, table headers with their scope, a title, a viewport."""
    submissions = hand_in(tmp_path / "in", {"ann": SOLVED, "bob": HALF, "cy": b""})
    grade(course, submissions, "--out", tmp_path / "out")
    for path in [tmp_path / "out" / "index.html", *(tmp_path / "out" / "feedback").iterdir()]:
        tags = Tags(path.read_text(encoding="utf-8")).tags
        assert dict(tags)["html"] == {"lang": "en"} and [tag for tag, _ in tags].count("h1") == 1
        levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h\d", tag)]
        assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False))
        assert all("scope" in given for tag, given in tags if tag == "th")
        assert [tag for tag, _ in tags].count("table") == [tag for tag, _ in tags].count("caption")
        assert {"title", "main"} <= {tag for tag, _ in tags}


def test_colours_have_contrast(course):
    """By WCAG's formula at least 4.5 for text on what it stands on, in the light and in the dark."""
    css = (course / "grading" / "templates" / "style.css").read_text()
    light = dict(re.findall(r"--(\w+): (#\w+)", css.partition("@media")[0]))
    dark = light | dict(re.findall(r"--(\w+): (#\w+)", css.partition("@media")[2].partition("}")[0]))
    for colours in (light, dark):
        for text, ground in [
            ("text", "page"),
            ("soft", "page"),
            ("full", "page"),
            ("part", "page"),
            ("link", "page"),
            ("text", "panel"),
            ("text", "hint"),
        ]:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
