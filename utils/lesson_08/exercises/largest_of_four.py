"""Exercise 08.1: the largest of four affine functions as a ReLU network within a budget (Arora et al. 2018)."""

from __future__ import annotations

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.layers import Layers, evaluate, is_readable, layers_of, same_outputs, sizes_of
from utils.exercises.rules import Rule, Solver, hints_of

INPUTS = (2, 3, 4, 5, 6, 8, 2, 3)
POINTS, SCALES = 200, (0.3, 1.0, 5.0)  # at which a network is looked at
SHARE = 0.05  # of the points at which each of the four is the largest, and at which even the largest is negative
PAIR, READ = ((1, -1), (0, 1), (0, -1)), (1, 1, -1)  # max(p, q) = relu(p - q) + relu(q) - relu(-q)


def case(A: object, b: object) -> Inputs:
    """Return the case of these four functions."""
    return {"A": np.array(A, dtype=float), "b": np.array(b, dtype=float)}


def worked_example() -> Inputs:
    """Return four functions of two inputs, whose largest is negative around 0."""
    return case([[1, 0], [0, 1], [-1, -1], [0, 0]], [-3, -3, -3, -2])


def sample_case(rng: np.random.Generator, n_in: int) -> Inputs:
    """Return functions each of which is the largest somewhere, and which are all negative somewhere."""

    def drawn() -> Inputs:
        return case(rng.normal(size=(4, n_in)).round(2), rng.uniform(-2, 0.5, 4).round(2))

    return draw_until(is_telling, drawn)


def is_telling(given: Inputs) -> bool:
    """Return whether all that may go wrong shows at the points."""
    values = points(given) @ given["A"].T + given["b"]
    shares = np.bincount(values.argmax(axis=1), minlength=4) / len(values)
    return bool(shares.min() > SHARE and (values.max(axis=1) < 0).mean() > SHARE)


def points(given: Inputs) -> np.ndarray:
    """Return inputs of several sizes [points, inputs], the same for all answers."""
    drawn = np.random.default_rng(0).normal(size=(POINTS, given["A"].shape[1]))
    return np.concatenate([scale * drawn for scale in SCALES])


def budget(given: Inputs) -> int:
    """Return how many parameters the network may have."""
    return 6 * given["A"].shape[1] + 31


def parameters(layers: Layers) -> int:
    """Return how many numbers stand in the weights and the biases, zeros included."""
    return sum(weight.size + bias.size for weight, bias in layers)


# --- what comes of which tree -------------------------------------------------------------------------------


def tree(first: tuple = (PAIR, READ), second: tuple = (PAIR, READ), biases: float = 1.0, added: bool = False) -> Solver:
    """Return the way that takes pairs by one block and reading each, in each of the two layers.

    ``biases`` multiplies b; ``added`` adds its largest number behind the network instead.
    """

    def way(given: Inputs) -> list:
        pair, read = (np.kron(np.eye(2), np.array(part, dtype=float)) for part in first)
        block, last = (np.array(part, dtype=float) for part in second)
        end = np.array([given["b"].max() * added])
        return [
            [pair @ given["A"], biases * pair @ given["b"]],
            [block @ read, np.zeros(len(block))],
            [last[None], end],
        ]

    return way


def numbers_first(given: Inputs) -> list:
    """Return the tree behind a layer for the four numbers, from which only positive ones come."""
    four = {"A": np.eye(4), "b": np.zeros(4)}
    return [[given["A"], given["b"]], *reference(four)]


reference = tree()
CUT, ALONE = (((1, -1), (0, 1)), (1, 1)), (PAIR, (1, 1, 1))
MIN = (((1, -1), (1, 0), (-1, 0)), (-1, 1, -1))
MISTAKES = [
    (
        tree(CUT, CUT),
        tree(CUT),
        tree(second=CUT),
        numbers_first,
        "A ReLU cuts off negative numbers, so a number that may have either sign does not get through by one unit. "
        "It takes two: one for the number, and one for its negative.",
    ),
    (
        tree(ALONE, ALONE),
        tree(second=ALONE),
        tree(ALONE),
        "You add both units of a number that is passed on: relu(q) + relu(−q) is its absolute value. Subtract the "
        "second from the first.",
    ),
    (
        tree(MIN, MIN),
        tree(MIN),
        tree(second=MIN),
        "Somewhere you take the smaller of two: p − relu(p − q) is the smaller one, q + relu(p − q) the larger one.",
    ),
    (
        tree(biases=0.0),
        tree(biases=0.0, added=True),
        "The numbers in `b` belong in the first layer. It computes differences and multiples of A x + b, so its bias "
        "has the same differences and multiples of `b`.",
    ),
]


def computes(*ways: Solver) -> Rule:
    """Return a rule: layers that fit together, with the outputs of one of these ways."""
    return lambda given, value, expected: (
        fits(given, layers_of(value))
        and any([same_outputs(outputs_of(given, value), outputs_of(given, way(given))) for way in ways])
    )


def fits(given: Inputs, layers: Layers) -> bool:
    """Return whether the layers fit together, and to the inputs and the one output."""
    sizes = sizes_of(layers)
    return bool(sizes) and sizes[0] == given["A"].shape[1] and sizes[-1] == 1


def outputs_of(given: Inputs, value: object) -> np.ndarray:
    """Return a network's outputs [points]."""
    return evaluate(layers_of(value), points(given))[:, 0]


def largest(given: Inputs) -> np.ndarray:
    """Return the largest of the four functions [points]."""
    return (points(given) @ given["A"].T + given["b"]).max(axis=1)


def verify(given: Inputs, hidden: object, value: object, expected: object) -> float:
    """Return 1.0 where the network is the function that is wanted, within its budget, else 0.0."""
    layers = layers_of(value)
    within = fits(given, layers) and parameters(layers) <= budget(given)
    return float(within and same_outputs(outputs_of(given, value), largest(given)))


def explain_network(given: Inputs, value: object, expected: object) -> str:
    """Say what the network costs, and how far its outputs are off."""
    if not is_readable(value) or not fits(given, layers_of(value)):
        return ""
    layers = layers_of(value)
    gap = np.abs(outputs_of(given, layers) - largest(given)).max()
    return (
        f"Your network has the sizes {sizes_of(layers)} and {parameters(layers)} parameters, of {budget(given)}. At "
        f"{len(points(given))} inputs, it differs from the largest of the four by up to {gap:.3g}."
    )


LARGEST_OF_FOUR = Exercise(
    id="08.1",
    points=3,
    answer_name="largest_of_four",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *(sample_case(rng, n_in) for n_in in INPUTS)], reference, MISTAKES
    ),
    verify=verify,
    wanted=lambda given, expected: (
        f"layers that compute the largest of the four functions of {given['A'].shape[1]} "
        f"inputs, with at most {budget(given)} parameters"
    ),
    explain=explain_network,
    misconceptions=hints_of(MISTAKES, computes),
    remarks=[
        (
            lambda given, value, expected: value is not None and not is_readable(value),
            "Return a list of pairs (weight, bias), one for each layer: each weight of the shape (outputs, "
            "inputs), each bias with one number for each output.",
        ),
        (
            lambda given, value, expected: not fits(given, layers_of(value)),
            "The layers do not fit together: the first weight has as many columns as `A`, each further one as many "
            "as the weight before it has rows, the last one has one row, and there are as many biases as rows.",
        ),
        (
            lambda given, value, expected: same_outputs(outputs_of(given, value), largest(given)),
            "The function is right, but the network is too large. Three units are enough for the larger of two "
            "numbers, and neither A x + b nor a sum of units needs a layer of its own: the next layer's weights can "
            "do it.",
        ),
        (
            lambda given, value, expected: len(layers_of(value)) != 3,
            "Your layers fit together, but they compute another function. Their number is up to you, but one hidden "
            "layer cannot do it, and two are enough.",
        ),
    ],
)
