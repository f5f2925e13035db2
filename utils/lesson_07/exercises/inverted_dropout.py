"""Exercise 07.9: dropout by hand, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by

SHAPES = ((2, 3), (3, 2), (1, 6), (4, 4), (5, 3), (3, 7), (6, 2), (2, 5), (4, 6), (3, 3))
Dropped = Callable[[np.ndarray, np.ndarray, float, bool], np.ndarray]  # what becomes of an array


def case(h: object, u: object, p: float, training: bool, upstream: object) -> Inputs:
    """Return the case of these arrays."""
    h, u, upstream = (np.array(part, dtype=float) for part in (h, u, upstream))
    return {"h": h, "u": u, "p": float(p), "training": bool(training), "upstream": upstream}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return the worked example, and arrays of which three in ten are not in training."""
    cases = [case([[1, 2, 3, 4]], [[0.1, 0.5, 0.9, 0.3]], 0.2, True, [[8, -8, 4, 4]])]
    for place in rng.permutation(len(SHAPES)):
        h, upstream = rng.normal(size=(2, *SHAPES[place])).round(2)
        p = round(rng.choice([rng.uniform(0.15, 0.42), rng.uniform(0.58, 0.8)]), 2)
        u = rng.uniform(size=SHAPES[place]).round(3)
        cases.append(case(h, np.where(u == p, 0.0, u), p, place > 2, upstream))
    return cases


# --- what comes of which way to drop ------------------------------------------------------------------------


def dropped(a: np.ndarray, u: np.ndarray, p: float, training: bool) -> np.ndarray:
    """Return the array with dropped entries 0 and the others larger, or the array itself outside of training."""
    return a * (u >= p) / (1 - p) if training else a


def both(forward: Dropped = dropped, back: Dropped | None = None) -> Solver:
    """Return the way with this output, and with the gradient that is handled alike or in a way of its own."""

    def way(given: Inputs) -> list[np.ndarray]:
        about = (given["u"], given["p"], given["training"])
        return [np.asarray(forward(given["h"], *about)), np.asarray((back or forward)(given["upstream"], *about))]

    return way


def in_training(change: Callable[[np.ndarray, np.ndarray, float], np.ndarray]) -> Dropped:
    """Return what changes an array in training alone."""
    return lambda a, u, p, training: change(a, u, p) if training else a


def multiplied(given: Inputs) -> list[np.ndarray]:
    """Return what comes of a gradient that is multiplied by the layer's input, or by its output, as well."""
    output, gradient = reference(given)
    return [output, gradient * given["h"]]


reference = both()
MISTAKES = [
    (
        both(in_training(lambda a, u, p: a * (u >= p))),
        both(lambda a, u, p, training: a * (u >= p if training else 1 - p)),
        "What is kept is not made larger: divide it by the share that is kept in training, and leave everything as "
        "it is otherwise.",
    ),
    (
        both(in_training(lambda a, u, p: a * (u >= p) / p)),
        both(in_training(lambda a, u, p: a * (u >= p) * (1 - p))),
        both(in_training(lambda a, u, p: a * (u >= p) / np.mean(u >= p).clip(0.01))),
        "Your factor is a different one. On average a share of 1 − p of the units is kept, so divide what is kept "
        "by 1 − p.",
    ),
    (
        both(in_training(lambda a, u, p: a * (u < p) / (1 - p))),
        both(in_training(lambda a, u, p: a * (u < p) / p)),
        "You keep what should be dropped. Drop a unit where its u is below p.",
    ),
    (
        both(lambda a, u, p, training: dropped(a, u, p, True)),
        both(lambda a, u, p, training: dropped(a, u, p, not training)),
        "You drop units outside of training, or only there. Look at `training`, which says whether any are dropped.",
    ),
    (
        both(back=in_training(lambda a, u, p: a * (u >= p))),
        both(back=in_training(lambda a, u, p: a / (1 - p))),
        both(back=lambda a, u, p, training: a),
        "Your output is right, but your gradient is not. Let it pass where the unit was kept, and multiply it by "
        "the same factor.",
    ),
    (multiplied, "Your gradient is multiplied by `h`, too: the derivative of a number times a factor is the factor."),
]


def same_pair(value: object, expected: object) -> bool:
    """Return whether these are two arrays with the numbers that are expected."""
    return len(value) == len(expected) and all(map(_same, value, expected))


def _same(value: object, expected: np.ndarray) -> bool:
    return np.shape(value) == np.shape(expected) and bool(np.allclose(value, expected, rtol=1e-4, atol=1e-6))


INVERTED_DROPOUT = Exercise(
    id="07.9",
    points=3,
    answer_name="inverted_dropout",
    cases=lambda rng: discriminating_cases(lambda: sample_cases(rng), reference, MISTAKES),
    verify=lambda given, hidden, value, expected: float(same_pair(value, expected)),
    misconceptions=hints_of(MISTAKES, returned_by, same=same_pair),
    remarks=[
        (
            lambda given, value, expected: np.shape(value) == np.shape(given["h"]) and len(expected) != len(value),
            "Return two arrays: the output, and the gradient with respect to `h`.",
        ),
    ],
)
