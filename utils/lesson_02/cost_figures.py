"""The figures of what a network costs: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_02.cost import BATCH, BUDGETS, DEPTHS, PRODUCT_WIDTHS, kilobytes_kept, sizes_for
from utils.plots import plot_medians
from utils.types import Data

LOOKS = {BUDGETS[0]: ("o-", "blue"), BUDGETS[1]: ("s--", "orange")}


def shapes_for_a_budget() -> Figure:
    """The width of each hidden layer, and all hidden units, against depth, for each of BUDGETS."""
    figure, (left, right) = plt.subplots(1, 2)
    for budget, (style, colour) in LOOKS.items():
        widths = np.array([sizes_for(budget, depth)[1] for depth in DEPTHS])
        label = f"{budget:,} parameters"
        left.plot(DEPTHS, widths, style, color=COLOURS[colour], label=label)
        right.plot(DEPTHS, widths * DEPTHS, style, color=COLOURS[colour], label=label)
        finer = np.linspace(2, DEPTHS[-1], 100)
        left.plot(finer, np.sqrt(budget / (finer - 1)), ":", color="black", linewidth=1.2)
    left.plot([], [], ":", color="black", linewidth=1.2, label="√(budget / (depth − 1))")
    left.set(title="units in each hidden layer", ylabel="width")
    right.set(title="hidden units in all", ylabel="depth × width")
    for ax in (left, right):
        _by_depth(ax).set_yscale("log")
    left.legend()
    return figure


def cost_by_depth(times: Data, word: str) -> Figure:
    """The time of a training step over one hidden layer's, and what is kept of a batch, against depth.

    word: how the times came about, "measured" or "recorded".
    """
    figure, (left, right) = plt.subplots(1, 2)
    for budget, (style, colour) in LOOKS.items():
        label = f"{budget:,} parameters"
        steps = times["step"].sel(budget=budget).transpose("seed", "depth")
        plot_medians(DEPTHS, steps, label=label, style=style, colour=colour, ax=left)
        kept = [kilobytes_kept(budget, depth) for depth in DEPTHS]
        right.plot(DEPTHS, kept, style, color=COLOURS[colour], label=label)
    left.axhline(1, color="black", linestyle=":", linewidth=1)
    left.set(title=f"time of a step, {word}", xlabel="hidden layers", ylabel="over that of one hidden layer", ylim=0)
    left.legend()
    _by_depth(right).set_yscale("log")
    right.set(title=f"kept of {BATCH} examples", ylabel="kilobytes")
    return figure


def rate_by_width(times: Data, word: str) -> Figure:
    """Arithmetic per second in products of square matrices, over that of the widest, against their width."""
    figure, ax = plt.subplots(figsize=(5.6, 3.2))
    plot_medians(PRODUCT_WIDTHS, times["rate"].transpose("seed", "width"), label=word, ax=ax)
    ax.axhline(1, color="black", linestyle=":", linewidth=1)
    ax.set(title=f"the same arithmetic, {word}", xlabel="width of the matrices", ylim=0)
    ax.set_ylabel(f"per second, over width {PRODUCT_WIDTHS[-1]:,}")
    return figure


def _by_depth(ax: Axes) -> Axes:
    ax.set_xscale("log", base=2)
    ax.set_xticks(DEPTHS, [str(depth) for depth in DEPTHS])
    ax.set_xlabel("hidden layers")
    return ax
