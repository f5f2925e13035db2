"""Exercise 06.1: the standard deviation of weights that keeps the signal's mean square."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, one_number, same_number

GENERAL = 6  # activations that are drawn, besides the known ones


def case(left: float, right: float, n_in: int, n_out: int) -> Inputs:
    """Return the case of two slopes and a layer's sizes."""
    return {"left": float(left), "right": float(right), "n_in": int(n_in), "n_out": int(n_out)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, ReLU and other known activations, and some with any two slopes."""
    slope = round(rng.uniform(1.2, 3), 2)
    known = [(0, 1), (round(rng.uniform(0.1, 0.4), 2), 1), (0, slope), (-slope, slope), (slope, slope)]
    general = [(round(rng.uniform(-2, 2), 2), round(rng.uniform(0.3, 3), 2)) for _ in range(GENERAL)]
    layers = [case(*slopes, *10 ** rng.uniform(1, 3, 2)) for slopes in (*known, *general)]
    return [case(-0.5, 1.5, 80, 20), *layers]


def chosen(
    kept: Callable[[float, float], float] = lambda left, right: (left**2 + right**2) / 2,
    fan: Callable[[int, int], float] = lambda n_in, n_out: n_in,
    power: float = -0.5,
) -> Solver:
    """Return the way that makes a power of the fan times the share of the mean square that is kept."""
    return lambda given: (kept(given["left"], given["right"]) * fan(given["n_in"], given["n_out"])) ** power


reference = chosen()
MISTAKES = [
    (chosen(power=-1), "This is the variance of the weights. Take its square root, the standard deviation."),
    (
        chosen(fan=lambda n_in, n_out: 1),
        chosen(fan=lambda n_in, n_out: 1, power=-1),
        lambda given: reference(given) * given["n_in"] ** -0.5,
        lambda given: 1 / (reference(given) * given["n_in"]),
        "The standard deviation is 1 over two square roots: that of the share of the mean square that is kept, and "
        "that of the number of inputs. You leave out one of them, or its root, or you multiply by it.",
    ),
    (
        chosen(fan=lambda n_in, n_out: n_out),
        "You take the number of outputs. A pre-activation is a sum over the layer's inputs, so take their number.",
    ),
    (
        chosen(fan=lambda n_in, n_out: (n_in + n_out) / 2),
        chosen(fan=lambda n_in, n_out: n_in + n_out),
        "You use inputs and outputs, as Glorot and Bengio do, who want to keep the gradient as well. Here only the "
        "signal has to be kept, and that depends on the inputs alone.",
    ),
    (
        chosen(lambda left, right: 1 / 2),
        chosen(lambda left, right: (1 + left**2) / 2),
        "This is He's formula, for ReLU or a leaky ReLU. Another activation keeps another share of the mean square: "
        "compute it from both slopes.",
    ),
    (
        chosen(lambda left, right: (left**2 + right**2) / 2 - (right - left) ** 2 / (2 * np.pi)),
        "You work with the variance after the activation. The next layer's sum takes in the mean as well, so use the "
        "mean square.",
    ),
    (
        *(chosen(lambda left, right, power=power: ((abs(left) + abs(right)) / 2) ** power) for power in (1, 2)),
        chosen(lambda left, right: (left + right) / 2 if left + right > 0 else np.nan),
        chosen(lambda *_: 1.0),
        chosen(lambda left, right: (left + right) ** 2 / 4 or np.nan),
        chosen(lambda left, right: left**2 + right**2),
        "You use another share of the mean square than the activation keeps. Half of the pre-activations meet one "
        "slope, half the other: average what each slope makes of a square.",
    ),
]


def explain_std(given: Inputs, value: object, expected: float) -> str:
    """Say by which factor the mean square changes with this standard deviation."""
    if not np.isfinite(one_number(value)):
        return ""
    factor = (one_number(value) / expected) ** 2
    return f"With your standard deviation the mean square in the next layer is {factor:.4g} times that in this one."


WEIGHT_STD = Exercise(
    id="06.1",
    points=3,
    answer_name="weight_std",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0),
    without=[
        f"utils.meanfield.{name}"
        for name in (
            "length_map",
            "lengths",
            "chi_1",
            "critical_sigma_w",
            "phase_diagram",
            "correlation_map",
            "_cell",
            "_lengths_at_rest",
            "_averages",
            "_square",
        )
    ],
    explain=explain_std,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (
            lambda given, value, expected: abs(one_number(value) / expected - 1) < 0.1,
            "Near, but not to four digits. If you average a random sample, that is too coarse: this mean can be "
            "written down exactly.",
        ),
    ],
)
