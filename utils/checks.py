"""Checks of arguments, with one kind of message: which argument, what it was, what is wanted."""

import math
import numbers
import operator
from collections.abc import Iterable
from typing import Any


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """Return `value` as an int. Raises TypeError for anything but a whole number, ValueError below `least`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: wanted a whole number, at least {least}") from None
    if number < least:
        raise ValueError(f"{name} is {number}: wanted a whole number, at least {least}")
    return number


def real_number(
    name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf, below: float = math.inf
) -> float:
    """Return `value` as a finite float, at least `least`, greater than `above` and less than `below`.

    Raises TypeError for anything but one real number, ValueError outside the range, for NaN and for infinity.
    """
    wanted = "a finite number"
    if least > -math.inf:
        wanted += f", at least {least:g}"
    if above > -math.inf:
        wanted += f", greater than {above:g}"
    if below < math.inf:
        wanted += f", less than {below:g}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {value!r}: wanted {wanted}")
    number = float(value)
    if not (math.isfinite(number) and number >= least and above < number < below):
        raise ValueError(f"{name} is {value!r}: wanted {wanted}")
    return number


def interval(name: str, value: Any) -> tuple[float, float]:
    """Return `value` as a pair (low, high) with low < high. Raises TypeError or ValueError otherwise."""
    try:
        low, high = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}: wanted a pair (low, high)") from None
    low, high = real_number(f"{name}[0]", low), real_number(f"{name}[1]", high)
    if low >= high:
        raise ValueError(f"{name} is {value!r}: wanted low < high")
    return low, high


def one_of(name: str, value: Any, options: Iterable[Any]) -> Any:
    """Return `value`, when it is among `options`. ValueError, which lists them, otherwise."""
    options = list(options)
    if not any(value is option or (type(value) is type(option) and value == option) for option in options):
        raise ValueError(f"{name} is {value!r}: wanted one of {', '.join(map(repr, options))}")
    return value


def random_generator(name: str, value: Any) -> Any:
    """Return `value`, when it is a torch.Generator. TypeError otherwise."""
    import torch  # here, so that modules without tensors can use these checks at no cost

    if not isinstance(value, torch.Generator):
        raise TypeError(f"{name} is {value!r}: wanted a generator, as in torch.Generator().manual_seed(0)")
    return value
