"""What a check says of an answer that marking cannot have as it is, from the cells that a kernel has run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.grading.helpers import ROOT
from utils.exercises import history

FRESH = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from utils.exercises import history
class Shell(InteractiveShell):
    def get_parent(self): return {"metadata": {"deletedCells": deleted}}
shell, deleted = Shell.instance(), []
history.remember_cells()
def run(cell, cell_id=None): shell.run_cell(cell, store_history=True, cell_id=cell_id)
"""


LOST = "['K, which no cell defines any more']"


def said(tmp_path, lines: str) -> str:
    """Return what these lines print in a process with a shell of its own."""
    code = f"{FRESH}{lines}\nprint(history.not_in_marking('f'))"
    environment = {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=True)
    return done.stdout.splitlines()[-1]


def test_outside_of_a_kernel_there_is_nothing_to_say():
    assert history.not_in_marking("f") == []


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
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
    ],
)
def test_what_marking_will_not_have(tmp_path, lines, wanted):
    (tmp_path / "own.txt").write_text("1")
    (tmp_path / "own.py").write_text("K = 1")
    assert said(tmp_path, f"sys.path.insert(0, '.')\n{lines}") == wanted


def test_the_packages_that_are_named_are_here():
    for package in history.PACKAGES:
        __import__(package)
