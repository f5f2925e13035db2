"""The program whose forks are notebook kernels: ``python kernel_parent.py FD STARTER``, run by ``authoring.kernels``.

It loads what a kernel would take seconds to load, none of it the course's own, and then forks a process for each
request over the socket FD. That becomes what ``python -m ipykernel_launcher`` would be: it leads a session, and has
the request's environment, folder, arguments and standard files, and random numbers of its own. Over the request's
channel the kernel says that it lives, and this program how it ended. Kernels die with it, and it with the process
STARTER.

Sets are ordered alike in all its kernels unless PYTHONHASHSEED says otherwise: a fork keeps the key of its hashes.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing.process
import os
import random
import runpy
import select
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# Nothing whose import asks which kernel it is in (ipywidgets, tqdm.auto, matplotlib's inline backend): kernels load
# those themselves, quickly, since what they depend on is here.
LIBRARIES = (
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.pylabtools",
    "IPython.extensions.storemagic",
    "ipykernel.kernelapp",
    "matplotlib.backends.backend_agg",
    "matplotlib.pyplot",
    "numba",
    "numpy",
    "psutil",
    "scipy.optimize",
    "scipy.special",
    "scipy.stats",
    "torch",
    "torch.fx.experimental.symbolic_shapes",
    "tornado.platform.asyncio",
    "tornado.queues",
    "xarray",
)
INLINE = "module://matplotlib_inline.backend_inline"


@dataclass(frozen=True)
class Request:
    """What a kernel is to be; ``files`` are standard input, output and error."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    channel: socket.socket
    files: list[int]


@dataclass
class Kernel:
    """A kernel that was forked: it is buried when it has ended and whoever asked for it knows."""

    process: int
    end: int
    channel: socket.socket
    ended: bool = False
    known: bool = False


def main() -> Request:
    """Return in each forked process, with what that is to be; this process only ever ends."""
    command = socket.socket(fileno=int(sys.argv[1]))
    command.set_inheritable(False)
    starter = os.pidfd_open(int(sys.argv[2]))
    if os.getppid() != int(sys.argv[2]):
        os._exit(1)
    try:
        settle, die_with_parent = _of_the_course()
        _load()
        settle()
    except BaseException as error:
        command.send(json.dumps({"refused": f"its parent {error}"[:1000]}).encode())
        os._exit(1)
    command.send(json.dumps({"ready": True}).encode())
    return Server(command, starter, die_with_parent).serve()


def _of_the_course() -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what the course has for forked processes, and leave no trace of it for the kernels to find."""
    if sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from grading.namespaces import die_with_parent
    from grading.prefork import settle

    del sys.path[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == "grading"]:
        del sys.modules[name]
    return settle, die_with_parent


def _load() -> None:
    """Load the libraries as a kernel would."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # for ipykernel, which reads it when it is loaded
    if not os.environ.get("MPLBACKEND"):
        os.environ["MPLBACKEND"] = INLINE  # as ipykernel does before a notebook can load matplotlib
    for name in LIBRARIES:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
    if "numba" in sys.modules:
        sys.modules["numba"].njit("float64(float64)")(lambda x: x)  # the first function loads the compiler
    _end_threads_that_come_back()


def _end_threads_that_come_back() -> None:
    """End OpenBLAS's threads, which it starts when it is loaded: it ends them before a fork, until it needs them."""
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)


class Server:
    """Forks a kernel for each request over ``command``, until ``starter`` has gone."""

    def __init__(self, command: socket.socket, starter: int, die_with_parent: Callable[[], None]) -> None:
        self._command = command
        self._starter = starter
        self._die_with_parent = die_with_parent
        self._kernels: list[Kernel] = []
        self._poll = select.poll()
        for descriptor in (command.fileno(), starter):
            self._poll.register(descriptor, select.POLLIN)

    def serve(self) -> Request:
        """Return the request in each process that is forked for one."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._starter:
                    os._exit(0)
                if descriptor != self._command.fileno():
                    self._look_after(descriptor)
                elif request := self._fork(self._next_request()):
                    return request

    def _next_request(self) -> Request:
        message, descriptors, _, _ = socket.recv_fds(self._command, 2**20, 4)
        if not message:
            os._exit(0)
        channel, *files = descriptors
        return Request(**json.loads(message), channel=socket.socket(fileno=channel), files=files)

    def _fork(self, request: Request) -> Request | None:
        """Return the request in the new process, None in this one."""
        parent = os.getpid()
        process = os.fork()
        if process == 0:
            os.setsid()
            self._die_with_parent()
            if os.getppid() != parent:
                os._exit(1)
            self._leave()
            return request
        for descriptor in request.files:
            os.close(descriptor)
        kernel = Kernel(process, os.pidfd_open(process), request.channel)
        self._kernels.append(kernel)
        for descriptor in (kernel.end, kernel.channel.fileno()):
            self._poll.register(descriptor, select.POLLIN)
        return None

    def _leave(self) -> None:
        """Close what is no kernel's concern."""
        self._command.close()
        os.close(self._starter)
        for kernel in self._kernels:
            os.close(kernel.end)
            kernel.channel.close()

    def _look_after(self, descriptor: int) -> None:
        """Say that a kernel has ended, or note that this is known; bury it when both are so."""
        kernel = next(one for one in self._kernels if descriptor in (one.end, one.channel.fileno()))
        self._poll.unregister(descriptor)
        if descriptor == kernel.end:
            kernel.ended = True
            found = os.waitid(os.P_PIDFD, kernel.end, os.WEXITED | os.WNOWAIT)
            status = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
            with contextlib.suppress(OSError):
                kernel.channel.send(json.dumps({"status": status}).encode())
        else:
            kernel.known = True
        if kernel.ended and kernel.known:
            os.waitpid(kernel.process, 0)
            os.close(kernel.end)
            kernel.channel.close()
            self._kernels.remove(kernel)


def become_kernel(request: Request) -> None:
    """Be what ``python -m ipykernel_launcher`` would be, until the kernel ends."""
    try:
        _furnish(request)
    except OSError as error:
        request.channel.send(json.dumps({"refused": str(error)}).encode())
        os._exit(1)
    request.channel.send(json.dumps({"process": os.getpid()}).encode())
    request.channel.close()
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)


def _furnish(request: Request) -> None:
    for standard, descriptor in enumerate(request.files):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    os.environ.clear()
    os.environ.update(request.environment, JPY_PARENT_PID=str(os.getppid()))
    os.chdir(request.folder)
    sys.orig_argv[:] = request.arguments
    sys.argv[1:] = request.arguments[request.arguments.index("-m") + 2 :]
    if not sys.flags.safe_path:
        sys.path.insert(0, os.getcwd())
    multiprocessing.process.ORIGINAL_DIR = os.getcwd()
    _reseed()


def _reseed() -> None:
    """Draw the global generators' seeds from the system again, as libraries do when they are loaded."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()


if __name__ == "__main__":
    become_kernel(main())
