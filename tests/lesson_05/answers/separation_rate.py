"""Answers to exercise 05.1, right and wrong."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def ends_alone(one, other, skip):
    """All factors multiplied are the last distance over the first."""
    gaps = np.sqrt(((one - other) ** 2).sum(axis=1))
    last = max(i for i, gap in enumerate(gaps) if gap > 0)
    return np.log(gaps[last] / gaps[skip]) / (last - skip)


def in_plain_python(one, other, skip):
    logarithms = []
    for layer in range(skip, len(one) - 1):
        before, after = (math.dist(one[i].tolist(), other[i].tolist()) for i in (layer, layer + 1))
        if after == 0:
            break
        logarithms.append(math.log(after / before))
    return math.fsum(logarithms) / len(logarithms)


def in_torch(one, other, skip):
    gaps = (torch.as_tensor(one) - torch.as_tensor(other)).square().sum(dim=1)[skip:]
    return gaps[gaps > 0].log().diff().mean() / 2


def of_kept(average):
    """Another average of the distances that count."""

    def answer(one, other, skip):
        gaps = np.linalg.norm(one - other, axis=1)[skip:]
        return average(gaps[gaps > 0])

    return answer


def of_all(order=2):
    """The right average of all distances, also of those after the points have met."""
    return lambda one, other, skip: np.diff(np.log(np.linalg.norm(one - other, ord=order, axis=1)[skip:])).mean()


SUITE = AnswerSuite(
    "05.1",
    right={"the ends alone": ends_alone, "plain Python": in_plain_python, "torch": in_torch},
    wrong=[
        Wrong("not stopped", of_all(), "no finite number"),
        Wrong("every factor", of_kept(lambda gaps: np.diff(np.log(gaps))), "A number was expected"),
        Wrong("squared", lambda one, other, skip: 2 * ends_alone(one, other, skip), "not the straight one"),
        Wrong("base 10", of_kept(lambda gaps: np.diff(np.log10(gaps)).mean()), "another base"),
    ],
    unforeseen={
        "off by one": of_kept(lambda gaps: np.diff(np.log(gaps[:-1])).mean()),
        "first factor": of_kept(lambda gaps: np.log(gaps[1] / gaps[0])),
        "factors": of_kept(lambda gaps: (gaps[1:] / gaps[:-1]).mean()),
        "from the first": of_kept(lambda gaps: np.log(gaps[1:] / gaps[0]).mean()),
        "median": of_kept(lambda gaps: np.median(np.diff(np.log(gaps)))),
        "largest difference": of_all(np.inf),
    },
)
