"""Marking beside what requirements-peers.txt installs: nbgrader and otter-grader come to the same marks for the same
class, so that the benchmark compares like with like."""

from __future__ import annotations

import pytest

from benchmarks import _grading_class as made
from benchmarks import grading

pytestmark = pytest.mark.peers


@pytest.mark.parametrize("run", [grading.nbgrader, grading.otter_run, grading.otter_api], ids=lambda run: run.__name__)
def test_a_peer_comes_to_the_marks_that_were_earned(tmp_path, run):
    assert grading.peers_are_here()
    seconds, marks = run(tmp_path, 3)
    assert marks == made.expected_marks(3) and seconds > 0
