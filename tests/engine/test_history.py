"""What a check says of an answer that marking cannot have as it is, from the cells that a kernel has run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.grading.helpers import ROOT
from utils.exercises import history

# A process with a shell of its own for each text; what they need is imported once.
EACH = """
import os, sys
import numpy, pytest
from IPython.core.interactiveshell import InteractiveShell
from utils.exercises import history
class Shell(InteractiveShell):
    def get_parent(self): return {"metadata": {"deletedCells": deleted}}
def run(cell, cell_id=None): shell.run_cell(cell, store_history=True, cell_id=cell_id)
sys.path.insert(0, ".")
for number, lines in enumerate(sys.argv[1:]):
    if os.fork():
        os.wait()
    else:
        shell, deleted = Shell.instance(), []
        history.remember_cells()
        exec(lines)
        print(f"\\nsaid {number} {history.not_in_marking('f')}", flush=True)
        os._exit(0)
"""


LOST = "['K, which no cell defines any more']"
CASES = [
    ("run('K = 1', 'a'); run('def f(): return K', 'b')", "[]"),
    ("run('K = 1', 'a'); run('def f(): return K', 'b'); run('k = 2', 'a')", LOST),
    ("run('K = 1', 'a'); deleted.append('a'); run('def f(): return K', 'b')", LOST),
    ("deleted.append('a'); run(''); deleted.clear(); run('K = 2', 'a'); run('def f(): K')", "[]"),
    ("run('# exercise 01.2\\nK = 1'); run('# exercise 01.2\\ndef f(): return K')", LOST),
    ("run('K = open(\"own.txt\")'); run('K = 1'); run('def f(): return K')", "[]"),
    ("run('K = open(\"own.txt\").read()'); run('def f(): return K')", "['your file own.txt']"),
    ("run('import own\\ndef f(): return own.K')", "['your file own.py']"),
    ("run('import pytest, numpy, os.path\\ndef f(): return pytest, numpy, os')", "['the package pytest']"),
    ("run('import pytest\\ndef f(): return 1')", "[]"),
    ("run('this is no Python'); run('def f(): return print')", "[]"),
]


def test_outside_of_a_kernel_there_is_nothing_to_say():
    assert history.not_in_marking("f") == []


@pytest.fixture(scope="module")
def said(tmp_path_factory) -> list[str]:
    """What is said after each of the cases."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "own.txt").write_text("1")
    (folder / "own.py").write_text("K = 1")
    environment = {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder)}
    command = [sys.executable, "-c", EACH, *(lines for lines, _ in CASES)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=True)
    found = dict(line.split(" ", 2)[1:] for line in done.stdout.splitlines() if line.startswith("said "))
    return [found.get(str(number), done.stderr) for number in range(len(CASES))]


@pytest.mark.parametrize("case", range(len(CASES)), ids=[lines for lines, _ in CASES])
def test_what_marking_will_not_have(said, case):
    assert said[case] == CASES[case][1]


def test_the_packages_that_are_named_are_here():
    for package in history.PACKAGES:
        __import__(package)
