"""What is said while something is compiled: after a moment, to a reader, once."""

from __future__ import annotations

import contextvars
import io
import subprocess
import sys
import threading

import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat import v4
from numba import njit

from authoring.execution import OwnKernel
from utils.engine import compilation

SECONDS = 60  # after which a timer has certainly had its turn


@pytest.fixture
def reader(monkeypatch):
    monkeypatch.delenv("COURSE_BUILD", raising=False)
    monkeypatch.delenv("PYTEST_VERSION", raising=False)
    monkeypatch.setattr(compilation, "_told", set())


def timer() -> threading.Timer:
    """Return the timer that waits for the moment to say something."""
    (found,) = (one for one in threading.enumerate() if isinstance(one, threading.Timer))
    return found


def test_what_is_slow_is_said_once_beside_a_programs_output(reader, monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    with pytest.raises(KeyboardInterrupt), compilation.notify_if_slow("compiling", after=0.05):
        timer().join(SECONDS)
        raise KeyboardInterrupt
    assert capsys.readouterr() == ("", "compiling\n")


def test_what_was_said_is_not_said_again(reader, capsys):
    """Two functions share a text that says "once": whoever waits for both reads it once."""
    for _ in range(2):
        with compilation.notify_if_slow("compiling, once", after=0.01):
            timer().join(SECONDS)
    assert "".join(capsys.readouterr()).count("compiling, once\n") == 1


def test_what_is_fast_is_not_said(reader, capsys):
    with compilation.notify_if_slow("compiling", after=2 * SECONDS):
        waiting = timer()
    waiting.join(SECONDS)
    assert not waiting.is_alive() and capsys.readouterr() == ("", "")


@pytest.mark.parametrize("variable", ["COURSE_BUILD", "PYTEST_VERSION"])
def test_nothing_is_said_where_nobody_reads(reader, monkeypatch, capsys, variable):
    monkeypatch.setenv(variable, "1")
    with compilation.notify_if_slow("compiling", after=0):
        assert not any(isinstance(one, threading.Timer) for one in threading.enumerate())
    assert capsys.readouterr() == ("", "")


def test_the_message_belongs_to_the_cell_that_waits(reader, monkeypatch):
    """A kernel knows by a context variable which cell an output is of, also while it answers a widget's messages."""
    cell = contextvars.ContextVar("cell", default="another cell")
    cell.set("this cell")
    said: list[str] = []

    class Place(io.StringIO):
        def write(self, text):
            said.append(f"{cell.get()}: {text}")

    monkeypatch.setattr(sys, "stdout", Place())
    monkeypatch.setattr(sys, "stderr", Place())
    with compilation.notify_if_slow("compiling", after=0.05):
        timer().join(SECONDS)
    assert said[0] == "this cell: compiling"


@pytest.mark.slow
def test_a_function_is_compiled_once_for_each_kind_of_arguments(monkeypatch):
    slow: list[str] = []
    said_before = compilation.notify_if_slow
    monkeypatch.setattr(compilation, "notify_if_slow", lambda text: slow.append(text) or said_before(text))

    @njit
    def double(x):
        return x + x

    for argument in (1, 2, 1.5, np.ones(2), np.zeros(3)):
        compilation.compile_first(double, (argument,), "compiling")
        assert (double(argument) == 2 * argument).all() if isinstance(argument, np.ndarray) else True
    assert len(double.overloads) == 3 and slow == 3 * ["compiling"]


USES = """\
import torch
from utils import least_squares, regions
from utils.engine import compiled_run, compilation
from utils.models import mlp
from utils.training import train

def use():
    generator = torch.Generator().manual_seed(0)
    X = torch.rand(40, 2, generator=generator)
    y = X.sum(1, keepdim=True)
    for dtype in (torch.float32, torch.float64):
        train(mlp([2, 4, 1], generator=generator).to(dtype), X.to(dtype), y.to(dtype), epochs=2, lr=0.1, progress=False)
    box = ((-1, 1), (-1, 1))
    regions.count_regions(mlp([2, 4, 1], generator=generator), box)
    regions.decision_boundary(mlp([2, 4, 1], generator=generator), box)
    models = [mlp([2, 4, 1], "tanh", generator=generator).double() for _ in range(3)]
    least_squares.levenberg_marquardt(models, X, y, max_steps=60)

def watched(function, arguments, text):
    before = len(function.overloads)
    compilation.compile_first(function, arguments, text)
    if len(function.overloads) > before:
        print(function.__name__, text.split(",")[0])

for module in (compiled_run, least_squares, regions):
    module.compile_first = watched
use()
print("again")
use()
from utils.engine import compiled_least_squares as steps, compiled_mlp as loop, compiled_regions as walks
for function in (loop.train_until, walks.walk, walks.zero_segments, steps.start, steps.advance):
    print(function.__name__, len(function.overloads))
"""


@pytest.mark.full
def test_each_place_compiles_before_it_computes_and_only_once(root):
    """Had a call compiled by itself, unsaid, there were more versions of its function than were said."""
    done = subprocess.run([sys.executable, "-c", USES], cwd=root, capture_output=True, text=True, check=True)
    said, counted = done.stdout.split("again\n")
    assert sorted(said.split("\n")[:-1]) == [
        "advance Compiling the least-squares steps",
        "start Compiling the least-squares steps",
        "train_until Compiling the training loop",
        "train_until Compiling the training loop",
        "walk Compiling the code for linear regions",
        "zero_segments Compiling the code for linear regions",
    ]
    assert counted.splitlines() == ["train_until 2", "walk 1", "zero_segments 1", "start 1", "advance 1"]


@pytest.mark.slow
def test_a_notebook_shows_the_message_in_the_cell_that_waits(root, monkeypatch):
    monkeypatch.delenv("PYTEST_VERSION")
    source = f"""\
import sys, threading
sys.path.insert(0, {str(root)!r})
from utils.engine.compilation import notify_if_slow
with notify_if_slow("compiling", after=0.2):
    [one.join({SECONDS}) for one in threading.enumerate() if isinstance(one, threading.Timer)]
"""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source), v4.new_code_cell("print('next')")])
    NotebookClient(notebook, kernel_manager_class=OwnKernel, timeout=2 * SECONDS).execute()
    assert [output["text"] for cell in notebook.cells for output in cell.outputs] == ["compiling\n", "next\n"]
