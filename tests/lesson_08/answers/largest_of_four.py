"""Answers to exercise 08.1, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def unit_by_unit(A, b):
    rows = [A[0] - A[1], A[1], -A[1], A[2] - A[3], A[3], -A[3]]
    offsets = [b[0] - b[1], b[1], -b[1], b[2] - b[3], b[3], -b[3]]
    second = [[1, 1, -1, -1, -1, 1], [0, 0, 0, 1, 1, -1], [0, 0, 0, -1, -1, 1]]
    return [[rows, offsets], [second, [0, 0, 0]], [[[1, 1, -1]], [0]]]


def in_float32_in_another_order(A, b):
    """The pairs are 0 and 2, 1 and 3; the larger one of a pair is p + relu(q − p)."""
    chosen = np.array([[-1, 0, 1, 0], [1, 0, 0, 0], [-1, 0, 0, 0], [0, -1, 0, 1], [0, 1, 0, 0], [0, -1, 0, 0]])
    larger = np.array([[1, 1, -1, 0, 0, 0], [0, 0, 0, 1, 1, -1]])
    second = np.array([[1, -1], [0, 1], [0, -1]]) @ larger
    layers = [(chosen @ A, chosen @ b), (second, np.zeros(3)), (np.array([[1, 1, -1]]), np.zeros(1))]
    return [tuple(torch.tensor(part, dtype=torch.float32) for part in layer) for layer in layers]


def one_difference_shared(A, b):
    """Units for q₂ and q₁ − q₂, as max(p₁, q₁) − max(p₂, q₂) = q₁ − q₂ + relu(p₁ − q₁) − relu(p₂ − q₂)."""
    chosen = np.array([[1, -1, 0, 0], [0, 0, 1, -1], [0, 1, 0, -1], [0, -1, 0, 1], [0, 0, 0, 1], [0, 0, 0, -1]])
    second = np.array([[1, -1, 1, -1, 0, 0], [0, 1, 0, 0, 1, -1], [0, -1, 0, 0, -1, 1]])
    return ((2 * chosen @ A, 2 * chosen @ b), (second / 2, np.zeros(3)), (np.array([[1, 1, -1]]), np.zeros((1, 1))))


def tree_of(pair, read):
    """The answer with these units of a pair, read with these weights, on both levels."""

    def answer(A, b):
        two, reads = np.kron(np.eye(2), pair), np.kron(np.eye(2), read)
        return [(two @ A, two @ b), (pair @ reads, np.zeros(len(pair))), (read[None], np.zeros(1))]

    return answer


def changed(*places, by):
    """The right answer with some of its six arrays, counted from 0, changed."""

    def answer(A, b):
        arrays = [np.array(part, dtype=float) for layer in unit_by_unit(A, b) for part in layer]
        for place in places:
            arrays[place] = by(arrays[place])
        return list(zip(arrays[::2], arrays[1::2], strict=True))

    return answer


def four_units(A, b):
    """The right function by ½ (p + q + |p − q|), which takes a unit too many."""
    return tree_of(np.array([[1, -1], [-1, 1], [1, 1], [-1, -1]]), np.array([1, 1, 1, -1]) / 2)(A, b)


def layer_for_the_numbers(A, b):
    """The right function, with a layer that only passes on the four numbers, each by two units."""
    both, first = np.kron(np.eye(4), [[1], [-1]]), np.kron(np.eye(4), [1, -1])
    (weight, bias), *rest = unit_by_unit(np.eye(4), np.zeros(4))
    return [(both @ A, both @ b), (np.array(weight) @ first, bias), *rest]


def numbers_through_relu(A, b):
    """A layer that computes the four numbers: behind its ReLU, those that are negative are 0."""
    return [(A, b), *unit_by_unit(np.eye(4), np.zeros(4))]


def by_smaller_ones(A, b):
    """The larger one as p − q + q, with the second number first, and everything scaled; in lists."""
    (weight, bias), (second, shift), (last, end) = in_float32_in_another_order(A[::-1], b[::-1])
    scaled = [(4 * weight, 4 * bias), (second / 2, shift), (last / 2, end)]
    return [[part.tolist() for part in layer] for layer in scaled]


def one_hidden_layer(A, b):
    """Half of the sum of both larger ones, and of how far apart they are at 0."""
    pairs = np.array([[1, -1, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0], [0, 0, 1, -1], [0, 0, 0, 1], [0, 0, 0, -1]])
    return [(pairs @ A, pairs @ b), (np.array([[1, 1, -1, 1, 1, -1]]) / 2, np.zeros(1))]


SUITE = AnswerSuite(
    "08.1",
    right={
        "unit by unit": unit_by_unit,
        "float32, other pairs": in_float32_in_another_order,
        "shared difference": one_difference_shared,
        "scaled lists": by_smaller_ones,
    },
    wrong=[
        Wrong("four units", four_units, "too large"),
        Wrong("layer of its own", layer_for_the_numbers, "too large"),
        Wrong("weights alone", lambda A, b: [weight for weight, _ in unit_by_unit(A, b)], "list of pairs"),
        Wrong("off by one", lambda A, b: unit_by_unit(A, b)[:-1], "do not fit together"),
        Wrong("transposed", changed(0, 2, 4, by=np.transpose), "do not fit together"),
        Wrong("one hidden layer", one_hidden_layer, "one hidden layer cannot"),
        Wrong("numbers first", numbers_through_relu, "does not get through by one unit"),
        Wrong("p and q cut", tree_of(np.array([[1, -1], [0, 1]]), np.array([1, 1])), "takes two"),
    ],
    unforeseen={
        "the larger of two": lambda A, b: unit_by_unit(A[[0, 1, 0, 1]], b[[0, 1, 0, 1]]),
        "three of them": lambda A, b: unit_by_unit(A[[0, 1, 2, 2]], b[[0, 1, 2, 2]]),
        "no offsets in half": lambda A, b: unit_by_unit(A, b * [1, 1, 0, 0]),
        "output doubled": changed(4, by=lambda weight: 2 * weight),
        "one added": changed(5, by=lambda bias: bias + 1),
        "negative": lambda A, b: unit_by_unit(-A, -b),
        "sum of two larger ones": changed(2, by=lambda weight: weight * [[0], [1], [1]]),
    },
)
