"""Answers to exercise 04.8, right and wrong."""

from __future__ import annotations

import itertools

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
from utils import regions
from utils.exercises import networks


def forward(weights, biases, x):
    """What each layer computes before its ReLU, [units, places]."""
    return [z.T for z in networks.forward(weights, np.asarray(x, dtype=float)[:, None], biases)[1]]


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


def by_crossings(inside):
    """Where each unit's line on a piece comes to 0, if ``inside`` lets it pass; near places are one."""

    def answer(weights, biases, low, high):
        pieces = [(low, high, np.ones(1), np.zeros(1))]
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            finer = []
            for left, right, slope, offset in pieces:
                slope, offset = weight @ slope, weight @ offset + bias
                found = [left]
                for place in sorted(-o / s for s, o in zip(slope, offset, strict=True) if s != 0):
                    if inside(left, place, right) and (len(found) == 1 or place - found[-1] > 1e-8):
                        found.append(place)
                for a, b in itertools.pairwise([*found, right]):
                    on = slope * (a + b) / 2 + offset > 0
                    finer.append((a, b, slope * on, offset * on))
            pieces = finer
        steep = [(weights[-1] @ slope).item() for _, _, slope, _ in pieces]
        return [pieces[i][1] for i in range(len(steep) - 1) if abs(steep[i + 1] - steep[i]) > 0.02]

    return answer


def of_last_hidden(weights, biases, low, high):
    x = cells(weights, biases, low, high)
    on = forward(weights, biases, (x[1:] + x[:-1]) / 2)[-2] > 1e-9  # 0, but for rounding, is off
    return x[1:-1][(on[:, 1:] != on[:, :-1]).any(axis=0)]


def on_grid(count):
    def answer(weights, biases, low, high):
        x = np.linspace(low, high, count)
        steep = slopes(weights, biases, x)
        return x[1:-1][np.abs(np.diff(steep)) > 1e-3]

    return answer


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


SUITE = AnswerSuite(
    "04.8",
    right={
        "values": by_values,
        "secants of a fine grid": by_secants,
        "recursion in torch": by_recursion,
        "an array": then(np.array),
        "crossings away from the ends": by_crossings(
            lambda left, place, right: left < place < right and not np.isclose(place, [left, right]).any()
        ),
        "crossings, with a margin": by_crossings(lambda left, place, right: left + 1e-9 < place < right - 1e-9),
    },
    wrong=[
        Wrong("switches", lambda *given: cells(*given)[1:-1], "All bends are there"),
        Wrong("turns", lambda *given: kept(*given, lambda one, other: one * other < 0), "from rising to falling"),
        Wrong("everywhere", lambda weights, biases, low, high: by_values(weights, biases, -5e3, 5e3), "outside of it"),
        Wrong("cells", cells, "outside of it"),
        Wrong("an end, by rounding", by_crossings(lambda left, place, right: left < place < right), "a hair inside"),
        Wrong("its ends too", by_crossings(lambda left, place, right: left <= place <= right), "a hair inside"),
        Wrong(
            "the upper end, by rounding",
            by_crossings(lambda left, place, right: left + 1e-9 < place < right),
            "a hair inside",
        ),
        *[Wrong(f"a grid of {count}", on_grid(count), "A grid only says") for count in (200, 20_001)],
        Wrong("four digits", then(lambda places: [round(place, 4) for place in places]), "A grid only says"),
        Wrong("in float32", then(lambda places: torch.tensor(places) + 1e-6), "A grid only says"),
        Wrong("a number", lambda *given: len(by_values(*given)), "a list of numbers"),
        Wrong("pairs", lambda *given: [[place, place] for place in by_values(*given)] or 0, "a list of numbers"),
        Wrong("twice", then(lambda places: sorted(2 * places)), "of the others once"),
        Wrong("every other one", then(lambda places: places[::2]), "You miss bends"),
        Wrong(
            "and a middle",
            lambda weights, biases, low, high: sorted(
                [*by_values(weights, biases, low, high), low + 0.3456 * (high - low)]
            ),
            "All bends are there",
        ),
        Wrong("withheld", withheld, "write it yourself"),
    ],
    unforeseen={
        "off by one": then(lambda places: places[:-1]),
        "last hidden layer": of_last_hidden,
        "upward": lambda *given: kept(*given, lambda one, other: other > one),
        "strong bends": lambda *given: kept(*given, lambda one, other: abs(other - one) > 0.1),
        "descending": then(lambda places: places[::-1]),
        "twice": then(lambda places: sorted(2 * places)),
        "zeros of the output": zeros_of_the_output,
    },
)
