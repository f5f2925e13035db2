"""Answers to exercise 06.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers import AnswerSuite, Wrong


def by_hand(weights, activation, X, y, tanh_slope=lambda x: 1 - x**2, relu_slope=lambda x: x > 0):
    """The slopes are those of an activation, at what it returned."""
    inputs = [X]
    for weight in weights[:-1]:
        z = inputs[-1] @ weight.T
        inputs.append(np.tanh(z) if activation == "tanh" else z * (z > 0))
    delta, norms = 2 * (inputs[-1] @ weights[-1].T - y[:, None]) / len(y), []
    for weight, x in zip(reversed(weights), reversed(inputs), strict=True):
        norms.append(np.sqrt(((delta.T @ x) ** 2).sum()))
        delta = (delta @ weight) * (tanh_slope if activation == "tanh" else relu_slope)(x)
    return norms[::-1]


def in_modules(
    weights, activation, X, y, *, size=torch.linalg.norm, loss_of=nn.functional.mse_loss, dtype=torch.float64
):
    """PyTorch's modules and backward(); what may be done otherwise has a name."""
    layers = []
    for weight in weights:
        layer = nn.Linear(weight.shape[1], len(weight), bias=False, dtype=dtype)
        layer.weight.data = torch.tensor(weight, dtype=dtype)
        layers += [layer, {"tanh": nn.Tanh, "relu": nn.ReLU}[activation]()]
    outputs = nn.Sequential(*layers[:-1])(torch.tensor(X, dtype=dtype))
    loss_of(outputs, torch.tensor(y, dtype=dtype)[:, None]).backward()
    return [float(size(layer.weight.grad)) for layer in layers[::2]]


def by_differences(weights, activation, X, y):
    """Each entry's derivative from two losses nearby."""

    def loss(place, change):
        signal = X
        for i, weight in enumerate(weights):
            z = signal @ (weight + change if i == place else weight).T
            signal = np.tanh(z) if activation == "tanh" else np.maximum(z, 0)
        return np.mean((z[:, 0] - y) ** 2)

    steps = [1e-6 * np.eye(weight.size).reshape(-1, *weight.shape) for weight in weights]
    return [
        np.linalg.norm([loss(place, one) - loss(place, -one) for one in each]) / 2e-6
        for place, each in enumerate(steps)
    ]


def with_(**options):
    return lambda *given: in_modules(*given, **options)


def then(change):
    return lambda *given: change(np.asarray(by_hand(*given)))


SUITE = AnswerSuite(
    "06.2",
    right={"by hand": by_hand, "differences": by_differences, "modules, in float32": with_(dtype=torch.float32)},
    wrong=[
        Wrong("all pairs", with_(loss_of=lambda a, b: ((a - b[:, 0]) ** 2).mean()), "n × n differences"),
        Wrong("half", with_(loss_of=lambda a, b: ((a - b) ** 2).mean() / 2), "another factor"),
        Wrong("largest entry", with_(size=lambda g: g.abs().max()), "another size"),
        Wrong("gradients", lambda weights, *_: list(weights), "one number for each matrix"),
        Wrong(
            "slope of slope",
            lambda *given: by_hand(*given, lambda x: 1 - np.tanh(x) ** 2),
            "last layer's norm is right",
        ),
        Wrong("no slope", lambda *given: by_hand(*given, np.ones_like, np.ones_like), "last layer's norm is right"),
    ],
    unforeseen={
        "off by one": then(lambda norms: norms[1:]),
        "twice": then(lambda norms: 2 * norms),
        "reversed": then(lambda norms: norms[::-1]),
        "nuclear": with_(size=lambda g: torch.linalg.norm(g, "nuc")),
        "sum": with_(size=lambda g: g.sum()),
        "weights": lambda weights, *_: [np.linalg.norm(weight) for weight in weights],
    },
)
