"""Answers to exercise 08.9, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong
from tests.lesson_08.mends import changed, mends, of_all, unforeseen_in
from utils.lesson_08.flaws import SOUND, errors

FLAWS = {"K": "rates not tuned", "L": "theory of another limit", "M": SOUND, "N": "rates not tuned"}


def at_own_rates(data):
    found = []
    for validation, held_out in zip(data["validation"], data["held_out"], strict=True):
        means = [np.mean(one) for one in validation]
        found.append(sum(held_out[means.index(min(means))]) / held_out.shape[1])
    return found


def weights(data):
    size = data["networks"], data["layers"], data["width"], data["width"]
    return data["std"] * np.random.default_rng(data["seed"]).normal(size=size)


def one_by_one(data, layers=2, typical=np.median):
    found = []
    for network in weights(data):
        h, squares = np.ones(data["width"]), []
        for W in network:
            h = np.maximum(0, W @ h)
            squares.append(float(h @ h) / len(h))
        found.append([squares[layers - 1], squares[-1]])
    return list(typical(found, axis=0))


def in_float32(data):
    h = torch.ones(data["networks"], data["width"])
    found = []
    for W in torch.as_tensor(weights(data)).float().unbind(1):
        h = torch.einsum("nij,nj->ni", W, h).relu()
        found.append(h.square().mean(dim=1).quantile(0.5))
    return [found[1], found[-1]]


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


MENDS = {"K": at_own_rates, "L": one_by_one, "N": up}
third = mends(FLAWS, **MENDS)


def accused(experiment, data, told):
    """Everything but M is right."""
    return ("two things changed", told) if experiment == "M" else third(experiment, data, told)


SUITE = AnswerSuite(
    "08.9",
    right={
        "one by one": third,
        "float32": mends(FLAWS, **MENDS | {"L": in_float32}),
        "a longer grid for both": mends(FLAWS, **MENDS | {"N": lambda data: up(data, 7)}),
    },
    wrong=[*of_all(third), Wrong("the sound one accused", accused, "A sound experiment is accused")],
    unforeseen={
        "off by one": mends(FLAWS, **MENDS | {"L": lambda data: one_by_one(data, 3)}),
        "means of networks": mends(FLAWS, **MENDS | {"L": lambda data: one_by_one(data, typical=np.mean)}),
        "one rate more": mends(FLAWS, **MENDS | {"N": one_rate_more}),
        "told in K": mends(FLAWS, L=one_by_one, N=up),
        "told in N": mends(FLAWS, K=at_own_rates, L=one_by_one),
        "negative": changed(third, lambda flaw, two: (flaw, [-1 - one for one in two])),
        **unforeseen_in(third, "KLMN"),
    },
)
