"""Proof of exercise 03.2."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier

from tests.proofs import Proof, Wrong


def by_lstsq(fit_H, fit_y, score_H, score_y, *, bias=True, low=-1.0, threshold=0.0):
    ones = [np.ones((len(H), int(bias))) for H in (fit_H, score_H)]
    weights, *_ = np.linalg.lstsq(np.hstack([fit_H, ones[0]]), np.where(fit_y == 1, 1.0, low), rcond=None)
    return np.mean((np.hstack([score_H, ones[1]]) @ weights > threshold) == (score_y == 1))


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
    return lambda fit_H, fit_y, score_H, score_y: by_lstsq(*choose(fit_H, fit_y, score_H, score_y))


def both(fit_H, fit_y, score_H, score_y):
    return np.concatenate([fit_H, score_H]), np.concatenate([fit_y, score_y])


def then(change):
    """What becomes of the right number."""
    return lambda *given: change(by_lstsq(*given), given[3])


def by_class(classifier):
    return lambda fit_H, fit_y, score_H, score_y: classifier.fit(fit_H, fit_y).score(score_H, score_y)


def squared_error(fit_H, fit_y, score_H, score_y):
    outputs = LinearRegression().fit(fit_H, 2 * fit_y - 1).predict(score_H)
    return np.mean((outputs - (2 * score_y - 1)) ** 2)


def signs_against_labels(fit_H, fit_y, score_H, score_y):
    outputs = LinearRegression().fit(fit_H, 2 * fit_y - 1).predict(score_H)
    return np.mean(np.sign(outputs) == score_y)


def predictions(fit_H, fit_y, score_H, score_y):
    return (LinearRegression().fit(fit_H, fit_y).predict(score_H) > 0.5).astype(int)


def ones_for_the_first_alone(fit_H, fit_y, score_H, score_y):
    known = np.column_stack([fit_H, np.ones(len(fit_H))])
    weights = np.linalg.lstsq(known, 2 * np.asarray(fit_y) - 1, rcond=None)[0]
    return ((score_H @ weights > 0) == score_y).mean()


PROOF = Proof(
    "03.2",
    right={"lstsq": by_lstsq, "normal equations": by_normal_equations, "scikit-learn": by_sklearn, "torch": in_torch},
    wrong=[
        Wrong("ones for the first set alone", ones_for_the_first_alone, "If shapes do not fit"),
        Wrong("off by one", then(lambda share, y: share * len(y) / (len(y) - 1) - 0.003), "no share of"),
        Wrong("on the training set", of_sets(lambda H, y, other_H, other_y: (H, y, H, y)), "was fitted on"),
        Wrong("fitted on what is scored", of_sets(lambda H, y, other_H, other_y: (other_H, other_y) * 2),
              "has seen the answers"),
        Wrong("fitted on both", of_sets(lambda *sets: (*both(*sets), *sets[2:])), "fit on both sets"),
        Wrong("scored on both", of_sets(lambda *sets: (*sets[:2], *both(*sets))), "score on both sets"),
        Wrong("exchanged", of_sets(lambda *sets: (*sets[2:], *sets[:2])), "changed places: fit"),
        Wrong("no bias", lambda *sets: by_lstsq(*sets, bias=False), "bias is missing"),
        Wrong("no bias, at a half", lambda *sets: by_lstsq(*sets, bias=False, low=0.0, threshold=0.5),
              "bias is missing"),
        Wrong("0 and 1 at 0", lambda *sets: by_lstsq(*sets, low=0.0), "the middle is 1/2"),
        Wrong("signs at a half", lambda *sets: by_lstsq(*sets, threshold=0.5), "between them is 0"),
        Wrong("signs against labels", signs_against_labels, "`np.sign` says"),
        Wrong("error", then(lambda share, y: 1 - share), "gets wrong"),
        Wrong("the larger share", then(lambda share, y: max(share, 1 - share)), "right about less than half"),
        Wrong("centred by themselves", of_sets(lambda H, y, other_H, other_y: (
            H - H.mean(axis=0), y, other_H - other_H.mean(axis=0), other_y)), "its own mean"),
        Wrong("how many", then(lambda share, y: round(share * len(y))), "how many are right"),
        Wrong("per cent", then(lambda share, y: 100 * share), "in per cent"),
        Wrong("squared error", squared_error, "no share of the activations"),
        Wrong("R²", lambda fit_H, fit_y, score_H, score_y: LinearRegression().fit(fit_H, fit_y).score(
            score_H, score_y) - 5, "A share lies between"),
        Wrong("predictions", predictions, "Return one number"),
    ],
    unforeseen={
        "a ridge": by_class(RidgeClassifier(alpha=30.0)),
        "logistic regression with a strong penalty": by_class(LogisticRegression(C=0.01)),
        "the first unit alone": of_sets(lambda H, y, other_H, other_y: (H[:, :1], y, other_H[:, :1], other_y)),
        "without the last unit": of_sets(lambda H, y, other_H, other_y: (H[:, :1] ** 2, y, other_H[:, :1] ** 2,
                                                                         other_y)),
        "the share of class 1": lambda fit_H, fit_y, score_H, score_y: score_y.mean(),
        "the share that is said to be 1": lambda *sets: predictions(*sets).mean(),
        "squares of the activations": of_sets(lambda H, y, other_H, other_y: (H**2, y, other_H**2, other_y)),
        "half of the fit": of_sets(lambda H, y, other_H, other_y: (H[::2], y[::2], other_H, other_y)),
        "standardised by themselves": of_sets(lambda H, y, other_H, other_y: (
            (H - H.mean(axis=0)) / H.std(axis=0), y, (other_H - other_H.mean(axis=0)) / other_H.std(axis=0), other_y)),
    },
)
