"""A circle in the input plane and two neighbours on it, carried through random tanh layers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from utils.lesson_05 import theory
from utils.meanfield import c_star, q_star
from utils.types import Array

# colour, line and marker of each σ in all figures of the path
OF_SIGMA = {0.8: ("blue", "-", "o"), 1.0: ("red", "--", "v"), 1.5: ("green", "-.", "s"), 2.5: ("black", ":", "^")}
SIGMAS = tuple(OF_SIGMA)
WIDTH, DEPTH = 300, 20
SIGMA_B = 0.3  # of the biases, where there are any


def on_circle(angles: Array) -> Array:
    """Return the points [n, 2] of the unit circle at these angles [n]."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def pre_activations(x: Array, sigma: float, sigma_b: float = 0.0, *, layers: int = DEPTH, seed: int = 0) -> list[Array]:
    """Return each layer's pre-activations [n, WIDTH] of inputs x [n, n_in]; the layer's output is their tanh.

    Weights N(0, sigma²/n_in), drawn as the path's own loop draws them; biases N(0, sigma_b²), from numbers of their
    own, so that the weights are the same without them.
    """
    of_weights, of_biases = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    result = []
    for _ in range(layers):
        W = sigma / np.sqrt(x.shape[1]) * of_weights.normal(size=(WIDTH, x.shape[1]))
        z = x @ W.T + sigma_b * of_biases.normal(size=WIDTH)
        x = np.tanh(z)
        result.append(z)
    return result


def cosines(pre: Sequence[Array], one: int, other: int) -> Array:
    """Return layer by layer the cosine of the angle between two rows of the pre-activations [n, WIDTH]."""
    return theory.cosines(*(np.stack([z[row] for z in pre]) for row in (one, other)))


def farthest(sigma: float) -> float:
    """Return how far apart two unrelated points end, per unit: √2 times a unit's size, of an infinitely wide network.

    The size follows from q*, which is sigma² size², where sigma is above 1.
    """
    return math.sqrt(2 * q_star(sigma, 0.0, "tanh")) / sigma


def common(sigma: float, sigma_b: float = SIGMA_B) -> float | None:
    """Return the correlation c* to which any two inputs tend, None without a length at which they could settle."""
    return None if sigma_b == 0 and sigma <= 1 else c_star(sigma, sigma_b, "tanh")
