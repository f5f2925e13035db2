"""Workers on this machine: processes that do pieces, each on a core of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from cluster import TICK, ClusterError, Perform

ALONE = {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}  # for libraries, which read it as they are loaded


class Processes:
    """So many processes, which do pieces as a ``Cluster``'s workers do."""

    def __init__(self, count: int) -> None:
        self.threads = count
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_left_alone)

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: object) -> None:
        if kind:  # what is at work is not waited for; there is no public way before Python 3.14
            for process in list(self._pool._processes.values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def __str__(self) -> str:
        return f"{self.threads} processes"

    def run(self, function: Perform, piece: Any, stop: threading.Event) -> Any:
        """Return what ``function``, of a module of the course, makes of a piece; raises what that raises.

        Raises CancelledError once ``stop`` is set, and ClusterError where a process has died.
        """
        if stop.is_set():
            raise CancelledError
        try:
            with _environment(ALONE):
                future = self._pool.submit(function, piece)
            while not wait([future], TICK).done:
                if stop.is_set():  # what is at work is ended by ``__exit__``
                    raise CancelledError
            return future.result()
        except BrokenProcessPool:
            raise ClusterError("A process that was at work has ended, perhaps for want of memory.") from None


def _left_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the first process gets, too, and ends this one
    tqdm.set_lock(threading.RLock())  # its own is a semaphore of the system, which a process that is ended leaves there


_changing = threading.Lock()


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Have these variables in the environment of processes that begin within the block."""
    with _changing:
        before = {name: os.environ.get(name) for name in values}
        os.environ.update(values)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
