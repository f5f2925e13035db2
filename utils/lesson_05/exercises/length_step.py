"""Exercise 05.2: one step of the length map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, one_number, same_number
from utils.lesson_05.exercises.gaussian import mean

ROUGH = 0.06  # by this share a sample, or a coarse grid, may be off
LONGEST = 2.5
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.001, *(16 / (n - one) for n in (1000, 2000, 10_000) for one in (0, 1)))
COUNTS = (100, 101, 200, 201, 400, 401, 500, 800, 1000, 1001, 2000, 2001, 4000, 10_000)  # of usual grids


def case(q: float, sigma_w: float, sigma_b: float) -> Inputs:
    """Return the case of a length and the two deviations."""
    return {"q": float(q), "sigma_w": float(sigma_w), "sigma_b": float(sigma_b)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return short signals, for grids that end too early, a long one, for too few nodes, and others."""
    lengths = (LONGEST * 25 ** -rng.uniform(size=5)).round(3)
    others = [case(q, _between(rng, 0.4, 3.5), _between(rng, 0.2, 1.5)) for q in lengths]
    short = [case(q, _between(rng, 1.3, 2), 0) for q in (0.02, 0.3)]
    long = case(LONGEST, _between(rng, 1.3, 3), _between(rng, 0.2, 0.9))
    return [*short, long, *others, case(0, 1.7, _between(rng, 0.2, 0.9))]


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 2)


# --- what comes of which way to take the step ---------------------------------------------------------------


def by_parts(combine: Callable[[float, float, float], float], root: Callable[[float], float] = np.sqrt) -> Solver:
    """Return the way that combines the mean of tanh(root(q) z)² with σ_w and σ_b."""

    def way(given: Inputs) -> float:
        scale = root(given["q"])
        return float(combine(mean(lambda z: np.tanh(scale * z) ** 2), given["sigma_w"], given["sigma_b"]))

    return way


def step_with(average: float, sigma_w: float, sigma_b: float) -> float:
    """Return the step with this mean."""
    return sigma_w**2 * average + sigma_b**2


def scaled(by: float, root: Callable[[float], float] = np.sqrt) -> Solver:
    """Return the way whose mean is so many times too large."""
    return by_parts(lambda average, w, b: step_with(by * average, w, b), root)


def on_a_grid(end: int, count: int) -> Solver:
    """Return the way that weighs all places of a grid alike."""
    z = np.linspace(-end, end, count)
    return lambda given: step_with(np.mean(np.tanh(np.sqrt(given["q"]) * z) ** 2), given["sigma_w"], given["sigma_b"])


def with_bias_inside(power: int, behind: int) -> Solver:
    """Return the way that adds this power of σ_b within tanh, and so many times σ_b² at the end."""
    return lambda given: (
        behind * given["sigma_b"] ** 2
        + given["sigma_w"] ** 2 * mean(lambda z: np.tanh(np.sqrt(given["q"]) * z + given["sigma_b"] ** power) ** 2)
    )


reference = by_parts(step_with)
MISTAKES = [
    (
        by_parts(lambda average, w, b: w * average + b**2),
        by_parts(lambda average, w, b: w**2 * average + b),
        by_parts(lambda average, w, b: w * average + b),
        "Lengths are mean squares, and so both deviations are squared: σ_w² and σ_b².",
    ),
    (
        by_parts(step_with, root=lambda q: q),
        by_parts(step_with, root=lambda q: 1.0),
        "The pre-activations have the mean square q, so their standard deviation is √q: tanh acts on √q · z.",
    ),
    (
        by_parts(lambda average, w, b: w**2 * average),
        by_parts(lambda average, w, b: w**2 * (average + b**2)),
        *(with_bias_inside(shift, behind) for shift in (1, 2) for behind in (0, 1)),
        "The biases are missing, or not where they belong: their mean square is added last, behind tanh and the "
        "weights.",
    ),
    (
        *(scaled(np.sqrt(2 * np.pi) ** power / step) for power in (0, 1) for step in (16, 20, *STEPS)),
        scaled(2.506628),
        "Your density does not add up to 1 over the places of z: it has a factor in front, and on a grid each place "
        "stands for a step of it.",
    ),
    (
        by_parts(lambda average, w, b: b**2),
        lambda given: step_with(np.tanh(np.sqrt(given["q"])) ** 2, given["sigma_w"], given["sigma_b"]),
        "First tanh is squared, at each z, then the mean is taken over all z: the mean of tanh itself is 0, and "
        "there is no one z that stands for all.",
    ),
    (
        scaled(1.0, lambda q: np.sqrt(q / 2)),
        scaled(np.sqrt(np.pi), lambda q: np.sqrt(q / 2)),
        scaled(np.sqrt(np.pi)),
        "`hermgauss` is made for exp(−x²), not for a standard normal variable: multiply its nodes by √2, and "
        "divide its weights by √π.",
    ),
    (
        *(on_a_grid(end, count) for end in (8, 10) for count in COUNTS),
        "You weigh all z alike: use the normal density, exp(−z²/2)/√(2π).",
    ),
]


def _is_rough(given: Inputs, value: object, expected: float) -> bool:
    return abs(one_number(value) - expected) <= ROUGH * expected


def explain_length(given: Inputs, value: object, expected: float) -> str:
    """Say what share the value is off by."""
    error = abs(one_number(value) / expected - 1)
    return f"Your value is off by {error:.1%} of the right one." if _is_rough(given, value, expected) else ""


LENGTH_STEP = Exercise(
    id="05.2",
    points=3,
    answer_name="length_step",
    cases=lambda rng: discriminating_cases(lambda: [case(1, 1.5, 0.3), *sample_cases(rng)], reference, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=1e-9),
    without=[f"utils.meanfield.{name}" for name in ("length_map", "lengths", "_square", "_averages")],
    explain=explain_length,
    misconceptions=hints_of(MISTAKES, equals, rtol=1e-3),
    remarks=[
        (
            _is_rough,
            "Near, but not to four digits. A random sample is too coarse for that, and so is a grid that ends at 3 "
            "or 4: take a fine grid from −8 to 8, or a quadrature with many nodes.",
        ),
    ],
)
