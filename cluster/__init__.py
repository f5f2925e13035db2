"""A Dask cluster, which marks a class or measures claims piece by piece; without one nothing of Dask is needed.

A piece is plain data (texts, numbers, lists, dictionaries), and so is what comes of it. Whoever asks decides what a
piece is and keeps what comes back; the cluster only decides where it is computed, and begins again where a worker dies.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError, wait
from typing import Any

from cluster.provenance import changed, course

INSTALL = "Dask is not installed here: .venv/bin/python -m pip install -r requirements-cluster.txt"
WORKER = ".venv/bin/python -m dask worker ADDRESS --nworkers -1 --nthreads 1"
IN_ITS_FOLDER = (
    f"bring it to the same commit, and start .venv/bin/python -m dask scheduler, and {WORKER}, in its folder"
)
CONNECT_SECONDS, WITHOUT_WORKERS_SECONDS = 10, 60
TICK = 0.5
Perform = Callable[[Any], Any]


class ClusterError(RuntimeError):
    """What ends a run on a cluster, in a sentence that says what to do."""


class Refused(RuntimeError):
    """A worker cannot do pieces of this kind at all; raised by what runs there."""


class PieceFailed(RuntimeError):
    """What ran on a worker raised an error, with this traceback: the others may be well."""

    def __init__(self, what: str, traceback: str = "") -> None:
        super().__init__(what)
        self.traceback = traceback


class WorkersDied(RuntimeError):
    """Worker after worker died while it had this piece, and perhaps others beside it."""


class Cluster:
    """The workers of the scheduler at ``address``, such as "tcp://10.0.0.1:8786", or "tls://…" with certificates.

    Raises ClusterError where there is no scheduler, where it has no worker, and where Dask is missing.
    """

    def __init__(self, address: str) -> None:
        import asyncio  # here, as Dask is, since whoever has no cluster starts a little sooner without

        try:
            from distributed import Client
            from distributed.scheduler import KilledWorker
        except ImportError:
            raise ClusterError(INSTALL) from None
        self.address = address
        self._killed = KilledWorker
        self._course = course()
        self._seen = time.monotonic()  # when there was a worker last
        if not re.fullmatch(r"\w+://\S+:\d+", address):
            raise ClusterError(
                f"{address} is not a scheduler's address. Write it as the scheduler prints it: tcp://10.0.0.1:8786."
            )
        try:
            asyncio.run(_answers(address))
        except Exception as error:  # of the network, of certificates, or of their configuration
            raise ClusterError(
                f"No scheduler answers at {address} ({error}). Start one with .venv/bin/python -m dask "
                "scheduler in the course's folder, and give the address that it prints."
            ) from None
        for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):  # each has a level
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what happens is said in a sentence of ours
        self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        self._executor = self._client.get_executor(pure=False)
        if not self._wait_for_a_worker():
            self.close()
            raise ClusterError(
                f"The scheduler at {address} has no workers. Start some, in the course's folder, with {WORKER}."
            )
        try:
            self.ask_all(_nothing, None)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler; what is still running there is of no use to anybody."""
        self._client.close(timeout=5)

    def __str__(self) -> str:
        return f"the cluster at {self.address}"

    @property
    def threads(self) -> int:
        """Return how many pieces the workers can do at the same time, those that there are now."""
        return max(1, sum(worker["nthreads"] for worker in self._workers().values()))

    def ask_all(self, function: Perform, piece: Any) -> dict[str, Any]:
        """Return what each worker makes of this piece, by the worker's address; raises ClusterError."""
        said = self._client.run(perform, function, piece, self._course, on_error="return")
        try:
            return {address: self._taken(address, outcome) for address, outcome in said.items()}
        except PieceFailed as error:
            raise ClusterError(f"A worker cannot be used: {error}.") from None

    def run(self, function: Perform, piece: Any, stop: threading.Event | None = None) -> Any:
        """Return what ``function``, of a module of the course, makes of a piece on some worker.

        Raises PieceFailed, WorkersDied, ClusterError where the cluster is of no use any more, and CancelledError once
        ``stop`` is set.
        """
        future = self._executor.submit(perform_here, function, piece, self._course)
        while not wait([future], TICK).done:
            if stop is not None and stop.is_set():
                future.cancel()
                raise CancelledError
            self._must_have_workers()
        try:
            address, outcome = future.result()
        except CancelledError:
            raise self._gone() from None
        except self._killed as error:
            raise WorkersDied(str(error)) from None
        except Exception as error:  # before anything of ours ran there
            raise ClusterError(_without_course("The scheduler, or a worker,", error)) from None
        return self._taken(address, outcome)

    def _taken(self, address: str, outcome: Any) -> Any:
        """Return what a worker came to; raises ClusterError and PieceFailed."""
        if isinstance(outcome, Exception):  # before anything of ours ran there
            raise ClusterError(_without_course(f"The worker {address}", outcome))
        kind, value = outcome
        if kind == "refused":
            raise ClusterError(f"The worker {address} {value}")
        if kind == "failed":
            raise PieceFailed(f"the worker {address}: {value[0]}", value[1])
        return value

    def _gone(self) -> ClusterError:
        return ClusterError(f"The scheduler at {self.address} is gone, and its workers end with it. Start them again.")

    def _workers(self) -> dict[str, Any]:
        return self._client.scheduler_info(n_workers=-1).get("workers", {})  # nothing where the scheduler has gone

    def _wait_for_a_worker(self) -> bool:
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            return False
        return True

    def _must_have_workers(self) -> None:
        """Raise ClusterError where there has been no worker for a while, or no scheduler."""
        if self._workers():
            self._seen = time.monotonic()
        missing = time.monotonic() - self._seen
        if self._client.status != "running" and missing > CONNECT_SECONDS:
            raise self._gone()
        if missing > WITHOUT_WORKERS_SECONDS:
            raise ClusterError(
                f"The scheduler at {self.address} has had no worker for {WITHOUT_WORKERS_SECONDS} s: "
                f"start some, in the course's folder, with {WORKER}."
            )


async def _answers(address: str) -> None:
    """Raise an error where nobody answers; a Client that finds nobody takes long to be rid of."""
    from distributed.comm import connect
    from distributed.security import Security

    comm = await connect(address, timeout=CONNECT_SECONDS, **Security().get_connection_args("client"))
    await comm.close()


def perform(function: Perform, piece: Any, wanted: dict[str, str]) -> tuple[str, Any]:
    """Return, on a worker, what ``function`` makes of a piece: "done", or "refused" or "failed" with the reason."""
    if other := changed(wanted, course()):
        return "refused", f"has another version of the course ({', '.join(other)}): {IN_ITS_FOLDER}."
    try:
        return "done", function(piece)
    except Refused as error:
        return "refused", str(error)
    except Exception as error:  # whatever it is, it is told in words: no exception is sent
        return "failed", [f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error))]


def perform_here(function: Perform, piece: Any, wanted: dict[str, str]) -> tuple[str, tuple[str, Any]]:
    """Return what ``perform`` does, with the worker's address."""
    from distributed import get_worker

    return get_worker().address, perform(function, piece, wanted)


def _nothing(_: None) -> None:
    """Do nothing: whether a worker has this version of the course is found out in any case."""


def _without_course(who: str, error: Exception) -> str:
    return f"{who} does not find this version of the course ({' '.join(str(error).split())}): {IN_ITS_FOLDER}."
