"""Proof of exercise 02.3."""

from __future__ import annotations

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def by_loop(weights, biases, X, Y):
    outputs, hidden = X, [X]
    for k, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        outputs = outputs @ weight.T + bias
        if k < len(weights) - 1:
            outputs = np.maximum(outputs, 0)
        hidden.append(outputs)
    error, of_weights, of_biases = (outputs - Y) / Y.size, [], []
    for k in range(len(weights) - 1, -1, -1):
        of_weights.append(error.T @ hidden[k])
        of_biases.append(error.sum(axis=0))
        error = (error @ weights[k]) * (hidden[k] > 0)
    return of_weights[::-1], of_biases[::-1]


def by_autograd(weights, biases, X, Y, dtype=torch.float64):
    parameters = [torch.tensor(part, dtype=dtype, requires_grad=True) for part in (*weights, *biases)]
    X, Y, layers = torch.tensor(X, dtype=dtype), torch.tensor(Y, dtype=dtype), len(weights)
    for k in range(layers):
        X = (torch.relu(X) if k else X) @ parameters[k].T + parameters[layers + k]
    gradients = torch.autograd.grad((X - Y).square().mean() / 2, parameters)
    return list(gradients[:layers]), list(gradients[layers:])


def in_float32(weights, biases, X, Y):
    return by_autograd(weights, biases, X, Y, torch.float32)


def point_by_point(weights, biases, X, Y):
    """One point after the other, columns instead of rows, as lists."""
    of_weights, of_biases = [0 * weight for weight in weights], [0 * bias for bias in biases]
    for x, y in zip(X, Y, strict=True):
        inputs, z = [x], []
        for weight, bias in zip(weights, biases, strict=True):
            z.append(weight @ inputs[-1] + bias)
            inputs.append(np.where(z[-1] > 0, z[-1], 0))
        error = z[-1] - y
        for k in reversed(range(len(weights))):
            of_weights[k] = of_weights[k] + np.outer(error, inputs[k]) / Y.size
            of_biases[k] = of_biases[k] + error / Y.size
            error = weights[k].T @ error * (inputs[k] > 0)
    return [part.tolist() for part in of_weights], [part.tolist() for part in of_biases]


def by_differences(weights, biases, X, Y, step=1e-6):
    """The loss's slope along every single parameter."""

    def loss():
        outputs = X
        for k, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            outputs = (np.maximum(outputs, 0) if k else outputs) @ weight.T + bias
        return 0.5 * np.mean((outputs - Y) ** 2)

    def slopes(array):
        found = np.zeros_like(array)
        for place in np.ndindex(array.shape):
            before = array[place]
            array[place] = before + step
            above = loss()
            array[place] = before - step
            found[place], array[place] = (above - loss()) / (2 * step), before
        return found

    return [slopes(weight) for weight in weights], [slopes(bias) for bias in biases]


def with_slip(*, slope=lambda z: z > 0, activation=lambda z: np.maximum(z, 0), last=None, through=lambda W: W):
    """The loop with a slip on the way forward or back."""

    def answer(weights, biases, X, Y):
        inputs, z = [X], []
        for weight, bias in zip(weights, biases, strict=True):
            z.append(inputs[-1] @ weight.T + bias)
            inputs.append(activation(z[-1]))
        error = ((last(z[-1]) if last else z[-1]) - Y) / Y.size
        of_weights, of_biases = [], []
        for k in reversed(range(len(weights))):
            of_weights.insert(0, error.T @ inputs[k])
            of_biases.insert(0, error.sum(axis=0))
            error = error @ through(weights[k]) * slope(z[k - 1]) if k else error
        return of_weights, of_biases

    return answer


def of_z(weights, biases, X, Y):
    """The derivative of the ReLU is there, but the weights' gradients are made with Z instead of H."""
    z = [X]
    for k, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        z.append((np.maximum(z[-1], 0) if k else X) @ weight.T + bias)
    error, of_weights, of_biases = (z[-1] - Y) / Y.size, [], []
    for k in reversed(range(len(weights))):
        of_weights.insert(0, error.T @ z[k])
        of_biases.insert(0, error.sum(axis=0))
        error = error @ weights[k] * (z[k] > 0)
    return of_weights, of_biases


def relu_everywhere(weights, biases, X, Y):
    """A ReLU after the last layer, too, forward and backward."""
    values = [X]
    for weight, bias in zip(weights, biases, strict=True):
        values.append(np.maximum(values[-1] @ weight.T + bias, 0))
    error, of_weights, of_biases = (values[-1] - Y) / Y.size, [], []
    for k in reversed(range(len(weights))):
        error = error * (values[k + 1] > 0)
        of_weights.insert(0, error.T @ values[k])
        of_biases.insert(0, error.sum(axis=0))
        error = error @ weights[k]
    return of_weights, of_biases


def scaled(factor):
    """Right, but for a factor that depends on the numbers of points and outputs."""

    def answer(weights, biases, X, Y):
        return [[factor(*Y.shape) * part for part in parts] for parts in by_loop(weights, biases, X, Y)]

    return answer


def changed(change):
    """Right gradients, changed: ``change`` gets those of the weights, those of the biases, and the points."""

    def answer(weights, biases, X, Y):
        return change(*by_loop(weights, biases, X, Y), X)

    return answer


def with_biases(of_error):
    """Right weights, and for each bias ``of_error`` of the error at its layer, shape (points, units)."""

    def answer(weights, biases, X, Y):
        inputs, z = [X], []
        for weight, bias in zip(weights, biases, strict=True):
            z.append(inputs[-1] @ weight.T + bias)
            inputs.append(np.maximum(z[-1], 0))
        error, found = (z[-1] - Y) / Y.size, []
        for k in reversed(range(len(weights))):
            found.insert(0, of_error(error))
            error = error @ weights[k] * (z[k - 1] > 0) if k else error
        return by_loop(weights, biases, X, Y)[0], found

    return answer


def only_last(weights, biases, X, Y):
    """Earlier layers' gradients are made from the outputs' error as it is, cut to size."""
    of_weights, of_biases = by_loop(weights, biases, X, Y)
    return ([np.ones_like(weight) for weight in weights[:-1]] + of_weights[-1:],
            [np.ones_like(bias) for bias in biases[:-1]] + of_biases[-1:])


PROOF = Proof(
    "02.3",
    right={"loop": by_loop, "autograd": by_autograd, "float32": in_float32, "point by point": point_by_point,
           "differences": by_differences},
    wrong=[
        Wrong("zeros", lambda weights, biases, X, Y: ([0 * w for w in weights], [0 * b for b in biases]), "All are 0"),
        Wrong("off by one", changed(lambda w, b, X: (w[1:], b[1:])), "One layer's gradients are missing"),
        Wrong("no derivative", with_slip(slope=np.ones_like), "derivative of the ReLU is missing"),
        Wrong("no derivative, no half", lambda *given: [[2 * part for part in parts] for parts in
                                                        with_slip(slope=np.ones_like)(*given)],
              "derivative of the ReLU is missing"),
        Wrong("inverted", with_slip(slope=lambda z: z < 0), "the other way round"),
        Wrong("output for derivative", with_slip(slope=lambda z: np.maximum(z, 0)), "not by the unit's output"),
        Wrong("no ReLU", with_slip(slope=np.ones_like, activation=lambda z: z), "forward and backward"),
        Wrong("no ReLU forward", with_slip(activation=lambda z: z), "In the forward pass"),
        Wrong("Z for H", of_z, "not the Z itself"),
        Wrong("Z for H, no half", lambda *given: [[2 * part for part in parts] for parts in of_z(*given)],
              "not the Z itself"),
        Wrong("ReLU at the end", with_slip(last=lambda z: np.maximum(z, 0)), "output layer is affine"),
        Wrong("ReLU everywhere", relu_everywhere, "no derivative of one"),
        Wrong("W transposed on the way back", with_slip(through=lambda W: W.T), "multiplied by W itself"),
        Wrong("no signs", with_slip(through=np.abs), "enter with their signs"),
        Wrong("sum", scaled(lambda n, m: n * m), "The mean is missing"),
        Wrong("sum of squares", scaled(lambda n, m: 2 * n * m), "half and the mean are missing"),
        Wrong("no half", scaled(lambda n, m: 2), "Twice too large"),
        Wrong("mean over points", scaled(lambda n, m: m), "number of outputs as well"),
        Wrong("mean over outputs", scaled(lambda n, m: n), "number of points as well"),
        Wrong("halved again", scaled(lambda n, m: 0.5), "which the half of the loss cancels"),
        Wrong("sign", scaled(lambda n, m: -1), "sign is the wrong way"),
        Wrong("transposed", changed(lambda w, b, X: ([part.T for part in w], b)), "transposed: each has"),
        Wrong("swapped", changed(lambda w, b, X: (b, w)), "weights' gradients come first"),
        Wrong("last layer first", changed(lambda w, b, X: (w[::-1], b[::-1])), "order of the layers"),
        Wrong("in pairs", changed(lambda w, b, X: list(zip(w, b, strict=True))), "return them as two lists"),
        Wrong("in a row", changed(lambda w, b, X: [part for pair in zip(w, b, strict=True) for part in pair]),
              "return them as two lists"),
        Wrong("mean for biases", with_biases(lambda error: error.mean(axis=0)), "the mean is in the error already"),
        Wrong("not summed", with_biases(lambda error: error), "A bias acts on every point"),
        Wrong("wrong axis", with_biases(lambda error: error.sum(axis=1)), "wrong axis"),
        Wrong("one number", with_biases(lambda error: error.sum()), "a gradient of its own"),
        Wrong("a row", with_biases(lambda error: error.sum(axis=0, keepdims=True)), "the shape of the biases'"),
        Wrong("the last layer only", only_last, "The last layer is right"),
    ],
    unforeseen={
        "a leaky ReLU": with_slip(slope=lambda z: np.where(z > 0, 1, 0.1)),
        "the sigmoid's derivative": with_slip(slope=lambda z: np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))) ** 2),
        "a softplus": with_slip(activation=lambda z: np.logaddexp(0, z)),
        "outputs of tanh": with_slip(last=np.tanh),
        "weights squared": with_slip(through=np.square),
        "clipped": changed(lambda w, b, X: ([part.clip(-0.1, 0.1) for part in w], b)),
        "sizes": changed(lambda w, b, X: ([np.abs(part) for part in w], [np.abs(part) for part in b])),
        "weight decay": lambda weights, biases, X, Y: (
            [part + 0.1 * W for part, W in zip(by_loop(weights, biases, X, Y)[0], weights, strict=True)],
            by_loop(weights, biases, X, Y)[1]),
        "a third": scaled(lambda n, m: 1 / 3),
        "of unit length": changed(lambda w, b, X: ([part / np.linalg.norm(part) for part in w], b)),
    },
)
