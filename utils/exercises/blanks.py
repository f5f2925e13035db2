"""Blanks: a line or two of a page that its reader writes, tried on the spot, without points.

A blank's room says on what it is tried and which mistakes have a hint. The course's own line stands in the page's
source, ``notebooks/NN_slug.py``, between ``# BEGIN BLANK`` and ``# END BLANK``: read there, with what it rests on above
it, so that it works whatever a reader has done to the page.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from utils import local_storage, pages
from utils.exercises import checking, serialization
from utils.exercises.call_answer import AnswerOutcome, call_answer
from utils.exercises.definition import Hint, Inputs
from utils.exercises.rules import Solver, returned_by, same_to_four_digits
from utils.exercises.scoring import Case, score_answer
from utils.exercises.slicing import slice_of, statements

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CELL = re.compile(r"^# BEGIN BLANK\n(.*?)^# END BLANK\n?", re.DOTALL | re.MULTILINE)
SECONDS = 2  # for all cases together
MOST_HINTS = 8
_LENT = "lent_by_the_course"
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}  # what `...` and a docstring compile to
_tried: dict[str, Callable] = {}  # by key, what a reader has written, where the page goes on with the course's


class _TimeIsUp(BaseException):
    """No Exception, so that a reader's own ``except Exception`` does not go on."""


@dataclass(frozen=True)
class Blank:
    """A function of one or two lines that a page leaves to its reader: ``name``, what it is tried on, what goes wrong.

    ``cases`` are the arguments of at least three calls, as plain data or arrays. ``mistakes`` are pairs of a wrong
    function and the hint that names what is missing; with ``remarks`` they are at most eight, as an exercise's. Numbers
    agree to four digits. Where several values are right, ``right`` says of a case and a value whether it is.

    Raises ValueError for fewer than three cases, which no hint could rest on, and for more than eight hints.
    """

    name: str
    cases: Sequence[tuple]
    mistakes: Sequence[tuple[Callable, str]]
    remarks: Sequence[Hint] = ()
    right: Callable[[Inputs, Any], bool] | None = None
    wanted = explain = None

    def __post_init__(self) -> None:
        hints = len(self.mistakes) + len(self.remarks)
        if len(self.cases) < 3 or hints > MOST_HINTS:
            raise ValueError(
                f"{self.name} has {len(self.cases)} cases and {hints} hints. "
                f"Give it at least three cases and at most {MOST_HINTS} hints."
            )

    @property
    def misconceptions(self) -> list[Hint]:
        """Return the mistakes as an exercise has them."""
        return [(returned_by(_on_arguments(wrong), same=same_to_four_digits), hint) for wrong, hint in self.mistakes]

    def verify(self, given: Inputs, hidden: None, value: Any, expected: Any) -> float:
        """Return 1 where the value agrees with the course's, to four digits, or is as right as that."""
        if self.right is not None and value is not None:
            return float(self.right(given, value))
        return float(same_to_four_digits(value, expected))


def yours(key: str) -> Callable:
    """Return the reader's own function for a blank if it is right, else the course's; say which one, and why.

    The function is looked up by the blank's name, where this is called. If it is missing, empty or wrong, stops with an
    error or has no answer after two seconds, that is "not yet": the page goes on with the course's function, which is
    not taken for the reader's when the cell is run again. Raises UnknownKey for a blank that no room has.
    """
    blank, lent = pages.blank(key), reference(key)
    own: Any = sys._getframe(1).f_globals.get(blank.name)
    if hasattr(own, _LENT):  # the cell is run again: what the reader wrote is judged again
        own = _tried.get(key, own)
    elif callable(own):
        _tried[key] = own
    text = _judged(blank, own, lent)
    print(text or f"✓ Your {blank.name} is right, and the page goes on with it.")
    if text:
        return lent
    local_storage.write(local_storage.BLANKS, key, {"date": date.today().isoformat()})
    return own


def reference(key: str) -> Callable:
    """Return the course's own function, made anew, from its page's source and in a namespace of its own."""
    blank = pages.blank(key)
    namespace: dict[str, Any] = {"__name__": "course"}
    exec(_compiled(key, blank.name), namespace)
    setattr(namespace[blank.name], _LENT, True)
    return namespace[blank.name]


@cache
def _compiled(key: str, name: str) -> CodeType:
    """Return what the course's function rests on, and itself; raises UnknownKey where no page has it."""
    for page in sorted(NOTEBOOKS.glob(f"{key.partition('.')[0]}_*.py")):
        source = page.read_text(encoding="utf-8-sig")
        for match in CELL.finditer(source):
            if match[1].startswith(f"def {name}("):
                # what displays, or calls this function, is nothing that a function could rest on
                above = [
                    one
                    for one in statements(source[: match.end()], page.name)
                    if "yours" not in one.reads and not isinstance(one.node, ast.Expr)
                ]
                return compile(ast.Module([one.node for one in slice_of({name}, above)], []), page.name, "exec")
    raise pages.UnknownKey(f"No page {key.partition('.')[0]} has a blank around `def {name}(`.")


def _judged(blank: Blank, own: object, lent: Callable) -> str:
    """Return why a reader's function is not handed on, "" where it is right."""
    if not callable(own) or hasattr(own, _LENT) or _is_empty(own):
        return _goes_on(blank, f"Not yet: {blank.name} is still empty, or its cell has not been run yet.")
    names = list(inspect.signature(lent).parameters)
    given = [serialization.dumps(dict(zip(names, case, strict=False))) for case in blank.cases]
    right = [call_answer(lent, one, "").value for one in given]
    cases = [Case(serialization.loads(one), None, value) for one, value in zip(given, right, strict=True)]
    try:
        with _limit(SECONDS):
            outcomes = [call_answer(own, one, "") for one in given]
    except _TimeIsUp:
        outcomes = [AnswerOutcome("error", message=_TimeIsUp.__name__)]
    if any(one.message.startswith(_TimeIsUp.__name__) for one in outcomes):
        return _goes_on(blank, f"Not yet: your {blank.name} had no answer after {SECONDS} seconds.")
    if all(one.kind == "value" and one.value is None for one in outcomes):
        return _goes_on(blank, f"Not yet: {blank.name} returns None. Does it have a line with return?")
    verdict = score_answer(blank, cases, outcomes)
    if verdict.failing is None:
        return ""
    at = verdict.failing
    rows = checking.hinted_rows(blank, cases[at], outcomes[at], verdict.hint, first=True)
    what = "stops with an error" if outcomes[at].kind == "error" else "does not return the right value"
    return _goes_on(blank, checking.in_rows(f"Not yet: {blank.name} {what}.", rows))


def _on_arguments(function: Callable) -> Solver:
    """Return the function of a case's arguments as a function of the case."""
    return lambda given: function(*given.values())


def _is_empty(function: Callable) -> bool:
    """Return whether a function does nothing yet, as the page has it."""
    code = getattr(function, "__code__", None)
    return code is not None and {one.opname for one in dis.get_instructions(code)} <= _NOTHING


def _goes_on(blank: Blank, text: str) -> str:
    return f"{text}\nThe page goes on with the course's {blank.name}."


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise _TimeIsUp within after so many seconds, where the system has an alarm clock (Windows has none)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)  # again, where a bare except has swallowed the first
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
