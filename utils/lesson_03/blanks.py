"""The lines that lesson 03's pages leave to their reader: what each is tried on, and the mistakes that have a hint.

Most hints are remarks, since several wrong lines have the same cause: a remark speaks where more than half of the cases
are as one of its lines would have them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import Rule, is_no, is_number, one_number, same_to_four_digits
from utils.kernels import relu_moments

P = np.array([[0.3, -0.7], [1.2, 0.4], [-0.6, 0.9], [2.1, -1.3]])
SLANTED, STEEP = np.array([0.6, 0.8]), np.array([-0.28, 0.96])
CREASES = [(P, SLANTED, 0.25), (P[:3], STEEP, 0.1), (P[:2], SLANTED, 0.35), (P, -STEEP, 0.45)]
W, V = np.array([[1.0, -0.5], [0.3, 0.8], [-1.2, 0.4]]), np.array([[0.7, -0.2, 0.5], [0.1, 0.9, -0.6]])
BIAS, SHIFT = np.array([0.2, -0.3, 0.45]), np.array([0.15, -0.65])
WEIGHTS = [(P, W, BIAS, V, SHIFT), (P[:3], -W, -BIAS, V, SHIFT), (P, W[:2], BIAS[1:], V[:, :2], -SHIFT)]
NOW = np.array([1.3, -0.2, 0.75])
OUTPUTS_NOW = [
    (0.25, NOW, np.array([0.9, 0.35, -0.4])),
    (64.0, -NOW, np.array([-0.35, 0.6, 0.1])),
    (4.0, NOW[:2], np.array([1.1, 0.45])),
    (0.5, -NOW[1:], np.array([0.3, -0.85])),
]
LAYERS = [(0.6, 0.9, 2.5), (-0.4, 0.3, 1.6), (1.1, 3.2, 1.9), (0.2, -0.7, 0.8)]
FAR = 20  # points, with which two shares are rarely the same by chance


def answers(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two outputs for each of n points, and their classes, most of which have the larger output."""
    rng = np.random.default_rng(seed)
    outputs = rng.normal(0.4, 1.1, size=(n, 2)).round(2)
    return outputs, np.where(rng.random(n) < 0.7, outputs.argmax(axis=1), rng.integers(2, size=n))


OUTPUTS = np.array([[0.3, 0.9], [1.4, 0.2], [-0.8, -0.1], [2.0, 1.5], [-1.1, -0.6], [0.6, -0.4], [0.8, 0.7]])
ANSWERS = [(OUTPUTS, np.array([1, 0, 1, 0, 0, 1, 0])), *(answers(seed, n) for seed, n in ((1, 41), (2, 53), (5, 67)))]


def clouds(seed: int, n: int = 31) -> tuple[np.ndarray, ...]:
    """Return points of two classes that overlap, one twice as large, to fit a line to and to score it on.

    They lie so close together that it matters how strongly the line's weights are held back.
    """
    rng = np.random.default_rng(seed)
    y, new_y = np.arange(n) % 3 // 2, np.arange(n + 6) % 3 // 2
    X, new_X = ((0.2 * (rng.normal(size=(len(of), 2)) + of[:, None])).round(3) for of in (y, new_y))
    return X, y, new_X, new_y


def relu(z):
    return np.maximum(z, 0)


def both(c):
    return relu_moments(c)[0]


def both_on(c):
    return relu_moments(c)[1]


def fitted(X, y, C=100):
    return _fitted(X.tobytes(), y.tobytes(), C)


@cache
def _fitted(X: bytes, y: bytes, C: float) -> Any:
    """Return the line for points and classes, which many of the lines below ask for again."""
    from sklearn.linear_model import LogisticRegression  # here: a browser's Python has the other blanks, and no sklearn

    return LogisticRegression(C=C, max_iter=1000).fit(np.frombuffer(X).reshape(-1, 2), np.frombuffer(y, dtype=int))


# --- rules --------------------------------------------------------------------------------------------------


def one_of(*lines: Callable, least: int = 0) -> Rule:
    """Return a rule: the value is what one of these lines returns; silent for arguments of fewer than ``least`` rows.

    A line that cannot be computed in this case is none.
    """

    def matches(given: Inputs, value: Any, expected: Any) -> bool:
        if least and len(next(iter(given.values()))) < least:
            return False
        return any(_same(line, given, value) for line in lines)

    return matches


def _same(line: Callable, given: Inputs, value: Any) -> bool:
    try:
        return same_to_four_digits(value, line(*given.values()))
    except Exception:
        return False


def has_shape(*axes: int | None) -> Rule:
    """Return a rule: the value is an array with such a shape; for None, any length but that of the others."""
    return lambda given, value, expected: (
        np.ndim(value) == len(axes)
        and all(want is None or have == want for have, want in zip(np.shape(value), axes, strict=True))
    )


def is_no_share(given: Inputs, value: Any, expected: Any) -> bool:
    return is_number(value) and not 0 <= one_number(value) <= 1


def seen_from_the_crease(given: Inputs, value: Any, expected: Any) -> bool:
    """Return whether one column of a value [points, 2] is the distance from the crease, or z."""
    p, n, c = given.values()
    z = p @ n - c
    return np.shape(value) == p.shape and any(
        same_to_four_digits(column, line) for column in np.transpose(value) for line in (np.abs(z), z, relu(z))
    )


ONE_NUMBER = "Return one number: the share of points that are right, the mean of what is True or False for each."

BLANKS = {
    "03.distance": Blank(
        "distance",
        CREASES,
        [],
        remarks=[
            (
                one_of(
                    lambda p, n, c: relu(p @ n - c),
                    lambda p, n, c: relu(c - p @ n),
                    lambda p, n, c: 2 * relu(p @ n - c),
                    lambda p, n, c: 2 * relu(c - p @ n),
                    lambda p, n, c: -relu(c - p @ n),
                ),
                "One side of the crease is dropped here: all its points get 0. Add a second unit, which keeps what the "
                "first drops: one unit is the ReLU of z, the other that of −z.",
            ),
            (
                one_of(
                    lambda p, n, c: p @ n - c,
                    lambda p, n, c: c - p @ n,
                    lambda p, n, c: -np.abs(p @ n - c),
                ),
                "Some of these numbers are negative: this is z, −z or −|z|. A distance has no sign. Both units are at "
                "least 0, so add them up.",
            ),
            (
                one_of(
                    lambda p, n, c: relu(p @ n - c) + relu(-p @ n - c),
                    lambda p, n, c: relu(p @ n + c) + relu(c - p @ n),
                ),
                "The two units do not belong to the same crease: c has the wrong sign in one of them. One takes z, "
                "which is p @ n − c, the other −z, and −(p @ n − c) is c − p @ n.",
            ),
            (
                one_of(lambda p, n, c: np.abs(p @ n + c)),
                "This is the distance from the line n · p = −c: c has the wrong sign in both units. z is p @ n − c.",
            ),
            (
                one_of(
                    lambda p, n, c: np.abs(p @ n),
                    lambda p, n, c: relu(p @ n),
                    lambda p, n, c: relu(-p @ n),
                    lambda p, n, c: relu(p @ n - c) + relu(-p @ n),
                    lambda p, n, c: relu(p @ n) + relu(c - p @ n),
                ),
                "c is missing, in one unit or in both: without it, a unit's crease runs through the origin. Each unit "
                "takes z = p @ n − c, or −z.",
            ),
            (
                one_of(
                    lambda p, n, c: np.abs(p @ n) - c,
                    lambda p, n, c: np.abs(p @ n) + c,
                    lambda p, n, c: relu(p @ n) - c,
                    lambda p, n, c: relu(np.abs(p @ n) - c),
                    lambda p, n, c: np.abs(np.abs(p @ n) - c),
                ),
                "c comes in too late here. It moves the crease, so subtract it before the ReLU, or the absolute value, "
                "is taken: z = p @ n − c.",
            ),
            (
                one_of(
                    lambda p, n, c: relu(p @ n - c) + relu(1 - (p @ n - c)),
                    lambda p, n, c: relu(p @ n - c) - relu(1 - (p @ n - c)),
                    lambda p, n, c: relu(p @ n - c) - 2 * relu(p @ n - c - 1),
                    lambda p, n, c: relu(p @ n - c) + relu(1 + p @ n - c),
                ),
                "This has a second bend at a distance of 1, as in the tent of lesson 02. The distance bends only on "
                "the crease: the second unit takes −z.",
            ),
            (
                has_shape(None, 2),
                "A distance is one number for each point, and this has two. If you wrote `p * n`: only `p @ n` adds "
                "up, too. If you made two units: add them.",
            ),
        ],
    ),
    "03.fold": Blank(
        "fold",
        CREASES,
        [],
        remarks=[
            (
                one_of(
                    lambda p, n, c: p - relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: p - relu(p @ n - c)[:, None] * n / 2,
                ),
                "This takes the points at most onto the crease. A mirror image lies as far behind it as the point was "
                "before it: go twice as far.",
            ),
            (
                one_of(
                    lambda p, n, c: p + 2 * relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: p + relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: p + 2 * relu(c - p @ n)[:, None] * n,
                    lambda p, n, c: p - 2 * relu(c - p @ n)[:, None] * n,
                    lambda p, n, c: p + relu(c - p @ n)[:, None] * n,
                    lambda p, n, c: p - relu(c - p @ n)[:, None] * n,
                ),
                "A sign is wrong here: other points move than those with n · p > c, or these move away from the "
                "crease. n points to the side that has to move. Those points go back: subtract n times the ReLU of p @ "
                "n − c.",
            ),
            (
                one_of(
                    lambda p, n, c: p - 2 * (p @ n - c)[:, None] * n,
                    lambda p, n, c: p + 2 * (p @ n - c)[:, None] * n,
                    lambda p, n, c: p - (p @ n - c)[:, None] * n,
                    lambda p, n, c: p - 2 * np.abs(p @ n - c)[:, None] * n,
                    lambda p, n, c: p + 2 * np.abs(p @ n - c)[:, None] * n,
                    lambda p, n, c: p - np.abs(p @ n - c)[:, None] * n,
                ),
                "This moves the points on both sides of the crease. Those with z < 0 are to stay: put z into a ReLU, "
                "which is 0 for them.",
            ),
            (
                one_of(
                    lambda p, n, c: p - 2 * relu(p @ n)[:, None] * n,
                    lambda p, n, c: p - 2 * relu(p @ n + c)[:, None] * n,
                    lambda p, n, c: p - 2 * (relu(p @ n) - c)[:, None] * n,
                    lambda p, n, c: p - 2 * relu(p @ n)[:, None] * n - c,
                    lambda p, n, c: p - relu(2 * (p @ n) - c)[:, None] * n,
                ),
                "This does not fold on the line n · p = c: c is missing, has the wrong sign, or comes in after the "
                "ReLU. The unit takes z = p @ n − c.",
            ),
            (
                one_of(
                    lambda p, n, c: relu(p - 2 * (p @ n - c)[:, None] * n),
                    lambda p, n, c: relu(p - 2 * relu(p @ n - c)[:, None] * n),
                    lambda p, n, c: relu(p) - 2 * relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: relu(p - (p @ n - c)[:, None] * n),
                ),
                "ReLU acts on the coordinates here, and a place on the table may have negative ones. Keep the copy of "
                "p out of it: the ReLU takes z = p @ n − c, and nothing else.",
            ),
            (
                one_of(
                    lambda p, n, c: -2 * relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: 2 * relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: relu(p @ n - c)[:, None] * n,
                    lambda p, n, c: -relu(p @ n - c)[:, None] * n,
                ),
                "This is a step along n, not a place: the copy of the input is missing. Subtract from p what takes it "
                "to its mirror image.",
            ),
            (
                seen_from_the_crease,
                "This says where a point is as seen from the crease: it has z or |z| for a coordinate. Wanted is the "
                "place on the table, in the coordinates of p: begin with p, and subtract a step along n.",
            ),
            (
                one_of(
                    lambda p, n, c: p - 2 * relu(p @ n - c) * n,
                    lambda p, n, c: p - relu(p @ n - c) * n,
                    lambda p, n, c: p + 2 * relu(p @ n - c) * n,
                    lambda p, n, c: p - 2 * relu(p * n - c) * n,
                    lambda p, n, c: p - 2 * relu(p * n - c),
                    lambda p, n, c: p - 2 * relu(p @ n - c)[:, None],
                ),
                "Every point has one z, `p @ n - c`, and moves by a multiple of the whole row n. To multiply n by each "
                "z, turn these into a column: `z[:, None] * n`, here with the ReLU of z.",
            ),
        ],
    ),
    "03.block": Blank(
        "block",
        WEIGHTS,
        [
            (
                lambda p, W, b, V, d: (p @ W.T + b) @ V.T + d,
                "There is no ReLU here, so two affine maps make one affine map, and nothing folds. Put a ReLU around "
                "the units' sums, p @ W.T + b.",
            ),
        ],
        remarks=[
            (
                one_of(
                    lambda p, W, b, V, d: relu(relu(p @ W.T + b) @ V.T + d),
                    lambda p, W, b, V, d: relu((p @ W.T + b) @ V.T + d),
                    lambda p, W, b, V, d: relu(relu(p @ W.T + b) @ V.T) + d,
                    lambda p, W, b, V, d: relu((p @ W.T + b) @ V.T) + d,
                ),
                "A ReLU acts on what V makes here. It belongs on the units alone, before V: the new plane may have "
                "negative coordinates.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: relu(p @ W.T) @ V.T + d,
                    lambda p, W, b, V, d: relu(p @ W.T) @ V.T,
                    lambda p, W, b, V, d: (relu(p @ W.T) + b) @ V.T + d,
                    lambda p, W, b, V, d: (relu(p @ W.T) + b) @ V.T,
                    lambda p, W, b, V, d: relu(p @ W.T - b) @ V.T + d,
                    lambda p, W, b, V, d: relu(p @ W.T - b) @ V.T,
                ),
                "b is missing, subtracted or added after the ReLU. Add it to the units' sums before the ReLU, and d at "
                "the end: without b, all creases would run through the origin.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ V.T,
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ V.T - d,
                    lambda p, W, b, V, d: (p @ W.T + b) @ V.T,
                ),
                "The new plane is shifted by d, and that is missing here, or subtracted: add d at the end.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: p + relu(p @ W.T + b) @ V.T + d,
                    lambda p, W, b, V, d: p + relu(p @ W.T + b) @ V.T,
                    lambda p, W, b, V, d: p - relu(p @ W.T + b) @ V.T - d,
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ V.T + d - p,
                    lambda p, W, b, V, d: p + (p @ W.T + b) @ V.T + d,
                ),
                "The input p is added or subtracted here once more, as the skip connection of section 1 does. These "
                "blocks keep no copy: everything passes through the units.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ W + d,
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ W,
                    lambda p, W, b, V, d: relu(p @ V + b) @ W + d,
                    lambda p, W, b, V, d: relu(p @ V + b) @ V.T + d,
                ),
                "One matrix is used where the other belongs. W takes the points to the units, and V takes the units "
                "back to the plane: `@ W.T` before the ReLU, `@ V.T` after it.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: relu(p @ W + b) @ V.T + d,
                    lambda p, W, b, V, d: relu(p @ W.T + b) @ V + d,
                    lambda p, W, b, V, d: relu(p @ W + b) @ V + d,
                    lambda p, W, b, V, d: (p @ W + b) @ V + d,
                    lambda p, W, b, V, d: relu(W @ p.T + b) @ V.T + d,
                ),
                "A matrix is not transposed. W has a row for each unit and V a row for each coordinate, but points "
                "stand in rows: multiply them by `W.T`, and the units by `V.T`.",
            ),
            (
                one_of(
                    lambda p, W, b, V, d: (relu(p @ W.T + b) @ V.T + d).T,
                    lambda p, W, b, V, d: (relu(p @ W.T + b) @ V.T + d).T.reshape(p.shape),
                    lambda p, W, b, V, d: (relu(p @ W.T + b) @ V.T).T.reshape(p.shape) + d,
                    lambda p, W, b, V, d: (relu(p @ W.T + b) @ V.T).T,
                ),
                "The new points stand in columns here, or were reshaped out of columns, which mixes them up. Every row "
                "of p is a point, and so it has to be in the result: transpose with `.T`, and reshape nothing.",
            ),
        ],
    ),
    "03.accuracy": Blank(
        "accuracy",
        ANSWERS,
        [],
        remarks=[
            (
                one_of(
                    lambda outputs, y: (outputs.argmax(axis=1) != y).mean(),
                    lambda outputs, y: (outputs.argmin(axis=1) == y).mean(),
                    least=FAR,
                ),
                "This is the share of wrong answers. The network says the class whose output is larger, and right is "
                "where that equals y.",
            ),
            (
                one_of(
                    lambda outputs, y: ((outputs[:, 1] > 0) == y).mean(),
                    lambda outputs, y: ((outputs[:, 1] > 0.5) == y).mean(),
                    lambda outputs, y: ((outputs[:, 0] > 0) == y).mean(),
                    lambda outputs, y: ((outputs[:, 0] > 0.5) == y).mean(),
                    lambda outputs, y: ((outputs[:, 0] < 0) == y).mean(),
                    lambda outputs, y: ((outputs[:, 0] < 0.5) == y).mean(),
                    lambda outputs, y: (outputs.round()[:, 1] == y).mean(),
                    least=FAR,
                ),
                "This looks at one of the two outputs, and its size or sign alone decides nothing. Compare the two: "
                "`outputs.argmax(axis=1)` is the number of the larger one.",
            ),
            (
                one_of(
                    lambda outputs, y: ((outputs > 0) == y[:, None]).mean(),
                    lambda outputs, y: ((outputs > 0.5) == y[:, None]).mean(),
                    lambda outputs, y: (outputs == y[:, None]).mean(),
                    lambda outputs, y: (outputs.round() == y[:, None]).mean(),
                    lambda outputs, y: ((outputs > 0).sum(axis=1) == y).mean(),
                    lambda outputs, y: (outputs.max(axis=1) == y).mean(),
                    lambda outputs, y: (outputs.argmax() == y).mean(),
                    lambda outputs, y: (np.sign(outputs.max(axis=1)) == y).mean(),
                    lambda outputs, y: ((outputs.max(axis=1) > 0) == y).mean(),
                    lambda outputs, y: ((outputs.mean(axis=1) > 0) == y).mean(),
                    lambda outputs, y: ((outputs.sum(axis=1) > 0) == y).mean(),
                    least=FAR,
                ),
                "What is compared with y here is not the class that the network says. For each point, that is the "
                "number of its larger output, 0 or 1: `outputs.argmax(axis=1)`.",
            ),
            (
                one_of(
                    lambda outputs, y: (outputs.argmax(axis=1) * y).mean(),
                    lambda outputs, y: ((outputs.argmax(axis=1) == 0) & (y == 0)).mean(),
                    lambda outputs, y: (outputs.argmax(axis=1) * y).sum() / y.sum(),
                    lambda outputs, y: (outputs.argmax(axis=1) * y).sum() / outputs.argmax(axis=1).sum(),
                    lambda outputs, y: outputs.argmax(axis=1).mean(),
                    least=FAR,
                ),
                "This does not count right answers of both classes. An answer is right where it equals y, be it 0 or "
                "1: compare with ==, and take the mean over all points.",
            ),
            (
                one_of(
                    lambda outputs, y: outputs[np.arange(len(y)), y].mean(),
                    lambda outputs, y: outputs.max(axis=1).mean(),
                    lambda outputs, y: (outputs.argmax(axis=1) - y).mean(),
                    lambda outputs, y: (y - outputs.argmax(axis=1)).mean(),
                    lambda outputs, y: np.exp(outputs[np.arange(len(y)), y]).mean(),
                    lambda outputs, y: (np.exp(outputs[np.arange(len(y)), y]) / np.exp(outputs).sum(axis=1)).mean(),
                    least=FAR,
                ),
                "This is a mean of outputs, probabilities or differences, and it counts nothing. Compare the class of "
                "the larger output with y by ==, and take the mean of that.",
            ),
            (
                is_no_share,
                "A share lies between 0 and 1, and this does not. It is the number of right answers, divided by the "
                "number of points: `.mean()` of what is True or False, not `.sum()`, and no other factor.",
            ),
            (
                is_no(is_number),
                ONE_NUMBER,
            ),
        ],
    ),
    "03.probe": Blank(
        "probe_accuracy",
        [clouds(seed) for seed in (10, 20, 26, 42)],
        [
            (
                lambda X, y, new_X, new_y: fitted(X, y).score(X, y),
                "This scores the line on the points that it was fitted to, and they flatter it. Score it on new_X and "
                "new_y.",
            ),
            (
                lambda X, y, new_X, new_y: fitted(new_X, new_y).score(new_X, new_y),
                "This fits the line to the new points, which are there for the score alone. Fit it to X and y.",
            ),
            (
                lambda X, y, new_X, new_y: fitted(new_X, new_y).score(X, y),
                "The two sets of points have changed places. Fit the line to X and y, and score it on new_X and new_y.",
            ),
            (
                lambda X, y, new_X, new_y: fitted(X, y, C=1).score(new_X, new_y),
                "Without C=100 the line is fitted with scikit-learn's own C, which holds its weights back. Write "
                "`LogisticRegression(C=100, max_iter=1000)`.",
            ),
        ],
        remarks=[
            (
                one_of(
                    lambda X, y, new_X, new_y: fitted(X, y).score(
                        np.concatenate([X, new_X]), np.concatenate([y, new_y])
                    ),
                    lambda X, y, new_X, new_y: (fitted(X, y).score(X, y) + fitted(X, y).score(new_X, new_y)) / 2,
                    lambda X, y, new_X, new_y: fitted(X, y).score(X, y) - fitted(X, y).score(new_X, new_y),
                    lambda X, y, new_X, new_y: fitted(X, y).score(new_X, new_y) - fitted(X, y).score(X, y),
                    lambda X, y, new_X, new_y: fitted(np.concatenate([X, new_X]), np.concatenate([y, new_y])).score(
                        new_X, new_y
                    ),
                ),
                "The two sets are mixed here, in the fit or in the score. Fit the line to X and y alone, and score it "
                "on new_X and new_y alone.",
            ),
            (
                one_of(
                    lambda X, y, new_X, new_y: fitted(X, y).predict_proba(new_X).max(axis=1).mean(),
                    lambda X, y, new_X, new_y: fitted(X, y).predict_proba(new_X)[:, 1].mean(),
                    lambda X, y, new_X, new_y: fitted(X, y).predict_proba(new_X)[np.arange(len(new_y)), new_y].mean(),
                    lambda X, y, new_X, new_y: fitted(X, y).predict(new_X).mean(),
                    lambda X, y, new_X, new_y: fitted(X, y).decision_function(new_X).mean(),
                ),
                "This is a mean of what the line says, or of how sure it is, and not how often it is right. `score` "
                "compares what it says with new_y.",
            ),
            (
                is_no(is_number),
                ONE_NUMBER + " The method `score` does it.",
            ),
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
        ],
        remarks=[
            (
                one_of(
                    lambda alpha, now, start: alpha * np.abs(now - start),
                    lambda alpha, now, start: alpha * np.linalg.norm(now - start),
                    lambda alpha, now, start: alpha * (now - start) ** 2,
                    lambda alpha, now, start: np.abs(alpha * now - start),
                    lambda alpha, now, start: np.abs(now - start),
                ),
                "This has lost its signs: absolute values, squares and lengths are never negative, but an output may "
                "be. Return α times now − start as it is.",
            ),
            (
                one_of(
                    lambda alpha, now, start: alpha * now,
                    lambda alpha, now, start: alpha * start,
                    lambda alpha, now, start: alpha * (now + start),
                    lambda alpha, now, start: alpha * now + start,
                ),
                "This is not 0 at the start of training. Subtract what the network said then, and multiply the "
                "difference by α.",
            ),
            (
                one_of(
                    lambda alpha, now, start: now - start,
                    lambda alpha, now, start: (now - start) / alpha,
                    lambda alpha, now, start: (now - start) * alpha**2,
                    lambda alpha, now, start: (now - start) / alpha**2,
                    lambda alpha, now, start: start - now,
                ),
                "The difference is not multiplied by α here, but by 1 or another number. Multiply now − start by α.",
            ),
            (
                one_of(
                    lambda alpha, now, start: alpha * (start - now),
                    lambda alpha, now, start: start - alpha * now,
                    lambda alpha, now, start: alpha * start - now,
                ),
                "The signs are the wrong way round. What the network says now counts positively, and what it said at "
                "the start is subtracted: α times now − start.",
            ),
            (
                one_of(
                    lambda alpha, now, start: alpha * now + (1 - alpha) * start,
                    lambda alpha, now, start: (1 - alpha) * now + alpha * start,
                    lambda alpha, now, start: now + alpha * (now - start),
                    lambda alpha, now, start: now - alpha * (now - start),
                    lambda alpha, now, start: now - alpha * start,
                ),
                "Some of what the network says now, or said at the start, is left over here, beside the difference or "
                "without its α. Return α times now − start, and nothing more.",
            ),
            (
                one_of(
                    lambda alpha, now, start: alpha * (now - now.mean()),
                    lambda alpha, now, start: alpha * (now - start.mean()),
                    lambda alpha, now, start: alpha * (now - start).mean(),
                    lambda alpha, now, start: alpha * (now.mean() - start.mean()),
                    lambda alpha, now, start: alpha * ((now - start) - (now - start).mean()),
                    lambda alpha, now, start: alpha * (now - now[0]),
                ),
                "A mean over the points, or a single point, stands here where each output has its own. Subtract from "
                "every output what the network said at the start for the same input: α times now − start.",
            ),
        ],
    ),
    "03c.kernel": Blank(
        "next_kernel",
        LAYERS,
        [],
        remarks=[
            (
                one_of(
                    lambda s, t, q: q * both(s / q),
                    lambda s, t, q: t * both_on(s / q),
                    lambda s, t, q: t * both(s / q),
                    lambda s, t, q: both(s / q),
                ),
                "This is one part of the kernel. It has two: the layer's own weights bring q · both(s / q), and all "
                "weights before it bring t · both_on(s / q). Add them up.",
            ),
            (
                one_of(
                    lambda s, t, q: q * both(s / q) + t * both(s / q),
                    lambda s, t, q: q * both(s / q) + t,
                    lambda s, t, q: q * both(s / q) + t * s / q,
                    lambda s, t, q: q * both(s / q) + t / 2,
                ),
                "The old kernel t has the wrong factor, or none. It comes through ReLU's slope, which is 1 where both "
                "units are on and 0 elsewhere: multiply t by both_on(s / q).",
            ),
            (
                one_of(
                    lambda s, t, q: q * both(s / q) + both_on(s / q),
                    lambda s, t, q: q * both(s / q) + s * both_on(s / q),
                    lambda s, t, q: q * both(s / q) + q * both_on(s / q),
                    lambda s, t, q: q * both(s / q) + (1 - t) * both_on(s / q),
                ),
                "both_on(s / q) has the wrong factor, or none. Its part comes from the weights of the layers before, "
                "whose kernel is t: multiply it by t.",
            ),
            (
                one_of(
                    lambda s, t, q: q * both_on(s / q) + t * both(s / q),
                    lambda s, t, q: t * both(s / q) + s * both_on(s / q),
                    lambda s, t, q: s * both_on(s / q) + t * both(s / q),
                    lambda s, t, q: q * both_on(s / q) + t * both_on(s / q),
                    lambda s, t, q: q * both_on(s) + t * both(s),
                ),
                "both and both_on do not stand where they belong. The layer's own weights bring q · both(s / q), and "
                "both_on(s / q) goes with the old kernel t.",
            ),
            (
                one_of(
                    lambda s, t, q: s * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: both(s / q) + t * both_on(s / q),
                    lambda s, t, q: s / q * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: t * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: q**2 * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: np.sqrt(q) * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: q + t * both_on(s / q),
                    lambda s, t, q: s + t * both_on(s / q),
                ),
                "The first part, which the layer's own weights bring, is not yet the next layer's mean product. That "
                "is q · both(s / q), with the mean square q for its factor.",
            ),
            (
                one_of(
                    lambda s, t, q: q * both(s) + t * both_on(s),
                    lambda s, t, q: q * both(q / s) + t * both_on(q / s),
                    lambda s, t, q: q * both(s / np.sqrt(q)) + t * both_on(s / np.sqrt(q)),
                    lambda s, t, q: q * both(s / q**2) + t * both_on(s / q**2),
                    lambda s, t, q: q * both(s * q) + t * both_on(s * q),
                    lambda s, t, q: q * both(q) + t * both_on(q),
                    lambda s, t, q: q * both(t / q) + t * both_on(t / q),
                    lambda s, t, q: q * both(t) + t * both_on(t),
                    lambda s, t, q: q * both(s / q) + t * both_on(s),
                    lambda s, t, q: q * both(s) + t * both_on(s / q),
                    lambda s, t, q: q * both(s / q) + t * both_on(t / q),
                ),
                "both or both_on is not given the correlation of the two sums. That is s / q: put it into both "
                "functions.",
            ),
            (
                one_of(
                    lambda s, t, q: q * both(s / q) * t * both_on(s / q),
                    lambda s, t, q: q * both(s / q) - t * both_on(s / q),
                    lambda s, t, q: q * both(s / q) * (1 + both_on(s / q)),
                    lambda s, t, q: (q * both(s / q) + t) * both_on(s / q),
                    lambda s, t, q: q * (both(s / q) + t * both_on(s / q)),
                    lambda s, t, q: t + q * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: s + q * both(s / q) + t * both_on(s / q),
                ),
                "The two parts are not put together as they should be. They are q · both(s / q) and t · both_on(s / "
                "q), each with its own factor: add them up, and nothing else.",
            ),
            (
                one_of(
                    lambda s, t, q: 2 * (q * both(s / q) + t * both_on(s / q)),
                    lambda s, t, q: (q * both(s / q) + t * both_on(s / q)) / 2,
                    lambda s, t, q: 2 * q * both(s / q) + t * both_on(s / q),
                    lambda s, t, q: q * both(s / q) / 2 + t * both_on(s / q),
                    lambda s, t, q: q * both(s / q) + 2 * t * both_on(s / q),
                ),
                "There is a factor of 2 or ½ too many: both and both_on contain it already. Leave it out.",
            ),
        ],
    ),
}
