"""Answers to exercise 02.7, right and wrong."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def best_column(table, middle=np.median):
    """The usable rate with the best middle over the seeds."""
    usable = [j for j in range(table.shape[1]) if not np.isnan(table[:, j]).any()]
    return max(usable, key=lambda j: middle(table[:, j]))


def in_numpy(deep, deep_test, shallow, shallow_test):
    return np.median(deep_test[:, best_column(deep)] - shallow_test[:, best_column(shallow)])


def in_plain_python(deep, deep_test, shallow, shallow_test):
    def scores(validation, held_out):
        medians = {}
        for rate, column in enumerate(zip(*validation.tolist(), strict=True)):
            if not any(math.isnan(value) for value in column):
                medians[rate] = statistics.median(column)
        best = sorted(medians, key=medians.get)[-1]
        return [row[best] for row in held_out.tolist()]

    pairs = zip(scores(deep, deep_test), scores(shallow, shallow_test), strict=True)
    return statistics.median([a - b for a, b in pairs])


def in_torch(deep, deep_test, shallow, shallow_test):
    chosen = []
    for table, test in ((deep, deep_test), (shallow, shallow_test)):
        medians = torch.quantile(torch.as_tensor(table), 0.5, dim=0).nan_to_num(-math.inf)
        chosen.append(torch.as_tensor(test)[:, medians.argmax()])
    return (chosen[0] - chosen[1]).quantile(0.5)


def with_rates(pick, middle=np.median):
    """The comparison with another way to choose: ``pick`` takes a validation table and a held-out table."""

    def answer(deep, deep_test, shallow, shallow_test):
        return middle(deep_test[:, pick(deep, deep_test)] - shallow_test[:, pick(shallow, shallow_test)])

    return answer


def differences(deep, deep_test, shallow, shallow_test):
    return deep_test[:, best_column(deep)] - shallow_test[:, best_column(shallow)]


SUITE = AnswerSuite(
    "02.7",
    right={
        "NumPy": in_numpy,
        "plain Python": in_plain_python,
        "torch": in_torch,
        "float32": lambda *tables: np.array([in_numpy(*[table.astype(np.float32) for table in tables])]),
    },
    unforeseen={
        "off by one": lambda *given: in_numpy(*[table[:, :-1] for table in given]),
        "best run's rate": with_rates(lambda table, test: best_column(table, np.max)),
        "largest difference": lambda *given: differences(*given).max(),
        "all maxima": lambda a, b, c, d: np.nanmax(b) - np.nanmax(d),
        "smallest": with_rates(lambda table, test: best_column(-table)),
        "three digits": lambda *given: round(float(in_numpy(*given)), 3),
    },
    wrong=[
        Wrong("nan chosen", with_rates(lambda table, test: np.median(table, axis=0).argmax()), "is nan"),
        Wrong(
            "nan skipped",
            with_rates(lambda table, test: np.nanmedian(table, axis=0).argmax(), np.nanmedian),
            "You leave out runs that diverged",
        ),
    ],
)
