"""Answers to exercise 05.7, right and wrong."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def gap(one, other):
    return np.abs(one - other).max()


def relabelled(weights, layer, order, signs):
    """The network with new labels in a hidden layer: where each unit comes from, and its sign there."""
    changed = [np.array(weight) for weight in weights]
    changed[layer] = changed[layer][list(order)] * np.array(signs)[:, None]
    changed[layer + 1] = changed[layer + 1][:, list(order)] * signs
    return changed


def labellings(units):
    return product(permutations(range(units)), product((1, -1), repeat=units))


def search(a, b, layer=0):
    """The best labelling of the second network, layer by layer."""
    if layer == len(a) - 1:
        return max(map(gap, a, b))
    return min(search(a, relabelled(b, layer, *labels), layer + 1) for labels in labellings(len(a[layer])))


def all_at_once(a, b):
    """The first network gets the labels, all its hidden layers at once."""
    found = []
    for labels in product(*(labellings(len(weight)) for weight in a[:-1])):
        changed = a
        for layer, (order, signs) in enumerate(labels):
            changed = relabelled(changed, layer, order, signs)
        found.append(max(map(gap, changed, b)))
    return np.array(found).min()


def in_torch(a, b):
    """All labellings of all layers as matrices, one product for each."""
    a, b = ([torch.as_tensor(weight) for weight in weights] for weights in (a, b))

    def matrices(units):
        eye = torch.eye(units, dtype=torch.float64)
        return torch.stack([eye[list(order)] * torch.tensor(signs) for order, signs in labellings(units)])

    first = matrices(len(b[0]))
    differences = (a[0] - first @ b[0]).abs().amax(dim=(1, 2))
    if len(a) == 2:
        return torch.maximum(differences, (a[1] - b[1] @ first.mT).abs().amax(dim=(1, 2))).min()
    second = matrices(len(b[1]))
    between = (a[1] - second @ b[1] @ first[:, None].mT).abs().amax(dim=(2, 3))
    last = (a[2] - b[2] @ second.mT).abs().amax(dim=(1, 2))
    return torch.maximum(torch.maximum(between, last), differences[:, None]).min()


def path(a, b):
    """The lines of the lesson's path: each unit takes the nearest one, or its mirror image."""
    T, S = ([torch.as_tensor(weight) for weight in weights] for weights in (a, b))
    for k in range(len(T) - 1):
        found = torch.cdist(T[k], torch.cat([S[k], -S[k]])).argmin(1)
        order, sign = found % len(T[k]), 1 - 2.0 * (found // len(T[k]))
        S[k] = sign[:, None] * S[k][order]
        S[k + 1] = S[k + 1][:, order] * sign
    return max((t - s).abs().max() for t, s in zip(T, S, strict=True))


def greedy(a, b, follow=True):
    """Each layer labelled by its incoming weights alone; the outgoing ones follow, or follow the order alone."""
    for layer in range(len(a) - 1):
        found = ((relabelled(b, layer, *labels), labels[1]) for labels in labellings(len(a[layer])))
        b, signs = min(found, key=lambda changed: gap(a[layer], changed[0][layer]))
        b[layer + 1] = b[layer + 1] if follow else b[layer + 1] * signs
    return max(map(gap, a, b))


def same_outputs(a, b):
    outputs = []
    for weights in (a, b):
        y = np.random.default_rng(0).normal(size=(200, a[0].shape[1]))
        for weight in weights[:-1]:
            y = np.tanh(y @ weight.T)
        outputs.append(y @ weights[-1].T)
    return gap(*outputs)


def flat(weights):
    return np.concatenate([weight.ravel() for weight in weights])


SUITE = AnswerSuite(
    "05.7",
    right={"layer by layer": search, "torch": in_torch, "all at once": all_at_once},
    wrong=[
        Wrong("all differences", lambda a, b: [gap(x, y) for x, y in zip(a, b, strict=True)], "A number was expected"),
        Wrong("half", lambda a, b: search(a, b) / 2, "as near as that"),
        Wrong("incoming weights first", greedy, "Have you tried every order"),
    ],
    unforeseen={
        "off by one": lambda a, b: min(
            max(map(gap, a[:-1], relabelled(b, 0, *labels))) for labels in labellings(len(a[0]))
        ),
        "as on the path": path,
        "order follows": lambda a, b: greedy(a, b, follow=False),
        "mean": lambda a, b: np.abs(flat(a) - flat(b)).mean(),
        "outputs": same_outputs,
        "relative": lambda a, b: search(a, b) / np.abs(flat(a)).max(),
    },
)
