"""The lines that lesson 06's pages leave to their reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

import numpy as np

from utils.exercises.blanks import Blank

NORMAL = np.random.default_rng(6).standard_normal((4, 3, 3)).round(1)
TALL, WIDE = np.array([[0.5, -1.2], [2.1, 0.3], [0.1, 0.7]]), np.array([[1.1, -0.5, 0.2, 0.8]])


def scaled(Z, gain, n):
    return gain / np.sqrt(n) * Z


def factors(gain, ratio):
    return gain**2 / 2, gain**2 / 2 * ratio


def softmax(x, axis):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=1) @ V


def left(X):
    return np.linalg.norm(X - X.mean(axis=0))


def singular(signals):
    return np.linalg.svd(signals, compute_uv=False)


BLANKS = {
    "06.scaled": Blank(
        "scaled",
        [(TALL, 1.5), (WIDE, 0.7), (TALL.T, 2.2), (NORMAL[0, :2], 1.3)],
        [
            (
                lambda Z, gain: gain * Z / Z.shape[1],
                "This divides the standard deviation by n. It is the variance that n divides.",
            ),
            (
                lambda Z, gain: scaled(Z, gain, len(Z)),
                "A unit's sum runs over its inputs, so n counts inputs: they are the columns of Z, not the rows.",
            ),
            (
                lambda Z, gain: gain * Z,
                "These have standard deviation g, whatever n is. The more terms a sum has, the smaller each must be.",
            ),
            (
                lambda Z, gain: np.sqrt(gain / Z.shape[1]) * Z,
                "The gain is not under the root: only n is.",
            ),
            (
                lambda Z, gain: gain**2 / Z.shape[1] * Z,
                "That is the variance. The numbers are multiplied by the standard deviation, its root.",
            ),
        ],
    ),
    "06.factors": Blank(
        "factors",
        [(1.3, 30, 70), (0.9, 50, 20), (2.2, 8, 12), (1.7, 100, 45)],
        [
            (
                lambda gain, n_in, n_out: (gain**2, gain**2 * n_out / n_in),
                "This is what the weights do. ReLU follows, and takes its part of the squares, in both directions.",
            ),
            (
                lambda gain, n_in, n_out: factors(gain, n_in / n_out),
                "The two numbers are exchanged. How many terms has "
                "the sum in line 3, and which of the two is in the variance of a weight?",
            ),
            (
                lambda gain, n_in, n_out: factors(gain, 1),
                "Forwards it is right. Going back, another number of terms is added up: look at line 3.",
            ),
            (
                lambda gain, n_in, n_out: (gain**2 / 2, gain**2 * n_out / n_in),
                "Forwards it is right. Going back, too, ReLU lets half of the squares through.",
            ),
            (
                lambda gain, n_in, n_out: (gain**2, gain**2 / 2 * n_out / n_in),
                "Backwards it is right. Forwards, too, ReLU keeps half of the squares.",
            ),
        ],
    ),
    "06.back": Blank(
        "step_back",
        [
            (NORMAL[0, :, :2], NORMAL[1], NORMAL[2, :, 1:]),
            (NORMAL[1], NORMAL[3], NORMAL[0]),
            (NORMAL[2, :, :1], NORMAL[0], NORMAL[3, :, 2:]),
            (NORMAL[3], NORMAL[2], NORMAL[1]),
        ],
        [
            (
                lambda delta, W, u: W.T @ delta,
                "The weights are right. Then comes the tanh of the layer below: the "
                "gradient is multiplied by its slope.",
            ),
            (
                lambda delta, W, u: (W @ delta) * (1 - np.tanh(u) ** 2),
                "A row of W belongs to a unit above. A unit below collects what comes along its column.",
            ),
            (
                lambda delta, W, u: (W.T @ delta) * np.tanh(u),
                "This multiplies by tanh itself. A gradient is multiplied by the slope.",
            ),
            (
                lambda delta, W, u: (W.T @ delta) * (u > 0),
                "That is ReLU's slope. Here the layer below has tanh, whose slope is 1 − tanh².",
            ),
            (
                lambda delta, W, u: (W.T @ delta) * (1 - np.tanh(u)),
                "The slope of tanh is 1 − tanh², with a square.",
            ),
        ],
    ),
    "06.uniform": Blank(
        "gain_of",
        [(0.1, 50), (0.33, 7), (0.052, 300), (1.21, 2)],
        [
            (
                lambda bound, n_in: bound * np.sqrt(n_in),
                "The bound is the largest weight. The standard deviation is smaller: take it from the variance.",
            ),
            (
                lambda bound, n_in: bound**2 * n_in / 3,
                "This is the square of the gain: a variance, times n. The gain belongs to the standard deviation.",
            ),
            (
                lambda bound, n_in: bound / np.sqrt(3),
                "This is the standard deviation. The gain is what it is a multiple of: how many inputs are there?",
            ),
        ],
    ),
    "06.direction": Blank(
        "largest_share",
        [(TALL,), (NORMAL[0],), (NORMAL[1, :, :2],), (NORMAL[2],)],
        [
            (
                lambda signals: singular(signals)[0] / singular(signals).sum(),
                "Sizes in perpendicular directions do not add up. Their squares do, as Pythagoras has it.",
            ),
            (
                lambda signals: singular(signals)[0] / np.sqrt(np.sum(singular(signals) ** 2)),
                "This is a share of the size: the root of what is wanted.",
            ),
            (
                lambda signals: singular(signals)[0] ** 2,
                "This is how much lies in the largest direction. The share is that over the whole.",
            ),
            (
                lambda signals: singular(signals)[-1] ** 2 / np.sum(singular(signals) ** 2),
                "This is the smallest direction: singular values come with the largest first.",
            ),
            (
                lambda signals: singular(signals)[0] ** 2 / singular(signals).sum() ** 2,
                "Square each size first, then add.",
            ),
        ],
    ),
    "06c.attention": Blank(
        "attention",
        [
            (NORMAL[0], NORMAL[1], NORMAL[2]),
            (NORMAL[3, :, :2], NORMAL[0, :, 1:], NORMAL[1]),
            (NORMAL[2], NORMAL[3], NORMAL[0, :, :2]),
            (NORMAL[1, :, :2], NORMAL[2, :, :2], NORMAL[3, :, 1:]),
        ],
        [
            (
                lambda Q, K, V: attention(Q * np.sqrt(Q.shape[1]), K, V),
                "The scores are not divided by √d. The wider the rows, the larger a product gets by chance.",
            ),
            (
                lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=0) @ V,
                "The shares of each key add up to 1. A row of the scores belongs to one query: its shares should.",
            ),
            (
                lambda Q, K, V: attention(K, Q, V),
                "Here the keys ask. A row of the scores should have one query against all keys: Q first, K transposed.",
            ),
        ],
    ),
    "06c.apart": Blank(
        "apart",
        [(TALL,), (NORMAL[0],), (NORMAL[1, :, :2],), (NORMAL[2],)],
        [
            (
                lambda X: np.linalg.norm(X - X.mean(axis=1, keepdims=True)) / np.linalg.norm(X),
                "This takes off each row's own mean. Equal rows are one row: the mean down the columns.",
            ),
            (left, "This is how much is left. The share is that over the norm of X."),
            (
                lambda X: (left(X) / np.linalg.norm(X)) ** 2,
                "This is the share of the squares. A norm is the square root of their sum.",
            ),
        ],
    ),
}
