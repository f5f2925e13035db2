"""Answers to exercise 02.1, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite


def by_layers(sizes, bias):
    return sum((n_in + bias) * n_out for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True))


def by_building(sizes, bias):
    layers = [torch.nn.Linear(*pair, bias=bias) for pair in zip(sizes[:-1], sizes[1:], strict=True)]
    return np.array([sum(p.numel() for layer in layers for p in layer.parameters())])


def by_products(sizes, bias):
    sizes = np.array(sizes, dtype=float)
    return sizes[:-1] @ sizes[1:] + (sizes[1:].sum() if bias else 0.0)


def of_pairs(count):
    """An answer that adds ``count(n_in, n_out, bias)`` up over the layers."""
    return lambda sizes, bias: sum(count(*pair, bias) for pair in zip(sizes[:-1], sizes[1:], strict=True))


SUITE = AnswerSuite(
    "02.1",
    right={"by layers": by_layers, "by building": by_building, "by products": by_products},
    unforeseen={
        "off by one": lambda sizes, bias: by_layers(sizes, bias) + 1,
        "squares": of_pairs(lambda n_in, n_out, bias: (n_in + bias) * n_in),
        "sums for products": of_pairs(lambda n_in, n_out, bias: n_in + n_out + bias * n_out),
        "a bias at both ends": of_pairs(lambda n_in, n_out, bias: (n_in + bias) * (n_out + bias)),
        "a bias for each weight": of_pairs(lambda n_in, n_out, bias: (1 + bias) * n_in * n_out),
        "from input to output": lambda sizes, bias: sizes[0] * sizes[-1] + bias * sizes[-1],
        "every second layer": lambda sizes, bias: by_layers(sizes[::2], bias),
    },
)
