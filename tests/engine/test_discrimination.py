"""Cases that tell an exercise's mistakes apart, drawn until they do."""

from __future__ import annotations

from itertools import count

import pytest

from utils.exercises.discrimination import confusion, discriminating_cases, draw_until

CASES = [{"x": float(x)} for x in range(6)]


def double(given):
    return 2 * given["x"]


def square(given):
    return given["x"] ** 2


def one_more(given):
    return 2 * given["x"] + 1


def test_a_mistake_has_to_show_in_three_cases():
    assert not confusion(CASES, double, [[square]])  # right for 0 and 2
    assert confusion(CASES[:4], double, [[square]])


def test_no_mistake_may_explain_all_of_another():
    def one_more_but_once(given):
        return one_more(given) if given["x"] else 0.0

    assert not confusion(CASES, double, [[square], [one_more]])
    assert confusion(CASES, double, [[one_more], [one_more_but_once]])
    assert not confusion(CASES, double, [[one_more, one_more_but_once]])  # one hint for both
    assert confusion(CASES, double, [[one_more]], guesses=[one_more_but_once])


def test_the_first_that_is_accepted():
    numbers = count(1)
    assert draw_until(lambda number: number % 3 == 0, lambda: next(numbers)) == 3


def test_cases_are_drawn_until_they_discriminate():
    lengths = count(3)
    cases = discriminating_cases(lambda: CASES[: next(lengths)], double, [(square, "You squared.")])
    assert list(cases) == [(given, None) for given in CASES[:5]] and next(lengths) == 6


def test_mistakes_that_no_cases_tell_apart_are_named():
    mistakes = [(square, "You squared."), (one_more, "One too many."), (lambda given: 1 + double(given), "Plus one.")]
    with pytest.raises(ValueError, match=r"none of 200 .* mistake 3 explains .* mistake 2\. .*number 3 is 'Plus one.'"):
        list(discriminating_cases(lambda: CASES, double, mistakes))
    with pytest.raises(ValueError, match="mistake 1 shows in 2 cases, and 3 are wanted"):
        list(discriminating_cases(lambda: CASES[:4], double, mistakes))
