"""Answers to exercise 05.1, right and wrong."""

from __future__ import annotations

import itertools
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


def of_all_factors(one, other, skip):
    """The mean factor, as it comes: 0 where the points meet, and after that 0 over 0."""
    gaps = np.linalg.norm(one - other, axis=1)[skip:]
    with np.errstate(invalid="ignore"):
        return np.mean(gaps[1:] / gaps[:-1])


def of_all_with(number):
    return lambda one, other, skip: np.diff(np.log(np.linalg.norm(one - other, axis=1)[skip:] + number)).mean()


def by_squares(one, other, skip):
    """Half of the logarithms of the squared distances, as a weighted sum of single steps."""
    squares = np.einsum("lu,lu->l", one - other, one - other)[skip:]
    steps = int((squares > 0).sum()) - 1
    return sum(0.5 * np.log(squares[i + 1] / squares[i]) / steps for i in range(steps))


def by_the_geometric_mean(one, other, skip):
    """The logarithm last, of the factors' geometric mean."""
    gaps = [g for g in np.sqrt(np.square(one - other).sum(axis=-1)).tolist()[skip:] if g != 0]
    product = math.prod(after / before for before, after in itertools.pairwise(gaps))
    return np.array([math.log(product ** (1 / (len(gaps) - 1)))])


SUITE = AnswerSuite(
    "05.1",
    right={
        "the ends alone": ends_alone,
        "plain Python": in_plain_python,
        "torch": in_torch,
        "squares": by_squares,
        "the geometric mean": by_the_geometric_mean,
    },
    wrong=[
        Wrong("not stopped", of_all(), "Stop before the layer"),
        Wrong("every factor", of_kept(lambda gaps: np.diff(np.log(gaps))), "A number was expected"),
        Wrong("squared", lambda one, other, skip: 2 * ends_alone(one, other, skip), "not the straight-line one"),
        Wrong("factors", of_kept(lambda gaps: (gaps[1:] / gaps[:-1]).mean()), "You take no logarithm"),
        Wrong("the usual factor", of_kept(lambda gaps: np.exp(np.diff(np.log(gaps)).mean())), "You take no logarithm"),
        Wrong("growth", of_kept(lambda gaps: (np.diff(gaps) / gaps[:-1]).mean()), "You take no logarithm"),
        Wrong("all factors", of_all_factors, "You take no logarithm"),
        Wrong("a small number added", of_all_with(1e-12), "small number that you put in place"),
        Wrong("base 10", of_kept(lambda gaps: np.diff(np.log10(gaps)).mean()), "another base"),
    ],
    unforeseen={
        "off by one": of_kept(lambda gaps: np.diff(np.log(gaps[:-1])).mean()),
        "first factor": of_kept(lambda gaps: np.log(gaps[1] / gaps[0])),
        "differences": of_kept(lambda gaps: np.diff(gaps).mean()),
        "from the first": of_kept(lambda gaps: np.log(gaps[1:] / gaps[0]).mean()),
        "median": of_kept(lambda gaps: np.median(np.diff(np.log(gaps)))),
        "largest difference": of_all(np.inf),
    },
)
