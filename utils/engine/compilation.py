"""A word to anyone who waits: what is being compiled, said once, if it takes longer than a moment."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from utils.environment import is_interactive

_told: set[str] = set()  # what was said in this process: several functions, or kinds of numbers, share a text


@contextlib.contextmanager
def notify_if_slow(text: str, after: float = 1.0) -> Iterator[None]:
    """Print ``text`` once the block has run ``after`` seconds, the same text only once in a process.

    Nothing is printed in a build or a test, where nobody waits.
    """
    # a program's output may be read by another one, so what is said there goes beside it
    place = sys.stdout if "ipykernel" in sys.modules else sys.stderr
    # in this context, or the notebook would not know whose output it is
    say = functools.partial(contextvars.copy_context().run, _tell, text, place)
    timer = threading.Timer(after, say)
    timer.daemon = True
    if is_interactive():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(text: str, place: TextIO) -> None:
    if text not in _told:
        _told.add(text)
        print(text, file=place, flush=True)


def is_fresh(function: Any) -> bool:
    """Return whether a Numba function has not been compiled for any arguments yet; a plain function never needs it."""
    return not getattr(function, "overloads", True)


def compile_first(function: Any, arguments: tuple[Any, ...], text: str) -> None:
    """Compile a Numba function for such arguments, or load it from disk; ``text`` is printed if that is slow.

    Does nothing if it was done before. Without garbage collection, which finds nothing to collect and
    takes a tenth of the time.
    """
    from numba import typeof

    signature = tuple(typeof(argument) for argument in arguments)
    if signature in function.overloads:
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        with notify_if_slow(text):
            function.compile(signature)
    finally:
        if collecting:
            gc.enable()
