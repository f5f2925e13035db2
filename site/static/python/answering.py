"""Judges, in a browser's Python, what a reader of the site wrote: with the course's own checks, blanks and hints.

``worker.js`` beside this file calls `blank` and `exercise`. Both run no more of a page than the reader's cell and what
it rests on, and return what a notebook would print. The pages' code cells lie in ``cells.json``.
"""

from __future__ import annotations

import ast
import json
import linecache
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from utils import pages, rooms
from utils.exercises import checking, definition, points
from utils.exercises.call_answer import described, held_back
from utils.exercises.cells import exercise_id
from utils.exercises.slicing import Statement, slice_of, statements


def exercise(page: str, wanted: str, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the feedback on an exercise, ``said``, and its points: ``points``, ``of``.

    ``answers`` are the cells that the reader has written on this page, by the exercises' ids.
    """
    found, cells = definition.find(wanted), _cells(page)
    own = next(at for at, cell in enumerate(cells) if exercise_id(cell) == wanted)
    cells = [answers.get(exercise_id(cell) or "", cell) for cell in cells]
    try:
        namespace, printed = _run(cells, own, {found.answer_name})
    except BaseException as error:  # SystemExit, too
        said = f"✗ Exercise {wanted}: your cell stops with an error.\n  {_in_a_line(error, own)}"
        return {"said": said, "points": 0, "of": found.points}
    if not callable(namespace.get(found.answer_name)):
        said = f"✗ Exercise {wanted}: your cell defines no function {found.answer_name}. It begins with its line `def`."
        return {"said": printed + said, "points": 0, "of": found.points}
    text, verdict = checking.judged(found, namespace[found.answer_name])
    return {"said": printed + text, "points": points.earned(found, verdict.fraction), "of": found.points}


def blank(page: str, key: str, text: str, verdict_alone: bool) -> dict[str, Any]:
    """Return what a page prints where it goes on from a blank, ``said``; whether it is ``right``, and ran ``whole``.

    ``text`` is the reader's cell. The cell that goes on runs to the first statement that needs what a browser's Python
    has not; where it answers a prediction, and where the ``verdict_alone`` is wanted, only as far as the verdict.
    """
    cells = _cells(page)
    pages.register({}, of_blanks=rooms.module_of(key[:2], "blanks").BLANKS)
    name = pages.blank(key).name
    at = next(at for at, cell in enumerate(cells) if f'yours("{key}")' in cell)
    own = max(before for before in range(at) if f"def {name}(" in cells[before])
    above, going_on = [*cells[:own], text, *cells[own + 1 : at]], statements(cells[at], _name(at))
    judged = 1 + next(number for number, one in enumerate(going_on) if "yours" in one.reads)
    verdict_alone = verdict_alone or any("reveal" in one.reads for one in going_on)
    for end in [judged] if verdict_alone else range(len(going_on), judged - 1, -1):
        wanted = {name}.union(*(one.reads - one.binds for one in going_on[:end]))
        try:
            namespace, printed = _run(above, own, wanted)
            with held_back() as said:
                _execute(going_on[:judged], namespace)
                if right := said.getvalue().startswith("✓"):
                    _execute(going_on[judged:end], namespace)
        except BaseException as error:
            if isinstance(error, ImportError) and end > judged:
                continue
            said = f"Not yet: your cell stops with an error.\n  {_in_a_line(error, own)}"
            return {"said": said, "right": False, "whole": False}
        return {"said": printed + said.getvalue().rstrip(), "right": right, "whole": end == len(going_on)}
    raise AssertionError(key)


def _cells(page: str) -> list[str]:
    return json.loads(Path(__file__).with_name("cells.json").read_text(encoding="utf-8"))[page]


def _name(at: int) -> str:
    return f"<cell {at}>"


def _in_a_line(error: BaseException, own: int) -> str:
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (in the line: {(error.text or '').strip()})"
    said = described(error, _name(own))
    if isinstance(error, ModuleNotFoundError):
        said += "\n  This page's Python has NumPy alone. With other packages, write it in the notebook."
    return said


def _run(cells: Sequence[str], own: int, names: Set[str]) -> tuple[dict[str, Any], str]:
    """Return the namespace after the reader's cell, and what on these names rests; and what was printed.

    Raises what the reader's cell raises; other cells that are no Python are left out.
    """
    known, mine = [], []
    for at, cell in enumerate(cells):
        # for "(in the line: …)" of an error's description
        linecache.cache[_name(at)] = (len(cell), None, cell.splitlines(keepends=True), _name(at))
        try:
            found = statements(cell, _name(at))
        except (SyntaxError, ValueError, RecursionError):
            if at == own:
                raise
            continue
        known += found if at == own else [one for one in found if not isinstance(one.node, ast.Expr)]
        mine += found if at == own else []
    needed = slice_of(names.union(*(one.reads for one in mine)), known)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    lines: list[str] = []
    for one in known:
        if one in needed or one in mine:
            with held_back() as printed:
                _execute([one], namespace)
            lines += printed.getvalue().splitlines() if one in mine else []
    return namespace, "".join(f"{line}\n" for line in lines[: checking.PRINTED_LINES])


def _execute(of: Sequence[Statement], namespace: dict[str, Any]) -> None:
    for one in of:
        exec(compile(ast.Module([one.node], []), one.cell, "exec", dont_inherit=True), namespace)
