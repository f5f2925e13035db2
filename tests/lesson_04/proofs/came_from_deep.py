"""Proof of exercise 04.7."""

from __future__ import annotations

import re
from itertools import groupby

import numpy as np
import torch

from tests.proofs import CONSTANT_HINT, Proof, Wrong


def in_plain_python(pictures):
    def comes_back(states):
        return len(list(groupby(states))) > 2

    return [any(comes_back(unit) for line in picture.tolist() for unit in zip(*line, strict=True))
            for picture in pictures]


def in_torch(pictures):
    return [torch.tensor(picture).int().diff(dim=1).abs().sum(dim=1).max().item() >= 2 for picture in pictures]


def by_steps(pictures):
    """A unit that switches at most once is, from its start or from its end on, a step up: sorted it stays as it is."""
    answer = []
    for picture in pictures:
        up, down = np.sort(picture, axis=1), np.sort(picture, axis=1)[:, ::-1]
        is_step = (up == picture).all(axis=1) | (down == picture).all(axis=1)
        answer.append(not is_step.all())
    return np.array(answer)


def by_regular_expression(pictures):
    """Written as text, a unit's states hold one of the two patterns, with anything in between."""
    units = [["".join("x" if on else "." for on in unit) for line in picture for unit in line.T]
             for picture in pictures]
    return [any(re.search(r"x\.+x|\.x+\.", unit) for unit in ones) for ones in units]


def times(picture):
    return np.abs(np.diff(picture.astype(int), axis=1)).sum(axis=1)


def each(look):
    return lambda pictures: [bool(look(picture)) for picture in pictures]


def distinct(patterns):
    return len({tuple(pattern) for pattern in patterns.tolist()})


def rises(picture, sign=1):
    return (sign * np.diff(picture.astype(int), axis=1) > 0).sum(axis=1)


PROOF = Proof(
    "04.7",
    right={
        "plain Python": in_plain_python, "torch": in_torch, "steps": by_steps,
        "a regular expression": by_regular_expression,
        "0 and 1": lambda pictures: [int(times(picture).max() > 1) for picture in pictures],
    },
    wrong=[
        Wrong("off by one", each(lambda picture: times(picture).max() > 2), "a third time"),
        Wrong("any switch", each(lambda picture: times(picture).max() > 0), "How often can they"),
        Wrong("patterns along a line", each(lambda picture: max(map(distinct, picture)) > picture.shape[2] + 1),
              "follow each unit"),
        Wrong("switches along a line", each(lambda picture: times(picture).sum(axis=1).max() > picture.shape[2]),
              "follow each unit"),
        Wrong("patterns in all", each(lambda picture: distinct(picture.reshape(-1, picture.shape[2]))
              > picture.shape[2] + 1), "of all lines together"),
        Wrong("a pattern that comes back", each(lambda picture: any(
            len([*groupby(line.tolist())]) > distinct(line) for line in picture)), CONSTANT_HINT),
        Wrong("all switch", each(lambda picture: (times(picture) > 0).all(axis=1).any()), "All units of a single"),
        Wrong("every line", each(lambda picture: (times(picture) > 1).any(axis=1).all()), "one line is enough"),
        Wrong("all lines added up", each(lambda picture: times(picture).sum(axis=0).max() > 1), "add up over lines"),
        Wrong("lines joined", each(lambda picture: times(picture.reshape(1, -1, picture.shape[2])).max() > 1),
              "add up over lines"),
        Wrong("on twice", each(lambda picture: rises(picture).max() > 1), "one direction only"),
        Wrong("off twice", each(lambda picture: rises(picture, -1).max() > 1), "one direction only"),
        Wrong("on, off, on", each(lambda picture: ((times(picture) > 1) & picture[:, 0]).any()), "one of the two"),
        Wrong("off, on, off", each(lambda picture: ((times(picture) > 1) & ~picture[:, 0]).any()), "one of the two"),
        Wrong("first line", each(lambda picture: times(picture)[0].max() > 1), "first line alone"),
        Wrong("ends", each(lambda picture: ((picture[:, 0] == picture[:, -1]) & (times(picture) > 0)).any()),
              "the line's ends"),
        Wrong("across lines", each(lambda picture:
              (np.abs(np.diff(picture.astype(int), axis=0)).sum(axis=0) >= 2).any()), "one line with the next"),
        Wrong("at once", each(lambda picture: (np.diff(picture.astype(int), axis=1) != 0).sum(axis=2).max() > 1),
              "same two points"),
        Wrong("the other way round", each(lambda picture: times(picture).max() < 2), "the wrong way round"),
        Wrong("places", lambda pictures: [i for i, picture in enumerate(pictures) if times(picture).max() > 1],
              "for each picture"),
        Wrong("one for all", lambda pictures: any(times(picture).max() > 1 for picture in pictures),
              "for each picture"),
        Wrong("each unit", lambda pictures: [(times(picture) > 1).any(axis=0) for picture in pictures],
              "for each picture"),
        Wrong("the last line", each(lambda picture: times(picture)[-1].max() > 1), "the least that proves"),
        Wrong("mostly on, too", each(lambda picture: times(picture).max() > 1 or picture.mean() > 0.5),
              "they cannot do"),
    ],
    unforeseen={
        "a tenth of the units": each(lambda picture: (times(picture) > 1).mean() > 0.1),
        "more switches than units": each(lambda picture: times(picture).sum() > picture.shape[2]),
        "the first unit": each(lambda picture: times(picture)[:, 0].max() > 1),
        "how many units": each(lambda picture: picture.shape[2] > 5),
        "mostly on": each(lambda picture: picture.mean() > 0.5),
        "units on rise and fall": each(
            lambda picture: len(np.unique(np.sign(np.diff(picture.sum(axis=2), axis=1)))) > 2),
        "the middle": each(lambda picture: (picture[:, 8 % picture.shape[1]] != picture[:, 0]).any(axis=1).all()),
        "some unit never switches": each(lambda picture: (times(picture).sum(axis=0) == 0).any()),
        "lines differ": each(lambda picture: len(np.unique(times(picture).sum(axis=1))) > 1),
        "mean of switches": each(lambda picture: times(picture).mean() > 0.8),
    },
)
