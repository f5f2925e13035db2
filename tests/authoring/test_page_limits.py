"""What a page asks of its reader is counted as by hand, and each limit of the form is kept or broken by one."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from authoring import page_limits
from authoring.__main__ import main
from authoring.course import Lesson, Page, all_pages
from tests.authoring.courses import EXCURSION_STEM, STEM, built
from tests.marks import ROOT

PICTURE = {"image/png": "iVBORw0KGgo=", "text/plain": "one two three"}
WORDS_OF_IT = {"text/html": "<details><summary>The figure in words</summary>one two three</details>"}
PLAYER = {
    "text/html": '<div data-player="1"><button>play</button><img src="data:x"><script>let words = 1</script></div>'
}


def prose(text: str, *tags: str):
    return v4.new_markdown_cell(text, metadata={"tags": list(tags)} if tags else {})


def code(text: str = "x = 1", *outputs: dict | str, tags: tuple[str, ...] = ()):
    made = [
        v4.new_output("stream", text=one) if isinstance(one, str) else v4.new_output("display_data", data=one)
        for one in outputs
    ]
    return v4.new_code_cell(text, outputs=made, metadata={"tags": list(tags)} if tags else {})


def measured(root: Path, *cells, stem: str = STEM, source: str = "") -> page_limits.PageSize:
    """Return what a page of these cells holds."""
    page = (Lesson if stem[2] == "_" else Page)(root, stem)
    page.source("notebooks").parent.mkdir(exist_ok=True)
    page.source("notebooks").write_text(source, encoding="utf-8")
    notebook = v4.new_notebook(cells=list(cells))
    page.notebook("notebooks").write_text(nbformat.writes(notebook), encoding="utf-8")
    return page_limits.measure(page, notebook)


@pytest.mark.parametrize(
    ("text", "words", "folded"),
    [
        ("one two, three – four-five .6 [.7, .8] *nine*", 8, 0),
        ("## 1 A sum (5 min)\n\n- one\n- two", 7, 0),
        ("| one | two |\n|---|---|\n| three | 4 |", 4, 0),
        ("so $a + b$ is\n$$\na + b\n< c\n$$\nand ($x$-axis) \\$5 and \\$6", 9, 0),
        ("\\begin{align}\na &= b\n\\end{align} follows", 2, 0),
        ("see `sum(a, b)` and\n\n```python\nx = 1\n## 2\n```\nhere", 4, 0),
        ("[two words](https://a.b/c) [![Open it](https://a.b)](https://c.d)", 2, 0),
        ("one <b>two</b> &amp; <!-- not this --> 2 < 3", 4, 0),
        ("one\n\n<details><summary>proof in two</summary>\n\nthree $a$ words\n</details>\n\ntwo", 5, 3),
        (
            "<details><summary>Code to take along: a, from b.py</summary>\n\n```python\na = 1\n```\n\n</details> one",
            1,
            0,
        ),
        ("<details open><summary>one</summary>two</details>", 2, 0),
        ("<details><summary>one</summary>two<details><summary>three</summary>four</details></details> five", 2, 3),
        ("</details> one", 1, 0),
        ("one\n\n**Read next**\n\n- [two](there#two): three.\n- [four](there): five\n\nsix\n\n- seven", 3, 0),
        ("one\n\n**Read next**\n\n- [two](there): three.", 1, 0),
    ],
)
def test_words_of_prose(tmp_path, text, words, folded):
    page = measured(tmp_path, prose(text))
    assert (page.words, page.folded) == (words, folded)


@pytest.mark.parametrize(
    ("outputs", "words", "folded", "figures"),
    [
        (["one 2\nthree\n"], 3, 0, 0),
        ([{"text/plain": "array([1, 2])"}], 2, 0, 0),
        ([{"text/html": "<figcaption>title</figcaption>one<br>two<style>.a {b: c}</style>"}], 2, 0, 0),
        ([PICTURE, WORDS_OF_IT, PICTURE, WORDS_OF_IT], 0, 0, 2),
        ([PLAYER, WORDS_OF_IT], 1, 0, 1),
        ([{"text/html": '<details><summary>the answer</summary>one<img src="data:x"></details>'}], 2, 1, 1),
    ],
)
def test_words_and_figures_of_outputs(tmp_path, outputs, words, folded, figures):
    page = measured(tmp_path, code("print()", *outputs))
    assert (page.words, page.folded, page.figures) == (words, folded, figures)


def test_a_cell_that_asks_about_the_lesson_before_counts_nowhere(tmp_path):
    folded = {"text/html": "<details><summary>one</summary>two</details>"}
    page = measured(tmp_path, code('ask("02.before-a")', {"text/html": "three words here"}, folded))
    assert (page.words, page.folded, page.code_cells, page.able) == (0, 0, 0, 0)


def test_the_words_of_figures_that_this_course_shows_count_nowhere():
    for page in all_pages(ROOT):
        for cell in nbformat.read(page.notebook("notebooks"), as_version=4).cells:
            outputs = cell.get("outputs", [])
            figures = [
                [one, words]
                for one, words in zip(outputs, outputs[1:], strict=False)
                if "image/png" in one.get("data", {})
            ]
            for pair in figures:
                (picture, words) = page_limits._outputs([nbformat.from_dict({"outputs": pair})])
                assert (picture.figures, words.words, words.folded) == (1, 0, 0)


def test_which_cells_can_carry_an_idea(tmp_path):
    page = measured(
        tmp_path,
        code("# set-up: generated"),
        code("# set-up", tags=("idea",)),
        code('predict("01.a")'),
        code('n = 3\nreveal("01.a", n=n)\nshow_figure(draw(n), "01.a")'),
        code('feedback("01.a")'),
        code("download()"),
        code("show_figure(draw(), 'words')"),
        code("x = predict_all(1)", tags=("idea",)),
        code("# reveal()\nx", tags=("idea",)),
    )
    assert (page.code_cells, page.able, page.ideas) == (9, 3, 2)


def test_claims_are_counted_where_they_are_shown(tmp_path):
    source = 'r"""\n{{claim 01.a}} and {{ claim 01.b }}, {{= 2}}\n"""'
    page = measured(tmp_path, code('claimed("01.c")\nclaimed("01.a", data)'), code("import claimed"), source=source)
    assert page.claims == 4


def test_minutes_and_those_before_the_aha(tmp_path):
    cells = [prose("# 01 T"), prose("## 1 A (5 min)"), prose("## 2 B (4 min)"), prose("### 2a C"), prose("## 3 D")]
    page = measured(tmp_path, *cells, prose("## 4 E (8 min)", "aha"), prose("## 5 F (2 min)", "aha"))
    assert (page.minutes, page.before_aha, page.bare) == (19, 9, ["## 3 D"])
    assert measured(tmp_path, prose("## 1 A (5 min)")).before_aha is None


def test_the_size_is_that_of_the_file(tmp_path):
    page = measured(tmp_path, prose("a" * 3000))
    assert page.kilobytes - 1 < page.page.notebook("notebooks").stat().st_size / 1000 <= page.kilobytes


# The limits

LIMITS = {
    STEM: {
        "words": 2500,
        "folded": 600,
        "code_cells": 35,
        "figures": 10,
        "claims": 12,
        "minutes": 75,
        "before_aha": 15,
        "kilobytes": 600,
    },
    EXCURSION_STEM: {"words": 1800, "code_cells": 20, "figures": 8, "claims": 10, "minutes": 40, "kilobytes": 600},
}


def page_of(root: Path, stem: str, **values: object) -> page_limits.PageSize:
    """Return a page within all limits but for what is given."""
    page = measured(root, prose("## 1 A (5 min)", "aha"), code("x", tags=("idea",)), stem=stem)
    return dataclasses.replace(page, **values)


@pytest.mark.parametrize(("stem", "name"), [(stem, name) for stem, limits in LIMITS.items() for name in limits])
def test_each_limit_is_kept_or_broken_by_one(tmp_path, stem, name):
    most = LIMITS[stem][name]
    assert page_limits.diagnostics([page_of(tmp_path, stem, **{name: most})]) == []
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, stem, **{name: most + 1})])
    assert diagnostic.path == f"notebooks/{stem}.py"
    assert f"it has {most + 1:,} " in diagnostic.text and f"; at most {most:,} are wanted. " in diagnostic.text


@pytest.mark.parametrize("stem", LIMITS)
def test_a_playground_may_take_80_kb_of_its_own_once(tmp_path, stem):
    shown = code("playground()", {"text/html": '<div data-playground="1"><img src="data:x"></div>'})
    assert [measured(tmp_path, *[shown] * n).playgrounds for n in range(3)] == [0, 1, 2]
    assert measured(tmp_path, shown).figures == 1
    assert page_limits.diagnostics([page_of(tmp_path, stem, playgrounds=1, kilobytes=680)]) == []
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, stem, playgrounds=1, kilobytes=681)])
    assert diagnostic.text == "it has 681 kB in its notebook; at most 680 are wanted. Draw fewer or smaller figures."
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, stem, playgrounds=2, kilobytes=680)])
    assert diagnostic.text == "it has 2 playgrounds; one is wanted. Link to another setting of it."


def test_half_of_the_cells_of_a_path_carry_an_idea(tmp_path):
    assert page_limits.diagnostics([page_of(tmp_path, STEM, ideas=3, able=6)]) == []
    assert page_limits.diagnostics([page_of(tmp_path, STEM, ideas=0, able=0)]) == []
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, STEM, ideas=3, able=7)])
    assert diagnostic.text.startswith("3 of 7 cells carry an idea; at least half are wanted. ")


def test_what_a_path_has_and_an_excursion_need_not(tmp_path):
    lacks = {"ideas": 0, "able": 9, "before_aha": None, "folded": 9999}
    assert page_limits.diagnostics([page_of(tmp_path, EXCURSION_STEM, **lacks)]) == []
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, STEM, before_aha=None)])
    assert diagnostic.text == 'no heading is the aha\'s. Begin its cell with `# %% [markdown] tags=["aha"]`.'


@pytest.mark.parametrize("stem", LIMITS)
def test_every_heading_says_its_minutes(tmp_path, stem):
    (diagnostic,) = page_limits.diagnostics([page_of(tmp_path, stem, bare=["## Summary"])])
    assert diagnostic.text == '"## Summary" does not say its minutes. Let the heading end with "(5 min)", say.'


# The check


def test_check_prints_what_each_page_holds(tmp_path, capsys):
    """Counted by hand in the golden files of the small course."""
    assert main(["check"], built(tmp_path)) == 0
    kilobytes = [-(-(tmp_path / f"notebooks/{stem}.ipynb").stat().st_size // 1000) for stem in (STEM, EXCURSION_STEM)]
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[:3]]
    assert rows == [
        ["page", "words", "folded", "cells", "ideas", "figures", "claims", "minutes", "to", "aha", "kB"],
        [STEM, "29", "0", "5", "67%", "0", "0", "5", "0", str(kilobytes[0])],
        [EXCURSION_STEM, "25", "0", "3", "0%", "0", "0", "3", "–", str(kilobytes[1])],
    ]


def test_the_table_is_aligned(tmp_path):
    lines = page_limits.table([page_of(tmp_path, STEM, words=1234), page_of(tmp_path, "01a_longer_name", words=5)])
    assert lines[1].index("1,234") + 5 == lines[2].index(" 5 ") + 2 == lines[0].index("words") + 5
    assert len({len(line) for line in lines}) == 1


def test_check_fails_beyond_a_limit_and_says_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(page_limits.MOST_OF_A_PATH, "words", 28)
    assert main(["check", "01"], built(tmp_path)) == 1
    text = "it has 29 words unfolded; at most 28 are wanted. Cut what answers no question of the page."
    assert capsys.readouterr().out.splitlines()[3:] == ["", f"notebooks/{STEM}.py: {text}"]
