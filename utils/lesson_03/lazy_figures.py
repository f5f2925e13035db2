"""The figures of lesson 03's excursion on lazy and rich training."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_03 import lazy
from utils.pages import described
from utils.plots import plot_estimates, plot_seeds, write_beside
from utils.statistics import median
from utils.types import Data

LOOKS = {1: ("o-", "blue", "one layer"), 3: ("s-", "orange", "three layers")}
ALPHAS = {1 / 64: "1/64", 1 / 16: "1/16", 1 / 4: "1/4", 1.0: "1", 4.0: "4", 16.0: "16", 64.0: "64"}


@described("03c.lead", "Where features stay, depth has no lead")
def by_scale(record: Data) -> Figure:
    """Two panels over α, from 1/64 to 64, with a line each for one and three layers. The left panel shows the share of
    the game that is missed. At 1/64 and 1/16, three layers lie far below one; the lines cross before 1; from 1 on,
    three layers lie above one. The right panel shows how far the features of the last layer moved: several times their
    length at 1/64, most of it at 1, and less than a hundredth at 64.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.2, 3.6))
    panels = ((left, lazy.left, "share of variance missed"), (right, lazy.shifted, "features' change / their length"))
    for ax, of, label in panels:
        for depth, (style, colour, words) in LOOKS.items():
            estimates = [median(of(record, depth, alpha=alpha), method="order") for alpha in lazy.ALPHAS]
            plot_estimates(lazy.ALPHAS, estimates, style=style, colour=colour, label=words, ax=ax)
        ax.set(xscale="log", yscale="log", xlabel="α: rich ← → lazy", ylabel=label)
        ax.set_xticks([*ALPHAS], [*ALPHAS.values()])
        ax.set_xticks([], minor=True)
    _ticks(left, (0.02, 0.05, 0.1, 0.2, 0.4, 1))
    _ticks(right, (0.001, 0.01, 0.1, 1, 10))
    right.legend(loc="upper right")
    return figure


@described("03c.kernels", "The kernels of all depths miss about as much;\nrich networks lie above and below")
def by_kernel(kernels: Data, scales: Data) -> Figure:
    """The share of the game that is missed. The kernels of one, two, three and four layers have a column of dots each,
    all at about the same height. Two dashed lines stand for networks that were trained richly: one layer lies above the
    kernels, and three layers lie far below.
    """
    figure, ax = plt.subplots(figsize=(6.2, 3.6))
    for place, depth in enumerate(lazy.KERNEL_DEPTHS):
        plot_seeds(lazy.left_by_kernel(kernels, depth), place, style="D", colour="purple", ax=ax)
    last = len(lazy.KERNEL_DEPTHS) - 1
    for depth, (_, colour, words) in LOOKS.items():
        height = float(lazy.left(scales, depth, alpha=lazy.RICH).median())
        ax.axhline(height, color=COLOURS[colour], linestyle="--", linewidth=1.5)
        write_beside(f"{words}, trained richly", (last + 0.25, height), ax, right=0, up=7, size=9)
    names = [f"{depth} layer{'s' * (depth > 1)}" for depth in lazy.KERNEL_DEPTHS]
    ax.set_xticks(range(last + 1), names)
    ax.set(xlabel="the kernel of", yscale="log", ylabel="share of variance missed", xlim=(-0.5, last + 1.3))
    _ticks(ax, (0.02, 0.05, 0.1, 0.2))
    return figure


def print_controls(scales: Data, controls: Data, kernels: Data) -> None:
    """Print what networks and kernels of one and three layers miss, with each thing that was changed."""
    print(f"{'':26}{'rich: 1':>9}{'3':>7}{'lazy: 1':>10}{'3':>7}{'kernel: 1':>12}{'3':>7}")
    for name in (lazy.UNCHANGED, *lazy.SETTINGS):
        record, cell = (scales, {}) if name == lazy.UNCHANGED else (controls, {"setting": name})
        found = [lazy.left(record, depth, alpha=alpha, **cell) for alpha in lazy.ENDS for depth in lazy.DEPTHS]
        if name in lazy.KERNELS:
            found += [lazy.left_by_kernel(kernels, depth, **lazy.KERNELS[name]) for depth in lazy.DEPTHS]
        shown = [f"{float(values.median()):.3f}" for values in found] + ["–"] * (6 - len(found))
        print(f"{name:26}" + "".join(f"{one:>{wide}}" for one, wide in zip(shown, (9, 7, 10, 7, 12, 7), strict=True)))


def _ticks(ax: Axes, at: tuple[float, ...]) -> None:
    ax.set_yticks(at, [np.format_float_positional(one, trim="-") for one in at])
    ax.set_yticks([], minor=True)
