"""Lesson 07's filters: what one layer cannot tell apart, what they compute, and how the race is read."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.signal import correlate2d

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, VALIDATION
from utils.lesson_07 import images, images_figures
from utils.lesson_07.images import EVERY, SHAPES, conv_net


def dots(row: int, *columns: int) -> torch.Tensor:
    image = torch.zeros(8, 8)
    image[row, list(columns)] = 1
    return image.flatten()


@pytest.mark.parametrize(("shape", "blind"), [((1, 3, 9), True), ((1, 7, 9), False), ((4, 3, 9), False)])
def test_one_layer_does_not_see_how_far_two_dots_are_apart(shape, blind):
    near, far = conv_net(*shape, generator=seeded(1))(torch.stack([dots(3, 1, 4), dots(5, 1, 6)]))
    assert torch.allclose(near, far, atol=1e-6) == blind


@pytest.mark.parametrize("side", [3, 7])
def test_filters_slide_over_the_image(side):
    model, image = conv_net(1, side, 2, generator=seeded(2)), torch.randn(64, generator=seeded(3))
    filters, head = model[1], model[-1]
    kernels = filters.weight[:, 0].detach().numpy()
    maps = [np.maximum(correlate2d(image.reshape(8, 8).numpy(), kernel, "same"), 0) for kernel in kernels]
    wanted = head(torch.tensor(np.array([[of.max() for of in maps]]), dtype=torch.float32))
    torch.testing.assert_close(model(image[None]), wanted, atol=1e-5, rtol=1e-5)


def test_every_place_is_read_where_nothing_is_left_out():
    near, far = conv_net(1, 3, 4, EVERY, generator=seeded(1))(torch.stack([dots(3, 1, 4), dots(3, 1, 6)]))
    assert not torch.allclose(near, far, atol=1e-3)


def test_the_race_is_run_at_equal_parameters():
    *large, small = (images.parameters(shape) for shape in SHAPES)
    assert max(large) / min(large) < 1.03 and small < min(large) / 5


def test_a_lead_is_taken_at_each_ones_own_best_rate():
    data = made_up(images.images, "error")
    errors = data["error"].sel(reading=0)
    wanted = []
    for shape in ("four of 3×3", "one of 7×7"):
        chosen_on, held_out = (
            errors.sel(shape=shape, part=part).transpose("seed", "rate").values for part in (VALIDATION, HELD_OUT)
        )
        others = [np.delete(chosen_on, seed, axis=0) for seed in range(len(chosen_on))]  # a seed chooses none itself
        rates = [np.median(one, axis=0).argmin() for one in others]
        wanted.append(held_out[np.arange(len(rates)), rates])
    found = images.lead(data, "four of 3×3", "one of 7×7", 0)
    np.testing.assert_allclose(found, wanted[0] - wanted[1])


def test_the_figure_has_every_network_at_both_readings():
    figure = images_figures.filters_race(made_up(images.images, "error"))
    (ax,) = figure.axes
    assert len(ax.get_xticklabels()) == len(SHAPES) and len(ax.containers) == 2
    medians = images.image_medians(made_up(images.images, "error"))
    drawn = ax.containers[1].lines[0].get_ydata()
    np.testing.assert_allclose(drawn, [medians[name] for name in ("narrow", "one", "two", "four", "wide")])


def test_a_stand_in_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    (X, y), (X_new, _) = images.larger("cifar10", 40, 20, generator=seeded(), download=False)
    assert X.shape == (40, 3 * 32 * 32) and len(y) == 40 and len(X_new) == 20
    assert "digits, enlarged to 32×32 and coloured, stand in for it" in capsys.readouterr().out
