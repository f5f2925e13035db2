"""The rules that exercises share: what they match, what they do not, and what they cannot read."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.exercises.rules import (
    equals,
    follows,
    has_wrong,
    hints_of,
    is_no,
    is_number,
    is_whole,
    one_number,
    returned_by,
    same_number,
    same_whole_number,
)

NUMBERS = st.floats(-1e9, 1e9) | st.integers(-(10**25), 10**25)


@given(NUMBERS, st.floats(-1, 1))
def test_equals_means_within_the_tolerances(number, share):
    rule = equals(lambda case: case["x"], rtol=1e-3, atol=0.5)
    allowed = 0.5 + 1e-3 * abs(number)
    assert rule({"x": number}, number + 0.99 * share * allowed, None)
    assert not rule({"x": number}, number + math.copysign(1.01, share) * allowed, None)


@given(st.integers(-(10**30), 10**30))
def test_without_a_tolerance_the_next_whole_number_is_another(number):
    rule = equals(lambda case: case["x"], rtol=0, atol=0)
    assert rule({"x": number}, number, None) and not rule({"x": number}, number + 1, None)


def test_several_mistakes_and_several_numbers_of_one():
    rule = equals(lambda case: [case["x"] + 1, case["x"] + 2], lambda case: -case["x"])
    assert [value for value in range(-10, 11) if rule({"x": 5}, value, None)] == [-5, 6, 7]


def test_follows_starts_from_the_right_value():
    rule = follows(lambda case, right: right / case["n"], lambda case, right: right**2)
    assert [value for value in range(40) if rule({"n": 3}, value, 6)] == [2, 36]


def test_a_tolerance_may_depend_on_the_case():
    rule = equals(lambda case: 0.0, rtol=0, atol=lambda case: case["unit"])
    assert rule({"unit": 2.0}, 1.9, None) and not rule({"unit": 1.0}, 1.9, None)


def test_nan_is_what_a_mistake_gives_that_gives_nan():
    rule = equals(lambda case: case["x"])
    assert rule({"x": math.nan}, math.nan, None)
    assert not rule({"x": math.nan}, 1.0, None) and not rule({"x": 1.0}, math.nan, None)
    assert rule({"x": math.inf}, math.inf, None) and not rule({"x": math.inf}, -math.inf, None)


def test_a_table_of_mistakes_gives_each_hint_a_rule_of_its_ways():
    table = [(lambda case: case["x"] + 1, lambda case: case["x"] + 2, "more"), (lambda case: -case["x"], "minus")]
    (more, first), (minus, second) = hints_of(table, equals, rtol=0, atol=0.1)
    assert (first, second) == ("more", "minus")
    assert [value for value in range(-10, 11) if more({"x": 5}, value, None)] == [6, 7]
    assert minus({"x": 5}, -5.05, None) and not minus({"x": 5}, -5.2, None)


def test_the_value_is_what_a_way_returns():
    rule = returned_by(lambda case: [case["x"], 1], lambda case: case["y"], same=lambda one, other: one == other)
    assert rule({"x": 2, "y": 3}, [2, 1], None) and rule({"x": 2, "y": 3}, 3, None)
    assert not rule({"x": 2, "y": 3}, [2, 1.0000001], None)
    with pytest.raises(KeyError):  # although the first way has this value
        rule({"x": 2}, [2, 1], None)


def test_a_value_of_another_form_and_no_value_at_all():
    assert is_no(is_number)({}, "4", 4) and not is_no(is_number)({}, 4, 4) and not is_no(is_number)({}, None, 4)


def test_which_parts_are_wrong():
    right = [1, np.ones(2), "yes"]
    assert has_wrong(1)({}, [1, np.zeros(2), "yes"], right) and has_wrong(0, 2)({}, [2, np.ones(2), "no"], right)
    assert not has_wrong(0)({}, [2, np.ones(2), "no"], right)
    assert has_wrong(0, same=lambda one, other: one is other)({}, [1.0, *right[1:]], right)


@pytest.mark.parametrize("value", [3, 3.0, np.float32(3), np.array(3), np.array([[3.0]]), [3]])
def test_one_number_however_it_is_wrapped(value):
    assert one_number(value) == 3 and equals(lambda case: 3)({}, value, None)


@pytest.mark.parametrize("value", [None, True, "3", [3, 3], [], {}, np.array([3, 3]), np.array(True), [[3], [4]]])
def test_what_is_no_number_raises_so_that_the_rule_says_nothing(value):
    with pytest.raises(TypeError, match="is not one number"):
        equals(lambda case: 3)({}, value, None)


def test_what_is_no_number_is_not_written_out():
    """A list of thousands of arrays takes a tenth of a second each time, and dozens of rules look at it."""

    class Large(list):
        def __repr__(self):
            pytest.fail("it was written out")

    with pytest.raises(TypeError, match="a Large is not one number"):
        one_number(Large([1, 2]))


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (4, True),
        (4.0, True),
        (-(10**30), True),
        (np.array(4.0), True),
        (np.array([4]), True),
        ([4], True),
        (4.5, False),
        (math.inf, False),
        (math.nan, False),
    ],
)
def test_what_is_a_whole_number(value, whole):
    assert is_whole(value) == whole
    assert same_whole_number({}, None, value, 4) == float(whole and np.ravel(value)[0] == 4)


@pytest.mark.parametrize("value", [np.array([4, 4]), [], [5], 5, 4 + 1e-9, True, None, "4"])
def test_another_whole_number_or_what_is_none_earns_nothing(value):
    assert same_whole_number({}, None, value, 4) == 0.0


def test_a_number_to_four_digits():
    verify = same_number(rtol=1e-4, atol=lambda case: case["unit"])
    case = {"unit": 1e-3}
    assert [verify(case, None, value, 10.0) for value in (10.0, 10.0015, [10.0], np.array([10]), 10.003)] == [
        1,
        1,
        1,
        1,
        0,
    ]
    assert verify(case, None, 5e-4, 0.0) == 1 and verify(case, None, math.nan, math.nan) == 0
