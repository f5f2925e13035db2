"""Exercise 05.2: the deviation of the weights with which a length stays as it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, one_number, same_number
from utils.lesson_05.exercises.gaussian import mean, step

ROUGH = 0.03  # by this share a sample, or a coarse grid, may be off
LONGEST = 2.5
MOST_BY_BIASES = 0.8  # of a length
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005, 0.001, *(16 / (n - one) for n in (1000, 2000, 10_000) for one in (0, 1)))
COUNTS = (100, 101, 200, 201, 400, 401, 500, 800, 1000, 1001, 2000, 2001, 4000, 10_000)  # of usual grids


def case(q: float, sigma_b: float) -> Inputs:
    """Return the case of a length and the biases' deviation."""
    return {"q": float(q), "sigma_b": float(sigma_b)}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return short signals, for grids that end too early, a long one, for too few nodes, and others."""
    lengths = (LONGEST * 25 ** -rng.uniform(size=6)).round(3)
    others = [case(q, np.round(np.sqrt(q * rng.uniform(0.1, MOST_BY_BIASES)), 3)) for q in lengths]
    return [case(0.02, 0), case(0.3, 0), case(LONGEST, round(rng.uniform(0.2, 0.9), 2)), *others]


# --- what comes of which way to turn the step round ----------------------------------------------------------


def by_parts(combine: Callable[[float, float, float], float], root: Callable[[float], float] = np.sqrt) -> Solver:
    """Return the way that combines the length, the mean of tanh(root(q) z)² and σ_b."""

    def way(given: Inputs) -> float:
        scale = root(given["q"])
        with np.errstate(all="ignore"):  # what a mistake makes of a case need not be a number
            return float(combine(given["q"], mean(lambda z: np.tanh(scale * z) ** 2), given["sigma_b"]))

    return way


def at_rest(q: float, average: float, sigma_b: float) -> float:
    """Return the weights' deviation with this mean."""
    return np.sqrt((q - sigma_b**2) / average)


def scaled(by: float, root: Callable[[float], float] = np.sqrt) -> Solver:
    """Return the way whose mean is so many times too large."""
    return by_parts(lambda q, average, b: at_rest(q, by * average, b), root)


def on_a_grid(end: int, count: int) -> Solver:
    """Return the way that weighs all places of a grid alike."""
    z = np.linspace(-end, end, count)
    return lambda given: at_rest(given["q"], np.mean(np.tanh(np.sqrt(given["q"]) * z) ** 2), given["sigma_b"])


def of_one_place(given: Inputs) -> float:
    """Let one z stand for all, and return what comes of it."""
    return at_rest(given["q"], np.tanh(np.sqrt(given["q"])) ** 2, given["sigma_b"])


reference = by_parts(at_rest)
MISTAKES = [
    (
        by_parts(lambda q, average, b: (q - b**2) / average),
        by_parts(lambda q, average, b: (q - b) / average),
        by_parts(lambda q, average, b: np.sqrt((q - b) / average)),
        "Lengths are mean squares, so both deviations enter as squares, σ_w² and σ_b². Your function returns σ_w² "
        "itself, or takes σ_b as it is.",
    ),
    (
        by_parts(at_rest, root=lambda q: q),
        by_parts(at_rest, root=lambda q: 1.0),
        "The pre-activations have the mean square q, so their standard deviation is √q. Apply tanh to √q · z.",
    ),
    (
        by_parts(lambda q, average, b: np.sqrt(q / average)),
        by_parts(lambda q, average, b: np.sqrt((q + b**2) / average)),
        by_parts(lambda q, average, b: np.sqrt(q / average) - b),
        by_parts(lambda q, average, b: np.sqrt(q / average - b**2)),
        by_parts(lambda q, average, b: np.sqrt(q / (average + b**2))),
        "The biases are missing, or in the wrong place. They add σ_b² to what the weights have made, so the weights "
        "only have to bring the rest of q.",
    ),
    (
        by_parts(lambda q, average, b: np.sqrt((1 - b**2) / average)),
        by_parts(lambda q, average, b: np.sqrt(1 / average)),
        by_parts(lambda q, average, b: np.sqrt(q / average + b**2)),
        by_parts(lambda q, average, b: average + b**2),
        by_parts(lambda q, average, b: q * average + b**2),
        "This is not the σ_w that you are looking for: if you put it into the length map, with q and σ_b as they are"
        " given, the map does not return q. Set the map's result equal to q, and solve for σ_w.",
    ),
    (
        *(scaled(np.sqrt(2 * np.pi) ** power / step) for power in (0, 1) for step in (16, 20, *STEPS)),
        scaled(2.506628),
        *(on_a_grid(end, count) for end in (8, 10) for count in COUNTS),
        "The weights that you give to the values of z are not the normal density, or do not add up to 1. Check the "
        "factor in front, 1/√(2π): it may be missing, or there twice. On a grid, each value also stands for a step.",
    ),
    (
        of_one_place,
        lambda given: at_rest(given["q"], mean(lambda z: np.abs(np.tanh(np.sqrt(given["q"]) * z))), given["sigma_b"]),
        lambda given: at_rest(
            given["q"], mean(lambda z: np.abs(np.tanh(np.sqrt(given["q"]) * z))) ** 2, given["sigma_b"]
        ),
        "Square tanh at each z first, then take the mean over all z. The mean of tanh itself is 0, and no single z "
        "stands for all of them.",
    ),
    (
        scaled(1.0, lambda q: np.sqrt(q / 2)),
        scaled(np.sqrt(np.pi), lambda q: np.sqrt(q / 2)),
        scaled(np.sqrt(np.pi)),
        "`hermgauss` is made for exp(−x²), not for a standard normal variable. Multiply its nodes by √2, and divide "
        "its weights by √π.",
    ),
]


def _is_rough(given: Inputs, value: object, expected: float) -> bool:
    return abs(one_number(value) - expected) <= ROUGH * expected


def explain_sigma(given: Inputs, value: object, expected: float) -> str:
    """Say where the length goes with the value."""
    q, sigma_w = given["q"], float(one_number(value))
    return f"With your σ_w one step takes q = {q:.4g} to {step(q, sigma_w, given['sigma_b']):.4g}."


SIGMA_AT_REST = Exercise(
    id="05.2",
    points=3,
    answer_name="sigma_at_rest",
    cases=lambda rng: discriminating_cases(lambda: [case(1, 0.3), *sample_cases(rng)], reference, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0.0),
    without=[
        f"utils.meanfield.{name}"
        for name in ("length_map", "lengths", "q_star", "_square", "_averages", "_lengths_at_rest", "_cell")
    ],
    explain=explain_sigma,
    misconceptions=hints_of(MISTAKES, equals, rtol=1e-3),
    remarks=[
        (
            _is_rough,
            "This is near, but not right to four digits. A random sample is too coarse for that, and so is a grid of"
            " z that ends at 3 or 4, or a search that stops early. Take a fine grid from −8 to 8, or a quadrature "
            "with many nodes.",
        ),
    ],
)
