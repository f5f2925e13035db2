"""The ReLU interpolant against NumPy's and PyTorch's own, and its certificate against measurement."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from utils.constructions import (
    evaluate_hinges,
    evaluate_steps,
    hinge_network,
    interpolation_bound,
    polyline,
    relu_interpolant,
    sigmoid_staircase,
    staircase_bound,
    sup_error,
)

points = st.lists(st.tuples(st.floats(0.1, 3), st.floats(-5, 5)), min_size=2, max_size=12).map(
    lambda pairs: (np.cumsum([step for step, _ in pairs]) - 4, np.array([value for _, value in pairs]))
)


@given(points, st.floats(0, 1))
def test_the_interpolant_is_numpys(knots_values, position):
    knots, values = knots_values
    x = np.concatenate([knots, [knots[0] + position * (knots[-1] - knots[0])]])
    network = evaluate_hinges(x, *relu_interpolant(knots, values))
    np.testing.assert_allclose(network, np.interp(x, knots, values), atol=1e-9)


def test_outside_it_is_constant_on_the_left_and_goes_on_straight_on_the_right():
    network = relu_interpolant([0, 1, 3], [1, 2, 6])
    np.testing.assert_allclose(evaluate_hinges([-9, -1, 0, 3, 5], *network), [1, 1, 1, 6, 10])


def test_it_is_a_one_hidden_layer_relu_network():
    hinges, weights, bias = relu_interpolant([-1.0, 0.5, 2.0, 2.5], [0.0, 1.0, -1.0, 3.0])
    model = torch.nn.Sequential(torch.nn.Linear(1, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1)).double()
    with torch.no_grad():
        model[0].weight.fill_(1.0)
        model[0].bias.copy_(torch.as_tensor(-hinges))
        model[2].weight.copy_(torch.as_tensor(weights)[None])
        model[2].bias.fill_(bias)
    x = torch.linspace(-2, 3, 51, dtype=torch.float64)
    expected = model(x[:, None])[:, 0].detach().numpy()
    np.testing.assert_allclose(evaluate_hinges(x.numpy(), hinges, weights, bias), expected, atol=1e-12)
    written = hinge_network(hinges, weights, bias)(x[:, None].float())[:, 0].detach().numpy()
    np.testing.assert_allclose(written, expected, atol=1e-5)


@pytest.mark.slow
@given(st.integers(1, 60), st.floats(0.3, 4), st.floats(0.2, 6))
def test_the_certificate_holds(count, frequency, length):
    def target(x):
        return np.sin(frequency * x)

    knots = np.linspace(0, length, count + 1)
    error = sup_error(target, polyline(knots, target), 0, length)
    assert error <= interpolation_bound(frequency**2, length / count) + 1e-12


def test_the_certificate_is_sharp_for_a_parabola():
    error = sup_error(np.square, polyline(np.linspace(-1, 1, 5), np.square), -1, 1)
    assert error == pytest.approx(interpolation_bound(2.0, 0.5), rel=1e-12)


@pytest.mark.slow
@given(st.integers(1, 60), st.floats(0.3, 4), st.floats(0.2, 6), st.floats(0.5, 60))
def test_the_staircases_certificate_holds(count, frequency, length, steepness):
    def target(x):
        return np.sin(frequency * x)

    steps = sigmoid_staircase(target, 0, length, count, steepness)
    error = sup_error(target, lambda x: evaluate_steps(x, *steps, steepness * count / length), 0, length)
    assert error <= staircase_bound(frequency, length / count, steepness) + 1e-12


def test_the_staircases_certificate_is_nearly_met_by_a_straight_line():
    steps = sigmoid_staircase(lambda x: 3 * x, -1, 1, 8, 40.0)
    error = sup_error(lambda x: 3 * x, lambda x: evaluate_steps(x, *steps, 40.0 * 4), -1, 1)
    assert 0.99 < error / staircase_bound(3, 0.25, 40.0) <= 1


def test_a_steep_staircase_is_piecewise_constant_and_does_not_overflow():
    steps, weights, bias = sigmoid_staircase(np.square, 0, 4, 4, 1e6)
    x = np.array([-50, 0.4, 1.6, 2.4, 3.6, 1e6])
    middles = np.array([0.5, 0.5, 1.5, 2.5, 3.5, 3.5])
    np.testing.assert_allclose(evaluate_steps(x, steps, weights, bias, 1e6), middles**2, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sigmoid_staircase(np.sin, 1, 1, 3, 1), "low, high is 1, 1"),
        (lambda: sigmoid_staircase(np.sin, 0, 1, 0, 1), "count is 0"),
        (lambda: sigmoid_staircase(np.sin, 0, 1, 3, 0), "steepness is 0"),
        (lambda: staircase_bound(-1, 1, 1), "max_slope is -1"),
        (lambda: staircase_bound(1, 0, 1), "width is 0"),
        (lambda: staircase_bound(1, 1, np.nan), "steepness is nan"),
    ],
)
def test_bad_input_of_a_staircase_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: relu_interpolant([0], [1]), "knots has shape (1,)"),
        (lambda: relu_interpolant([0, 0], [1, 2]), "increasing"),
        (lambda: relu_interpolant([[0, 1]], [[1, 2]]), "knots has shape (1, 2)"),
        (lambda: relu_interpolant([0, 1], [1, 2, 3]), "values has shape (3,)"),
        (lambda: relu_interpolant([0, 1], [1, np.nan]), "finite"),
        (lambda: relu_interpolant([0, np.nan], [1, 1]), "increasing"),
        (lambda: interpolation_bound(-1, 1), "max_curvature is -1"),
        (lambda: interpolation_bound(1, 0), "spacing is 0"),
        (lambda: interpolation_bound(np.nan, 1), "curvature of at least 0"),
        (lambda: sup_error(np.sin, np.sin, 1, 1), "empty"),
    ],
)
def test_bad_input_is_named(call, said):
    with pytest.raises(ValueError) as error:
        call()
    assert said in str(error.value)
