"""The small course that the tests of whole classes mark, and the sandbox that marking takes here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grading import GradingError
from grading.sandbox_selection import choose
from grading.worker_pool import WorkerPool
from tests.grading.helpers import ROOT, make_course, skip_outside_ci


@pytest.fixture(scope="session")
def course(tmp_path_factory) -> Path:
    """A course of the fixture lessons 90 and 91, which nobody changes."""
    return make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def best() -> Iterator[WorkerPool]:
    """A runner for the sandbox that marking takes here: where there is none, the test is skipped, but fails in CI."""
    try:
        _, made = choose("bubblewrap", ROOT)
    except GradingError as error:
        skip_outside_ci(f"no bubblewrap sandbox here: {error}")
    yield made
    made.close()
