"""Answers to exercise 03.5, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers import AnswerSuite, Wrong


def by_loop(weights, biases, X, *, relu=lambda z: z * (z > 0)):
    found, h = [], X
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        h = relu(h @ weight.T + bias)
        found.append(h)
    return found


def by_hooks(weights, biases, X):
    """A real hook on every ReLU of a real network, in float32."""
    layers = []
    for weight, bias in zip(weights, biases, strict=True):
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = (torch.tensor(part, dtype=torch.float32) for part in (weight, bias))
        layers += [linear, nn.ReLU()]
    model, found = nn.Sequential(*layers[:-1]), []
    for layer in model:
        if isinstance(layer, nn.ReLU):
            layer.register_forward_hook(lambda layer, inputs, output: found.append(output.detach()))
    model(torch.tensor(X, dtype=torch.float32))
    return found


def point_by_point(weights, biases, X):
    found = [[] for _ in weights[1:]]
    for h in X:
        for k in range(len(weights) - 1):
            h = [max(0.0, float(row @ h) + float(b)) for row, b in zip(weights[k], biases[k], strict=True)]
            found[k].append(h)
    return found


def then(change):
    return lambda weights, biases, X: change(by_loop(weights, biases, X))


SUITE = AnswerSuite(
    "03.5",
    right={"loop": by_loop, "hooks": by_hooks, "points": point_by_point},
    wrong=[
        Wrong(
            "shapes that do not fit",
            lambda weights, biases, X: [np.column_stack([X, X]) @ weights[0].T],
            "If shapes do not fit",
        ),
    ],
    unforeseen={
        "off by one": lambda weights, biases, X: by_loop(weights[:-1], biases[:-1], X),
        "whether on": then(lambda found: [part > 0 for part in found]),
        "reversed": then(lambda found: found[::-1]),
        "absolute values": lambda *given: by_loop(*given, relu=np.abs),
        "a leaky ReLU": lambda *given: by_loop(*given, relu=lambda z: np.where(z > 0, z, 0.01 * z)),
        "biases taken away": lambda weights, biases, X: by_loop(weights, [-bias for bias in biases], X),
    },
)
