"""The figures of depth and width on the digits: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from utils.lesson_02.cost import sizes_for
from utils.lesson_02.digits import BUDGETS, DEPTHS, LINEAR, WIDTHS, at_budget, digits, grid
from utils.plots import plot_medians
from utils.types import Data

LOOKS = {1: ("o-", "blue"), 2: ("s--", "orange"), 3: ("^-.", "green"), 4: ("v:", "purple")}


def some_digits(X: Tensor, y: Tensor, each: int = 2) -> Figure:
    """The first `each` images of every class as rows of pictures: X [n, 64], y [n]."""
    figure, axes = plt.subplots(each, 10, figsize=(8, 0.9 * each))
    for label, column in enumerate(axes.T):
        for image, ax in zip(X[y == label], column, strict=False):
            ax.imshow(image.reshape(8, 8).numpy(), cmap="Greys", vmin=X.min(), vmax=X.max())
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
        column[0].set_title(str(label))
    return figure


def errors_by_shape(data: Data) -> Figure:
    """The share of held-out digits read wrongly, against width for each depth, and against depth for equal budgets."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), sharey=True)
    for place, (depth, (style, colour)) in enumerate(LOOKS.items()):
        values = np.stack([1 - grid(data, depth, width) for width in WIDTHS], axis=1)
        label, shift = f"{depth} hidden layer{'s' * (depth > 1)}", 0.08 * (place - 1.5)
        plot_medians(WIDTHS, values, label=label, style=style, colour=colour, shift=shift, ax=left)
    for ax in (left, right):
        ax.axhline(1 - np.median(digits(data, LINEAR)), color="black", linestyle=":", label="no hidden layer (650)")
    left.set(title="equal widths", xlabel="units in each hidden layer", ylabel="held-out images read wrongly")
    left.set_yscale("log")
    left.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["2 %", "5 %", "10 %", "20 %", "50 %"])
    left.set_yticks([], minor=True)
    left.legend(loc="upper right")
    for budget, style, colour in zip(BUDGETS, ("o-", "s--"), ("blue", "orange"), strict=True):
        values = np.stack([1 - at_budget(data, budget, depth) for depth in DEPTHS], axis=1)
        widths = ", ".join(str(sizes_for(budget, depth)[1]) for depth in DEPTHS)
        label = f"{budget:,} parameters (widths {widths})"
        plot_medians(DEPTHS, values, label=label, style=style, colour=colour, ax=right)
    right.set(title="equal parameters", xlabel="hidden layers")
    right.legend(loc="upper right")
    return figure
