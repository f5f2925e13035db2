"""What the grader and a student's process say to each other: everything that comes from there is read as data.

Of a process that was sent secret cases nothing is kept that a page could quote: neither what it prints, nor in which
words it fails. The values are kept as text, for a process of their own to read.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading import idling
from grading.fork_server import IDLE, TOO_LONG
from utils.exercises import serialization

SET_UP_SECONDS = 90.0  # interpreter and imports, on a machine that is busy with other students
RESULT_BYTES = 64 * 2**20
LINE_BYTES = 2**19  # of a report on one case, beside its value
PRINTED_BYTES = 64 * 2**20
MORE_LINES = 1000  # than there are cases
OUTPUT_BYTES = 20_000
MORE_PATIENCE = 20  # times the seconds of computing that are allowed, for whom the machine keeps waiting
_TICK = 0.1
_PART = 2**18


@dataclass(frozen=True)
class Job:
    """All that is sent to a student's process: cells as text, and the cases' inputs as plain data's text.

    ``earlier`` are the cells above the answer's, ``later`` those below. ``secret`` says whether ``cases`` are.
    ``seconds`` of computing are allowed from the end of the set-up to the last value, by all that the process starts
    together; ``most`` is how many bytes of plain data a value may take: more is read by nobody.

    With ``checks`` a job is a *pass* through a whole notebook, whose cells are ``earlier``, of which the page's own are
    ``unchanged``. Each check says the ``exercise``, the ``name`` of what it is handed, ``at`` which cell, None for the
    end, how many ``cases`` of the job's are its own, in their order, and its ``seconds`` and its ``most``.
    """

    exercise: str
    name: str
    without: Sequence[str]
    set_up: Sequence[str]
    earlier: Sequence[str]
    answer: str
    cases: Sequence[str]
    seconds: float
    later: Sequence[str] = ()
    checks: Sequence[Mapping[str, Any]] = ()
    unchanged: Sequence[int] = ()
    secret: bool = False
    most: int = serialization.MAX_BYTES

    @property
    def patience(self) -> float:
        """Return the seconds after which the job is stopped whatever it did: it may have to wait for a processor."""
        return MORE_PATIENCE * self.seconds + 60


@dataclass(frozen=True)
class CaseMessage:
    """What a process says of one case, as an ``AnswerOutcome``; ``value`` is plain data as text."""

    kind: str
    value: str = "null"
    message: str = ""
    printed: str = ""


@dataclass
class JobResult:
    """What became of a job: ``ended`` is "done", "timeout" or "crashed", and ``reason`` says more of the last.

    ``messages`` holds what each case came to, as far as it went. ``earlier_ran`` says whether the cells above came to
    their end, ``cell_ran`` whether the answer's did, ``cell_error`` with which error, ``defined`` whether the function
    was there, and ``output`` is what was printed. ``running`` is the cell that had begun last when not all had come to
    their end. ``waited`` says of a timeout that less was computed than is allowed: the answer slept, or waited for
    something that this machine was slow to give.
    """

    ended: str = "done"
    reason: str = ""
    messages: dict[int, CaseMessage] = field(default_factory=dict)
    earlier_ran: bool = False
    cell_ran: bool = False
    cell_error: str = ""
    defined: bool = False
    output: str = ""
    running: str = ""
    waited: bool = False

    @property
    def is_answered(self) -> bool:
        """Return whether there was a function that somebody has written, and that came to its end."""
        started = all(message.kind != "not started" for message in self.messages.values())
        return self.ended == "done" and self.defined and started


class SetUpFailed(RuntimeError):
    """The course's own set-up did not run: nothing can be said about the student's answer."""


class Stopped(RuntimeError):
    """The grader was interrupted while the job ran."""


class WorkerSession:
    """The grader's side of one job: what is still to be sent, and what has come. Only the first of each record counts.

    ``outgoing`` begins with ``preface``, which is not about the student.
    """

    def __init__(self, job: Job, preface: Mapping[str, Any] | None = None) -> None:
        self._job = job
        records = ([preface] if preface else []) + [{**vars(job), "set_up": ()}]
        self.outgoing = b"".join(json.dumps(record).encode("ascii") + b"\n" for record in records)
        self._pending: list[bytes] = []
        self._received = self._printed = self._lines = self._pending_bytes = 0
        self._output = b""
        self._set_up_error = "it was not ready in time"
        self._result = JobResult()
        self.deadline = time.monotonic() + SET_UP_SECONDS
        self.ready = False  # whether the student's code has its turn
        self.on_ready: Callable[[], object] = lambda: None
        self.done = False

    @property
    def overflow(self) -> str:
        """Return what the process did more of than any answer needs, "" where it did not."""
        longest = 2 * self._job.most + LINE_BYTES  # as JSON in JSON, twice
        if self._received > RESULT_BYTES or self._pending_bytes > longest:
            return "returned more than any answer needs"
        if self._lines > len(self._job.cases) + MORE_LINES:
            return "wrote to the grader"
        return f"printed more than {PRINTED_BYTES // 2**20} MB" if self._printed > PRINTED_BYTES else ""

    def receive_output(self, data: bytes) -> None:
        """Take in what the process printed: its beginning, unless the process knows anything secret."""
        self._printed += len(data)
        if not self._job.secret:
            self._output += data[: OUTPUT_BYTES - len(self._output)]

    def receive(self, data: bytes) -> None:
        """Take in the next bytes of the process's report."""
        self._received += len(data)
        *whole, rest = data.split(b"\n")
        self._lines += len(whole)
        for end in whole:
            self._pending_bytes += len(end)
            if self.overflow:
                return
            self._take(b"".join([*self._pending, end]))
            self._pending, self._pending_bytes = [], 0
        self._pending.append(rest)
        self._pending_bytes += len(rest)

    def _take(self, line: bytes) -> None:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(record, Mapping):
            return
        if not self.ready:
            self.ready = record.get("ready") is True
            self._set_up_error = _text(record.get("set_up_error"), 1000) or self._set_up_error
            if self.ready:
                self.deadline = time.monotonic() + self._job.patience
                self.on_ready()
        elif type(record.get("above")) is int and 0 <= record["above"] < len(self._job.earlier):
            self._result.running = self._job.earlier[record["above"]]
            if self._job.checks:
                self.on_ready()  # idling counts anew
        elif record.get("earlier") is True:
            self._result.earlier_ran, self._result.running = True, self._job.answer
        elif "cell" in record and not self._result.cell_ran:
            self._result.cell_ran, self._result.defined = True, record.get("defined") is True
            self._result.running = ""
            self._result.cell_error = "" if self._job.secret else _text(record["cell"], 1000)
        elif type(record.get("case")) is int and 0 <= record["case"] < len(self._job.cases):
            self._result.messages.setdefault(record["case"], self._case_message(record))
        self.done = self.done or (self.ready and record.get("done") is True)

    def _case_message(self, record: Mapping[str, Any]) -> CaseMessage:
        """Return what is said of a case, in fields of bounded length: the record may hold anything."""
        kind = said if (said := record.get("kind")) in ("value", "not started") else "error"
        value = _text(record.get("value"), self._job.most + 1)  # one more than allowed is refused when it is read
        if self._job.secret:
            return CaseMessage(kind, value)
        return CaseMessage(kind, value, _text(record.get("message"), 1000), _text(record.get("printed"), OUTPUT_BYTES))

    def result(self, ended: str, status: int | None, why: str = "") -> JobResult:
        """Return what became of the job; raises SetUpFailed where the student's code never had its turn.

        ``status`` is the process's exit status (negative for a signal), ``why`` the reason for which it was stopped,
        TOO_LONG among them.
        """
        if not self.ready:
            raise SetUpFailed(self._set_up_error)
        result = self._result
        result.output = self._output.decode("utf-8", "replace")
        computed = ended == "crashed" and (why == TOO_LONG or status == -signal.SIGXCPU)
        if ended in ("timeout", IDLE) or why == IDLE or computed:
            result.ended, result.waited = "timeout", not computed
            result.reason = f"{self._how_long(ended, computed)} and was stopped"
        elif why and ended in ("crashed", "overflow"):
            result.ended, result.reason = "crashed", f"{why} and was stopped"
        elif ended == "crashed":
            result.ended, result.reason = "crashed", _how_it_ended(status)
        return result

    def _how_long(self, ended: str, computed: bool) -> str:
        if computed:
            return f"was still running after {self._job.seconds:g} s"
        if ended == "timeout":
            return f"was not done after {self._job.patience:g} s"
        return f"did nothing for {idling.limit(self._job.seconds):g} s"


def communicate(
    channel: socket.socket,
    output: int,
    is_over: Callable[[], bool],
    session: WorkerSession,
    stop: threading.Event,
    is_idle: Callable[[], bool] = lambda: False,
) -> str:
    """Return how the process ended: "done", "crashed", "timeout", IDLE, or "overflow" for too much; raises Stopped."""
    channel.setblocking(False)
    os.set_blocking(output, False)
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ | selectors.EVENT_WRITE)
        selector.register(output, selectors.EVENT_READ)
        while True:
            over = is_over()  # asked before reading: what it wrote before its end is then there
            events = selector.select(0 if over else _TICK)
            for key, ready in events:
                if not _exchange(key.fileobj, ready, session):
                    selector.unregister(key.fileobj)
            _watch_for_writing(selector, channel, session)
            if stop.is_set():
                raise Stopped
            if session.done or session.overflow:
                _read(output, session)
                return "overflow" if session.overflow else "done"
            if not events and time.monotonic() > session.deadline:  # who was stopped first reads what has come
                return "timeout"
            if is_idle():
                return IDLE
            if over and not any(ready & selectors.EVENT_READ for _, ready in events):
                return "crashed"


def _exchange(side: Any, ready: int, session: WorkerSession) -> bool:
    """Read and write what can be; return False at the end of the file."""
    if isinstance(side, int):
        return _read(side, session)
    try:
        if ready & selectors.EVENT_WRITE and session.outgoing:
            session.outgoing = session.outgoing[side.send(session.outgoing[:_PART]) :]
        if ready & selectors.EVENT_READ:
            data = side.recv(_PART)
            session.receive(data)
            return bool(data)
    except BlockingIOError:
        pass
    except ConnectionError:
        return False
    return True


def _read(output: int, session: WorkerSession) -> bool:
    """Take in what was printed; return False at the end of the file."""
    try:
        data = os.read(output, _PART)
    except BlockingIOError:
        return True
    session.receive_output(data)
    return bool(data)


def _watch_for_writing(selector: selectors.BaseSelector, channel: socket.socket, session: WorkerSession) -> None:
    """Wait for the channel to take more only while there is more."""
    wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if session.outgoing else 0)
    key = selector.get_map().get(channel)
    if key and key.events != wanted:
        selector.modify(channel, wanted)


def _text(value: Any, most: int) -> str:
    """Return the beginning of a text; anything else may be nested too deeply even to be written out."""
    return value[:most] if isinstance(value, str) else ""


def _how_it_ended(status: int | None) -> str:
    if status is None:
        return "ended its whole process"
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"ended its whole process ({name})"
    return f"ended its whole process (exit status {status})"
