"""The lines that lesson 03's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank
from utils.kernels import relu_moments

P = np.array([[0.3, -0.7], [1.2, 0.4], [-0.6, 0.9], [2.1, -1.3]])
SLANTED, STEEP = np.array([0.6, 0.8]), np.array([-0.28, 0.96])
CREASES = [(P, SLANTED, 0.25), (P[:3], STEEP, 0.1), (P[1:], SLANTED, -0.35), (P, -STEEP, 0.45)]
W, V = np.array([[1.0, -0.5], [0.3, 0.8], [-1.2, 0.4]]), np.array([[0.7, -0.2, 0.5], [0.1, 0.9, -0.6]])
BIAS, SHIFT = np.array([0.2, -0.3, 0.45]), np.array([0.15, -0.65])
WEIGHTS = [(P, W, BIAS, V, SHIFT), (P[:2], -W, -BIAS, V, SHIFT), (P, W[:2], BIAS[1:], V[:, :2], -SHIFT)]
OUTPUTS = np.array([[0.3, 0.9], [1.4, 0.2], [-0.8, -0.1], [2.0, 1.5], [-1.1, -0.6], [0.6, -0.4], [0.8, 0.7]])
ANSWERS = [
    (OUTPUTS, np.array([1, 0, 1, 0, 0, 1, 0])),
    (-OUTPUTS[:6], np.array([0, 1, 1, 1, 0, 0])),
    (OUTPUTS[:3], np.array([1, 0, 0])),
    (OUTPUTS[1:], np.array([1, 1, 0, 1, 0, 0])),
]


def clouds(seed: int, n: int = 27) -> tuple[np.ndarray, ...]:
    """Return points of two classes that overlap, to fit a line on and to score it on."""
    rng = np.random.default_rng(seed)
    y, new_y = np.arange(n) % 2, np.arange(n + 6) % 2
    return rng.normal(size=(n, 2)) + y[:, None] / 2, y, rng.normal(size=(n + 6, 2)) + new_y[:, None] / 2, new_y


OUTPUTS_NOW = [(0.25, 1.3, 0.9), (64.0, -0.2, -0.35), (4.0, 0.6, 1.1), (0.5, -1.7, 0.3)]
LAYERS = [(0.6, 0.9, 2.5), (-0.4, 0.3, 1.6), (1.1, 3.2, 1.9), (0.2, -0.7, 0.8)]


def relu(z):
    return np.maximum(z, 0)


def both(c):
    return relu_moments(c)[0]


def both_on(c):
    return relu_moments(c)[1]


def fitted(X, y):
    from sklearn.linear_model import LogisticRegression  # here: a browser's Python has the other blanks, and no sklearn

    return LogisticRegression(C=100, max_iter=1000).fit(X, y)


BLANKS = {
    "03.distance": Blank(
        "distance",
        CREASES,
        [
            (
                lambda p, n, c: relu(p @ n - c),
                "One unit drops one side: all its points get 0. A second unit keeps what the first drops.",
            ),
            (
                lambda p, n, c: p @ n - c,
                "This is z, with its sign. A distance has none: add what each of two units keeps.",
            ),
            (
                lambda p, n, c: relu(p @ n - c) + relu(-p @ n - c),
                "The second unit has to keep what the first drops: −z, and −(p @ n − c) is c − p @ n.",
            ),
        ],
    ),
    "03.fold": Blank(
        "fold",
        CREASES,
        [
            (
                lambda p, n, c: p - relu(p @ n - c)[:, None] * n,
                "This takes the points onto the crease. A mirror image "
                "lies as far behind it as the point was before it.",
            ),
            (
                lambda p, n, c: p - 2 * (p @ n - c)[:, None] * n,
                "This moves all points. Those with z < 0 are to stay: a ReLU unit is 0 there.",
            ),
            (
                lambda p, n, c: p + 2 * relu(p @ n - c)[:, None] * n,
                "The points move away from the crease. n points to the side with z > 0; they have to go the other way.",
            ),
            (
                lambda p, n, c: p - 2 * np.abs(p @ n - c)[:, None] * n,
                "This moves both sides, each by twice its distance. Those with z < 0 are to stay, and a ReLU unit is 0 "
                "there.",
            ),
            (
                lambda p, n, c: p - 2 * relu(p @ n)[:, None] * n,
                "This folds at a crease through the origin: c is missing.",
            ),
            (
                lambda p, n, c: p + 2 * relu(c - p @ n)[:, None] * n,
                "This folds the other side over. Those with n · p > c are to move.",
            ),
        ],
    ),
    "03.block": Blank(
        "block",
        WEIGHTS,
        [
            (
                lambda p, W, b, V, d: (p @ W.T + b) @ V.T + d,
                "Without ReLU two affine maps are one affine map, and nothing folds.",
            ),
            (
                lambda p, W, b, V, d: relu(relu(p @ W.T + b) @ V.T + d),
                "ReLU acts on the units only. What comes out at the end is a plane, in which numbers may be negative.",
            ),
            (
                lambda p, W, b, V, d: relu(p @ W.T) @ V.T + d,
                "Each unit has a bias, too: without b all creases would run through the origin.",
            ),
            (
                lambda p, W, b, V, d: relu(p @ W.T + b) @ V.T,
                "The new plane has a shift, too: d is missing.",
            ),
        ],
    ),
    "03.accuracy": Blank(
        "accuracy",
        ANSWERS,
        [
            (lambda outputs, y: (outputs.argmax(axis=1) != y).mean(), "This is the share of wrong answers."),
            (
                lambda outputs, y: ((outputs[:, 1] > 0) == y).mean(),
                "The sign of an output decides nothing: of the two outputs, the larger one does.",
            ),
        ],
    ),
    "03.probe": Blank(
        "probe_accuracy",
        [clouds(seed) for seed in (1, 2, 3, 4)],
        [
            (
                lambda X, y, new_X, new_y: fitted(X, y).score(X, y),
                "This scores the line on the points that it was fitted to. They flatter it: score it on the others.",
            ),
            (
                lambda X, y, new_X, new_y: fitted(new_X, new_y).score(new_X, new_y),
                "Fit on X and y only: the new points are for the score.",
            ),
            (lambda X, y, new_X, new_y: 1 - fitted(X, y).score(new_X, new_y), "This is the share of wrong answers."),
        ],
    ),
    "03c.centred": Blank(
        "centred",
        OUTPUTS_NOW,
        [
            (
                lambda alpha, now, start: alpha * now - start,
                "Here α multiplies only what the network says now. Subtract first, then multiply the difference.",
            ),
            (
                lambda alpha, now, start: alpha * now,
                "This is not 0 at the start: what the network said before training has to be subtracted.",
            ),
            (
                lambda alpha, now, start: now - start,
                "α is missing: multiply the difference by it.",
            ),
        ],
    ),
    "03c.kernel": Blank(
        "next_kernel",
        LAYERS,
        [
            (
                lambda s, t, q: q * both(s / q),
                "This is what the layer's own weights bring. All weights before them bring the kernel t, where both "
                "units are on.",
            ),
            (
                lambda s, t, q: q * both(s / q) + t * both(s / q),
                "The old kernel comes through a slope, and ReLU's slope is 0 or 1: multiply t by both_on, not by both.",
            ),
            (
                lambda s, t, q: q * both(s) + t * both_on(s),
                "both and both_on want the correlation, s / q, and not s.",
            ),
        ],
    ),
}
