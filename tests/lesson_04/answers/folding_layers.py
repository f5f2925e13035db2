"""Answers to exercise 04.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
from utils.constructions import sawtooth_network

TENTS = [[2.0, -4.0, 0.0, 0.0], [0.0, 0.0, 2.0, -4.0]]
SPLIT = [[1, 0], [1, 0], [0, 1], [0, 1]]


def by_blocks(k, side, *, shift=None, inner=None, tents=TENTS, centre=-0.5):
    """The layers from blocks for each coordinate, as plain lists, with some part other than it should be."""
    h = 2.0 ** -(k + 1) if shift is None else shift
    inner = [tents[0], tents[0], tents[1], tents[1]] if inner is None else inner
    split = [[one / side for one in row] for row in SPLIT]
    return [(split, [h, h - 0.5, h, h - 0.5]), *[(inner, [0, -0.5, 0, -0.5])] * (k - 1), (tents, [centre, centre])]


def by_triangles(k, side):
    """Units that open to the left and to the right of the crease, which go on folding beyond the sheet, in float32."""
    w = torch.tensor([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
    crease = torch.tensor([0.5, 0.5, -0.5, -0.5])
    out = torch.tensor([[-2.0, 0.0, -2.0, 0.0], [0.0, -2.0, 0.0, -2.0]])
    h = 0.5 ** (k + 1) * torch.tensor([-1.0, -1.0, 1.0, 1.0])
    inner = (w @ out, crease + w @ torch.ones(2))
    return [(w / side, crease + h), *[inner] * (k - 1), (out, torch.full((2,), 0.5))]


def scaled_and_exchanged(k, side):
    """Larger units and outputs, b before a, and minus both of them; biases as columns."""
    scale = np.array([3.0, 0.5, 7.0, 2.0])
    layers = [(np.array(w, float), np.array(b, float)) for w, b in by_blocks(k, side)]
    up = [(scale[:, None] * w / (scale if i else 1), (scale * b)[:, None]) for i, (w, b) in enumerate(layers[:-1])]
    w, b = layers[-1]
    return [*up, (-5 * (w / scale)[::-1], -5 * b[::-1, None])]


def as_wide_as_the_sheet(k, side, **slip):
    """Tents as wide as the sheet, with their creases in its middle, in place of coordinates that are divided."""
    return [(weight, side * np.array(bias)) for weight, bias in by_blocks(k, 1.0, **slip)]


def of_all(change):
    return lambda k, side: [change(np.array(w), np.array(b)) for w, b in by_blocks(k, side)]


def blocks(**slip):
    return lambda k, side: by_blocks(k, side, **slip)


SUITE = AnswerSuite(
    "04.2",
    right={
        "blocks": by_blocks,
        "triangles": by_triangles,
        "scaled": scaled_and_exchanged,
        "wide tents": as_wide_as_the_sheet,
    },
    wrong=[
        Wrong("on the grid line", blocks(shift=0.0), "beside the grid lines"),
        Wrong(
            "wide tents on the grid line",
            lambda k, side: as_wide_as_the_sheet(k, side, shift=0.0),
            "beside the grid lines",
        ),
        Wrong(
            "divided, then shifted", lambda k, side: by_blocks(k, side, shift=side * 0.5 ** (k + 1)), "in the one unit"
        ),
        Wrong("off by one", lambda k, side: by_blocks(k + 1, side), "Your sizes are not 2, 4"),
        Wrong("no read-out", lambda k, side: by_blocks(k, side)[:-1], "Your sizes are not 2, 4"),
        Wrong("do not fit", lambda k, side: by_blocks(k, side)[:1] * (k + 1), "Your sizes are not 2, 4"),
        Wrong("bias first", of_all(lambda w, b: (b, w)), "weight comes first"),
        Wrong("weights alone", of_all(lambda w, b: w), "list of pairs"),
        Wrong("transposed", of_all(lambda w, b: (w.T, b)), "weights are transposed"),
        Wrong(
            "withheld",
            lambda k, side: [(layer.weight, layer.bias) for layer in sawtooth_network(k)[::2]],
            "write it yourself",
        ),
    ],
    unforeseen={
        "divided by the side's square": lambda k, side: by_blocks(k, side**2),
        "a quarter of a cell": lambda k, side: by_blocks(k, side, shift=0.5 ** (k + 2)),
        "inner transposed": blocks(inner=np.transpose([TENTS[i] for i in (0, 0, 1, 1)])),
        "wrong sign": blocks(tents=np.abs(TENTS).tolist()),
        "not stretched": blocks(tents=(np.array(TENTS) / 2).tolist()),
        "only x folded": blocks(tents=[TENTS[0], [0, 0, 1, 0]]),
        "nan": of_all(lambda w, b: (w * np.nan, b)),
        "zeros": of_all(lambda w, b: (0 * w, 0 * b)),
    },
)
