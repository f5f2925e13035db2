"""Lesson 03's convolutional networks: bars, answers, selectivity and probes against independent computations."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import ndimage
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_03 import filters, filters_figures
from utils.models import count_parameters
from utils.widgets import values_of

SOURCE = Path(__file__).parents[2] / "notebooks/03b_what_a_small_conv_net_sees.py"


# --- images and networks ----------------------------------------------------------------------------------


def test_shapes_of_one_reading_have_as_many_parameters_as_three_layers_of_eight_and_not_one_filter_less():
    for deep, *others in list(filters.SHAPES)[:2], list(filters.SHAPES)[2:]:
        budget = count_parameters(filters.builder(deep)(generator=seeded()))
        assert filters.SHAPES[deep][:2] == ((3, 3, 3), filters.CHANNELS)
        for sides, channels, read in map(filters.SHAPES.get, others):
            counts = [count_parameters(filters.conv_net(sides, channels + more, read)) for more in (0, 1)]
            assert counts[0] <= budget < counts[1]


def test_arithmetic_is_counted_by_hand():
    places, deep = 64, 9 * (8 + 8 * 8 + 8 * 8)
    wide = (places * 49 * 22 + 22 * 10) / (places * deep + 8 * 10)
    assert filters.arithmetic("one of 7×7, means") == pytest.approx(wide, rel=0.01)  # give or take the biases
    assert filters.arithmetic("three of 3×3") == filters.arithmetic("three of 3×3, means") == 1


# --- bars and tuning --------------------------------------------------------------------------------------


def test_a_black_image_excites_nobody_and_halving_the_light_halves_every_answer():
    model, X = filters.after(filters.conv_net(generator=seeded(2)), 3), torch.rand(4, 64, dtype=torch.float64)
    assert model(0 * X).abs().max() == 0
    torch.testing.assert_close(model(X / 2), model(X) / 2)


def test_a_bar_is_turned_anticlockwise_and_moved_by_its_offset():
    for angle in (0, 30, 67.5):
        before, after = (filters.bar(one).reshape(8, 8).numpy() for one in (angle, angle + 90))
        np.testing.assert_allclose(np.rot90(before), after, atol=1e-12)  # numpy turns anticlockwise, too
    rising = filters.bar(45).reshape(8, 8)
    assert rising[0, 7] == rising[7, 0] == pytest.approx(1) and rising[0, 0] < 0.01
    below, above = (filters.bar(0, offset).reshape(8, 8).sum(dim=1).argmax().item() for offset in (-1.5, 1.5))
    assert (above, below) == (2, 5)


def test_answers_are_scipys_convolution_at_the_centre():
    model = filters.after(filters.conv_net((3,), 2, generator=seeded(4)), 1)
    found = filters.answers(model, [22.5])
    for unit, kernel in enumerate(model[1].weight[:, 0].detach().numpy()):
        maps = [
            ndimage.correlate(filters.bar(22.5, offset).reshape(8, 8).numpy(), kernel, mode="constant")
            for offset in filters.OFFSETS
        ]
        assert found[0, unit] == pytest.approx(max(0, np.array(maps)[:, 3:5, 3:5].max()))


def test_selectivity_is_one_minus_scipys_circular_variance():
    from scipy.stats import circmean, circvar

    counts = np.random.default_rng(0).integers(1, 9, (8, 3))
    found, angles = filters.preference(counts)
    for unit in range(3):
        drawn = np.repeat(2 * np.deg2rad(filters.ANGLES), counts[:, unit])  # as many as the answer
        assert found[unit] == pytest.approx(1 - circvar(drawn))
        assert angles[unit] == pytest.approx(np.rad2deg(circmean(drawn)) / 2)


def test_a_line_prefers_its_own_angle_and_bars_favour_none():
    level, rising = np.array([[-1, -1, -1], [2, 2, 2], [-1, -1, -1]]), np.array([[-1, -1, 2], [-1, 2, -1], [2, -1, -1]])
    lines = level, rising, np.rot90(level), np.rot90(rising)
    others = np.ones((3, 3)), np.outer([0, 1, 0], [0, 1, 0]), -np.ones((3, 3))  # a blob, a pixel, and silence
    model = filters.after(filters.conv_net((3,), 7), 1)
    model[1].weight.data[:, 0] = torch.tensor(np.stack([*lines, *others]))
    found, preferred = filters.preference(filters.answers(model))
    assert (found[:4] > 0.4).all() and (found[4:] < 1e-9).all()
    np.testing.assert_allclose((preferred[:4] - [0, 45, 90, 135] + 90) % 180, 90, atol=1)


# --- experiments ------------------------------------------------------------------------------------------


def test_a_probe_is_fitted_on_one_part_and_scored_on_the_other():
    rng = np.random.default_rng(0)
    (X, y), (X_new, y_new) = ((torch.tensor(X), torch.tensor(X[:, 0] > 0)) for X in rng.normal(size=(2, 400, 30)))
    assert filters.probe(nn.Identity(), (X, y), (X_new, y_new)) > 0.9
    assert filters.probe(nn.Identity(), (X, y), (X_new, ~y_new)) < 0.1
    guesses = torch.tensor(rng.integers(2, size=400))
    assert filters.probe(nn.Identity(), (X, guesses), (X_new, y_new)) == pytest.approx(0.5, abs=0.1)


def test_features_without_training_are_scipys_sums_with_and_without_bends():
    X = torch.rand(2, 64, generator=seeded(8)).double()
    plain, bent, dense = (
        filters.untrained_features(name, seeded(9))(X).detach().flatten(1).numpy()
        for name in (filters.NO_BENDS, filters.FILTERS, filters.DENSE)
    )
    kernels = filters.conv_net(generator=seeded(9))[1].weight[:, 0].detach().numpy()
    sums = [[ndimage.correlate(x.reshape(8, 8).numpy(), one, mode="constant") for one in kernels] for x in X]
    np.testing.assert_allclose(plain, np.reshape(sums, (2, -1)), atol=1e-12)
    np.testing.assert_allclose(bent, np.maximum(plain, 0), atol=1e-12)
    assert dense.shape == bent.shape and dense.min() == 0 < dense.max()
    torch.testing.assert_close(filters.untrained_features(filters.PIXELS, seeded(9))(X), X)


def test_a_lead_of_features_is_a_difference_seed_by_seed():
    data = made_up(filters.bends, "probe")
    expected = data["probe"].values[:, 3] - data["probe"].values[:, 1]
    np.testing.assert_allclose(filters.bends_lead(data, "dense random units", "random filters"), expected)


@pytest.mark.slow
def test_before_training_both_networks_are_one(monkeypatch):
    monkeypatch.setattr(filters, "EPOCHS", 1)
    start, (_, fitting, held_out) = filters.conv_net(generator=seeded(17)), filters.digit_parts(generator=seeded(16))
    read = filters.readings.measure([8])
    untrained, trained = (read.sel(seed=8, weights=weights, layer=2) for weights in ("untrained", "trained"))
    expected = filters.preference(filters.answers(filters.after(start, 2)))[0]
    np.testing.assert_allclose(untrained["selectivity"], expected)
    assert not np.allclose(trained["selectivity"], expected)
    assert float(untrained["probe"]) == filters.probe(filters.after(start, 2), fitting, held_out)
    assert read["pixels"].item() == filters.probe(nn.Identity(), fitting, held_out)


# --- figures and the page ---------------------------------------------------------------------------------


def test_cuttings_are_pieces_of_the_image_black_beyond_it():
    image = torch.arange(64.0)
    np.testing.assert_array_equal(filters_figures.cutting(image, 9, 3), [[0, 1, 2], [8, 9, 10], [16, 17, 18]])
    np.testing.assert_array_equal(filters_figures.cutting(image, 63, 3), [[54, 55, 0], [62, 63, 0], [0, 0, 0]])


def test_turning_the_bar_shows_the_bar_and_the_curve_and_a_unit_that_answers_nothing_is_said_to():
    model = filters.conv_net(generator=seeded(5))
    draw = filters_figures.turned({"trained": model, "untrained": model})
    figure, words = draw(**{**values_of(filters_figures.bar_controls()), "layer": 3, "angle": 45})
    left, _, right = figure.axes
    shown = left.images[0].get_array().ravel()
    assert any(np.allclose(shown, filters.bar(45, offset)) for offset in filters.OFFSETS)
    answer = model[:7](torch.tensor(shown)[None])[0, 0, 3:5, 3:5].max().item()
    assert answer == pytest.approx(filters.answers(model[:7], [45])[0, 0])
    assert right.lines[-1].get_xydata()[0] == pytest.approx([45, answer]) and f"answers {answer:.2f}" in words
    model[1].weight.data[:] = -1.0
    assert "answers no bar" in draw("trained", 1, 0, 30)[1]


def test_the_page_defines_what_the_record_was_measured_with():
    """Its cells, run as they stand, against the room's functions."""
    source = SOURCE.read_text(encoding="utf-8")
    cells = [cell.partition("\n")[2] for cell in re.split(r"(?m)^# %%", source)]
    names = {"np": np, "torch": torch, "nn": nn}
    for start in ("def conv_net", "def bar"):
        exec(next(cell for cell in cells if cell.startswith(start)), names)
    model = filters.conv_net(generator=seeded(6))
    assert [str(layer) for layer in names["conv_net"]()] == [str(layer) for layer in model]
    for layer in filters.LAYERS:
        curves = names["tuning_curves"](filters.after(model, layer))
        np.testing.assert_allclose(curves, filters.answers(filters.after(model, layer)))
        for found, expected in zip(names["preference"](curves), filters.preference(curves), strict=True):
            np.testing.assert_allclose(found, expected)
