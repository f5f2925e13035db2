"""Exercise 06.1: the standard deviation of weights that keeps the signal's mean square."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, one_number, same_number

GENERAL = 6  # activations that are drawn, besides the known ones
UNLIKE = 0.3  # by this much the two slopes, and their sizes, differ at least
FAR = 1.3  # the factor by which the layer's two sizes differ at least


def worked_example() -> Given:
    """Slopes of two signs, and fewer outputs than inputs."""
    return case(-0.5, 1.5, 80, 20)


def case(left: float, right: float, n_in: int, n_out: int) -> Given:
    """Return the case of two slopes and a layer's sizes."""
    return {"left": float(left), "right": float(right), "n_in": int(n_in), "n_out": int(n_out)}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return ReLU, leaky and scaled ReLU, absolute value and no activation, and others with any two slopes."""
    slope = round(rng.uniform(1.2, 3), 2)
    known = [(0, 1), (round(rng.uniform(0.1, 0.4), 2), 1), (0, slope), (-slope, slope), (slope, slope)]
    return [case(*slopes, *_sizes(rng)) for slopes in (*known, *(_two_slopes(rng) for _ in range(GENERAL)))]


def _two_slopes(rng: np.random.Generator) -> tuple[float, float]:
    while True:
        left, right = round(rng.uniform(-2, 2), 2), round(rng.uniform(0.3, 3), 2)
        if min(abs(left), abs(abs(left) - right), abs(left + right)) > UNLIKE:
            return left, right


def _sizes(rng: np.random.Generator) -> tuple[int, int]:
    while True:
        n_in, n_out = (int(10 ** rng.uniform(1, 3)) for _ in range(2))
        if max(n_in, n_out) > FAR * min(n_in, n_out):
            return n_in, n_out


# --- what comes of which way to choose ----------------------------------------------------------------------


def chosen(
    kept: Callable[[float, float], float] = lambda left, right: (left**2 + right**2) / 2,
    fan: Callable[[int, int], float] = lambda n_in, n_out: n_in,
    change: Callable[[float], float] = np.sqrt,
) -> Way:
    """Return the way that makes change(1 / (fan · kept)) of the share of the mean square that is kept."""

    def way(given: Given) -> float:
        share = kept(given["left"], given["right"]) * fan(given["n_in"], given["n_out"])
        return float(change(1 / share)) if share else np.nan

    return way


right = chosen()
MISTAKES = [
    (chosen(change=lambda share: share),
     "This is the variance of the weights: their standard deviation is its root."),
    (chosen(fan=lambda n_in, n_out: 1), chosen(fan=lambda n_in, n_out: 1, change=lambda share: share),
     "This is the gain. The standard deviation of a weight is the gain divided by the root of the number of inputs."),
    (chosen(fan=lambda n_in, n_out: n_out),
     "You take the number of outputs. A pre-activation is a sum over the layer's inputs: it is their number that "
     "counts."),
    (chosen(fan=lambda n_in, n_out: (n_in + n_out) / 2), chosen(fan=lambda n_in, n_out: n_in + n_out),
     "You use inputs and outputs, as Glorot and Bengio do, who want to keep the gradient as well. The signal alone is "
     "asked for, and it depends on the inputs alone."),
    (chosen(lambda left, right: 1 / 2),
     "This is He's formula, with 2 for ReLU. Another activation keeps another share of the mean square."),
    (chosen(lambda left, right: 1),
     "This would be right without an activation: work out which share of the mean square passes it."),
    (chosen(lambda left, right: (left**2 + right**2) / 2 - (right - left) ** 2 / (2 * np.pi)),
     "You work with the variance behind the activation. The next layer's sum takes in the mean as well: it is the "
     "second moment that counts."),
    (chosen(lambda left, right: left**2 + right**2),
     "You add up what comes from negative and from positive pre-activations. Each of them is only half of all."),
    (chosen(lambda left, right: (abs(left) + abs(right)) / 2), chosen(lambda left, right: max(left + right, 0) / 2),
     "You average the slopes. It is a mean square that is to be kept: average their squares."),
    (chosen(lambda left, right: ((left + right) / 2) ** 2),
     "You average the slopes first and square then. Square each, and average the squares."),
    (chosen(lambda left, right: right**2 / 2),
     "You count positive pre-activations alone, as for ReLU: negative ones pass as well, multiplied by `left`."),
    (chosen(lambda left, right: (1 + left**2) / 2),
     "This is the formula for leaky ReLU, whose slope on the right is 1: here it is `right`."),
    (chosen(lambda left, right: 3),
     "This is the deviation of PyTorch's default, the same for every activation."),
    (chosen(lambda left, right: (left**2 + right**2) / 6),
     "This is √3 times the standard deviation: the limit of a uniform distribution that has it."),
    (chosen(lambda left, right: 2 / (left**2 + right**2)),
     "The wrong way round: the smaller the share that passes the activation, the larger the weights have to be."),
    (chosen(fan=lambda n_in, n_out: n_in**2),
     "You divide the gain by the number of inputs: it is divided by the root of that."),
]


def explain_std(given: Given, value: object, expected: float) -> str:
    """Say by which factor the mean square changes with this standard deviation."""
    if not np.isfinite(one_number(value)):
        return ""
    factor = (one_number(value) / expected) ** 2
    return f"With your standard deviation the mean square in the next layer is {factor:.4g} times that in this one."


WEIGHT_STD = Exercise(
    id="06.1",
    points=3,
    answer_name="weight_std",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0),
    without=["utils.meanfield.length_map", "utils.meanfield.lengths"],
    explain=explain_std,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (is_no(is_number),
         "Return one number: the standard deviation of the weights."),
        (lambda given, value, expected: not one_number(value) > 0,
         "A standard deviation is positive. Slopes may be negative: it is their squares that count."),
        (lambda given, value, expected: abs(one_number(value) / expected - 1) < 0.1,
         "Near, but not to four digits: a random sample is too coarse. The mean over a standard normal variable can be "
         "written down exactly."),
    ],
)
