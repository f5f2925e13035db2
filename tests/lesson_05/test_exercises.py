"""What lesson 05's definitions promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tests.proofs import of_seed
from utils import meanfield
from utils.lesson_05.exercises import gaussian, length_step, order_or_chaos, separation_rate, weights_apart

SEEDS = range(2)


@pytest.mark.parametrize("seed", SEEDS)
def test_points_that_meet_stay_together_and_at_least_two_steps_count(seed):
    meet = 0
    for given in of_seed(separation_rate.SEPARATION.cases, seed):
        together = (given["one"] == given["other"]).all(axis=1)
        meet += together.any()
        assert (np.diff(together.astype(int)) >= 0).all()
        assert (~together[given["skip"] :]).sum() >= 3 and given["skip"] in (0, 1, 2)
    assert meet == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_no_rate_is_a_close_call(seed):
    """Rates have either sign, and are as far from 0 as the tolerance takes for granted."""
    rates = np.array(list(map(separation_rate.rate, of_seed(separation_rate.SEPARATION.cases, seed))))
    assert np.abs(rates).min() > separation_rate.LEAST_RATE
    assert (rates > 0).sum() >= 3 and (rates < 0).sum() >= 3


@pytest.mark.slow
def test_the_rate_of_a_random_network_is_half_the_logarithm_of_chi():
    """Two points 1e-6 apart in 12 layers of 800 units, four networks: their mean varies by about 0.01."""
    rng, rates = np.random.default_rng(0), []
    for _ in range(4):
        pair = np.tanh(rng.normal(size=800)) + np.array([[0], [1e-6]]) * rng.normal(size=(2, 800))
        layers = [pair]
        for _ in range(12):
            layers.append(np.tanh(layers[-1] @ (2.5 / np.sqrt(800) * rng.normal(size=(800, 800)))))
        one, other = np.array(layers).transpose(1, 0, 2)
        rates.append(separation_rate.rate({"one": one, "other": other, "skip": 2}))
    assert np.mean(rates) == pytest.approx(np.log(meanfield.chi_1(2.5, 0, "tanh")) / 2, abs=0.02)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_length_is_the_length_maps(seed):
    for given in of_seed(length_step.LENGTH_STEP.cases, seed):
        assert 0 <= given["q"] <= 2.5 and max(given["sigma_w"], given["sigma_b"]) <= 4
        wanted = meanfield.length_map(given["q"], given["sigma_w"], given["sigma_b"], "tanh")
        assert length_step.right(given) == pytest.approx(wanted, rel=1e-9)


def test_the_length_comes_to_rest_where_theory_says():
    for sigma_w, sigma_b in ((0.8, 0.0), (1.5, 0.0), (1.3, 0.5), (4.0, 1.8), (0.3, 0.05)):
        wanted = meanfield.q_star(sigma_w, sigma_b, "tanh")
        assert gaussian.resting_length(sigma_w, sigma_b) == pytest.approx(wanted, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_phases_are_those_of_theory_and_no_close_calls(seed):
    said = []
    for given in of_seed(order_or_chaos.ORDER_OR_CHAOS.cases, seed):
        for network, word in zip(given["networks"], order_or_chaos.right(given), strict=True):
            chi_1 = meanfield.chi_1(*network, "tanh")
            assert chi_1 < 0.9801 or chi_1 > 1.0199
            assert word == meanfield.phase(*network, "tanh")
            said.append(word == "chaotic")
    assert 0.25 < np.mean(said) < 0.75


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_are_as_far_apart_as_the_way_they_were_made_says(seed):
    """A relabelled network is at no distance, a nearly relabelled one within the change, and each of a pair as far."""
    distances = []
    for given in of_seed(weights_apart.WEIGHTS_APART.cases, seed):
        distances.append(weights_apart.right(given))
        exchanged = {"weights_a": given["weights_b"], "weights_b": given["weights_a"]}
        assert weights_apart.right(exchanged) == pytest.approx(distances[-1], abs=1e-12)
        assert max(len(weight) for weight in given["weights_a"][:-1]) <= 4
    assert sum(distance < 1e-12 for distance in distances) == 2
    assert sum(1e-3 < distance <= 0.2 for distance in distances) >= 4


def test_new_labels_leave_what_a_network_computes():
    rng = np.random.default_rng(0)
    for sizes in (*weights_apart.ONE_LAYER, *weights_apart.TWO_LAYERS):
        given = weights_apart.two_networks(rng, weights_apart.unchanged, sizes)
        x = torch.randn(20, sizes[0], generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        first, second = (computed(given[name], x) for name in ("weights_a", "weights_b"))
        torch.testing.assert_close(first, second)


def computed(weights: list[np.ndarray], x: torch.Tensor) -> torch.Tensor:
    *hidden, last = map(torch.from_numpy, weights)
    for weight in hidden:
        x = torch.tanh(x @ weight.T)
    return x @ last.T


def test_what_is_said_of_values():
    example = separation_rate.worked_example()
    said = separation_rate.explain_rate(example, 1.0, 1.04)
    assert said == "The distances that count, from layer 1 on: 0.05, 0.1, 0.4."
    assert separation_rate.explain_rate(example, [1.0], 1.04) == said
    assert separation_rate.explain_rate(example, "1", 1.04) == ""
    assert length_step.explain_length({}, 1.01, 1.0) == "Your value is off by 1.0% of the right one."
    assert length_step.explain_length({}, 2.0, 1.0) == ""
    given = order_or_chaos.worked_example()
    answer = ["ordered", "chaotic", "chaotic"]
    assert order_or_chaos.FORM.explain(given, answer, order_or_chaos.right(given)) == "Wrong about: 2."
    assert order_or_chaos.FORM.explain(given, answer[:2], order_or_chaos.right(given)) == ""
    example = weights_apart.worked_example()
    assert weights_apart.right(example) == pytest.approx(0.1)
    assert weights_apart.explain_apart(example, 1.0, 0.1) == "The networks have the sizes 2, 2, 1."


def test_what_is_drawn_of_a_rate():
    """The layers that count are filled, and the dashed line grows by the rate that was returned."""
    figure, words = separation_rate.plot_rate(separation_rate.worked_example(), 0.5)
    everywhere, counted, line = figure.axes[0].lines
    np.testing.assert_allclose(everywhere.get_ydata(), [0.5, 0.05, 0.1, 0.4])
    assert counted.get_xdata().tolist() == [1, 2, 3]
    np.testing.assert_allclose(np.diff(np.log(line.get_ydata())), 0.5)
    assert words.endswith("Your function returns 0.5.")
    plt.close(figure)
