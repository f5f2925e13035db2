"""Exercise 06.7: the hidden units of a ReLU network that are off on every input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.comparing import close, numbers_in
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.networks import forward, relu
from utils.exercises.rules import Solver, hints_of, returned_by

DEPTHS = (1, 1, 2, 2, 2, 3, 3, 4)
LARGEST = (-0.3, 0.05, 1.0)  # what goes into a unit where that is largest: some are off, some hardly on
MARGIN = 0.01  # rounding changes nothing
Units = list[list[int]]
Mask = Callable[[np.ndarray], np.ndarray]  # from what goes into a layer's units [inputs, units] to which of them


def worked_example() -> Inputs:
    """Return a network in whose second layer a unit gets 0 from both inputs exactly."""
    return {
        "weights": [
            np.array([[1.0, -1.0], [-1.0, -1.0], [1.0, 0.0]]),
            np.array([[1.0, 0.0, -1.0], [-1.0, 5.0, 0.0]]),
            np.array([[1.0, 2.0]]),
        ],
        "biases": [np.array([0.0, 2.0, -1.0]), np.array([0.0, 1.0]), np.array([-1.0])],
        "X": np.array([[1.0, 2.0], [3.0, 1.0]]),
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return networks of all depths in a random order."""
    return [network(rng, DEPTHS[i]) for i in rng.permutation(len(DEPTHS))]


def network(rng: np.random.Generator, depth: int) -> Inputs:
    """Return a network of which some units have no weights, and some nobody that listens, and its inputs."""
    while True:
        sizes = [int(rng.integers(2, 5)), *rng.integers(3, 7, depth), 1]
        X, weights, biases = rng.normal(size=(int(rng.integers(6, 15)), sizes[0])).round(2), [], []
        for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True):
            weight = rng.normal(size=(n_out, n_in)).round(2)
            weight[rng.random(n_out) < 0.2] = 0
            weight[:, rng.random(n_in) < 0.1] = 0
            z = forward([*weights, weight], X, [*biases, 0])[1][-1]
            shift = rng.choice(LARGEST, n_out) + rng.uniform(-0.02, 0.02, n_out)
            biases.append(np.where(weight.any(axis=1), shift - z.max(axis=0), rng.choice([0, 0.3], n_out)).round(3))
            weights.append(weight)
        given = {"weights": weights, "biases": biases, "X": X}
        if is_clear(given):
            return given


def is_clear(given: Inputs) -> bool:
    """Return whether each layer has units that are on, and what goes into none is nearly 0 where it is largest.

    It may be 0 exactly, where all that the unit reads is.
    """
    inputs, into = forward(given["weights"], given["X"], given["biases"])
    for h, weight, z in zip(inputs, given["weights"][:-1], into, strict=False):
        largest, reads = z.max(axis=0), (np.abs(h) @ np.abs(weight).T).any(axis=0)
        if (largest <= 0).all() or ((np.abs(largest) < MARGIN) & (reads | (largest != 0))).any():
            return False
    return True


# --- what comes of which idea of a dead unit ----------------------------------------------------------------


def where(mask: Mask, layers: slice = slice(-1), activation: Mask = relu) -> Solver:
    """Return the way that returns the units of these layers, the hidden ones, for which a mask holds."""

    def way(given: Inputs) -> Units:
        into = forward(given["weights"], given["X"], given["biases"], activation)[1]
        return [np.flatnonzero(mask(z)).tolist() for z in into[layers]]

    return way


def _off(z: np.ndarray) -> np.ndarray:
    return (z <= 0).all(axis=0)


reference = where(_off)
MISTAKES = [
    (
        where(lambda z: (z <= 0).any(axis=0)),
        where(lambda z: (z <= 0).mean(axis=0) > 0.5),
        where(lambda z: (z <= 0).all(axis=1)),
        where(lambda z: (z <= 0).any(axis=1)),
        where(lambda z: (z > 0).any(axis=0)),
        "You list units that are off on some of the inputs, or on, or you list inputs. A dead unit is off on every "
        "single input.",
    ),
    (
        where(lambda z: (z < 0).all(axis=0)),
        "You leave out units into which exactly 0 goes. They return 0, so they are off as well: compare with ≤, not "
        "with <.",
    ),
    (
        where(lambda z: z.mean(axis=0) <= 0),
        where(lambda z: z.mean(axis=0) < 0),
        *(where(lambda z, least=least: relu(z).mean(axis=0) < least) for least in (0.1, 0.05, 0.01)),
        "You judge by a mean. Even if it is negative, or small, one input may turn the unit on: compare with 0, input "
        "by input.",
    ),
    (
        lambda given: reference({**given, "biases": [0 * bias for bias in given["biases"]]}),
        "The biases are missing. Add each unit's bias to its weighted sum.",
    ),
    (
        lambda given: [[unit + 1 for unit in units] for units in reference(given)],
        "You number the units from 1: unit 0 is the first.",
    ),
    (
        where(_off, activation=np.positive),
        "Your next layer gets what goes into the ReLU. Hand on what comes out of it.",
    ),
    (
        where(_off, slice(None)),
        "Your lists include one for the output layer. It has no ReLU: return one list for each hidden layer.",
    ),
]


def _has_not_the_form(given: Inputs, value: object, expected: Units) -> bool:
    if not isinstance(value, (list, np.ndarray)) or len(value) != len(expected):
        return value is not None
    return any(np.ndim(part) != 1 or numbers_in(part).dtype == bool for part in value)


DEAD_UNITS = Exercise(
    id="06.7",
    points=3,
    answer_name="dead_units",
    without=["utils.exercises.networks.forward"],
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=lambda given, hidden, value, expected: close(value, expected, rtol=0.0, atol=0.0),
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            _has_not_the_form,
            "Return one list for each hidden layer, and an empty one if no unit is dead. A list holds the numbers of "
            "units, as np.flatnonzero gives them, not a mask of True and False, and not a count.",
        ),
    ],
)
