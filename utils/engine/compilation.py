"""A word to whoever waits: what is being compiled, once, where it takes longer than a moment."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import gc
import sys
import threading
from collections.abc import Iterator
from typing import Any

from utils.environment import is_interactive


@contextlib.contextmanager
def notify_if_slow(text: str, after: float = 1.0) -> Iterator[None]:
    """Print ``text`` once the block has run ``after`` seconds; never in a build or a test, where nobody waits."""
    # a program's output may be read by another one, so what is said there goes beside it
    place = sys.stdout if "ipykernel" in sys.modules else sys.stderr
    # in this context, or the notebook would not know whose output it is
    say = functools.partial(contextvars.copy_context().run, print, text, file=place, flush=True)
    timer = threading.Timer(after, say)
    timer.daemon = True
    if is_interactive():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def is_fresh(function: Any) -> bool:
    """Return whether a Numba function was compiled for no arguments yet; a plain function needs it for none."""
    return not getattr(function, "overloads", True)


def compile_first(function: Any, arguments: tuple[Any, ...], text: str) -> None:
    """Compile a Numba function for such arguments, or load it from disk; ``text`` is said where that is slow.

    Does nothing where it was done before. Without garbage collection, which finds nothing to collect and
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
