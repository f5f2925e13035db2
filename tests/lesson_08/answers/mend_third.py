"""Answers to exercise 08.9, right and wrong."""

from __future__ import annotations

import numpy as np

from tests.answers import AnswerSuite
from tests.lesson_08.mends import changed, mends, of_all, unforeseen_in
from utils.lesson_08.flaws import errors

FLAWS = {"J": "two things changed", "K": "rates not tuned", "N": "rates not tuned"}


def at_own_rates(data):
    found = []
    for validation, held_out in zip(data["validation"], data["held_out"], strict=True):
        means = [np.mean(one) for one in validation]
        found.append(sum(held_out[means.index(min(means))]) / held_out.shape[1])
    return found


def trained_alike(data, optimizer="adam"):
    shapes = [data["width"]], [data["narrow"]] * 3
    return [errors(shape, data["seeds"], optimizer=optimizer)[1].mean() for shape in shapes]


def up(data, least=0):
    found = []
    for hidden in ([data["width"]], [data["narrow"]] * 3):
        rates = [*data["rates"]]
        factor = rates[-1] / rates[-2]
        means = [errors(hidden, data["seeds"], lr=lr)[0].mean() for lr in rates]
        while int(np.argmin(means)) == len(means) - 1 or len(means) < least:
            rates.append(rates[-1] * factor)
            means.append(errors(hidden, data["seeds"], lr=rates[-1])[0].mean())
        found.append(errors(hidden, data["seeds"], lr=rates[int(np.argmin(means))])[1].mean())
    return found


def one_rate_more(data):
    rates = [*data["rates"], data["rates"][-1] * data["rates"][-1] / data["rates"][-2]]
    found = []
    for hidden in ([data["width"]], [data["narrow"]] * 3):
        best = min(rates, key=lambda lr: errors(hidden, data["seeds"], lr=lr)[0].mean())
        found.append(errors(hidden, data["seeds"], lr=best)[1].mean())
    return found


MENDS = {"J": trained_alike, "K": at_own_rates, "N": up}
third = mends(FLAWS, **MENDS)


SUITE = AnswerSuite(
    "08.9",
    right={
        "one by one": third,
        "float32": changed(third, lambda flaw, two: (flaw, np.array(two, dtype="float32"))),
        "a longer grid for both": mends(FLAWS, **MENDS | {"N": lambda data: up(data, 7)}),
    },
    wrong=of_all(third),
    unforeseen={
        "off by one": mends(FLAWS, **MENDS | {"K": lambda data: [side[1].mean() for side in data["held_out"]]}),
        "both by SGD": mends(FLAWS, **MENDS | {"J": lambda data: trained_alike(data, "sgd")}),
        "one rate more": mends(FLAWS, **MENDS | {"N": one_rate_more}),
        "told in K": mends(FLAWS, J=trained_alike, N=up),
        "told in N": mends(FLAWS, J=trained_alike, K=at_own_rates),
        "negative": changed(third, lambda flaw, two: (flaw, [-1 - one for one in two])),
        **unforeseen_in(third, "JKN"),
    },
)
