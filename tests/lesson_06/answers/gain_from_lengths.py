"""Answers to exercise 06.3, right and wrong."""

from __future__ import annotations

import math
import statistics

import numpy as np
from scipy.interpolate import interp1d
from scipy.optimize import brentq

from tests.answers import AnswerSuite, Wrong


def in_plain_python(gains, lengths, skip):
    medians = []
    for place in range(len(gains)):
        per_seed = [one[place].tolist() for one in lengths]
        steps = len(per_seed[0]) - 1 - skip
        medians.append(statistics.median(math.log(one[-1] / one[skip]) / steps for one in per_seed))
    for i in range(1, len(gains)):
        if medians[i - 1] < 0 < medians[i]:
            share = medians[i] / (medians[i] - medians[i - 1])
            return gains[i - 1] ** share * gains[i] ** (1 - share)
    return 0.0


def by_root(gains, lengths, skip):
    """A piecewise straight line, and where it is 0; the number of steps changes nothing of that."""
    medians = np.quantile(np.log(lengths[..., -1] / lengths[..., skip]), 0.5, axis=0)
    if medians.max() < 0 or medians.min() > 0:
        return 0.0
    return 10 ** brentq(interp1d(np.log10(gains), medians), *np.log10(gains[[0, -1]]), xtol=1e-9)


def growth(lengths, skip):
    return np.log(lengths[..., -1] / lengths[..., skip]) / (lengths.shape[-1] - 1 - skip)


def finding(find, heights_of=lambda lengths, skip: np.median(growth(lengths, skip), axis=0)):
    """Another idea of where the medians are 0, or of what is."""
    return lambda gains, lengths, skip: find(gains, heights_of(lengths, skip))


def between(gains, heights):
    """The gain at which straight lines over its logarithm are 0, and 0 where they are not."""
    if (heights < 0).all() or (heights > 0).all():
        return 0.0
    return float(np.exp(np.interp(0, np.maximum.accumulate(heights), np.log(gains))))


SUITE = AnswerSuite(
    "06.3",
    right={"plain Python": in_plain_python, "root": by_root, "interp": finding(between)},
    wrong=[
        Wrong("off by one", lambda gains, lengths, skip: in_plain_python(gains, lengths, skip + 1), "begin at another"),
        Wrong(
            "nearest, or 0",
            finding(lambda gains, medians: gains[np.abs(medians).argmin()] if between(gains, medians) else 0),
            "You return one of the gains",
        ),
        Wrong(
            "np.interp alone",
            finding(lambda gains, medians: np.exp(np.interp(0, medians, np.log(gains)))),
            "the answer is 0",
        ),
    ],
    unforeseen={
        "two steps": finding(between, lambda lengths, skip: np.median(growth(lengths[..., -3:], 0), axis=0)),
        "upper quartile": finding(between, lambda lengths, skip: np.quantile(growth(lengths, skip), 0.75, axis=0)),
        "middle": finding(lambda gains, medians: gains[np.abs(medians).argsort()[:2]].mean()),
        "smallest growth": finding(between, lambda lengths, skip: growth(lengths, skip).min(axis=0)),
        "lower quartile": finding(between, lambda lengths, skip: np.quantile(growth(lengths, skip), 0.25, axis=0)),
        "largest growth": finding(between, lambda lengths, skip: growth(lengths, skip).max(axis=0)),
    },
)
