"""Figures of training against building by hand."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_01.curves import LARGEST
from utils.lesson_01.learning import LEARNING_WIDTHS, TARGET_NAMES, built, learned
from utils.pages import described
from utils.plots import plot_medians, write_beside

START_LOOKS = {
    "default": ("o-", "blue", "ReLU, PyTorch's initialisation"),
    "spread": ("s--", "orange", "ReLU, bends inside"),
    "steep tanh": ("^-.", "green", "steep tanh, bends inside"),
    "written down": ("v:", "purple", "ReLU, trained from hand-built"),
}
NEAR_NAMES = {"default": "trained: PyTorch's initialisation", "spread": "trained: bends inside",
              "steep tanh": "trained: steep tanh"}


@described("01.learning", "The sine: hand-built hinges gain far more from width than trained ones")
def learning_by_width() -> Figure:
    """A log plot of the largest error for the sine against 10, 20, 40 and 80 hidden units, medians of 20 seeds with
    intervals. The hand-built line falls steeply and evenly. Networks trained from PyTorch's initialisation lie above it
    at every width, and further and further as the width grows. Those whose bends begin inside the interval, and steep
    tanh units, lie between the two at 80 units.
    """
    record, places = recorded("01_learning"), range(len(LEARNING_WIDTHS))
    figure, ax = plt.subplots(figsize=(8, 3.8))
    ax.plot(places, [built("sin", width, LARGEST) for width in LEARNING_WIDTHS], "k-")
    write_beside("hand-built", (places[-1], built("sin", LEARNING_WIDTHS[-1], LARGEST)), ax)
    for start, label in NEAR_NAMES.items():
        style, colour, _ = START_LOOKS[start]
        values = np.stack([learned(record, start, "sin", width, LARGEST) for width in LEARNING_WIDTHS], axis=1)
        plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
        write_beside(label, (places[-1], np.median(values[:, -1])), ax, colour=colour)
    ax.set(xlabel="hidden units", ylabel="largest error", yscale="log", xlim=(-0.2, 4.6))
    return figure


def learning_ratio() -> dict[str, float]:
    """By what factor the largest error of 80 trained units for the sine exceeds that of 80 hand-built ones."""
    trained = learned(recorded("01_learning"), "default", "sin", 80, LARGEST)
    return {"ratio": float(np.median(trained)) / built("sin", 80, LARGEST)}


@described("01b.kept", "Started at hand-built weights, training keeps them and improves")
def kept_or_lost() -> Figure:
    """Three log plots of the mean squared error against 10, 20, 40 and 80 hidden units, for the sine, for two sines,
    and for the sine on an interval four times as wide. The hand-built line falls steeply. Networks trained from
    PyTorch's initialisation fall far more slowly, for two sines hardly at all. Those trained from hand-built weights
    lie below the hand-built line throughout.
    """
    record, places = recorded("01_learning"), range(len(LEARNING_WIDTHS))
    figure, axes = plt.subplots(1, len(TARGET_NAMES), figsize=(10, 3.9), sharey=True)
    for ax, name in zip(axes, TARGET_NAMES, strict=True):
        for start in ("default", "written down"):
            style, colour, label = START_LOOKS[start]
            values = np.stack([learned(record, start, name, width) for width in LEARNING_WIDTHS], axis=1)
            plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
        ax.plot(places, [built(name, width) for width in LEARNING_WIDTHS], "k-", label="hand-built, not trained")
        ax.set(title=name, xlabel="hidden units", yscale="log")
    axes[0].set_ylabel("mean squared error")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
