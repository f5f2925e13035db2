"""Answers to exercise 08.8, right and wrong."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import Ridge

from tests.answers import AnswerSuite, Wrong
from tests.lesson_08.mends import changed, mends, of_all, unforeseen_in
from utils.lesson_08.flaws import SOUND

FLAWS = {
    "F": SOUND,
    "G": "chosen on held-out data",
    "I": "held-out data leaked",
}


def chosen(data, by="validation"):
    places = [min(range(len(side)), key=side.__getitem__) for side in data[by]]
    return [data["held_out"][side][place] for side, place in enumerate(places)]


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


MENDS = {"G": chosen, "I": without_twins}
second = mends(FLAWS, **MENDS)


def accused(experiment, data, told):
    """Everything but F is right."""
    return ("rates not tuned", told) if experiment == "F" else second(experiment, data, told)


SUITE = AnswerSuite(
    "08.8",
    right={
        "scikit-learn": second,
        "by kernel": mends(FLAWS, **MENDS | {"I": by_kernel}),
        "arrays": mends(FLAWS, G=lambda data: np.array(chosen(data), dtype="float32"), I=without_twins),
    },
    wrong=[*of_all(second), Wrong("the sound one accused", accused, "A sound experiment is accused")],
    unforeseen={
        "off by one": mends(FLAWS, **MENDS | {"G": lambda data: [side[1] for side in data["held_out"]]}),
        "least held-out errors": mends(FLAWS, **MENDS | {"G": lambda data: chosen(data, "held_out")}),
        "twins stay": mends(FLAWS, **MENDS | {"I": lambda data: without_twins(data, other_way=True)}),
        "told in G": mends(FLAWS, I=without_twins),
        "told in I": mends(FLAWS, G=chosen),
        "negative": changed(second, lambda flaw, two: (flaw, [-1 - one for one in two])),
        **unforeseen_in(second, "FGI"),
    },
)
