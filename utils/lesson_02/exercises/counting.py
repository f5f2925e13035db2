"""What the exercises on numbers of parameters share."""

from __future__ import annotations

from utils.exercises.verdict import close

COUNTING = ("utils.models.count_parameters", "utils.models.mlp_parameters")


def weights_of(sizes: list[int]) -> int:
    """Return the number of weights."""
    return sum(n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False))


def with_biases(sizes: list[int]) -> int:
    """Return the number of weights and biases."""
    return weights_of(sizes) + sum(sizes[1:])


def whole(value: object) -> bool:
    """Return whether ``value`` is a whole number; 4.0 is one, True is not."""
    return not isinstance(value, bool) and bool(close(value, round(value), rtol=0.0, atol=0.0))


def the_number(given: dict, hidden: None, value: object, expected: int) -> float:
    """Return 1.0 for the very number; 4.0 will do for 4, True for 1 will not."""
    return float(not isinstance(value, bool) and value == expected)
