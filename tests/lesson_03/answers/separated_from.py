"""Answers to exercise 03.3, right and wrong."""

from __future__ import annotations

import statistics

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def in_plain_python(accuracies, level):
    answer = []
    for task in np.nan_to_num(accuracies):
        stage = len(task[0])
        while stage > 0 and statistics.median(task[:, stage - 1].tolist()) >= level:
            stage -= 1
        answer.append(stage if stage < len(task[0]) else -1)
    return answer


def by_last_below(accuracies, level):
    """The stage behind the last one that is below the level."""
    medians = np.median(np.where(np.isnan(accuracies), 0, accuracies), axis=1)
    stages = medians.shape[1]
    first = [int(max(np.flatnonzero(row < level), default=-1)) + 1 for row in medians]
    return np.array([-1 if stage == stages else stage for stage in first])


def in_torch(accuracies, level):
    """By the worst of what comes from there on."""
    medians = torch.tensor(accuracies).nan_to_num(0.0).quantile(0.5, dim=1)
    worst = medians.flip(1).cummin(dim=1).values.flip(1)
    return [next((i for i, value in enumerate(row) if value >= level), -1) for row in worst.tolist()]


def with_center(center):
    """The answer with something else for the median: ``center`` takes accuracies [tasks, seeds, stages]."""

    def answer(accuracies, level):
        above = center(accuracies) >= level
        return [next((i for i in range(len(row)) if row[i:].all()), -1) for row in above]

    return answer


SUITE = AnswerSuite(
    "03.3",
    right={"plain Python": in_plain_python, "last below": by_last_below, "torch": in_torch},
    wrong=[
        Wrong("the first task alone", lambda accuracies, level: in_plain_python(accuracies, level)[0], "for each task"),
        Wrong("none", lambda *given: [None if stage < 0 else stage for stage in in_plain_python(*given)], "not None"),
    ],
    unforeseen={
        "off by one": lambda accuracies, level: in_plain_python(accuracies[:, :, :-1], level),
        "a single seed is enough": with_center(lambda a: np.nanmax(a, axis=1)),
        "a quarter of the seeds": with_center(lambda a: np.quantile(np.nan_to_num(a), 0.75, axis=1)),
        "always 0.95": lambda accuracies, level: in_plain_python(accuracies, 0.95),
        "how many are above": lambda a, level: (np.median(np.nan_to_num(a), axis=1) >= level).sum(axis=1),
        "three quarters of the seeds": with_center(lambda a: np.quantile(np.nan_to_num(a), 0.25, axis=1)),
    },
)
