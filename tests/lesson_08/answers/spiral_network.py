"""Answers to exercise 08.10, right and wrong."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
from tests.lesson_08.records import networks

TANH, ONE_LAYER, RELU = networks("spirals")


def turn_back(angle, network=TANH):
    """The first weight, multiplied by the matrix that turns a point back."""
    activation, ((weight, bias), *others) = network
    back = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return activation, [(weight @ back, bias), *others]


def by_each_unit(angle):
    """A unit's weights are a point: it is turned with the others. In lists."""
    activation, ((weight, bias), *others) = RELU
    cos, sin = math.cos(angle), math.sin(angle)
    first = [[a * cos - b * sin, a * sin + b * cos] for a, b in weight.tolist()]
    return [activation, [[first, bias.tolist()], *([w.tolist(), b.tolist()] for w, b in others)]]


def in_float32(angle):
    """By complex numbers, in tensors."""
    activation, layers = ONE_LAYER
    points = torch.complex(*torch.tensor(layers[0][0]).T) * torch.exp(torch.tensor(1j * angle))
    weights = [torch.stack([points.real, points.imag], dim=1), torch.tensor(layers[1][0])]
    biases = [torch.tensor(bias) for _, bias in layers]
    return activation, [(weight.float(), bias.float()) for weight, bias in zip(weights, biases, strict=True)]


def before_all_others(angle):
    """The matrix of the turn, applied to the first weight from the other side; another order of the units."""
    activation, ((weight, bias), (read, shift), *others) = RELU
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    order = np.arange(len(bias))[::-1]
    return activation, [((turn @ weight.T).T[order], bias[order]), (read[:, order], shift), *others]


def with_flipped_signs(angle):
    """A tanh unit whose weights, bias and read-out all change sign is the same unit; tuples of lists."""
    activation, ((weight, bias), (read, shift)) = turn_back(angle, ONE_LAYER)
    return activation, (((-weight).tolist(), (-bias).tolist()), ((-read).tolist(), shift.tolist()))


def changed(change, network=TANH):
    """An answer that does something else to the layers of a right one."""
    return lambda angle: (network[0], change(turn_back(angle, network)[1]))


def noisy(angle):
    activation, layers = turn_back(angle)
    return activation, [(weight + 1.0, bias) for weight, bias in layers]


def padded(units):
    """With so many more units in the first layer, which nothing reads."""

    def change(layers):
        (weight, bias), (read, shift), *others = layers
        first = np.vstack([weight, np.zeros((units, 2))]), np.append(bias, np.zeros(units))
        return [first, (np.hstack([read, np.zeros((len(read), units))]), shift), *others]

    return change


def deep(layers):
    """More layers than there may be, each of which passes one number's sign on."""
    return longer(layers, 8)


def longer(layers, count):
    return [*layers, *[(np.eye(1), np.zeros(1))] * count]


def one_too_many(layers):
    """46 parameters: three more units that nothing reads, and three layers that change no sign."""
    return longer(padded(3)(layers), 3)


SUITE = AnswerSuite(
    "08.10",
    right={
        "turned back": turn_back,
        "unit by unit": by_each_unit,
        "complex": in_float32,
        "other side": before_all_others,
        "signs": with_flipped_signs,
    },
    wrong=[
        Wrong("turned the other way", lambda angle: turn_back(-angle), "turned the other way"),
        Wrong("sigmoid", lambda angle: ("sigmoid", turn_back(angle)[1]), 'one text, "relu" or "tanh"'),
        Wrong("one activation a layer", lambda angle: (["tanh", "tanh"], turn_back(angle)[1]), 'one text, "relu"'),
        Wrong("too deep", changed(deep), "too many layers"),
        Wrong("nan", changed(lambda layers: [(w * np.nan, b) for w, b in layers]), "nan, infinite or larger"),
        Wrong("transposed", changed(lambda layers: [(w.T, b) for w, b in layers]), "Return a pair"),
        Wrong("weights alone", changed(lambda layers: [w for w, _ in layers]), "Return a pair"),
        Wrong("layers alone", lambda angle: turn_back(angle)[1], "Return a pair"),
        Wrong("off by one", changed(one_too_many), "more parameters than all points allow"),
        Wrong("far too large", changed(padded(60)), "more parameters than all points allow"),
        Wrong(
            "classes swapped",
            changed(lambda layers: [*layers[:-1], (-layers[-1][0], -layers[-1][1])]),
            "calls each by the other one's number",
        ),
        Wrong("a line", lambda angle: ("relu", [(np.array([[math.cos(angle), 1.0]]), [0.0])]), "Within the rules"),
    ],
    unforeseen={
        "relu instead": lambda angle: ("relu", turn_back(angle)[1]),
        "without biases": changed(lambda layers: [(w, 0 * b) for w, b in layers], RELU),
        "half a turn": lambda angle: turn_back(angle + math.pi / 2),
        "in degrees": lambda angle: turn_back(math.degrees(angle)),
        "all layers moved": noisy,
        "one digit": lambda angle: ("tanh", [(w.round(), b.round()) for w, b in turn_back(angle)[1]]),
    },
)
