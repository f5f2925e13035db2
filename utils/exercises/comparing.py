"""Comparing plain data: the structure, and the numbers within a tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np


def close(value: Any, expected: Any, *, rtol: float = 1e-6, atol: float = 1e-9) -> float:
    """Return 1.0 where ``value`` has the structure of ``expected`` and its numbers within the tolerance, else 0.0.

    Lists, tuples, arrays and tensors of the same shape are the same here, and so are 3 and 3.0; True is no
    number. Two numbers agree where ``abs(value - expected) <= atol + rtol * abs(expected)``; nan agrees
    with nothing.
    """
    if isinstance(expected, dict):
        same_keys = isinstance(value, dict) and value.keys() == expected.keys()
        return float(same_keys and all(close(value[k], expected[k], rtol=rtol, atol=atol) for k in expected))
    if expected is None or isinstance(expected, (bool, str)):
        return float(type(value) is type(expected) and value == expected)
    wanted, got = numbers_in(expected), numbers_in(value)
    if wanted is None:
        same_length = isinstance(value, list) and len(value) == len(expected)
        pairs = zip(value, expected, strict=True) if same_length else ()
        return float(same_length and all(close(a, b, rtol=rtol, atol=atol) for a, b in pairs))
    if got is None or got.shape != wanted.shape or (got.dtype == bool) != (wanted.dtype == bool):
        return 0.0
    if wanted.dtype == bool:
        return float((got == wanted).all())
    if got.dtype.kind in "iu":  # the difference of whole numbers may not fit into 64 bits
        got = got.astype(float)
    with np.errstate(invalid="ignore"):  # inf - inf is nan, which agrees with nothing
        return float((np.abs(got - wanted) <= atol + rtol * np.abs(wanted)).all())


def _holds_others(value: Any) -> bool:
    """Return whether there is a text, a dictionary or None anywhere in these lists."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting += one
        elif one is None or isinstance(one, (str, dict)):
            return True
    return False


def numbers_in(value: Any) -> np.ndarray | None:
    """Return ``value`` as one array of numbers or booleans, or None where it is not rectangular or holds others.

    Text is looked for first: NumPy would give every element the room of the longest one.
    """
    if _holds_others(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biufc" else None
