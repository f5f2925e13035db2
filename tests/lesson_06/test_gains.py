"""Lesson 06's gains: signals and gradients against autograd, theory and the film that shows them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.made_up import made_up
from utils import pages
from utils.lesson_06 import gains, gains_figures, page
from utils.lesson_06.gains import ACTIVATIONS, GAINS, HE, RELU, TANH
from utils.player import LIMIT, player_html

RECORD = made_up(gains.passing, "signal", "gradient", "size", "back")


@pytest.fixture
def small(monkeypatch):
    """A network of five layers of twelve units."""
    monkeypatch.setitem(gains.drawn.__kwdefaults__, "depth", 5)
    monkeypatch.setitem(gains.drawn.__kwdefaults__, "width", 12)
    for name, value in {"INPUTS": 3, "FIRST": 2, "LAST": 4, "SHORT": 3}.items():
        monkeypatch.setattr(gains, name, value)


# --- networks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_signals_and_gradients_are_those_of_autograd(activation, small):
    network = gains.drawn(np.random.default_rng(0))
    signals, gradients = gains.passed(network, 1.3, activation)
    weights, output, x, targets = map(torch.tensor, network)
    phi, sums = {RELU: torch.relu, TANH: torch.tanh}[activation], []
    for number, W in enumerate(weights):
        sums.append((1.3 * W @ x).requires_grad_())
        x = phi(sums[-1])
        np.testing.assert_allclose(signals[number], x.detach())
    loss = ((output @ x - targets) ** 2).sum() / 2
    for gradient, wanted in zip(gradients, torch.autograd.grad(loss, sums), strict=True):
        np.testing.assert_allclose(gradient, wanted, atol=1e-15)


def test_a_network_at_gain_1_has_weights_of_variance_one_over_the_width():
    network = gains.drawn(np.random.default_rng(0), depth=3, width=100)
    assert network.weights.shape == (3, 100, 100)
    for values, variance in ((network.weights, 1 / 100), (network.inputs, 1), (network.output, 1 / 100)):
        np.testing.assert_allclose(np.var(values), variance, rtol=5 * np.sqrt(2 / values.size))


def test_a_factor_is_that_of_the_mean_square_from_layer_to_layer():
    values = np.array([[[3.0, -3.0]], [[1.5, 1.5]], [[0.75, 0.75]]])
    np.testing.assert_allclose(gains.sizes(values), [3, 1.5, 0.75])
    assert gains.factor(gains.sizes(values)) == pytest.approx(1 / 4)
    assert gains.factor(gains.sizes(values)[::-1]) == pytest.approx(4)


def test_theory_is_one_at_the_gain_of_each_activation():
    assert gains.theory(RELU, [HE])[0] == pytest.approx(1)
    assert gains.theory(TANH, [1])[0] == pytest.approx(1)
    np.testing.assert_allclose(gains.theory(RELU), np.square(GAINS) / 2)
    assert gains.growth(2.0, 5) == pytest.approx(gains.theory(TANH, [2.0])[0] ** 2)


# --- measuring and reading --------------------------------------------------------------------------------


def test_what_is_measured_is_read_off_the_right_layers(small):
    data = gains.passing.measure([3])
    signals, gradients = gains.passed(gains.drawn(np.random.default_rng(3)), HE, RELU)
    square = {"signal": np.mean(signals**2, axis=(1, 2)), "gradient": np.mean(gradients**2, axis=(1, 2))}
    wanted = {
        "signal": np.sqrt(square["signal"][3] / square["signal"][1]),  # layers 2 to 4
        "gradient": np.sqrt(square["gradient"][1] / square["gradient"][3]),
        "size": np.sqrt(square["signal"][2]),
        "back": np.sqrt(square["gradient"][0] / square["gradient"][4]),
    }
    for name, value in wanted.items():
        np.testing.assert_allclose(gains.at(data, name, RELU, HE), value)


def test_how_far_a_gradient_is_from_theory_is_read_by_name():
    for activation in ACTIVATIONS:
        for gain, chi in zip(GAINS, gains.theory(activation), strict=True):
            off, read = (data.sel(activation=activation, gain=gain) for data in (gains.off(RECORD), RECORD["gradient"]))
            np.testing.assert_allclose(off, read / chi - 1)
    assert page.tanh_answer(RECORD)["back"] == float(RECORD["back"].sel(activation=TANH, gain=2.0).median())


# --- film and figure --------------------------------------------------------------------------------------


def test_a_histogram_stands_on_its_layer_between_its_values_powers_of_ten():
    values = np.concatenate([np.zeros(500), 10 ** np.linspace(-3, -1, 500)])
    first, second = gains_figures.histograms(np.stack([values, 100 * values]))
    np.testing.assert_allclose(second - first, np.tile([2, 1], (len(first), 1)))
    assert np.all(np.diff(first[:, 0]) > 0) and -3 < first[0, 0] < -2.9 and -1.1 < first[-1, 0] < -1
    assert first[0, 1] == first[-1, 1] == 1
    np.testing.assert_allclose(first[1:-1, 1], 1 + gains_figures.TALLEST)  # as even as the values


def test_what_is_too_small_or_too_large_lies_outside_of_the_picture():
    values = np.array([[1e-30, 2e-30], [1e30, 2e30]])
    small, large = gains_figures.histograms(values)
    assert np.all(small[:, 0] < -gains_figures.REACH) and np.all(large[:, 0] > gains_figures.REACH)


@pytest.mark.slow
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_film_runs_through_both_gains_and_shows_the_towers_there(activation, small, monkeypatch):
    shown = []
    monkeypatch.setattr(gains_figures, "play", lambda *film, **settings: shown.append((*film, settings)))
    page.play_gains(activation)
    ((scene, labels, key, settings),) = shown
    assert {"gain 1.00", "gain 1.41"} <= set(labels) and len(labels) == 17 and key in pages.figures
    assert settings.pop("folded") and len(player_html(scene, labels, "words", **settings)) < LIMIT
    network, frame = gains.drawn(np.random.default_rng(0)), labels.index("gain 1.41")
    for (title, (towers, _)), values in zip(scene.items(), gains.passed(network, HE, activation), strict=True):
        np.testing.assert_allclose(towers.frames[frame], gains_figures.histograms(values), err_msg=title)
        assert gains_figures.NAMES[activation] in title


def test_the_figure_draws_medians_over_theory():
    (ax,) = page.gradient_factors(RECORD).axes
    drawn = [container.lines[0].get_ydata() for container in ax.containers]
    np.testing.assert_allclose(drawn, RECORD["gradient"].median("seed").transpose("activation", "gain"))
    relu, tanh = (line for line in ax.lines if len(line.get_xdata()) == 76)
    np.testing.assert_allclose(relu.get_ydata(), relu.get_xdata() ** 2 / 2)
    np.testing.assert_allclose(np.interp(1, tanh.get_xdata(), tanh.get_ydata()), 1, atol=1e-2)
