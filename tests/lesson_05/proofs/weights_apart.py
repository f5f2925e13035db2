"""Proof of exercise 05.7."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import torch

from tests.proofs import Proof, Wrong
from utils.lesson_05 import teachers
from utils.models import mlp


def gap(one, other):
    return np.abs(one - other).max()


def withheld(a, b):
    sizes = [a[0].shape[1], *map(len, a)]
    models = [mlp(sizes, "tanh", bias=False).double() for _ in range(2)]
    for model, weights in zip(models, (a, b), strict=True):
        for parameter, weight in zip(model.parameters(), weights, strict=True):
            parameter.data = torch.as_tensor(weight)
    return teachers.weight_gap(*models)


def relabelled(weights, layer, order, signs):
    """The network with new labels in a hidden layer: where each unit comes from, and its sign there."""
    changed = [np.array(weight) for weight in weights]
    changed[layer] = changed[layer][list(order)] * np.array(signs)[:, None]
    changed[layer + 1] = changed[layer + 1][:, list(order)] * signs
    return changed


def labellings(units, turned=(1, -1), orders="all"):
    all_orders = permutations(range(units)) if orders == "all" else [tuple(range(units))]
    return product(all_orders, product(turned, repeat=units))


def search(a, b, layer=0, **options):
    """The best of these labellings, layer by layer."""
    if layer == len(a) - 1:
        return max(map(gap, a, b))
    return min(
        search(a, relabelled(b, layer, *labels), layer + 1, **options)
        for labels in labellings(len(a[layer]), **options)
    )


def cut_short(a, b, layer=0, bound=np.inf):
    """As `search`, but whatever is worse already in the matrices in front is left alone; signs row by row."""
    if layer == len(a) - 1:
        return min(bound, gap(a[-1], b[-1]))
    for order in permutations(range(len(a[layer]))):
        rows = b[layer][list(order)]
        signs = [s for s in product([1, -1], repeat=len(rows)) if gap(a[layer], np.transpose(rows.T * s)) < bound]
        for sign in signs:
            changed = relabelled(b, layer, order, sign)
            bound = min(bound, max(gap(a[layer], changed[layer]), cut_short(a, changed, layer + 1, bound)))
    return bound


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


def by_assignment(a, b):
    """For each labelling of all layers but the last, the last layer's units are matched one to one."""

    def matched(one, other):
        front, back = np.abs(one[0][:, None] - other[0]), np.abs(one[1].T[:, None] - other[1].T)
        front_turned, back_turned = np.abs(one[0][:, None] + other[0]), np.abs(one[1].T[:, None] + other[1].T)
        plus = np.maximum(front.max(axis=2), back.max(axis=2))
        minus = np.maximum(front_turned.max(axis=2), back_turned.max(axis=2))
        costs, units = np.minimum(plus, minus), range(len(one[0]))
        return min(max(costs[i, j] for i, j in zip(units, order, strict=True)) for order in permutations(units))

    if len(a) == 2:
        return matched(a, b)
    found = []
    for labels in labellings(len(a[0])):
        changed = relabelled(b, 0, *labels)
        found.append(max(gap(a[0], changed[0]), matched(a[1:], changed[1:])))
    return np.array(found).min()


def vectorised(a, b, **options):
    """The gaps of each matrix for all labellings, [first layer's, second layer's]; fast, for what is wrong."""
    first = list(labellings(len(b[0]), **options))
    second = list(labellings(len(b[1]), **options)) if len(b) == 3 else [None]
    table = []
    for labels in first:
        one = relabelled(b, 0, *labels)
        both = [one if inner is None else relabelled(one, 1, *inner) for inner in second]
        table.append([[gap(x, y) for x, y in zip(a, two, strict=True)] for two in both])
    return np.array(table)


def greedy(a, b):
    """Each layer labelled by its incoming weights alone."""
    for layer in range(len(a) - 1):
        b = min((relabelled(b, layer, *labels) for labels in labellings(len(a[layer]))),
                key=lambda changed: gap(a[layer], changed[layer]))
    return max(map(gap, a, b))


def path(a, b):
    """The lines of the lesson's path: each unit takes the nearest one, or its mirror image."""
    T, S = ([torch.as_tensor(weight) for weight in weights] for weights in (a, b))
    for k in range(len(T) - 1):
        found = torch.cdist(T[k], torch.cat([S[k], -S[k]])).argmin(1)
        order, sign = found % len(T[k]), 1 - 2.0 * (found // len(T[k]))
        S[k] = sign[:, None] * S[k][order]
        S[k + 1] = S[k + 1][:, order] * sign
    return max((t - s).abs().max() for t, s in zip(T, S, strict=True))


def flattened(a, b):
    return [np.concatenate([weight.ravel() for weight in weights]) for weights in (a, b)]


def best_of(measure):
    """The smallest value over all labellings of a measure of all differences."""

    def answer(a, b):
        found = []
        for labels in labellings(len(b[0])):
            one = relabelled(b, 0, *labels)
            inner = [one] if len(b) == 2 else [relabelled(one, 1, *more) for more in labellings(len(b[1]))]
            found += [measure(np.subtract(*flattened(a, two))) for two in inner]
        return min(found)

    return answer


def following(columns):
    """As `search`, but with a change of the columns behind that is left incomplete."""

    def answer(a, b, layer=0):
        if layer == len(a) - 1:
            return max(map(gap, a, b))
        found = []
        for order, signs in labellings(len(a[layer])):
            changed = relabelled(b, layer, order, signs)
            changed[layer + 1] = columns(b[layer + 1], list(order), np.array(signs))
            found.append(answer(a, changed, layer + 1))
        return min(found)

    return answer


def one_layer_alone(a, b):
    return min(max(map(gap, a, relabelled(b, 0, *labels))) for labels in labellings(len(a[0])))


def same_outputs(a, b):
    x = np.random.default_rng(0).normal(size=(200, a[0].shape[1]))
    outputs = []
    for weights in (a, b):
        y = x
        for weight in weights[:-1]:
            y = np.tanh(y @ weight.T)
        outputs.append(y @ weights[-1].T)
    return gap(*outputs)


def by_norms(a, b):
    """Units sorted by the length of their incoming weights, signs by the first of them."""
    labelled = []
    for weights in (a, b):
        for layer in range(len(weights) - 1):
            order = np.argsort(np.linalg.norm(weights[layer], axis=1))
            weights = relabelled(weights, layer, order, np.sign(weights[layer][order, 0]))
        labelled.append(weights)
    return max(map(gap, *labelled))


PROOF = Proof(
    "05.7",
    right={"cut short": cut_short, "torch": in_torch, "assignment": by_assignment},
    wrong=[
        Wrong("off by one", one_layer_alone, "first hidden layer alone"),
        Wrong("as they are", lambda a, b: max(map(gap, a, b)), "as they stand"),
        Wrong("orders", lambda a, b: search(a, b, turned=(1,)), "tanh is odd"),
        Wrong("signs", lambda a, b: search(a, b, orders="as they are"), "comes first means nothing"),
        Wrong("incoming alone", following(lambda weight, order, signs: weight), "outgoing weights along"),
        Wrong("order follows", following(lambda weight, order, signs: weight[:, order]), "not the signs"),
        Wrong("signs follow", following(lambda weight, order, signs: weight * signs), "but not the order"),
        Wrong("old signs follow", following(lambda weight, order, signs: weight * signs[np.argsort(order)]),
              "but not the order"),
        Wrong("first matrix", lambda a, b: vectorised(a, b)[:, 0, 0].min(), "into the first hidden layer alone"),
        Wrong("last matrix", lambda a, b: vectorised(a, b)[..., -1].min(), "the last matrix alone"),
        Wrong("each by itself", lambda a, b: vectorised(a, b).min(axis=(0, 1)).max(), "as suits it best"),
        Wrong("incoming weights first", greedy, "by their incoming weights alone"),
        Wrong("as on the path", path, "by their incoming weights alone"),
        Wrong("sum of the largest", lambda a, b: vectorised(a, b).sum(axis=2).min(), "largest of them all"),
        Wrong("mean", best_of(lambda difference: np.abs(difference).mean()), "or average them"),
        Wrong("sum", best_of(lambda difference: np.abs(difference).sum()), "or average them"),
        Wrong("mean square", best_of(lambda difference: (difference**2).mean()), "or average them"),
        Wrong("norm", best_of(np.linalg.norm), "or average them"),
        Wrong("sizes", lambda a, b: search([abs(w) for w in a], [abs(w) for w in b], turned=(1,)), "drop the signs"),
        Wrong("sorted sizes", lambda a, b: max(gap(np.sort(abs(x).ravel()), np.sort(abs(y).ravel()))
                                               for x, y in zip(a, b, strict=True)), "sort the numbers"),
        Wrong("sorted", lambda a, b: max(gap(np.sort(x.ravel()), np.sort(y.ravel()))
                                         for x, y in zip(a, b, strict=True)), "sort the numbers"),
        Wrong("worst", lambda a, b: vectorised(a, b).max(), "labelling that is worst"),
        Wrong("all differences", lambda a, b: [gap(x, y) for x, y in zip(a, b, strict=True)], "Return one number"),
        Wrong("the same or not", lambda a, b: bool(by_assignment(a, b) < 0.01), "Return one number"),
        Wrong("half", lambda a, b: by_assignment(a, b) / 2, "as near as that"),
        Wrong("units by norms", by_norms, "a better labelling"),
        Wrong("withheld", withheld, "write it yourself"),
    ],
    unforeseen={
        "outputs": same_outputs,
        "twice": lambda a, b: 2 * by_assignment(a, b) + 0.01,
        "second largest": lambda a, b: float(np.sort(np.abs(np.subtract(*flattened(a, b))))[-2]),
        "signs of the whole layer": lambda a, b: min(
            max(map(gap, a, relabelled(b, 0, range(len(b[0])), [s] * len(b[0])))) for s in (1, -1)),
        "reversed": lambda a, b: max(map(gap, a, relabelled(b, 0, range(len(b[0]))[::-1], [1] * len(b[0])))),
        "products": lambda a, b: gap(np.linalg.multi_dot(a), np.linalg.multi_dot(b)),
        "lengths": lambda a, b: max(abs(np.linalg.norm(x) - np.linalg.norm(y)) for x, y in zip(a, b, strict=True)),
        "relative": lambda a, b: by_assignment(a, b) / np.abs(np.concatenate([x.ravel() for x in a])).max(),
        "largest weights": lambda a, b: abs(max(np.abs(x).max() for x in a) - max(np.abs(y).max() for y in b)) + 0.02,
    },
)
