"""The exercises of lesson 01, universal approximation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import reduce

import numpy as np

from utils.exercises.definition import Exercise
from utils.exercises.lesson_01_parts.bump import BUMP
from utils.exercises.lesson_01_parts.hypotheses import HYPOTHESIS
from utils.exercises.lesson_01_parts.left import LEFT
from utils.exercises.lesson_01_parts.polynomials import FLOOR
from utils.exercises.verdict import close


def collapse_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"weights": [np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [3.0, 1.0]])],
           "biases": [np.array([1.0, -1.0]), np.array([0.0, 2.0])]}, None  # fmt: skip
    for depth in (1, 2, 3, 4, 5):
        sizes = rng.permutation(6)[: depth + 1] + 2  # no two alike, so that a product in the wrong order fails
        yield {"weights": [rng.normal(size=(n_out, n_in)) for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True)],
               "biases": [rng.normal(size=n_out) for n_out in sizes[1:]]}, None  # fmt: skip
    yield {"weights": list(rng.normal(size=(3, 3, 3))), "biases": list(rng.normal(size=(3, 3)))}, None


def collapse_verify(given: dict, hidden: None, value: object, expected: list) -> float:
    """Half for the matrix and half for the bias."""
    return sum(0.5 * close(part, right) for part, right in zip(value, expected, strict=True))


def collapse_explain(given: dict, value: list, expected: list) -> str:
    """Say which half is right."""
    matrix, bias = (bool(close(part, right)) for part, right in zip(value, expected, strict=True))
    if matrix == bias:
        return ""
    parts = ("matrix", "bias") if matrix else ("bias", "matrix")
    return "The {} is right here, the {} is not. Each is worth one point, if it is right in every case.".format(*parts)


def is_pair(value: object) -> bool:
    """Return whether ``value`` is a list of two parts."""
    return isinstance(value, list) and len(value) == 2


def matrix_product(matrices: list) -> np.ndarray:
    """Return the matrix of the map that applies the first matrix first."""
    return reduce(lambda product, matrix: matrix @ product, matrices)


COLLAPSE = Exercise(
    id="01.1",
    points=2,
    answer_name="collapse",
    cases=collapse_cases,
    verify=collapse_verify,
    wanted=lambda given, expected: (
        f"a pair: a matrix of shape {expected[0].shape} and a bias of shape {expected[1].shape} "
        "with which one layer does what the stack does"
    ),
    explain=collapse_explain,
    misconceptions=[
        (lambda given, value, expected: value is not None and not is_pair(value),
         "Return two things, the matrix and the bias: `return matrix, bias`."),
        (lambda given, value, expected: is_pair(value) and close(value[::-1], expected),
         "The matrix comes first, then the bias."),
        (lambda given, value, expected: close(value[0], matrix_product(given["weights"][::-1])),
         "The product is in the wrong order: the layer that acts first stands on the right, W2 (W1 x)."),
        (lambda given, value, expected: close(value[0], reduce(np.multiply, given["weights"])),
         "`*` multiplies entry by entry; the product of matrices is `@`."),
        (lambda given, value, expected: close(value[0], expected[0].T),
         "Your matrix is transposed: a layer computes W x + b with W of shape (outputs, inputs)."),
        (lambda given, value, expected: close(value[0], matrix_product(given["weights"][:-1]))
         or close(value[0], matrix_product(given["weights"][1:])),
         "One layer is left out: the product takes every matrix, the first and the last included."),
        (lambda given, value, expected: close(value[0], expected[0]) and close(np.ravel(value[1]), expected[1]),
         "The numbers are right, the bias's shape is not: one number for each output, in one dimension."),
        (lambda given, value, expected: close(value[0], expected[0]) and not close(value[1], expected[1]),
         "The matrix is right. The bias is not: an early bias passes through all later matrices, "
         "W2 (W1 x + b1) + b2."),
    ],
)  # fmt: skip


def certified_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    yield {"max_curvature": 1.0, "low": 0.0, "high": 4.0, "tolerance": 0.125}, None
    yield {"max_curvature": 4.0, "low": -1.0, "high": 2.0, "tolerance": 0.125}, None
    yield {"max_curvature": 0.0, "low": -1.0, "high": 1.0, "tolerance": 0.01}, None
    for _ in range(5):
        # Half-way between two whole numbers, so that rounding in another order of operations changes nothing.
        needed = int(rng.integers(3, 60)) - 0.5
        low, length, curvature = rng.uniform(-4, 4), rng.uniform(0.5, 9), rng.uniform(0.2, 30)
        tolerance = curvature * (length / needed) ** 2 / 8
        yield {"max_curvature": curvature, "low": low, "high": low + length, "tolerance": tolerance}, None


def certified_verify(given: dict, hidden: None, value: object, expected: int) -> float:
    """The number itself; 4.0 will do for 4, True for 1 will not."""
    return float(not isinstance(value, bool) and close(value, expected, rtol=0.0, atol=0.0))


def hinges_for(given: dict, power: float = 0.5, factor: float = 8.0) -> float:
    """Return the count, not yet rounded, from an error of ``curvature * spacing**(1/power) / factor``."""
    length = given["high"] - given["low"]
    return length * (given["max_curvature"] / (factor * given["tolerance"])) ** power


def is_spacing(given: dict, value: object, expected: int) -> bool:
    """Return whether the value is the spacing for which the bound is the tolerance, rounded perhaps."""
    spacing = math.sqrt(8 * given["tolerance"] / given["max_curvature"])
    return bool(close(value, spacing)) or value in (math.floor(spacing), math.ceil(spacing))


def rounded_up(count: float) -> int:
    """Return the smallest whole number of hinges that is at least ``count``."""
    return max(1, math.ceil(count))


CERTIFIED = Exercise(
    id="01.3",
    points=2,
    answer_name="certified_hinges",
    cases=certified_cases,
    verify=certified_verify,
    wanted=lambda given, expected: "the smallest whole number, at least 1, with which the bound holds",
    misconceptions=[
        (lambda given, value, expected: value == expected + 1,
         "One too many: N hinges make N pieces between N + 1 knots, and hinges are counted here; "
         "where the bound is met exactly, nothing needs adding."),
        (lambda given, value, expected: value != round(value) and close(value, hinges_for(given), rtol=1e-9),
         "A count is a whole number: round up, since rounding down would break the certificate."),
        (lambda given, value, expected: expected > 1 and value == expected - 1,
         "One too few: with this many hinges the bound is still above the tolerance. Round up."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given) ** 2),
         "This is N squared: take the root."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given, factor=1.0)),
         "The factor 1/8 of the bound is missing."),
        (lambda given, value, expected: value in [rounded_up(hinges_for(given, factor=f)) for f in (2.0, 4.0, 16.0)],
         "The bound has another factor: one eighth of M h²."),
        (lambda given, value, expected: value == rounded_up(hinges_for({**given, "max_curvature": 1.0})),
         "M is not in your count: the more a function bends, the more hinges it needs."),
        (is_spacing,
         "This is a spacing, not how many of that length it takes to fill the interval."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given) * math.sqrt(given["max_curvature"])),
         "The root goes over M as well: solve M h²/8 = tolerance for h."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given, power=1.0)),
         "The error falls with the square of the spacing: solve M h²/8 = tolerance for h."),
        (lambda given, value, expected: value == rounded_up(hinges_for(given) / (given["high"] - given["low"]))
         or value == rounded_up(hinges_for({**given, "low": 0.0})),
         "The spacing is the length of the interval, high - low, divided by the number of hinges."),
        (lambda given, value, expected: given["max_curvature"] == 0 and value is None,
         "M = 0 is allowed: the function is a straight line, and one hinge does."),
        (lambda given, value, expected: given["max_curvature"] == 0 and value < 1,
         "A straight line still needs its one hinge, for the slope: at least 1."),
    ],
)  # fmt: skip

EXERCISES = [COLLAPSE, LEFT, CERTIFIED, BUMP, HYPOTHESIS, FLOOR]
