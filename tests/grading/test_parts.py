"""The grader's parts, each by itself: the command's errors, reading, definitions, the gradebook, the export."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path

import nbformat
import pytest

from grading import GradingError, export, idling, notebook_answers, protocol
from grading.__main__ import main
from grading.final_scores import FinalScore, ScoringRules, final_scores
from grading.gradebook import Gradebook, history
from grading.lateness import Lateness
from grading.marking import ExerciseMark, SubmissionMark, status_of
from grading.notebook_answers import NotebookCell, cells_of, find_answer, read
from grading.submissions import Document, FileSource, StudentFiles, collect
from grading.tables import clean
from tests.grading.helpers import DOUBLE, SET_UP, STUBS, TOTAL, a_job, hand_in, notebook, version_3


def refused(capsys, *arguments: object) -> str:
    """Return the one sentence with which the command refuses."""
    assert main(["grade", *map(str, arguments)]) == 2
    said = capsys.readouterr()
    assert re.fullmatch(r"(Sandbox: .*\n)?", said.out) and said.err.count("\n") == 1
    return said.err


def test_submissions_that_are_no_folder(capsys, tmp_path):
    empty = tmp_path / "empty"
    (empty / "ann").mkdir(parents=True)
    broken, file = tmp_path / "class.zip", tmp_path / "class.tar"
    broken.write_bytes(b"PK no zip file")
    file.touch()
    out = tmp_path / "out"
    assert "is not a zip file, or it is damaged. Export it again" in refused(capsys, broken, "--out", out)
    assert "is a file of another kind. Name the folder or the zip file" in refused(capsys, file, "--out", out)
    assert "does not exist" in refused(capsys, tmp_path / "nowhere", "--out", out)
    assert "holds no notebook" in refused(capsys, empty, "--out", out)
    assert not out.exists()


def test_an_out_that_is_not_ours_stays_as_it_is(capsys, tmp_path):
    submissions = hand_in(tmp_path / "in", {"ann": notebook(DOUBLE)})
    foreign = tmp_path / "thesis"
    foreign.mkdir()
    (foreign / "grades.csv").write_text("mine")
    assert "not ours" in refused(capsys, submissions, "--out", foreign)
    (foreign / "results.sqlite").write_text("no database, and longer than a header would be" * 9)
    assert "damaged or not ours" in refused(capsys, submissions, "--out", foreign)
    assert (foreign / "grades.csv").read_text() == "mine" and len(list(foreign.iterdir())) == 2
    assert "is a file" in refused(capsys, submissions, "--out", foreign / "grades.csv")
    assert "inside the submissions" in refused(capsys, submissions, "--out", submissions / "out")
    assert not (submissions / "out").exists()


def test_wrong_options(capsys, tmp_path):
    submissions = hand_in(tmp_path / "in", {"ann": notebook(DOUBLE)})
    empty = tmp_path / "seed"
    empty.touch()
    arguments = (submissions, "--out", tmp_path / "out")
    assert "There is no lesson 77" in refused(capsys, *arguments, "--lesson", "77")
    assert "is empty" in refused(capsys, *arguments, "--seed-file", empty)
    assert "could not be read" in refused(capsys, *arguments, "--seed-file", tmp_path / "none")
    for option, value in (("--lesson", "one"), ("--workers", "0"), ("--workers", "-1")):
        with pytest.raises(SystemExit) as stopped:
            main(["grade", *map(str, arguments), option, value])
        assert stopped.value.code == 2 and repr(value) in capsys.readouterr().err


def test_who_handed_in_what(tmp_path):
    hand_in(tmp_path, {"zoe": b"", "Ann Lee": b""})
    hand_in(tmp_path / "bob" / ".ipynb_checkpoints", {"x-checkpoint": b""})
    hand_in(tmp_path / "bob" / "deep", {"x": b""})
    (tmp_path / "bob" / "link.ipynb").symlink_to(tmp_path / "zoe.ipynb")
    (tmp_path / "linked").symlink_to(tmp_path / "bob")
    (tmp_path / ".hidden.ipynb").touch()
    (tmp_path / "UPPER.IPYNB").touch()
    (tmp_path / "notes.txt").touch()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.ipynb")).touch()
    class_ = collect(tmp_path)
    names = {files.student: [document.name for document in files.documents] for files in class_.students}
    odd = names.pop("caf\\udce9")
    assert len(odd) == 1
    assert names == {
        "Ann Lee": ["Ann Lee.ipynb"],
        "UPPER": ["UPPER.IPYNB"],
        "bob": ["deep/x.ipynb"],
        "zoe": ["zoe.ipynb"],
    }
    assert class_.left_out == [
        ".hidden.ipynb (a hidden file: its name begins with a dot)",
        "bob/link.ipynb (a symbolic link)",
        "linked (a symbolic link)",
        "notes.txt (no .ipynb)",
    ]


@pytest.mark.parametrize(
    "data",
    [
        notebook(DOUBLE, TOTAL),
        version_3(DOUBLE, TOTAL),
        b"\xef\xbb\xbf" + notebook(DOUBLE, TOTAL),
        notebook(DOUBLE, TOTAL).decode().encode("utf-16"),
        notebook(DOUBLE.replace("\n", "\r\n"), TOTAL.replace("\n", "\r")),
    ],
)
def test_formats_that_platforms_make(data):
    assert cells_of(data) == (NotebookCell("code", DOUBLE), NotebookCell("code", TOTAL))


@pytest.mark.parametrize(
    "data",
    [b"", b"  \n", b"PK\x03\x04", b"null", b"{}", b'{"cells": 3}', b'{"cells": [', b"\xff\xfe\xff", b"[" * 100_000],
)
def test_what_is_no_notebook(data):
    with pytest.raises(notebook_answers.Unreadable, match=r"\.$"):
        cells_of(data)


def by(*paths: Path) -> StudentFiles:
    """What Ann handed in."""
    return StudentFiles("ann", tuple(Document(path.name, FileSource(path.parent, (path.name,))) for path in paths))


@pytest.mark.parametrize(
    ("order", "printed", "points"),
    [
        ((1, 2), "✗ Exercise 90.1: 0.5 of 2 points.\n  got 3", 0.5),
        ((1, 2), "✓ Exercise 90.1: 2 of 2 points.", 2.0),
        ((1, 2), "– Exercise 90.1: not started", 0.0),
        ((2, 1), "✗ Exercise 90.1: 0.5 of 2 points.", None),  # of an answer that was changed since
        ((1, None), "✗ Exercise 90.1: 0.5 of 2 points.", None),
        ((1, 2), "When solved: ✓ Exercise 90.1: 2 of 2 points.", None),
        ((1, 2), "✗ Exercise 90.2: 0 of 3 points.", None),
    ],
)
def test_what_a_saved_check_shows(order, printed, points):
    outputs = [[], [nbformat.v4.new_output("stream", text=printed)]]
    cells = [
        nbformat.v4.new_code_cell(source, execution_count=count, outputs=output)
        for source, count, output in zip((DOUBLE, 'check("90.1", double)'), order, outputs, strict=True)
    ]
    data = nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()
    assert notebook_answers.points_at_home(cells_of(data), "90.1", "double") == points


@pytest.mark.parametrize("cell_seconds", [5, 7])
def test_idling_counts_anew_for_each_cell_and_all_of_it_together(monkeypatch, cell_seconds):
    """Sixty seconds end a job in which each cell idles for less than six, and one whose children are always ended."""
    now = 0.0
    monkeypatch.setattr(idling.time, "monotonic", lambda: now)
    clock, ended = idling.IdleClock(), []
    for _ in range(40):
        clock.restart()
        for _ in range(round(cell_seconds / idling._LONGEST)):
            now += idling._LONGEST
            ended += [now] * clock.must_end([], 6.0, lambda: True)
    assert 55 < ended[0] < 75


def test_cells_of_odd_shapes_are_left_out_or_empty():
    data = b'{"cells": [3, null, {}, {"source": 4}, {"cell_type": "code", "source": ["a\\n", 5, "b"]}]}'
    assert [cell.source for cell in cells_of(data)] == ["", "", "a\nb"]


def test_a_file_that_is_too_large_or_cannot_be_opened(tmp_path, monkeypatch):
    path = hand_in(tmp_path, {"ann": notebook(DOUBLE)}) / "ann.ipynb"
    monkeypatch.setattr(notebook_answers, "MAX_BYTES", 100)
    (large,) = read(by(path), "90")
    (gone,) = read(by(tmp_path / "gone.ipynb"), "90")
    assert "larger than" in large.problem and "could not be opened" in gone.problem
    assert (large.lesson, gone.lesson) == ("90", "90")


def test_the_lesson_is_told_by_the_ids(tmp_path):
    folder = hand_in(tmp_path, {"a": notebook(DOUBLE, TOTAL, "# exercise 05.1"), "b": b"junk"})
    a, b = folder / "a.ipynb", folder / "b.ipynb"
    assert [one.lesson for one in read(by(a))] == ["90"]
    assert [one.lesson for one in read(by(a), "05")] == ["05"]
    (other,) = read(by(a), "02")
    assert (other.lesson, other.cells) == ("02", ()) and "notebook of lesson 90" in other.problem
    assert [one.problem for one in read(by(a, b))] == [""]
    assert "not a notebook" in read(by(b))[0].problem


@pytest.mark.parametrize(
    ("sources", "index", "note"),
    [
        ([SET_UP, DOUBLE, TOTAL], 1, ""),
        ([SET_UP, "md:" + DOUBLE, DOUBLE], 2, ""),
        ([DOUBLE, "# exercise 90.1\nprint(3)"], 0, ""),
        ([STUBS[0], DOUBLE], 1, ""),
        ([DOUBLE, DOUBLE], 1, "2 cells answer"),
        ([STUBS[0], "def double(x):\n    return 2 * x"], 1, "found by its name"),
        (["# exercise 90.1\nif True:\n    def double(x): return 2 * x", "def double(x): pass"], 0, ""),
        (["# exercise 90.1\ndouble, other = (lambda x: 2 * x), 3", "def double(x): pass"], 0, ""),
        (["# exercise 90.1\nfrom mine import g as double", "def double(x): pass"], 0, ""),
        ([DOUBLE, f"# exercise 90.1\n'''{DOUBLE}'''", f'"""\n{DOUBLE}"""', "# def double(x): pass"], 0, ""),
        (["# exercise 90.1\ndouble = lambda x: 2 * x"], 0, ""),
        (["# exercise 90.1\nno = 1", "def double(x):\n    return 2 * x"], 1, "found by its name"),
        (["%%time\n# Exercise 90.1\ndef double(x): pass"], 0, ""),
        (["# exercise 90.1\nprint('double = 3')", "double == 3"], 0, ""),
        (["# exercise 90.10\ndef double(x): pass"], None, ""),
        ([TOTAL], None, ""),
    ],
)
def test_where_an_answer_stands(sources, index, note):
    found = find_answer(cells_of(notebook(*sources)), "90.1", "double")
    assert found.index == index and note in found.note and bool(note) == bool(found.note)


def a_mark(student: str = "ann", lesson: str = "90", digest: str = "d", score: float | None = 2.0, **more):
    lists = {"rows": [["Input", "x = 3"]], "notes": []}
    exercises = [ExerciseMark("90.1", 2, 2.0, "marked", **lists), ExerciseMark("90.10", 3, 0.5, "marked", **lists)]
    return SubmissionMark(student, lesson, digest, "graded", score, 5, exercises=exercises, **more)


def current(gradebook: Gradebook, **rules) -> list[list[SubmissionMark]]:
    return [[result.mark for result in of_one] for of_one in final_scores(gradebook, ScoringRules(**rules))]


def test_the_gradebook_gives_back_what_it_got(tmp_path):
    gradebook = Gradebook(tmp_path / "out")
    mark = a_mark(problem="odd \ud800 text")
    gradebook.put(mark)
    gradebook.close()
    again = Gradebook(tmp_path / "out")
    assert current(again) == [[mark]]
    assert again.status("ann", "90", "d") == "graded" and again.status("ann", "90", "e") is None


def test_a_path_that_is_no_utf_8_is_kept(tmp_path):
    gradebook = Gradebook(tmp_path)
    gradebook.put(a_mark(), file="caf\udce9_1_2_hw.ipynb")
    gradebook.resubmit("ann", "90", "d", None, False, file="caf\udce9_1_3_hw-1.ipynb")
    [[stored]] = gradebook.students()
    assert stored.file == "caf?_1_3_hw-1.ipynb"


def test_the_latest_counts_and_the_history_stays(tmp_path):
    gradebook = Gradebook(tmp_path)
    for digest, score in (("first", 1.0), ("second", 2.0)):
        gradebook.put(a_mark(digest=digest, score=score))
    assert [mark.score for (mark,) in current(gradebook)] == [2.0]
    gradebook.resubmit("ann", "90", "first", None, False)  # once more
    assert [mark.score for (mark,) in current(gradebook)] == [1.0]
    gradebook.put(a_mark(lesson="", digest="junk", score=None))
    assert [[mark.lesson for mark in marks] for marks in current(gradebook)] == [["", "90"]]
    gradebook.put(a_mark(digest="third", score=1.5))
    assert [[(mark.lesson, mark.score) for mark in marks] for marks in current(gradebook)] == [[("90", 1.5)]]
    assert [[mark.score for mark in marks] for marks in current(gradebook, keep="best")] == [[2.0]]
    assert [stored.mark.digest for stored in history(tmp_path)] == ["junk", "second", "first", "third"]


def test_the_history_of_a_student_is_found_by_the_name_in_either_form(tmp_path, capsys):
    gradebook = Gradebook(tmp_path)
    for student in ("\\x20Ann", "Zoë", "bob"):
        gradebook.put(a_mark(student))
    gradebook.close()
    for name, shown in ((" Ann", "\\x20Ann"), ("\\x20Ann", "\\x20Ann"), ("Ann", "\\x20Ann"), ("Zoe\u0308", "Zoë")):
        assert main(["history", "--out", str(tmp_path), "--student", name]) == 0
        assert re.findall(r"^(.*?)  lesson", capsys.readouterr().out, re.M) == [shown]
    assert main(["history", "--out", str(tmp_path), "--student", "eve\x1b"]) == 2
    assert "holds no mark for eve\\x1b. Write the name as grades.csv shows it" in capsys.readouterr().err


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", b"Zo\\xeb \\u540d"), ("latin-1", b"Zo\xeb \\u540d")])
def test_a_name_that_the_terminal_cannot_show(tmp_path, monkeypatch, encoding, shown):
    gradebook = Gradebook(tmp_path)
    gradebook.put(a_mark("Zoë 名"))
    gradebook.close()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert main(["history", "--out", str(tmp_path)]) == 0
    sys.stdout.flush()
    assert sys.stdout.buffer.getvalue().startswith(shown + b"  lesson")


def test_a_round_has_one_seed_and_one_marking_at_a_time(tmp_path):
    gradebook = Gradebook(tmp_path)
    seed = gradebook.seed()
    assert len(seed) == 64 and gradebook.seed() == seed and gradebook.seed(seed) == seed
    with pytest.raises(GradingError, match="another seed"):
        gradebook.seed("other")
    with pytest.raises(GradingError, match="another marking is using it"):
        Gradebook(tmp_path)
    gradebook.close()
    assert Gradebook(tmp_path).seed() == seed
    assert (tmp_path / "results.sqlite").stat().st_mode & 0o077 == 0


def test_a_round_has_free_texts_from_its_beginning_or_not_at_all(tmp_path):
    with_them, without = Gradebook(tmp_path / "a"), Gradebook(tmp_path / "b")
    assert with_them.free_texts(True) and with_them.free_texts() and with_them.free_texts(True)
    assert not without.free_texts() and not without.free_texts()
    with pytest.raises(GradingError, match="begun without --free-text"):
        without.free_texts(True)
    without.close()
    assert Gradebook(tmp_path / "b", "again").free_texts(True)


@pytest.mark.parametrize(
    ("states", "status"),
    [
        (["marked", "not started"], "graded"),
        (["not started", "not started"], "graded"),
        (["marked", "timeout", "crashed"], "graded"),
        (["not started", "timeout", "crashed"], "timeout"),
        (["crashed", "crashed"], "crashed"),
        (["marked", "pending"], "pending"),
    ],
)
def test_status(states, status):
    assert status_of([ExerciseMark(f"90.{at}", 1, 0.0, state) for at, state in enumerate(states)]) == status


def test_whatever_a_student_wrote_is_escaped():
    hostile = "<script>\x1b[31m&\"'</script>\ud800\u202e\x07"
    exercise = ExerciseMark(
        "90.1", 2, 0.0, "marked", hostile, [(hostile, hostile)], hostile, [hostile], hostile, hostile, hostile
    )
    mark = SubmissionMark(hostile, "90", "d", "graded", 0.0, 2, hostile, [exercise], hostile)
    text = export.page([FinalScore(mark)], Lateness())
    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    assert text.count("&lt;script&gt;&amp;&#34;&#39;&lt;/script&gt;") >= 11
    text.encode("utf-8")


def test_printed_text_looks_as_on_a_terminal():
    assert clean("10%\r50%\r100%\nnext\r\n\x1b[1mbold\x1b[0m \x1b]0;title\x07end") == "100%\nnext\nbold end"


@pytest.mark.parametrize("line", [b"x" * 2**20, b'{"case": 0, "kind": "value", "value": "[' + b"[]," * 400_000])
def test_no_line_is_read_that_is_longer_than_any_answer_needs(line):
    """Neither when it ends nor while it goes on; what came before it counts."""
    for end in (b"", b"\n"):
        session = protocol.WorkerSession(a_job("", cases=["{}"] * 2, most=4000))
        session.receive(b'{"ready": true}\n{"case": 0, "kind": "value", "value": "1"}\n')
        for start in range(0, len(line), 2**16):
            session.receive(line[start : start + 2**16])
        session.receive(end)
        assert session.overflow == "returned more than any answer needs"
        assert session.result("overflow", None, session.overflow).messages[0].value == "1"
