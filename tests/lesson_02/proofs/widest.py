"""Proof of exercise 02.2."""

from __future__ import annotations

import math

import numpy as np

from tests.proofs import Proof, Wrong
from utils import models


def cost(width, depth, n_in, n_out):
    return (n_in + 1) * width + (depth - 1) * (width + 1) * width + (width + 1) * n_out


def coefficients(depth, n_in, n_out):
    return depth - 1, n_in + n_out + depth, n_out


def by_the_root(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    if budget < cost(1, depth, n_in, n_out):
        return 0
    if a == 0:
        return (budget - c) // b
    return (math.isqrt(b * b + 4 * a * (budget - c)) - b) // (2 * a)


def by_halving(money, layers, inputs, outputs):
    low, high = 0, money
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(middle, layers, inputs, outputs) <= money else (low, middle - 1)
    return low


def corrected_float(budget, depth, n_in, n_out):
    """The root in floats, then the widths beside it."""
    a, b, c = coefficients(depth, n_in, n_out)
    left = max(budget - c, 0)
    guess = int(left / b if a == 0 else (-b + math.sqrt(b * b + 4 * a * left)) / (2 * a))
    near = [width for width in range(max(guess - 3, 0), guess + 4) if cost(width, depth, n_in, n_out) <= budget]
    return float(max(near, default=0))


def by_digits(budget, depth, n_in, n_out):
    """The binary digits of the width, the highest first."""
    width = 0
    for power in reversed(range(60)):
        if cost(width + 2**power, depth, n_in, n_out) <= budget:
            width += 2**power
    return np.int64(width)


def in_floats(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    if budget < cost(1, depth, n_in, n_out):
        return 0
    return int((budget - c) / b) if a == 0 else int((-b + math.sqrt(b * b + 4 * a * (budget - c))) / (2 * a))


def with_nothing_for_little(answer):
    """The answer, with 0 where the budget is too small."""
    return lambda budget, *shape: answer(budget, *shape) if cost(1, *shape) <= budget else 0


def if_cost_were(other):
    """The largest width for another way to count."""

    def answer(budget, *shape):
        low, high = 0, budget + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if other(middle, *shape) <= budget else (low, middle)
        return low

    return answer


def dividing(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    return (math.isqrt(max(b * b + 4 * a * (budget - c), 0)) - b) // (2 * a)


def no_case_apart(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    if budget < cost(1, depth, n_in, n_out):
        raise ValueError("the budget is too small")
    return (math.isqrt(b * b + 4 * a * (budget - c)) - b) // (2 * a)


def rounded(budget, depth, n_in, n_out):
    """The root, rounded to the nearest whole number and not down."""
    a, b, c = coefficients(depth, n_in, n_out)
    left = max(budget - c, 0)
    return round(left / b if a == 0 else (math.sqrt(b * b + 4 * a * left) - b) / (2 * a))


def rounded_up(*given):
    """The first width that is no longer too cheap."""
    width = by_the_root(*given)
    return width if cost(width, *given[1:]) == given[0] else width + 1


def up_to(bound, otherwise=None):
    """The last of the widths below the bound that the budget allows; ``otherwise`` where the bound ends the search."""

    def answer(*given):
        width = by_the_root(*given)
        return width if width < bound - 1 else bound - 1 if otherwise is None else otherwise

    return answer


def shifted(by):
    return with_nothing_for_little(lambda *given: by_the_root(*given) + by)


PROOF = Proof(
    "02.2",
    right={"by the root": by_the_root, "by halving": by_halving, "corrected": corrected_float, "by digits": by_digits},
    wrong=[
        Wrong("off by one", shifted(1), "Round down"),
        Wrong("rounded", rounded, "Round down"),
        Wrong("rounded up", rounded_up, "Round down"),
        Wrong("one short", shifted(-1), "One unit more"),
        Wrong("not rounded", lambda *given: by_the_root(*given) + 0.3, "whole number"),
        Wrong("floats", in_floats, "53 binary digits"),
        Wrong("less than", lambda budget, depth, n_in, n_out: by_the_root(budget - 1, depth, n_in, n_out),
              "to its last parameter"),
        Wrong("at least 1", lambda *given: max(1, by_the_root(*given)), "0 is wanted"),
        Wrong("-1 for less than the outputs", lambda budget, depth, n_in, n_out: -1 if budget < n_out else by_the_root(
            budget, depth, n_in, n_out), "0 is wanted"),
        Wrong("None for too little", lambda *given: by_the_root(*given) or [][0], "0 is wanted"),
        Wrong("divided by 0", with_nothing_for_little(dividing), "With one hidden layer"),
        Wrong("no case apart", no_case_apart, "Two kinds of input"),
        Wrong("the parameters", lambda *given: cost(by_the_root(*given), *given[1:]), "how many parameters are spent"),
        Wrong("all units", lambda *given: given[1] * by_the_root(*given), "all hidden units"),
        Wrong("no biases", with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: n_in * w + (depth - 1) * w * w + w * n_out)), "biases are missing"),
        Wrong("no output biases", if_cost_were(
            lambda w, depth, *ends: cost(w, depth, *ends) - ends[1]), "biases of the outputs"),
        Wrong("no output biases, 0 for too little", with_nothing_for_little(if_cost_were(
            lambda w, depth, *ends: cost(w, depth, *ends) - ends[1])), "biases of the outputs"),
        Wrong("range(10_000)", up_to(10_000), "end at a fixed bound"),
        Wrong("range(10_000), or 0", up_to(10_000, 0), "end at a fixed bound"),
        Wrong("range(500)", up_to(500), "end at a fixed bound"),
        Wrong("range(100)", up_to(100), "end at a fixed bound"),
        Wrong("range(1, 101)", up_to(101), "end at a fixed bound"),
        Wrong("halving up to a million", up_to(10**6 + 1), "end at a fixed bound"),
        Wrong("halving up to a billion", up_to(10**9 + 1), "end at a fixed bound"),
        Wrong("floats for one layer", lambda *given: (in_floats if given[1] == 1 else by_the_root)(*given),
              "53 binary digits"),
        Wrong("floats for several layers", lambda *given: (by_the_root if given[1] == 1 else in_floats)(*given),
              "53 binary digits"),
        Wrong("one layer more", with_nothing_for_little(if_cost_were(
            lambda w, depth, *ends: cost(w, depth + 1, *ends))), "off by one"),
        Wrong("one layer less", with_nothing_for_little(if_cost_were(
            lambda w, depth, *ends: cost(w, max(depth - 1, 1), *ends))), "off by one"),
        Wrong("hidden only", with_nothing_for_little(
            lambda budget, depth, n_in, n_out: math.isqrt(budget // max(depth - 1, 1))), "between hidden layers"),
        Wrong("depth squares", with_nothing_for_little(
            lambda budget, depth, n_in, n_out: math.isqrt(budget // depth)), "between hidden layers"),
        Wrong("no output layer", with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: cost(w, depth, n_in, n_out) - n_out * (w + 1))), "One end is missing"),
        Wrong("no input layer", with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: cost(w, depth, n_in, n_out) - n_in * w)), "One end is missing"),
        Wrong("withheld", lambda budget, depth, n_in, n_out: models.width_for_parameters(budget, depth, n_in, n_out),
              "write it yourself"),
    ],
    unforeseen={
        "a share of the budget": lambda budget, depth, n_in, n_out: budget // (n_in + n_out),
        "a root": lambda budget, depth, n_in, n_out: with_nothing_for_little(
            lambda *given: math.isqrt(given[0]) // 2)(budget, depth, n_in, n_out),
        "half": lambda *given: by_the_root(*given) // 2,
        "a power of two": lambda *given: 2 ** int(math.log2(by_the_root(*given) or 1)) * (by_the_root(*given) > 0),
        "two less": with_nothing_for_little(lambda *given: by_the_root(*given) - 2),
        "biases twice": with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: cost(w, depth, n_in, n_out) + depth * w + n_out)),
        "inputs for outputs twice": with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: cost(w, depth, n_in, n_in))),
        "outputs for inputs twice": with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: cost(w, depth, n_out, n_out))),
        "the layers multiplied": with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: (n_in + 1) * w * depth + (w + 1) * n_out)),
        "a bias a layer": with_nothing_for_little(if_cost_were(
            lambda w, depth, n_in, n_out: n_in * w + (depth - 1) * w * w + w * n_out + depth + 1)),
    },
)
