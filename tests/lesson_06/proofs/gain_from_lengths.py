"""Proof of exercise 06.3."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
from scipy.interpolate import interp1d
from scipy.optimize import brentq

from tests.proofs import Proof, Wrong


def in_plain_python(gains, lengths, skip):
    medians = []
    for place in range(len(gains)):
        per_seed = [one[place].tolist() for one in lengths]
        steps = len(per_seed[0]) - 1 - skip
        medians.append(statistics.median(math.log(one[-1] / one[skip]) / steps for one in per_seed))
    for i in range(1, len(gains)):
        if medians[i - 1] < 0 < medians[i]:
            share = medians[i] / (medians[i] - medians[i - 1])
            return gains[i - 1] ** share * gains[i] ** (1 - share)
    return 0.0


def by_root(gains, lengths, skip):
    """A piecewise straight line, and where it is 0; the number of steps changes nothing of that."""
    medians = np.quantile(np.log(lengths[..., -1] / lengths[..., skip]), 0.5, axis=0)
    if medians.max() < 0 or medians.min() > 0:
        return 0.0
    return 10 ** brentq(interp1d(np.log10(gains), medians), *np.log10(gains[[0, -1]]), xtol=1e-9)


def in_torch(gains, lengths, skip):
    logs = torch.as_tensor(lengths).log2()[:, :, skip:]
    medians = logs.diff(dim=2).mean(dim=2).quantile(0.5, dim=0)
    above = int((medians > 0).sum())
    if above in (0, len(medians)):
        return 0.0
    low, high = medians[-above - 1], medians[-above]
    x = torch.as_tensor(gains).log()
    return ((x[-above - 1] * high - x[-above] * low) / (high - low)).exp()


def growth(lengths, skip):
    return np.log(lengths[..., -1] / lengths[..., skip]) / (lengths.shape[-1] - 1 - skip)


def between(gains, heights):
    """The gain at which straight lines over its logarithm are 0, and 0 where they are not."""
    for i in range(len(gains) - 1):
        if heights[i] < 0 <= heights[i + 1]:
            share = heights[i] / (heights[i] - heights[i + 1])
            return gains[i] * (gains[i + 1] / gains[i]) ** share
    return 0.0


def reading(heights_of):
    """Another idea of what is 0 at the gain."""

    def answer(gains, lengths, skip):
        return between(gains, heights_of(lengths, skip))

    return answer


def finding(find):
    """Another idea of where the medians are 0."""
    return lambda gains, lengths, skip: find(gains, np.median(growth(lengths, skip), axis=0))


def from_layer(first):
    return lambda gains, lengths, skip: in_plain_python(gains, lengths, first(skip))


def median(values):
    return np.median(values, axis=0)


def logarithm(gains, lengths, skip):
    gain = in_plain_python(gains, lengths, skip)
    return math.log(gain) if gain else 0.0


def extrapolated(gains, medians):
    """The line through the two gains nearest to 0, however far they are."""
    i, j = np.sort(np.argsort(np.abs(medians))[:2])
    slope = (medians[j] - medians[i]) / np.log(gains[j] / gains[i])
    inside = between(gains, medians)
    return inside or np.exp(np.log(gains[i]) - medians[i] / slope)


def each_seed(gains, lengths, skip):
    found = [one for one in (between(gains, heights) for heights in growth(lengths, skip)) if one]
    return float(np.median(found)) if found else 0.0


def line(scale, back):
    def find(gains, medians):
        slope, height = np.polyfit(scale(gains), medians, 1)
        return back(-height / slope)

    return finding(find)


def slopes(lengths, skip):
    counted = np.log(lengths[..., skip:])
    fits = np.polyfit(np.arange(counted.shape[-1]), counted.reshape(-1, counted.shape[-1]).T, 1)[0]
    return median(fits.reshape(counted.shape[:2]))


def all_steps(lengths, skip):
    steps = np.diff(np.log(lengths[..., skip:]))
    return np.array([np.median(steps[:, i]) for i in range(steps.shape[1])])


def ratios(lengths, skip):
    counted = lengths[..., skip:]
    return median((counted[..., 1:] / counted[..., :-1]).mean(axis=-1)) - 1


PROOF = Proof(
    "06.3",
    right={"plain Python": in_plain_python, "root": by_root, "torch": in_torch},
    wrong=[
        Wrong("mean", reading(lambda lengths, skip: growth(lengths, skip).mean(axis=0)), "take a mean over the seeds"),
        Wrong("mean length", reading(lambda lengths, skip: growth(lengths.mean(axis=0), skip)),
              "take a mean over the seeds"),
        Wrong("median length", reading(lambda lengths, skip: growth(median(lengths), skip)),
              "median of the lengths first"),
        Wrong("nothing skipped", from_layer(lambda skip: 0), "were to be left out"),
        Wrong("off by one", from_layer(lambda skip: skip + 1), "off by one"),
        Wrong("one earlier", from_layer(lambda skip: max(skip - 1, 0)), "off by one"),
        Wrong("ratios", reading(ratios), "ratios of neighbouring layers"),
        Wrong("total ratio", reading(lambda lengths, skip: median(lengths[..., -1] / lengths[..., skip]) - 1),
              "without a logarithm"),
        Wrong("difference", reading(lambda lengths, skip: median(lengths[..., -1] - lengths[..., skip])),
              "without a logarithm"),
        Wrong("last step", reading(lambda lengths, skip: median(np.log(lengths[..., -1] / lengths[..., -2]))),
              "last two layers alone"),
        Wrong("fitted", reading(slopes), "fit a line through all layers"),
        Wrong("last length", reading(lambda lengths, skip: median(np.log(lengths[..., -1]))), "last length is 1"),
        Wrong("all steps", reading(all_steps), "seeds and layers together"),
        Wrong("over gains", finding(lambda gains, heights: np.log(between(np.exp(gains), heights) or 1)),
              "over the gains themselves"),
        Wrong("logarithm", logarithm, "take the exponential"),
        Wrong("nearest", finding(lambda gains, medians: gains[np.abs(medians).argmin()]), "that was measured"),
        Wrong("first above", finding(lambda gains, medians: gains[(medians > 0).argmax()]), "that was measured"),
        Wrong("one line", line(np.log, np.exp), "one straight line to all gains"),
        Wrong("one line over gains", line(np.asarray, float), "one straight line to all gains"),
        Wrong("np.interp alone", finding(lambda gains, medians: np.exp(np.interp(0, medians, np.log(gains)))),
              "returns the nearest end"),
        Wrong("each seed", each_seed, "gain of each seed"),
        Wrong("extrapolated", finding(extrapolated), "nothing is measured beyond them"),
        Wrong("growth", lambda gains, lengths, skip: growth(lengths, skip), "Return one number: the gain"),
        Wrong("too large", lambda gains, lengths, skip: gains[-1] + lengths[0, 0, 0], "yours is not between these"),
    ],
    unforeseen={
        "last seed": reading(lambda lengths, skip: growth(lengths, skip)[-1]),
        "lower quartile": reading(lambda lengths, skip: np.quantile(growth(lengths, skip), 0.25, axis=0)),
        "mean gain": lambda gains, lengths, skip: float(np.mean(gains)),
        "geometric mean": lambda gains, lengths, skip: float(np.exp(np.log(gains).mean())),
        "squared": lambda gains, lengths, skip: (in_plain_python(gains, lengths, skip) or 1) ** 2,
        "last layer left out": lambda gains, lengths, skip: in_plain_python(gains, lengths[..., :-1], min(skip, 2)),
        "middle of the ends": lambda gains, lengths, skip: (gains[0] + gains[-1]) / 2,
        "largest growth": reading(lambda lengths, skip: growth(lengths, skip).max(axis=0)),
    },
)
