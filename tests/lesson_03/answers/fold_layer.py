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


def normalised_first(normal, offset):
    """With n and c divided by the length of n, a step of n goes as far as the third unit says."""
    length = np.hypot(*normal)
    n, c = np.array(normal) / length, offset / length
    return np.array([[1, 0], [0, 1], n]), [4, 4, -c], np.array([[1, 0, -2 * n[0]], [0, 1, -2 * n[1]]]), [-4, -4]


def fitted(normal, offset):
    """The units chosen, and their read-out by least squares on points that were folded one by one."""
    W, b = np.vstack([np.eye(2), np.asarray(normal)]), np.array([3.0, 3.0, -offset])
    points = np.stack(np.meshgrid(*[np.linspace(-2, 2, 21)] * 2), axis=-1).reshape(-1, 2)
    images = [p - 2 * max(p @ normal - offset, 0) / (normal @ normal) * normal for p in points]
    units = np.c_[np.maximum(points @ W.T + b, 0), np.ones(len(points))]
    readout = np.linalg.lstsq(units, np.array(images), rcond=None)[0]
    return W, b, readout[:3].T, readout[3]


def lifted_by(lift, taken_away=1):
    """The right layer, with another bias of the units that hand the coordinates on."""

    def answer(normal, offset):
        W, b, V, _ = kept_coordinates(normal, offset)
        lifts = np.broadcast_to(np.asarray(lift, dtype=float), 2)
        return W, np.append(lifts, b[2]), V, -taken_away * lifts

    return answer


def changed_step(step):
    """The right units, and another step for what is beyond the line."""
    return changed(lambda W, b, V, d: (W, b, np.c_[np.eye(2), -2 * step(W[2])], d))


def normalised_in_w(normal, offset):
    length = np.linalg.norm(normal)
    return np.vstack([np.eye(2), normal / length]), [2, 2, -offset / length], np.c_[np.eye(2), -2 * normal], [-2, -2]


def normalised_in_w_without_c(normal, offset):
    W, _, V, d = normalised_in_w(normal, offset)
    return W, [2, 2, -offset], V, d


def as_if_normalised(normal, offset):
    """|n·p − c| by two units, and what is across by a third, of an n whose length nobody looked at."""
    n, t = np.asarray(normal), np.array([-normal[1], normal[0]])
    return [n, -n, t], [-offset, offset, 20], np.stack([-n, -n, t], axis=1), offset * n - 20 * t


def changed(change):
    return lambda normal, offset: change(*kept_coordinates(normal, offset))


SUITE = AnswerSuite(
    "03.1",
    right={
        "kept coordinates": kept_coordinates,
        "along and across": along_and_across,
        "large": of_large_units,
        "normalised first": normalised_first,
        "fitted": fitted,
    },
    wrong=[
        Wrong("bias not taken back", changed(lambda W, b, V, d: (W, b, V, 0 * d)), "a shift of the whole sheet"),
        Wrong("no lift", lifted_by(0), "missing or too small"),
        Wrong("a lift of 1", lifted_by(1), "missing or too small"),
        Wrong("a lift of 1.95", lifted_by(1.95), "missing or too small"),
        Wrong("lifted by the offset", lambda normal, offset: lifted_by(offset)(normal, offset), "missing or too small"),
        Wrong("one coordinate lifted", lifted_by([2, 0]), "missing or too small"),
        Wrong("no lift across", lambda *given: along_and_across(*given, push=0.0), "missing or too small"),
        Wrong("a lift of 1, not taken back", lifted_by(1, taken_away=0), "missing or too small"),
        Wrong("n as it is", changed_step(lambda n: n), "n is not normalised"),
        Wrong("n of length 1, in V alone", changed_step(lambda n: n / np.linalg.norm(n)), "n is not normalised"),
        Wrong("n of length 1, in W alone", normalised_in_w, "n is not normalised"),
        Wrong("n of length 1 in W, not in V, nor c", normalised_in_w_without_c, "n is not normalised"),
        Wrong("n as it is, along and across", as_if_normalised, "n is not normalised"),
        Wrong("V transposed", changed(lambda W, b, V, d: (W, b, V.T, d)), "matrix is transposed"),
        Wrong("W transposed", changed(lambda W, b, V, d: (W.T, b, V, d)), "W has a row for each unit"),
        Wrong("not turned back", not_turned_back, "it lies turned"),
    ],
    unforeseen={
        "off by one": lambda normal, offset: kept_coordinates(normal, offset, c=offset + 1),
        "half as far": lambda normal, offset: kept_coordinates(normal, offset, c=offset / 2),
        "no bias at the crease": lambda normal, offset: kept_coordinates(normal, offset, c=offset**2),
        "three times": lambda normal, offset: kept_coordinates(normal, offset, factor=3),
        "W turned round": changed(lambda W, b, V, d: (W[::-1], b, V, d)),
        "one unit": lambda normal, offset: (normal[None], [-offset], -2 * normal[:, None], [0, 0]),
    },
)
