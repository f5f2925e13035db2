"""Which sandbox students' code runs in: bubblewrap, another user's id, or none.

A sandbox is a command that starts ``grading.fork_server``, and a way in which that shuts each job in.
"""

from __future__ import annotations

import json
import os
import pwd
import random
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from grading import GradingError
from grading.protocol import Job, SetUpFailed
from grading.runner import FILE_BYTES, MEMORY_BYTES, Runner, SubprocessRunner, environment, font_caches

NAMES = ("auto", "bubblewrap", "user", "none")
LIMITS = {
    "memory": MEMORY_BYTES,
    "file": FILE_BYTES,
    "folder": 256 * 2**20,
    "descriptors": 256,
    "processes": 64,
    "cpu": 0,  # said with each job
}
COURSE, COMPILED, FONTS, PRIVATE = "/course", "/compiled", "/fonts", "/private"
OF_GRADING = (
    "__init__.py",
    "worker.py",
    "namespaces.py",
    "prefork.py",
    "seccomp.py",
    "cell_source.py",
    "fork_server.py",
)
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/etc/ld.so.cache", "/etc/ld.so.conf",
          "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/nix/store")  # fmt: skip
# What the fork server needs to make each job's namespaces, to count its memory and to give up all of this.
CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SYS_CHROOT", "CAP_SYS_PTRACE", "CAP_SETPCAP")
CAPABILITIES_BY_ROOT = (*CAPABILITIES, "CAP_SETUID", "CAP_SETGID", "CAP_KILL")
USERS = range(61_200, 65_500)
_given: set[int] = set()
_lock = threading.Lock()
NO_SANDBOX = (
    "Students' code could not be shut in ({why}). Install bubblewrap (apt-get install bubblewrap), and see that "
    "user namespaces are allowed; or say --sandbox none for work that you trust as your own."
)

CLOSED = (
    "other users may not enter {folders}, where Python or the folder for temporary files lies: allow it (chmod o+x), "
    "or use a Python and a TMPDIR that lie where everybody may read"
)


@dataclass(frozen=True)
class Sandbox:
    """How a fork server is started and how it shuts its jobs in: ``isolation`` is one of ``grading.fork_server.ISOLATIONS``.

    ``make`` returns the command, but for its last argument; ``other_user`` says whether jobs get another id than
    the grader's, which each fork server has to itself.
    """

    name: str
    isolation: str
    make: Callable[[int], list[str]]
    root: Path
    other_user: bool = False

    @property
    def single_use(self) -> bool:
        """Return whether a fork server can do but one job."""
        return self.isolation == "single-use"

    @property
    def _wrapped(self) -> bool:
        return self.isolation != "user"

    def command(self, talking: int, telling: int) -> list[str]:
        """Return the command of a fork server; it talks over one descriptor, and over the other says who it is."""
        return [*self.make(telling), str(talking)]

    def config(self, folder: Path) -> dict[str, Any]:
        """Return what the fork server is told when it starts; what it needs of ``folder``, its own, is laid out there."""
        user = _free_user() if self.other_user else None
        root = COURSE if self._wrapped else str(_lay_out(self.root, folder))
        return {"root": root, "isolation": self.isolation, "user": user, "limits": LIMITS, "folder": str(folder / "job")}

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Return the fork server's and its jobs' environment."""
        return environment(Path(PRIVATE) if self._wrapped else folder / "job")

    def first_process(self, info: IO[bytes]) -> int | None:
        """Return a handle of the sandbox's first process, None where there is none, or no more."""
        said = b""
        while self._wrapped and b"}" not in said and (more := info.read(4096)):  # its writer must come to its end
            said += more
        try:
            return os.pidfd_open(json.loads(said)["child-pid"])
        except (ValueError, KeyError, OSError):
            return None


def choose(name: str, root: Path) -> tuple[str, Runner]:
    """Return the sandbox's name and a runner for it; raises GradingError where ``name`` cannot be had.

    "auto" is bubblewrap where a trial run works, else another user's id where the grader is root.
    """
    if name == "none":
        return name, SubprocessRunner(root)
    refuse_what_is_lent(root)
    why: list[str] = []
    for sandbox in _candidates(name, root):
        from grading.worker_pool import WorkerPool

        runner = WorkerPool(sandbox)
        try:
            _try(runner)
        except (SetUpFailed, OSError) as error:
            runner.close()
            closed = "" if sandbox.isolation != "user" else ", ".join(_closed_to_others())
            why.append(f"{sandbox.name}: {CLOSED.format(folders=closed) if closed else error}")
            continue
        return sandbox.name, runner
    raise GradingError(NO_SANDBOX.format(why="; ".join(dict.fromkeys(why)) or "bubblewrap was not found"))


def refuse_what_is_lent(*folders: Path) -> None:
    """Raise GradingError where one of these folders lies in what students' code can read: Python, or the system's."""
    for folder in folders:
        for lent in map(Path, _readable()):
            if folder.resolve().is_relative_to(lent.resolve()):
                raise GradingError(
                    f"{folder} lies in {lent}, all of which students' code can read: Python's libraries are there. "
                    "Move one of the two; an environment gets a folder of its own (python -m venv .venv)."
                )


def _candidates(name: str, root: Path) -> Iterator[Sandbox]:
    """Yield what may work, the best first."""
    is_root = os.geteuid() == 0
    bwrap = shutil.which("bwrap") if sys.platform == "linux" else None
    if name in ("auto", "bubblewrap") and bwrap:
        if is_root:
            yield Sandbox("bubblewrap", "container", _bubblewrap(bwrap, root, CAPABILITIES_BY_ROOT, False), root, True)
        yield Sandbox("bubblewrap", "container", _bubblewrap(bwrap, root, CAPABILITIES, True), root)
        yield Sandbox("bubblewrap", "single-use", _bubblewrap(bwrap, root, (), True), root)
    if name in ("auto", "user") and is_root and sys.platform == "linux":
        yield Sandbox("user", "user", lambda telling: _program(root / "grading"), root, True)


def _program(grading: Path | str) -> list[str]:
    return [sys.executable, "-P", "-s", "-u", f"{grading}/fork_server.py"]


def _bubblewrap(bwrap: str, root: Path, capabilities: tuple[str, ...], as_user: bool) -> Callable[[int], list[str]]:
    def command(telling: int) -> list[str]:
        return [bwrap, *_arguments(root, capabilities, as_user), "--info-fd", str(telling), *_program(f"{COURSE}/grading")]

    return command


def _arguments(root: Path, capabilities: tuple[str, ...], as_user: bool) -> list[str]:
    """Return bubblewrap's options: everything is unshared, and there is nothing but what is named here."""
    unshared = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    options = [*unshared, "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if as_user:
        options += ["--unshare-user"]  # no other id: bubblewrap would nest a second namespace for it
    for capability in capabilities:
        options += ["--cap-add", capability]
    readable = _readable()
    for path in readable:
        for parent in reversed(Path(path).parents[:-1]):
            options += ["--dir", str(parent)]  # or bubblewrap makes it so that only root may pass
        options += ["--symlink", os.readlink(path), path] if path in SYSTEM and os.path.islink(path) else _bound(path)
    options += ["--proc", "/proc", *_devices()]
    options += ["--size", str(LIMITS["folder"]), "--perms", "1777", "--tmpfs", PRIVATE]
    under_tmp = any(path.startswith("/tmp/") for path in readable)
    options += ["--dir", "/tmp"] if under_tmp else ["--symlink", PRIVATE, "/tmp"]
    return [*options, *_course(root), *_fonts(), "--remount-ro", "/", "--chdir", PRIVATE]


def _readable() -> list[str]:
    """Return what of the machine a student's process can read: the system's libraries, and Python."""
    found = [path for path in SYSTEM if os.path.lexists(path)]
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    for path in (path for prefix in python for path in (prefix, os.path.realpath(prefix))):
        if not any(path == other or path.startswith(f"{other}/") for other in found):
            found.append(path)
    return found


def _devices() -> list[str]:
    """Return the options for a few harmless devices: --dev has terminals too, and nests a user namespace for them.

    A mapping of /dev/zero would be shared memory that no limit counts.
    """
    options = ["--tmpfs", "/dev", "--dir", "/dev/shm"]
    for name in ("null", "full", "random", "urandom"):
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return [*options, "--remount-ro", "/dev"]


def _course(root: Path) -> list[str]:
    """Return the options for the course's own code: no solution, no test, no definition, no case with its value."""
    options = ["--dir", COURSE, *_bound(str(root / "utils"), f"{COURSE}/utils"), "--dir", f"{COURSE}/grading"]
    for folder in _hidden(root):
        hidden = f"{COURSE}/{folder.relative_to(root)}"
        options += ["--tmpfs", hidden, "--remount-ro", hidden]
    compiled = root / "utils" / "__pycache__"
    if compiled.is_dir():
        options += _bound(str(compiled), COMPILED)
    for name in OF_GRADING:
        options += _bound(str(root / "grading" / name), f"{COURSE}/grading/{name}")
    return options


def _hidden(root: Path) -> list[Path]:
    """Return the folders of utils that hold what judges an answer: cases, and the exercises' definitions."""
    folders = [root / "utils" / "exercises" / "cases", *root.glob("utils/lesson_*/exercises")]
    return sorted(folder for folder in folders if folder.is_dir())


def _lay_out(root: Path, folder: Path) -> Path:
    """Return a copy of what bubblewrap shows of the course, for all to read: the course itself may be closed to others.

    Beside it lie "compiled", by Numba, and "fonts"; a job writes to "job", its home, and "cache", where Numba looks.
    """
    course = folder / "course"
    hidden = {str(folder) for folder in _hidden(root)}
    shutil.copytree(
        root / "utils", course / "utils",
        ignore=lambda folder, names: [n for n in names if n == "__pycache__" or f"{folder}/{n}" in hidden],
    )  # fmt: skip
    code = [root / "grading" / name for name in OF_GRADING]
    compiled = (path for path in (root / "utils" / "__pycache__").glob("*") if path.is_file())
    for place, paths in {"course/grading": code, "compiled": compiled, "fonts": font_caches()}.items():
        (folder / place).mkdir()
        for path in paths:
            shutil.copy2(path, folder / place)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # whatever the grader's umask is
    (course / "utils" / "__pycache__").symlink_to(folder / "cache")
    return course


@cache
def _fonts() -> list[str]:
    options = ["--dir", FONTS]
    for path in font_caches():
        options += _bound(str(path), f"{FONTS}/{path.name}")
    return options


def _bound(path: str, place: str | None = None) -> list[str]:
    return ["--ro-bind", path, place or path]


def _closed_to_others() -> list[str]:
    """Return the folders that keep another user from Python, or from what it is to find among temporary files."""
    needed = [os.path.dirname(sys.executable), sys.prefix, sys.base_prefix, tempfile.gettempdir()]
    folders = {folder for path in needed for lies in (Path(path), Path(path).resolve())
               for folder in (lies, *lies.parents)}  # fmt: skip
    return sorted(str(folder) for folder in folders if not folder.stat().st_mode & stat.S_IXOTH)


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


def _try(runner: Runner) -> None:
    """Run a job whose answer looks for the course, its home and Python's library; raises SetUpFailed where it fails."""
    code = "def answer():\n    import os, utils.exercises.checking, wave\n    open(utils.__file__).close()\n" \
           "    os.listdir(os.path.expanduser('~'))\n    return wave.__name__"  # fmt: skip
    job = Job("00.0", "answer", (), (), (), code, ['{"dict": []}'], 20.0)
    run = runner.run(job, threading.Event())
    if [said.value for said in run.messages.values()] != ['"wave"']:
        said = [run.reason, run.cell_error, *(said.message for said in run.messages.values())]
        raise SetUpFailed(next(filter(None, said), "a trial run returned something else"))
