"""The figures of lesson 06's path on PyTorch's default, and on a hundred layers."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_06 import defaults
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data


@described("06.slide", "At factor 1.5 the gradient vanishes; it takes a larger one to make it explode")
def slide(data: Data) -> Figure:
    """The norm of the first layer's gradient on a logarithmic axis against the number of hidden layers, from 2 to 50,
    medians with intervals for three factors. At factor 1.5 the line falls steeply, over several decades. At the middle
    one it is nearly level. At the largest it rises.
    """
    figure, ax = plt.subplots(figsize=(8, 3.4))
    looks = (("D-", "blue"), ("s--", "green"), ("o-.", "red"))
    for factor, (style, colour) in zip(defaults.FACTORS, looks, strict=True):
        norms = data["loss"].sel(factor=factor).transpose("seed", "depth")
        plot_medians(defaults.DEPTHS, norms, label=f"factor {factor:g}", style=style, colour=colour, ax=ax)
        height = float(norms[:, -1].median())
        ax.text(len(defaults.DEPTHS) - 0.9, height, f"factor {factor:g}", color=COLOURS[colour], va="center")
    ax.set(yscale="log", xlabel="hidden layers", ylabel="gradient at the first layer",
           xlim=(-0.2, len(defaults.DEPTHS) - 0.3))
    return figure


@described("06.hundred", "The same gain, and Gaussian weights stay far behind orthogonal ones")
def curves(histories: dict) -> Figure:
    """Accuracy on unseen digits against training steps. The line for orthogonal weights climbs steeply and ends above
    nine tenths. That for Gaussian weights climbs less, and ends far below it.
    """
    figure, ax = plt.subplots(figsize=(8, 2.8))
    for (name, history), (style, colour) in zip(histories.items(), (("-", "blue"), ("--", "red")), strict=True):
        ax.plot(history.validation_steps, history.validation_accuracy, style, color=COLOURS[colour])
        ax.text(history.validation_steps[-1] * 1.02, history.validation_accuracy[-1], name, color=COLOURS[colour],
                va="center")
    ax.set(xlabel="step", ylabel="accuracy on unseen digits", ylim=(0, 1))
    return figure
