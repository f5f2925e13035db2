"""Answers to exercise 02.6, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def walk(weights, biases, low, high, count=5000):
    """Which units are on in the middles of a grid's cells, [units, count], and the slopes there, by the chain rule."""
    h = low + (np.arange(count) + 0.5)[None] * (high - low) / count
    slope, on = np.ones_like(h), []
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        z = weight @ h + bias[:, None]
        on.append(z > 0)
        h, slope = z * on[-1], (weight @ slope) * on[-1]
    return np.concatenate(on), (weights[-1] @ slope)[0]


def by_middles(*given, count=500, least=1e-6):
    return 1 + int((np.abs(np.diff(walk(*given, count)[1])) > least).sum())


def values(weights, biases, x):
    h = x[None]
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        h = weight @ (np.maximum(h, 0) if layer else h) + np.reshape(bias, (-1, 1))
    return h[0]


def by_smooth_cells(weights, biases, low, high):
    """On a grid with several cells for each piece: one with a bend inside is like no neighbour."""
    x = np.linspace(low, high, 1601)
    slopes = np.diff(values(weights, biases, x)) / np.diff(x)
    same = np.abs(np.diff(slopes)) < 1e-6
    smooth = slopes[np.append(same, False) | np.append(False, same)]
    return np.array([1 + (np.abs(np.diff(smooth)) > 1e-3).sum()])


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


def on_grid(count, least=1e-6, merged=False):
    """By the changes of slope from cell to cell of a grid; merged, neighbouring changes are one."""

    def answer(weights, biases, low, high):
        x = np.linspace(low, high, count)
        changed = np.abs(np.diff(np.diff(values(weights, biases, x)) / np.diff(x))) > least
        return 1 + int(np.sum(np.diff(changed.astype(int), prepend=0) == 1) if merged else changed.sum())

    return answer


def of_slopes(count):
    """An answer that counts in the list of the slopes, piece by piece."""

    def answer(*given):
        slopes = walk(*given)[1].round(6)
        return int(count(slopes[np.append(True, np.diff(slopes) != 0)]))

    return answer


def different(*given, count=10_001):
    """The different slopes of a grid's cells; one with a bend inside has a slope of its own."""
    x = np.linspace(*given[2:], count)
    return len(set((np.diff(values(*given[:2], x)) / np.diff(x)).round(3)))


SUITE = AnswerSuite(
    "02.6",
    right={"500 middles": by_middles, "corners in torch": by_corners, "smooth cells": by_smooth_cells},
    unforeseen={
        "off by one": lambda *given: by_middles(*given) - 1,
        "one by one": lambda *given: 1 + np.abs(np.diff(walk(*given)[0].astype(int))).sum(),
        "no signs of weights": lambda weights, biases, low, high: by_middles(
            [np.abs(weight) for weight in weights], biases, low, high
        ),
        "upward": of_slopes(lambda slopes: 1 + (np.diff(slopes) > 0).sum()),
        "flat left out": of_slopes(np.count_nonzero),
        "with the ends": lambda weights, biases, low, high: by_middles(
            weights, biases, low - 1e-3, high + 1e-3, count=10_000
        ),
    },
    wrong=[
        *(Wrong(f"a grid of {count}", on_grid(count), "two changes of slope") for count in (501, 1000, 10_001)),
        Wrong("different slopes on a grid", different, "two changes of slope"),
        *(
            Wrong(f"a grid of {count}, merged", on_grid(count, 0.02, merged=True), "instead of looking for them")
            for count in (301, 501)
        ),
        Wrong("200 middles", lambda *given: by_middles(*given, count=200), "instead of looking for them"),
        Wrong("slopes within 0.1 the same", lambda *given: by_middles(*given, least=0.1), "as little as 0.05"),
        Wrong("slopes compared exactly", on_grid(1601, 0.0), "differ only by rounding"),
    ],
)
