"""Answers to exercise 01.4, right and wrong."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def with_steepness(steepness):
    def answer(start, end, height, margin, tolerance):
        s = steepness(start, end, height, margin, tolerance)
        return [s, s], [-s * start, -s * end], [height, -height], 0.0

    return answer


two_steps = with_steepness(lambda start, end, height, margin, tolerance: math.log(2 * abs(height) / tolerance) / margin)


def mirrored(start, end, height, margin, tolerance):
    """One unit falls, so that the network is 1 + 1 - 1 on the plateau; the steepness is the smallest that does."""
    s = math.log(2 * abs(height) / tolerance - 1) / margin
    return np.array([-s, s]), np.array([s * end, -s * start]), np.array([height, height]), -height


def end_first(start, end, height, margin, tolerance):
    """In float32, with a column for each, and steps far steeper than they need to be."""
    s = 1e3 / torch.tensor(margin)
    places = torch.tensor([[end], [start]])
    return s * torch.ones(2, 1), -s * places, torch.tensor([[-height], [height]]), torch.zeros(1)


def changed(change):
    """A bump, changed: ``change`` gets (w, b, a, bias) as arrays, and the input."""

    def answer(start, end, height, margin, tolerance):
        w, b, a, bias = (np.array(part) for part in two_steps(start, end, height, margin, tolerance))
        return change(w, b, a, bias, (start, end, height, margin, tolerance))

    return answer


SUITE = AnswerSuite(
    "01.4",
    right={
        "two steps": two_steps,
        "mirrored": mirrored,
        "float32": end_first,
        "as steep as can be": with_steepness(lambda *given: 1e290),
    },
    wrong=[
        Wrong("off by one", changed(lambda w, b, a, bias, given: (w[:1], b[:1], a[:1], bias)), "exactly two units"),
        Wrong("no output bias", changed(lambda w, b, a, bias, given: (w, b, a)), "Return four things"),
        Wrong("sign of the offset", changed(lambda w, b, a, bias, given: (w, -b, a, bias)), "Mind the sign"),
        Wrong(
            "bare offset",
            changed(lambda w, b, a, bias, given: (w, [-given[0], -given[1]], a, bias)),
            "the offset has to grow",
        ),
        Wrong(
            "the place as offset", changed(lambda w, b, a, bias, given: (w, [given[0], given[1]], a, bias)), "not x = b"
        ),
        Wrong("no height", changed(lambda w, b, a, bias, given: (w, b, [1, -1], bias)), "the wrong height"),
        Wrong("half", changed(lambda w, b, a, bias, given: (w, b, a / 2, bias)), "the wrong height"),
        Wrong("upside down", changed(lambda w, b, a, bias, given: (w, b, -a, bias)), "the other way"),
        Wrong(
            "height's size only",
            changed(lambda w, b, a, bias, given: (w, b, [abs(a[0]), -abs(a[0])], bias)),
            "the other way",
        ),
        Wrong(
            "outer ends",
            changed(lambda w, b, a, bias, given: (w, -w * [given[0] - given[3], given[1] + given[3]], a, bias)),
            "at 1/2",
        ),
        Wrong(
            "centre and width",
            changed(lambda w, b, a, bias, given: (w, -w * [(given[0] + given[1]) / 2, given[1] - given[0]], a, bias)),
            "at 1/2",
        ),
        Wrong("output weights first", changed(lambda w, b, a, bias, given: (a, w, b, bias)), "in another order"),
        Wrong("offsets first", changed(lambda w, b, a, bias, given: (b, w, a, bias)), "in another order"),
        Wrong("infinite", with_steepness(lambda *given: math.inf), "or infinite"),
        Wrong("both up", changed(lambda w, b, a, bias, given: (w, b, [a[0], a[0]], bias)), "Far away"),
        Wrong(
            "mirrored without bias",
            changed(lambda w, b, a, bias, given: (w * [1, -1], b * [1, -1], [a[0], a[0]], 0)),
            "Far away",
        ),
        Wrong("the height as bias", changed(lambda w, b, a, bias, given: (w, b, a, given[2])), "Far away"),
        Wrong("steepness 10", with_steepness(lambda *given: 10.0), "too gentle"),
        Wrong("without the margin", with_steepness(lambda a, b, h, m, eps: math.log(2 * abs(h) / eps)), "too gentle"),
        Wrong("without the tolerance", with_steepness(lambda a, b, h, m, eps: 20 / m), "too gentle"),
        Wrong("one unit's error", with_steepness(lambda a, b, h, m, eps: math.log(abs(h) / eps) / m), "too gentle"),
        Wrong(
            "log of a negative number",
            with_steepness(lambda a, b, h, m, eps: np.log(2 * h / eps) / m),
            "logarithm or square root",
        ),
        Wrong(
            "math's log of it",
            with_steepness(lambda a, b, h, m, eps: math.log(2 * h / eps) / m),
            "logarithm or square root",
        ),
    ],
    unforeseen={
        "flat units": changed(lambda w, b, a, bias, given: (w, b, 0 * a, bias)),
        "a third of the height": changed(lambda w, b, a, bias, given: (w, b, a / 3, bias)),
        "w = 0": changed(lambda w, b, a, bias, given: (0 * w, b, a, bias)),
        "a weaker second unit": changed(lambda w, b, a, bias, given: (w, b, [a[0], a[1] / 2], bias)),
        "the height squared": changed(lambda w, b, a, bias, given: (w, b, a * given[2], bias)),
        "half the offsets": changed(lambda w, b, a, bias, given: (w, b / 2, a, bias)),
        "as for tanh": changed(lambda w, b, a, bias, given: (w / 2, b / 2, a / 2, bias + given[2] / 2)),
    },
)
