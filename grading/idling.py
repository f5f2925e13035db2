"""How long a job did nothing: neither computed nor waited for a processor that others had.

Others may keep a machine so busy that an answer's time goes by while it waits: that costs nobody points, and whoever
sleeps is found all the same.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

SECONDS = 6.0  # of idling that are allowed; what an honest answer does is compute
IN_ALL = 10  # times as long, where idling counts anew for each cell
PATIENCE = 4  # times the seconds of computing, where the kernel does not tell who waits
LOOK_EVERY = 0.1
_LONGEST = 0.5  # that counts between two looks: whoever looks may have been stopped, with all the machine
_CLOCK = os.sysconf("SC_CLK_TCK")
_NANOSECONDS = 1e9


def limit(seconds: float) -> float:
    """Return how many seconds a job may idle that may compute for so many."""
    return SECONDS if os.path.exists("/proc/self/schedstat") else PATIENCE * seconds


class IdleClock:
    """Adds up, from one look at a job's processes to the next, how long none of them ran or waited to run."""

    def __init__(self) -> None:
        self._before = self._idle = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin again at nothing."""
        self._before += self._idle
        self._seen = time.monotonic()
        self._busy: dict[str, float] = {}
        self._computed: float | None = None
        self._idle = 0.0

    def must_end(self, processes: Iterable[int], seconds: float, end_one: Callable[[], bool]) -> bool:
        """Return whether a job has idled for too long: since the clock began anew, or in all.

        Since then alone, it goes on where ``end_one`` can end what it waits for.
        """
        idle = self.look(processes)
        if self._before + idle > IN_ALL * seconds:
            return True
        if idle <= seconds:
            return False
        if ended := end_one():
            self.restart()
        return not ended

    def look(self, processes: Iterable[int]) -> float:
        """Return the seconds of idling up to now."""
        elapsed = time.monotonic() - self._seen
        if elapsed < LOOK_EVERY:
            return self._idle
        processes = list(processes)
        busy = {task: seconds for process in processes for task, seconds in _tasks(process)}
        computed = sum(map(computed_seconds, processes))
        ran = sum(max(0.0, seconds - self._busy.get(task, 0.0)) for task, seconds in busy.items())
        ended = computed - self._computed if self._computed is not None else 0.0  # counts threads that have ended, too
        if self._computed is not None:
            self._idle += max(0.0, min(elapsed, _LONGEST) - max(ran, ended))
        self._seen, self._busy, self._computed = time.monotonic(), busy, computed
        return self._idle


def computed_seconds(process: int) -> float:
    """Return the seconds of computing of a process and of its children that have ended, 0 for one that has gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _CLOCK if len(fields) > 15 else 0.0


def descendants(process: int) -> Iterator[int]:
    """Yield the process and all that it and its like have started, as far as they are still linked."""
    yield process
    for _, children in _read_all(f"/proc/{process}/task", "children"):
        for child in children.split():
            yield from descendants(int(child))


def end_children(process: int) -> bool:
    """Kill what a process has started, the check of an answer that hangs for example; return whether there was any."""
    _, *children = descendants(process)
    for child in children:
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
    return bool(children)


def _tasks(process: int) -> list[tuple[str, float]]:
    """Return, by thread, the seconds in which it ran or waited to run, [] where the kernel does not tell."""
    return [
        (name, sum(map(int, text.split()[:2])) / _NANOSECONDS)
        for name, text in _read_all(f"/proc/{process}/task", "schedstat")
    ]


def _read_all(folder: str, file: str) -> list[tuple[str, str]]:
    """Return what this file says in each folder of a folder; one that has gone says nothing."""
    found = []
    try:
        for name in os.listdir(folder):
            found.append((f"{folder}/{name}", Path(folder, name, file).read_text()))
    except OSError:
        pass
    return found
