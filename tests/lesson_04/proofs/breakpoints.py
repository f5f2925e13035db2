"""Proof of exercise 04.8."""

from __future__ import annotations

import itertools

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils import regions


def forward(weights, biases, x):
    """What each layer computes before its ReLU, [units, places]."""
    h, found = np.asarray(x, dtype=float)[None], []
    for weight, bias in zip(weights, biases, strict=True):
        z = weight @ h + bias[:, None]
        found.append(z)
        h = np.maximum(z, 0)
    return found


def cells(weights, biases, low, high):
    """The ends and all places between where a unit of any layer switches, by its values at what is known so far."""
    x = np.array([low, high])
    for layer in range(len(weights) - 1):
        new = [x]
        for z in forward(weights, biases, x)[layer]:
            i = np.flatnonzero((z[:-1] * z[1:] < 0) & (np.abs(z[:-1]) > 1e-9) & (np.abs(z[1:]) > 1e-9))
            new.append(x[i] - z[i] * (x[i + 1] - x[i]) / (z[i + 1] - z[i]))
        x = np.sort(np.concatenate(new))
        x = x[np.append(True, np.diff(x) > 1e-8)]
    return x


def slopes(weights, biases, x):
    return (np.diff(forward(weights, biases, x)[-1][0]) / np.diff(x)).round(6)


def by_values(weights, biases, low, high):
    return kept(weights, biases, low, high, lambda one, other: one != other)


def kept(weights, biases, low, high, keep):
    """The places at which the slopes on both sides are like that."""
    x = cells(weights, biases, low, high)
    sides = itertools.pairwise(slopes(weights, biases, x))
    return [place for place, pair in zip(x[1:-1].tolist(), sides, strict=True) if keep(*pair)]


def by_secants(weights, biases, low, high):
    """On a grid so fine that a bend has cells for itself, where the straight lines on its two sides meet."""
    x = np.linspace(low, high, 4001)
    y = forward(weights, biases, x)[-1][0]
    steep = np.diff(y) / np.diff(x)
    smooth = np.append(np.abs(np.diff(steep)) < 1e-6, True)
    smooth &= np.append(True, smooth[:-1])  # a cell like both its neighbours
    slope, offset = steep[smooth], (y[:-1] - steep * x[:-1])[smooth]
    i = np.flatnonzero(np.abs(np.diff(slope)) > 1e-3)
    return -np.diff(offset)[i] / np.diff(slope)[i]


def by_recursion(weights, biases, low, high):
    """In torch: a layer's zeros cut each piece, and so on with what is left of the network."""

    def places(left, right, slope, offset, layers):
        (weight, bias), *rest = layers
        slope, offset = weight @ slope, weight @ offset + bias
        if not rest:
            return [], [slope.item()]
        zeros = {round((-o / s).item(), 11) for o, s in zip(offset, slope, strict=True) if s.abs() > 1e-9}
        ends = [left, *sorted(zero for zero in zeros if left + 1e-7 < zero < right - 1e-7), right]
        found, steep = [], []
        for a, b in itertools.pairwise(ends):
            on = (slope * (a + b) / 2 + offset > 0).double()
            inner, inner_slopes = places(a, b, slope * on, offset * on, rest)
            found += [a] * bool(steep) + inner
            steep += inner_slopes
        return found, steep

    layers = [(torch.tensor(w).double(), torch.tensor(b).double()) for w, b in zip(weights, biases, strict=True)]
    found, steep = places(low, high, torch.ones(1).double(), torch.zeros(1).double(), layers)
    bends = [place for i, place in enumerate(found) if abs(steep[i + 1] - steep[i]) > 0.01]
    return torch.tensor(bends, dtype=torch.float64)


def first_layer(weights, biases, low, high):
    places = [-b / w for w, b in zip(weights[0][:, 0], biases[0], strict=True) if w != 0]
    return sorted({place for place in places if low < place < high})


def layer_by_layer(weights, biases, low, high):
    """The right places, those of the first layer first."""
    early, places = first_layer(weights, biases, low, high), by_values(weights, biases, low, high)
    is_early = [any(abs(place - one) < 1e-9 for one in early) for place in places]
    late = [place for place, one in zip(places, is_early, strict=True) if not one]
    return late + [place for place, one in zip(places, is_early, strict=True) if one]


def of_last_hidden(weights, biases, low, high):
    x = cells(weights, biases, low, high)
    on = forward(weights, biases, (x[1:] + x[:-1]) / 2)[-2] > 1e-9  # 0, but for rounding, is off
    return x[1:-1][(on[:, 1:] != on[:, :-1]).any(axis=0)]


def without_relu(weights, biases, low, high):
    found, weight_so_far, bias_so_far = set(), np.ones((1, 1)), np.zeros(1)
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        weight_so_far, bias_so_far = weight @ weight_so_far, weight @ bias_so_far + bias
        found |= {-b / w for w, b in zip(weight_so_far[:, 0], bias_so_far, strict=True) if w != 0}
    return sorted(place for place in found if low < place < high)


def on_grid(count):
    def answer(weights, biases, low, high):
        x = np.linspace(low, high, count)
        steep = slopes(weights, biases, x)
        return x[1:-1][np.abs(np.diff(steep)) > 1e-3]

    return answer


def clipped(weights, biases, low, high):
    return by_values([*weights, np.ones((1, 1))], [*biases, np.zeros(1)], low, high)


def withheld(weights, biases, low, high):
    model = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.ReLU(), torch.nn.Linear(2, 1))
    return regions.breakpoints(model, (low, high))


def then(change):
    return lambda *given: change(by_values(*given))


def zeros_of_the_output(weights, biases, low, high):
    x = cells(weights, biases, low, high)
    y = forward(weights, biases, x)[-1][0]
    i = np.flatnonzero(y[:-1] * y[1:] < 0)
    return x[i] - y[i] * (x[i + 1] - x[i]) / (y[i + 1] - y[i])


PROOF = Proof(
    "04.8",
    right={"values": by_values, "secants of a fine grid": by_secants, "recursion in torch": by_recursion,
           "an array": then(np.array)},
    wrong=[
        Wrong("off by one", then(lambda places: places[:-1]), "some are missing"),
        Wrong("first layer", first_layer, "of the first layer switch"),
        Wrong("first layer, one by one", lambda weights, biases, low, high: sorted(
            place for place in (-biases[0] / np.where(weights[0][:, 0], weights[0][:, 0], np.nan))
            if low < place < high), "of the first layer switch"),
        Wrong("switches", lambda *given: cells(*given)[1:-1], "where units switch"),
        Wrong("last hidden layer", of_last_hidden, "of the last hidden layer"),
        Wrong("turns", lambda *given: kept(*given, lambda one, other: one * other < 0), "keep its sign"),
        Wrong("signs", lambda *given: kept(*given, lambda one, other: np.sign(one) != np.sign(other)), "keep its sign"),
        Wrong("upward", lambda *given: kept(*given, lambda one, other: other > one), "its slope grows"),
        Wrong("downward", lambda *given: kept(*given, lambda one, other: other < one), "its slope shrinks"),
        Wrong("strong bends", lambda *given: kept(*given, lambda one, other: abs(other - one) > 0.1), "weak bends"),
        Wrong("everywhere", lambda weights, biases, low, high: by_values(weights, biases, -5e3, 5e3), "whole line"),
        Wrong("with the ends", lambda *given: [given[2], *by_values(*given), given[3]], "are no bends"),
        Wrong("cells", cells, "are no bends"),
        Wrong("output clipped", clipped, "each layer but the last"),
        Wrong("without ReLU", without_relu, "no ReLU"),
        Wrong("layer by layer", layer_by_layer, "sort them"),
        Wrong("descending", then(lambda places: places[::-1]), "sort them"),
        Wrong("twice", then(lambda places: sorted(2 * places)), "several times"),
        *[Wrong(f"a grid of {count}", on_grid(count), "A grid only says") for count in (200, 1000, 20_001)],
        Wrong("four digits", then(lambda places: [round(place, 4) for place in places]), "A grid only says"),
        Wrong("in float32", then(lambda places: torch.tensor(places) + 1e-6), "A grid only says"),
        Wrong("one more", lambda *given: sorted([*by_values(*given), given[2] + 0.05 * (given[3] - given[2])]),
              "others that are none"),
        Wrong("a number", lambda *given: len(by_values(*given)), "a list of numbers"),
        Wrong("pairs", lambda *given: [[place, place] for place in by_values(*given)] or 0, "a list of numbers"),
        Wrong("withheld", withheld, "write it yourself"),
    ],
    unforeseen={
        "zeros of the output": zeros_of_the_output,
        "middles of pieces": lambda *given: ((lambda x: (x[1:] + x[:-1]) / 2)(cells(*given))),
        "shares of the interval": lambda *given: [
            (place - given[2]) / (given[3] - given[2]) for place in by_values(*given)],
        "mirrored": lambda *given: [given[2] + given[3] - place for place in by_values(*given)][::-1],
        "signs of biases": lambda weights, biases, low, high: by_values(weights, [-b for b in biases], low, high),
        "without biases": lambda weights, biases, low, high: by_values(weights, [0 * b for b in biases], low, high),
        "the right half": lambda weights, biases, low, high: by_values(weights, biases, (low + high) / 2, high),
        "the last layer left out": lambda weights, biases, low, high: of_last_hidden(
            weights[:-1], biases[:-1], low, high) if len(weights) > 2 else [],
        "to slope 0": lambda *given: kept(*given, lambda one, other: (one == 0) != (other == 0)),
        "distances": lambda *given: np.diff(cells(*given)),
    },
)
