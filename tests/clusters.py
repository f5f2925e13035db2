"""A Dask cluster on this machine: a scheduler, and workers that their nannies start again when they die."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tests.grading.helpers import alive, children, skip_outside_ci, wait_for

START_SECONDS = 120  # on a busy machine


class LocalCluster:
    """A scheduler, started in the course's folder, and workers; ``folder`` holds what they say."""

    def __init__(self, folder: Path, course: Path, *, allowed_failures: int = 3, port: int = 0) -> None:
        if find_spec("distributed") is None:
            skip_outside_ci("Dask is not installed: make .venv/.cluster")
        self.folder, self.course = folder, course
        self._environment = {
            **os.environ,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures),
            "DASK_DISTRIBUTED__WORKER__DAEMON": "True",
        }
        self.nannies: list[subprocess.Popen] = []
        self.start_scheduler(port)

    def start_scheduler(self, port: int = 0) -> None:
        """Start the scheduler; it has a free port unless one is named."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--scheduler-file", file
        )
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), START_SECONDS)
        self.address = json.loads(file.read_text())["address"]

    def add_worker(self, *options: object) -> None:
        """Start a worker; options are those of ``dask worker``."""
        self.nannies.append(
            self._start(
                "worker",
                self.address,
                "--nworkers",
                1,
                "--nthreads",
                1,
                "--no-dashboard",
                "--local-directory",
                self.folder,
                *options,
            )
        )

    def wait_for_workers(self, count: int | None = None) -> None:
        """Return once so many workers are there, or as many as were started."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.nannies) if count is None else count, timeout=START_SECONDS)

    def workers(self) -> list[int]:
        """Return the processes of the workers that their nannies have started."""
        return [one for nanny in self.nannies for one in children(nanny.pid) if b"spawn_main" in _command_line(one)]

    def _start(self, *command: object) -> subprocess.Popen:
        with (self.folder / f"said-{time.monotonic_ns()}.txt").open("wb") as said:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *map(str, command)],
                cwd=self.course,
                env=self._environment,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def close(self) -> None:
        """End all of it."""
        for process in (*self.nannies, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in (*self.nannies, self.scheduler):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextlib.contextmanager
def local_cluster(folder: Path, course: Path, workers: int, **options: int) -> Iterator[LocalCluster]:
    """Yield a cluster whose workers have this course, once all of them are there."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(LocalCluster(folder, course, **options)) as cluster:
        for _ in range(workers):
            cluster.add_worker()
        cluster.wait_for_workers()
        yield cluster


def kill(process: int) -> None:
    """Kill a process, and see that it is dead."""
    os.kill(process, signal.SIGKILL)
    wait_for(lambda: not alive(process))


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
