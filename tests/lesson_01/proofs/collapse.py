"""Proof of exercise 01.1."""

from __future__ import annotations

from functools import reduce

import numpy as np
import torch

from tests.proofs import Proof, Wrong


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
    matrix, bias = torch.as_tensor(weights[0]), torch.as_tensor(biases[0])
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        weight = torch.as_tensor(weight)
        matrix, bias = weight @ matrix, torch.mv(weight, bias) + torch.as_tensor(offset)
    return matrix, bias


def in_float32(weights, biases):
    return in_torch(*([part.astype(np.float32) for part in parts] for parts in (weights, biases)))


def as_lists(weights, biases):
    matrix, bias = fold(weights, biases)
    return matrix.tolist(), tuple(bias.tolist())


def wrong_order(weights, biases):
    matrix, bias = weights[0], biases[0]
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        matrix, bias = matrix @ weight, weight @ bias + offset
    return matrix, bias


def entry_by_entry(weights, biases):
    return reduce(np.multiply, weights), fold(weights, biases)[1]


def transposed(weights, biases):
    matrix, bias = fold(weights, biases)
    return matrix.T, bias


def sum_of_biases(weights, biases):
    return fold(weights, biases)[0], sum(biases)


def from_two_inputs(weights, biases):
    matrix = np.eye(2)
    for weight in weights:
        matrix = weight @ matrix
    return matrix, fold(weights, biases)[1]


def stepwise(step):
    """The right matrix, and the bias made by ``step(weight, bias, offset)`` in each layer."""

    def answer(weights, biases):
        bias = biases[0]
        for weight, offset in zip(weights[1:], biases[1:], strict=True):
            bias = step(weight, bias, offset)
        return fold(weights, biases)[0], bias

    return answer


def changed(change):
    return lambda weights, biases: change(*fold(weights, biases))


PROOF = Proof(
    "01.1",
    right={"fold": fold, "by probing": by_probing, "in torch": in_torch, "float32": in_float32, "as lists": as_lists},
    wrong=[
        Wrong("off by one", lambda weights, biases: fold(weights[:-1], biases[:-1]), "One layer is left out"),
        Wrong("no bias", lambda weights, biases: fold(weights, biases)[0], "Return two things"),
        Wrong("wrong order", wrong_order, "wrong order"),
        Wrong("transposed", transposed, "transposed"),
        Wrong("last bias", lambda weights, biases: (fold(weights, biases)[0], biases[-1]), "an early bias passes"),
        Wrong("swapped", lambda weights, biases: fold(weights, biases)[::-1], "matrix comes first"),
        Wrong("entry by entry", entry_by_entry, "entry by entry"),
        Wrong("a column", lambda weights, biases: (fold(weights, biases)[0], fold(weights, biases)[1][:, None]),
              "the bias's shape"),
        Wrong("sum of biases", sum_of_biases, "an early bias passes"),
        Wrong("from two inputs", from_two_inputs, "sizes differ from case to case"),
        Wrong("zero bias", lambda weights, biases: (fold(weights, biases)[0], 0 * biases[-1]), "an early bias passes"),
    ],
    unforeseen={
        "whole numbers": changed(lambda matrix, bias: (matrix.astype(int), bias.astype(int))),
        "sizes": changed(lambda matrix, bias: (np.abs(matrix), np.abs(bias))),
        "a bias with the other sign": changed(lambda matrix, bias: (matrix, -bias)),
        "the bias added twice": changed(lambda matrix, bias: (matrix + bias[:, None], bias)),
        "ReLU between": stepwise(lambda weight, bias, offset: weight @ np.maximum(bias, 0) + offset),
        "offset before the weight": stepwise(lambda weight, bias, offset: weight @ (bias + 1) + offset),
        "matrices added": lambda weights, biases: (sum(weights), fold(weights, biases)[1]),
        "of unit length": changed(lambda matrix, bias: (matrix / np.linalg.norm(matrix), bias)),
        "the first layer twice": lambda weights, biases: fold(
            [weights[0] * 2, *weights[1:]], [biases[0], *biases[1:]]),
        "the pseudo-inverse": changed(lambda matrix, bias: (np.linalg.pinv(matrix).T, bias)),
    },
)
