"""The figures of lesson 06's path on PyTorch's default, on first aid, and on a hundred layers."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.comparison import score
from utils.figures import COLOURS
from utils.lesson_06 import defaults
from utils.lesson_06.first_aid import REPAIRS, Pair, aid
from utils.pages import described
from utils.plots import plot_medians, plot_rows
from utils.training import weight_gradients
from utils.types import Array, Data

FLOOR, CEILING = 1e-20, 1e3  # of the gradients that are drawn: smaller and larger ones lie on the frame


@described("06.slide", "At factor 1.5 the gradient vanishes; it takes a larger one to explode")
def slide(data: Data) -> Figure:
    """The figure shows the norm of the first layer's gradient, on a logarithmic axis, against the number of hidden
    layers, from 2 to 50: medians with intervals for three factors. At factor 1.5 the line falls steeply, over several
    powers of ten. At the middle factor it is nearly level. At the largest it rises.
    """
    figure, ax = plt.subplots(figsize=(6.8, 3.4))
    looks = (("D-", "blue"), ("s--", "green"), ("o-.", "red"))
    for factor, (style, colour) in zip(defaults.FACTORS, looks, strict=True):
        norms = data["loss"].sel(factor=factor).transpose("seed", "depth")
        plot_medians(defaults.DEPTHS, norms, label=f"factor {factor:g}", style=style, colour=colour, ax=ax)
        height = float(norms[:, -1].median())
        ax.text(len(defaults.DEPTHS) - 0.9, height, f"factor {factor:g}", color=COLOURS[colour], va="center")
    ax.set(
        yscale="log",
        xlabel="hidden layers",
        ylabel="gradient at the first layer",
        xlim=(-0.2, len(defaults.DEPTHS) - 0.3),
    )
    return figure


@described("06.patient", "The gradient fades on its way back to the input")
def gradients(
    norms: Array, *, ax: Axes | None = None, label: str = "", style: str = "o-", colour: str = "blue"
) -> Figure:
    """The figure shows the norm of the cross-entropy's gradient at each layer of weights, on a logarithmic axis. It is
    largest at the last layer. From there it falls towards the input along a straight line, over many powers of ten,
    and is about level over the first few layers.
    """
    ax = ax or plt.subplots(figsize=(6.4, 2.8))[1]
    places, heights = np.arange(1, len(norms) + 1), np.clip(np.nan_to_num(norms, nan=CEILING), FLOOR, CEILING)
    ax.plot(places, heights, style, color=COLOURS[colour], markersize=3.5, linewidth=1.2, label=label)
    ax.set(
        yscale="log", xlabel="layer, from the input to the output", ylabel="norm of the gradient", ylim=(FLOOR, CEILING)
    )
    return ax.figure


def treated(pair: Pair, *, repair: str, beside: str) -> tuple[Figure, str]:
    """Return a figure of both repairs' gradients, layer by layer, and of their losses so far, and all in words."""
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(6.4, 4.8), height_ratios=(3, 2))
    said = []
    for treatment, name, style, colour in zip(pair.treatments, (repair, beside), "os", ("blue", "red"), strict=True):
        model, history = treatment.trainer.plan.models[0], treatment.trainer.histories[0]
        now = weight_gradients(model, *pair.parts[0])
        gradients(treatment.before, ax=upper, style=f"{style}:", colour=colour)
        gradients(now, ax=upper, label=name, style=f"{style}-", colour=colour)
        line = "-" if style == "o" else "--"
        lower.plot(np.arange(1, history.steps + 1), history.loss, line, color=COLOURS[colour], linewidth=1)
        said.append(
            f"Repair: {name}. After {history.steps:,} steps, {score(model, *pair.parts[-1]):.0%} of the held-out "
            f"images are right. The gradient's norm at the first layer was {treatment.before[0]:.1g} before training, "
            f"and is {now[0]:.1g} now.{' The training diverged.' if history.diverged else ''}"
        )
    upper.legend(loc="lower right", title="dotted: before training", title_fontsize=9)
    lower.axhline(np.log(10), color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    lower.annotate(
        "all ten digits equally likely",
        (1, np.log(10)),
        xytext=(-2, 3),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontsize=9,
        ha="right",
    )
    steps = max(treatment.trainer.histories[0].steps for treatment in pair.treatments)
    lower.set(xlabel="step", ylabel="loss", ylim=(0, 3), xlim=(0, max(steps, 10)))
    return figure, " ".join(said)


@described("06.aid", "The gain cures it, and nothing else on the list does")
def repairs(data: Data) -> Figure:
    """Seven rows, one for each repair, show the share of held-out digits that are right, with a dot for each seed and
    the median. Without a repair, at twice the width, with four times the steps and with zero biases, all dots lie at a
    tenth, which is guessing. With tanh they lie near two tenths. With gain 1 they lie between four and eight tenths,
    and with gain √2 mostly above eight.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3))
    plot_rows({repair: aid.best(data, repair=repair) for repair in REPAIRS}, ax=ax)
    ax.axvline(0.1, color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    ax.text(0.105, len(REPAIRS) - 0.45, "guessing", fontsize=9, va="center")
    ax.set(xlabel="share of held-out digits that the network gets right", xlim=(0, 1), ylim=(-0.6, len(REPAIRS) - 0.2))
    return figure


@described("06.hundred", "At the same gain, Gaussian weights stay far behind")
def curves(histories: dict) -> Figure:
    """The figure shows accuracy on held-out digits against training steps. The line for orthogonal weights climbs
    steeply and ends above nine tenths. The line for Gaussian weights climbs less, and ends far below it.
    """
    figure, ax = plt.subplots(figsize=(6.6, 2.8))
    for (name, history), (style, colour) in zip(histories.items(), (("-", "blue"), ("--", "red")), strict=True):
        ax.plot(history.validation_steps, history.validation_accuracy, style, color=COLOURS[colour])
        ax.text(
            history.validation_steps[-1] * 1.02,
            history.validation_accuracy[-1],
            name,
            color=COLOURS[colour],
            va="center",
        )
    ax.set(xlabel="step", ylabel="held-out accuracy", ylim=(0, 1))
    return figure
