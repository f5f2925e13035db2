"""The sandboxes that students' code runs in: bubblewrap's, and another user's id.

A sandbox is a command that starts ``grading.fork_server``, and the isolation in which that runs each job.
"""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import random
import shutil
import site
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading import GradingError
from grading.namespaces import CACHE, COMPILED, COURSE, FONTS, PRIVATE
from grading.runner import FILE_BYTES, MEMORY_BYTES, environment, font_caches

LIMITS = {
    "memory": MEMORY_BYTES,
    "file": FILE_BYTES,
    "folder": 256 * 2**20,
    "descriptors": 256,
    "processes": 64,
    "cpu": 0,  # comes with each job
}
FORK_SERVER = "import sys; sys.path.insert(0, sys.argv[1]); from grading.fork_server import main; main()"
OF_GRADING = tuple(f"{name}.py" for name in ("__init__", "worker", "namespaces", "seccomp", "fork_server", "idling"))
SYSTEM = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/usr/lib/locale",
    "/usr/share/zoneinfo",
    "/nix/store",
)
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/lib", "/lib32", "/lib64", "/libx32")
# What the fork server needs to make each job's namespaces, to count its memory and to give up all of this.
CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SYS_PTRACE", "CAP_SETPCAP")
USERS = range(61_200, 65_500)
_given: set[int] = set()
_lock = threading.Lock()


@dataclass(frozen=True)
class Sandbox:
    """How a fork server is started and how it isolates its jobs.

    ``isolation`` is one of ``grading.fork_server.ISOLATIONS``, ``prefix`` what stands before Python in the command;
    ``other_user`` says whether jobs get another id than the grader's, which each fork server has to itself.
    """

    name: str
    isolation: str
    root: Path
    prefix: Sequence[str] = ()
    other_user: bool = False

    @property
    def single_use(self) -> bool:
        """Return whether a fork server can do but one job."""
        return self.isolation == "single-use"

    @property
    def wrapped(self) -> bool:
        """Return whether a fork server is in namespaces of its own."""
        return self.isolation != "user"

    def command(self, folder: Path, command: int) -> list[str]:
        """Return the command of a fork server, which obeys over this descriptor."""
        views = _course(folder) if self.wrapped else []
        python = [sys.executable, "-P", "-s", "-u", "-c", FORK_SERVER, self._course_in(folder), str(command)]
        return [*self.prefix, *views, *python]

    def config(self, folder: Path) -> dict[str, Any]:
        """Return what the fork server is told when it starts, and lay out in ``folder`` what it sees of the course."""
        _lay_out(self.root, folder)
        cache = folder / "course" / "utils" / "engine" / "__pycache__"
        cache.mkdir(0o755) if self.wrapped else cache.symlink_to(folder / "cache")
        return {
            "isolation": self.isolation,
            "user": _free_user() if self.other_user else None,
            "limits": LIMITS,
            "folder": str(folder / "job"),
        }

    def _course_in(self, folder: Path) -> str:
        return COURSE if self.wrapped else str(folder / "course")

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Return the fork server's and its jobs' environment."""
        return environment(Path(PRIVATE) if self.wrapped else folder / "job")


def refuse_what_is_lent(*folders: Path) -> None:
    """Raise GradingError where one of these folders lies in what students' code can read: Python, or the system's."""
    for folder in folders:
        for lent in map(Path, _readable()):
            if folder.resolve().is_relative_to(lent.resolve()):
                raise GradingError(
                    f"{folder} lies in {lent}. Students' code can read all of that, because Python's libraries are "
                    "there. Move one of the two, or give the environment a folder of its own (python -m venv .venv)."
                )


def candidates(name: str, root: Path) -> Iterator[Sandbox]:
    """Yield the sandboxes of this name that may work, the best first; "auto" is every name."""
    is_root = os.geteuid() == 0
    bwrap = shutil.which("bwrap") if sys.platform == "linux" else None
    if name in ("auto", "bubblewrap") and bwrap:
        if is_root:
            root_keeps = (*CAPABILITIES, "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
            yield Sandbox("bubblewrap", "container", root, _bubblewrap(bwrap, root_keeps, False), True)
        yield Sandbox("bubblewrap", "container", root, _bubblewrap(bwrap, CAPABILITIES, True))
        yield Sandbox("bubblewrap", "single-use", root, _bubblewrap(bwrap, (), True))
    if name in ("auto", "user") and is_root and sys.platform == "linux":
        yield Sandbox("user", "user", root, other_user=True)


def _bubblewrap(bwrap: str, capabilities: tuple[str, ...], as_user: bool) -> list[str]:
    """Return bubblewrap's command, but for the course: all is unshared, and there is nothing but what is named here."""
    unshared = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    options = [bwrap, *unshared, "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if as_user:
        options += ["--unshare-user"]  # no other id: bubblewrap would nest a second namespace for it
    for capability in capabilities:
        options += ["--cap-add", capability]
    readable = _readable()
    for path in readable:
        for parent in reversed(Path(path).parents[:-1]):
            options += ["--dir", str(parent)]  # or bubblewrap makes it so that only root may pass
        is_link = os.path.islink(path) and path.startswith(_LIBRARIES)
        options += ["--symlink", os.readlink(path), path] if is_link else _bound(path)
    options += ["--proc", "/proc", *_devices()]
    options += ["--size", str(LIMITS["folder"]), "--perms", "1777", "--tmpfs", PRIVATE]
    under_tmp = any(path.startswith("/tmp/") for path in readable)
    options += ["--dir", "/tmp"] if under_tmp else ["--symlink", PRIVATE, "/tmp"]
    return options


def _readable() -> list[str]:
    """Return what of the machine a student's process can read: the system's libraries, and Python."""
    found: list[str] = []
    for path in (*_libraries(), *SYSTEM, *_python()):
        if os.path.lexists(path) and not any(path == other or path.startswith(f"{other}/") for other in found):
            found.append(path)
    return found


def _libraries() -> Iterator[str]:
    """Yield where the system's libraries lie: no programs, nor other files of programs where a folder holds both."""
    kind = sysconfig.get_config_var("MULTIARCH") or "none"  # Debian has a folder for each kind of processor
    for folder in _LIBRARIES:
        if os.path.isdir(f"{folder}/{kind}") and not os.path.islink(folder):
            yield f"{folder}/{kind}"
            yield from glob.glob(f"{folder}/ld-linux*")
        else:
            yield folder


def _python() -> list[str]:
    """Return where Python lies: whole environments, but of what it shares with a system its own files alone."""
    found = [
        os.path.realpath(sys.executable),
        *map(sysconfig.get_path, ("stdlib", "platstdlib")),
        *site.getsitepackages(),
    ]
    if library := sysconfig.get_config_var("LDLIBRARY"):
        found.append(os.path.join(sysconfig.get_config_var("LIBDIR") or "", library))
    prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    environments = [prefix for prefix in prefixes if prefix not in ("/usr", "/usr/local")]
    return [place for path in (*environments, *found) for place in (path, os.path.realpath(path))]


def _devices() -> list[str]:
    """Return the options for a few harmless devices: --dev has terminals too, and nests a user namespace for them.

    A mapping of /dev/zero would be shared memory that no limit counts.
    """
    options = ["--tmpfs", "/dev", "--dir", "/dev/shm"]
    for name in ("null", "full", "random", "urandom"):
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return [*options, "--remount-ro", "/dev"]


def _course(folder: Path) -> list[str]:
    """Return the options for what is laid out in ``folder``; nothing is added to what can be seen after these."""
    views = {COURSE: "course", CACHE: "compiled", COMPILED: "compiled", FONTS: "fonts"}
    options = [option for place, name in views.items() for option in _bound(str(folder / name), place)]
    return [*options, "--remount-ro", "/", "--chdir", PRIVATE]


def _lay_out(root: Path, folder: Path) -> None:
    """Copy into ``folder`` what a student's code may see of the course, for all to read: the course may be closed.

    "course" is its code: no solution, no test, no definition, no case with its value. Beside it lie "compiled", by
    Numba, and "fonts". Without bubblewrap a job writes to "job", its home, and "cache", where Numba looks.
    """
    compiled = root / "utils" / "engine" / "__pycache__"
    hidden = {compiled, root / "utils" / "exercises" / "cases"}
    hidden |= set(root.glob("utils/lesson_*/exercises"))
    lent = {
        "course/utils": (root / "utils").iterdir(),
        "course/grading": [root / "grading" / name for name in OF_GRADING],
        "compiled": compiled.glob("*"),
        "fonts": font_caches(),
    }
    for place, paths in lent.items():
        _copy(paths, folder / place, hidden)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # whatever the grader's umask is


def _copy(paths: Iterable[Path], place: Path, hidden: Set[Path]) -> None:
    """Copy files, and folders but for what is hidden, into a new one; raises OSError, with its cause, at the first."""
    place.mkdir(parents=True)
    for path in paths:
        if path.is_dir():
            if path not in hidden:
                _copy(path.iterdir(), place / path.name, hidden)
        else:
            with contextlib.suppress(FileNotFoundError):  # Python and Numba replace what they have compiled
                shutil.copy2(path, place)


def _bound(path: str, place: str | None = None) -> list[str]:
    return ["--ro-bind", path, place or path]


def _free_user() -> int:
    """Return an id that no user has, that nothing runs under, and that was not given out lately."""
    running = {os.stat(entry).st_uid for entry in Path("/proc").glob("[0-9]*") if entry.exists()}
    known = {entry.pw_uid for entry in pwd.getpwall()} | running
    with _lock:
        free = [user for user in USERS if user not in known and user not in _given]
        if len(free) < len(USERS) // 2:
            _given.clear()
        _given.add(chosen := random.choice(free))
    return chosen
