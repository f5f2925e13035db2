"""Proof of exercise 06.2."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.proofs import Proof, Wrong


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
    weights, activation, X, y, *, size=torch.linalg.norm, loss_of=None, at_end=False, act=None, dtype=torch.float64
):
    """PyTorch's modules and backward(); what may be done otherwise has a name."""
    layers = []
    for weight in weights:
        layer = nn.Linear(weight.shape[1], len(weight), bias=False, dtype=dtype)
        layer.weight.data = torch.tensor(weight, dtype=dtype)
        layers += [layer, {"tanh": nn.Tanh, "relu": nn.ReLU, "linear": nn.Identity}[act or activation]()]
    model = nn.Sequential(*(layers if at_end else layers[:-1]))
    targets = torch.tensor(y, dtype=dtype)[:, None]
    outputs = model(torch.tensor(X, dtype=dtype))
    (loss_of or nn.functional.mse_loss)(outputs, targets).backward()
    return [float(size(layer.weight.grad)) for layer in layers[::2]]


def by_differences(weights, activation, X, y):
    """Each entry's derivative from two losses nearby."""

    def loss(changed):
        signal = X
        for weight in changed[:-1]:
            z = signal @ weight.T
            signal = np.tanh(z) if activation == "tanh" else np.maximum(z, 0)
        return np.mean(((signal @ changed[-1].T)[:, 0] - y) ** 2)

    norms = []
    for place in range(len(weights)):
        total = 0.0
        for entry in np.ndindex(weights[place].shape):
            losses = []
            for step in (1e-6, -1e-6):
                changed = [weight.copy() for weight in weights]
                changed[place][entry] += step
                losses.append(loss(changed))
            total += ((losses[0] - losses[1]) / 2e-6) ** 2
        norms.append(total**0.5)
    return norms


def in_float32(*given):
    return torch.tensor(in_modules(*given, dtype=torch.float32))


def with_(**options):
    return lambda *given: in_modules(*given, **options)


def with_loss(loss):
    return with_(loss_of=loss)


def then(change):
    return lambda *given: change(np.asarray(by_hand(*given)))


def of_signal(weights, activation, X, y):
    """The gradients with respect to pre-activations."""
    z, signal = [], torch.tensor(X)
    for place, weight in enumerate(weights):
        z.append((signal @ torch.tensor(weight).T).requires_grad_())
        signal = (torch.tanh if activation == "tanh" else torch.relu)(z[place])
    loss = nn.functional.mse_loss(z[-1][:, 0], torch.tensor(y))
    return [gradient.norm() for gradient in torch.autograd.grad(loss, z)]


def one_by_one(weights, activation, X, y):
    return np.mean([by_hand(weights, activation, X[i : i + 1], y[i : i + 1]) for i in range(len(y))], axis=0)


def weight_norms(weights, *_):
    return [np.linalg.norm(weight) for weight in weights]


def mean_square(outputs, targets):
    return ((outputs - targets) ** 2).mean()


PROOF = Proof(
    "06.2",
    right={"by hand": by_hand, "modules": in_modules, "differences": by_differences, "float32": in_float32},
    wrong=[
        Wrong("summed outputs", with_loss(lambda outputs, targets: outputs.sum()), "gradient of the outputs"),
        Wrong("mean output", with_loss(lambda outputs, targets: outputs.mean()), "gradient of the outputs"),
        Wrong("sum", with_loss(nn.MSELoss(reduction="sum")), "sum over the inputs"),
        Wrong("half the sum", with_loss(lambda a, b: ((a - b) ** 2).sum() / 2), "sum over the inputs"),
        Wrong("half", with_loss(lambda a, b: mean_square(a, b) / 2), "factor of 2"),
        Wrong("reversed", then(lambda norms: norms[::-1]), "their order is not"),
        Wrong("squared", with_(size=lambda g: (g**2).sum()), "take the root"),
        Wrong("largest entry", with_(size=lambda g: g.abs().max()), "largest entry"),
        Wrong("added up", with_(size=lambda g: g.abs().sum()), "largest entry"),
        Wrong("mean size", with_(size=lambda g: g.abs().mean()), "average over a gradient's entries"),
        Wrong("root mean square", with_(size=lambda g: (g**2).mean() ** 0.5), "average over a gradient's entries"),
        Wrong("spectral", with_(size=lambda g: torch.linalg.norm(g, 2)), "largest singular value"),
        Wrong("pre-activations", of_signal, "with respect to the pre-activations"),
        Wrong("one by one", one_by_one, "norm for each input alone"),
        Wrong("no slope", lambda *given: by_hand(*given, np.ones_like, np.ones_like), "derivative is missing"),
        Wrong("tanh for all", with_(act="tanh"), "one activation for all"),
        Wrong("ReLU for all", with_(act="relu"), "one activation for all"),
        Wrong("none", with_(act="linear"), "one activation for all"),
        Wrong("at the end", with_(at_end=True), "acts on your output"),
        Wrong("weights", weight_norms, "norms of the weights themselves"),
        Wrong("relative", lambda *given: np.divide(by_hand(*given), weight_norms(*given)), "divide each norm"),
        Wrong("all pairs", with_loss(lambda a, b: ((a - b[:, 0]) ** 2).mean()), "n × n differences"),
        Wrong("off by one", then(lambda norms: norms[1:]), "one number for each matrix"),
        Wrong("one number", then(np.linalg.norm), "one number for each matrix"),
        Wrong("slope of slope", lambda *given: by_hand(*given, lambda x: 1 - np.tanh(x) ** 2),
              "last layer's norm is right"),
    ],
    unforeseen={
        "of the root": with_loss(lambda a, b: mean_square(a, b) ** 0.5),
        "absolute errors": with_loss(lambda a, b: (a - b).abs().mean()),
        "normalised": then(lambda norms: norms / norms.sum()),
        "logarithms": then(np.log10),
        "sorted": then(lambda norms: np.sort(norms)[::-1] + 0.1),
        "first input": lambda weights, activation, X, y: by_hand(weights, activation, X[:1], y[:1]),
        "without targets": lambda weights, activation, X, y: by_hand(weights, activation, X, 0 * y),
        "ratios": then(lambda norms: norms / np.roll(norms, 1)),
        "twice": then(lambda norms: 2 * norms),
    },
)
