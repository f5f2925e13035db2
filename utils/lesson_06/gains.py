"""What becomes of a signal and of a loss's gradient on their way through fifty random layers, gain by gain.

Weights N(0, g²/n_in) with the gain g, no biases. A layer's signal is what comes out of its activation, its gradient
that of the loss with respect to what goes in. Theory: in each layer the signal's mean square is multiplied by
g² E[φ²]/q, the gradient's by g² E[φ'²]; where lengths have settled the latter is χ_1 (Schoenholz et al. 2017, who
suppose that the weights of the way back are independent of those of the way forth).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr

from utils.axes import over
from utils.claims import experiment
from utils.meanfield import chi_1, correlation_map, length_map, lengths
from utils.types import Array, Data

DEPTH, WIDTH, INPUTS = 50, 300, 20
RELU, TANH = ACTIVATIONS = ("relu", "tanh")
HE = float(np.sqrt(2))
GAINS = (0.5, 0.7, 0.85, 1.0, 1.2, HE, 5 / 3, 2.0)
FIRST, LAST = 10, 40  # layers between which factors are averaged: tanh's lengths have settled before
SHORT = 20  # layers, after which tanh's size is read

PHI: dict[str, tuple[Callable, Callable]] = {
    RELU: (lambda u: np.maximum(u, 0), lambda u: (u > 0).astype(float)),
    TANH: (np.tanh, lambda u: 1 - np.tanh(u) ** 2),
}


class RandomNetwork(NamedTuple):
    """The random numbers of a network with one output: weights [layers, width, width] at gain 1, and all others."""

    weights: Array
    output: Array  # [width]
    inputs: Array  # [width, inputs]
    targets: Array  # [inputs]


def random_network(rng: np.random.Generator, *, depth: int = DEPTH, width: int = WIDTH) -> RandomNetwork:
    """Return a network at gain 1, with inputs and targets of size 1."""
    weights = rng.standard_normal((depth, width, width)) / np.sqrt(width)
    output = rng.standard_normal(width) / np.sqrt(width)
    return RandomNetwork(weights, output, rng.standard_normal((width, INPUTS)), rng.standard_normal(INPUTS))


def propagate(network: RandomNetwork, gain: float, activation: str) -> tuple[Array, Array]:
    """Return signals and gradients of half the squared error with all weights times the gain.

    Both are [layers, width, inputs], layer 1 first.
    """
    phi, slope = PHI[activation]
    x, sums = network.inputs, []
    for W in network.weights:
        sums.append(gain * W @ x)
        x = phi(sums[-1])
    back = np.outer(network.output, network.output @ x - network.targets)
    gradients = []
    for W, u in zip(network.weights[::-1], sums[::-1], strict=True):
        gradients.append(slope(u) * back)
        back = gain * W.T @ gradients[-1]
    return phi(np.array(sums)), np.array(gradients[::-1])


def sizes(values: Array) -> Array:
    """Return the root mean square of each layer, [layers], of values [layers, width, inputs]."""
    return np.sqrt(np.mean(values**2, axis=(1, 2)))


def factor(of: Array) -> float:
    """Return by how much a mean square is multiplied in each layer on the way from size of[0] to size of[-1]."""
    return float((of[-1] / of[0]) ** (2 / (len(of) - 1)))


@experiment("06_gains", minutes=0.1, chunk=5, within={"activation": ACTIVATIONS, "gain": GAINS})
def passing(seed: int) -> Data:
    """Return by activation and gain what one network does with signals and gradients.

    "signal" and "gradient": the factor of the mean square in each layer, between layers FIRST and LAST, forward and
    backward. "size": the signal's root mean square after layer SHORT. "back": the gradient's size in the first layer
    over that in the last.
    """
    network, between = random_network(np.random.default_rng(seed)), slice(FIRST - 1, LAST)

    def cell(activation: str, gain: float) -> Data:
        signals, gradients = map(sizes, propagate(network, gain, activation))
        return xr.Dataset(
            {
                "signal": factor(signals[between]),
                "gradient": factor(gradients[between][::-1]),
                "size": signals[SHORT - 1],
                "back": gradients[0] / gradients[-1],
            }
        )

    return over(cell, activation=ACTIVATIONS, gain=GAINS)


# --- reading ----------------------------------------------------------------------------------------------


def theory(activation: str, gains: Sequence[float] = GAINS) -> Array:
    """Return χ_1 for each gain, without biases."""
    return np.array([chi_1(gain, 0, activation) for gain in gains])


def growth(gain: float, first: int = 1, last: int = DEPTH) -> float:
    """Return in theory the gradient's size in one tanh layer over that in a later one, as lengths are on the way."""
    slopes = length_map(lengths(last, gain, 0, TANH), gain, 0, PHI[TANH][1])  # g² E[φ'²] in each layer
    return float(np.prod(slopes[first - 1 : last - 1]) ** 0.5)


def departure() -> float:
    """Return in theory how far the factor measured at gain 1 is from χ_1, since tanh's lengths have not settled."""
    return growth(1.0, FIRST, LAST) ** (2 / (LAST - FIRST)) - 1


def cosine_after(layers: int) -> float:
    """Return in theory the cosine of two inputs, at right angles at first, after ReLU layers of gain √2."""
    cosine = 0.0
    for _ in range(layers):
        cosine = correlation_map(cosine, HE, 0, RELU, q=1.0)
    return cosine


def error_vs_theory(data: Data) -> xr.DataArray:
    """Return by seed, activation and gain how far the gradient's factor is from χ_1, as a share of it."""
    axes = {"activation": list(ACTIVATIONS), "gain": list(GAINS)}
    expected = xr.DataArray([theory(activation) for activation in ACTIVATIONS], axes, list(axes))
    return data["gradient"] / expected - 1


def select(data: Data, name: str, activation: str, gain: float) -> xr.DataArray:
    """Return one array by seed, at one activation and gain."""
    return data[name].sel(activation=activation, gain=gain).reset_coords(drop=True)
