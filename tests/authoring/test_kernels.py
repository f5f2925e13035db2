"""Forked kernels are what ordinary ones are, start with everything loaded, and leave nothing behind."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from jupyter_client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import LocalProvisioner
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode, v4

from authoring.execution import OwnKernel
from authoring.kernels import CannotFork, ForkedProcess, KernelParents

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only"),
]
SECONDS = 60
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Forked(KernelManager):
    """Starts kernels as a build does."""

    kernel_spec = property(lambda self: OwnKernel().kernel_spec)


class Ordinary(KernelManager):
    """Starts the same kernels, the ordinary way."""

    @property
    def kernel_spec(self) -> KernelSpec:
        spec = OwnKernel().kernel_spec
        spec.metadata = {}
        return spec


class OrdinaryInABuild(OwnKernel):
    """The same for nbclient."""

    kernel_spec = Ordinary.kernel_spec


class Kernel:
    """A running kernel."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client

    @property
    def process(self) -> object:
        return self.manager.provisioner.process

    def run(self, code: str, while_it_runs: Callable[[], object] = lambda: None) -> str:
        """Return what the code printed, with its traceback."""
        texts = []

        def hear(message: dict) -> None:
            content = message["content"]
            texts.append(content.get("text", "") + "\n".join(content.get("traceback", [])))
            if message["msg_type"] == "stream":
                while_it_runs()

        self.client.execute_interactive(code, timeout=SECONDS, output_hook=hear, allow_stdin=False)
        return "".join(texts)


def environment() -> dict[str, str]:
    """The environment of this file's kernels: one parent serves them all."""
    return {**os.environ, "OMP_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2", "PYTHONHASHSEED": "0"}


@contextmanager
def started(kind: type[KernelManager], folder: Path, **options: object) -> Iterator[Kernel]:
    manager = kind()
    manager.start_kernel(cwd=str(folder), env=environment(), **options)
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(SECONDS)
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory) -> Iterator[Kernel]:
    with started(Forked, tmp_path_factory.mktemp("folder")) as kernel:
        yield kernel


def state(process: int) -> str:
    """The process's state as /proc has it, "" where there is no such process, not even a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# What a kernel finds

PROBE = """\
import os, signal, sys, threading
print([os.path.basename(sys.argv[0]), *sys.argv[1:2]], sys.orig_argv[:-1], sys.flags)
print(sys.path, os.getcwd(), os.getsid(0) == os.getpgid(0) == os.getpid())
print(sorted((name, value) for name, value in os.environ.items() if name != "JPY_PARENT_PID"))
print([str(signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE)])
print([stream.isatty() for stream in (sys.__stdin__, sys.__stdout__)], sys.__stdout__.encoding, repr(sys.stdin.name))
print(os.getpriority(0, 0), sys.getrecursionlimit(), sorted(thread.name for thread in threading.enumerate())[:3])
print(set("abcdefgh"), hash("hash"))
import multiprocessing.process as started
print(started.ORIGINAL_DIR, sys.modules["__main__"].__dict__ is globals(), __name__)
"""


def test_it_finds_what_an_ordinary_kernel_finds(tmp_path):
    found = []
    for kind in (Forked, Ordinary):
        with started(kind, tmp_path) as kernel:
            assert isinstance(kernel.process, ForkedProcess) == (kind is Forked)
            found.append(kernel.run(PROBE))
    assert found[0] == found[1] and str(tmp_path) in found[0]


def test_libraries_are_there_and_nothing_of_the_course_is(tmp_path):
    code = "import sys\nprint(*sorted({name.split('.')[0] for name in sys.modules}))"
    with started(Forked, tmp_path) as kernel:  # of its own: other tests may import more
        names = set(kernel.run(code).split())
    assert names >= {"torch", "numpy", "numba", "scipy", "matplotlib", "IPython"}
    assert not names & {"utils", "authoring", "grading", "kernel_parent", "ipywidgets"}


def test_each_kernel_draws_numbers_of_its_own(tmp_path):
    code = """
import random, numba, numpy, torch
drawn = numba.njit(lambda: numpy.random.random())
print(random.random(), numpy.random.random(), torch.rand(1).item(), drawn())"""
    draws = []
    for _ in range(2):
        with started(Forked, tmp_path) as kernel:
            draws.append(kernel.run(code).split())
    assert [len(one) for one in draws] == [4, 4]
    assert all(a != b for a, b in zip(*draws, strict=True))


def test_parallel_regions_run(kernel):
    code = """
import numba, numpy, torch
@numba.njit(parallel=True)
def total(n):
    sum = 0
    for i in numba.prange(n):
        sum += i
    return sum
A = torch.ones(700, 700, dtype=torch.float64)
print(total(10**6), numba.get_num_threads(), (A @ A).sum().item(), torch.get_num_threads())
print((numpy.ones((700, 700)) @ numpy.ones((700, 700))).sum())"""
    assert kernel.run(code).split() == ["499999500000", "2", "343000000.0", "2", "343000000.0"]


# What a notebook shows

CELLS = (
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('two').get_text()",
    "import warnings\nwarnings.warn('careful')\nwarnings.warn('old', DeprecationWarning)",
    "from ipywidgets import IntSlider\nslider = IntSlider(3)\nslider",
    "import numpy as np\ndef f(x):\n    return 1 / x\n\nf(0)",
    "import torch\ntorch.ones(2, 3) @ torch.ones(2, 3)",
    "x = (",
    "from tqdm.auto import tqdm\nprint(tqdm.__module__)\nprint({'b', 'a', 'c'})",
)


def outputs(kind: type[KernelManager], folder: Path) -> list[list[NotebookNode]]:
    notebook = v4.new_notebook(cells=[v4.new_code_cell(code) for code in CELLS])
    client = NotebookClient(notebook, allow_errors=True, timeout=SECONDS, kernel_manager_class=kind,
                            resources={"metadata": {"path": str(folder)}})  # fmt: skip
    client.execute(env=environment())
    return [cell.outputs for cell in notebook.cells]


def test_a_notebook_shows_the_same(tmp_path):
    (forked, ordinary) = (outputs(kind, tmp_path) for kind in (OwnKernel, OrdinaryInABuild))
    for found in (forked, ordinary):
        found[3][0].data["application/vnd.jupyter.widget-view+json"].pop("model_id")
    process = [name for cell in (forked[2], ordinary[2]) for name in cell[0].text.split("/") if "ipykernel_" in name]
    forked[2][0].text = forked[2][0].text.replace(process[0], process[-1])
    assert forked == ordinary
    kinds = [[one.output_type for one in cell] for cell in forked]
    assert kinds[0] == ["display_data"] and "image/png" in forked[0][0].data and "image/png" in forked[1][1].data
    assert kinds[4] == kinds[5] == kinds[6] == ["error"]
    assert "Cell In[5], line 3, in f(x)" in ANSI.sub("", "".join(forked[4][0].traceback))


def test_widgets_hear_from_the_browser(kernel):
    kernel.run("from ipywidgets import IntSlider\nslider = IntSlider(3)")
    model = kernel.run("print(slider.model_id)").strip()
    content = {"comm_id": model, "data": {"method": "update", "state": {"value": 8}, "buffer_paths": []}}
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_msg", content))
    assert kernel.run("print(slider.value)") == "8\n"


# Life and death


def test_interrupting_stops_the_cell_and_not_the_kernel(kernel):
    text = kernel.run("import time\nx = 5\nprint('runs')\ntime.sleep(60)", kernel.manager.interrupt_kernel)
    assert "KeyboardInterrupt" in text and kernel.run("print(x)") == "5\n"


@pytest.mark.parametrize(
    ("code", "status"),
    [("import os\nos._exit(3)", 3), ("import ctypes\nctypes.string_at(0)", -signal.SIGSEGV)],
    ids=["exit", "segfault"],
)
def test_a_death_is_seen_at_once(tmp_path, code, status):
    notebook = v4.new_notebook(cells=[v4.new_code_cell(code)])
    client = NotebookClient(notebook, timeout=SECONDS, kernel_manager_class=OwnKernel)
    seen = []
    client.on_cell_start = lambda cell, cell_index: seen.append((client.km.provisioner.process, time.monotonic()))
    with pytest.raises(DeadKernelError):
        client.execute(env=environment(), cwd=str(tmp_path))
    ((process, start),) = seen
    assert time.monotonic() - start < 10 and process.returncode == status and state(process.pid) == ""


def test_a_restart_begins_anew(tmp_path):
    with started(Forked, tmp_path) as kernel:
        kernel.run("x = 5")
        before = kernel.process.pid
        kernel.manager.restart_kernel()
        kernel.client.wait_for_ready(SECONDS)
        assert isinstance(kernel.process, ForkedProcess) and kernel.process.pid != before and state(before) == ""
        assert "NameError" in kernel.run("x")


@pytest.mark.parametrize("now", [False, True])
def test_shutting_down_leaves_nothing(tmp_path, now):
    with started(Forked, tmp_path) as kernel:
        process = kernel.process
        assert process.poll() is None and state(process.pid) != ""
        kernel.manager.shutdown_kernel(now=now)
        assert process.returncode == (-signal.SIGKILL if now else 0) and state(process.pid) == ""


STARTER = """
import os, sys, time
from authoring.kernels import KernelParents
command = [sys.executable, "-m", "ipykernel_launcher", "-f", sys.argv[1]]
kernel = KernelParents.instance().fork(command, {"env": dict(os.environ)})
(parent,) = KernelParents.instance()._parents.values()
print(parent._process.pid, kernel.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("victim", ["starter", "starter, politely", "parent"])
def test_what_was_started_dies_with_its_starter(root, tmp_path, victim):
    command = [sys.executable, "-c", STARTER, str(tmp_path / "connection.json")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(
        command, cwd=root, env=environment() | {"PYTHONPATH": without_libraries(tmp_path)}, **pipes
    ) as starter:
        parent, kernel = map(int, starter.stdout.readline().split())
        assert state(parent) and state(kernel)
        if victim == "starter, politely":
            starter.stdin.close()
        else:
            os.kill(starter.pid if victim == "starter" else parent, signal.SIGKILL)
        until(lambda: state(kernel) in ("", "Z") and state(parent) in ("", "Z"))  # init's to bury, if it does
        starter.kill()


def without_libraries(folder: Path) -> str:
    """A folder to import from in which torch, SciPy, Numba and pyplot are nothing: they would take seconds to load."""
    for name in ("torch", "scipy", "numba", "matplotlib"):
        (folder / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r}, name={name!r})")
    return str(folder)


# Where kernels cannot be forked


def test_another_python_is_started_the_ordinary_way_and_a_log_line_says_so(tmp_path, caplog):
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    other.chmod(0o755)

    class Other(KernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            spec = OwnKernel().kernel_spec
            spec.argv[0] = str(other)
            return spec

    with caplog.at_level(logging.INFO), started(Other, tmp_path, stderr=subprocess.DEVNULL) as kernel:
        assert isinstance(kernel.process, subprocess.Popen) and kernel.run("print(1)") == "1\n"
    assert f"not forked: {other} is another Python" in caplog.text


def command(*flags: str) -> list[str]:
    return [sys.executable, *flags, "-m", "ipykernel_launcher", "-f", "nowhere"]


@pytest.mark.parametrize(
    ("arguments", "options", "why"),
    [
        ([sys.executable, "-c", "pass"], {}, "not ipykernel's own"),
        (command("-W", "error"), {}, "not ipykernel's own"),
        (command(), {"stdout": subprocess.PIPE}, "a pipe"),
        (command(), {"independent": True}, "asked for independent"),
        (command(), {"cwd": "/nowhere"}, "is no folder"),
        (command(), {"env": {"PYTHONPATH": f"{os.sep}here:there"}}, "PYTHONPATH"),
    ],
)
def test_what_a_fork_cannot_be_is_refused(arguments, options, why):
    with pytest.raises(CannotFork, match=why):
        KernelParents().fork(arguments, {"env": {}, **options})


def test_settings_beside_the_notebook_are_not_missed(tmp_path):
    (tmp_path / "matplotlibrc").write_text("figure.dpi: 30")
    with pytest.raises(CannotFork, match="matplotlibrc"):
        KernelParents().fork(command(), {"env": {}, "cwd": str(tmp_path)})


def test_other_systems_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CannotFork, match="only Linux"):
        KernelParents().fork(command(), {"env": {}})


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import threading, time\nthreading.Thread(target=time.sleep, args=[9], name='busy', daemon=True).start()",
         r"left threads running \(busy\)"),
        ("raise ValueError('broken')", "its parent broken"),
        ("import os\nos._exit(1)", "ended without a word"),
    ],
    ids=["thread", "error", "death"],
)  # fmt: skip
def test_a_parent_that_cannot_be_forked_is_tried_once(tmp_path, code, why):
    paths = without_libraries(tmp_path)
    (tmp_path / "psutil.py").write_text(f"open({str(tmp_path / 'loads')!r}, 'a').write('x')\n{code}")
    parents = KernelParents()
    for _ in range(2):
        with pytest.raises(CannotFork, match=why):
            parents.fork(command(), {"env": environment() | {"PYTHONPATH": paths}})
    assert (tmp_path / "loads").read_text() == "x"


def test_a_process_that_ran_a_parallel_region_is_not_forked(root):
    code = """
import torch
from grading.prefork import settle
settle()
torch.set_num_threads(2)
torch.ones(10**6).exp()
try:
    settle()
except RuntimeError as error:
    print(error)"""
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
                          capture_output=True, text=True)  # fmt: skip
    assert done.stdout == "left threads running (not of Python)\n", done.stderr


def test_the_ordinary_way_is_jupyter_clients_own():
    manager = Ordinary()
    manager.start_kernel(env=environment())
    assert type(manager.provisioner) is LocalProvisioner
    manager.shutdown_kernel(now=True)
