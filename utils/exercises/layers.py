"""What the exercises share whose answer is a ReLU network: a list of layers, pairs (weight, bias)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from utils.exercises.definition import Given
from utils.exercises.rules import Rule

Layers = list[tuple[np.ndarray, np.ndarray]]
Sizes = Callable[[int], list[int]]  # of a network, from the number of hidden layers that is asked for


def layers_of(value: object) -> Layers:
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
    h = X
    for i, (weight, bias) in enumerate(layers):
        h = (np.maximum(h, 0) if i else h) @ weight.T + bias
    return h


def with_one_input(layers: Iterable[tuple], low: float, high: float) -> Given:
    """Return a case of an exercise on a network with one input: its weights and biases, and an interval."""
    weights, biases = zip(*layers, strict=True)
    return {
        "weights": [np.array(weight, dtype=float) for weight in weights],
        "biases": [np.array(bias, dtype=float) for bias in biases],
        "low": float(low),
        "high": float(high),
    }


def transposed(layers: Layers) -> Layers:
    """Return the layers with each weight transposed."""
    return [(weight.T, bias) for weight, bias in layers]


def shapes_in_words(layers: Layers) -> str:
    return ", ".join(str(weight.shape) for weight, _ in layers)


# --- rules ------------------------------------------------------------------------------------------------


def is_in_swapped_pairs(given: Given, value: object, expected: object) -> bool:
    """Return whether each pair is (bias, weight)."""
    return not is_readable(value) and is_readable([pair[::-1] for pair in value])


def is_unreadable(given: Given, value: object, expected: object) -> bool:
    return value is not None and not is_readable(value)


def is_transposed(wanted: Sizes) -> Rule:
    """Return a rule: with each weight transposed the layers have the sizes wanted, and as they are they have not."""

    def matches(given: Given, value: object, expected: object) -> bool:
        (number,), layers = given.values(), layers_of(value)
        return sizes_of(layers) != wanted(number) == sizes_of(transposed(layers))

    return matches


def of_sizes(*sizes: Sizes, wanted: Sizes) -> Rule:
    """Return a rule: the layers have one of these sizes, which are not those wanted."""

    def matches(given: Given, value: object, expected: object) -> bool:
        (number,), found = given.values(), sizes_of(layers_of(value))
        return found != wanted(number) and any(found == one(number) for one in sizes)

    return matches


def is_of_other_sizes(wanted: Sizes) -> Rule:
    def matches(given: Given, value: object, expected: object) -> bool:
        (number,) = given.values()
        return sizes_of(layers_of(value)) != wanted(number)

    return matches


def does_not_fit(given: Given, value: object, expected: object) -> bool:
    return sizes_of(layers_of(value)) == []


def is_not_finite(given: Given, value: object, expected: object) -> bool:
    return not all(np.isfinite(part).all() for layer in layers_of(value) for part in layer)
