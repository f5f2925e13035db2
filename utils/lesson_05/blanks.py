"""The lines that lesson 05's pages leave to their reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.rules import same_to_four_digits

Z = np.linspace(-8, 8, 201)
BELL = np.exp(-(Z**2) / 2) / np.exp(-(Z**2) / 2).sum()  # as the page weights its grid
NARROW, WIDE = np.array([[0.5, -1.0], [2.0, 0.3], [0.1, 0.7]]), np.array([[1.0, -0.5, 0.2, 0.8]])
OUT = np.array([[0.4, -1.2, 0.7], [2.0, 0.3, -0.6], [-0.9, 1.1, 0.8]])
JACOBIAN = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]])


def square(q, of=np.sqrt):
    return BELL @ np.tanh(of(q) * Z) ** 2


def slope(q, power=2):
    return BELL @ (1 - np.tanh(np.sqrt(q) * Z) ** 2) ** power


def solved(J, r, penalty):
    return np.linalg.solve(J.T @ J + penalty * np.eye(J.shape[1]), J.T @ r)


NO_BELL = (
    "This does not average over the bell curve. Compute the values at √q z for all z, and hand them to average, which "
    "weights them."
)


def like(*ways: Callable) -> Callable:
    """Return the rule of a remark on a value that one of these functions returns: a hint is true of all of them."""

    def seen(given: dict[str, Any], value: Any, expected: Any) -> bool:
        return any(same_to_four_digits(value, way(*given.values())) for way in ways)

    return seen


def per_point(given: dict[str, Any], value: Any, expected: Any) -> bool:
    return np.shape(value) == (len(given["x"]),)


def scattered(given: dict[str, Any], value: Any, expected: Any) -> bool:
    """Return whether the right outputs stand in other places, and not as a transposed table."""
    if np.shape(value) != expected.shape or same_to_four_digits(value, expected):
        return False
    return bool(np.allclose(np.sort(value, None), np.sort(expected, None), rtol=1e-4))


def scaled_sums(given: dict[str, Any], value: Any, expected: Any) -> bool:
    """Return whether the outputs are tanh of the right sums times a number that is not 1."""
    if np.shape(value) != expected.shape or np.abs(value).max() >= 1:
        return False
    return bool(np.vdot(value, expected) > 0) and _times(np.arctanh(value), given["x"] @ given["W"].T)


def scaled_outputs(given: dict[str, Any], value: Any, expected: Any) -> bool:
    return np.shape(value) == expected.shape and _times(np.asarray(value), expected)


def _times(value: Any, right: Any) -> bool:
    """Return whether value is right times one number other than 0 and 1."""
    factor = np.vdot(value, right) / np.vdot(right, right)
    return bool(min(abs(factor), abs(factor - 1)) > 1e-3 and np.allclose(value, factor * right, rtol=1e-4))


def one_for_each_z(given: dict[str, Any], value: Any, expected: Any) -> bool:
    return np.shape(value) == Z.shape


def gauss_newton(J, r):
    return np.linalg.solve(J.T @ J, J.T @ r)


BLANKS = {
    "05.layer": Blank(
        "layer",
        [(NARROW, np.array([[1.0, 0.5], [-2.0, 1.0]])), (NARROW, np.array([[0.3, -0.7]])), (WIDE, np.ones((3, 4)) / 2)],
        [
            (
                lambda x, W: np.tanh((x[:, None, :] * W).sum(axis=1)),
                "This adds up over the units. A unit adds up over its inputs, the last axis, as x @ W.T does.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "A row of x meets a row of W, so one of the two has to be transposed: multiply x by W.T.",
            ),
            (
                like(
                    lambda x, W: x @ W.T,
                    lambda x, W: np.maximum(x @ W.T, 0),
                    lambda x, W: 1 / (1 + np.exp(-x @ W.T)),
                    lambda x, W: np.tan(x @ W.T),
                    lambda x, W: np.arctan(x @ W.T),
                    lambda x, W: np.sin(x @ W.T),
                ),
                "The sums are right. What comes out of a unit is the tanh of its sum: apply np.tanh to them.",
            ),
            (
                like(
                    lambda x, W: np.tanh(x) @ W.T,
                    lambda x, W: x @ np.tanh(W.T),
                    lambda x, W: np.tanh(x) @ np.tanh(W.T),
                ),
                "The tanh comes last: first multiply by the weights, then apply tanh to the sums.",
            ),
            (
                per_point,
                "This returns one number per point, but each unit has its own output. Return one row per point and one "
                "column per unit, without adding over the units.",
            ),
            (
                scattered,
                "The right numbers are here, but some in the wrong places: reshape scrambles them. Transpose W "
                "instead, so that rows are points and columns are units.",
            ),
            (
                scaled_sums,
                "This multiplies the sums by a number before tanh. The weights have their size already: apply tanh to "
                "the sum as it is.",
            ),
            (
                scaled_outputs,
                "This multiplies what comes out of tanh by a number. Return tanh of the sum as it is.",
            ),
        ],
    ),
    "05.length": Blank(
        "next_length",
        [(1.0, 1.5, 0.0), (0.3, 0.8, 0.3), (2.5, 2.5, 0.5), (0.7, 1.2, 0.0), (1.4, 0.9, 0.7), (0.5, 2.0, 0.2)],
        [
            (
                lambda q, sigma, sigma_b: sigma**2 * q + sigma_b**2,
                "The tanh is missing: average the square of what comes out of a unit, which is the tanh of its sum.",
            ),
        ],
        [
            (
                like(
                    lambda q, sigma, sigma_b: sigma**2 * square(q, float) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * square(1.0) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * square(sigma**2) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * square(sigma**2 * q) + sigma_b**2,
                ),
                "q is a variance, so what goes into a unit is its square root times z.",
            ),
            (
                like(
                    lambda q, sigma, sigma_b: sigma * square(q) + sigma_b,
                    lambda q, sigma, sigma_b: sigma**2 * square(q) + sigma_b,
                    lambda q, sigma, sigma_b: sigma * square(q) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma * square(q),
                ),
                "A length is a variance, but σ and σ_b are standard deviations: square both of them.",
            ),
            (
                lambda given, value, expected: np.ndim(value) == 0 and abs(value - given["sigma_b"] ** 2) < 1e-12,
                "The average is 0 here: tanh is as often negative as positive. Square each tanh first, then take the "
                "average.",
            ),
            (
                like(
                    lambda q, sigma, sigma_b: sigma**2 * square(q),
                    lambda q, sigma, sigma_b: sigma**2 * (square(q) + sigma_b**2),
                    lambda q, sigma, sigma_b: square(q) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * square(q) - sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * square(q) * sigma_b**2,
                    lambda q, sigma, sigma_b: (sigma**2 + sigma_b**2) * square(q),
                ),
                "σ² multiplies the average, and only that. The biases then add their own variance, σ_b².",
            ),
            (
                like(
                    lambda q, sigma, sigma_b: sigma**2 * np.mean(np.tanh(np.sqrt(q) * Z) ** 2) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * np.sum(np.tanh(np.sqrt(q) * Z) ** 2) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * np.tanh(np.sqrt(q)) ** 2 + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * np.tanh(q) ** 2 + sigma_b**2,
                ),
                NO_BELL,
            ),
            (
                like(
                    lambda q, sigma, sigma_b: sigma**2 * slope(q) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * slope(q, 1) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * BELL @ np.abs(np.tanh(np.sqrt(q) * Z)) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * BELL @ np.tanh(np.sqrt(q) * Z**2) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * BELL @ np.tanh(q * Z**2) + sigma_b**2,
                    lambda q, sigma, sigma_b: sigma**2 * BELL @ np.tanh(np.sqrt(q) * Z) ** 4 + sigma_b**2,
                ),
                "This does not average the square of tanh. Take the tanh of √q z, square it, then average.",
            ),
            (one_for_each_z, "This returns one number for each z. Apply average, which makes one number of them."),
        ],
    ),
    "05.chi": Blank(
        "chi",
        [(1.0, 1.5), (0.3, 0.8), (2.5, 2.5), (0.05, 1.2)],
        [],
        [
            (
                like(
                    lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(q * Z) ** 2) ** 2,
                    lambda q, sigma: sigma**2 * slope(1.0),
                    lambda q, sigma: sigma**2 * slope(sigma**2),
                    lambda q, sigma: sigma**2 * slope(sigma**2 * q),
                ),
                "q is a variance, so what goes into a unit is its square root times z.",
            ),
            (
                like(lambda q, sigma: sigma**2 * slope(q, 1), lambda q, sigma: sigma**2 * slope(q, 1) ** 2),
                "It is the slope at each z that has to be squared: square 1 − tanh² first, then take the average.",
            ),
            (
                like(
                    lambda q, sigma: slope(q),
                    lambda q, sigma: sigma * slope(q),
                    lambda q, sigma: sigma * slope(q, 1),
                    lambda q, sigma: slope(q, 1),
                    lambda q, sigma: slope(q) / sigma**2,
                    lambda q, sigma: sigma**4 * slope(q),
                    lambda q, sigma: sigma**4 * slope(q, 1) ** 2,
                    lambda q, sigma: sigma**4 * slope(q) ** 2,
                ),
                "The weights multiply the gap by σ, and so its mean square by σ². Put sigma**2 in front of the average "
                "of the squared slope.",
            ),
            (
                like(
                    lambda q, sigma: sigma**2 * square(q),
                    lambda q, sigma: sigma**2 * BELL @ np.tanh(np.sqrt(q) * Z) ** 4,
                ),
                "This averages a power of tanh itself. A small gap is multiplied by the slope of tanh, which is "
                "1 − tanh²: square that.",
            ),
            (
                like(
                    lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(np.sqrt(q) * Z)) ** 2,
                    lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(np.sqrt(q) * Z)),
                    lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(np.sqrt(q) * Z)) ** 4,
                    lambda q, sigma: sigma**2 * BELL @ (1 + np.tanh(np.sqrt(q) * Z) ** 2) ** 2,
                    lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(np.sqrt(q) * Z) ** 4),
                ),
                "The slope of tanh is 1 − tanh²: the tanh is squared in it, and subtracted. The slope is then squared "
                "once more.",
            ),
            (
                like(
                    lambda q, sigma: q * sigma**2 * slope(q),
                    lambda q, sigma: np.sqrt(q) * sigma**2 * slope(q),
                    lambda q, sigma: q**2 * sigma**2 * slope(q),
                ),
                "This has a factor of q or √q too much. The gap is in the sum itself, so only the slope of tanh at "
                "√q z multiplies it.",
            ),
            (
                like(
                    lambda q, sigma: sigma**2 * np.mean((1 - np.tanh(np.sqrt(q) * Z) ** 2) ** 2),
                    lambda q, sigma: sigma**2 * np.sum((1 - np.tanh(np.sqrt(q) * Z) ** 2) ** 2),
                    lambda q, sigma: sigma**2 * (1 - np.tanh(np.sqrt(q)) ** 2) ** 2,
                    lambda q, sigma: sigma**2 * (1 - np.tanh(q) ** 2) ** 2,
                ),
                NO_BELL,
            ),
            (one_for_each_z, "This returns one number for each z. Apply average, which makes one number of them."),
        ],
    ),
    "05.turned": Blank(
        "turned",
        [
            (OUT, np.array([1, -1, -1])),
            (OUT.T, np.array([-1, 1, -1])),
            (OUT[:1], np.array([-1, -1, 1])),
            (OUT[:2] + 0.15, np.array([1, 1, -1])),
        ],
        [
            (
                lambda V, signs: V,
                "V is as it was. But some units now say the opposite: turn the weights out of these units as well.",
            ),
            (
                lambda V, signs: -V,
                "This turns every weight. Only the units whose sign is −1 have changed: leave the others alone.",
            ),
            (
                lambda V, signs: signs[:, None] * V,
                "This turns rows of V, which lead into the next units. What leads out of a unit is a column of V.",
            ),
            (
                lambda V, signs: (V * signs).T,
                "The signs are where they belong, but V is transposed: return it with its rows and columns as given.",
            ),
            (
                lambda V, signs: V @ signs,
                "This adds up each row of V. Nothing is to be added: multiply every column of V by its unit's sign.",
            ),
            (
                lambda V, signs: np.abs(V) * signs,
                "This gives weights the sign of their unit. Multiply by it instead: a negative weight may become "
                "positive.",
            ),
            (
                lambda V, signs: -V * signs,
                "This turns the units that were left alone, and leaves those that were turned: drop the minus.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "V has one column for each entry of signs: multiply each column by its entry.",
            )
        ],
    ),
    "05c.step": Blank(
        "step",
        [
            (JACOBIAN, np.array([1.0, -2.0, 0.5]), 0.1),
            (JACOBIAN, np.array([0.3, 0.1, 1.0]), 0.7),
            (np.eye(3)[:, :2] + 0.5, np.array([2.0, 1.0, -1.0]), 0.01),
        ],
        [
            (
                lambda J, r, damping: solved(J, r, 0),
                "The damping is missing: it is added on the diagonal, damping times the identity.",
            ),
            (
                lambda J, r, damping: -solved(J, r, damping),
                "The sign is turned: the page subtracts s, so return s itself.",
            ),
            (
                lambda J, r, damping: np.linalg.solve(J.T @ J + damping, J.T @ r),
                "This adds the damping to every entry. It belongs on the diagonal: damping times the identity.",
            ),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "The shapes do not fit. With one column of J per weight, J.T @ J is square, J.T @ r has one number per "
                "weight, and the identity is np.eye(J.shape[1]).",
            ),
            (
                like(
                    *(
                        lambda J, r, damping, change=change: solved(J, r, change(damping, J))
                        for change in (
                            lambda damping, J: damping**2,
                            lambda damping, J: np.sqrt(damping),
                            lambda damping, J: 2 * damping,
                            lambda damping, J: 1.0,
                            lambda damping, J: 1 / damping,
                            lambda damping, J: damping * len(J),
                            lambda damping, J: damping / len(J),
                        )
                    ),
                    lambda J, r, damping: np.linalg.solve((J.T @ J) * (1 + damping * np.eye(J.shape[1])), J.T @ r),
                    lambda J, r, damping: np.linalg.solve(J.T @ J - damping * np.eye(J.shape[1]), J.T @ r),
                    lambda J, r, damping: np.linalg.solve(damping * J.T @ J + np.eye(J.shape[1]), J.T @ r),
                    lambda J, r, damping: np.linalg.solve((J.T @ J) * damping * np.eye(J.shape[1]), J.T @ r),
                ),
                "The damping does not come in as in the equation. To J.T @ J add damping * np.eye(J.shape[1]), with "
                "the damping just as it is given.",
            ),
            (
                like(
                    lambda J, r, damping: damping * gauss_newton(J, r),
                    lambda J, r, damping: damping * solved(J, r, 1),
                    lambda J, r, damping: damping * solved(J, r, damping),
                    lambda J, r, damping: damping * J.T @ r,
                    lambda J, r, damping: gauss_newton(J, r) / damping,
                    lambda J, r, damping: J.T @ r / damping,
                ),
                "Here the damping scales the step, as a learning rate would. It belongs in the matrix: "
                "J.T @ J plus damping times the identity.",
            ),
            (
                like(
                    lambda J, r, damping: (J.T @ J + damping * np.eye(J.shape[1])) @ (J.T @ r),
                    lambda J, r, damping: J.T @ J @ (J.T @ r),
                    lambda J, r, damping: J.T @ r,
                ),
                "Nothing is solved here. The matrix times s is to be J.T @ r: hand the two to np.linalg.solve.",
            ),
            (
                like(
                    lambda J, r, damping: gauss_newton(J, r) + damping * np.eye(J.shape[1]) @ (J.T @ r),
                    lambda J, r, damping: gauss_newton(J, r) + damping,
                    lambda J, r, damping: np.linalg.solve(J.T @ J, J.T @ r + damping),
                    lambda J, r, damping: np.linalg.solve(J.T @ J, J.T @ (r + damping)),
                ),
                "The damping is added in the wrong place. Add it to the matrix, on the diagonal, before you solve.",
            ),
        ],
    ),
}
