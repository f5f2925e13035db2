"""Exercise 06.6: an orthogonal matrix from standard normal numbers, by Gram and Schmidt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Rule, Way, hints_of, returned_by, same_to_four_digits

SHAPES = ((2, 2), (3, 3), (4, 4), (5, 3), (7, 2), (6, 4), (3, 5), (2, 6), (4, 7))
LEAST = 0.3  # length of what is left of a column, so that no digits are lost
Change = Callable[[np.ndarray], np.ndarray]  # from a square or a tall matrix to one of its shape


def worked_example() -> Given:
    """The second column is 2 times the direction of the first and 5 times one that is perpendicular to it."""
    return {"normal": np.array([[3.0, -2.0], [4.0, 4.0], [0.0, 3.0]]), "gain": 2.0}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return matrices of all SHAPES in a random order."""
    return [matrix(rng, SHAPES[i]) for i in rng.permutation(len(SHAPES))]


def matrix(rng: np.random.Generator, shape: tuple[int, int]) -> Given:
    """Return a matrix whose columns, or rows if it is wide, are far from dependent, and a gain other than 1."""
    while True:
        normal = rng.normal(size=shape).round(3)
        tall = normal if shape[0] >= shape[1] else normal.T
        if np.abs(np.diag(np.linalg.qr(tall)[1])).min() > LEAST:
            return {
                "normal": normal,
                "gain": round(float(rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.3, 2.2)])), 2),
            }


def signs_vary(cases: list[Given]) -> bool:
    """Return whether QR has both signs on R's diagonal for the three square matrices, all that allow signs of rows."""
    square = [given["normal"] for given in cases if np.ptp(given["normal"].shape) == 0]
    return all(np.ptp(np.sign(np.diag(np.linalg.qr(one)[1]))) > 0 for one in square)


# --- what comes of which way to make it orthogonal ----------------------------------------------------------


def on_columns(change: Change, power: float = 1.0) -> Way:
    """Return the way that changes the matrix, transposed where it is wide, times a power of the gain."""

    def way(given: Given) -> np.ndarray:
        normal = given["normal"]
        tall = normal.shape[0] >= normal.shape[1]
        return given["gain"] ** power * (change(normal) if tall else change(normal.T).T)

    return way


def _gram_schmidt(tall: np.ndarray) -> np.ndarray:
    Q, R = np.linalg.qr(tall)
    return Q * np.sign(np.diag(R))


def _nearest(tall: np.ndarray) -> np.ndarray:
    U, _, V = np.linalg.svd(tall, full_matrices=False)
    return U @ V


def _unit_columns(tall: np.ndarray) -> np.ndarray:
    return tall / np.linalg.norm(tall, axis=0)


def against(others: Callable[[np.ndarray, list[np.ndarray]], list[np.ndarray]]) -> Change:
    """Return what takes from each column its shadows on some others, all at once, and normalises what is left."""

    def change(tall: np.ndarray) -> np.ndarray:
        made: list[np.ndarray] = []
        for column in tall.T:
            left = column - sum(((one @ column) * one for one in others(tall, made)), np.zeros(len(tall)))
            made.append(left / np.linalg.norm(left))
        return np.array(made).T

    return change


def on_unnormalised(tall: np.ndarray, *, in_turn: bool) -> np.ndarray:
    """Normalise at the end, when shadows have been taken on what was left: of each column, or of what it has become."""
    made = tall.copy()
    for place, column in enumerate(tall.T):
        for one in made.T[:place]:
            made[:, place] -= (one @ (made[:, place] if in_turn else column)) * one
    return _unit_columns(made)


def divided(side: Callable[[tuple[int, int]], int]) -> Way:
    """Return the way that divides by the root of a number of rows or columns, as for independent weights."""
    return lambda given: right(given) / side(given["normal"].shape) ** 0.5


right = on_columns(_gram_schmidt)
as_qr_returns = on_columns(lambda tall: np.linalg.qr(tall)[0])
MISTAKES = [
    (on_columns(_gram_schmidt, power=0),
     "The gain is missing: multiply by it at the end."),
    (on_columns(_gram_schmidt, power=2), on_columns(_gram_schmidt, power=0.5),
     "The gain multiplies the matrix itself, neither squared nor its root: each column, or row, is as long as the "
     "gain."),
    (divided(max), divided(min), divided(lambda shape: shape[0]), divided(lambda shape: shape[1]),
     "You divide by the root of a number of rows or columns. Independent weights need that; here each column, or row, "
     "is to have the length `gain` as it is."),
    (on_columns(_nearest),
     "This is the orthogonal matrix that is nearest to `normal`. It is distributed uniformly as well, but the steps "
     "that are asked for lead to another: the first column keeps its direction."),
    (on_columns(_unit_columns), lambda given: given["gain"] * _unit_columns(given["normal"]),
     "Your columns, or rows, are as long as the gain, but not perpendicular: the shadows are missing."),
    (on_columns(lambda tall: tall / np.linalg.norm(tall, axis=1, keepdims=True)),
     "You normalise along the wrong axis, and nothing is made perpendicular."),
    (on_columns(lambda tall: _gram_schmidt(tall[:, ::-1])[:, ::-1]),
     "You begin with the last column, or row: it is the first that keeps its direction."),
    (on_columns(lambda tall: _gram_schmidt(tall.T).T if np.ptp(tall.shape) == 0 else _gram_schmidt(tall)),
     "You take the rows of square matrices. Only where there are more columns than rows the rows are taken."),
    (on_columns(lambda tall: _gram_schmidt(tall) * np.abs(np.diag(np.linalg.qr(tall)[1]))),
     "Your columns, or rows, are perpendicular, but they still have the lengths that were left: divide each by its "
     "own."),
    (on_columns(against(lambda tall, made: made[-1:])),
     "You make each column perpendicular to the one before it alone: take away the shadows on all that come before."),
    (on_columns(against(lambda tall, made: list(_unit_columns(tall).T[: len(made)]))),
     "You take away shadows on the columns as they were given. These are not perpendicular to each other, so the "
     "shadows overlap: use the columns that you have made already."),
    (on_columns(partial(on_unnormalised, in_turn=False)), on_columns(partial(on_unnormalised, in_turn=True)),
     "You take shadows on columns that do not yet have length 1: divide each by its length before the next one uses "
     "it."),
]
NESTED = [
    (on_columns(lambda tall: np.sign(np.diag(np.linalg.qr(tall)[1]))[:, None] * np.linalg.qr(tall)[0]),
     "The signs of R's diagonal belong to the columns of Q, and you multiply its rows by them: multiply from the "
     "right."),
]
UP_TO_SIGNS = [
    (as_qr_returns,
     "Right but for signs: some columns, or rows, point the opposite way. What is left of a column keeps its own "
     "direction. A QR decomposition does not care: where the diagonal of its R is negative, turn that column of Q "
     "round."),
    (on_columns(lambda tall: np.linalg.svd(tall, full_matrices=False)[0]),
     "These are singular vectors. They are perpendicular, but another set of directions than the one that is asked "
     "for, and nothing says which sign each of them has."),
]


def up_to_signs(way: Way) -> Rule:
    """Return a rule: each column, or row if there are fewer, is that of this way, or minus that."""

    def matches(given: Given, value: object, expected: object) -> bool:
        wanted = way(given)
        axis = 0 if wanted.shape[0] >= wanted.shape[1] else 1
        signs = np.sign((value * wanted).sum(axis=axis, keepdims=True))
        return np.shape(value) == wanted.shape and same_to_four_digits(value * signs, wanted)

    return matches


def is_square(given: Given, value: object, expected: np.ndarray) -> bool:
    """Return whether the value is a square matrix where another one is wanted."""
    rows, columns = np.shape(value)
    return rows == columns and expected.shape != (rows, columns)


def smaller_product(given: Given, value: np.ndarray) -> np.ndarray:
    """Return QᵀQ, or QQᵀ for a wide matrix, over the square of the gain."""
    tall = value if value.shape[0] >= value.shape[1] else value.T
    return tall.T @ tall / given["gain"] ** 2


def explain_matrix(given: Given, value: object, expected: np.ndarray) -> str:
    """Say how far the columns, or rows, are from the lengths and the angles that are wanted."""
    if np.shape(value) != expected.shape or not np.isfinite(value).all():
        return ""
    product = smaller_product(given, np.asarray(value, dtype=float))
    lengths, between = np.sqrt(np.diag(product)), product - np.diag(np.diag(product))
    name = "columns" if expected.shape[0] >= expected.shape[1] else "rows"
    if np.allclose(product, np.eye(len(product)), atol=1e-4):
        return f"Your {name} are perpendicular to each other, and as long as the gain."
    return (
        f"Over the gain, the lengths of your {name} lie between {lengths.min():.3g} and {lengths.max():.3g}. Over its "
        f"square, the largest inner product of two of them is {np.abs(between).max().round(9):.2g}."
    )


ORTHOGONAL = Exercise(
    id="06.6",
    points=4,
    answer_name="orthogonal",
    cases=lambda rng: discriminating_cases(
        lambda: draw_until(signs_vary, lambda: [worked_example(), *drawn(rng)]), right, [*MISTAKES, *UP_TO_SIGNS]),
    verify=lambda given, hidden, value, expected: float(same_to_four_digits(value, expected)),
    explain=explain_matrix,
    misconceptions=[
        *hints_of(UP_TO_SIGNS, up_to_signs),
        *hints_of([*NESTED, *MISTAKES], returned_by, same=same_to_four_digits),
    ],
    remarks=[
        (lambda given, value, expected: value is not None and np.ndim(value) != 2,
         "Return one matrix, of the shape of `normal`."),
        (lambda given, value, expected: np.shape(value) == expected.shape[::-1] != expected.shape,
         "Your matrix is transposed: it has the shape of `normal`. If you transpose a wide matrix first, transpose the "
         "result as well."),
        (is_square,
         "Your matrix has as many columns as rows, and `normal` has not. A wide matrix has its rows made "
         "perpendicular, so work on its transpose; of a tall one the columns that it has are enough."),
        (lambda given, value, expected: not np.isfinite(value).all(),
         "Your matrix has nan or inf in it: more columns than rows cannot all be perpendicular, so nothing is left of "
         "some of them. Take the rows of a wide matrix."),
    ],
)
