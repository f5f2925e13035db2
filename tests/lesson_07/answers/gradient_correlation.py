"""Answers to exercise 07.8, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def by_loops(gradients, lag):
    found = []
    for row in gradients.tolist():
        mean = sum(row) / len(row)
        g = [one - mean for one in row]
        found.append(sum(a * b for a, b in zip(g, g[lag:], strict=False)) / sum(a * a for a in g))
    return sum(found) / len(found)


def by_convolution(gradients, lag):
    found = []
    for g in gradients - gradients.mean(axis=1)[:, None]:
        all_lags = np.correlate(g, g, mode="full")
        found.append(all_lags[len(g) - 1 + lag] / all_lags[len(g) - 1])
    return np.mean(found)


def in_torch(gradients, lag):
    g = torch.tensor(gradients, dtype=torch.float64)
    g = g / g.std(dim=1, correction=0, keepdim=True)
    g = g - g.mean(dim=1, keepdim=True)
    return (g.roll(-lag, 1)[:, :-lag] * g[:, :-lag]).sum(dim=1).mean() / g.shape[1]


SUITE = AnswerSuite(
    "07.8",
    right={"loops": by_loops, "convolution": by_convolution, "torch": in_torch},
    wrong=[
        Wrong("off by one", lambda gradients, lag: by_loops(gradients, lag + 1), "at another distance"),
        Wrong("covariance", lambda gradients, lag: 100 * by_loops(gradients, lag), "lies between"),
    ],
    unforeseen={
        "median": lambda gradients, lag: np.median([by_loops(one[None], lag) for one in gradients]) + 1e-3,
        "squared": lambda gradients, lag: by_loops(gradients**2, lag),
        "signs": lambda gradients, lag: by_loops(np.sign(gradients) + 1e-3 * gradients, lag),
        "across networks": lambda gradients, lag: by_loops(np.vstack([gradients, gradients[::-1]]).T, 1),
        "distance": lambda gradients, lag: 1 - by_loops(gradients, lag),
        "absolute": lambda gradients, lag: abs(by_loops(gradients, lag)) + 0.01,
        "differences": lambda gradients, lag: by_loops(np.gradient(gradients, axis=1), lag),
    },
)
