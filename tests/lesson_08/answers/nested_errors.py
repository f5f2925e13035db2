"""Answers to exercise 08.3, right and wrong."""

from __future__ import annotations

import numpy as np

from tests.answers import AnswerSuite, Wrong


def in_loops(inner, outer):
    least, honest = [], []
    for inside, outside in zip(inner.tolist(), outer.tolist(), strict=True):
        place = inside.index(min(inside))
        least.append(inside[place])
        honest.append(outside[place])
    columns = [sum(column) / len(column) for column in zip(*outer.tolist(), strict=True)]
    return sum(least) / len(least), sum(honest) / len(honest), min(columns)


def along_axis(inner, outer):
    place = np.argmin(inner, axis=1)[:, None]
    inside, outside = (np.take_along_axis(part, place, axis=1).mean() for part in (inner, outer))
    return np.array([inside, outside, np.min(outer.sum(axis=0)) / len(outer)])


def by_masks(inner, outer):
    is_least = inner == inner.min(axis=1, keepdims=True)
    return [inner[is_least].mean(), outer[is_least].mean().astype(np.float32), sorted(outer.mean(0))[0]]


def by_sorting(inner, outer):
    """Each fold's settings in the order of their inner errors; the first of them is its choice."""
    chosen = np.argsort(inner, axis=1)[:, 0]
    folds = range(len(inner))
    found = np.array([[inner[fold, chosen[fold]], outer[fold, chosen[fold]]] for fold in folds]).mean(axis=0)
    return (*found, np.einsum("ij->j", outer).min() / len(outer))


def part(place, change):
    """The right answer with one of its numbers changed."""

    def answer(inner, outer):
        numbers = list(in_loops(inner, outer))
        numbers[place] = change(inner, outer)
        return numbers

    return answer


SUITE = AnswerSuite(
    "08.3",
    right={"loops": in_loops, "along an axis": along_axis, "masks": by_masks, "sorted": by_sorting},
    wrong=[
        Wrong("another order", lambda inner, outer: in_loops(inner, outer)[::-1], "another order"),
        Wrong("columns choose", lambda inner, outer: in_loops(inner.T, outer.T), "along the other axis"),
        Wrong("means of rows", part(2, lambda inner, outer: outer.mean(axis=1).min()), "along the other axis"),
        Wrong("least of columns", part(0, lambda inner, outer: inner.min(axis=0).mean()), "along the other axis"),
        Wrong("peeked", part(1, lambda inner, outer: np.mean([min(row) for row in outer])), "lets outer errors choose"),
        Wrong("one for all", part(1, lambda inner, outer: outer[:, inner.mean(axis=0).argmin()].mean()), "had a say"),
    ],
    unforeseen={
        "off by one": part(
            1, lambda inner, outer: np.roll(outer, 1, axis=1)[np.arange(len(inner)), inner.argmin(axis=1)].mean()
        ),
        "tables exchanged": lambda inner, outer: in_loops(outer, inner),
        "sums": lambda inner, outer: [len(inner) * number for number in in_loops(inner, outer)],
        "first fold alone": lambda inner, outer: in_loops(inner[:1], outer[:1]),
        "all means": lambda inner, outer: [inner.mean(), outer.mean(), outer.mean(axis=0).min()],
        "gaps": lambda inner, outer: [inner.min(axis=1).mean(), outer.mean() - inner.mean(), outer.mean(axis=0).min()],
        "accuracies": lambda inner, outer: [1 - number for number in in_loops(inner, outer)],
    },
)
