"""The figures of the lessons: each function draws what it is given, on the axes that it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.types import Array

if TYPE_CHECKING:  # so that figures without networks do not wait for torch
    from torch import Tensor, nn

    from utils.statistics import Estimate

PITCH, GAP = 0.107, 0.165  # of a network drawn in inches: from unit to unit, and from layer to layer


def line(x: ArrayLike, y: ArrayLike) -> Figure:
    """Return a figure of one line."""
    figure, ax = plt.subplots()
    ax.plot(x, y, color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", ylabel="y")
    return figure


def plot_interpolant(
    x: ArrayLike,
    y_hat: ArrayLike,
    knots: ArrayLike,
    values: ArrayLike,
    y: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Return axes with a piecewise linear network, its knots, and the target ``y`` where it is given."""
    ax = ax or plt.subplots()[1]
    if y is not None:
        ax.plot(x, y, color=COLOURS["grey"], linestyle=(0, (2, 0.6)), linewidth=4, alpha=0.45, label="target")
    ax.plot(x, y_hat, color=COLOURS["blue"], linestyle="-", label="network")
    ax.plot(knots, values, "o", color=COLOURS["red"], markersize=5, label="knots")
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=3)
    return ax


def plot_hinges(
    x: ArrayLike, hinges: ArrayLike, weights: ArrayLike, *, numbers: bool = False, ax: Axes | None = None
) -> Axes:
    """Return axes with each hinge's own contribution, ``weight * relu(x - hinge)``, as one line from its knot.

    numbers: whether each line ends with its hinge's number, from 0.
    """
    from utils.constructions import evaluate_hinges

    ax = ax or plt.subplots()[1]
    x, hinges, weights = np.asarray(x), np.asarray(hinges), np.asarray(weights)
    for hinge, weight in zip(hinges, weights, strict=True):
        ax.plot(x, evaluate_hinges(x, [hinge], [weight], 0.0), color=COLOURS["green"], linestyle="-", linewidth=1)
        ax.plot(hinge, 0.0, "o", color=COLOURS["green"], markersize=5)
    if numbers:
        for number, (hinge, weight) in enumerate(zip(hinges, weights, strict=True)):
            end = weight * (x[-1] - hinge)
            ax.annotate(str(number), (x[-1], end), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set(xlabel="x", ylabel="each hinge alone")
    return ax


def plot_errors(counts: ArrayLike, errors: ArrayLike, bounds: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Return log-log axes with measured errors as points and their proved bounds as a line."""
    ax = ax or plt.subplots()[1]
    ax.loglog(counts, bounds, color=COLOURS["black"], linestyle="--", label="proved bound")
    ax.loglog(counts, errors, "o", color=COLOURS["blue"], linestyle="none", label="measured")
    ax.set(xlabel="hidden units", ylabel="largest error")
    ax.set_xticks(counts, [str(count) for count in np.asarray(counts)])
    ax.set_xticks([], minor=True)
    ax.legend(loc="lower left")
    return ax


def plot_two_fits(
    x: ArrayLike, y: ArrayLike, fits: Sequence[ArrayLike], labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Return axes with a target and one or two functions that should follow it."""
    ax = ax or plt.subplots(figsize=(8, 3))[1]
    ax.plot(x, y, color=COLOURS["grey"], linestyle=(0, (2, 0.6)), linewidth=4, alpha=0.45, label="target")
    for fit, label, colour, style in zip(fits, labels, ("blue", "red"), ("-", "--"), strict=False):
        ax.plot(x, fit, color=COLOURS[colour], linestyle=style, label=label)
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncols=3)
    return ax


def plot_points(X: Tensor, y: Tensor, *, ax: Axes | None = None) -> Axes:
    """Return axes with the points X [n, 2] of two classes y [n]: blue circles for 0, orange squares for 1."""
    ax = ax or plt.subplots(figsize=(3.2, 3.2))[1]
    for label, colour, marker in ((0, "blue", "o"), (1, "orange", "s")):
        ax.plot(
            *X[y == label].T.numpy(),
            marker,
            color=COLOURS[colour],
            markersize=4,
            markeredgecolor="black",
            markeredgewidth=0.4,
            linestyle="none",
            label=f"class {label}",
        )
    ax.set(xlabel="x₁", ylabel="x₂", aspect="equal")
    return ax


def plot_decision(model: nn.Module, *, half_width: float = 2.6, ax: Axes | None = None) -> Axes:
    """Return axes with the plane shaded by the class that a network with two outputs chooses, and the boundary."""
    import torch

    ax = ax or plt.subplots(figsize=(3.2, 3.2))[1]
    line = torch.linspace(-half_width, half_width, 201)
    with torch.no_grad():
        margin = model(torch.cartesian_prod(line, line)).diff(dim=1).reshape(201, 201).T.numpy()
    shades = ["#d6e8f4", "#fbe8c8"]  # the classes' blue and orange, pale enough for points on top
    line = line.numpy()
    ax.contourf(line, line, margin, levels=[-np.inf, 0, np.inf], colors=shades)
    if margin.min() < 0 < margin.max():
        ax.contour(line, line, margin, levels=[0], colors="black", linewidths=1.5)
    ax.set(xlim=(-half_width, half_width), ylim=(-half_width, half_width), xlabel="x₁", ylabel="x₂", aspect="equal")
    ax.grid(False)
    return ax


def plot_medians(
    x: Sequence,
    values: ArrayLike,
    *,
    label: str,
    style: str = "o-",
    colour: str = "blue",
    shift: float = 0.0,
    ax: Axes | None = None,
) -> Axes:
    """Return axes with the median over seeds of values [seeds, len(x)] and its 95 % interval, for each of x.

    x are categories, evenly spaced, such as widths; shift moves all points sideways, in units of their distance.
    """
    from utils.statistics import median

    ax = ax or plt.subplots()[1]
    estimates = [median(column) for column in np.asarray(values).T]
    plot_estimates(np.arange(len(x)) + shift, estimates, label=label, style=style, colour=colour, ax=ax)
    ax.set_xticks(range(len(x)), [str(one) for one in x])
    return ax


def plot_estimates(
    x: ArrayLike,
    estimates: Sequence[Estimate],
    *,
    label: str | None = None,
    style: str = "o",
    colour: str = "blue",
    upright: bool = True,
    ax: Axes,
    **look: Any,
) -> Axes:
    """Return axes with estimates at the numbers x, and their intervals as bars, where they are finite.

    Not upright, they lie along the horizontal axis, and x along the other one. look: for `Axes.errorbar`.
    """
    middles = np.array([one.value for one in estimates])
    ends = np.abs(np.array([[one.low, one.high] for one in estimates]).T - middles)
    ends[np.isinf(ends)] = 0
    look = {"fmt": style, "color": COLOURS[colour], "label": label, "capsize": 3, "markersize": 5, **look}
    if upright:
        ax.errorbar(x, middles, ends, **look)
    else:
        ax.errorbar(middles, x, xerr=ends, **look)
    return ax


def plot_seeds(values: ArrayLike, place: float, *, style: str, colour: str, label: str | None = None, ax: Axes) -> Axes:
    """Return axes with values [seeds] as pale marks in a column at the place, and their median in black beside them."""
    from utils.statistics import median

    marks: dict[str, Any] = {
        "color": COLOURS[colour],
        "linestyle": "none",
        "markersize": 3.5,
        "alpha": 0.6,
        "label": label,
    }
    ax.plot(place + np.linspace(-0.1, 0.02, np.size(values)), values, style, **marks)
    estimate = median(values, method="order")
    return plot_estimates([place + 0.08], [estimate], style=style, colour="black", ax=ax)


def plot_rows(rows: Mapping[str, ArrayLike], *, ax: Axes) -> Axes:
    """Return axes with a named row for each array of values [seeds]: every seed, and their median in black."""
    from utils.statistics import median

    places = range(len(rows))[::-1]
    for place, values in zip(places, rows.values(), strict=True):
        spread = place + np.linspace(-0.15, 0.15, np.size(values))
        ax.plot(values, spread, "o", color=COLOURS["blue"], markersize=3.5, alpha=0.5)
        estimate = median(values, method="order")
        plot_estimates([place], [estimate], style="D", colour="black", upright=False, ax=ax)
    ax.set_yticks(places, list(rows))
    return ax


def write_beside(
    words: str,
    point: tuple[float, float],
    ax: Axes,
    *,
    colour: str = "black",
    right: float = 10,
    up: float = 0,
    size: float | None = None,
) -> None:
    """Write words to the right of a point, such as a line's end: so many points (1/72 inch) to its right, and up."""
    place: dict[str, Any] = {"xytext": (right, up), "textcoords": "offset points", "va": "center"}
    ax.annotate(words, point, color=COLOURS[colour], fontsize=size, **place)


def plot_card(lines: Sequence[str], *, wider: float, size: float) -> tuple[Figure, Axes]:
    """Return a card, on which a lesson's lines stand at the right, and its axes at the left, for a drawing.

    wider: how many times as wide as the drawing the lines are.
    """
    figure, (ax, text) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, wider))
    text.axis("off")
    for height, words in zip((0.82, 0.58, 0.34, 0.1), lines, strict=True):
        text.text(0, height, words, fontsize=size, transform=text.transAxes)
    return figure, ax


def unit_places(count: int, row: int) -> Array:
    """Return the places [count, 2] of a layer's units, row by row, from 0 to the right and around the height 0."""
    unit = np.arange(count)
    return PITCH * np.stack([unit % row, (unit[-1] // row) / 2 - unit // row], axis=1)


def plot_layers(
    layers: Sequence[Array],
    label: str,
    ax: Axes,
    *,
    left: float,
    middle: float = 0.0,
    ends: tuple[str, str] = ("x", "f(x)"),
) -> Axes:
    """Return axes, whose unit is an inch, with a network: a box for a layer, a dot for a unit, the label above it.

    layers: the units' `unit_places`.
    """
    at, top = left, middle
    dots: dict[str, Any] = {"color": COLOURS["blue"], "markersize": 5.5, "linestyle": "none"}
    for layer in layers:
        at += GAP
        wide, high = np.ptp(layer, axis=0) + PITCH
        box = FancyBboxPatch((at, middle - high / 2), wide, high, boxstyle="round,pad=0.02,rounding_size=0.05")
        ax.add_patch(box)
        box.set(facecolor="#e8eef3", edgecolor=COLOURS["grey"], linewidth=0.8, zorder=2)
        places = layer + [at + PITCH / 2, middle]
        ax.plot(*places.T, "o", **dots)
        at, top = at + wide, max(top, middle + high / 2)
    ax.plot([left, at + GAP], [middle, middle], color=COLOURS["grey"], linewidth=1, linestyle="-", zorder=1)
    ax.text(left - 0.05, middle, ends[0], ha="right", va="center")
    ax.text(at + GAP + 0.05, middle, ends[1], ha="left", va="center")
    ax.text((left + at + GAP) / 2, top + 0.1, label, ha="center", va="bottom", linespacing=1.4)
    return ax
