"""Notebooks run from a fresh kernel of this Python, and come out the same every time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from authoring.course import address
from authoring.diagnostics import AuthoringError
from authoring.execution import execute
from authoring.notebook import BuiltNotebook, build_notebook, write_text
from authoring.output_normalization import WIDGET_VIEW, check_repeatable, normalise
from authoring.source import read_source
from tests.authoring.courses import LESSON, edit, whole

LAST = "# %precision 3\nfloat(math.pi)\n"
RICH = """\
import os
import sys
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import IntSlider
from IPython.display import display

print("out 1")
print("err", file=sys.stderr, flush=True)
print("out 2", flush=True)
plt.plot(np.random.default_rng(SEED).normal(size=9))
plt.show()
print("out 3")
display(IntSlider())
print("out 4", {"a", "b", "c"}, os.path.basename(os.getcwd()))
print([os.environ[f"{name}_NUM_THREADS"] for name in ("OMP", "MKL", "OPENBLAS", "NUMBA")])
print(os.environ["TQDM_DISABLE"], os.environ["COURSE_BUILD"], "MPLBACKEND" in os.environ)
IntSlider()
"""


def built(root: Path, code: str) -> BuiltNotebook:
    """Return the small lesson with ``code`` as its last cell, not executed."""
    edit(whole(root), LESSON, LAST, code)
    return build_notebook(read_source(root / LESSON, root), address(root))


def run(root: Path, code: str) -> NotebookNode:
    notebook = execute(built(root, code), root)
    normalise(notebook)
    return notebook


@pytest.mark.slow
def test_two_runs_give_the_same_bytes(tmp_path, monkeypatch):
    texts = []
    for name in ("a", "b"):
        monkeypatch.setenv("PYTHONHASHSEED", "1" if name == "a" else "2")
        monkeypatch.setenv("MPLBACKEND", "agg")
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
        texts.append(write_text(run(tmp_path / name, RICH)))
    assert texts[0] == texts[1]
    outputs = json.loads(texts[0])["cells"][-1]["outputs"]
    assert [one["output_type"] for one in outputs] == ["stream", "stream", "display_data", "stream"]
    assert "".join(outputs[0]["text"]) == "out 1\nout 2\n" and "".join(outputs[1]["text"]) == "err\n"
    shown = "".join(outputs[3]["text"])
    assert shown.startswith("out 3\nout 4 {") and shown.endswith("} notebooks\n['1', '1', '1', '1']\n1 1 True\n")
    assert "widgets" not in json.loads(texts[0])["metadata"]


@pytest.mark.slow
def test_the_kernel_is_this_python(tmp_path, monkeypatch):
    broken = tmp_path / "jupyter" / "kernels" / "python3"
    broken.mkdir(parents=True)
    spec = {"argv": ["/nowhere/python", "{connection_file}"], "display_name": "Broken", "language": "python"}
    (broken / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    code = f"import sys\nprint(sys.executable == {sys.executable!r})\n"
    assert run(tmp_path / "course", code).cells[-1].outputs[0].text == "True\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        ("x = 1\n\nabsent\n", 30, "raised NameError: name 'absent' is not defined. Mend it; nothing was written."),
        ("def f():\n    raise OSError('a\\nb')\n\nf()\n", 31, "raised OSError: a b. Mend it; nothing was written."),
        ("x = 1\nreturn x\n", 29, "raised SyntaxError: 'return' outside function"),
        ("import os\nos._exit(3)\n", 28, "the kernel died in this cell."),
        ("while True:\n    pass\n", 28, "the cell runs longer than 2 s."),
    ],
    ids=["error", "in a function", "syntax", "dead kernel", "endless"],
)
def test_a_cell_that_fails(tmp_path, code, line, expected):
    with pytest.raises(AuthoringError) as caught:
        execute(built(tmp_path, code), tmp_path, seconds_per_cell=2)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.path, diagnostic.line) == (LESSON, line) and expected in diagnostic.text


# Normal form, without a kernel


def notebook_of(*outputs: NotebookNode) -> NotebookNode:
    cell = v4.new_code_cell("x", outputs=list(outputs), metadata={"execution": {"when": "now"}}, execution_count=7)
    return v4.new_notebook(cells=[v4.new_markdown_cell("text"), cell])


def stream(text: str, name: str = "stdout") -> NotebookNode:
    return v4.new_output("stream", name=name, text=text)


def shown(**data: str) -> NotebookNode:
    return v4.new_output("display_data", data={name.replace("_", "/", 1): value for name, value in data.items()})


def test_streams_are_joined_where_they_are_neighbours():
    widget = v4.new_output("display_data", data={WIDGET_VIEW: {}, "text/plain": "IntSlider()"})
    notebook = notebook_of(stream("E", "stderr"), stream("a"), widget, stream("b"), shown(text_plain="x"), stream("c"))
    normalise(notebook)
    found = [(one.get("name"), one.get("text")) for one in notebook.cells[1].outputs]
    assert found == [("stdout", "ab"), ("stderr", "E"), (None, None), ("stdout", "c")]


def test_of_a_widget_its_first_picture_stays():
    widget = v4.new_output("display_data", data={WIDGET_VIEW: {}, "text/plain": "a line", "text/html": "<img>"})
    notebook = notebook_of(widget)
    normalise(notebook)
    assert set(notebook.cells[1].outputs[0].data) == {"text/plain", "text/html"}


def test_counts_and_metadata_are_renewed_and_twice_is_once():
    result = v4.new_output("execute_result", data={"text/plain": "1"}, execution_count=7)
    notebook = notebook_of(stream("a"), result)
    normalise(notebook)
    code = notebook.cells[1]
    assert (code.execution_count, code.outputs[1].execution_count, code.metadata) == (1, 1, {})
    once = write_text(notebook)
    normalise(notebook)
    assert write_text(notebook) == once


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (stream("<object object at 0x7f3a2c0b>"), "holds a memory address"),
        (shown(text_plain="[<Line2D at 0x7F3a2c0b>]"), "holds a memory address"),
        (shown(text_html="<pre>/tmp/ipykernel_12/3.py:1: UserWarning</pre>"), "holds a path of this machine"),
        (stream("file /the/course/notebooks/x.py", "stderr"), "holds a path of this machine"),
        (stream("findfont: Font family not found", "stderr"), "holds what was written to stderr"),
        (stream("1 at 0x and 0x7f3a2c0b, /the/other"), None),
        (shown(image_png="/the/course"), None),
    ],
)
def test_outputs_that_would_differ_elsewhere(tmp_path, output, expected):
    notebook = notebook_of(output)
    source = read_source(whole(tmp_path) / LESSON, tmp_path)
    found = check_repeatable(BuiltNotebook(source, notebook, {notebook.cells[1].id: 28}), notebook, Path("/the/course"))
    assert [diagnostic.line for diagnostic in found] == ([28] if expected else [])
    assert all(expected in diagnostic.text for diagnostic in found)
