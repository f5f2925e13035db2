"""Answers to exercise 07.2, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def identities(weights, biases, extra):
    layers = [(weights[0], biases[0])]
    for _ in range(extra):
        layers.append((np.eye(len(weights[0])), np.zeros(len(weights[0]))))
    return [*layers, (weights[1], biases[1])]


def permuted(weights, biases, extra):
    """Each extra layer moves every unit on by one, and the last matrix moves them back."""
    n = len(biases[0])
    shift = np.roll(np.eye(n), 1, axis=0)
    last = weights[1] @ np.linalg.matrix_power(shift.T, extra)
    return [(weights[0], biases[0]), *[(shift, np.zeros(n))] * extra, (last, biases[1])]


def scaled(weights, biases, extra):
    """Each layer doubles, with a bias that adds 1 and is taken away at the end; in float32."""
    n, offset, layers = len(biases[0]), np.zeros(len(biases[0])), [(weights[0], biases[0])]
    for _ in range(extra):
        layers.append((2 * np.eye(n), np.ones(n)))
        offset = 2 * offset + 1
    last = weights[1] / 2**extra
    layers.append((last, biases[1] - last @ offset))
    return [tuple(torch.tensor(part, dtype=torch.float32) for part in layer) for layer in layers]


def inserting(weight, bias=0.0):
    """The answer that puts in layers of this weight, made from the width, and of this bias throughout."""

    def answer(weights, biases, extra):
        n = len(biases[0])
        between = [(weight(n), np.full(n, bias))] * extra
        return [(weights[0], biases[0]), *between, (weights[1], biases[1])]

    return answer


SUITE = AnswerSuite(
    "07.2",
    right={"identities": identities, "permuted": permuted, "scaled, in float32": scaled},
    wrong=[
        Wrong("negative", inserting(lambda n: -np.eye(n)), "nothing passes the ReLU"),
        Wrong("off by one", lambda weights, biases, extra: identities(weights, biases, extra - 1), "not as many"),
        Wrong("weights alone", lambda *given: [weight for weight, _ in identities(*given)], "list of pairs"),
        Wrong(
            "two lists", lambda *given: [list(part) for part in zip(*identities(*given), strict=True)], "list of pairs"
        ),
    ],
    unforeseen={
        "half": inserting(lambda n: np.eye(n) / 2),
        "twice": inserting(lambda n: 2 * np.eye(n)),
        "turned": inserting(lambda n: np.roll(np.eye(n), 1, axis=0)),
        "reversed": inserting(lambda n: np.eye(n)[::-1]),
        "small biases": inserting(np.eye, 0.1),
        "output doubled": lambda *given: [*identities(*given)[:-1], tuple(2 * part for part in identities(*given)[-1])],
    },
)
