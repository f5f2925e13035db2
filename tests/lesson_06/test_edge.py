"""Lesson 06's edge: which side a gain is on, how many steps there are, and how a depth is read off."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
import torch

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, score
from utils.lesson_06 import edge, edge_figures
from utils.lesson_06.edge import CHAOTIC, DEPTHS, EDGE, GAINS, ORDERED
from utils.meanfield import critical_sigma_w
from utils.training import train


def test_five_gains_lie_on_each_side_of_the_edge():
    middle = critical_sigma_w(edge.SIGMA_B, "tanh")
    assert len(ORDERED) == len(CHAOTIC) == 5 and max(ORDERED) < middle < min(CHAOTIC)
    assert pytest.approx(middle, abs=0.005) == EDGE


def test_reaches_are_six_scales_that_differ_above_the_edge():
    for gain in ORDERED:
        assert edge.gradient_reach(gain) == pytest.approx(edge.reach(gain))
    assert all(edge.gradient_reach(gain) < edge.reach(gain) for gain in CHAOTIC)


def test_steps_are_counted_as_they_are_taken():
    for fractions, steps in ((edge.FRACTIONS, edge.STEPS / edge.EPOCHS), (edge.LAYERS_FRACTIONS, edge.LAYERS_STEPS)):
        (X, _), *_ = edge.load_table("digits", fractions, generator=seeded())
        assert steps == len(X.split(edge.BATCH))


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


def test_elsewhere_has_its_gain_and_its_biases(monkeypatch):
    made = []
    monkeypatch.setattr(edge, "sweep", lambda build, *_, **__: made.append(build(generator=seeded(1))))
    for sigma_b in (edge.SIGMA_B, edge.ELSEWHERE[1]):
        edge.learned([1], edge.ELSEWHERE[0], 30, sigma_b=sigma_b)
    edge.few_steps([1], 100, "Gaussian", 1.1)
    layers = [[layer for layer in model if isinstance(layer, torch.nn.Linear)] for model in made]
    for hidden, sigma_b in zip(layers, (edge.SIGMA_B, 1), strict=False):
        assert torch.cat([layer.bias for layer in hidden]).std().item() == pytest.approx(sigma_b, rel=0.05)
        weights = torch.cat([layer.weight.flatten() for layer in hidden[1:-1]])
        assert weights.std().item() * edge.WIDTH**0.5 == pytest.approx(3, rel=0.02)
    assert layers[2][1].weight.std().item() * 10 == pytest.approx(1.1, rel=0.02)


def test_each_kind_of_weights_has_the_gain_that_suits_it():
    data = made_up(edge.both_gains, "accuracy")
    held_out = data["accuracy"].sel(part=HELD_OUT)
    data["accuracy"].loc[{"init": "orthogonal", "part": "validation", "gain": 1.05, "rate": 0.01}] = 2
    data["accuracy"].loc[{"init": "Gaussian", "part": "validation", "gain": 1.1, "rate": 0.002}] = 2
    wanted = held_out.sel(init="orthogonal", gain=1.05, rate=0.01) - held_out.sel(init="Gaussian", gain=1.1, rate=0.002)
    np.testing.assert_allclose(edge.gained_lead(data), wanted)


@pytest.mark.parametrize(
    ("accuracies", "depth"),
    [
        ([0.9, 0.7, 0.4, 0.1], 4 * 2**0.5),
        ([0.95, 0.55, 0.1, 0.1], 4),
        ([0.9, 0.2, 0.9, 0.2], 8 * 2**0.5),
        ([0.9, 0.2, 0.9, 0.8], 16),
        ([0.3, 0.2, 0.3, 0.2], 2),
    ],
)
def test_a_depth_is_read_off_between_depths_where_accuracy_falls_below_for_good(accuracies, depth):
    assert edge.falls_below(accuracies, [2, 4, 8, 16]) == pytest.approx(depth)


@pytest.mark.slow
@pytest.mark.parametrize("power", [1, 0.5])
def test_what_follows_a_power_of_theory_has_that_power(power):
    """All is right up to a depth, and nothing but chance from twice that depth."""
    data = made_up(edge.trainable, "accuracy")
    inside = [gain for gain in GAINS if 6.5 < edge.reach(gain) < 40]
    assert len(inside) >= 6
    for gain in inside:
        reached = 20 * (edge.reach(gain) / 20) ** power
        for depth in DEPTHS:
            share = np.clip(np.log2(depth / reached) + 0.5, 0, 1)
            data["accuracy"].loc[{"gain": gain, "depth": depth}] = 1 - 0.9 * share
    np.testing.assert_allclose(edge.power_of_theory(data, inside), power, atol=0.15)
    wanted = np.exp(np.mean([(1 - power) * log(20 / edge.reach(gain)) for gain in inside]))
    np.testing.assert_allclose(edge.ratio_to_theory(data, inside), wanted, rtol=0.1)


def test_a_direction_is_alive_from_a_hundredth_of_the_largest_on():
    found = edge_figures.alive_answer({"Gaussian": [5.0, 0.06, 0.05, 0.04, 1e-9], "orthogonal": torch.ones(1)})
    assert found == {"gaussian": 3, "orthogonal": 1}
