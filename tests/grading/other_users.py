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

PYTHON = (sys.prefix, sys.base_prefix)
NEEDED = (*PYTHON, ROOT, tempfile.gettempdir())


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
        if top := next((folder for folder in (*reversed(path.parents), path) if is_closed(folder)), None):
            covered.setdefault(top, []).append(path)
    return with_mounts(covering(covered, stage)) if covered else []


def closed_python() -> list[str]:
    """Return the folders of Python that other users may not read wherever they lie, as a umask of 077 makes them."""
    return [folder for folder in PYTHON if is_closed(Path(folder))]


def is_closed(folder: Path) -> bool:
    """Return whether others may not pass the folder."""
    return not folder.stat().st_mode & stat.S_IXOTH


def with_mounts(mounting: str) -> list[str]:
    """Return what goes before a command so that it sees what a shell's script mounts, and nobody else does."""
    script = f'set -e\n(\n{mounting}\n)\ncd "$PWD"\nexec "$@"'
    prefix = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]
    tried = subprocess.run([*prefix, "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        skip_outside_ci(f"nothing can be mounted for one command alone: {tried.stderr}")
    return prefix


def covering(covered: dict[Path, list[Path]], stage: Path) -> str:
    """Return a shell's script that covers folders by ones that hold only what is listed.

    What is closed itself is shown through a layer in which it is open, and Python with all that is in it: the files are
    those that lie there, not copies.
    """
    lines, at, python = ["umask 022"], shlex.quote(str(stage)), [Path(folder).resolve() for folder in PYTHON]
    for top, paths in covered.items():
        lines.append(f"mount -t tmpfs -o mode=711 tmpfs {at} && cd {at}")
        for number, path in enumerate(paths):
            source, place = (shlex.quote(str(one)) for one in (path, stage / path.relative_to(top)))
            lines.append(f"mkdir -p {place}")
            if is_closed(path):
                lines.append(f"mkdir .open-{number} .work-{number}")
                layers = f"lowerdir={source},upperdir=.open-{number},workdir=.work-{number},metacopy=on"
                lines.append(f"mount -t overlay -o {layers} overlay {place}")
                lines.append(f"chmod {'-R' if path in python else ''} o+rX {place}")
            else:
                lines.append(f"mount --bind {source} {place}")
        lines.append(f"mount --move {at} {shlex.quote(str(top))}")
    return "\n".join(lines)
