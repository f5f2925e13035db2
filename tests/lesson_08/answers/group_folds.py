"""Answers to exercise 08.2, right and wrong."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.answers import AnswerSuite, Wrong


def with_dictionaries(groups, k):
    sizes, fold_of, rows = Counter(groups.tolist()), {}, [0] * k
    for group in groups.tolist():
        if group not in fold_of:
            fold_of[group] = rows.index(min(rows))
            rows[fold_of[group]] += sizes[group]
    return tuple(fold_of[group] for group in groups.tolist())


def with_unique(groups, k):
    _, first, inverse, counts = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    rows, fold_of = np.zeros(k), np.zeros(len(first), dtype=np.int32)
    for place in np.argsort(first):
        fold_of[place] = np.argmin(rows)
        rows[fold_of[place]] += counts[place]
    return fold_of[inverse]


def sorted_pairs(groups, k):
    """The folds in a list of pairs (rows, number), whose least is next; as floats."""
    waiting, found = [(0, fold) for fold in range(k)], np.full(len(groups), np.nan)
    while np.isnan(found).any():
        mask = groups == groups[np.isnan(found).argmax()]
        rows, fold = min(waiting)
        waiting[waiting.index((rows, fold))] = (rows + int(mask.sum()), fold)
        found[mask] = fold
    return found


def in_turn(groups, k):
    order = list(dict.fromkeys(groups.tolist()))
    return [order.index(group) % k for group in groups.tolist()]


def largest_next(groups, k):
    """Gives each group to the fold with the most rows, but for the first k."""
    found, rows = np.zeros(len(groups), dtype=int), np.zeros(k)
    for group in dict.fromkeys(groups.tolist()):
        empty = np.flatnonzero(rows == 0)
        fold = empty[0] if len(empty) else rows.argmax()
        found[groups == group], rows[fold] = fold, rows[fold] + np.sum(groups == group)
    return found.tolist()


SUITE = AnswerSuite(
    "08.2",
    right={"dictionaries": with_dictionaries, "unique": with_unique, "pairs, as floats": sorted_pairs},
    wrong=[
        Wrong("in turn", in_turn, "in turn"),
        Wrong("folds reversed", lambda groups, k: [k - 1 - fold for fold in with_dictionaries(groups, k)], "smallest"),
        Wrong(
            "lists of rows",
            lambda groups, k: [
                np.flatnonzero(np.equal(with_dictionaries(groups, k), fold)).tolist() for fold in range(k)
            ],
            "one whole number for each row",
        ),
        Wrong(
            "a number a group",
            lambda groups, k: list(dict(zip(groups.tolist(), with_dictionaries(groups, k), strict=True)).values()),
            "one whole number",
        ),
    ],
    unforeseen={
        "off by one": lambda groups, k: with_dictionaries(groups, k + 1),
        "one fold fewer": lambda groups, k: with_dictionaries(groups, k - 1),
        "by its number": lambda groups, k: (groups % k).tolist(),
        "largest next": largest_next,
        "at random": lambda groups, k: np.random.default_rng(0).integers(0, k, 1000)[groups].tolist(),
        "ranks": lambda groups, k: np.unique(groups, return_inverse=True)[1].tolist(),
    },
)
