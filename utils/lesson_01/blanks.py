"""The lines that lesson 01's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import Rule, returned_by, same_to_four_digits

X = np.array([-0.7, 0.4, 1.3, 2.6])
PLACES = np.array([[0.3, -0.8], [1.2, 0.5], [-0.4, -1.6]])
THREE = np.array([[1.0, 0.0], [-0.5, 0.87], [-0.5, -0.87]])
FOUR = np.array([[0.6, 0.8], [-0.8, 0.6], [0.3, -0.2], [-1.0, 0.4]])


def one_of(*ways: Callable) -> Rule:
    """Return a rule: the value is what one of these wrong functions returns."""
    solvers = [lambda given, way=way: way(*given.values()) for way in ways]
    rule: Any = returned_by(*solvers, same=same_to_four_digits)
    rule.ways = ways
    return rule


def misshapen(given: Inputs, value: object, expected: object) -> bool:
    """Return whether there is no value, after an error, or one of another shape than is wanted, or True and False."""
    return value is None or np.shape(value) != np.shape(expected) or np.asarray(value).dtype == bool


def relu(z):
    return np.maximum(z, 0)


# --- 01.network ---------------------------------------------------------------------------------------------


def ramps(x, hinges):
    return relu(x[:, None] - hinges)


# --- 01.hand-built ------------------------------------------------------------------------------------------


def slopes(knots, values):
    return np.diff(values) / np.diff(knots)


def changes(slopes):
    return np.diff(slopes, prepend=0)


def only_the_first_is_wrong(given: Inputs, value: object, expected: object) -> bool:
    return len(value) == len(expected) and same_to_four_digits(value[1:], expected[1:])


def one_place_early(given: Inputs, value: object, expected: object) -> bool:
    return len(value) == len(expected) and same_to_four_digits(value[:-1], expected[1:])


def sizes_are_right(given: Inputs, value: object, expected: object) -> bool:
    return same_to_four_digits(np.abs(value), np.abs(expected))


OTHERWISE = one_of(
    lambda knots, values: np.cumsum(slopes(knots, values)),
    lambda knots, values: slopes(knots, values) + np.append(0, slopes(knots, values)[:-1]),
    lambda knots, values: -np.diff(slopes(knots, values), append=0),
    lambda knots, values: slopes(knots, values) - slopes(knots, values)[0],
    lambda knots, values: changes(slopes(knots, values)[::-1]),
)


def combined_otherwise(given: Inputs, value: object, expected: object) -> bool:
    return OTHERWISE(given, value, expected) or sizes_are_right(given, value, expected)


# --- 01.certified -------------------------------------------------------------------------------------------

FACTORS = (2, 4, 8, 16, 64, 1 / 2, 1 / 4, 1 / 8, 1 / 64, 4 / 3, 8 / 3, 2 / 3, 1 / 3)  # h² / 4, (h / 2)² / 8, …


def bound(curvature, low, high, units):
    return curvature * ((high - low) / units) ** 2 / 8


# --- 01.fence -----------------------------------------------------------------------------------------------


def ramps_of(points, normals):
    return relu(points @ normals.T)


def never_inside(given: Inputs, value: object, expected: object) -> bool:
    """Return whether no score is below 0, where some should be."""
    value, expected = np.asarray(value), np.asarray(expected)
    return value.shape == expected.shape and value.dtype != bool and value.min() >= 0 > expected.min()


# --- 01.floor -----------------------------------------------------------------------------------------------


def larger_error(right, left, g):
    return np.maximum(np.abs(right - g), np.abs(left + g))


BLANKS = {
    "01.network": Blank(
        "network",
        [
            (X, np.array([0.1, 0.9]), np.array([1.5, -2.5]), 0.4),
            (X, np.array([-1.2, 0.3, 2.1]), np.array([0.7, -1.1, 2.3]), -0.6),
            (X[:2], np.array([-0.9]), np.array([-1.7]), 0.25),
            (X, np.array([0.2, 0.5]), np.array([-0.3, -0.8]), 1.9),
        ],
        [],
        [
            (
                one_of(
                    lambda x, hinges, weights, bias: ramps(x, hinges) @ weights,
                    lambda x, hinges, weights, bias: ramps(x, hinges) @ weights - bias,
                    lambda x, hinges, weights, bias: ramps(x, hinges) @ weights * bias,
                ),
                "The bias is not added here, though it is the network's value where no ramp has begun: end with "
                "`+ bias`.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: bias + (x[:, None] - hinges) @ weights,
                    lambda x, hinges, weights, bias: (x[:, None] - hinges) @ weights,
                    lambda x, hinges, weights, bias: bias + np.abs(x[:, None] - hinges) @ weights,
                ),
                "No ramp is cut off below 0 here, so none has a flat part. Take relu of each `x[:, None] - hinges` "
                "before you multiply by the weights.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: bias + relu((x[:, None] - hinges) * weights).sum(axis=1),
                    lambda x, hinges, weights, bias: relu((x[:, None] - hinges) * weights).sum(axis=1),
                    lambda x, hinges, weights, bias: bias + relu(x[:, None] * weights - hinges).sum(axis=1),
                    lambda x, hinges, weights, bias: bias + ramps(x, hinges) @ relu(weights),
                    lambda x, hinges, weights, bias: bias + relu((x[:, None] - hinges) * weights) @ weights,
                ),
                "First the ramp, then its weight. Here relu also cuts off what a negative weight makes, so no unit can "
                "go below 0: multiply the finished ramps by their weights.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: bias + relu((x[:, None] - hinges) @ weights),
                    lambda x, hinges, weights, bias: relu((x[:, None] - hinges) @ weights),
                    lambda x, hinges, weights, bias: relu((x[:, None] - hinges) @ weights + bias),
                    lambda x, hinges, weights, bias: relu(ramps(x, hinges) @ weights + bias),
                    lambda x, hinges, weights, bias: bias + relu(ramps(x, hinges) @ weights),
                ),
                "Here relu is applied to the weighted sum. Apply it to each unit instead, before you add them up, and "
                "leave the sum as it is.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: bias + ramps(x, hinges).sum(axis=1),
                    lambda x, hinges, weights, bias: ramps(x, hinges).sum(axis=1),
                    lambda x, hinges, weights, bias: bias + ramps(x, hinges).mean(axis=1),
                    lambda x, hinges, weights, bias: bias + ramps(x, hinges) @ weights / len(weights),
                    lambda x, hinges, weights, bias: bias + ramps(x, hinges).sum(axis=1) * weights.sum(),
                ),
                "The ramps are not added up with their weights: multiply each by its own weight and take the sum, "
                "as `@ weights` does.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: bias + relu(hinges - x[:, None]) @ weights,
                    lambda x, hinges, weights, bias: relu(hinges - x[:, None]) @ weights,
                    lambda x, hinges, weights, bias: bias + relu(x[:, None] + hinges) @ weights,
                    lambda x, hinges, weights, bias: bias - relu(hinges - x[:, None]) @ weights,
                    lambda x, hinges, weights, bias: bias + relu(x[:, None] * hinges) @ weights,
                    lambda x, hinges, weights, bias: bias + np.minimum(x[:, None] - hinges, 0) @ weights,
                    lambda x, hinges, weights, bias: bias + relu(x[:, None] - hinges * weights).sum(axis=1),
                    lambda x, hinges, weights, bias: bias + relu(x) * weights.sum(),
                    lambda x, hinges, weights, bias: bias + (x[:, None] > hinges) @ weights,
                    lambda x, hinges, weights, bias: relu(x[:, None] * weights + bias).sum(axis=1),
                ),
                "These are other ramps. Each should be 0 to the left of its hinge and rise to the right of it: take "
                "relu of `x[:, None] - hinges`.",
            ),
            (
                one_of(
                    lambda x, hinges, weights, bias: relu(x[:, None] - hinges + bias) @ weights,
                    lambda x, hinges, weights, bias: relu(x[:, None] - hinges - bias) @ weights,
                    lambda x, hinges, weights, bias: (ramps(x, hinges) + bias) @ weights,
                    lambda x, hinges, weights, bias: (ramps(x, hinges) * weights + bias).sum(axis=1),
                    lambda x, hinges, weights, bias: relu(x[:, None] - hinges + bias) @ weights + bias,
                    lambda x, hinges, weights, bias: ramps(x, hinges) @ (weights + bias),
                ),
                "Here the bias goes into each unit or its weight, once for every one of them. Add it only once, to "
                "the sum of all units.",
            ),
            (
                misshapen,
                "This does not give one number per point. `x[:, None] - hinges` has one row per point and one column "
                "per unit; put `@ weights` to the right of its relu, and each row becomes one number.",
            ),
        ],
    ),
    "01.hand-built": Blank(
        "hand_built",
        [
            (np.array([0.0, 0.5, 2.0, 2.6]), np.array([1.1, 0.3, 0.9, 2.4])),
            (X, np.array([0.2, 1.7, -0.6, 0.1])),
            (np.array([-1.5, 0.2, 0.9]), np.array([0.4, -1.3, 2.2])),
            (np.array([0.1, 0.4, 1.5, 1.9, 3.2]), np.array([2.3, 2.1, -0.7, 0.6, 0.9])),
        ],
        [
            (
                lambda knots, values: np.diff(slopes(knots, values)),
                "One weight is missing. Before the first hinge the network is level, so the slope changes there, too: "
                "from 0. Put that 0 in front of the slopes, with `prepend=0`.",
            ),
            (
                slopes,
                "These are the slopes of the pieces. A hinge only has to add what is new there: return the "
                "differences between neighbouring slopes.",
            ),
        ],
        [
            (
                one_of(
                    lambda knots, values: changes(np.diff(values)),
                    lambda knots, values: np.diff(values),
                    lambda knots, values: changes(np.diff(values)) / np.diff(knots),
                    lambda knots, values: changes(np.diff(values) / np.diff(knots)[0]),
                    lambda knots, values: changes(np.diff(values) / np.diff(knots).mean()),
                    lambda knots, values: np.diff(values) / np.diff(knots)[0],
                    lambda knots, values: np.diff(values) * np.diff(knots),
                    lambda knots, values: changes(np.diff(values) * np.diff(knots)),
                    lambda knots, values: np.diff(np.gradient(values, knots)),
                    lambda knots, values: changes(np.diff(knots) / np.diff(values)),
                    lambda knots, values: np.diff(knots) / np.diff(values),
                    lambda knots, values: changes(np.diff(values) / knots[1:]),
                    lambda knots, values: changes(values[1:] / knots[1:]),
                    lambda knots, values: changes(values[1:] / np.diff(knots)),
                    lambda knots, values: changes(values[:-1] / np.diff(knots)),
                ),
                "This does not begin with the slopes of the pieces. A slope is the difference between two values, "
                "divided by the difference between their own two knots, which need not be 1 apart.",
            ),
            (
                only_the_first_is_wrong,
                "Only the first weight is wrong. Before the first hinge the network is level, so the slope changes "
                "there from 0 to that of the first piece: use `prepend=0`.",
            ),
            (
                one_place_early,
                "These are the right changes of slope, but each is one place too early, and the first is missing. The "
                "network is level before its first hinge: the 0 belongs in front, with `prepend=0`.",
            ),
            (
                combined_otherwise,
                "Slopes are added here, or not subtracted from their neighbours in the right order. A weight is the "
                "slope to the right of its hinge minus the slope to the left.",
            ),
            (
                one_of(
                    lambda knots, values: changes(slopes(knots, values)) / np.diff(knots),
                    lambda knots, values: changes(slopes(knots, values) / np.diff(knots)),
                    lambda knots, values: changes(slopes(knots, values)) * np.diff(knots),
                    lambda knots, values: slopes(knots, values) / np.diff(knots),
                    lambda knots, values: changes(changes(slopes(knots, values))),
                ),
                "This does one step too many after the slopes. A weight is the change of slope itself: take the "
                "differences of the slopes once, and neither divide nor multiply them.",
            ),
            (
                misshapen,
                "This does not give one weight per hinge, that is, one fewer than there are knots. Divide `np.diff` of "
                "the values by `np.diff` of the knots, then take differences once more, with `prepend=0`.",
            ),
        ],
    ),
    "01.certified": Blank(
        "certified",
        [(1.3, -0.7, 2.1, 3), (0.45, 0.2, 1.1, 7), (2.6, -5.3, 4.4, 20), (0.8, 1.5, 9.2, 2)],
        [],
        [
            (
                one_of(
                    lambda curvature, low, high, units: curvature * (high - low) ** 2 / 8,
                    lambda curvature, low, high, units: curvature * (high - low) / 8,
                ),
                "The number of units is missing. h is the width of one piece, not of the interval: divide the interval "
                "by the number of units.",
            ),
            (
                one_of(
                    lambda curvature, low, high, units: curvature * ((high - low) / units) / 8,
                    lambda curvature, low, high, units: curvature * ((high - low) / units) * 2 / 8,
                    lambda curvature, low, high, units: curvature * ((high - low) / units) ** 3 / 8,
                    lambda curvature, low, high, units: curvature * ((high - low) / units) ** 0.5 / 8,
                    lambda curvature, low, high, units: curvature * ((high - low) / units),
                    lambda curvature, low, high, units: curvature * ((high - low) / units) / 64,
                    lambda curvature, low, high, units: curvature * ((high - low) / units) / 4,
                    lambda curvature, low, high, units: curvature * ((high - low) / units) / 2,
                ),
                "h is not squared here. The bound falls with the square of the width: write `h ** 2`.",
            ),
            (
                one_of(
                    lambda curvature, low, high, units: bound(curvature, low, high, units - 1),
                    lambda curvature, low, high, units: bound(curvature, low, high, units + 1),
                ),
                "The pieces are miscounted. Each hinge begins one, and the last piece ends at the end of the interval: "
                "divide by the number of units itself.",
            ),
            (
                one_of(*(lambda *given, factor=factor: factor * bound(*given) for factor in FACTORS)),
                "Everything is right but a constant factor. The bound is an eighth of M h², where h is the whole width "
                "of a piece.",
            ),
            (
                one_of(
                    lambda curvature, low, high, units: curvature * ((high - low) / units**2) ** 2 / 8,
                    lambda curvature, low, high, units: curvature * (high - low) ** 2 / units / 8,
                    lambda curvature, low, high, units: curvature * (high - low) / units**2 / 8,
                    lambda curvature, low, high, units: curvature * (high - low) ** 2 / 8 * units**2,
                    lambda curvature, low, high, units: curvature * (high - low) ** 2 / 8 * units,
                    lambda curvature, low, high, units: curvature * (high - low) ** 2 * units**2,
                    lambda curvature, low, high, units: curvature * (units / (high - low)) ** 2 / 8,
                    lambda curvature, low, high, units: curvature * (high - low / units) ** 2 / 8,
                    lambda curvature, low, high, units: bound(curvature, low, high, units) / units,
                ),
                "The number of units enters in the wrong way. Compute h = (high - low) / units first, in brackets, "
                "and then square all of it.",
            ),
            (
                one_of(
                    lambda curvature, low, high, units: bound(1, low, high, units),
                    lambda curvature, low, high, units: ((high - low) / units) / 8,
                    lambda curvature, low, high, units: curvature * bound(curvature, low, high, units),
                    lambda curvature, low, high, units: bound(curvature, low, high, units) ** 2,
                    lambda curvature, low, high, units: bound(1, low, high, units) / curvature,
                    lambda curvature, low, high, units: bound(1, low, high, units) + curvature,
                    lambda curvature, low, high, units: bound(1, low, high, units) * curvature**0.5,
                ),
                "The curvature is not a factor here, once and unsquared, though twice the curvature allows twice the "
                "error. Multiply h² / 8 by it, and square only h.",
            ),
            (
                one_of(
                    lambda curvature, low, high, units: bound(curvature, 0, high, units),
                    lambda curvature, low, high, units: bound(curvature, 0, low, units),
                    lambda curvature, low, high, units: bound(curvature, -low, high, units),
                    lambda curvature, low, high, units: curvature / units**2 / 8,
                    lambda curvature, low, high, units: curvature * units**2 / 8,
                ),
                "The length of the interval, high - low, is not in this. Divide it by the number of units, and you "
                "have h.",
            ),
            (
                misshapen,
                "This does not give one number. h is the single number (high - low) / units, and Python writes its "
                "square as `h ** 2` (`^` is something else).",
            ),
        ],
    ),
    "01.fence": Blank(
        "fence",
        [(PLACES, THREE, 0.9), (PLACES, FOUR, 0.35), (-PLACES, THREE, 1.45), (PLACES[:, ::-1], FOUR, 0.15)],
        [
            (
                lambda points, normals, threshold: ramps_of(points, normals).sum(axis=0) - threshold,
                "This adds over the points, and gives each direction a score. Each point needs one: add over the "
                "directions, with axis=1.",
            ),
        ],
        [
            (
                one_of(
                    lambda points, normals, threshold: (points @ normals.T).sum(axis=1) - threshold,
                    lambda points, normals, threshold: (points @ normals.T).sum(axis=1),
                    lambda points, normals, threshold: np.abs(points @ normals.T).sum(axis=1) - threshold,
                    lambda points, normals, threshold: (relu(points) @ normals.T).sum(axis=1) - threshold,
                    lambda points, normals, threshold: (relu(points) @ relu(normals).T).sum(axis=1) - threshold,
                    lambda points, normals, threshold: (points @ relu(normals).T).sum(axis=1) - threshold,
                    lambda points, normals, threshold: relu(-points @ normals.T).sum(axis=1) - threshold,
                ),
                "Here the products `points @ normals.T` are not cut off below 0, so they are no ramps. Take relu of "
                "each product, then add them up.",
            ),
            (
                one_of(
                    lambda points, normals, threshold: relu((points @ normals.T).sum(axis=1)) - threshold,
                    lambda points, normals, threshold: relu((points @ normals.T).sum(axis=1) - threshold),
                    lambda points, normals, threshold: relu((points @ normals.T).sum(axis=1)),
                ),
                "This adds first and cuts off afterwards, which makes a single ramp. Each direction needs a ramp of "
                "its own: take relu before the sum.",
            ),
            (
                one_of(
                    lambda points, normals, threshold: (ramps_of(points, normals) - threshold).sum(axis=1),
                    lambda points, normals, threshold: (points @ normals.T - threshold).sum(axis=1),
                    lambda points, normals, threshold: relu(points @ normals.T - threshold).sum(axis=1) - threshold,
                    lambda points, normals, threshold: ramps_of(points, normals).sum(axis=1) * threshold,
                    lambda points, normals, threshold: ramps_of(points, normals).sum(axis=1) / threshold,
                ),
                "The threshold is not taken off once, from the sum. Add up the ramps of each point first, then "
                "subtract it.",
            ),
            (
                one_of(
                    lambda points, normals, threshold: ramps_of(points, normals).mean(axis=1) - threshold,
                    lambda points, normals, threshold: ramps_of(points, normals).max(axis=1) - threshold,
                    lambda points, normals, threshold: ramps_of(points, normals).min(axis=1) - threshold,
                    lambda points, normals, threshold: ramps_of(points, normals)[:, 0] - threshold,
                    lambda points, normals, threshold: np.linalg.norm(ramps_of(points, normals), axis=1) - threshold,
                    lambda points, normals, threshold: np.linalg.norm(points, axis=1) - threshold,
                    lambda points, normals, threshold: (ramps_of(points, normals) ** 2).sum(axis=1) - threshold,
                ),
                "This is not the sum of a point's ramps, but their mean, say, or the largest of them. Add all of "
                "them up as they are, with `.sum(axis=1)`.",
            ),
            (
                one_of(lambda points, normals, threshold: threshold - ramps_of(points, normals).sum(axis=1)),
                "The sign is the wrong way round: the inside is to be below 0. Subtract the threshold from the sum, "
                "not the sum from the threshold.",
            ),
            (
                never_inside,
                "Nothing is below 0 here, so no point is inside. Subtract the threshold last: from the sum of the "
                "ramps, and outside relu.",
            ),
            (
                misshapen,
                "This does not give one score per point (a number, not True or False). `points @ normals.T` has one "
                "row per point and one column per direction: take its relu, and add up each row with `.sum(axis=1)`.",
            ),
        ],
    ),
    "01.floor": Blank(
        "floor",
        [
            (np.array([1.3, 0.4, -0.7]), np.array([0.8, -0.9, -1.6])),
            (np.array([2.15]), np.array([-0.35])),
            (np.array([-0.45, 1.9]), np.array([-0.3, 0.75])),
            (np.array([0.6, -1.2]), np.array([1.7, 0.5])),
        ],
        [],
        [
            (
                one_of(
                    lambda right, left: np.abs(right + left),
                    lambda right, left: np.abs(right + left) / np.sqrt(2),
                    lambda right, left: np.abs(right + left) / 4,
                    lambda right, left: np.abs(right + left) * 2,
                ),
                "This is not half of |right + left|. Together both errors are at least |right + left|, and the "
                "larger one is smallest if they share it equally: divide by 2.",
            ),
            (
                one_of(
                    lambda right, left: np.abs(right - left) / 2,
                    lambda right, left: np.abs(right - left),
                    lambda right, left: (right - left) / 2,
                    lambda right, left: (left - right) / 2,
                    lambda right, left: right - left,
                    lambda right, left: left - right,
                ),
                "This takes the difference, which tells how high the best odd function is there, not how far off it "
                "is. The network misses f(x) − g on the right and f(−x) + g on the left: add them, and g is gone.",
            ),
            (
                one_of(
                    lambda right, left: (right + left) / 2,
                    lambda right, left: -(right + left) / 2,
                    lambda right, left: right + left,
                    lambda right, left: relu(right + left) / 2,
                    lambda right, left: relu(right + left),
                ),
                "An error is a distance and has no sign. Take the absolute value of the sum, and half of that.",
            ),
            (
                one_of(
                    lambda right, left: np.maximum(np.abs(right), np.abs(left)),
                    lambda right, left: np.maximum(right, left),
                    lambda right, left: np.maximum(right, left) / 2,
                    lambda right, left: np.minimum(np.abs(right), np.abs(left)),
                    lambda right, left: np.minimum(right, left),
                    lambda right, left: np.abs(right),
                    lambda right, left: np.abs(left),
                    lambda right, left: np.maximum(np.abs(right), np.abs(left)) / 2,
                ),
                "This looks at one side at a time, as if g were 0. Another g lowers the larger error and raises the "
                "smaller one, until both are equal: add right and left, with their signs.",
            ),
            (
                one_of(
                    lambda right, left: (np.abs(right) + np.abs(left)) / 2,
                    lambda right, left: np.abs(right) + np.abs(left),
                    lambda right, left: (np.abs(right) - np.abs(left)) / 2,
                    lambda right, left: np.abs(np.abs(right) - np.abs(left)) / 2,
                    lambda right, left: (np.abs(right) + left) / 2,
                    lambda right, left: np.abs(right) + left,
                    lambda right, left: np.abs(right) - np.abs(left),
                ),
                "The absolute values come too early. Values of opposite sign suit an odd network and should cancel: "
                "add right and left first, and take the absolute value of the sum.",
            ),
            (
                one_of(
                    lambda right, left: larger_error(right, left, (right + left) / 2),
                    lambda right, left: larger_error(right, left, (left - right) / 2),
                    lambda right, left: larger_error(right, left, left),
                    lambda right, left: larger_error(right, left, right + left),
                    lambda right, left: larger_error(right, left, -right),
                ),
                "This puts in a g that is not the best one. The larger error is smallest where both are equal: "
                "solve f(x) − g = f(−x) + g for g, or add both differences, so that g is gone.",
            ),
            (
                one_of(
                    lambda right, left: ((right + left) / 2) ** 2,
                    lambda right, left: (right + left) ** 2 / 2,
                    lambda right, left: (right + left) ** 2,
                    lambda right, left: (right**2 + left**2) / 2,
                    lambda right, left: np.sqrt((right**2 + left**2) / 2),
                    lambda right, left: np.sqrt(right**2 + left**2),
                ),
                "There are squares in this, as in a mean squared error. Here the larger of two distances counts: add "
                "right and left, and take half of the sum's absolute value.",
            ),
            (
                misshapen,
                "This does not give one number for each pair of right and left. Add the two arrays entry by entry; "
                "`np.abs` keeps their shape, and Python's `max` does not compare arrays.",
            ),
        ],
    ),
}
