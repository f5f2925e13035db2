"""Answers to exercise 06.7, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def into_layers(weights, biases, X, bias=1, activation=torch.relu):
    """What goes into each layer's units, [inputs, units], in torch."""
    h, found = torch.as_tensor(np.asarray(X)), []
    for weight, shift in zip(weights, biases, strict=True):
        found.append(h @ torch.as_tensor(np.asarray(weight)).T + bias * torch.as_tensor(np.asarray(shift)))
        h = activation(found[-1])
    return found


def numbers(mask):
    return [i for i, true in enumerate(mask) if true]


def listing(mask, **slips):
    """An answer that lists the units of the hidden layers for which a mask of what goes into them is true."""
    return lambda *given: [numbers(mask(z)) for z in into_layers(*given, **slips)[:-1]]


def off(z):
    return z.max(dim=0).values <= 0


by_torch = listing(off)


def input_by_input(weights, biases, X):
    """Plain loops: a unit is struck off the list when an input turns it on."""
    dead = [set(range(len(bias))) for bias in biases[:-1]]
    for x in X:
        for layer, (weight, bias) in enumerate(zip(weights[:-1], biases[:-1], strict=True)):
            sums = [sum(w * a for w, a in zip(row, x, strict=True)) for row in weight]
            x = [max(0.0, z + b) for z, b in zip(sums, bias, strict=True)]
            dead[layer] -= {unit for unit, a in enumerate(x) if a > 0}
    return [sorted(units) for units in dead]


def by_counting(weights, biases, X):
    h, dead = X.astype(np.float32), []
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        z = h @ weight.T.astype(np.float32) + bias.astype(np.float32)
        h = np.where(z > 0, z, 0)
        dead.append(np.where(np.count_nonzero(h, axis=0) == 0)[0])
    return dead


def changed(change):
    return lambda *given: change(by_torch(*given))


SUITE = AnswerSuite(
    "06.7",
    right={"torch": by_torch, "input by input": input_by_input, "counted, in float32": by_counting},
    wrong=[
        Wrong(
            "masks", lambda *given: [off(z).numpy() for z in into_layers(*given)[:-1]], "not a mask of True and False"
        ),
        Wrong("how many", changed(lambda dead: list(map(len, dead))), "not a count"),
        Wrong("no bias", listing(off, bias=0), "biases are missing"),
        Wrong(
            "inputs as well",
            lambda w, b, X: [numbers((X <= 0).all(axis=0)), *by_torch(w, b, X)],
            "one list for each hidden layer",
        ),
    ],
    unforeseen={
        "off by one": changed(lambda dead: [[unit - 1 for unit in units if unit] for units in dead]),
        "on for all": listing(lambda z: (z > 0).all(dim=0)),
        "minus bias": listing(off, bias=-1),
        "negative bias": lambda weights, biases, X: [numbers(bias < 0) for bias in biases[:-1]],
        "all but the first input": lambda w, b, X: by_torch(w, b, X[1:]),
        "last layer alone": changed(lambda dead: [[]] * (len(dead) - 1) + [dead[-1]]),
    },
)
