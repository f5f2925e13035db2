"""Answers to exercise 02.8, right and wrong."""

from __future__ import annotations

import itertools

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


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


def found_where(share, least=0.5):
    """The answer with another share of the seeds: ``share`` takes errors [.., seeds] and the threshold."""

    def answer(pieces, missed, threshold):
        found = share(missed, threshold) >= least
        return np.append(0, pieces)[np.cumprod(found, axis=1).sum(axis=1)]

    return answer


def levels(change):
    """The right answer, changed: ``change`` takes how many levels are found, and the numbers of pieces."""

    def answer(pieces, missed, threshold):
        found = (missed <= threshold).mean(axis=2) >= 0.5
        return change(np.cumprod(found, axis=1).sum(axis=1), pieces)

    return answer


def seed_by_seed(pieces, missed, threshold):
    own = np.append(0, pieces)[np.cumprod(missed <= threshold, axis=1).sum(axis=1)]
    return np.median(own, axis=1)


def over_architectures(pieces, missed, threshold):
    found = (missed <= threshold).mean(axis=0) >= 0.5
    return [max(pieces[: len(row)][row[: len(pieces)]], default=0) for row in found]


def share_over_pieces(pieces, missed, threshold):
    found = (missed <= threshold).mean(axis=1) >= 0.5
    return [max([0, *itertools.takewhile(bool, pieces * row[: len(pieces)])]) for row in found]


SUITE = AnswerSuite(
    "02.8",
    right={"plain Python": in_plain_python, "sorting": by_sorting, "torch": in_torch},
    unforeseen={
        "one seed less": lambda pieces, missed, threshold: in_plain_python(pieces, missed[:, :, 1:], threshold),
        "the last level left out": lambda pieces, missed, threshold: in_plain_python(
            pieces[:-1], missed[:, :-1], threshold
        ),
        "seed by seed": seed_by_seed,
        "nine of ten": found_where(lambda missed, threshold: (missed <= threshold).mean(axis=2), 0.9),
        "the first seed": found_where(lambda missed, threshold: missed[:, :, 0] <= threshold),
        "a fixed threshold": found_where(lambda missed, threshold: (missed <= 0.01).mean(axis=2)),
    },
    wrong=[
        Wrong("off by one", levels(lambda n, pieces: pieces[np.minimum(n, len(pieces) - 1)]), "the last entry of"),
        Wrong("one for all", lambda *given: max(in_plain_python(*given)), "one number for each architecture"),
        Wrong("share over the pieces", share_over_pieces, "from its seeds"),
        Wrong("share over the architectures", over_architectures, "one number for each architecture"),
    ],
)
