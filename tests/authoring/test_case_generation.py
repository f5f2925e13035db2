"""Cases that another processor computes with other last digits stay as they are stored; any other change is taken."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from authoring.case_generation import keep_stored
from utils.exercises import serialization

FLOATS = st.floats(-1e6, 1e6).filter(lambda number: number == 0 or abs(number) > 1e-3)


def record(*given: object) -> dict[str, object]:
    """Return a case in JSON's types, as it comes out of a file."""
    values = {f"x{number}": value for number, value in enumerate(given)}
    return json.loads(
        json.dumps({"given": serialization.encode(values), "hidden": None, "expected": serialization.encode(given[-1])})
    )


@pytest.mark.slow
@given(st.lists(FLOATS, min_size=1, max_size=100), st.sampled_from(["float32", "float64", "complex128"]), FLOATS)
def test_rounding_changes_nothing(numbers, dtype, single):
    array, eps = np.array(numbers, dtype=dtype), np.finfo(dtype).eps
    old = record(array, single, [array[::-1].copy(), "text"])
    new = record(array * (1 + 2 * eps), single * (1 + 4e-16), [array[::-1] * (1 - eps), "text"])
    assert keep_stored([new], [record(1.0), old])[0] is old


@given(st.lists(FLOATS.filter(bool), min_size=1, max_size=100), st.integers(0, 99))
def test_a_change_of_a_millionth_is_one(numbers, at):
    array = np.array(numbers)
    array[at % len(array)] += 1e-6 * np.abs(array).max()
    old, new = record(np.array(numbers)), record(array)
    assert keep_stored([new], [old])[0] is new


@pytest.mark.parametrize(
    "old, new",
    [
        (3, 4),
        (3, 3.0),
        (True, 1),
        ("a", "b"),
        (2.0, 2.0001),
        (float("inf"), float("nan")),
        (float("inf"), 1e300),
        ([1.0, 2.0], [1.0]),
        (np.arange(3), np.array([0, 1, 3])),
        (np.ones(3), np.ones((3, 1))),
        (np.ones(3), np.ones(3, dtype="float32")),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        (None, 0.0),
    ],
)
def test_what_is_different_is_new(old, new):
    for before, generated in ((old, new), (new, old)):
        case = record(generated)
        assert keep_stored([case], [record(before)])[0] is case


def test_what_is_not_finite_stays_where_it_is_the_same():
    old = record(np.array([1.0, np.nan, np.inf]), float("nan"))
    assert keep_stored([record(np.array([1.0 + 1e-15, np.nan, np.inf]), float("nan"))], [old])[0] is old


def test_the_squared_error_of_an_exact_fit_is_nothing():
    old = record(9e-31)
    assert keep_stored([record(5e-31)], [old])[0] is old
    assert keep_stored([new := record(1e-15)], [old])[0] is new


def test_cases_that_were_added_left_out_or_moved_leave_the_others():
    old = [record(float(number)) for number in range(4)]
    generated = [record(number * (1 + 1e-15)) for number in (3.0, 0.0, 7.0, 2.0)]
    assert keep_stored(generated, old) == [old[3], old[0], generated[2], old[2]]


def test_a_file_that_somebody_edited_is_no_obstacle():
    broken = {"given": {"array": "float64", "shape": [3], "data": "!"}, "hidden": None, "expected": None}
    new = {"given": serialization.encode(np.ones(3)), "hidden": None, "expected": None}
    assert keep_stored([new], [broken, {}, []])[0] is new
