"""The lines that lesson 04's path leaves to its reader: what each is tried on, and the mistakes that have a hint.

A mistake is one line, with a hint that is for it alone. A remark is for all lines whose values have a property in
common, and is true of each of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import returned_by
from utils.types import Array

POINTS = np.array([[0.5, -0.2], [-0.7, 0.9], [0.1, 0.4], [-0.3, -0.8]])
UNITS = np.array([[1.0, -0.5], [-0.8, 0.3], [0.2, 1.1]])
OFFSETS = np.array([-0.3, 0.4, -0.6])
PLACES = np.array([0.03, 0.14, 0.37, 0.55, 0.81])
A, B = np.array([0.4, -0.3, 0.2, -0.1]), np.array([-0.25, -0.35, 0.45, 0.05])


def tent(x):
    return 1 - np.abs(2 * x - 1)


def folded(x, k):
    for _ in range(k):
        x = tent(x)
    return x


def of_lines(n, crossings=1):
    return 1 + n + crossings * n * (n - 1) // 2


def product(of_layer: Callable[[int], float]) -> Callable[[Inputs], float]:
    return lambda given: np.prod([of_layer(n) for n in given["widths"]])


def shifted(by: Callable[[int, float], float]) -> Callable[[Inputs], Array]:
    return lambda given: folded(given["x"] + by(given["k"], given["shift"]), given["k"]) - 0.5


def folds(number: Callable[[int], int]) -> Callable[[Inputs], Array]:
    return lambda given: folded(given["x"] + given["shift"] / 2 ** given["k"], number(given["k"])) - 0.5


def four_units(a, b):
    return [np.maximum(z, 0) for z in (a + b, -a - b, a - b, b - a)]


def weighted(weights: tuple[int, ...]) -> Callable[[Inputs], Array]:
    return lambda given: sum(w * unit for w, unit in zip(weights, four_units(**given), strict=True))


SIGNS = [weights for weights in itertools.product((1, -1), repeat=4) if weights != (1, 1, -1, -1)]
LACKING = [
    weights
    for weights in itertools.product((2, 1, 0, -1, -2), repeat=4)
    if 0 in weights and any(weights[:2]) and any(weights[2:])
]


def is_multiple(value: Any, of: Array) -> bool:
    """Return whether values are a positive number times others."""
    value = np.asarray(value, dtype=float)
    factor = value @ of / (of @ of)
    return factor > 0 and np.allclose(value, factor * of, rtol=1e-6)


def has_other_tents(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether values are tents of one height, but of another number of folds; of few points nothing is said."""
    return any(is_multiple(value, folded(given["x"], k)) for k in range(given["s"] + 4) if k != given["s"])


BLANKS = {
    "04.pattern": Blank(
        "pattern",
        [
            (POINTS, UNITS, OFFSETS),
            (POINTS[:3], UNITS[:2], np.array([0.2, -0.4])),
            (-POINTS, UNITS, -OFFSETS),
            (POINTS[::-1] / 2, UNITS, OFFSETS / 3),
        ],
        [
            (
                lambda X, W, b: X @ W.T > 0,
                "A unit's sum has one more term, its own number in b: add b before you compare with 0.",
            ),
            (
                lambda X, W, b: X @ W.T + b < 0,
                "This is True where a unit is off. It is on where its sum is above 0: turn the comparison round.",
            ),
            (
                lambda X, W, b: X @ W.T > b,
                "To be above b is to be above 0 once b is subtracted. But a unit adds its b: compare X @ W.T + b with "
                "0.",
            ),
            (
                lambda X, W, b: X @ W.reshape(2, -1) + b > 0,
                "reshape does not transpose: it fills the rows with the same numbers in the same order, so weights of "
                "different units get mixed. W.T has each unit's weights in a column.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "A point has its numbers in a row of X, and a unit has its weights in a row of W: one of the two has "
                "to be transposed.",
            ),
            (
                lambda given, value, expected: np.ndim(value) == 1,
                "Yours returns one value for each point. Every unit is on or off by itself: return a row for each "
                "point, and in it True or False for each unit.",
            ),
            (
                lambda given, value, expected: np.ndim(value) == 2 and np.asarray(value).dtype != bool,
                "Yours returns numbers. What is asked is True or False, and that is what a comparison returns: compare "
                "each unit's whole sum, with its number in b, with 0.",
            ),
            (
                lambda given, value, expected: np.array_equal(np.transpose(value), expected),
                "Rows and columns have changed places: return a row for each point, with a column for each unit.",
            ),
        ],
    ),
    "04.bound": Blank(
        "bound",
        [([3, 5],), ([8, 8, 8],), ([10, 4],), ([6, 9, 7],), ([24, 16],)],
        [
            (
                lambda widths: of_lines(sum(widths)),
                "This is one layer that has all the units. Here each layer cuts the regions of the layers before it: "
                "count each layer by itself, and multiply.",
            ),
            (
                lambda widths: np.prod([of_lines(n, 0) for n in widths]),
                "Each line adds one region, and you count these. But each crossing of two lines adds one as well: add "
                "n (n − 1)/2.",
            ),
            (
                lambda widths: 2 ** sum(widths),
                "So many patterns could be written down. But on a plane n lines make fewer regions: "
                "1 + n + n (n − 1)/2 at most.",
            ),
            (
                lambda widths: of_lines(widths[0]) * np.prod([n + 1 for n in widths[1:]]),
                "A later layer cuts regions of a plane, too, so its lines can cross there: each layer has the same "
                "formula as the first.",
            ),
        ],
        [
            (
                returned_by(
                    lambda given: sum(of_lines(n) for n in given["widths"]),
                    lambda given: 1 + sum(of_lines(n) for n in given["widths"]),
                    lambda given: 1 + sum(of_lines(n) - 1 for n in given["widths"]),
                    lambda given: sum(of_lines(n) - 1 for n in given["widths"]),
                    lambda given: sum(given["widths"]),
                    lambda given: 1 + sum(given["widths"]),
                ),
                "You add the layers up. But a layer cuts each region that the layers before it have made: multiply the "
                "numbers of the layers.",
            ),
            (
                lambda given, value, expected: np.ndim(value) == 1,
                "Yours returns a number for each layer. A layer cuts each region of the layers before it: multiply "
                "these numbers.",
            ),
            (
                returned_by(
                    lambda given: of_lines(given["widths"][0]),
                    lambda given: of_lines(given["widths"][-1]),
                    lambda given: 1 + of_lines(given["widths"][0]),
                    lambda given: given["widths"][0],
                    lambda given: given["widths"][-1],
                ),
                "You leave out layers. Multiply over all of them: no slice may cut one off, and a return inside a loop "
                "ends it at the first.",
            ),
            (
                returned_by(
                    *(
                        product(of)
                        for of in (
                            lambda n: n,
                            lambda n: n**2,
                            lambda n: 1 + n**2,
                            lambda n: 1 + n + n**2,
                            lambda n: n + n * (n - 1) // 2,
                            lambda n: n * (n - 1) // 2,
                            lambda n: 1 + n * (n - 1) // 2,
                            lambda n: 1 + n * (n + 1) / 2 + n,
                            lambda n: n * (n + 1) / 2,
                            lambda n: of_lines(n, 2),
                            lambda n: of_lines(n - 1),
                            lambda n: of_lines(n + 1),
                            lambda n: of_lines(n) + 1,
                            lambda n: 1 + n + n * n - 1 / 2,
                            lambda n: 1 + n + n * n - 0.5 * n,
                            lambda n: 1 + n + (n - 1) / 2,
                            lambda n: 1 + n + n - 1 / 2,
                            lambda n: (1 + n + n * (n - 1)) / 2,
                            lambda n: 2 * n,
                            lambda n: 1 + n + n * n / 2,
                            lambda n: n + 1,
                            lambda n: 2 + n * (n - 1),
                        )
                    ),
                ),
                "You multiply over the layers, and that is right. But n lines make another number of regions: one to "
                "begin with, n for the lines, and n (n − 1)/2 for the crossings.",
            ),
        ],
    ),
    "04.pile": Blank(
        "pile",
        [
            (PLACES, 2, 0.5),
            (PLACES, 1, 0.5),
            (PLACES, 3, 0.25),
            (PLACES[:3], 2, 0.0),
            (PLACES, 4, 0.75),
            (PLACES, 5, 0.5),
        ],
        [
            (
                lambda x, k, shift: folded(x + shift / 2**k, k),
                "The place in the pile is right. But the question is how far it is from the middle: subtract ½.",
            ),
            (
                lambda x, k, shift: folded(x - shift / 2**k, k) - 0.5,
                "This pushes the sheet to the left. A push to the right makes x larger: add the shift.",
            ),
            (
                lambda x, k, shift: folded(x, k) + shift / 2**k - 0.5,
                "You fold first and push then. The sheet is pushed first: add the shift to x, and fold that.",
            ),
            (
                lambda x, k, shift: folded(x + shift / 2**k - 0.5, k),
                "You subtract ½ before the sheet is folded. The middle is that of the pile: fold first, then subtract.",
            ),
        ],
        [
            (
                lambda given, value, expected: np.allclose(np.abs(value), np.abs(expected)),
                "The distance from the middle is right, but not its sign. Right of the middle it is positive, left of "
                "it negative: the place in the pile minus ½.",
            ),
            (
                returned_by(
                    *(
                        shifted(by)
                        for by in (
                            lambda k, shift: shift,
                            lambda k, shift: 0,
                            lambda k, shift: shift / 2 * k,
                            lambda k, shift: shift / (2 * k),
                            lambda k, shift: shift / k,
                            lambda k, shift: shift / k**2,
                            lambda k, shift: shift / 2,
                            lambda k, shift: shift * k,
                            lambda k, shift: shift * 2**k,
                            lambda k, shift: shift / 2 ** (k - 1),
                            lambda k, shift: shift / 2 ** (k + 1),
                            lambda k, shift: shift / 4**k,
                            lambda k, shift: 1 / 2**k,
                            lambda k, shift: -shift,
                        )
                    ),
                    lambda given: folded(given["x"] + given["shift"], given["k"]),
                    lambda given: folded(given["x"] * given["shift"], given["k"]) - 0.5,
                    lambda given: folded(given["x"] * given["shift"] / 2 ** given["k"], given["k"]) - 0.5,
                    lambda given: folded((given["x"] + given["shift"]) / 2 ** given["k"], given["k"]) - 0.5,
                ),
                "The sheet is not pushed by the right amount. The shift is given in squares, and a square is 1/2^k "
                "wide: add shift / 2**k to x.",
            ),
            (
                returned_by(
                    *(
                        folds(number)
                        for number in (
                            lambda k: k - 1,
                            lambda k: k + 1,
                            lambda k: 0,
                            lambda k: 1,
                            lambda k: 2,
                            lambda k: 2 * k,
                            lambda k: 2**k,
                        )
                    )
                ),
                "The sheet is not folded as often as it should be. Fold it k times: folded takes the number of folds "
                "as its second argument.",
            ),
            (
                returned_by(
                    lambda given: folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) - 1,
                    lambda given: folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) + 0.5,
                    lambda given: folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) / 2,
                    lambda given: folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) - given["x"],
                    lambda given: (
                        folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) - 0.5 / 2 ** given["k"]
                    ),
                    lambda given: (
                        folded(given["x"] + given["shift"] / 2 ** given["k"], given["k"]) - 1 / 2 ** given["k"]
                    ),
                ),
                "The place in the pile is right. But the pile's middle is at ½, whatever k is: subtract ½ from the "
                "place.",
            ),
        ],
    ),
    "04.cut": Blank(
        "cut",
        [(A, B), (B, A[::-1]), (-A, B / 3), (A * 2, A + B)],
        [
            (
                lambda a, b: a * b,
                "The sign is right. But layers of ReLU units cannot multiply: use |a + b| − |a − b|, and write each "
                "absolute value with two calls of relu.",
            ),
            (
                lambda a, b: np.abs(a + b) + np.abs(a - b),
                "You add the two absolute values. Subtract the second one: both of its relu get a minus.",
            ),
            (
                lambda a, b: 2 * b,
                "Yours is 2 b: the bends are gone, since relu(z) − relu(−z) is z again. An absolute value is the sum "
                "of the two.",
            ),
        ],
        [
            (
                lambda given, value, expected: np.ndim(value) == 2,
                "These are several units, one beside the other. Return one number for each point: add the two units of "
                "|a + b|, and subtract the two of |a − b|.",
            ),
            (
                returned_by(*map(weighted, SIGNS)),
                "Your four units are the right ones, but not their signs. |a + b| is relu(a + b) + relu(-a - b). All "
                "of |a − b| is subtracted, so both of its units get a minus.",
            ),
            (
                returned_by(*map(weighted, LACKING)),
                "Half of an absolute value is missing. |z| is relu(z) + relu(-z): one for where z is positive, and one "
                "for where it is negative.",
            ),
            (
                lambda given, value, expected: np.allclose(value, np.maximum(expected, 0)),
                "Yours is never negative, but the cut has to be where a and b have different signs. Leave out the "
                "outermost relu.",
            ),
            (
                returned_by(
                    *(
                        lambda given, u=u, v=v: u * np.abs(given["a"]) + v * np.abs(given["b"])
                        for u, v in ((1, -1), (-1, 1), (1, 1), (2, -2), (2, 2))
                    ),
                    lambda given: np.maximum(given["a"], 0) - np.maximum(given["b"], 0),
                    lambda given: np.maximum(given["a"], 0) + np.maximum(given["b"], 0),
                    lambda given: np.abs(given["a"]) * np.abs(given["b"]),
                ),
                "These are ReLUs of a and of b by themselves, and so they cannot tell whether the two have the same "
                "sign. Take them of the sum a + b and of the difference a − b.",
            ),
        ],
    ),
    "04.term": Blank(
        "term",
        [(PLACES, 1), (PLACES, 2), (PLACES, 3), (PLACES[1:], 5)],
        [
            (
                lambda x, s: folded(x, s) / 4,
                "Your tents are a quarter high at every step. Step 2 subtracts tents a sixteenth as high, step 3 a "
                "quarter of that: divide by 4**s.",
            ),
            (
                lambda x, s: tent(x) / 4**s,
                "This is a single tent at every step. Each step has twice as many tents as the one before: fold s "
                "times.",
            ),
            (
                lambda x, s: x - folded(x, s) / 4**s,
                "Return only what step s subtracts. Subtracting it from x, and from what is left of it, is the next "
                "cell's task.",
            ),
            (
                lambda x, s: folded(x, s - 1) / 4**s,
                "This is one fold too few: step 1 subtracts a tent already, and that is one fold.",
            ),
        ],
        [
            (
                returned_by(
                    lambda given: sum(folded(given["x"], i) / 4**i for i in range(1, given["s"] + 1)),
                    lambda given: sum(folded(given["x"], i) / 4**i for i in range(given["s"])),
                    lambda given: sum(folded(given["x"], i) / 4**i for i in range(given["s"] + 1)),
                    lambda given: given["x"] - sum(folded(given["x"], i) / 4**i for i in range(1, given["s"] + 1)),
                ),
                "You add up several steps. Return what step s alone subtracts: the next cell adds the steps up.",
            ),
            (
                lambda given, value, expected: is_multiple(value, expected),
                "Your tents are the right ones, but their height is not. Step 1's tent is a quarter high, and each "
                "step's are a quarter as high as those of the step before: divide by 4**s.",
            ),
            (
                has_other_tents,
                "Yours does not have the right number of tents side by side. Step s has 2^(s − 1) of them, and folding "
                "s times makes as many.",
            ),
        ],
    ),
}
