"""Answers to exercise 04.5, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def layers(m, end, *, weight=lambda s, m: 0.25**s, tent=(2, -4), third=1.0, later=(0, -0.5, 0), sign=-1):
    """The layers, with some part other than it should be."""
    u, v = tent
    network, inner = [([[1 / end], [1 / end], [1 / end]], [0.0, -0.5, 0.0])], []
    for s in range(1, m + 1):
        inner = [[u, v, 0.0], [u, v, 0.0], [sign * weight(s, m) * u, sign * weight(s, m) * v, third]]
        network.append((inner, list(later)))
    return [*network[:-1], ([[end**2 * one for one in inner[2]]], [0.0])]


def upside_down(m, end):
    """One minus the sum in the third unit, and units to both sides of the crease, in float32."""
    split = torch.tensor([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0]])
    offsets, start = torch.tensor([0.5, -0.5, 1.0]), torch.ones(2, 1) / end
    network, made, add = [], start, torch.zeros(2)
    for s in range(1, m + 1):
        network.append((split @ made, split @ add + offsets))
        quarter = 0.25**s
        made = torch.tensor([[-2.0, -2.0, 0.0], [2 * quarter, 2 * quarter, -1.0]])
        add = torch.tensor([1.0, 1 - quarter])
    return [*network, (end**2 * made[1:], end**2 * add[1:])]


def large_units(m, end):
    """Units of other sizes in another order: the sum comes first."""
    order, scale = [2, 0, 1], np.array([4.0, 0.5, 3.0])
    network = [(np.array(w), np.array(b)) for w, b in layers(m, end)]
    up = [
        ((scale[:, None] * (w[order][:, order] / scale if i else w[order])), scale * b[order])
        for i, (w, b) in enumerate(network[:-1])
    ]
    return [*up, (network[-1][0][:, order] / scale, network[-1][1])]


def as_wide_as_the_interval(m, end, **slip):
    """Tents as wide and as high as the interval, with their creases in its middle."""
    *rest, (weight, bias) = layers(m, 1.0, **slip)
    return [*((w, end * np.array(b)) for w, b in rest), (end * np.array(weight), bias)]


def slipped(**slip):
    return lambda m, end: layers(m, end, **slip)


def of_all(change):
    return lambda m, end: [change(np.array(w), np.array(b)) for w, b in layers(m, end)]


SUITE = AnswerSuite(
    "04.5",
    right={
        "lists": layers,
        "upside down": upside_down,
        "large units": large_units,
        "wide tents": as_wide_as_the_interval,
    },
    wrong=[
        Wrong(
            "wide tents, not as high",
            lambda m, end: [*as_wide_as_the_interval(m, end)[:-1], layers(m, 1.0)[-1]],
            "but for a factor",
        ),
        Wrong(
            "wide tents and 2^s",
            lambda m, end: as_wide_as_the_interval(m, end, weight=lambda s, m: 0.5**s),
            "do not fall by a factor of four",
        ),
        Wrong(
            "without the last",
            lambda m, end: [*layers(m, end)[:-1], ([[0, 0, end**2]], [0])],
            "The last tent is missing, or",
        ),
        Wrong("off by one", lambda m, end: layers(m + 1, end), "Your sizes are not 1, 3"),
        Wrong("no read-out", lambda m, end: layers(m, end)[:-1], "Your sizes are not 1, 3"),
        Wrong("bias first", of_all(lambda w, b: (b, w)), "weight comes first"),
        Wrong("weights alone", of_all(lambda w, b: w), "list of pairs"),
        Wrong("transposed", of_all(lambda w, b: (w.T, b)), "weights are transposed"),
    ],
    unforeseen={
        "divided by 3^s": slipped(weight=lambda s, m: 3.0**-s),
        "without the first": slipped(weight=lambda s, m: 0.25**s * (s > 1)),
        "reversed": slipped(weight=lambda s, m: 0.25 ** (m + 1 - s)),
        "the sum halved in each layer": slipped(third=0.5),
        "later creases at the end": slipped(later=(0, -1, 0)),
        "level": slipped(tent=(2, -2)),
    },
)
