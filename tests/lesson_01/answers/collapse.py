"""Answers to exercise 01.1, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def fold(weights, biases):
    matrix, bias = np.eye(weights[0].shape[1]), np.zeros(weights[0].shape[1])
    for weight, offset in zip(weights, biases, strict=True):
        matrix, bias = weight @ matrix, weight @ bias + offset
    return matrix, bias


def by_probing(weights, biases):
    """The affine map, read off from its values at the origin and at the unit vectors."""

    def stack(x):
        for weight, bias in zip(weights, biases, strict=True):
            x = weight @ x + bias
        return x

    inputs = weights[0].shape[1]
    bias = stack(np.zeros(inputs))
    return [np.stack([stack(unit) - bias for unit in np.eye(inputs)], axis=1), bias]


def in_torch(weights, biases):
    """In single precision."""
    matrix, bias = torch.tensor(weights[0], dtype=torch.float32), torch.tensor(biases[0], dtype=torch.float32)
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        weight = torch.tensor(weight, dtype=torch.float32)
        matrix, bias = weight @ matrix, torch.mv(weight, bias) + torch.tensor(offset, dtype=torch.float32)
    return matrix, bias


def changed(change):
    return lambda weights, biases: change(*fold(weights, biases))


SUITE = AnswerSuite(
    "01.1",
    right={
        "as lists": changed(lambda matrix, bias: (matrix.tolist(), tuple(bias))),
        "by probing": by_probing,
        "in torch": in_torch,
    },
    wrong=[
        Wrong("off by one", lambda weights, biases: fold(weights[:-1], biases[:-1]), "A layer is left out"),
        Wrong("no bias", changed(lambda matrix, bias: matrix), "Return two things"),
        Wrong("the bias first", changed(lambda matrix, bias: (bias, matrix)), "the matrix first"),
        Wrong("a column", changed(lambda matrix, bias: (matrix, bias[:, None])), "the bias's shape"),
        Wrong("last bias", lambda weights, biases: (fold(weights, biases)[0], biases[-1]), "An early bias passes"),
    ],
    unforeseen={
        "whole numbers": changed(lambda matrix, bias: (matrix.astype(int), bias.astype(int))),
        "sizes": changed(lambda matrix, bias: (np.abs(matrix), np.abs(bias))),
        "the bias added twice": changed(lambda matrix, bias: (matrix + bias[:, None], bias)),
        "ones as bias": changed(lambda matrix, bias: (matrix, np.ones_like(bias))),
        "matrices added": lambda weights, biases: (sum(weights), fold(weights, biases)[1]),
        "of unit length": changed(lambda matrix, bias: (matrix / np.linalg.norm(matrix), bias)),
        "the first layer twice": lambda weights, biases: fold([weights[0] * 2, *weights[1:]], biases),
    },
)
