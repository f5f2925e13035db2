"""Answers to exercise 08.8, right and wrong."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge

from tests.answers import AnswerSuite, Wrong
from tests.lesson_08.mends import changed, mends, of_all, unforeseen_in
from utils.lesson_08.flaws import SOUND, errors

FLAWS = {
    "F": SOUND,
    "G": "chosen on held-out data",
    "H": "held-out data leaked",
    "I": "held-out data leaked",
    "J": "two things changed",
}


def chosen(data, first=1):
    place = min(range(first, len(data["validation"])), key=lambda place: data["validation"][place])
    return [data["held_out"][0], data["held_out"][place]]


def fold_by_fold(data, more=0, of_all_rows=False):
    X, y, count = data["X"], data["y"], data["count"] + more
    wrong = [0, 0]
    for fold in range(5):
        held = np.arange(fold, len(y), 5)
        rows = np.setdiff1d(np.arange(len(y)), held)
        ranked = sorted(range(X.shape[1]), key=lambda i: -abs(np.dot(X[rows, i], y[rows])))
        for side, inputs in enumerate((ranked[:count], list(range(X.shape[1])))):
            model = LinearRegression(fit_intercept=False).fit(X[np.ix_(rows, inputs)], y[rows])
            wrong[side] += int((model.predict(X[np.ix_(held, inputs)]) * y[held] < 0).sum())
    return [one / len(y) for one in wrong]


def by_pseudoinverse(data):
    X, y, found = data["X"].astype("float32"), data["y"].astype("float32"), np.zeros((2, len(data["y"])))
    for fold in range(5):
        held = np.arange(len(y)) % 5 == fold
        size = np.abs((X * y[:, None])[~held].sum(axis=0))
        for side, inputs in enumerate((np.argpartition(size, -data["count"])[-data["count"] :], slice(None))):
            found[side, held] = X[held][:, inputs] @ np.linalg.pinv(X[~held][:, inputs]) @ y[~held]
    return (found * y < 0).mean(axis=1)


def without_twins(data, strength=0.01, other_way=False):
    n, found = len(data["arm"]), []
    X = np.vstack([data["arm"], -data["arm"]])
    y = np.array([1.0] * n + [-1.0] * n)
    held = np.flatnonzero(data["held"])
    twins = (held + n) % (2 * n)
    rows = np.setdiff1d(np.arange(2 * n), held if other_way else np.union1d(held, twins))
    for biases in (0, data["b"]):
        features = np.tanh(X @ data["W"] + biases)
        model = Ridge(alpha=strength, fit_intercept=False, solver="svd").fit(features[rows], y[rows])
        found.append(float((model.predict(features[held]) * y[held] < 0).mean()))
    return found


def by_kernel(data):
    """The same ridge in its other form, with as many equations as rows."""
    n = len(data["arm"])
    X, y = np.concatenate([data["arm"], -data["arm"]]), np.concatenate([np.ones(n), -np.ones(n)])
    pair = np.tile(data["held"][:n] | data["held"][n:], 2)
    found = []
    for F in (np.tanh(X @ data["W"]), np.tanh(X @ data["W"] + data["b"])):
        a = np.linalg.solve(F[~pair] @ F[~pair].T + 0.01 * np.eye((~pair).sum()), y[~pair])
        found.append(1 - np.mean(np.sign(F[data["held"]] @ F[~pair].T @ a) == y[data["held"]]))
    return tuple(found)


def trained_alike(data, optimizer="adam"):
    shapes = [data["width"]], [data["narrow"]] * 3
    return [errors(shape, data["seeds"], optimizer=optimizer)[1].mean() for shape in shapes]


MENDS = {"G": chosen, "H": fold_by_fold, "I": without_twins, "J": trained_alike}
second = mends(FLAWS, **MENDS)


def accused(experiment, data, told):
    """Everything but F is right."""
    return ("rates not tuned", told) if experiment == "F" else second(experiment, data, told)


SUITE = AnswerSuite(
    "08.8",
    right={
        "scikit-learn": second,
        "float32, by kernel": mends(FLAWS, **MENDS | {"H": by_pseudoinverse, "I": by_kernel}),
        "H by another name": mends(FLAWS | {"H": "chosen on held-out data"}, **MENDS),
    },
    wrong=[*of_all(second), Wrong("the sound one accused", accused, "A sound experiment is accused")],
    unforeseen={
        "off by one": mends(FLAWS, **MENDS | {"G": lambda data: chosen(data, 2)[::-1]}),
        "two inputs more": mends(FLAWS, **MENDS | {"H": lambda data: [0.0, fold_by_fold(data, 2)[1]]}),
        "twins stay": mends(FLAWS, **MENDS | {"I": lambda data: without_twins(data, other_way=True)}),
        "both by SGD": mends(FLAWS, **MENDS | {"J": lambda data: trained_alike(data, "sgd")}),
        "told in G": mends(FLAWS, **{name: mend for name, mend in MENDS.items() if name != "G"}),
        "negative": changed(second, lambda flaw, two: (flaw, [-1 - one for one in two])),
        **unforeseen_in(second, "FGHIJ"),
    },
)
