"""Proof of exercise 03.1."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def kept_coordinates(normal, offset):
    """Both coordinates through units that are always on, and the third unit takes off what is beyond the line."""
    weight = [[1.0, 0.0], [0.0, 1.0], normal.tolist()]
    readout = np.c_[np.eye(2), -2 * normal / np.sum(normal**2)]
    return weight, [2, 2, -offset], readout, [-2, -2]


def along_and_across(normal, offset):
    """|distance| by two units, the coordinate along the crease by a third, in float32."""
    n = torch.as_tensor(normal, dtype=torch.float32)
    length = n.norm()
    n, t, c = n / length, torch.stack([-n[1], n[0]]) / length, offset / length
    weight, bias = torch.stack([n, -n, t]), torch.stack([-c, c, torch.tensor(10.0)])
    readout = torch.stack([-n, -n, t], dim=1)
    return weight, bias, readout, c * n - 10 * t


def of_large_units(normal, offset):
    """Larger units than need be, the opposite ways round, in another order, with biases of 50."""
    n1, n2 = normal
    square = n1 * n1 + n2 * n2
    weight = np.array([[3 * n1, 3 * n2], [0.0, -5.0], [-0.5, 0.0]])
    readout = np.array([[-2 * n1 / square / 3, 0, -2], [-2 * n2 / square / 3, -0.2, 0]])
    return [weight, np.array([-3 * offset, 50, 50]), readout, np.array([100.0, 10.0])]


def by_reflection(normal, offset):
    """From the other side: everything is mirrored, and what should have stayed is taken back."""
    n = normal / math.hypot(*normal)
    c = offset / math.hypot(*normal)
    mirror = np.eye(2) - 2 * np.outer(n, n)
    readout = np.column_stack([mirror, -2 * n])
    return np.vstack([np.eye(2), -n]), np.array([9, 9, c]), readout, 2 * c * n - 9 * mirror.sum(axis=1)


def folding(*, power=2, factor=2.0, sign=1, offset_of=lambda c, length: c, bias=2.0, back=2.0, row=1, opened=0.0):
    """The first of the right answers, with some part other than it should be."""

    def answer(normal, offset):
        length = math.hypot(*normal)
        weight = np.array([[1.0, 0.0], [0.0, 1.0], row * normal])
        column = -factor * sign * normal / length**power
        return (weight, np.array([bias, bias, opened - row * offset_of(offset, length)]),
                np.column_stack([np.eye(2), column]), np.full(2, -back))

    return answer


def changed(change):
    return lambda normal, offset: change(*map(np.array, kept_coordinates(normal, offset)))


def all_mirrored(normal, offset):
    W, b, V, d = map(np.array, kept_coordinates(normal, offset))
    return W, b + [0, 0, 100.0], V, d - 100 * V[:, 2]


def without_bias(sign):
    """|distance| by two units, and the third without a bias."""

    def answer(normal, offset):
        length = np.hypot(*normal)
        n, c = normal / length, offset / length
        t = sign * np.array([-n[1], n[0]])
        return np.array([n, -n, t]), np.array([-c, c, 0]), np.column_stack([-n, -n, t]), c * n

    return answer


def on_a_line(normal, offset):
    W, b, V, d = without_bias(1)(normal, offset)
    return W, b, V * [1, 1, 0], d


def four_units(normal, offset):
    W, b, V, d = without_bias(1)(normal, offset)
    return np.vstack([W, -W[2]]), np.append(b, 0), np.column_stack([V, -V[:, 2]]), d


def mirrored_in_the_axis(normal, offset):
    """What is beyond is mirrored in the first axis' direction only."""
    W, b, V, d = map(np.array, kept_coordinates(normal, offset))
    V[1, 2] = 0
    return W, b, V, d


def what_stays_is_turned(normal, offset):
    """Mirror images are right, and what has to stay is moved along."""
    W, b, V, d = map(np.array, by_reflection(normal, offset))
    return W, b, V * [1, 1, 0.7], d


PROOF = Proof(
    "03.1",
    right={"kept coordinates": kept_coordinates, "along and across": along_and_across, "large": of_large_units,
           "reflection": by_reflection, "biases of 3": folding(bias=3.0, back=3.0)},
    wrong=[
        Wrong("off by one", folding(offset_of=lambda c, length: c + 1), "What has to stay does stay"),
        Wrong("not normalised", folding(power=0), "for a normal of length 1"),
        Wrong("normalised once", folding(power=1), "divide by |n| once"),
        Wrong("half of the way", folding(factor=1.0), "half of the way"),
        Wrong("away", folding(sign=-1), "farther away"),
        Wrong("the other half", folding(row=-1, sign=-1), "fold the other half"),
        Wrong("all mirrored", all_mirrored, "All of the sheet is mirrored"),
        Wrong("plus c", folding(offset_of=lambda c, length: -c), "has the bias −c"),
        Wrong("no offset", folding(offset_of=lambda c, length: 0), "offset c is missing"),
        Wrong("c as a distance", folding(offset_of=lambda c, length: c * length), "divide c by |n| as well"),
        Wrong("c divided", folding(offset_of=lambda c, length: c / length), "divide c by |n| as well"),
        Wrong("nothing", folding(factor=0), "Nothing is folded"),
        Wrong("coordinates cut", folding(bias=0.0, back=0.0), "where a coordinate is negative"),
        Wrong("cut along the crease", without_bias(1), "off on one side"),
        Wrong("cut on the other side", without_bias(-1), "off on one side"),
        Wrong("on a line", on_a_line, "lands on one line"),
        Wrong("bias not taken back", folding(back=0.0), "a shift of the whole sheet"),
        Wrong("W transposed", changed(lambda W, b, V, d: (W.T, b, V, d)), "W is transposed"),
        Wrong("V transposed", changed(lambda W, b, V, d: (W, b, V.T, d)), "V is transposed"),
        Wrong("both transposed", changed(lambda W, b, V, d: (W.T, b, V.T, d)), "W and V are"),
        Wrong("four units", four_units, "These are four units"),
        Wrong("one unit", lambda normal, offset: (normal[None], [-offset], -2 * normal[:, None], [0, 0]),
              "The shapes are others"),
        Wrong("two pairs", changed(lambda W, b, V, d: [(W, b), (V, d)]), "Return four arrays"),
        Wrong("nan", changed(lambda W, b, V, d: (W, b, V / 0.0 * 0.0, d)), "division by zero"),
        Wrong("mirrored in one direction", mirrored_in_the_axis, "What has to stay does stay"),
        Wrong("what stays moves", what_stays_is_turned, "what has to stay does not all stay"),
    ],
    unforeseen={
        "three times": folding(factor=3.0),
        "normalised three times": folding(power=3),
        "half of the offset": folding(offset_of=lambda c, length: c / 2),
        "biases of 1": folding(bias=1.0, back=1.0),
        "moved by a fixed step": changed(lambda W, b, V, d: (W, b, np.where(V > 0, V, -1.0), d)),
        "signs of the normal lost": lambda normal, offset: kept_coordinates(np.abs(normal), offset),
        "coordinates exchanged": lambda normal, offset: kept_coordinates(normal[::-1], offset),
        "outputs exchanged": changed(lambda W, b, V, d: (W, b, V[::-1], d)),
        "the third unit opened": folding(opened=0.3),
    },
)
