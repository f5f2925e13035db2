"""The attack table of benchmarks/README.md says what the corpus of hostile submissions holds the marking to."""

from __future__ import annotations

import re

from tests.grading.hostile import ATTACKED, POINTS, load_corpus
from tests.grading.test_hostile import neighbours


def rows(root) -> list[tuple[str, list[str]]]:
    """Return, for each row of the table, what is said to happen here, and the kinds that are named."""
    text = (root / "benchmarks" / "README.md").read_text(encoding="utf-8").partition("### Under attack")[2]
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    return [(cells[3].strip(), re.findall("`([a-z-]+)`", cells[4])) for cells in lines]


def outcome(name: str) -> str:
    """Return what the named kind, or honest neighbour, comes to in the exercise that is attacked."""
    kind = load_corpus().get(name)
    if kind is not None and kind.status != "graded":
        return kind.status
    points = kind.points if kind is not None else neighbours()[name][1]
    return f"{points.get(ATTACKED, 0)} of {POINTS[ATTACKED]}"


def test_the_table_says_what_the_corpus_expects(root):
    table = rows(root)
    assert len(table) >= 15
    wrong = [(said, name) for said, kinds in table for name in kinds if not said.startswith(outcome(name))]
    assert wrong == [] and all(kinds for _, kinds in table)


def test_kinds_that_are_said_to_leave_the_rest_marked_have_earned_the_rest(root):
    corpus = load_corpus()
    for said, kinds in rows(root):
        if "the other exercises are marked" in said:
            assert all(corpus[name].points == {"01.3": 2} for name in kinds), kinds


def test_the_corpus_is_large_and_each_kind_says_why():
    corpus = load_corpus()
    assert len(corpus) >= 40 and sum(kind.quick for kind in corpus.values()) >= 30
    assert all(len(kind.why) > 10 and kind.holds for kind in corpus.values())
