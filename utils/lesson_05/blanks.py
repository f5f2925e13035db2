"""The lines that lesson 05's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

Z = np.linspace(-8, 8, 201)
BELL = np.exp(-(Z**2) / 2) / np.exp(-(Z**2) / 2).sum()  # as the page weights its grid
NARROW, WIDE = np.array([[0.5, -1.0], [2.0, 0.3], [0.1, 0.7]]), np.array([[1.0, -0.5, 0.2, 0.8]])
JACOBIAN = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]])


def square(q, of=np.sqrt):
    return BELL @ np.tanh(of(q) * Z) ** 2


def slope(q, power=2):
    return BELL @ (1 - np.tanh(np.sqrt(q) * Z) ** 2) ** power


def solved(J, r, penalty):
    return np.linalg.solve(J.T @ J + penalty * np.eye(J.shape[1]), J.T @ r)


BLANKS = {
    "05.layer": Blank(
        "layer",
        [(NARROW, np.array([[1.0, 0.5], [-2.0, 1.0]])), (NARROW, np.array([[0.3, -0.7]])), (WIDE, np.ones((3, 4)) / 2)],
        [
            (
                lambda x, W: x @ W.T,
                "These are the sums that go into the units. What comes out of a unit is tanh of its sum.",
            ),
            (lambda x, W: np.tanh(x) @ W.T, "The tanh comes last: first multiply by the weights, then apply tanh."),
        ],
        [
            (
                lambda given, value, expected: value is None,
                "A row of x meets a row of W: one of the two has to be transposed.",
            )
        ],
    ),
    "05.length": Blank(
        "next_length",
        [(1.0, 1.5, 0.0), (0.3, 0.8, 0.3), (2.5, 2.5, 0.5), (0.7, 1.2, 0.0), (1.4, 0.9, 0.7), (0.5, 2.0, 0.2)],
        [
            (
                lambda q, sigma, sigma_b: sigma**2 * square(q, float) + sigma_b**2,
                "q is a variance; what goes into a unit is its root times z.",
            ),
            (
                lambda q, sigma, sigma_b: sigma * square(q) + sigma_b,
                "σ and σ_b are standard deviations; a length is a variance, and takes their squares.",
            ),
            (
                lambda q, sigma, sigma_b: sigma**2 * BELL @ np.tanh(np.sqrt(q) * Z) + sigma_b**2,
                "tanh itself is 0 on average. It is the average of its square that counts.",
            ),
            (
                lambda q, sigma, sigma_b: sigma**2 * square(q) + sigma_b,
                "σ_b is a standard deviation; a length is a variance, and takes its square.",
            ),
            (
                lambda q, sigma, sigma_b: sigma**2 * square(q),
                "The biases are missing: they add their variance.",
            ),
            (
                lambda q, sigma, sigma_b: sigma * square(q) + sigma_b**2,
                "σ is a standard deviation; a length is a variance, and takes its square.",
            ),
        ],
    ),
    "05.chi": Blank(
        "chi",
        [(1.0, 1.5), (0.3, 0.8), (2.5, 2.5), (0.05, 1.0)],
        [
            (lambda q, sigma: sigma**2 * slope(q, 1), "The gap's mean square takes the square of the slope, as of σ."),
            (lambda q, sigma: slope(q), "The weights multiply the gap, too, by σ: its square belongs in front."),
            (
                lambda q, sigma: sigma**2 * BELL @ (1 - np.tanh(q * Z) ** 2) ** 2,
                "q is a variance; what goes into a unit is its root times z.",
            ),
            (
                lambda q, sigma: sigma**2 * square(q),
                "This averages tanh². A small gap is multiplied by the slope of tanh, which is 1 − tanh².",
            ),
            (
                lambda q, sigma: sigma**2 * slope(q, 1) ** 2,
                "Square the slope first, then take the mean.",
            ),
        ],
    ),
    "05.step": Blank(
        "step",
        [
            (JACOBIAN, np.array([1.0, -2.0, 0.5]), 0.1),
            (JACOBIAN, np.array([0.3, 0.1, 1.0]), 1.0),
            (np.eye(3)[:, :2] + 0.5, np.array([2.0, 1.0, -1.0]), 0.01),
        ],
        [
            (
                lambda J, r, damping: solved(J, r, 0),
                "The damping is missing: it is added on the diagonal, damping times the identity.",
            ),
            (lambda J, r, damping: -solved(J, r, damping), "The sign: s is what the page subtracts."),
            (
                lambda J, r, damping: np.linalg.solve(J.T @ J + damping, J.T @ r),
                "This adds the damping to every entry. It belongs on the diagonal: damping times the identity.",
            ),
        ],
    ),
}
