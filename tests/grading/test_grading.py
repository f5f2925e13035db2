"""Marking from end to end: classes of invented students against the fixture lessons 90 and 91."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from grading.gradebook import history
from grading.notebook_answers import cells_of
from tests.grading.helpers import (
    DOUBLE,
    INCREMENT,
    OPEN,
    ROOT,
    SET_UP,
    STUBS,
    TOTAL,
    alive,
    command,
    grade,
    grades,
    hand_in,
    lines,
    notebook,
    page_of,
    version_3,
    wait_for,
)
from utils.exercises.cells import exercise_id

pytestmark = pytest.mark.slow

FOREVER = (
    "# exercise 90.2\ndef total(values):\n    while True:\n        try:\n            while True:\n"
    "                pass\n        except BaseException:\n            pass"
)
HOSTILE = "<script>alert(1)</script>"
# Status, score, and the two exercises' points.
FULL, FIRST, SECOND = ("graded", "5", "2", "3"), ("graded", "2", "2", "0"), ("graded", "3", "0", "3")
UNREADABLE = ("unreadable", "", "", "")


def doubling(expression: str) -> bytes:
    """Return a notebook whose first answer returns this, and whose second one is right."""
    return notebook(SET_UP, DOUBLE.replace("2 * x", expression), TOTAL)


def summing(statement: str) -> bytes:
    """Return a notebook whose first answer is right, and whose second one does this before it returns."""
    return notebook(SET_UP, DOUBLE, TOTAL.replace("return", f"{statement}; return"))


# What each student hands in, and what it earns.
CLASS: dict[str, tuple[bytes, tuple[str, str, str, str]]] = {
    "solved": (notebook(SET_UP, DOUBLE, TOTAL), FULL),
    "half": (notebook(SET_UP, DOUBLE, STUBS[1]), FIRST),
    "stub": (notebook(SET_UP, *STUBS), ("graded", "0", "0", "0")),
    "no-syntax": (notebook(SET_UP, "# exercise 90.1\ndef double(x:\n  return", TOTAL), SECOND),
    "half-points": (doubling("-2 * x"), ("graded", "4", "1", "3")),
    "squared": (doubling("x ** 2"), SECOND),
    "constant": (doubling("6.0"), SECOND),
    "hard-coded": (b"made when the public cases are known", SECOND),
    "only-the-example": (doubling("{3.0: 6.0, -1.5: -3.0}.get(x, x * x)"), SECOND),
    "not-json": (b"%PDF-1.4 this is something else", UNREADABLE),
    "empty": (b"", UNREADABLE),
    "a-list": (b"[1, 2]", UNREADABLE),
    "no-cells": (b'{"nbformat": 4}', UNREADABLE),
    "too-deep": (b"[" * 200_000, UNREADABLE),
    "no-exercises": (notebook("x = 1"), UNREADABLE),
    "hangs": (notebook(SET_UP, DOUBLE, FOREVER), FIRST),
    "only-hangs": (notebook(SET_UP, STUBS[0], FOREVER), ("timeout", "", "", "")),
    "hangs-beside": (notebook(SET_UP, DOUBLE, TOTAL + "\nwhile True:\n    pass"), FULL),
    "hangs-outside": (notebook(SET_UP, DOUBLE, TOTAL + "\nwhile True:\n    total = total"), FULL),
    "exits": (notebook(SET_UP, DOUBLE, TOTAL + "\nimport os\nos._exit(0)"), FIRST),
    "only-exits": (
        notebook(SET_UP, DOUBLE.replace("return", "import os; os._exit(0); return"), STUBS[1]),
        ("crashed", "", "", ""),
    ),
    "kills-itself": (summing("import os; os.kill(os.getpid(), 9)"), FIRST),
    "raises-exit": (summing("raise SystemExit"), FIRST),
    "interrupts": (summing("raise KeyboardInterrupt"), FIRST),
    "prints": (
        notebook(
            SET_UP,
            DOUBLE.replace("return", f"print({HOSTILE!r})\n    import warnings; warnings.warn('w')\n    return"),
            "# exercise 90.2\nfrom tqdm import tqdm\ndef total(values):\n    return sum(v for v in tqdm(values))",
        ),
        FULL,
    ),
    "prints-much": (notebook(SET_UP, DOUBLE, TOTAL + "\nfor i in range(20_000):\n    print('much', i)"), FULL),
    "top-error": (notebook(SET_UP, DOUBLE + f"\nprint('\\x1b[31m' + {HOSTILE!r})\n1 / 0\n", TOTAL), FULL),
    "an-object": (doubling("type('Yes', (), {'__eq__': lambda *_: True, '__float__': lambda _: 1.0})()"), SECOND),
    "no-number": (doubling("str(2 * x)"), SECOND),
    "not-a-function": (notebook(SET_UP, "# exercise 90.1\ndouble = 6", TOTAL), SECOND),
    "nan": (doubling("float('nan')"), SECOND),
    "other-cells": (
        notebook(
            "%matplotlib inline\n" + SET_UP.replace("import math", "import math, functools"),
            "FACTOR = 4 * HALF\nscale = lambda x: FACTOR * x\n1 / 0",
            "# exercise 90.1\ndef helper(x): return scale(x)\ndef double(x): return helper(x)",
            "# exercise 90.2\ndef total(values):\n    return functools.reduce(lambda a, b: a + b, values, 0)",
        ),
        FULL,
    ),
    "old-copy": (notebook(SET_UP, DOUBLE.partition("\n")[2], DOUBLE.replace("return", "return )"), TOTAL), FULL),
    "writes-below": (doubling("__import__('os').write(1, f'LEAK {x}'.encode())"), SECOND),
    "computed-name": (notebook(SET_UP, "factor = int('2')", DOUBLE.replace("2 *", "factor *"), TOTAL), FULL),
    "unknown-name": (notebook(SET_UP, "factor = float(open('own'))", DOUBLE.replace("2 *", "factor *"), TOTAL), SECOND),
    "no-second-cell": (notebook(SET_UP, DOUBLE), FIRST),
    "twice": (notebook(SET_UP, DOUBLE.replace("2 *", "3 *"), DOUBLE, TOTAL, "# exercise 90.2\nprint('notes')"), FULL),
    "line-lost": (notebook(SET_UP, DOUBLE.partition("\n")[2], TOTAL), FULL),
    "withheld": (notebook(SET_UP, DOUBLE, TOTAL.replace("sum", "total_of")), FIRST),
    "magics": (
        notebook(SET_UP, "%%time\n" + DOUBLE + "\n!rm -rf nothing\n%timeit double(1)", "%%bash\nexit 1", TOTAL),
        FULL,
    ),
    "version-3": (version_3(SET_UP, DOUBLE, TOTAL), FULL),
    "with-bom": (b"\xef\xbb\xbf" + notebook(SET_UP, DOUBLE, TOTAL.replace("\n", "\r\n")), FULL),
    "=1+1": (notebook(SET_UP, DOUBLE, TOTAL), FULL),
    "<img src=x onerror=alert(1)>": (notebook(SET_UP, STUBS[0], TOTAL), SECOND),
}


@pytest.fixture(scope="module")
def seed_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("seed") / "seed.txt"
    path.write_text("one seed for all these classes")
    return path


@pytest.fixture(scope="module")
def marked(course, seed_file, tmp_path_factory) -> Path:
    """The folder of results of the whole class, marked by two workers."""
    folder = tmp_path_factory.mktemp("class")
    submissions = hand_in(folder / "submissions", handed_in(course))
    secret = folder / "elsewhere.ipynb"
    secret.write_bytes(notebook(SET_UP, DOUBLE, TOTAL))
    (submissions / "linked.ipynb").symlink_to(secret)
    (submissions / "report.docx").write_bytes(b"no notebook")
    shutil.copy(course / "utils" / "exercises" / "cases" / "90.json", folder / "public.json")
    out = folder / "out"
    done = grade(course, submissions, "--out", out, "--lesson", "90", "--workers", 2, "--seed-file", seed_file)
    (folder / "said.txt").write_text(done.stdout)
    return out


def handed_in(course: Path) -> dict[str, bytes]:
    """Return what each student of the class hands in; one has copied the public cases' values."""
    records = json.loads((course / "utils" / "exercises" / "cases" / "90.json").read_text())["90.1"]
    known = {record["given"]["dict"][0][1]: record["expected"] for record in records}
    answer = DOUBLE.replace("2 * x", f"{known}.get(x, x * x)")
    return {name: data for name, (data, _) in CLASS.items()} | {"hard-coded": notebook(SET_UP, answer, TOTAL)}


@pytest.mark.parametrize("student", CLASS)
def test_each_submission_gets_what_it_earned(marked, student):
    row = grades(marked)["'=1+1" if student == "=1+1" else student]
    got = (row["status"], row["score"], row["90.1"], row["90.2"])
    assert got == CLASS[student][1]
    assert (row["lesson"], row["max_score"]) == ("90", "5")


def test_nobody_else_is_in_the_grades(marked):
    assert len(grades(marked)) == len(CLASS)
    said = (marked.parent / "said.txt").read_text()
    assert "linked.ipynb (a symbolic link)" in said and "report.docx (no .ipynb)" in said


@pytest.mark.parametrize(
    ("student", "wanted"),
    [
        ("squared", ["HINT squared, not doubled", "x = 3", "Expected", ">9<"]),
        ("stub", ["Not started"]),
        ("no-second-cell", ["Not started"]),
        ("no-syntax", ["SyntaxError"]),
        ("hangs", ["was still running after 3.05 s and was stopped"]),
        ("hangs-outside", ["it was marked in your notebook, run from the top"]),
        ("exits", ["ended its whole process (exit status 0), while the cell itself ran"]),
        ("kills-itself", ["SIGKILL"]),
        ("raises-exit", ["SystemExit"]),
        ("twice", ["2 cells answer this exercise, and the last of them was marked"]),
        ("line-lost", ["found by its name"]),
        ("withheld", ["utils.helper_90.total_of is what this exercise asks you to write"]),
        ("unknown-name", ["NameError", "factor", "no cell defines this name there", "FileNotFoundError"]),
        ("hangs-beside", ["A line of this cell, or one that it needs", "has had its time (in the line: "]),
        ("an-object", ["a Yes is not plain data"]),
        ("not-a-function", ["defines no function named double"]),
        ("top-error", ["ZeroDivisionError", "1 / 0", "&lt;script&gt;alert(1)&lt;/script&gt;"]),
        ("prints-much", ["much 0\nmuch 1\n… ", " more like these …\nmuch "]),
        ("hard-coded", ["right on the cases that the check in your notebook uses, but wrong", "wrong, stopped"]),
        ("empty", ["The file is empty"]),
        ("not-json", ["The file is not a notebook"]),
        ("no-exercises", ["No exercise was found"]),
        ("only-exits", ["Not marked, because the answers ended the process"]),
    ],
)
def test_feedback_says(marked, student, wanted):
    text = page_of(marked, student)
    assert [part for part in wanted if part not in text] == []


def test_feedback_keeps_to_itself_what_is_secret(marked):
    """A case that only the secret seed draws is quoted nowhere, nor is the set-up's own output."""
    stored = json.loads((marked / ".." / "public.json").read_text())
    public = {f"{record['given']['dict'][0][1]:.6g}" for record in stored["90.1"]}
    quoted = set()
    for path in (marked / "feedback").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        quoted |= set(re.findall(r"<pre>x = (\S+)</pre>", text))
        assert "own words" not in text
        quoted |= {f"{float(seen):.6g}" for seen in re.findall(r"LEAK (-?\d+\.\d+)", text)}
    assert quoted and quoted <= public
    article = page_of(marked, "hard-coded").partition('aria-labelledby="exercise-90.1"')[2].partition("</article>")[0]
    assert "Input" not in article and "Expected" not in article and "Got" not in article and "HINT" not in article


def test_nothing_else_is_written(marked):
    assert {path.name for path in marked.iterdir()} == {"grades.csv", "feedback", "index.html", "results.sqlite"}


def test_same_seed_same_marks_in_any_order_on_any_number_of_workers(course, seed_file, marked, tmp_path):
    names = ["squared", "hard-coded", "half-points", "solved", "other-cells"]
    handed = handed_in(course)
    renamed = {f"{9 - at} {name}": handed[name] for at, name in enumerate(names)}
    submissions = hand_in(tmp_path / "in", renamed)
    grade(course, submissions, "--out", tmp_path / "out", "--workers", 1, "--seed-file", seed_file)
    again, before = grades(tmp_path / "out"), grades(marked)
    for student in renamed:
        was = dict(before[student[2:]])
        assert {**again[student], "student": was["student"]} == was


def test_answers_do_not_depend_on_chance(course, seed_file, tmp_path):
    """An answer that draws from the global generators, or from a set's order, is marked alike each time."""
    lucky = "# exercise 90.1\nimport random\ndef double(x):\n    return 2 * x if random.random() < 0.93 else 0"
    order = "# exercise 90.2\ndef total(values):\n    return sum(values) if list({'a', 'b'}) == ['a', 'b'] else 0"
    submissions = hand_in(tmp_path / "in", dict.fromkeys("abcdefg", notebook(SET_UP, lucky, order)))
    grade(course, submissions, "--out", tmp_path / "out", "--seed-file", seed_file)
    assert len({(row["90.1"], row["90.2"]) for row in grades(tmp_path / "out").values()}) == 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_whoever_ends_the_grader_ends_what_it_runs_and_keeps_what_is_marked(course, tmp_path, how):
    log, out = tmp_path / "slow.log", tmp_path / "out"
    slow = (
        f"# exercise 90.1\nimport os, time\nwith open({str(log)!r}, 'w') as f: f.write(str(os.getpid()))\n"
        "time.sleep(600)\ndef double(x):\n    return 2 * x"
    )
    submissions = hand_in(tmp_path / "in", {"a-quick": notebook(SET_UP, DOUBLE), "slow": notebook(SET_UP, slow)})
    # Whoever runs the tests in the background has had Ctrl-C switched off, which children inherit.
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    arguments = command(submissions, "--out", out, "--workers", 1, *OPEN)
    process = subprocess.Popen(arguments, cwd=course, stderr=subprocess.PIPE, text=True, **listening)
    wait_for(lambda: log.exists() and log.read_text() and list(history(out)))
    process.send_signal(how)
    said = process.communicate(timeout=120)[1]
    wait_for(lambda: not alive(int(log.read_text())))  # by itself it would sleep for much longer
    assert [stored.mark.student for stored in history(out)] == ["a-quick"]
    if how == signal.SIGINT:
        assert process.returncode == 130 and set(grades(out)) == {"a-quick"}
        assert "interrupted; what is marked is kept" in said and "Traceback" not in said


def test_free_texts_have_no_points_unless_a_round_was_begun_with_them(course, tmp_path):
    stub = INCREMENT.replace("return n + 1", 'raise NotImplementedError("exercise 91.1")')
    submissions = hand_in(
        tmp_path / "in",
        {
            "wrote": notebook(INCREMENT, f"md:# exercise 91.2\nBecause it does.\n{HOSTILE}"),
            "only-wrote": notebook(stub, "md:# exercise 91.2\nBecause."),
            "nothing": notebook(INCREMENT, "md:# exercise 91.2\n\n*Write your answer here.*"),
        },
    )
    out = tmp_path / "out"
    said = grade(course, submissions, "--out", out).stdout
    assert "Marked 3 submissions: 3 graded" in said and "free text" not in said
    assert lines(out / "grades.csv") == [
        "student,lesson,status,score,max_score,91.1",
        "nothing,91,graded,1,1,1",
        "only-wrote,91,graded,0,1,0",
        "wrote,91,graded,1,1,1",
    ]
    assert not (out / "by_hand.csv").exists() and "91.2" not in (out / "index.html").read_text()
    assert "not marked" in page_of(out, "wrote") and "91.2" not in page_of(out, "nothing")
    assert "Because it does.\n&lt;script&gt;" in page_of(out, "wrote")
    assert '<pre tabindex="0">Because.' in page_of(out, "only-wrote")
    refused = grade(course, submissions, "--out", out, "--free-text", status=2).stderr
    assert "This round was begun without --free-text" in refused
    grade(course, submissions, "--out", out, "--round", "2", "--free-text")
    hand_in(submissions, {"late": notebook("md:# exercise 91.2\nToo.")})
    grade(course, submissions, "--out", out, "--round", "2")
    assert lines(out / "grades.csv") == [
        "student,lesson,status,score,max_score,91.1,91.2",
        "late,91,pending,0,5,0,",
        "nothing,91,graded,1,5,1,0",
        "only-wrote,91,pending,0,5,0,",
        "wrote,91,pending,1,5,1,",
    ]
    text = page_of(out, "wrote")
    assert "Because it does.\n&lt;script&gt;" in text and "marked by hand" in text


def test_lessons_are_told_apart_and_a_student_has_one_page(course, tmp_path):
    submissions, other = tmp_path / "in", notebook(INCREMENT)
    hand_in(submissions / "ann", {"first": notebook(SET_UP, DOUBLE, TOTAL), "second": other})
    hand_in(submissions / "bob", {"one": notebook(SET_UP, DOUBLE), "two": notebook(SET_UP, TOTAL)})
    hand_in(submissions / "cy", {"odd": notebook("# exercise 77.1\ndef f(): pass")})
    hand_in(submissions / "dan" / "deeper", {"x": notebook(SET_UP, TOTAL)})
    (submissions / "eve").mkdir()
    grade(course, submissions, "--out", tmp_path / "out")
    assert lines(tmp_path / "out" / "grades.csv") == [
        "student,lesson,status,score,max_score,90.1,90.2,91.1",
        "ann,90,graded,5,5,2,3,",
        "ann,91,graded,1,1,,,1",
        "bob,90,unreadable,,5,,,",
        "cy,77,unreadable,,,,,",
        "dan,90,graded,3,5,0,3,",
        "eve,,unreadable,,,,,",
    ]
    assert "Lesson 90: 5 of 5" in page_of(tmp_path / "out", "ann") and "Lesson 91: 1 of 1" in page_of(
        tmp_path / "out", "ann"
    )
    assert "2 notebooks for lesson 90 (<code>one.ipynb</code>, <code>two.ipynb</code>)" in page_of(
        tmp_path / "out", "bob"
    )
    assert "There is no lesson 77" in page_of(tmp_path / "out", "cy")


def test_resubmissions_are_marked_again_and_the_rest_is_kept(course, tmp_path):
    out = tmp_path / "out"
    first, second = notebook(SET_UP, DOUBLE), notebook(SET_UP, DOUBLE, TOTAL)
    submissions = hand_in(tmp_path / "in", {"ann": first, "bob": first, "cy": b"no notebook"})
    grade(course, submissions, "--out", out)
    hand_in(submissions, {"ann": second, "cy": first})
    assert "Kept 1 " in grade(course, submissions, "--out", out).stdout
    rows = grades(out)
    assert [rows[name]["score"] for name in ("ann", "bob", "cy")] == ["5", "2", "2"] and len(rows) == 3
    hand_in(submissions, {"ann": first})
    assert "Kept 3 " in grade(course, submissions, "--out", out).stdout
    assert grades(out)["ann"]["score"] == "2"


def test_what_did_nothing_is_tried_once_more(course, tmp_path):
    """Whatever this machine was slow to give: here a file that is there from the second time on."""
    held = str(tmp_path / "held")
    waits = DOUBLE.replace(
        "return",
        f"import os, time; there = os.path.exists({held!r}); open({held!r}, 'a').close(); "
        "time.sleep(60 * (not there)); return",
    )
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, waits, TOTAL), "bob": notebook(SET_UP, DOUBLE)})
    grade(course, submissions, "--out", tmp_path / "out", *OPEN)
    assert grades(tmp_path / "out")["ann"]["score"] == "5"


def test_a_round_keeps_its_lesson(course, tmp_path):
    own = shutil.copytree(course, tmp_path / "course")
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, DOUBLE)})
    grade(own, submissions, "--out", tmp_path / "out")
    with (own / "utils" / "lesson_90" / "exercises" / "__init__.py").open("a") as file:
        file.write("\n# changed\n")
    hand_in(submissions, {"bob": notebook(SET_UP, DOUBLE)})
    assert "Lesson 90 has changed" in grade(own, submissions, "--out", tmp_path / "out", status=2).stderr
    assert set(grades(tmp_path / "out")) == {"ann"}


def test_a_set_up_that_fails_here_costs_nobody_points(course, tmp_path):
    own = shutil.copytree(course, tmp_path / "course")
    source = own / "solutions" / "90_fixture.py"
    trap = "import math, __main__\nassert 'main' in vars(__main__)  # true in the grader only"
    source.write_text(source.read_text().replace("import math\n", f"{trap}\n"))
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, DOUBLE)})
    done = grade(own, submissions, "--out", tmp_path / "out", status=1)
    assert "through no fault of theirs: ann; the set-up of lesson 90 did not run: AssertionError" in done.stdout
    assert grades(tmp_path / "out") == {}


def test_lesson_01_solved_half_solved_and_broken(tmp_path):
    """The course's own first lesson, marked by the command that the README names."""
    (solution,) = (ROOT / "solutions").glob("01_*.ipynb")
    (stub,) = (ROOT / "exercises").glob("01_*.ipynb")
    answers = {exercise_id(cell.source): cell.source for cell in cells_of(solution.read_bytes())}
    half = nbformat.read(stub, as_version=4)
    broken = nbformat.read(stub, as_version=4)
    for cell in half.cells:
        if exercise_id(cell.source) in ("01.1", "01.3"):
            cell.source = answers[exercise_id(cell.source)]
    for cell in broken.cells:
        cell.source = cell.source.replace("raise NotImplementedError(", "return (")
    submissions = hand_in(
        tmp_path / "in",
        {
            "solved": solution.read_bytes(),
            "stub": stub.read_bytes(),
            "half": nbformat.writes(half).encode(),
            "broken": nbformat.writes(broken).encode(),
        },
    )
    arguments = ["-m", "grading", "grade", submissions, "--out", tmp_path / "out", "--lesson", "01"]
    done = subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = {name: (row["status"], row["score"], row["max_score"]) for name, row in grades(tmp_path / "out").items()}
    assert rows == {
        "solved": ("graded", "10", "10"),
        "half": ("graded", "4", "10"),
        "broken": ("graded", "0", "10"),
        "stub": ("graded", "0", "10"),
    }
    assert page_of(tmp_path / "out", "stub").count("Not started") == 7
    assert page_of(tmp_path / "out", "broken").count("Hint.") == 7
