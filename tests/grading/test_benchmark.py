"""The benchmark of marking: its class is marked rightly by our side, and what it shows is what it measured."""

from __future__ import annotations

import ast

import pytest

from benchmarks import _grading_class as made
from benchmarks import grading


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return made.our_course(tmp_path_factory.mktemp("benchmark"))


@pytest.mark.full
def test_our_side_comes_to_the_marks_that_were_earned(course, tmp_path):
    seconds, marks = grading.ours(course, tmp_path, 3)
    assert marks == made.expected_marks(3) == {"s000": 3.0, "s001": 3.0, "s002": 0.0}
    assert seconds > 0


@pytest.mark.full
def test_memory_is_noted_as_a_class_grows(course, tmp_path):
    rows, further = grading.memory(tmp_path, course, 4, 2)
    assert [row["marked"] for row in rows] == [1, 2, 4]
    assert all(10 < row["now"] <= row["peak"] + 1 for row in rows) and further > 0


def test_all_three_graders_are_given_the_same_answers(tmp_path):
    """The peers' notebooks hold the same function as ours, but for the line that makes tensors."""
    texts = [
        (folder / name).read_text().replace(repr(made.TENSORS)[1:-1] + "\\n", "")
        for folder, name in (
            (made.our_class(tmp_path / "ours", 3), "s002.ipynb"),
            (made.nbgrader_course(tmp_path / "nbgrader", 3), "submitted/s002/ps/ps.ipynb"),
            (made.otter_class(tmp_path / "otter", 3), "s002.ipynb"),
        )
    ]
    wrong = repr(made.WRONG)[1:-1]
    assert all(wrong in text and "relu" not in text for text in texts)
    for code in (made.DEFINITION, made.SOURCE, (tmp_path / "otter" / "tests" / "q1.py").read_text()):
        ast.parse(code)


def test_figures_are_shown_with_their_ratios():
    """Where a side did not mark so large a class, its time is estimated from its largest."""
    sides = {
        grading.OURS: {8: [0.8, 1.6], 30: [1.0, 2.0], 300: [4.0, 8.0]},
        "nbgrader autograde": {8: [16.0, 24.0], 30: [60.0, 90.0]},
    }
    figures = {
        "cores": 2,
        "rounds": 2,
        "peers": False,
        "sides": sides,
        "ratios": grading._ratios(sides),
        "memory": [{"marked": 50, "now": 90.4, "peak": 95.0}],
        "seconds_further": 0.1,
    }
    shown = grading.show(figures)
    of_nbgrader = figures["ratios"]["nbgrader autograde"]
    assert of_nbgrader[8] == pytest.approx({"median": 17.5, "low": 15.0, "high": 20.0})
    assert of_nbgrader[300] == pytest.approx({"median": 131.25, "low": 112.5, "high": 150.0})
    assert "nbgrader autograde      8         20.0 s  17.5 [15.0, 20.0]" in shown
    assert "nbgrader autograde    300  about 750.0 s  131.2 [112.5, 150.0]" in shown
    assert "after  50: 90 MiB, peak 95 MiB" in shown
    assert "to install them: make .venv-peers/.ready" in shown
