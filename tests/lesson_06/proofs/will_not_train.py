"""Proof of exercise 06.4."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.proofs import Proof, Wrong


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


def gradients(activation, weights, X, y, output=None):
    """Backpropagation in NumPy; ``output`` is the gradient of the outputs, the loss's own where nothing is said."""
    found = signals(activation, weights, X)
    delta = 2 / len(y) * (found[-1] - y[:, None]) if output is None else output
    made = []
    for weight, x in zip(weights[::-1], found[-2::-1], strict=True):
        made.insert(0, delta.T @ x)
        delta = delta @ weight * (1 - x**2 if activation == "tanh" else x > 0)
    return made


def norms(*about):
    return np.array([np.linalg.norm(gradient) for gradient in gradients(*about)])


def each(size):
    """The answer that judges each network by one number."""
    return lambda networks, X, y: [word(size(activation, weights, X, y)) for activation, weights in networks]


def of_first(size):
    return each(lambda *about: size(gradients(*about)[0]))


def of_norms(size):
    return each(lambda *about: size(norms(*about)))


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


def in_numpy(networks, X, y):
    sizes = np.array([norms(*network, X, y)[0] for network in networks])
    return np.select([sizes < 0.01, sizes > 100], ["vanishes", "explodes"], "survives")


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


def rms(array):
    return np.sqrt(np.mean(np.square(array)))


def outputs_alone(scale):
    def size(activation, weights, X, y):
        return np.linalg.norm(gradients(activation, weights, X, y, np.full((len(y), 1), scale(len(y))))[0])

    return each(size)


def as_if(one):
    return each(lambda activation, *about: norms(one, *about)[0])


def linear(activation, weights, X, y):
    errors, after = 2 / len(y) * (np.linalg.multi_dot([*weights[::-1], X.T])[0] - y), np.eye(1)
    for weight in weights[:0:-1]:
        after = after @ weight
    return np.linalg.norm(np.outer(after, errors @ X))


def extremes(networks, X, y):
    verdicts = []
    for activation, weights in networks:
        found = norms(activation, weights, X, y)
        verdicts.append("vanishes" if min(found) < 0.01 else "explodes" if max(found) > 100 else "survives")
    return verdicts


def renamed(**words):
    return lambda *given: [words.get(one, one) for one in in_modules(*given)]


def with_errors(errors):
    """The answer with another gradient of the outputs, made of outputs and targets."""

    def size(activation, weights, X, y):
        output = errors(signals(activation, weights, X)[-1][:, 0], y)
        return np.linalg.norm(gradients(activation, weights, X, y, output[:, None])[0])

    return each(size)


def by_gain(margin, critical=2**0.5, spread=np.std):
    """The first layers' mean gain against the critical one, which for ReLU may be unknown."""

    def verdict(activation, weights):
        gain = np.mean([spread(weight) * np.sqrt(weight.shape[1]) for weight in weights[:-1]])
        gain /= 1 if activation == "tanh" else critical
        return "vanishes" if gain < 1 / margin else "explodes" if gain > margin else "survives"

    return lambda networks, X, y: [verdict(*network) for network in networks]


def ratio(found):
    with np.errstate(all="ignore"):
        return found[0] / found[-1]


PROOF = Proof(
    "06.4",
    right={"by hand": of_first(np.linalg.norm), "modules": in_modules, "forward": each(by_a_path),
           "an array": in_numpy},
    wrong=[
        Wrong("outputs", each(lambda activation, weights, X, y: rms(signals(activation, weights, X)[-1])),
              "signal on its way forward"),
        Wrong("last layer", of_norms(lambda found: found[-1]), "the first one alone decides"),
        Wrong("smallest and largest", extremes, "the first one alone decides"),
        Wrong("largest", of_norms(max), "the first one alone decides"),
        Wrong("smallest", of_norms(min), "the first one alone decides"),
        Wrong("mean", of_norms(np.mean), "the first one alone decides"),
        Wrong("first over last", of_norms(ratio), "compare the first layer with the last"),
        Wrong("last over first", of_norms(lambda found: ratio(found[::-1])), "compare the first layer with the last"),
        Wrong("summed outputs", outputs_alone(lambda n: 1.0), "without the loss"),
        Wrong("mean output", outputs_alone(lambda n: 1 / n), "without the loss"),
        Wrong("sum", with_errors(lambda outputs, y: 2 * (outputs - y)), "Your loss is a sum"),
        Wrong("n × n", with_errors(lambda outputs, y: 2 * (outputs[:, None] - y).mean(axis=1) / len(y)), "n × n"),
        Wrong("gain", by_gain(1.2, spread=rms), "judge by the weights"),
        Wrong("gain, activation unknown", by_gain(1.1, critical=1, spread=rms), "judge by the weights"),
        Wrong("squared", of_first(lambda g: np.sum(g**2)), "the squared norm"),
        Wrong("mean size", of_first(lambda g: np.abs(g).mean()), "mean of the gradient's entries"),
        Wrong("root mean square", of_first(rms), "mean of the gradient's entries"),
        Wrong("largest entry", of_first(lambda g: np.abs(g).max()), "or the largest of them"),
        Wrong("tanh for all", as_if("tanh"), "one activation for all"),
        Wrong("ReLU for all", as_if("relu"), "one activation for all"),
        Wrong("none", each(linear), "one activation for all"),
        Wrong("exchanged", renamed(vanishes="explodes", explodes="vanishes"), "The two are exchanged"),
        Wrong("one word", renamed(explodes="vanishes"), "one word for both"),
        Wrong("the other word", renamed(vanishes="explodes"), "one word for both"),
        Wrong("no explosion", renamed(explodes="survives"), "is said to survive"),
        Wrong("no survivor", renamed(survives="vanishes"), "that survives is said"),
        Wrong("norms", lambda networks, X, y: [norms(*network, X, y)[0] for network in networks], "Return a list with"),
        Wrong("off by one", lambda *given: in_modules(*given)[1:], "Return a list with"),
    ],
    unforeseen={
        "loss": each(lambda activation, weights, X, y: np.mean((signals(activation, weights, X)[-1][:, 0] - y) ** 2)),
        "gain, by deviations": by_gain(1.2),
        "gain, wide": by_gain(2.0),
        "largest weight": each(lambda activation, weights, X, y: max(np.abs(weight).max() for weight in weights) ** 3),
        "product of norms": each(lambda activation, weights, X, y: np.prod([np.linalg.norm(w, 2) for w in weights])),
        "ReLU explodes": lambda networks, X, y: ["explodes" if one == "relu" else "vanishes" for one, _ in networks],
        "first weights": each(lambda activation, weights, X, y: np.linalg.norm(weights[0])),
        "depth": lambda networks, X, y: ["vanishes" if len(weights) > 11 else "survives" for _, weights in networks],
    },
)
