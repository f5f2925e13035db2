"""The runner for work that nobody vouches for: jobs are forked from a loaded process in a sandbox, in milliseconds.

A ``ForkServerClient`` is the grader's side of such a process (``grading.fork_server`` is the other). A thread has one to itself
while a job runs, so no two jobs share a sandbox at the same time.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import IO, Any

from grading.protocol import SET_UP_SECONDS, WorkerSession, Job, JobResult, SetUpFailed, Stopped, communicate
from grading.sandbox import Sandbox
from grading.scratch import Scratch

MAX_IDLE = 8
GROWTH_BYTES = 200 * 2**20
_END_SECONDS = 60.0  # time enough to remove what a job has written
_TICK = 0.1
SetUp = tuple[str, ...]  # the cells of a set-up


class ForkServerFailed(RuntimeError):
    """The server died or does not answer: it is to be replaced. ``began`` says whether the answer had its turn."""

    def __init__(self, why: str, began: bool = False) -> None:
        super().__init__(why)
        self.began = began


class WorkerPool:
    """Runs jobs in a sandbox, and keeps the loaded processes that wait for more of the same lesson.

    Whoever waits for a process takes the first that is free, be it new or another thread's: for a small class it is
    not worth waiting until every worker has loaded the libraries.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._changed = threading.Condition()  # guards all that follows
        self._idle: list[ForkServerClient] = []
        self._loading: dict[threading.Thread, SetUp] = {}
        self._failed: dict[SetUp, Exception] = {}
        self._waiting: Counter[SetUp] = Counter()
        self._unwanted = threading.Event()  # set where what is loading now is not wanted any more

    def prepare(self, set_up: Sequence[str]) -> None:
        """Begin to load a process for this set-up, and return at once; a failure is told to the first job."""
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
        """End the processes that wait for jobs, and those that are still loading."""
        with self._changed:
            idle, self._idle = self._idle, []
            loading = list(self._loading)
            self._unwanted.set()
            self._unwanted = threading.Event()
        for server in idle:
            server.close()
        for thread in loading:
            thread.join()

    def _run_in(self, server: ForkServerClient, job: Job, stop: threading.Event) -> JobResult:
        try:
            run = server.run(job, stop)
        except BaseException:
            server.close()
            raise
        self._put_back(server)
        return run

    def _take(self, set_up: SetUp, stop: threading.Event) -> ForkServerClient:
        """Return the next process that is free; raises what kept one from loading, and Stopped."""
        with self._changed:
            self._waiting[set_up] += 1
            try:
                while not stop.is_set():
                    if waiting := [server for server in self._idle if server.set_up == set_up]:
                        self._idle.remove(waiting[-1])
                        return waiting[-1]
                    if set_up in self._failed:
                        raise self._failed.pop(set_up)
                    self._load(set_up)
                    self._changed.wait(_TICK)
            finally:
                self._waiting[set_up] -= 1
        raise Stopped

    def _load(self, set_up: SetUp) -> None:
        """Have one more process loaded in the background, unless that is under way; the condition is held."""
        loading = sum(loaded == set_up for loaded in self._loading.values())
        if loading < (self._waiting[set_up] if self._sandbox.single_use else 1):
            thread = threading.Thread(target=self._load_here, args=(set_up, self._unwanted), daemon=True)
            self._loading[thread] = set_up
            thread.start()

    def _load_here(self, set_up: SetUp, unwanted: threading.Event) -> None:
        loaded: ForkServerClient | None = None
        failed: dict[SetUp, Exception] = {}
        try:
            loaded = ForkServerClient(self._sandbox, set_up, unwanted)
        except Exception as error:  # a waiting job raises it
            failed = {set_up: error}
        with self._changed:
            del self._loading[threading.current_thread()]
            if not unwanted.is_set():
                self._failed.update(failed)
                self._idle += [loaded] if loaded else []
                loaded = None
            self._changed.notify_all()
        if loaded:
            loaded.close()

    def _put_back(self, server: ForkServerClient) -> None:
        with self._changed:
            if not server.expired:
                self._idle.append(server)
                self._changed.notify_all()
            leaving = self._idle.pop(0) if len(self._idle) > MAX_IDLE else server if server.expired else None
        if leaving:
            leaving.close()


class ForkServerClient:
    """A loaded process in its sandbox; raises SetUpFailed where what it is to load does not run."""

    def __init__(self, sandbox: Sandbox, set_up: tuple[str, ...], stop: threading.Event) -> None:
        self.set_up = set_up
        self.expired = False  # no longer to be used
        self._sandbox = sandbox
        self._folder = Scratch()
        self._command, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        self._starter: subprocess.Popen | None = None
        self._first: int | None = None  # the sandbox's first process: all in it dies with that
        try:
            with theirs:
                self._start(theirs)
            self._resident = self._wait_until_loaded(stop)
        except BaseException:
            self.close()
            raise

    def _start(self, theirs: socket.socket) -> None:
        folder = self._folder.path
        told, telling = os.pipe()
        with open(told, "rb", buffering=0) as info, tempfile.TemporaryFile("w+", encoding="ascii") as file:
            json.dump({**self._sandbox.config(folder), "set_up": self.set_up}, file)
            file.seek(0)
            try:
                self._starter = subprocess.Popen(
                    self._sandbox.command(theirs.fileno(), telling),
                    stdin=file,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    cwd=folder,
                    env=self._sandbox.environment(folder),
                    pass_fds=[theirs.fileno(), telling],
                    start_new_session=True,
                )
            finally:
                os.close(telling)
            self._first = self._sandbox.first_process(info)

    def _wait_until_loaded(self, stop: threading.Event) -> int:
        said = self._hear(SET_UP_SECONDS, stop)
        if "set_up_error" in said:
            raise SetUpFailed(str(said["set_up_error"]))
        return int(said["resident"])

    def run(self, job: Job, stop: threading.Event) -> JobResult:
        """Return what became of the job; raises ForkServerFailed (True: the job had begun), Stopped, SetUpFailed."""
        session = WorkerSession(job)
        job_ended = _Ended(self._command)
        ours, theirs = socket.socketpair()
        receiving, sending = os.pipe()
        with ours, open(receiving, "rb", buffering=0):
            try:
                socket.send_fds(self._command, [b"%d" % math.ceil(job.seconds)], [theirs.fileno(), sending])
            except OSError as error:
                raise ForkServerFailed(f"it could not be told of a job ({error})") from None
            finally:
                theirs.close()
                os.close(sending)
            ended = communicate(ours, receiving, job_ended, session, stop)
        if not job_ended():
            with contextlib.suppress(OSError):
                self._command.send(b"end")
        said = job_ended.messages or self._hear(_END_SECONDS, None, began=session.ready)
        self.expired = self._sandbox.single_use or int(said.get("resident", 0)) > self._resident + GROWTH_BYTES
        if said.get("failed"):
            raise ForkServerFailed(str(said["failed"]))
        return session.result(ended, said.get("status"), said.get("reason") or session.overflow)

    def _hear(self, seconds: float, stop: threading.Event | None, began: bool = False) -> dict[str, Any]:
        """Return what the server says next; raises ForkServerFailed, and Stopped."""
        deadline = time.monotonic() + seconds
        self._command.settimeout(_TICK)
        while time.monotonic() < deadline:
            if stop is not None and stop.is_set():
                raise Stopped
            with contextlib.suppress(TimeoutError):
                if said := _received(self._command):
                    return said
                raise ForkServerFailed(self._last_words(), began)
        raise ForkServerFailed("it did not answer in time", began)

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended without a word"

    def close(self) -> None:
        """End the process and all in its sandbox."""
        self._command.close()
        if self._first is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            os.close(self._first)
            self._first = None
        if self._starter is not None:
            _wait_or_kill(self._starter)
        self._errors.close()
        self._folder.close()


class _Ended:
    """Says whether a job has ended, or its server has; ``said`` is what the server said of it."""

    def __init__(self, command: socket.socket) -> None:
        self._command = command
        self._gone = False
        self.messages: dict[str, Any] | None = None

    def __call__(self) -> bool:
        if self.messages is None and not self._gone:
            self._command.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                self.messages = _received(self._command)
                self._gone = self.messages is None
        return self._gone or self.messages is not None


def _received(command: socket.socket) -> dict[str, Any] | None:
    """Return the server's next message, None where it has gone."""
    try:
        data = command.recv(2**16)
    except ConnectionError:
        return None
    return json.loads(data) if data else None


def _wait_or_kill(process: subprocess.Popen) -> None:
    """Wait for a process that ends by itself, since nobody talks to it any more; but not for ever."""
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
