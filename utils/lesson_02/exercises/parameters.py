"""Exercise 02.1: the parameters of a network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Solver, equals, hints_of, same_whole_number

Sizes = list[int]
COUNTING = ("utils.models.count_parameters", "utils.models.mlp_parameters")


def weights_of(sizes: Sizes) -> int:
    """Return the number of weights."""
    return sum(n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False))


def with_biases(sizes: Sizes) -> int:
    """Return the number of weights and biases."""
    return weights_of(sizes) + sum(sizes[1:])


def _parameters_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield {"sizes": [4, 8, 8, 4], "bias": True}, None
    for depth in (0, 1, 2, 3, 6):
        for bias in (True, False):
            sizes = rng.permutation(40)[: depth + 2] + 2  # no two alike, so that one taken for another fails
            yield {"sizes": sizes.tolist(), "bias": bias}, None
    yield {"sizes": [784, 256, 256, 10], "bias": False}, None


def with_so_many_biases(count: Callable[[Sizes], int]) -> Solver:
    """Return the way that counts biases, where there are any, like this."""
    return lambda given: weights_of(given["sizes"]) + given["bias"] * count(given["sizes"])


def of_sizes(change: Callable[[Sizes], Sizes]) -> Solver:
    """Return the way that counts rightly with other sizes."""
    return lambda given: (with_biases if given["bias"] else weights_of)(change(given["sizes"]))


def one_width(width: Callable[[Sizes], int]) -> Solver:
    """Return the way that gives all hidden layers one width."""
    return of_sizes(lambda sizes: [sizes[0], *[width(sizes)] * (len(sizes) - 2), sizes[-1]])


MISTAKES = [
    (
        with_so_many_biases(lambda sizes: 0),
        lambda given: with_biases(given["sizes"]),
        lambda given: (weights_of if given["bias"] else with_biases)(given["sizes"]),
        "The weights are right. But biases are missing although `bias` is True, or counted although it is False: let "
        "`bias` decide.",
    ),
    (
        with_so_many_biases(sum),
        with_so_many_biases(lambda sizes: sum(sizes[:-1])),
        "You do not count the biases by outputs. A layer has as many biases as outputs, and the inputs have none, "
        "since nothing is computed there.",
    ),
    (
        with_so_many_biases(lambda sizes: len(sizes) - 1),
        with_so_many_biases(lambda sizes: 1),
        "You count one bias for each layer, or one for all. Every unit has one of its own.",
    ),
    (
        with_so_many_biases(lambda sizes: sum(sizes[1:-1])),
        "You leave out the output layer's biases: there is one for each output.",
    ),
    (
        *(lambda given, part=part: sum(given["sizes"][part]) for part in (slice(None), slice(1, None), slice(1, -1))),
        *(
            lambda given, count=count: count(given["sizes"]) + given["bias"] * sum(given["sizes"][1:])
            for count in (sum, lambda sizes: sum(sizes[1:]), math.prod)
        ),
        lambda given: math.prod(given["sizes"]),
        "You add up units, or multiply all sizes. But weights sit on the connections between neighbouring layers: "
        "multiply the two sizes of each pair of neighbours, and add these products up.",
    ),
    (
        *(
            of_sizes(lambda sizes, part=part: sizes[part])
            for part in (slice(-1), slice(1, None), slice(2), slice(-2, None), slice(1, -1))
        ),
        "You leave out layers. With `sizes` of length k there are k − 1 layers of weights, and the first and the last "
        "count, too. Does the loop end too early, or return in its first round?",
    ),
    (
        one_width(lambda sizes: sizes[1]),
        one_width(lambda sizes: sizes[-2]),
        one_width(max),
        "You give all hidden layers one width, as the lesson's networks have it. Here every layer may have a width of "
        "its own: take each size times the next, and add up layer by layer.",
    ),
]

PARAMETERS = Exercise(
    id="02.1",
    points=2,
    answer_name="parameters",
    cases=_parameters_cases,
    verify=same_whole_number,
    without=COUNTING,
    misconceptions=hints_of(MISTAKES, equals, rtol=0, atol=0),
)
