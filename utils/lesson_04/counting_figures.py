"""The figures of lesson 04 about how many linear regions there could be, and how many there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from torch import nn

from utils.comparison import HELD_OUT
from utils.figures import COLOURS
from utils.lesson_04 import counting
from utils.pages import described
from utils.plots import plot_estimates, write_beside
from utils.region_plots import plot_regions
from utils.regions import linear_regions
from utils.statistics import median
from utils.types import Array, Data


@described("04.trained", "The bound lies far above what training leaves")
def four_numbers(model: nn.Sequential, record: Data) -> Figure:
    """Above, the square cut into the regions of a trained network, hundreds of polygons, each in a shade of its own.
    Below, one logarithmic axis of counts of regions, and four marks. The bound is far right, near two million, and the
    hand-built network a little left of it, with more than half a million. Far to the left of both lie the trained
    network and twenty random ones, with hundreds each.
    """
    regions, widths = linear_regions(model, counting.BOX), counting.widths_of(counting.DEEP)
    drawn = counting.random_count(record, counting.DEEP, counting.HE)
    middles = (float(drawn.median()), len(regions), counting.folded_regions(widths, 2), counting.serra_bound(widths, 2))
    words = (f"median of {len(drawn)} random", "yours", "hand-built", "the bound")
    looks = (("o", "blue"), ("s", "orange"), ("^", "green"), ("X", "black"))
    figure, (above, ax) = plt.subplots(2, figsize=(5.2, 6.6), height_ratios=(1.6, 1))
    plot_regions(regions, above)
    above.locator_params(nbins=5)
    ax.plot(drawn, np.zeros(len(drawn)), "|", color=COLOURS["blue"], markersize=12, alpha=0.6, linestyle="none")
    for height, (count, said, (style, colour)) in enumerate(zip(middles, words, looks, strict=True)):
        ax.plot(count, height, style, color=COLOURS[colour], markersize=10)
        ax.annotate(
            f"{said}: {count:,.0f}",
            (count, height),
            xytext=(0, 11),
            textcoords="offset points",
            ha="center" if height < 2 else "right",
        )
    ax.set(xscale="log", xlim=(min(5, float(drawn.min()) / 1.5), 5e6), ylim=(-0.5, 3.7), xlabel="regions", yticks=[])
    _plain_ticks(ax.xaxis, [10, 1000, 100_000])
    return figure


@described("04.shapes", "With depth, the bound explodes and the counts do not")
def shapes(record: Data) -> Figure:
    """Regions on a logarithmic axis, for 32 units as 1×32, 2×16, 4×8 and 8×4. The bound climbs from about 500 to 200
    million. Below it three lines stay between ten and a thousand: random networks of He's initialisation stay level and
    then fall; those of PyTorch's fall all the way; trained ones climb from about a hundred to some 800 at 4×8, and fall
    again at 8×4.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.0))
    names, places = list(counting.SHAPES), np.arange(len(counting.SHAPES))
    bounds = [counting.serra_bound(counting.widths_of(shape), 2) for shape in names]
    ax.plot(places, bounds, "X--", color="black")
    write_beside("the bound", (places[-1], bounds[-1]), ax)
    series = (
        ("trained", "s-", "orange", 6, counting.trained_count),
        ("random, He's", "o-", "blue", -6, lambda *which: counting.random_count(*which, counting.HE)),
        ("random, PyTorch's", "v-", "purple", 0, counting.random_count),
    )
    for words, style, colour, lift, count in series:
        estimates = [median(count(record, shape), method="order") for shape in names]
        plot_estimates(places, estimates, style=style, colour=colour, ax=ax)
        write_beside(words, (places[-1], estimates[-1].value), ax, colour=colour, up=lift)
    ax.set_xticks(places, names)
    ax.set(yscale="log", xlabel="hidden layers × units in each", ylabel="regions", xlim=(-0.2, 4.9))
    _plain_ticks(ax.yaxis, [10, 1000, 100_000, 10_000_000])
    return figure


def print_shapes(record: Data) -> None:
    """Print every shape's bound, its hand-built, random and trained counts, that on the plane, and its accuracy."""
    print(f"{'shape':6}{'bound':>13}{'hand-built':>12}{'PyTorch':>9}{'He':>6}{'trained':>9}{'plane':>7}{'right':>7}")
    for shape in counting.SHAPES:
        widths = counting.widths_of(shape)
        columns = (
            counting.random_count(record, shape),
            counting.random_count(record, shape, counting.HE),
            counting.trained_count(record, shape),
            counting.trained_count(record, shape, counting.PLANE),
            counting.accuracy(record, shape),
        )
        drawn, he, trained, plane, right = (float(column.median()) for column in columns)
        bound, built = counting.serra_bound(widths, 2), counting.folded_regions(widths, 2)
        counts = f"{bound:13,}{built:12,}{drawn:9,.0f}{he:6,.0f}{trained:9,.0f}{plane:7,.0f}"
        print(f"{shape:6}{counts}{right:7.2f}")


def print_rates(record: Data) -> None:
    """Print, for each learning rate, the regions after training from He's initialisation and the accuracy of one layer
    and of four, the ratio of their regions, and that ratio from PyTorch's initialisation.
    """
    print(f"{'rate':>6}{'1×32':>7}{'right':>7}{'4×8':>7}{'right':>7}{'ratio':>8}{'PyTorch':>8}")
    for rate in counting.RATES:
        row = f"{rate:6g}"
        for shape in (counting.SHALLOW, counting.DEEP):
            right = record["accuracy"].sel(shape=shape, init=counting.HE, rate=rate, part=HELD_OUT).median()
            row += f"{float(counting.count_at_rate(record, shape, rate).median()):7,.0f}{float(right):7.2f}"
        for init in (counting.HE, counting.DEFAULT):
            row += f"{float(counting.depth_ratio(record, rate, init).median()):8.1f}"
        print(row)


@described("04a.fourth", "A new line crosses all that were there before")
def lines_added(lines: ArrayLike) -> Figure:
    """Four squares. In the first a single line; in each of the others one line more, drawn in red, with a dot at each
    of the lines that it crosses: one, then two, then three.
    """
    lines = np.asarray(lines, dtype=float)
    if lines.ndim != 2 or lines.shape[1] != 3 or len(lines) > 4:
        raise ValueError(f"lines has shape {lines.shape}: wanted (n, 3), with n at most 4")
    rows = -(-len(lines) // 2)
    figure, axes = plt.subplots(rows, 2, figsize=(5.2, 2.7 * rows), squeeze=False)
    there = np.array([-2.0, 2.0])
    for ax in axes.flat[len(lines) :]:
        ax.remove()
    for count, ax in enumerate(axes.flat[: len(lines)], 1):
        *before, new = lines[:count]
        for row, look in [*((row, ("grey", 1.6)) for row in before), (new, ("red", 2.4))]:
            a, b, c = row
            ends = (there, -(a * there + c) / b) if abs(b) > abs(a) else (-(b * there + c) / a, there)
            ax.plot(*ends, color=COLOURS[look[0]], linestyle="-", linewidth=look[1])
        for row in before:
            both = np.array([row, new])
            ax.plot(*np.linalg.solve(both[:, :2], -both[:, 2]), "o", color=COLOURS["red"], markersize=7)
        ax.set(xlim=(-1, 1), ylim=(-1, 1), aspect="equal", xticks=[], yticks=[])
        ax.set_title("1 line" if count == 1 else f"{count} lines, {count - 1} crossed")
        ax.grid(False)
    return figure


@described("04a.zigzags", "Four pieces or five; applied twice, twenty-five")
def zigzags(curves: Mapping[str, Callable[[Array], Array]]) -> Figure:
    """Three zig-zags between 0 and 1. The first goes up, down, up and down, in four equal pieces. The second goes up,
    down, up, down and up, and its first piece is half as wide as the others. The third is the second one applied twice:
    it goes up and down twenty-five times.
    """
    x = np.linspace(0, 1, 1621)  # the breaks of the page's functions, multiples of 1/81 and 1/4, are among them
    figure, axes = plt.subplots(1, len(curves), figsize=(5.2, 2.5), sharey=True, squeeze=False)
    for (name, curve), ax in zip(curves.items(), axes[0], strict=True):
        ax.plot(x, curve(x), color=COLOURS["blue"], linestyle="-")
        ax.set(xlabel="x", title=name)
    axes[0, 0].set_ylabel("y")
    return figure


@described("04a.deeper", "With up to four layers, regions grow about as the square of the units")
def grown(record: Data) -> Figure:
    """Regions of random networks against 32, 64, 128 and 256 hidden units, on logarithmic axes. The lines climb by a
    factor of about four at each doubling; that of eight layers begins far lower, and is steeper. One and two layers lie
    right below a dashed line, the most that one layer can have, four layers a little lower.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.0))
    places = np.arange(len(counting.GROWN))
    ax.plot(places, [counting.general_position(units, 2) for units in counting.GROWN], color="black", linestyle="--")
    end = places[-1], counting.general_position(counting.GROWN[-1], 2)
    ax.annotate(
        "the most that one layer can have", end, xytext=(-20, 4), ha="right", va="bottom", textcoords="offset points"
    )
    looks = (("o-", "blue"), ("v-", "purple"), ("s-", "orange"), ("^-", "green"))
    for (style, colour), depth in zip(looks, counting.GROWN_DEPTHS, strict=True):
        counts = [counting.grown_count(record, depth, units) for units in counting.GROWN]
        plot_estimates(places, [median(one, method="order") for one in counts], style=style, colour=colour, ax=ax)
        ax.plot([], [], style, color=COLOURS[colour], label=f"{depth} layer{'s' * (depth > 1)}")
    ax.legend(loc="lower right")
    ax.set_xticks(places, [str(units) for units in counting.GROWN])
    ax.set(yscale="log", xlabel="hidden units in all", ylabel="regions on the board", ylim=(50, 60_000))
    _plain_ticks(ax.yaxis, [100, 1000, 10_000])
    return figure


# --- what `reveal` says -----------------------------------------------------------------------------------


def trained_answer(trained: int) -> dict[str, float]:
    """Return what `reveal` says of a trained network of 2→8→8→8→8→1: its regions, how many times the bound allows
    them, and how many can be built.
    """
    widths = counting.widths_of(counting.DEEP)
    times = counting.serra_bound(widths, 2) / trained
    return {"trained": trained, "times": times, "built": counting.folded_regions(widths, 2)}


def shape_medians(record: Data) -> dict[str, float]:
    """Return what `reveal` says of trained networks: the median count of "one", "two", "four" and "eight" layers."""
    medians = (float(counting.trained_count(record, shape).median()) for shape in counting.SHAPES)
    return dict(zip(("one", "two", "four", "eight"), medians, strict=True))


def grown_medians(record: Data) -> dict[str, float]:
    """Return what `reveal` says of random networks with the most units, by He: median counts of "one" and "four"
    layers.
    """
    return {word: float(counting.grown_count(record, depth).median()) for word, depth in (("one", 1), ("four", 4))}


def _plain_ticks(axis: object, ticks: Sequence[int]) -> None:
    axis.set_ticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.set_ticks([], minor=True)
