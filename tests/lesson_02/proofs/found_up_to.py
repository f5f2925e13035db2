"""Proof of exercise 02.8."""

from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def in_plain_python(pieces, missed, threshold):
    numbers = []
    for architecture in missed.tolist():
        number = 0
        for count, errors in zip(pieces.tolist(), architecture, strict=True):
            if sum(error <= threshold for error in errors) < len(errors) / 2:
                break
            number = count
        numbers.append(number)
    return numbers


def by_sorting(pieces, missed, threshold):
    """The error that half of the seeds stay below, nan sorted to the end."""
    middle = np.sort(missed, axis=2)[:, :, (missed.shape[2] - 1) // 2]
    found = np.nan_to_num(middle, nan=np.inf) <= threshold
    return [max([0, *itertools.takewhile(bool, pieces * row)]) for row in found]


def in_torch(pieces, missed, threshold):
    found = (torch.as_tensor(missed, dtype=torch.float32) <= threshold).float().mean(dim=2) >= 0.5
    return torch.cat([torch.zeros(1), torch.as_tensor(pieces)])[found.long().cumprod(dim=1).sum(dim=1)]


def by_lower_medians(pieces, missed, threshold):
    """From the far end, with the lower one of the middle two."""
    numbers = np.zeros(len(missed), int)
    for place in range(len(pieces))[::-1]:
        for i, errors in enumerate(np.where(np.isnan(missed), math.inf, missed)[:, place]):
            found = statistics.median_low(errors.tolist()) <= threshold
            numbers[i] = 0 if not found else max(numbers[i], pieces[place])
    return numbers


def found_where(share, least=0.5):
    """The answer with another share of the seeds: ``share`` takes errors [.., seeds] and the threshold."""

    def answer(pieces, missed, threshold):
        found = share(missed, threshold) >= least
        return np.append(0, pieces)[np.cumprod(found, axis=1).sum(axis=1)]

    return answer


def by_center(center):
    return found_where(lambda missed, threshold: center(missed, axis=2) <= threshold)


def levels(change):
    """The right answer, changed: ``change`` takes how many levels are found, and the numbers of pieces."""

    def answer(pieces, missed, threshold):
        found = (missed <= threshold).mean(axis=2) >= 0.5
        return change(np.cumprod(found, axis=1).sum(axis=1), pieces)

    return answer


def largest(pieces, missed, threshold):
    found = (missed <= threshold).mean(axis=2) >= 0.5
    return [max(pieces[row], default=0) for row in found]


def counted(pieces, missed, threshold):
    found = (missed <= threshold).mean(axis=2) >= 0.5
    return [pieces[count - 1] if count else 0 for count in found.sum(axis=1)]


def seed_by_seed(pieces, missed, threshold):
    own = np.append(0, pieces)[np.cumprod(missed <= threshold, axis=1).sum(axis=1)]
    return np.median(own, axis=1)


def along(axis):
    """The share along another axis."""

    def answer(pieces, missed, threshold):
        found = (missed <= threshold).mean(axis=axis) >= 0.5
        return [max(pieces[: len(row)][row[: len(pieces)]], default=0) for row in found]

    return answer


def by_whole_rows(pieces, missed, threshold):
    return in_plain_python(pieces, np.where(np.isnan(missed).any(axis=2, keepdims=True), np.nan, missed), threshold)


def by_finite_share(missed, threshold):
    return (missed <= threshold).sum(axis=2) / np.isfinite(missed).sum(axis=2)


def without_last(pieces, missed, threshold):
    return in_plain_python(pieces[:-1], missed[:, :-1], threshold)


PROOF = Proof(
    "02.8",
    right={"plain Python": in_plain_python, "sorting": by_sorting, "torch": in_torch, "medians": by_lower_medians},
    wrong=[
        Wrong("off by one", levels(lambda n, pieces: pieces[np.minimum(n, len(pieces) - 1)]), "the one before it"),
        Wrong("one level less", levels(lambda n, pieces: np.append(0, pieces)[np.maximum(n - 1, 0)]), "too few is"),
        Wrong("without the last", without_last, "too few is"),
        Wrong("best run", by_center(np.nanmin), "the best runs show"),
        Wrong("every run", found_where(lambda missed, threshold: (missed <= threshold).mean(axis=2), 1), "every seed"),
        Wrong("mean", by_center(np.mean), "The mean error decides"),
        Wrong("mean of the rest", by_center(np.nanmean), "The mean error decides"),
        Wrong("median", by_center(np.median), "undoes all the others"),
        Wrong("where no run diverged", by_whole_rows, "undoes all the others"),
        Wrong("median of the rest", by_center(np.nanmedian), "are left out"),
        Wrong("share of the rest", found_where(by_finite_share), "are left out"),
        Wrong("median of all", by_center(lambda missed, axis: np.median(np.nan_to_num(missed, nan=9), axis)),
              "Exactly half"),
        Wrong("more than half", found_where(lambda missed, threshold: (missed <= threshold).mean(axis=2), 0.5001),
              "Exactly half"),
        Wrong("nan found", found_where(lambda missed, threshold: 1 - (missed > threshold).mean(axis=2)), "as found"),
        Wrong("nan as 0", by_center(lambda missed, axis: np.median(np.nan_to_num(missed), axis)), "as found"),
        Wrong("those that miss", found_where(lambda missed, threshold: (missed > threshold).mean(axis=2)),
              "These are errors"),
        Wrong("first seed", found_where(lambda missed, threshold: missed[:, :, 0] <= threshold), "first seed alone"),
        Wrong("whatever is below", largest, "a smaller one was not"),
        Wrong("counted", counted, "wherever they stand"),
        Wrong("seed by seed", seed_by_seed, "each seed by itself"),
        Wrong("how many", levels(lambda n, pieces: n), "the number of pieces itself"),
        Wrong("index", levels(lambda n, pieces: n - 1), "the number of pieces itself"),
        Wrong("power of two", levels(lambda n, pieces: 2**n), "need not be 2, 4, 8"),
        Wrong("power of two or 0", levels(lambda n, pieces: np.where(n > 0, 2**n, 0)), "need not be 2, 4, 8"),
        Wrong("index -1", levels(lambda n, pieces: pieces[n - 1]), "0 is wanted"),
        Wrong("at least the first", levels(lambda n, pieces: pieces[np.maximum(n - 1, 0)]), "0 is wanted"),
        Wrong("one for all", lambda *given: max(in_plain_python(*given)), "one number for each architecture"),
        Wrong("share over the architectures", along(0), "one number for each architecture"),
        Wrong("shares", lambda pieces, missed, threshold: (missed <= threshold).mean(axis=2),
              "one number for each architecture"),
        Wrong("bends", levels(lambda n, pieces: np.append(1, pieces)[n] - 1), "Each number is 0 or one"),
        Wrong("a third of the seeds", found_where(lambda missed, threshold: (missed <= threshold).mean(axis=2), 0.25),
              "Too much was called"),
        Wrong("four fifths of the seeds",
              found_where(lambda missed, threshold: (missed <= threshold).mean(axis=2), 0.8), "Too little"),
    ],
    unforeseen={
        "a narrower threshold": found_where(lambda missed, threshold: (missed <= threshold / 8).mean(axis=2)),
        "a wider threshold": found_where(lambda missed, threshold: (missed <= 2 * threshold).mean(axis=2)),
        "a fixed threshold": found_where(lambda missed, threshold: (missed <= 0.01).mean(axis=2)),
        "two seeds": found_where(lambda missed, threshold: (missed <= threshold).sum(axis=2), 2),
        "the last seed": found_where(lambda missed, threshold: missed[:, :, -1] <= threshold),
        "without the first seed": found_where(lambda missed, threshold: (missed[:, :, 1:] <= threshold).mean(axis=2)),
        "lower quartile": by_center(lambda missed, axis: np.nanquantile(missed, 0.25, axis=axis)),
        "upper quartile": by_center(lambda missed, axis: np.nanquantile(missed, 0.75, axis=axis)),
        "backwards": levels(lambda n, pieces: pieces[::-1][np.maximum(n - 1, 0)]),
        "all pieces together": levels(lambda n, pieces: [int(pieces[:k].sum()) for k in n]),
        "architectures reversed": lambda *given: in_plain_python(*given)[::-1],
        "the first two seeds": found_where(lambda missed, threshold: (missed[:, :, :2] <= threshold).mean(axis=2)),
    },
)
