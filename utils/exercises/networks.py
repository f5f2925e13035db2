"""A network given as arrays, forwards and backwards: what the exercises share that ask for a part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from utils.types import Array
from utils.withholding import withholdable

Weights = Sequence[Array]  # of each layer, [n_out, n_in]
Function = Callable[[Array], Array]


def relu(z: Array) -> Array:
    """Return the positive part of each number."""
    return np.maximum(z, 0)


def identity(z: Array) -> Array:
    """Return z."""
    return z


SLOPES: dict[Function, Function] = {
    relu: lambda z: (z > 0).astype(float),
    np.tanh: lambda z: 1 - np.tanh(z) ** 2,
    identity: np.ones_like,
}


@withholdable
def forward(
    weights: Weights, X: Array, biases: Sequence[Array | float] | None = None, activation: Function = relu
) -> tuple[list[Array], list[Array]]:
    """Return what goes into each layer [n, n_in], X first, and what it makes of that before its activation [n, n_out].

    The activation acts behind every layer but the last.
    """
    inputs: list[Array] = []
    before: list[Array] = []
    for place, weight in enumerate(weights):
        inputs.append(activation(before[-1]) if before else X)
        before.append(inputs[-1] @ weight.T + (0 if biases is None else biases[place]))
    return inputs, before


@withholdable
def backward(
    weights: Weights,
    inputs: Sequence[Array],
    before: Sequence[Array],
    errors: Array,
    slope: Function = SLOPES[relu],
    through: Function = identity,
) -> tuple[list[Array], list[Array]]:
    """Return a loss's gradients with respect to the weights, and to what stands ``before`` each layer's activation.

    ``inputs`` and ``before`` are those of ``forward``, ``errors`` [n, n_out] the gradient with respect to before[-1].
    ``slope`` is the activation's derivative, ``through`` what is taken for a weight matrix on the way back.
    """
    found = [errors]
    for place in range(len(weights) - 1, 0, -1):
        found.insert(0, found[0] @ through(weights[place]) * slope(before[place - 1]))
    return [error.T @ h for error, h in zip(found, inputs, strict=True)], found
