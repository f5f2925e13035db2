"""Proof of exercise 02.4."""

from __future__ import annotations

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def by_singular_values(X, A, width):
    Y = X @ A.T
    values = np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False)
    return np.sum(values[width:] ** 2) / (2 * Y.size)


def by_covariance(X, A, width):
    """The smallest eigenvalues of the targets' covariance, from that of the inputs."""
    covariance = A @ np.cov(X, rowvar=False, bias=True) @ A.T
    return float(np.linalg.eigvalsh(covariance)[::-1][width:].sum() / (2 * len(A)))


def by_the_best_network(X, A, width):
    """The error of the linear network whose hidden units are the first principal components, in torch."""
    Y = torch.as_tensor(X @ A.T)
    mean = Y.mean(dim=0)
    components = torch.linalg.svd(Y - mean, full_matrices=False).Vh[:width]
    outputs = (Y - mean) @ components.T @ components + mean
    return (outputs - Y).square().mean() / 2


def in_single_precision(X, A, width):
    return np.float32(by_singular_values(X, A, width))


def by_points(X, A, width):
    """From the matrix of inner products of the points, which has the same eigenvalues."""
    Y = X @ A.T
    centring = np.eye(len(X)) - 1 / len(X)
    values = np.sort(np.linalg.eigvalsh(centring @ Y @ Y.T @ centring))[::-1]
    return np.clip(values[width:], 0, None).sum() / (2 * Y.size)


def from_values(lost, *, centred=True, factor=None):
    """An answer that sums ``lost(values, width)`` over singular values of the targets."""

    def answer(X, A, width):
        Y = X @ A.T
        values = np.linalg.svd(Y - centred * Y.mean(axis=0), compute_uv=False)
        return lost(values, width).sum() * (factor(*Y.shape) if factor else 1 / (2 * Y.size))

    return answer


def squares(values, width):
    return values[width:] ** 2


def of_a(X, A, width):
    return (np.linalg.svd(A, compute_uv=False)[width:] ** 2).sum() / (2 * len(A))


def of_x(X, A, width):
    return (np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[width:] ** 2).sum() / (2 * X.size)


def centred_by_points(X, A, width):
    Y = X @ A.T
    return (np.linalg.svd(Y - Y.mean(axis=1, keepdims=True), compute_uv=False)[width:] ** 2).sum() / (2 * Y.size)


def with_np_cov(X, A, width):
    """From the covariance that np.cov gives if it is told nothing else."""
    values = np.linalg.eigvalsh(np.atleast_2d(np.cov(X @ A.T, rowvar=False)))[::-1]
    return np.clip(values[width:], 0, None).sum() / (2 * len(A))


def centred_by_one_number(X, A, width):
    Y = X @ A.T
    return (np.linalg.svd(Y - Y.mean(), compute_uv=False)[width:] ** 2).sum() / (2 * Y.size)


def by_the_flips_formula(variance):
    """The lesson's formula, with ``variance(Y)`` for the targets' variance."""

    def answer(X, A, width):
        return variance(X @ A.T) * max(len(A) - width, 0) / (2 * len(A))

    return answer


def keeping(order):
    """The variances of the outputs that are given up: all but the first ``width`` in this order."""

    def answer(X, A, width):
        return np.sum(order((X @ A.T).var(axis=0))[width:]) / (2 * len(A))

    return answer


def divided_by(divisor):
    """The right sum, divided by ``divisor(X)``."""
    return lambda X, A, width: by_singular_values(X, A, width) * 2 * len(X) * len(A) / divisor(X)


def not_transposed(X, A, width):
    """By the rows of A, which raises where A is not square."""
    Y = X @ A
    values = np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False)
    return np.sum(values[width:] ** 2) / (2 * Y.size)


def as_eigvals_come(X, A, width):
    """With the covariance's eigenvalues in an order that nobody promised."""
    values = np.linalg.eigvals(np.atleast_2d(np.cov(X @ A.T, rowvar=False, bias=True))).real
    return values[width:].sum() / (2 * len(A))


def small_as_zero(least):
    def answer(X, A, width):
        floor = by_singular_values(X, A, width)
        return floor if floor >= least else 0.0

    return answer


PROOF = Proof(
    "02.4",
    right={"singular values": by_singular_values, "covariance": by_covariance, "the network": by_the_best_network,
           "float32": in_single_precision, "points": by_points},
    wrong=[
        Wrong("off by one", from_values(lambda s, r: s[r + 1 :] ** 2), "One too many kept"),
        Wrong("not transposed", not_transposed, "X times A transposed"),
        Wrong("one too few", from_values(lambda s, r: s[r - 1 :] ** 2), "One too few kept"),
        Wrong("as for the flip", lambda X, A, width: max(4 - width, 0) / 32, "formula v (m − r)/(2m) does not apply"),
        Wrong("the flip's formula", by_the_flips_formula(lambda Y: Y.var(axis=0).mean()), "does not apply"),
        Wrong("the flip's formula, variance of all", by_the_flips_formula(np.var), "does not apply"),
        Wrong("the flip's formula, n − 1", by_the_flips_formula(lambda Y: Y.var(axis=0, ddof=1).mean()),
              "does not apply"),
        Wrong("the flip's formula, 1/4", by_the_flips_formula(lambda Y: 0.25), "does not apply"),
        Wrong("largest variances kept", keeping(lambda v: np.sort(v)[::-1]), "give up whole outputs"),
        Wrong("last outputs dropped", keeping(lambda v: v), "give up whole outputs"),
        Wrong("np.cov", with_np_cov, "divides by n − 1"),
        Wrong("one mean for all", centred_by_one_number, "each column's mean"),
        Wrong("divided by the inputs", divided_by(lambda X: 2 * X.shape[1]), "not of inputs"),
        Wrong("divided by the inputs' entries", divided_by(lambda X: 2 * X.size), "not of inputs"),
        Wrong("divided by X.size, no half", divided_by(lambda X: X.size), "not of inputs"),
        Wrong("half of it", lambda X, A, width: 0.5 * by_singular_values(X, A, width), "0.5 times"),
        Wrong("plus a tenth", lambda X, A, width: 0.1 + by_singular_values(X, A, width), "0.1 more"),
        Wrong("the largest", from_values(lambda s, r: s[::-1][r:] ** 2), "wrong ones are left out"),
        Wrong("dropped from the end", from_values(lambda s, r: s[r - len(s) :] ** 2), "larger than expected"),
        Wrong("as eigvals come", as_eigvals_come, "larger than expected"),
        *[Wrong(f"0 below {least}", small_as_zero(least), "which is not 0") for least in (1e-4, 1e-6)],
        Wrong("captured", from_values(lambda s, r: s[:r] ** 2), "what the hidden layer carries"),
        Wrong("only the next", from_values(lambda s, r: s[r : r + 1] ** 2), "not only the next"),
        Wrong("no squares", from_values(lambda s, r: s[r:]), "squares are missing"),
        Wrong("squared twice", from_values(lambda s, r: s[r:] ** 4), "Squared twice"),
        Wrong("not centred", from_values(squares, centred=False), "Not centred"),
        Wrong("centred by points", centred_by_points, "wrong axis"),
        Wrong("sum", from_values(squares, factor=lambda n, m: 1.0), "sum of the squared errors"),
        Wrong("half of the sum", from_values(squares, factor=lambda n, m: 0.5), "half of the sum"),
        Wrong("no half", from_values(squares, factor=lambda n, m: 1 / (n * m)), "half of it is asked for"),
        Wrong("sum over outputs", from_values(squares, factor=lambda n, m: 1 / (2 * n)), "number of outputs as well"),
        Wrong("sum over outputs, no half", from_values(squares, factor=lambda n, m: 1 / n), "and take half"),
        Wrong("sum over points", from_values(squares, factor=lambda n, m: 1 / (2 * m)), "number of points as well"),
        Wrong("root", lambda X, A, width: np.sqrt(by_singular_values(X, A, width)), "a root"),
        Wrong("of the map", of_a, "of A alone"),
        Wrong("of the map, as a sum", lambda X, A, width: 2 * len(A) * of_a(X, A, width), "of A alone"),
        Wrong("of the inputs", of_x, "singular values of the inputs"),
        Wrong("one by one", lambda X, A, width: np.linalg.svd(X @ A.T, compute_uv=False), "Return one number"),
    ],
    unforeseen={
        "the largest value alone": from_values(lambda s, r: s[:1] ** 2),
        "the median taken away": lambda X, A, width: (np.linalg.svd(
            X @ A.T - np.median(X @ A.T, axis=0), compute_uv=False)[width:] ** 2).sum() / (2 * len(X) * len(A)),
        "scaled to one": lambda X, A, width: (np.linalg.svd(
            (X - X.mean(axis=0)) / (X.std(axis=0) + 1) @ A.T, compute_uv=False)[width:] ** 2).sum() / (2 * len(X)),
        "a share": lambda X, A, width: by_singular_values(X, A, width) / by_singular_values(X, A, 0),
        "a quarter": from_values(squares, factor=lambda n, m: 1 / (4 * n * m)),
        "cubes": from_values(lambda s, r: s[r:] ** 3),
        "everything": from_values(lambda s, r: s**2),
        "a square of the sum": from_values(lambda s, r: s[r:].sum()[None] ** 2),
        "two kept too many": from_values(lambda s, r: s[r + 2 :] ** 2),
        "every second": from_values(lambda s, r: s[r::2] ** 2),
        "plus one": lambda X, A, width: 1 + by_singular_values(X, A, width),
    },
)
