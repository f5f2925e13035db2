"""Proof of exercise 02.5."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.constructions import sawtooth_network


def layers(k, peak, *, tent=None, first=None, inner=None, offsets=None, inner_offsets=None, last=0.0):
    """The layers of the sawtooth, with some of them other than they should be."""
    tent = [1 / peak, -1 / (peak * (1 - peak))] if tent is None else tent
    offsets = [0.0, -peak] if offsets is None else offsets
    inner = [tent, tent] if inner is None else inner
    between = [inner, offsets if inner_offsets is None else inner_offsets]
    return [[[[1.0], [1.0]], first or offsets], *[between] * (k - 1), [[tent], [last]]]


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


def by_loop(k, peak):
    network = [(np.ones((2, 1)), np.array([0.0, -peak]))]
    climb, fall = 1 / peak, 1 / (1 - peak)
    for level in range(k):
        last = level == k - 1
        row = [climb, -(climb + fall)]
        network.append((np.array([row] if last else [row, row]), np.array([0.0] if last else [0.0, -peak])))
    return network


def one_hidden_layer(k, peak):
    x = np.array([0.0, 1.0])
    for _ in range(k):
        x = np.concatenate([peak * x, 1 - (1 - peak) * x[-2::-1]])
    slopes = np.diff(np.arange(len(x)) % 2) / np.diff(x)
    return [(np.ones((2**k, 1)), -x[:-1]), (np.diff(slopes, prepend=0.0)[None], np.zeros(1))]


def not_merged(k, peak):
    first, *_, last = in_products(k, peak)
    return [first, last] * k


def three_wide(k, peak):
    inner = [(np.ones((3, 3)), np.zeros(3))] * (k - 1)
    return [(np.ones((3, 1)), np.zeros(3)), *inner, (np.ones((1, 3)), np.zeros(1))]


PROOF = Proof(
    "02.5",
    right={"products": in_products, "from the right": from_the_right, "scaled": scaled, "loop": by_loop,
           "lists": layers},
    wrong=[
        Wrong("the example's peak", lambda k, peak: layers(k, 0.25), "through by hand"),
        Wrong("off by one", lambda k, peak: layers(k + 1, peak), "layer too many"),
        Wrong("one less", lambda k, peak: layers(max(k - 1, 1), peak), "layer too few"),
        Wrong("no output layer", lambda k, peak: layers(k, peak)[:-1], "output layer is missing"),
        Wrong("the lesson's", lambda k, peak: layers(k, 0.5), "wherever it should be"),
        Wrong("2 and -4", lambda k, peak: layers(k, peak, tent=[2, -4]), "here the two slopes"),
        Wrong("mirrored", lambda k, peak: layers(k, 1 - peak), "mirrored"),
        Wrong("slopes", lambda k, peak: layers(k, peak, tent=[1 / peak, -1 / (1 - peak)]), "both units are at work"),
        Wrong("as steep", lambda k, peak: layers(k, peak, tent=[1 / peak, -2 / peak]), "as steeply"),
        Wrong("wrong sign", lambda k, peak: layers(k, peak, tent=[1 / peak, 1 / peak + 1 / (1 - peak)]),
              "sign of the second output weight"),
        Wrong("the fall's sign", lambda k, peak: layers(k, peak, tent=[1 / peak, 1 / (1 - peak) - 1 / peak]),
              "climbs again"),
        Wrong("c and 1 - c exchanged", lambda k, peak:
              layers(k, peak, tent=[1 / (1 - peak), -1 / (1 - peak) - 1 / peak]), "first slope is another"),
        Wrong("plus the peak", lambda k, peak: layers(k, peak, offsets=[0, peak]), "has the bias -peak"),
        Wrong("biases in the first layer", lambda k, peak: layers(k, peak, inner_offsets=[0, 0]), "no bias"),
        Wrong("passed on", lambda k, peak: layers(k, peak, inner=[[1, 0], [0, 1]]), "pass on what comes in"),
        Wrong("ones", lambda k, peak: layers(k, peak, inner=[[1, 1], [1, 1]]), "with weights 1"),
        Wrong("inner transposed", lambda k, peak: layers(k, peak, inner=np.transpose(layers(2, peak)[1][0]).tolist()),
              "inner weight is transposed"),
        Wrong("transposed", lambda k, peak: [(np.transpose(w), b) for w, b in layers(k, peak)], "are transposed"),
        Wrong("bias first", lambda k, peak: [(b, w) for w, b in in_products(k, peak)], "weight comes first"),
        Wrong("weights alone", lambda k, peak: [w for w, _ in in_products(k, peak)], "list of pairs"),
        Wrong("not merged", not_merged, "a layer of its own"),
        Wrong("one hidden layer", one_hidden_layer, "one hidden layer with"),
        Wrong("three wide", three_wide, "sizes are others"),
        Wrong("do not fit", lambda k, peak: [layers(k, peak)[0]] * (k + 1), "do not fit together"),
        Wrong("upside down", lambda k, peak: [*in_products(k, peak)[:-1], (-in_products(k, peak)[-1][0], np.ones(1))],
              "upside down"),
        Wrong("random", lambda k, peak: layers(k, peak, tent=[1.1 + 0.1 * math.cos(9 * peak), -0.3]),
              "through by hand"),
        Wrong("withheld", lambda k, peak: [(layer.weight, layer.bias) for layer in sawtooth_network(k)[::2]],
              "write it yourself"),
    ],
    unforeseen={
        "half as high": lambda k, peak: layers(k, peak, tent=[0.5 / peak, -0.5 / (peak * (1 - peak))]),
        "to one digit": lambda k, peak: layers(k, peak, tent=[round(1 / peak, 1), round(-1 / peak / (1 - peak), 1)]),
        "half the offset": lambda k, peak: layers(k, peak, offsets=[0, -peak / 2]),
        "an output bias": lambda k, peak: layers(k, peak, last=1.0),
        "the offset times the slope": lambda k, peak: layers(k, peak, offsets=[0, -1 / peak]),
        "the peak squared": lambda k, peak: layers(k, peak, tent=[1 / peak**2, -1 / (peak * (1 - peak)) ** 2]),
        "only the first unit's offset": lambda k, peak: layers(k, peak, offsets=[-peak, 0]),
        "both units alike": lambda k, peak: layers(k, peak, offsets=[-peak, -peak]),
        "inner layers twice as steep": lambda k, peak: layers(
            k, peak, tent=[2 / peak, -2 / (peak * (1 - peak))]),
        "the fall alone": lambda k, peak: layers(k, peak, tent=[0.0, -1 / (1 - peak)]),
    },
)
