"""Exercise 01.1: a stack of linear layers is one linear layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Solver, halves_to_four_digits, hints_of, is_no, returned_by
from utils.exercises.rules import same_to_four_digits as agree


def _collapse_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    yield (
        {
            "weights": [np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [3.0, 1.0]])],
            "biases": [np.array([1.0, -1.0]), np.array([0.0, 2.0])],
        },
        None,
    )
    for depth in (1, 2, 3, 4, 5):
        sizes = rng.permutation(6)[: depth + 1] + 2  # no two alike, so that a product in the wrong order fails
        yield (
            {
                "weights": [rng.normal(size=(n_out, n_in)) for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)],
                "biases": [rng.normal(size=n_out) for n_out in sizes[1:]],
            },
            None,
        )
    yield {"weights": list(rng.normal(size=(3, 3, 3))), "biases": list(rng.normal(size=(3, 3)))}, None
    yield {"weights": [1e-3 * rng.normal(size=(3, 2))], "biases": [1e-3 * rng.normal(size=3)]}, None


def collapse_explain(given: Inputs, value: list, expected: list) -> str:
    """Say which half is right."""
    matrix, bias = (agree(part, right) for part, right in zip(value, expected, strict=True))
    if matrix == bias:
        return ""
    parts = ("matrix", "bias") if matrix else ("bias", "matrix")
    return "The {} is right here, the {} is not. Each is worth one point, if it is right in every case.".format(*parts)


def is_pair(value: object) -> bool:
    """Return whether ``value`` is a list of two parts, the first of which has rows and columns."""
    return isinstance(value, list) and len(value) == 2 and np.ndim(value[0]) == 2


def product(matrices: list) -> np.ndarray:
    """Return the matrix of the map that applies the first matrix first."""
    return reduce(lambda before, matrix: matrix @ before, matrices)


def with_matrix(matrix: Callable[[list], np.ndarray]) -> Solver:
    """Return the way that has the matrix made of the weights, and the last bias."""
    return lambda given: [matrix(given["weights"]), given["biases"][-1]]


MISTAKES = [  # a matrix is told by itself, whatever the bias is
    (
        with_matrix(lambda weights: product(weights[::-1])),
        "The product is in the wrong order: the layer that acts first stands on the right, as in W2 (W1 x).",
    ),
    (
        with_matrix(lambda weights: reduce(np.multiply, weights)),
        "`*` multiplies entry by entry. The product of matrices is `@`.",
    ),
    (
        with_matrix(lambda weights: product(weights).T),
        "Your matrix is transposed: a layer computes W x + b, where W has the shape (outputs, inputs).",
    ),
    (
        with_matrix(lambda weights: product(weights[:-1])),
        with_matrix(lambda weights: product(weights[1:])),
        "A layer is left out: multiply all matrices, including the first and the last.",
    ),
    (
        with_matrix(lambda weights: product([weights[0], *weights])),
        "The first layer is counted twice: if you begin with its matrix, begin the loop with the second.",
    ),
]


COLLAPSE = Exercise(
    id="01.1",
    points=2,
    answer_name="collapse",
    cases=_collapse_cases,
    verify=halves_to_four_digits,
    wanted=lambda given, expected: (
        f"a pair: a matrix of shape {expected[0].shape} and a bias of shape {expected[1].shape} "
        "with which one layer does what the stack does"
    ),
    without=["utils.exercises.networks.forward"],
    explain=collapse_explain,
    misconceptions=hints_of(MISTAKES, returned_by, same=lambda value, wrong: agree(value[0], wrong[0])),
    remarks=[
        (is_no(is_pair), "Return two things, the matrix first and then the bias: `return matrix, bias`."),
        (
            lambda given, value, expected: agree(value[0], expected[0]) and agree(np.ravel(value[1]), expected[1]),
            "The numbers are right, but not the bias's shape: return one number for each output, in one dimension.",
        ),
        (
            lambda given, value, expected: agree(value[0], expected[0]) and not agree(value[1], expected[1]),
            "The matrix is right, but the bias is not. An early bias passes through all later matrices, through no "
            "others, and through no activation: W2 (W1 x + b1) + b2.",
        ),
    ],
)
