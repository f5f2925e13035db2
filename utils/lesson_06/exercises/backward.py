"""Signals forward and gradients backward through a network given as arrays: what two exercises of the lesson share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Weights = Sequence[np.ndarray]
Function = Callable[[np.ndarray], np.ndarray]
FUNCTIONS: dict[str, tuple[Function, Function]] = {  # and their derivatives
    "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "relu": (lambda z: np.maximum(z, 0), lambda z: (z > 0).astype(float)),
    "linear": (lambda z: z, np.ones_like),
}


def forward(weights: Weights, X: np.ndarray, activation: str) -> list[np.ndarray]:
    """Return the pre-activations of each layer, the outputs last."""
    function, found = FUNCTIONS[activation][0], []
    for weight in weights:
        found.append((function(found[-1]) if found else X) @ weight.T)
    return found


def backward(
    weights: Weights, X: np.ndarray, activation: str, errors: np.ndarray, slope: Function | None = None
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the gradients of weights and of pre-activations, layer by layer, from those of the outputs [n, 1].

    ``slope`` takes the place of the activation's derivative.
    """
    function, derivative = FUNCTIONS[activation]
    z = forward(weights, X, activation)
    of_weights, of_signal = [], [errors]
    for place in reversed(range(len(weights))):
        of_weights.insert(0, of_signal[0].T @ (function(z[place - 1]) if place else X))
        if place:
            of_signal.insert(0, of_signal[0] @ weights[place] * (slope or derivative)(z[place - 1]))
    return of_weights, of_signal


def residuals(weights: Weights, X: np.ndarray, y: np.ndarray, activation: str) -> np.ndarray:
    """Return the gradient of the mean squared loss with respect to the outputs [n, 1]."""
    return 2 / len(y) * (forward(weights, X, activation)[-1] - y[:, None])


def loss_norms(weights: Weights, X: np.ndarray, y: np.ndarray, activation: str) -> np.ndarray:
    """Return the norm of the loss's gradient with respect to each layer's weights, the first layer first."""
    errors = residuals(weights, X, y, activation)
    return np.array([np.linalg.norm(gradient) for gradient in backward(weights, X, activation, errors)[0]])
