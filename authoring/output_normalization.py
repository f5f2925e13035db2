"""Brings an executed notebook into the one form that is the same in every run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from authoring.diagnostics import Diagnostic
from authoring.notebook import BuiltNotebook

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{4,}")


def normalise(notebook: NotebookNode) -> None:
    """Make an executed notebook the same in every run, in place; doing it twice changes nothing."""
    count = 0
    for cell in notebook.cells:
        cell.metadata = NotebookNode({"tags": cell.metadata.tags} if "tags" in cell.metadata else {})
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        cell.outputs = _merged([output for output in cell.outputs if not _is_mere_widget(output)])
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count


def _is_mere_widget(output: NotebookNode) -> bool:
    """Return whether nothing is left of an output without its widget, which no built page has; take that from it."""
    widget = output.get("data", {}).pop(WIDGET_VIEW, None)
    return widget is not None and "text/html" not in output.data


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs with neighbouring streams joined, stdout before stderr: how they interleave is chance."""
    merged: list[NotebookNode] = []
    run: dict[str, NotebookNode] = {}
    for output in outputs:
        if output.output_type != "stream":
            merged += [run[name] for name in sorted(run, reverse=True)] + [output]
            run = {}
        elif output.name in run:
            run[output.name].text += output.text
        else:
            run[output.name] = output
    return merged + [run[name] for name in sorted(run, reverse=True)]


def check_repeatable(built: BuiltNotebook, notebook: NotebookNode, root: Path) -> list[Diagnostic]:
    """Return the outputs that would differ on another machine or in another run: addresses, local paths, warnings."""
    diagnostics = []
    for cell in notebook.cells:
        texts = list(_texts(cell))
        if any(_ADDRESS.search(text) for text in texts):
            text = "the output holds a memory address, another one in each run. End the cell's last line with ;"
            diagnostics.append(built.source.diagnostic(built.lines[cell.id], text))
        if any(place in text for text in texts for place in _places(root)):
            text = "the output holds a path of this machine. Print or warn without it."
            diagnostics.append(built.source.diagnostic(built.lines[cell.id], text))
        elif any(output.get("name") == "stderr" for output in cell.get("outputs", [])):
            text = "the output holds what was written to stderr, a warning of this machine, say. Mend what it warns of."
            diagnostics.append(built.source.diagnostic(built.lines[cell.id], text))
    return diagnostics


def _places(root: Path) -> tuple[str, ...]:
    home = Path.home()
    return ("/ipykernel_", str(root), *([str(home) + "/"] if home != Path(home.anchor) else []))


def _texts(cell: NotebookNode) -> Iterator[str]:
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        yield from (value for name, value in output.get("data", {}).items() if name.startswith("text/"))
