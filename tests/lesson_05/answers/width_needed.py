"""Answers to exercise 05.9, right and wrong."""

from __future__ import annotations

import heapq
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


def rounding(to, before):
    """The three numbers of rounded widths, or the three numbers rounded."""

    def summarise(found):
        found = to(found) if before else found
        three = np.array([np.median(found), found[1], found[-2]])
        return three if before else to(three)

    return summarise


def by_normal_equations(widths, errors, target):
    """By covariances, with the logarithm of the error over the target, so that the line is to come to 0."""
    x, y = np.log2(widths), np.log2(errors / target)
    slopes = ((x - x.mean()) * y).mean(axis=1) / x.var()
    zero = x.mean() - y.mean(axis=1) / slopes
    low, *_, high = np.delete(np.sort(zero), [0, -1])
    ordered = np.sort(2**zero)
    return np.array([(ordered[(len(zero) - 1) // 2] + ordered[len(zero) // 2]) / 2, 2**low, 2**high])


def in_one_fit(widths, errors, target):
    """One call of lstsq for all teachers; order by heapq, the median by percentile."""
    columns = np.vander(np.log(widths), 2)
    slope, height = np.linalg.lstsq(columns, np.log(errors).T, rcond=None)[0]
    found = np.exp((np.log(target) - height) / slope)
    return np.percentile(found, 50), heapq.nsmallest(2, found)[-1], heapq.nlargest(2, found)[-1]


def swapped(widths, errors, target):
    """Lines of log width against log error."""
    fits = [linregress(np.log(row), np.log(widths)) for row in errors]
    found = np.sort([np.exp(fit.slope * np.log(target) + fit.intercept) for fit in fits])
    return np.median(found), found[1], found[-2]


SUITE = AnswerSuite(
    "05.9",
    right={
        "polyfit": by_polyfit,
        "linregress": by_linregress,
        "torch": in_torch,
        "normal equations": by_normal_equations,
        "one fit": in_one_fit,
    },
    wrong=[
        Wrong("median alone", summed_up(np.median), "of shape (3,) was expected"),
        *[
            Wrong(f"{name} {what}", summed_up(rounding(to, before=before)), "Your widths are rounded")
            for name, to in (("rounded up", np.ceil), ("rounded down", np.floor), ("to the nearest", np.round))
            for what, before in (("each teacher's width", True), ("the results", False))
        ],
        Wrong(
            "the ends rounded up", summed_up(lambda found: (np.median(found), *np.ceil(found[[1, -2]]))), "rounded, up"
        ),
        Wrong(
            "rounded up to tens",
            summed_up(lambda found: 10 * np.ceil(np.array([np.median(found), *found[[1, -2]]]) / 10)),
            "Your widths are rounded",
        ),
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
