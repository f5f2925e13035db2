"""Networks whose weights are written down, not trained, and the errors that are proved for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from utils.checks import whole_number
from utils.types import Array
from utils.withholding import withholdable

if TYPE_CHECKING:  # so that constructions in NumPy do not wait for torch
    from torch import nn


@withholdable
def relu_interpolant(knots: ArrayLike, values: ArrayLike) -> tuple[Array, Array, float]:
    """Return hinges, weights and bias of the one-hidden-layer ReLU network through the given points.

    The network is ``bias + sum_i weights[i] * relu(x - hinges[i])``: on [knots[0], knots[-1]] it is the
    piecewise linear interpolant of the points, on the left it is constant, on the right it goes on with the
    last slope.

    knots: shape (N + 1,), increasing; values: shape (N + 1,). Returns hinges (N,), weights (N,) and a
    number. Raises ValueError for fewer than two knots, for knots that do not increase, for values that are
    not finite, and for shapes that differ.
    """
    knots, values = _checked_points(knots, values)
    slopes = np.diff(values) / np.diff(knots)
    weights = np.diff(slopes, prepend=0.0)
    return knots[:-1], weights, float(values[0])


def evaluate_hinges(x: ArrayLike, hinges: ArrayLike, weights: ArrayLike, bias: float) -> Array:
    """Return ``bias + sum_i weights[i] * relu(x - hinges[i])`` for every x; shape of ``x``."""
    x = np.asarray(x, dtype=float)
    active = np.maximum(x[..., None] - np.asarray(hinges, dtype=float), 0.0)
    return bias + active @ np.asarray(weights, dtype=float)


def polyline(knots: Array, f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Return the network of `relu_interpolant` through f at the knots, as a function."""
    network = relu_interpolant(knots, f(knots))
    return lambda x: evaluate_hinges(x, *network)


def hinge_network(hinges: ArrayLike, weights: ArrayLike, bias: float, *, double: bool = False) -> nn.Sequential:
    """Return the network of `evaluate_hinges` in PyTorch: one hidden layer, a unit for each hinge."""
    hinges, weights = np.asarray(hinges, dtype=float), np.asarray(weights, dtype=float)
    return relu_network([(np.ones((len(hinges), 1)), -hinges), (weights[None], np.array([bias]))], double=double)


@withholdable
def sawtooth_network(k: int) -> nn.Sequential:
    """Return the network [1, 2, …, 2, 1] of k hidden layers that is the tent map applied k times on [0, 1].

    The tent map is 2 relu(x) - 4 relu(x - 1/2) there. The output of one and the input of the next are affine, so
    they are one layer, [[2, -4], [2, -4]] with biases 0 and -1/2. All numbers are powers of two: what the network
    computes is exact, also in float32, where x is a multiple of 2^-23. Telgarsky (2015) has a ReLU after each tent
    and so two layers for each; without it one does. Raises TypeError or ValueError for a k that is not 1, 2, …
    """
    tent = np.array([[2.0, -4.0]])
    split, offsets = np.ones((2, 1)), np.array([0.0, -0.5])
    inner = [(split @ tent, offsets)] * (whole_number("k", k) - 1)
    return relu_network([(split, offsets), *inner, (tent, np.zeros(1))])


def relu_network(layers: Sequence[tuple[ArrayLike, ArrayLike]], *, double: bool = False) -> nn.Sequential:
    """Return the ReLU network with these pairs of weight [n_out, n_in] and bias [n_out], float32 or ``double``."""
    import torch

    from utils.models import mlp

    sizes = [np.shape(layers[0][0])[1], *(np.shape(bias)[0] for _, bias in layers)]
    model = mlp(sizes, generator=torch.Generator().manual_seed(0)).to(torch.float64 if double else torch.float32)
    with torch.no_grad():
        for layer, (weight, bias) in zip(model[::2], layers, strict=True):
            layer.weight.copy_(torch.as_tensor(weight))
            layer.bias.copy_(torch.as_tensor(bias))
    return model


def interpolation_bound(max_curvature: float, spacing: float) -> float:
    """Return the certified error ``max_curvature * spacing**2 / 8`` of linear interpolation, in sup-norm.

    It holds for a twice continuously differentiable function with ``|f''| <= max_curvature`` between knots
    at most ``spacing`` apart (the interpolation error formula: |f - g| = |f''(xi)| (x - a)(b - x) / 2).
    Raises ValueError for a negative curvature or a spacing that is not positive.
    """
    if not max_curvature >= 0 or not spacing > 0:
        raise ValueError(
            f"max_curvature is {max_curvature} and spacing is {spacing}; "
            "a curvature of at least 0 and a spacing above 0 are wanted"
        )
    return max_curvature * spacing**2 / 8


def sigmoid_staircase(
    target: Callable[[Array], Array], low: float, high: float, count: int, steepness: float
) -> tuple[Array, Array, float]:
    """Return steps, weights and bias of a one-hidden-layer sigmoid network that climbs along ``target``.

    [low, high] is cut into ``count`` cells of width h. The network is ``bias + sum_i weights[i] *
    sigmoid(steepness / h * (x - steps[i]))``: it starts at the target's value in the middle of the first cell
    and steps, between two cells, to the value in the middle of the next: ``count - 1`` units (after the
    constructive proofs of Cybenko's theorem). Returns steps and weights of shape (count - 1,) and a number.
    Raises ValueError for an empty interval, fewer than one cell, and a steepness that is not positive.
    """
    if not low < high or count < 1 or not steepness > 0:
        raise ValueError(
            f"low, high is {low}, {high}, count is {count} and steepness is {steepness}; "
            "low < high, at least one cell and a steepness above 0 are wanted"
        )
    edges = np.linspace(low, high, count + 1)
    values = np.asarray(target((edges[:-1] + edges[1:]) / 2), dtype=float)
    return edges[1:-1], np.diff(values), float(values[0])


def evaluate_steps(x: ArrayLike, steps: ArrayLike, weights: ArrayLike, bias: float, slope: float) -> Array:
    """Return ``bias + sum_i weights[i] * sigmoid(slope * (x - steps[i]))`` for every x; shape of ``x``."""
    from scipy.special import expit  # here, since a browser's Python has the constructions, and no SciPy

    z = slope * (np.asarray(x, dtype=float)[..., None] - np.asarray(steps, dtype=float))
    return bias + expit(z) @ np.asarray(weights, dtype=float)


def staircase_bound(max_slope: float, width: float, steepness: float) -> float:
    """Return the certified sup-norm error of `sigmoid_staircase`, for a target with Lipschitz constant ``max_slope``.

    ``max_slope * width * (1/2 + 1 / (exp(steepness / 2) - 1))`` for cells of ``width``; the proof is in lesson 01.
    Raises ValueError for a negative slope, and for a width or a steepness that is not positive.
    """
    if not max_slope >= 0 or not width > 0 or not steepness > 0:
        raise ValueError(
            f"max_slope is {max_slope}, width is {width} and steepness is {steepness}; "
            "a slope of at least 0, a width and a steepness above 0 are wanted"
        )
    return max_slope * width * (0.5 + 1 / np.expm1(steepness / 2))


def sup_error(target: Callable[[Array], Array], network: Callable[[Array], Array], low: float, high: float) -> float:
    """Return the largest error found on 20,001 evenly spaced points of [low, high], a lower bound of the sup-norm.

    Raises ValueError for an empty interval.
    """
    if not low < high:
        raise ValueError(f"the interval [{low}, {high}] is empty; low < high is wanted")
    x = np.linspace(low, high, 20_001)
    return float(np.abs(target(x) - network(x)).max())


def _checked_points(knots: ArrayLike, values: ArrayLike) -> tuple[Array, Array]:
    knots, values = np.asarray(knots, dtype=float), np.asarray(values, dtype=float)
    if knots.ndim != 1 or knots.size < 2 or not (np.diff(knots) > 0).all():
        raise ValueError(f"knots has shape {knots.shape}; at least two increasing numbers are wanted")
    if values.shape != knots.shape or not np.isfinite(values).all():
        raise ValueError(f"values has shape {values.shape}; {knots.size} finite numbers, one a knot, are wanted")
    return knots, values
