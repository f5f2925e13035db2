"""What layers do to the plane: squared paper, and points carried through blocks of layers."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn
from torch.nn.utils import skip_init

from utils.checks import whole_number
from utils.types import Array

CHANGES = {"keep": 1, "zero": 0, "reverse": -1}  # of a unit's output weights: what they are multiplied by

# --- a sheet of paper -------------------------------------------------------------------------------------


def squared_paper(low: ArrayLike, high: ArrayLike, squares: int = 16) -> Array:
    """Return the corners [squares², 4, 2] of the squares that fill the box from low [2] to high [2]."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    lower = np.stack(np.meshgrid(*[np.arange(squares)] * 2), axis=-1).reshape(-1, 1, 2)
    return low + (high - low) * (lower + [[0, 0], [1, 0], [1, 1], [0, 1]]) / squares


def cut(polygon: Array, n: ArrayLike, c: float) -> list[Array]:
    """Return the parts of a convex polygon [corners, 2] on both sides of the line n · p = c; one where it is whole."""
    heights = polygon @ np.asarray(n, float) - c
    if (heights >= 0).all() or (heights <= 0).all():
        return [polygon]
    after, height_after = np.roll(polygon, -1, axis=0), np.roll(heights, -1)
    parts = []
    for side in (1, -1):
        kept = []
        for corner, corner_after, height, ahead in zip(polygon, after, heights, height_after, strict=True):
            if side * height >= 0:
                kept.append(corner)
            if height * ahead < 0:
                kept.append(corner + height / (height - ahead) * (corner_after - corner))
        parts.append(np.stack(kept))
    return parts


# --- a stack of blocks ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """An affine map p ↦ (p − centre) · matrix, by which a plane is brought into the picture."""

    centre: Array
    matrix: Array

    def __call__(self, points: Array) -> Array:
        """Return the points […, 2] as they are seen."""
        return (points - self.centre) @ self.matrix


MOST = 10  # times that a plane is stretched across its long direction: more would show rounding and noise


def planes(model: nn.Sequential, points: ArrayLike) -> list[Array]:
    """Return the points […, 2] in the input plane and in the plane after each block, all but the read-out."""
    points = np.asarray(points, float)
    stages = [torch.tensor(points.reshape(-1, 2))]
    with torch.no_grad():
        for module in copy.deepcopy(model[:-1]).double():
            stages.append(module(stages[-1]))
    return [stage.numpy().reshape(points.shape) for stage in stages]


def views(stages: list[Array]) -> list[View]:
    """Return how each plane is shifted, turned and stretched, so that its points [n, 2] fill a picture from −1 to 1.

    Affine, so no straight line becomes a crooked one. The input plane is shifted and scaled alone; the others are
    turned, or mirrored, to be as near as possible to the one before.
    """
    found, before = [], None
    for points in stages:
        centre = (points.min(axis=0) + points.max(axis=0)) / 2 if before is None else points.mean(axis=0)
        matrix = np.eye(2)
        if before is not None:
            _, lengths, axes = np.linalg.svd(points - centre, full_matrices=False)
            if lengths[0] > 0:
                matrix = axes.T / np.maximum(lengths, lengths[0] / MOST)
            left, _, right = np.linalg.svd(((points - centre) @ matrix).T @ before)
            matrix = matrix @ left @ right
        farthest = np.abs((points - centre) @ matrix).max()
        found.append(View(centre, matrix / (farthest or 1.0)))
        before = found[-1](points)
    return found


def straight_line(model: nn.Sequential, view: View, reach: float) -> Array:
    """Return two points [2, 2] of the line on which the read-out's two outputs are equal, as it is seen."""
    weight, bias = (part.detach().double().numpy() for part in (model[-1].weight, model[-1].bias))
    return line_in(view, weight[1] - weight[0], bias[0] - bias[1], reach)


def line_in(view: View, n: Array, c: float, reach: float) -> Array:
    """Return two points [2, 2] of the line n · p = c as it is seen, each so far from its point that is nearest to 0."""
    seen = np.linalg.solve(view.matrix, n)  # its normal there: n · (centre + q · matrix⁻¹) = c
    size = seen @ seen
    foot = seen * (c - n @ view.centre) / size
    return foot + np.outer([-reach, reach], [-seen[1], seen[0]]) / np.sqrt(size)


def changed(model: nn.Sequential, block: int, unit: int, change: str) -> nn.Sequential:
    """Return a copy in which a unit's output weights are kept, set to zero or reversed; block and unit from 1.

    Raises ValueError for a block or a unit that there is not.
    """
    copied = copy.deepcopy(model)
    read_out = copied[_at_most("block", block, len(model) - 1) - 1][-1]
    column = _at_most("unit", unit, read_out.in_features) - 1
    with torch.no_grad():
        read_out.weight[:, column] *= CHANGES[change]
    return copied


def neuron(model: nn.Sequential, block: int, unit: int) -> nn.Sequential:
    """Return the network up to a unit's sum, before its ReLU: two inputs, one output; block and unit from 1."""
    exact = copy.deepcopy(model).double()
    layer = exact[_at_most("block", block, len(model) - 1) - 1][0]
    row = _at_most("unit", unit, layer.out_features) - 1
    return nn.Sequential(*exact[: block - 1], _linear(layer.weight[[row]], layer.bias[[row]]))


def identity_block(width: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """Return a block 2 → width → 2 that leaves every point where it is, by random pairs of units; width is even.

    relu(z) − relu(−z) = z for each pair's z = d · p − c, and from at least two such z the point can be told. The
    creases d · p = c lie within 1.5 of the origin. ``generator``: PyTorch's global one where it is None.
    """
    pairs = whole_number("width", width, least=4) // 2
    if width % 2:
        raise ValueError(f"width is {width}: wanted an even number, as units come in pairs")
    # In float64, of which float32 keeps the digits that are the same on all processors.
    angle, c = (torch.rand(pairs, generator=generator).double() for _ in range(2))
    angle, c = 2 * torch.pi * angle, 3 * c - 1.5
    directions = torch.stack([angle.cos(), angle.sin()], dim=1)
    back = torch.linalg.pinv(directions)
    layer = _linear(torch.cat([directions, -directions]).float(), torch.cat([-c, c]).float())
    return nn.Sequential(layer, nn.ReLU(), _linear(torch.cat([back, -back], dim=1).float(), (back @ c).float()))


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    """Return the layer with these weights, without a random number drawn for them."""
    layer = skip_init(nn.Linear, weight.shape[1], weight.shape[0], dtype=weight.dtype)
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    return layer


def _at_most(name: str, value: int, most: int) -> int:
    if whole_number(name, value) > most:
        raise ValueError(f"{name} is {value}: wanted at most {most}")
    return value
