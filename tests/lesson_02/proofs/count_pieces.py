"""Proof of exercise 02.6."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.regions import linear_pieces


def forward(weights, biases, x):
    """What each layer computes before its ReLU."""
    h, found = np.atleast_1d(np.asarray(x, dtype=float))[None], []
    for weight, bias in zip(weights, biases, strict=True):
        z = weight @ h + np.reshape(bias, (-1, 1))
        found.append(z)
        h = np.maximum(z, 0)
    return found


def switches(weights, biases, low, high):
    """The ends and all places between where a unit of any layer switches, several times where several units do."""
    x = [low, high]
    for layer in range(len(weights) - 1):
        known = sorted(set(np.round(x, 9)))
        for z in forward(weights, biases, np.array(known))[layer]:
            for a, b, u, v in zip(known, known[1:], z, z[1:], strict=False):
                if u * v < 0 and min(abs(u), abs(v)) > 1e-7:
                    x.append(a - u * (b - a) / (v - u))
            x += [
                known[i]
                for i in range(1, len(known) - 1)
                if abs(z[i]) < 1e-7 and (z[i - 1] > 1e-7) != (z[i + 1] > 1e-7)
            ]
    return sorted(x)


def slope_changes(weights, biases, x):
    y = forward(weights, biases, x)[-1][0]
    return np.abs(np.diff(np.diff(y) / np.diff(x)))


def by_switches(weights, biases, low, high):
    x = np.array(sorted(set(np.round(switches(weights, biases, low, high), 6))))
    return 1 + int(np.sum(slope_changes(weights, biases, x) > 1e-2))


def by_smooth_cells(weights, biases, low, high):
    """On a grid with several cells for each piece: one with a bend inside is like no neighbour."""
    x = np.linspace(low, high, 1601)
    slopes = np.diff(forward(weights, biases, x)[-1][0]) / np.diff(x)
    same = np.abs(np.diff(slopes)) < 1e-6
    smooth = slopes[np.append(same, False) | np.append(False, same)]
    return 1 + (np.abs(np.diff(smooth)) > 1e-3).sum()


def by_corners(weights, biases, low, high):
    """With functions from line to line as lists of corners, built up unit by unit in torch."""
    x = torch.tensor([low, high], dtype=torch.float64)
    lines = [x]
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        z = [sum(w * line for w, line in zip(row, lines, strict=True)) + b for row, b in zip(weight, bias, strict=True)]
        if layer == len(weights) - 1:
            slope = z[0].diff() / x.diff()
            return 1 + (slope.diff().abs() > 1e-3).sum()
        stack = torch.stack([x, *z])
        middle = []
        for unit in stack[1:]:
            i = torch.nonzero(unit[:-1] * unit[1:] < -1e-16)[:, 0]
            share = unit[i] / (unit[i] - unit[i + 1])
            middle.append(stack[:, i] + share * (stack[:, i + 1] - stack[:, i]))
        stack = torch.cat([stack, *middle], dim=1)
        stack = stack[:, stack[0].argsort()]
        stack = stack[:, torch.cat([torch.tensor([True]), stack[0].diff() > 1e-7])]
        x, lines = stack[0], list(stack[1:].clamp(min=0))


def first_layer_bends(weights, biases):
    return [-b / w for w, b in zip(weights[0][:, 0], biases[0], strict=True) if w != 0]


def on_grid(count):
    def answer(weights, biases, low, high):
        x = np.linspace(low, high, count)
        return 1 + int(np.sum(slope_changes(weights, biases, x) > 1e-6))

    return answer


def merged(count, least=0.02):
    """With neighbouring changes of slope as one bend."""

    def answer(weights, biases, low, high):
        changed = slope_changes(weights, biases, np.linspace(low, high, count)) > least
        return 1 + int(np.sum(np.diff(changed.astype(int), prepend=0) == 1))

    return answer


def at_points(count):
    """With the slopes a little to the right of the points of a grid."""

    def answer(weights, biases, low, high):
        x, step = np.linspace(low, high, count)[:-1], 1e-7
        slopes = (forward(weights, biases, x + step)[-1][0] - forward(weights, biases, x)[-1][0]) / step
        return 1 + int(np.sum(np.abs(np.diff(slopes)) > 1e-2))

    return answer


def in_middles(count):
    """With the slopes in the middles of a grid's cells, by the chain rule."""

    def answer(weights, biases, low, high):
        x = low + (np.arange(count) + 0.5) * (high - low) / count
        slope = weights[0] * np.ones((1, count))
        for z, weight in zip(forward(weights, biases, x), weights[1:], strict=False):
            slope = weight @ (slope * (z > 0))
        return 1 + int(np.sum(np.abs(np.diff(slope[0])) > 1e-6))

    return answer


def merging_slopes(least):
    """With slopes that differ by less as one."""

    def answer(weights, biases, low, high):
        x = np.array(sorted(set(np.round(switches(weights, biases, low, high), 6))))
        return 1 + int(np.sum(slope_changes(weights, biases, x) > least))

    return answer


def slopes(weights, biases, low, high, places=switches):
    """The pieces' slopes, one for each piece between the places where they change."""
    x = np.array(sorted(set(np.round(places(weights, biases, low, high), 6))))
    found = np.diff(forward(weights, biases, x)[-1][0]) / np.diff(x)
    return found[np.append(True, np.abs(np.diff(found)) > 1e-2)]


def monotone(weights, biases, low, high):
    signs = np.sign(np.round(slopes(weights, biases, low, high), 2))
    return 1 + np.sum(signs[1:] != signs[:-1])


def monotone_but_flat(weights, biases, low, high):
    signs = np.sign(np.round(slopes(weights, biases, low, high), 2))
    signs = signs[signs != 0]
    return 1 + int(np.sum(signs[1:] != signs[:-1]))


def turns(weights, biases, low, high):
    found = np.round(slopes(weights, biases, low, high), 2)
    return 1 + np.sum(found[1:] * found[:-1] < 0)


def without_relu(weights, biases, low, high):
    """The places where units would switch if what comes into them were affine."""
    x, z, places = np.array([low, high]), np.array([[low, high]]), [low, high]
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        z = weight @ z + bias[:, None]
        places += [x[0] - u / (v - u) * (x[1] - x[0]) for u, v in z if u * v < 0]
    return places


def clipped(weights, biases, low, high):
    return by_switches([*weights, np.ones((1, 1))], [*biases, np.zeros(1)], low, high)


def cells(weights, biases, low, high):
    return len(set(np.round(switches(weights, biases, low, high), 6))) - 1


def not_rounded(weights, biases, low, high):
    """Compares slopes exactly, on pieces cut once more in three."""
    x = np.array(sorted(set(np.round(switches(weights, biases, low, high), 9))))
    x = np.sort(np.concatenate([x, x[:-1] + np.diff(x) / 3, x[:-1] + np.diff(x) / 7, x[:-1] + np.diff(x) / 1.3]))
    return 1 + int(np.sum(slope_changes(weights, biases, x) != 0))


def withheld_regions(weights, biases, low, high):
    linears = [torch.nn.Linear(*weight.shape[::-1]) for weight in weights]
    model = torch.nn.Sequential(*[part for linear in linears for part in (linear, torch.nn.ReLU())][:-1])
    return len(linear_pieces(model, (low, high)).slopes)


def units(weights, biases, low, high):
    return sum(len(bias) for bias in biases[:-1])


def last_layer_only(weights, biases, low, high):
    """The places where units of the last hidden layer switch, and no others."""
    x = np.linspace(low, high, 4001)
    signs = forward(weights, biases, x)[-2] > 0
    return 1 + int((signs[:, 1:] != signs[:, :-1]).any(axis=0).sum())


def switching_units(weights, biases, low, high):
    x = np.linspace(low, high, 4001)
    return sum(int(np.sum((z > 0).any(axis=1) & (z < 0).any(axis=1))) for z in forward(weights, biases, x)[:-1])


def zeros_of_the_output(weights, biases, low, high):
    y = forward(weights, biases, np.linspace(low, high, 4001))[-1][0]
    return 1 + int(np.sum(y[1:] * y[:-1] < 0))


def patterns(weights, biases, low, high):
    """How many patterns of active units there are, wherever they come back."""
    z = np.concatenate(forward(weights, biases, np.linspace(low, high, 4001))[:-1]) > 0
    return len({column.tobytes() for column in z.T})


PROOF = Proof(
    "02.6",
    right={"switches": by_switches, "corners in torch": by_corners, "smooth cells": by_smooth_cells,
           "500 middles": in_middles(500), "5,000 middles": in_middles(5000), "a fine grid, merged": merged(5000),
           "float": lambda *given: float(by_switches(*given)),
           "an array of one": lambda *given: np.array([by_switches(*given)])},
    wrong=[
        Wrong("off by one", lambda *given: by_switches(*given) - 1, "One too few"),
        Wrong("one too many", lambda *given: by_switches(*given) + 1, "One too many"),
        Wrong("units + 1", lambda *given: units(*given) + 1, "Units + 1"),
        Wrong("units of the first layer", lambda weights, *given: len(weights[0]) + 1, "units of the first layer"),
        Wrong("the bound", lambda weights, biases, low, high: math.prod(len(b) + 1 for b in biases[:-1]),
              "at most, not what"),
        Wrong("first layer", lambda weights, biases, low, high:
              1 + len({round(x, 6) for x in first_layer_bends(weights, biases) if low < x < high}), "first layer only"),
        Wrong("cells", cells, "switch on or off"),
        Wrong("one by one", lambda *given: len(switches(*given)) - 1, "the same place are one"),
        Wrong("everywhere", lambda weights, biases, low, high: by_switches(weights, biases, -1e5, 1e5),
              "outside of the interval"),
        Wrong("with the ends", lambda weights, biases, low, high: by_switches(weights, biases, low - 1e-4, high + 1e-4),
              "at an end"),
        Wrong("a grid of 101", on_grid(101), "grid"),
        Wrong("a grid of 1,000", on_grid(1000), "grid"),
        Wrong("a grid of 10,001", on_grid(10_001), "grid"),
        *[Wrong(f"a grid of {count}, merged", merged(count), "do not look for them")
          for count in (61, 71, 81, 101, 151, 201, 301, 501, 1001, 1201, 1401)],
        Wrong("a grid of 81, merged at any change", merged(81, 1e-6), "do not look for them"),
        Wrong("slopes at 200 points", at_points(200), "do not look for them"),
        *[Wrong(f"slopes within {least} merged", merging_slopes(least), "as little as 0.05")
          for least in (0.07, 0.1, 0.2, 0.3)],
        Wrong("monotone", monotone, "can change and keep its sign"),
        Wrong("monotone or flat", monotone_but_flat, "can change and keep its sign"),
        Wrong("turns", turns, "can change and keep its sign"),
        Wrong("upward", lambda *given: 1 + np.sum(np.diff(slopes(*given)) > 0), "one direction only"),
        Wrong("downward", lambda *given: 1 + np.sum(np.diff(slopes(*given)) < 0), "one direction only"),
        Wrong("flat left out", lambda *given: np.sum(np.abs(slopes(*given)) > 1e-2), "slope 0"),
        Wrong("different slopes", lambda *given: len({*np.round(slopes(*given), 2).tolist()}), "different slopes"),
        Wrong("places without ReLU", lambda *given: len(set(np.round(without_relu(*given), 6))) - 1,
              "layers below had no ReLU"),
        Wrong("bends without ReLU", lambda *given: len(slopes(*given, places=without_relu)),
              "layers below had no ReLU"),
        Wrong("output clipped", clipped, "each layer but the last"),
        Wrong("slopes compared exactly", not_rounded, "equal but for rounding"),
        Wrong("withheld", withheld_regions, "write it yourself"),
    ],
    unforeseen={
        "the last layer only": last_layer_only,
        "units that switch": switching_units,
        "zeros of the output": zeros_of_the_output,
        "patterns": patterns,
        "without biases": lambda weights, biases, low, high: by_switches(weights, [0 * b for b in biases], low, high),
        "without the sign of weights": lambda weights, biases, low, high: by_switches(
            [np.abs(weight) for weight in weights], biases, low, high),
        "the right half": lambda weights, biases, low, high: by_switches(weights, biases, (low + high) / 2, high),
        "twice": lambda *given: 2 * by_switches(*given),
        "bends and ends": lambda *given: by_switches(*given) + 2,
        "weights, not units": lambda weights, biases, low, high: sum(weight.size for weight in weights[:-1]),
        "layers": lambda weights, biases, low, high: 2 ** (len(weights) - 1),
        "the output layer left out": lambda weights, biases, low, high: by_switches(
            weights[:-1] if len(weights) > 2 else weights, biases[:-1] if len(weights) > 2 else biases, low, high),
    },
)
