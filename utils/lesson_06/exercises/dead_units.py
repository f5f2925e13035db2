"""Exercise 06.7: the hidden units of a ReLU network that are off on every input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.comparing import close, numbers_in
from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Way, hints_of, returned_by

DEPTHS = (1, 1, 2, 2, 2, 3, 3, 4)
KINDS = ("dead", "barely on", "always on", "no weights", "constant", "no way out")
MARGIN = 0.01  # rounding changes nothing
BARELY = 0.05
Units = list[list[int]]
Mask = Callable[[np.ndarray], np.ndarray]  # from what goes into a layer's units [inputs, units] to a mask


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0)


def worked_example() -> Given:
    """In the second layer a unit gets 0 from both inputs exactly."""
    return {
        "weights": [np.array([[1.0, -1.0], [-1.0, -1.0], [1.0, 0.0]]), np.array([[1.0, 0.0, -1.0], [-1.0, 5.0, 0.0]]),
                    np.array([[1.0, 2.0]])],
        "biases": [np.array([0.0, 2.0, -1.0]), np.array([0.0, 1.0]), np.array([-1.0])],
        "X": np.array([[1.0, 2.0], [3.0, 1.0]]),
    }


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return networks of all depths in a random order."""
    return [network(rng, DEPTHS[i]) for i in rng.permutation(len(DEPTHS))]


def network(rng: np.random.Generator, depth: int) -> Given:
    """Return a network in whose hidden layers some units are of the KINDS, and its inputs."""
    while True:
        X = rng.normal(size=(int(rng.integers(6, 15)), int(rng.integers(2, 5)))).round(2)
        weights, biases, h, no_way_out = [], [], X, np.array([], dtype=int)
        for _ in range(depth):
            kinds = rng.permutation([kind for kind in KINDS if rng.random() < 0.55] + ["any"] * int(rng.integers(2, 4)))
            weight, bias = layer(rng, h, kinds, no_way_out)
            weights, biases, h = [*weights, weight], [*biases, bias], _relu(h @ weight.T + bias)
            no_way_out = np.flatnonzero(kinds == "no way out")
        weights.append(rng.normal(size=(1, h.shape[1])).round(2))
        weights[-1][:, no_way_out] = 0
        given = {"weights": weights, "biases": [*biases, rng.normal(size=1).round(2)], "X": X}
        if has_margin(given):
            return given


def layer(
    rng: np.random.Generator, h: np.ndarray, kinds: np.ndarray, ignored: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and biases of units of these kinds for the signal h, of which some units are ignored."""
    weight = rng.normal(size=(len(kinds), h.shape[1])).round(2)
    weight[:, ignored] = 0
    weight[np.isin(kinds, ["no weights", "constant"])] = 0
    z = h @ weight.T
    bias = rng.normal(0, 0.5, len(kinds))
    shift = rng.uniform(0.12, 0.6, len(kinds))
    bias = np.where(kinds == "dead", -z.max(axis=0) - shift, bias)
    bias = np.where(kinds == "barely on", -z.max(axis=0) + BARELY, bias)
    bias = np.where(kinds == "always on", -z.min(axis=0) + shift, bias)
    bias = np.where(kinds == "constant", shift, bias)
    return weight, np.where(kinds == "no weights", 0, bias).round(3)


def has_margin(given: Given) -> bool:
    """Return whether each layer has units that are on, and no unit, not even in a likely mistake, is nearly off."""
    alive = all((z > 0).any() for z in into_units(given)[:-1])
    return alive and all(is_clear(given, **slip) for slip in ({}, {"bias": False}, {"activation": np.positive}))


def is_clear(given: Given, *, activation: Mask = _relu, **slip: object) -> bool:
    """Return whether what goes into units is not near 0 where it is largest, or exactly 0 as all that they read is."""
    into = into_units(given, activation=activation, **slip)
    signals = [given["X"], *map(activation, into)]
    for h, weight, z in zip(signals, given["weights"][:-1], into, strict=False):
        reads = (np.abs(h) @ np.abs(weight).T).any(axis=0)
        largest = np.abs(z.max(axis=0))
        if ((largest < MARGIN) & (reads | (largest > 0))).any():
            return False
    return True


# --- what comes of which idea of a dead unit ----------------------------------------------------------------


def into_units(given: Given, *, bias: bool = True, activation: Mask = _relu) -> list[np.ndarray]:
    """Return what goes into the units of each hidden layer, [inputs, units], and into the output."""
    h, found = given["X"], []
    for weight, shift in zip(given["weights"], given["biases"], strict=True):
        found.append(h @ weight.T + bias * shift)
        h = activation(found[-1])
    return found


def _places(masks: list[np.ndarray]) -> Units:
    return [np.flatnonzero(mask).tolist() for mask in masks]


def where(mask: Mask, **slips: object) -> Way:
    """Return the way that returns the units of the hidden layers for which a mask holds."""
    return lambda given: _places([mask(z) for z in into_units(given, **slips)[:-1]])


def _off(z: np.ndarray) -> np.ndarray:
    return (z <= 0).all(axis=0)


def of_parameters(mask: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> Way:
    """Return the way that looks at each layer's weights and biases, and at the weights of the next layer."""

    def way(given: Given) -> Units:
        weights, biases = given["weights"], given["biases"]
        return _places([mask(*layer) for layer in zip(weights[:-1], biases[:-1], weights[1:], strict=True)])

    return way


def without_gradient(given: Given) -> Units:
    """Return the units whose bias has no effect on the output, at any input."""
    masks, back = [], given["weights"][-1].sum(axis=0)
    for weight, z in list(zip(given["weights"], into_units(given), strict=True))[-2::-1]:
        effect = back * (z > 0)
        masks.insert(0, (np.abs(effect) < 1e-12).all(axis=0))
        back = effect @ weight
    return _places(masks)


right = where(_off)
MISTAKES = [
    (where(lambda z: (z <= 0).any(axis=0)),
     "You list units that are off on some input. A dead one is off on all of them."),
    (where(lambda z: (z < 0).all(axis=0)),
     "A unit into which exactly 0 goes returns 0 and is off as well: compare with ≤, not with <."),
    (where(lambda z: (z > 0).all(axis=0)),
     "You list units that are on for every input: the ones are wanted that are off."),
    (where(lambda z: ~_off(z)),
     "You list the units that are alive, and the others are asked for."),
    (where(lambda z: z.mean(axis=0) <= 0), where(lambda z: z.mean(axis=0) < 0),
     "A mean that is negative does not say that a unit is off everywhere: one input that turns it on is enough."),
    (lambda given: right({**given, "X": given["X"].mean(axis=0, keepdims=True)}),
     "You look at the mean over inputs: a unit is dead only if it is off for each of them."),
    (where(lambda z: (z <= 0).mean(axis=0) > 0.5), where(lambda z: (z <= 0).mean(axis=0) >= 0.75),
     "You list units that are off on most inputs: one input that turns a unit on is enough to keep it alive."),
    (*(where(lambda z, least=least: _relu(z).mean(axis=0) < least) for least in (0.1, 0.05, 0.01)),
     "A unit with a small mean is alive: compare with 0, input by input, rather than with a threshold."),
    (where(lambda z: np.ptp(_relu(z), axis=0) == 0),
     "A unit that says the same for all inputs need not be off: a constant other than 0 is alive."),
    (where(lambda z: (z <= 0).all(axis=1)),
     "You look along the wrong axis: these are inputs at which all units of a layer are off, and not units."),
    (where(_off, bias=False),
     "The biases are missing: they are added before the ReLU, in every layer."),
    (where(_off, activation=lambda z: z),
     "The next layer gets what comes out of the ReLU: yours gets what goes into it."),
    (lambda given: _places([_off(z) for z in into_units(given)]),
     "The output layer is among yours. It has no ReLU, and there is one list for each hidden layer."),
    (lambda given: [[unit + 1 for unit in units] for units in right(given)],
     "You number the units from 1, and the first one has the number 0."),
    (lambda given: right(given)[:1], lambda given: [right(given)[0], *([] for _ in given["weights"][2:])],
     "You look at the first hidden layer alone: go on with what comes out of it."),
    (of_parameters(lambda weight, bias, outgoing: (weight <= 0).all(axis=1)),
     of_parameters(lambda weight, bias, outgoing: (weight <= 0).all(axis=1) & (bias <= 0)),
     "You look at the signs of the parameters. Which sign a unit's sum has depends on the inputs as well: send them "
     "through the network."),
    (of_parameters(lambda weight, bias, outgoing: ~outgoing.any(axis=0)),
     "You list units that nobody listens to, with outgoing weights of 0. A dead unit says nothing itself."),
    (without_gradient,
     "You list units without a gradient. Dead ones have none, but neither has a unit that is on and to which no layer "
     "behind it listens."),
    (lambda given: _places([np.concatenate([_off(z) for z in into_units(given)[:-1]])])[0],
     "You number the units of all layers through, in one list: each hidden layer has a list of its own, and counts "
     "from 0."),
    (lambda given: [unit for units in right(given) for unit in units],
     "You put the units of all layers into one list: each hidden layer has a list of its own."),
    (lambda given: [len(units) for units in right(given)],
     "You count the dead units. Return which they are, a list of numbers for each hidden layer."),
]


def explain_units(given: Given, value: object, expected: Units) -> str:
    """Say in which hidden layers the list is wrong."""
    if not isinstance(value, list) or len(value) != len(expected):
        return ""
    wrong = [str(i) for i, (one, other) in enumerate(zip(value, expected, strict=True), 1) if not close(one, other)]
    return f"Wrong in hidden layer {', '.join(wrong)} of {len(expected)}." if wrong else ""


DEAD_UNITS = Exercise(
    id="06.7",
    points=3,
    answer_name="dead_units",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES),
    verify=lambda given, hidden, value, expected: close(value, expected, rtol=0.0, atol=0.0),
    explain=explain_units,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (lambda given, value, expected: all(numbers_in(part).dtype == bool for part in value),
         "These are masks of True and False: return the numbers of the units, as np.flatnonzero gives them."),
        (lambda given, value, expected:
            len(value) == len(expected) and not any(map(len, value)) and any(map(len, expected)),
         "You find no dead unit here, and there are some. After a ReLU nothing is negative: off means 0."),
        (lambda given, value, expected: value is not None and len(value) != len(expected),
         "Return a list with one list for each hidden layer, an empty one where no unit is dead."),
    ],
)
