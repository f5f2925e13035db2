"""Answers to exercise 05.9, right and wrong."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
from scipy.stats import linregress

from tests.answers import AnswerSuite, Wrong


def by_polyfit(widths, errors, target):
    """Decimal logarithms, teacher by teacher."""
    found = []
    for row in errors:
        slope, height = np.polyfit(np.log10(widths), np.log10(row), 1)
        found.append(10 ** ((np.log10(target) - height) / slope))
    found.sort()
    return statistics.median(found), found[1], found[-2]


def by_linregress(widths, errors, target):
    fits = [linregress(np.log(widths), np.log(row / target)) for row in errors]
    needed = np.array([math.exp(-fit.intercept / fit.slope) for fit in fits])
    return np.median(needed), np.partition(needed, 1)[1], -np.partition(-needed, 1)[1]


def in_torch(widths, errors, target):
    columns = torch.stack([torch.ones(len(widths)).double(), torch.tensor(widths).double().log()], dim=1)
    height, slope = torch.linalg.lstsq(columns, torch.tensor(errors).log().T).solution
    needed = ((math.log(target) - height) / slope).exp().sort().values
    return [needed.quantile(0.5), needed[1], needed[-2]]


def needed(widths, errors, target):
    return np.exp(
        [
            (np.log(target) - fit.intercept) / fit.slope
            for fit in (linregress(np.log(widths), np.log(row)) for row in errors)
        ]
    )


def summed_up(summarise):
    return lambda *given: summarise(np.sort(needed(*given)))


def swapped(widths, errors, target):
    """Lines of log width against log error."""
    fits = [linregress(np.log(row), np.log(widths)) for row in errors]
    found = np.sort([np.exp(fit.slope * np.log(target) + fit.intercept) for fit in fits])
    return np.median(found), found[1], found[-2]


SUITE = AnswerSuite(
    "05.9",
    right={"polyfit": by_polyfit, "linregress": by_linregress, "torch": in_torch},
    wrong=[
        Wrong("median alone", summed_up(np.median), "of shape (3,) was expected"),
        Wrong("rounded", summed_up(lambda found: (np.median(found).round(), *found[[1, -2]].round())), "are rounded"),
        Wrong("mean", summed_up(lambda found: (found.mean(), found[1], found[-2])), "the median is not"),
        Wrong("off by one", summed_up(lambda found: (np.median(found), found[2], found[-3])), "leave out one at"),
        Wrong("all teachers", summed_up(lambda found: (np.median(found), found[0], found[-1])), "leave out one at"),
    ],
    unforeseen={
        "last two": lambda widths, errors, target: by_polyfit(widths[-2:], errors[:, -2:], target),
        "swapped": swapped,
        "one teacher fewer": lambda widths, errors, target: by_polyfit(widths, errors[1:], target),
        "low first": summed_up(lambda found: (found[1], np.median(found), found[-2])),
        "95 %": summed_up(lambda found: (np.median(found), *np.percentile(found, [2.5, 97.5]))),
        "square roots": lambda widths, errors, target: by_polyfit(widths, np.sqrt(errors), target),
    },
)
