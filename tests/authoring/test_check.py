"""Check finds every way in which what is built can have drifted from its sources, and runs nothing."""

from __future__ import annotations

import html
import json
import subprocess
from pathlib import Path

import jupytext  # noqa: F401 -- here, since it asks pandoc for its version when it is loaded
import numpy as np
import pytest

from authoring import digests
from authoring.__main__ import main
from authoring.course import Lesson
from tests.authoring.courses import (
    CASES,
    DOUBLE,
    EXCURSION,
    EXCURSION_STEM,
    LESSON,
    ROOM,
    SOLUTION,
    STEM,
    STUB,
    built,
    edit,
)
from utils.player import player_html, points

NOTEBOOK, SOLVED = f"notebooks/{STEM}.ipynb", f"solutions/{STEM}.ipynb"
EXCURSION_BUILT = f"notebooks/{EXCURSION_STEM}.ipynb"


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """The built small course, where nothing can be run."""
    built(tmp_path)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("check must not run anything"))
    return tmp_path


def said(root: Path, capsys, status: int, number: str | None = None) -> list[str]:
    """Return what check says below the table."""
    assert main(["check", *([number] if number else [])], root) == status
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.partition("\n\n")[2].splitlines()


ALL_WELL = "Every notebook, stub and cases file matches its source. Pages checked: 01_small, 01a_more."
HAND = "changed since it was built, by hand or by running it. Build lesson 01."
METADATA = "its metadata are not those that the build writes. Build lesson 01."
NOT_THE_STUB = f"{STUB}: not what {SOLUTION} makes. Build lesson 01; answers belong into work/."
NO_NOTEBOOK = "this is no notebook. Delete it and build its lesson."
NOT_SOLVED = "its checks do not show full marks, or a show not its figure. Build lesson 01."
OTHER_CELL = "is another one here. Build lesson 01."


def test_all_is_well(course, capsys):
    assert said(course, capsys, 0) == said(course, capsys, 0, "01") == [ALL_WELL]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (LESSON, "The same cell twice", "One cell twice", f"{NOTEBOOK}: the cell of {LESSON}:16 {OTHER_CELL}"),
        (NOTEBOOK, '"SEED = 0"', '"SEED = 1"', f"{NOTEBOOK}: the cell of {LESSON}:9 {OTHER_CELL}"),
        (NOTEBOOK, "import glob, os", "import os, glob", f"{NOTEBOOK}: a generated cell {OTHER_CELL}"),
        (NOTEBOOK, '"display_name": "Python 3"', '"display_name": "Mine"', f"{NOTEBOOK}: {METADATA}"),
        (NOTEBOOK, '"nbformat_minor": 5', '"nbformat_minor": 6', f"{NOTEBOOK}: {METADATA}"),
        (NOTEBOOK, '"3.142"', '"3.143"', f"{NOTEBOOK}: {HAND}"),
        (NOTEBOOK, '"nbformat": 4', '"nbformat": 4,', f"{NOTEBOOK}: {NO_NOTEBOOK}"),
        (NOTEBOOK, '"cells"', '"calls"', f"{NOTEBOOK}: {NO_NOTEBOOK}"),
        (SOLVED, '"execution_count": 1,', '"execution_count": 9,', f"{SOLVED}: {HAND}"),
        (SOLVED, "01.1: 2 of 2", "01.1: 1 of 2", f"{SOLVED}: {NOT_SOLVED}"),
        (STUB, "01.1: 2 of 2", "01.1: 1 of 2", NOT_THE_STUB),
        (STUB, 'raise NotImplementedError(\\"exercise 01.1\\")', "result = 2 * x", NOT_THE_STUB),
        (STUB, 'NotImplementedError(\\"exercise 01.1\\")', 'NotImplementedError(\\"exercise 01.2\\")', NOT_THE_STUB),
        (EXCURSION, "Of $", "With $", f"{EXCURSION_BUILT}: the cell of {EXCURSION}:14 {OTHER_CELL}"),
        (EXCURSION_BUILT, "difference -1", "difference 1", f"{EXCURSION_BUILT}: {HAND}"),
        (CASES, '"x", 3.0', '"x", 4.0', f"{CASES}: changed since it was built. Build lesson 01."),
    ],
)
def test_drift(course, capsys, file, old, new, expected):
    text = (course / file).read_text(encoding="utf-8")
    assert old in text
    (course / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert said(course, capsys, 1) == said(course, capsys, 1, "01") == [expected]


def test_digests_that_are_damaged(course, capsys):
    (course / digests.FILE).write_text("<<<<<<< HEAD")
    assert main(["check"], course) == 1
    text = "this is not what a build wrote. Take it back with `git checkout`, or delete it."
    assert capsys.readouterr() == ("", f"{digests.FILE}: {text}\n")


@pytest.mark.parametrize("file", [NOTEBOOK, SOLVED, STUB, CASES, EXCURSION_BUILT])
def test_files_that_are_missing(course, capsys, file):
    (course / file).unlink()
    assert said(course, capsys, 1) == [f"{file}: missing. Build lesson 01."]


def test_cells_that_are_missing(course, capsys):
    notebook = json.loads((course / NOTEBOOK).read_text(encoding="utf-8"))
    notebook["cells"].pop()
    (course / NOTEBOOK).write_text(json.dumps(notebook))
    assert said(course, capsys, 1) == [f"{NOTEBOOK}: it has 8 cells, {LESSON} makes 9. Build lesson 01."]


def test_a_changed_definition_changes_what_a_solved_check_prints(course, capsys):
    edit(course, DOUBLE, "points=2", "points=4")
    lines = said(course, capsys, 1)
    assert lines == [NOT_THE_STUB, f"{SOLVED}: {NOT_SOLVED}"]


def rewrite_cases(course: Path, change) -> None:
    """Change the cases and record their new digest, as a merge of two branches might."""
    cases = json.loads((course / CASES).read_text(encoding="utf-8"))
    change(cases)
    (course / CASES).write_text(json.dumps(cases))
    recorded = digests.load(course)
    recorded[CASES]["sha256"] = digests.digest((course / CASES).read_bytes())
    (course / digests.FILE).write_text(digests.text(recorded))


def test_cases_of_another_definition(course, capsys):
    rewrite_cases(course, lambda cases: cases["01.1"][1]["given"]["dict"][0].__setitem__(0, "y"))
    text = "the cases of 01.1 give other arguments than its function takes. Build lesson 01."
    assert said(course, capsys, 1) == [f"{CASES}: {text}"]
    rewrite_cases(course, lambda cases: cases.pop("01.1"))
    assert said(course, capsys, 1) == [f"{CASES}: holds cases of 01.2; there should be 01.1, 01.2. Build lesson 01."]
    rewrite_cases(course, lambda cases: cases.update({"01.1": [{"given": 3}]}))
    assert said(course, capsys, 1) == [f"{CASES}: this is not what a build writes. Build lesson 01."]


@pytest.mark.parametrize(
    "file",
    [
        "notebooks/02_x.ipynb",
        "notebooks/01b_x.ipynb",
        "exercises/01a_more.ipynb",
        "solutions/01_old.ipynb",
        "exercises/scratch.ipynb",
        "utils/exercises/cases/02.json",
        "utils/lesson_02/__init__.py",
        "utils/lesson_02/exercises/double.py",
    ],
)
def test_files_that_belong_to_no_lesson(course, capsys, file):
    (course / file).parent.mkdir(parents=True, exist_ok=True)
    (course / file).touch()
    text = "no lesson's source belongs to this file. Delete it, or write its source."
    assert said(course, capsys, 1) == [f"{file}: {text}"]
    assert said(course, capsys, 0, "01") == [ALL_WELL]


def test_a_module_of_a_room_that_nothing_imports(course, capsys):
    (course / ROOM / "left_over.py").write_text("import utils.lesson_01.also\n")
    (course / ROOM / "also.py").touch()
    text = "nothing of lesson 01 imports this file. Delete it, or use it."
    assert said(course, capsys, 1) == [f"{ROOM}/{name}.py: {text}" for name in ("also", "left_over")]
    edit(course, EXCURSION, "SEED = 1", "import utils.lesson_01.left_over")
    assert not [line for line in said(course, capsys, 1) if text in line]


def test_every_problem_is_listed(course, capsys):
    for file in (NOTEBOOK, SOLVED, STUB, CASES):
        (course / file).unlink()
    (course / "exercises/x.ipynb").touch()
    assert len(said(course, capsys, 1)) == 5


def test_a_malformed_source_is_told_by_check(course, capsys):
    edit(course, LESSON, "# set-up\n", "")
    edit(course, SOLUTION, 'check("01.1", double)', 'check("01.1", twice)')
    lines = said(course, capsys, 1)
    assert [line.split(": ")[0] for line in lines] == [f"{LESSON}:9", f"{SOLUTION}:41"]


# Figures and their words

WORDS = "A line that rises & falls; it is lowest in the middle."
FOLLOWING = {
    "output_type": "display_data",
    "metadata": {},
    "data": {"text/html": "<p>A line that rises &amp; falls; it is lowest in the middle.</p>"},
}


def show_image(
    course: Path, file: str, metadata: dict, following: list[dict], kind: str = "image/png", data: str = "iVBORw0KGgo="
) -> None:
    """Add an image to the outputs of the second code cell."""
    show(course, file, [{"output_type": "display_data", "metadata": metadata, "data": {kind: data}}, *following])


def show(course: Path, file: str, outputs: list[dict]) -> None:
    """Give the second code cell these outputs, and record the notebook's digest as a build does."""
    notebook = json.loads((course / file).read_text(encoding="utf-8"))
    cell = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][2]
    cell["outputs"] = outputs
    (course / file).write_text(json.dumps(notebook))
    recorded = digests.load(course)
    recorded[file]["sha256"] = digests.digest((course / file).read_bytes())
    (course / digests.FILE).write_text(digests.text(recorded))


@pytest.mark.parametrize(
    ("metadata", "following", "lack"),
    [
        ({}, [FOLLOWING], "without alt text"),
        ({"image/png": {}}, [FOLLOWING], "without alt text"),
        ({"image/png": {"alt": " \n"}}, [FOLLOWING], "without alt text"),
        ({"image/png": {"alt": ["a line"]}}, [FOLLOWING], "without alt text"),
        ({"image/png": {"alt": WORDS[:39]}}, [FOLLOWING], "whose alt text has 39 characters; at least 40 are wanted"),
        ({"image/png": {"alt": WORDS}}, [], "without its words below it"),
        ({"image/png": {"alt": WORDS[:-1] + "!"}}, [FOLLOWING], "without its words below it"),
    ],
)
def test_images_without_words(course, capsys, metadata, following, lack):
    show_image(course, NOTEBOOK, metadata, following)
    text = f"the cell shows an image {lack}. Show it with show_figure(figure, words)."
    assert said(course, capsys, 1) == [f"{LESSON}:22: {text}"]


def test_images_of_any_kind_want_words(course, capsys):
    show_image(course, NOTEBOOK, {"image/png": {"alt": WORDS}}, [FOLLOWING], kind="image/svg+xml")
    assert "without alt text" in said(course, capsys, 1)[0]


@pytest.mark.parametrize(("alt", "lack"), [(WORDS, ""), ("", "without alt text"), ("short", "has 5 characters")])
def test_an_image_that_is_folded_has_its_words_itself(course, capsys, alt, lack):
    page = f'<details><img src="data:image/png;base64,AAAA" alt="{alt}"><p>{alt}</p></details>'
    show(course, NOTEBOOK, [{"output_type": "display_data", "metadata": {}, "data": {"text/html": page}}])
    assert lack in said(course, capsys, bool(lack))[0] if lack else said(course, capsys, 0) == [ALL_WELL]


def test_an_image_with_its_words_is_well(course, capsys):
    show_image(course, NOTEBOOK, {"image/png": {"alt": WORDS}}, [FOLLOWING])
    assert said(course, capsys, 0) == [ALL_WELL]


@pytest.mark.parametrize(
    ("image", "lack"),
    [
        ("<img>", "without alt text"),
        ('<img alt="short">', "whose alt text has 5 characters; at least 40 are wanted"),
        (f'<img alt="{html.escape(WORDS)}">', "without its words below it"),
    ],
)
def test_an_image_within_a_page_wants_words_too(course, capsys, image, lack):
    show_image(course, NOTEBOOK, {}, [], kind="text/html", data=f"<div>{image}</div>")
    assert f"the cell shows an image {lack}." in said(course, capsys, 1)[0]


def test_a_player_has_its_words_beside_it(course, capsys):
    page = player_html(points(np.zeros((2, 3, 2))), ["<b>", "after"], WORDS)
    show_image(course, NOTEBOOK, {}, [], kind="text/html", data=page)
    assert said(course, capsys, 0) == [ALL_WELL]


# Outputs that may be older than their code


def test_outputs_that_may_be_older_are_listed(course, capsys):
    with (course / "utils/exercises/serialization.py").open("a") as file:
        file.write("\nCHANGED = True\n")
    lines = said(course, capsys, 0)
    assert lines == [
        f"{SOLVED}: its outputs may be older than utils/exercises/serialization.py. Build it when that matters.",
        ALL_WELL,
    ]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("def f(x):\n    return x", 'def f( x ):  # why\n    """Return x."""\n    return (x)', True),
        ("class A:\n    b = 1", '"""A module."""\nclass A:\n\n    """A class."""\n    b = 1', True),
        ("f = 'a' 'b'", 'f = (\n    "ab"\n)', True),
        ("def f(x):\n    return x", "def f(x):\n    return -x", False),
        ("def f(x=None): pass", "def f(x=0): pass", False),
        ("def f(*, a=1, b): pass", "def f(*, a, b=1): pass", False),
        ("{**a, 'x': b}", "{'x': a, **b}", False),
        ('@alt\ndef f():\n    """A line."""', '@alt\ndef f():\n    """A curve."""', False),
    ],
)
def test_layout_and_wording_of_a_module_age_no_page(tmp_path, before, after, same):
    (tmp_path / "utils").mkdir()
    made = []
    for text in (before, after):
        (tmp_path / "utils/a.py").write_text(text)
        made.append(digests.made_from([tmp_path / "utils/a.py"], tmp_path))
    assert (made[0] == made[1]) == same


def test_a_digest_that_names_what_is_no_more_is_an_error(course, capsys):
    recorded = digests.load(course)
    recorded[NOTEBOOK]["made from"]["utils/moved.py"] = "0123456789abcdef"
    (course / digests.FILE).write_text(digests.text(recorded))
    text = "was made from what does not exist any more, utils/moved.py. Build its lesson."
    assert said(course, capsys, 1) == [f"{NOTEBOOK}: {text}"]


def test_the_modules_that_a_lesson_imports_are_found(tmp_path):
    utils = tmp_path / "utils"
    (utils / "deep").mkdir(parents=True)
    (utils / "far").mkdir()
    (tmp_path / "notebooks").mkdir()
    for name, text in {
        "__init__.py": "",
        "a.py": "def f():\n    from utils import b",
        "b.py": "from .deep import c as d",
        "deep/__init__.py": "",
        "deep/c.py": "from .. import e\nfrom . import nothing",
        "e.py": "import utils.far.f as g",
        "e.js": "",
        "unused.js": "",
        "far/__init__.py": "",
        "far/f.py": "1 +",
        "unused.py": "",
    }.items():
        (utils / name).write_text(text)
    (tmp_path / LESSON).write_text("import numpy\nfrom utils.a import f\n")
    found = digests.inputs(Lesson(tmp_path, STEM), "notebooks")
    names = ["__init__", "a", "b", "deep/__init__", "deep/c", "e", "far/__init__", "far/f"]
    assert found.keys() == {LESSON, "utils/e.js", *(f"utils/{name}.py" for name in names)}


def test_a_lesson_that_shows_claims_is_made_from_their_module_and_records_too(tmp_path):
    files = {
        LESSON: "from utils.claims import claimed",
        "utils/claims/__init__.py": "",
        "utils/lesson_01/claims.py": "from utils import a",
        "utils/a.py": "",
        "utils/lesson_02/claims.py": "",
        "results/01_circles.json": "{}",
        "results/02_other.json": "{}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = digests.inputs(Lesson(tmp_path, STEM), "notebooks")
    others = {"utils/lesson_02/claims.py", "results/02_other.json"}
    assert found.keys() == files.keys() - others
    (tmp_path / LESSON).write_text("import utils.a")
    assert digests.inputs(Lesson(tmp_path, STEM), "notebooks").keys() == {LESSON, "utils/a.py"}
