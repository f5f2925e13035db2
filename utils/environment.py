"""Who runs this code: a reader, a build, or a test."""

from __future__ import annotations

import os


def building() -> bool:
    """Return whether a build executes the notebook, whose outputs must be the same each time."""
    return bool(os.environ.get("COURSE_BUILD"))


def is_interactive() -> bool:
    """Return whether there is a reader: not where a build or a test, nbval's included, runs the notebook."""
    return not (building() or os.environ.get("PYTEST_VERSION"))
