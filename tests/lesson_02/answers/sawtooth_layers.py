"""Answers to exercise 02.5, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def layers(k, peak, *, tent=None, offsets=None, last=0.0):
    """The layers of the sawtooth as lists, with some of them other than they should be."""
    tent = [1 / peak, -1 / (peak * (1 - peak))] if tent is None else tent
    offsets = [0.0, -peak] if offsets is None else offsets
    return [[[[1.0], [1.0]], offsets], *[[[tent, tent], offsets]] * (k - 1), [[tent], [last]]]


def in_products(k, peak):
    """Each layer as a product of the two affine maps that it is made of, in NumPy."""
    ins, outs = (
        (np.ones((2, 1)), np.array([0, -peak])),
        (np.array([[1 / peak, 1 / (peak - 1) - 1 / peak]]), np.zeros(1)),
    )
    return [ins] + (k - 1) * [(ins[0] @ outs[0], ins[0] @ outs[1] + ins[1])] + [outs]


def from_the_right(k, peak):
    """Units that open to the left and to the right from the peak: 1 minus both, in float32."""
    w = torch.tensor([[-1.0], [1.0]])
    b = torch.tensor([peak, -peak])
    out = torch.tensor([[-1 / peak, -1 / (1 - peak)]])
    inner = (w @ out, b + w[:, 0])
    return [(w, b), *[inner] * (k - 1), (out, torch.ones(1))]


def scaled(k, peak):
    """Two units that are bigger than they need be, with output weights that make up for it; biases as columns."""
    w, b = np.array([[3.0], [0.5]]), np.array([[0.0], [-0.5 * peak]])
    out = np.array([[1 / (3 * peak), -2 / (peak * (1 - peak))]])
    return [(w, b), *[(w @ out, b)] * (k - 1), (out, np.zeros((1, 1)))]


def not_merged(k, peak):
    first, *_, last = in_products(k, peak)
    return [first, last] * k


def upside_down(k, peak):
    *before, (weight, bias) = in_products(k, peak)
    return [*before, (-weight, 1 - bias)]


SUITE = AnswerSuite(
    "02.5",
    right={"products": in_products, "from the right": from_the_right, "scaled": scaled, "lists": layers},
    unforeseen={
        "off by one": lambda k, peak: layers(k + 1, peak),
        "upside down": upside_down,
        "half as high": lambda k, peak: layers(k, peak, tent=[0.5 / peak, -0.5 / (peak * (1 - peak))]),
        "to one digit": lambda k, peak: layers(k, peak, tent=[round(1 / peak, 1), round(-1 / peak / (1 - peak), 1)]),
        "half the offset": lambda k, peak: layers(k, peak, offsets=[0, -peak / 2]),
        "an output bias": lambda k, peak: layers(k, peak, last=1.0),
        "the offset times the slope": lambda k, peak: layers(k, peak, offsets=[0, -1 / peak]),
        "both units alike": lambda k, peak: layers(k, peak, offsets=[-peak, -peak]),
        "the fall alone": lambda k, peak: layers(k, peak, tent=[0.0, -1 / (1 - peak)]),
    },
    wrong=[
        Wrong("bias first", lambda k, peak: [(b, w) for w, b in in_products(k, peak)], "list of pairs"),
        Wrong("weights alone", lambda k, peak: [w for w, _ in in_products(k, peak)], "list of pairs"),
        Wrong("one less", lambda k, peak: layers(max(k - 1, 1), peak), "sizes are not 1, 2"),
        Wrong("no output layer", lambda k, peak: layers(k, peak)[:-1], "sizes are not 1, 2"),
        Wrong("transposed", lambda k, peak: [(np.transpose(w), b) for w, b in layers(k, peak)], "are transposed"),
        Wrong("not merged", not_merged, "leads from one tent into the next, not two"),
        Wrong("do not fit", lambda k, peak: [layers(k, peak)[0]] * (k + 1), "sizes are not 1, 2"),
    ],
)
