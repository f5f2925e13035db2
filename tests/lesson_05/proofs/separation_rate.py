"""Proof of exercise 05.1."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong


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


def kept(one, other, skip):
    """The distances that count."""
    gaps = np.linalg.norm(np.asarray(one) - other, axis=1)[skip:]
    return gaps[gaps > 0]


def of_kept(average):
    return lambda *given: average(kept(*given))


def with_norm(order):
    def answer(one, other, skip):
        gaps = np.linalg.norm(one - other, ord=order, axis=1)[skip:]
        return np.log(gaps[1:] / gaps[:-1])[gaps[1:] > 0].mean()

    return answer


def not_stopped(one, other, skip):
    gaps = np.linalg.norm(one - other, axis=1)[skip:]
    return np.diff(np.log(gaps)).mean()


def not_stopped_at_the_ends(one, other, skip):
    gaps = np.linalg.norm(one - other, axis=1)[skip:]
    return np.log(gaps[-1] / gaps[0]) / (len(gaps) - 1)


def all_steps(one, other, skip):
    gaps = kept(one, other, skip)
    return np.log(gaps[-1] / gaps[0]) / (len(one) - skip - 1)


def with_added(number):
    def answer(one, other, skip):
        return np.diff(np.log(np.linalg.norm(one - other, axis=1)[skip:] + number)).mean()

    return answer


def at_least(one, other, skip):
    gaps = np.linalg.norm(one - other, axis=1)[skip:].clip(1e-10)
    return np.log(gaps[1:] / gaps[:-1]).mean()


def from_layer(first):
    return lambda one, other, skip: np.diff(np.log(kept(one, other, first(skip)))).mean()


def relative(one, other, skip):
    count = len(kept(one, other, skip))
    gaps = kept(one, other, skip) / np.linalg.norm(one, axis=1)[skip : skip + count]
    return np.diff(np.log(gaps)).mean()


def of_lengths(one, other, skip):
    count = len(kept(one, other, skip))
    gaps = np.abs(np.linalg.norm(one, axis=1) - np.linalg.norm(other, axis=1))[skip : skip + count]
    return np.diff(np.log(gaps)).mean()


def cosines(one, other, skip):
    count = len(kept(one, other, skip))
    cosine = (one * other).sum(1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    return np.log(np.arccos(np.clip(cosine, -1, 1)) + 1e-9)[skip : skip + count].mean()


PROOF = Proof(
    "05.1",
    right={"the ends alone": ends_alone, "plain Python": in_plain_python, "torch": in_torch},
    wrong=[
        Wrong("off by one", from_layer(lambda skip: skip + 1), "off by one"),
        Wrong("one earlier", from_layer(lambda skip: max(0, skip - 1)), "off by one"),
        Wrong("base 10", of_kept(lambda gaps: np.diff(np.log10(gaps)).mean()), "another base"),
        Wrong("base 2", of_kept(lambda gaps: np.diff(np.log2(gaps)).mean()), "another base"),
        Wrong("total", of_kept(lambda gaps: np.log(gaps[-1] / gaps[0])), "all steps together"),
        Wrong("by layers", of_kept(lambda gaps: np.log(gaps[-1] / gaps[0]) / len(gaps)), "number of layers"),
        Wrong("mean first", of_kept(lambda gaps: np.log((gaps[1:] / gaps[:-1]).mean())), "average first"),
        Wrong("factors", of_kept(lambda gaps: (gaps[1:] / gaps[:-1]).mean()), "factors themselves"),
        Wrong("growth", of_kept(lambda gaps: (np.diff(gaps) / gaps[:-1]).mean()), "factors themselves"),
        Wrong("upside down", of_kept(lambda gaps: np.log(gaps[:-1] / gaps[1:]).mean()), "wrong way round"),
        Wrong("nothing skipped", from_layer(lambda skip: 0), "to be left out"),
        Wrong("squared", of_kept(lambda gaps: np.diff(np.log(gaps**2)).mean()), "twice the rate"),
        Wrong("city blocks", with_norm(1), "straight one"),
        Wrong("largest", with_norm(np.inf), "straight one"),
        Wrong("relative", relative, "signal's length"),
        Wrong("lengths", of_lengths, "compare the points' lengths"),
        Wrong("from the first", of_kept(lambda gaps: np.log(gaps[1:] / gaps[0]).mean()), "every layer with the first"),
        Wrong("distances", of_kept(lambda gaps: np.log(gaps).mean()), "quotient of two distances"),
        Wrong("median", of_kept(lambda gaps: np.median(np.diff(np.log(gaps)))), "not their mean"),
        Wrong("sizes", of_kept(lambda gaps: np.abs(np.diff(np.log(gaps))).mean()), "drop the signs"),
        Wrong("all steps", all_steps, "those after the points have met"),
        *[Wrong(f"{number:g} added", with_added(number), "a small number instead of 0")
          for number in (1e-6, 1e-12, 1e-16)],
        Wrong("at least 1e-10", at_least, "a small number instead of 0"),
        Wrong("not stopped", not_stopped, "no finite number"),
        Wrong("not stopped, by the ends", not_stopped_at_the_ends, "no finite number"),
        Wrong("every factor", of_kept(lambda gaps: np.diff(np.log(gaps))), "Return one number"),
        Wrong("difference of distances, turned", of_kept(lambda gaps: gaps[0] - gaps[-1]), "The sign is wrong"),
    ],
    unforeseen={
        "the last step": of_kept(lambda gaps: np.log(gaps[-1] / gaps[-2])),
        "the first step": of_kept(lambda gaps: np.log(gaps[1] / gaps[0])),
        "angles": cosines,
        "one unit alone": lambda one, other, skip: np.diff(np.log(np.abs(one - other)[skip:, 0] + 1e-12)).mean(),
        "largest factor": of_kept(lambda gaps: np.diff(np.log(gaps)).max()),
        "a fitted line": of_kept(lambda gaps: np.polyfit(np.arange(len(gaps)), np.log(gaps), 1)[0]),
        "mean over units": lambda one, other, skip: np.diff(
            np.log(np.abs(one - other)[skip:] + 1e-12), axis=0).mean(),
        "from an axis": lambda one, other, skip: np.diff(np.log(np.linalg.norm(one - other, axis=0))).mean(),
        "plus one": of_kept(lambda gaps: np.log1p(np.diff(np.log(gaps)).clip(-0.9)).mean()),
    },
)
