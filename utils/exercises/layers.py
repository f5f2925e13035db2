"""What the exercises share whose answer is a ReLU network: a list of layers, pairs (weight, bias)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from utils.exercises.definition import Hint, Inputs
from utils.exercises.networks import forward
from utils.exercises.rules import Rule

Layers = list[tuple[np.ndarray, np.ndarray]]
Sizes = Callable[[int], list[int]]  # of a network, from the number of hidden layers that is asked for


def layers_of(value: Any) -> Layers:
    """Return the layers as pairs of arrays; raises an error for what is no list of pairs (weight, bias)."""
    layers = []
    for weight, bias in value:
        weight, bias = np.asarray(weight, dtype=float), np.asarray(bias, dtype=float).ravel()
        if weight.ndim != 2:
            raise ValueError("a weight with another number of dimensions than two")
        layers.append((weight, bias))
    return layers


def is_readable(value: object) -> bool:
    """Return whether ``value`` has the form of a list of layers."""
    try:
        return bool(layers_of(value))
    except (TypeError, ValueError):
        return False


def sizes_of(layers: Layers) -> list[int]:
    """Return [inputs, units, …, outputs], or an empty list where the layers do not fit together."""
    sizes = [layers[0][0].shape[1]]
    for weight, bias in layers:
        if weight.shape != (len(bias), sizes[-1]):
            return []
        sizes.append(len(bias))
    return sizes


def evaluate(layers: Layers, X: np.ndarray) -> np.ndarray:
    """Return the outputs [points, outputs] of the ReLU network with these layers at X [points, inputs]."""
    weights, biases = zip(*layers, strict=True)
    return forward(weights, X, biases)[1][-1]


def same_outputs(found: np.ndarray, wanted: np.ndarray, within: float = 1e-5) -> bool:
    """Return whether outputs are the same but for rounding: a share of 1 and of the largest; float32 reaches 1e-5."""
    return bool(np.abs(found - wanted).max() <= within * (1 + np.abs(wanted).max()))


def with_one_input(layers: Iterable[tuple], low: float, high: float) -> Inputs:
    """Return a case of an exercise on a network with one input: its weights and biases, and an interval."""
    weights, biases = zip(*layers, strict=True)
    return {
        "weights": [np.array(weight, dtype=float) for weight in weights],
        "biases": [np.array(bias, dtype=float) for bias in biases],
        "low": float(low),
        "high": float(high),
    }


def sizes_in_words(layers: Layers, wanted: list[int]) -> str:
    """Return a sentence on sizes that are not those wanted, or "" for those that are."""
    if sizes_of(layers) == wanted:
        return ""
    shapes = ", ".join(str(weight.shape) for weight, _ in layers)
    return f"Sizes {wanted} are wanted, but your weights have the shapes {shapes}."


# --- rules ------------------------------------------------------------------------------------------------


def computes(
    *ways: Callable[[Inputs], Layers], wanted: Sizes, seen: Callable[[Inputs, Layers], np.ndarray], within: float
) -> Rule:
    """Return a rule: the layers have the sizes wanted, and what is ``seen`` of them is that of one way's layers."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        layers = layers_of(value)
        if sizes_of(layers) != wanted(_number(given)):
            return False
        outputs = seen(given, layers)
        return any(same_outputs(outputs, seen(given, way(given)), within) for way in ways)

    return matches


def remarks_on_layers(wanted: Sizes, otherwise: str) -> list[Hint]:
    """Return the remarks on the form of a value: no list of layers, or layers of sizes that are not those wanted."""
    n_in, units, *_ = wanted(1)
    return [
        (
            lambda given, value, expected: value is not None and not is_readable(value),
            "Return a list of pairs (weight, bias), one pair for each layer. The weight comes first, with the shape "
            "(outputs, inputs); the bias has one number for each output.",
        ),
        (
            _is_transposed(wanted),
            f"Your weights are transposed. A weight has the shape (outputs, inputs), so the first one should be "
            f"({units}, {n_in}).",
        ),
        (lambda given, value, expected: sizes_of(layers_of(value)) != wanted(_number(given)), otherwise),
    ]


def _number(given: Inputs) -> int:
    """Return the number of hidden layers that is asked for, the first that a case gives."""
    return next(iter(given.values()))


def _is_transposed(wanted: Sizes) -> Rule:
    """Return a rule: with each weight transposed the layers have the sizes wanted, and as they are they have not."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        layers = layers_of(value)
        transposed = [(weight.T, bias) for weight, bias in layers]
        return sizes_of(layers) != wanted(_number(given)) == sizes_of(transposed)

    return matches
