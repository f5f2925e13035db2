"""What each part of the tests takes: CPU seconds, those of the processes that they start included.

A lesson has at most MOST, of a machine on which the loop below takes LOOP_SECONDS. It is run again and again between
the tests, so that a slow or busy machine is not taken for a slow test. An exercise's proof, which a change may have
run again, is counted apart, as are pages.
"""

from __future__ import annotations

import ast
import gc
import resource
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from tests.proofs import proves

MOST = 30  # CPU seconds of all tests of a lesson in `make test`
LOOP_SECONDS = 0.018
TESTS_A_LOOP = 40


class Shares:
    """Notes on each test's report which lesson it belongs to and what it took, and adds that up at the end."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.loops: list[float] = []
        self.begun = 0  # tests

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if self.begun == 0:
            item.user_properties.append(("started", cpu_seconds()))
            loop()  # the first one loads what it needs
        self.loop = loop() if self.begun % TESTS_A_LOOP == 0 else None
        self.begun += 1
        self.began = cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
        if call.when == "teardown":
            item.user_properties.append(("cpu", cpu_seconds() - self.began))
            item.user_properties.append(("whose", whose(item)))
            item.user_properties.append(("loop", self.loop))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        noted = dict(report.user_properties)
        if report.when == "setup" and "started" in noted:
            self.seconds["starting and collecting"] += noted["started"]
        if report.when == "teardown" and "cpu" in noted:
            self.seconds[noted["whose"]] += noted["cpu"]
            self.tests[noted["whose"]] += 1
            self.loops += [] if noted["loop"] is None else [noted["loop"]]

    @property
    def pace(self) -> float:
        """How many of this machine's CPU seconds are one second."""
        return mean(self.loops) / LOOP_SECONDS if self.loops else 1.0

    @property
    def too_long(self) -> list[str]:
        """What took longer than a lesson's tests may."""
        most = MOST * self.pace
        return [part for part, spent in self.seconds.items() if part.startswith("lesson_") and spent > most]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.too_long and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"CPU seconds: of this machine, and as they are compared with {MOST} for a lesson")
        for part, spent in sorted(self.seconds.items()):
            much = "  TOO LONG: make some faster, or leave some to `make test-all`" if part in self.too_long else ""
            numbers = f"{spent:8.1f} s {spent / self.pace:8.1f} s {self.tests[part]:6} tests"
            terminalreporter.line(f"{numbers}  {part}{much}")


def whose(item: pytest.Item) -> str:
    """Return which part of the tests this one is counted into: its lesson, by its mark, if it has one."""
    if item.get_closest_marker("page"):
        return "pages run again"
    if item.get_closest_marker("full"):
        return "what is long"
    if proves(item):
        return "exercises proved again"
    folder = "/".join(item.nodeid.split("/")[:2])
    return next((mark.name for mark in item.iter_markers() if mark.name.startswith("lesson_")), folder)


def loop() -> float:
    """Return the CPU seconds of a short piece of work like that of tests: objects in Python, and some of NumPy's.

    Without garbage collection, which would look through all that tests have imported.
    """
    gc.disable()
    before, text = cpu_seconds(), Path(__file__).read_text(encoding="utf-8")
    nodes = [node for _ in range(8) for node in ast.walk(ast.parse(text))]
    records = sorted(({"number": n, "all": [n] * 3} for n in range(20_000)), key=lambda one: -one["number"])
    numbers = np.sort(np.random.default_rng(len(nodes) + len(records)).normal(size=100_000))
    np.cumsum(numbers[::-1])
    spent = cpu_seconds() - before
    gc.enable()
    return spent


def cpu_seconds() -> float:
    """Return what this process has used, and those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
