"""Answers to exercise 04.7, right and wrong."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import torch

from tests.answers import CONSTANT_HINT, AnswerSuite, Wrong


def in_plain_python(pictures):
    def comes_back(states):
        return len(list(groupby(states))) > 2

    return [
        any(comes_back(unit) for line in picture.tolist() for unit in zip(*line, strict=True)) for picture in pictures
    ]


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


def times(picture):
    return np.abs(np.diff(picture.astype(int), axis=1)).sum(axis=1)


def each(look):
    return lambda pictures: [bool(look(picture)) for picture in pictures]


def distinct(patterns):
    return len({tuple(pattern) for pattern in patterns.tolist()})


SUITE = AnswerSuite(
    "04.7",
    right={
        "plain Python": in_plain_python,
        "torch": in_torch,
        "steps": by_steps,
        "0 and 1": lambda pictures: [int(times(picture).max() > 1) for picture in pictures],
    },
    wrong=[
        Wrong("off by one", each(lambda picture: times(picture).max() > 2), "a second time"),
        Wrong(
            "patterns along a line",
            each(lambda picture: max(map(distinct, picture)) > picture.shape[2] + 1),
            "follow each unit",
        ),
        Wrong(
            "a pattern that comes back",
            each(lambda picture: any(len([*groupby(line.tolist())]) > distinct(line) for line in picture)),
            CONSTANT_HINT,
        ),
        Wrong(
            "places",
            lambda pictures: [i for i, picture in enumerate(pictures) if times(picture).max() > 1],
            "for each picture",
        ),
        Wrong(
            "one for all", lambda pictures: any(times(picture).max() > 1 for picture in pictures), "for each picture"
        ),
        Wrong(
            "each unit", lambda pictures: [(times(picture) > 1).any(axis=0) for picture in pictures], "for each picture"
        ),
    ],
    unforeseen={
        "all switch": each(lambda picture: (times(picture) > 0).all(axis=1).any()),
        "first unit": each(lambda picture: times(picture)[:, 0].max() > 1),
        "more switches than units": each(lambda picture: times(picture).sum() > picture.shape[2]),
        "mostly on": each(lambda picture: picture.mean() > 0.5),
        "units on rise and fall": each(
            lambda picture: len(np.unique(np.sign(np.diff(picture.sum(axis=2), axis=1)))) > 2
        ),
        "mean of switches": each(lambda picture: times(picture).mean() > 0.8),
    },
)
