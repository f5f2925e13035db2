"""The lines that lesson 01's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

X = np.array([-0.7, 0.4, 1.3, 2.6])
PLACES = np.array([[0.3, -0.8], [1.2, 0.5], [-0.4, -1.6]])
THREE = np.array([[1.0, 0.0], [-0.5, 0.87], [-0.5, -0.87]])
FOUR = np.array([[0.6, 0.8], [-0.8, 0.6], [0.3, -0.2], [-1.0, 0.4]])


def relu(z):
    return np.maximum(z, 0)


def slopes(knots, values):
    return np.diff(values) / np.diff(knots)


BLANKS = {
    "01.network": Blank(
        "network",
        [
            (X, np.array([0.1, 0.9]), np.array([1.5, -2.5]), 0.4),
            (X, np.array([-1.2, 0.3, 2.1]), np.array([0.7, -1.1, 2.3]), -0.6),
            (X[:2], np.array([-0.9]), np.array([-1.7]), 0.25),
            (X, np.array([0.2, 0.5]), np.array([-0.3, -0.8]), 1.9),
        ],
        [
            (
                lambda x, hinges, weights, bias: relu(x[:, None] - hinges) @ weights,
                "The bias is missing: the network's value where no ramp has begun.",
            ),
            (
                lambda x, hinges, weights, bias: bias + (x[:, None] - hinges) @ weights,
                "Without the bend these are "
                "straight lines, and their sum is one, too. Cut each off below 0 before you weigh it.",
            ),
            (
                lambda x, hinges, weights, bias: bias + relu((x[:, None] - hinges) * weights).sum(axis=1),
                "First the ramp, "
                "then its weight: where a weight is negative, its ramp should run down, and this one is cut off.",
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
                "One weight is missing. Before the first hinge the "
                "network is level, so there, too, the slope changes: from 0.",
            ),
            (slopes, "These are the slopes of the pieces. A hinge only has to add what is new there."),
            (
                lambda knots, values: np.diff(np.diff(values), prepend=0),
                "A slope is a rise divided by a width, and the knots need not be 1 apart.",
            ),
        ],
    ),
    "01.certified": Blank(
        "certified",
        [(1.3, -0.7, 2.1, 3), (0.45, 0.2, 1.1, 7), (2.6, -5.3, 4.4, 20), (0.8, 1.5, 9.2, 2)],
        [
            (
                lambda curvature, low, high, units: curvature * (high - low) ** 2 / 8,
                "h is the width of one piece, and the interval has as many pieces as hinges.",
            ),
            (
                lambda curvature, low, high, units: curvature * ((high - low) / units) / 8,
                "The bound falls with the square of h.",
            ),
            (
                lambda curvature, low, high, units: curvature * ((high - low) / (units - 1)) ** 2 / 8,
                "Count the pieces: each hinge begins one, and the last one ends at the end of the interval.",
            ),
            (
                lambda curvature, low, high, units: curvature * ((high - low) / units) ** 2,
                "The bound of a piece is an eighth of that: the worst place is its middle.",
            ),
            (
                lambda curvature, low, high, units: curvature * ((high - low) / units**2) ** 2 / 8,
                "This divides by the number of hinges twice: h is the width of one piece already.",
            ),
            (
                lambda curvature, low, high, units: ((high - low) / units) ** 2 / 8,
                "The curvature is missing: a straight target would have no error at all.",
            ),
        ],
    ),
    "01.fence": Blank(
        "fence",
        [(PLACES, THREE, 0.9), (PLACES, FOUR, 0.35), (-PLACES, THREE, 1.45), (PLACES[:, ::-1], FOUR, 0.15)],
        [
            (
                lambda points, normals, threshold: (points @ normals.T).sum(axis=1) - threshold,
                "Without the ramp this is a "
                "plane: negative parts cancel positive ones. Cut each of them off below 0, then add.",
            ),
            (
                lambda points, normals, threshold: relu((points @ normals.T).sum(axis=1)) - threshold,
                "This adds first, and cuts off then: it is one ramp. Each direction needs a ramp of its own.",
            ),
            (
                lambda points, normals, threshold: relu(points @ normals.T - threshold).sum(axis=1),
                "This is never below 0. The ramps begin at the origin; the threshold is taken from their sum.",
            ),
            (
                lambda points, normals, threshold: relu(points @ normals.T).sum(axis=0) - threshold,
                "This adds over the points. A point's score adds over the directions: axis=1.",
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
        [
            (
                lambda right, left: np.abs(right + left),
                "So large are both errors together. The larger of the two is at least a part of that.",
            ),
            (
                lambda right, left: np.abs(right - left) / 2,
                "This is how high an odd function can be there. The network "
                "misses f(x) − g on the right and f(−x) + g on the left: add them up, and g is gone.",
            ),
            (lambda right, left: (right + left) / 2, "An error is a distance: it has no sign."),
            (
                lambda right, left: np.maximum(np.abs(right), np.abs(left)),
                "This is what g = 0 misses. Another odd g lowers the larger error and raises the smaller one, until "
                "both are equal.",
            ),
        ],
    ),
}
