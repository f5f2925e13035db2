"""Answers to exercise 03.4, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def named(trained):
    *hidden, readout = trained
    if all(hidden):
        return "learned"
    return "partly learned" if any(hidden) else "random" if readout else "untrained"


def deciding(has_moved, *, arrays=(0, 1), name=named):
    """The answer with an idea of what has moved, and of what follows."""

    def answer(before, after):
        return name([any(has_moved(old[i], new[i]) for i in arrays) for old, new in zip(before, after, strict=True)])

    return answer


def far(old, new):
    return np.linalg.norm(new - old) > 0.02 * np.linalg.norm(old)


def far_in_torch(old, new):
    old, new = (torch.tensor(part).float().ravel() for part in (old, new))
    return torch.dist(old, new) / old.norm() > 0.02


def is_no_rounding(old, new):
    """An array was trained where rounding to three digits does not give the very numbers."""
    return any(float(f"{x:.3g}") != y for x, y in zip(old.flat, new.flat, strict=True))


SUITE = AnswerSuite(
    "03.4",
    right={"lengths": deciding(far), "torch": deciding(far_in_torch), "rounding": deciding(is_no_rounding)},
    wrong=[
        Wrong("booleans", deciding(far, name=list), "letter by letter"),
        Wrong("never untrained", deciding(far, name=lambda trained: named([*trained[:-1], True])), "read-out neither"),
    ],
    unforeseen={
        "off by one": deciding(far, name=lambda trained: named(trained[1:])),
        "the first hidden layer": deciding(far, name=lambda trained: named([trained[0], trained[-1]])),
        "the biases alone": deciding(far, arrays=[1]),
        "mean of the differences": deciding(lambda old, new: abs((new - old).mean()) > 0.02 * np.abs(old).mean()),
        "a third moved": deciding(lambda old, new: np.linalg.norm(new - old) > 0.35 * np.linalg.norm(old)),
        "every number": deciding(lambda old, new: (np.abs(new - old) > 0.02 * np.abs(old)).all()),
    },
)
