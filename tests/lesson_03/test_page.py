"""Lesson 03's predictions: which choice is right for what might have been measured."""

from __future__ import annotations

import pytest

from tests.choices import assert_right
from utils.statistics import Estimate

GAP, FAR = Estimate(0, 0, 0), Estimate(0.3, 0, 1)
MOVES = {"one": 0.08, "two": 0.01, "three": 0.0009, "four": 0.001}
SHAPES = {"deep": 0.9, "shallow": 0.9, "deep_means": 0.9, "shallow_means": 0.8, "wide_means": 0.9}


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        *(
            ("03.depth", {"narrow": narrow, "one": 0, "two": 0}, said)
            for narrow, said in (
                ([0.91, 0.99], "one"),
                ([0.7, 0.97, 0.98, 0.97], "two"),
                ([0.7, 0.8, 0.95, 0.8], "three"),
                ([0.6, 0.7, 0.8, 0.9], "four"),
                ([0.6, 0.7, 0.8, 0.89], "more than four"),
            )
        ),
        *(
            ("03.probe", {"first": 0, "last": 0, "falls": falls, "seeds": 20, "scores": []}, said)
            for falls, said in ((12, "it is high"), (1, "it rises"))
        ),
        *(
            ("03.directions", {"plane": GAP, "noise": noise, "digits": digits, "yours": []}, said)
            for noise, digits, said in (
                (GAP, GAP, "on neither"),
                (FAR, GAP, "on the spiral"),
                (GAP, FAR, "on the digits"),
                (FAR, FAR, "on both"),
            )
        ),
        ("03a.moves", MOVES, "three layers"),
        ("03a.moves", {**MOVES, "two": 0.0001}, "two layers"),
        ("03a.moves", {**MOVES, "one": 0.0001}, "one layer"),
        ("03a.moves", dict.fromkeys(MOVES, 0.1), "all within"),
        *(
            (f"03a.{key}", {"times": times, "one": 0, "three": 0}, said)
            for key in ("control", "rotated")
            for times, said in ((90, "it stays"), (4, "it shrinks"), (0.7, "there is none"))
        ),
        *(
            ("03a.trees", {"won": won, "trees": 8, "controls": 0}, said)
            for won, said in ((8, "all eight"), (5, "five to seven"), (4, "three or four"), (2, "one or two"))
        ),
        *(
            ("03b.angle", {"angle": angle, "selectivity": 0.2}, said)
            for angle, said in ((0, "0°"), (20, "0°"), (40, "45°"), (100, "90°"), (130, "135°"), (170, "0°"))
        ),
        ("03b.angle", {"angle": 40, "selectivity": 0.09}, "it answers all"),
        *(
            ("03b.tuned", {"untrained": untrained, "trained": 0.2}, said)
            for untrained, said in ((0.01, "hardly"), (0.1, "about half"), (0.2, "about as"), (0.4, "about as"))
        ),
        *(
            ("03b.probe", {"pixels": 0.9, "untrained": untrained, "trained": 0.95}, said)
            for untrained, said in ((0.8, "it does worse"), (0.92, "it does better"), (0.945, "it gains most"))
        ),
        ("03b.deep", {**SHAPES, "deep": 0.95}, "three layers, in both"),
        ("03b.deep", SHAPES, "three layers, but only"),
        ("03b.deep", {**SHAPES, "deep_means": 0.8}, "one layer"),
        *(
            ("03c.lead", {"lazy_one": one, "lazy_three": 0.1, "rich_one": 0, "rich_three": 0}, said)
            for one, said in ((1.1, "it stays"), (0.25, "it shrinks"), (0.08, "it is gone"))
        ),
        *(
            ("03c.kernels", {"one": one, "two": 0, "three": 0.1, "four": 0}, said)
            for one, said in ((0.21, "far less"), (0.14, "somewhat less"), (0.11, "about the same"))
        ),
    ],
)
def test_the_right_choice_of_a_prediction_is_what_was_measured(key, measured, right):
    assert_right(key, measured, right)
