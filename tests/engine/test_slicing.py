"""Slices of notebooks: what an answer rests on, and what of that marking will not have."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from utils.exercises.slicing import python_of, slice_of, statements


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("import os\nfrom math import pi as x", [1]),
        ("def f(): return x\nx = f(3)\nprint(f)\ny = 1", [0, 1]),
        ("import numpy as np\nx = np.ones(1)\nx[0] += y\nz = x\ny = 2", [0, 1, 2, 4]),
        ("x = []\nfor i in range(3):\n    x.append(i)\nfor i in range(3): pass", [0, 1]),
        ("class A: pass\nA.k = x = 3\nA.other()", [0, 1, 2]),
        ("def set_it():\n    global x\n    x = 1\nset_it()\ndef other(): pass\nother()", [0, 1]),
        ("def f(x): return x\nimport time\ntime.sleep(9)\nx = 1", [3]),
        ("def g(): return h()\ndef h(): return k\nk = 1\ndef x(): return g()\nstudy(x)\nstudy(k)", [0, 1, 2, 3, 5]),
        ("try:\n    import x\nexcept ImportError:\n    pass\nwith open('f') as y: pass", [0]),
        ("if (x := 3): pass\n(a, *b), c = [1], x\ndel x", [0]),
        ("from __future__ import annotations\nx: T = 1", [0, 1]),
        ("from math import *\nimport sys\nsys.setrecursionlimit(9)\nx = 1", [0, 1, 2, 3]),
        ("!pip install x\n%matplotlib inline\n%time x = 3\nfiles = !ls", [2]),
        ("%%bash\nx=1", []),
        ("%%time\n\n%%capture out\nx = 1", [0]),
        ("x = await work()\nasync def work(): pass", [0, 1]),
        ("y = [x for x in range(3)]\nlambda x: x\n{x: 1 for x in 'ab'}", []),
    ],
)
def test_what_the_name_x_rests_on(cell, kept):
    found = statements(cell)
    assert [found.index(one) for one in slice_of({"x"}, found)] == kept


@pytest.mark.parametrize("cell", ["this is no Python", "x = '\ud800'\x00", "(" * 5000, "return 3"])
def test_what_does_not_run_is_refused(cell):
    with pytest.raises((SyntaxError, ValueError, MemoryError, RecursionError)):
        statements(cell)


def test_magics_become_harmless():
    said = []
    shell = SimpleNamespace(run_line_magic=lambda *given: said.append(given), getoutput=said.append)
    names = {"get_ipython": lambda: shell}
    text = python_of("%%time\n%matplotlib inline\nx = !ls\ny = %timeit 3\ndef f():\n    %time z = 1\n    return z + 1")
    exec(compile(ast.parse(text), "<cell>", "exec"), names)
    assert names["f"]() == 2 and names["x"] is None and len(said) == 3


def test_a_million_blank_lines_take_no_time():
    assert len(statements("\n" * 1_000_000 + "x = 1")) == 1
