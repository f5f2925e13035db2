"""The page for whoever runs the course for a class: its table of points, and its commands."""

from __future__ import annotations

import re
import shlex

import pytest

from grading import __main__ as command_line
from grading.course import headings_of, load
from tests.grading.helpers import ROOT
from utils.exercises.definition import lessons_with_exercises

PAGE = (ROOT / "grading" / "for_a_class.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons_with_exercises())
def test_the_points_of_a_lesson_are_what_the_page_says(lesson):
    worth, headings = load(lesson, free_texts=True), headings_of(lesson)
    texts = worth.exercises.keys() - load(lesson).exercises.keys()
    on_path = {id for id, heading in headings.items() if not heading.further}

    def points(ids):
        return sum(worth.exercises[id].points for id in ids)

    everything = worth.exercises.keys()
    row = [points(on_path - texts), points(everything - texts), points(on_path), points(everything)]
    assert f"| {lesson} | {' | '.join(map(str, row))} |" in PAGE


def test_a_deadline_wants_an_hour(capsys):
    with pytest.raises(SystemExit):
        command_line._parser().parse_args(["grade", "in", "--out", "out", "--due", "2026-03-01"])
    assert "does not say the hour. Write it as in 2026-03-01T18:00" in capsys.readouterr().err


def test_its_commands_are_understood(tmp_path):
    commands = [shlex.split(line)[3:] for line in PAGE.splitlines() if line.startswith(".venv/bin/python -m grading")]
    assert [one[0] for one in commands] == ["demo", "grade"]
    for one in commands:
        command_line._parser().parse_args(one)
    toml = re.search("```toml\n(.*?)```", PAGE, re.DOTALL)[1]
    (tmp_path / "class.toml").write_text(toml)
    rules = command_line.read_class(tmp_path / "class.toml")
    assert rules.assignments == {"01": "Lesson 01 (1234)"}
    assert rules.scoring.further == {"01"} and rules.scoring.points == {"01.5": 0}
