"""Answers to exercise 03.6, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.decomposition import PCA

from tests.answers import AnswerSuite, Wrong


def by_covariance(H, k):
    values = np.sort(np.linalg.eigvalsh(np.cov(H, rowvar=False)))[::-1]
    return values.cumsum()[k - 1] / np.trace(np.cov(H.T))


def by_sklearn(H, k):
    return PCA(k).fit(H).explained_variance_ratio_.sum()


def in_torch(H, k):
    """One minus what the best approximation of rank k leaves, in float32."""
    H = torch.tensor(H).float()
    H = H - H.mean(dim=0)
    U, S, V = torch.linalg.svd(H, full_matrices=False)
    return 1 - ((H - U[:, :k] * S[:k] @ V[:k]) ** 2).sum() / (H**2).sum()


SUITE = AnswerSuite(
    "03.6",
    right={"covariance": by_covariance, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("off by one", lambda H, k: PCA().fit(H).explained_variance_ratio_[: k - 1].sum(), "or too few"),
        Wrong("each share", lambda H, k: PCA().fit(H).explained_variance_ratio_, "Return one number"),
    ],
    unforeseen={
        "of sizes": lambda H, k: by_sklearn(np.abs(H), k),
        "the variance itself": lambda H, k: PCA(k).fit(H).explained_variance_.sum(),
        "standardised": lambda H, k: by_sklearn(H / H.std(axis=0), k),
        "of squares": lambda H, k: by_sklearn(H**2, k),
        "root of the share": lambda H, k: by_sklearn(H, k) ** 0.5,
        "of ReLU": lambda H, k: by_sklearn(np.maximum(H, 0), k),
    },
)
