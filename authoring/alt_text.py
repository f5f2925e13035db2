"""Every figure has its content in words: for readers who cannot see it, and wherever it is not shown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import NotebookNode

from authoring.diagnostics import Diagnostic
from authoring.notebook import BuiltNotebook

FEWEST_CHARACTERS = 40  # of a sentence that says what a figure shows
_IMAGE, _TAG = re.compile(r"<img\b[^>]*>"), re.compile(r"<[^>]*>")
_ALT = re.compile(r'\balt="([^"]*)"')


def check_alt_text(built: BuiltNotebook, notebook: NotebookNode) -> list[Diagnostic]:
    """Return the cells of an executed notebook that show an image without saying in words what it shows."""
    diagnostics = []
    for cell in notebook.cells:
        for lack in _lacks(cell):
            text = f"the cell shows an image {lack}. Show it with show_figure(figure, words)."
            diagnostics.append(built.source.diagnostic(built.lines[cell.id], text))
    return diagnostics


def _lacks(cell: NotebookNode) -> Iterator[str]:
    """Yield what each image of this cell lacks."""
    outputs = cell.get("outputs", [])
    for at, output in enumerate(outputs):
        following = outputs[at + 1] if at + 1 < len(outputs) else {}
        for kind in output.get("data", {}):
            if kind.startswith("image/"):
                yield from _lack(alt_text(output, kind), following)
        page = output.get("data", {}).get("text/html", "")
        for image in _IMAGE.findall(page):  # a player's, or a folded one, which has its words beside it
            words = _ALT.search(image)
            yield from _lack(html.unescape(words[1]) if words else "", {"data": {"text/html": _TAG.sub("", page)}})


def _lack(alt: str, following: Mapping[str, Any]) -> Iterator[str]:
    if not alt:
        yield "without alt text"
    elif len(alt) < FEWEST_CHARACTERS:
        yield f"whose alt text has {len(alt)} characters; at least {FEWEST_CHARACTERS} are wanted"
    elif alt not in html.unescape(following.get("data", {}).get("text/html", "")):
        yield "without its words below it"


def alt_text(output: NotebookNode, kind: str) -> str:
    """Return the alt text of an output's image of this kind, such as "image/png"; "" for none."""
    metadata = output.get("metadata", {}).get(kind, {})
    alt = metadata.get("alt", "") if isinstance(metadata, dict) else ""
    return alt.strip() if isinstance(alt, str) else ""
