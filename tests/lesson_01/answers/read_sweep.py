"""Answers to exercise 01.7, right and wrong."""

from __future__ import annotations

import numpy as np
import torch
import xarray as xr

from tests.answers import AnswerSuite, Wrong
from utils.comparison import best_rate


def by_sorting(rates, training, validation, held_out):
    def middle(row):
        row = sorted(row)
        return (row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2

    _, rate, number = max((middle(v), rate, middle(h)) for rate, v, h in zip(rates, validation, held_out, strict=True))
    return rate, number


def by_quantiles(rates, training, validation, held_out):
    """In torch, in single precision, as an array."""
    chosen = torch.quantile(torch.tensor(validation, dtype=torch.float32), 0.5, dim=1).argmax()
    number = torch.quantile(torch.tensor(held_out, dtype=torch.float32), 0.5, dim=1)[chosen]
    return torch.stack([torch.tensor(rates, dtype=torch.float32)[chosen], number])


def by_the_course(rates, training, validation, held_out):
    """As the course's own comparisons choose."""
    rate = best_rate(
        xr.DataArray(validation.T, [("seed", range(validation.shape[1])), ("rate", rates)]), larger_is_better=True
    )
    return rate, np.median(held_out[list(rates).index(rate)])


def chosen_by(score, report=lambda held_out: np.median(held_out, axis=1), part="validation", reported="held_out"):
    """Return the answer that chooses by ``score`` of a part, and reports ``report`` of a part."""

    def answer(rates, training, validation, held_out):
        parts = {"training": training, "validation": validation, "held_out": held_out}
        row = np.argmax(score(parts[part]))
        return rates[row], report(parts[reported])[row]

    return answer


def changed(change):
    """The right pair, changed: ``change`` gets the rate, the number, the row and the rates."""

    def answer(rates, training, validation, held_out):
        rate, number = by_sorting(rates, training, validation, held_out)
        return change(rate, number, list(rates).index(rate), rates)

    return answer


def medians(accuracies):
    return np.median(accuracies, axis=1)


def means(accuracies):
    return np.mean(accuracies, axis=1)


def lower(accuracies):
    return torch.tensor(accuracies).median(dim=1).values.numpy()


def per_seed(rates, training, validation, held_out):
    best = validation.argmax(axis=0)
    return np.median(rates[best]), np.median(held_out[best, np.arange(len(best))])


SUITE = AnswerSuite(
    "01.7",
    right={"sorting": by_sorting, "quantiles": by_quantiles, "the course": by_the_course},
    wrong=[
        Wrong("swapped", changed(lambda rate, number, row, rates: (number, rate)), "one of the rates"),
        Wrong("row from 1", changed(lambda rate, number, row, rates: (row + 1, number)), "not its place"),
        Wrong("to one digit", changed(lambda rate, number, row, rates: (rate, round(number, 1))), "all its digits"),
        Wrong("training reports", chosen_by(medians, reported="training"), "number is not"),
        Wrong("torch.median reports", chosen_by(medians, lower), "the middle two"),
        Wrong("per cent", changed(lambda rate, number, row, rates: (rate, 100 * number)), "between 0 and 1"),
        Wrong("two digits", changed(lambda rate, number, row, rates: (rate, round(number, 2))), "all its digits"),
        Wrong("the rate alone", changed(lambda rate, number, row, rates: rate), "Return two numbers"),
        Wrong(
            "the best held-out median",
            lambda rates, training, validation, held_out: (
                rates[medians(validation).argmax()],
                medians(held_out).max(),
            ),
            "the best of them",
        ),
        Wrong("off by one", changed(lambda rate, number, row, rates: (rates[row - 1], number)), "the rate is not"),
        Wrong("sorted rates", changed(lambda rate, number, row, rates: (sorted(rates)[row], number)), "in no order"),
    ],
    unforeseen={
        "each seed's own rate": per_seed,
        "torch.median": chosen_by(lower, lower),
        "a quarter of the seeds": chosen_by(lambda accuracies: np.quantile(accuracies, 0.25, axis=1)),
        "the worst": chosen_by(lambda validation: -medians(validation)),
        "first seed": chosen_by(lambda accuracies: accuracies[:, 0]),
        "steadiest": chosen_by(lambda accuracies: -accuracies.std(axis=1)),
    },
)
