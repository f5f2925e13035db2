"""Answers to exercise 03.1, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def kept_coordinates(normal, offset, *, factor=2, c=None):
    """Both coordinates through units that are always on, and the third unit takes off what is beyond the line."""
    weight = np.array([[1.0, 0.0], [0.0, 1.0], normal])
    readout = np.c_[np.eye(2), -factor * normal / np.sum(normal**2)]
    return weight, np.array([2, 2, -(offset if c is None else c)]), readout, np.array([-2, -2])


def along_and_across(normal, offset, push=10.0):
    """|distance| by two units, the coordinate along the crease by a third, in float32."""
    n = torch.as_tensor(normal, dtype=torch.float32)
    length = n.norm()
    n, t, c = n / length, torch.stack([-n[1], n[0]]) / length, offset / length
    bias, readout = torch.stack([-c, c, torch.tensor(push)]), torch.stack([-n, -n, t], dim=1)
    return torch.stack([n, -n, t]), bias, readout, c * n - push * t


def of_large_units(normal, offset):
    """Larger units than need be, the opposite ways round, in another order, with biases of 50."""
    n1, n2 = normal
    square = n1 * n1 + n2 * n2
    weight = np.array([[3 * n1, 3 * n2], [0.0, -5.0], [-0.5, 0.0]])
    readout = np.array([[-2 * n1 / square / 3, 0, -2], [-2 * n2 / square / 3, -0.2, 0]])
    return [weight, np.array([-3 * offset, 50, 50]), readout, np.array([100.0, 10.0])]


def not_turned_back(normal, offset):
    """The coordinates along the normal and across it."""
    length = np.linalg.norm(normal)
    n1, n2 = normal / length
    return [[n1, n2], [-n2, n1], [n1, n2]], [3, 3, -offset / length], [[1, 0, -2], [0, 1, 0]], [-3, -3]


def changed(change):
    return lambda normal, offset: change(*kept_coordinates(normal, offset))


SUITE = AnswerSuite(
    "03.1",
    right={"kept coordinates": kept_coordinates, "along and across": along_and_across, "large": of_large_units},
    wrong=[
        Wrong("bias not taken back", changed(lambda W, b, V, d: (W, b, V, 0 * d)), "a shift of the whole sheet"),
        Wrong("not turned back", not_turned_back, "it lies turned"),
    ],
    unforeseen={
        "off by one": lambda normal, offset: kept_coordinates(normal, offset, c=offset + 1),
        "half as far": lambda normal, offset: kept_coordinates(normal, offset, c=offset / 2),
        "cut along the crease": lambda normal, offset: along_and_across(normal, offset, push=0.0),
        "three times": lambda normal, offset: kept_coordinates(normal, offset, factor=3),
        "W transposed": changed(lambda W, b, V, d: (W.T, b, V, d)),
        "one unit": lambda normal, offset: (normal[None], [-offset], -2 * normal[:, None], [0, 0]),
    },
)
