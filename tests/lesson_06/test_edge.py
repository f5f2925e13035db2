"""Lesson 06's edge: networks are what they say, depths are read off as defined, and reading is by name."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
import torch
import xarray as xr

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, TRAINING, score
from utils.lesson_06 import edge, edge_figures
from utils.lesson_06.edge import BOTH_EPOCHS, CHAOTIC, DEPTHS, EDGE, GAINS, ORDERED
from utils.lesson_06.hundred import KINDS
from utils.meanfield import critical_sigma_w
from utils.training import train

TRAINABLE, LONGER, LAYERED = (made_up(one, "accuracy") for one in (edge.trainable, edge.longer, edge.widths))


def learning_to(depth_of) -> xr.Dataset:
    """Measurements by gain in which all is right up to a depth, and nothing but chance from twice that depth."""
    data = TRAINABLE.copy(deep=True)
    for gain in GAINS:
        for depth in DEPTHS:
            share = np.clip(np.log2(depth / depth_of(gain)) + 0.5, 0, 1)
            data["accuracy"].loc[{"gain": gain, "depth": depth}] = 1 - 0.9 * share
    return data


# --- networks and depth scales ----------------------------------------------------------------------------


def test_five_gains_lie_on_each_side_of_the_edge():
    middle = critical_sigma_w(edge.SIGMA_B, "tanh")
    assert len(ORDERED) == len(CHAOTIC) == 5 and max(ORDERED) < middle < min(CHAOTIC)
    assert pytest.approx(middle, abs=0.005) == EDGE


def chi_by_quadrature(sigma_w: float) -> float:
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights /= weights.sum()
    q = 1.0
    for _ in range(500):
        q = sigma_w**2 * weights @ np.tanh(q**0.5 * nodes) ** 2 + 0.05
    return sigma_w**2 * weights @ np.cosh(q**0.5 * nodes) ** -4.0


def test_reaches_are_six_scales_that_differ_above_the_edge():
    for gain in ORDERED:
        assert edge.gradient_reach(gain) == pytest.approx(edge.reach(gain))
    assert edge.reach(0.9) == pytest.approx(-6 / log(chi_by_quadrature(0.9)), rel=1e-6)
    assert edge.gradient_reach(1.6) == pytest.approx(6 / log(chi_by_quadrature(1.6)), rel=1e-3)
    assert all(edge.gradient_reach(gain) < edge.reach(gain) for gain in CHAOTIC)


def test_networks_have_the_gain_and_the_depth_that_they_are_asked_for():
    layers = edge.tanh_network(2.0, 7, generator=seeded(1))[::2]
    assert [tuple(layer.weight.shape) for layer in layers] == [(50, 64), *[(50, 50)] * 6, (10, 50)]
    hidden = torch.cat([layer.weight.flatten() for layer in layers[1:-1]])
    assert hidden.std().item() == pytest.approx(2 / 50**0.5, rel=0.03)
    biases = torch.cat([layer.bias for layer in layers])
    assert biases.std().item() == pytest.approx(0.05**0.5, rel=0.1)


# --- measuring --------------------------------------------------------------------------------------------


def test_a_cell_is_a_network_trained_by_plain_gradient_descent_for_its_epochs(monkeypatch):
    for name, value in {"WIDTH": 8, "RATES": (0.01, 0.1), "BATCH": 64}.items():
        monkeypatch.setattr(edge, name, value)
    measured = edge.longer.measure([8], epochs=(1, 2), gain=(1.2,), depth=(2, 3))["accuracy"]
    training, _, held_out = edge.load_table("digits", edge.FRACTIONS, generator=seeded(16))
    for epochs in (1, 2):
        model = edge.tanh_network(1.2, 3, generator=seeded(17))
        train(model, *training, epochs=epochs, lr=0.1, optimizer="sgd", batch_size=64, progress=False)
        found = measured.sel(seed=8, gain=1.2, depth=3, rate=0.1, part=HELD_OUT, epochs=epochs)
        assert found.item() == pytest.approx(score(model, *held_out))


def test_steps_are_counted_as_they_are_taken():
    for fractions, steps in ((edge.FRACTIONS, edge.STEPS / edge.EPOCHS), (edge.LAYERS_FRACTIONS, edge.LAYERS_STEPS)):
        (X, _), *_ = edge.load_table("digits", fractions, generator=seeded())
        assert steps == len(X.split(edge.BATCH))


# --- reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accuracies", "depth"),
    [([0.9, 0.7, 0.4, 0.1], 4 * 2**0.5), ([0.95, 0.55, 0.1, 0.1], 4), ([0.9, 0.2, 0.9, 0.2], 8 * 2**0.5),
     ([0.9, 0.2, 0.9, 0.8], 16), ([0.3, 0.2, 0.3, 0.2], 2)],
)
def test_a_depth_is_read_off_between_depths_where_accuracy_falls_below_for_good(accuracies, depth):
    assert edge.falls_below(accuracies, [2, 4, 8, 16]) == pytest.approx(depth)


@pytest.mark.slow
def test_what_follows_theory_has_the_ratio_and_the_power_one():
    data = learning_to(lambda gain: np.clip(edge.reach(gain), 6.5, 40))
    inside = [gain for gain in GAINS if 6.5 < edge.reach(gain) < 40]
    assert len(inside) >= 6
    np.testing.assert_allclose(edge.ratio_to_theory(data, inside), 1, rtol=0.1)
    np.testing.assert_allclose(edge.power_of_theory(data, inside), 1, atol=0.15)
    root = learning_to(lambda gain: 4 * np.clip(edge.reach(gain), 6.5, 74) ** 0.5)
    np.testing.assert_allclose(edge.power_of_theory(root, ORDERED), 0.5, atol=0.1)
    answer = edge_figures.depth_answer(root)
    wanted = exp(np.mean([log(4 / edge.reach(gain) ** 0.5) for gain in CHAOTIC]))
    assert answer["above"] == pytest.approx(wanted, rel=0.1)


def test_what_longer_training_gains_is_a_ratio_of_depths():
    data = LONGER.copy(deep=True)
    for epochs, row in zip(BOTH_EPOCHS, ((0.7, 0.4, 0.1), (0.9, 0.7, 0.4)), strict=True):
        for depth, accuracy in zip(edge.LONGER_DEPTHS, row, strict=True):
            data["accuracy"].loc[{"epochs": epochs, "depth": depth}] = accuracy
    np.testing.assert_allclose(edge.depth_gained(data, edge.LONGER_GAINS[0]), 2)
    assert edge_figures.longer_answer(data) == pytest.approx({"below": 2, "above": 2})


def test_a_direction_is_alive_from_a_hundredth_of_the_largest_on():
    found = edge_figures.alive_answer({"Gaussian": [5.0, 0.06, 0.05, 0.04, 1e-9], "orthogonal": torch.ones(1)})
    assert found == {"gaussian": 3, "orthogonal": 1}


def test_streams_are_asked_for_with_and_without_scale_and_normalisation():
    asked = edge.four_streams(lambda scale, normalised: [1.0, scale, float(normalised)], branches=16)
    assert list(asked.values()) == [[1, 1, 0], [1, 1, 1], [1, 0.25, 0], [1, 0.25, 1]]
    ends = {"plain": 0, "normalised": 1, "scaled": 0, "normalised_and_scaled": 1}
    assert edge_figures.stream_answer(asked) == ends


# --- figures, and what is said of them ----------------------------------------------------------------------


def middles(figure) -> list:
    (ax,) = figure.axes
    return [container.lines[0].get_ydata() for container in ax.containers]


@pytest.mark.slow
def test_points_are_medians():
    wanted = [[np.median(edge.trainable_depth(TRAINABLE, gain, part=part)) for gain in GAINS]
              for part in (TRAINING, HELD_OUT)]
    np.testing.assert_allclose(middles(edge_figures.depths_reached(TRAINABLE)), wanted)
    best = edge.longer.best(LONGER, epochs=BOTH_EPOCHS[0], gain=2.5, depth=32)
    np.testing.assert_allclose(middles(edge_figures.longer_training(LONGER))[2][2], np.median(best))
    wanted = [[np.median(edge.widths.best(LAYERED, init=name, width=width)) for width in edge.WIDTHS]
              for name in KINDS]
    np.testing.assert_allclose(middles(edge_figures.accuracies_by_width(LAYERED)), wanted)


def test_singular_values_are_drawn_from_the_largest_on():
    figure = edge_figures.spectra({"orthogonal": torch.ones(4), "Gaussian": [0.1, 3.0, 1.0]})
    np.testing.assert_array_equal(figure.axes[0].lines[1].get_ydata(), [3, 1, 0.1])
