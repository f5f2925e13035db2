"""Answers to exercise 03.8, right and wrong."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def by_angle(x, z):
    lengths = math.sqrt(sum(a * a for a in x)) * math.sqrt(sum(b * b for b in z))
    angle = math.acos(max(-1, min(1, sum(a * b for a, b in zip(x, z, strict=True)) / lengths)))
    return lengths * (math.sin(angle) + 2 * (math.pi - angle) * math.cos(angle)) / math.pi


def by_integration(x, z):
    """The averages over the direction of w alone: its length is independent of it, and has the mean square 2."""
    lengths, product = np.linalg.norm(x) * np.linalg.norm(z), np.dot(x, z)
    angle = np.arccos(product / lengths)
    turn = (np.arange(400_000) + 0.5) * 2 * np.pi / 400_000
    one, other = np.cos(turn), np.cos(turn - angle)
    said = 2 * 2 * np.mean(np.maximum(one, 0) * np.maximum(other, 0)) * lengths
    return said + 2 * np.mean((one > 0) & (other > 0)) * product


def in_torch(x, z):
    x, z = torch.tensor(x), torch.tensor(z)
    c = torch.nn.functional.cosine_similarity(x, z, dim=0)
    beyond = torch.pi - torch.arccos(c)
    both = (torch.sqrt(1 - c**2) + beyond * c) / torch.pi
    return x.norm() * z.norm() * both + x @ z * beyond / torch.pi


SUITE = AnswerSuite(
    "03.8",
    right={"by the angle": by_angle, "by integration": by_integration, "torch": in_torch},
    wrong=[
        Wrong("two numbers", lambda x, z: np.array([in_torch(x, z).item(), 0.0]), "Return one number"),
    ],
    unforeseen={
        "the example's": lambda x, z: in_torch(np.array([1.0, 0.0]), np.array([1.0, 1.0])),
        "nothing": lambda x, z: 0.0,
        "of the first alone": lambda x, z: in_torch(x, x[::-1].copy() + 0.1),
        "the product": lambda x, z: x @ z,
        "off by one": lambda x, z: in_torch(x, z) + 1,
        "its root": lambda x, z: abs(in_torch(x, z)) ** 0.5,
    },
)
