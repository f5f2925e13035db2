"""Answers to exercise 04.4, right and wrong."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def runs(active):
    """The pieces of each seed, one pattern after the other."""
    return [sum(1 for _ in itertools.groupby(map(tuple, seed.tolist()))) for seed in active]


def decide(old, new, deviations=2):
    up, down = (sum(sign * (b - a) > 0 for a, b in zip(old, new, strict=True)) for sign in (1, -1))
    if (up - down) ** 2 <= deviations**2 * (up + down):
        return "cannot tell"
    return "more" if up > down else "fewer"


def in_plain_python(before, after):
    old, new = runs(before), runs(after)
    return statistics.median(b / a for a, b in zip(old, new, strict=True)), decide(old, new)


def by_different_patterns(before, after):
    """No pattern comes twice along a line, since what belongs to one is convex."""
    old, new = (np.array([len(np.unique(seed, axis=0)) for seed in active]) for active in (before, after))
    lead, moved = np.sign(new - old).sum(), (new != old).sum()
    word = {1: "more", -1: "fewer", 0: "cannot tell"}[int(np.sign(lead)) if abs(lead) > 2 * math.sqrt(moved) else 0]
    return [np.median(new / old), word]


def in_torch(before, after):
    old, new = (1 + torch.as_tensor(one).float().diff(dim=1).abs().amax(dim=2).sum(dim=1) for one in (before, after))
    return (new / old).quantile(0.5), decide(old.tolist(), new.tolist())


def by_signs(before, after):
    """The verdict as NumPy's choice between texts, an array without axes."""
    old, new = np.array(runs(before)), np.array(runs(after))
    lead, margin = np.sign(new - old).sum(), 2 * np.sqrt(np.sum(new != old))
    verdict = np.where(lead > margin, "more", np.where(-lead > margin, "fewer", "cannot tell"))
    return np.median(new / old), verdict


def counting(count):
    """The right answer with another count: ``count`` takes patterns [seeds, places, units]."""

    def answer(before, after):
        old, new = np.asarray(count(before)), np.asarray(count(after))
        with np.errstate(all="ignore"):
            return np.median(new / old), decide(old, new)

    return answer


def pieces(active):
    return np.array(runs(active))


def rating(rate):
    return lambda before, after: (rate(pieces(before), pieces(after)), in_plain_python(before, after)[1])


def judging(judge):
    return lambda before, after: (in_plain_python(before, after)[0], judge(pieces(before), pieces(after)))


def first_seed(before, after):
    old, new = runs(before)[0], runs(after)[0]
    return new / old, "more" if new > old else "fewer" if new < old else "cannot tell"


def then(change):
    return lambda before, after: change(*in_plain_python(before, after))


SUITE = AnswerSuite(
    "04.4",
    right={
        "plain Python": in_plain_python,
        "different patterns": by_different_patterns,
        "torch": in_torch,
        "an array": by_signs,
        "an array of both": lambda *given: np.array(in_plain_python(*given), dtype=object),
    },
    wrong=[
        Wrong("off by one", counting(lambda active: pieces(active) - 1), "one piece more than there are changes"),
        Wrong("factor alone", then(lambda ratio, word: ratio), "Return a pair"),
        Wrong("exchanged", then(lambda ratio, word: (word, ratio)), "Return a pair"),
        Wrong("other words", then(lambda ratio, word: (ratio, word == "more")), "Return a pair"),
        Wrong("largest", rating(lambda old, new: (new / old).max()), "the factor is not"),
        Wrong("upside down", rating(lambda old, new: np.median(old / new)), "upside down, or"),
        Wrong("the wrong way round", judging(lambda old, new: decide(new, old)), 'your "fewer"'),
        Wrong("four deviations", judging(lambda old, new: decide(old, new, 4)), "the verdict is not"),
    ],
    unforeseen={
        "how many are active": counting(lambda active: 1 + (np.diff(active.sum(axis=2)) != 0).sum(axis=1)),
        "difference": rating(lambda old, new: np.median(new - old)),
        "first seed": first_seed,
        "lower quartile": rating(lambda old, new: np.quantile(new / old, 0.25)),
        "fewer or not": then(lambda ratio, word: (ratio, word if word == "fewer" else "cannot tell")),
        "half of the line": lambda before, after: in_plain_python(before[:, ::2], after[:, ::2]),
        "all but one seed": lambda before, after: in_plain_python(before[1:], after[1:]),
        "every other unit": lambda before, after: in_plain_python(before[:, :, ::2], after[:, :, ::2]),
    },
)
