"""Exercise 07.3: how large a residual stream is after each block, before training."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, each_to_four_digits, hints_of, returned_by

BLOCKS = (1, 2, 3, 4, 5, 7, 9, 12)
Step = Callable[..., float]  # from q, the factor, and the three numbers of the weights to the next q


def case(q: float, factors: object, var_w: float, var_v: float, sigma_b: float) -> Inputs:
    """Return the case of a stream of this first mean square."""
    return {
        "q": float(q),
        "factors": np.array(factors, dtype=float),
        "var_w": float(var_w),
        "var_v": float(var_v),
        "sigma_b": float(sigma_b),
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and streams of all depths in a random order, of which two have no biases."""
    cases = [case(2, [0.5, 1], 2, 1, 2)]
    for place in rng.permutation(len(BLOCKS)):
        q, var_w, var_v, sigma_b = rng.uniform([0.3, 0.5, 0.5, 0.2], [3, 3, 3, 1.8]).round(2)
        factors = rng.uniform(0.2, 1.2, BLOCKS[place]).round(2)
        cases.append(case(q, factors, var_w, var_v, sigma_b * (place > 1)))
    return cases


# --- what comes of which way to add a branch ----------------------------------------------------------------


def branch(q: float, c: float, var_w: float, var_v: float, sigma_b: float) -> float:
    """Return the expected mean square of what a block adds."""
    return c**2 * var_v * (var_w * q + sigma_b**2) / 2


def stepping(step: Step, read: Callable[[list[float]], object] = lambda sizes: sizes[1:]) -> Solver:
    """Return the way that takes this step for each block; ``read`` is handed the first size as well."""

    def way(given: Inputs) -> object:
        sizes = [given["q"]]
        for c in given["factors"]:
            sizes.append(float(step(sizes[-1], c, given["var_w"], given["var_v"], given["sigma_b"])))
        return read(sizes)

    return way


def adding(added: Step) -> Solver:
    """Return the way that adds this for each block."""
    return stepping(lambda q, *about: q + added(q, *about))


def from_the_first(given: Inputs) -> list[float]:
    """Return what comes of blocks that all read the first stream."""
    about = (given["var_w"], given["var_v"], given["sigma_b"])
    return list(given["q"] + np.cumsum([branch(given["q"], c, *about) for c in given["factors"]]))


reference = adding(branch)
MISTAKES = [
    (
        adding(lambda q, c, *about: c * branch(q, 1, *about)),
        adding(lambda q, c, *about: branch(q, 1, *about)),
        "The factor multiplies the branch, so its square multiplies the branch's mean square.",
    ),
    (
        adding(lambda q, *about: 2 * branch(q, *about)),
        "The ReLU is missing. It halves the mean square of numbers that are as often negative as positive.",
    ),
    (
        adding(lambda q, c, w, v, b: branch(q, c, w, v, b**0.5)),
        adding(lambda q, c, w, v, b: branch(q, c, w, v, 0)),
        adding(lambda q, c, w, v, b: c**2 * v * (w * q / 2 + b**2)),
        adding(lambda q, c, w, v, b: branch(q, c, w, v, 1)),
        "Your biases count in another way. Each adds its variance, `sigma_b` squared, to the mean square before the "
        "ReLU.",
    ),
    (stepping(branch), "You replace the stream by the branch: a block keeps its input, and adds the branch to it."),
    (from_the_first, "All your branches read the first stream: each reads what the blocks before it have added to."),
    (
        stepping(lambda q, *about: (q**0.5 + branch(q, *about) ** 0.5) ** 2),
        "You add square roots of mean squares. The branch is as often with the stream as against it, so add the "
        "mean squares.",
    ),
    (
        stepping(lambda q, *about: q + branch(q, *about), lambda sizes: sizes),
        stepping(lambda q, *about: q + branch(q, *about), lambda sizes: sizes[:-1]),
        "Your list begins with the first mean square. Return one number for each block, the mean square behind it.",
    ),
]


STREAM_SIZES = Exercise(
    id="07.3",
    points=3,
    answer_name="stream_sizes",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES),
    verify=lambda given, hidden, value, expected: each_to_four_digits(value, expected),
    misconceptions=hints_of(MISTAKES, returned_by, same=each_to_four_digits),
    remarks=[
        (
            lambda given, value, expected: each_to_four_digits(np.square(value), expected),
            "These are roots of the mean squares. Return the mean squares themselves.",
        ),
    ],
)
