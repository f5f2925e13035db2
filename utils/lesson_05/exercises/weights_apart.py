"""Exercise 05.7: how far apart the weights of two tanh networks are, with the hidden units labelled best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise, permutations, product

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, one_number, same_number

ROUNDING = 1e-9
ONE_LAYER = ((2, 4, 1), (3, 3, 2), (2, 3, 1))
TWO_LAYERS = ((2, 3, 2, 1), (2, 2, 2, 2), (3, 2, 2, 1))

Weights = list[np.ndarray]
Change = Callable[[np.random.Generator, Weights], Weights]  # from a network to one whose units are then relabelled
Gaps = list[np.ndarray]  # of each matrix, the differences for all labellings [first layer, second layer, rows, columns]


def worked_example() -> Given:
    """The units have changed places, one has its signs turned, and one weight is off by 0.1."""
    return {
        "weights_a": [np.array([[1.0, -2.0], [0.5, 1.5]]), np.array([[2.0, 3.0]])],
        "weights_b": [np.array([[-0.5, -1.5], [1.0, -1.9]]), np.array([[-3.0, 2.0]])],
    }


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return pairs of all kinds: the same network, nearly the same, and others, in a random order."""
    kinds = [
        *((change, ONE_LAYER) for change in CHANGES),
        *((change, TWO_LAYERS) for change in (*CHANGES, _nearly, _another)),
    ]
    cases = [two_networks(rng, change, sizes[rng.integers(len(sizes))]) for change, sizes in kinds]
    return [cases[i] for i in rng.permutation(len(cases))]


def two_networks(rng: np.random.Generator, change: Change, sizes: Sequence[int]) -> Given:
    """Return a network, and what this change and new labels make of it."""
    weights = [rng.normal(0, 1.2, (n_out, n_in)).round(3) for n_in, n_out in pairwise(sizes)]
    return {"weights_a": weights, "weights_b": new_labels(rng, change(rng, weights))}


def new_labels(rng: np.random.Generator, weights: Weights) -> Weights:
    """Return the same network with its hidden units in another order, and with other signs."""
    changed = list(weights)
    for layer, weight in enumerate(weights[:-1]):
        order, signs = rng.permutation(len(weight)), rng.choice([-1.0, 1.0], len(weight))
        changed[layer] = (signs[:, None] * changed[layer])[order]
        changed[layer + 1] = (changed[layer + 1] * signs)[:, order]
    return changed


def unchanged(rng: np.random.Generator, weights: Weights) -> Weights:
    """Return the network as it is."""
    return weights


def _nearly(rng: np.random.Generator, weights: Weights) -> Weights:
    return [weight + rng.uniform(-0.2, 0.2, weight.shape).round(4) for weight in weights]


def order_of_incoming(rng: np.random.Generator, weights: Weights) -> Weights:
    """Return the network with the incoming weights of the first layer's units handed round, the outgoing ones not."""
    return [np.roll(weights[0], 1, axis=0), *weights[1:]]


def sign_of_incoming(rng: np.random.Generator, weights: Weights) -> Weights:
    """Return the network with a unit's incoming weights turned, but not its outgoing ones."""
    return [weights[0] * np.where(np.arange(len(weights[0])) == 0, -1.0, 1.0)[:, None], *weights[1:]]


def _another(rng: np.random.Generator, weights: Weights) -> Weights:
    return [rng.normal(0, 1.2, weight.shape).round(3) for weight in weights]


CHANGES = (unchanged, _nearly, order_of_incoming, sign_of_incoming, _another)


# --- what comes of which way to compare ---------------------------------------------------------------------


@lru_cache(maxsize=32)
def labellings(units: int, orders: bool, turns: bool) -> np.ndarray:
    """Return all ways to put units in order and turn their signs, as matrices [ways, units, units]."""
    eye = np.eye(units)
    all_orders = list(permutations(range(units))) if orders else [tuple(range(units))]
    all_signs = list(product([1.0, -1.0], repeat=units)) if turns else [(1.0,) * units]
    return np.array([eye[list(order)] * signs for order in all_orders for signs in all_signs])


def gaps(
    given: Given, *, orders: bool = True, turns: bool = True, both_layers: bool = True, outgoing: str = "both"
) -> Gaps:
    """Return the sizes of the differences of all weights, for each labelling of the first and the second layer.

    outgoing: what of a labelling the weights out of the units follow as well: "both" their order and their signs,
    "order", "signs" (of the units that stand there now), "old signs" (of those that stood there) or "nothing".
    """
    a, b = given["weights_a"], given["weights_b"]
    first = labellings(len(b[0]), orders, turns)[:, None]
    behind = followed(first, outgoing)
    if len(a) == 2:
        return [np.abs(a[0] - first @ b[0]), np.abs(a[1] - b[1] @ behind)]
    second = labellings(len(b[1]), orders and both_layers, turns and both_layers)[None]
    return [
        np.abs(a[0] - first @ b[0]),
        np.abs(a[1] - second @ b[1] @ behind),
        np.abs(a[2] - b[2] @ followed(second, outgoing)),
    ]


def followed(ways: np.ndarray, outgoing: str) -> np.ndarray:
    """Return what multiplies the weights out of the units from the right."""
    if outgoing == "nothing":
        return np.broadcast_to(np.eye(ways.shape[-1]), ways.shape)
    if "signs" in outgoing:
        signs = ways.sum(axis=-1 if outgoing == "signs" else -2)  # each row and each column holds one
        return signs[..., None] * np.eye(ways.shape[-1])
    return np.swapaxes(np.abs(ways) if outgoing == "order" else ways, -1, -2)


def largest(differences: Gaps) -> np.ndarray:
    """Return the largest difference of each labelling, [first layer, second layer]."""
    return np.max(np.broadcast_arrays(*(gap.max(axis=(-2, -1)) for gap in differences)), axis=0)


def smallest_of(measure: Callable[[Gaps], np.ndarray] = largest, **options: bool | str) -> Way:
    """Return the way that takes the labelling for which a measure of the differences is smallest."""
    return lambda given: float(np.min(measure(gaps(given, **options))))


def over_all(power: int, differences: Gaps) -> np.ndarray:
    """Return the sum of a power of all differences, for each labelling."""
    return sum(np.sum(gap**power, axis=(-2, -1)) for gap in differences)


def _count(differences: Gaps) -> int:
    return sum(gap.shape[-2] * gap.shape[-1] for gap in differences)


def one_after_the_other(given: Given) -> float:
    """Return the largest difference when each layer is labelled by its incoming weights alone."""
    found = [gap.max(axis=(-2, -1)) for gap in gaps(given)]
    first = found[0][:, 0].argmin()
    if len(found) == 2:
        return float(max(gap[first, 0] for gap in found))
    second = found[1][first].argmin()
    return float(max(found[0][first, 0], found[1][first, second], found[2][0, second]))


def nearest(given: Given) -> float:
    """Return the largest difference when each unit takes the nearest by its incoming weights, taken already or not."""
    a, b = given["weights_a"], list(given["weights_b"])
    for layer in range(len(a) - 1):
        mirrored = np.concatenate([b[layer], -b[layer]])
        found = np.linalg.norm(a[layer][:, None] - mirrored, axis=2).argmin(axis=1)
        order, signs = found % len(a[layer]), np.where(found < len(a[layer]), 1.0, -1.0)
        b[layer], b[layer + 1] = mirrored[found], b[layer + 1][:, order] * signs
    return float(max(np.abs(one - other).max() for one, other in zip(a, b, strict=True)))


def numbers_alone(given: Given, size: Callable[[np.ndarray], np.ndarray] = np.abs) -> float:
    """Return the largest difference of the sorted sizes of each matrix's weights."""
    pairs = zip(given["weights_a"], given["weights_b"], strict=True)
    return float(max(np.abs(np.sort(size(one).ravel()) - np.sort(size(other).ravel())).max() for one, other in pairs))


right = smallest_of()
MISTAKES = [
    (smallest_of(orders=False, turns=False),
     "You compare the weights as they stand. The units may be in another order, and have other signs."),
    (smallest_of(turns=False),
     "You try other orders, but no other signs: tanh is odd, so a unit may have all its signs turned."),
    (smallest_of(orders=False),
     "You try other signs, but no other orders: which unit of a layer comes first means nothing."),
    (smallest_of(both_layers=False),
     "You relabel the first hidden layer alone. The units of a second one have neither order nor signs either."),
    (smallest_of(outgoing="nothing"),
     "A relabelled unit takes its outgoing weights along: the rows of one matrix and the columns of the next change "
     "together."),
    (smallest_of(outgoing="order"),
     "The columns of the next matrix follow the order, but not the signs: a unit whose incoming weights are turned has "
     "its outgoing ones turned as well."),
    (smallest_of(outgoing="signs"), smallest_of(outgoing="old signs"),
     "The columns of the next matrix follow the signs, but not the order."),
    (smallest_of(lambda differences: largest(differences[:1])),
     "You compare the weights into the first hidden layer alone, and all matrices have to fit."),
    (smallest_of(lambda differences: largest(differences[-1:])),
     "You compare the weights of the last matrix alone, and all matrices have to fit."),
    (*(smallest_of(partial(over_all, power)) for power in (1, 2)),
     *(smallest_of(lambda gaps, power=power: over_all(power, gaps) / _count(gaps)) for power in (1, 2)),
     smallest_of(lambda gaps: np.sqrt(over_all(2, gaps))),
     smallest_of(lambda gaps: np.sqrt(over_all(2, gaps) / _count(gaps))),
     "You add up the differences, or average them: the largest one is wanted, and the labelling for which it is "
     "smallest."),
    (smallest_of(lambda differences: sum(gap.max(axis=(-2, -1)) for gap in differences)),
     "You add up the largest differences of the matrices: the largest of them all is wanted."),
    (lambda given: float(max(gap.max(axis=(-2, -1)).min() for gap in gaps(given))),
     "You label each matrix as suits it best. A layer's units have one labelling, for the matrix before them and the "
     "one behind them."),
    (one_after_the_other, nearest,
     "You label the units by their incoming weights alone. Another labelling may be better when the outgoing ones "
     "count as well."),
    (lambda given: smallest_of(turns=False)({name: [np.abs(weight) for weight in given[name]] for name in given}),
     "You drop the signs. They can be turned, but only those of all weights into a unit and out of it together."),
    (numbers_alone, lambda given: numbers_alone(given, size=np.positive),
     "You sort the numbers, wherever they stand. The weights into one unit, and out of it, belong together."),
    (lambda given: float(np.max(largest(gaps(given)))),
     "You keep the labelling that is worst: the one is wanted for which the largest difference is smallest."),
]


def explain_apart(given: Given, value: object, expected: float) -> str:
    """Say of what sizes the networks are."""
    sizes = [given["weights_a"][0].shape[1], *(len(weight) for weight in given["weights_a"])]
    return f"The networks have the sizes {', '.join(map(str, sizes))}." if is_number(value) else ""


WEIGHTS_APART = Exercise(
    id="05.7",
    points=4,
    answer_name="weights_apart",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=ROUNDING),
    without=["utils.lesson_05.teachers.weight_gap"],
    explain=explain_apart,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (is_no(is_number),
         "Return one number: the largest difference of two weights."),
        (lambda given, value, expected: one_number(value) < expected,
         "No labelling brings the weights as near as that: is each weight's difference among yours?"),
        (lambda given, value, expected: one_number(value) > expected,
         "There is a better labelling: every order of a layer's units, with every choice of signs, is allowed."),
    ],
)
