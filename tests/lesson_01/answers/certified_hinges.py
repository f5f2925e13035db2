"""Answers to exercise 01.3, right and wrong."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def exactly(m, a, b, eps):
    return (b - a) * math.sqrt(m / (8 * eps))


def formula(m, a, b, eps):
    return max(1, math.ceil(exactly(m, a, b, eps)))


def by_search(curvature, a, b, eps):
    count = 1
    while curvature * ((b - a) / count) ** 2 / 8 > eps:
        count += 1
    return count


def in_tensors(max_curvature, low, high, tolerance):
    spacing = torch.sqrt(torch.tensor(8 * tolerance / max(max_curvature, 1e-12), dtype=torch.float64))
    return torch.ceil((high - low) / spacing).clamp(min=1)


def by_halves(curvature, low, high, tolerance):
    """Doubling, as long as it is not enough, then bisection among whole numbers."""
    too_few, enough = 0, 1
    while curvature * ((high - low) / enough) ** 2 > 8 * tolerance:
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if curvature * ((high - low) / middle) ** 2 > 8 * tolerance:
            too_few = middle
        else:
            enough = middle
    return enough


def from_a_list(curvature, low, high, tolerance):
    """All counts at once: the first one whose bound is small enough."""
    counts = np.arange(1, 200_001)
    return counts[curvature * ((high - low) / counts) ** 2 / 8 <= tolerance][0]


def stepping(first, by):
    """A search that goes on by more than 1."""

    def answer(curvature, low, high, tolerance):
        count = first
        while curvature * ((high - low) / count) ** 2 / 8 > tolerance:
            count += by
        return count

    return answer


def doubling(curvature, low, high, tolerance):
    """A search for what is enough, that stops there."""
    count = 1
    while curvature * ((high - low) / count) ** 2 / 8 > tolerance:
        count *= 2
    return count


def rounded(by):
    """The formula with another way to make a whole number."""
    return lambda *given: max(1, by(exactly(*given)))


def rounded_up(count):
    """An answer that rounds up what ``count(max_curvature, length, tolerance)`` gives."""
    return lambda m, a, b, eps: max(1, math.ceil(count(m, b - a, eps)))


SUITE = AnswerSuite(
    "01.3",
    right={
        "formula": lambda *given: np.array([formula(*given)]),
        "by search": by_search,
        "tensor": in_tensors,
        "by halves": by_halves,
        "a long list": from_a_list,
    },
    wrong=[
        Wrong("off by one", rounded(lambda count: math.ceil(count) + 1), "One too many"),
        Wrong("down and one more", rounded(lambda count: int(count) + 1), "One too many"),
        Wrong("rounded down", rounded(int), "so round up"),
        Wrong("to the nearest", rounded(round), "one hinge fewer"),
        Wrong("not rounded", exactly, "whole number"),
        Wrong("no length", rounded_up(lambda m, length, eps: math.sqrt(m / (8 * eps))), "high - low"),
        Wrong("odd numbers", stepping(1, 2), "skips numbers"),
        Wrong("even numbers", stepping(2, 2), "skips numbers"),
        Wrong("every fifth", stepping(5, 5), "skips numbers"),
        Wrong("rounded up to an even number", rounded(lambda count: max(2, 2 * math.ceil(count / 2))), "in between"),
        Wrong("powers of two", doubling, "skips numbers"),
        Wrong("divided by 0", lambda m, a, b, eps: math.ceil((b - a) / math.sqrt(8 * eps / m)), "M = 0 is allowed"),
        Wrong("zero hinges", lambda *given: math.ceil(exactly(*given)), "Return at least 1"),
    ],
    unforeseen={
        "no M": rounded_up(lambda m, length, eps: length * math.sqrt(1 / (8 * eps))),
        "a sixth": rounded_up(lambda m, length, eps: length * math.sqrt(m / (6 * eps))),
        "a third root": rounded_up(lambda m, length, eps: length * (m / (8 * eps)) ** (1 / 3)),
        "twice as many": lambda *given: 2 * formula(*given),
        "up to 1000": lambda *given: min(1000, formula(*given)),
        "the length's square": rounded_up(lambda m, length, eps: length**2 * math.sqrt(m / (8 * eps))),
        "the ends added": lambda m, a, b, eps: max(1, math.ceil((a + b) * math.sqrt(m / (8 * eps)))),
        "times the tolerance": rounded_up(lambda m, length, eps: length * math.sqrt(8 * m * eps)),
        "the tolerance's square": rounded_up(lambda m, length, eps: length * math.sqrt(m / 8) / eps),
    },
)
