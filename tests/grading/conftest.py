"""The small course that the tests of whole classes mark, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.grading.helpers import make_course


@pytest.fixture(scope="session")
def course(tmp_path_factory) -> Path:
    """A course of the fixture lessons 90 and 91, which nobody changes."""
    return make_course(tmp_path_factory.mktemp("course"))
