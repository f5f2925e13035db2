"""The lines that lesson 07's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

NORMAL = np.random.default_rng(7).standard_normal((4, 5, 3)).round(1)
SQUARE = np.random.default_rng(8).standard_normal((4, 3, 3)).round(1)
COLUMN = np.array([[0.3], [-0.4], [0.1]])


def relu(u):
    return np.maximum(u, 0)


def distances(X, x):
    return ((X - x) ** 2).sum(axis=1)


BLANKS = {
    "07.block": Blank(
        "block",
        [(NORMAL[i].T, SQUARE[i], COLUMN * (i + 1), SQUARE[3 - i]) for i in range(4)],
        [
            (
                lambda h, W, b, V: V @ relu(W @ h + b),
                "This is the branch alone. What does a block with a skip connection do with h besides?",
            ),
            (
                lambda h, W, b, V: h + relu(V @ (W @ h + b)),
                "ReLU stands between the two matrices, and after the second there is none.",
            ),
            (
                lambda h, W, b, V: relu(h + V @ relu(W @ h + b)),
                "The stream goes on as it is: nothing is cut off after the sum.",
            ),
            (
                lambda h, W, b, V: h + V @ (W @ h + b),
                "Without ReLU two matrices are one: between them the sums have to be cut off below 0.",
            ),
            (
                lambda h, W, b, V: h + relu(W @ h + b),
                "V is missing: without it nothing that is added could ever be negative.",
            ),
        ],
    ),
    "07.near": Blank(
        "near_identity",
        [(SQUARE[0], 51), (SQUARE[1], 7), (SQUARE[2], 20), (NORMAL[0, :3, :3], 3)],
        [
            (
                lambda W, depth: np.eye(len(W)) + W / depth,
                "It is the root of the depth by which the weights are divided.",
            ),
            (
                lambda W, depth: 1 + W / np.sqrt(depth),
                "This adds 1 to every entry. The identity has it on the diagonal only: np.eye.",
            ),
            (
                lambda W, depth: (np.eye(len(W)) + W) / np.sqrt(depth),
                "The identity is to stay as it is: only He's weights are made smaller.",
            ),
            (
                lambda W, depth: W / np.sqrt(depth),
                "The identity is missing: without it little is left of the signal after a few layers.",
            ),
        ],
    ),
    "07.until": Blank(
        "steps_until",
        [
            (np.array([0.9, 0.41, 0.1, 0.2, 0.07, 0.3]), 0.1, 18),
            (np.array([0.5, 0.07, 0.12, 0.05, 0.2, 0.01]), 0.07, 25),
            (np.array([0.6, 0.4, 0.3, 0.05, 0.3, 0.01]), 0.05, 40),
            (np.array([0.8, 0.3, 0.6, 0.55, 0.31, 0.2]), 0.3, 9),
        ],
        [
            (
                lambda errors, limit, every: every * np.argmax(errors <= limit),
                "Python counts passes from 0. After the first pass there have been steps already.",
            ),
            (
                lambda errors, limit, every: every * (np.argmax(errors < limit) + 1),
                "At most the limit: a pass with an error of just the limit counts.",
            ),
            (
                lambda errors, limit, every: every * (np.sum(errors > limit) + 1),
                "This counts all passes above the limit. "
                "The "
                "error may come back up: the first pass that is not above it is wanted.",
            ),
        ],
    ),
    "07.growth": Blank(
        "growth",
        [(0.5, 3), (0.3, 7), (0.2, 12), (0.7, 2)],
        [
            (
                lambda c, blocks: (1 + 2 * c) ** blocks,
                "A factor c on a matrix multiplies the mean square by its square.",
            ),
            (
                lambda c, blocks: 1 + 2 * c**2 * blocks,
                "Each block multiplies what the block before has made: it is a power, not a sum.",
            ),
            (
                lambda c, blocks: (1 + c**2) ** blocks,
                "The branch without the factor has twice the mean square of the "
                "stream: He's weights double twice, and ReLU halves once.",
            ),
            (
                lambda c, blocks: (2 * c**2) ** blocks,
                "This is the branch alone. The stream goes on beside it, with its own mean square: add 1.",
            ),
        ],
    ),
    "07.nearest": Blank(
        "nearest_three",
        [(NORMAL[i], NORMAL[3 - i, 0] + 0.05) for i in range(4)],
        [
            (
                lambda X, x: np.sort(distances(X, x))[:3],
                "These are the distances. The indices of their rows are wanted: np.argsort.",
            ),
            (lambda X, x: np.argsort(distances(X, x))[-3:], "These are the three that are farthest away."),
            (
                lambda X, x: np.argsort(((X - x) ** 2).sum(axis=0))[:3],
                "This adds over the images. A distance adds over the pixels of one image.",
            ),
            (
                lambda X, x: np.argsort(X @ x)[:3],
                "A product is large for images that are alike, or bright. The nearest has the smallest distance.",
            ),
            (
                lambda X, x: np.argsort(X @ x)[-3:],
                "A product also grows with an image's brightness. The nearest has the smallest distance.",
            ),
        ],
    ),
}
