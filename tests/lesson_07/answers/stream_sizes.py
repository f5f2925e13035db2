"""Answers to exercise 07.3, right and wrong."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from tests.answers import AnswerSuite, Wrong


def by_accumulating(q, factors, var_w, var_v, sigma_b):
    def step(size, c):
        return size + 0.5 * c * c * var_v * (var_w * size + sigma_b * sigma_b)

    return list(itertools.accumulate(factors, step, initial=q))[1:]


def in_closed_form(q, factors, var_w, var_v, sigma_b):
    """The size and what a bias adds to it in equal parts: their sum grows by a factor in each block."""
    rest = sigma_b**2 / var_w
    return (q + rest) * np.cumprod(1 + np.square(factors) * var_v * var_w / 2) - rest


def by_fractions(q, factors, var_w, var_v, sigma_b):
    size, sizes = Fraction(q), []
    for c in factors.tolist():
        before = Fraction(var_w) * size + Fraction(sigma_b) ** 2
        size += Fraction(c) ** 2 * Fraction(var_v) * before / 2
        sizes.append(float(size))
    return np.array(sizes, dtype=np.float32)


def with_(**changes):
    """The right answer for other numbers."""

    def answer(q, factors, var_w, var_v, sigma_b):
        given = {"q": q, "factors": factors, "var_w": var_w, "var_v": var_v, "sigma_b": sigma_b}
        return by_accumulating(**{**given, **{name: change(given[name]) for name, change in changes.items()}})

    return answer


SUITE = AnswerSuite(
    "07.3",
    right={"accumulated": by_accumulating, "closed form": in_closed_form, "fractions": by_fractions},
    wrong=[
        Wrong("lengths", lambda *given: np.sqrt(by_accumulating(*given)), "roots of the mean squares"),
        Wrong("no square", with_(factors=np.sqrt), "its square multiplies"),
        Wrong("off by one", lambda q, *given: [q, *by_accumulating(q, *given)], "begins with the first"),
    ],
    unforeseen={
        "last alone": lambda *given: by_accumulating(*given)[-1],
        "reversed": with_(factors=lambda c: c[::-1]),
        "weights exchanged": lambda q, c, w, v, b: by_accumulating(q, c, v, w, b),
        "squared variances": with_(var_w=lambda w: w**2, var_v=lambda v: v**2),
        "roots of variances": with_(var_w=np.sqrt, var_v=np.sqrt),
        "first factor": with_(factors=lambda c: c[:1].repeat(len(c))),
        "q squared": with_(q=lambda q: q**2),
    },
)
