"""Proof of exercise 06.7."""

from __future__ import annotations

import numpy as np
import torch

from tests.proofs import Proof, Wrong


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


def by_gradient(weights, biases, X):
    """Units whose bias has no gradient when the outputs are summed."""
    shifts = [torch.tensor(shift, requires_grad=True) for shift in biases]
    h = torch.as_tensor(X)
    for i, (weight, shift) in enumerate(zip(weights, shifts, strict=True)):
        h = (torch.relu(h) if i else h) @ torch.as_tensor(weight).T + shift
    h.sum().backward()
    return [numbers(shift.grad == 0) for shift in shifts[:-1]]


def by_weights_gradient(weights, biases, X):
    """Units whose incoming weights have no gradient."""
    matrices = [torch.tensor(weight, requires_grad=True) for weight in weights]
    h = torch.as_tensor(X)
    for i, (weight, shift) in enumerate(zip(matrices, biases, strict=True)):
        h = (torch.relu(h) if i else h) @ weight.T + torch.as_tensor(shift)
    h.sum().backward()
    return [numbers((weight.grad == 0).all(dim=1)) for weight in matrices[:-1]]


def of_parameters(mask):
    return lambda weights, biases, X: [
        numbers(mask(*layer)) for layer in zip(weights[:-1], biases[:-1], weights[1:], strict=True)
    ]


def changed(change):
    return lambda *given: change(by_torch(*given))


def mean_below(threshold):
    return listing(lambda z: torch.relu(z).mean(dim=0) < threshold)


PROOF = Proof(
    "06.7",
    right={"torch": by_torch, "input by input": input_by_input, "counted, in float32": by_counting},
    wrong=[
        Wrong("off by one", changed(lambda dead: [[unit + 1 for unit in units] for units in dead]), "from 1"),
        Wrong("some input", listing(lambda z: (z <= 0).any(dim=0)), "off on some input"),
        Wrong("less than 0", listing(lambda z: (z < 0).all(dim=0)), "not with <"),
        Wrong("always on", listing(lambda z: (z > 0).all(dim=0)), "on for every input"),
        Wrong("alive", listing(lambda z: (z > 0).any(dim=0)), "that are alive"),
        Wrong("mean into the unit", listing(lambda z: z.mean(dim=0) < 0), "A mean that is negative"),
        Wrong("mean, or 0", listing(lambda z: z.mean(dim=0) <= 0), "A mean that is negative"),
        Wrong("mean input", lambda w, b, X: by_torch(w, b, X.mean(axis=0, keepdims=True)), "the mean over inputs"),
        Wrong("most inputs", listing(lambda z: (z <= 0).double().mean(dim=0) > 0.5), "on most inputs"),
        *[Wrong(f"mean below {t}", mean_below(t), "with a small mean") for t in (0.1, 0.05, 0.01)],
        Wrong("constant units", listing(lambda z: torch.relu(z).std(dim=0) == 0), "need not be off"),
        Wrong("wrong axis", listing(lambda z: (z <= 0).all(dim=1)), "wrong axis"),
        Wrong("no bias", listing(off, bias=0), "biases are missing"),
        Wrong("no ReLU", listing(off, activation=lambda z: z), "what comes out of the ReLU"),
        Wrong("output as well", lambda *given: [numbers(off(z)) for z in into_layers(*given)], "output layer"),
        Wrong("first layer", changed(lambda dead: dead[:1]), "first hidden layer alone"),
        Wrong("first layer, others empty", changed(lambda dead: [dead[0]] + [[]] * (len(dead) - 1)),
              "first hidden layer alone"),
        Wrong("negative weights", of_parameters(lambda w, b, out: (w <= 0).all(axis=1)), "signs of the parameters"),
        Wrong("negative weights and bias", of_parameters(lambda w, b, out: (w <= 0).all(axis=1) & (b <= 0)),
              "signs of the parameters"),
        Wrong("nobody listens", of_parameters(lambda w, b, out: (out == 0).all(axis=0)), "nobody listens to"),
        Wrong("no gradient", by_gradient, "without a gradient"),
        Wrong("numbered through", lambda *given: numbers(torch.cat([off(z) for z in into_layers(*given)[:-1]])),
              "number the units of all layers through"),
        Wrong("in one list", changed(lambda dead: [unit for units in dead for unit in units]), "into one list"),
        Wrong("counts", changed(lambda dead: [len(units) for units in dead]), "count the dead units"),
        Wrong("masks", lambda *given: [off(z).numpy() for z in into_layers(*given)[:-1]], "masks of True and False"),
        Wrong("negative outputs", listing(lambda z: (torch.relu(z) < 0).all(dim=0)), "You find no dead unit here"),
        Wrong("inputs as well", lambda w, b, X: [numbers((X <= 0).all(axis=0)), *by_torch(w, b, X)],
              "one list for each hidden layer"),
    ],
    unforeseen={
        "first input": lambda weights, biases, X: by_torch(weights, biases, X[:1]),
        "all but the first input": lambda w, b, X: by_torch(w, b, X[1:]),
        "last layer alone": changed(lambda dead: [[]] * (len(dead) - 1) + [dead[-1]]),
        "sum below 0": listing(lambda z: z.sum(dim=0) < -1),
        "reversed layers": changed(lambda dead: dead[::-1]),
        "largest below the mean": listing(lambda z: z.max(dim=0).values < z.mean()),
        "tanh between": listing(off, activation=torch.tanh),
        "negative bias": of_parameters(lambda w, b, out: b < 0),
        "no weights": of_parameters(lambda w, b, out: (w == 0).all(axis=1)),
        "biases taken away": listing(off, bias=-1),
        "weights' gradient": by_weights_gradient,
    },
)
