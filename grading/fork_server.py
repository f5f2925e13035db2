"""The program that is loaded once and forked for each job: ``main``, with what to load on stdin.

It runs in a sandbox, loads what a lesson's set-up needs, and then does three things over a socket, again and again:
takes two descriptors (a job's socket and where it prints), forks a worker that does the job, and says how that ended.
It never reads a job: no worker finds another's code in the memory that it inherits, nor a way back to this socket.
Everything that a job started is dead before the next one is taken.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from grading import idling, namespaces, worker

BEGUN = b"begun"
TOO_LONG, IDLE = "computed for too long", "did nothing for too long"
_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock")
_TICK_MILLISECONDS = 100
_PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Load, say so, and serve over the socket that the last argument names until nobody is there any more."""
    config = json.load(sys.stdin)
    os.umask(0o022)  # whatever the grader's is: a job's user reads what is put into its home
    command = socket.socket(fileno=int(sys.argv[-1]))
    os.set_inheritable(command.fileno(), False)
    try:
        isolation = ISOLATIONS[config["isolation"]](config)  # before anything is loaded: what it forks shall be small
        isolation.end(isolation.start(lambda: os._exit(0)))  # where no job can be isolated, nothing need be loaded
        isolation.furnish()
        notebook = worker.prepared(config["set_up"])
        settle()
    except BaseException as error:
        command.send(json.dumps({"set_up_error": f"{type(error).__name__}: {error}"[:1000]}).encode())
        return
    namespaces.hide_memory()
    command.send(json.dumps({"ready": True}).encode())
    ForkServer(command, isolation, notebook, config["limits"]).serve()


def settle() -> None:
    """Make this process ready to be forked, now that a set-up has run.

    Raises RuntimeError where a thread runs, which a child would lack. A region of OpenMP leaves its threads behind, so
    this also refuses where one has run in parallel.
    """
    worker.seed()  # loads the modules that it needs, once for all jobs
    _look_at_the_processor()
    others = [thread.name for thread in threading.enumerate() if thread is not threading.current_thread()]
    if others or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError(f"the set-up left threads running ({', '.join(others) or 'not of Python'})")
    gc.freeze()  # or each child's first collection would copy all of this


def _look_at_the_processor() -> None:
    """Have torch's library find out what the processor can do, without loading torch.

    Asked first within a job, it would not find the files that say so, complain where the student prints, and compute
    otherwise than at home.
    """
    import ctypes
    from importlib.util import find_spec

    torch = find_spec("torch")
    if torch and torch.submodule_search_locations:
        with contextlib.suppress(OSError, AttributeError):  # other versions may keep it elsewhere
            ctypes.CDLL(f"{torch.submodule_search_locations[0]}/lib/libc10.so").cpuinfo_initialize()


class ForkServer:
    """Takes jobs over ``command`` and does one at a time, each in the given isolation."""

    def __init__(
        self,
        command: socket.socket,
        isolation: SingleUse | AsUser,
        notebook: worker.Notebook,
        limits: dict[str, int],
    ) -> None:
        self._command = command
        self._isolation = isolation
        self._notebook = notebook
        self._limits = limits

    def serve(self) -> None:
        """Do jobs until the grader has gone."""
        while True:
            message, descriptors, _, _ = socket.recv_fds(self._command, 64, 2)
            if not message:
                return
            if len(descriptors) == 2:  # else it is the word to end a job, which has ended already
                channel, output = descriptors
                cpu, is_pass = map(int, message.split())
                limits = {**self._limits, "cpu": cpu, "pass": is_pass}
                self._command.send(json.dumps(self._run_job(channel, output, limits)).encode())

    def _run_job(self, channel: int, output: int, limits: dict[str, int]) -> dict[str, Any]:
        """Return how the job ended: the process's status, and the reason for which it was stopped, if it was."""
        try:
            process = self._isolation.start(lambda: self._run_worker(channel, output, limits))
        except OSError as error:
            return {"failed": str(error)}
        finally:
            os.close(channel)
            os.close(output)
        reason = self._watch(process, limits)
        status = os.waitstatus_to_exitcode(self._isolation.end(process))
        return {"status": status, "reason": reason}

    def _run_worker(self, channel: int, output: int, limits: dict[str, int]) -> NoReturn:
        """Do the job in this process, which first gives up all that it could do harm with."""
        grader = worker.JsonSocket(channel)
        try:
            nowhere = os.open(os.devnull, os.O_RDONLY)
            namespaces.keep_only([nowhere, output, output, channel])
            os.setsid()  # where the kernel shares out time by sessions, many processes get no more than one
            self._isolation.confine(limits)
        except BaseException as error:
            grader.send(set_up_error=f"no sandbox: {type(error).__name__}: {error}")
            os._exit(1)
        worker.answer(self._notebook, grader)

    def _watch(self, process: int, limits: dict[str, int]) -> str:
        """Wait for the job's end, the grader's word or a limit; return which limit, "" for the others.

        The grader says, too, when the answer has its turn: idling counts from then on.
        """
        clock: idling.IdleClock | None = None
        ended = os.pidfd_open(process)
        try:
            poll = select.poll()
            poll.register(ended, select.POLLIN)
            poll.register(self._command, select.POLLIN)
            while True:
                ready = {descriptor for descriptor, _ in poll.poll(_TICK_MILLISECONDS)}
                if ended in ready:
                    return ""
                if self._command.fileno() in ready:
                    if self._command.recv(64) != BEGUN:
                        return ""
                    clock = clock or idling.IdleClock()
                    clock.restart()
                processes = list(self._isolation.processes())
                if too_much := excess(processes, limits):
                    return too_much
                if clock and clock.must_end(
                    processes,
                    idling.limit(limits["cpu"]),
                    lambda: bool(limits["pass"]) and idling.end_children(process),
                ):
                    return IDLE
        finally:
            os.close(ended)


class SingleUse:
    """One job in a sandbox that is thrown away after it: where no namespaces can be had within the sandbox."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._user = config["user"]
        self._others = set(_processes())

    def start(self, main: Callable[[], NoReturn]) -> int:
        """Return the process that runs ``main``."""
        return namespaces.forked(main)

    def furnish(self) -> None:
        """Give what is loaded a home: the sandbox's own."""
        namespaces.move_in()

    def confine(self, limits: dict[str, int]) -> None:
        """Shut this process, which is a job's, in."""
        namespaces.move_in()
        namespaces.limit(limits)
        namespaces.give_up_privileges(self._user)

    def processes(self) -> Iterator[int]:
        """Yield the job's processes, its container's init included."""
        yield from (process for process in _processes() if process not in self._others)

    def end(self, process: int) -> int:
        """End the job's process, the grader ends the sandbox; return the process's wait status."""
        os.kill(process, signal.SIGKILL)
        return os.waitpid(process, 0)[1]


class InContainer(SingleUse):
    """Each job in a container of its own, in a sandbox whose only other processes are this one's."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._containers = namespaces.Containers()
        super().__init__(config)

    def start(self, main: Callable[[], NoReturn]) -> int:
        """Return the process that runs ``main``."""
        return self._containers.enter(main)

    def confine(self, limits: dict[str, int]) -> None:
        """Shut this process, which is a job's, in."""
        namespaces.contain(limits["folder"])
        super().confine(limits)

    def end(self, process: int) -> int:
        """End everything that the job started; return its process's wait status."""
        return self._containers.destroy(process)


class AsUser:
    """Each job under another user's id, in a folder of its own: for root, where there are no namespaces at all."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._user = config["user"]
        self._folder = Path(config["folder"])
        self._cache = self._folder.with_name("cache")
        namespaces.adopt_orphans()

    def start(self, main: Callable[[], NoReturn]) -> int:
        """Return the process that runs ``main``."""
        self.furnish()
        return namespaces.forked(main)

    def furnish(self) -> None:
        """Make anew the folders that a job, or what is loaded, may write to: a home, with fonts, and Numba's cache."""
        _as_root("rm", "-rf", "--", self._folder, self._cache)
        for folder in (self._folder, self._cache):
            folder.mkdir(mode=0o700)
            os.chown(folder, self._user, self._user)
        for path in self._folder.with_name("fonts").iterdir():
            shutil.copyfile(path, self._folder / path.name)
        for path in self._folder.with_name("compiled").iterdir():
            (self._cache / path.name).symlink_to(path)

    def confine(self, limits: dict[str, int]) -> None:
        """Shut this process, which is a job's, in."""
        os.chdir(self._folder)
        namespaces.limit(limits)
        namespaces.give_up_privileges(self._user)

    def processes(self) -> Iterator[int]:
        """Yield the user's processes, which are the job's."""
        yield from (process for process in _processes() if _field(process, "status", "Uid") == self._user)

    def end(self, process: int) -> int:
        """End everything that the user runs, and remove what it wrote; return the process's wait status."""
        while any(_is_alive(one) for one in self.processes()):
            killer = os.fork()
            if killer == 0:
                os.setresuid(self._user, self._user, self._user)
                os.kill(-1, signal.SIGKILL)  # everybody at once, this process included: no fork escapes between
                os._exit(0)
            os.waitpid(killer, 0)
        _as_root("rm", "-rf", "--", self._folder, self._cache)
        of_user = ("-mindepth", 1, "-maxdepth", 2, "-user", self._user, "-prune")  # /tmp/.X11-unix is everybody's, too
        _as_root("find", "-H", *_SHARED, *of_user, "-exec", "rm", "-rf", "--", "{}", "+")
        status = os.waitpid(process, 0)[1]
        with contextlib.suppress(ChildProcessError):  # unburied, they count among the user's processes
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        return status


ISOLATIONS: dict[str, type[SingleUse] | type[AsUser]] = {
    "container": InContainer,
    "single-use": SingleUse,
    "user": AsUser,
}


def excess(processes: list[int], limits: dict[str, int]) -> str:
    """Return what the processes have too much of, "" where they keep within the limits.

    Three sums count memory: of addresses, since memory may be held that nothing maps at the moment; of resident
    pages, which is quick; and only where that is high, of each process's share of them, which is exact. The tables
    of pages count with both of these: a page far from all others takes two more for its table. In a pass the addresses
    that a check shares with the notebook that forked it count once.
    """
    if len(processes) > limits["processes"] + 1:
        return f"had more than {limits['processes']} processes"
    own = _statistics(os.getpid())
    assert own is not None  # this process has not gone
    found = {process: statistics for process in processes if (statistics := _statistics(process))}
    shared = {process: found.get(_parent(process) or 0, own) if limits.get("pass") else own for process in found}
    if sum(max(0, addresses - shared[process][0]) for process, (addresses, _) in found.items()) > limits["memory"]:
        return f"took more than {limits['memory'] // 2**20} MB of memory"
    room = limits["memory"] - sum(map(_tables, processes))
    if sum(resident for _, resident in found.values()) > room and sum(map(_share, processes)) > room:
        return f"took more than {limits['memory'] // 2**20} MB of memory"
    if sum(map(idling.computed_seconds, processes)) > limits["cpu"]:
        return TOO_LONG
    return ""


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _statistics(process: int) -> tuple[int, int] | None:
    """Return the bytes of addresses and of resident memory, None for a process that has gone."""
    try:
        addresses, resident = Path(f"/proc/{process}/statm").read_text().split()[:2]
    except (OSError, ValueError):
        return None
    return int(addresses) * _PAGE, int(resident) * _PAGE


def _parent(process: int) -> int | None:
    return _field(process, "status", "PPid")


def _share(process: int) -> int:
    """Return the bytes of memory of which this process has a share, shared ones in proportion."""
    share = _field(process, "smaps_rollup", "Pss")
    return (_statistics(process) or (0, 0))[1] if share is None else 1024 * share


def _tables(process: int) -> int:
    """Return the bytes of the tables in which the kernel finds the process's pages."""
    return 1024 * (_field(process, "status", "VmPTE") or 0)


def _field(process: int, file: str, name: str) -> int | None:
    """Return the number that a file of /proc gives under this name, None for a process that has gone."""
    try:
        lines = Path(f"/proc/{process}/{file}").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    except (OSError, ValueError, StopIteration):
        return None


def _as_root(*command: object) -> None:
    """Run a command that does what it can: a student's folders may be nested deeper than Python can follow."""
    subprocess.run([*map(str, command)], stderr=subprocess.DEVNULL, check=False)


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False
