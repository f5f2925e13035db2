"""Networks drawn at random, and the maps of their regions."""

from __future__ import annotations

import pytest
import torch

from utils.lesson_04 import exploring, exploring_figures, page
from utils.pages import prediction
from utils.regions import linear_regions
from utils.statistics import Estimate


def test_the_gain_multiplies_the_weights_and_leaves_the_biases():
    one, two = (exploring.drawn_network(2, 5, seed=1, gain=gain) for gain in (1.0, 2.0))
    for a, b in zip(one[::2], two[::2], strict=True):
        torch.testing.assert_close(2 * a.weight, b.weight)
        torch.testing.assert_close(a.bias, b.bias)
    with pytest.raises(ValueError, match="gain"):
        exploring.drawn_network(2, 5, gain=-1.0)


def test_the_maps_show_every_region():
    model = exploring.drawn_network(3, 8, 3)
    count = len(linear_regions(model, exploring.SQUARE))
    (ax,) = exploring_figures.region_map(model).axes
    assert len(ax.collections[0].get_paths()) == count and ax.get_title() == f"{count} regions"
    axes = page.region_maps({"one": exploring.drawn_network(1, 3), "two": model}, exploring.SQUARE).axes
    assert [ax.get_title().split(":")[0] for ax in axes] == ["one", "two"]
    assert len(axes[1].collections[0].get_paths()) == count


def test_the_right_choice_follows_from_what_is_measured():
    choose = prediction("04.depth").right
    assert [choose(times=Estimate(value, 0, 9)) for value in (10, 3, 1.1, 0.9, 0.6)] == [1, 2, 3, 3, 4]
    assert "{times.rounded}" in prediction("04.depth").answer
