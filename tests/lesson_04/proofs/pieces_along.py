"""Proof of exercise 04.4."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import torch

from tests.proofs import Proof, Wrong


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


def by_numbers(before, after):
    """Each pattern as a whole number."""

    def pieces(active):
        codes = active @ (2 ** np.arange(active.shape[2]))
        return np.count_nonzero(np.diff(codes), axis=1) + 1

    old, new = pieces(before), pieces(after)
    return float(np.median(new / old)), decide(old, new)


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


def by_lead(lead, margin=lambda old, new: 0.0):
    def judge(old, new):
        ahead = lead(old, new)
        return "cannot tell" if abs(ahead) <= margin(old, new) else "more" if ahead > 0 else "fewer"

    return judging(judge)


def lead(old, new):
    return int(np.sign(new - old).sum())


def one_side(old, new):
    up, down = (new > old).sum(), (new < old).sum()
    margin = 2 * math.sqrt(up + down)
    return "more" if up > margin and up > down else "fewer" if down > margin and down > up else "cannot tell"


def first_seed(before, after):
    old, new = runs(before)[0], runs(after)[0]
    return new / old, "more" if new > old else "fewer" if new < old else "cannot tell"


def then(change):
    return lambda before, after: change(*in_plain_python(before, after))


PROOF = Proof(
    "04.4",
    right={"plain Python": in_plain_python, "different patterns": by_different_patterns, "torch": in_torch,
           "numbers": by_numbers, "an array": by_signs,
           "an array of both": lambda *given: np.array(in_plain_python(*given), dtype=object)},
    wrong=[
        Wrong("off by one", counting(lambda active: pieces(active) - 1), "one piece more than there are changes"),
        Wrong("switches", counting(lambda active: np.diff(active, axis=1).sum(axis=(1, 2)) + 1), "counted by itself"),
        Wrong("switches alone", counting(lambda active: np.diff(active, axis=1).sum(axis=(1, 2))), "counted by itself"),
        Wrong("units", counting(lambda active: np.diff(active, axis=1).any(axis=1).sum(axis=1)), "units that switch"),
        Wrong("units and one", counting(lambda active: 1 + np.diff(active, axis=1).any(axis=1).sum(axis=1)),
              "units that switch"),
        Wrong("how many are active", counting(lambda active: 1 + (np.diff(active.sum(axis=2)) != 0).sum(axis=1)),
              "how many units are active"),
        Wrong("mean", rating(lambda old, new: (new / old).mean()), "mean of the seeds' factors"),
        Wrong("of medians", rating(lambda old, new: np.median(new) / np.median(old)), "compared with itself"),
        Wrong("of means", rating(lambda old, new: new.mean() / old.mean()), "compared with itself"),
        Wrong("upside down", rating(lambda old, new: np.median(old / new)), "upside down"),
        Wrong("difference", rating(lambda old, new: np.median(new - old)), "This is a difference"),
        Wrong("first seed", first_seed, "first seed alone"),
        Wrong("verdict of the first seed", by_lead(lambda old, new: int(new[0]) - int(old[0])), "first seed alone"),
        Wrong("majority", by_lead(lead), "a majority, too"),
        Wrong("factor beyond 1", by_lead(lambda old, new: np.median(new / old) - 1), "a majority, too"),
        Wrong("means", by_lead(lambda old, new: new.mean() - old.mean()), "means decide"),
        Wrong("all seeds", judging(lambda old, new: "more" if (new > old).all() else "fewer" if (new < old).all()
                                   else "cannot tell"), "all seeds have to agree"),
        Wrong("one deviation", judging(lambda old, new: decide(old, new, 1)), "one standard deviation"),
        Wrong("ties", by_lead(lead, lambda old, new: 2 * math.sqrt(len(old))), "as many pieces as before"),
        Wrong("one side", judging(one_side), "one side minus the other"),
        Wrong("the wrong way round", judging(lambda old, new: decide(new, old)), "wrong way round"),
        Wrong("more or not", then(lambda ratio, word: (ratio, word if word == "more" else "cannot tell")),
              "three verdicts"),
        Wrong("more or fewer", then(lambda ratio, word: (ratio, word if word == "more" else "fewer")),
              "three verdicts"),
        Wrong("factor alone", then(lambda ratio, word: ratio), "Return a pair"),
        Wrong("exchanged", then(lambda ratio, word: (word, ratio)), "Return a pair"),
        Wrong("all text", then(lambda ratio, word: np.array([ratio, word])), "Return a pair"),
        Wrong("other words", then(lambda ratio, word: (ratio, word == "more")), "Return a pair"),
        Wrong("largest", rating(lambda old, new: (new / old).max()), "the factor is not"),
        Wrong("no root", by_lead(lead, lambda old, new: 2 * (new != old).sum()), "the verdict is not"),
    ],
    unforeseen={
        "first unit": counting(lambda active: 1 + np.diff(active[:, :, 0], axis=1).sum(axis=1)),
        "lower quartile": rating(lambda old, new: np.quantile(new / old, 0.25)),
        "pieces after": rating(lambda old, new: np.median(new)),
        "all together": rating(lambda old, new: np.log2(new / old).mean()),
        "three deviations": judging(lambda old, new: decide(old, new, 3)),
        "always more": then(lambda ratio, word: (ratio, "more")),
        "never sure": then(lambda ratio, word: (ratio, "cannot tell")),
        "half of the line": lambda before, after: in_plain_python(before[:, ::2], after[:, ::2]),
        "the last seed": lambda before, after: first_seed(before[::-1], after[::-1]),
        "all but one seed": lambda before, after: in_plain_python(before[1:], after[1:]),
        "seeds for places": lambda before, after: in_plain_python(
            before.transpose(1, 0, 2), after.transpose(1, 0, 2)),
    },
)
