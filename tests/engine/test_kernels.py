"""The kernels of wide ReLU networks against drawn numbers, gradients of wide networks, and their own properties."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.generators import seeded
from utils.kernels import relu_kernel, relu_moments


def points(n: int, d: int = 5, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("c", [-1.0, -0.6, 0.0, 0.3, 0.9, 1.0])
def test_the_moments_are_those_of_drawn_sums(c):
    n = 400_000
    one, other = np.random.default_rng(1).normal(size=(2, n))
    u, v = one, c * one + np.sqrt(1 - c * c) * other
    said, on = np.maximum(u, 0) * np.maximum(v, 0), (u > 0) & (v > 0)
    for found, drawn in zip(relu_moments(c), (said, on), strict=True):
        assert abs(found - 2 * drawn.mean()) < 5 * 2 * drawn.std() / np.sqrt(n) + 1e-12


def gradient_kernel(X: torch.Tensor, depth: int, width: int, bias: float, generator: torch.Generator) -> np.ndarray:
    """The products of gradients, by autograd, of one network whose sums are scaled as relu_kernel says."""
    sizes = [X.shape[1], *[width] * depth, 1]
    weights = [
        torch.randn(b, a, generator=generator, dtype=torch.float64, requires_grad=True)
        for a, b in zip(sizes, sizes[1:], strict=False)
    ]
    biases = [torch.randn(b, generator=generator, dtype=torch.float64, requires_grad=True) for b in sizes[1:]]
    rows = []
    for x in X:
        h = weights[0] @ x / len(x) ** 0.5 + bias * biases[0]
        for W, b in zip(weights[1:], biases[1:], strict=True):
            h = W @ torch.relu(h) * (2 / W.shape[1]) ** 0.5 + bias * b
        rows.append(torch.cat([one.flatten() for one in torch.autograd.grad(h.sum(), [*weights, *biases])]))
    gradients = torch.stack(rows)
    return (gradients @ gradients.T).numpy()


@pytest.mark.parametrize(("depth", "bias"), [(1, 0.0), (1, 0.7), (3, 0.0), (3, 0.7)])
def test_a_wide_networks_gradients_have_about_this_kernel(depth, bias):
    """In the mean over networks: at finite width a kernel's mean is off by about depth over width."""
    X = points(4)
    drawn = [gradient_kernel(torch.tensor(X), depth, 300, bias, seeded(seed)) for seed in range(12)]
    mean, spread = np.mean(drawn, axis=0), np.std(drawn, axis=0, ddof=1)
    exact = relu_kernel(X, X, depth, bias=bias)
    assert (np.abs(mean - exact) < 4.5 * spread / np.sqrt(len(drawn)) + 0.02 * exact.max()).all()


def test_scaling_an_input_scales_its_kernel_where_there_is_no_bias():
    X, Z = points(6), points(3, seed=2)
    np.testing.assert_allclose(relu_kernel(3 * X, Z, 2), 3 * relu_kernel(X, Z, 2), rtol=1e-12)
    np.testing.assert_allclose(np.diag(relu_kernel(X, X, 3)), 4 * np.square(X).mean(axis=1), rtol=1e-7)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_it_is_a_kernel(depth):
    K = relu_kernel(points(30), points(30), depth, bias=0.3)
    np.testing.assert_allclose(K, K.T, rtol=1e-12)
    assert np.linalg.eigvalsh(K).min() > 0


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        ((points(2, 3), points(2, 4), 1), {}, "rows of the same length"),
        ((points(2), points(2), 0), {}, "depth is 0"),
        ((points(2), points(2), 1), {"bias": -1}, "bias"),
        ((np.zeros((1, 3)), points(2, 3), 1), {}, "Give a bias"),
    ],
)
def test_bad_input_is_named(arguments, options, says):
    with pytest.raises(ValueError, match=says):
        relu_kernel(*arguments, **options)
