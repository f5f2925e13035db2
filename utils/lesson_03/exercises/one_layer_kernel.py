"""Exercise 03.8: the neural tangent kernel of one wide hidden layer, between two inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, equals, hints_of, is_number, same_number

SIZES = (2, 3, 5, 8, 3, 4)  # inputs


def kernel_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    return discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, size) for size in SIZES)], _kernel, MISTAKES
    )


def worked_example() -> Inputs:
    """Return two inputs with an angle of 45 degrees between them, and lengths 1 and √2."""
    return {"x": np.array([1.0, 0.0]), "z": np.array([1.0, 1.0])}


def sample_case(rng: np.random.Generator, size: int) -> Inputs:
    """Return two inputs of different lengths, neither nearly parallel nor nearly opposite."""
    while True:
        x, z = rng.normal(size=size) * rng.uniform(1, 2), rng.normal(size=size)
        x, z = x.round(2), z.round(2)
        if np.linalg.norm(x) > 0.3 and np.linalg.norm(z) > 0.3 and abs(_cosine(x, z)) < 0.9:
            return {"x": x, "z": z}


# --- what comes of which way to go wrong --------------------------------------------------------------------


def _cosine(x: np.ndarray, z: np.ndarray) -> float:
    return float(x @ z / (np.linalg.norm(x) * np.linalg.norm(z)))


def _parts(given: Inputs) -> tuple[float, float, float, float]:
    """Return the product of the lengths, the product of the inputs, their cosine and their angle."""
    x, z = given["x"], given["z"]
    return float(np.linalg.norm(x) * np.linalg.norm(z)), float(x @ z), _cosine(x, z), math.acos(_cosine(x, z))


def _both(angle: float, cosine: float) -> float:
    return (math.sin(angle) + (math.pi - angle) * cosine) / math.pi


def _on(angle: float) -> float:
    return (math.pi - angle) / math.pi


def _kernel(given: Inputs) -> float:
    lengths, product, c, angle = _parts(given)
    return lengths * _both(angle, c) + product * _on(angle)


def _of_angle(given: Inputs, angle: float, cosine: float) -> float:
    lengths, product, *_ = _parts(given)
    return lengths * _both(angle, cosine) + product * _on(angle)


def _scaled(given: Inputs, first: float, second: float) -> float:
    """Return the two averages with other factors before them."""
    *_, c, angle = _parts(given)
    return first * _both(angle, c) + second * _on(angle)


MISTAKES = [
    (
        lambda given: _scaled(given, _parts(given)[0], 0),
        "This is what the output weights v bring. The weights w are trained, too: the derivative by one of them is v "
        "times ReLU's slope times an input, and that is the second part.",
    ),
    (
        lambda given: _scaled(given, 0, _parts(given)[1]),
        "This is what the weights w bring. The output weights v are trained, too: the derivative by one of them is "
        "what its unit says, and that is the first part.",
    ),
    (
        lambda given: _of_angle(given, _parts(given)[2], math.cos(_parts(given)[2])),
        lambda given: _of_angle(given, _parts(given)[2], _parts(given)[2]),
        "You take the cosine for the angle: θ is the arccos of x·z over the product of the lengths.",
    ),
    (
        lambda given: _scaled(given, 1, 1),
        lambda given: _scaled(given, 1, _parts(given)[1]),
        lambda given: _scaled(given, 1, _parts(given)[2]),
        lambda given: _scaled(given, _parts(given)[0], _parts(given)[2]),
        lambda given: _scaled(given, _parts(given)[0], 1),
        "Lengths are missing. What a unit says grows with the length of its input: the first average has |x||z| before "
        "it, and the second one x·z, not the cosine.",
    ),
    (
        lambda given: _of_angle(given, math.pi - _parts(given)[3], _parts(given)[2]),
        "You have θ where π − θ belongs: the smaller the angle, the more often both units are on.",
    ),
    (
        lambda given: _scaled(given, _parts(given)[1], _parts(given)[0]),
        lambda given: _scaled(given, _parts(given)[1], _parts(given)[1]),
        lambda given: _scaled(given, _parts(given)[0], _parts(given)[0]),
        "The factors are in each other's place, or one of them stands twice: |x||z| belongs to the first average, x·z "
        "to the second.",
    ),
    (
        lambda given: _kernel(given) / 2,
        lambda given: 2 * _kernel(given),
        "This is half of it, or twice: with √(2/m) before the sum, both averages come with a 2, which the formulas "
        "above have in them already.",
    ),
]

KERNEL = Exercise(
    id="03.8",
    points=2,
    answer_name="one_layer_kernel",
    cases=kernel_cases,
    verify=same_number(rtol=FOUR_DIGITS, atol=FOUR_DIGITS),
    without=["utils.kernels.relu_kernel"],
    misconceptions=hints_of(MISTAKES, equals, rtol=FOUR_DIGITS, atol=FOUR_DIGITS),
    remarks=[
        (
            lambda given, value, expected: value is not None and not is_number(value),
            "Return one number, for these two inputs.",
        ),
    ],
)
