"""A course whose solutions were left out is checked and stamped as far as that goes, and not built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from authoring.__main__ import main
from authoring.checking import WITHOUT_SOLUTIONS
from tests.authoring.courses import CASES, LESSON, STUB, built, contents, edit

MARKED = "https://github.com/someone/else", "v2.0"


@pytest.fixture
def public(tmp_path) -> Path:
    """The built small course without its solutions."""
    root = built(tmp_path / "public")
    shutil.rmtree(root / "solutions")
    return root


def test_a_check_says_what_it_could_not_check(public, capsys):
    assert main(["check"], public) == 0
    assert capsys.readouterr().out.endswith(f"Pages checked: 01_small, 01a_more.\n{WITHOUT_SOLUTIONS}\n")


@pytest.mark.parametrize("file", [STUB, CASES])
def test_a_check_finds_what_is_not_as_it_was_built(public, file, capsys):
    (public / file).write_text((public / file).read_text() + " ")
    assert main(["check"], public) == 1
    assert f"{file}: changed since it was built. Take it back" in capsys.readouterr().out
    (public / file).unlink()
    assert main(["check"], public) == 1
    assert f"{file}: missing. Take it back" in capsys.readouterr().out


def test_a_stub_that_is_no_notebook_is_told_in_a_sentence(public, capsys):
    edit(public, LESSON, "It adds numbers", "As exercise 01.1 does, it adds numbers")
    (public / STUB).write_text("{")
    assert main(["check"], public) == 1
    assert f"{STUB}: this is no notebook. Take it back" in capsys.readouterr().out


def test_a_stamp_writes_what_it_writes_with_solutions(public, tmp_path):
    whole, before = built(tmp_path / "whole"), contents(public)
    for root in (whole, public):
        assert main(["restamp", *MARKED], root) == 0
    left_out = ("solutions/", "authoring/digests.json")
    wanted = {name: content for name, content in contents(whole).items() if not name.startswith(left_out)}
    stamped = {name: content for name, content in contents(public).items() if not name.startswith(left_out)}
    assert stamped == wanted and stamped[STUB] != before[STUB]
    assert main(["check"], public) == 0
    assert main(["restamp", "https://github.com/someone/small-course", "v1.0"], public) == 0
    assert contents(public) == before


def test_nothing_is_built_and_no_lesson_begun(public, capsys):
    before = contents(public)
    for command in (["build"], ["build", "01"], ["new", "02", "more"]):
        assert main(command, public) == 1
        assert "solutions: the folder is missing, and a" in capsys.readouterr().err
    assert contents(public) == before
