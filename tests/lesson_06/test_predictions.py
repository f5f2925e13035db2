"""Lesson 06's predictions: where several numbers decide, the right choice is what was measured."""

from __future__ import annotations

import pytest

from tests.choices import assert_right

SLIDE = {"shallow": 0.3, "gain_alone": 1e3, "chi": 0.64, "edge": 2.2, "shallow_sum": 8, "deep_sum": 1e-5, "seeds": 20}
KEPT = dict.fromkeys(["sigmoid", "tanh", "relu", "leaky_relu", "gelu", "swiglu"], 1.0)
TEXT = {"small": 1e-2, "large": 0.5, "glorot": 1e-2, "he": 1e-2, "line": 1e-9, "bends": 1e-2}
MEASURED = {
    "06.slide": [
        ({**SLIDE, "deep": deep}, said)
        for deep, said in (
            (40, "it explodes"),
            (0.5, "it stays"),
            (0.01, "it vanishes: between"),
            (1e-6, "it vanishes: more"),
        )
    ],
    "06.aid": [
        ({"root": root, "one": one, "others": others, "seeds": 12}, said)
        for root, one, others, said in (
            (0.1, 0.1, 0.1, "none"),
            (0.9, 0.3, 0.2, "gain √2 only"),
            (0.9, 0.7, 0.2, "both gains, and nothing"),
            (0.9, 0.7, 0.8, "both gains and something"),
        )
    ],
    "06.hundred": [
        ({"yours": "", "seeds": 12, "orthogonal": one, "gaussian": other}, said)
        for one, other, said in (
            (0.9, 0.9, "both"),
            (0.9, 0.2, "the orth"),
            (0.2, 0.9, "the Gauss"),
            (0.2, 0.2, "neither"),
        )
    ],
    "06a.hundred": [
        (KEPT, "all six"),
        ({**KEPT, "swiglu": 0.1}, "all but SwiGLU"),
        ({**KEPT, "swiglu": 0, "gelu": 0.3}, "all but GELU"),
        ({**KEPT, "relu": 0.2}, "only tanh"),
    ],
    "06a.back": [
        ({"first": 9, "first_back": first, "later": 9, "later_back": later}, said)
        for first, later, said in (
            (0, 0, "none"),
            (1, 0, "only some in"),
            (0, 1, "only some beyond"),
            (1, 1, "some in every"),
        )
    ],
    "06a.text": [({**TEXT, "small": 1e-8}, "σ = 0.01"), ({**TEXT, "he": 1e-3}, "He")],
    "06a.digits": [
        ({"best": best, "default": default}, said)
        for best, default, said in (
            (5, 5, "all five, and"),
            (5, 1, "all five, but"),
            (4, 4, "four, and"),
            (4, 0, "four, but"),
            (3, 0, "fewer"),
        )
    ],
    "06b.depth": [
        ({"below": below, "above": above}, said)
        for below, above, said in (
            (1, 0.8, "yes"),
            (1.1, 0.4, "only below"),
            (2.5, 1, "only above"),
            (0.4, 0.4, "on neither"),
        )
    ],
    "06c.parts": [
        ({"alone": 1e-16, "fed": fed, "skipped": skipped, "both": 0.5, "noskips": ""}, said)
        for fed, skipped, said in (
            (1e-16, 0.01, "neither"),
            (0.4, 0.01, "the feed"),
            (1e-16, 0.4, "the skips"),
            (0.4, 0.4, "either"),
        )
    ],
    "06c.gradient": [
        ({"pre": pre, "post": 1.0, "power": "", "small": ""}, said)
        for pre, said in ((1e-4, "it vanishes"), (0.3, "it is some"), (0.9, "it stays"), (3, "it is at least"))
    ],
    "06c.train": [
        ({"pre": pre, "post": post, "pre_cold": 0.5, "post_cold": 0.5, "lead": ""}, said)
        for pre, post, said in ((0.9, 0.8, "pre-norm"), (0.9, 0.88, "neither"), (0.6, 0.9, "post-norm"))
    ],
}


@pytest.mark.parametrize("key", MEASURED)
def test_the_right_choice_is_what_was_measured(key):
    for measured, right in MEASURED[key]:
        assert_right(key, measured, right)
