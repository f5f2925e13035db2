"""Figures of functions on an interval."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from scipy.special import expit
from torch import nn

from utils.figures import COLOURS
from utils.lesson_01.curves import CURVES
from utils.plots import plot_two_fits
from utils.types import Array


def fits(
    panels: Mapping[str, tuple[str, Mapping[str, object]]], *, beyond: Mapping[str, float] | None = None
) -> Figure:
    """A panel for each title: the name of one of CURVES, and functions to draw over it, by label.

    A function is a network that takes x / half_width [n, 1], or takes x and returns an array. beyond: by title, how
    many times as wide as the curve's interval its panel is; dotted lines are then the interval's ends.
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(10, 3.0))
    for (title, (name, functions)), ax in zip(panels.items(), np.atleast_1d(axes), strict=True):
        curve, wider = CURVES[name], (beyond or {}).get(title, 1.0)
        x = wider * curve.grid(1001)
        lines = [_values(function, x, curve.half_width) for function in functions.values()]
        plot_two_fits(x, curve.f(x), lines, list(functions), ax=ax)
        if wider > 1:
            for end in (-curve.half_width, curve.half_width):
                ax.axvline(end, color="black", linestyle=":", linewidth=1)
        ax.get_legend().remove()
        ax.set_title(title)
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def bumps(steepness: float = 20.0) -> Figure:
    """Two sigmoid steps and the bump that they add up to, and three bumps that add up to a staircase."""
    x = np.linspace(0, 5, 501)
    rise = {edge: expit(steepness * (x - edge)) for edge in range(1, 5)}
    figure, (left, right) = plt.subplots(1, 2)
    sums = {"color": COLOURS["sky"], "linestyle": "-", "linewidth": 5, "label": "their sum"}
    left.plot(x, rise[1] - rise[2], **sums)
    left.plot(x, rise[1], "--", color=COLOURS["black"], linewidth=1.2, label="step up at 1")
    left.plot(x, -rise[2], ":", color=COLOURS["red"], label="step down at 2")
    parts = [height * (rise[edge] - rise[edge + 1]) for edge, height in enumerate((0.4, 1.0, 0.7), 1)]
    right.plot(x, sum(parts), **sums)
    for part in parts:
        right.plot(x, part, "--", color=COLOURS["black"], linewidth=1.2, label="bumps" if part is parts[0] else None)
    left.set(title="two steps make a bump", xlabel="x")
    right.set(title="three bumps make a staircase", xlabel="x", ylim=(-0.1, 1.4))
    left.legend(loc="lower left")
    right.legend(loc="upper left", ncols=2)
    return figure


def _values(function: object, x: Array, half_width: float) -> Array:
    if not isinstance(function, nn.Module):
        return function(x)
    with torch.no_grad():
        return function(torch.as_tensor(x / half_width, dtype=torch.float32)[:, None])[:, 0].numpy()
