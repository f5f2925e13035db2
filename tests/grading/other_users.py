"""Lets other users read the Python that runs the tests, where it lies in a folder that is closed to them."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.grading.helpers import ROOT, skip_outside_ci

NEEDED = (sys.prefix, sys.base_prefix, ROOT, tempfile.gettempdir())


def opening(stage: Path, needed: Sequence[str | Path] = NEEDED) -> list[str]:
    """Return what goes before a command so that other users can reach what is needed: nothing, where they can anyway.

    The command then runs in a mount namespace of its own, in which a closed folder is covered by one that holds
    nothing else and that everybody may pass; the machine stays as it is. ``stage`` is an empty folder. Skips the test
    without root's rights, and where no namespace can be had; in CI, root must be able to have one.
    """
    if os.geteuid() != 0 or sys.platform != "linux":
        pytest.skip("only root, on Linux, can give a job another user's id")
    covered: dict[Path, list[Path]] = {}
    for path in sorted({Path(path).resolve() for path in needed}):
        if top := closed_above(path):
            covered.setdefault(top, []).append(path)
    if not covered:
        return []
    prefix = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script(covered, stage), "sh"]
    tried = subprocess.run(["sh", "-c", '"$@"', "sh", *prefix, "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        closed = ", ".join(map(str, covered))
        skip_outside_ci(f"other users may not enter {closed}, and it cannot be opened: {tried.stderr}")
    return prefix


def closed_above(path: Path) -> Path | None:
    """Return the topmost folder on the way to ``path`` that others may not pass."""
    folders = reversed(path.parents)
    return next((folder for folder in folders if not folder.stat().st_mode & stat.S_IXOTH), None)


def script(covered: dict[Path, list[Path]], stage: Path) -> str:
    """Return a shell's script that covers folders by ones that hold only what is listed, and runs its arguments."""
    lines = ["set -e", "umask 022"]
    for top, paths in covered.items():
        lines.append(f"mount -t tmpfs -o mode=711 tmpfs {shlex.quote(str(stage))}")
        for path in paths:
            place = shlex.quote(str(stage / path.relative_to(top)))
            lines.append(f"mkdir -p {place} && mount --bind {shlex.quote(str(path))} {place}")
        lines.append(f"mount --move {shlex.quote(str(stage))} {shlex.quote(str(top))}")
    return "\n".join([*lines, 'cd "$PWD"', 'exec "$@"'])
