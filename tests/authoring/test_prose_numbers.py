"""Numbers in prose: those that follow on the page pass, those that were written by hand are found, with their line."""

from __future__ import annotations

import re

import pytest
from nbformat import v4

from authoring.course import Address
from authoring.notebook import build_notebook
from authoring.prose_numbers import check_prose_numbers
from authoring.source import NotebookSource, SourceCell
from utils import pages
from utils.pages import FigureText, Prediction


def found(tmp_path, *cells, room="", printed="", shown=None):
    """The numbers found in these cells: a text is markdown, a tuple of one text is code, which prints and shows."""
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "topic.py").write_text(room)
    parts = [SourceCell("markdown", one, 1) if isinstance(one, str) else SourceCell("code", one[0], 1) for one in cells]
    source = NotebookSource(tmp_path / "01_x.py", "notebooks/01_x.py", "", (*parts, SourceCell("code", "# set-up", 1)))
    built = build_notebook(source, Address("https://github.com/a/b", "v1"))
    for cell in built.notebook.cells[1:]:
        if cell.cell_type == "code" and "set-up" not in cell.source:
            cell.outputs = [v4.new_output("stream", name="stdout", text=printed)]
            cell.outputs += [v4.new_output("display_data", data=shown)] if shown else []
    said = check_prose_numbers(built, built.notebook, tmp_path / "room")
    return [
        (diagnostic.line, diagnostic.text.split('"')[1], *re.findall("room says of ([^:]+)", diagnostic.text))
        for diagnostic in said
    ]


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("a lead of about 0.09", "0.0912 [0.07, 0.12]"),
        ("a lead of .09", "lead 0.0912"),
        ("right for 98 %", "0.9777"),
        ("98 % of them", "97.8 %"),
        ("1.5 times as long", "ratio 1.54"),
        ("all 1,620 trainings", "1620"),
        ("about 12 of them, section 3, exercise 01.3, in 2020", ""),
        ("an interval of 95 %, refuted at 99.9 %", ""),
        ("the floor is 3/32, and $2^{10} = 1024$, so 1,024", ""),
        ("a rate of `0.003`, which is 0.003", ""),
        ("Six layers of width 4,288 came within 3.5 % (Kaplan et al., 2020)", ""),
    ],
)
def test_what_follows_on_the_page_passes(tmp_path, prose, printed):
    assert found(tmp_path, f"# A page\n\n{prose}.", ("f()",), printed=printed) == []


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("a lead of 0.09", "0.09"),
        ("98 % of all", "98 %"),
        ("1.5 times as long", "1.5 times"),
        ("4,000 points", "4,000"),
        ("only 300", "300"),
        ("a lead of .13", ".13"),
    ],
)
def test_what_follows_from_nothing_is_found_with_its_line(tmp_path, prose, shown):
    assert found(tmp_path, f"# A page\n\nWell,\n{prose}.", ("f(0.1)",), printed="0.12 97 1.6 30 0.136") == [(4, shown)]


def test_a_fraction_follows_in_its_own_section_and_a_whole_number_anywhere_or_in_the_room(tmp_path):
    cells = "# One\n\n0.25 of 500 and of 2,000", ("f()",), "## Two\n\n0.25 of 500 and of 2,000"
    assert found(tmp_path, *cells, printed="0.25 500", room="POINTS = 2_000") == [(3, "0.25")]


def test_the_words_of_a_figure_are_prose_and_do_not_prove_themselves(tmp_path):
    cell = ('show_figure(f(0.5), """A line at 0.5\nand one at 0.7.""")',)
    assert found(tmp_path, "# One", cell) == [(2, "0.7")]


def test_what_the_room_says_of_a_figure_and_of_an_answer_is_prose_where_the_page_names_it(tmp_path, monkeypatch):
    asked = Prediction({"0.1": "a", "0.2": "b"}, "0.8 of it, {ratio:.2f}", 1)
    monkeypatch.setattr(
        pages, "figures", {"01.x": FigureText("About 0.5", "A line at 0.6."), "01.y": FigureText("0.9", "0.9")}
    )
    monkeypatch.setattr(pages, "predictions", {"01.z": asked})
    assert found(tmp_path, "# One", ('show_figure(f("a"), "01.x")',), printed="0.6 0.5") == []
    (tmp_path / "room" / "topic.py").unlink()
    (tmp_path / "room").rmdir()
    cells = ('show_figure(f("a"), "01.x")',), ('reveal("01.z", ratio=1)',)
    assert found(tmp_path, "# One", *cells, printed="0.51") == [(1, "0.6", "01.x"), (1, "0.8", "01.z")]


@pytest.mark.parametrize("kind, data", [("image/png", ""), ("text/html", "<div data-player='0'></div>")])
def test_the_words_that_an_output_keeps_do_not_prove_them_either(tmp_path, kind, data):
    shown = {kind: data, "text/plain": "A line at 0.7."}
    assert found(tmp_path, "# One\n\nIt is at 0.7.", ("f()",), shown=shown) == [(3, "0.7")]


def test_what_the_build_fills_in_counts_for_what_else_is_said_there(tmp_path):
    (tmp_path / "room").mkdir()
    written = "# One\n\nIt is {{claim 01.x}}, about 0.21 and not 0.3."
    cell = SourceCell("markdown", written.replace("{{claim 01.x}}", "0.211 [0.199, 0.219]"), 1, written)
    source = NotebookSource(tmp_path / "01_x.py", "notebooks/01_x.py", "", (cell, SourceCell("code", "# set-up", 1)))
    built = build_notebook(source, Address("https://github.com/a/b", "v1"))
    diagnostics = check_prose_numbers(built, built.notebook, tmp_path / "room")
    assert [diagnostic.text.split('"')[1] for diagnostic in diagnostics] == ["0.3"]


def test_a_link_that_the_build_makes_beside_what_it_fills_in_does_not_matter(tmp_path):
    (tmp_path / "room").mkdir()
    written = "# One\n\nExercise 01.2: it is {{claim 01.x}} ([there](x)), about 0.21 and not 0.3. See exercise 01.1."
    text = written.replace("{{claim 01.x}}", "0.211 [0.199, 0.219]").replace("Exercise 01.2", "[Exercise 01.2](a)")
    cell = SourceCell("markdown", text.replace("exercise 01.1", "[exercise 01.1](b)"), 1, written)
    source = NotebookSource(tmp_path / "01_x.py", "notebooks/01_x.py", "", (cell, SourceCell("code", "# set-up", 1)))
    built = build_notebook(source, Address("https://github.com/a/b", "v1"))
    diagnostics = check_prose_numbers(built, built.notebook, tmp_path / "room")
    assert [diagnostic.text.split('"')[1] for diagnostic in diagnostics] == ["0.3"]
