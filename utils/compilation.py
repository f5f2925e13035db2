"""A word to whoever waits: what is being compiled, once, where it takes longer than a moment."""

from __future__ import annotations

import contextlib
import contextvars
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from utils.environment import is_interactive

_PROCESS = os.getpid()  # a forked child has another one; what it says has no place to go


@contextlib.contextmanager
def say_if_slow(text: str, after: float = 1.0) -> Iterator[None]:
    """Show ``text`` in the notebook, or on a terminal, once the block has run ``after`` seconds, until it ends.

    Nothing is shown where nobody waits for it: in a build, a test, a forked child, or a program whose output
    goes to a file.
    """
    place = _place() if is_interactive() and os.getpid() == _PROCESS else None
    if place is None:
        yield
        return
    message = _Message(text, place)
    # in this context, or the notebook would not know whose output it is
    timer = threading.Timer(after, contextvars.copy_context().run, (message.show,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        message.clear()


def is_fresh(function: Any) -> bool:
    """Return whether a Numba function was compiled for no arguments yet; a plain function needs it for none."""
    return not getattr(function, "overloads", True)


def compile_first(function: Any, arguments: tuple[Any, ...], text: str) -> None:
    """Compile a Numba function for such arguments, or load it from disk; ``text`` is said where that is slow.

    Nothing happens where it was done before. Without garbage collection, which finds nothing to collect and
    takes a tenth of the time.
    """
    from numba import typeof

    signature = tuple(typeof(argument) for argument in arguments)
    if signature in function.overloads:
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        with say_if_slow(text):
            function.compile(signature)
    finally:
        if collecting:
            gc.enable()


Place = Callable[[str], Callable[[], None]]  # shows a text, returns what clears it


class _Message:
    """A text that is shown at most once, and not after it was cleared, whatever two threads do at a time."""

    def __init__(self, text: str, place: Place) -> None:
        self._text, self._place = text, place
        self._lock, self._over = threading.Lock(), False
        self._erase: Callable[[], None] = lambda: None

    def show(self) -> None:
        # whatever fails here must not stop what is being waited for
        with self._lock, contextlib.suppress(Exception):
            if not self._over:
                self._erase = self._place(self._text)

    def clear(self) -> None:
        with self._lock, contextlib.suppress(Exception):
            self._over = True
            self._erase()


def _place() -> Place | None:
    """Return where a message may be shown, None for nowhere."""
    ipython = sys.modules.get("IPython")
    if getattr(ipython.get_ipython() if ipython else None, "kernel", None) is not None:
        return _in_notebook
    return _on_terminal if sys.stderr is not None and sys.stderr.isatty() else None


def _in_notebook(text: str) -> Callable[[], None]:
    from IPython.display import display

    shown = display({"text/plain": text}, raw=True, display_id=True)
    return lambda: shown.update({"text/plain": ""}, raw=True)


def _on_terminal(text: str) -> Callable[[], None]:
    print(text, end="", file=sys.stderr, flush=True)
    return lambda: print("\r" + " " * len(text) + "\r", end="", file=sys.stderr, flush=True)
