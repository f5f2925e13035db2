"""Lesson 02 on the digits: how they are split, and what is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_02 import digits, digits_figures


def test_a_seed_has_a_split_of_its_own_and_always_the_same():
    again, same, other = (digits.digit_parts(generator=seeded(seed)) for seed in (3, 3, 4))
    assert torch.equal(again[2][0], same[2][0]) and not torch.equal(again[2][0], other[2][0])


def test_figures_draw_the_medians_and_name_the_widths(monkeypatch):
    data = made_up(digits.digits, "accuracy", seeds=12)
    monkeypatch.setattr(digits_figures, "recorded", lambda name: data)
    left, right = digits_figures.digits_by_depth().axes
    medians = [np.median(1 - digits.grid(data, 1, width)) for width in digits.WIDTHS]
    np.testing.assert_allclose(left.lines[0].get_ydata(), medians)
    gained = 100 * np.median(digits.grid(data, 4, 64) - digits.grid(data, 1, 64))
    assert digits_figures.digits_gained()["points"].value == pytest.approx(gained)
    assert "66, 42, 34, 29" in right.get_legend().get_texts()[-1].get_text()
