"""Exercise 05.2: one step of the length map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, one_number, same_number
from utils.lesson_05.exercises.gaussian import mean, resting_length, slope, step

ROUGH = 0.2  # by this share a sample, or a coarse grid, may be off
SEVERAL_STEPS = range(2, 7)
SCALE = np.sqrt(2 * np.pi)  # of the normal density
SHORTEST, LONGEST = 0.02, 2.5
DRAWN = 5
ENDS, COUNTS = (3, 4, 5, 6, 8, 10), (100, 101, 200, 201, 400, 500, 800, 1000, 2000, 4000, 10_000)  # of usual grids


def case(q: float, sigma_w: float, sigma_b: float) -> Given:
    """Return the case of a length and the two deviations."""
    return {"q": float(q), "sigma_w": float(sigma_w), "sigma_b": float(sigma_b)}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return short signals, for grids that end too early, a long one, for too few nodes, and others."""
    others = [
        case(round(LONGEST * 25 ** -rng.uniform(), 3), _between(rng, 0.4, 3.5), _between(rng, 0.2, 1.5))
        for _ in range(DRAWN)
    ]
    short = [case(q, _between(rng, 1.3, 2), 0) for q in (SHORTEST, 0.3)]
    long = case(LONGEST, _between(rng, 1.3, 3), _between(rng, 0.2, 0.9))
    return [*short, long, *others, case(0, 1.7, _between(rng, 0.2, 0.9))]


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 2)


# --- what comes of which way to take the step ---------------------------------------------------------------


def of_parts(
    combine: Callable[[float, float, float], float],
    function: Callable[[np.ndarray], np.ndarray] = lambda u: np.tanh(u) ** 2,
    root: Callable[[float], float] = np.sqrt,
) -> Way:
    """Return the way that combines the mean of function(root(q) z) with σ_w and σ_b."""

    def way(given: Given) -> float:
        scale = root(given["q"])
        return float(combine(mean(lambda z: function(scale * z)), given["sigma_w"], given["sigma_b"]))

    return way


def _plain(average: float, sigma_w: float, sigma_b: float) -> float:
    return sigma_w**2 * average + sigma_b**2


right = of_parts(_plain)


def after_tanh(given: Given) -> float:
    """Return the mean square behind tanh in the next layer, where scale and bias come first."""
    before = given["sigma_w"] ** 2 * given["q"] + given["sigma_b"] ** 2
    return mean(lambda z: np.tanh(np.sqrt(before) * z) ** 2)


def of_the_other_rule(scale: float) -> Way:
    """Return what comes of nodes and weights for exp(−x²), with the weights' sum √π or divided by it."""
    return of_parts(lambda average, w, b: _plain(scale * average, w, b), root=lambda q: np.sqrt(q / 2))


def on_a_grid(end: int, count: int) -> Way:
    """Return the way that weighs all places of a grid alike."""
    z = np.linspace(-end, end, count)
    return lambda given: _plain(np.mean(np.tanh(np.sqrt(given["q"]) * z) ** 2), given["sigma_w"], given["sigma_b"])


def several_steps(given: Given) -> list[float]:
    """Return what several steps lead to."""
    path = [right(given)]
    for _ in SEVERAL_STEPS:
        path.append(step(path[-1], given["sigma_w"], given["sigma_b"]))
    return path[1:]


def _all_steps(given: Given) -> float:
    return resting_length(given["sigma_w"], given["sigma_b"])


MISTAKES = [
    (of_parts(lambda average, w, b: w * average + b**2), of_parts(lambda average, w, b: w**2 * average + b),
     of_parts(lambda average, w, b: w * average + b),
     "Lengths are mean squares, and so both deviations are squared: σ_w² and σ_b²."),
    (of_parts(_plain, root=lambda q: q), of_parts(_plain, root=lambda q: 1.0),
     "The pre-activations have the mean square q, so their standard deviation is √q: tanh acts on √q · z."),
    (of_parts(_plain, np.tanh),
     "The mean of tanh is 0 by symmetry. Square first, and take the mean then."),
    (of_parts(_plain, lambda u: np.abs(np.tanh(u))),
     "You take the mean of |tanh|: it is the square that is averaged."),
    (of_parts(_plain, slope), of_parts(_plain, lambda u: slope(u) ** 2),
     "You average tanh's derivative, which belongs to χ₁. Lengths follow tanh itself, squared."),
    (of_parts(_plain, np.square),
     "This is the step of a network without tanh: it acts on √q · z before the square."),
    (of_parts(lambda average, w, b: w**2 * average),
     "The biases are missing: σ_b² is added at the end."),
    (of_parts(lambda average, w, b: w**2 * (average + b**2)),
     "σ_w² multiplies the mean alone, not the biases."),
    (of_parts(lambda average, w, b: np.sqrt(_plain(average, w, b))),
     "You take a root at the end: q is a mean square, before the step and after it."),
    (of_parts(lambda average, w, b: average), after_tanh,
     "This is a mean square behind tanh. q belongs to pre-activations: tanh first, weights and biases then."),
    (lambda given: _plain(np.tanh(np.sqrt(given["q"])) ** 2, given["sigma_w"], given["sigma_b"]),
     "You put a single place, z = 1, into tanh: it takes the mean over all z."),
    (of_parts(lambda average, w, b: _plain(SCALE * average, w, b)),
     "Your density does not add up to 1: divide it by √(2π)."),
    (of_parts(lambda average, w, b: _plain(average / 2, w, b)),
     "You have half of the mean: z is negative as often as positive."),
    (of_the_other_rule(1.0), of_the_other_rule(np.sqrt(np.pi)),
     of_parts(lambda average, w, b: _plain(np.sqrt(np.pi) * average, w, b)),
     "`hermgauss` is made for exp(−x²), not for a standard normal variable: multiply its nodes by √2, and divide its "
     "weights by √π."),
    (lambda given: [on_a_grid(end, count)(given) for end in ENDS for count in COUNTS],
     "You weigh all z alike: use the normal density, exp(−z²/2)/√(2π)."),
    (several_steps, _all_steps,
     "You take more than one step: the answer is the length of the next layer alone."),
]
APART = [*MISTAKES[:-2], (on_a_grid(8, 1001), "alike"), (_all_steps, "steps")]  # without lists of numbers


def _is_rough(given: Given, value: object, expected: float) -> bool:
    return abs(one_number(value) - expected) <= ROUGH * expected


def explain_length(given: Given, value: object, expected: float) -> str:
    """Say what share the value is off by."""
    off = abs(one_number(value) / expected - 1)
    return f"Your value is off by {off:.1%} of the right one." if _is_rough(given, value, expected) else ""


LENGTH_STEP = Exercise(
    id="05.2",
    points=3,
    answer_name="length_step",
    cases=lambda rng: discriminating_cases(lambda: [case(1, 1.5, 0.3), *drawn(rng)], right, APART),
    verify=same_number(rtol=FOUR_DIGITS, atol=1e-9),
    without=["utils.meanfield.length_map", "utils.meanfield.lengths"],
    explain=explain_length,
    misconceptions=hints_of(MISTAKES, equals, rtol=1e-4),
    remarks=[
        (is_no(is_number),
         "Return one number: the mean square of the next layer's pre-activations."),
        (_is_rough,
         "Near, but not to four digits. A random sample is too coarse for that, and so is a grid that ends at 3 or 4: "
         "take a fine grid from −8 to 8, or a quadrature with many nodes."),
        (lambda given, value, expected: one_number(value) > given["sigma_w"] ** 2 + given["sigma_b"] ** 2,
         "The next length is never larger than the two squared deviations together: the square of tanh is at most 1."),
    ],
)
