"""The start page shows what was done, by hand-made pages and by the course's own, and what comes next."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from authoring import start_page
from authoring.start_page import read_pages
from utils import pages, rooms


def notebook(path: Path, prose: str, *code: str, said: str = "") -> None:
    cells = [v4.new_markdown_cell(prose), *map(v4.new_code_cell, code)]
    if said:
        cells.append(v4.new_code_cell("check()", outputs=[v4.new_output("stream", text=said)]))
    path.parent.mkdir(exist_ok=True)
    path.write_text(nbformat.writes(v4.new_notebook(cells=cells)), encoding="utf-8")


@pytest.fixture
def root(tmp_path) -> Path:
    """Two lessons and an excursion: four predictions and a blank in forty minutes, five points in ten."""
    notebook(
        tmp_path / "notebooks/01_one.ipynb",
        "# 01 One: why?\n\n## A (30 min)\n\n## B (10 min)",
        'ask("01.before-x", "01.before-y")',
        'predict("01.a")',
        'reveal("01.a")',
        'f = yours("01.f")',
        'predict("01.b")',
    )
    notebook(
        tmp_path / "exercises/01_one.ipynb",
        "# Exercises 01\n\nTwo belong to the path, 5 points and about 10 minutes. More: 4 points and about 8 minutes.",
        said="".join(f"When solved: ✓ Exercise 01.{n}: {n + 1} of {n + 1} points.\n" for n in (1, 2, 3)),
    )
    notebook(tmp_path / "notebooks/01a_more.ipynb", "# 01a More\n\n## A (20 min)", 'predict("01a.a")')
    notebook(tmp_path / "notebooks/02_two.ipynb", "# 02 Two\n\n## A (50 min)", "1")
    (tmp_path / "work").mkdir()
    return tmp_path


def shown(root: Path, **kept: dict) -> list[str]:
    """Return the lines of the page for what is kept: what comes next, and the rows of the table."""
    (root / "work/my-course.json").write_text(json.dumps(kept))
    text = start_page.write_start_page(read_pages(root), root / "work").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.startswith(("**", "Half", "| 0", "| &"))]


ALL = dict.fromkeys(["01.before-x", "01.before-y", "01.a", "01.b"], {"choice": "x"})
FULL = {"01.1": {"points": 2}, "01.2": {"points": 3}}


def test_who_comes_first_is_told_where_to_begin(root):
    assert shown(root) == [
        "**Begin with** [01 One](lessons/lesson_01_one.ipynb), 40 minutes.",
        "| 01 One: why? | [lesson](lessons/lesson_01_one.ipynb) | 40 min; exercises 10 min, and 8 min for more |  |",
        "| &emsp;↳ 01a More | [excursion](lessons/lesson_01a_more.ipynb) | 20 min |  |",
        "| 02 Two | [lesson](lessons/lesson_02_two.ipynb) | 50 min |  |",
    ]


@pytest.mark.parametrize(
    ("kept", "comes", "done"),
    [
        (
            {"predictions": {"01.a": {"seen": True}}, "blanks": {"01.f": {}}},
            "[01 One](lessons/lesson_01_one.ipynb), about 24 minutes left; then [exercises 01](01_one.ipynb), "
            "about 10 minutes; then [02 Two](lessons/lesson_02_two.ipynb), 50 minutes.",
            "1 of 4 predictions · 1 of 1 blanks · 0 of 9 points",
        ),
        (
            {"predictions": ALL, "blanks": {"01.f": {}}, "points": {"01.1": {"points": 1.5}, "98.1": {"points": 9}}},
            "[exercises 01](01_one.ipynb), about 7 minutes; then [02 Two](lessons/lesson_02_two.ipynb), 50 minutes.",
            "4 of 4 predictions · 1 of 1 blanks · 1.5 of 9 points",
        ),
        (
            {"predictions": ALL, "blanks": {"01.f": {}}, "points": FULL},
            "[02 Two](lessons/lesson_02_two.ipynb), 50 minutes.",
            "4 of 4 predictions · 1 of 1 blanks · 5 of 9 points",
        ),
    ],
)
def test_what_was_done_and_what_comes_next(root, kept, comes, done):
    next_, row, *_ = shown(root, **kept)
    assert next_ == f"**Next:** {comes}" and row.endswith(f"for more | {done} |")


def test_the_first_that_is_left_comes_next_and_what_is_half_done_is_named(root):
    """Wherever in the course a reader was last."""
    for number in (2, 3):
        asked = f'ask("0{number}.x", "0{number}.y")'
        notebook(root / f"notebooks/0{number}_n.ipynb", f"# 0{number} N{number}\n\n## A (50 min)", asked)
    (root / "notebooks/02_two.ipynb").unlink()
    kept = {"predictions": {"03.x": {}}}
    assert shown(root, **kept)[:2] == [
        "**Next:** [01 One](lessons/lesson_01_one.ipynb), 40 minutes; then [exercises 01](01_one.ipynb), about 10 "
        "minutes; then [02 N2](lessons/lesson_02_n.ipynb), 50 minutes.",
        "Half done: [03 N3](lessons/lesson_03_n.ipynb), about 25 minutes left.",
    ]


def test_at_the_end_nothing_comes_next(root):
    (root / "notebooks/02_two.ipynb").unlink()
    assert shown(root, predictions=ALL, blanks={"01.f": {}}, points=FULL)[0].startswith("**All done.**")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"points": {"01.1": {}, "01.2": 3, "01.3": null}}',
        '{"points": {"01.1": {"points": "2"}, "01.2": {"points": NaN}}}',
    ],
)
def test_damaged_entries_are_as_none(root, text):
    (root / "work/my-course.json").write_text(text)
    page = start_page.write_start_page(read_pages(root), root / "work")
    assert "**Begin with**" in page.read_text(encoding="utf-8")


def test_it_is_written_anew_when_something_was_kept_and_a_readers_own_stays(root):
    work, look = root / "work", start_page.writer(root, root / "work")
    look()
    assert not (work / "start.md").exists()  # it was written when the course started
    (work / "my-course.json").write_text(json.dumps({"predictions": ALL}))
    look()
    assert "4 of 4 predictions" in (work / "start.md").read_text(encoding="utf-8")
    (work / "start.md").write_text("mine")
    (work / "my-course.json").write_text("{}")
    look()
    assert (work / "start.md").read_text() == "mine"


def test_every_prediction_and_every_blank_of_the_rooms_is_counted():
    for number in rooms.lessons_with("page"):
        rooms.module_of(number, "page")
    root = Path(start_page.__file__).parents[1]
    found = read_pages(root)
    for asked, registered in (
        ([key for page in found for key in page.asked], pages.predictions),
        ([key for page in found for key in page.blanks], pages.blanks),
    ):
        own = {key for key in registered if re.match(r"0\d", key)}
        assert sorted(asked) == sorted(own)
