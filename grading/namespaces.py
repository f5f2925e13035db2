"""Linux's means to shut a process in, called through libc: Python 3.11 has none of them.

A *container* is a set of namespaces around an init process: whatever is started in it can see no process outside, has
a private folder of limited size, and is dead once the init is.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import resource
import shutil
import signal
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from grading import seccomp

PRIVATE = "/private"  # a student's home and folder for temporary files, in a container
COURSE, FONTS = "/course", "/fonts"
COMPILED, CACHE = "/compiled", f"{COURSE}/utils/engine/__pycache__"  # what Numba has compiled, and where it looks
SHARED_MEMORY_BYTES = 64 * 2**20
_CLONE_NEWNS, _CLONE_NEWIPC, _CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 1, 2, 4, 0x4000, 0x40000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 4, 24, 38, 47
_PR_SET_CHILD_SUBREAPER = 36
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


class Containers:
    """Makes process namespaces, one at a time, by a launcher: a small process, which forks faster than a loaded one.

    Raises OSError where the kernel refuses one.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._launcher = os.fork()
        if self._launcher == 0:
            ours.close()
            _launch(theirs)
        theirs.close()
        self._control = ours
        self._own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def enter(self, main: Callable[[], NoReturn]) -> int:
        """Return the process that runs ``main``, among a new container's processes."""
        self._control.send(b"make")
        init = int(self._control.recv(64))
        if init < 0:
            raise OSError(-init, f"no namespaces for a job ({os.strerror(-init)})")
        container = os.pidfd_open(init)
        try:
            _call("setns", container, _CLONE_NEWPID)
            process = forked(main)
            _call("setns", self._own_processes, _CLONE_NEWPID)
        finally:
            os.close(container)
        return process

    def destroy(self, process: int) -> int:
        """End everything in the container that was made last; return the wait status of its ``process``."""
        self._control.send(b"end")
        status = os.waitpid(process, 0)[1]  # the container is not gone before its processes are waited for
        self._control.recv(64)
        return status


def _launch(control: socket.socket) -> NoReturn:
    """Make a container's init and end it again, as often as the other end of ``control`` says; end with that."""
    die_with_parent()
    _close_all_but([control.fileno()])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for inits, which then no signal from within can reach
    own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    while command := control.recv(64):
        if command == b"make":
            try:
                _call("unshare", _CLONE_NEWPID)
                init = forked(_be_init)
                _call("setns", own_processes, _CLONE_NEWPID)
            except OSError as error:
                init = -(error.errno or errno.EPERM)
            control.send(b"%d" % init)
        else:
            os.kill(init, signal.SIGKILL)
            os.waitpid(init, 0)  # returns when all in the container are dead
            control.send(b"ended")
    os._exit(0)


def _be_init() -> NoReturn:
    """Wait for the end; orphans are buried by the kernel."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _close_all_but([])
    while True:
        signal.pause()


def forked(main: Callable[[], NoReturn]) -> int:
    """Return the process that runs ``main``."""
    process = os.fork()
    if process == 0:
        try:
            main()
        finally:
            os._exit(1)  # never back into the parent's own code
    return process


def contain(folder_bytes: int) -> None:
    """Give this process, and what it starts, its own view of files; raises OSError where the kernel refuses that."""
    prctl(_PR_SET_DUMPABLE, 1)
    with contextlib.suppress(OSError):  # when memory runs out, the kernel takes this process and no neighbour
        Path("/proc/self/oom_score_adj").write_text("1000")
    _call("unshare", _CLONE_NEWNS | _CLONE_NEWIPC)
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    _mount("tmpfs", PRIVATE, f"size={folder_bytes},nr_inodes=10000,mode=1777", _MS_NOSUID | _MS_NODEV)
    _mount("tmpfs", "/dev/shm", f"size={SHARED_MEMORY_BYTES},nr_inodes=1000,mode=1777", _MS_NOSUID | _MS_NODEV)
    _mount("tmpfs", "/proc", "size=4096,nr_inodes=1,mode=555", _MS_RDONLY | _MS_NOSUID | _MS_NODEV)
    _lend_compiled()


def _lend_compiled() -> None:
    """Give a job a cache to write to that begins with what is compiled already: it would take seconds each time."""
    _mount("tmpfs", CACHE, f"size={SHARED_MEMORY_BYTES},nr_inodes=1000,mode=777", _MS_NOSUID | _MS_NODEV)
    for name in os.listdir(COMPILED)[:900]:
        os.symlink(f"{COMPILED}/{name}", f"{CACHE}/{name}")


def _mount(kind: str | None, where: str, options: str | None, flags: int) -> None:
    source, target, data = (part and os.fsencode(part) for part in (kind, where, options))
    _call("mount", source, target, source, ctypes.c_ulong(flags), data)


def hide_memory() -> None:
    """Keep this process's memory from all that have no privilege over it."""
    prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """End this process when its parent dies, kill -9 included."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of whatever loses its own below this process, to bury it: who else would may never do so."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def move_in() -> None:
    """Make the private folder the working folder, with matplotlib's list of fonts in it."""
    os.chdir(PRIVATE)
    with contextlib.suppress(OSError):
        for name in os.listdir(FONTS):
            shutil.copyfile(f"{FONTS}/{name}", name)


def keep_only(descriptors: list[int]) -> None:
    """Close every other descriptor; the first three become standard input, output and error."""
    for standard in range(3):
        os.dup2(descriptors[standard], standard)
    _close_all_but([0, 1, 2, *descriptors[3:]])


def _close_all_but(descriptors: list[int]) -> None:
    bounds = [-1, *sorted(descriptors)]
    for before, after in zip(bounds, [*bounds[1:], 2**20], strict=True):
        if before + 1 < after:  # an empty range would be taken for an endless one
            os.closerange(before + 1, after)


def limit(limits: Mapping[str, int]) -> None:
    """Set the limits of each process of a job; raises OSError or ValueError where one is refused."""
    cpu = limits["cpu"]
    wanted = {
        resource.RLIMIT_AS: (limits["memory"], limits["memory"]),
        resource.RLIMIT_FSIZE: (limits["file"], limits["file"]),
        resource.RLIMIT_NOFILE: (limits["descriptors"], limits["descriptors"]),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_CPU: (cpu, cpu + 5),  # the signal of the first one tells what it was
    }
    if _counts_by_namespace():
        wanted[resource.RLIMIT_NPROC] = (limits["processes"], limits["processes"])
    for kind, (soft, hard) in wanted.items():
        most = resource.getrlimit(kind)[1]
        allowed = (soft, hard) if most == resource.RLIM_INFINITY else (min(most, soft), min(most, hard))
        resource.setrlimit(kind, allowed)


def _counts_by_namespace() -> bool:
    """Return whether the kernel counts a user's processes in each user namespace: before, all of a user's counted."""
    release = platform.release().split("-")[0].split(".")
    try:
        return (int(release[0]), int(release[1])) >= (5, 14)
    except (ValueError, IndexError):
        return False


def give_up_privileges(user: int | None) -> None:
    """Become ``user`` (None: stay who one is) without capabilities, for good; raises OSError where that fails."""
    for capability in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) and ctypes.get_errno() == errno.EPERM:
            break  # without the capability to drop from the set, which then is no danger: see below
    prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    header, data = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    _call("capset", header, data)
    _call("capget", header, data)
    if any(data):
        raise OSError(errno.EPERM, "capabilities were left")
    prctl(_PR_SET_NO_NEW_PRIVS, 1)  # so that no program regains any
    seccomp.install()


def prctl(option: int, value: int) -> None:
    """Set one of the process's own switches; raises OSError."""
    _call("prctl", option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
