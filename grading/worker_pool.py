"""The runner for work that nobody vouches for: jobs are forked from a loaded process in a sandbox, in milliseconds.

    grader                   sandbox
    WorkerPool
      ForkServerClient ----- fork_server.py: loads a set-up once, then forks for each job
        WorkerSession  ------- worker.answer(): one job, in namespaces of its own, or as another user

A fork server is told only of a job's descriptors and limits, and says how it ended; code, cases and values go between
the grader and the worker alone. A thread has a fork server to itself while a job runs, so no two jobs share a sandbox.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO, Any

from grading.fork_server import BEGUN
from grading.idling import descendants
from grading.protocol import SET_UP_SECONDS, Job, JobResult, SetUpFailed, Stopped, WorkerSession, communicate
from grading.sandbox import Sandbox
from grading.scratch import Scratch

MAX_IDLE = 8
_END_SECONDS = 60.0  # time enough to remove what a job has written
_TICK = 0.1
SetUp = tuple[str, ...]  # the cells of a set-up


class ForkServerFailed(RuntimeError):
    """The fork server died or does not answer: it is to be replaced. ``began`` says whether the answer had its turn."""

    def __init__(self, why: str, began: bool = False) -> None:
        super().__init__(why)
        self.began = began


class WorkerPool:
    """Runs jobs in a sandbox, and keeps the fork servers that wait for more of the same lesson.

    Whoever waits for a fork server takes the first that is free, be it new or another thread's. One more is loaded
    only when threads have waited, all together, for as long as the last one took to load: a small class would pay for
    it and never use it. After ``close`` it is used no more.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._closed = threading.Event()
        self._changed = threading.Condition()  # guards all that follows
        self._idle: list[ForkServerClient] = []
        self._loading: dict[SetUp, threading.Thread] = {}
        self._failed: dict[SetUp, Exception] = {}
        self._patience: dict[SetUp, float] = {}  # seconds that may still be waited for those that there are

    def prepare(self, set_up: Sequence[str]) -> None:
        """Begin to load a fork server for this set-up, and return at once; a failure is told to the first job."""
        with self._changed:
            if not self._sandbox.single_use and not any(server.set_up == tuple(set_up) for server in self._idle):
                self._load(tuple(set_up))

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return what became of ``job``; see ``grading.runner.Runner``. A failing sandbox is tried twice."""
        try:
            return self._run_in(self._take(tuple(job.set_up), stop), job, stop)
        except (ForkServerFailed, SetUpFailed):
            pass
        try:
            return self._run_in(ForkServerClient(self._sandbox, tuple(job.set_up), stop), job, stop)
        except ForkServerFailed as error:
            if error.began:
                return JobResult("crashed", "ended the sandbox in which it ran")
            raise SetUpFailed(f"the sandbox failed: {error}") from None

    def close(self) -> None:
        """End the fork servers that wait for jobs, and those that are still loading."""
        self._closed.set()
        with self._changed:
            idle, self._idle = self._idle, []
            loading = list(self._loading.values())
        for server in idle:
            server.close()
        for thread in loading:
            thread.join()

    def _run_in(self, server: ForkServerClient, job: Job, stop: threading.Event) -> JobResult:
        try:
            result = server.run(job, stop)
        except BaseException:
            server.close()
            with self._changed:
                self._patience.pop(server.set_up, None)  # there may be none any more
            raise
        self._put_back(server)
        return result

    def _take(self, set_up: SetUp, stop: threading.Event) -> ForkServerClient:
        """Return the next fork server that is free; raises what kept one from loading, and Stopped."""
        if self._sandbox.single_use:
            return ForkServerClient(self._sandbox, set_up, stop)
        with self._changed:
            while not stop.is_set():
                if free := [server for server in self._idle if server.set_up == set_up]:
                    self._idle.remove(free[-1])
                    return free[-1]
                if set_up in self._failed:
                    raise self._failed.pop(set_up)
                if self._patience.get(set_up, 0) <= 0:
                    self._load(set_up)
                since = time.monotonic()
                self._changed.wait(_TICK)
                self._patience[set_up] = self._patience.get(set_up, 0) - (time.monotonic() - since)
        raise Stopped

    def _load(self, set_up: SetUp) -> None:
        """Have one more fork server loaded in the background, unless one is; the condition is held."""
        if set_up not in self._loading:
            self._loading[set_up] = threading.Thread(target=self._load_here, args=(set_up,), daemon=True)
            self._loading[set_up].start()

    def _load_here(self, set_up: SetUp) -> None:
        failed: dict[SetUp, Exception] = {}
        started = time.monotonic()
        try:
            server = ForkServerClient(self._sandbox, set_up, self._closed)
            with self._changed:
                self._patience[set_up] = time.monotonic() - started
            self._put_back(server)
        except Exception as error:
            failed = {set_up: error}  # a waiting job raises it
        with self._changed:
            del self._loading[set_up]
            self._failed.update(failed)
            self._changed.notify_all()

    def _put_back(self, server: ForkServerClient) -> None:
        """Keep the fork server for the next job, or close it, or another one where there are too many."""
        leaving: ForkServerClient | None = server
        with self._changed:
            if not (self._sandbox.single_use or self._closed.is_set()):
                self._idle.append(server)
                leaving = self._idle.pop(0) if len(self._idle) > MAX_IDLE else None
                self._changed.notify_all()
            if leaving:
                self._patience.pop(leaving.set_up, None)
        if leaving:
            leaving.close()


class ForkServerClient:
    """A fork server, loaded in its sandbox; raises SetUpFailed where what it is to load does not run."""

    def __init__(self, sandbox: Sandbox, set_up: SetUp, stop: threading.Event) -> None:
        self.set_up = set_up
        self._sandbox = sandbox
        self._folder = Scratch()
        self._command, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        self._starter: subprocess.Popen | None = None
        try:
            with theirs:
                self._start(theirs)
            if "set_up_error" in (message := self._receive(SET_UP_SECONDS, stop)):
                raise SetUpFailed(str(message["set_up_error"]))
        except BaseException:
            self.close()
            raise

    def _start(self, theirs: socket.socket) -> None:
        folder = self._folder.path
        with tempfile.TemporaryFile("w+", encoding="ascii") as file:
            json.dump({**self._sandbox.config(folder), "set_up": self.set_up}, file)
            file.seek(0)
            try:
                self._starter = subprocess.Popen(
                    self._sandbox.command(folder, theirs.fileno()),
                    stdin=file,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    cwd=folder,
                    env=self._sandbox.environment(folder),
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError as error:
                raise SetUpFailed(f"it could not be started ({error})") from None

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return what became of the job; raises ForkServerFailed, Stopped, and SetUpFailed."""
        session = WorkerSession(job)
        session.on_ready = self._say_begun
        ours, theirs = socket.socketpair()
        receiving, sending = os.pipe()
        with ours, open(receiving, "rb", buffering=0):
            try:
                socket.send_fds(
                    self._command, [b"%d %d" % (math.ceil(job.seconds), bool(job.checks))], [theirs.fileno(), sending]
                )
            except OSError as error:
                raise ForkServerFailed(f"it could not be told of a job ({error})") from None
            finally:
                theirs.close()
                os.close(sending)
            ended = communicate(ours, receiving, self._has_spoken, session, stop)
        if not self._has_spoken():
            with contextlib.suppress(OSError):
                self._command.send(b"end")
        message = self._receive(_END_SECONDS, None, began=session.ready)
        if message.get("failed"):
            raise ForkServerFailed(str(message["failed"]))
        return session.result(ended, message.get("status"), message.get("reason") or session.overflow)

    def _say_begun(self) -> None:
        with contextlib.suppress(OSError):  # where it has gone, that is found out by others
            self._command.send(BEGUN)

    def _has_spoken(self) -> bool:
        """Return whether the fork server has said how the job ended, or has gone."""
        poll = select.poll()
        poll.register(self._command, select.POLLIN)
        return bool(poll.poll(0))

    def _receive(self, seconds: float, stop: threading.Event | None, began: bool = False) -> dict[str, Any]:
        """Return what the fork server says next; raises ForkServerFailed, and Stopped."""
        deadline = time.monotonic() + seconds
        self._command.settimeout(_TICK)
        while time.monotonic() < deadline:
            if stop is not None and stop.is_set():
                raise Stopped
            with contextlib.suppress(TimeoutError):
                try:
                    message = self._command.recv(2**16)
                except ConnectionError:
                    message = b""
                if message:
                    return json.loads(message)
                raise ForkServerFailed(self._last_error(), began)
        raise ForkServerFailed("it did not answer in time", began)

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended without a word"

    def close(self) -> None:
        """End the process and all in its sandbox."""
        self._command.close()
        if self._starter is not None:
            if self._sandbox.wrapped and self._starter.poll() is None:
                end_sandbox(self._starter)
            _wait_or_kill(self._starter)
        self._errors.close()
        self._folder.close()


def end_sandbox(starter: subprocess.Popen) -> None:
    """Kill the sandbox's first process, bubblewrap's child outside of it: all within dies with that."""
    with contextlib.suppress(ProcessLookupError):
        for first in list(descendants(starter.pid))[1:2]:
            os.kill(first, signal.SIGKILL)


def _wait_or_kill(process: subprocess.Popen) -> None:
    """Wait for a process that ends by itself, since nobody talks to it any more; but not for ever."""
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
