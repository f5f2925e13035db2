"""Answers to exercise 02.4, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


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


def from_values(lost):
    """An answer that sums ``lost(values, width)`` over the singular values of the centred targets, rightly scaled."""

    def answer(X, A, width):
        Y = X @ A.T
        return np.sum(lost(np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False), width)) / (2 * Y.size)

    return answer


def with_np_cov(X, A, width):
    """From the covariance that np.cov gives if it is told nothing else."""
    values = np.linalg.eigvalsh(np.atleast_2d(np.cov(X @ A.T, rowvar=False)))[::-1]
    return np.clip(values[width:], 0, None).sum() / (2 * len(A))


def keeping(order):
    """The variances of the outputs that are given up: all but the first ``width`` in this order."""
    return lambda X, A, width: np.sum(order((X @ A.T).var(axis=0))[width:]) / (2 * len(A))


SUITE = AnswerSuite(
    "02.4",
    right={
        "singular values": by_singular_values,
        "covariance": by_covariance,
        "the network": by_the_best_network,
        "float32": lambda *given: np.float32(by_singular_values(*given)),
    },
    unforeseen={
        "off by one": from_values(lambda s, r: s[r + 2 :] ** 2),
        "squared twice": from_values(lambda s, r: s[r:] ** 4),
        "a root": lambda *given: np.sqrt(by_singular_values(*given)),
        "smallest variances kept": keeping(np.sort),
        "the last lost direction alone": from_values(lambda s, r: s[r:][-1:] ** 2),
        "0 where it is small": lambda *given: by_singular_values(*given) * (by_singular_values(*given) >= 1e-6),
    },
    wrong=[
        Wrong("as for the flip", lambda X, A, width: max(4 - width, 0) / 32, "formula v (m − r)/(2m) does not apply"),
        Wrong("np.cov", with_np_cov, "divide by n − 1"),
    ],
)
