"""The figures of depth and width on the digits: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_02.cost import sizes_for
from utils.lesson_02.digits import BUDGETS, DEPTHS, LINEAR, WIDTHS, at_budget, digits, grid
from utils.pages import described
from utils.plots import plot_medians
from utils.statistics import Estimate, median


@described("02.digits-depth", "Depth hurts narrow networks, and wide ones gain nothing you can see")
def digits_by_depth() -> Figure:
    """Two plots of the share of held-out images read wrongly, with intervals; a dotted line is the network without
    hidden layers. Left, against the width: with 4 units four layers are wrong far more often than one; from 64 units
    on their intervals overlap, below the dotted line. Right, against 1 to 4 layers at equal parameters: with 5,000 the
    errors rise slightly with depth; with 1,000 they rise from the dotted line to clearly above it.
    """
    data, (figure, (left, right)) = recorded("02_digits"), plt.subplots(1, 2, figsize=(8, 3.8), sharey=True)
    for depth, style, colour in ((1, "o-", "blue"), (4, "v:", "purple")):
        values = np.stack([1 - grid(data, depth, width) for width in WIDTHS], axis=1)
        label = f"{depth} hidden layer{'s' * (depth > 1)}"
        plot_medians(WIDTHS, values, label=label, style=style, colour=colour, ax=left)
    linear = 1 - np.median(digits.best(data, network=LINEAR))
    for ax in (left, right):
        ax.axhline(linear, color="black", linestyle=":", label="no hidden layer")
    left.set(title="equal widths", xlabel="units in each hidden layer", ylabel="held-out images read wrongly")
    left.set_yscale("log")
    left.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["2 %", "5 %", "10 %", "20 %", "50 %"])
    left.set_yticks([], minor=True)
    left.legend(loc="upper right")
    for budget, style, colour in zip(BUDGETS, ("o-", "s--"), ("green", "orange"), strict=True):
        values = np.stack([1 - at_budget(data, budget, depth) for depth in DEPTHS], axis=1)
        widths = ", ".join(str(sizes_for(budget, depth)[1]) for depth in DEPTHS)
        label = f"{budget:,} parameters (widths {widths})"
        plot_medians(DEPTHS, values, label=label, style=style, colour=colour, ax=right)
    right.set(title="equal parameters", xlabel="hidden layers")
    right.legend(loc="upper right")
    return figure


def digits_gained() -> dict[str, Estimate]:
    """Return what three more hidden layers of 64 units gain in held-out accuracy, as recorded, in percentage points."""
    data = recorded("02_digits")
    return {"points": median(100 * (grid(data, 4, 64) - grid(data, 1, 64)), method="order")}
