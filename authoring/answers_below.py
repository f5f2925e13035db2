"""No answer below the answer: what explains a prediction belongs to its reveal, which a built page has folded.

The cell below a reveal may have neither the words of its right choice, nor a number that its answer has and nothing
above it, where that has a decimal point, or three digits or more.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import pairwise

from nbformat import NotebookNode

from authoring.diagnostics import Diagnostic
from authoring.notebook import BuiltNotebook

_ANSWER = re.compile(r"<summary>The answer</summary>(<p.*?</p>)", re.DOTALL)
_RIGHT = re.compile(r'<li data-right="yes">✓ <b>(.*?)</b>', re.DOTALL)
_FOLDED = re.compile(r"<details>(?:(?!<details>).)*?</details>", re.DOTALL)  # the innermost
_TAG = re.compile(r"<[^>]*>")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+")


def check_answers_below(built: BuiltNotebook, notebook: NotebookNode) -> list[Diagnostic]:
    """Return the cells below a reveal, in an executed page, that say again what the reveal has folded."""
    found, above = [], set()
    for cell, below in pairwise(notebook.cells):
        above |= _numbers(_seen(cell))
        for answer, right in _answers(cell):
            text = _seen(below)
            again = sorted((_numbers(answer) - above) & _numbers(text))
            if right and f" {right} " in f" {_words(text)} ":
                again.append(right)
            if again:
                said = f'this cell has "{again[0]}", which the reveal above it keeps until a reader has committed. '
                said += "Say it in the prediction's answer or in a choice's sentence."
                found.append(built.source.diagnostic(built.lines.get(below.id, 1), said))
    return found


def _answers(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """Yield of each reveal the text of its answer, and its right choice where that is more than one word."""
    for output in cell.get("outputs", []):
        page = output.get("data", {}).get("text/html", "")
        for answer in _ANSWER.finditer(page):
            right = _RIGHT.search(page)
            words = _words(_plain(right[1])) if right else ""
            yield _plain(answer[1]), words if " " in words else ""


def _seen(cell: NotebookNode) -> str:
    """Return what is read in a cell without unfolding anything: its text, and what it has printed."""
    printed = (output.get("text", "") for output in cell.get("outputs", []))
    text, count = "\n".join([cell.source, *printed]), 1
    while count:
        text, count = _FOLDED.subn(" ", text)
    return text


def _plain(page: str) -> str:
    return html.unescape(_TAG.sub(" ", page))


def _words(text: str) -> str:
    return " ".join(re.findall(r"[\w.,χσ√/-]*\w", text.casefold()))


def _numbers(text: str) -> set[str]:
    """Return the numbers in a text that are no settings, .5 as 0.5."""
    found = (match.replace(",", "").rstrip(".") for match in _NUMBER.findall(text))
    return {f"0{one}" if one.startswith(".") else one for one in found if len(one) > 2 or "." in one}
