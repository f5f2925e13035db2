"""What a page's source leaves to the reader, and that a built page has no answer below the answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbformat import v4

from authoring import page_limits
from authoring.answers_below import check_answers_below
from authoring.blanks import LINE, blank_diagnostics, left_to_the_reader
from authoring.course import Address
from authoring.notebook import build_notebook
from authoring.source import NotebookSource, SourceCell
from utils.pages import Prediction
from utils.predictions import _Answer

BLANK = '''# BEGIN BLANK
def half(x):
    """Return a half of x."""
    y = x / 2
    return y
# END BLANK'''
TRIED = 'half = yours("01.half")\nprint(half(3))'


def source(*cells: str) -> NotebookSource:
    """Return a source of these cells, one at each line: what begins with a # and a space is prose."""
    parts = [
        SourceCell("markdown" if one.startswith("# A") else "code", one, line)
        for line, one in enumerate(["# A page", "# set-up", *cells], 1)
    ]
    return NotebookSource(Path("01_x.py"), "notebooks/01_x.py", "", tuple(parts))


def test_the_body_of_a_blank_is_cut_and_folded_below():
    built = left_to_the_reader(source(BLANK, TRIED)).cells
    assert [cell.text for cell in built[2:]] == [
        'def half(x):\n    """Return a half of x."""\n    ...  # your turn',
        f"<details><summary>{LINE}</summary>\n\n```python\n    y = x / 2\n    return y\n```\n\n</details>",
        TRIED,
    ]
    assert [cell.line for cell in built] == [1, 2, 3, 3, 4]
    assert page_limits._Reader.of(page_limits._MARKUP.sub(page_limits._plain, built[3].text)).words == 0
    assert blank_diagnostics(source(BLANK, "# A text", TRIED)) == []


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ((BLANK.replace("# END BLANK", ""), TRIED), "begins with"),
        ((BLANK.replace("# BEGIN BLANK", "# Begin blank"), TRIED), "begins with"),
        ((BLANK + "\nhalf(3)", TRIED), "begins with"),
        (("x = 1\n" + BLANK, TRIED), "begins with"),
        ((BLANK.replace("# END", "x = 1\n# END"), TRIED), "one function with a docstring"),
        ((BLANK.replace('"""Return a half of x."""', "pass"), TRIED), "one function with a docstring"),
        (("# BEGIN BLANK\ny = 1.5\n# END BLANK", TRIED), "one function with a docstring"),
        (("# BEGIN BLANK\n# END BLANK", TRIED), "one function with a docstring"),
        ((BLANK.replace("    y = x / 2\n    return y\n", ""), TRIED), "one line or two"),
        ((BLANK.replace("    return y", "    y = 1\n    y = 2\n    return y"), TRIED), "one line or two"),
        ((BLANK, "print(1)", TRIED), 'does not say `half = yours("NN.word")`'),
        ((BLANK,), "does not say"),
    ],
)
def test_a_blank_that_stands_wrong_is_told_with_its_line(cells, said):
    page = source(*cells)
    left_to_the_reader(page)  # does not fail: a build makes the notebook before it asks what stands wrong
    (one,) = blank_diagnostics(page)
    assert said in str(one) and str(one).startswith("notebooks/01_x.py:3: ")


ASKED = Prediction({"about a half": "So it tempts.", "one in ten": "It is."}, "It is {share:.2f} of {all}.", 2)


def complaints(below: str, above: str = "# A page of 1,000 runs", **measured) -> list[str]:
    """Return what is said of a cell below a reveal that has measured a share of 0.13."""
    built = build_notebook(source(above, 'reveal("01.x")', below), Address("https://github.com/a/b", "v1"))
    choices = _Answer("01.x", ASKED, "", 2, None).folded
    page = f"<details><summary>The answer</summary><p>It is 0.13 of 1,000.</p>{choices}</details>"
    built.notebook.cells[-2].outputs = [v4.new_output("display_data", data={"text/html": page})]
    return [str(one) for one in check_answers_below(built, built.notebook)]


@pytest.mark.parametrize(
    "below",
    [
        "# A share of .13",
        "print('One in ten, then.')",
        "# About 0.13, of 1,000 runs",
        "# A <details>proof</details> .13 <details>and <details>another</details></details>",
    ],
)
def test_an_answer_below_the_answer_is_told(below):
    (one,) = complaints(below)
    assert "keeps until a reader has committed" in one and one.startswith("notebooks/01_x.py:5: ")


@pytest.mark.parametrize(
    "below",
    [
        "# All 1,000 runs, about a half",
        "# A <details>share of <details>.13</details></details>",
        "x = 0.1",
    ],
)
def test_what_stood_above_is_folded_or_is_another_number_passes(below):
    assert complaints(below) == []
