"""The figures of lesson 02's explorers: networks drawn as units and weights, and curves while they are fitted.

They are drawn many times a second, so their axes are placed by hand: a layout that is computed takes longer than all
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.types import Array

GRID = np.linspace(-1, 1, 1001)  # where curves are drawn and judged
POSITIVE, NEGATIVE = COLOURS["blue"], COLOURS["red"]
FILL_POSITIVE, FILL_NEGATIVE, FILL_ZERO = "#cfe3f2", "#f9dcc9", "#ffffff"  # pale, for black numbers on top
SIGNS = LinearSegmentedColormap.from_list("signs", [NEGATIVE, FILL_ZERO, POSITIVE])
INPUTS = {1: ("x",), 2: ("x", "y"), 4: ("image",)}  # the controls that say an input of so many numbers


def plot_network(
    weights: Sequence[Array], values: Sequence[Array] = (), *, rows: int | None = None, ax: Axes | None = None
) -> Axes:
    """Return axes with a network: a column of circles for each layer, a line for each weight of weights [n_out, n_in].

    Positive weights are solid and blue, negative ones dashed and red, the larger the thicker. values: of the first
    layers, which are written into their circles; what is not computed yet is pale. rows: room for so many units.
    """
    ax = ax or plt.subplots()[1]
    columns = _places(weights)
    computed = len(values) if len(values) else len(columns)  # a network without values is drawn whole
    largest = max(np.abs(matrix).max() for matrix in weights)
    for number, matrix in enumerate(weights):
        _lines(ax, columns[number], columns[number + 1], matrix / largest, pale=number + 1 >= computed)
    room = _make_room(ax, len(columns), rows or max(len(places) for places in columns))
    for number, places in enumerate(columns):
        numbers = values[number] if number < len(values) else None
        _circles(ax, places, min(25.0, 0.9 * room), numbers, pale=number >= computed)
    _captions(ax, columns)
    return ax


def _make_room(ax: Axes, columns: int, rows: int) -> float:
    """Return how many points (1/72 inch) a row gets, between 20 points for captions above and 40 for those below."""
    points = ax.get_window_extent().height / ax.figure.dpi * 72
    room = (points - 60) / rows
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(-rows / 2 - 40 / room, rows / 2 + 20 / room))
    ax.axis("off")
    return room


def _places(weights: Sequence[Array]) -> list[Array]:
    """Return [n, 2] for each layer: its circles' middles, the column's number and from top to bottom."""
    sizes = [weights[0].shape[1], *(len(matrix) for matrix in weights)]
    return [
        np.stack([np.full(size, float(number)), (size - 1) / 2 - np.arange(size)], axis=1)
        for number, size in enumerate(sizes)
    ]


def _lines(ax: Axes, left: Array, right: Array, matrix: Array, *, pale: bool) -> None:
    for sign, colour, style in ((1, POSITIVE, "-"), (-1, NEGATIVE, (0, (4, 2)))):
        to, of = np.nonzero(matrix * sign > 0)
        segments = np.stack([left[of], right[to]], axis=1)
        sizes = 0.3 + 3 * np.abs(matrix[to, of])
        ax.add_collection(
            LineCollection(segments, colors=colour, linewidths=sizes, linestyles=[style], alpha=0.2 if pale else 0.85)
        )


def _circles(ax: Axes, places: Array, size: float, values: Array | None, *, pale: bool) -> None:
    fills: list[str] | str = "#f2f2f2"
    if values is not None:
        fills = [FILL_POSITIVE if v > 0 else FILL_NEGATIVE if v < 0 else FILL_ZERO for v in values]
    edge = COLOURS["grey"] if pale else "black"
    ax.scatter(*places.T, s=size**2, c=fills, edgecolors=edge, linewidths=1, linestyles=":" if pale else "-", zorder=2)
    for (x, y), value in zip(places, () if values is None else values, strict=False):
        ax.text(x, y, _short(value), ha="center", va="center", fontsize=8, zorder=3)


def _short(value: float) -> str:
    text = f"{value:.2f}" if abs(value) < 9.95 else f"{value:.0f}"
    return text.replace("-0.00", "0").replace("-", "−") if value else "0"


def _captions(ax: Axes, columns: Sequence[Array]) -> None:
    """Above each column its layer's name, below it how many parameters lead there."""
    above = {"y": 1.0, "va": "top", "ha": "center", "fontsize": 9, "transform": ax.get_xaxis_transform()}
    below = {**above, "y": 0.0, "va": "bottom"}
    hidden = [f"hidden {number}" for number in range(1, len(columns) - 1)]
    for number, name in enumerate(["input", *hidden, "output"]):
        ax.text(x=number, s=name, **above)
    for number, (before, after) in enumerate(pairwise(map(len, columns)), start=1):
        ax.text(x=number, s=f"{before}·{after} + {after}\n= {before * after + after}", **below)
    in_all = sum((before + 1) * after for before, after in pairwise(map(len, columns)))
    ax.text(x=0, s=f"parameters:\n{in_all} in all", **below)


def forward_pass(weights: Sequence[Array], values: Sequence[Array], outputs_of: Callable[[Array], Array]) -> Figure:
    """Return the network with the values computed so far, and beside it what comes out.

    outputs_of: the network's outputs [n, outputs] for inputs [n, inputs]. With one input the graph is drawn, with two
    the map of the first output, and with four the input and the output as 2×2 pictures.
    """
    figure = plt.figure(figsize=(8, 3.9), layout="none")
    plot_network(weights, values, rows=8, ax=figure.add_axes((0.0, 0.01, 0.7, 0.98)))
    output = values[-1] if len(values) == len(weights) + 1 else None
    beside = {1: _graph, 2: _map}.get(len(values[0]))
    if beside:
        beside(figure, values[0], output, outputs_of)
    else:
        _pictures(figure, values[0], output)
    return figure


def _graph(figure: Figure, point: Array, output: Array | None, outputs_of: Callable[[Array], Array]) -> None:
    """The output for every input, and a dot on it once it is computed."""
    ax = figure.add_axes((0.765, 0.14, 0.225, 0.74))
    x = np.linspace(-1, 1, 201)
    ax.plot(x, outputs_of(x[:, None])[:, 0], color=COLOURS["black"], linestyle="-")
    ax.axvline(point[0], color=COLOURS["grey"], linestyle=":", linewidth=1)
    if output is not None:
        ax.plot(point[0], output[0], "o", color=COLOURS["red"], markersize=7)
    ax.set_title("output for every input", fontsize=10)
    ax.set_xlabel("x")
    ax.tick_params(labelsize=8)


def _map(figure: Figure, point: Array, output: Array | None, outputs_of: Callable[[Array], Array]) -> None:
    """The first output for every two inputs, in bands, a line where it is 0, and a dot once it is computed."""
    ax, scale = figure.add_axes((0.765, 0.36, 0.225, 0.4615)), figure.add_axes((0.785, 0.15, 0.185, 0.03))
    x = np.linspace(-1, 1, 61)
    plane = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    heights = outputs_of(plane)[:, 0].reshape(len(x), len(x))
    most = np.abs(heights).max()
    bands = ax.contourf(x, x, heights, np.linspace(-most, most, 14), cmap=SIGNS)
    if heights.min() < 0 < heights.max():
        ax.contour(x, x, heights, [0], colors="black", linewidths=1.5)
    for line, place in ((ax.axvline, point[0]), (ax.axhline, point[1])):
        line(place, color="black", linestyle=":", linewidth=1)
    if output is not None:
        ax.plot(*point, "o", color="white", markeredgecolor="black", markersize=8)
    ax.set_title("output 1 for every\nx and y", fontsize=10)
    ax.set(xlabel="x", xticks=(-1, 0, 1), yticks=(-1, 0, 1), xlim=(-1, 1), ylim=(-1, 1))
    ax.set_ylabel("y", rotation=0, va="center")
    ax.tick_params(labelsize=8)
    ax.grid(False)
    bar = figure.colorbar(bands, cax=scale, orientation="horizontal", ticks=(-most, 0, most))
    bar.ax.set_xticklabels([_short(-most), "0", _short(most)], fontsize=8)


def _pictures(figure: Figure, pixels: Array, output: Array | None) -> None:
    """The input and, once it is computed, the output as 2×2 pictures, a number in each pixel."""
    for bottom, title, picture in ((0.54, "the image goes in", pixels), (0.06, "and comes out as", output)):
        ax = figure.add_axes((0.785, bottom, 0.185, 0.38))
        ax.set_title(title, fontsize=10)
        ax.imshow(np.zeros((2, 2)) if picture is None else picture.reshape(2, 2), cmap="Greys", vmin=0, vmax=1)
        for place, value in enumerate(() if picture is None else picture):
            shade = "white" if value > 0.5 else "black"
            ax.text(place % 2, place // 2, _short(value), ha="center", va="center", color=shade)
        ax.set(xticks=(), yticks=())
        ax.spines[:].set(visible=True, linestyle=":" if picture is None else "-")
        ax.grid(False)


def fit_and_loss(y: Array, y_hat: Array, knots: Array | None, loss: Array) -> Figure:
    """Return a target y and a network's y_hat on GRID, with dots where it bends, and the loss of every step so far."""
    figure = plt.figure(figsize=(8, 3.1), layout="none")
    left, right = figure.add_axes((0.09, 0.16, 0.49, 0.71)), figure.add_axes((0.68, 0.16, 0.3, 0.71))
    plot_fit(y, y_hat, knots, ax=left)
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    steps = np.arange(1, len(loss) + 1)
    right.loglog(steps, loss, color=COLOURS["black"], linestyle="-", linewidth=1.2)
    right.set(xlim=(1, 6000), ylim=(1e-7, 10), xlabel="steps", title="mean squared error")
    right.set_xticks((1, 10, 100, 1000), ("1", "10", "100", "1,000"))
    right.set_yticks((1e-6, 1e-4, 1e-2, 1), ("10⁻⁶", "10⁻⁴", "10⁻²", "1"))
    for axis in (right.xaxis, right.yaxis):
        axis.set_ticks([], minor=True)  # dozens of small ones would take half of the drawing's time
    return figure


def plot_fit(y: Array, y_hat: Array, knots: Array | None, *, ax: Axes) -> Axes:
    """Return the axes with a target and a network on GRID, and dots at the network's knots [n, 2]."""
    ax.plot(GRID, y, color=COLOURS["grey"], linestyle="-", linewidth=5, alpha=0.4, label="target")
    ax.plot(GRID, y_hat, color=COLOURS["blue"], linestyle="-", label="network")
    if knots is not None:
        ax.plot(*knots.T, "o", color=COLOURS["red"], markersize=4, linestyle="none", label="bends")
    low, high = y.min(), y.max()
    ax.set(xlim=(-1.03, 1.03), ylim=(low - 0.35 * (high - low), high + 0.35 * (high - low)), xlabel="x", ylabel="y")
    ax.set_xticks((-1, -0.5, 0, 0.5, 1), ("−1", "−½", "0", "½", "1"))
    return ax
