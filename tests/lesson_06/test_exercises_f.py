"""What the definitions of exercises 06.1 to 06.4 promise of every draw: no verdict hangs on its luck."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn

from tests.proofs import of_seed
from utils import meanfield
from utils.lesson_06.exercises import gain_from_lengths, gradient_norms, weight_std, will_not_train
from utils.lesson_06.exercises.backward import loss_norms
from utils.lesson_06.length_runs import LEFT, RIGHT, deep_lengths, length_lines

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_deviation_keeps_the_length_that_a_sample_measures(seed):
    """The mean square behind the activation, over 200,000 draws: within two percent."""
    z = np.random.default_rng(seed).normal(size=200_000)
    for given in of_seed(weight_std.WEIGHT_STD.cases, seed):
        activated = np.where(z < 0, given["left"] * z, given["right"] * z)
        kept = given["n_in"] * weight_std.right(given) ** 2 * np.mean(activated**2)
        assert kept == pytest.approx(1, abs=0.02) and given["right"] != 0


def test_the_deviation_keeps_what_the_length_map_keeps():
    for slopes, name in (((0, 1), "relu"), ((0.01, 1), "leaky_relu"), ((1, 1), "identity")):
        gain = weight_std.right(weight_std.case(*slopes, 1, 1))
        assert meanfield.length_map(0.7, gain, 0.0, name) == pytest.approx(0.7)


def by_autograd(activation: str, weights: list[np.ndarray], X: np.ndarray, y: np.ndarray) -> np.ndarray:
    parameters = [torch.tensor(weight, requires_grad=True) for weight in weights]
    signal = torch.tensor(X)
    for weight in parameters[:-1]:
        signal = {"tanh": torch.tanh, "relu": torch.relu}[activation](signal @ weight.T)
    loss = nn.functional.mse_loss((signal @ parameters[-1].T)[:, 0], torch.tensor(y))
    return np.array([gradient.norm().item() for gradient in torch.autograd.grad(loss, parameters)])


@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_norms_are_autograds_and_no_unit_is_at_its_kink(seed):
    for given in of_seed(gradient_norms.GRADIENT_NORMS.cases, seed):
        np.testing.assert_allclose(gradient_norms.right(given), by_autograd(**given), rtol=1e-10)
        moved = {**given, "X": given["X"] + 1e-9}
        np.testing.assert_allclose(gradient_norms.right(moved), gradient_norms.right(given), rtol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_medians_increase_through_zero_once_or_not_at_all(seed):
    never = 0
    for given in of_seed(gain_from_lengths.GAIN_FROM_LENGTHS.cases, seed):
        gains, lengths, skip = given["gains"], given["lengths"], given["skip"]
        medians = gain_from_lengths.of_growth(lengths, skip)
        assert (np.diff(medians) > 0).all() and np.abs(medians).min() > 0.003 and (lengths > 0).all()
        assert len(gains) >= 3 and lengths.shape[-1] > skip + 2 and 0 <= skip <= 3
        found = gain_from_lengths.right(given)
        never += found == 0
        assert found == 0 or gains[medians < 0][-1] < found < gains[medians > 0][0]
    assert never == gain_from_lengths.NEVER


def test_the_experiment_finds_the_gain_that_the_first_exercise_computes():
    """Ten networks of 30 layers of 100 units at each of five gains: within three percent."""
    gains = np.linspace(1.0, 1.4, 5)
    lengths = deep_lengths(gains, n_seeds=10)
    found = gain_from_lengths.right({"gains": gains, "lengths": lengths, "skip": 0})
    assert found == pytest.approx(weight_std.right(weight_std.case(LEFT, RIGHT, 1, 1)), rel=0.03)


@pytest.mark.slow
def test_measured_lengths_are_those_of_the_length_map():
    """Networks of 1,000 units keep to the theory of infinite width: six layers of tanh, within ten percent."""
    lengths = deep_lengths([0.8, 1.5], n_seeds=2, depth=6, width=1000, activation=np.tanh)
    for place, gain in enumerate((0.8, 1.5)):
        wanted = [gain**2]
        while len(wanted) < 6:
            wanted.append(meanfield.length_map(wanted[-1], gain, 0.0, "tanh"))
        np.testing.assert_allclose(lengths[:, place].mean(axis=0), wanted, rtol=0.1)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_network_is_a_close_call(seed):
    """Verdicts are autograd's, and each of the three is frequent."""
    said = []
    for given in of_seed(will_not_train.WILL_NOT_TRAIN.cases, seed):
        for (activation, weights), word in zip(given["networks"], will_not_train.right(given), strict=True):
            norm = by_autograd(activation, weights, given["X"], given["y"])[0]
            assert norm < 0.0051 or 0.0199 < norm < 50.1 or norm > 199
            assert word == ("vanishes" if norm < 0.01 else "explodes" if norm > 100 else "survives")
            said.append(word)
    assert min(said.count(word) for word in will_not_train.VERDICTS) >= len(said) / 6


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tanh_signal_stays_bounded_while_its_gradient_explodes(seed):
    """What the exercise is about: no pre-activation of these networks is large, and their first gradient is."""
    found = 0
    for given in of_seed(will_not_train.WILL_NOT_TRAIN.cases, seed):
        for activation, weights in given["networks"]:
            norms = loss_norms(weights, given["X"], given["y"], activation)
            found += activation == "tanh" and norms[0] > 100
    assert found == 2


def test_what_is_said_of_values():
    said = weight_std.explain_std(weight_std.worked_example(), 0.2, 0.1)
    assert said == "With your standard deviation the mean square in the next layer is 4 times that in this one."
    given = gradient_norms.worked_example()
    said = gradient_norms.explain_norms(given, [3.0, 5.0], [3.0, 2.236068])
    assert said == "Wrong in layer 1, from 0: 5, and not 2.236."
    assert gradient_norms.explain_norms(given, [3.0, 2.236068], [3.0, 2.236068]) == ""
    assert gradient_norms.explain_norms(given, [3.0], [3.0, 2.236068]) == ""
    said = gain_from_lengths.explain_gain(gain_from_lengths.worked_example(), 1.0, 1.3693)
    assert said.endswith("-0.693 at gain 1, -0.347 at gain 1.25, 0.347 at gain 1.5.")
    given = will_not_train.worked_example()
    wrong = ["explodes", "survives", "survives"]
    assert will_not_train.FORM.explain(given, wrong, will_not_train.right(given)) == "Wrong about: 1."
    assert will_not_train.FORM.explain(given, wrong[:2], will_not_train.right(given)) == ""


def test_what_is_drawn_of_lengths_and_of_a_gain():
    given = gain_from_lengths.worked_example()
    figure, words = gain_from_lengths.plot_gain(given, 1.4)
    *seeds, medians, _, ring, gain = figure.axes[0].lines
    assert len(seeds) == 3 and gain.get_xdata() == [1.4, 1.4]
    np.testing.assert_allclose(ring.get_xdata(), 1.25**0.5 * 1.5**0.5)
    assert figure.axes[1].get_xlim()[0] < ring.get_xdata()[0] < 1.4 < figure.axes[1].get_xlim()[1]
    np.testing.assert_allclose(medians.get_ydata(), np.log([0.25, 0.5, 2]) / 2)
    assert words.endswith("Your function returns 1.4.")
    assert len(gain_from_lengths.plot_gain(given, 0.0)[0].axes[0].lines) == 6
    never = {**given, "gains": given["gains"][:2], "lengths": given["lengths"][:, :2]}
    assert len(gain_from_lengths.plot_gain(never, 0.0)[0].axes) == 1
    figure, words = length_lines(given["gains"], given["lengths"])
    assert [line.get_ydata()[-1] for line in figure.axes[0].lines] == [1, 1, 4]
    assert words.endswith("in layer 3, from 0: 1 at gain 1, 1 at gain 1.25, 4 at gain 1.5.")
    plt.close("all")
