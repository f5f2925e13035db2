"""What is said of wrong numbers: it holds for all of them, and it names no cause."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from utils.exercises.differences import difference, difference_in_shape

RIGHT = [np.array([[1.5, 2.25, -4.0], [3.0, 0.5, 8.0]]), np.array([0.3, -7.0])]
SQUARE = [np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, 7.0], [8.0, 1.5]])]


def said(change, right=RIGHT) -> str:
    return difference([(one, np.array(change(one))) for one in right])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a: -a, "only its sign is"),
        (lambda a: 2.5 * a, "is 2.5 times"),
        (lambda a: -0.125 * a, "-0.125 times"),
        (lambda a: a / 3, "0.3333 times"),
        (lambda a: a + 0.75, "0.75 more"),
        (lambda a: a - 10, "10 less"),
        (lambda a: a[::-1], "in another order"),
        (lambda a: a * (1 + 1e-4 * np.sign(a)), "to 4 digits"),
        (lambda a: a.round(0) if a.ndim == 1 else a + (a > 5), "6 of 8 numbers"),
        (lambda a: a**2 + 60, "is larger than"),
        (lambda a: -(a**2) - 60, "is smaller than"),
        (np.cos, ""),
        (lambda a: a, ""),
    ],
)
def test_a_difference_is_named(change, words):
    assert words in said(change) and bool(said(change)) == bool(words)


def test_a_root_and_rounding_are_named():
    positive = [np.array([1.23456, 7.5, 0.00012345]), np.array([2.0, 0.1234])]
    assert "the square root of what was expected" in said(np.sqrt, positive)
    assert "rounded to 2 digits after the point" in said(lambda a: a.round(2), positive)
    assert "rounded to 4 digits after the point" in said(lambda a: a.round(4), positive)
    assert "it is 1000, whatever the input" in difference([(np.array(n), np.array(1000)) for n in (1200, 5000, 1700)])
    assert "root" not in said(lambda a: a**0.4, positive) and "rounded" not in said(lambda a: a + 0.001, positive)


def test_rows_and_columns_that_have_changed_places_are_named():
    assert "rows and columns" in said(np.transpose, SQUARE)
    assert "rows and columns" in difference_in_shape(RIGHT[0], RIGHT[0].T)
    assert "their shape is not" in difference_in_shape(RIGHT[0], RIGHT[0].ravel())
    assert "their shape is not" in difference_in_shape(RIGHT[1], RIGHT[1][:, None])
    for value in (RIGHT[0].ravel()[::-1], RIGHT[0][0], np.array(1.0)):
        assert difference_in_shape(RIGHT[0], value) == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (np.sqrt, "the square root of what was"),
        (np.square, "the square of what was"),
        (np.exp, "the exponential of what was"),
        (np.log, "the natural logarithm of what was"),
        (lambda a: 1 / a, "1 over what was"),
        (lambda a: 1 - a, "1 minus what was"),
        (lambda a: np.sqrt(a) + 0.01, ""),
    ],
)
def test_what_was_made_of_right_numbers_is_named(change, words):
    right = [np.array(number) for number in (0.4, 2.5, 7.0)]
    text = said(change, right)
    assert words in text and ("of what" in text or "minus" in text or "over" in text) == bool(words)
    assert words not in said(change, right[:2]) or not words


def test_of_one_number_any_other_is_a_multiple():
    assert "times" not in difference([(np.array(3.0), np.array(7.5))] * 2)
    assert "more than" not in difference([(np.array(3), np.array(4))])


def test_of_few_right_numbers_and_of_single_ones_no_share_is_told():
    assert "numbers are" not in said(lambda a: np.cos(a) if a.ndim == 1 else np.where(a == 8, a, np.cos(a)))
    large = np.array(10**12)
    assert "numbers are" not in difference([(large, large + 1), (np.array(3), np.array(7)), (large + 5, large + 6)])


def test_what_is_so_in_one_case_only_is_not_said():
    pairs = [(RIGHT[0], 2 * RIGHT[0]), (RIGHT[1], 3 * RIGHT[1])]
    assert difference(pairs) == "" and "2 times" in difference(pairs[:1])


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=8, unique=True), st.floats(-50, 50), st.floats(-50, 50))
def test_a_factor_and_an_offset_that_are_told_are_right(numbers, factor, offset):
    right = np.array(numbers)
    value = factor * right + offset
    assume(np.abs(right).max() > 1e-3)
    text = difference([(right, value)])
    if "times" in text:
        assert np.allclose(value, float(text.split(" times")[0].split()[-1]) * right, rtol=2e-3)
    if " more than" in text or " less than" in text:
        told = float(text.split(" more")[0].split(" less")[0].split()[-1]) * (1 if " more" in text else -1)
        assert np.allclose(value - right, told, rtol=2e-3)


def test_small_numbers_are_compared_on_their_own_scale():
    tiny = [(np.array(1e-14 * n), np.array(0.0)) for n in (1, 2, 3)]
    assert "smaller than expected" in difference(tiny)
    assert "it is 0.5 times" in difference([(2 * wanted, wanted) for wanted, _ in tiny])
