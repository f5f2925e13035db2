"""Exercise 01.2: hinges that open to the left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.constructions import evaluate_hinges
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Solver, hints_of, returned_by, same_to_four_digits


def left_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield {"knots": np.array([0.0, 2.0, 3.0, 7.0]), "values": np.array([1.0, 5.0, 4.0, 6.0])}, None
    for size in (2, 3, 5, 8, 12):
        knots = np.cumsum(rng.uniform(0.2, 2.0, size)) - 3.0
        yield {"knots": knots, "values": rng.normal(size=size)}, None
    yield {"knots": np.linspace(-2.0, 2.0, 9), "values": np.linspace(-2.0, 2.0, 9) ** 2}, None
    knots = np.cumsum(rng.uniform(0.2, 2.0, 6)) - 3.0  # digits are counted from the first that is not 0
    yield {"knots": knots, "values": 1e-4 * rng.normal(size=6)}, None


def slopes_of(given: Inputs) -> np.ndarray:
    """Return the slope between neighbouring points."""
    return np.diff(given["values"]) / np.diff(given["knots"])


def weights_of(slopes: np.ndarray) -> np.ndarray:
    """Return the weights of the hinges, each a change of slope; to the right of the last knot the slope is 0."""
    return np.diff(slopes, append=0.0)


def over_one_spacing(spacing: Callable[[np.ndarray], float]) -> Solver:
    """Return the way that divides all differences by one length, which ``spacing`` makes of the knots' distances."""
    return lambda given: weights_of(np.diff(given["values"])) / spacing(np.diff(given["knots"]))


MISTAKES = [
    (
        *(lambda given, sign=sign: sign * np.diff(slopes_of(given), prepend=0.0) for sign in (1, -1)),
        "These are the weights of hinges that open to the right, as in the lesson. Here the network is constant "
        "on the right, and begins to move where you walk left from the last knot.",
    ),
    (
        slopes_of,
        lambda given: -slopes_of(given),
        "These are the slopes of the pieces. A hinge only changes the slope that the hinges to its right have "
        "made, so its weight is the change of slope at its knot.",
    ),
    (
        lambda given: np.diff(given["values"]),
        lambda given: weights_of(np.diff(given["values"])),
        lambda given: 1 / slopes_of(given),
        lambda given: weights_of(1 / slopes_of(given)),
        "There is no slope in this. Divide the difference of two values by the distance between their knots.",
    ),
    (
        *(
            lambda given, last=last: np.append(np.diff(slopes_of(given)), last * slopes_of(given)[-1])
            for last in (1, 0)
        ),
        "Only the last weight is wrong. To the right of the last knot the network is flat: by how much does its "
        "slope change there, walking to the right?",
    ),
    (
        *map(over_one_spacing, (lambda distances: distances[0], np.mean, lambda distances: distances[-1])),
        "The knots are not evenly spaced: divide each difference by the distance between its own two knots.",
    ),
    (
        *(
            lambda given, turn=turn: turn(weights_of(slopes_of(given)))
            for turn in (np.negative, np.flip, lambda weights: -weights[::-1])
        ),
        "These are the changes of slope, but with other signs, or in another order. From left to right, a_1 "
        "first, each is the slope to the right of its knot minus the slope to the left. Hinges that open to the "
        "left are no exception.",
    ),
]


def network_of(given: Inputs, value: object) -> Callable[[np.ndarray], np.ndarray]:
    """Return the network that has ``value`` as its weights."""
    return lambda x: evaluate_hinges(-x, -given["knots"][1:], np.ravel(value), given["values"][-1])


def explain_left(given: Inputs, value: object, expected: np.ndarray) -> str:
    """Say where the network runs past the points."""
    outputs = network_of(given, value)(given["knots"])
    missed = np.flatnonzero(~np.isclose(outputs, given["values"], rtol=1e-6, atol=1e-8))
    if not missed.size or not np.isfinite(outputs).all():
        return ""
    last = missed[-1]
    x, wanted = given["knots"][last], given["values"][last]
    return (
        f"From the right, the network first misses the point at x = {x:.5g}:\n"
        f"there it is {outputs[last]:.5g}, and {wanted:.5g} is wanted."
    )


def plot_left(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the points, of the network with ``value`` as weights and of the one wanted, and its words."""
    from utils.figures import COLOURS
    from utils.plots import plot_interpolant

    network = network_of(given, value)
    x = np.linspace(given["knots"][0], given["knots"][-1], 401)
    ax = plot_interpolant(x, network(x), given["knots"], given["values"])
    ax.plot(given["knots"], given["values"], color=COLOURS["grey"], linestyle="--", label="wanted")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=3)
    at_knots = np.round(network(given["knots"]), 3)
    words = f"A network with the weights {value}: at the knots it is {at_knots}, the points are {given['values']}."
    return ax.figure, words


LEFT = Exercise(
    id="01.2",
    points=3,
    answer_name="left_weights",
    cases=left_cases,
    verify=lambda given, hidden, value, expected: float(same_to_four_digits(np.ravel(value), expected)),
    without=["utils.constructions.relu_interpolant"],
    explain=explain_left,
    plot=plot_left,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            lambda given, value, expected: isinstance(value, list) and any(np.ndim(part) for part in value),
            "Return only the weights, as one flat list of numbers: hinges and bias are given already.",
        ),
        (
            lambda given, value, expected: len(value) != len(expected),
            "Return one weight for each knot but the first, including the last: nothing bends to the left of the "
            "first knot, and at the last one the network becomes flat.",
        ),
    ],
)
