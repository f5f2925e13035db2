"""Mean-field theory against closed forms, SciPy's integrals, its own maps, and real networks."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.special
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from utils import meanfield
from utils.figures import png
from utils.meanfield import (
    ACTIVATIONS,
    Activation,
    c_star,
    chi_1,
    correlation_map,
    correlations,
    critical_sigma_w,
    depth_scale,
    length_map,
    lengths,
    measured_curve_lengths,
    measured_lyapunov,
    phase,
    phase_diagram,
    q_star,
)
from utils.meanfield_plots import plot_phase_diagram
from utils.models import ACTIVATIONS as MODULES
from utils.statistics import mean

C_0 = 0.5  # the cosine between two inputs


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def average(function, q: float) -> float:
    """E[function(√q z)] by SciPy's adaptive integration, apart from the module's rule."""

    def integrand(z: float) -> float:
        return float(function(np.array([math.sqrt(q) * z]))[0]) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    pieces = [-9, -3, -1, -0.1, 0, 0.1, 1, 3, 9]
    return sum(
        scipy.integrate.quad(integrand, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for a, b in zip(pieces, pieces[1:], strict=False)
    )


# --- averages ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tanh", "gelu", "swish", "square"])
@pytest.mark.parametrize("q", [0.01, 1.0, 40.0, 1e4])
def test_averages_are_scipys(name, q):
    activation = ACTIVATIONS[name]
    squared = average(lambda u: activation.function(u) ** 2, q)
    assert length_map(q, 1.3, 0.4, name) == pytest.approx(1.69 * squared + 0.16, rel=1e-10)
    found = meanfield._averages(activation, np.array([q]))
    assert found.slope_square[0] == pytest.approx(average(lambda u: activation.slope(u) ** 2, q), rel=1e-9)
    step = 1e-4 * q
    rise = (length_map(q + step, 1, 0, name) - length_map(q - step, 1, 0, name)) / (2 * step)
    assert found.growth[0] == pytest.approx(rise, rel=1e-6)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_functions_and_derivatives_are_pytorchs(name):
    u = torch.linspace(-6, 6, 241, dtype=torch.float64, requires_grad=True)
    value = torch.erf(u) if name == "erf" else MODULES[name]()(u)
    slope = torch.autograd.grad(value.sum(), u)[0]
    points, away = u.detach().numpy(), u.detach().numpy() != 0
    np.testing.assert_allclose(ACTIVATIONS[name].function(points), value.detach(), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(ACTIVATIONS[name].slope(points)[away], slope[away], rtol=1e-10, atol=1e-15)
    numerical = Activation(ACTIVATIONS[name].function).slope(points)
    np.testing.assert_allclose(numerical[away], slope[away], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("form", ["erf", scipy.special.erf], ids=["name", "function"])
@pytest.mark.parametrize("q", [1e-6, 0.3, 1.0, 5.0, 17.0])
def test_erf_is_williams_closed_form(form, q):
    """Williams 1997: E[erf(u_1) erf(u_2)] = 2/π arcsin(2qc/(1 + 2q)); its square's slope by differentiation."""
    c = np.array([-1, -0.7, -0.1, 0, 0.4, 0.9, 0.999, 1])
    exact = 2 / math.pi * np.arcsin(2 * q * c / (1 + 2 * q))
    assert length_map(q, 1, 0, form) == pytest.approx(exact[-1], rel=1e-12)
    np.testing.assert_allclose(correlation_map(c, 1, 0, form, q=q), exact / exact[-1], rtol=0, atol=1e-7)
    slope_square = meanfield._averages(meanfield.as_activation(form), np.array([q])).slope_square[0]
    assert slope_square == pytest.approx(4 / math.pi / math.sqrt(1 + 4 * q), rel=1e-7)


def test_relu_is_cho_and_sauls_closed_form():
    """The arc-cosine kernel of degree 1; as a function without a name, the series ends a little early at its kink."""
    c = np.array([-1, -0.5, 0, 0.3, 0.8, 0.99, 1])
    exact = (np.sqrt(1 - c**2) + c * (math.pi - np.arccos(c))) / math.pi
    for q in (0.01, 1.0, 50.0):
        np.testing.assert_allclose(correlation_map(c, 1, 0, "relu", q=q), exact, rtol=0, atol=1e-14)
        series = correlation_map(c, 1, 0, Activation(lambda u: np.maximum(u, 0)), q=q)
        np.testing.assert_allclose(series, exact, rtol=0, atol=5e-5)
        assert length_map(q, 1, 0, "relu") == pytest.approx(q / 2, rel=1e-14)


def test_leaky_relus_closed_form_is_its_series():
    c, unnamed = np.linspace(-1, 1, 9), Activation(ACTIVATIONS["leaky_relu"].function)
    found = correlation_map(c, 1.1, 0.2, "leaky_relu", q=2.0)
    np.testing.assert_allclose(found, correlation_map(c, 1.1, 0.2, unnamed, q=2.0), rtol=0, atol=5e-5)


@pytest.mark.parametrize("name", ["tanh", "gelu"])
def test_products_are_scipys_double_integral(name):
    phi, q, c = ACTIVATIONS[name].function, 1.7, -0.6

    def integrand(b: float, a: float) -> float:
        one, other = phi(np.array([a, c * a + math.sqrt(1 - c * c) * b]) * math.sqrt(q))
        return one * other * math.exp(-(a * a + b * b) / 2) / (2 * math.pi)

    exact = scipy.integrate.dblquad(integrand, -7, 7, -7, 7, epsabs=1e-8, epsrel=1e-8)[0]
    assert correlation_map(c, 1, 0, name, q=q) == pytest.approx(exact / length_map(q, 1, 0, name), abs=1e-6)


# --- fixed points -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma_w", "sigma_b"), [(0.8, 0.3), (1.5, 0.3), (2.5, 0.0), (3.0, 1.0)])
@pytest.mark.parametrize("name", ["tanh", "sigmoid"])
def test_iterated_maps_end_at_the_fixed_points(name, sigma_w, sigma_b):
    far = lengths(150, sigma_w, sigma_b, name, q_0=7.0)
    near = correlations(150, sigma_w, sigma_b, name, c_0=0.2, q_0=2.0)
    assert far[-1] == pytest.approx(q_star(sigma_w, sigma_b, name), rel=1e-7)
    assert near[-1] == pytest.approx(c_star(sigma_w, sigma_b, name), abs=3e-4)
    gaps = np.array([1e-3, 2e-3])
    slopes = (1 - correlation_map(1 - gaps, sigma_w, sigma_b, name)) / gaps
    assert chi_1(sigma_w, sigma_b, name) == pytest.approx(2 * slopes[0] - slopes[1], rel=1e-4)


@pytest.mark.parametrize(("sigma_w", "sigma_b"), [(1.2, 0.05), (1.5, 0.3), (3, 1), (10, 3)])
def test_erf_fixed_points_are_those_of_the_closed_form(sigma_w, sigma_b):

    def kernel(x):
        return sigma_w**2 * 2 / math.pi * math.asin(x) + sigma_b**2

    q = scipy.optimize.brentq(lambda q: kernel(2 * q / (1 + 2 * q)) - q, 1e-3, 200, xtol=1e-15, rtol=1e-15)
    c = scipy.optimize.brentq(lambda c: kernel(2 * q * c / (1 + 2 * q)) / q - c, -0.1, 0.99, xtol=1e-15)
    slope = sigma_w**2 * 4 / math.pi / math.sqrt((1 + 2 * q) ** 2 - (2 * q * c) ** 2)
    assert q_star(sigma_w, sigma_b, "erf") == pytest.approx(q, rel=1e-10)
    assert c_star(sigma_w, sigma_b, "erf") == pytest.approx(c, abs=1e-8)
    assert chi_1(sigma_w, sigma_b, "erf") == pytest.approx(sigma_w**2 * 4 / math.pi / math.sqrt(1 + 4 * q), rel=1e-10)
    assert depth_scale(sigma_w, sigma_b, "erf")[1] == pytest.approx(-1 / math.log(slope), rel=1e-8)


@pytest.mark.parametrize(("sigma_w", "sigma_b"), [(0.9, 0.5), (1.7, 0.3), (2.5, 0.1)])
def test_depth_scales_are_the_decay_of_the_iterated_maps(sigma_w, sigma_b):
    xi_q, xi_c = depth_scale(sigma_w, sigma_b, "tanh")
    q, c = q_star(sigma_w, sigma_b, "tanh"), c_star(sigma_w, sigma_b, "tanh")
    gap_q, gap_c = [1e-4 * q], [1e-4]
    for _ in range(3):
        gap_q.append(length_map(q + gap_q[-1], sigma_w, sigma_b, "tanh") - q)
        gap_c.append(c - correlation_map(c - gap_c[-1], sigma_w, sigma_b, "tanh"))
    for xi, gaps in ((xi_q, gap_q), (xi_c, gap_c)):
        assert -3 / math.log(abs(gaps[3] / gaps[0])) == pytest.approx(xi, rel=2e-3)


def test_tanh_edge_of_chaos():
    assert critical_sigma_w(0.0, "tanh") == pytest.approx(1, abs=1e-12)
    assert (phase(0.99, 0, "tanh"), phase(1, 0, "tanh"), phase(1.01, 0, "tanh")) == (
        "ordered",
        "critical",
        "chaotic",
    )
    assert (q_star(1, 0, "tanh"), c_star(1, 0, "tanh"), depth_scale(1, 0, "tanh")) == (0.0, 1.0, (math.inf, math.inf))
    small = 1e-4  # q* of tanh(x) = x − x³/3 + …, E[tanh²] = q − 2q² + …
    assert q_star(1 + small, 0, "tanh") == pytest.approx(small, rel=0.01)


def test_critical_line_by_an_independent_root():
    """σ_b = 0.3, where many figures are drawn: q and σ_w from SciPy's integrals and root finder alone."""

    def equations(unknown):
        q, sigma_w = unknown
        length = sigma_w**2 * average(lambda u: np.tanh(u) ** 2, q) + 0.09 - q
        return length, sigma_w**2 * average(lambda u: np.cosh(u) ** -4.0, q) - 1

    q, sigma_w = scipy.optimize.fsolve(equations, (0.7, 1.4), xtol=1e-12)
    assert critical_sigma_w(0.3, "tanh") == pytest.approx(sigma_w, rel=1e-9)
    assert q_star(sigma_w, 0.3, "tanh") == pytest.approx(q, rel=1e-8)
    assert 1.39 < sigma_w < 1.40


@pytest.mark.parametrize("name", ["tanh", "erf", "sigmoid", "leaky_relu"])
@pytest.mark.parametrize("sigma_b", [0.0, 0.2, 1.5])
def test_chi_1_is_one_on_the_critical_line(name, sigma_b):
    edge = critical_sigma_w(sigma_b, name)
    assert chi_1(edge, sigma_b, name) == pytest.approx(1, abs=1e-9)
    assert chi_1(0.99 * edge, sigma_b, name) < 1 < chi_1(1.01 * edge, sigma_b, name)
    if name != "leaky_relu":  # which has no finite q* there
        assert phase(edge, sigma_b, name) == "critical" and math.isinf(depth_scale(edge, sigma_b, name)[1])


def test_relu_with_and_without_fixed_points():
    assert q_star(1.0, 0.5, "relu") == pytest.approx(0.5) and c_star(1.0, 0.5, "relu") == 1
    assert depth_scale(1.0, 0.5, "relu") == pytest.approx((1 / math.log(2), 1 / math.log(2)))
    for sigma_w, sigma_b in ((1.5, 0.0), (1.5, 0.5), (math.sqrt(2), 0.1)):
        assert q_star(sigma_w, sigma_b, "relu") == math.inf
        assert chi_1(sigma_w, sigma_b, "relu") == pytest.approx(sigma_w**2 / 2)
        assert math.isnan(c_star(sigma_w, sigma_b, "relu"))
        assert all(map(math.isnan, depth_scale(sigma_w, sigma_b, "relu")))
    he = math.sqrt(2), 0.0, "relu"
    assert math.isnan(q_star(*he)) and c_star(*he) == 1 and phase(*he) == "critical"
    assert depth_scale(*he) == (math.inf, math.inf)
    assert critical_sigma_w(0.7, "relu") == pytest.approx(math.sqrt(2))


def test_what_has_no_fixed_point_is_said_to_have_none():
    assert q_star(1.5, 0.3, "gelu") == math.inf and chi_1(1.5, 0.3, "gelu") == pytest.approx(1.125, rel=1e-5)
    assert q_star(1, 1, "square") == math.inf and chi_1(1, 1, "square") == math.inf
    assert math.isnan(q_star(1, 0, "identity"))
    assert q_star(1.0, 0.2, "square") == pytest.approx((1 - math.sqrt(1 - 12 * 0.04)) / 6)  # of 3q² + 0.04 = q
    assert (q_star(0, 0.5, "tanh"), chi_1(0, 0.5, "tanh")) == (0.25, 0)
    assert depth_scale(0, 0.5, "tanh") == (0, 0) and math.isnan(critical_sigma_w(0.3, "gelu"))


def test_gelu_rests_at_the_smallest_of_its_fixed_points():
    small = q_star(1.45, 0.05, "gelu")
    for start in (0.01 * small, 1.2 * small):
        assert lengths(300, 1.45, 0.05, "gelu", q_0=(start - 0.0025) / 1.45**2 if start > 0.0025 else 0)[
            -1
        ] == pytest.approx(small)
    assert lengths(300, 1.45, 0.05, "gelu", q_0=50.0)[-1] > 50


NAMES = st.sampled_from(["tanh", "erf", "sigmoid", "swish"])


@settings(max_examples=40)
@given(sigma_w=st.floats(0.05, 4), sigma_b=st.floats(0.01, 3), name=NAMES)
def test_properties_of_any_cell(sigma_w, sigma_b, name):
    q, c, chi = (f(sigma_w, sigma_b, name) for f in (q_star, c_star, chi_1))
    if not math.isfinite(q):
        assert math.isnan(c)
        return
    assert length_map(q, sigma_w, sigma_b, name) == pytest.approx(q, rel=1e-10)
    assert (c == 1) == (chi <= 1 + 1e-9)
    assert correlation_map(c, sigma_w, sigma_b, name) == pytest.approx(c, abs=1e-9)
    xi_q, xi_c = depth_scale(sigma_w, sigma_b, name)
    assert xi_c > 0 and xi_q >= 0


# --- phase diagrams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tanh", "gelu", "relu"])
def test_phase_diagram_is_its_cells(name):
    sigma_w, sigma_b = np.linspace(0, 4, 5), np.linspace(0, 2, 4)
    diagram = phase_diagram(sigma_w, sigma_b, name)
    for i, b in enumerate(sigma_b):
        for j, w in enumerate(sigma_w):
            cell = (float(w), float(b), name)
            np.testing.assert_allclose(diagram.q_star[i, j], q_star(*cell), rtol=1e-9)
            np.testing.assert_allclose(diagram.chi_1[i, j], chi_1(*cell), rtol=1e-9)


# --- measured networks ------------------------------------------------------------------------------------


def estimates(width, depth, cell, seed, measure, n_networks=10):
    """The mean over random networks of what `measure` says of each layer's pre-activations, for two inputs at c_0."""
    drawing, values = generator(seed), []
    for network in meanfield._networks(width, depth, *cell, drawing, n_networks):
        one, other = meanfield._frame(2, width, drawing)
        values.append([measure(z) for z in network(np.stack([one, C_0 * one + math.sqrt(1 - C_0**2) * other]))])
    return [mean(column) for column in zip(*values, strict=True)]


def length(z) -> float:
    return float((z[0] ** 2).mean())


def cosine(z) -> float:
    return float(z[0] @ z[1] / np.linalg.norm(z[0]) / np.linalg.norm(z[1]))


def theory_misses(estimates, theory) -> int:
    return sum(not estimate.low <= value <= estimate.high for estimate, value in zip(estimates, theory, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_wide_networks_follow_the_theory(name):
    depth, cell = 6, (1.4, 0.3, name)
    found = estimates(600, depth, cell, 1, length, n_networks=40)
    np.testing.assert_allclose([one.value for one in found], lengths(depth, *cell), rtol=0.05)
    assert theory_misses(found, lengths(depth, *cell)) <= 2
    found, theory = estimates(600, depth, cell, 1, cosine), correlations(depth, *cell, c_0=C_0)
    np.testing.assert_allclose([one.value for one in found], theory, atol=0.03)
    assert theory_misses(found, theory) <= 2


@pytest.mark.full
@pytest.mark.slow
def test_width_1000_agrees_within_its_intervals_and_width_5_does_not():
    depth, cell = 8, (1.7, 0.3, "tanh")
    theory_q, theory_c = lengths(depth, *cell), correlations(depth, *cell, c_0=C_0)
    wide = estimates(1000, depth, cell, 2, length), estimates(1000, depth, cell, 3, cosine)
    assert theory_misses(wide[0], theory_q) + theory_misses(wide[1], theory_c) <= 3
    narrow = estimates(5, depth, cell, 4, cosine, n_networks=2000)
    assert theory_misses(narrow, theory_c) >= 5
    assert narrow[-1].value > theory_c[-1] + 0.05  # two inputs stay closer than in the limit


@pytest.mark.slow
@pytest.mark.parametrize("sigma_w", [0.8, 2.5])
def test_lyapunov_exponent_and_curve_length_are_half_the_logarithm_of_chi_1(sigma_w):
    cell = (sigma_w, 0.3, "tanh")
    expected = math.log(chi_1(*cell)) / 2
    exponent = measured_lyapunov(200, 14, *cell, generator=generator(5), n_networks=10, skip=4)
    assert exponent.value == pytest.approx(expected, abs=0.03)
    curve = measured_curve_lengths(200, 12, *cell, generator=generator(6), n_networks=10, n_points=16)
    assert math.log(curve[-1].value / curve[4].value) / 7 == pytest.approx(expected, abs=0.04)
    assert curve[0].value == pytest.approx(2 * math.pi * sigma_w, rel=0.05)


def test_measured_networks_are_the_courses_own():
    """Layer by layer, the numbers that a torch network with the same weights computes."""
    from utils.models import mlp

    network = next(meanfield._networks(7, 3, 1.3, 0.2, "gelu", generator(8), 1))
    model = mlp([7, 7, 7, 7, 1], "gelu", init=("normal", 1.3), bias_std=0.2, generator=generator(8)).double()
    inputs = torch.randn(4, 7, generator=generator(9), dtype=torch.float64)
    expected = [model[: 2 * i + 1](inputs).detach().numpy() for i in range(3)]
    for found, wanted in zip(network(inputs.numpy()), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    direction = torch.randn(4, 7, generator=generator(10), dtype=torch.float64)
    tangent = torch.autograd.functional.jvp(model[:5], inputs, direction)[1].numpy()
    np.testing.assert_allclose(list(network.tangents(inputs.numpy(), direction.numpy()))[2], tangent, rtol=1e-10)


def test_measuring_is_reproducible_and_leaves_the_global_generator_alone():
    before = torch.random.get_rng_state()
    first, second, other = (
        measured_curve_lengths(20, 3, 1, 0, "tanh", generator=generator(seed), n_networks=3) for seed in (7, 7, 8)
    )
    assert first == second != other
    assert torch.equal(before, torch.random.get_rng_state())


def test_input_geometry():
    frame = meanfield._frame(2, 9, generator(0))
    np.testing.assert_allclose(frame @ frame.T / 9, np.eye(2), atol=1e-12)


# --- plots and bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_phase_diagram_is_drawn_with_its_line_and_names(name):
    diagram = phase_diagram(np.linspace(0.1, 3, 30), np.linspace(0, 2, 20), name)
    ax = plot_phase_diagram(diagram, [critical_sigma_w(float(b), name) for b in diagram.sigma_b])
    assert {"ordered", "chaotic", "critical, χ₁ = 1"} <= {text.get_text() for text in ax.texts}
    assert png(ax.figure)


BAD_CALLS = [
    (lambda: q_star(-1, 0.1, "tanh"), ValueError, "sigma_w is -1: wanted a finite number, at least 0"),
    (lambda: c_star(1, math.inf, "tanh"), ValueError, "sigma_b is inf"),
    (lambda: chi_1("1", 0, "tanh"), TypeError, "sigma_w is '1'"),
    (lambda: phase(1, None, "tanh"), TypeError, "sigma_b is None"),
    (lambda: depth_scale(1, 0, "Tanh"), ValueError, "activation is 'Tanh': wanted one of 'tanh', 'relu'"),
    (lambda: q_star(1, 0, 3), TypeError, "activation is 3: wanted a name, a function or an Activation"),
    (lambda: q_star(1, 0, lambda u: 1.0), ValueError, "wanted as many finite numbers"),
    (lambda: length_map(-1, 1, 0, "tanh"), ValueError, "q holds -1"),
    (lambda: length_map([0.1, math.nan], 1, 0, "tanh"), ValueError, "q holds nan"),
    (lambda: correlation_map(1.5, 1, 0.1, "tanh"), ValueError, "c holds 1.5"),
    (lambda: correlation_map(0.5, 0.5, 0, "tanh"), ValueError, "q is None and q* is 0.0"),
    (lambda: correlation_map(0.5, 0, 0, "tanh", q=1.0), ValueError, "wanted a length after the step"),
    (lambda: correlations(3, 0, 0, "tanh", c_0=0.5), ValueError, "wanted a signal that is not 0"),
    (lambda: lengths(0, 1, 0, "tanh"), ValueError, "depth is 0"),
    (lambda: critical_sigma_w(-1, "tanh"), ValueError, "sigma_b is -1"),
    (lambda: phase_diagram([], [1], "tanh"), ValueError, "sigma_w has shape (0,)"),
    (lambda: phase_diagram([1], ["x"], "tanh"), TypeError, "sigma_b is ['x']"),
    (lambda: Activation(3), TypeError, "function is 3"),
    (lambda: Activation(np.tanh, 3), TypeError, "derivative is 3"),
    (lambda: measured_curve_lengths(3, 3, 1, 0, "tanh", generator=0), TypeError, "generator is 0"),
    (lambda: measured_lyapunov(3, 3, 1, 0, "tanh", generator=generator(), n_networks=0), ValueError, "n_networks is 0"),
    (lambda: measured_curve_lengths(1, 3, 1, 0, "tanh", generator=generator()), ValueError, "width is 1"),
    (lambda: measured_lyapunov(3, 3, 1, 0, "tanh", generator=generator(), skip=2), ValueError, "depth is 3"),
]


@pytest.mark.parametrize(("call", "error", "words"), BAD_CALLS)
def test_bad_input_is_named(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.slow
def test_importing_the_module_does_not_import_torch():
    code = "import sys, utils.meanfield as m; m.q_star(1, 0.1, 'tanh'); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=meanfield.__file__.rsplit("/", 2)[0]).returncode == 0
