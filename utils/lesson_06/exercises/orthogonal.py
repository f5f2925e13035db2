"""Exercise 06.6: an orthogonal matrix from standard normal numbers, by Gram and Schmidt."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Rule, Solver, hints_of, returned_by, same_to_four_digits

SHAPES = ((2, 2), (3, 3), (4, 4), (5, 3), (7, 2), (6, 4), (3, 5), (2, 6), (4, 7))
LEAST = 0.3  # length of what is left of a column, so that no digits are lost
Change = Callable[[np.ndarray], np.ndarray]  # from a square or a tall matrix to one of its shape


def worked_example() -> Inputs:
    """Return a matrix whose second column is 2 times the direction of the first and 5 times a perpendicular one."""
    return {"normal": np.array([[3.0, -2.0], [4.0, 4.0], [0.0, 3.0]]), "gain": 2.0}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return matrices of all SHAPES in a random order."""
    return [matrix(rng, SHAPES[i]) for i in rng.permutation(len(SHAPES))]


def matrix(rng: np.random.Generator, shape: tuple[int, int]) -> Inputs:
    """Return a matrix whose columns, or rows if it is wide, are far from dependent, and a gain other than 1."""
    while True:
        normal = rng.normal(size=shape).round(3)
        tall = normal if shape[0] >= shape[1] else normal.T
        if np.abs(np.diag(np.linalg.qr(tall)[1])).min() > LEAST:
            gain = rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.3, 2.2)])
            return {"normal": normal, "gain": round(float(gain), 2)}


# --- what comes of which way to make it orthogonal ----------------------------------------------------------


def on_columns(change: Change) -> Solver:
    """Return the way that changes the matrix, transposed where it is wide, times the gain."""

    def way(given: Inputs) -> np.ndarray:
        normal = given["normal"]
        tall = normal.shape[0] >= normal.shape[1]
        return given["gain"] * (change(normal) if tall else change(normal.T).T)

    return way


def _gram_schmidt(tall: np.ndarray) -> np.ndarray:
    Q, R = np.linalg.qr(tall)
    return Q * np.sign(np.diag(R))


def _unit_columns(tall: np.ndarray) -> np.ndarray:
    return tall / np.linalg.norm(tall, axis=0)


def against(others: Callable[..., np.ndarray], unit: Change = _unit_columns, of_rest: bool = False) -> Change:
    """Return what takes from each column, or ``of_rest``, its shadows on others, of those before it given and made."""

    def change(tall: np.ndarray) -> np.ndarray:
        made = unit(tall[:, :1])
        for place in range(1, tall.shape[1]):
            left = tall[:, [place]]
            for on in others(tall[:, :place], made).T[:, :, None]:
                left = left - on @ (on.T @ (left if of_rest else tall[:, [place]]))
            made = np.hstack([made, unit(left)])
        return _unit_columns(made)

    return change


reference = on_columns(_gram_schmidt)
as_qr_returns = on_columns(lambda tall: np.linalg.qr(tall)[0])
MISTAKES = [
    (
        on_columns(_unit_columns),
        lambda given: given["gain"] * _unit_columns(given["normal"]),
        "Your columns, or rows, are as long as the gain, but not perpendicular: take away the shadows.",
    ),
    (
        on_columns(lambda tall: _gram_schmidt(tall.T).T if np.ptp(tall.shape) == 0 else _gram_schmidt(tall)),
        "You take the rows of square matrices. Take rows only if there are more columns than rows.",
    ),
    (
        on_columns(against(lambda given, made: made[:, -1:])),
        "You make each column perpendicular to the one before it alone: take away the shadows on all that come before.",
    ),
    (
        *(
            on_columns(against(*how, of_rest=of_rest))
            for of_rest in (False, True)
            for how in (
                [lambda old, made: _unit_columns(old)],
                [lambda old, made: old],
                [lambda old, made: made, np.asarray],
            )
        ),
        *(
            lambda given, of_rest=of_rest: on_columns(against(lambda old, made: given["gain"] * made, of_rest=of_rest))(
                given
            )
            for of_rest in (False, True)
        ),
        "Your shadows fall on columns that are not of length 1, or as they were given. Use the columns that you have "
        "already made, each divided by its length; the gain comes at the very end.",
    ),
]
UP_TO_SIGNS = [
    (
        as_qr_returns,
        "Right but for signs: some columns, or rows, point the opposite way. What is left of a column keeps its own "
        "direction. A QR decomposition does not care: where the diagonal of its R is negative, turn that column of Q "
        "round.",
    ),
]


def up_to_signs(way: Solver) -> Rule:
    """Return a rule: each column, or row if there are fewer, is that of this way, or minus that."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        wanted = way(given)
        axis = 0 if wanted.shape[0] >= wanted.shape[1] else 1
        signs = np.sign((value * wanted).sum(axis=axis, keepdims=True))
        return np.shape(value) == wanted.shape and same_to_four_digits(value * signs, wanted)

    return matches


def up_to_lengths(given: Inputs, value: object, expected: np.ndarray) -> bool:
    """Return whether each column, or row if there are fewer, is a positive multiple of the right one."""
    axis = 0 if expected.shape[0] >= expected.shape[1] else 1
    lengths = [np.linalg.norm(one, axis=axis, keepdims=True) for one in (value, expected)]
    return np.shape(value) == expected.shape and same_to_four_digits(value / lengths[0] * lengths[1], expected)


def explain_matrix(given: Inputs, value: object, expected: np.ndarray) -> str:
    """Say how far the columns, or rows, are from the lengths and the angles that are wanted."""
    if np.shape(value) != expected.shape or not np.isfinite(value).all():
        return ""
    made = np.asarray(value, dtype=float) / given["gain"]
    name, product = ("rows", made @ made.T) if made.shape[0] < made.shape[1] else ("columns", made.T @ made)
    lengths, between = np.sqrt(np.diag(product)), product - np.diag(np.diag(product))
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
        lambda: [worked_example(), *sample_cases(rng)], reference, [*UP_TO_SIGNS, *MISTAKES]
    ),
    verify=lambda given, hidden, value, expected: float(same_to_four_digits(value, expected)),
    explain=explain_matrix,
    misconceptions=[
        *hints_of(UP_TO_SIGNS, up_to_signs),
        *hints_of(MISTAKES, returned_by, same=same_to_four_digits),
    ],
    remarks=[
        (
            lambda given, value, expected: (
                len(expected) < len(expected[0])
                and same_to_four_digits(abs(value[:, :1]), abs(given["gain"] * _unit_columns(given["normal"][:, :1])))
            ),
            "A wide matrix cannot have all its columns perpendicular: make its rows so, by the same steps on its "
            "transpose, and turn the result back.",
        ),
        (
            up_to_lengths,
            "Each column, or row if it is wide, points the right way, but is not as long as the gain: divide what "
            "is left by its length, and multiply by the gain once.",
        ),
        (
            lambda given, value, expected: "are perpendicular" in explain_matrix(given, value, expected),
            "Your columns, or rows, are perpendicular and as long as the gain, but they are not those of these "
            "steps: the first keeps its direction, and each of the others loses nothing but shadows on those "
            "before it.",
        ),
    ],
)
