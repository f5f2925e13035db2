"""The figures of lesson 06 about trainable depth, singular values and streams, and what `reveal` says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike

from utils.comparison import HELD_OUT, TRAINING
from utils.figures import COLOURS
from utils.lesson_06 import edge
from utils.lesson_06.hundred import KINDS
from utils.meanfield import critical_sigma_w
from utils.pages import described
from utils.plots import plot_estimates, plot_medians, write_beside
from utils.statistics import median
from utils.types import Data

LOOKS = (("o-", "blue"), ("D--", "black"), ("s-.", "orange"), ("^:", "red"))
BOTH = LOOKS[::2]  # of orthogonal and of Gaussian weights
TICKS = (4, 8, 16, 32, 64, 128)
MOST = 1000  # of the variances that are drawn


@described("06b.depth", "Networks learn deepest at the edge; above it, 6 ξ_c is too much")
def depths_reached(data: Data) -> Figure:
    """The figure shows depth, on a logarithmic axis, against the gain. A black line, 6 ξ_c, climbs steeply from the
    left to an upright dotted line, the edge, and comes down slowly on the other side. Blue circles and orange squares,
    held-out and training digits, lie nearly on each other. They lie along the line up to a gain of about 1, stay under
    it near the edge, where they are highest, and fall far below it on the right. There they lie along a dashed green
    line, 6/ln χ₁.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4.2))
    middle = critical_sigma_w(edge.SIGMA_B, "tanh")
    for low, high in ((0.65, middle - 1e-3), (middle + 1e-3, 4.05)):
        gains = np.linspace(low, high, 120)
        label = None if low < 1 else "6 ξ_c"
        ax.plot(gains, [edge.reach(gain) for gain in gains], "-", color=COLOURS["black"], label=label)
    ax.plot(gains, [edge.gradient_reach(gain) for gain in gains], "--", color=COLOURS["green"], label="6/ln χ₁")
    for part, style, colour, shift in ((TRAINING, "s", "orange", 0.025), (HELD_OUT, "o", "blue", 0.0)):
        estimates = [median(edge.trainable_depth(data, gain, part=part)) for gain in edge.GAINS]
        label = f"measured, {part} digits"
        plot_estimates(np.array(edge.GAINS) + shift, estimates, label=label, style=style, colour=colour, ax=ax)
    ax.axvline(middle, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.text(middle + 0.03, TICKS[0], "the edge, χ₁ = 1")
    ax.set(xlabel="gain σ_w", ylabel="depth at which learning fails", yscale="log", ylim=(3.5, 170))
    _ticks(ax, TICKS)
    ax.legend(loc="upper right")
    return figure


@described("06b.longer", "Four times the steps reach deeper, on both sides of the edge")
def longer_training(data: Data) -> Figure:
    """The figure shows held-out accuracy against the depths 8, 16 and 32 for two gains, each with a dotted and a solid
    line. At depth 8 all four are high. At 16 the dotted ones, the shorter training, are down at about a third, and the
    solid ones, four times the steps, are still well above the half-way line. At 32 all lie near chance.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.6))
    for gain, marker, colour in zip(edge.LONGER_GAINS, "o^", ("blue", "red"), strict=True):
        for epochs, line in zip(edge.BOTH_EPOCHS, ":-", strict=True):
            rows = [edge.longer.best(data, epochs=epochs, gain=gain, depth=depth) for depth in edge.LONGER_DEPTHS]
            look = {"style": marker + line, "colour": colour}
            label = f"σ_w = {gain:g}, {edge.STEPS * epochs // edge.EPOCHS} steps"
            plot_medians(edge.LONGER_DEPTHS, np.stack(rows, axis=1), label=label, ax=ax, **look)
    ax.axhline(edge.HALF_WAY, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.annotate("half-way to chance", (0, edge.HALF_WAY), xytext=(-8, 3), textcoords="offset points")
    ax.set(xlabel="depth", ylabel="held-out accuracy", ylim=(0, 1))
    ax.legend(loc="upper right")
    return figure


@described("06b.widths", "After 45 steps orthogonal weights lead at all three widths")
def accuracies_by_width(data: Data) -> Figure:
    """The figure shows held-out accuracy after a short training against the width of all layers, 25, 100 and 200:
    medians of twelve seeds with intervals. The blue line, orthogonal weights, lies above the orange one, Gaussian
    weights, at all three widths. Both rise.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    for name, (style, colour) in zip(KINDS, BOTH, strict=True):
        rows = np.stack([edge.widths.best(data, width=width, init=name) for width in edge.WIDTHS], axis=1)
        plot_medians(edge.WIDTHS, rows, label=name, style=style, colour=colour, ax=ax)
        write_beside(name, (len(edge.WIDTHS) - 1, np.median(rows[:, -1])), ax, colour=colour)
    ax.set(
        xlabel="width of all 100 layers", ylabel="held-out accuracy", ylim=(0, 1), xlim=(-0.3, len(edge.WIDTHS) - 0.5)
    )
    return figure


@described("06b.alive", "Gaussian weights let only a few directions through")
def spectra(values: Mapping[str, ArrayLike]) -> Figure:
    """The figure shows the singular values of two Jacobians on a logarithmic axis, from the strongest direction to the
    weakest. The line for orthogonal weights falls slowly, and steeply only at its end. The line for Gaussian weights
    falls by many powers of ten, more and more steeply.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    for (name, one), (style, colour) in zip(values.items(), BOTH, strict=True):
        ordered = np.sort(np.asarray(one))[::-1]
        ax.plot(np.linspace(0, 100, len(ordered)), ordered, style[1:], color=COLOURS[colour], label=name)
    ax.set(xlabel="directions in per cent, strongest first", ylabel="singular value", yscale="log")
    ax.set_ylim(bottom=1e-12)  # sixteen digits below the largest there is only rounding
    ax.legend(loc="lower left")
    return figure


@described("06b.losses", "At one rate, the loss falls faster from orthogonal weights")
def losses(histories: Mapping[str, Sequence[float]]) -> Figure:
    """The figure shows the loss of each batch over a hundred steps. Both lines begin near the dotted level line, which
    is what guessing costs. The solid blue line, orthogonal weights, falls steadily. The dash-dotted orange line,
    Gaussian weights, falls later and less, with larger swings.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    for (name, history), (style, colour) in zip(histories.items(), BOTH, strict=True):
        ax.plot(history, style[1:], color=COLOURS[colour], linewidth=1.2, label=name)
    ax.axhline(np.log(10), color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.annotate("guessing", (0, np.log(10)), xytext=(2, 12), textcoords="offset points")
    ax.set(xlabel="step", ylabel="loss", ylim=(0, 3.2))
    ax.legend(loc="lower left")
    return figure


@described("06b.stream", "Normalised branches add up their variances; with the scale, to 2")
def streams(variances: Mapping[str, Sequence[float]]) -> Figure:
    """The figure shows the variance of a stream, on a logarithmic axis, against the number of branches, from 0 to 96.
    The plain sum doubles at each branch and leaves the figure at a thousand, after ten. The normalised sum rises to
    about a hundred. The two sums with the scale stay below three.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4.4))
    for (name, one), (style, colour) in zip(variances.items(), reversed(LOOKS), strict=True):
        last = int((np.asarray(one) < MOST).sum()) - 1
        ax.plot(one, style[1:], color=COLOURS[colour])
        write_beside(name, (last, one[last]), ax, right=6, size=9)
    ax.set(
        xlabel="branches added",
        ylabel="variance of the stream",
        yscale="log",
        ylim=(0.7, 1.3 * MOST),
        xlim=(0, 1.6 * len(one)),
    )
    _ticks(ax, (1, 2, 5, 10, 100, 1000))
    ax.set_xticks(range(0, len(one), 24))
    return figure


def _ticks(ax: Axes, ticks: Sequence[float]) -> None:
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.yaxis.set_minor_locator(NullLocator())


# --- what was measured, for `reveal` ----------------------------------------------------------------------


def depth_answer(data: Data) -> dict[str, float]:
    """Return the trainable depth over 6 ξ_c below and above the edge, medians."""
    sides = {"below": edge.ORDERED, "above": edge.CHAOTIC}
    return {side: float(edge.ratio_to_theory(data, gains).median()) for side, gains in sides.items()}


def longer_answer(data: Data) -> dict[str, float]:
    """Return by which factor four times the steps deepen what learns, below and above the edge, medians."""
    sides = zip(("below", "above"), edge.LONGER_GAINS, strict=True)
    return {side: float(edge.depth_gained(data, gain).median()) for side, gain in sides}


def alive_answer(values: Mapping[str, ArrayLike]) -> dict[str, int]:
    """Return how many directions are alive in each network: at least a hundredth of its largest singular value."""
    arrays = {name.lower(): np.asarray(one) for name, one in values.items()}
    return {name: int((one >= 0.01 * one.max()).sum()) for name, one in arrays.items()}


def stream_answer(variances: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the variance at the end of each of `four_streams`."""
    return {name.replace(" ", "_"): one[-1] for name, one in variances.items()}
