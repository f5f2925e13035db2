"""Lesson 03's convolutional networks: bars, answers, selectivity and probes against independent computations."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch
import xarray as xr
from scipy import ndimage
from sklearn.datasets import load_digits
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_03 import filters, filters_figures
from utils.lesson_03.claims import sharpened
from utils.lesson_03.page import PREDICTIONS
from utils.models import count_parameters
from utils.widgets import quick_png, values_of

SOURCE = Path(__file__).parents[2] / "notebooks/03b_what_a_small_conv_net_sees.py"


def selectivity_of(weights) -> tuple[float, float]:
    """Return the selectivity of one filter, and the angle it prefers."""
    model = filters.after(filters.conv_net((3,), 1), 1)
    model[1].weight.data[:] = torch.tensor(weights, dtype=torch.float64)
    (one,), (angle,) = filters.preference(filters.answers(model))
    return one, angle


# --- images and networks ----------------------------------------------------------------------------------


def test_a_split_is_the_whole_table_without_overlap_and_black_stays_0():
    parts = filters.digit_parts(generator=seeded(3))
    assert [len(X) for X, _ in parts] == [898, 450, 449]
    pixels, labels = load_digits(return_X_y=True)
    rows = torch.cat([torch.column_stack([16 * X, y]) for X, y in parts]).numpy()
    assert sorted(map(tuple, rows)) == sorted(map(tuple, np.column_stack([pixels, labels])))
    same, other = (filters.digit_parts(generator=seeded(seed))[2][0] for seed in (3, 4))
    assert torch.equal(parts[2][0], same) and not torch.equal(same, other)


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


def test_means_are_means_over_the_places():
    flat, pooled = (filters.conv_net((3,), 4, read, generator=seeded(1)) for read in (filters.FLAT, filters.POOLED))
    X = torch.rand(6, 64, dtype=torch.float64)
    pooled[1].weight.data[:] = flat[1].weight
    means = flat[:-1](X).reshape(6, 4, 64).mean(dim=2)
    torch.testing.assert_close(pooled(X), pooled[-1](means))


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


def test_the_field_of_a_central_place_lies_within_the_image():
    model = filters.conv_net()
    for parameter in model.parameters():
        nn.init.ones_(parameter)
    for layer in filters.LAYERS:
        for row in (3, 4):
            pixels = torch.ones(1, 64, dtype=torch.float64, requires_grad=True)
            filters.after(model, layer)(pixels)[0, 0, row, row].backward()
            seen = np.flatnonzero((pixels.grad.reshape(8, 8) > 0).any(dim=1).numpy())
            assert seen.tolist() == list(range(row - layer, row + layer + 1))


def test_selectivity_is_one_minus_scipys_circular_variance():
    from scipy.stats import circmean, circvar

    counts = np.random.default_rng(0).integers(1, 9, (8, 3))
    found, angles = filters.preference(counts)
    for unit in range(3):
        drawn = np.repeat(2 * np.deg2rad(filters.ANGLES), counts[:, unit])  # as many as the answer
        assert found[unit] == pytest.approx(1 - circvar(drawn))
        assert angles[unit] == pytest.approx(np.rad2deg(circmean(drawn)) / 2)


LINE = [[-1, -1, -1], [2, 2, 2], [-1, -1, -1]]
RISING = [[-1, -1, 2], [-1, 2, -1], [2, -1, -1]]


def test_a_line_prefers_its_own_angle_and_bars_favour_none():
    for weights, angle in ((LINE, 0), (np.rot90(LINE), 90), (RISING, 45), (np.rot90(RISING), 135)):
        found, preferred = selectivity_of(np.array(weights))
        assert found > 0.4 and abs((preferred - angle + 90) % 180 - 90) < 1
    for weights in (np.ones((3, 3)), np.outer([0, 1, 0], [0, 1, 0]), -np.ones((3, 3))):  # a blob, a pixel, and silence
        assert selectivity_of(weights)[0] < 1e-9


# --- experiments ------------------------------------------------------------------------------------------


def test_a_probe_is_fitted_on_one_part_and_scored_on_the_other():
    rng = np.random.default_rng(0)
    (X, y), (X_new, y_new) = ((torch.tensor(X), torch.tensor(X[:, 0] > 0)) for X in rng.normal(size=(2, 400, 30)))
    assert filters.probe(nn.Identity(), (X, y), (X_new, y_new)) > 0.9
    assert filters.probe(nn.Identity(), (X, y), (X_new, ~y_new)) < 0.1
    guesses = torch.tensor(rng.integers(2, size=400))
    assert filters.probe(nn.Identity(), (X, guesses), (X_new, y_new)) == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_readings_do_not_depend_on_other_seeds_and_before_training_both_networks_are_one(monkeypatch):
    monkeypatch.setattr(filters, "EPOCHS", 1)
    both, alone = (filters.readings.measure(seeds) for seeds in ([3, 8], [8]))
    xr.testing.assert_allclose(both.sel(seed=[8]), alone)
    start, (_, fitting, held_out) = filters.conv_net(generator=seeded(17)), filters.digit_parts(generator=seeded(16))
    untrained, trained = (alone.sel(seed=8, weights=weights, layer=2) for weights in ("untrained", "trained"))
    expected = filters.preference(filters.answers(filters.after(start, 2)))[0]
    np.testing.assert_allclose(untrained["selectivity"], expected)
    assert not np.allclose(trained["selectivity"], expected)
    assert float(untrained["probe"]) == filters.probe(filters.after(start, 2), fitting, held_out)
    assert alone["pixels"].item() == filters.probe(nn.Identity(), fitting, held_out)


def test_claims_and_answers_read_their_own_cells():
    readings = 0 * made_up(filters.readings, "selectivity", "probe", seeds=3, probe=("weights", "layer"))
    readings["selectivity"].loc[{"weights": "trained", "layer": 2}] = xr.DataArray([0.1] * 3 + [0.4] * 5, dims="unit")
    np.testing.assert_allclose(sharpened(readings, 2), [0.4] * 3)
    readings["selectivity"].loc[{"weights": "untrained", "layer": 3}] = 0.3
    np.testing.assert_allclose(sharpened(readings, 3), [-0.3] * 3)
    fight = made_up(filters.shapes, "accuracy", seeds=3)
    cell = fight["accuracy"].sel(shape="one of 7×7, means", rate=0.3)
    cell.loc[{"part": "validation"}] = 2  # better than any other
    assert filters.shape_medians(fight)["wide_means"] == pytest.approx(np.median(cell.sel(part="held-out")))


# --- figures and the page ---------------------------------------------------------------------------------


def test_cuttings_are_pieces_of_the_image_black_beyond_it():
    image = torch.arange(64.0)
    np.testing.assert_array_equal(filters_figures.cutting(image, 9, 3), [[0, 1, 2], [8, 9, 10], [16, 17, 18]])
    np.testing.assert_array_equal(filters_figures.cutting(image, 63, 3), [[54, 55, 0], [62, 63, 0], [0, 0, 0]])


def test_figures_draw_what_was_recorded():
    readings = made_up(filters.readings, "selectivity", seeds=12, probe=("weights", "layer"), pixels=())
    drawn = filters_figures.selectivities(readings).axes[0].lines[0].get_ydata()
    np.testing.assert_allclose(sorted(drawn), sorted(readings["selectivity"].sel(layer=1, weights="trained").data.flat))
    medians = [readings["pixels"].median(), *readings["probe"].sel(weights="trained").median("seed")]
    np.testing.assert_allclose(filters_figures.probes_by_layer(readings).axes[0].lines[0].get_ydata(), medians)
    fight = made_up(filters.shapes, "accuracy", seeds=12)
    medians = fight["accuracy"].sel(shape="one of 7×7, means", part="held-out").median("seed")
    np.testing.assert_allclose(filters_figures.shapes_by_rate(fight).axes[1].lines[-3].get_ydata(), medians)


def test_turning_the_bar_shows_the_bar_the_map_and_the_curve():
    model = filters.conv_net(generator=seeded(5))
    draw = filters_figures.turned({"trained": model, "untrained": model})
    figure, words = draw(**{**values_of(filters_figures.bar_controls()), "layer": 3, "angle": 45})
    left, _, right = figure.axes
    shown = left.images[0].get_array().ravel()
    assert any(np.allclose(shown, filters.bar(45, offset)) for offset in filters.OFFSETS)
    answer = model[:7](torch.tensor(shown)[None])[0, 0, 3:5, 3:5].max().item()
    assert answer == pytest.approx(filters.answers(model[:7], [45])[0, 0])
    assert right.lines[-1].get_xydata()[0] == pytest.approx([45, answer]) and f"answers {answer:.2f}" in words
    assert quick_png(figure)[1:4] == b"PNG" and "nan" not in words


def test_a_unit_that_answers_nothing_is_said_to():
    model = filters.conv_net(generator=seeded(5))
    model[1].weight.data[:] = -1.0
    figure, words = filters_figures.turned({"trained": model})("trained", 1, 0, 30)
    assert "answers no bar" in words and figure.axes


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


def test_answers_of_predictions_follow_the_measurement():
    right = {key: one.right for key, one in PREDICTIONS.items()}
    angles = {0: 1, 20: 1, 40: 2, 100: 3, 130: 4, 170: 1}
    assert [right["03b.angle"](angle=angle, selectivity=0.2) for angle in angles] == list(angles.values())
    assert right["03b.angle"](angle=40, selectivity=0.09) == 5
    assert [right["03b.tuned"](untrained=one, trained=0.2) for one in (0.01, 0.1, 0.2, 0.4)] == [1, 2, 3, 3]
    assert right["03b.probe"](pixels=0.9, untrained=0.8, trained=0.95) == 1
    assert right["03b.probe"](pixels=0.9, untrained=0.92, trained=0.95) == 2
    assert right["03b.probe"](pixels=0.9, untrained=0.945, trained=0.95) == 3
    same = {"deep": 0.9, "shallow": 0.9, "shallow_means": 0.8, "wide_means": 0.9}
    assert [right["03b.deep"](**{**same, "deep_means": one}) for one in (0.9, 0.8)] == [2, 3]
    assert right["03b.deep"](**{**same, "deep": 0.95, "deep_means": 0.8}) == 1
