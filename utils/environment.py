"""Who runs this code: a reader, a build, or a test."""

from __future__ import annotations

import os
import sys


def building() -> bool:
    """Return whether a build executes the notebook, whose outputs must be the same each time."""
    return bool(os.environ.get("COURSE_BUILD"))


def is_interactive() -> bool:
    """Return whether there is a reader: not where a build or a test, nbval's included, runs the notebook."""
    return not (building() or os.environ.get("PYTEST_VERSION"))


def in_tested_kernel() -> bool:
    """Return whether this is a notebook's kernel that pytest started, as nbval does, and no build."""
    ipython = sys.modules.get("IPython")
    return hasattr(ipython and ipython.get_ipython(), "kernel") and not is_interactive() and not building()
