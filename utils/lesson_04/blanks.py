"""The lines that lesson 04's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

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
                lambda X, W, b: X @ W.T + b,
                "These are the sums that go into the units. A unit is on where its sum is above "
                "0: the answer is True or False.",
            ),
            (lambda X, W, b: X @ W.T > 0, "A unit's sum has one more term: its own number in b."),
            (
                lambda X, W, b: (X @ W.T + b > 0).astype(int),
                "Right, but as numbers. The comparison alone is True or False, as is asked.",
            ),
            (
                lambda X, W, b: X @ W.T + b < 0,
                "This is True where a unit is off. It is on where its sum is above 0.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "A point has its numbers in a row of X, and a unit has its weights in a row of W: one of the two has "
                "to be transposed.",
            )
        ],
    ),
    "04.bound": Blank(
        "bound",
        [([3, 5],), ([8, 8, 8],), ([10, 4],), ([6, 9, 7],), ([24, 16],)],
        [
            (
                lambda widths: sum(of_lines(n) for n in widths),
                "The numbers of the layers are added here. But a layer cuts "
                "each region that the layers before it have made.",
            ),
            (
                lambda widths: of_lines(sum(widths)),
                "This is one layer that has all the units. Here each layer cuts the regions of the layers before it.",
            ),
            (
                lambda widths: np.prod([of_lines(n, 0) for n in widths]),
                "A line adds one region. So does each crossing of two lines.",
            ),
            (
                lambda widths: np.prod([of_lines(n, 2) for n in widths]),
                "Two lines cross once, and n (n − 1) counts each pair twice.",
            ),
            (
                lambda widths: np.prod([of_lines(n) - 1 for n in widths]),
                "Before the first line there is one region already.",
            ),
            (
                lambda widths: 2 ** sum(widths),
                "So many patterns could be written down. On a plane n lines make fewer regions.",
            ),
            (
                lambda widths: of_lines(widths[0]) * np.prod([n + 1 for n in widths[1:]]),
                "A later layer cuts regions of a plane, too: its lines can cross there.",
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
                "The place in the pile is right. Asked is how far it is from the middle.",
            ),
            (lambda x, k, shift: folded(x + shift, k) - 0.5, "The shift is given in squares. How wide is a square?"),
            (lambda x, k, shift: folded(x, k) + shift / 2**k - 0.5, "The sheet is pushed first. Then it is folded."),
            (
                lambda x, k, shift: folded(x + shift / (2 * k), k) - 0.5,
                "Each fold halves a square: after k folds it is 1/2^k wide, not 1/(2k).",
            ),
            (
                lambda x, k, shift: folded(x - shift / 2**k, k) - 0.5,
                "This pushes the sheet to the left. A shift is to the right, so it is added.",
            ),
            (
                lambda x, k, shift: folded(x + shift / 2**k, k - 1) - 0.5,
                "This is one fold too few.",
            ),
        ],
    ),
    "04.cut": Blank(
        "cut",
        [(A, B), (B, A[::-1]), (-A, B / 3), (A * 2, A + B)],
        [
            (lambda a, b: a * b, "The sign is right. But layers of ReLU units cannot multiply: use absolute values."),
            (lambda a, b: np.abs(a + b) + np.abs(a - b), "The second absolute value is to be subtracted."),
            (
                lambda a, b: np.maximum(a + b, 0) - np.maximum(a - b, 0),
                "One ReLU is half of an absolute value: it is 0 where its sum is negative.",
            ),
            (
                lambda a, b: 2 * b,
                "relu(z) − relu(−z) is z again: the bend is gone. An absolute value is the sum of the two.",
            ),
        ],
    ),
    "04.term": Blank(
        "term",
        [(PLACES, 1), (PLACES, 2), (PLACES, 3), (PLACES[1:], 5)],
        [
            (
                lambda x, s: folded(x, s) / 4,
                "Step 2 subtracts tents a sixteenth as high, step 3 a quarter of that: the "
                "height falls with each step.",
            ),
            (
                lambda x, s: tent(x) / 4**s,
                "This is a single tent at every step. Each step has twice as many tents as the "
                "one before: fold once more.",
            ),
            (
                lambda x, s: x - folded(x, s) / 4**s,
                "Asked is only what step s subtracts. Subtracting it from x, and from "
                "what is left of it, is the next cell's task.",
            ),
            (
                lambda x, s: folded(x, s - 1) / 4**s,
                "This is one fold too few: step 1 subtracts tents already.",
            ),
        ],
    ),
}
