"""One call of a student's answer: on a copy of the input, quietly, with its value turned into plain data."""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TextIO

from utils.exercises import serialization
from utils.withholding import withholding

PRINTED_CHARACTERS = 20_000


@dataclass(frozen=True)
class AnswerOutcome:
    """What one call of an answer came to: ``kind`` is "value", "error", or "not started".

    ``value`` is the answer's value as plain data, ``message`` says what went wrong in one line, and
    ``printed`` is what the answer printed and warned.
    """

    kind: str
    value: Any = None
    message: str = ""
    printed: str = ""


UNCHECKABLE = "your function's result cannot be checked"


def call_answer(answer: Callable, stored_given: str, exercise_id: str, without: Sequence[str] = ()) -> AnswerOutcome:
    """Return the outcome of ``answer`` on the input stored in ``stored_given`` (see ``utils.exercises.serialization``).

    The answer gets a fresh copy of the input, positionally. What it prints, warns or draws is held back;
    only KeyboardInterrupt leaves this function.
    """
    given = serialization.loads(stored_given, tensors=True)
    with held_back() as printed:
        try:
            with withholding(without):
                outcome = AnswerOutcome("value", serialization.normalise(answer(*given.values())))
        except NotImplementedError as error:
            unanswered = str(error) == f"exercise {exercise_id}"
            outcome = (
                AnswerOutcome("not started") if unanswered else AnswerOutcome("error", message=_describe(error, answer))
            )
        except serialization.NotSerializable as error:
            outcome = AnswerOutcome("error", message=f"{UNCHECKABLE}: {error}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, and whatever class an answer derives from BaseException
            outcome = AnswerOutcome("error", message=_describe(error, answer))
    return AnswerOutcome(outcome.kind, outcome.value, outcome.message, printed.getvalue())


def _describe(error: BaseException, answer: Callable) -> str:
    return described(error, getattr(getattr(answer, "__code__", None), "co_filename", None))


def described(error: BaseException, filename: str | None) -> str:
    """Return the error in one line, with the line of the student's own code, of this file's name, where it arose."""
    text = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return f"{text[:300]} (in the line: {own[-1].line})" if own and own[-1].line else text[:300]


class _Beginning(io.StringIO):
    """Keeps the beginning of what is written: an answer that prints without end must not fill the memory."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, PRINTED_CHARACTERS - self.tell())])
        return len(text)


@contextlib.contextmanager
def held_back() -> Iterator[io.StringIO]:
    """Collect prints and warnings, keep IPython's rich output from the page, close figures drawn within."""
    printed = _Beginning()
    figures = _open_figures()
    with _no_rich_output(), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = _print_warning
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield printed
    for number in _open_figures() - figures:
        sys.modules["matplotlib.pyplot"].close(number)


def _no_rich_output() -> AbstractContextManager:
    """Keep what a notebook would display from the page; where IPython was not loaded, nothing displays."""
    if "IPython" not in sys.modules:
        return contextlib.nullcontext()
    from IPython.utils.capture import capture_output

    return capture_output(stdout=False, stderr=False)


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"{category.__name__}: {message}")


def _open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()
