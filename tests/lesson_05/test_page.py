"""Lesson 05's predictions: the right choice is what was measured, and the answer can be said."""

from __future__ import annotations

import math

import pytest

from tests.choices import assert_right
from utils.lesson_05.students import SIGMAS
from utils.statistics import Estimate

# of each prediction the names of what is measured, and for some measurements how the right choice begins
CASES = {
    "05.neighbours more close closer": {
        (0, 20, 20): "none",
        (3, 20, 23): "about 2",
        (18.5, 20, 38.5): "about 20",
        (2000, 20, 2020): "about 100 times",
    },
    "05.students equal wide same": {
        (0.1, 0.05, 0.001): "the teacher's own",
        (0.1, 0.001, 0.05): "one layer of 135",
        (0.001, 0.1, 0.1): "one layer of 18",
        (0.02, 0.01, 0.015): "none by much",
    },
    "05.recovered error adam yours starts teachers found limit": {
        (error, 1e-6, 1e-27, 100, 40, 30, 20): said
        for error, said in (
            (1e-27, "smaller than that"),
            (1e-13, "about a million"),
            (1e-9, "about a thousand"),
            (1e-6, "about as"),
        )
    },
    "05.sigma deep middle shallow teachers steps": {
        (1.5, 1.5, 0.5, 12, 99): "it does not",
        (math.inf, math.inf, 0.3, 12, 99): "there is none",
        (1.12, 1.4, 0.3, 12, 99): "the deeper the teacher, the nearer",
        (1.4, 1.1, 0.9, 12, 99): "the deeper the teacher, the farther",
    },
    "05a.maps angle": {(12,): "close to 0", (40,): "about 40", (60,): "still", (83,): "close to 90"},
    "05a.width least hundred": {
        (200, 0.14): "still about 200",
        (1000, 0.3): "about 1,000",
        (5000, 0.3): "about 4,000",
        (math.inf, 0.4): "no",
    },
    "05a.narrow measured theory": {
        (Estimate(value, value - 0.1, value + 0.1), 0.23): said
        for value, said in ((-0.2, "not at all"), (0.1, "less, but"), (0.23, "as much"), (0.3, "more than"))
    },
    "05a.reach edge beside sigma theory map map_beside": {
        (edge, 9.0, 1.5, 19.9, 8.8, 9.2): said
        for edge, said in ((1.4, "1 or 2"), (9.0, "about 10"), (25.0, "about 30"), (100, "more than"))
    },
    "05c.shape any counts teachers steps easy worst hardest": {
        (SIGMAS, "", 20, 400, 1e-8, 1e-6, 1e-3): "at every",
        ((0.4, 0.5), "", 20, 400, 1e-8, 1e-6, 1e-3): "only at the smaller",
        ((1.25,), "", 20, 400, 1e-8, 1e-6, 1e-3): "only at the larger",
        ((), "", 20, 400, 1e-8, 1e-6, 1e-3): "at none",
    },
    "05b.blame adam longer both points units": {
        (0.3, 0.95, 0.4, 0.8, 0.7): "Adam",
        (0.8, 0.3, 0.4, 0.8, 0.7): "four restarts",
        (0.8, 0.95, 0.4, 0.8, 0.7): "four times the points",
        (1.5, 0.95, 0.92, 0.8, 0.7): "none",
    },
    "05b.width ratio least most rest teachers": {
        (ratio, 10, 20, 5, 20): said
        for ratio, said in ((5, "up to 10"), (5e2, "10 to"), (5e4, "1,000 to"), (5e7, "more than"))
    },
    "05b.odd without biased": {
        (0.01, 0.1): "nearly",
        (0.1, 0.1): "about a tenth",
        (0.5, 0.1): "about a half",
        (1.5, 0.1): "1 or more",
    },
}


@pytest.mark.parametrize("asked", CASES)
def test_the_right_choice_is_what_was_measured(asked):
    key, *names = asked.split()
    for measured, right in CASES[asked].items():
        assert_right(key, dict(zip(names, measured, strict=True)), right)
