"""What an instructor sees while a class is marked, in a terminal and in a log file."""

from __future__ import annotations

import io

import pytest

from grading import progress
from grading.progress import Progress


class Screen(io.StringIO):
    """A terminal that keeps all that was ever shown."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """A list whose one number is the time."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def marked(clock: list[float], seconds: float, count: int, total: int, kept: int = 0) -> None:
    """Let a class go by: those kept at once, and ``count`` more, each in so many seconds."""
    with Progress(total) as bar:
        for number in range(kept + count):
            clock[0] += seconds if number >= kept else 0
            bar.step(number >= kept)


def test_a_bar_counts_and_tells_the_time_left_from_those_that_took_time(clock, monkeypatch):
    monkeypatch.setattr(progress.sys, "stderr", screen := Screen())
    marked(clock, seconds=30, count=2, total=10, kept=4)
    last = screen.getvalue().rstrip().rpartition("\r")[2]
    assert " 60%|" in last and "at most 2 min left" in last


def test_a_log_file_gets_a_line_now_and_then(clock, monkeypatch):
    monkeypatch.setattr(progress.sys, "stderr", log := io.StringIO())
    marked(clock, seconds=10, count=6, total=6)
    assert log.getvalue().splitlines() == ["33% done, at most 40 s left", "67% done, at most 20 s left"]


def test_a_quick_class_leaves_a_log_file_clean(clock, monkeypatch):
    monkeypatch.setattr(progress.sys, "stderr", log := io.StringIO())
    marked(clock, seconds=0.1, count=100, total=100)
    assert log.getvalue() == ""
