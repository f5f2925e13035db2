"""The sandbox: for each thing that it keeps from a student's code, an attack that tries it from inside a job."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import mmap
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy
import pytest

from grading import GradingError, sandbox, sandbox_selection, seccomp, worker_pool
from grading.fork_server import _statistics, excess
from grading.protocol import SetUpFailed
from grading.runner import SubprocessRunner, font_caches
from grading.sandbox_selection import choose, try_out
from grading.worker_pool import WorkerPool
from tests.grading.helpers import ROOT, children, command, hand_in, notebook, run, skip_outside_ci, value, wait_for
from tests.grading.helpers import SET_UP as SET_UP_90
from tests.grading.other_users import closed_python, opening, with_mounts
from utils.exercises import serialization

TORCH = """
import torch
def f():
    torch.ones(3, 3) @ torch.ones(3, 3)
    return torch.backends.cpu.get_cpu_capability()
"""
MARKER = f"a-daemon-that-outlives-its-turn-{os.getpid()}"
DAEMON = f"""
import contextlib, os, subprocess, sys
def f():
    receiving, sending = os.pipe()  # of which nobody has an end once the daemon is at work
    if os.fork() == 0:
        with contextlib.suppress(PermissionError):
            os.setsid()
        if os.fork() == 0:
            code = "import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN); time.sleep(60)  # {MARKER}"
            os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", code])
        os._exit(0)
    os.close(sending)
    os.read(receiving, 1)
    return 1
"""


def sandboxes() -> dict[str, sandbox.Sandbox]:
    """Return bubblewrap's sandboxes by what sets them apart."""
    found = sandbox.candidates("bubblewrap", ROOT)
    return {"users" if one.other_user else one.isolation: one for one in found}


@pytest.fixture(scope="module", params=["users", "container", pytest.param("single-use", marks=pytest.mark.slow)])
def runner(request, tmp_path_factory) -> Iterator[WorkerPool]:
    """A runner for each way that jobs are shut in: other ids (for root), namespaces alone, one sandbox a job."""
    there = sandboxes()
    if request.param == "users" and os.geteuid() != 0:
        pytest.skip("only root can give a job another user's id")
    if request.param not in there:
        skip_outside_ci("bubblewrap is not installed")
    made = there[request.param]
    if made.other_user:
        before = opening(tmp_path_factory.mktemp("stage"), closed_python())
        made = dataclasses.replace(made, prefix=[*before, *made.prefix])
    made = WorkerPool(made)
    try:
        try_out(made)
    except SetUpFailed as error:
        skip_outside_ci(f"no bubblewrap sandbox here: {error}")
    yield made
    made.close()


def attempts(*lines: str) -> str:
    """Return an answer that tries each line, and returns those that went through."""
    return (
        "import ctypes, os, signal, socket, subprocess\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "def must(result):\n    if result < 0: raise OSError(ctypes.get_errno(), 'refused')\n"
        f"def f():\n    went = []\n    for line in {lines!r}:\n        try:\n            exec(line, globals())\n"
        "        except OSError:\n            continue\n        went.append(line)\n    return went\n"
    )


CHILD = "child = os.fork()\nif child == 0:\n    try: os.setsid()"


def test_no_socket_is_made_and_no_session(runner):
    """A socket's buffers count as nobody's memory, and a session of its own would have its own share of the time."""
    code = attempts(
        "socket.socket(socket.AF_INET)",
        "socket.socket(socket.AF_INET6)",
        "socket.socket(socket.AF_UNIX)",
        "socket.socketpair()",
        f"{CHILD}\n    except OSError: os._exit(1)\n    os._exit(0)\nif os.waitpid(child, 0)[1]: raise OSError",
        "os.pipe()",
    )
    assert value(runner, code) == ["os.pipe()"]


def test_a_python_that_lies_around_the_course_is_refused(monkeypatch, tmp_path):
    """As ``python -m venv .`` makes it: lending it would lend the solutions, and the marks."""
    for prefix, folder in ((ROOT, ROOT), (ROOT.parent, ROOT), (tmp_path, tmp_path / "marks")):
        monkeypatch.setattr(sys, "prefix", str(prefix))
        with pytest.raises(GradingError, match=f"{folder} lies in {prefix}. Students' code can read all of that"):
            sandbox.refuse_what_is_lent(folder)
    monkeypatch.setattr(sys, "prefix", str(ROOT / ".venv"))
    sandbox.refuse_what_is_lent(ROOT, tmp_path)
    monkeypatch.setattr(sys, "prefix", str(ROOT))
    with pytest.raises(GradingError, match="give the environment a folder of its own"):
        choose("auto", ROOT)


def processes_with(marker: str) -> list[int]:
    """Return this machine's processes that were started with the marker in their command."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_the_files_it_sees(runner, tmp_path):
    """Nothing of the grader's, and of the course only its code."""
    (tmp_path / "marks").mkdir()
    hidden = [ROOT / name for name in ("solutions", "tests", "notebooks", "README.md", ".git", "grading/gradebook.py")]
    hidden += [tmp_path, Path.home() / ".bashrc", Path("/etc/passwd"), Path("/etc/shadow"), Path("/sys"), Path("/run")]
    code = (
        "import os\ndef f():\n"
        f"    seen = [path for path in {list(map(str, hidden))!r} if os.path.exists(path)]\n"
        "    top = sorted(os.listdir('/course')), sorted(os.listdir('/course/grading'))\n"
        "    hidden = ['/course/utils/exercises/cases', '/course/utils/lesson_01/exercises']\n"
        "    held = [name for folder in hidden if os.path.exists(folder) for name in os.listdir(folder)]\n"
        "    return [seen, *top, held, os.listdir('.'), os.path.exists('/course/utils/lesson_01/rings.py')]"
    )
    seen, course, grading, held, private, measures = value(runner, code)
    assert seen == [] and course == ["grading", "utils"] and held == [] and measures
    assert "gradebook.py" not in grading and "marking.py" not in grading
    assert all(name.startswith("fontlist") for name in private)


def test_the_rest_of_the_machine_is_the_system_and_python(runner):
    code = "import os\ndef f():\n    return sorted(os.listdir('/')), sorted(os.listdir('/dev')), os.listdir('/etc')"
    top, devices, etc = value(runner, code)
    pythons = {part.split("/")[1] for part in sandbox._readable()}
    assert set(top) <= {"compiled", "course", "dev", "etc", "fonts", "private", "proc", "tmp", *pythons}
    assert devices == ["full", "null", "random", "shm", "urandom"]
    assert set(etc) <= {"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime"}


def test_of_the_system_there_are_libraries_and_no_programs(runner):
    """Each file more is a place more in which a job could leave a trace, in the cache of the disk, for a later one."""
    programs = ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/include", "/usr/share/doc", "/usr/lib/git-core"]
    seen = value(runner, f"import os\ndef f(): return [path for path in {programs} if os.path.exists(path)]")
    assert set(seen) <= ({"/usr/bin"} if sys.base_prefix == "/usr" else set())


CACHED = [
    "fd = os.open(os.__file__, os.O_RDONLY)\nos.read(fd, 1)\nos.preadv(fd, [bytearray(1)], 0, 8)",  # RWF_NOWAIT
    "fd = os.open(os.__file__, os.O_RDONLY)\nos.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)",
    "fd = os.open(os.__file__, os.O_RDONLY)\nmust(libc.readahead(fd, ctypes.c_long(0), ctypes.c_size_t(4096)))",
    "import mmap\nfd = os.open(os.__file__, os.O_RDONLY)\n"
    "libc.mmap.restype = ctypes.c_void_p\nat = ctypes.c_void_p(libc.mmap(None, 4096, 1, 2, fd, ctypes.c_long(0)))\n"
    "must(libc.mincore(at, ctypes.c_size_t(4096), (ctypes.c_ubyte * 1)()))",
    "must(libc.syscall(451, os.open(os.__file__, os.O_RDONLY), (ctypes.c_ulong * 2)(0, 0), (ctypes.c_ulong * 5)(), 0))",
    "must(libc.syscall(206 if os.uname().machine == 'x86_64' else 0, 1, ctypes.byref(ctypes.c_ulong())))",
]


def test_no_call_tells_what_is_in_the_cache_of_the_disk(runner):
    """Outside, some of them do; cachestat came late to Linux."""
    names: dict[str, Callable] = {}
    exec(attempts(*CACHED), names)
    assert [*CACHED[:4], CACHED[5]] == [line for line in names["f"]() if line != CACHED[4]]
    assert value(runner, attempts(*CACHED)) == []


@pytest.mark.slow
def test_torch_computes_to_the_last_digit_what_it_computes_outside(best):
    code = """def f():
    torch.manual_seed(0)
    x, model = torch.randn(200, 2), torch.nn.Sequential(torch.nn.Linear(2, 33), torch.nn.Tanh(), torch.nn.Linear(33, 1))
    optimiser, losses = torch.optim.Adam(model.parameters(), lr=0.01), []
    for _ in range(50):
        optimiser.zero_grad()
        losses.append((model(x) - x[:, :1].sin()).square().mean())
        losses[-1].backward()
        optimiser.step()
    return [loss.item() for loss in losses]"""
    set_up = ("import torch",)
    here, outside = value(best, code, set_up=set_up), value(SubprocessRunner(ROOT), code, set_up=set_up)
    assert len(here) == 50 and here == outside


def test_the_environment_is_clean(runner, monkeypatch):
    monkeypatch.setenv("A_SECRET_OF_THE_GRADER", "hush")
    with contextlib.closing(WorkerPool(runner._sandbox)) as begun_with_it:
        seen = value(begun_with_it, "import os\ndef f(): return dict(os.environ)")
    assert "hush" not in str(seen) and str(ROOT) not in str(seen)


def test_what_a_sandbox_is_tried_out_with_goes_on_with_the_set_up(best):
    """And where the set-up fails, no sandbox is to blame: that is told to each job."""
    code = "def f(): return HALF"
    with contextlib.closing(choose("bubblewrap", ROOT, ["HALF = 0.5"])[1]) as runner:
        (server,) = runner._idle
        assert value(runner, code, set_up=["HALF = 0.5"]) == 0.5 and runner._idle == [server]
    with contextlib.closing(choose("bubblewrap", ROOT, ["1 / 0"])[1]) as runner:
        with pytest.raises(SetUpFailed, match="ZeroDivisionError"):
            run(runner, code, set_up=["1 / 0"])


def fonts_read_under_a_closed_umask(runner: WorkerPool) -> bool:
    """Return whether jobs read matplotlib's list of fonts where what the grader makes is closed to others."""
    code = "from pathlib import Path\ndef f(): return [path.read_text() for path in sorted(Path().glob('fontlist*'))]"
    before = os.umask(0o077)
    try:
        with contextlib.closing(WorkerPool(runner._sandbox)) as begun_with_it:
            found = value(begun_with_it, code)
    finally:
        os.umask(before)
    return found == [path.read_text() for path in font_caches()] != []


def test_the_graders_umask_closes_nothing(runner):
    assert fonts_read_under_a_closed_umask(runner)


def test_it_writes_nowhere_but_in_its_private_folder(runner):
    places = [
        "/",
        "/course",
        "/course/utils",
        "/course/grading",
        "/usr",
        "/usr/lib",
        "/dev",
        "/etc",
        "/fonts",
        "/proc",
        os.path.dirname(os.__file__),
    ]
    lines = [f"open({place!r} + '/mine', 'w')" for place in places]
    lines += ["open('/course/grading/worker.py', 'a')", "os.chmod('/course/utils/__init__.py', 0o777)"]
    assert value(runner, attempts(*lines)) == []
    assert value(runner, attempts("open('/tmp/mine', 'w')", "open('mine', 'w')")) != []


def test_nothing_is_left_for_the_next_student(runner):
    """Neither files nor names nor a patched module, nor the code itself in the memory that is inherited."""
    trace = "tr" + "ace-of-" + "ann"
    ann = (
        f"import builtins, math, os, tempfile\nbuiltins.left = 1\nmath.pi = 3\nNAME = {trace!r}\n"
        "for folder in {'/tmp', '/dev/shm', tempfile.gettempdir()}:\n"
        "    if os.access(folder, os.W_OK): open(folder + '/left', 'w').close()\n"
        "def f(): return NAME, os.path.exists(tempfile.gettempdir() + '/left')"
    )
    assert value(runner, ann) == [trace, True]
    bob = (
        "import builtins, gc, math, os, tempfile\ndef f():\n    word = '-'.join(['tra' + 'ce', 'of', 'ann'])\n"
        "    texts = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple)) and len(o) < 1000]\n"
        "    found = [1 for o in texts for p in (o.values() if isinstance(o, dict) else o)\n"
        "             if type(p) in (str, bytes) and (word in p if type(p) is str else word.encode() in p)]\n"
        "    folders = {'/tmp', '/dev/shm', tempfile.gettempdir()}\n"
        "    left = [folder for folder in folders if 'left' in os.listdir(folder)]\n"
        "    return len(found), hasattr(builtins, 'left'), math.pi, left"
    )
    assert value(runner, bob) == [0, False, pytest.approx(3.14159, abs=1e-4), []]


def test_it_sees_and_signals_no_other_process(runner, request):
    """It may kill whatever it can name: that is itself, and its own (and a sandbox that is thrown away after it)."""
    if request.node.callspec.params["runner"] == "single-use":
        came = run(runner, "import os\ndef f(): os.kill(os.getppid(), 9)")
        assert (came.ended, came.reason) == ("crashed", "ended the sandbox in which it ran")
        return
    bystander = os.getpid()
    lines = [f"os.kill({bystander}, 9)", f"os.kill({os.getppid()}, 9)", "os.killpg(1, 9)"]
    lines += [f"os.listdir('/proc/{bystander}')", "os.stat('/proc/1/root/etc')", "open('/proc/1/environ')"]
    lines += ["os.readlink('/proc/self/exe')", "open('/proc/sys/kernel/hostname', 'w')"]
    lines += ["os.kill(1, 9); os.kill(1, 2); must(-1)"]  # its init, which neither that nor Ctrl-C ends
    assert value(runner, attempts(*lines)) == []
    assert value(runner, attempts("os.kill(-1, 0)", "os.kill(os.getpid() + 1, 0)")) == []


def test_killing_everything_kills_only_itself(best):
    came = run(best, "import os\ndef f():\n    try: os.kill(-1, 9)\n    except OSError: pass\n    return 5")
    assert serialization.loads(came.messages[0].value) == 5
    assert value(best, "def f(): return 6") == 6


def test_it_has_no_privileges_and_gets_none(runner):
    lines = [
        "must(libc.ptrace(16, os.getppid() or 1, 0, 0))",
        "must(libc.ptrace(16, 1, 0, 0))",
        "must(libc.mount(b'tmpfs', b'/private', b'tmpfs', 0, None))",
        "must(libc.umount2(b'/proc', 2))",
        "must(libc.umount2(b'/private', 2))",
        "must(libc.unshare(0x10000000))",
        "must(libc.unshare(0x00020000))",
        "must(libc.chroot(b'/private'))",
        "must(libc.syscall(56, 0x10000011, 0, 0, 0, 0)) if os.uname().machine == 'x86_64' else must(-1)",
        "must(libc.memfd_create(b'x', 0))",
        "must(libc.shmget(0, 1 << 20, 0o1600))",
        "os.setuid(0) if os.getuid() else must(-1)",
        "os.setgroups([0])",
        "os.mknod('disk', 0o60600, os.makedev(254, 0))",
        "os.nice(-5)",
        "os.open('/proc/sysrq-trigger', os.O_WRONLY)",
    ]
    assert value(runner, attempts(*lines)) == []
    code = "import ctypes\ndef f(): return ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)"  # PR_GET_NO_NEW_PRIVS
    assert value(runner, code) == 1
    capabilities = (
        "import ctypes\ndef f():\n    head, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()\n"
        "    return ctypes.CDLL(None).capget(head, data), list(data)"
    )
    assert value(runner, capabilities) == [0, [0] * 6]


def test_it_has_four_open_files(runner):
    code = (
        "import os\ndef f():\n    found = []\n    for n in range(5000):\n        try: os.fstat(n)\n"
        "        except OSError: continue\n        found.append(n)\n    return found"
    )
    assert len(value(runner, code)) == 4  # input, output, error, the channel


def test_its_folder_and_its_files_have_a_size(runner):
    one = "def f():\n    try: open('large', 'wb').write(bytes(200 << 20))\n    except OSError as e: return e.errno"
    assert value(runner, one) == errno.EFBIG
    many = (
        "def f():\n    for n in range(100):\n        try: open(f'{n}', 'wb').write(bytes(8 << 20))\n"
        "        except OSError as e: return n, e.errno"
    )
    files, error = value(runner, many)
    assert error == errno.ENOSPC and 20 <= files <= 32
    assert value(runner, "import os\ndef f(): return [n for n in os.listdir('/tmp') if n.isdigit()]") == []


def test_memory_ends_with_an_error_of_its_own(runner):
    came = run(runner, "def f(): return len(bytes(20 << 30))")
    assert came.ended == "done" and "MemoryError" in came.messages[0].message


HOARDERS = {
    "processes": "import os, time\ndef f():\n    for n in range(12):\n        if os.fork() == 0:\n"
    "            kept = b'x' * (150 << 20)\n            time.sleep(30)\n    time.sleep(30)",
    # Resident nowhere: pages of zeros, each so far from the next that the kernel needs two more to find it.
    "tables": (
        "import ctypes, os, time\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\ndef f():\n"
        "    for n in range(12):\n        if os.fork() == 0:\n            for far in range(20_000):\n"
        "                at = libc.mmap(ctypes.c_void_p((1 << 40) + (far << 30)), 4096, 1, 0x100022, -1, 0)\n"
        "                ctypes.c_char.from_address(at).value\n            time.sleep(30)\n    time.sleep(30)"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("hoarder", HOARDERS)
def test_all_processes_of_a_job_together_have_a_limit_of_memory(hoarder, monkeypatch):
    monkeypatch.setitem(sandbox.LIMITS, "memory", 2**30)
    made = next(iter(sandboxes().values()), None) or skip_outside_ci("bubblewrap is not installed")
    runner = WorkerPool(made)
    try:
        came = run(runner, HOARDERS[hoarder])
        assert came.ended == "crashed" and came.reason == "took more than 1024 MB of memory and was stopped", came
        assert value(runner, "def f(): return 1") == 1
    finally:
        runner.close()


def test_memory_that_is_mapped_counts_although_nobody_has_a_page_of_it():
    """It may have been filled by a process that has gone."""
    child = os.fork()
    if child == 0:
        kept = mmap.mmap(-1, 2**28)
        time.sleep(600 + len(kept[:0]))
        os._exit(0)
    limits = {"processes": 1, "memory": 2**27, "cpu": 10}
    try:
        wait_for(lambda: excess([child], limits))
        found = excess([child], limits)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert found == "took more than 128 MB of memory"


def test_no_memory_is_held_that_nobody_maps(runner):
    """Shared memory that is no file's, and huge pages of which a pipe has a part: no limit counts them."""
    private = "import mmap; mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)"
    code = attempts(
        "import mmap; mmap.mmap(-1, 4096)",
        "import mmap; mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)",
        "must(libc.vmsplice(os.pipe()[1], (ctypes.c_size_t * 2)(id(libc), 8), 1, 0))",
        private,
    )
    assert value(runner, code) == [private]


WITHHELD = ("utils.constructions.relu_interpolant",)
AROUND = {
    "copy": "import types\nuse = types.FunctionType(lent.relu_interpolant.__code__, vars(lent))",
    "kept code": "code = lent.relu_interpolant.__code__\n"
    "def use(*points):\n    lent.relu_interpolant.__code__ = code\n    return lent.relu_interpolant(*points)",
    "no guard": "import contextlib, utils.exercises.call_answer as running\n"
    "running.withholding = lambda names: contextlib.nullcontext()\nuse = lent.relu_interpolant",
    "forgotten": "import utils.withholding as lists\nlists._withholdable.clear()\nuse = lent.relu_interpolant",
    "second module": "from importlib import util\nspec = util.spec_from_file_location('mine', lent.__file__)\n"
    "mine = util.module_from_spec(spec)\nspec.loader.exec_module(mine)\nuse = mine.relu_interpolant",
    "read again": "import importlib, sys\ndef use(*points):\n    sys.modules.pop('utils.constructions')\n"
    "    return importlib.import_module('utils.constructions').relu_interpolant(*points)",
}


@pytest.mark.parametrize("way", AROUND)
def test_what_is_withheld_is_withheld_from_the_cell_too(best, way):
    code = f"import utils.constructions as lent\n{AROUND[way]}\ndef f(): return use([0, 1], [0, 1])"
    came = run(best, code, without=WITHHELD)
    assert "Withheld" in came.messages[0].message and came.messages[0].value == "null", came
    assert run(best, code).messages[0].kind == "value"


def test_a_cell_that_compares_with_what_is_withheld_defines_its_answer_all_the_same(best):
    code = "from utils.constructions import relu_interpolant\nrelu_interpolant([0, 1], [0, 1])\ndef f(): return 3"
    came = run(best, code, without=WITHHELD)
    assert "Withheld" in came.cell_error and came.messages[0].value == "3", came


HARMLESS = {
    "display": "display(3)",
    "an await": "import asyncio\nawait asyncio.sleep(0)",
    "an await that needs a loop": "import asyncio\nawait asyncio.sleep(0.1)",
    "a shell that is imported": "from IPython import get_ipython\nget_ipython().run_line_magic('pylab', 'inline')",
    "a file of one's own": "import pandas as pd\nmine = pd.read_csv('mine.csv')",
    "a package that is not here": "import not_here",
    "data of another cell": "data[0]",
}


@pytest.mark.parametrize("line", HARMLESS.values(), ids=HARMLESS)
def test_what_stands_above_the_answer_in_its_cell_does_no_harm(best, line):
    came = run(best, f"{line}\n\ndef f():\n    display(2)\n    return 3")
    assert came.defined and came.messages[0].value == "3", came


def test_an_answer_that_a_cell_above_defines_is_none(best):
    came = run(best, "1 / 0\n\ndef g(): return 3", earlier=["def f(): return 3"])
    assert not came.defined and "ZeroDivisionError" in came.cell_error


def test_everything_that_it_started_is_dead(runner):
    assert value(runner, DAEMON) == 1
    assert processes_with(MARKER) == []


def test_daemons_are_found_where_they_live_on():
    """The same code without a sandbox: its daemon does outlive it, so the test above sees something."""
    run(SubprocessRunner(ROOT), DAEMON)
    wait_for(lambda: processes_with(MARKER))
    found = processes_with(MARKER)
    for process in found:
        os.kill(process, signal.SIGKILL)
    assert found


def test_a_fork_bomb_ends(runner):
    code = "import os\ndef f():\n    while True:\n        try: os.fork()\n        except OSError: pass"
    came = run(runner, code, seconds=1.0)
    assert came.ended in ("timeout", "crashed")
    assert value(runner, "def f(): return 2") == 2
    assert len(below(os.getpid())) < 30


def below(process: int) -> list[int]:
    """Return the processes that this one and those below it have started and that are still there."""
    return [one for child in children(process) for one in (child, *below(child))]


SET_UP = ("# set-up\nimport numpy as np\nrng = np.random.default_rng(3)\nstate = []",)


def test_the_set_up_is_loaded_once_and_each_job_finds_it_untouched(best):
    code = (
        "import random\nstate.append(1)\ndef f(): return state, float(rng.random()), random.random(), np.random.rand()"
    )
    first, second = (value(best, code, set_up=SET_UP) for _ in range(2))
    plain_process = serialization.loads(run(SubprocessRunner(ROOT), code, set_up=SET_UP).messages[0].value)
    assert first == second == plain_process and first[0] == [1]


THREAD = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
PARALLEL = "import torch\ntorch.set_num_threads(2)\ntorch.ones(10**6).exp()"


@pytest.mark.parametrize(
    ("cell", "whose"),
    [(THREAD, "Thread-1"), pytest.param(PARALLEL, "not of Python", marks=pytest.mark.slow)],
    ids=["thread", "parallel"],
)
def test_a_set_up_that_leaves_threads_cannot_be_forked(best, cell, whose):
    """A region of OpenMP that has run in parallel leaves them, too."""
    with pytest.raises(SetUpFailed, match=rf"left threads running \({whose}"):
        run(best, "def f(): return 1", set_up=[cell])


@pytest.mark.slow
def test_a_fork_server_that_dies_is_replaced(best, monkeypatch):
    """While it waits, and once a job has begun, which then has a second try."""
    assert value(best, "def f(): return 1") == 1
    worker_pool.end_sandbox(best._idle[-1]._starter)
    assert value(best, "def f(): return 2") == 2
    server = best._idle[-1]
    monkeypatch.setattr(server, "_say_begun", lambda: worker_pool.end_sandbox(server._starter))
    assert value(best, "import time\ndef f():\n    time.sleep(1)\n    return 3") == 3
    assert best._idle[-1] is not server


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_marking_that_is_killed(course, best, how, tmp_path):
    """Neither the fork servers nor the job: the whole command ends at any moment, kill -9 included."""
    forever = notebook(SET_UP_90, "# exercise 90.1\nimport time\ndef double(x): time.sleep(300)")
    submissions = hand_in(tmp_path / "in", {"ann": forever})
    (temporary := tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    arguments = command(submissions, "--out", tmp_path / "out", "--sandbox", "bubblewrap")
    process = subprocess.Popen(arguments, cwd=course, env=environment, stderr=subprocess.DEVNULL, **listening)
    try:
        wait_for(lambda: len(processes_with(str(temporary))) >= 2)  # bubblewrap's own, in and out of it
        time.sleep(1)
        process.send_signal(how)
        process.wait(120)
        wait_for(lambda: not processes_with(str(temporary)))
    finally:
        process.kill()


def test_neither_descriptors_nor_memory_nor_folders_pile_up(best, tmp_path, monkeypatch):
    value(best, "def f(): return 1")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    server, descriptors = best._idle[-1], len(os.listdir("/proc/self/fd"))
    resident = [resident_after_a_job(best, server) for _ in range(40)]
    assert best._idle[-1] is server
    assert len(os.listdir("/proc/self/fd")) == descriptors and list(tmp_path.iterdir()) == []
    assert resident[-1] < resident[3] + 2**20


def resident_after_a_job(runner: WorkerPool, server: worker_pool.ForkServerClient) -> int:
    """Return how much memory the server, the largest of its sandbox, has after one more job."""
    value(runner, "kept = b'x' * 10**7\ndef f(): return 1")
    return max(_statistics(process)[1] for process in below(server._starter.pid))


def test_a_fork_server_that_is_closed_leaves_neither_a_process_nor_a_folder(best):
    value(best, "def f(): return 1")
    server = best._idle.pop()
    assert len(sandboxed := below(server._starter.pid)) >= 2
    server.close()
    assert not server._folder.path.exists()
    wait_for(lambda: not any(os.path.exists(f"/proc/{one}") for one in sandboxed))  # the kernel takes its time


def test_where_nothing_is_possible_marking_refuses(monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    monkeypatch.setattr(sandbox.os, "geteuid", lambda: 1000)
    missing = "bubblewrap was not found"
    for name, why in {"auto": missing, "bubblewrap": missing, "user": "only root can run it as another user"}.items():
        with pytest.raises(GradingError, match=f"{why}.*apt-get install bubblewrap.*--sandbox none"):
            choose(name, ROOT)
    assert choose("none", ROOT)[0] == "none"


@pytest.mark.slow
def test_a_sandbox_that_cannot_be_started_is_named(monkeypatch, tmp_path):
    (broken := tmp_path / "bwrap").write_text("no program")
    broken.chmod(0o700)
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: str(broken))
    with pytest.raises(GradingError, match=r"bubblewrap: it could not be started \(.*format.*Install bubblewrap"):
        choose("bubblewrap", ROOT)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES])
def test_what_keeps_the_grader_from_writing_is_no_sandboxs_fault(monkeypatch, code):
    """Another sandbox would fail for the same reason, and installing one would not help."""

    def refused(file, folder):
        raise OSError(code, os.strerror(code), str(folder))

    one = sandbox.Sandbox("bubblewrap", "container", ROOT)
    monkeypatch.setattr(sandbox_selection, "candidates", lambda name, root: [one])
    monkeypatch.setattr(sandbox.shutil, "copy2", refused)
    with pytest.raises(OSError) as raised:
        choose("auto", ROOT)
    assert raised.value.errno == code


@pytest.fixture(scope="module")
def sandbox_of_users(tmp_path_factory) -> sandbox.Sandbox:
    before = opening(tmp_path_factory.mktemp("stage"))
    (made,) = sandbox.candidates("user", ROOT)
    return dataclasses.replace(made, prefix=before)


@pytest.fixture(scope="module")
def as_user(sandbox_of_users) -> Iterator[WorkerPool]:
    runner = WorkerPool(sandbox_of_users)
    try_out(runner)
    yield runner
    runner.close()


def test_another_user_without_namespaces(as_user, tmp_path):
    os.chmod(tmp_path, 0o700)
    (tmp_path / "marks").write_text("hush")
    lines = [f"open('{tmp_path}/marks')", f"os.kill({os.getpid()}, 9)", "open('/etc/shadow')", "os.setuid(0)"]
    assert value(as_user, attempts(*lines)) == []
    assert value(as_user, DAEMON) == 1 and processes_with(MARKER) == []
    came = run(
        as_user,
        "import os\ndef f():\n    while True:\n        try: os.fork()\n        except OSError: pass",
        seconds=1.0,
    )
    assert came.ended in ("timeout", "crashed")
    assert value(as_user, "def f(): return 2") == 2


def test_another_user_leaves_nothing_in_folders_of_everybodys_within_shared_ones(as_user):
    """Such as /tmp/.X11-unix, from where a secret case would reach the next job's page."""
    with tempfile.TemporaryDirectory(dir="/tmp") as shared:
        os.chmod(shared, 0o1777)
        leaving = f"import os\ndef f():\n    os.makedirs('{shared}/mine/deep')\n    return os.listdir('{shared}')"
        assert value(as_user, leaving) == ["mine"]
        assert os.listdir(shared) == []


WITH_A_HOME = """
import os, tempfile
from pathlib import Path
import matplotlib.pyplot as plt, utils.engine
CACHE = Path(utils.engine.__file__).with_name("__pycache__")
def f():
    before = sorted(os.listdir()), sorted(os.listdir(CACHE))
    plt.plot([1, 2])
    plt.gcf().canvas.draw()
    places = {tempfile.gettempdir(), os.getcwd(), os.path.expanduser("~"), os.path.realpath(".")}
    for place in (*places, CACHE):
        Path(place, "left").write_text("x")
    return *before, len(places)
"""


@pytest.mark.slow
@pytest.mark.parametrize("set_up", [(), ("# set-up\nimport matplotlib.pyplot",)], ids=["bare", "loaded"])
def test_another_user_has_a_home_that_is_new_for_each_job(sandbox_of_users, set_up):
    """With the list of fonts and what Numba has compiled: without, each job would be at that for seconds."""
    known = {path.name for path in (ROOT / "utils" / "engine" / "__pycache__").glob("*.nb[ci]")}
    with contextlib.closing(WorkerPool(sandbox_of_users)) as as_user:  # other tests may compile more meanwhile
        first = run(as_user, WITH_A_HOME, set_up=set_up)
        home, compiled, places = serialization.loads(first.messages[0].value)
        assert first.output == "" and places == 1
        assert home == sorted(path.name for path in font_caches())
        assert set(compiled) >= known and "left" not in compiled
        assert value(as_user, WITH_A_HOME, set_up=set_up)[0] == home


@pytest.mark.slow
def test_another_user_reads_it_whatever_the_graders_umask_is(as_user):
    assert fonts_read_under_a_closed_umask(as_user)


def test_another_user_sees_of_the_course_what_bubblewrap_shows(as_user):
    code = (
        "import utils\nfrom pathlib import Path\nROOT = Path(utils.__file__).parents[1]\ndef f():\n"
        "    parts = [path for path in ROOT.rglob('*') if not path.is_dir() and '__pycache__' not in path.parts]\n"
        "    return [str(path.relative_to(ROOT)) for path in parts]"
    )
    lent, own = set(value(as_user, code)), {str(path.relative_to(ROOT)) for path in (ROOT / "utils").rglob("*.py")}
    judging = {path for path in own if re.match(r"utils/lesson_\d\d/exercises/", path)}
    assert len(judging) > 10 and lent & own == own - judging
    assert {Path(path).name for path in lent - own if path.startswith("grading")} == set(sandbox.OF_GRADING)
    assert not [path for path in lent if "solutions" in path or "/cases/" in path]


@pytest.mark.slow
def test_what_another_user_leaves_in_shared_folders_is_removed(as_user, tmp_path):
    """Files, folders however deep, more names than one command can take, and a link, but not what that leads to."""
    (tmp_path / "kept").write_text("x")
    shared = [folder for folder in ("/tmp", "/var/tmp", "/dev/shm") if os.path.isdir(folder)]
    code = (
        f"import os, tempfile\nHOME = os.getcwd()\ndef f():\n    for place in [*{shared!r}, HOME]:\n"
        f"        os.chdir(tempfile.mkdtemp(prefix={MARKER!r}, dir=place))\n"
        f"        os.symlink({str(tmp_path)!r}, os.path.join(place, {MARKER + '-link'!r}))\n"
        f"        for _ in range(1200 if place in ({shared[-1]!r}, HOME) else 1):\n"
        "            os.mkdir('deeper')\n            os.chdir('deeper')\n"
        "        open('left', 'w')\n        os.chmod('.', 0)\n"
        f"    for n in range(12_000): os.mkdir(f'{shared[-1]}/{MARKER}-{{n:0200}}')\n    return 1"
    )
    assert value(as_user, code) == 1
    assert [name for folder in shared for name in os.listdir(folder) if name.startswith(MARKER)] == []
    assert (tmp_path / "kept").read_text() == "x"
    assert MARKER not in str(value(as_user, "import os\ndef f(): return os.listdir()"))


@pytest.mark.slow
def test_what_keeps_other_users_out_is_noticed_and_named(sandbox_of_users, tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "closed"))
    with contextlib.closing(WorkerPool(sandbox_of_users)) as runner, pytest.raises(SetUpFailed, match="Permission"):
        try_out(runner)
    with pytest.raises(GradingError, match=f"other users may not enter .*{tmp_path}/closed,.*chmod o") as raised:
        choose("user", ROOT)
    said = str(raised.value)
    assert said.count(f"{tmp_path}/closed") == 1 and ". " not in said and "bubblewrap" not in said


@pytest.mark.slow
def test_an_environment_that_others_may_not_read_is_noticed(sandbox_of_users, tmp_path):
    """As a umask of 077 leaves it: what is loaded before the first job works, what an answer imports does not."""
    file = numpy.__file__
    shutil.copy2(file, tmp_path / "closed").chmod(0o600)
    closing = with_mounts(shlex.join(["mount", "--bind", str(tmp_path / "closed"), file]))
    closed = dataclasses.replace(sandbox_of_users, prefix=[*sandbox_of_users.prefix, *closing])
    with contextlib.closing(WorkerPool(closed)) as runner, pytest.raises(SetUpFailed, match=f"Permission.*{file}"):
        try_out(runner)


def verdict(
    machine: str, number: int, first: int = 0, second: int = 0, fourth: int = 0, architecture: int | None = None
) -> int:
    """Return what the filter says to a call, as an interpreter of the packet filter's language finds it."""
    architectures = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
    architecture = architectures[machine] if architecture is None else architecture
    data = {0: number, 4: architecture, 16: first, 24: second, 40: fourth}
    lines, at, loaded = seccomp.program(machine), 0, 0
    while True:
        code, yes, no, operand = lines[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            loaded = data[operand]
        else:
            holds = {0x15: loaded == operand, 0x35: loaded >= operand, 0x45: bool(loaded & operand)}[code]
            at += yes if holds else no


@pytest.mark.slow
@pytest.mark.parametrize(
    ("machine", "mount", "read", "clone", "locking", "mapping", "talking"),
    [
        ("x86_64", 165, 0, 56, 72, 9, (41, 53, 46, 307, 112, 73, 253, 294, 278)),
        ("aarch64", 40, 63, 220, 25, 222, (198, 199, 211, 269, 157, 32, 26, 75)),
    ],
)
def test_the_filter_of_system_calls(machine, mount, read, clone, locking, mapping, talking):
    allowed, refused = 0x7FFF0000, 0x00050000
    assert verdict(machine, mount) == refused | errno.EPERM and verdict(machine, read) == allowed
    assert verdict(machine, read, architecture=0x40000003) == 0x80000000  # i386's calls have other numbers
    assert verdict(machine, clone, signal.SIGCHLD) == verdict(machine, clone, 0x3D0F00) == allowed  # fork, threads
    assert verdict(machine, clone, 0x10000000 | signal.SIGCHLD) == refused | errno.EPERM
    assert verdict(machine, 435) == refused | errno.ENOSYS
    locks = [command for command in range(1100) if verdict(machine, locking, second=command) != allowed]
    assert locks == [5, 6, 7, 36, 37, 38, 1024, 1025, 1026]
    shared = [flags for flags in range(64) if verdict(machine, mapping, fourth=flags) != allowed]
    assert shared == [flags for flags in range(64) if flags & 0x21 == 0x21]
    assert [verdict(machine, number) for number in talking] == [refused | errno.EPERM] * len(talking)
    assert verdict(machine, read | 0x40000000) == refused | errno.ENOSYS


@pytest.mark.slow
def test_an_answer_that_loads_torch_first_computes_as_at_home_and_prints_nothing(best):
    """The files that say what the processor can do are hidden from it."""
    result = run(best, TORCH, seconds=60.0)
    at_home = [sys.executable, "-c", f"{TORCH}print(f())"]
    capability = subprocess.run(at_home, capture_output=True, text=True, check=True).stdout.strip()
    assert (result.output, result.messages[0].value) == ("", f'"{capability}"')
