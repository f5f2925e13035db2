"""Lesson 05's theory against measurement: networks follow their formulas, errors and scales are read by name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.made_up import made_up
from utils.lesson_05 import page, theory
from utils.lesson_05.theory import CHAOTIC, CRITICAL, LENGTHS, ORDERED
from utils.meanfield import chi_1

# --- networks ---------------------------------------------------------------------------------------------


def test_a_pair_has_its_cosine_and_entries_of_mean_square_one():
    inputs = theory.pair(7, 0.3)
    np.testing.assert_allclose(inputs.T @ inputs / 7, [[1, 0.3], [0.3, 1]])


def test_signals_follow_the_layers_equation_with_the_same_weights_for_all_columns():
    inputs = np.random.default_rng(1).standard_normal((4, 2))
    layers = theory.signals(inputs, np.array([0.7, 2.0]), np.array([0.0, 0.5]), 3, rng=np.random.default_rng(2))
    rng, x = np.random.default_rng(2), [inputs] * 3
    for z in itertools.islice(layers, 3):
        weights, biases = rng.standard_normal((3, 4, 4)) / 2, rng.standard_normal((3, 4))
        for network in range(3):
            for column, (sigma_w, sigma_b) in enumerate(((0.7, 0.0), (2.0, 0.5))):
                wanted = sigma_w * weights[network] @ x[network][:, column] + sigma_b * biases[network]
                np.testing.assert_allclose(z[network, :, column], wanted)
        x = [np.tanh(one) for one in z]


def test_the_first_layers_length_is_off_by_the_root_of_two_over_the_width(monkeypatch):
    """A mean of n squared normal numbers has the relative standard deviation √(2/n)."""
    monkeypatch.setattr(theory, "NETWORKS", 3000)
    monkeypatch.setattr(theory, "LAYERS", (1,))
    errors = theory.widths.measure([0], width=[8])["length"]
    np.testing.assert_allclose(errors.sel(layer=1), np.sqrt(2 / 8), rtol=0.1)


def test_a_wide_network_is_near_theory_and_a_narrow_one_is_not():
    errors = theory.widths.measure([0], width=[200, 5])["length"].sel(setting=[ORDERED, CHAOTIC])
    assert errors.sel(width=200).max() < 0.2 < errors.sel(width=5, layer=20).min()


# --- depth scales -----------------------------------------------------------------------------------------


def test_a_difference_that_shrinks_by_a_factor_has_that_depth_scale():
    assert theory.decay(np.exp(-np.arange(12) / 3.5)) == pytest.approx(3.5)
    assert np.isnan(theory.decay(np.array([1.0, 2.0, 4.0])))


def test_the_map_fitted_alike_has_theorys_scale_but_near_the_edge():
    for sigma in (0.5, 0.8, 4.0):
        assert theory.reach_by_map(sigma) == pytest.approx(theory.reach_in_theory(sigma), rel=0.02)
    assert theory.reach_by_map(theory.BESIDE) < theory.reach_in_theory(theory.BESIDE) / 2


def test_differences_are_those_of_angles_and_of_lengths():
    one, near, far, longer = [3.0, 0.0], [3.0, 4.0], [0.0, 2.0], [0.0, 6.0]
    z = np.array([one, near, far, longer]).T[None]
    np.testing.assert_allclose(theory.differences_left(z), [[0.6, 18 - 4.5]])


def test_lengths_are_forgotten_as_theory_says(monkeypatch):
    monkeypatch.setattr(theory, "REACH_DEPTH", 8)
    monkeypatch.setattr(theory, "REACH_WIDTH", 150)
    scales = theory.depth_scales.measure([3])["scale"].sel(of=LENGTHS)
    wanted = [[theory.reach_in_theory(sigma, LENGTHS) for sigma in theory.REACHED]]
    np.testing.assert_allclose(scales, wanted, rtol=0.25)


def test_the_edge_that_is_measured_is_the_edge():
    assert chi_1(CRITICAL, theory.SIGMA_B, "tanh") == pytest.approx(1, abs=1e-3)
    assert theory.exponent(1.5) == pytest.approx(np.log(chi_1(1.5, 0.3, "tanh")) / 2)


def test_a_linear_layers_exponent_is_the_mean_logarithm_of_what_it_does_to_a_direction():
    rng = np.random.default_rng(0)
    for width in (2, 5, 40):
        stretched = np.linalg.norm(rng.standard_normal((40_000, width)), axis=1) / np.sqrt(width)
        assert theory.linear_exponent(width) == pytest.approx(np.log(stretched).mean(), abs=0.01)


def test_signals_that_have_turned_into_one_direction_have_a_cosine_of_one(monkeypatch):
    """Width 2 has one direction left after twenty layers, and as many networks have it as its opposite."""
    monkeypatch.setattr(theory, "LAYERS", (1, 60))
    assert theory.turned.measure([0], width=[2])["cosine"].item() == pytest.approx(1, abs=1e-3)
    monkeypatch.setattr(theory, "LAYERS", (1, 1))
    monkeypatch.setattr(theory, "TURNED_NETWORKS", 400)
    assert theory.turned.measure([0], width=[300])["cosine"].item() == pytest.approx(theory.COSINE, abs=0.02)


# --- measuring and reading --------------------------------------------------------------------------------


def test_a_stretch_is_compared_with_theory_at_its_own_sigma():
    data = made_up(theory.stretches, "gap", "curve")
    minus = theory.stretch_error(data, "curve", 20).sel(sigma=2.5)
    np.testing.assert_allclose(minus + np.log(chi_1(2.5, 0.3, "tanh")) / 2, data["curve"].sel(sigma=2.5, width=20))


# --- figures, and what is said ----------------------------------------------------------------------------


def test_a_curves_line_grows_by_the_root_of_chi_through_the_fourth_point():
    (ax,) = page.curves({2.5: [1.0, 1.5, 2.0, 3.0, 4.0, 5.0]}).axes
    points, line = (line.get_ydata() for line in ax.lines)
    assert line[3] == points[3] == 3
    np.testing.assert_allclose(line[1:] / line[:-1], np.sqrt(chi_1(2.5, 0.3, "tanh")))
