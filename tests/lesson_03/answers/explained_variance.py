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


def of(change):
    """The answer from the shares of all components, the largest first."""
    return lambda H, k: change(PCA().fit(H).explained_variance_ratio_, k)


SUITE = AnswerSuite(
    "03.6",
    right={"covariance": by_covariance, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("off by one", of(lambda shares, k: shares[: k - 1].sum()), "other components"),
        Wrong("too many", of(lambda shares, k: shares[: k + 1].sum()), "other components"),
        Wrong("one alone", of(lambda shares, k: shares[k - 1]), "other components"),
        Wrong("the smallest", of(lambda shares, k: shares[::-1][:k].sum()), "`eigh` and"),
        Wrong("all others", of(lambda shares, k: shares[k:].sum()), "other components"),
        Wrong("each share", of(lambda shares, k: shares), "Return one number"),
        Wrong("shapes that do not fit", lambda H, k: H - H.mean(axis=1)[:-1], "If shapes do not fit"),
        Wrong("not square", lambda H, k: np.linalg.eigvals(H[:-1, :1]).max(), "the square covariance"),
        Wrong("the variance itself", lambda H, k: PCA(k).fit(H).explained_variance_.sum(), "divided by that along all"),
    ],
    unforeseen={
        "of sizes": lambda H, k: by_sklearn(np.abs(H), k),
        "standardised, not centred": lambda H, k: np.linalg.norm((H / H.std(axis=0))[:, :k]) / np.linalg.norm(H),
        "of ranks": lambda H, k: by_sklearn(H.argsort(axis=0), k),
        "of squares": lambda H, k: by_sklearn(H**2, k),
        "root of the share": lambda H, k: by_sklearn(H, k) ** 0.5,
        "of ReLU": lambda H, k: by_sklearn(np.maximum(H, 0), k),
    },
)
