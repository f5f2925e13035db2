"""Functions of the course that are an exercise's answer, and refuse to be called while that exercise is checked."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_withheld: set[str] = set()


class Withheld(RuntimeError):
    """A call of a function that an exercise asks the student to write."""


def withholdable(function: Callable) -> Callable:
    """Return ``function``, refusing to be called while an exercise's ``without`` names it."""
    name = f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if name in _withheld:
            raise Withheld(f"{name} is what this exercise asks you to write: do without it")
        return function(*args, **kwargs)

    return guarded


@contextlib.contextmanager
def withholding(names: Sequence[str]) -> Iterator[None]:
    """Make the ``withholdable`` functions of these names raise Withheld within the block."""
    before = set(_withheld)
    _withheld.update(names)
    try:
        yield
    finally:
        _withheld.clear()
        _withheld.update(before)
