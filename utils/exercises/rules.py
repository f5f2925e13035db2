"""Rules that many exercises use: what a hint's rule matches, and how a whole number is verified.

An exercise lists its mistakes in one table, each as ``(way, …, hint)``: the wrong ways to answer that have one hint.
Its misconceptions are made from the table (``hints_of``), and its cases are drawn until they tell the mistakes apart
(``discrimination.discriminating_cases``).

A rule is handed the case, the answer's value and the solution's (see ``Exercise.misconceptions``). Whatever a rule of
this module cannot read, such as a list where a number is wanted, raises, and then the rule says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from utils.exercises.comparing import close
from utils.exercises.definition import Hint, Inputs

FOUR_DIGITS = 1e-4  # the share that a number may be off by, as the exercise notebooks say
each_to_four_digits = partial(close, rtol=FOUR_DIGITS, atol=0.0)
Rule = Callable[[Inputs, Any, Any], bool]
Tolerance = float | Callable[[Inputs], float]
Solver = Callable[[Inputs], Any]  # from a case to what an answer returns for it
Mistakes = Sequence[tuple]  # each (way, …, hint)


def hints_of(mistakes: Mistakes, rule: Callable[..., Rule], **options: Any) -> list[Hint]:
    """Return the hint of each mistake with ``rule(*its ways, **options)``, such as ``equals`` or ``returned_by``.

    Each rule has its ``ways``: they are the wrong answers that the hint is meant for.
    """
    hints = []
    for *ways, hint in mistakes:
        matches: Any = rule(*ways, **options)
        matches.ways = ways
        hints.append((matches, hint))
    return hints


def returned_by(*ways: Solver, same: Callable[[Any, Any], float] = close) -> Rule:
    """Return a rule: the value is the same as what one of these ways returns, as ``same(value, other)`` judges it."""
    # a list, so that each way is asked: a way that stops with an error explains an answer that does
    return lambda given, value, expected: any([same(value, way(given)) for way in ways])


def is_no(form: Callable[[Any], bool]) -> Rule:
    """Return a rule: a value was returned, and it has not this form, such as ``is_number``."""
    return lambda given, value, expected: value is not None and not form(value)


def has_wrong(*places: int, same: Callable[[Any, Any], float] = close) -> Rule:
    """Return a rule: of the value's parts, as many as are expected, these are wrong, and no others."""

    def matches(given: Inputs, value: Any, expected: Any) -> bool:
        pairs = enumerate(zip(value, expected, strict=True))
        return [place for place, (part, right) in pairs if not same(part, right)] == list(places)

    return matches


def equals(*mistakes: Callable[[Inputs], Any], rtol: float = 1e-6, atol: Tolerance = 1e-9) -> Rule:
    """Return a rule: the value is the number that one of these mistakes gives for the case, or one of its numbers.

    The value may be an array of one number; nan equals nan. ``atol`` may depend on the case. With ``rtol`` and
    ``atol`` 0 numbers are equal or not, however large they are.
    """

    def matches(given: Inputs, value: Any, expected: Any) -> bool:
        within = atol(given) if callable(atol) else atol
        return any(_near(one_number(value), wrong, rtol, within) for wrong in _numbers(mistakes, given))

    return matches


def follows(*changes: Callable[[Inputs, Any], Any], rtol: float = 1e-6, atol: Tolerance = 1e-9) -> Rule:
    """Return a rule: the value is what one of these changes makes of the right one, as in ``equals``."""

    def matches(given: Inputs, value: Any, expected: Any) -> bool:
        within = atol(given) if callable(atol) else atol
        return any(_near(one_number(value), wrong, rtol, within) for wrong in _numbers(changes, given, expected))

    return matches


def one_number(value: Any) -> int | float | np.integer | np.floating:
    """Return the number that ``value`` is, or that it holds alone; raises TypeError for anything else."""
    alone = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
    alone = alone[0] if isinstance(alone, list) and len(alone) == 1 else alone
    if isinstance(alone, bool) or not isinstance(alone, (int, float, np.integer, np.floating)):
        raise TypeError(f"a {type(value).__name__} is not one number")  # written out, a large one takes seconds
    return alone


def is_number(value: Any) -> bool:
    """Return whether ``value`` is one number, alone or in an array; True is none."""
    try:
        one_number(value)
    except TypeError:
        return False
    return True


def is_whole(value: Any) -> bool:
    """Return whether ``value`` is a whole number, such as 4.0. Raises TypeError for what is no number, as True is."""
    number = one_number(value)
    return isinstance(number, int) or float(number).is_integer()


def same_number(*, rtol: float, atol: Tolerance) -> Callable[[Inputs, Any, Any, Any], float]:
    """Return what verifies one number, alone or in an array of one, to within ``rtol`` and ``atol``."""
    right = follows(lambda given, expected: expected, rtol=rtol, atol=atol)

    def verify(given: Inputs, hidden: Any, value: Any, expected: Any) -> float:
        return float(is_number(value) and math.isfinite(one_number(value)) and right(given, value, expected))

    return verify


def same_whole_number(given: Inputs, hidden: Any, value: Any, expected: int) -> float:
    """Verify a whole number, alone or in an array of one: 4.0 will do for 4, True for 1 will not."""
    return float(is_number(value) and is_whole(value) and one_number(value) == expected)


def same_to_four_digits(value: Any, expected: Any) -> bool:
    """Return whether numbers agree, each array to four digits of its largest entry: float32 has them even in a sum."""
    if isinstance(expected, list):
        return len(value) == len(expected) and all(map(same_to_four_digits, value, expected))
    return bool(close(value, expected, rtol=0.0, atol=FOUR_DIGITS * float(np.abs(expected).max())))


def halves_to_four_digits(given: Inputs, hidden: Any, value: Any, expected: Any) -> float:
    """Verify a pair, half for each of its parts (see ``same_to_four_digits``)."""
    return sum(0.5 * same_to_four_digits(part, right) for part, right in zip(value, expected, strict=True))


def _numbers(mistakes: Iterable[Callable], *about: Any) -> Iterable[Any]:
    for mistake in mistakes:
        wrong = mistake(*about)
        yield from wrong if isinstance(wrong, (list, tuple, set)) else [wrong]


def _near(value: Any, wrong: Any, rtol: float, atol: float) -> bool:
    if value == wrong or rtol == atol == 0:
        return bool(value == wrong)
    if not (math.isfinite(value) and math.isfinite(wrong)):
        return math.isnan(value) and math.isnan(wrong)
    return bool(abs(value - wrong) <= atol + rtol * abs(wrong))
