"""Functions of the course that are an exercise's answer, and refuse to be called while that exercise is checked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from types import CodeType

_withholdable: dict[str, list[Callable]] = {}  # by name: a module that is read twice has two functions of a name
_withheld: dict[str, list[CodeType]] = {}  # what they do when they are not withheld
_for_good: list[str] = []


class Withheld(RuntimeError):
    """A call of a function that an exercise asks the student to write."""


def withholdable(function: Callable) -> Callable:
    """Return ``function``, which refuses to be called while an exercise's ``without`` names it.

    Whatever holds the function refuses: it is its code that changes, so that there is no way around a guard. For
    functions of a module, without free variables.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    _withholdable.setdefault(name, []).append(function)
    if any(withheld.endswith(f".{function.__qualname__}") for withheld in _for_good):  # a module may have other names
        function.__code__ = _refusal(name)
    return function


def withhold(names: Sequence[str]) -> None:
    """Make the ``withholdable`` functions of these names raise Withheld from now on, those defined later, too."""
    _for_good.extend(names)
    for name in names:
        for function in _withholdable.get(name, ()):
            function.__code__ = _refusal(name)


@contextlib.contextmanager
def withholding(names: Sequence[str]) -> Iterator[None]:
    """Make the ``withholdable`` functions of these names raise Withheld within the block."""
    mine = [name for name in names if name in _withholdable and name not in _withheld]
    for name in mine:
        _withheld[name] = [function.__code__ for function in _withholdable[name]]
        for function in _withholdable[name]:
            function.__code__ = _refusal(name)
    try:
        yield
    finally:
        for name in mine:
            for function, code in zip(_withholdable[name], _withheld.pop(name), strict=False):
                function.__code__ = code


def _refusal(name: str) -> CodeType:
    """Return the code of a function that takes anything and raises Withheld, whatever it finds around itself."""
    text = f"{name} is what this exercise asks you to write, so your answer cannot call it"
    made: dict[str, Callable] = {}
    exec(f"def refuse(*_, **__):\n    from {__name__} import Withheld\n    raise Withheld({text!r})", made)
    return made["refuse"].__code__
