"""Proof of exercise 03.6."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.decomposition import PCA

from tests.proofs import Proof, Wrong


def by_singular_values(H, k):
    values = np.linalg.svd(H - H.mean(axis=0))[1] ** 2
    return values[:k].sum() / values.sum()


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


def shared(*, center=lambda H: H - H.mean(axis=0), power=2, scale=False, pick=lambda values, k: values[:k]):
    """The first of the right answers, with some part other than it should be."""

    def answer(H, k):
        H = center(H)
        values = np.linalg.svd(H / H.std(axis=0) if scale else H, compute_uv=False) ** power
        return pick(values, k).sum() / values.sum()

    return answer


def not_at_all(H):
    return H


PROOF = Proof(
    "03.6",
    right={"svd": by_singular_values, "covariance": by_covariance, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("off by one", shared(pick=lambda values, k: values[: k + 1]), "too many"),
        Wrong("one less", shared(pick=lambda values, k: values[: k - 1]), "too few"),
        Wrong("not centred", shared(center=not_at_all), "are not centred: take"),
        Wrong("centred by points", shared(center=lambda H: H - H.mean(axis=1, keepdims=True)), "each point's mean"),
        Wrong("one mean", shared(center=lambda H: H - H.mean()), "one mean of all"),
        Wrong("not squared", shared(power=1), "like standard deviations"),
        Wrong("squared twice", shared(power=4), "once too often"),
        Wrong("neither", shared(center=not_at_all, power=1), "Two things"),
        Wrong("k-th alone", shared(pick=lambda values, k: values[k - 1]), "share of one"),
        Wrong("index k", shared(pick=lambda values, k: values[k : k + 1]), "share of one"),
        Wrong("the rest", shared(pick=lambda values, k: values[k:]), "share that is left"),
        Wrong("ascending", lambda H, k: np.linalg.eigvalsh(np.cov(H.T))[:k].sum() / np.trace(np.cov(H.T)),
              "ascending order"),
        Wrong("units that vary most", lambda H, k: np.sort(H.var(axis=0))[-k:].sum() / H.var(axis=0).sum(),
              "variance of k units"),
        Wrong("first units", lambda H, k: H.var(axis=0)[:k].sum() / H.var(axis=0).sum(), "variance of k units"),
        Wrong("standardised", shared(scale=True), "standard deviation: that"),
        Wrong("variance", lambda H, k: PCA(k).fit(H).explained_variance_.sum(), "variance itself"),
        Wrong("per cent", lambda H, k: 100 * by_sklearn(H, k), "in per cent"),
        Wrong("all shares", lambda H, k: PCA().fit(H).explained_variance_ratio_, "Return one number"),
        Wrong("ten times the total", lambda H, k: 10 + np.var(H), "lies between 0 and 1"),
    ],
    unforeseen={
        "median away": shared(center=lambda H: H - np.median(H, axis=0)),
        "over the largest": lambda H, k: PCA().fit(H).explained_variance_[-1] / PCA().fit(H).explained_variance_[0],
        "without the first point": lambda H, k: by_sklearn(H[1:], k),
        "to the third power": shared(power=3),
        "transposed": lambda H, k: by_singular_values(H.T, k) * 0.99,
        "k over the units": lambda H, k: k / H.shape[1],
        "root of the share": lambda H, k: by_sklearn(H, k) ** 0.5,
        "of ReLU": lambda H, k: by_singular_values(np.maximum(H, 0), k),
    },
)
