"""Answers to exercise 03.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.linear_model import LinearRegression

from tests.answers import AnswerSuite, Wrong


def by_normal_equations(fit_H, fit_y, score_H, score_y):
    """Centred by the mean of the first set."""
    mean, y = fit_H.mean(axis=0), fit_y * 2.0 - 1.0
    H = fit_H - mean
    weights = np.linalg.solve(H.T @ H, H.T @ (y - y.mean()))
    right = [((h - mean) @ weights + y.mean() > 0) == bool(label) for h, label in zip(score_H, score_y, strict=True)]
    return sum(right) / len(right)


def by_sklearn(fit_H, fit_y, score_H, score_y):
    """The labels 0 and 1, and the middle between them."""
    outputs = LinearRegression().fit(fit_H, fit_y).predict(score_H)
    return float(((outputs > 0.5).astype(int) == score_y).sum() / len(score_y))


def in_torch(fit_H, fit_y, score_H, score_y):
    """One output for each class, in float32."""
    fit_H, score_H = (torch.nn.functional.pad(torch.tensor(H).float(), (0, 1), value=1.0) for H in (fit_H, score_H))
    targets = torch.nn.functional.one_hot(torch.tensor(fit_y).long(), 2).float()
    outputs = score_H @ torch.linalg.lstsq(fit_H, targets).solution
    return (outputs.argmax(dim=1) == torch.tensor(score_y)).float().mean()


def of_sets(choose):
    """The right answer with other sets: ``choose`` takes both and returns those to fit and to score."""
    return lambda *sets: by_sklearn(*choose(*sets))


def ones_for_the_first_alone(fit_H, fit_y, score_H, score_y):
    known = np.column_stack([fit_H, np.ones(len(fit_H))])
    weights = np.linalg.lstsq(known, 2 * np.asarray(fit_y) - 1, rcond=None)[0]
    return ((score_H @ weights > 0) == score_y).mean()


SUITE = AnswerSuite(
    "03.2",
    right={"normal equations": by_normal_equations, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[Wrong("ones for the first set alone", ones_for_the_first_alone, "If shapes do not fit")],
    unforeseen={
        "off by one": of_sets(lambda H, y, other_H, other_y: (H, y, other_H[1:], other_y[:-1])),
        "fitted on both": of_sets(lambda H, y, *score: (np.r_[H, score[0]], np.r_[y, score[1]], *score)),
        "exchanged": of_sets(lambda *sets: (*sets[2:], *sets[:2])),
        "centred by themselves": of_sets(
            lambda H, y, other_H, other_y: (H - H.mean(axis=0), y, other_H - other_H.mean(axis=0), other_y)
        ),
        "of class 1 alone": of_sets(
            lambda H, y, other_H, other_y: (H, y, other_H[other_y == 1], other_y[other_y == 1])
        ),
        "the first unit alone": of_sets(lambda H, y, other_H, other_y: (H[:, :1], y, other_H[:, :1], other_y)),
    },
)
