"""Proof of exercise 02.9."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.models import activation_bytes, mlp

NAMES = ["parameters", "arithmetic", "hidden units", "memory"]


def budgets(sizes, batch, steps):
    """The four numbers of one training, in the order of NAMES."""
    layers = list(zip(sizes[:-1], sizes[1:], strict=True))
    step = sum(6 * n_in * n_out for n_in, n_out in layers) - 2 * sizes[0] * sizes[1]
    return [sum(n_in * n_out + n_out for n_in, n_out in layers), step * batch * steps, sum(sizes[1:-1]),
            batch * (sizes[0] + sum(sizes[1:-1]))]


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
        return np.array([
            ((sizes[:-1] + 1) * sizes[1:]).sum(), (forward + backward).sum() * examples, sizes[1:-1].sum(),
            sizes[:-1].sum() * training["batch"],
        ], dtype=float)

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


def flops(sizes, batch, steps):
    return budgets(sizes, batch, steps)[1]


def within(least):
    """The answer with another idea of equal: ``least`` takes both numbers."""
    return lambda one, other: [
        name for name, a, b in zip(NAMES, budgets(**one), budgets(**other), strict=True) if least(a, b)
    ]


def without(name):
    return lambda *given: [one for one in by_fractions(*given) if one != name]


PROOF = Proof(
    "02.9",
    right={"fractions": by_fractions, "NumPy": in_numpy, "building": by_building,
           "a tuple": lambda *given: tuple(by_fractions(*given)),
           "an array, of numbers where it is empty": lambda *given: np.array(by_fractions(*given))},
    wrong=[
        Wrong("off by one", counting(2, lambda sizes, **_: sum(sizes[1:])), "no hidden units"),
        Wrong("all units", counting(2, lambda sizes, **_: sum(sizes)), "no hidden units"),
        Wrong("width", counting(2, lambda sizes, **_: sizes[1]), "the width of one layer"),
        Wrong("no biases", counting(0, lambda sizes, **_: sum(products(sizes))), "lack biases"),
        Wrong("a bias for each layer", counting(0, lambda sizes, **_: sum(products(sizes)) + len(sizes) - 1),
              "lack biases"),
        Wrong("forward", counting(1, lambda sizes, batch, steps: 2 * sum(products(sizes)) * batch * steps),
              "not for both alike"),
        Wrong("three times forward", counting(1, lambda sizes, batch, steps: 6 * sum(products(sizes)) * batch * steps),
              "not for both alike"),
        Wrong("the last layer spared",
              counting(1, lambda sizes, batch, steps: (3 * sum(products(sizes)) - products(sizes)[-1]) * batch * steps),
              "the first one that needs no gradient"),
        Wrong("no first layer", counting(1, lambda sizes, batch, steps: 6 * sum(products(sizes)[1:]) * batch * steps),
              "not free"),
        Wrong("one example", counting(1, lambda sizes, batch, steps: flops(sizes, 1, 1)), "arithmetic of one example"),
        Wrong("one step", counting(1, lambda sizes, batch, steps: flops(sizes, batch, 1)), "arithmetic of one step"),
        Wrong("no batch", counting(1, lambda sizes, batch, steps: flops(sizes, 1, steps)), "a whole batch"),
        Wrong("six FLOPs a parameter",
              counting(1, lambda sizes, batch, steps: 6 * budgets(sizes, batch, steps)[0] * batch * steps),
              "proportional to the parameters"),
        Wrong("memory of one example", counting(3, lambda sizes, batch, steps: sum(sizes[:-1])), "every example of"),
        Wrong("memory without inputs", counting(3, lambda sizes, batch, steps: sum(sizes[1:-1]) * batch),
              "The inputs are kept"),
        Wrong("memory with outputs", counting(3, lambda sizes, batch, steps: sum(sizes) * batch), "The outputs are"),
        Wrong("memory of all steps", counting(3, lambda sizes, batch, steps: sum(sizes[:-1]) * batch * steps),
              "given back"),
        Wrong("exactly equal", within(lambda a, b: a == b), "exactly the same"),
        Wrong("signed", within(lambda a, b: a - b <= 0.05 * b), "Whichever of the two"),
        Wrong("signed the other way", within(lambda a, b: b / a <= 1.05), "Whichever of the two"),
        Wrong("different", within(lambda a, b: max(a, b) > 1.05 * min(a, b)), "the ones that differ"),
        Wrong("booleans", lambda *given: [name in by_fractions(*given) for name in NAMES], "letter by letter"),
        Wrong("never the parameters", without("parameters"), "The parameters are all"),
        Wrong("never the arithmetic", without("arithmetic"), "The arithmetic is all"),
        Wrong("never the hidden units", without("hidden units"), "The hidden units are all"),
        Wrong("never the memory", without("memory"), "The memory is all"),
        Wrong("within a third", within(lambda a, b: max(a, b) <= 1.33 * min(a, b)), "others that were not"),
        Wrong("the last left out", lambda *given: by_fractions(*given)[:-1], "something else as well"),
    ],
    unforeseen={
        "depth for units": counting(2, lambda sizes, **_: len(sizes)),
        "steps for arithmetic": counting(1, lambda sizes, batch, steps: steps),
        "examples for arithmetic": counting(1, lambda sizes, batch, steps: batch * steps),
        "memory holds the parameters": counting(3, lambda sizes, batch, steps: (
            sum(sizes[:-1]) * batch + budgets(sizes, batch, steps)[0])),
        "memory of the widest layer": counting(3, lambda sizes, batch, steps: max(sizes) * batch),
        "the first alone": lambda *given: by_fractions(*given)[:1],
        "parameters and arithmetic go together": lambda *given: [
            *({"parameters", "arithmetic"} if "parameters" in by_fractions(*given) else set()),
            *(set(by_fractions(*given)) - {"parameters", "arithmetic"})],
    },
)
