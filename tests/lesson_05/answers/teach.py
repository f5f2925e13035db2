"""Answers to exercise 05.4, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers import AnswerSuite, Wrong


def in_numpy(draws, sigma, X, start, rate, steps, *, moved_too_early=False):
    """Backpropagation by hand; a matrix may have moved when the errors are carried back through it."""
    teacher = [sigma / np.sqrt(draw.shape[1]) * draw for draw in draws]

    def forward(weights):
        layers = [X]
        for weight in weights[:-1]:
            layers.append(np.tanh(layers[-1] @ weight.T))
        return layers, (layers[-1] @ weights[-1].T).ravel()

    y = forward(teacher)[1]
    weights, errors = [np.array(weight) for weight in start], []
    for step in range(steps + 1):
        layers, outputs = forward(weights)
        errors.append(((outputs - y) ** 2).mean() / y.var())
        if step < steps:
            back = 2 / len(y) * (outputs - y)[:, None]
            for place in range(len(weights) - 1, -1, -1):
                moved = weights[place] - rate * (back.T @ layers[place])
                back = back @ (moved if moved_too_early else weights[place]) * (1 - layers[place] ** 2)
                weights[place] = moved
    return y, errors


def sequential(matrices):
    """A network of PyTorch's own layers."""
    layers = []
    for matrix in matrices:
        n_out, n_in = matrix.shape
        layers += [nn.Linear(n_in, n_out, bias=False).double(), nn.Tanh()]
        with torch.no_grad():
            layers[-2].weight.copy_(torch.tensor(matrix))
    return nn.Sequential(*layers[:-1])


def in_modules(
    draws,
    sigma,
    X,
    start,
    rate,
    steps,
    *,
    between=torch.tanh,
    optimiser=torch.optim.SGD,
    descend=lambda loss, y: loss,
    divisor=lambda y: y.var(correction=0),
    trained=slice(None),
):
    """With PyTorch's modules and optimiser, and with other ideas of the parts."""
    X = torch.tensor(X)
    with torch.no_grad():
        y = X
        for layer in sequential([sigma / draw.shape[1] ** 0.5 * draw for draw in draws]):
            y = between(y) if isinstance(layer, nn.Tanh) else layer(y)
    student = sequential(start)
    sgd = optimiser(list(student.parameters())[trained], lr=rate)
    errors = []
    for _ in range(steps + 1):
        loss = ((student(X) - y) ** 2).mean()
        errors.append(loss.item() / float(divisor(y)))
        sgd.zero_grad()
        descend(loss, y).backward()
        sgd.step()
    return y[:, 0], errors


def in_float32(draws, sigma, X, start, rate, steps):
    X = torch.tensor(X, dtype=torch.float32)

    def network(weights):
        h = X
        for place, weight in enumerate(weights):
            h = h @ weight.T
            h = torch.tanh(h) if place + 1 < len(weights) else h
        return h.squeeze(1)

    y = network([torch.tensor(draw).float() * sigma / draw.shape[1] ** 0.5 for draw in draws])
    weights = [torch.tensor(weight).float() for weight in start]
    errors = []
    for _ in range(steps + 1):
        weights = [weight.detach().requires_grad_() for weight in weights]
        loss = nn.functional.mse_loss(network(weights), y)
        errors.append((loss / y.var(unbiased=False)).detach())
        loss.backward()
        weights = [weight - rate * weight.grad for weight in weights]
    return [y, torch.stack(errors)]


def with_(**options):
    return lambda *given: in_modules(*given, **options)


def then(change):
    return lambda *given: change(*map(np.asarray, in_numpy(*given)))


SUITE = AnswerSuite(
    "05.4",
    right={"NumPy": in_numpy, "modules": in_modules, "float32": in_float32},
    wrong=[
        Wrong("sum", with_(descend=lambda loss, y: loss * len(y)), "its gradient has a wrong factor"),
        Wrong("a column", then(lambda y, errors: (y[:, None], errors)), "`steps` + 1 errors"),
        Wrong("no last error", then(lambda y, errors: (y, errors[:-1])), "`steps` + 1 errors"),
        Wrong("ReLU", with_(between=torch.relu), "An activation is in the wrong place"),
        Wrong("moved too early", lambda *given: in_numpy(*given, moved_too_early=True), "errors are not"),
        Wrong(
            "momentum",
            with_(optimiser=lambda parameters, lr: torch.optim.SGD(parameters, lr=lr, momentum=0.9)),
            "outputs are right, but the errors are not",
        ),
    ],
    unforeseen={
        "off by one": lambda draws, sigma, X, start, rate, steps: (
            in_numpy(draws, sigma, X, start, rate, steps)[0],
            in_numpy(draws, sigma, X, start, rate, steps + 1)[1][1:],
        ),
        "sine": with_(between=torch.sin),
        "root": with_(descend=lambda loss, y: loss.sqrt()),
        "largest": with_(divisor=lambda y: y.abs().max()),
        "last layer": with_(trained=slice(-1, None)),
        "twice the rate": with_(descend=lambda loss, y: 2 * loss),
    },
)
