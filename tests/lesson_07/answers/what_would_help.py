"""Answers to exercise 07.4, right and wrong."""

from __future__ import annotations

import numpy as np

from tests.answers import AnswerSuite, Wrong


def by_masks(training, unseen, goal, doublings):
    factor = unseen[:, -1] / unseen[:, -2]
    reached = unseen[:, -1] * factor**doublings
    words = np.where(reached > goal, "another network", "more data")
    words = np.where(training[:, -1] > goal, "fit better", words)
    return np.where(unseen[:, -1] > goal, words, "nothing").tolist()


def step_by_step(training, unseen, goal, doublings):
    said = []
    for fit, errors in zip(training.tolist(), unseen.tolist(), strict=True):
        before, now = errors[-2:]
        if now <= goal:
            said.append("nothing")
            continue
        if fit[-1] > goal:
            said.append("fit better")
            continue
        for _ in range(doublings):
            before, now = now, now * now / before
        said.append(["another network", "more data"][now <= goal])
    return tuple(said)


def by_logarithms(training, unseen, goal, doublings):
    """A straight line over the logarithm of the number of examples, whatever that is."""
    logs = np.log2(unseen[:, -2:])
    slopes, needed = logs[:, 1] - logs[:, 0], np.log2(goal) - logs[:, 1]
    return [
        "nothing"
        if need >= 0
        else "fit better"
        if fit > goal
        else "more data"
        if slope * doublings <= need
        else "another network"
        for fit, slope, need in zip(training[:, -1], slopes, needed, strict=True)
    ]


def by_the_end(fits=lambda fit, error, goal: fit <= goal, of_unseen=lambda row: row[-1], falling=lambda t, u: u):
    """Other errors decide, or are extrapolated."""

    def answer(training, unseen, goal, doublings):
        said = []
        for t, u in zip(training, unseen, strict=True):
            row = falling(t, u)
            if of_unseen(u) <= goal:
                said.append("nothing")
            elif not fits(t[-1], u[-1], goal):
                said.append("fit better")
            elif row[-1] * (row[-1] / max(row[-2], 1e-12)) ** doublings <= goal:
                said.append("more data")
            else:
                said.append("another network")
        return said

    return answer


def renamed(**words):
    return lambda *given: [words.get(one.split()[0], one) for one in by_masks(*given)]


SUITE = AnswerSuite(
    "07.4",
    right={"masks": by_masks, "step by step": step_by_step, "logarithms": by_logarithms, "by the end": by_the_end()},
    wrong=[
        Wrong("off by one", lambda t, u, g, d: by_masks(t, u, g, d + 1), "other doublings"),
        Wrong("least so far", by_the_end(of_unseen=min), "at the last number of examples decide"),
        Wrong("overfits by the gap", by_the_end(lambda fit, error, goal: error - fit > goal), "judge by the gap"),
        Wrong("overfits at any gap", by_the_end(lambda fit, error, goal: error > fit), "judge by the gap"),
        Wrong("overfits by a gap of .1", by_the_end(lambda fit, error, goal: error - fit > 0.1), "judge by the gap"),
        Wrong("training errors go on", by_the_end(falling=lambda t, u: t), "does not come from the errors on unseen"),
        Wrong("one word", lambda *given: by_masks(*given)[0], "for each network"),
        Wrong(
            "numbers",
            lambda *given: [
                ["nothing", "fit better", "more data", "another network"].index(one) for one in by_masks(*given)
            ],
            "for each network",
        ),
    ],
    unforeseen={
        "half the goal": lambda t, u, g, d: by_masks(t, u, g / 2, d),
        "twice the goal": lambda t, u, g, d: by_masks(t, u, 2 * g, d),
        "squared doublings": lambda t, u, g, d: by_masks(t, u, g, d * d),
        "exchanged": renamed(more="another network", another="more data"),
        "fit is nothing": renamed(fit="nothing"),
        "reversed": lambda *given: by_masks(*given)[::-1],
    },
)
