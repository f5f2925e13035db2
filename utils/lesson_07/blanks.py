"""The lines that lesson 07's path leaves to its reader: what each is tried on, and the mistakes that have a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Hint, Inputs
from utils.exercises.rules import same_to_four_digits

NORMAL = np.random.default_rng(7).standard_normal((4, 5, 3)).round(1)
ROWS = np.random.default_rng(9).standard_normal((4, 7, 3)).round(1)
SQUARE = np.random.default_rng(8).standard_normal((4, 3, 3)).round(1)
COLUMN = np.array([[0.3], [-0.4], [0.1]])


def like(*ways: Callable, hint: str) -> Hint:
    """Return a remark on a value that one of these functions returns, of all of which the hint is true."""

    def seen(given: Inputs, value: Any, expected: Any) -> bool:
        return any(same_to_four_digits(value, way(*given.values())) for way in ways)

    return seen, hint


def stops(given: Inputs, value: Any, expected: Any) -> bool:
    return value is None


# --- the block --------------------------------------------------------------------------------------------


def relu(u):
    return np.maximum(u, 0)


def branch(h, W, b, V):
    return V @ relu(W @ h + b)


# --- near the identity ------------------------------------------------------------------------------------


def parts_of(value: Any, first: np.ndarray, W: np.ndarray) -> tuple[float, float] | None:
    """Return how many times ``first`` and W add up to the value, None where they do not."""
    table = np.stack([first.ravel(), W.ravel()], axis=1)
    found = np.linalg.lstsq(table, np.ravel(value).astype(float), rcond=None)[0]
    return tuple(found) if np.shape(value) == W.shape and np.allclose(table @ found, np.ravel(value)) else None


def identities(value: Any, W: np.ndarray) -> float | None:
    """Return how many identities are in the value besides a multiple of W."""
    found = parts_of(value, np.eye(len(W)), W)
    return None if found is None else round(float(found[0]), 9)


def other_factor(given: Inputs, value: Any, expected: Any) -> bool:
    return identities(value, given["W"]) == 1


def no_identity(given: Inputs, value: Any, expected: Any) -> bool:
    return identities(value, given["W"]) == 0


def other_identity(given: Inputs, value: Any, expected: Any) -> bool:
    return identities(value, given["W"]) not in (None, 0, 1)


def ones(given: Inputs, value: Any, expected: Any) -> bool:
    return parts_of(value, np.ones_like(expected), given["W"]) is not None


def diagonal(given: Inputs, value: Any, expected: Any) -> bool:
    return np.shape(value) == expected.shape and not np.any(value - np.diag(np.diag(value)))


# --- steps ------------------------------------------------------------------------------------------------


def first(errors, limit):
    return np.argmax(errors <= limit)


def last(errors, limit):
    return np.flatnonzero(errors <= limit)[-1]


def several(given: Inputs, value: Any, expected: Any) -> bool:
    return np.size(value) > 1


# --- the nearest ------------------------------------------------------------------------------------------


def distances(X, x):
    return ((X - x) ** 2).sum(axis=1)


def no_indices(given: Inputs, value: Any, expected: Any) -> bool:
    return bool(np.any(np.asarray(value) % 1))


def for_each_pixel(given: Inputs, value: Any, expected: Any) -> bool:
    return np.ndim(value) == 2


def order(X, x):
    return np.argsort(distances(X, x))


def other_order(given: Inputs, value: Any, expected: Any) -> bool:
    return sorted(np.ravel(value)) == sorted(expected)


BLANKS = {
    "07.block": Blank(
        "block",
        [(NORMAL[i].T, SQUARE[i], COLUMN * (i + 1), SQUARE[3 - i]) for i in range(4)],
        [
            (branch, "This is the branch alone. A block with a skip connection also adds h: add it to the branch."),
            (
                lambda h, W, b, V: relu(h + branch(h, W, b, V)),
                "This applies ReLU to the sum. The stream goes on as it is: return the sum without cutting anything "
                "off.",
            ),
            (
                lambda h, W, b, V: h + relu(W @ h + b),
                "V is missing, so nothing that is added can be negative. Multiply what ReLU returns by V, then add h.",
            ),
        ],
        [
            like(
                lambda h, W, b, V: h + V @ (W @ h + b),
                lambda h, W, b, V: h + relu(V @ (W @ h + b)),
                lambda h, W, b, V: h + relu(branch(h, W, b, V)),
                lambda h, W, b, V: relu(h + V @ (W @ h + b)),
                lambda h, W, b, V: relu(h) + branch(h, W, b, V),
                lambda h, W, b, V: h + V @ (W @ relu(h) + b),
                lambda h, W, b, V: h + branch(relu(h), W, b, V),
                lambda h, W, b, V: h + V @ W @ relu(h + b),
                lambda h, W, b, V: h + relu(V @ W @ h + b),
                lambda h, W, b, V: h + V @ np.tanh(W @ h + b),
                lambda h, W, b, V: h + V @ W @ relu(h),
                lambda h, W, b, V: h + V @ W @ relu(h) + b,
                lambda h, W, b, V: h + W @ V @ relu(h) + b,
                lambda h, W, b, V: h + relu(V @ relu(W @ h) + b),
                lambda h, W, b, V: h + V @ np.abs(W @ h + b),
                lambda h, W, b, V: h + V @ np.minimum(W @ h + b, 0),
                hint="ReLU is missing here, or it acts in another place. Apply relu once, to W @ h + b, before V "
                "multiplies.",
            ),
            like(
                lambda h, W, b, V: h + V @ relu(W @ h),
                lambda h, W, b, V: h + V @ relu(W @ (h + b)),
                lambda h, W, b, V: h + V @ relu(W @ h) + b,
                lambda h, W, b, V: h + V @ (relu(W @ h) + b),
                lambda h, W, b, V: h + branch(h, W, b, V) + b,
                lambda h, W, b, V: h + V @ (relu(W @ h + b) + b),
                lambda h, W, b, V: V @ relu(W @ h) + b,
                lambda h, W, b, V: V @ relu(W @ h),
                hint="b is missing here, or it acts in another place. Add it once, to W @ h, before relu acts.",
            ),
            like(
                lambda h, W, b, V: V @ (h + relu(W @ h + b)),
                lambda h, W, b, V: V @ relu(W @ h + b + h),
                lambda h, W, b, V: V @ relu(h + W @ h),
                lambda h, W, b, V: W @ h + b + branch(h, W, b, V),
                lambda h, W, b, V: W @ h + branch(h, W, b, V),
                lambda h, W, b, V: relu(W @ h + b) + branch(h, W, b, V),
                lambda h, W, b, V: h + V @ (h + relu(W @ h + b)),
                lambda h, W, b, V: h * branch(h, W, b, V),
                lambda h, W, b, V: V @ h + branch(h, W, b, V),
                lambda h, W, b, V: 2 * h + branch(h, W, b, V),
                lambda h, W, b, V: h - branch(h, W, b, V),
                lambda h, W, b, V: branch(h, W, b, V) - h,
                lambda h, W, b, V: branch(h, W, b, V) + b,
                lambda h, W, b, V: h + branch(h, W, b, V) + relu(h),
                lambda h, W, b, V: h + W @ h + branch(h, W, b, V),
                hint="This is not the sum of h, as it came in, and the branch. Add the two at the end, behind V.",
            ),
            like(
                lambda h, W, b, V: h + branch(h, V, b, W),
                lambda h, W, b, V: h + branch(h, W, b, W),
                lambda h, W, b, V: h + branch(h, V, b, V),
                lambda h, W, b, V: h + branch(h, W.T, b, V),
                lambda h, W, b, V: h + branch(h, W, b, V.T),
                lambda h, W, b, V: h + branch(h, W.T, b, V.T),
                lambda h, W, b, V: branch(h, V, b, W),
                lambda h, W, b, V: h + relu(V @ h + b),
                lambda h, W, b, V: h + V @ relu(h),
                lambda h, W, b, V: h + V @ relu(h + b),
                lambda h, W, b, V: h + W @ V @ relu(h + b),
                hint="The matrices act in another way here. W multiplies h, V multiplies what relu returns, and "
                "neither is transposed.",
            ),
            (
                stops,
                "This line stops with an error. Each image is a column of h, so matrices multiply from the left, "
                "with @, and relu, not max, acts on whole arrays.",
            ),
        ],
    ),
    "07.near": Blank(
        "near_identity",
        [(SQUARE[0], 51), (SQUARE[1], 7), (SQUARE[2], 20), (NORMAL[0, :3, :3], 3)],
        [
            (
                lambda W, depth: np.eye(len(W)) + W / depth,
                "This divides W by the depth itself. Divide it by the square root: np.sqrt(depth).",
            ),
        ],
        [
            (
                other_factor,
                "The identity is right, but what is added to it is not W times 1/√depth: look at its sign, and at each "
                "factor of W.",
            ),
            (
                other_identity,
                "The identity itself is multiplied or divided here. Leave it as it is, and divide only W.",
            ),
            (
                no_identity,
                "Nothing of the identity is left here, so the layer does not start near it. Add np.eye(len(W)) to "
                "W / np.sqrt(depth).",
            ),
            (
                ones,
                "This adds the same number to every entry. The identity has ones on the diagonal only: use "
                "np.eye(len(W)).",
            ),
            (
                diagonal,
                "Here all entries off the diagonal are 0. Do not multiply W by the identity entry by entry, "
                "add the identity to it.",
            ),
            like(
                lambda W, depth: np.eye(len(W)) + W.T / np.sqrt(depth),
                lambda W, depth: np.eye(len(W)) + W @ W / np.sqrt(depth),
                lambda W, depth: np.eye(len(W)) + np.abs(W) / np.sqrt(depth),
                lambda W, depth: np.eye(len(W)) + W**2 / np.sqrt(depth),
                hint="This changes W before dividing it. Divide W as it is by np.sqrt(depth), and add the identity.",
            ),
            (
                stops,
                "This line stops with an error. The identity has to be as large as W, whatever the depth is: "
                "np.eye(len(W)).",
            ),
        ],
    ),
    "07.until": Blank(
        "steps_until",
        [
            (np.array([0.71, 0.32, 0.67, 0.7, 0.45, 0.27, 0.23, 0.03, 0.17]), 0.27, 18),
            (np.array([0.29, 0.32, 0.27, 0.51, 0.25, 0.06, 0.54, 0.74]), 0.27, 25),
            (np.array([0.21, 0.28, 0.46, 0.5, 0.74, 0.08, 0.04, 0.23, 0.05]), 0.08, 40),
            (np.array([0.42, 0.73, 0.43, 0.37, 0.16, 0.57, 0.09, 0.03, 0.45]), 0.375, 9),  # none is the limit itself
            (np.array([0.44, 0.58, 0.7, 0.35, 0.12, 0.25, 0.3, 0.69]), 0.305, 30),
        ],
        [
            (
                lambda errors, limit, every: every * first(errors, limit),
                "Python counts passes from 0, so this stops before the first good pass. Add 1 to the index, then "
                "multiply.",
            ),
            (
                lambda errors, limit, every: every * (np.argmax(errors < limit) + 1),
                "This asks for an error below the limit. An error of just the limit counts, too: use <=.",
            ),
        ],
        [
            like(
                lambda errors, limit, every: every * first(errors, limit) + 1,
                lambda errors, limit, every: every * (first(errors, limit) + 2),
                lambda errors, limit, every: every * (first(errors, limit) - 1),
                lambda errors, limit, every: every + first(errors, limit),
                lambda errors, limit, every: every + first(errors, limit) + 1,
                lambda errors, limit, every: every * first(errors, limit) - 1,
                hint="The right pass is found, but its steps are not counted to its end. Add 1 to its index, since "
                "Python counts from 0, then multiply by every.",
            ),
            like(
                lambda errors, limit, every: first(errors, limit) + 1,
                lambda errors, limit, every: first(errors, limit),
                lambda errors, limit, every: (first(errors, limit) + 1) / every,
                lambda errors, limit, every: first(errors, limit) / every,
                lambda errors, limit, every: np.argmax(errors < limit) + 1,
                lambda errors, limit, every: 18 * (first(errors, limit) + 1),
                hint="This does not turn passes into steps. A pass takes every steps: multiply by it.",
            ),
            like(
                lambda errors, limit, every: every * (np.sum(errors > limit) + 1),
                lambda errors, limit, every: every * np.sum(errors > limit),
                lambda errors, limit, every: every * np.sum(errors <= limit),
                lambda errors, limit, every: every * (np.sum(errors <= limit) + 1),
                lambda errors, limit, every: np.sum(errors > limit) + 1,
                lambda errors, limit, every: np.sum(errors <= limit),
                lambda errors, limit, every: every * (np.sum(errors >= limit) + 1),
                lambda errors, limit, every: every * np.sum(errors < limit),
                lambda errors, limit, every: every * len(errors),
                hint="This counts passes all along the array, also after the first good one, and the error may come "
                "back up. Find the first pass with an error of at most limit.",
            ),
            like(
                lambda errors, limit, every: every * (np.argmin(errors) + 1),
                lambda errors, limit, every: every * np.argmin(errors),
                lambda errors, limit, every: every * (last(errors, limit) + 1),
                lambda errors, limit, every: every * last(errors, limit),
                lambda errors, limit, every: np.argmin(errors) + 1,
                lambda errors, limit, every: every * (np.argmax(errors) + 1),
                lambda errors, limit, every: every * np.argmax(errors),
                lambda errors, limit, every: every * np.argmax(errors < limit),
                lambda errors, limit, every: every * (np.argmin(np.abs(errors - limit)) + 1),
                lambda errors, limit, every: every * (np.argmax((errors <= limit)[::-1]) + 1),
                lambda errors, limit, every: every * np.argmax((errors <= limit)[::-1]),
                hint="This looks for another pass, such as the smallest error of all or the last good pass. Take the "
                "first pass with an error of at most limit: np.argmax(errors <= limit) is its index.",
            ),
            (
                several,
                "This returns several numbers, and one is wanted. Take the first pass with an error of at most limit.",
            ),
            like(
                lambda errors, limit, every: every * errors[first(errors, limit)],
                lambda errors, limit, every: every * (errors[first(errors, limit)] + 1),
                lambda errors, limit, every: errors[first(errors, limit)],
                lambda errors, limit, every: every * errors.min(),
                lambda errors, limit, every: every * limit,
                lambda errors, limit, every: errors.min(),
                lambda errors, limit, every: every * (np.argmax(errors > limit) + 1),
                lambda errors, limit, every: every * (np.argmin(errors <= limit) + 1),
                lambda errors, limit, every: every * (np.max(errors <= limit) + 1),
                lambda errors, limit, every: every * np.max(errors <= limit),
                hint="This does not use the place of the first good pass in the array. np.argmax(errors <= limit) "
                "returns it, counted from 0.",
            ),
        ],
    ),
    "07.growth": Blank(
        "growth",
        [(0.5, 3), (0.3, 7), (0.2, 12), (0.7, 2)],
        [
            (
                lambda c, blocks: (1 + 2 * c) ** blocks,
                "Here c is not squared. A factor c on V multiplies the branch's mean square by c**2.",
            ),
        ],
        [
            like(
                lambda c, blocks: (1 + c) ** blocks,
                lambda c, blocks: 1 + 2 * c * blocks,
                lambda c, blocks: (2 * c) ** blocks,
                lambda c, blocks: 1 + (2 * c) ** blocks,
                lambda c, blocks: c**blocks,
                lambda c, blocks: (3 * c) ** blocks,
                lambda c, blocks: c * 3**blocks,
                lambda c, blocks: 1 + c * blocks,
                hint="Here c is not squared. A factor c on V multiplies the branch's mean square by c**2, so each "
                "block multiplies the stream's by 1 + 2 * c**2.",
            ),
            like(
                lambda c, blocks: 1 + 2 * c**2 * blocks,
                lambda c, blocks: (1 + 2 * c**2) * blocks,
                lambda c, blocks: 2 * c**2 * blocks,
                lambda c, blocks: 1 + c**2 * blocks,
                lambda c, blocks: 1 + 2 * c**2,
                lambda c, blocks: (1 + c**2) * blocks,
                lambda c, blocks: (1 + 2 * c) * blocks,
                lambda c, blocks: 3 * c**2 * blocks,
                lambda c, blocks: blocks ** (1 + 2 * c**2),
                lambda c, blocks: (1 + 2 * c**2) ** 2,
                lambda c, blocks: (1 + 2 * c**2) ** (blocks - 1),
                lambda c, blocks: (1 + 2 * c**2) ** (blocks + 1),
                lambda c, blocks: (1 + 2 * c**2) ** (2 * blocks),
                hint="Each block multiplies what the block before has made, so its factor comes in as often as there "
                "are blocks. Raise one block's factor to the power blocks.",
            ),
            like(
                lambda c, blocks: (1 + c**2) ** blocks,
                lambda c, blocks: (1 + (2 * c) ** 2) ** blocks,
                lambda c, blocks: (1 + c**2 / 2) ** blocks,
                lambda c, blocks: (1 + 8 * c**2) ** blocks,
                lambda c, blocks: (1 + 3 * c**2) ** blocks,
                lambda c, blocks: (2 + 2 * c**2) ** blocks,
                lambda c, blocks: (2 + c**2) ** blocks,
                lambda c, blocks: 2 * (1 + c**2) ** blocks,
                lambda c, blocks: (1 + c**2 / 4) ** blocks,
                lambda c, blocks: (1 + c) ** (2 * blocks),
                lambda c, blocks: (1 + 2 * c) ** (2 * blocks),
                hint="A block's factor has other numbers here. The stream counts once, and the branch twice, times "
                "c**2: W doubles the mean square, ReLU halves it, and V doubles it again.",
            ),
            like(
                lambda c, blocks: (2 * c**2) ** blocks,
                lambda c, blocks: (c**2) ** blocks,
                lambda c, blocks: (4 * c**2) ** blocks,
                lambda c, blocks: 1 + (2 * c**2) ** blocks,
                lambda c, blocks: 1 + (c**2) ** blocks,
                lambda c, blocks: 2 * c**2**blocks,
                lambda c, blocks: 1 + 2 * c ** (2 * blocks),
                lambda c, blocks: 2 * c ** (2 * blocks),
                lambda c, blocks: (2 * c**2) ** (blocks / 2),
                hint="In every block the stream goes on beside its branch, with its own mean square. Add 1 to the "
                "branch's 2 * c**2 before you take the power.",
            ),
            like(
                lambda c, blocks: (1 + 2 * c**2) ** (blocks / 2),
                lambda c, blocks: (1 + np.sqrt(2) * c) ** blocks,
                lambda c, blocks: (1 + np.sqrt(2) * c) ** (2 * blocks),
                lambda c, blocks: np.sqrt(1 + 2 * c**2),
                lambda c, blocks: (1 + c**2) ** (blocks / 2),
                lambda c, blocks: (1 + 2 * c) ** (blocks / 2),
                hint="This works with sizes, which are square roots. Mean squares are what adds up and what is wanted: "
                "take no root.",
            ),
            like(
                lambda c, blocks: np.exp(2 * c**2 * blocks),
                lambda c, blocks: np.exp(2 * c**2),
                lambda c, blocks: np.exp(c**2 * blocks),
                hint="This takes e to a power, which at best comes near the growth. One block multiplies by "
                "1 + 2 * c**2: raise that to the power blocks.",
            ),
            like(
                lambda c, blocks: (1 + 2 * c**2 / blocks) ** blocks,
                lambda c, blocks: (1 + 2 / blocks) ** blocks,
                lambda c, blocks: (1 + 2 * c / blocks) ** blocks,
                lambda c, blocks: (1 + c**2 / blocks) ** blocks,
                lambda c, blocks: (1 + c / blocks) ** blocks,
                lambda c, blocks: (1 + 2 * c**2 / np.sqrt(blocks)) ** blocks,
                lambda c, blocks: (1 + 2 * c**2 / blocks**2) ** blocks,
                lambda c, blocks: 3**blocks,
                lambda c, blocks: (3 * c**2) ** blocks,
                lambda c, blocks: (3 * c) ** (2 * blocks),
                lambda c, blocks: (1 + 2 * c**4) ** blocks,
                lambda c, blocks: c**2 * 3**blocks,
                lambda c, blocks: 3 ** (c**2 * blocks),
                hint="c is missing here, or it does not act as it is given, on V alone. One block multiplies the mean "
                "square by 1 + 2 * c**2, however many blocks there are.",
            ),
        ],
    ),
    "07.nearest": Blank(
        "nearest_three",
        [(ROWS[i], ROWS[3 - i, 0] + 0.05) for i in range(4)],
        [
            (
                lambda X, x: np.argsort(((X - x) ** 2).sum(axis=0))[:3],
                "This adds over the images. A distance adds over the pixels of one image: sum(axis=1).",
            ),
        ],
        [
            like(
                lambda X, x: order(X, x)[-3:],
                lambda X, x: order(X, x)[::-1][:3],
                lambda X, x: order(X, x)[-1],
                hint="This looks for the rows that are farthest away. np.argsort puts the smallest distance first, so "
                "take [:3].",
            ),
            like(
                lambda X, x: np.argsort(X @ x)[:3],
                lambda X, x: np.argsort(X @ x)[-3:],
                lambda X, x: np.argsort(X @ x)[::-1][:3],
                lambda X, x: np.argsort(np.abs(X @ x))[:3],
                lambda X, x: np.argsort(-np.abs(X @ x))[:3],
                lambda X, x: np.argsort(X @ x / np.linalg.norm(X, axis=1))[:3],
                lambda X, x: np.argsort(-X @ x / np.linalg.norm(X, axis=1))[:3],
                lambda X, x: np.argsort(X @ x / np.linalg.norm(X, axis=1))[-3:],
                hint="This compares products, which also grow with an image's brightness. Compare distances: square "
                "the differences, and add them up.",
            ),
            like(
                lambda X, x: np.argsort((X - x).sum(axis=1))[:3],
                lambda X, x: np.argsort((x - X).sum(axis=1))[:3],
                lambda X, x: np.argsort((X - x).sum(axis=1) ** 2)[:3],
                lambda X, x: np.argsort(np.abs(X - x).sum(axis=1))[:3],
                lambda X, x: np.argsort(np.abs(X - x).max(axis=1))[:3],
                lambda X, x: np.argsort((X - x).max(axis=1))[:3],
                lambda X, x: np.argsort((X**2 - x**2).sum(axis=1))[:3],
                lambda X, x: np.argsort(((X + x) ** 2).sum(axis=1))[:3],
                lambda X, x: np.argsort(np.abs((X**2).sum(axis=1) - (x**2).sum()))[:3],
                lambda X, x: np.argsort((X**2).sum(axis=1))[:3],
                hint="This does not square each difference before adding. Square X - x pixel by pixel, then add up "
                "over the pixels.",
            ),
            (
                no_indices,
                "These are no indices, but numbers such as distances or pixels. np.argsort returns the indices, "
                "smallest distance first.",
            ),
            (
                for_each_pixel,
                "This returns indices for each pixel by itself. First add up over the pixels, with sum(axis=1), then "
                "sort.",
            ),
            like(
                lambda X, x: order(X, x),
                lambda X, x: order(X, x)[1:4],
                lambda X, x: order(X, x)[1:3],
                lambda X, x: order(X, x)[2:],
                lambda X, x: order(X, x)[3:],
                lambda X, x: order(X, x)[:4],
                lambda X, x: order(X, x)[:2],
                lambda X, x: order(X, x)[:1],
                lambda X, x: order(X, x)[0],
                lambda X, x: order(X, x)[1],
                lambda X, x: order(X, x)[2],
                lambda X, x: order(X, x)[3],
                hint="The rows are sorted by their distance here, but this does not return the first three of them. "
                "Take [:3] of what np.argsort returns.",
            ),
            (other_order, "These are the right three rows, but not the nearest first. np.argsort sorts them."),
        ],
    ),
}
