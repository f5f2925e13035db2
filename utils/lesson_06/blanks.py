"""The lines that lesson 06's pages leave to their reader: what each is tried on, and the mistakes that have a hint.

A mistake is one wrong line. A remark has several that want the same word, or says what is to be done, where nothing
else is known.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.blanks import Blank
from utils.exercises.definition import Inputs
from utils.exercises.rules import Rule, has_wrong, same_to_four_digits

NORMAL = np.random.default_rng(6).standard_normal((4, 3, 3)).round(1)
TALL, WIDE = np.array([[0.5, -1.2], [2.1, 0.3], [0.1, 0.7]]), np.array([[1.1, -0.5, 0.2, 0.8]])


def any_of(*ways: Callable) -> Rule:
    """Return a rule: the value is what one of these wrong functions returns, where that can be computed."""

    def returns(way: Callable, given: Inputs, value: object) -> bool:
        try:
            return bool(same_to_four_digits(value, way(*given.values())))
        except ValueError:  # shapes that do not fit, which explains an answer that stops there
            return value is None

    return lambda given, value, expected: any(returns(way, given, value) for way in ways)


def otherwise(given: Inputs, value: object, expected: object) -> bool:
    """Return that this is so, of every answer: a rule for the last of a blank's remarks."""
    return True


# --- lines that several mistakes share --------------------------------------------------------------------


def scaled(Z, gain, n):
    return gain / np.sqrt(n) * Z


def factors(gain, ratio):
    return gain**2 / 2, gain**2 / 2 * ratio


def softmax(x, axis=None):
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def times(Z, value):
    return same_to_four_digits(value, Z * (np.sum(Z * value) / np.sum(Z**2)))


def slope(u):
    return 1 - np.tanh(u) ** 2


def singular(signals):
    return np.linalg.svd(signals, compute_uv=False)


def squares(signals):
    return singular(signals) ** 2


def scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def mixture(scores, V):
    return softmax(scores, axis=1) @ V


def rest(X):
    return X - X.mean(axis=0)


def norm(X):
    return np.linalg.norm(X)


BLANKS = {
    "06.scaled": Blank(
        "scaled",
        [(TALL, 1.5), (WIDE, 0.7), (TALL.T, 2.2), (NORMAL[0, :2], 1.3)],
        [
            (
                lambda Z, gain: gain * Z / Z.shape[1],
                "This divides the standard deviation by n. But n divides the variance, so divide by the root of n.",
            ),
            (
                lambda Z, gain: scaled(Z, gain, len(Z)),
                "This counts units, the rows of Z. A unit's sum runs over its inputs, so take the number of columns.",
            ),
            (
                lambda Z, gain: gain * Z,
                "These have standard deviation g, whatever n is. The more terms a sum has, the smaller each must be: "
                "divide by the root of n.",
            ),
            (
                lambda Z, gain: np.sqrt(gain / Z.shape[1]) * Z,
                "This takes the root of the gain, too. Only n belongs under the root.",
            ),
            (
                lambda Z, gain: gain**2 / Z.shape[1] * Z,
                "This multiplies by the variance. Multiply by its square root, the standard deviation.",
            ),
            (
                lambda Z, gain: scaled(Z, 1, Z.shape[1]),
                "The gain is missing: these weights have gain 1. Multiply them by the gain.",
            ),
        ],
        [
            (
                lambda given, value, expected: times(given["Z"], value),
                "This is Z times one number, as it should be, but not times the right one. That is the standard "
                "deviation: the gain itself, over the root of the number of columns, and nothing else.",
            ),
            (
                otherwise,
                "This is not Z times one number. Multiply Z itself by the standard deviation, g/√n, where n is the "
                "number of its columns.",
            ),
        ],
    ),
    "06.factors": Blank(
        "factors",
        [(1.3, 30, 70), (0.9, 50, 20), (2.2, 8, 12), (1.7, 100, 45)],
        [
            (
                lambda gain, n_in, n_out: (gain**2, gain**2 * n_out / n_in),
                "This is what the weights do. ReLU is missing: it keeps half of the squares, in both directions.",
            ),
            (
                lambda gain, n_in, n_out: factors(gain, 1),
                "Forwards it is right. But going back, another number of terms is added up: look at line 3.",
            ),
            (
                lambda gain, n_in, n_out: factors(gain, n_out / n_in)[::-1],
                "Both factors are there, but in the wrong order: return the one for the way forwards first.",
            ),
        ],
        [
            (
                lambda given, value, expected: same_to_four_digits(tuple(one**2 for one in value), expected),
                "These are the factors of the size. Those of the mean square are wanted: leave out the root.",
            ),
            (
                any_of(
                    *(
                        lambda gain, n_in, n_out, by=by, half=half: tuple(half * gain**2 * n for n in by(n_in, n_out))
                        for half in (1, 1 / 2)
                        for by in (
                            lambda n_in, n_out: (n_in, n_out),
                            lambda n_in, n_out: (n_out, n_in),
                            lambda n_in, n_out: (1 / n_in, 1 / n_out),
                            lambda n_in, n_out: (1 / n_in, 1 / n_in),
                            lambda n_in, n_out: (n_in, n_in),
                            lambda n_in, n_out: (n_out / n_in, n_in / n_out),
                        )
                    )
                ),
                "The numbers of terms are not right. Line 1 adds up n_in terms and line 3 n_out, and in each a weight "
                "brings its variance, g²/n_in.",
            ),
            (
                has_wrong(0, same=same_to_four_digits),
                "Backwards it is right. Forwards, the n_in terms of line 1 cancel against the variance g²/n_in, and "
                "line 2 keeps half: no n is left.",
            ),
            (
                has_wrong(1, same=same_to_four_digits),
                "Forwards it is right. Going back, line 3 multiplies by n_out times the variance g²/n_in, and line 4 "
                "keeps half of that.",
            ),
            (
                otherwise,
                "Two factors are wanted. The first is what lines 1 and 2 make together, the second what lines 3 and 4 "
                "make. In both, a weight brings its variance, g²/n_in, and ReLU one half.",
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
                "The weights are right, but the tanh of the layer below is missing: multiply by its slope at u.",
            ),
            (
                lambda delta, W, u: (W.T @ delta) * (u > 0),
                "That is ReLU's slope. Here the layer below has tanh, whose slope is 1 − tanh².",
            ),
            (
                lambda delta, W, u: W.T @ (delta * slope(u)),
                "This multiplies by the slopes before the weights. But u belongs to the layer below, so first go back "
                "through the weights, then multiply.",
            ),
        ],
        [
            (
                any_of(
                    lambda delta, W, u: W @ delta,
                    lambda delta, W, u: W @ (delta * slope(u)),
                    *(
                        lambda delta, W, u, by=by: (W @ delta) * by(u)
                        for by in (slope, np.tanh, lambda u: u > 0, lambda u: 1 - np.tanh(u), lambda u: 1 - u**2)
                    ),
                ),
                "W is not transposed. A row of it belongs to a unit above. A unit below collects what comes along its "
                "column, so begin with W.T @ delta.",
            ),
            (
                any_of(
                    lambda delta, W, u: delta,
                    *(
                        lambda delta, W, u, by=by: delta * by(u)
                        for by in (slope, np.tanh, lambda u: u > 0, lambda u: 1 - np.tanh(u), lambda u: 1 - u**2)
                    ),
                ),
                "The weights are missing. First go back through them, W.T @ delta; then multiply by the slope, "
                "1 − tanh².",
            ),
            (
                any_of(
                    lambda delta, W, u: W.T @ delta - np.tanh(u) ** 2,
                    lambda delta, W, u: W.T @ delta - np.tanh(u),
                    lambda delta, W, u: W.T @ delta + slope(u),
                    lambda delta, W, u: W.T @ delta - slope(u),
                ),
                "Something is added or subtracted at the end. A slope multiplies: put 1 − tanh² in brackets, and a * "
                "before them.",
            ),
            (
                any_of(
                    *(
                        lambda delta, W, u, by=by: (W.T @ delta) * by(u)
                        for by in (
                            np.tanh,
                            lambda u: u,
                            lambda u: 1 - np.tanh(u),
                            lambda u: (1 - np.tanh(u)) ** 2,
                            lambda u: 1 - np.tanh(u**2),
                            lambda u: 1 - u**2,
                            lambda u: 1 - u,
                            lambda u: u * (1 - u),
                            lambda u: np.tanh(u) * (1 - np.tanh(u)),
                            lambda u: 1 + np.tanh(u) ** 2,
                            lambda u: np.tanh(u) ** 2,
                            lambda u: np.tanh(u) ** 2 - 1,
                            lambda u: slope(np.tanh(u)),
                            lambda u: slope(u) ** 2,
                            lambda u: np.sqrt(slope(u)),
                            lambda u: 1 / slope(u),
                            lambda u: slope(u) / 2,
                            lambda u: slope(u).mean(),
                            lambda u: slope(u).sum(),
                            lambda u: np.mean(slope(u) ** 2),
                            lambda u: slope(u).mean(axis=0),
                            lambda u: slope(u).mean(axis=1, keepdims=True),
                            lambda u: 1 / np.cosh(u),
                            lambda u: np.abs(u) < 1,
                            lambda u: np.tanh(u) > 0,
                        )
                    ),
                    lambda delta, W, u: (W.T @ delta) * slope(W.T @ delta),
                    lambda delta, W, u: (W.T @ delta) * slope(W @ u),
                    lambda delta, W, u: (W.T @ delta) * slope(delta),
                ),
                "The weights are right, but what follows is not tanh's slope at u. Multiply each entry by its own "
                "1 − tanh(u)²: tanh is squared, the slope is not, and nothing is averaged.",
            ),
            (
                otherwise,
                "Two factors are wanted, and no more. W.T @ delta takes the gradient back through the weights; "
                "(1 − np.tanh(u) ** 2), in brackets, multiplies each entry of the result by its slope.",
            ),
        ],
    ),
    "06.uniform": Blank(
        "gain_of",
        [(0.1, 50), (0.33, 7), (0.052, 300), (1.21, 2)],
        [
            (
                lambda bound, n_in: bound * np.sqrt(n_in),
                "This takes the bound, the largest weight, for the standard deviation. Take the root of the variance "
                "b²/3 instead.",
            ),
            (
                lambda bound, n_in: bound / np.sqrt(3),
                "This is the standard deviation. The gain says how many times 1/√n_in that is: multiply by √n_in.",
            ),
            (
                lambda bound, n_in: bound * np.sqrt(n_in / 12),
                "That is right for a width of b. From −b to b it is 2b, so the variance is b²/3, not b²/12.",
            ),
        ],
        [
            (
                any_of(
                    lambda bound, n_in: bound * np.sqrt(n_in) / 3,
                    lambda bound, n_in: bound / 3,
                    lambda bound, n_in: bound * np.sqrt(n_in * 3),
                    lambda bound, n_in: bound * np.sqrt(n_in) * 3,
                    lambda bound, n_in: bound * np.sqrt(3),
                ),
                "The 3 is not where it belongs. The variance is b²/3, so the standard deviation is b/√3: divide by "
                "the root of 3, and multiply by √n_in.",
            ),
            (
                any_of(
                    *(
                        lambda bound, n_in, by=by, power=power: bound * by * float(n_in) ** power
                        for by in (1 / np.sqrt(3), 1, 1 / 3, np.sqrt(3), 1 / np.sqrt(12), 1 / 2)
                        for power in (-1, -0.5, 1)
                    ),
                ),
                "Here n_in enters in the wrong way. The standard deviation, b/√3, is the gain over √n_in, so to get "
                "the gain multiply it by √n_in.",
            ),
            (
                any_of(
                    *(
                        lambda bound, n_in, by=by, power=power: by * float(n_in) ** power
                        for by in (1 / np.sqrt(3), 1, 1 / 3, np.sqrt(3), 1 / np.sqrt(12))
                        for power in (-1, -0.5, 0.5, 1)
                    ),
                ),
                "The bound is missing. Begin with the standard deviation, b/√3, and multiply it by √n_in.",
            ),
            (
                any_of(
                    *(
                        lambda bound, n_in, by=by: bound**2 * by(n_in)
                        for by in (
                            lambda n: n / 3,
                            lambda n: 1 / 3,
                            lambda n: np.sqrt(n) / 3,
                            lambda n: 1 / (3 * n),
                            lambda n: 1 / (3 * np.sqrt(n)),
                            lambda n: np.sqrt(n / 3),
                            lambda n: n,
                            lambda n: n / 12,
                            lambda n: 1 / np.sqrt(3),
                            lambda n: 1,
                            lambda n: np.sqrt(n),
                        )
                    ),
                ),
                "This has b² in it, as the variance has. The gain belongs to the standard deviation, so take the root "
                "of the variance b²/3, then multiply by √n_in.",
            ),
            (
                otherwise,
                "Two steps are wanted. The standard deviation is the root of the variance b²/3, so it is b/√3. The "
                "gain is that over 1/√n_in.",
            ),
        ],
    ),
    "06.direction": Blank(
        "largest_share",
        [(TALL,), (NORMAL[0],), (NORMAL[1, :, :2],), (NORMAL[2],)],
        [
            (
                lambda signals: singular(signals)[0] / np.sqrt(squares(signals).sum()),
                "This is a share of the size. Square it: the share of the squared signal is wanted.",
            ),
            (
                lambda signals: squares(signals)[-1] / squares(signals).sum(),
                "This is the smallest direction: singular values come with the largest first.",
            ),
            (
                lambda signals: squares(rest(signals))[0] / squares(rest(signals)).sum(),
                "This takes off each unit's mean first, as principal components do. Take the signals as they are.",
            ),
        ],
        [
            (
                any_of(
                    lambda signals: singular(signals)[0] / singular(signals).sum(),
                    lambda signals: squares(signals)[0] / singular(signals).sum() ** 2,
                    lambda signals: singular(signals)[0] / squares(signals).sum(),
                    lambda signals: squares(signals)[0] / singular(signals).sum(),
                ),
                "A square is missing, or comes too late. Sizes in perpendicular directions do not add up, but their "
                "squares do: square each singular value first, above the line and below.",
            ),
            (
                any_of(
                    lambda signals: squares(signals)[0],
                    lambda signals: singular(signals)[0],
                    lambda signals: squares(signals)[0] / len(signals),
                    lambda signals: squares(signals)[0] / signals.size,
                    lambda signals: squares(signals)[0] / len(singular(signals)),
                    lambda signals: squares(signals)[0] / squares(signals).mean(),
                ),
                "This is not a share yet. Divide the largest direction's squared value by the sum of all squared "
                "values.",
            ),
            (
                any_of(
                    *(
                        lambda signals, axis=axis: np.max((signals**2).sum(axis=axis)) / np.sum(signals**2)
                        for axis in (0, 1)
                    ),
                    lambda signals: np.max(signals**2) / np.sum(signals**2),
                    lambda signals: np.max(np.abs(signals).sum(axis=0)) / np.abs(signals).sum(),
                ),
                "This takes the largest single unit, image or entry. A direction mixes units: take the singular "
                "values, the first one squared, over the sum of all their squares.",
            ),
            (
                any_of(
                    lambda signals: squares(signals)[0] / squares(signals)[1:].sum(),
                    lambda signals: squares(signals)[1:].sum() / squares(signals).sum(),
                    lambda signals: singular(signals)[0] / singular(signals)[1:].sum(),
                    *(
                        lambda signals, at=at, power=power: (singular(signals)[0] / singular(signals)[at]) ** power
                        for at in (1, -1)
                        for power in (1, 2)
                    ),
                    lambda signals: singular(signals)[0] - singular(signals)[1],
                ),
                "This compares directions with each other. A share is of the whole: put the square of the first "
                "singular value over the sum of all squares, its own included.",
            ),
            (
                otherwise,
                "One number is wanted, from the singular values of the signals: the first one squared, over the sum "
                "of the squares of all of them.",
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
                lambda Q, K, V: mixture(Q @ K.T, V),
                "The scores are not divided by √d. The wider the rows, the larger a product gets by chance.",
            ),
            (
                lambda Q, K, V: softmax(scores(Q, K) @ V, axis=1),
                "The softmax comes last here. It has to make shares of the scores first; then these mix the rows of V.",
            ),
        ],
        [
            (
                any_of(
                    lambda Q, K, V: mixture(Q @ K.T / Q.shape[1], V),
                    lambda Q, K, V: mixture(Q @ K.T / Q.shape[1] ** 2, V),
                    lambda Q, K, V: mixture(Q @ K.T * np.sqrt(Q.shape[1]), V),
                    lambda Q, K, V: mixture(Q @ K.T / np.sqrt(len(Q)), V),
                    lambda Q, K, V: mixture(Q @ K.T / len(Q), V),
                    lambda Q, K, V: mixture(Q @ K.T / np.sqrt(V.shape[1]), V),
                    lambda Q, K, V: mixture(Q @ K.T / np.sqrt(Q.size), V),
                    lambda Q, K, V: mixture(Q @ K.T, V) / np.sqrt(Q.shape[1]),
                    lambda Q, K, V: mixture(Q @ K.T / np.linalg.norm(Q), V),
                ),
                "The scores are divided by another number than √d, or too late. Divide them by the square root of d, "
                "the number of columns of Q, before the softmax.",
            ),
            (
                any_of(
                    lambda Q, K, V: softmax(scores(Q, K), axis=0) @ V,
                    lambda Q, K, V: softmax(scores(Q, K)) @ V,
                    lambda Q, K, V: softmax(Q @ K.T, axis=0) @ V,
                    lambda Q, K, V: softmax(Q @ K.T) @ V,
                ),
                "The shares of a query do not add up to 1 here. A row of the scores belongs to one query, so the "
                "softmax has to go along the rows: axis=1.",
            ),
            (
                any_of(
                    lambda Q, K, V: scores(Q, K) @ V,
                    lambda Q, K, V: Q @ K.T @ V,
                    lambda Q, K, V: Q @ K.T / Q.shape[1] @ V,
                    lambda Q, K, V: scores(Q, K) / scores(Q, K).sum(axis=1, keepdims=True) @ V,
                    lambda Q, K, V: np.exp(scores(Q, K)) @ V,
                ),
                "There is no softmax here. The scores become shares only through it, along each row; then they mix "
                "the rows of V.",
            ),
            (
                any_of(
                    lambda Q, K, V: softmax(scores(Q, K), axis=1),
                    lambda Q, K, V: softmax(Q @ K.T, axis=1),
                    lambda Q, K, V: softmax(scores(Q, K), axis=0),
                    lambda Q, K, V: softmax(scores(Q, K)),
                    lambda Q, K, V: scores(Q, K),
                    lambda Q, K, V: softmax(scores(Q, K), axis=1) * V,
                ),
                "V is not mixed yet. What comes out is the matrix product of the shares and V: end the line with @ V.",
            ),
            (
                any_of(
                    lambda Q, K, V: mixture(scores(K, Q), V),
                    lambda Q, K, V: mixture(K @ Q.T, V),
                    lambda Q, K, V: softmax(scores(Q, K), axis=1).T @ V,
                    lambda Q, K, V: softmax(scores(K, Q), axis=0) @ V,
                    lambda Q, K, V: mixture(Q.T @ K / np.sqrt(Q.shape[1]), V),
                    lambda Q, K, V: mixture(Q @ K / np.sqrt(Q.shape[1]), V),
                    lambda Q, K, V: mixture(scores(Q, K), V.T),
                    lambda Q, K, V: V @ softmax(scores(Q, K), axis=1),
                    lambda Q, K, V: V.T @ softmax(scores(Q, K), axis=1),
                    lambda Q, K, V: mixture(scores(Q, V), K),
                    lambda Q, K, V: mixture(scores(V, K), Q),
                    lambda Q, K, V: mixture(scores(Q, Q), V),
                    lambda Q, K, V: mixture(scores(Q, K), K),
                    lambda Q, K, V: mixture(scores(Q, K), Q),
                ),
                "A matrix is in the wrong place, or wrongly transposed. Row i of the scores has query i against all "
                "keys, Q @ K.T, and its shares mix the rows of V.",
            ),
            (
                otherwise,
                "Three steps are wanted, in this order: scores Q @ K.T / √d, with d the number of columns of Q; their "
                "softmax along each row, axis=1; and the product of that with V.",
            ),
        ],
    ),
    "06c.apart": Blank(
        "apart",
        [(TALL,), (NORMAL[0],), (NORMAL[1, :, :2],), (NORMAL[2],)],
        [
            (
                lambda X: (norm(rest(X)) / norm(X)) ** 2,
                "This is the share of the squares. A norm is the square root of their sum: take the root.",
            ),
            (
                lambda X: norm(X - X.mean(axis=0) / norm(X)),
                "Only the mean is divided here. Close the bracket of the first norm behind the mean, then divide.",
            ),
        ],
        [
            (
                any_of(
                    *(
                        lambda X, row=row: norm(X - row(X)) / norm(X)
                        for row in (
                            lambda X: X.mean(axis=1, keepdims=True),
                            np.mean,
                            lambda X: X[0],
                            lambda X: X[-1],
                            lambda X: X.sum(axis=0),
                            lambda X: np.median(X, axis=0),
                            lambda X: X.mean(axis=1),
                            lambda X: X.max(axis=0),
                        )
                    ),
                    lambda X: norm(X - X.mean(axis=1, keepdims=True)),
                ),
                "This does not take off the mean of all rows. The row to take off from each is X.mean(axis=0), the "
                "mean down the columns.",
            ),
            (
                any_of(
                    lambda X: norm(rest(X)),
                    lambda X: norm(rest(X)) / norm(X.mean(axis=0)),
                    lambda X: norm(rest(X)) / norm(X - rest(X)),
                    lambda X: norm(X) / norm(rest(X)),
                    lambda X: norm(rest(X)) / X.size,
                    lambda X: norm(rest(X)) / len(X),
                    lambda X: norm(rest(X)) / np.sqrt(len(X)),
                    lambda X: norm(rest(X)) / np.sqrt(X.size),
                    lambda X: norm(rest(X)) / norm(X) ** 2,
                    lambda X: norm(rest(X)) / np.sum(X**2),
                    lambda X: norm(rest(X)) / X.sum(),
                    lambda X: norm(rest(X)) / np.abs(X).sum(),
                ),
                "The norm of what is left is right. To make it a share of all there is, divide it by the norm of X.",
            ),
            (
                any_of(
                    lambda X: (norm(X) - norm(X.mean(axis=0))) / norm(X),
                    lambda X: (norm(X) - norm(X - rest(X))) / norm(X),
                    lambda X: norm(X) - norm(X.mean(axis=0)),
                    lambda X: norm(X) - norm(X - rest(X)),
                    lambda X: abs(norm(X) - norm(X.mean(axis=0))) / norm(X.mean(axis=0)),
                    lambda X: 1 - norm(X.mean(axis=0)) ** 2 / norm(X) ** 2,
                    lambda X: norm(X.mean(axis=0)) / norm(X),
                    lambda X: norm(X - rest(X)) / norm(X),
                ),
                "This takes the norm of the mean by itself. Subtract the mean row from X first, then take the norm of "
                "the difference, over the norm of X.",
            ),
            (
                any_of(
                    lambda X: np.abs(rest(X)).sum() / np.abs(X).sum(),
                    lambda X: np.abs(rest(X)).mean(),
                    lambda X: np.abs(rest(X)).max() / np.abs(X).max(),
                    *(
                        lambda X, order=order: np.linalg.norm(rest(X), order) / np.linalg.norm(X, order)
                        for order in (1, 2, np.inf, "nuc")
                    ),
                    *(
                        lambda X, axis=axis: np.mean(np.linalg.norm(rest(X), axis=axis) / np.linalg.norm(X, axis=axis))
                        for axis in (0, 1)
                    ),
                    *(lambda X, axis=axis: np.linalg.norm(rest(X), axis=axis) / norm(X) for axis in (0, 1)),
                    *(
                        lambda X, axis=axis: np.linalg.norm(rest(X), axis=axis) / np.linalg.norm(X, axis=axis)
                        for axis in (0, 1)
                    ),
                    lambda X: np.linalg.norm(rest(X), axis=1).mean() / np.linalg.norm(X, axis=1).mean(),
                    lambda X: np.linalg.norm(rest(X), axis=1).sum() / np.linalg.norm(X, axis=1).sum(),
                ),
                "This measures with another norm. The one that is meant is the root of the sum of all squared "
                "entries: np.linalg.norm of the whole matrix, without an order or an axis.",
            ),
            (
                any_of(
                    lambda X: rest(X) / norm(X),
                    lambda X: rest(X),
                    lambda X: X.std(axis=0) / norm(X),
                    lambda X: X.std(axis=0).mean(),
                    lambda X: X.std() / norm(X),
                    lambda X: X.var() / np.mean(X**2),
                    lambda X: X.std() / np.sqrt(np.mean(X**2)),
                    lambda X: rest(X).sum() / X.sum(),
                    lambda X: rest(X).sum() / norm(X),
                ),
                "The norm of what is left is missing here. Take off the mean row, X.mean(axis=0), and put "
                "np.linalg.norm around the difference, then divide by the norm of X.",
            ),
            (
                otherwise,
                "Two norms are wanted, one over the other: that of X − X.mean(axis=0), and that of X. Both are "
                "np.linalg.norm of a whole matrix.",
            ),
        ],
    ),
}
