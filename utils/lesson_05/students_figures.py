"""The figures of lesson 05 on shallow students."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from utils.comparison import TRAINING
from utils.figures import COLOURS
from utils.lesson_05 import students
from utils.plots import plot_medians, plot_rows
from utils.types import Data

LINES = (("-", "black"), ("--", "orange"), (":", "blue"), ("-.", "green"))


def around(functions: Mapping[str, Callable[[Tensor], Tensor]], seed: int = 0, n_in: int = 5) -> Figure:
    """Each function's values around a circle of inputs of typical length, √n_in, in a plane drawn from the seed."""
    drawn = torch.randn(n_in, 2, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    plane = torch.linalg.qr(drawn).Q.T * n_in**0.5
    degrees = torch.arange(361, dtype=torch.float64)
    points = torch.stack([degrees.deg2rad().cos(), degrees.deg2rad().sin()], dim=1) @ plane
    figure, ax = plt.subplots(figsize=(8, 3.2))
    for (name, function), (style, colour) in zip(functions.items(), LINES, strict=False):
        with torch.no_grad():
            ax.plot(degrees, function(points).flatten(), style, color=COLOURS[colour], label=name)
    ax.set(xlabel="place on the circle, in degrees", ylabel="output", xticks=range(0, 361, 90))
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def error_by_sigma(data: Data) -> Figure:
    """Held-out error against σ: the best linear map and 45 units, for teachers of width 5 and of width 100."""
    figure, ax = _by_sigma()
    looks = {("linear", students.WIDE): ("s:", "black"), ("linear", students.NARROW): ("o-", "orange"),
             ("shallow", students.WIDE): ("^-.", "green"), ("shallow", students.NARROW): ("D--", "blue")}
    names = {"linear": "best linear map", "shallow": "45 units"}
    for (kind, width), (style, colour) in looks.items():
        errors = np.stack([students.held_out(data, width, sigma, kind) for sigma in students.SIGMAS], axis=1)
        plot_medians(students.SIGMAS, errors, label=f"{names[kind]}, width {width}", style=style, colour=colour, ax=ax)
    ax.legend(loc="lower right")
    return figure


def shapes_by_sigma(data: Data) -> Figure:
    """Held-out error against σ for teachers of width 5: linear map, 45 units, the teacher's shape."""
    figure, ax = _by_sigma()
    looks = (("linear", "best linear map", "o-", "orange"), ("shallow", "45 units", "D--", "blue"))
    for kind, name, style, colour in looks:
        errors = np.stack([students.held_out(data, students.NARROW, sigma, kind) for sigma in students.SIGMAS], axis=1)
        plot_medians(students.SIGMAS, errors, label=name, style=style, colour=colour, ax=ax)
    same = np.stack([students.same_shape(data, sigma) for sigma in students.SIGMAS], axis=1)
    shifts = np.linspace(-0.2, 0.2, len(same))[:, None]
    ax.plot(
        (np.arange(len(students.SIGMAS)) + shifts).T, same.T, "^", color=COLOURS["green"], markersize=3.5, alpha=0.6
    )
    ax.plot(
        np.arange(len(students.SIGMAS)), np.median(same, axis=0), "_", color="black", markersize=22, label="its median"
    )
    ax.plot([], [], "^", color=COLOURS["green"], label="the teacher's shape")
    ax.legend(loc="lower left")
    return figure


def _by_sigma() -> tuple[Figure, Axes]:
    figure, ax = plt.subplots(figsize=(8, 3.8))
    ax.set(yscale="log", xlabel="σ of the teacher", ylabel="relative held-out error")
    ax.axvline(students.SIGMAS.index(1.0), color=COLOURS["grey"], linestyle="-", linewidth=0.8)
    return figure, ax


def units_and_points(data: Data) -> Figure:
    """Error against units: held-out for three numbers of training points, and training error for the most."""
    figure, ax = plt.subplots(figsize=(8, 3.6))
    looks = (("o:", "orange"), ("s--", "blue"), ("D-", "green"))
    for points, (style, colour) in zip(students.SAMPLES, looks, strict=True):
        errors = np.stack([students.fitted(data, units, points) for units in students.WIDTHS], axis=1)
        plot_medians(students.WIDTHS, errors, label=f"held-out, {points:,} points", style=style, colour=colour, ax=ax)
    errors = np.stack(
        [students.fitted(data, units, students.SAMPLES[-1], TRAINING) for units in students.WIDTHS], axis=1
    )
    plot_medians(
        students.WIDTHS, errors, label=f"training, {students.SAMPLES[-1]:,} points", style="^-.", colour="black", ax=ax
    )
    ax.set(yscale="log", xlabel="hidden units", ylabel="relative error")
    ax.legend(loc="lower left")
    return figure


def shares_left(data: Data) -> Figure:
    """A row for each change: every teacher's share of the error that it leaves, and the median with its interval."""
    figure, ax = plt.subplots(figsize=(8, 3.2))
    plot_rows(students.remedies(data), ax=ax)
    ax.axvline(1, color=COLOURS["grey"], linestyle="-", linewidth=1)
    ax.set(xscale="log", xlabel="held-out error afterwards, as a multiple of that before")
    ticks = [0.1, 0.2, 0.5, 1, 2]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    return figure


def extrapolations(data: Data) -> Figure:
    """For each teacher the errors of four widths, and the line through them as far as the target."""
    figure, ax = plt.subplots(figsize=(8, 3.8))
    errors = np.stack([students.fitted(data, units, students.SAMPLES[-1]) for units in students.WIDTHS], axis=1)
    ends = students.extrapolated(data)
    for row, end in zip(errors, ends.values, strict=True):
        slope, height = np.polyfit(np.log(students.WIDTHS), np.log(row), 1)
        reach = np.array([students.WIDTHS[0], end])
        ax.plot(reach, np.exp(height) * reach**slope, "-", color=COLOURS["grey"], linewidth=0.7)
        ax.plot(students.WIDTHS, row, "o", color=COLOURS["blue"], markersize=3.5)
    ax.plot(ends, np.full(len(ends), students.TARGET), "D", color=COLOURS["red"], markersize=4)
    ax.axvspan(students.WIDTHS[0], students.WIDTHS[-1], color=COLOURS["sky"], alpha=0.2, linewidth=0)
    ax.text(students.WIDTHS[-1] * 1.15, errors.max(), "measured: the blue band", fontsize=9, va="center")
    ax.set(xscale="log", yscale="log", xlabel="hidden units", ylabel="relative held-out error")
    return figure
