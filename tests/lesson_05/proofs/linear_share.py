"""Proof of exercise 05.8."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.metrics import explained_variance_score, r2_score

from tests.proofs import Proof, Wrong
from utils.lesson_05 import networks


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


def withheld(X, y, held_X, held_y):
    X, y, held_X, held_y = (torch.tensor(part).reshape(len(part), -1) for part in (X, y, held_X, held_y))
    said = networks.linear_student(X, y)(held_X).detach()
    return r2_score(held_y, said)


def error_withheld(X, y, held_X, held_y):
    model = torch.nn.Linear(X.shape[1], 1, bias=False).double()
    with torch.no_grad():
        model.weight.copy_(torch.tensor(np.linalg.lstsq(X, y, rcond=None)[0]))
    return 1 - networks.relative_error(model, torch.tensor(held_X), torch.tensor(held_y)[:, None])


def scored(score, intercept=False):
    """Another score of the right function: ``score`` takes what it says, the held-out outputs and the others."""

    def answer(X, y, held_X, held_y):
        return score(LinearRegression(fit_intercept=intercept).fit(X, y).predict(held_X), held_y, y)

    return answer


def mse(one, other):
    return ((one - other) ** 2).mean()


def divided_by(scale):
    return scored(lambda said, held_y, y: 1 - mse(said, held_y) / scale(held_y, y))


def of_parts(choose):
    return lambda X, y, held_X, held_y: by_sklearn(*choose(X, y, held_X, held_y))


def both(X, y, held_X, held_y):
    return np.concatenate([X, held_X]), np.concatenate([y, held_y]), held_X, held_y


def standardised(X, y, held_X, held_y):
    return X - X.mean(axis=0), y - y.mean(), held_X - held_X.mean(axis=0), held_y - held_y.mean()


def input_by_input(X, y, held_X, held_y):
    w = [x @ y / (x @ x) for x in X.T]
    return r2_score(held_y, held_X @ w)


PROOF = Proof(
    "05.8",
    right={"normal equations": by_normal_equations, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("off by one", divided_by(lambda held_y, y: held_y.var(ddof=1)), "divides by n − 1"),
        Wrong("on the first part", of_parts(lambda X, y, held_X, held_y: (X, y, X, y)), "function was fitted on"),
        Wrong("on the second part", of_parts(lambda X, y, held_X, held_y: (held_X, held_y, held_X, held_y)),
              "You fit on the held-out part"),
        Wrong("on both", of_parts(both), "on both parts together"),
        Wrong("exchanged", of_parts(lambda X, y, held_X, held_y: (held_X, held_y, X, y)), "changed places"),
        Wrong("intercept", scored(lambda said, held_y, y: r2_score(held_y, said), intercept=True), "an intercept, so"),
        Wrong("variance of the first part", divided_by(lambda held_y, y: y.var()), "outputs that were fitted"),
        Wrong("mean square", divided_by(lambda held_y, y: (held_y**2).mean()), "You divide by the mean square"),
        Wrong("deviation", divided_by(lambda held_y, y: held_y.std()), "You divide by the standard deviation"),
        Wrong("no variance", divided_by(lambda held_y, y: 1.0), "is not divided by the variance"),
        Wrong("mean squared error", scored(lambda said, held_y, y: mse(said, held_y)), "not divided by the variance"),
        Wrong("relative error", scored(lambda said, held_y, y: mse(said, held_y) / held_y.var()), "the relative error"),
        Wrong("root", scored(lambda said, held_y, y: 1 - (mse(said, held_y) / held_y.var()) ** 0.5), "take a root"),
        Wrong("correlation", scored(lambda said, held_y, y: np.corrcoef(said, held_y)[0, 1]), "is a correlation"),
        Wrong("squared correlation", scored(lambda said, held_y, y: np.corrcoef(said, held_y)[0, 1] ** 2),
              "is a correlation"),
        Wrong("variance of the fit", scored(lambda said, held_y, y: said.var() / held_y.var()), "how much the linear"),
        Wrong("per cent", scored(lambda said, held_y, y: 100 * r2_score(held_y, said)), "in per cent"),
        Wrong("standardised", of_parts(standardised), "its own means"),
        Wrong("column", scored(lambda said, held_y, y: 1 - mse(said[:, None], held_y) / held_y.var()),
              "m × m differences"),
        Wrong("mean of the first part", scored(lambda said, held_y, y: 1 - mse(said, held_y) / mse(y.mean(), held_y)),
              "about the mean of the outputs that were fitted"),
        Wrong("variance of what is left", scored(lambda said, held_y, y: explained_variance_score(held_y, said)),
              "forgives it a wrong mean"),
        Wrong("sum over mean", scored(lambda said, held_y, y: 1 - ((said - held_y) ** 2).sum() / held_y.var()),
              "a sum by a mean"),
        Wrong("mean over sum", scored(lambda said, held_y, y: 1 - mse(said, held_y) / len(held_y) / held_y.var()),
              "a mean by a sum"),
        Wrong("input by input", input_by_input, "each input by itself"),
        Wrong("not below 0", scored(lambda said, held_y, y: max(0, r2_score(held_y, said))), "share is negative"),
        Wrong("weights", lambda X, y, held_X, held_y: np.linalg.lstsq(X, y, rcond=None)[0].tolist() + [0.0],
              "Return one number"),
        Wrong("more than all", scored(lambda said, held_y, y: 1 + mse(said, held_y) / held_y.var()), "larger than 1"),
        Wrong("withheld", withheld, "write it yourself"),
        Wrong("error withheld", error_withheld, "write it yourself"),
    ],
    unforeseen={
        "cubes as well": lambda X, y, held_X, held_y:
            by_sklearn(np.hstack([X, X**3]), y, np.hstack([held_X, held_X**3]), held_y),
        "first input": lambda X, y, held_X, held_y: by_sklearn(X[:, :1], y, held_X[:, :1], held_y),
        "sums of differences": scored(lambda said, held_y, y: 1 - abs(said - held_y).sum()
                                      / abs(held_y - held_y.mean()).sum()),
        "shrunk": scored(lambda said, held_y, y: r2_score(held_y, 0.9 * said)),
        "median": scored(lambda said, held_y, y: 1 - np.median((said - held_y) ** 2) / held_y.var()),
        "half of the data": lambda X, y, held_X, held_y: by_sklearn(X[::2], y[::2], held_X, held_y),
        "squared share": scored(lambda said, held_y, y: r2_score(held_y, said) ** 3),
    },
)
