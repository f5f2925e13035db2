"""Answers to exercise 07.9, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def by_autograd(h, u, p, training, upstream):
    h = torch.tensor(h, requires_grad=True)
    output = torch.where(torch.as_tensor(u) < p, 0.0, h / (1 - p)) if training else h * 1
    (gradient,) = torch.autograd.grad(output, h, torch.as_tensor(upstream))
    return output.detach(), gradient


def number_by_number(h, u, p, training, upstream):
    output, gradient = h.copy(), upstream.copy()
    if training:
        for place in np.ndindex(h.shape):
            for array in (output, gradient):
                array[place] = 0 if u[place] < p else array[place] / (1 - p)
    return [output, gradient]


def by_mask(h, u, p, training, upstream):
    mask = np.where(u < p * training, 0, 1 / (1 - p * training)).astype(np.float32)
    return mask * h, mask * upstream


def masking(make):
    """The answer that multiplies both by something made of u, p and training."""
    return lambda h, u, p, training, upstream: (make(u, p, training) * h, make(u, p, training) * upstream)


SUITE = AnswerSuite(
    "07.9",
    right={"autograd": by_autograd, "loops": number_by_number, "mask": by_mask},
    wrong=[
        Wrong("output alone", lambda *given: by_mask(*given)[0], "Return two arrays"),
        Wrong("bare gradient", lambda *given: (by_mask(*given)[0], given[-1]), "your gradient is not"),
    ],
    unforeseen={
        "off by one": masking(lambda u, p, training: (np.roll(u, 1, axis=1) >= p) / (1 - p) if training else 1),
        "root": masking(lambda u, p, training: (u >= p) / np.sqrt(1 - p) if training else 1),
        "whole rows": masking(lambda u, p, training: (u[:, :1] >= p) / (1 - p) if training else 1),
        "exchanged": lambda *given: by_mask(*given)[::-1],
        "noise": masking(lambda u, p, training: 1 + p * (2 * u - 1) if training else 1),
        "other p": lambda h, u, p, training, upstream: by_mask(h, u, 1 - p, training, upstream),
        "twice": masking(lambda u, p, training: (u >= p) / (1 - p) ** 2 if training else 1),
    },
)
