"""Answers to exercise 07.5, right and wrong."""

from __future__ import annotations

import numpy as np

from tests.answers import AnswerSuite, Wrong


def with_a_counter(losses, patience, min_delta):
    best, kept, waited = float("inf"), 0, 0
    for epoch, loss in enumerate(losses.tolist()):
        if best - loss > min_delta:
            best, kept, waited = loss, epoch, 0
        else:
            waited += 1
            if waited == patience:
                return kept, epoch
    return kept, len(losses) - 1


def by_jumping(losses, patience, min_delta):
    """From each improvement to the next one, if that comes in time."""
    kept = 0
    while True:
        ahead = losses[kept + 1 : kept + 1 + patience]
        better = np.flatnonzero(ahead < losses[kept] - min_delta)
        if not better.size:
            return [kept, min(kept + patience, len(losses) - 1)]
        kept += 1 + int(better[0])


def recursive(losses, patience, min_delta, kept=0, epoch=0):
    if epoch - kept == patience or epoch == len(losses) - 1:
        return np.array([kept, epoch])
    improved = losses[epoch + 1] < losses[kept] - min_delta
    return recursive(losses, patience, min_delta, epoch + 1 if improved else kept, epoch + 1)


def with_a_mask(losses, patience, min_delta):
    """By a running table: which epochs are improvements, and how long ago the last one was."""
    improved = [0]
    for epoch in range(1, len(losses)):
        if losses[improved[-1]] - losses[epoch] > min_delta:
            improved.append(epoch)
        if epoch >= improved[-1] + patience:
            return np.int64(improved[-1]), np.int64(epoch)
    return improved[-1], len(losses) - 1


def changed(change):
    return lambda losses, *options: change(losses, *with_a_counter(losses, *options))


SUITE = AnswerSuite(
    "07.5",
    right={"counter": with_a_counter, "jumps": by_jumping, "recursive": recursive, "mask": with_a_mask},
    wrong=[
        Wrong("off by one", lambda losses, patience, delta: with_a_counter(losses, patience + 1, delta), "one epoch"),
        Wrong(
            "argmin and patience",
            lambda losses, patience, delta: (losses.argmin(), min(losses.argmin() + patience, len(losses) - 1)),
            "You look for the lowest loss",
        ),
        Wrong(
            "argmin and the end",
            lambda losses, *options: (np.argmin(losses), len(losses) - 1),
            "You look for the lowest",
        ),
        Wrong("the last is kept", changed(lambda losses, kept, stop: (stop, stop)), "weights with which training ends"),
        Wrong(
            "beyond the end",
            lambda losses, patience, delta: (
                with_a_counter(losses, patience, delta)[0],
                with_a_counter(losses, patience, delta)[0] + patience,
            ),
            "after the last epoch",
        ),
    ],
    unforeseen={
        "patience twice": lambda losses, patience, delta: with_a_counter(losses, 2 * patience + 1, delta),
        "no patience": lambda losses, patience, delta: with_a_counter(losses, len(losses), delta),
        "twice the delta": lambda losses, patience, delta: with_a_counter(losses, patience, 2 * delta + 0.05),
        "from behind": lambda losses, *options: with_a_counter(losses[::-1], *options),
        "losses": changed(lambda losses, kept, stop: [losses[kept], losses[stop]]),
        "distance": changed(lambda losses, kept, stop: [kept, stop - kept]),
        "largest": changed(lambda losses, kept, stop: [int(losses.argmax()), stop]),
    },
)
