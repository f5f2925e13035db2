"""Answers to exercise 08.12, right and wrong."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from tests.answers import AnswerSuite, Wrong
from tests.lesson_08.records import networks
from utils.lesson_08 import capstone, small_networks
from utils.training import train_ensemble

DEEP, ONE_LAYER = networks("digits")


def column_by_column(order, network=DEEP):
    activation, ((weight, bias), *others) = network
    return activation, [(weight[:, np.asarray(order)], bias), *others]


def by_a_matrix(order):
    """A matrix that puts the pixels back where they were, in the first layer."""
    activation, ((weight, bias), *others) = DEEP
    back = torch.eye(64, dtype=torch.float64)[torch.as_tensor(order)].T
    return activation, [(torch.tensor(weight) @ back, torch.tensor(bias)), *others]


def in_lists(order):
    activation, layers = DEEP
    first = [[row[place] for place in order.tolist()] for row in layers[0][0].tolist()]
    return [activation, [[first, layers[0][1].tolist()], *([w.tolist(), b.tolist()] for w, b in layers[1:])]]


def changed(change, network=DEEP):
    return lambda order: (network[0], change(column_by_column(order, network)[1]))


def nearest_neighbour(order):
    """All digits by heart: the largest of 1,797 products says which is nearest, one unit each."""
    X = capstone.reordered(capstone.plain_digits().numpy(), order)
    return "relu", [(X.astype(np.float16), -(X**2).sum(axis=1) / 2), (np.zeros((10, len(X))), np.zeros(10))]


@cache
def fitted(copies):
    """A linear model of digits as they ship (0), or moved and thickened."""
    X, y = capstone.digit_images(max(copies, 1), generator=capstone.generator_of(0))
    X = X if copies else capstone.plain_digits()
    model = LogisticRegression(max_iter=60).fit(X.numpy(), y.numpy())
    return "relu", [(model.coef_, model.intercept_)]


def padded(units):
    def change(layers):
        (weight, bias), (read, shift), *others = layers
        first = np.vstack([weight, np.zeros((units, 64))]), np.append(bias, np.zeros(units))
        return [first, (np.hstack([read, np.zeros((len(read), units))]), shift), *others]

    return change


@cache
def trained_on(sizes, moved):
    """A network of this size, trained in a hurry on moved digits, or on those that ship."""
    X, y = capstone.digit_images(8, generator=capstone.generator_of(0))
    X = X if moved else capstone.plain_digits().repeat(8, 1)
    models = small_networks.starts(sizes, "tanh", 2, capstone.generator_of(0))
    train_ensemble(models, X, y, epochs=20, lr=0.01, batch_size=100, schedule="one-cycle", progress=False)
    return small_networks.rounded(small_networks.best_of(models, X, y)[0])


def units(*which):
    """Too narrow: what these of the five units know."""

    def answer(order):
        activation, ((weight, bias), (read, shift)) = column_by_column(order, ONE_LAYER)
        return activation, [(weight[[*which]], bias[[*which]]), (read[:, [*which]], shift)]

    return answer


def by_a_loop(order):
    """Each column is put where its pixel now is; the units in another order, in float32."""
    activation, ((weight, bias), (read, shift), *others) = DEEP
    first = torch.zeros(weight.shape)
    for place, pixel in enumerate(order):
        first[:, place] = torch.tensor(weight)[:, int(pixel)]
    turned = list(range(len(bias)))[::-1]
    return activation, [(first[turned], bias[turned].astype(np.float32)), (read[:, turned], shift), *others]


def by_the_inverse(order):
    """Row by row, by where each pixel has gone."""
    activation, ((weight, bias), *others) = DEEP
    first = np.empty_like(weight)
    first.T[np.argsort(order)] = weight.T
    return activation, ((first, bias), *others)


SUITE = AnswerSuite(
    "08.12",
    right={
        "columns": column_by_column,
        "matrix": by_a_matrix,
        "lists": in_lists,
        "loop": by_a_loop,
        "inverse": by_the_inverse,
    },
    wrong=[
        Wrong("the other order", lambda order: column_by_column(np.argsort(order)), "in order the other way"),
        Wrong("softmax", lambda order: ("softmax", column_by_column(order)[1]), 'one text, "relu" or "tanh"'),
        Wrong("too deep", changed(lambda layers: [*layers, *[(np.eye(10), np.zeros(10))] * 8]), "too many layers"),
        Wrong("infinite", changed(lambda layers: [(w / 0.0, b) for w, b in layers]), "nan, infinite or larger"),
        Wrong(
            "one output",
            changed(lambda layers: [*layers[:-1], (layers[-1][0][:1], layers[-1][1][:1])]),
            "Return a pair",
        ),
        Wrong("nearest neighbour", nearest_neighbour, "more parameters than all points allow"),
        Wrong("linear", lambda order: column_by_column(order, fitted(2)), "more parameters than all points allow"),
        Wrong("two units", units(0, 1), "Your network is too narrow"),
        Wrong(
            "four units",
            lambda order: column_by_column(order, trained_on((64, 4, 10), True)),
            "Your network is too narrow",
        ),
        Wrong(
            "trained on plain digits",
            lambda order: column_by_column(order, trained_on((64, 5, 10), False)),
            "Within the rules",
        ),
    ],
    unforeseen={
        "off by one": changed(lambda layers: [*layers[:-1], (np.roll(layers[-1][0], 1, axis=0), layers[-1][1])]),
        "rows read backwards": lambda order: column_by_column(order[::-1]),
        "relu instead": lambda order: ("relu", column_by_column(order)[1]),
        "transposed images": lambda order: column_by_column(np.arange(64).reshape(8, 8).T.ravel()[order]),
        "without biases": changed(lambda layers: [(w, 0 * b) for w, b in layers]),
        "bright for dark": changed(lambda layers: [(-layers[0][0], layers[0][1]), *layers[1:]]),
    },
)
