"""Exercise 02.1: the parameters of a network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.rules import equals, is_whole, same_whole_number
from utils.lesson_02.exercises.counting import COUNTING, weights_of, with_biases


def _parameters_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"sizes": [4, 8, 8, 4], "bias": True}, None
    for depth in (0, 1, 2, 3, 6):
        for bias in (True, False):
            sizes = rng.permutation(40)[: depth + 2] + 2  # no two alike, so that one taken for another fails
            yield {"sizes": sizes.tolist(), "bias": bias}, None
    yield {"sizes": [784, 256, 256, 10], "bias": False}, None


def biases_counted(count: Callable[[list[int]], int]) -> Callable:
    """Return a rule: where there are biases, the value has ``count(sizes)`` of them."""
    return lambda given, value, expected: given["bias"] and value == weights_of(given["sizes"]) + count(given["sizes"])


def of_sizes(count: Callable[[list[int]], object]) -> Callable:
    """Return a rule: the value is ``count(sizes)``, or among several numbers."""
    return equals(lambda given: count(given["sizes"]), rtol=0, atol=0)


def without_a_layer(given: dict, value: object, expected: int) -> bool:
    """Return whether the first layer or the last is left out."""
    count = with_biases if given["bias"] else weights_of
    return value in (count(given["sizes"][1:]), count(given["sizes"][:-1]))


def as_if_equal(given: dict, value: object, expected: int) -> bool:
    """Return whether one of the sizes was taken for the width of all hidden layers, with or without biases."""
    sizes = given["sizes"]
    equal = [[sizes[0], *[width] * (len(sizes) - 2), sizes[-1]] for width in sizes]
    return value in [count(one) for one in equal for count in (weights_of, with_biases)]


PARAMETERS = Exercise(
    id="02.1",
    points=2,
    answer_name="parameters",
    cases=_parameters_cases,
    verify=same_whole_number,
    without=COUNTING,
    misconceptions=[
        (biases_counted(lambda sizes: 0),
         "The biases are missing: where `bias` is True every unit of every layer but the input has one."),
        (lambda given, value, expected: not given["bias"] and value == with_biases(given["sizes"]),
         "Here `bias` is False: only weights are to be counted."),
        (biases_counted(sum),
         "You have counted a bias for each input, too: the inputs are given, they are no layer that computes."),
        (biases_counted(lambda sizes: sum(sizes[:-1])),
         "A layer has as many biases as outputs; you have counted one for each of its inputs."),
        (biases_counted(lambda sizes: len(sizes) - 1),
         "You have counted one bias for each layer: it is one for each unit."),
        (biases_counted(lambda sizes: sum(sizes[1:-1])),
         "The output layer has biases, too: one for each output."),
        (of_sizes(lambda sizes: (sum(sizes), sum(sizes[1:]), sum(sizes[1:-1]))),
         "These are units. Parameters sit on the connections: between two neighbouring layers each unit of one is "
         "joined to each unit of the other."),
        (of_sizes(math.prod),
         "You have multiplied all sizes: a layer's weights join two neighbouring sizes, and the layers' numbers are "
         "added."),
        (without_a_layer,
         "One layer is left out: with `sizes` of length k there are k − 1 layers of weights, and both the first and "
         "the last count."),
        (of_sizes(lambda sizes: (sum(n * n for n in sizes), sum(n * n for n in sizes[1:]))),
         "A layer joins two sizes, which need not be the same: multiply each size by its neighbour, not by itself."),
        (as_if_equal,
         "You have given all hidden layers one width, as the lesson's networks have it. Here every layer may have "
         "another: take each size times the next, and add up layer by layer."),
    ],
    remarks=[
        (lambda given, value, expected: not is_whole(value), "Parameters are counted: return a whole number."),
    ],
)
