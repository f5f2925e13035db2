"""Proof of exercise 04.2."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.constructions import sawtooth_network

TENTS = [[2.0, -4.0, 0.0, 0.0], [0.0, 0.0, 2.0, -4.0]]
SPLIT = [[1, 0], [1, 0], [0, 1], [0, 1]]


def by_blocks(k, side, *, shift=None, first=None, later=(0, -0.5, 0, -0.5), inner=None, tents=TENTS, centre=-0.5):
    """The layers from blocks for each coordinate, as plain lists, with some part other than it should be."""
    h = 2.0 ** -(k + 1) if shift is None else shift
    first = [h, h - 0.5, h, h - 0.5] if first is None else list(first)
    inner = [tents[0], tents[0], tents[1], tents[1]] if inner is None else inner
    split = [[one / side for one in row] for row in SPLIT]
    return [(split, first), *[(inner, list(later))] * (k - 1), (tents, [centre, centre])]


def by_triangles(k, side):
    """Units that open to the left and to the right of the crease, which go on folding beyond the sheet, in float32."""
    w = torch.tensor([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
    crease = torch.tensor([0.5, 0.5, -0.5, -0.5])
    out = torch.tensor([[-2.0, 0.0, -2.0, 0.0], [0.0, -2.0, 0.0, -2.0]])
    h = 0.5 ** (k + 1) * torch.tensor([-1.0, -1.0, 1.0, 1.0])
    inner = (w @ out, crease + w @ torch.ones(2))
    return [(w / side, crease + h), *[inner] * (k - 1), (out, torch.full((2,), 0.5))]


def the_other_way(k, side):
    """Half a cell to the other side: both signs change, and so the colours are the same."""
    return by_blocks(k, side, shift=-(2.0 ** -(k + 1)))


def scaled_and_exchanged(k, side):
    """Larger units and outputs, b before a, and minus both of them; biases as columns."""
    scale = np.array([3.0, 0.5, 7.0, 2.0])
    layers = [(np.array(w, float), np.array(b, float)) for w, b in by_blocks(k, side)]
    up = [(scale[:, None] * w / (scale if i else 1), (scale * b)[:, None]) for i, (w, b) in enumerate(layers[:-1])]
    w, b = layers[-1]
    return [*up, (-5 * (w / scale)[::-1], -5 * b[::-1, None])]


def cut_elsewhere(k, side):
    """No half cell before the first fold, but a cut at other places: fold and shift change places."""
    h = 2.0**-k
    tri = by_blocks(k, side, shift=h / 2)
    return [(np.array(w), np.array(b)) for w, b in tri[:-1]] + [(np.array(TENTS) * 3, np.array([-1.5, -1.5]))]


def as_wide_as_the_sheet(k, side, **slip):
    """Tents as wide as the sheet, with their creases in its middle, in place of coordinates that are divided."""
    return [(weight, side * np.array(bias)) for weight, bias in by_blocks(k, 1.0, **slip)]


def built(change, **slip):
    return lambda k, side: change(by_blocks(k, side, **slip))


def blocks(**slip):
    return built(list, **slip)


def with_first(change):
    return lambda k, side: [change(*map(np.array, by_blocks(k, side)[0])), *by_blocks(k, side)[1:]]


def with_last(change):
    return lambda k, side: [*by_blocks(k, side)[:-1], change(*map(np.array, by_blocks(k, side)[-1]))]


def not_merged(k, side):
    first, last = by_blocks(k, side)[0], (TENTS, [0.0, 0.0])
    again = (SPLIT, [0, -0.5, 0, -0.5])
    return [first, *[last, again] * (k - 1), (TENTS, [-0.5, -0.5])]


def two_units(k, side):
    inner = (np.array([[2.0, -4.0], [2.0, -4.0]]), np.array([0, -0.5]))
    h = 2.0 ** -(k + 1)
    first, last = (np.ones((2, 2)) / side, np.array([h, h - 0.5])), (np.array([[2.0, -4.0]] * 2), [-0.5, -0.5])
    return [first, *[inner] * (k - 1), last]


def with_colour(k, side):
    """The four units of the read-out of the colour, after a and b."""
    signs = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
    w, b = map(np.array, by_blocks(k, side)[-1])
    return [*by_blocks(k, side)[:-1], (signs @ w, signs @ b), (np.array([[1, 1, -1, -1]]), [0])]


def one_by_one(change):
    """Layers that change from one to the next: ``change`` takes the number of a layer, weight and bias."""
    return built(lambda layers: [change(i, np.array(w, float), np.array(b, float)) for i, (w, b) in enumerate(layers)])


PROOF = Proof(
    "04.2",
    right={"blocks": by_blocks, "triangles": by_triangles, "the other way": the_other_way,
           "scaled": scaled_and_exchanged, "scaled outputs": cut_elsewhere, "wide tents": as_wide_as_the_sheet},
    wrong=[
        Wrong("a quarter always", blocks(shift=0.25), "half a cell for k = 1 alone"),
        Wrong("off by one", lambda k, side: by_blocks(k + 1, side), "One hidden layer too many"),
        Wrong("one fold less", lambda k, side: by_blocks(max(k - 1, 1), side), "One fold too few"),
        Wrong("on the grid line", blocks(shift=0.0), "fold on the grid lines"),
        Wrong("a whole cell", lambda k, side: by_blocks(k, side, shift=2.0**-k), "by a whole cell"),
        Wrong("half of the sheet", blocks(shift=0.5), "half of the sheet"),
        Wrong("shifted, then divided", lambda k, side: by_blocks(k, side, shift=0.5 ** (k + 1) / side),
              "in the one unit"),
        Wrong("divided, then shifted", lambda k, side: by_blocks(k, side, shift=side * 0.5 ** (k + 1)),
              "in the one unit"),
        Wrong("side left out", lambda k, side: by_blocks(k, 1.0), "whatever `side` is"),
        Wrong("multiplied by the side", lambda k, side: by_blocks(k, 1 / side), "You multiply the coordinates"),
        Wrong("wide tents on the grid line", lambda k, side: as_wide_as_the_sheet(k, side, shift=0.0),
              "fold on the grid lines"),
        Wrong("every time",
              lambda k, side: by_blocks(k, side, later=np.tile([0.5 ** (k + 1), 0.5 ** (k + 1) - 0.5], 2)),
              "before every fold"),
        Wrong("crease not shifted", lambda k, side: by_blocks(k, side, first=np.tile([0.5 ** (k + 1), -0.5], 2)),
              "takes the same shift"),
        Wrong("x alone", lambda k, side: by_blocks(k, side, first=[0.5 ** (k + 1), 0.5 ** (k + 1) - 0.5, 0, -0.5]),
              "Only one of the two coordinates"),
        Wrong("y alone", lambda k, side: by_blocks(k, side, first=[0, -0.5, 0.5 ** (k + 1), 0.5 ** (k + 1) - 0.5]),
              "Only one of the two coordinates"),
        Wrong("not centred", blocks(centre=0.0), "not centred"),
        Wrong("plus a half", blocks(centre=0.5), "add 1/2 in the read-out"),
        Wrong("biases in the first layer", blocks(later=[0, 0, 0, 0]), "the later ones have no bias"),
        Wrong("passed on", blocks(inner=np.eye(4)), "pass on what comes in"),
        Wrong("mixed", blocks(inner=[[2, -4, 2, -4]] * 4), "add up x and y"),
        Wrong("mixed at first", with_first(lambda w, b: (np.full((4, 2), w.max()), b)), "add up x and y"),
        Wrong("inner transposed", blocks(inner=np.transpose([TENTS[i] for i in (0, 0, 1, 1)])),
              "between your hidden layers is transposed"),
        Wrong("wrong sign", blocks(tents=np.abs(TENTS).tolist()), "climbs even faster"),
        Wrong("level", blocks(tents=np.maximum(TENTS, -2).tolist()), "stays where it is"),
        Wrong("not stretched", blocks(tents=(np.array(TENTS) / 2).tolist()), "do not stretch"),
        Wrong("bias first", built(lambda layers: [(b, w) for w, b in layers]), "weight comes first"),
        Wrong("weights alone", built(lambda layers: [w for w, _ in layers]), "list of pairs"),
        Wrong("transposed", built(lambda layers: [(np.transpose(w), b) for w, b in layers]), "weights are transposed"),
        Wrong("not merged", not_merged, "a layer of its own"),
        Wrong("no read-out", built(lambda layers: layers[:-1]), "read-out is missing"),
        Wrong("the colour", with_colour, "two outputs"),
        Wrong("two units", two_units, "two coordinates take four"),
        Wrong("do not fit", built(lambda layers: [layers[0]] * len(layers)), "do not fit together"),
        Wrong("eight units", lambda k, side: [(np.ones((8, 2)), np.ones(8)), *[(np.ones((8, 8)), np.ones(8))] * (k - 1),
                                        (np.ones((2, 8)), np.ones(2))], "The sizes are others"),
        Wrong("nan", built(lambda layers: [(np.array(w) * math.nan, b) for w, b in layers]), "nan or inf"),
        Wrong("one turned", with_last(lambda w, b: (w * [[1], [-1]], b * [1, -1])), "board is inverted"),
        Wrong("far down", blocks(centre=-9.0), "whole board has one colour"),
        Wrong("a and a", with_last(lambda w, b: (w[[0, 0]], b)), "whole board has one colour"),
        Wrong("x in stripes", with_last(lambda w, b: (w * [[1], [0]], b + [0, 1])), "exactly half"),
        Wrong("three quarters of a cell", lambda k, side: by_blocks(k, side, shift=1.5 * 0.5 ** (k + 1)),
              "inside of squares"),
        Wrong("withheld", lambda k, side: [(layer.weight, layer.bias) for layer in sawtooth_network(k)[::2]],
              "write it yourself"),
    ],
    unforeseen={
        "divided by the side's square": lambda k, side: by_blocks(k, side**2),
        "only x divided": with_first(lambda w, b: (w * [[1, 1 / w.max()]], b)),
        "wide tents with a narrow cut": lambda k, side: [
            *((w, side * np.array(b)) for w, b in by_blocks(k, 1.0)[:-1]), by_blocks(k, 1.0)[-1]],
        "a quarter of a cell": lambda k, side: by_blocks(k, side, shift=0.5 ** (k + 2)),
        "three halves of a cell": lambda k, side: by_blocks(k, side, shift=3 * 0.5 ** (k + 1)),
        "a cut at a third": blocks(centre=-1 / 3),
        "a crease at a third": blocks(later=[0, -1 / 3, 0, -1 / 3]),
        "the last fold left out": one_by_one(lambda i, w, b: (w, b if i == 0 else 0 * b)),
        "three and six": blocks(tents=(1.5 * np.array(TENTS)).tolist()),
        "only x folded": blocks(tents=[TENTS[0], [0, 0, 1, 0]]),
        "shifted by 1/k": lambda k, side: by_blocks(k, side, shift=1 / (k + 3)),
        "random": built(lambda layers: [(np.random.default_rng(len(layers)).normal(size=np.shape(w)), b)
                                        for w, b in layers]),
        "zeros": lambda k, side: [(np.zeros(np.shape(w)), np.zeros(np.shape(b))) for w, b in by_blocks(k, side)],
    },
)
