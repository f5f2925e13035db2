"""Proof of exercise 05.4."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.proofs import Proof, Wrong


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
    draws, sigma, X, start, rate, steps, *, scale=lambda sigma, draw: sigma / draw.shape[1] ** 0.5,
    optimiser=torch.optim.SGD, descend=lambda loss, y: loss, zero=True, divisor=lambda y: y.var(correction=0),
    tanh_at_end=False, trained=slice(None),
    prepare=lambda weight, sigma: weight, ask=lambda teacher, X: teacher(X), target=lambda y: y,
):
    """With PyTorch's modules and optimiser, and with other ideas of the parts."""
    X = torch.tensor(X)
    with torch.no_grad():
        y = ask(sequential([scale(sigma, draw) * draw for draw in draws]), X)
        y = torch.tanh(y) if tanh_at_end else y
    student = sequential([prepare(weight, sigma) for weight in start])
    sgd = optimiser(list(student.parameters())[trained], lr=rate)
    errors = []
    for step in range(steps + 1):
        loss = ((student(X) - target(y)) ** 2).mean()
        errors.append(loss.item() / float(divisor(y)))
        if zero or step == 0:
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


def scaling(scale):
    return with_(scale=scale)


def then(change):
    return lambda *given: change(*map(np.asarray, in_numpy(*given)))


def asking(activation):
    """The teacher with another function between its layers."""

    def ask(teacher, X):
        for layer in teacher:
            X = activation(X) if isinstance(layer, nn.Tanh) else layer(X)
        return X

    return with_(ask=ask)


def first_input_alone(draws, sigma, X, start, rate, steps):
    return in_numpy(draws, sigma, np.column_stack([X[:, :1], 0 * X[:, 1:]]), start, rate, steps)


def layer_by_layer(draws, sigma, X, start, rate, steps):
    """Each matrix moves by a gradient that the ones before it have changed already."""
    y = np.asarray(in_numpy(draws, sigma, X, start, rate, steps)[0])
    student = sequential(start)
    y_tensor, inputs, errors = torch.tensor(y)[:, None], torch.tensor(X), []
    for _ in range(steps + 1):
        errors.append(((student(inputs) - y_tensor) ** 2).mean().item() / y.var())
        for parameter in student.parameters():
            (gradient,) = torch.autograd.grad(((student(inputs) - y_tensor) ** 2).mean(), parameter)
            with torch.no_grad():
                parameter -= rate * gradient
    return y, errors


PROOF = Proof(
    "05.4",
    right={"NumPy": in_numpy, "modules": in_modules, "float32": in_float32},
    wrong=[
        Wrong("zeros", lambda draws, sigma, X, start, rate, steps: (np.zeros(len(X)), np.zeros(steps + 1)),
              "outputs are wrong"),
        Wrong("sigma alone", scaling(lambda sigma, draw: sigma), "by σ alone"),
        Wrong("as it is", scaling(lambda sigma, draw: 1.0), "The σ is missing"),
        Wrong("no sigma", scaling(lambda sigma, draw: draw.shape[1] ** -0.5), "The σ is missing"),
        Wrong("no root", scaling(lambda sigma, draw: sigma / draw.shape[1]), "is a standard deviation"),
        Wrong("root of both", scaling(lambda sigma, draw: (sigma / draw.shape[1]) ** 0.5), "is a standard deviation"),
        Wrong("sigma squared", scaling(lambda sigma, draw: sigma**2 / draw.shape[1] ** 0.5), "is a standard deviation"),
        Wrong("variance", scaling(lambda sigma, draw: sigma**2 / draw.shape[1]), "is a standard deviation"),
        Wrong("outputs for inputs", scaling(lambda sigma, draw: sigma / len(draw) ** 0.5), "number of outputs"),
        Wrong("first layer's inputs", lambda *given:
              in_modules(*given, scale=lambda sigma, draw: sigma / given[2].shape[1] ** 0.5), "an n of its own"),
        Wrong("tanh at the end", with_(tanh_at_end=True), "after its last layer"),
        Wrong("linear", asking(lambda z: z), "no tanh in your teacher"),
        Wrong("ReLU", asking(torch.relu), "has ReLU"),
        Wrong("start scaled", with_(prepare=lambda weight, sigma: sigma / weight.shape[1] ** 0.5 * weight),
              "`start` has them as they are"),
        Wrong("sum", with_(descend=lambda loss, y: loss * len(y)), "that of a sum"),
        Wrong("half the sum", with_(descend=lambda loss, y: loss * len(y) / 2), "that of a sum"),
        Wrong("summed loss", with_(descend=lambda loss, y: loss * len(y),
                                   divisor=lambda y: y.var(correction=0) / len(y)), "that of a sum"),
        Wrong("half", with_(descend=lambda loss, y: loss / 2), "factor of 2"),
        Wrong("relative loss", with_(descend=lambda loss, y: loss / y.var(correction=0)), "on the relative error"),
        Wrong("mean squared error", with_(divisor=lambda y: 1.0), "divide them by the variance"),
        Wrong("torch.var", with_(divisor=torch.var), "PyTorch's default"),
        Wrong("mean square", with_(divisor=lambda y: (y**2).mean()), "about their mean"),
        Wrong("deviation", with_(divisor=lambda y: y.std(correction=0)), "You divide by the standard deviation"),
        Wrong("off by one", then(lambda y, errors: (y, errors[1:])), "begin after the first step"),
        Wrong("no last error", then(lambda y, errors: (y, errors[:-1])), "end before the last step"),
        Wrong("last error alone", then(lambda y, errors: (y, errors[-1])), "There have to be `steps` + 1 errors"),
        Wrong("gradients kept", with_(zero=False), "add up from step to step"),
        Wrong("uphill", with_(descend=lambda loss, y: -loss), "uphill"),
        Wrong("last layer", with_(trained=slice(-1, None)), "last layer alone"),
        Wrong("all pairs", with_(target=lambda y: y[:, 0]), "n × n differences"),
        Wrong("layer by layer", layer_by_layer, "use moved matrices"),
        Wrong("moved too early", lambda *given: in_numpy(*given, moved_too_early=True), "use moved matrices"),
        Wrong("a column", then(lambda y, errors: (y[:, None], errors)), "are a column"),
        Wrong("errors alone", then(lambda y, errors: float(errors[-1])), "Return two arrays"),
        Wrong("momentum", with_(optimiser=lambda parameters, lr: torch.optim.SGD(parameters, lr=lr, momentum=0.9)),
              "outputs are right, the errors are not"),
    ],
    unforeseen={
        "Adam": with_(optimiser=torch.optim.Adam),
        "first layer alone": with_(trained=slice(0, 1)),
        "largest answer": with_(divisor=lambda y: y.abs().max() ** 2),
        "absolute errors": with_(descend=lambda loss, y: loss**0.5),
        "weight decay": with_(optimiser=lambda parameters, lr: torch.optim.SGD(parameters, lr=lr, weight_decay=0.5)),
        "sigmoid": asking(torch.sigmoid),
        "first input": first_input_alone,
        "rate over sigma": lambda draws, sigma, X, start, rate, steps: in_numpy(
            draws, sigma, X, start, rate / sigma, steps),
        "answers in another order": then(lambda y, errors: (y[::-1], errors)),
        "three times the rate": lambda draws, sigma, X, start, rate, steps: in_numpy(
            draws, sigma, X, start, 3 * rate, steps),
    },
)
