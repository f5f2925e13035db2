"""Answers to exercise 02.3, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


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


def with_slip(
    *,
    slope=lambda z: z > 0,
    activation=lambda z: np.maximum(z, 0),
    last=lambda z: z,
    through=lambda W: W,
    of_sums=False,
    of_bias=lambda error: error.sum(axis=0),
):
    """The loop with a slip on the way forward or back."""

    def answer(weights, biases, X, Y):
        inputs, z = [X], []
        for weight, bias in zip(weights, biases, strict=True):
            z.append(inputs[-1] @ weight.T + bias)
            inputs.append(activation(z[-1]))
        error, of_weights, of_biases = (last(z[-1]) - Y) / Y.size, [], []
        for k in reversed(range(len(weights))):
            of_weights.insert(0, error.T @ (z[k - 1] if of_sums and k else inputs[k]))
            of_biases.insert(0, of_bias(error))
            error = error @ through(weights[k]) * slope(z[k - 1]) if k else error
        return of_weights, of_biases

    return answer


def relu_everywhere(weights, biases, X, Y):
    """A ReLU after the last layer, too, forward and backward, in torch."""
    X, Y, *parameters = (torch.tensor(part, requires_grad=True) for part in (X, Y, *weights, *biases))
    for weight, bias in zip(parameters[: len(weights)], parameters[len(weights) :], strict=True):
        X = torch.relu(X @ weight.T + bias)
    gradients = torch.autograd.grad((X - Y).square().mean() / 2, parameters)
    return list(gradients[: len(weights)]), list(gradients[len(weights) :])


def changed(change):
    """Right gradients, changed: ``change`` gets those of the weights, those of the biases, and the targets."""
    return lambda *given: change(*by_loop(*given), given[3])


def scaled(factor):
    """Right, but for a factor that depends on the numbers of points and outputs."""
    return changed(lambda w, b, Y: [[factor(*Y.shape) * part for part in parts] for parts in (w, b)])


def only_last(w, b, Y):
    return [np.ones_like(part) for part in w[:-1]] + w[-1:], [np.ones_like(part) for part in b[:-1]] + b[-1:]


SUITE = AnswerSuite(
    "02.3",
    right={
        "loop": by_loop,
        "point by point": point_by_point,
        "autograd": by_autograd,
        "float32": lambda *given: by_autograd(*given, dtype=torch.float32),
    },
    unforeseen={
        "off by one": changed(lambda w, b, Y: (w[1:], b[1:])),
        "inverted": with_slip(slope=lambda z: z < 0),
        "output for derivative": with_slip(slope=lambda z: np.maximum(z, 0)),
        "W transposed on the way back": with_slip(through=lambda W: W.T),
        "no signs": with_slip(through=np.abs),
        "ReLU at the end": with_slip(last=lambda z: np.maximum(z, 0)),
        "a leaky ReLU": with_slip(slope=lambda z: np.where(z > 0, 1, 0.1)),
        "clipped": changed(lambda w, b, Y: ([part.clip(-0.1, 0.1) for part in w], b)),
    },
    wrong=[
        *(
            Wrong(name, scaled(factor), "but for one factor")
            for name, factor in {
                "sum": lambda n, m: n * m,
                "no half": lambda n, m: 2,
                "mean over points": lambda n, m: m,
                "mean over outputs": lambda n, m: n,
                "halved again": lambda n, m: 0.5,
                "sign": lambda n, m: -1,
            }.items()
        ),
        Wrong("no derivative", with_slip(slope=np.ones_like), "leave out the derivative of the ReLU"),
        Wrong(
            "no derivative, no half",
            lambda *given: [[2 * part for part in parts] for parts in with_slip(slope=np.ones_like)(*given)],
            "leave out the derivative of the ReLU",
        ),
        Wrong("no ReLU forward", with_slip(activation=lambda z: z), "In the forward pass"),
        Wrong("Z for H", with_slip(of_sums=True), "not the Z itself"),
        Wrong("ReLU everywhere", relu_everywhere, "no derivative of one"),
        *(
            Wrong(name, changed(change), "not their form")
            for name, change in {
                "swapped": lambda w, b, Y: (b, w),
                "last layer first": lambda w, b, Y: (w[::-1], b[::-1]),
                "biases from the end": lambda w, b, Y: (w, b[::-1]),
                "transposed": lambda w, b, Y: ([part.T for part in w], b),
                "biases as rows": lambda w, b, Y: (w, [part[None] for part in b]),
                "in pairs": lambda w, b, Y: list(zip(w, b, strict=True)),
                "in a row": lambda w, b, Y: [part for pair in zip(w, b, strict=True) for part in pair],
            }.items()
        ),
        *(
            Wrong(name, with_slip(of_bias=of_bias), "A bias acts on every point")
            for name, of_bias in {
                "mean for biases": lambda error: error.mean(axis=0),
                "not summed": lambda error: error,
                "wrong axis": lambda error: error.sum(axis=1),
                "one number": np.sum,
            }.items()
        ),
        Wrong("the last layer only", changed(only_last), "The last layer is right"),
    ],
)
