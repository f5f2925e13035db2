"""Which sandbox students' code runs in: bubblewrap, another user's id, or none.

A sandbox is a command that starts ``grading.fork_server``, and the isolation in which that runs each job.
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    "cpu": 0,  # comes with each job
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
          "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/nix/store")
# What the fork server needs to make each job's namespaces, to count its memory and to give up all of this.
CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SYS_CHROOT", "CAP_SYS_PTRACE", "CAP_SETPCAP")
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
    def _wrapped(self) -> bool:
        return self.isolation != "user"

    def command(self, folder: Path, command: int, info: int) -> list[str]:
        """Return the command of a fork server; it obeys over one descriptor, and over the other says who it is."""
        views = [*_course(folder), "--info-fd", str(info)] if self._wrapped else []
        python = [sys.executable, "-P", "-s", "-u", f"{self._course_in(folder)}/grading/fork_server.py", str(command)]
        return [*self.prefix, *views, *python]

    def config(self, folder: Path) -> dict[str, Any]:
        """Return what the fork server is told when it starts, and lay out in ``folder`` what it sees of the course."""
        _lay_out(self.root, folder)
        cache = folder / "course" / "utils" / "__pycache__"
        cache.mkdir(0o755) if self._wrapped else cache.symlink_to(folder / "cache")
        return {
            "root": self._course_in(folder),
            "isolation": self.isolation,
            "user": _free_user() if self.other_user else None,
            "limits": LIMITS,
            "folder": str(folder / "job"),
        }

    def _course_in(self, folder: Path) -> str:
        return COURSE if self._wrapped else str(folder / "course")

    def environment(self, folder: Path) -> Mapping[str, str]:
        """Return the fork server's and its jobs' environment."""
        return environment(Path(PRIVATE) if self._wrapped else folder / "job")

    def first_process(self, info: IO[bytes]) -> int | None:
        """Return a handle of the sandbox's first process, None where there is none, or no more."""
        data = b""
        while self._wrapped and b"}" not in data and (more := info.read(4096)):  # its writer must come to its end
            data += more
        try:
            return os.pidfd_open(json.loads(data)["child-pid"])
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
        options += ["--symlink", os.readlink(path), path] if path in SYSTEM and os.path.islink(path) else _bound(path)
    options += ["--proc", "/proc", *_devices()]
    options += ["--size", str(LIMITS["folder"]), "--perms", "1777", "--tmpfs", PRIVATE]
    under_tmp = any(path.startswith("/tmp/") for path in readable)
    options += ["--dir", "/tmp"] if under_tmp else ["--symlink", PRIVATE, "/tmp"]
    return options


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


def _course(folder: Path) -> list[str]:
    """Return the options for what is laid out in ``folder``; nothing is added to what can be seen after these."""
    views = {COURSE: "course", f"{COURSE}/utils/__pycache__": "compiled", COMPILED: "compiled", FONTS: "fonts"}
    options = [option for place, name in views.items() for option in _bound(str(folder / name), place)]
    return [*options, "--remount-ro", "/", "--chdir", PRIVATE]


def _lay_out(root: Path, folder: Path) -> None:
    """Copy into ``folder`` what a student's code may see of the course, for all to read: the course may be closed.

    "course" is its code: no solution, no test, no definition, no case with its value. Beside it lie "compiled", by
    Numba, and "fonts". Without bubblewrap a job writes to "job", its home, and "cache", where Numba looks.
    """
    hidden = {str(root / "utils" / "__pycache__"), str(root / "utils" / "exercises" / "cases")}
    hidden |= {str(path) for path in root.glob("utils/lesson_*/exercises")}
    course = folder / "course"
    shutil.copytree(
        root / "utils", course / "utils",
        ignore=lambda parent, names: [name for name in names if f"{parent}/{name}" in hidden],
    )
    code = [root / "grading" / name for name in OF_GRADING]
    compiled = (path for path in (root / "utils" / "__pycache__").glob("*") if path.is_file())
    for place, paths in {"course/grading": code, "compiled": compiled, "fonts": font_caches()}.items():
        (folder / place).mkdir()
        for path in paths:
            shutil.copy2(path, folder / place)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)  # whatever the grader's umask is


def _bound(path: str, place: str | None = None) -> list[str]:
    return ["--ro-bind", path, place or path]


def _closed_to_others() -> list[str]:
    """Return the folders that keep another user from Python, or from what it is to find among temporary files."""
    needed = [os.path.dirname(sys.executable), sys.prefix, sys.base_prefix, tempfile.gettempdir()]
    folders = {folder for path in needed for lies in (Path(path), Path(path).resolve())
               for folder in (lies, *lies.parents)}
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
           "    os.listdir(os.path.expanduser('~'))\n    return wave.__name__"
    job = Job("00.0", "answer", (), (), (), code, ['{"dict": []}'], 20.0)
    result = runner.run(job, threading.Event())
    if [message.value for message in result.messages.values()] != ['"wave"']:
        problems = [result.reason, result.cell_error, *(message.message for message in result.messages.values())]
        raise SetUpFailed(next(filter(None, problems), "a trial run returned something else"))
