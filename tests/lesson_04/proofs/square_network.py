"""Proof of exercise 04.5."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def layers(m, end, *, weight=lambda s, m: 0.25**s, tent=(2, -4), whole=None, third=1.0, later=(0, -0.5, 0), sign=-1):
    """The layers, with some part other than it should be; ``whole`` is the tent that goes into the sum."""
    u, v = tent
    p, q = whole or tent
    network, inner = [([[1 / end], [1 / end], [1 / end]], [0.0, -0.5, 0.0])], []
    for s in range(1, m + 1):
        inner = [[u, v, 0.0], [u, v, 0.0], [sign * weight(s, m) * p, sign * weight(s, m) * q, third]]
        network.append((inner, list(later)))
    return [*network[:-1], ([[end**2 * one for one in inner[2]]], [0.0])]


def by_products(m, end):
    """Each layer as a product of two affine maps: the units make tent and sum, tent and sum make the units."""
    split, offsets = np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([0, -0.5, 0])
    network, made = [], np.ones((2, 1)) / end
    for s in range(m):
        network.append((split @ made, offsets))
        made = np.array([[2.0, -4, 0], [-2 * 0.25 ** (s + 1), 4 * 0.25 ** (s + 1), 1]])
    return [*network, (end**2 * made[1:], np.zeros((1, 1)))]


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


def half_as_far_off(m, end):
    """Shifted down by half of the error, which is then half as large, to either side."""
    *rest, (weight, bias) = layers(m, end)
    return [*rest, (weight, [-(end**2) * 0.25 ** (m + 1) / 2])]


def large_units(m, end):
    """Units of other sizes in another order: the sum comes first."""
    order, scale = [2, 0, 1], np.array([4.0, 0.5, 3.0])
    network = [(np.array(w), np.array(b)) for w, b in layers(m, end)]
    up = [((scale[:, None] * (w[order][:, order] / scale if i else w[order])), scale * b[order])
          for i, (w, b) in enumerate(network[:-1])]
    return [*up, (network[-1][0][:, order] / scale, network[-1][1])]


def as_wide_as_the_interval(m, end, **slip):
    """Tents as wide and as high as the interval, with their creases in its middle."""
    *rest, (weight, bias) = layers(m, 1.0, **slip)
    return [*((w, end * np.array(b)) for w, b in rest), (end * np.array(weight), bias)]


def sum_as_it_is(m, end):
    """The third unit carries the sum for x² itself, which begins with end · x."""
    (first, offsets), *rest = layers(m, end, weight=lambda s, m: end**2 * 0.25**s)
    *between, (last, bias) = rest
    return [(np.array(first) * [[1], [1], [end**2]], offsets), *between, (np.array(last) / end**2, bias)]


def slipped(**slip):
    return lambda m, end: layers(m, end, **slip)


def weighing(weight):
    return slipped(weight=weight)


def with_last(change):
    return lambda m, end: [*layers(m, end)[:-1], change(*map(np.array, layers(m, end)[-1]))]


def of_all(change):
    return lambda m, end: change(layers(m, end))


def with_inner(change):
    return of_all(lambda network: [network[0], *[change(*map(np.array, one)) for one in network[1:-1]], network[-1]])


def beginning_with_0(sign):
    """Nothing goes into the third unit at first."""
    return lambda m, end: [([[1 / end], [1 / end], [0.0]], [0.0, -0.5, 0.0]), *layers(m, end, sign=sign)[1:]]


def carrying_minus_the_sum(m, end):
    """The third unit gets minus the sum, which begins with −x, and is cut off there."""
    network = [(np.array(w), np.array(b)) for w, b in layers(m, end)]
    first = (network[0][0] * [[1], [1], [-1]], network[0][1])
    between = [(np.array([*w[:2], [*-w[2, :2], 1]]), b) for w, b in network[1:-1]]
    w, b = network[-1]
    return [first, *between, (w * [1, 1, -1], b)]


def not_merged(m, end):
    network, split = [layers(m, end)[0]], ([[1, 0], [1, 0], [0, 1]], [0, -0.5, 0])
    for w, _ in layers(m, end)[1:-1]:
        network += [([w[0], w[2]], [0, 0]), split]
    return [*network, layers(m, end)[-1]]


def four_wide(m, end):
    """x and the sum of the tents in a unit each."""
    network = [(np.array([[1], [1], [0], [1]]) / end, [0, -0.5, 0, 0])]
    for s in range(1, m + 1):
        q = 0.25**s
        network.append((np.array([[2, -4, 0, 0], [2, -4, 0, 0], [2 * q, -4 * q, 1, 0], [0, 0, 0, 1]]), [0, -0.5, 0, 0]))
    w = network[-1][0]
    return [*network[:-1], (end**2 * (w[3] - w[2])[None], [0])]


def one_hidden_layer(m, end):
    knots = np.linspace(0, end, 2**m + 1)
    slopes = np.diff(knots**2) / np.diff(knots)
    return [(np.ones((2**m, 1)), -knots[:-1]), (np.diff(slopes, prepend=0.0)[None], np.zeros(1))]


PROOF = Proof(
    "04.5",
    right={"lists": layers, "products": by_products, "upside down": upside_down, "shifted": half_as_far_off,
           "large units": large_units, "wide tents": as_wide_as_the_interval, "sum as it is": sum_as_it_is},
    wrong=[
        Wrong("a quarter of each", weighing(lambda s, m: 0.25), "by the same number"),
        Wrong("always the last weight", weighing(lambda s, m: 0.25**m), "by the same number"),
        Wrong("off by one", weighing(lambda s, m: 0.25 ** (s - 1)), "four times too large"),
        Wrong("one more", weighing(lambda s, m: 0.25 ** (s + 1)), "four times too small"),
        Wrong("no running sum", weighing(lambda s, m: 0.25**s * (s == m)), "carries x to the end"),
        Wrong("without x", beginning_with_0(1), "without x"),
        Wrong("without x, and minus", beginning_with_0(-1), "does not arrive"),
        Wrong("minus the sum", carrying_minus_the_sum, "without x"),
        Wrong("added", slipped(sign=1), "You add the tents"),
        Wrong("end left out", lambda m, end: layers(m, 1.0), "whatever `end` is"),
        Wrong("end in the read-out alone", lambda m, end: [*layers(m, 1.0)[:-1], layers(m, end)[-1]],
              "whatever `end` is"),
        Wrong("end in the first layer alone", lambda m, end: [layers(m, end)[0], *layers(m, 1.0)[1:]],
              "but for a factor"),
        Wrong("end not squared", lambda m, end: [layers(m, end)[0], *layers(m, end**0.5)[1:]], "but for a factor"),
        Wrong("wide tents, not as high", lambda m, end: [*as_wide_as_the_interval(m, end)[:-1], layers(m, 1.0)[-1]],
              "but for a factor"),
        Wrong("wide tents and 2^s", lambda m, end: as_wide_as_the_interval(m, end, weight=lambda s, m: 0.5**s),
              "divide by 2^s"),
        Wrong("2^s", weighing(lambda s, m: 0.5**s), "divide by 2^s"),
        Wrong("reversed", weighing(lambda s, m: 0.25 ** (m + 1 - s)), "in reverse order"),
        Wrong("without the last", with_last(lambda w, b: (w * [0, 0, 1], b)), "The last tent is missing"),
        Wrong("without the first", weighing(lambda s, m: 0.25**s * (s > 1)), "The first tent is missing"),
        Wrong("the tent", with_last(lambda w, b: (w[0, 2] * np.array([[2.0, -4.0, 0.0]]), b)), "last tent alone"),
        Wrong("sum not read", with_last(lambda w, b: (w * [1, 1, 0], b)), "does not arrive"),
        Wrong("biases in the first layer", slipped(later=(0, 0, 0)), "the later ones have no bias"),
        Wrong("one unit", slipped(whole=(2, 0)), "a whole tent is both units"),
        Wrong("wrong sign", slipped(tent=(2, 4)), "climbs on behind"),
        Wrong("wrong sign in the fold", slipped(tent=(2, 4), whole=(2, -4)), "climbs on behind"),
        Wrong("level", slipped(tent=(2, -2)), "stays level"),
        Wrong("level in the fold", slipped(tent=(2, -2), whole=(2, -4)), "stays level"),
        Wrong("tent of the sum", with_inner(lambda w, b: (w[[2, 2, 2]], b)), "fold the sum"),
        Wrong("passed on", with_inner(lambda w, b: (np.eye(3), [0, 0, 0])), "pass on what comes in"),
        Wrong("inner transposed", with_inner(lambda w, b: (w.T, b)), "between your hidden layers is transposed"),
        Wrong("bias first", of_all(lambda network: [(b, w) for w, b in network]), "weight comes first"),
        Wrong("weights alone", of_all(lambda network: [w for w, _ in network]), "list of pairs"),
        Wrong("transposed", of_all(lambda network: [(np.transpose(w), b) for w, b in network]),
              "weights are transposed"),
        Wrong("not merged", not_merged, "a layer of its own"),
        Wrong("one layer less", lambda m, end: layers(max(m - 1, 1), end), "One hidden layer too few"),
        Wrong("one layer more", lambda m, end: layers(m + 1, end), "One hidden layer too many"),
        Wrong("no read-out", of_all(lambda network: network[:-1]), "read-out is missing"),
        Wrong("two wide", lambda m, end: [(np.array(w)[:2, :2], np.array(b)[:2]) for w, b in layers(m, end)],
              "a third unit carries the sum"),
        Wrong("four wide", four_wide, "one more than is needed"),
        Wrong("one hidden layer", one_hidden_layer, "one hidden layer with"),
        Wrong("do not fit", of_all(lambda network: [network[0]] * len(network)), "do not fit together"),
        Wrong("eight wide", lambda m, end: [(np.ones((8, 1)), np.ones(8)), *[(np.ones((8, 8)), np.ones(8))] * (m - 1),
                                       (np.ones((1, 8)), np.ones(1))], "The sizes are others"),
        Wrong("nan", of_all(lambda network: [(np.array(w) * math.nan, b) for w, b in network]), "nan or inf"),
        Wrong("a third", weighing(lambda s, m: 3.0**-s), "should meet x² exactly"),
    ],
    unforeseen={
        "multiplied by end": lambda m, end: layers(m, 1 / end),
        "end in the read-out alone, not squared": lambda m, end: [*layers(m, 1.0)[:-1], layers(m, end**0.5)[-1]],
        "half of each tent": weighing(lambda s, m: 0.25**s / 2),
        "one over s squared": weighing(lambda s, m: 0.25 / s**2),
        "without the second": weighing(lambda s, m: 0.25**s * (s != 2)),
        "signs by turns": weighing(lambda s, m: -((-0.25) ** s)),
        "the sum halved in each layer": slipped(third=0.5),
        "the sum grows": slipped(third=1.1),
        "an output bias": with_last(lambda w, b: (w, b + 0.1)),
        "a crease at a third": slipped(later=(0, -1 / 3, 0)),
        "a bias for the sum": slipped(later=(0, -0.5, 0.05)),
        "half as steep": slipped(tent=(1, -2)),
        "random": lambda m, end: [(np.random.default_rng(m).normal(size=np.shape(w)), b) for w, b in layers(m, end)],
    },
)
