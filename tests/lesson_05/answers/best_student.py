"""Answers to exercise 05.5, right and wrong."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
from scipy.stats import ttest_1samp, ttest_ind, ttest_rel

from tests.answers import AnswerSuite, Wrong

SAME, SHALLOW, UNCLEAR = "same shape", "shallow", "cannot tell"


def word(t, margin=2):
    return SAME if t > margin else SHALLOW if t < -margin else UNCLEAR


def in_plain_python(errors, parameters, target):
    columns = [list(map(float, column)) for column in zip(*errors, strict=True)]
    medians = [statistics.median(column) for column in columns]
    enough = sorted(p for p, median in zip(parameters, medians, strict=True) if median <= target)
    shallow = min(range(len(columns) - 1), key=medians.__getitem__)
    d = [math.log(a / b) for a, b in zip(columns[shallow], columns[-1], strict=True)]
    t = statistics.fmean(d) / statistics.stdev(d) * math.sqrt(len(d))
    return int(enough[0]) if enough else 0, t, word(t)


def by_scipy(errors, parameters, target):
    """The lead is Student's t of paired samples."""
    order = np.argsort(parameters)
    enough = [parameters[place] for place in order if np.median(errors[:, place]) <= target]
    best = errors[:, np.median(errors[:, :-1], axis=0).argmin()]
    t = ttest_rel(np.log10(best), np.log10(errors[:, -1])).statistic
    return [int((enough + [0])[0]), t, word(t)]


def in_torch(errors, parameters, target):
    errors, parameters = torch.as_tensor(errors), torch.as_tensor(parameters)
    medians = errors.quantile(0.5, dim=0)
    enough = parameters[medians <= target]
    d = (errors[:, medians[:-1].argmin()] / errors[:, -1]).log()
    t = d.mean() / d.std() * len(d) ** 0.5
    return enough.min() if len(enough) else 0, t, word(t)


def lead_of(lead):
    """The right answer with another lead of the best shallow student's errors and the others."""

    def answer(errors, parameters, target):
        t = lead(errors[:, np.median(errors, axis=0)[:-1].argmin()], errors[:, -1])
        return in_plain_python(errors, parameters, target)[0], t, word(t)

    return answer


def against(shallow):
    """The right answer with the lead over other errors of shallow students."""
    return lambda errors, *more: lead_of(lambda _, same: ttest_rel(np.log(shallow(errors)), np.log(same)).statistic)(
        errors, *more
    )


def fewest_of(fewest):
    return lambda *given: (fewest(*given), *in_plain_python(*given)[1:])


def judging(judge):
    def answer(*given):
        fewest, t, _ = in_plain_python(*given)
        return fewest, t, judge(t)

    return answer


SUITE = AnswerSuite(
    "05.5",
    right={"plain Python": in_plain_python, "SciPy": by_scipy, "torch": in_torch},
    wrong=[
        Wrong("two alone", lambda *given: in_plain_python(*given)[:2], "A list of 3 parts was expected"),
        Wrong("no margin", judging(lambda t: word(t, 0)), "The two numbers are right"),
        Wrong("turned round", lead_of(lambda best, same: ttest_1samp(np.log(same / best), 0).statistic), "wrong sign"),
        Wrong(
            "shallow alone",
            fewest_of(
                lambda errors, parameters, target: min(
                    parameters[:-1][np.median(errors[:, :-1], axis=0) <= target], default=0
                )
            ),
            "they stand in no order",
        ),
        Wrong(
            "unpaired", lead_of(lambda best, same: ttest_ind(np.log(best), np.log(same)).statistic), "the lead is not"
        ),
        Wrong(
            "best seed",
            fewest_of(lambda errors, parameters, target: min(parameters[errors.min(axis=0) <= target], default=0)),
            "Lead and verdict are right",
        ),
    ],
    unforeseen={
        "off by one": lambda errors, parameters, target: in_plain_python(errors[1:], parameters, target),
        "most": fewest_of(
            lambda errors, parameters, target: max(parameters[np.median(errors, axis=0) <= target], default=0)
        ),
        "place": fewest_of(lambda errors, parameters, target: (np.median(errors, axis=0) <= target).argmax()),
        "best of each seed": against(lambda errors: errors[:, :-1].min(axis=1)),
        "median": lead_of(lambda best, same: np.median(np.log(best / same)) / np.log(best / same).std(ddof=1)),
        "same or shallow": judging(lambda t: SAME if t > 2 else SHALLOW),
    },
)
