"""Exercise 07.2: a ReLU network of one hidden layer as a deeper one, by hand (He et al. 2016)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.layers import Layers, evaluate, is_readable, layers_of, same_outputs, sizes_in_words, sizes_of
from utils.exercises.rules import Rule, Solver, hints_of

SHAPES = (  # inputs, hidden units, outputs, and layers to add
    (2, 3, 1, 1),
    (3, 4, 2, 1),
    (4, 4, 4, 2),
    (1, 5, 1, 2),
    (3, 3, 3, 3),
    (2, 6, 3, 4),
    (5, 2, 1, 5),
    (2, 4, 2, 7),
)
POINTS, SCALES = 60, (0.3, 1.0, 5.0)  # at which a network is looked at
Insert = Callable[[Inputs], list]  # from a case to the layer that is put in, [weight, bias]


def worked_example() -> Inputs:
    """Return |x₁| − 1 as two units, to be made one layer deeper."""
    return {
        "weights": [np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([[1.0, 1.0]])],
        "biases": [np.array([0.0, 0.0]), np.array([-1.0])],
        "extra": 1,
    }


def sample_case(rng: np.random.Generator, n_in: int, width: int, n_out: int, extra: int) -> Inputs:
    """Return a network whose units are all on at some points and off at others."""
    while True:
        weights = [rng.normal(size=(width, n_in)).round(2), rng.normal(size=(n_out, width)).round(2)]
        biases = [rng.uniform(-1, 1, width).round(2), rng.uniform(-1, 1, n_out).round(2)]
        given = {"weights": weights, "biases": biases, "extra": extra}
        on = points(given) @ weights[0].T + biases[0] > 0
        if (on.any(axis=0) & ~on.all(axis=0)).all() and min(map(np.min, map(np.abs, weights))) > 0:
            return given


def points(given: Inputs) -> np.ndarray:
    """Return inputs of several sizes [points, inputs], the same for all answers."""
    drawn = np.random.default_rng(0).normal(size=(POINTS, given["weights"][0].shape[1]))
    return np.concatenate([scale * drawn for scale in SCALES])


def wanted_sizes(given: Inputs) -> list[int]:
    """Return the sizes that the deeper network is to have."""
    width, n_in = given["weights"][0].shape
    return [n_in, *[width] * (1 + given["extra"]), len(given["biases"][1])]


# --- what comes of which layers are put in ------------------------------------------------------------------


def putting(insert: Insert, last: Callable[[Inputs], list] | None = None) -> Solver:
    """Return the way that puts this layer in as often as is asked for, perhaps with another last layer."""

    def way(given: Inputs) -> list:
        first, end = ([weight, bias] for weight, bias in zip(given["weights"], given["biases"], strict=True))
        return [first, *[insert(given) for _ in range(given["extra"])], end if last is None else last(given)]

    return way


def of_width(make: Callable[[int], np.ndarray], bias: Callable[[int], np.ndarray] = np.zeros) -> Insert:
    """Return the layer with this weight and this bias, both made from the width."""
    return lambda given: [make(len(given["biases"][0])), bias(len(given["biases"][0]))]


reference = putting(of_width(np.eye))
MISTAKES = [
    (
        putting(lambda given: [np.eye(len(given["biases"][0])), given["biases"][0]]),
        putting(of_width(np.eye, np.ones)),
        "Your extra layers add something: their biases change what they should pass on. Make these biases 0.",
    ),
    (
        putting(of_width(lambda n: np.zeros((n, n)))),  # and −I, since what comes in is never negative
        "Your extra layers pass nothing on. A plain network has no skip, so weights of 0 forget what comes in, and "
        "with negative ones nothing passes the ReLU.",
    ),
    (
        putting(of_width(lambda n: np.ones((n, n)))),
        putting(of_width(lambda n: np.full((n, n), 1 / n))),
        "Your extra layers mix the units. Let each unit read the unit of its own number, and no other.",
    ),
    (
        putting(of_width(np.eye), lambda given: [given["weights"][1], 0 * given["biases"][1]]),
        "The last layer has lost its bias. Keep it as it was, with its weight and its bias.",
    ),
]


def computes(*ways: Solver) -> Rule:
    """Return a rule: layers of the sizes wanted, with the outputs of one of these ways."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        layers = layers_of(value)
        return sizes_of(layers) == wanted_sizes(given) and any(
            [are_near(given, layers, layers_of(way(given))) for way in ways]
        )

    return matches


def are_near(given: Inputs, layers: Layers, others: Layers) -> bool:
    """Return whether two networks have the same outputs."""
    return same_outputs(*(evaluate(one, points(given)) for one in (layers, others)))


def before(given: Inputs) -> Layers:
    """Return the layers of the network that is given."""
    return list(zip(given["weights"], given["biases"], strict=True))


def verify(given: Inputs, hidden: object, value: object, expected: object) -> float:
    """Return 1.0 where the layers have the sizes wanted and are the function that is given, else 0.0."""
    layers = layers_of(value)
    return float(sizes_of(layers) == wanted_sizes(given) and are_near(given, layers, before(given)))


def explain_layers(given: Inputs, value: object, expected: object) -> str:
    """Say which sizes are wrong, or how far the outputs are off."""
    if not is_readable(value):
        return ""
    layers = layers_of(value)
    if sizes_of(layers) != wanted_sizes(given):
        return sizes_in_words(layers, wanted_sizes(given))
    gap = np.abs(evaluate(layers, points(given)) - evaluate(before(given), points(given))).max()
    return f"At {len(points(given))} inputs, your network's outputs differ from the given one's by up to {gap:.3g}."


DEEPEN = Exercise(
    id="07.2",
    points=2,
    answer_name="deepen",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, *shape) for shape in SHAPES)], reference, MISTAKES
    ),
    verify=verify,
    wanted=lambda given, expected: f"layers of sizes {wanted_sizes(given)} that compute the same function",
    explain=explain_layers,
    misconceptions=hints_of(MISTAKES, computes),
    remarks=[
        (
            lambda given, value, expected: value is not None and not is_readable(value),
            "Return a list of pairs (weight, bias), one for each layer: each weight of the shape (outputs, "
            "inputs), each bias with one number for each output.",
        ),
        (
            lambda given, value, expected: sizes_of(layers_of(value)) != wanted_sizes(given),
            "There are not as many layers as are wanted, or they do not fit together. Put `extra` layers between "
            "the hidden layer and the output, each with as many units as the hidden layer has.",
        ),
    ],
)
