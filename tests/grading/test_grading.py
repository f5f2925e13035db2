"""Marking from end to end: classes of invented students against the fixture lessons 90 and 91."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from grading.notebook_answers import cells_of
from tests.grading.helpers import (
    DOUBLE,
    ROOT,
    SET_UP,
    STUBS,
    TOTAL,
    command,
    grade,
    grades,
    hand_in,
    make_course,
    notebook,
    page_of,
    version_3,
)
from utils.exercises.cells import exercise_id

pytestmark = pytest.mark.slow

FOREVER = "# exercise 90.2\ndef total(values):\n    while True:\n        try:\n            while True:\n" \
          "                pass\n        except BaseException:\n            pass"  # fmt: skip
OPEN = ("--sandbox", "none")  # for answers that write where a test reads it
HOSTILE = "<script>alert(1)</script>"
# What each student hands in, and the status, the score and the two exercises' points that it earns.
CLASS: dict[str, tuple[bytes, tuple[str, str, str, str]]] = {
    "solved": (notebook(SET_UP, DOUBLE, TOTAL), ("graded", "5", "2", "3")),
    "half": (notebook(SET_UP, DOUBLE, STUBS[1]), ("graded", "2", "2", "0")),
    "stub": (notebook(SET_UP, *STUBS), ("graded", "0", "0", "0")),
    "no-syntax": (notebook(SET_UP, "# exercise 90.1\ndef double(x:\n  return", TOTAL), ("graded", "3", "0", "3")),
    "half-points": (notebook(SET_UP, DOUBLE.replace("2 * x", "-2 * x"), TOTAL), ("graded", "4", "1", "3")),
    "squared": (notebook(SET_UP, DOUBLE.replace("2 * x", "x ** 2"), TOTAL), ("graded", "3", "0", "3")),
    "constant": (notebook(SET_UP, DOUBLE.replace("2 * x", "6.0"), TOTAL), ("graded", "3", "0", "3")),
    "hard-coded": (b"made when the public cases are known", ("graded", "3", "0", "3")),
    "only-the-example": (
        notebook(SET_UP, DOUBLE.replace("2 * x", "{3.0: 6.0, -1.5: -3.0}.get(x, x * x)"), TOTAL),
        ("graded", "3", "0", "3"),
    ),
    "not-json": (b"%PDF-1.4 this is something else", ("unreadable", "", "", "")),
    "empty": (b"", ("unreadable", "", "", "")),
    "a-list": (b"[1, 2]", ("unreadable", "", "", "")),
    "no-cells": (b'{"nbformat": 4}', ("unreadable", "", "", "")),
    "too-deep": (b"[" * 200_000, ("unreadable", "", "", "")),
    "no-exercises": (notebook("x = 1"), ("unreadable", "", "", "")),
    "hangs": (notebook(SET_UP, DOUBLE, FOREVER), ("graded", "2", "2", "0")),
    "only-hangs": (notebook(SET_UP, STUBS[0], FOREVER), ("timeout", "", "", "")),
    "hangs-outside": (notebook(SET_UP, DOUBLE, TOTAL + "\nwhile True:\n    pass"), ("graded", "2", "2", "0")),
    "exits": (notebook(SET_UP, DOUBLE, TOTAL + "\nimport os\nos._exit(0)"), ("graded", "2", "2", "0")),
    "only-exits": (
        notebook(SET_UP, DOUBLE.replace("return", "import os; os._exit(0); return"), STUBS[1]),
        ("crashed", "", "", ""),
    ),
    "kills-itself": (
        notebook(SET_UP, DOUBLE, TOTAL.replace("return", "import os; os.kill(os.getpid(), 9); return")),
        ("graded", "2", "2", "0"),
    ),
    "raises-exit": (notebook(SET_UP, DOUBLE, TOTAL.replace("return", "raise SystemExit")), ("graded", "2", "2", "0")),
    "interrupts": (
        notebook(SET_UP, DOUBLE, TOTAL.replace("return", "raise KeyboardInterrupt #")),
        ("graded", "2", "2", "0"),
    ),
    "prints": (
        notebook(
            SET_UP,
            DOUBLE.replace("return", f"print({HOSTILE!r})\n    import warnings; warnings.warn('w')\n    return"),
            "# exercise 90.2\nfrom tqdm import tqdm\ndef total(values):\n    return sum(v for v in tqdm(values))",
        ),
        ("graded", "5", "2", "3"),
    ),
    "prints-much": (
        notebook(SET_UP, DOUBLE, TOTAL + "\nfor i in range(20_000):\n    print('much', i)"),
        ("graded", "5", "2", "3"),
    ),
    "top-error": (
        notebook(SET_UP, DOUBLE + f"\nprint('\\x1b[31m' + {HOSTILE!r})\n1 / 0\n", TOTAL),
        ("graded", "5", "2", "3"),
    ),
    "an-object": (
        notebook(
            SET_UP,
            "# exercise 90.1\nclass Yes:\n    def __eq__(self, other): return True\n"
            "    def __float__(self): return 1.0\ndef double(x):\n    return Yes()",
            TOTAL,
        ),
        ("graded", "3", "0", "3"),
    ),
    "no-number": (notebook(SET_UP, DOUBLE.replace("2 * x", "str(2 * x)"), TOTAL), ("graded", "3", "0", "3")),
    "not-a-function": (notebook(SET_UP, "# exercise 90.1\ndouble = 6", TOTAL), ("graded", "3", "0", "3")),
    "nan": (notebook(SET_UP, DOUBLE.replace("2 * x", "float('nan')"), TOTAL), ("graded", "3", "0", "3")),
    "other-cells": (
        notebook(
            "%matplotlib inline\n" + SET_UP.replace("import math", "import math, functools"),
            "FACTOR = 4 * HALF\nscale = lambda x: FACTOR * x\n1 / 0",
            "# exercise 90.1\ndef helper(x): return scale(x)\ndef double(x): return helper(x)",
            "# exercise 90.2\ndef total(values):\n    return functools.reduce(lambda a, b: a + b, values, 0)",
        ),
        ("graded", "5", "2", "3"),
    ),
    "old-copy": (
        notebook(SET_UP, DOUBLE.partition("\n")[2], DOUBLE.replace("return", "return )"), TOTAL),
        ("graded", "3", "0", "3"),
    ),
    "writes-below": (
        notebook(SET_UP, DOUBLE.replace("return 2 * x", "import os; os.write(1, f'LEAK {x}'.encode())"), TOTAL),
        ("graded", "3", "0", "3"),
    ),
    "computed-name": (
        notebook(SET_UP, "factor = int('2')", DOUBLE.replace("2 *", "factor *"), TOTAL),
        ("graded", "3", "0", "3"),
    ),
    "no-second-cell": (notebook(SET_UP, DOUBLE), ("graded", "2", "2", "0")),
    "twice": (notebook(SET_UP, STUBS[0], DOUBLE, TOTAL, "# exercise 90.2\nprint('notes')"), ("graded", "5", "2", "3")),
    "line-lost": (notebook(SET_UP, DOUBLE.partition("\n")[2], TOTAL), ("graded", "5", "2", "3")),
    "withheld": (notebook(SET_UP, DOUBLE, TOTAL.replace("sum", "total_of")), ("graded", "2", "2", "0")),
    "magics": (
        notebook(SET_UP, "%%time\n" + DOUBLE + "\n!rm -rf nothing\n%timeit double(1)", "%%bash\nexit 1", TOTAL),
        ("graded", "5", "2", "3"),
    ),
    "version-3": (version_3(SET_UP, DOUBLE, TOTAL), ("graded", "5", "2", "3")),
    "with-bom": (b"\xef\xbb\xbf" + notebook(SET_UP, DOUBLE, TOTAL.replace("\n", "\r\n")), ("graded", "5", "2", "3")),
    "patches": (
        notebook(
            SET_UP,
            "# exercise 90.1\nimport builtins, json, utils.exercises.scoring as v\n"
            "v.score_answer = lambda *a: v.Verdict(1.0)\n"
            "v.close = lambda *a, **k: 1.0\ndef double(x):\n    return 0",
            TOTAL,
        ),
        ("graded", "3", "0", "3"),
    ),
    "forges": (
        notebook(
            SET_UP,
            "# exercise 90.1\nimport os\nfor fd in range(3, 20):\n"
            '    try:\n        os.write(fd, b\'x\\n[]\\n{"case": 0, '
            '"kind": "value", "value": "[[["}\\n{"done": true, "points": 2}\\n\')\n    except OSError:\n'
            "        pass\ndef double(x):\n    return 0",
            TOTAL,
        ),
        ("graded", "3", "0", "3"),
    ),
    "=1+1": (notebook(SET_UP, DOUBLE, TOTAL), ("graded", "5", "2", "3")),
    "<img src=x onerror=alert(1)>": (notebook(SET_UP, STUBS[0], TOTAL), ("graded", "3", "0", "3")),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    return make_course(tmp_path_factory.mktemp("course"))


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
        ("hangs-outside", ["while the cell itself ran"]),
        ("exits", ["ended its whole process (exit status 0), while the cell itself ran"]),
        ("kills-itself", ["SIGKILL"]),
        ("raises-exit", ["SystemExit"]),
        ("twice", ["2 cells answer this exercise; the last of them was marked"]),
        ("line-lost", ["found by its name"]),
        ("withheld", ["utils.helper_90.total_of is what this exercise asks you to write"]),
        ("computed-name", ["NameError", "factor", "What other computations define is not there"]),
        ("an-object", ["a Yes is not plain data"]),
        ("not-a-function", ["defines no function named double"]),
        ("top-error", ["ZeroDivisionError", "1 / 0", "&lt;script&gt;alert(1)&lt;/script&gt;"]),
        ("prints-much", ["much 0\n", "more lines"]),
        (
            "hard-coded",
            ["Right on the cases that the check in your notebook shows, but on", "wrong, stopped"],
        ),
        ("empty", ["The file is empty"]),
        ("not-json", ["The file is no notebook"]),
        ("no-exercises", ["No exercise was found"]),
        ("only-exits", ["Not marked: what was answered ended its process"]),
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


def test_pages_hold_no_markup_of_students(marked):
    pages = list((marked / "feedback").glob("*.html"))
    assert len(pages) == len(CLASS)
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text and "<img" not in text and "\x1b" not in text
    assert "<img" not in "".join(path.name for path in pages)


def test_nothing_runs_on_and_nothing_is_left(course, marked):
    commands = (path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists())
    assert not any(str(course / "grading" / "worker.py").encode() in command for command in commands)
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


def counting(log: Path, seconds: float) -> str:
    """Return an answer that notes each process in which it runs."""
    return f"# exercise 90.1\nimport os, time\nwith open({str(log)!r}, 'a') as f: f.write(f'{{os.getpid()}}\\n')\n" \
           f"time.sleep({seconds})\ndef double(x):\n    return 2 * x"  # fmt: skip


def test_kill_and_continue(course, tmp_path):
    logs = {f"s{at}": tmp_path / f"s{at}.log" for at in range(4)}
    submissions = hand_in(
        tmp_path / "in",
        {name: notebook(SET_UP, counting(log, 0.3 if name < "s2" else 0.8)) for name, log in logs.items()},
    )
    arguments = command(submissions, "--out", tmp_path / "out", "--workers", 1, *OPEN)
    process = subprocess.Popen(arguments, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: logs["s2"].exists())
    process.kill()
    process.wait()
    child = int(logs["s2"].read_text().split()[0])
    wait_for(lambda: not alive(child), seconds=0.4)
    done = grade(course, submissions, "--out", tmp_path / "out", "--workers", 1, *OPEN)
    assert "Kept 2 that were marked already." in done.stdout
    assert {row["score"] for row in grades(tmp_path / "out").values()} == {"2"}
    assert [len(log.read_text().split()) for log in logs.values()] == [2, 2, 3, 2]  # public cases, and secret ones


def test_interrupt_kills_children_and_keeps_what_is_marked(course, tmp_path):
    log = tmp_path / "slow.log"
    submissions = hand_in(
        tmp_path / "in", {"a-quick": notebook(SET_UP, DOUBLE), "slow": notebook(SET_UP, counting(log, 60))}
    )
    arguments = command(submissions, "--out", tmp_path / "out", "--workers", 1, *OPEN)
    # Whoever runs the tests in the background has had Ctrl-C switched off, which children inherit.
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    process = subprocess.Popen(arguments, cwd=course, stderr=subprocess.PIPE, text=True, **listening)
    wait_for(log.exists)
    time.sleep(1)  # the quick one, over before the slow one began, is judged and stored at leisure
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "interrupted; what is marked is kept" in said and "Traceback" not in said
    assert not alive(int(log.read_text().split()[0]))
    assert set(grades(tmp_path / "out")) == {"a-quick"}


def wait_for(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_everything_a_student_started_is_dead(course, tmp_path):
    pids = tmp_path / "pids"
    code = f"# exercise 90.1\nimport subprocess, threading, time\np = subprocess.Popen(['sleep', '300'])\n" \
           f"open({str(pids)!r}, 'w').write(str(p.pid))\nthreading.Thread(target=time.sleep, args=(300,)).start()\n" \
           "def double(x):\n    return 2 * x"  # fmt: skip
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, code)})
    grade(course, submissions, "--out", tmp_path / "out", *OPEN)
    assert grades(tmp_path / "out")["ann"]["90.1"] == "2"
    wait_for(lambda: not alive(int(pids.read_text())), seconds=2)


def test_what_a_student_sees(course, tmp_path):
    """A clean environment, a private folder, limits; nothing of the grader's own in the names."""
    seen = tmp_path / "seen"
    code = f"# exercise 90.1\nimport os, resource, sys\nopen({str(seen)!r}, 'w').write(repr((dict(os.environ), " \
           "os.getcwd(), os.listdir(), sys.argv, resource.getrlimit(resource.RLIMIT_AS), sorted(globals()))))\n" \
           "def double(x):\n    return 2 * x"  # fmt: skip
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, code)})
    os.environ["A_SECRET_OF_THE_GRADER"] = "hush"
    try:
        grade(course, submissions, "--out", tmp_path / "out", *OPEN)
    finally:
        del os.environ["A_SECRET_OF_THE_GRADER"]
    text = seen.read_text()
    environment, cwd, files, _, memory, names = eval(text, {"inf": float("inf")})
    assert "hush" not in text and str(tmp_path) not in text.replace(str(seen), "")
    assert environment["MPLBACKEND"] == "Agg" and environment["OMP_NUM_THREADS"] == "1"
    assert environment["HOME"] == cwd and not Path(cwd).exists()
    assert all(name.startswith("fontlist") for name in files)
    assert memory[0] == 4 * 2**30
    assert not {"job", "cases", "expected", "hidden", "seed"} & set(names)


def test_too_much_memory_and_too_large_values_harm_nobody(course, tmp_path):
    greedy = "# exercise 90.1\ndef double(x):\n    return bytearray(20 * 2**30)"
    large = (
        "# exercise 90.2\nimport numpy\ndef total(values):\n    return numpy.zeros([2, 5_000_000][len(values) == 3])"
    )
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, greedy, large), "bob": notebook(SET_UP, DOUBLE)})
    grade(course, submissions, "--out", tmp_path / "out")
    assert grades(tmp_path / "out")["bob"]["score"] == "2"
    assert grades(tmp_path / "out")["ann"]["score"] == "0"
    assert "MemoryError" in page_of(tmp_path / "out", "ann") and "bytes" in page_of(tmp_path / "out", "ann")


def test_free_text_waits_for_a_person(course, tmp_path):
    increment = "# exercise 91.1\ndef increment(n):\n    return n + 1"
    stub = increment.replace("return n + 1", 'raise NotImplementedError("exercise 91.1")')
    text = f"md:# exercise 91.2\nBecause it does.\n{HOSTILE}"
    submissions = hand_in(tmp_path / "in", {
        "wrote": notebook(increment, text),
        "only-wrote": notebook(stub, text),
        "nothing": notebook(increment, "md:# exercise 91.2\n\n*Write your answer here.*"),
    })  # fmt: skip
    grade(course, submissions, "--out", tmp_path / "out", "--free-text")
    rows = {name: [row[k] for k in ("status", "score", "max_score", "91.1", "91.2")]
            for name, row in grades(tmp_path / "out").items()}  # fmt: skip
    assert rows == {
        "wrote": ["pending", "1", "5", "1", ""],
        "only-wrote": ["pending", "0", "5", "0", ""],
        "nothing": ["graded", "1", "5", "1", "0"],
    }
    assert "Because it does.\n&lt;script&gt;" in page_of(tmp_path / "out", "wrote")
    assert "marked by hand" in page_of(tmp_path / "out", "wrote")


def test_free_texts_have_no_points_unless_a_round_was_begun_with_them(course, tmp_path):
    increment = "# exercise 91.1\ndef increment(n):\n    return n + 1"
    submissions = hand_in(tmp_path / "in", {
        "wrote": notebook(increment, f"md:# exercise 91.2\nBecause it does.\n{HOSTILE}"),
        "only-wrote": notebook("md:# exercise 91.2\nBecause."),
        "nothing": notebook(increment, "md:# exercise 91.2\n\n*Write your answer here.*"),
    })  # fmt: skip
    out = tmp_path / "out"
    said = grade(course, submissions, "--out", out).stdout
    assert "Marked 3 submissions: 3 graded" in said and "free text" not in said
    assert (out / "grades.csv").read_text().splitlines() == [
        "student,lesson,status,score,max_score,91.1",
        "nothing,91,graded,1,1,1", "only-wrote,91,graded,0,1,0", "wrote,91,graded,1,1,1",
    ]  # fmt: skip
    assert not (out / "by_hand.csv").exists() and "91.2" not in (out / "index.html").read_text()
    assert "not marked" in page_of(out, "wrote")
    assert "Because it does.\n&lt;script&gt;" in page_of(out, "wrote") and "<pre>Because." in page_of(out, "only-wrote")
    assert "91.2" not in page_of(out, "nothing")
    refused = grade(course, submissions, "--out", out, "--free-text", status=2).stderr
    assert "This round was begun without --free-text" in refused
    grade(course, submissions, "--out", out, "--round", "2", "--free-text")
    assert grades(out)["wrote"]["status"] == "pending" and grades(out)["wrote"]["max_score"] == "5"
    hand_in(submissions, {"late": notebook("md:# exercise 91.2\nToo.")})
    grade(course, submissions, "--out", out, "--round", "2")
    assert grades(out)["late"]["status"] == "pending"


def test_lessons_are_told_apart_and_a_student_has_one_page(course, tmp_path):
    submissions, other = tmp_path / "in", notebook("# exercise 91.1\ndef increment(n):\n    return n + 1")
    hand_in(submissions / "ann", {"first": notebook(SET_UP, DOUBLE, TOTAL), "second": other})
    hand_in(submissions / "bob", {"one": notebook(SET_UP, DOUBLE), "two": notebook(SET_UP, TOTAL)})
    hand_in(submissions / "cy", {"odd": notebook("# exercise 77.1\ndef f(): pass")})
    hand_in(submissions / "dan" / "deeper", {"x": notebook(SET_UP, TOTAL)})
    (submissions / "eve").mkdir()
    grade(course, submissions, "--out", tmp_path / "out")
    rows = (tmp_path / "out" / "grades.csv").read_text().splitlines()
    assert rows == [
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


def test_a_round_keeps_its_seed_and_its_lesson(course, seed_file, tmp_path):
    own = shutil.copytree(course, tmp_path / "course")
    submissions = hand_in(tmp_path / "in", {"ann": notebook(SET_UP, DOUBLE)})
    grade(own, submissions, "--out", tmp_path / "out")
    refused = grade(own, submissions, "--out", tmp_path / "out", "--seed-file", seed_file, status=2)
    assert "another seed" in refused.stderr
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
    submissions = hand_in(tmp_path / "in", {
        "solved": solution.read_bytes(), "stub": stub.read_bytes(),
        "half": nbformat.writes(half).encode(), "broken": nbformat.writes(broken).encode(),
    })  # fmt: skip
    arguments = ["-m", "grading", "grade", submissions, "--out", tmp_path / "out", "--lesson", "01"]
    done = subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = {name: (row["status"], row["score"], row["max_score"]) for name, row in grades(tmp_path / "out").items()}
    assert rows == {
        "solved": ("graded", "18", "18"),
        "half": ("graded", "4", "18"),
        "broken": ("graded", "0", "18"),
        "stub": ("graded", "0", "18"),
    }
    assert page_of(tmp_path / "out", "stub").count("Not started") == 7
    assert page_of(tmp_path / "out", "broken").count("Hint.") == 7
