"""Proof of exercise 02.1."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils import models


def by_layers(sizes, bias):
    return sum((n_in + bias) * n_out for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True))


def weights(sizes):
    return by_layers(sizes, False)


def by_building(sizes, bias):
    layers = [torch.nn.Linear(*pair, bias=bias) for pair in zip(sizes[:-1], sizes[1:], strict=True)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


def by_products(sizes, bias):
    sizes = np.array(sizes, dtype=float)
    return sizes[:-1] @ sizes[1:] + (sizes[1:].sum() if bias else 0.0)


def recursively(sizes, bias):
    if len(sizes) < 2:
        return np.int64(0)
    return recursively(sizes[1:], bias) + sizes[0] * sizes[1] + (sizes[1] if bias else 0)


def with_so_many_biases(count):
    return lambda sizes, bias: weights(sizes) + (count(sizes) if bias else 0)


def with_one_width(width, always_biases=False):
    """The lesson's formula, which is for hidden layers of equal width; ``width`` finds one among the sizes."""

    def answer(sizes, bias):
        w, bias = width(sizes), bias or always_biases
        between = (len(sizes) - 3) * (w + bias) * w
        return (sizes[0] + bias) * w + between + (w + bias) * sizes[-1]

    return answer


def of_pairs(count):
    """An answer that adds ``count(n_in, n_out, bias)`` up over the layers."""
    return lambda sizes, bias: sum(count(*pair, bias) for pair in zip(sizes[:-1], sizes[1:], strict=True))


PROOF = Proof(
    "02.1",
    right={
        "by layers": by_layers,
        "by building": by_building,
        "by products": by_products,
        "recursively": recursively,
        "an array of one": lambda sizes, bias: np.array([by_layers(sizes, bias)]),
    },
    wrong=[
        Wrong("off by one", lambda sizes, bias: by_layers(sizes[:-1], bias), "One layer is left out"),
        Wrong("without the first layer", lambda sizes, bias: by_layers(sizes[1:], bias), "One layer is left out"),
        Wrong("units", lambda sizes, bias: sum(sizes), "These are units"),
        Wrong("hidden units", lambda sizes, bias: sum(sizes[1:-1]), "These are units"),
        Wrong("no biases", lambda sizes, bias: weights(sizes), "biases are missing"),
        Wrong("always biases", lambda sizes, bias: by_layers(sizes, True), "`bias` is False"),
        Wrong("the inputs' biases", with_so_many_biases(sum), "bias for each input"),
        Wrong("biases of the inputs' side", with_so_many_biases(lambda sizes: sum(sizes[:-1])), "each of its inputs"),
        Wrong("one bias a layer", with_so_many_biases(lambda sizes: len(sizes) - 1), "one bias for each layer"),
        Wrong("no output biases", with_so_many_biases(lambda sizes: sum(sizes[1:-1])), "output layer has biases"),
        Wrong("all multiplied", lambda sizes, bias: math.prod(sizes), "multiplied all sizes"),
        Wrong("squares", lambda sizes, bias: sum(n * n for n in sizes), "not by itself"),
        Wrong("the first width", with_one_width(lambda sizes: sizes[1]), "layer by layer"),
        Wrong("the last width", with_one_width(lambda sizes: sizes[-2]), "layer by layer"),
        Wrong("the largest width", with_one_width(lambda sizes: max(sizes[1:-1])), "layer by layer"),
        Wrong("the largest size", with_one_width(max), "layer by layer"),
        Wrong("the first width, always biases", with_one_width(lambda sizes: sizes[1], True), "layer by layer"),
        Wrong("a half", lambda sizes, bias: by_layers(sizes, bias) + 0.5, "whole number"),
        Wrong("withheld", lambda sizes, bias: models.mlp_parameters(sizes, bias=bias), "write it yourself"),
    ],
    unforeseen={
        "sums for products": of_pairs(lambda n_in, n_out, bias: n_in + n_out + bias * n_out),
        "a bias at both ends": of_pairs(lambda n_in, n_out, bias: (n_in + bias) * (n_out + bias)),
        "biases squared": of_pairs(lambda n_in, n_out, bias: n_in * n_out + bias * n_out**2),
        "biases twice": of_pairs(lambda n_in, n_out, bias: (n_in + 2 * bias) * n_out),
        "a bias for each weight": of_pairs(lambda n_in, n_out, bias: (1 + bias) * n_in * n_out),
        "twice": lambda sizes, bias: 2 * by_layers(sizes, bias),
        "from input to output": lambda sizes, bias: sizes[0] * sizes[-1] + bias * sizes[-1],
        "pairs of all layers": lambda sizes, bias: sum(
            a * b for i, a in enumerate(sizes) for b in sizes[i + 1 :]) + bias * sum(sizes[1:]),
        "every second layer": lambda sizes, bias: by_layers(sizes[::2], bias),
        "in thousands": lambda sizes, bias: by_layers(sizes, bias) // 10 * 10 + 3,
    },
)
