"""The lines that lesson 02's path leaves to its reader: what each is tried on, and the mistakes that have a hint.

A mistake is one line, with a hint that is for it alone. A remark is for all lines whose values have a property in
common, and is true of each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import is_number, returned_by
from utils.types import Array

POINTS = np.array([0.0, 0.1, 0.35, 0.6, 0.83, 1.0])
UNITS = np.maximum(np.stack([POINTS, POINTS - 0.5], axis=1), 0)  # of a tent at these points
WEIGHTS, BIASES = np.array([[2, 2], [-4, -4]]), np.array([0, -0.5])  # from one tent into the next
Y = np.array([1.0, 4.0, 2.0, 7.0])
# A row for each rate: the best by its median, mean, worst run, best run, both tables together, and held-out data.
VALIDATION = np.array(
    [
        [0.9, 0.91, 0.1],
        [0.85, 0.86, 0.84],
        [0.845, 0.846, 0.845],
        [0.2, 0.99, 0.3],
        [0.835, 0.83, 0.84],
        [0.5, 0.51, 0.52],
    ]
)
HELD_OUT = np.array(
    [
        [0.88, 0.87, 0.89],
        [0.83, 0.82, 0.86],
        [0.84, 0.81, 0.8],
        [0.4, 0.7, 0.3],
        [0.97, 0.96, 0.975],
        [0.98, 0.99, 0.985],
    ]
)


def ramps(first, second, at=0.5):
    return lambda x: first * np.maximum(x, 0) + second * np.maximum(x - at, 0)


def up_to_the_peak(given: Inputs, value: Any) -> tuple[Array, Array]:
    """Return a tent's points up to ½, but for 0, and the values there; raises for values that are none of x alone."""
    x, y = given["x"], np.asarray(value, dtype=float)
    if y.shape != x.shape:
        raise ValueError("no number for each point")
    left = (x > 0) & (x <= 0.5)
    return x[left], y[left]


def climbs_otherwise(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether values climb from 0 to ½ in a straight line, but not a tent's."""
    x, y = up_to_the_peak(given, value)
    slopes = y / x
    return bool(np.allclose(slopes, slopes[0]) and slopes[0] > 0 and not np.allclose(slopes, 2))


def is_wrong_up_to_the_peak(given: Inputs, value: Any, expected: Any) -> bool:
    x, y = up_to_the_peak(given, value)
    return not np.allclose(y, 2 * x)


def is_wrong_after_the_peak(given: Inputs, value: Any, expected: Any) -> bool:
    x, y = up_to_the_peak(given, value)
    return bool(np.allclose(y, 2 * x))


def is_two_ramps_of_one_number(given: Inputs, value: Any, expected: Any) -> bool:
    first, second = np.asarray(value, dtype=float).T
    return len(first) == len(expected) and bool(np.allclose(second, np.maximum(first - 0.5, 0)) and (first >= 0).all())


def is_units_times_numbers(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether each unit is a multiple of the right one, and not both are the right ones themselves."""
    pairs = zip(np.asarray(value, dtype=float).T, expected.T, strict=True)
    factors = [one @ wanted / (wanted @ wanted) for one, wanted in pairs if wanted.any()]
    return 1 not in factors and 0 not in factors and np.allclose(value, expected * factors)


def has_one_unit_right(given: Inputs, value: Any, expected: Any) -> bool:
    right = [np.allclose(one, wanted) for one, wanted in zip(np.asarray(value).T, expected.T, strict=True)]
    return right == [True, False] or right == [False, True]


def missed(y_hat, y):
    return np.mean((y_hat - y) ** 2)


def cost(first, layers, between, last):
    return lambda width, depth: (2 + first) * width + layers(depth) * (width + between) * width + (width + last) * 2


def lacks_biases(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether a count has at least all weights, and not all of the biases."""
    width, depth = given["width"], given["depth"]
    return bool(cost(0, lambda depth: depth - 1, 0, 0)(width, depth) <= value < expected)


def is_row_of(table: str) -> Callable[[Inputs, Any, Any], bool]:
    return lambda given, value, expected: any(np.array_equal(value, row) for row in given[table])


def is_of_several_rates(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether there is an accuracy for each seed, of no one rate."""
    in_rows = any(is_row_of(table)(given, value, expected) for table in given)
    return np.shape(value) == np.shape(expected) and not in_rows


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
                "The shape is right, but yours is only half as high. From 0 to ½ the tent climbs all the way to 1: "
                "double both weights.",
            ),
            (
                ramps(2, 4),
                "After ½ yours climbs even more steeply. There the tent turns down, so the second ramp's weight needs "
                "the other sign.",
            ),
        ],
        [
            (
                lambda given, value, expected: np.ndim(value) == 2,
                "Yours returns the two ramps one beside the other. The tent is their sum: add them up, to one number "
                "for each point.",
            ),
            (
                climbs_otherwise,
                "Up to ½ yours climbs with the wrong slope. Only the first ramp is on there, so its weight is the "
                "tent's slope, which climbs from 0 to 1 in that half.",
            ),
            (
                is_wrong_up_to_the_peak,
                "Yours is wrong before ½, where the tent climbs from 0 to 1. Only the ramp that begins at 0 may be on "
                "there: check its weight, and that the other one, relu(x - 0.5), is the one that begins at ½.",
            ),
            (
                is_wrong_after_the_peak,
                "Up to ½ yours is right. From there on the tent falls with slope −2, and yours does not. The weight "
                "on relu(x - 0.5) is the change of slope, from 2 to −2.",
            ),
        ],
    ),
    "02.next": Blank(
        "next_units",
        [(UNITS,), (UNITS[::-1],), (UNITS[1:4],), (np.array([[0.9, 0.4], [0.3, 0.0], [0.5, 0.0]]),)],
        [
            (
                lambda z: z @ WEIGHTS + BIASES,
                "These are the sums that go into the two units. A unit is the ReLU of its sum: apply relu to each.",
            ),
            (
                lambda z: np.maximum(z @ WEIGHTS, 0),
                "Both of your units begin at t = 0. The second of a tent's ramps begins at ½: subtract ½ from t "
                "inside its relu.",
            ),
            (
                lambda z: np.maximum(z - [0, 0.5], 0),
                "These are ramps of a and of b. The second tent sees neither of them. It sees t = 2a − 4b: compute t "
                "first, then both ramps from t.",
            ),
        ],
        [
            (
                lambda given, value, expected: np.shape(value) == (len(expected),),
                "Yours returns one number for each point. Return the second tent's two units in two columns, and do "
                "not add them up.",
            ),
            (
                is_two_ramps_of_one_number,
                "You take two ramps of one number, at 0 and at ½, and that is right. But the number is not t. The "
                "first tent's output is t = 2a − 4b.",
            ),
            (
                lambda given, value, expected: np.shape(value) == (2, 2) != np.shape(expected),
                "z[0] is a row, which is one point. The units a and b are columns, with a number for each point: "
                "z[:, 0] and z[:, 1].",
            ),
            (
                is_units_times_numbers,
                "Your units are multiplied by numbers, such as the weights 2 and −4. Return the units alone: the next "
                "layer has these weights.",
            ),
            (
                has_one_unit_right,
                "One of your units is right, the other is not. Both are ramps of the same t: the first is relu(t), "
                "and the second begins where t is ½.",
            ),
        ],
    ),
    "02.relative-error": Blank(
        "relative_error",
        [(Y + 0.7, Y), (np.array([0.0, 1.0, 3.5]), np.array([1.0, 2.0, -1.0])), (1.5 * Y[::-1], Y), (0.7 * Y, Y)],
        [
            (
                missed,
                "This is the mean squared error. To make it a share, divide it by the best constant's, which is the "
                "variance of y.",
            ),
            (
                lambda y_hat, y: missed(y_hat, y) / y_hat.var(),
                "You divide by the variance of the outputs. What has to be drawn are the targets: divide by the "
                "variance of y.",
            ),
            (
                lambda y_hat, y: np.var(y_hat - y) / y.var(),
                "The variance of the errors does not see that all of them may be off by the same amount. Take the "
                "mean of their squares instead.",
            ),
            (
                lambda y_hat, y: np.sum((y_hat - y) ** 2) / y.var(),
                "A sum over a mean grows with the number of points. The variance is a mean: take the mean of the "
                "squared errors, too.",
            ),
        ],
        [
            (
                returned_by(
                    *(
                        lambda given, of=of: missed(**given) / of(given["y"])
                        for of in (
                            np.std,
                            lambda y: np.mean(y**2),
                            lambda y: np.sum(y**2),
                            lambda y: y.var(ddof=1),
                            lambda y: y.mean() ** 2,
                            lambda y: np.abs(y).mean(),
                            np.ptp,
                            np.max,
                            np.sum,
                            np.mean,
                            lambda y: np.sum((y - y.mean()) ** 2),
                            lambda y: y.var() ** 2,
                            lambda y: 1 / y.var(),
                        )
                    )
                ),
                "The mean squared error is there, but you divide it by something else than the variance. The best "
                "constant is the mean of y, and its mean squared error is y.var().",
            ),
            (
                returned_by(
                    *(
                        lambda given, of=of: np.mean(np.abs(given["y_hat"] - given["y"])) / of(given["y"])
                        for of in (np.var, np.std, lambda y: 1, lambda y: np.mean(np.abs(y)))
                    ),
                    lambda given: np.sqrt(missed(**given)),
                    lambda given: missed(given["y_hat"], given["y"].mean()) / given["y"].var(),
                    lambda given: given["y_hat"].var() / given["y"].var(),
                    lambda given: np.sqrt(missed(**given)) / given["y"].std(),
                    lambda given: np.sqrt(missed(**given)) / given["y"].var(),
                    lambda given: np.mean(given["y_hat"] - given["y"]) / given["y"].var(),
                    lambda given: np.mean(given["y_hat"] - given["y"]) ** 2 / given["y"].var(),
                ),
                "You divide something else than the mean squared error. Square each error y_hat - y, take the mean "
                "of the squares, without a square root, and divide it by the variance of y.",
            ),
            (
                returned_by(
                    lambda given: np.mean(((given["y_hat"] - given["y"]) / given["y"]) ** 2),
                    lambda given: np.mean((given["y_hat"] - given["y"]) ** 2 / given["y"]),
                    lambda given: np.mean(np.abs((given["y_hat"] - given["y"]) / given["y"])),
                    lambda given: np.mean((given["y_hat"] - given["y"]) / given["y"]),
                ),
                "You divide each error by its own y. Take the mean of the squared errors first, and divide it once, "
                "by the variance of y.",
            ),
            (
                lambda given, value, expected: np.ndim(value) == 1,
                "Yours returns one number for each point. Take the mean over all points: the relative error is one "
                "number.",
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
                "You count one step too many from hidden layer to hidden layer. Between depth layers there are "
                "depth − 1 of them.",
            ),
            (
                lambda width, depth: cost(1, lambda depth: depth - 1, 1, 1)(width, depth) - 3 * width,
                "The first hidden layer is missing: each of its units has a weight for each of the 2 inputs, and a "
                "bias.",
            ),
            (
                lambda width, depth: 3 * width + depth - (width + 1) * width + (width + 1) * 2,
                "Python multiplies before it subtracts: put depth - 1 into brackets.",
            ),
        ],
        [
            (
                returned_by(
                    lambda given: cost(1, lambda depth: 0, 1, 1)(**given),
                    lambda given: cost(1, lambda depth: 1, 1, 1)(**given) if given["depth"] > 2 else -1,
                    lambda given: given["depth"] * 3 * given["width"] + (given["width"] + 1) * 2,
                    lambda given: (
                        3 * given["width"] + (given["depth"] - 1) * 2 * given["width"] + (given["width"] + 1) * 2
                    ),
                    lambda given: given["depth"] * 2 * given["width"] + given["width"] * 2,
                ),
                "Weights between hidden layers are missing. At each of the depth − 1 steps, every unit of one layer "
                "has a weight for every unit of the other: width · width of them, and a bias for each unit.",
            ),
            (
                returned_by(
                    lambda given: 3 * given["width"] + (given["depth"] - 1) * (given["width"] + 1) * given["width"],
                    lambda given: (
                        3 * given["width"]
                        + (given["depth"] - 1) * (given["width"] + 1) * given["width"]
                        + given["width"]
                        + 1
                    ),
                ),
                "The output layer is not all there: there are 2 outputs, and each has a weight for every unit of the "
                "last hidden layer, and a bias.",
            ),
            (
                lacks_biases,
                "That is enough for all weights, but not for all biases, too. Every hidden unit of every layer has "
                "one, and so have the 2 outputs. Count layer by layer.",
            ),
            (
                lambda given, value, expected: is_number(value),
                "Count layer by layer, and compare. The first hidden layer has 3 · width parameters, each of the "
                "depth − 1 further ones (width + 1) · width, and the output layer (width + 1) · 2.",
            ),
        ],
    ),
    "02.best-rate": Blank(
        "at_best_rate",
        [
            (VALIDATION[order], HELD_OUT[order])
            for order in ([0, 1, 2, 3, 4, 5], [2, 4, 0, 5, 1, 3], [3, 0, 5, 4, 2, 1], [4, 3, 1, 5, 0, 2])
        ],
        [
            (
                lambda validation, held_out: held_out[np.median(held_out, axis=1).argmax()],
                "You choose with the table that you report. What has chosen looks better than it is: choose with "
                "the other one.",
            ),
            (
                lambda validation, held_out: held_out[np.median(validation + held_out, axis=1).argmax()],
                "The held-out table has a say in your choice. What has chosen looks better than it is: choose with "
                "validation alone.",
            ),
            (
                lambda validation, held_out: held_out[validation.mean(axis=1).argmax()],
                "You choose by the mean, and one run that went wrong drags a mean down. Choose by the median.",
            ),
        ],
        [
            (
                is_row_of("validation"),
                "You report validation accuracies. What has chosen looks better than it is: choose the rate with "
                "validation, and report its row of held_out.",
            ),
            (
                lambda given, value, expected: is_number(value),
                "Yours returns a single number. Return all accuracies of the best rate, one for each seed: its row of "
                "held_out.",
            ),
            (
                lambda given, value, expected: np.shape(value) == (len(given["validation"]),),
                "Yours has a number for each rate, not for each seed. Take each row's median over the seeds, with "
                "axis=1, and return the row of held_out where validation's median is largest.",
            ),
            (
                is_of_several_rates,
                "What you return is no row of a table, so these are not the accuracies of one rate. Choose one rate "
                "for all seeds, the one with the best median, and return its row of held_out as it stands.",
            ),
            (
                is_row_of("held_out"),
                "You report the held-out accuracies of another rate. Take the median of each row of validation, over "
                "its seeds (axis=1), and choose the row in which that is largest.",
            ),
        ],
    ),
}
