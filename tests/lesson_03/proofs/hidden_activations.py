"""Proof of exercise 03.5."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.proofs import Proof, Wrong


def by_loop(weights, biases, X, *, relu=lambda z: z * (z > 0), with_bias=1, of=lambda weight: weight.T):
    found, h = [], X
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        h = relu(h @ of(weight) + with_bias * bias)
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


def by_recursion(weights, biases, X):
    if len(weights) == 1:
        return []
    h = np.clip(np.einsum("ni,oi->no", X, weights[0]) + biases[0][None, :], 0, None)
    return [h, *by_recursion(weights[1:], biases[1:], h)]


def then(change):
    return lambda weights, biases, X: change(by_loop(weights, biases, X))


def before(weights, biases, X):
    return [h @ weight.T + bias for h, weight, bias in zip([X, *by_loop(weights, biases, X)], weights, biases,
                                                          strict=True)]


def restarted(weights, biases, X):
    return [np.maximum(X @ weight.T + bias, 0) for weight, bias in zip(weights[:-1], biases[:-1], strict=True)]


def slipped(**slip):
    return lambda weights, biases, X: by_loop(weights, biases, X, **slip)


PROOF = Proof(
    "03.5",
    right={"loop": by_loop, "hooks": by_hooks, "points": point_by_point, "recursion": by_recursion},
    wrong=[
        Wrong("off by one", lambda weights, biases, X: by_loop(weights[:-1], biases[:-1], X), "array too few"),
        Wrong("shapes that do not fit", lambda weights, biases, X: [np.column_stack([X, X]) @ weights[0].T],
              "If shapes do not fit"),
        Wrong("before the ReLU", lambda *given: before(*given)[:-1], "values before the ReLU"),
        Wrong("no ReLU", slipped(relu=lambda z: z), "missing altogether"),
        Wrong("output included", lambda *given: [*by_loop(*given), before(*given)[-1]], "The output is among"),
        Wrong("output with a ReLU", lambda weights, biases, X: by_loop([*weights, None], [*biases, None], X),
              "with a ReLU"),
        Wrong("inputs included", lambda weights, biases, X: [X, *by_loop(weights, biases, X)], "The inputs are among"),
        Wrong("both included", lambda weights, biases, X: [X, *by_loop(weights, biases, X), before(
            weights, biases, X)[-1]], "inputs and the output"),
        Wrong("inputs of the layers", lambda weights, biases, X: [X, *by_loop(weights, biases, X)[:-1]],
              "inputs of the hidden layers"),
        Wrong("last only", then(lambda found: found[-1]), "last hidden layer alone"),
        Wrong("last only, in a list", then(lambda found: found[-1:]), "last hidden layer alone"),
        Wrong("transposed", then(lambda found: [part.T for part in found]), "arrays are transposed"),
        Wrong("no biases", slipped(with_bias=0), "biases are missing"),
        Wrong("reversed", then(lambda found: found[::-1]), "order is reversed"),
        Wrong("weights transposed", slipped(of=lambda weight: weight), "The weights are transposed"),
        Wrong("weights turned where they are square", slipped(
            of=lambda weight: weight if weight.shape[0] == weight.shape[1] else weight.T), "through by hand"),
        Wrong("restarted", restarted, "gets the inputs X"),
        Wrong("absolute values", lambda *given: [np.abs(part) for part in before(*given)[:-1]], "absolute values"),
        Wrong("means", then(lambda found: [part.mean(axis=0) for part in found]), "mean over the batch"),
        Wrong("numbers", then(lambda found: [float(part.mean()) for part in found]), "Return a list of arrays"),
        Wrong("twice the first", then(lambda found: [found[0], *found]), "array too many"),
        Wrong("cut at 1", slipped(relu=lambda z: np.clip(z, 0, 1)), "through by hand"),
        Wrong("ReLU in the first layer only", lambda weights, biases, X: [
            by_loop(weights, biases, X)[0], *by_loop(weights[1:], biases[1:], by_loop(weights, biases, X)[0],
                                                     relu=lambda z: z)], "first hidden layer is right"),
    ],
    unforeseen={
        "a leaky ReLU": slipped(relu=lambda z: np.where(z > 0, z, 0.01 * z)),
        "tanh": slipped(relu=np.tanh),
        "biases taken away": slipped(with_bias=-1),
        "of unit length": then(lambda found: [part / max(1e-9, np.linalg.norm(part)) for part in found]),
        "on or off": then(lambda found: [1.0 * (part > 0) for part in found]),
        "centred": then(lambda found: [part - part.mean(axis=0) for part in found]),
        "points in reverse": then(lambda found: [part[::-1] for part in found]),
        "twice as large": then(lambda found: [2 * part for part in found]),
    },
)
