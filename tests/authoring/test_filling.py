"""What the build writes into prose: figures from records, computed values, and what it says where it cannot."""

from __future__ import annotations

import html
import re

import pytest

from authoring.checking import difference
from authoring.course import Address
from authoring.diagnostics import AuthoringError
from authoring.filling import fill, filled_ids, in_words
from authoring.notebook import build_notebook
from authoring.source import NotebookSource, SourceCell
from claims.__main__ import main
from tests.claims.helpers import CLAIMS_90, forget
from tests.claims.helpers import course as course
from utils.claims.definition import find
from utils.claims.evaluation import evaluate
from utils.claims.records import load

TRUE = ["run", "--only", "90.gains", "90.loses", "--record"]


def source_of(course, *texts):
    """A source of lesson 90 whose markdown cells hold these texts, each from line 10, 20, … on."""
    cells = [SourceCell("markdown", text, 10 * place) for place, text in enumerate(texts, start=1)]
    path = course / "notebooks" / "90_fixture.py"
    return NotebookSource(path, "notebooks/90_fixture.py", "", (*cells, SourceCell("code", "# set-up", 100)))


def filled(course, *texts):
    return [cell.text for cell in fill(source_of(course, *texts)).cells[:-1]]


@pytest.fixture
def recorded_course(course):
    assert main(TRUE) == 0
    return course


def test_a_claim_in_a_sentence_is_its_records_figures_and_its_rule_is_folded_below(recorded_course):
    (text,) = filled(recorded_course, "It gains {{claim 90.gains}}, and so on.\n\nA second paragraph.")
    one = evaluate(find("90.gains"), load("90_gain").data)
    assert text.startswith(f"It gains {one.effect.rounded}, and so on.\n\nA second paragraph.\n\n<details>")
    below = html.unescape(text.split("<details>")[1])
    assert f"90.gains gain: {one.figures}, 80 seeds; {one.claim.claimed}" in re.sub("<.*?>", "", below)
    assert "results/90_gain.json" in below and text.rstrip().endswith("</details>")


def test_a_cells_rules_are_folded_once_and_what_is_html_in_them_is_text(recorded_course, monkeypatch):
    monkeypatch.setattr("utils.claims.evaluation.Evaluation.figures", "0.5 [0.4, 0.6]")
    text, plain = filled(recorded_course, "{{claim 90.gains}} {{claim 90.loses}} {{ claim 90.gains }}", "nothing here")
    assert text.count("<details>") == 1 and len(re.findall("<li>", text)) == 2 and plain == "nothing here"


def test_the_table_has_mirror_controls_with_their_figures(recorded_course):
    lesson = recorded_course / CLAIMS_90
    tried = '"gain", low=0.2, range_set="before", tried="More < less (90.loses)")'
    lesson.write_text(lesson.read_text().replace('"gain", low=0.2, range_set="before")', tried))
    forget()
    (table,) = filled(recorded_course, "{{claim 90.gains}} {{claims}}")[0].split("</details>")[:1]
    assert f"More &lt; less (90.loses ({evaluate(find('90.loses'), load('90_loss').data).figures}))" in table


def test_the_table_has_every_claim_of_the_page_once_and_is_folded(recorded_course):
    texts = "{{claim 90.gains}}", "{{claim 90.loses}} {{claim 90.gains}}", "The end. {{claims}}"
    end = filled(recorded_course, *texts)[-1]
    assert end.startswith("The end. <details>") and end.endswith("</details>") and end.count("<tr>") == 2
    assert end.count("90.gains") == end.count("90.loses") == 1
    assert evaluate(find("90.gains"), load("90_gain").data).figures in html.unescape(end)


def test_a_new_record_changes_the_text_and_no_cells_id_and_check_sees_it(recorded_course):
    where = Address("https://github.com/a/b", "v1")
    source = source_of(recorded_course, "# 90\n\nIt gains {{claim 90.gains}}.", "It is {{= 1 / 8}}.")
    before = build_notebook(fill(source), where)
    assert difference(before, before.notebook) == ""
    assert main(TRUE) == 0  # with fresh seeds
    after = build_notebook(fill(source), where)
    assert [cell.id for cell in before.notebook.cells] == [cell.id for cell in after.notebook.cells]
    told = difference(after, before.notebook)
    assert told == "the cell of notebooks/90_fixture.py:10 has other numbers or links than the sources make"


def test_what_to_read_next_is_a_list_with_links_before_the_table(recorded_course):
    (recorded_course / "reference").mkdir()
    works = [f'["A {year}"]\nauthors = "A"\ntitle = "T"\nwhere = "W"\nchecked = ""\n' for year in (1901, 1902, 1903)]
    reasons = '[next.90]\n"A 1902" = "First."\n"A 1901" = "Then."\n"A 1903" = "Last."\n'
    (recorded_course / "reference/literature.toml").write_text("\n".join([*works, reasons]))
    (text,) = filled(recorded_course, "The end.\n\n{{literature}}\n\n{{claims}}")
    listed = [f"- [A {y}](../reference/literature.md#a-{y}): {why}." for y, why in ((1902, "First"), (1901, "Then"))]
    assert text.startswith("\n".join(["The end.\n\n**Read next**\n", *listed]))
    assert "Last.\n\n\n<details>" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{literature}}", "reference/literature.toml has no"),
        ("{{claim 90.gain}}", "There is no claim 90.gain"),
        ("{{claim 90.gains-little}}", "its record refutes claim 90.gains-little"),
        ("{{claim gains}}", "is not a claim's id"),
        ("{{= claims.NOTHING}}", "has no attribute"),
        ("{{= nowhere}}", "nowhere"),
        ("{{= 1 +}}", "invalid syntax"),
    ],
)
def test_what_cannot_be_filled_is_told_with_its_line(recorded_course, text, words):
    with pytest.raises(AuthoringError) as caught:
        fill(source_of(recorded_course, "well", f"one\ntwo {text} three"))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.path, diagnostic.line) == ("notebooks/90_fixture.py", 21)
    assert words in diagnostic.text and text in diagnostic.text


def test_a_claim_without_a_record_is_told(course):
    with pytest.raises(AuthoringError, match="no record of '90_gain'"):
        fill(source_of(course, "{{claim 90.gains}}"))


def test_values_come_from_the_lessons_room_and_formulas_stay_as_they_are(course):
    (course / "utils" / "lesson_90" / "topic.py").write_text("RATES = (0.001, 0.3)\n")
    formula = r"$\frac{{a}}{{b}}$ and $x_{{n}}$"
    values = (
        "{{= min(topic.RATES)}} to {{= topic.RATES[1]}}, {{= sum(len(topic.RATES) * math.comb(9, k) for k in (4,))}}"
    )
    assert filled(course, values, formula) == ["0.001 to 0.3, 252", formula]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1620, "1,620"),
        (0.00001, "0.00001"),
        (3**0.5, "1.73"),
        (13333.3, "13,300"),
        (2.0, "2"),
        (-0.125, "-0.125"),
        ("as it is", "as it is"),
    ],
)
def test_values_are_written_as_prose_has_them(value, words):
    assert in_words(value) == words


def test_the_ids_that_a_source_fills_in_have_their_lines():
    text = "one {{claim 90.a}}\n\n{{= 3}} {{ claim 90.b-c }}"
    assert list(filled_ids(text)) == [("90.a", 1), ("90.b-c", 3)]


@pytest.mark.parametrize("text", ['{{= f"{1 + 1}"}} units', "{{claim 90.gains", "{{= 1 + 1 } units"])
def test_what_begins_like_a_fill_and_is_none_is_an_error(course, text):
    with pytest.raises(AuthoringError, match="fixture.py:11: .* cannot be filled: braces stand within"):
        filled(course, f"The first line.\n{text}.")
