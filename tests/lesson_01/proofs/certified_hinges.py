"""Proof of exercise 01.3."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def formula(max_curvature, low, high, tolerance):
    return max(1, math.ceil((high - low) * math.sqrt(max_curvature / (8 * tolerance))))


def by_search(curvature, a, b, eps):
    count = 1
    while curvature * ((b - a) / count) ** 2 / 8 > eps:
        count += 1
    return count


def up_to(bound):
    """The search with an end."""
    return lambda *given: min(by_search(*given), bound)


def rounding(rounded):
    """The formula with another way to make a whole number."""
    return lambda m, a, b, eps: max(1, rounded((b - a) * math.sqrt(m / (8 * eps))))


def in_tensors(max_curvature, low, high, tolerance):
    spacing = torch.sqrt(torch.tensor(8 * tolerance / max(max_curvature, 1e-12), dtype=torch.float64))
    return torch.ceil((high - low) / spacing).clamp(min=1)


def rounded_up(count):
    """An answer that rounds up what ``count(max_curvature, length, tolerance)`` gives."""
    return lambda m, a, b, eps: max(1, math.ceil(count(m, b - a, eps)))


PROOF = Proof(
    "01.3",
    right={"formula": formula, "by search": by_search, "tensor": in_tensors,
           "float": lambda *given: float(formula(*given)), "NumPy's int": lambda *given: np.int64(formula(*given)),
           "an array of one": lambda *given: np.array([formula(*given)])},
    wrong=[
        Wrong("off by one", lambda *given: formula(*given) + 1, "One too many"),
        Wrong("rounded down", lambda m, a, b, eps: max(1, int((b - a) * math.sqrt(m / (8 * eps)))), "One too few"),
        Wrong("to the nearest", rounding(round), "Round up"),
        Wrong("half up", rounding(lambda count: int(count + 0.5)), "Round up"),
        Wrong("to one digit first", rounding(lambda count: math.ceil(round(count, 1))), "Round up"),
        Wrong("down and one more", rounding(lambda count: int(count) + 1), "One too many"),
        *[Wrong(f"up to {bound}", up_to(bound), "end at a fixed bound") for bound in (100, 999, 1000, 10_000, 50_000)],
        Wrong("not rounded", lambda m, a, b, eps: (b - a) * math.sqrt(m / (8 * eps)), "whole number"),
        Wrong("no eighth", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / eps))), "1/8"),
        Wrong("no square", lambda m, a, b, eps: max(1, math.ceil((b - a) * m / (8 * eps))), "square of the spacing"),
        Wrong("no length", lambda m, a, b, eps: max(1, math.ceil(math.sqrt(m / (8 * eps)))), "high - low"),
        Wrong("no M", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(1 / (8 * eps)))), "M is not in"),
        Wrong("M outside", lambda m, a, b, eps: max(1, math.ceil((b - a) * m / math.sqrt(8 * eps))), "root goes"),
        Wrong("a half", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / (2 * eps)))), "one eighth"),
        Wrong("a quarter", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / (4 * eps)))), "one eighth"),
        Wrong("the spacing", lambda m, a, b, eps: math.sqrt(8 * eps / max(m, 1e-9)), "not how many"),
        Wrong("the spacing, divided by 0", lambda m, a, b, eps: math.sqrt(8 * eps / m), "not how many"),
        Wrong("the spacing, rounded", lambda m, a, b, eps: math.ceil(math.sqrt(8 * eps / max(m, 1e-9))),
              "not how many"),
        Wrong("squared", lambda m, a, b, eps: max(1, math.ceil((b - a) ** 2 * m / (8 * eps))), "take the root"),
        Wrong("by the spacing", lambda m, a, b, eps: math.ceil((b - a) / math.sqrt(8 * eps / m)), "M = 0 is allowed"),
        Wrong("zero hinges", lambda m, a, b, eps: math.ceil((b - a) * math.sqrt(m / (8 * eps))), "at least 1"),
    ],
    unforeseen={
        "a sixth": rounded_up(lambda m, length, eps: length * math.sqrt(m / (6 * eps))),
        "a twelfth": rounded_up(lambda m, length, eps: length * math.sqrt(m / (12 * eps))),
        "a third root": rounded_up(lambda m, length, eps: length * (m / (8 * eps)) ** (1 / 3)),
        "to the nearest": lambda m, a, b, eps: max(1, round((b - a) * math.sqrt(m / (8 * eps)) - 1)),
        "twice as many": lambda *given: 2 * formula(*given),
        "even": lambda *given: formula(*given) + formula(*given) % 2,
        "powers of two": lambda *given: 2 ** math.ceil(math.log2(formula(*given))),
        "the length's square": rounded_up(lambda m, length, eps: length**2 * math.sqrt(m / (8 * eps))),
        "the ends added": lambda m, a, b, eps: max(1, math.ceil((a + b) * math.sqrt(m / (8 * eps)))),
        "no tolerance": rounded_up(lambda m, length, eps: length * math.sqrt(m / 8)),
        "the tolerance as 1/8": rounded_up(lambda m, length, eps: length * math.sqrt(m)),
        "times the tolerance": rounded_up(lambda m, length, eps: length * math.sqrt(8 * m * eps)),
        "the tolerance's square": rounded_up(lambda m, length, eps: length * math.sqrt(m / 8) / eps),
    },
)
