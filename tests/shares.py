"""What each lesson's tests take: CPU seconds, those of the processes that they start included."""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator

import pytest

MOST = 60  # CPU seconds of all tests of a lesson in `make test`


class Shares:
    """Notes on each test's report which lesson it belongs to and what it took, and adds that up at the end."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.began = cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
        if call.when == "teardown":
            item.user_properties.append(("cpu", cpu_seconds() - self.began))
            item.user_properties.append(("whose", whose(item)))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        noted = dict(report.user_properties)
        if report.when == "teardown" and "cpu" in noted:
            self.seconds[noted["whose"]] += noted["cpu"]
            self.tests[noted["whose"]] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"CPU seconds of tests, at most {MOST} for a lesson")
        for part, seconds in sorted(self.seconds.items()):
            terminalreporter.line(f"{seconds:8.1f} s {self.tests[part]:6} tests  {part}")


def whose(item: pytest.Item) -> str:
    """Return which part of the tests this one is counted into: its lesson, by its mark, if it has one."""
    if item.get_closest_marker("page"):
        return "pages run again"
    return next((mark.name for mark in item.iter_markers() if mark.name.startswith("lesson_")), "what lessons share")


def cpu_seconds() -> float:
    """Return what this process has used, and those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
