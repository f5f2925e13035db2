"""Proof of exercise 03.3."""

from __future__ import annotations

import statistics

import numpy as np
import torch

from tests.proofs import Proof, Wrong


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


def by_counting(accuracies, level):
    """At least half of the seeds, which is the same where no median is a close call."""
    above = (accuracies >= level).mean(axis=1) >= 0.5
    return [next((i for i in range(len(row)) if row[i:].all()), -1) for row in above]


def with_center(center, level_of=lambda level: level):
    """The answer with something else for the median: ``center`` takes accuracies [tasks, seeds, stages]."""

    def answer(accuracies, level):
        above = center(accuracies) >= level_of(level)
        return [next((i for i in range(len(row)) if row[i:].all()), -1) for row in above]

    return answer


def medians(accuracies):
    return np.median(np.nan_to_num(accuracies), axis=1)


def quantile(q):
    return with_center(lambda a: np.quantile(np.nan_to_num(a), q, axis=1))


def from_medians(read):
    """What ``read`` makes of whether the medians of a task are above the level."""
    return lambda accuracies, level: [read((row >= level).tolist()) for row in medians(accuracies)]


def then(change):
    return lambda accuracies, level: [
        change(stage, accuracies.shape[2]) for stage in in_plain_python(accuracies, level)
    ]


def seed_by_seed(never):
    def answer(accuracies, level):
        own = [[next((i for i in range(len(row)) if (row[i:] >= level).all()), never(len(row))) for row in task]
               for task in accuracies]
        return np.median(own, axis=1)

    return answer


PROOF = Proof(
    "03.3",
    right={"plain Python": in_plain_python, "last below": by_last_below, "torch": in_torch, "counting": by_counting},
    wrong=[
        Wrong("off by one", then(lambda stage, stages: stage + 1), "counted from 0"),
        Wrong("one more", then(lambda stage, stages: stage + 1 if stage >= 0 else -1), "counted from 0"),
        Wrong("one less", then(lambda stage, stages: stage - 1 if stage > 0 else stage), "one stage too early"),
        Wrong("last below", from_medians(lambda row: max((i for i, one in enumerate(row) if not one), default=-1)),
              "one stage too early"),
        Wrong("first above", from_medians(lambda row: row.index(True) if True in row else -1), "it has to stay"),
        Wrong("argmax", from_medians(lambda row: int(np.argmax(row))), "it has to stay"),
        Wrong("best seed", with_center(lambda a: np.nanmax(a, axis=1)), "single seed is enough"),
        Wrong("every seed", with_center(lambda a: a.min(axis=1)), "every seed has to be"),
        Wrong("every seed that is left", with_center(lambda a: np.nanmin(a, axis=1)), "every seed has to be"),
        Wrong("mean", with_center(lambda a: a.mean(axis=1)), "The mean decides"),
        Wrong("mean of the rest", with_center(lambda a: np.nanmean(a, axis=1)), "The mean decides"),
        Wrong("mean with zeros", with_center(lambda a: np.nan_to_num(a).mean(axis=1)), "The mean decides"),
        Wrong("median of the rest", with_center(lambda a: np.nanmedian(a, axis=1)), "are left out"),
        Wrong("median with nan", with_center(lambda a: np.median(a, axis=1)), "spoils all the others"),
        Wrong("first seed", with_center(lambda a: a[:, 0]), "first seed alone"),
        Wrong("always 0.95", with_center(medians, lambda level: 0.95), "is handed to you"),
        Wrong("counted", from_medians(sum), "how many stages"),
        Wrong("highest", lambda accuracies, level: medians(accuracies).argmax(axis=1), "highest median"),
        Wrong("seed by seed", seed_by_seed(lambda stages: stages), "each seed by itself"),
        Wrong("seed by seed, -1", seed_by_seed(lambda stages: -1), "each seed by itself"),
        Wrong("never is the last", then(lambda stage, stages: stages - 1 if stage < 0 else stage), "−1 is wanted"),
        Wrong("never is one beyond", then(lambda stage, stages: stages if stage < 0 else stage), "−1 is wanted"),
        Wrong("never is 0", then(lambda stage, stages: max(stage, 0)), "−1 is wanted"),
        Wrong("one for all", lambda *given: max(in_plain_python(*given)), "one number for each task"),
        Wrong("medians", lambda accuracies, level: medians(accuracies), "one number for each task"),
        Wrong("shares", lambda accuracies, level: medians(accuracies)[:, -1], "Each number is a stage"),
        Wrong("three quarters of the seeds", quantile(0.2), "Too late"),
        Wrong("a quarter of the seeds", quantile(0.75), "Too early"),
    ],
    unforeseen={
        "the last seed": with_center(lambda a: a[:, -1]),
        "the first three seeds": with_center(lambda a: np.nan_to_num(a[:, :3]).mean(axis=1)),
        "a level of 0.8": with_center(medians, lambda level: 0.8),
        "a level halfway to 1": with_center(medians, lambda level: (1 + level) / 2),
        "tasks reversed": lambda *given: in_plain_python(*given)[::-1],
        "from behind": then(lambda stage, stages: stages - 1 - stage),
        "never beyond the second": then(lambda stage, stages: min(stage, 1)),
        "all tasks together": lambda accuracies, level: in_plain_python(
            accuracies.reshape(1, -1, accuracies.shape[2]), level) * len(accuracies),
        "five sixths of the seeds": quantile(0.16),
        "a tenth of the seeds": quantile(0.93),
    },
)
