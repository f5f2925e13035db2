"""Lesson 06's gains: signals and gradients against autograd and theory, and the histograms of the film."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from utils.lesson_06 import gains, gains_figures
from utils.lesson_06.gains import ACTIVATIONS, GAINS, HE, RELU, TANH


@pytest.fixture
def small(monkeypatch):
    """A network of five layers of twelve units."""
    monkeypatch.setitem(gains.random_network.__kwdefaults__, "depth", 5)
    monkeypatch.setitem(gains.random_network.__kwdefaults__, "width", 12)
    for name, value in {"INPUTS": 3, "FIRST": 2, "LAST": 4, "SHORT": 3}.items():
        monkeypatch.setattr(gains, name, value)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_signals_and_gradients_are_those_of_autograd(activation, small):
    network = gains.random_network(np.random.default_rng(0))
    signals, gradients = gains.propagate(network, 1.3, activation)
    weights, output, x, targets = map(torch.tensor, network)
    phi, sums = {RELU: torch.relu, TANH: torch.tanh}[activation], []
    for number, W in enumerate(weights):
        sums.append((1.3 * W @ x).requires_grad_())
        x = phi(sums[-1])
        np.testing.assert_allclose(signals[number], x.detach())
    loss = ((output @ x - targets) ** 2).sum() / 2
    for gradient, wanted in zip(gradients, torch.autograd.grad(loss, sums), strict=True):
        np.testing.assert_allclose(gradient, wanted, atol=1e-15)


def test_theory_is_one_at_the_gain_of_each_activation():
    assert gains.theory(TANH, [1])[0] == pytest.approx(1)
    np.testing.assert_allclose(gains.theory(RELU), np.square(GAINS) / 2)
    assert gains.growth(2.0, 30, 40) == pytest.approx(gains.theory(TANH, [2.0])[0] ** 5, rel=1e-6)  # settled


def test_theory_on_the_way_is_that_of_a_wide_network_and_angles_close():
    signals, gradients = gains.propagate(gains.random_network(np.random.default_rng(0), depth=8, width=2000), 1.0, TANH)
    sizes = gains.sizes(gradients)
    assert gains.growth(1.0, 1, 8) == pytest.approx(sizes[0] / sizes[-1], rel=0.1)
    assert gains.cosine_after(1) == pytest.approx(1 / np.pi)  # Cho & Saul 2009


def test_what_is_measured_is_read_off_the_right_layers(small):
    data = gains.passing.measure([3])
    signals, gradients = gains.propagate(gains.random_network(np.random.default_rng(3)), HE, RELU)
    square = {"signal": np.mean(signals**2, axis=(1, 2)), "gradient": np.mean(gradients**2, axis=(1, 2))}
    wanted = {
        "signal": np.sqrt(square["signal"][3] / square["signal"][1]),  # layers 2 to 4
        "gradient": np.sqrt(square["gradient"][1] / square["gradient"][3]),
        "size": np.sqrt(square["signal"][2]),
        "back": np.sqrt(square["gradient"][0] / square["gradient"][4]),
    }
    for name, value in wanted.items():
        np.testing.assert_allclose(gains.select(data, name, RELU, HE), value)


def test_a_histogram_stands_on_its_layer_between_its_values_powers_of_ten():
    values = np.concatenate([np.zeros(500), 10 ** np.linspace(-3, -1, 500)])
    first, second, small, large = gains_figures.histograms(values * np.array([[1], [100], [1e-30], [1e30]]))
    np.testing.assert_allclose(second - first, np.tile([2, 1], (len(first), 1)))
    assert np.all(np.diff(first[:, 0]) > 0) and -3 < first[0, 0] < -2.9 and -1.1 < first[-1, 0] < -1
    assert first[0, 1] == first[-1, 1] == 1
    np.testing.assert_allclose(first[1:-1, 1], 1 + gains_figures.TALLEST)  # as even as the values
    assert np.all(small[:, 0] < -gains_figures.REACH) and np.all(large[:, 0] > gains_figures.REACH)
