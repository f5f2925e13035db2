"""Proof of exercise 05.9."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
from scipy.stats import gmean, linregress

from tests.proofs import Proof, Wrong
from utils.lesson_05 import students


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
    return np.exp([(np.log(target) - fit.intercept) / fit.slope
                   for fit in (linregress(np.log(widths), np.log(row)) for row in errors)])


def summary(found):
    found = np.sort(found)
    return np.median(found), found[1], found[-2]


def extrapolated(one):
    """The right summary of other widths: ``one`` takes the widths, one teacher's errors and the target."""
    return lambda widths, errors, target: summary([one(widths, row, target) for row in errors])


def solved(solve, x=np.log, y=np.log):
    """Another way to solve the line: ``solve`` takes target, slope and height."""

    def one(widths, row, target):
        fit = linregress(x(widths), y(row))
        with np.errstate(all="ignore"):
            return solve(target, fit.slope, fit.intercept)

    return extrapolated(one)


def of_errors(change):
    return lambda widths, errors, target: by_polyfit(widths, change(errors), target)


def averaged(mean):
    return of_errors(lambda errors: np.tile(mean(errors, axis=0), (len(errors), 1)))


def of_points(choose):
    return lambda widths, errors, target: by_polyfit(widths[choose], errors[:, choose], target)


def summed_up(summarise):
    return lambda *given: summarise(np.sort(needed(*given)))


def swapped(widths, row, target):
    fit = linregress(np.log(row), np.log(widths))
    return np.exp(fit.slope * np.log(target) + fit.intercept)


def median_errors_first(widths, errors, target):
    return needed(widths, [np.median(errors, axis=0)], target)[0], *by_polyfit(widths, errors, target)[1:]


def percentiles(low, high):
    return summed_up(lambda found: [np.median(found), *np.percentile(found, [low, high])])


def by_errors(found):
    around = 2 * found.std(ddof=1) / math.sqrt(len(found))
    return np.median(found), np.median(found) - around, np.median(found) + around


PROOF = Proof(
    "05.9",
    right={"polyfit": by_polyfit, "linregress": by_linregress, "torch": in_torch},
    wrong=[
        Wrong("off by one", summed_up(lambda found: (np.median(found), found[2], found[-3])), "third smallest"),
        Wrong("mean error", averaged(np.mean), "average the errors"),
        Wrong("median error", averaged(np.median), "average the errors"),
        Wrong("first and last", of_points([0, -1]), "two of the points"),
        Wrong("last two", of_points([-2, -1]), "two of the points"),
        Wrong("swapped", extrapolated(swapped), "The noise is in the errors"),
        Wrong("widths as they are", solved(lambda target, slope, height: (np.log(target) - height) / slope,
                                           x=np.asarray), "Both axes are logarithmic"),
        Wrong("errors as they are", solved(lambda target, slope, height: np.exp((target - height) / slope),
                                           y=np.asarray), "Both axes are logarithmic"),
        Wrong("no logarithms", solved(lambda target, slope, height: (target - height) / slope, np.asarray, np.asarray),
              "Both axes are logarithmic"),
        Wrong("coefficients exchanged", solved(lambda target, slope, height: np.exp((np.log(target) - slope) / height)),
              "returns the slope first"),
        Wrong("logarithms", solved(lambda target, slope, height: (np.log(target) - height) / slope),
              "take the exponential"),
        Wrong("decimal logarithms", solved(lambda target, slope, height: (np.log10(target) - height) / slope,
                                           np.log10, np.log10), "take the exponential"),
        Wrong("to the base 10", solved(lambda target, slope, height: 10 ** ((np.log(target) - height) / slope)),
              "Two bases are mixed"),
        Wrong("exp of decimal", solved(lambda target, slope, height: np.exp((np.log10(target) - height) / slope),
                                       np.log10, np.log10), "Two bases are mixed"),
        Wrong("target in decimal", solved(lambda target, slope, height: np.exp((np.log10(target) - height) / slope)),
              "Two bases are mixed"),
        Wrong("no height", solved(lambda target, slope, height: np.exp(np.log(target) / slope)), "is to be subtracted"),
        Wrong("height added", solved(lambda target, slope, height: np.exp((np.log(target) + height) / slope)),
              "a is to be subtracted"),
        Wrong("mean", summed_up(lambda found: (found.mean(), found[1], found[-2])), "mean of the widths"),
        Wrong("all teachers", summed_up(lambda found: (np.median(found), found[0], found[-1])), "from the smallest to"),
        Wrong("95 %", percentiles(2.5, 97.5), "made of percentiles"),
        Wrong("90 %", percentiles(5, 95), "made of percentiles"),
        Wrong("80 %", percentiles(10, 90), "made of percentiles"),
        Wrong("quartiles", percentiles(25, 75), "made of percentiles"),
        Wrong("standard errors", summed_up(by_errors), "powers of ten"),
        Wrong("deviations", summed_up(lambda found: (np.median(found), np.median(found) - found.std(),
                                                     np.median(found) + found.std())), "powers of ten"),
        Wrong("low first", summed_up(lambda found: (found[1], np.median(found), found[-2])), "their order is not"),
        Wrong("high first", summed_up(lambda found: (np.median(found), found[-2], found[1])), "their order is not"),
        Wrong("median alone", summed_up(lambda found: np.median(found)), "Return three numbers"),
        Wrong("geometric mean", summed_up(lambda found: (gmean(found), found[1], found[-2])), "geometric mean of the"),
        Wrong("median errors first", median_errors_first, "the width of averaged errors"),
        Wrong("upper middle", summed_up(lambda found: (found[len(found) // 2], found[1], found[-2])),
              "of the two in the middle"),
        Wrong("lower middle", summed_up(lambda found: (torch.tensor(found).median(), found[1], found[-2])),
              "of the two in the middle"),
        Wrong("median of logarithms", summed_up(lambda found: (np.exp(np.median(np.log(found))), found[1], found[-2])),
              "of the widths themselves"),
        Wrong("smallest", summed_up(lambda found: (found[0], found[1], found[-2])), "the median is not"),
        Wrong("one end", summed_up(lambda found: (np.median(found), found[1], found[-1])), "leave out one at each end"),
        Wrong("withheld", lambda widths, errors, target: summary(students.width_for(errors, widths, target)),
              "write it yourself"),
    ],
    unforeseen={
        "twice as much": summed_up(lambda found: tuple(2 * np.array(summary(found)))),
        "one unit more": lambda widths, errors, target: by_polyfit(widths + 1, errors, target),
        "one teacher fewer": lambda widths, errors, target: by_polyfit(widths, errors[1:], target),
        "a larger target": lambda widths, errors, target: by_polyfit(widths, errors, 10 * target),
        "square roots": of_errors(np.sqrt),
        "parabola": extrapolated(lambda widths, row, target: np.exp(np.polyval(
            np.polyfit(np.log(row), np.log(widths), min(2, len(widths) - 1)), np.log(target)) + 0.1)),
        "without the smallest width": lambda widths, errors, target: by_polyfit(
            widths[len(widths) // 3 :], errors[:, len(widths) // 3 :], 2 * target),
        "logarithms of logarithms": solved(
            lambda target, slope, height: np.exp(np.exp((np.log(target) - height) / slope) ** 0.1)),
    },
)
