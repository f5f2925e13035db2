"""Answers to exercise 02.2, right and wrong."""

from __future__ import annotations

import math

from tests.answers import AnswerSuite, Wrong


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


def in_floats(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    if budget < cost(1, depth, n_in, n_out):
        return 0
    return int((budget - c) / b) if a == 0 else int((-b + math.sqrt(b * b + 4 * a * (budget - c))) / (2 * a))


def with_nothing_for_little(answer):
    """The answer, with 0 where the budget is too small."""
    return lambda budget, *shape: answer(budget, *shape) if cost(1, *shape) <= budget else 0


def if_cost_were(other):
    """The largest width for another way to count, 0 where the budget is too small."""

    def answer(budget, *shape):
        width = 0
        for power in reversed(range(60)):
            width += 2**power * (other(width + 2**power, *shape) <= budget)
        return width

    return with_nothing_for_little(answer)


def dividing(budget, depth, n_in, n_out):
    a, b, c = coefficients(depth, n_in, n_out)
    return (math.isqrt(max(b * b + 4 * a * (budget - c), 0)) - b) // (2 * a)


def rounded(budget, depth, n_in, n_out):
    """The root, rounded to the nearest whole number and not down."""
    a, b, c = coefficients(depth, n_in, n_out)
    left = max(budget - c, 0)
    return round(left / b if a == 0 else (math.sqrt(b * b + 4 * a * left) - b) / (2 * a))


def up_to(bound):
    """The last of the widths below the bound that the budget allows."""
    return lambda *given: min(by_the_root(*given), bound - 1)


SUITE = AnswerSuite(
    "02.2",
    right={"by the root": by_the_root, "by halving": by_halving, "corrected": corrected_float},
    unforeseen={
        "the parameters": lambda *given: cost(by_the_root(*given), *given[1:]),
        "all units": lambda *given: given[1] * by_the_root(*given),
        "half as many": lambda *given: by_the_root(*given) // 2,
        "biases twice": if_cost_were(lambda w, depth, n_in, n_out: cost(w, depth, n_in, n_out) + depth * w + n_out),
        "half the budget": lambda budget, *shape: by_the_root(budget // 2, *shape),
        "the layers multiplied": if_cost_were(lambda w, depth, n_in, n_out: (n_in + 1) * w * depth + (w + 1) * n_out),
    },
    wrong=[
        Wrong(
            "no biases, 0 for too little",
            if_cost_were(lambda w, depth, n_in, n_out: n_in * w + (depth - 1) * w * w + w * n_out),
            "biases are",
        ),
        Wrong("off by one", with_nothing_for_little(lambda *given: by_the_root(*given) - 1), "one too narrow"),
        Wrong("less than", lambda budget, *shape: by_the_root(budget - 1, *shape), "includes the budget itself"),
        Wrong(
            "no output biases",
            if_cost_were(lambda w, depth, *ends: cost(w, depth, *ends) - ends[1]),
            "those of the outputs",
        ),
        Wrong("a unit more", with_nothing_for_little(lambda *given: by_the_root(*given) + 1), "Round down"),
        Wrong("rounded", rounded, "Round down"),
        Wrong("not rounded", lambda *given: by_the_root(*given) + 0.3, "Round down"),
        Wrong("floats", in_floats, "53 binary digits"),
        Wrong("at least 1", lambda *given: max(1, by_the_root(*given)), "the answer is 0"),
        Wrong("None for too little", lambda *given: by_the_root(*given) or [][0], "the answer is 0"),
        Wrong("divided by 0", with_nothing_for_little(dividing), "has no square"),
        *(Wrong(f"up to {bound:,}", up_to(bound), "end at a fixed bound") for bound in (100, 500, 10_000, 10**6 + 1)),
    ],
)
