"""The figures of lesson 06's first aid."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.pages import described
from utils.plots import plot_rows
from utils.types import Array, Data

FLOOR, CEILING = 1e-20, 1e3  # of the gradients that are drawn: smaller and larger ones lie on the frame


def gradients_and_loss(before: Array, now: Array, loss: Array) -> Figure:
    """Left the gradient's norm at each layer, before training and now; right the loss, step by step."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3), width_ratios=(3, 2))
    gradients(before, ax=left, label="before training", style="o--", colour="orange")
    gradients(now, ax=left, label="now", style="s-", colour="blue")
    left.legend(loc="lower right")
    right.plot(np.arange(1, len(loss) + 1), loss, color=COLOURS["blue"], linestyle="-", linewidth=1)
    right.axhline(np.log(10), color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    right.annotate("all ten digits equally likely", (1, np.log(10)), xytext=(-2, 3), xycoords=("axes fraction", "data"),
                   textcoords="offset points", fontsize=8, ha="right")
    right.set(xlabel="step", ylabel="loss", ylim=(0, 3), xlim=(0, max(len(loss), 10)))
    return figure


@described("06.patient", "The gradient fades on its way back to the input")
def gradients(
    norms: Array, *, ax: Axes | None = None, label: str = "", style: str = "o-", colour: str = "blue"
) -> Figure:
    """The norm of the cross-entropy's gradient at each layer of weights, on a logarithmic axis. It is largest at the
    last layer. From there it falls towards the input along a straight line, over many decades, and is about level over
    the first few layers.
    """
    ax = ax or plt.subplots(figsize=(8, 2.8))[1]
    places, heights = np.arange(1, len(norms) + 1), np.clip(np.nan_to_num(norms, nan=CEILING), FLOOR, CEILING)
    ax.plot(places, heights, style, color=COLOURS[colour], markersize=3.5, linewidth=1.2, label=label)
    ax.set(yscale="log", xlabel="layer, from the input to the output", ylabel="norm of the gradient",
           ylim=(FLOOR, CEILING))
    return ax.figure


def repairs(accuracies: dict[str, Data]) -> Figure:
    """A row for each repair: every seed's held-out accuracy, and the median with its interval."""
    figure, ax = plt.subplots(figsize=(8, 3))
    plot_rows(accuracies, ax=ax)
    ax.axvline(0.1, color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    ax.text(0.105, len(accuracies) - 0.45, "guessing", fontsize=8, va="center")
    ax.set(
        xlabel="share of held-out digits that the network gets right", xlim=(0, 1), ylim=(-0.6, len(accuracies) - 0.2)
    )
    return figure
