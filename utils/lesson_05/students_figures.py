"""The figures of lesson 05 on shallow students."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from utils.comparison import HELD_OUT, TRAINING
from utils.figures import COLOURS
from utils.lesson_05 import depths, students
from utils.pages import described
from utils.plots import plot_estimates, plot_medians, plot_rows
from utils.statistics import median
from utils.training import History
from utils.types import Array, Data

LINES = (("-", "black"), ("--", "orange"), (":", "blue"), ("-.", "green"))


@described("05b.around", "One teacher around a circle of inputs, and two students")
@described(
    "05b.odd",
    "Without biases, half a turn changes the sign, and x₁² does not do that",
    """Around a circle of inputs, x₁² makes two hills. The student with biases lies on them. The student without
    biases swings up and down elsewhere, and its second half turn is the first one upside down.
    """,
)
def around(functions: Mapping[str, Callable[[Tensor], Tensor]], seed: int = 0, n_in: int = 5) -> Figure:
    """Outputs around a circle of inputs, from 0 to 360 degrees. The teacher rises and falls, with steep parts between
    flatter ones. The best linear map is a single wave that misses most of that. The student of 45 units follows the
    teacher closely, with small departures.
    """
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


@described("05.sigma", "The deeper the teacher, the sooner a line misses half")
def missed_by_depth(data: Data) -> Figure:
    """What the best linear map leaves against σ, a line each for teachers of 4, 16 and 64 hidden layers, with an
    upright line at 1 and a dotted level line at a half. Below 1 all three lie low. Above, that for 64 layers rises
    steeply, soon crosses the half, and ends near 1. That for 16 layers crosses it further right, and that for 4 layers
    climbs gently, and is no further than the half at σ = 2.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    looks = ("o-", "orange"), ("s--", "blue"), ("D-.", "green")
    for depth, (style, colour) in zip(depths.DEPTHS, looks, strict=True):
        estimates = [median(depths.left(data, depth, sigma)) for sigma in depths.SIGMAS]
        plot_estimates(depths.SIGMAS, estimates, label=f"{depth} layers", style=style, colour=colour, ax=ax)
    ax.axhline(0.5, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.axvline(1, color=COLOURS["grey"], linestyle="-", linewidth=0.8)
    ax.set(xlabel="σ of the teacher", ylabel="share that a line leaves", ylim=(0, 1.05))
    ax.legend(loc="upper left", bbox_to_anchor=(0.02, 0.98))
    return figure


@described("05c.shape", "No teacher is recovered up to σ = 1, most are at 1.6")
def shapes_by_sigma(data: Data) -> Figure:
    """Held-out error on a logarithmic axis against σ, for teachers of width 5. The best linear map climbs gently at the
    top. 45 units climb steeply, over six decades. Students of the teacher's shape, a triangle each with a bar at the
    median, lie low up to σ = 1. At the next three values of σ about half, most and about half lie far below, at the
    last digits of float64; at the largest most of them lie high again.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4))
    ax.set(yscale="log", xlabel="σ of the teacher", ylabel="relative held-out error")
    ax.axvline(students.SIGMAS.index(1.0), color=COLOURS["grey"], linestyle="-", linewidth=0.8)
    for kind, label, style, colour in (
        ("linear", "best linear map of these 20", "o-", "orange"),
        ("shallow", "45 units", "D--", "blue"),
    ):
        errors = students.held_out(data, students.NARROW, [*students.SIGMAS], kind).transpose("seed", "sigma")
        plot_medians(students.SIGMAS, errors, label=label, style=style, colour=colour, ax=ax)
    same, places = data["same"].transpose("seed", "sigma").values, np.arange(len(students.SIGMAS))
    marks = {"color": COLOURS["green"], "linestyle": "none", "marker": "^"}
    ax.plot((places + np.linspace(-0.2, 0.2, len(same))[:, None]).T, same.T, markersize=3.5, alpha=0.6, **marks)
    ax.plot(places, np.median(same, axis=0), "_", color="black", markersize=22, label="its median")
    ax.plot([], [], label="the teacher's shape", **marks)
    ax.legend(loc="lower left")
    return figure


@described("05b.points", "With 1,000 points, 135 units memorise them")
def units_and_points(data: Data) -> Figure:
    """Relative error on a logarithmic axis for 5, 15, 45 and 135 hidden units. On 16,000 points the held-out error
    falls all the way, close above the training error. On 4,000 points it falls a little less. On 1,000 points it falls
    up to 45 units, and with 135 it is higher than ever.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.9))
    few, some, most = students.SAMPLES
    looks = (
        (HELD_OUT, few, "o:", "orange"),
        (HELD_OUT, some, "s--", "blue"),
        (HELD_OUT, most, "D-", "green"),
        (TRAINING, most, "^-.", "black"),
    )
    for part, points, style, colour in looks:
        errors, label = _by_units(data, points, part), f"{part}, {points:,} points"
        plot_medians(students.WIDTHS, errors, label=label, style=style, colour=colour, ax=ax)
    ax.set(yscale="log", xlabel="hidden units", ylabel="relative error")
    ax.legend(loc="lower left")
    return figure


def _by_units(data: Data, points: int, part: str = HELD_OUT) -> Array:
    return students.fitted(data, [*students.WIDTHS], points, part).transpose("seed", "units").values


@described("05b.loss", "Shallow curves soon lie flat, most deep ones fall on")
def loss_curves(shallow: Sequence[History], deep: Sequence[History]) -> Figure:
    """Held-out loss on a logarithmic axis against steps, from 0 to 20,000, a thin line for each of eight students of
    either kind. All begin near 1 and fall steeply. The blue lines, one layer of 45 units, hardly fall after a quarter
    of the steps, and end close together. Most of the dashed green ones, the teacher's shape, go on falling and end far
    lower, spread over nearly two powers of ten; some lie flat from the middle on, and in the last stretch all do.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    looks = ("one layer of 45", "-", "blue"), ("the teacher's shape", "--", "green")
    for histories, (label, style, colour) in zip((shallow, deep), looks, strict=True):
        for number, history in enumerate(histories):
            look = {"color": COLOURS[colour], "linewidth": 1, "label": None if number else label}
            ax.plot(history.validation_steps, history.validation_loss, style, **look)
    ax.set(yscale="log", xlabel="steps of Adam", ylabel="held-out loss, relative")
    ax.legend(loc="upper right")
    return figure


@described("05b.blame", "Points and units together take off most")
def shares_left(data: Data) -> Figure:
    """Six rows, one for each change, with a dot for each of the teachers and the median of them, on a logarithmic axis:
    the error afterwards as a multiple of that before. Adam lies slightly above 1, for five times as long slightly
    below, as do restarts, four times the points and three times the units lower, and both together lowest.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    plot_rows(students.remedies(data), ax=ax)
    ax.axvline(1, color=COLOURS["grey"], linestyle="-", linewidth=1)
    ax.set(xscale="log", xlabel="held-out error afterwards, as a multiple of that before")
    ticks = [0.1, 0.2, 0.5, 1, 2]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    return figure


@described("05b.width", "The blue band is measured, the rest drawn with a ruler")
def extrapolations(data: Data) -> Figure:
    """Error against hidden units, both axes logarithmic. At the left, in a shaded band from 5 to 135 units, each
    teacher's four measured errors. From there a straight line for each teacher falls to 1e-6, where the lines arrive at
    widths that are spread over many decades.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    errors, ends = _by_units(data, students.SAMPLES[-1]), students.extrapolated(data)
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
