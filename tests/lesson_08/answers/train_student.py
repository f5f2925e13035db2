"""Answers to exercise 08.11, right and wrong."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import torch
from scipy.optimize import least_squares
from torch import nn

from tests.answers import AnswerSuite, Wrong
from utils.lesson_08 import capstone, small_networks
from utils.models import mlp
from utils.training import train_ensemble

RIDGE = 0.05  # the root of what squared weights cost, so that none grows large


def deep_tanh(X, y, sizes=(3, 3, 1, 1), count=12, epochs=150, activation="tanh"):
    generator = torch.Generator().manual_seed(3)
    models = [mlp(sizes, activation, init="he", generator=generator) for _ in range(count)]
    train_ensemble(models, X, y, epochs=epochs, lr=0.03, batch_size=50, schedule="one-cycle", progress=False)
    with torch.no_grad():
        best = min(models, key=lambda model: nn.functional.mse_loss(model(X), y).item())
    return activation, [(layer.weight.detach(), layer.bias.detach()) for layer in best if isinstance(layer, nn.Linear)]


def four_units(X, y):
    return small_networks.rounded(small_networks.best_of(_trained(X, y), X, y)[0])


def _trained(X, y):
    models = small_networks.starts([3, 4, 1], "tanh", 8, torch.Generator().manual_seed(1))
    train_ensemble(models, X, y, epochs=100, lr=0.03, batch_size=25, schedule="cosine", progress=False)
    return models


def kept_apart(X, y):
    """The best of ten starts on examples that were kept apart; in NumPy's float64."""
    (X, y), (X_kept, y_kept) = (X[:400], y[:400]), (X[400:], y[400:])
    models = small_networks.starts([3, 4, 1], "tanh", 10, torch.Generator().manual_seed(2))
    train_ensemble(models, X, y, epochs=200, lr=0.03, batch_size=50, schedule="one-cycle", progress=False)
    activation, layers = small_networks.rounded(small_networks.best_of(models, X_kept, y_kept)[0], digits=7)
    return [activation, [[np.asarray(weight), np.asarray(bias)] for weight, bias in layers]]


def in_plain_pytorch(X, y):
    """One network after the other, with a loop of its own."""
    torch.manual_seed(0)
    best, least = None, math.inf
    for _ in range(6):
        model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        optimiser = torch.optim.LBFGS(model.parameters(), lr=1, max_iter=150, line_search_fn="strong_wolfe")

        def closure(model=model, optimiser=optimiser):
            optimiser.zero_grad()
            loss = nn.functional.mse_loss(model(X), y)
            loss.backward()
            return loss

        optimiser.step(closure)
        loss = closure().item()
        if loss < least:
            best, least = model, loss
    return "tanh", [(layer.weight.tolist(), layer.bias.tolist()) for layer in (best[0], best[2])]


def by_least_squares(X, y):
    """SciPy's Levenberg–Marquardt, with four tanh units and a small ridge, from a few starts; in lists."""
    X, y, found = X.double().numpy(), y.double().numpy()[:, 0], []

    def parts(p):
        return p[:12].reshape(4, 3), p[12:16], p[16:20], p[20]

    def missed(p):
        W, b, a, c = parts(p)
        return np.append(np.tanh(X @ W.T + b) @ a + c - y, RIDGE * p)

    def slopes(p):
        W, b, a, _ = parts(p)
        h = np.tanh(X @ W.T + b)
        inner = (1 - h**2) * a
        slope = np.hstack([(inner[:, :, None] * X[:, None]).reshape(len(X), 12), inner, h, np.ones((len(X), 1))])
        return np.vstack([slope, RIDGE * np.eye(21)])

    rng = np.random.default_rng(0)
    for _ in range(8):
        found.append(least_squares(missed, rng.normal(0, 0.7, 21), slopes, method="lm", max_nfev=60))
    W, b, a, c = parts(min(found, key=lambda one: one.cost).x)
    return ["tanh", [[W.tolist(), b.tolist()], [[a.tolist()], [float(c)]]]]


def wild_outside(X, y):
    """Three units, and one that is flat on all examples and jumps beyond the last of them."""
    activation, ((weight, bias), (read, shift)) = deep_tanh(X, y, sizes=(3, 3, 1), count=4)
    last = 150 * X.sum(dim=1).max() + 3
    weight, bias = torch.cat([weight, torch.full((1, 3), 150.0)]), torch.cat([bias, -last[None]])
    return activation, [(weight, bias), (torch.cat([read, torch.tensor([[300.0]])], dim=1), shift + 300)]


def linear(X, y):
    columns = torch.cat([X, torch.ones(len(X), 1)], dim=1)
    solution = torch.linalg.lstsq(columns, y).solution[:, 0]
    return "relu", [(solution[None, :3], solution[3:])]


@cache
def public_network():
    """A network trained on one teacher."""
    return deep_tanh(*capstone.teacher_parts(1, capstone.LESSONS)[0])


def nudged(X, y):
    """The network of one teacher for all of them, with a bias that fits the mean."""
    activation, layers = public_network()
    return activation, [*layers[:-1], (layers[-1][0], layers[-1][1] + y.mean())]


@cache
def wide(units):
    """Return random features."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(units, 3, generator=generator), torch.randn(units, generator=generator)


def random_features(X, y, units=100):
    """Their read-out fitted by least squares: too many for the budget."""
    W, b = wide(units)
    columns = torch.cat([torch.tanh(X @ W.T + b), torch.ones(len(X), 1)], dim=1).double()
    solution = torch.linalg.solve(columns.T @ columns + 1e-3 * torch.eye(units + 1), columns.T @ y.double())[:, 0]
    return "tanh", [(W, b), (solution[None, :-1], solution[-1:])]


def of_layers(change):
    return lambda X, y: ("tanh", change(linear(X, y)[1]))


def padded(X, y):
    """Trained in the budget, and then one unit too many: four units and one that nothing reads."""
    activation, ((weight, bias), (read, shift)) = four_units(X, y)
    weight, bias = np.vstack([weight, np.zeros((1, 3))]), np.append(bias, 0.0)
    return activation, [(weight, bias), (np.hstack([read, np.zeros((1, 1))]), shift)]


SUITE = AnswerSuite(
    "08.11",
    right={
        "deep": deep_tanh,
        "one layer": four_units,
        "least squares": by_least_squares,
        "kept apart": kept_apart,
        "PyTorch": in_plain_pytorch,
    },
    wrong=[
        Wrong("off by one", padded, "more parameters than all points allow"),  # 26
        Wrong("random features", random_features, "more parameters than all points allow"),
        Wrong("two units", lambda X, y: deep_tanh(X, y, sizes=(3, 2, 1), count=8), "more than so few units can follow"),
        Wrong("linear", linear, "does not even fit"),
        Wrong("wild outside", wild_outside, "learned them by heart"),
        Wrong("hardly trained", lambda X, y: deep_tanh(X, y, count=1, epochs=2), "does not even fit"),
        Wrong("one teacher's for all", nudged, "does not even fit"),
        Wrong("a model's activation", lambda X, y: ("Tanh()", linear(X, y)[1]), 'one text, "relu" or "tanh"'),
        Wrong("too deep", of_layers(lambda layers: [*layers, *[(np.eye(1), np.zeros(1))] * 9]), "too many layers"),
        Wrong("diverged", of_layers(lambda layers: [(w * np.inf, b) for w, b in layers]), "nan, infinite or larger"),
        Wrong("transposed", of_layers(lambda layers: [(w.T, b) for w, b in layers]), "Return a pair"),
    ],
    unforeseen={
        "the mean": lambda X, y: ("tanh", [(torch.zeros(1, 3), y.mean(dim=0))]),
        "upside down": of_layers(lambda layers: [(-w, b) for w, b in layers]),
        "no biases": of_layers(lambda layers: [(w, 0 * b) for w, b in layers]),
        "of ten examples": lambda X, y: linear(X[:10], y[:10]),
        "of the first input": of_layers(lambda layers: [(w * torch.tensor([1.0, 0, 0]), b) for w, b in layers]),
        "doubled": of_layers(lambda layers: [(2 * w, 2 * b) for w, b in layers]),
    },
)
