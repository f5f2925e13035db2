"""A network given as arrays is evaluated and differentiated as PyTorch does it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from utils.exercises.networks import SLOPES, backward, forward, identity, relu

IN_TORCH = {relu: torch.relu, np.tanh: torch.tanh, identity: lambda z: z}


@pytest.mark.parametrize("activation", IN_TORCH)
@pytest.mark.parametrize("with_biases", [True, False])
def test_forwards_and_backwards_are_autograds(activation, with_biases):
    rng = np.random.default_rng(0)
    sizes = (3, 5, 4, 2)
    weights = [rng.normal(size=(n_out, n_in)) for n_in, n_out in zip(sizes, sizes[1:], strict=False)]
    biases = [rng.normal(size=n_out) for n_out in sizes[1:]] if with_biases else None
    X, Y = rng.normal(size=(7, 3)), rng.normal(size=(7, 2))
    parameters = [torch.tensor(weight, requires_grad=True) for weight in weights]
    signals, sums = [torch.tensor(X)], []
    for place, weight in enumerate(parameters):
        sums.append(signals[-1] @ weight.T + (torch.tensor(biases[place]) if with_biases else 0))
        sums[-1].retain_grad()
        signals.append(IN_TORCH[activation](sums[-1]))
    torch.nn.functional.mse_loss(sums[-1], torch.tensor(Y), reduction="sum").backward()
    inputs, before = forward(weights, X, biases, activation)
    for found, wanted in ((inputs, signals[:-1]), (before, sums)):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other.detach(), rtol=1e-12)
    of_weights, of_sums = backward(weights, inputs, before, 2 * (before[-1] - Y), SLOPES[activation])
    for one, weight in zip(of_weights, parameters, strict=True):
        np.testing.assert_allclose(one, weight.grad, rtol=1e-10)
    for one, other in zip(of_sums, sums, strict=True):
        np.testing.assert_allclose(one, other.grad, rtol=1e-10)
