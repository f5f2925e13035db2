"""The figure of what a network costs: it draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_02.cost import BUDGETS, DEPTHS
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data

LOOKS = {BUDGETS[0]: ("o-", "blue"), BUDGETS[1]: ("s--", "orange")}


@described(
    "02.cost",
    "In a small network, depth costs time",
    """The time of a training step, relative to a network with one hidden layer, for 1, 2, 4, 8 and 16 hidden layers.
    With 20,000 parameters it rises steeply, with a million it hardly rises.
    """,
)
def cost_by_depth(times: Data, word: str) -> Figure:
    """Return the times of a step against depth; word: where the times are from."""
    figure, ax = plt.subplots(figsize=(7, 3.4))
    for budget, (style, colour) in LOOKS.items():
        label = f"{budget:,} parameters"
        steps = times["step"].sel(budget=budget).transpose("seed", "depth")
        plot_medians(DEPTHS, steps, label=label, style=style, colour=colour, ax=ax)
        end = len(DEPTHS) - 1, float(np.median(steps[:, -1]))
        ax.annotate(label, end, (14, 0), textcoords="offset points", va="center", color=COLOURS[colour])
    ax.hlines(1, -0.3, len(DEPTHS) - 1, color="black", linestyle=":", linewidth=1)  # it stops before the labels
    ax.set(xlabel="hidden layers", ylabel=f"time of a step, {word},\nrelative to one hidden layer", ylim=0)
    ax.set_xlim(-0.3, len(DEPTHS) + 0.9)
    return figure
