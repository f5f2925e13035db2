"""What the exercises on numbers of parameters share."""

from __future__ import annotations

COUNTING = ("utils.models.count_parameters", "utils.models.mlp_parameters")


def weights_of(sizes: list[int]) -> int:
    """Return the number of weights."""
    return sum(n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False))


def with_biases(sizes: list[int]) -> int:
    """Return the number of weights and biases."""
    return weights_of(sizes) + sum(sizes[1:])
