"""A lesson whose tests take too long makes the run red, in seconds of the machine that runs them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.proofs import TESTS
from tests.shares import LOOP_SECONDS, MOST, Shares, loop, whose


@pytest.mark.parametrize("pace", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("factor", "wanted"), [(0.99, pytest.ExitCode.OK), (1.01, pytest.ExitCode.TESTS_FAILED)])
def test_a_lesson_takes_at_most_its_share(pace, factor, wanted):
    shares, session = Shares(), SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    shares.loops += [0.5 * pace * LOOP_SECONDS, 1.5 * pace * LOOP_SECONDS]
    shares.seconds.update({"lesson_01": factor * MOST * pace, "tests/engine": 100 * MOST * pace})
    shares.pytest_sessionfinish(session)
    assert session.exitstatus == wanted


def test_what_is_noted_on_a_report_is_added_up():
    shares = Shares()
    for spent, looped in ((1.5, LOOP_SECONDS), (2.5, None)):
        noted = [("cpu", spent), ("whose", "lesson_03"), ("loop", looped)]
        for when in ("setup", "call", "teardown"):
            shares.pytest_runtest_logreport(SimpleNamespace(when=when, user_properties=noted))
    shares.pytest_runtest_logreport(SimpleNamespace(when="setup", user_properties=[("started", 9.0)]))
    assert shares.seconds["starting and collecting"] == 9.0
    assert (shares.seconds["lesson_03"], shares.tests["lesson_03"], shares.pace) == (4.0, 2, 1.0)


@pytest.mark.parametrize(
    ("file", "names", "wanted"),
    [
        ("tests/lesson_02/test_flip.py", ["slow", "lesson_02"], "lesson_02"),
        ("tests/engine/test_figures.py", ["lesson_02"], "lesson_02"),
        ("tests/lesson_02/test_flip.py", ["full", "lesson_02"], "what is long"),
        ("tests/authoring/test_nbval.py", ["page", "lesson_02"], "pages run again"),
        (TESTS, ["lesson_02", "exercise_02_4"], "exercises proved again"),
        ("tests/authoring/browser/test_player.py", [], "tests/authoring"),
    ],
)
def test_whose_a_test_is(file, names, wanted):
    found = [SimpleNamespace(name=name) for name in names]
    item = SimpleNamespace(
        nodeid=f"{file}::test_a", iter_markers=lambda: found, get_closest_marker=lambda name: name in names
    )
    assert whose(item) == wanted


def test_the_loop_takes_time_of_this_process():
    assert LOOP_SECONDS / 20 < loop() < 20 * LOOP_SECONDS
