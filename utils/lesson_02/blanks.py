"""The lines that lesson 02's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

POINTS = np.array([0.0, 0.1, 0.35, 0.6, 0.83, 1.0])
UNITS = np.maximum(np.stack([POINTS, POINTS - 0.5], axis=1), 0)  # of a tent at these points
WEIGHTS, BIASES = np.array([[2, 2], [-4, -4]]), np.array([0, -0.5])  # from one tent into the next
Y = np.array([1.0, 4.0, 2.0, 7.0])
# A row for each rate: the best by its median, its mean, its worst run, its best run, and by held-out data.
VALIDATION = np.array([[0.9, 0.91, 0.1], [0.85, 0.86, 0.84], [0.845, 0.846, 0.845], [0.2, 0.99, 0.3], [0.55, 0.5, 0.6]])
HELD_OUT = np.array([[0.88, 0.87, 0.89], [0.83, 0.82, 0.86], [0.84, 0.81, 0.8], [0.4, 0.7, 0.3], [0.95, 0.94, 0.96]])


def ramps(first, second, at=0.5):
    return lambda x: first * np.maximum(x, 0) + second * np.maximum(x - at, 0)


def missed(y_hat, y):
    return np.mean((y_hat - y) ** 2)


def cost(first, layers, between, last):
    return lambda width, depth: (2 + first) * width + layers(depth) * (width + between) * width + (width + last) * 2


BLANKS = {
    "02.tent": Blank(
        "two_units",
        [(POINTS,), (np.array([0.2, 0.7]),), (np.array([0.45, 0.55, 0.95]),), (np.array([0.05, 0.5, 0.9]),)],
        [
            (
                ramps(2, -2),
                "After ½ yours stays level. The second ramp has to undo the first one's climb, and then make "
                "the line fall as well.",
            ),
            (
                ramps(1, -2),
                "The shape is right, but yours reaches half of the height: from 0 to ½ the tent climbs all the "
                "way to 1.",
            ),
            (
                ramps(2, 4),
                "After ½ yours climbs even more. There the tent turns down, so the second ramp's weight has "
                "another sign.",
            ),
        ],
    ),
    "02.next": Blank(
        "next_units",
        [(UNITS,), (UNITS[::-1],), (UNITS[1:4],), (np.array([[0.9, 0.4], [0.3, 0.0], [0.5, 0.0]]),)],
        [
            (
                lambda z: z @ WEIGHTS + BIASES,
                "These are the sums that go into the two units. A unit is the ReLU of its sum.",
            ),
            (
                lambda z: np.maximum(z @ WEIGHTS, 0),
                "Both of your units begin at t = 0. The second of a tent's ramps begins at another place.",
            ),
            (
                lambda z: np.maximum(z - [0, 0.5], 0),
                "These are ramps of a and of b. The second tent sees neither: it sees t, which is made of both.",
            ),
        ],
    ),
    "02.relative-error": Blank(
        "relative_error",
        [(Y + 0.7, Y), (np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, -1.0])), (Y[::-1], Y), (0.7 * Y, Y)],
        [
            (
                missed,
                "This is the mean squared error. As a share of what? Divide it by the best constant's, which is the "
                "variance of y.",
            ),
            (
                lambda y_hat, y: missed(y_hat, y) / np.mean(y**2),
                "The best constant is not 0, it is the mean of y. What it misses is the mean square around the mean.",
            ),
            (
                lambda y_hat, y: missed(y_hat, y) / y.std(),
                "A squared error over a standard deviation has a unit: square that, too.",
            ),
            (
                lambda y_hat, y: np.sum((y_hat - y) ** 2) / y.var(),
                "A sum over a mean grows with the number of points. The variance is a mean: take the mean of the "
                "squared errors, too.",
            ),
            (
                lambda y_hat, y: np.mean(np.abs(y_hat - y)) / y.var(),
                "The variance is made of squares. Square the errors before you take their mean.",
            ),
        ],
    ),
    "02.parameters": Blank(
        "parameters",
        [(3, 2), (11, 3), (17, 4), (23, 2), (6, 9)],
        [
            (
                cost(0, lambda depth: depth - 1, 0, 0),
                "These are the weights alone. Each hidden unit and each output has a bias, too.",
            ),
            (
                cost(1, lambda depth: depth, 1, 1),
                "Between neighbours among so many hidden layers there is one step fewer than there are layers.",
            ),
            (
                cost(1, lambda depth: 0, 1, 1),
                "The weights from one hidden layer to the next are missing: every unit of "
                "the one has a weight to every unit of the other.",
            ),
            (
                cost(0, lambda depth: depth - 1, 1, 1),
                "The first hidden layer has biases, too: one for each unit.",
            ),
            (
                cost(1, lambda depth: depth - 1, 0, 1),
                "Each later hidden layer has biases, too: one for each unit.",
            ),
        ],
    ),
    "02.best-rate": Blank(
        "at_best_rate",
        [
            (VALIDATION[order], HELD_OUT[order])
            for order in ([0, 1, 2, 3, 4], [2, 4, 0, 1, 3], [3, 0, 4, 2, 1], [4, 3, 1, 0, 2])
        ],
        [
            (
                lambda validation, held_out: held_out[np.median(held_out, axis=1).argmax()],
                "You choose with the table that you report. What has chosen looks better than it is: choose with "
                "the other one.",
            ),
            (
                lambda validation, held_out: validation[np.median(validation, axis=1).argmax()],
                "The rate is chosen well. But you report the accuracies that chose it, and those look better than "
                "they are.",
            ),
            (
                lambda validation, held_out: held_out[np.median(validation, axis=0).argmax()],
                "Your medians are over the rates, one for each seed. A rate is a row: wanted is one median for "
                "each row.",
            ),
            (
                lambda validation, held_out: held_out[validation.mean(axis=1).argmax()],
                "One run that went wrong drags the mean down. Choose by the median.",
            ),
            (
                lambda validation, held_out: held_out[validation.max(axis=1).argmax()],
                "This chooses by the best single run. One lucky seed decides then: choose by the median.",
            ),
            (
                lambda validation, held_out: held_out[validation.min(axis=1).argmax()],
                "This chooses by the worst single run. One unlucky seed decides then: choose by the median.",
            ),
        ],
    ),
}
