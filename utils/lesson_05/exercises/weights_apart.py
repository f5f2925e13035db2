"""Exercise 05.7: how far apart the weights of two tanh networks are, with the hidden units labelled best."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, permutations, product

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, equals, hints_of, is_number, one_number, same_number

ROUNDING = 1e-9
ONE_LAYER = ((2, 4, 1), (3, 3, 2), (2, 3, 1))
TWO_LAYERS = ((2, 3, 2, 1), (2, 2, 2, 2), (3, 2, 2, 1))

Weights = list[np.ndarray]


def worked_example() -> Inputs:
    """Return the units have changed places, one has its signs turned, and one weight is off by 0.1."""
    return {
        "weights_a": [np.array([[1.0, -2.0], [0.5, 1.5]]), np.array([[2.0, 3.0]])],
        "weights_b": [np.array([[-0.5, -1.5], [1.0, -1.9]]), np.array([[-3.0, 2.0]])],
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return pairs of all kinds: the same network, nearly the same, and others, in a random order."""
    changes = (
        lambda weight: weight,
        *[lambda weight: weight + rng.uniform(-0.2, 0.2, weight.shape).round(4)] * 3,
        *[lambda weight: rng.normal(0, 1.2, weight.shape).round(3)] * 2,
    )
    cases = []
    for change, kind in product(changes, (ONE_LAYER, TWO_LAYERS)):
        sizes = kind[rng.integers(len(kind))]
        weights = [rng.normal(0, 1.2, (n_out, n_in)).round(3) for n_in, n_out in pairwise(sizes)]
        cases.append({"weights_a": weights, "weights_b": new_labels(rng, list(map(change, weights)))})
    return [cases[i] for i in rng.permutation(len(cases))]


def new_labels(rng: np.random.Generator, weights: Weights) -> Weights:
    """Return the same network with its hidden units in another order, and with other signs."""
    changed = list(weights)
    for layer, weight in enumerate(weights[:-1]):
        order, signs = rng.permutation(len(weight)), rng.choice([-1.0, 1.0], len(weight))
        changed[layer] = (signs[:, None] * changed[layer])[order]
        changed[layer + 1] = (changed[layer + 1] * signs)[:, order]
    return changed


# --- what comes of which way to compare ---------------------------------------------------------------------


@lru_cache(maxsize=32)
def labellings(units: int, orders: bool, turns: bool) -> np.ndarray:
    """Return all ways to put units in order and turn their signs, as matrices [ways, units, units]."""
    eye = np.eye(units)
    all_orders = list(permutations(range(units))) if orders else [tuple(range(units))]
    all_signs = list(product([1.0, -1.0], repeat=units)) if turns else [(1.0,) * units]
    return np.array([eye[list(order)] * signs for order in all_orders for signs in all_signs])


def apart(
    given: Inputs,
    *,
    orders: bool = True,
    turns: bool = True,
    both_layers: bool = True,
    outgoing: Callable[[np.ndarray], np.ndarray] = lambda ways: np.swapaxes(ways, -1, -2),
    size: Callable = lambda differences, axis: np.abs(differences).max(axis),
    together: np.ufunc = np.maximum,
) -> float:
    """Return the smallest of the largest differences that these labellings have.

    ``outgoing`` says how the weights out of the units follow; ``size`` what is taken of a matrix of differences, and
    ``together`` of those of all matrices.
    """
    a, b = given["weights_a"], given["weights_b"]

    def largest(differences: np.ndarray) -> np.ndarray:
        return size(differences, (-2, -1))  # of each labelling of the first layer, and of the second

    first = labellings(len(b[0]), orders, turns)[:, None]
    front, follows = largest(a[0] - first @ b[0]), b[1] @ outgoing(first)
    if len(a) == 2:
        return float(together(front, largest(a[1] - follows)).min())
    second = labellings(len(b[1]), orders and both_layers, turns and both_layers)
    back = together(largest(a[1] - second @ follows), largest(a[2] - b[2] @ outgoing(second)))
    return float(together(front, back).min())


def by_incoming_weights(given: Inputs) -> float:
    """Return the largest difference where each layer is labelled by its incoming weights alone, which is not best."""
    a, b = given["weights_a"], list(given["weights_b"])
    for k in range(len(a) - 1):
        ways = labellings(len(b[k]), True, True)
        way = ways[np.abs(a[k] - ways @ b[k]).max(axis=(1, 2)).argmin()]
        b[k], b[k + 1] = way @ b[k], b[k + 1] @ way.T
    return float(max(np.abs(one - other).max() for one, other in zip(a, b, strict=True)))


def added_up(given: Inputs, power: int) -> float:
    """Return the least sum of all differences, to this power, that a labelling has."""
    return apart(given, size=lambda differences, axis: (np.abs(differences) ** power).sum(axis), together=np.add)


MISTAKES = [
    (
        lambda given: apart(given, orders=False, turns=False),
        "You compare the weights as they stand. But the units may be in another order, and have other signs.",
    ),
    (
        lambda given: apart(given, turns=False),
        "You try other orders, but no other signs. As tanh is odd, you may turn all signs of a unit.",
    ),
    (
        lambda given: apart(given, orders=False),
        "You try other signs, but no other orders. Which unit of a layer comes first means nothing.",
    ),
    (
        lambda given: apart(given, both_layers=False),
        "You relabel only the first hidden layer. The units of the second one have neither an order nor signs either.",
    ),
    (
        lambda given: apart(given, outgoing=lambda ways: np.eye(ways.shape[-1])),
        lambda given: apart(given, outgoing=lambda ways: np.abs(np.swapaxes(ways, -1, -2))),
        lambda given: apart({name: [*map(np.abs, weights)] for name, weights in given.items()}, turns=False),
        "A relabelled unit takes its outgoing weights along, and turns the signs of all its weights or of none. So "
        "the rows of one matrix and the columns of the next change together.",
    ),
    (
        lambda given: apart(given, size=np.max),
        lambda given: added_up(given, 2) ** 0.5,
        lambda given: added_up(given, 2),
        lambda given: added_up(given, 1),
        lambda given: added_up(given, 1) / sum(weight.size for weight in given["weights_a"]),
        "Of each labelling you want the largest difference, without its sign. You take a sum, a mean, or the largest"
        " with its sign.",
    ),
]


def explain_apart(given: Inputs, value: object, expected: float) -> str:
    """Say of what sizes the networks are."""
    sizes = [given["weights_a"][0].shape[1], *(len(weight) for weight in given["weights_a"])]
    return f"The networks have the sizes {', '.join(map(str, sizes))}." if is_number(value) else ""


WEIGHTS_APART = Exercise(
    id="05.7",
    points=4,
    answer_name="weights_apart",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *sample_cases(rng)], apart, MISTAKES, guesses=[by_incoming_weights]
    ),
    verify=same_number(rtol=FOUR_DIGITS, atol=ROUNDING),
    without=["utils.lesson_05.teachers.weight_gap"],
    explain=explain_apart,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (
            lambda given, value, expected: one_number(value) < expected,
            "No labelling brings the weights as near as that. Do you look at the difference of every weight?",
        ),
        (
            lambda given, value, expected: one_number(value) > expected,
            "This is more than the best labelling's largest difference. Have you tried every order of a layer's units, "
            "with every choice of signs, and do you take one difference, not several?",
        ),
    ],
)
