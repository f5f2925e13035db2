"""Answers to exercise 02.9, right and wrong."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
from utils.models import activation_bytes, mlp

NAMES = ["parameters", "arithmetic", "hidden units", "memory"]


def budgets(sizes, batch, steps):
    """The four numbers of one training, in the order of NAMES."""
    layers = list(zip(sizes[:-1], sizes[1:], strict=True))
    step = sum(6 * n_in * n_out for n_in, n_out in layers) - 2 * sizes[0] * sizes[1]
    return [
        sum(n_in * n_out + n_out for n_in, n_out in layers),
        step * batch * steps,
        sum(sizes[1:-1]),
        batch * (sizes[0] + sum(sizes[1:-1])),
    ]


def by_fractions(one, other):
    pairs = zip(NAMES, budgets(**one), budgets(**other), strict=True)
    return [name for name, a, b in pairs if max(Fraction(a, b), Fraction(b, a)) <= Fraction(105, 100)]


def in_numpy(one, other):
    """By logarithms, in the other order, in an array."""

    def numbers(training):
        sizes = np.array(training["sizes"])
        forward, backward = 2 * sizes[:-1] * sizes[1:], 4 * sizes[:-1] * sizes[1:]
        backward[0] /= 2
        examples = training["batch"] * training["steps"]
        return np.array(
            [
                ((sizes[:-1] + 1) * sizes[1:]).sum(),
                (forward + backward).sum() * examples,
                sizes[1:-1].sum(),
                sizes[:-1].sum() * training["batch"],
            ],
            dtype=float,
        )

    near = np.abs(np.log(numbers(one) / numbers(other))) <= math.log(1.05)
    return np.array(NAMES)[near][::-1]


def by_building(one, other):
    """With the real network: its parameters, PyTorch's own count of FLOPs, and what autograd keeps."""
    from torch.utils.flop_counter import FlopCounterMode

    def numbers(sizes, batch, steps):
        model, X = mlp(sizes, generator=torch.Generator()), torch.zeros(1, sizes[0])
        with FlopCounterMode(display=False) as counter:
            model(X).sum().backward()
        units = sum(layer.out_features for layer in model if isinstance(layer, torch.nn.Linear)) - sizes[-1]
        counted = [sum(p.numel() for p in model.parameters()), counter.get_total_flops() * batch * steps, units]
        return [*counted, activation_bytes(model, X) / 4 * batch]

    pairs = zip(NAMES, numbers(**one), numbers(**other), strict=True)
    return [name for name, a, b in pairs if abs(a - b) <= 0.05 * min(a, b)]


def counting(place, cost):
    """The answer with another idea of one of the four: ``cost`` takes sizes, batch and steps."""

    def answer(one, other):
        names = []
        for i, name in enumerate(NAMES):
            a, b = (cost(**side) if i == place else budgets(**side)[i] for side in (one, other))
            names += [name] if max(a, b) <= 1.05 * min(a, b) else []
        return names

    return answer


def products(sizes):
    return [n_in * n_out for n_in, n_out in zip(sizes, sizes[1:], strict=False)]


def within(least):
    """The answer with another idea of equal: ``least`` takes both numbers."""
    return lambda one, other: [
        name for name, a, b in zip(NAMES, budgets(**one), budgets(**other), strict=True) if least(a, b)
    ]


SUITE = AnswerSuite(
    "02.9",
    right={"fractions": lambda *given: tuple(by_fractions(*given)), "NumPy": in_numpy, "building": by_building},
    unforeseen={
        "off by one": counting(0, lambda sizes, **_: budgets(sizes[:-1], 1, 1)[0]),
        "within a third": within(lambda a, b: max(a, b) <= 1.33 * min(a, b)),
        "the last left out": lambda *given: by_fractions(*given)[:-1],
        "steps for arithmetic": counting(1, lambda sizes, batch, steps: steps),
        "memory of the widest layer": counting(3, lambda sizes, batch, steps: max(sizes) * batch),
        "never the memory": lambda *given: [name for name in by_fractions(*given) if name != "memory"],
    },
    wrong=[
        Wrong("booleans", lambda *given: [name in by_fractions(*given) for name in NAMES], "letter by letter"),
        Wrong(
            "six FLOPs a parameter",
            counting(1, lambda sizes, batch, steps: 6 * budgets(sizes, batch, steps)[0] * batch * steps),
            "Biases are not counted",
        ),
        Wrong(
            "no first layer",
            counting(1, lambda sizes, batch, steps: 6 * sum(products(sizes)[1:]) * batch * steps),
            "the first layer, and no other",
        ),
    ],
)
