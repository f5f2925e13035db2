"""The figure of learning against writing down."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_01.curves import CURVES, best_weights_error
from utils.lesson_01.learning import LEARNING_WIDTHS, TARGET_NAMES, built, learned
from utils.plots import plot_medians
from utils.types import Data

START_LOOKS = {
    "default": ("o-", "blue", "ReLU, PyTorch's start"),
    "spread": ("s--", "orange", "ReLU, bends inside"),
    "steep tanh": ("^-.", "green", "steep tanh, bends inside"),
    "written down": ("v:", "purple", "ReLU, trained from written down"),
}


def learning_by_width(record: Data) -> Figure:
    """A panel for each target: squared error against width, for each start and for the networks without training."""
    figure, axes = plt.subplots(1, len(TARGET_NAMES), figsize=(10, 4.2), sharey=True)
    places = range(len(LEARNING_WIDTHS))
    for ax, name in zip(axes, TARGET_NAMES, strict=True):
        for start, (style, colour, label) in START_LOOKS.items():
            values = np.stack([learned(record, start, name, width) for width in LEARNING_WIDTHS], axis=1)
            plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
            if start == "default":
                ax.plot(places, values.min(axis=0), "*", color=COLOURS["blue"], label="its best seed", markersize=8)
        best_weights = [best_weights_error(CURVES[name], width) for width in LEARNING_WIDTHS]
        ax.plot(places, [built(name, width) for width in LEARNING_WIDTHS], "k-", linewidth=1, label="written down")
        ax.plot(places, best_weights, "k--", linewidth=1, label="its hinges, best output weights")
        ax.set(title=name, xlabel="hidden units", yscale="log")
    axes[0].set_ylabel("mean squared error")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
