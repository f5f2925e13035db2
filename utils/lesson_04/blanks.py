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
        ],
    ),
    "04.pile": Blank(
        "pile",
        [(PLACES, 2, 0.5), (PLACES, 1, 0.5), (PLACES, 3, 0.25), (PLACES[:3], 2, 0.0)],
        [
            (
                lambda x, k, shift: folded(x + shift / 2**k, k),
                "The place in the pile is right. Asked is how far it is from the middle.",
            ),
            (lambda x, k, shift: folded(x + shift, k) - 0.5, "The shift is given in squares. How wide is a square?"),
            (lambda x, k, shift: folded(x, k) + shift / 2**k - 0.5, "The sheet is pushed first. Then it is folded."),
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
        ],
    ),
}
