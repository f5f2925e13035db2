"""Answers to exercise 07.11, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers import AnswerSuite, Wrong


def from_behind(channels, layers):
    """From one unit back to the image: the span of places that are needed grows layer by layer."""
    side = 1
    for _, kernel, stride, dilation in reversed(layers):
        side = (side - 1) * stride + (kernel - 1) * dilation + 1
    ins = [channels, *(n for n, *_ in layers)]
    return side, sum(n * (k * k * before + 1) for before, (n, k, *_) in zip(ins, layers, strict=False))


def by_strides(channels, layers):
    table = np.array(layers)
    n, k, s, d = table.T
    apart = np.concatenate([[1], np.cumprod(s)[:-1]])
    before = np.concatenate([[channels], n[:-1]])
    return [1 + ((k - 1) * d * apart).sum(), (n * before * k**2 + n).sum()]


def by_positions(channels, layers):
    """The set of the pixels in a row that a unit reads, and PyTorch's own count of parameters."""
    reads = {0}
    for _, kernel, stride, dilation in layers[::-1]:
        reads = {unit * stride + place * dilation for unit in reads for place in range(kernel)}
    with torch.device("meta"):
        ins = [channels, *(layer[0] for layer in layers)]
        convolutions = [
            nn.Conv2d(before, n, k, s, dilation=d) for before, (n, k, s, d) in zip(ins, layers, strict=False)
        ]
    return max(reads) + 1, sum(one.numel() for layer in convolutions for one in layer.parameters())


def by_recursion(channels, layers):
    """One layer, then the rest: their fields are apart by the first one's stride."""
    if not layers:
        return [1, 0]
    (n, k, s, d), *others = layers
    side, count = by_recursion(n, others)
    return [(side - 1) * s + 1 + d * (k - 1), count + n + n * channels * k * k]


def in_floats(channels, layers):
    side, count = by_strides(channels, layers)
    return float(side), np.array(count, dtype=float)


def with_layers(change):
    return lambda channels, layers: from_behind(channels, [change(*layer) for layer in layers])


SUITE = AnswerSuite(
    "07.11",
    right={
        "from behind": from_behind,
        "strides": by_strides,
        "positions": by_positions,
        "recursion": by_recursion,
        "floats": in_floats,
    },
    wrong=[
        Wrong(
            "field squared",
            lambda *given: (from_behind(*given)[0] ** 2, from_behind(*given)[1]),
            "The parameters are right",
        ),
        Wrong(
            "dilated kernels",
            lambda channels, layers: (
                from_behind(channels, layers)[0],
                from_behind(channels, [[n, (k - 1) * d + 1, s, 1] for n, k, s, d in layers])[1],
            ),
            "none for the places that dilation skips",
        ),
        Wrong(
            "image's channels",
            lambda channels, layers: (
                from_behind(channels, layers)[0],
                sum(n * (k * k * channels + 1) for n, k, *_ in layers),
            ),
            "The field is right",
        ),
    ],
    unforeseen={
        "off by one": with_layers(lambda n, k, s, d: (n, k + 1, s, d)),
        "exchanged": lambda *given: from_behind(*given)[::-1],
        "stride is dilation": with_layers(lambda n, k, s, d: (n, k, d, s)),
        "last layer alone": lambda channels, layers: from_behind(channels, layers[-1:]),
        "reversed": lambda channels, layers: from_behind(channels, layers[::-1]),
        "without the last": lambda channels, layers: from_behind(channels, layers[:-1]),
        "half": lambda channels, layers: [one // 2 for one in from_behind(channels, layers)],
    },
)
