"""The figures of what a network costs: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_02.cost import BATCH, BUDGETS, DEPTHS, kilobytes_kept
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data

LOOKS = {BUDGETS[0]: ("o-", "blue"), BUDGETS[1]: ("s--", "orange")}


@described(
    "02.cost", "In a small network depth costs time; memory follows the number of units",
    """Two plots against 1, 2, 4, 8 and 16 hidden layers. Left, the time of a training step over that of one hidden
    layer: with 20,000 parameters it rises steeply, with a million hardly. Right, the kilobytes kept for the backward
    pass: they fall from one layer to two, by far the most with a million parameters, and rise slowly from there on.
    """,
)
def cost_by_depth(times: Data, word: str) -> Figure:
    """Return the times of a step and the kilobytes kept against depth; word: where the times are from."""
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


def _by_depth(ax: Axes) -> Axes:
    ax.set_xscale("log", base=2)
    ax.set_xticks(DEPTHS, [str(depth) for depth in DEPTHS])
    ax.set_xlabel("hidden layers")
    return ax
