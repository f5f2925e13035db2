"""Answers to exercise 06.4, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers import AnswerSuite, Wrong


def word(size):
    return "vanishes" if size < 0.01 else "explodes" if size > 100 else "survives"


def signals(activation, weights, X):
    """What comes into each layer, and the outputs."""
    found = [X]
    for place, weight in enumerate(weights):
        z = found[-1] @ weight.T
        last = place + 1 == len(weights)
        found.append(z if last else np.tanh(z) if activation == "tanh" else np.maximum(z, 0))
    return found


def first_norm(activation, weights, X, y):
    """Backpropagation in NumPy."""
    found = signals(activation, weights, X)
    delta = 2 / len(y) * (found[-1] - y[:, None])
    for weight, x in zip(weights[:0:-1], found[-2:0:-1], strict=True):
        delta = delta @ weight * (1 - x**2 if activation == "tanh" else x > 0)
    return np.linalg.norm(delta.T @ X)


def each(size):
    """The answer that judges each network by one number."""
    return lambda networks, X, y: [word(size(activation, weights, X, y)) for activation, weights in networks]


def in_modules(networks, X, y):
    verdicts = []
    for activation, weights in networks:
        layers = []
        for weight in weights:
            layers += [
                nn.Linear(weight.shape[1], len(weight), bias=False),
                nn.Tanh() if activation == "tanh" else nn.ReLU(),
            ]
            layers[-2].weight.data = torch.tensor(weight)
        model = nn.Sequential(*layers[:-1])
        nn.functional.mse_loss(model(torch.tensor(X)).flatten(), torch.tensor(y)).backward()
        verdicts.append(word(model[0].weight.grad.square().sum() ** 0.5))
    return verdicts


def by_a_path(activation, weights, X, y):
    """The derivative of each output along the first pre-activations, pushed forward through the network."""
    found = signals(activation, weights, X)
    total = np.zeros(weights[0].shape)
    errors = 2 / len(y) * (found[-1][:, 0] - y)
    for row, error in enumerate(errors):
        matrix = np.eye(len(weights[0]))
        for weight, x in zip(weights[1:], found[1:], strict=False):
            matrix = weight @ ((1 - x[row] ** 2 if activation == "tanh" else x[row] > 0)[:, None] * matrix)
        total += error * np.outer(matrix[0], X[row])
    return np.sqrt(np.sum(total**2))


def in_functions(networks, X, y):
    """By torch's function transforms, with the loss as a function of the first matrix alone; words by NumPy."""

    def of_first(first, activation, rest):
        act = torch.tanh if activation == "tanh" else torch.relu
        signal = torch.tensor(X) @ first.T
        for weight in rest:
            signal = act(signal) @ torch.tensor(weight).T
        return nn.functional.mse_loss(signal, torch.tensor(y)[:, None])

    norms = [torch.func.grad(of_first)(torch.tensor(first), act, rest).norm() for act, (first, *rest) in networks]
    return np.select([np.array(norms) < 0.01, np.array(norms) > 100], ["vanishes", "explodes"], "survives")


def by_rows(activation, weights, X, y):
    """Row by row, from what goes into the first units: its gradient and the row make an outer product."""
    return np.linalg.norm(
        sum(np.outer(delta, x) for delta, x in zip(of_units(activation, weights, X, y), X, strict=True))
    )


def of_units(activation, weights, X, y):
    """The gradient with respect to what goes into the first units."""
    found = signals(activation, weights, X)
    delta = 2 / len(y) * (found[-1] - y[:, None])
    for weight, x in zip(weights[:0:-1], found[-2:0:-1], strict=True):
        delta = delta @ weight * (1 - x**2 if activation == "tanh" else x > 0)
    return delta


def of_inputs(activation, weights, X, y):
    """The gradient that `X.grad` holds where the inputs are told to have one."""
    inputs = torch.tensor(X, requires_grad=True)
    act = torch.tanh if activation == "tanh" else torch.relu
    signal = inputs @ torch.tensor(weights[0]).T
    for weight in weights[1:]:
        signal = act(signal) @ torch.tensor(weight).T
    ((signal[:, 0] - torch.tensor(y)) ** 2).mean().backward()
    return inputs.grad.norm().item()


def loss(activation, weights, X, y):
    return np.mean((signals(activation, weights, X)[-1][:, 0] - y) ** 2)


def renamed(**words):
    return lambda *given: [words.get(one, one) for one in in_modules(*given)]


SUITE = AnswerSuite(
    "06.4",
    right={
        "by hand": each(first_norm),
        "modules": in_modules,
        "forward": each(by_a_path),
        "functions": in_functions,
        "row by row": each(by_rows),
    },
    wrong=[
        Wrong("norms", lambda networks, X, y: [first_norm(*one, X, y) for one in networks], "Return a list with"),
        Wrong("squared", each(lambda *about: first_norm(*about) ** 2), "another size of it"),
        Wrong("inputs", each(of_inputs), "with respect to the inputs"),
        Wrong("inputs, by hand", each(lambda *about: np.linalg.norm(of_units(*about) @ about[1][0])), "nobody trains"),
        Wrong(
            "pre-activations",
            each(lambda *about: np.linalg.norm(of_units(*about))),
            "with respect to something else than the matrix",
        ),
        Wrong("root", each(lambda *about: first_norm(*about) ** 0.5), "be the same number"),
        Wrong("exchanged", renamed(vanishes="explodes", explodes="vanishes"), "have changed places"),
        Wrong("off by one", lambda *given: in_modules(*given)[1:], "Return a list with"),
    ],
    unforeseen={
        "cube root": each(lambda *about: np.cbrt(first_norm(*about))),
        "turned": renamed(vanishes="explodes", explodes="survives", survives="vanishes"),
        "no explosion": renamed(explodes="survives"),
        "loss": each(loss),
        "first weights": each(lambda activation, weights, X, y: np.linalg.norm(weights[0])),
        "product of norms": each(lambda activation, weights, X, y: np.prod([np.linalg.norm(w, 2) for w in weights])),
    },
)
