"""Answers to exercise 08.5, right and wrong."""

from __future__ import annotations

import math
import statistics

import numpy as np
from scipy.interpolate import make_interp_spline

from tests.answers import AnswerSuite, Wrong


def by_hand(steps, deep, shallow, pace, seconds):
    def error(row, count):
        after = next(place for place, one in enumerate(steps) if one >= count)
        share = math.log(count / steps[after - 1]) / math.log(steps[after] / steps[after - 1])
        return row[after - 1] ** (1 - share) * row[after] ** share

    counts = seconds / pace[0], seconds / pace[1]
    return [
        statistics.median(
            error(one, counts[0]) / error(other, count)
            for one, other in zip(deep.tolist(), shallow.tolist(), strict=True)
        )
        for count in counts
    ]


def by_a_spline(steps, deep, shallow, pace, seconds):
    """Of the first degree, in base 10, for all seeds at once."""
    scale = np.log10(steps)
    in_deep, in_shallow = np.log10(seconds) - np.log10(pace)
    curves = [make_interp_spline(scale, np.log10(part), k=1, axis=1) for part in (deep, shallow)]
    ratios = [curves[0](in_deep) - curves[1](count) for count in (in_deep, in_shallow)]
    return 10 ** np.median(np.array(ratios), axis=1)


def of_ratios(steps, deep, shallow, pace, seconds):
    """Equal steps from the curve of the ratio itself; on a scale of seconds for the other."""
    steps = np.asarray(steps, dtype=float)
    equal = [np.interp(np.log2(seconds / pace[0]), np.log2(steps), row) for row in np.log2(deep / shallow)]
    deep_at, shallow_at = (
        np.array([np.interp(np.log(seconds), np.log(steps * one), row) for row in np.log(part)])
        for one, part in zip(pace, (deep, shallow), strict=True)
    )
    return float(2 ** np.median(equal)), float(np.sort(np.exp(deep_at - shallow_at))[len(deep) // 2])


def in_pieces(steps, deep, shallow, pace, seconds):
    """From the record before on: each seed's error falls as a power of the steps until the next record."""
    ratios = []
    for counts in ((1 / pace[0], 1 / pace[0]), (1 / pace[0], 1 / pace[1])):
        errors = []
        for part, at in zip((deep, shallow), np.array(counts) * seconds, strict=True):
            place = int(np.searchsorted(steps, at)) - 1
            power = np.log(part[:, place + 1] / part[:, place]) / np.log(steps[place + 1] / steps[place])
            errors.append(part[:, place] * (at / steps[place]) ** power)
        ratios.append(np.median(errors[0] / errors[1]))
    return np.array(ratios, dtype=np.float32)


def given(change):
    """The right answer to arguments that are changed first."""
    return lambda *arguments: by_a_spline(*change(*arguments))


def then(change):
    """The right answer, changed."""
    return lambda *arguments: change(*by_a_spline(*arguments))


SUITE = AnswerSuite(
    "08.5",
    right={"by hand": by_hand, "spline": by_a_spline, "ratios": of_ratios, "pieces": in_pieces},
    wrong=[
        Wrong("logarithms", then(lambda equal, fair: [np.log(equal), np.log(fair)]), "take the exponential"),
        Wrong("upside down", then(lambda equal, fair: [1 / equal, 1 / fair]), "upside down"),
        Wrong("changed places", then(lambda equal, fair: [fair, equal]), "changed places"),
        Wrong(
            "medians first",
            given(lambda s, d, w, p, t: (s, np.median(d, axis=0)[None], np.median(w, axis=0)[None], p, t)),
            "the median comes last",
        ),
        Wrong(
            "whole steps",
            given(lambda s, d, w, p, t: (s, d, w, 1 / (t // np.array(p)), 1.0)),
            "the part of a step that is left over",
        ),
        Wrong("last records", lambda s, d, w, p, t: [np.median(d[:, -1] / w[:, -1])] * 2, "those of the last record"),
        Wrong(
            "paces",
            given(lambda s, d, w, pace, seconds: (s, d, w, np.array(pace)[::-1], seconds)),
            "of the deep network first",
        ),
    ],
    unforeseen={
        "off by one": lambda s, d, w, pace, seconds: [
            np.median(d[:, -2] / w[:, -2]),
            by_a_spline(s, d, w, pace, seconds)[1],
        ],
        "equal steps twice": then(lambda equal, fair: [equal, equal]),
        "first seed": given(lambda s, d, w, pace, seconds: (s, d[:1], w[:1], pace, seconds)),
        "difference": then(lambda equal, fair: [equal - 1, fair - 1]),
        "squares": then(lambda equal, fair: [equal**2, fair**2]),
        "half the time": given(
            lambda s, d, w, pace, seconds: (s, d, w, np.array(pace), max(0.5 * seconds, 1.001 * pace[0] * s[0]))
        ),
        "sides exchanged": given(lambda s, d, w, pace, seconds: (s, w, d, pace, seconds)),
    },
)
