"""In what way wrong numbers differ from the right ones, as far as it is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

TRANSPOSED = "The numbers are right, but rows and columns have changed places."
LEAST_DIGITS = 2  # that agree before numbers are called right but for their precision
RELATIONS = (  # to a result that was expected
    ("the square root of what", np.sqrt),
    ("the square of what", np.square),
    ("the natural logarithm of what", np.log),
    ("the exponential of what", np.exp),
    ("1 over what", np.reciprocal),
    ("1 minus what", lambda right: 1 - right),
)
MOST_DIGITS = 7  # after the point, of numbers that are called rounded
agree = partial(np.allclose, rtol=5e-5, atol=0.0)  # to four digits, as many as are told of a factor or an offset


def difference_in_shape(expected: np.ndarray, value: np.ndarray) -> str:
    """Return what has become of the right numbers that came in another shape, or "" where it is not known."""
    if _transposed(expected, value):
        return TRANSPOSED
    if value.size == expected.size and _same(value.ravel(), expected.ravel()).all():
        return "The numbers are right, but their shape is not."
    return ""


@np.errstate(all="ignore")  # of numbers at the limits of floats nothing is said
def difference(pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> str:
    """Return one sentence on how values differ from what was expected, or "" where there is nothing to say.

    Each pair is an expected and a returned value of the same shape, and finite. What is said holds for all of
    them, and names no cause.
    """
    wanted, got = (np.concatenate([pair[side].ravel().astype(float) for pair in pairs]) for side in (0, 1))
    right = _same(got, wanted)
    if right.all():
        return ""
    share = got[wanted != 0] / wanted[wanted != 0]
    multiple = _several(wanted) and not got[wanted == 0].any()
    if _same(got, -wanted).all():
        return "Wherever your result is wrong, only its sign is: it is minus what was expected."
    if multiple and _all_the_same(share):
        return f"Wherever your result is wrong, it is {share.mean():.4g} times what was expected."
    if multiple and len(pairs) == right.size and _all_the_same(got):
        return f"Wherever your result is wrong, it is {got[0]:.6g}, whatever the input."
    if _several(wanted) and _all_the_same(got - wanted):
        offset = (got - wanted).mean()
        side = "more" if offset > 0 else "less"
        told = f"Wherever your result is wrong, it is {abs(offset):.4g} {side} than expected"
        if abs(offset) != 1 or (wanted % 1).any():
            return f"{told}."
        slip = "left out at an end, counted from 0, or rounded down" if offset < 0 else "counted twice, or rounded up"
        return f"{told}. Is something {slip}?"
    if all(_transposed(*pair) for pair in pairs):
        return TRANSPOSED
    for name, of in RELATIONS:
        if len(np.unique(wanted)) > 2 and np.isfinite(of(wanted)).all() and agree(got, of(wanted)):
            return f"Wherever your result is wrong, it is {name} was expected."
    if all(_same(*(np.sort(one, None) for one in pair)).all() for pair in pairs):
        return "Your results have the right numbers, but in another order."
    for digits in range(LEAST_DIGITS, MOST_DIGITS):
        if multiple and got.any() and _same(got, wanted.round(digits)).all():
            return f"Your results are rounded to {digits} digits after the point, and more are wanted."
    if multiple and abs(share - 1).max() < 10.0**-LEAST_DIGITS:
        digits = int(-np.log10(abs(share - 1).max()))
        return f"Your results agree with what was expected to {digits} digits, and more are wanted."
    if len(pairs) < right.size <= 2 * right.sum():
        return f"In the cases that fail, {right.sum()} of {right.size} numbers are right."
    if (got > wanted).all() or (got < wanted).all():
        side = "larger" if got[0] > wanted[0] else "smaller"
        return f"Wherever your result is wrong, it is {side} than expected."
    return ""


def _same(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return where numbers are the same but for rounding; how much that is goes by the largest of the others."""
    return np.isclose(one, other, rtol=1e-6, atol=1e-12 * np.abs(other).max(initial=0.0))


def _transposed(expected: np.ndarray, value: np.ndarray) -> bool:
    return expected.ndim == 2 and value.shape == expected.T.shape and bool(_same(value, expected.T).all())


def _several(numbers: np.ndarray) -> bool:
    """Return whether these are several numbers: of one any number is a multiple."""
    return len(np.unique(numbers)) > 1


def _all_the_same(numbers: np.ndarray) -> bool:
    return len(numbers) > 1 and numbers[0] != 0 and bool(agree(numbers, numbers[0]))
