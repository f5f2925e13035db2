"""Proof of exercise 06.8."""

from __future__ import annotations

import numpy as np
import torch
from scipy.optimize import brentq

from tests.proofs import Proof, Wrong


def walked(variances, normalised, s):
    """The stream's variance, branch by branch."""
    stream = 1.0
    for v in np.ravel(variances):
        stream = stream + s * s * (v if normalised else v * stream)
    return stream


def by_scipy(variances, normalised, growth):
    return brentq(lambda s: walked(variances, normalised, s) - growth, 0, 100, xtol=1e-13)


def by_polynomial(variances, normalised, growth):
    """The largest real root of a polynomial in s²."""
    if normalised:
        return ((growth - 1) / np.sum(variances)) ** 0.5
    of_square = np.polynomial.Polynomial([1.0])
    for v in variances.ravel():
        of_square *= np.polynomial.Polynomial([1.0, v])
    roots = (of_square - growth).roots()
    return np.sqrt(roots[np.argmin(np.abs(roots.imag) + (roots.real < 0) * 100)].real)


def by_newton(variances, normalised, growth):
    """In the logarithm of the growth, in torch."""
    v = torch.as_tensor(variances).flatten()
    if normalised:
        return torch.sqrt((growth - 1) / v.sum())
    square = torch.tensor(0.0, dtype=torch.float64)
    for _ in range(60):
        square = square - (torch.log1p(square * v).sum() - np.log(growth)) / (v / (1 + square * v)).sum()
    return square.sqrt()


def on_grid(step):
    """The first scale on a grid with which the stream has grown enough."""

    def answer(variances, normalised, growth):
        s = 0.0
        while walked(variances, normalised, s) < growth:
            s += step
        return s

    return answer


def up_to_one(normalised_too):
    """Halving, in an interval that ends at 1."""

    def answer(variances, normalised, growth):
        if normalised and not normalised_too:
            return by_scipy(variances, normalised, growth)
        low, high = 0.0, 1.0
        for _ in range(60):
            s = (low + high) / 2
            low, high = (s, high) if walked(variances, normalised, s) < growth else (low, s)
        return s

    return answer


def search(grown, target=lambda growth: growth):
    def answer(variances, normalised, growth):
        wanted = target(growth)
        return brentq(lambda s: grown(variances, normalised, s) - wanted, 0, 1000, xtol=1e-13)

    return answer


def of_kinds(of_sum, of_product):
    return search(lambda v, normalised, s: of_sum(v, s) if normalised else of_product(v, s))


def multiply(v, s):
    return np.exp(np.log1p(s**2 * np.asarray(v)).sum())


def with_variances(change):
    return lambda variances, *rest: by_scipy(change(variances), *rest)


def one_for_all(variances, normalised, growth):
    """The closed form for branches that are alike, where the sum has one as well."""
    n = variances.size
    if normalised:
        return np.sqrt((growth - 1) / variances.sum())
    return np.sqrt((growth ** (1 / n) - 1) / variances.mean())


def blocks_for_branches(variances, normalised, growth):
    n = len(variances)
    return np.sqrt(((growth - 1) / n if normalised else growth ** (1 / n) - 1) / variances.mean())


PROOF = Proof(
    "06.8",
    right={"scipy": by_scipy, "polynomial": by_polynomial, "newton": by_newton},
    wrong=[
        Wrong("off by one", with_variances(lambda v: v[:, :1]), "one branch of each block"),
        Wrong("second branches", with_variances(lambda v: v[:, 1:]), "one branch of each block"),
        Wrong("no root", lambda *given: by_scipy(*given) ** 2, "take the root"),
        Wrong("no root of a sum", lambda v, n, r: (r - 1) / v.sum() if n else by_scipy(v, n, r) ** 2, "take the root"),
        Wrong("means of blocks", with_variances(lambda v: v.mean(axis=1)), "as many branches as there are blocks"),
        Wrong("N for 2N", blocks_for_branches, "as many branches as there are blocks"),
        Wrong("mean", lambda v, n, r: np.sqrt((r - 1) / v.mean()) if n else by_scipy(v, n, r), "average the variances"),
        Wrong("mean in all cases", lambda v, n, r: np.sqrt((r - 1) / v.mean()), "average the variances"),
        Wrong("always a sum", lambda v, n, r: np.sqrt((r - 1) / v.sum()), "add up in all cases"),
        Wrong("always a product", search(lambda v, n, s: multiply(v, s)), "multiply in all cases"),
        Wrong("alike", one_for_all, "the mean variance in place of all"),
        Wrong("both at once", of_kinds(lambda v, s: 1 + s**2 * np.sum(v), lambda v, s: multiply(v.sum(axis=1), s)),
              "read the same stream"),
        Wrong("exponential", lambda v, n, r: np.sqrt((r - 1 if n else np.log(r)) / v.sum()), "its exponential"),
        Wrong("deviations", of_kinds(lambda v, s: (1 + s * np.sqrt(v).sum()) ** 2,
                                     lambda v, s: np.prod(1 + s * np.sqrt(v)) ** 2), "add standard deviations"),
        Wrong("growth added", search(walked, lambda r: r + 1), "The stream itself counts"),
        Wrong("stream forgotten", lambda v, n, r: np.sqrt(r / v.sum()) if n else by_scipy(v, n, r),
              "The stream itself counts"),
        Wrong("growth of the deviation", search(walked, lambda r: r**2), "that of the standard deviation"),
        Wrong("1/√(2N)", lambda v, n, r: 1 / np.sqrt(2 * len(v)), "1/√(2N) is the answer where"),
        Wrong("1/√N", lambda v, n, r: 1 / np.sqrt(len(v)), "1/√(2N) is the answer where"),
        Wrong("too coarse", on_grid(1e-3), "four digits"),
        Wrong("up to 1", up_to_one(True), "larger than 1"),
        Wrong("up to 1, not normalised", up_to_one(False), "larger than 1"),
        Wrong("one for each branch", lambda v, n, r: by_scipy(v, n, r) * np.ones(v.shape), "Return one number"),
        Wrong("minus", lambda *given: -by_scipy(*given), "positive number"),
        Wrong("the stream's mean", lambda v, n, r: by_scipy(v, n, r) if n else np.sqrt((r - 1) / v.sum() / r**0.5),
              "are not normalised"),
        Wrong("largest", lambda v, n, r: np.sqrt((r - 1) / v.max() / v.size) if n else by_scipy(v, n, r),
              "are normalised: each adds"),
    ],
    unforeseen={
        "kinds exchanged": lambda v, n, r: by_scipy(v, not n, r),
        "root of growth": search(walked, np.sqrt),
        "branch variances squared": with_variances(np.square),
        "branch deviations": with_variances(np.sqrt),
        "twice": lambda *given: 2 * by_scipy(*given),
        "the branches of the last block": with_variances(lambda v: v[-1:]),
        "all but the last": with_variances(lambda v: v.ravel()[:-1]),
        "variance shared out": with_variances(lambda v: v / len(v)),
        "inverse": lambda *given: 1 / by_scipy(*given),
        "logarithm": lambda v, n, r: np.log(r) / v.sum(),
        "one per block": lambda v, n, r: np.sqrt((r ** (1 / len(v)) - 1) / v.sum(axis=1).max()),
    },
)
