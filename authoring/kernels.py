"""Notebook kernels that start in a fraction of a second: forked from a process that has the libraries loaded already.

A ``ForkedKernel`` is a jupyter_client kernel provisioner, so that nbclient, nbval and whoever else starts kernels by
a kernel manager use it as it is: ``registered()`` makes it known, and returns the name to ask for it by. Where a kernel
cannot be forked it starts the ordinary way, and a log line says why. ``authoring.kernel_parent`` is the other side.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from traitlets.config import SingletonConfigurable

NAME = "forked-provisioner"
PROGRAM = Path(__file__).with_name("kernel_parent.py")
# Read when a kernel starts or later, never while a library loads: kernels that differ in these share a parent.
OF_A_KERNEL = {
    "IPYTHONDIR", "JPY_PARENT_PID", "JPY_SESSION_NAME", "JUPYTER_PATH", "PYTEST_CURRENT_TEST",
}  # fmt: skip
READ_IN_THE_FOLDER = ("matplotlibrc", ".numba_config.yaml")  # when the libraries load
MOST_PARENTS = 2
_LOADING_SECONDS = 120.0
_STARTING_SECONDS = 30.0


class CannotFork(Exception):
    """Why a kernel has to start the ordinary way."""


def registered() -> str:
    """Return the name by which kernel specs, or the factory's default, ask for forked kernels from now on."""
    factory = KernelProvisionerFactory.instance()
    factory.provisioners[NAME] = EntryPoint(NAME, f"{__name__}:{ForkedKernel.__name__}", factory.GROUP_NAME)
    return NAME


class ForkedKernel(LocalProvisioner):
    """A kernel that is forked where it can be."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Return how to connect to the kernel, which then runs; blocks until its parent has loaded, if it is new."""
        try:
            self.process = KernelParents.instance().fork(cmd, self._scrub_kwargs(kwargs))
        except CannotFork as reason:
            self.log.info("A kernel starts the ordinary way, not forked: %s", reason)
            return await super().launch_kernel(cmd, **kwargs)
        self.pid = self.pgid = self.process.pid
        self.cwd = kwargs.get("cwd") or Path.cwd()
        return self.connection_info


class KernelParents(SingletonConfigurable):
    """This process's kernel parents, one for each environment that kernels are started in."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._parents: dict[Any, KernelParent] = {}
        self._refusals: dict[Any, str] = {}
        self._lock = threading.Lock()
        atexit.register(self.close)

    def fork(self, command: list[str], options: dict[str, Any]) -> ForkedProcess:
        """Return the kernel that ``subprocess.Popen(command, **options)`` would be; raises CannotFork."""
        flags = _flags(command)
        environment = options.pop("env")
        folder = os.path.abspath(options.pop("cwd", None) or ".")
        with open(os.devnull) as nothing:
            files = [_file(options.pop(name, None) or default)
                     for name, default in (("stdin", nothing), ("stdout", 1), ("stderr", 2))]  # fmt: skip
            if options:
                raise CannotFork(f"asked for {', '.join(options)}")
            _refuse_what_libraries_read(environment, folder)
            loaded = {name: value for name, value in environment.items() if name not in OF_A_KERNEL}
            with self._lock:
                parent = self._parent(flags, loaded)
            request = {"arguments": command, "environment": environment, "folder": folder}
            return parent.fork(request, files)

    def close(self) -> None:
        """End the parents, and with them their kernels."""
        for parent in self._parents.values():
            parent.close()
        self._parents.clear()

    def _parent(self, flags: list[str], environment: dict[str, str]) -> KernelParent:
        """Return the parent for an environment; raises CannotFork where there can be none."""
        key = (os.getpid(), *flags, frozenset(environment.items()))
        if key in self._refusals:
            raise CannotFork(self._refusals[key])
        if key in self._parents and not self._parents[key].alive:
            self._parents.pop(key).close()
        if key not in self._parents:
            self._make_room()
            try:
                self._parents[key] = KernelParent(flags, environment)
            except CannotFork as reason:
                self._refusals[key] = str(reason)
                raise
        return self._parents[key]

    def _make_room(self) -> None:
        """End a parent that has no kernel where there are as many as there may be; raises CannotFork."""
        if len(self._parents) < MOST_PARENTS:
            return
        idle = next((key for key, parent in self._parents.items() if parent.idle), None)
        if idle is None:
            raise CannotFork(f"kernels run in {MOST_PARENTS} other environments")
        self._parents.pop(idle).close()


def _flags(command: list[str]) -> list[str]:
    """Return the interpreter's own arguments; raises CannotFork for another program than our parents are."""
    if sys.platform != "linux":
        raise CannotFork("only Linux has what is needed")
    if command[0] != sys.executable:
        raise CannotFork(f"{command[0]} is another Python")
    end = command.index("-m") if "-m" in command else len(command)
    flags = command[1:end]
    if command[end : end + 2] != ["-m", "ipykernel_launcher"] or not all(flag.startswith("-") for flag in flags):
        raise CannotFork("the command is not ipykernel's own")
    return flags


def _file(value: Any) -> int:
    """Return the descriptor of what Popen takes as a standard file; raises CannotFork for pipes."""
    descriptor = value if isinstance(value, int) else value.fileno()
    if descriptor < 0:
        raise CannotFork("asked for a pipe")
    return descriptor


def _refuse_what_libraries_read(environment: dict[str, str], folder: str) -> None:
    """Raise CannotFork where what libraries load depends on the kernel's folder, or where there is no such folder."""
    if not os.path.isdir(folder):
        raise CannotFork(f"{folder} is no folder")
    for name in READ_IN_THE_FOLDER:
        if os.path.exists(os.path.join(folder, name)):
            raise CannotFork(f"{name} lies in its folder")
    paths = environment.get("PYTHONPATH", "")
    if paths and not all(map(os.path.isabs, paths.split(os.pathsep))):
        raise CannotFork("PYTHONPATH depends on its folder")


class KernelParent:
    """The process that kernels are forked from; raises CannotFork where it cannot be had."""

    def __init__(self, flags: list[str], environment: dict[str, str]) -> None:
        self._command, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._kernels: list[ForkedProcess] = []
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *flags, str(PROGRAM), str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=os.sep,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            _hear(self._command, _LOADING_SECONDS)
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """Whether it can fork a kernel."""
        return self._process.poll() is None

    @property
    def idle(self) -> bool:
        """Whether none of its kernels runs."""
        return all(kernel.poll() is not None for kernel in self._kernels)

    def fork(self, request: dict[str, Any], files: list[int]) -> ForkedProcess:
        """Return the kernel that was asked for, once it runs; raises CannotFork."""
        self._kernels = [kernel for kernel in self._kernels if kernel.poll() is None]
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                socket.send_fds(self._command, [json.dumps(request).encode()], [theirs.fileno(), *files])
            except OSError as error:
                ours.close()
                raise CannotFork(f"its parent could not be told ({error})") from None
        self._kernels.append(ForkedProcess(ours))
        return self._kernels[-1]

    def close(self) -> None:
        """End it, and its kernels."""
        self._command.close()
        try:
            self._process.wait(_STARTING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ForkedProcess:
    """What a provisioner needs of ``subprocess.Popen``, for a process that is another one's child."""

    stdin = stdout = stderr = None

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self.returncode: int | None = None
        try:
            said = _hear(channel, _STARTING_SECONDS)
            if "process" not in said:
                raise CannotFork(f"it ended before it began, with status {said['status']}")
        except BaseException:
            channel.close()
            raise
        self.pid: int = said["process"]

    def poll(self) -> int | None:
        """Return the exit status as Popen has it, None while the process runs."""
        return self._status(0.0)

    def wait(self) -> int:
        """Return the exit status when the process has ended."""
        return self._status(None)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it is known to have ended: until then its id is no other process's."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _status(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            self._channel.settimeout(seconds)
            try:
                said = self._channel.recv(2**10)
            except (BlockingIOError, TimeoutError):
                return None
            self.returncode = json.loads(said)["status"] if said else -signal.SIGKILL  # it dies with its parent
            self._let_it_be_buried()
        return self.returncode

    def _let_it_be_buried(self) -> None:
        """Say that the end is known, and wait until no zombie is left."""
        with self._channel as channel:
            channel.settimeout(_STARTING_SECONDS)
            try:
                channel.shutdown(socket.SHUT_WR)
                channel.recv(1)
            except OSError:
                return


def _hear(line: socket.socket, seconds: float) -> dict[str, Any]:
    """Return what is said next; raises CannotFork for a refusal, and where nothing comes."""
    line.settimeout(seconds)
    try:
        data = line.recv(2**16)
    except OSError as error:
        raise CannotFork(f"its parent does not answer ({error})") from None
    said = json.loads(data) if data else {"refused": "its parent ended without a word"}
    if "refused" in said:
        raise CannotFork(said["refused"])
    return said
