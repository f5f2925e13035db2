"""Answers to exercise 05.8, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.metrics import explained_variance_score, r2_score

from tests.answers import AnswerSuite, Wrong


def by_normal_equations(X, y, held_X, held_y):
    w = np.linalg.solve(X.T @ X, X.T @ y)
    left = sum((a - b) ** 2 for a, b in zip(held_X @ w, held_y, strict=True))
    return 1 - left / sum((b - held_y.mean()) ** 2 for b in held_y)


def by_sklearn(X, y, held_X, held_y):
    return LinearRegression(fit_intercept=False).fit(X, y).score(held_X, held_y)


def in_torch(X, y, held_X, held_y):
    X, y, held_X, held_y = (torch.tensor(part) for part in (X, y, held_X, held_y))
    w = torch.linalg.pinv(X) @ y
    return 1 - ((held_X @ w - held_y) ** 2).mean() / held_y.var(correction=0)


def scored(score):
    """Another score of the right function: ``score`` takes what it says, the held-out outputs and the others."""

    def answer(X, y, held_X, held_y):
        return score(LinearRegression(fit_intercept=False).fit(X, y).predict(held_X), held_y, y)

    return answer


def mse(one, other):
    return ((one - other) ** 2).mean()


def divided_by(scale):
    return scored(lambda said, held_y, y: 1 - mse(said, held_y) / scale(held_y, y))


SUITE = AnswerSuite(
    "05.8",
    right={"normal equations": by_normal_equations, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("not below 0", scored(lambda said, held_y, y: max(0, r2_score(held_y, said))), "share is negative"),
        Wrong("exchanged", lambda X, y, held_X, held_y: by_sklearn(held_X, held_y, X, y), "are mixed up"),
        Wrong(
            "explained variance",
            scored(lambda said, held_y, y: explained_variance_score(held_y, said)),
            "made of variances alone",
        ),
        Wrong("deviation", divided_by(lambda held_y, y: held_y.std()), "something like the variance"),
        Wrong(
            "weights",
            lambda X, y, held_X, held_y: np.linalg.lstsq(X, y, rcond=None)[0].tolist() + [0.0],
            "Return one number",
        ),
    ],
    unforeseen={
        "off by one": lambda X, y, held_X, held_y: by_sklearn(X[1:], y[1:], held_X, held_y),
        "all inputs": lambda X, y, held_X, held_y: by_sklearn(X, y, np.vstack([X, held_X]), np.append(y, held_y)),
        "absolute": scored(lambda said, held_y, y: 1 - abs(said - held_y).mean() / abs(held_y - held_y.mean()).mean()),
        "root": scored(lambda said, held_y, y: 1 - mse(said, held_y) ** 0.5 / held_y.std()),
        "column": scored(lambda said, held_y, y: 1 - mse(said[:, None], held_y) / held_y.var()),
        "largest": scored(lambda said, held_y, y: 1 - abs(said - held_y).max() ** 2 / held_y.var()),
    },
)
