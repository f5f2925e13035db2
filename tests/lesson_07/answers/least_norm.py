"""Answers to exercise 07.10, right and wrong."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import torch

from tests.answers import AnswerSuite, Wrong


def by_lstsq(F, y, F_new, y_new, counts):
    errors = []
    for k in counts:
        weights, *_ = np.linalg.lstsq(F[:, :k], y)
        errors.append(((y_new - F_new[:, :k] @ weights) ** 2).mean())
    return errors


def by_two_formulas(F, y, F_new, y_new, counts):
    def weights(A):
        n, k = A.shape
        return np.linalg.solve(A.T @ A, A.T @ y) if k <= n else A.T @ np.linalg.solve(A @ A.T, y)

    return np.array([np.mean((F_new[:, :k] @ weights(F[:, :k]) - y_new) ** 2) for k in counts])


def by_eigenvectors(F, y, F_new, y_new, counts):
    """Along the directions that the examples have, and not along others."""
    errors = []
    for k in counts:
        A = torch.tensor(F[:, :k])
        eigenvalues, vectors = torch.linalg.eigh(A.T @ A)
        along = vectors.T @ (A.T @ torch.tensor(y))
        there = torch.where(eigenvalues > 1e-9, along / eigenvalues.clamp(min=1e-9), 0.0)
        errors.append((torch.tensor(F_new[:, :k]) @ (vectors @ there) - torch.tensor(y_new)).square().mean())
    return [float(error) for error in errors]


def without_the_shortest(F, y, F_new, y_new, counts):
    """SciPy's QR with pivoting: with more features than examples some weights are zero."""

    def weights(A):
        return (
            scipy.linalg.lstsq(A, y, lapack_driver="gelsy")[0]
            if A.shape[1] <= len(A)
            else np.append(np.zeros(A.shape[1] - len(A)), np.linalg.solve(A[:, -len(A) :], y))
        )

    return [np.mean((F_new[:, :k] @ weights(F[:, :k]) - y_new) ** 2) for k in counts]


def after(change):
    return lambda F, y, F_new, y_new, counts: by_lstsq(*change(F, y, F_new, y_new), counts)


SUITE = AnswerSuite(
    "07.10",
    right={"lstsq": by_lstsq, "two formulas": by_two_formulas, "eigenvectors": by_eigenvectors},
    wrong=[
        Wrong("last features", without_the_shortest, "but not beyond"),
        Wrong("off by one", lambda *given: by_lstsq(*given[:-1], [k + 1 for k in given[-1]]), "columns are others"),
    ],
    unforeseen={
        "sorted": lambda *given: sorted(by_lstsq(*given)),
        "targets centred": after(lambda F, y, F_new, y_new: (F, y - y.mean(), F_new, y_new - y.mean())),
        "standardised": after(
            lambda F, y, F_new, y_new: (F / F.std(axis=0).clip(0.1), y, F_new / F_new.std(axis=0).clip(0.1), y_new)
        ),
        "squared features": after(lambda F, y, F_new, y_new: (F**2, y, F_new**2, y_new)),
        "largest gap": lambda F, y, F_new, y_new, counts: [
            np.abs(F_new[:, :k] @ np.linalg.pinv(F[:, :k]) @ y - y_new).max() for k in counts
        ],
        "relative": lambda F, y, F_new, y_new, counts: list(
            np.array(by_lstsq(F, y, F_new, y_new, counts)) / np.var(y_new)
        ),
        "both together": after(lambda F, y, F_new, y_new: (np.vstack([F, F_new]), np.append(y, y_new), F_new, y_new)),
    },
)
