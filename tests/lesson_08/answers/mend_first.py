"""Answers to exercise 08.7, right and wrong."""

from __future__ import annotations

import numpy as np
import sklearn.metrics
import torch

from tests.answers import AnswerSuite
from tests.lesson_08.mends import changed, mends, of_all, unforeseen_in
from utils.lesson_08.flaws import errors
from utils.models import mlp_parameters

FLAWS = {
    "A": "one draw",
    "B": "no held-out data",
    "C": "wrong loss",
    "D": "unequal budgets",
    "E": "best of several draws",
}


def by_chebyshev(data):
    fits = [np.polynomial.Chebyshev.fit(data["x"], data["y"], degree) for degree in (3, 9)]
    return [float(((fit(data["x_new"]) - data["y_new"]) ** 2).mean()) for fit in fits]


def by_powers(data):
    found = []
    for degree in (3, 9):
        w = np.linalg.lstsq(np.vander(data["x"], degree + 1), data["y"], rcond=None)[0]
        found.append(np.mean((np.vander(data["x_new"], degree + 1) @ w - data["y_new"]) ** 2))
    return np.array(found)


def by_scikit_learn(data):
    probabilities = [np.exp(side) / np.exp(side).sum(axis=1, keepdims=True) for side in data["outputs"]]
    return [sklearn.metrics.log_loss(data["labels"], p) for p in probabilities]


def by_hand(data):
    signs = 1 - 2 * data["labels"]  # of the difference between the right output and the other
    differences = (data["outputs"][:, :, 1] - data["outputs"][:, :, 0]) * signs
    return np.log1p(np.exp(differences)).mean(axis=1)


def in_float32(data):
    outputs = torch.as_tensor(data["outputs"]).float()
    return [torch.nn.functional.nll_loss(one.log_softmax(1), torch.as_tensor(data["labels"])) for one in outputs]


def at_width(width_of):
    def mend(data):
        shapes = [width_of(data["width"])], [data["width"]] * 3
        return [errors(shape, data["seeds"])[1].mean() for shape in shapes]

    return mend


def solved(width):
    """Return the root of 5n + 2 = 2w² + 7w + 2, rounded down."""
    return (2 * width**2 + 7 * width) // 5


def tried(width):
    wide = width
    while mlp_parameters([2, wide + 1, 2]) <= mlp_parameters([2, *[width] * 3, 2]):
        wide += 1
    return wide


MEANS = {
    "A": lambda data: data["errors"].mean(axis=(1, 2)),
    "E": lambda data: [data["one"].mean(), data["three"].mean()],
}
first = mends(FLAWS, B=by_powers, C=by_hand, D=at_width(solved), **MEANS)
SUITE = AnswerSuite(
    "08.7",
    right={
        "powers, by hand": first,
        "Chebyshev, scikit-learn": mends(FLAWS, B=by_chebyshev, C=by_scikit_learn, D=at_width(tried), **MEANS),
        "float32": mends(
            FLAWS,
            A=lambda data: [np.mean(side.astype("float32")) for side in data["errors"]],
            B=by_chebyshev,
            C=in_float32,
            D=at_width(lambda width: max(n for n in range(1, 2000) if 5 * n <= 2 * width * width + 7 * width)),
            E=lambda data: torch.tensor([sum(data[side]) / len(data[side]) for side in ("one", "three")]),
        ),
    },
    wrong=of_all(first),
    unforeseen={
        "off by one": mends(FLAWS, B=by_powers, C=by_hand, D=at_width(lambda width: width + 1), **MEANS),
        "training errors": mends(FLAWS, C=by_hand, D=at_width(solved), **MEANS),
        "the second set": mends(
            FLAWS,
            A=lambda data: data["errors"][:, 1].mean(axis=1),
            B=by_powers,
            C=by_hand,
            D=at_width(solved),
            E=MEANS["E"],
        ),
        "three times the width": mends(FLAWS, B=by_powers, C=by_hand, D=at_width(lambda w: 3 * w), **MEANS),
        "medians of runs": mends(
            FLAWS,
            B=by_powers,
            C=by_hand,
            D=at_width(solved),
            A=MEANS["A"],
            E=lambda data: [np.median(data["one"]), np.median(data["three"])],
        ),
        "negative": changed(first, lambda flaw, two: (flaw, [-one for one in two])),
        **unforeseen_in(first, "ABCDE"),
    },
)
