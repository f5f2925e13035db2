"""Temporary folders that are gone in the end: with whoever made them, or when the next run begins."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SHORT = Path("/tmp")  # where sockets lie, if temporary folders lie too deep: the system takes no long path for one
_PREFIX = "grading-scratch-"
_YOUNG_SECONDS = 60.0  # in which whoever made a folder takes hold of it


class Scratch:
    """A temporary folder at ``path``, held by a lock that ends with this process, however that ends.

    It lies in ``place``, None for where temporary folders do.
    """

    def __init__(self, place: Path | None = None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        self._descriptor = _held(self.path)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        remove(self.path)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def sweep() -> None:
    """Remove this user's temporary folders that nobody holds any more: those of a grader that was killed."""
    for path in (one for place in {Path(tempfile.gettempdir()), SHORT} for one in place.glob(f"{_PREFIX}*")):
        with contextlib.suppress(OSError):  # somebody holds it, or it is no such folder
            descriptor = _held(path)
            try:
                state = os.fstat(descriptor)
                if state.st_uid == os.geteuid() and time.time() - state.st_mtime >= _YOUNG_SECONDS:
                    remove(path)
            finally:
                os.close(descriptor)


def _held(path: Path) -> int:
    """Return a descriptor that holds the folder's lock; students' processes do not inherit it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def remove(folder: Path) -> None:
    """Remove a folder that a student's code has had: what is nested too deep for Python's own way, too."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        pass
    if folder.exists():
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", str(folder)], stderr=subprocess.DEVNULL, check=False)
