"""What runs a student's code: a ``Runner`` takes a job and says what became of it.

``SubprocessRunner`` is the one without a sandbox: a process of its own for each exercise, with limits of time,
memory and output. It protects a class from accidents, not from malice: the process can read and write what the
grader's user can. ``grading.worker_pool`` has the one for work that nobody vouches for.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from grading import idling
from grading.idling import IdleClock, descendants
from grading.protocol import Job, JobResult, WorkerSession, communicate
from grading.scratch import Scratch

MEMORY_BYTES = 4 * 2**30
FILE_BYTES = 64 * 2**20


class Runner(Protocol):
    """Runs jobs, several at the same time from several threads."""

    def prepare(self, set_up: Sequence[str]) -> None:
        """Begin to load what jobs with this set-up need, and return at once; a failure is told to the first job."""
        ...

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return what became of ``job``; everything it started is dead by then.

        Raises SetUpFailed, and Stopped once ``stop`` is set.
        """
        ...

    def close(self) -> None:
        """End what still waits for jobs."""
        ...


class SubprocessRunner:
    """Runs each job in a Python process of its own, in a private folder that is removed afterwards."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def prepare(self, set_up: Sequence[str]) -> None:
        """Do nothing: each job loads for itself."""

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return what became of ``job``; see ``Runner``."""
        with Scratch() as folder:
            for cache in font_caches():
                shutil.copy(cache, folder)
            return self._run_in(folder, job, stop)

    def close(self) -> None:
        """Do nothing: no process outlives its job."""

    def _run_in(self, folder: Path, job: Job, stop: threading.Event) -> JobResult:
        limits = {"memory": MEMORY_BYTES, "file": FILE_BYTES, "cpu": math.ceil(job.seconds)}
        session = WorkerSession(job, {"root": str(self._root), "limits": limits, "set_up": job.set_up})
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = self._start(folder, theirs)
            assert process.stdout is not None  # it was started with a pipe there
            try:
                clock = IdleClock()
                session.on_ready = clock.restart
                ended = communicate(
                    ours,
                    process.stdout.fileno(),
                    lambda: process.poll() is not None,
                    session,
                    stop,
                    lambda: session.ready and _is_idle(process.pid, clock, job),
                )
            finally:
                _kill(process)
                process.stdout.close()
        return session.result(ended, process.returncode, session.overflow)

    def _start(self, folder: Path, theirs: socket.socket) -> subprocess.Popen:
        """Return a process, in a session of its own, that will do the job that comes over the socket."""
        # -P and -s keep the folder and the user's own packages off sys.path; the environment is ours anyway.
        return subprocess.Popen(
            [sys.executable, "-P", "-s", "-u", str(Path(__file__).with_name("worker.py")), str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment(folder),
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )


def _is_idle(process: int, clock: IdleClock, job: Job) -> bool:
    """Return whether a job has to be stopped for doing nothing; of a pass, a check that does is ended by itself."""
    return clock.must_end(
        descendants(process),
        idling.limit(job.seconds),
        lambda: bool(job.checks) and idling.end_children(process),
    )


def environment(folder: Path) -> Mapping[str, str]:
    """Return all the environment that a student's process has; ``folder`` is its home."""
    here = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR"), str(folder))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    fixed = {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
    return {**fixed, **here, **threads, "USER": "student"}


@cache
def font_caches() -> list[Path]:
    """Return matplotlib's list of fonts, which it would otherwise make anew, for seconds, in each process.

    Matplotlib itself, which is slow and large, is asked only where the list is not at its usual place.
    """
    of_user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    usual = Path(os.environ.get("MPLCONFIGDIR") or f"{of_user}/matplotlib")
    spec = find_spec("matplotlib")
    source = Path(spec.origin).with_name("font_manager.py").read_text(encoding="utf-8") if spec and spec.origin else ""
    version = re.search(r"^    __version__ = '(.+)'$", source, re.MULTILINE)
    if version and (known := usual / f"fontlist-v{version[1]}.json").exists():
        return [known]
    from matplotlib import font_manager, get_cachedir

    return sorted(Path(get_cachedir()).glob(f"fontlist-v{font_manager.FontManager.__version__}*.json"))


def _kill(process: subprocess.Popen) -> None:
    """End the process and everything in its session's group, and wait for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
