"""Maps of all regions, one of them beside the pieces along a line, and the lesson's card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import matplotlib.patheffects as effects
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from torch import nn

from utils.figures import COLOURS
from utils.lesson_04.exploring import SQUARE, drawn_network, some
from utils.pages import described
from utils.plots import plot_card
from utils.region_plots import plot_pieces, plot_regions
from utils.regions import Bounds, Pieces, Region, Regions, linear_regions

SIZE = (6.2, 5.5)  # inches, of the figure of `map_and_line`
PLACE = (0.115, 0.27, 0.59, 0.59 * SIZE[0] / SIZE[1])  # of its map, a square
BESIDE = (0.73, 0.02, 0.26, PLACE[1] + PLACE[3] - 0.02)  # the units, on or off
IN_A_ROW = 8  # units
ROW = 0.21  # inches from one row of units to the next, at most
BELOW = (PLACE[0], 0.08, PLACE[2], 0.13)  # the line's graph, as wide as the map, so that creases stand over their dots
CROWDED = 4000  # regions, from which on the creases' lines would hide what they part
ON_ALL = [effects.withStroke(linewidth=3.5, foreground="white")]  # to be seen on light and on dark


class Chosen(NamedTuple):
    """A point, the region that holds it, where that begins and ends along the line, the line's pieces, and how many
    regions it crosses.
    """

    point: tuple[float, float]
    region: Region | None
    cell: tuple[float, float]
    pieces: Pieces
    cells: int


@described("04.map", "Every region of one network, a shade each")
def region_map(model: nn.Sequential) -> Figure:
    """A square, cut by straight lines from edge to edge into many polygons, each in a shade of blue of its own. On each
    of them the network is one affine map.
    """
    figure, ax = plt.subplots(figsize=(5, 5))
    _plot_map(model, SQUARE, ax)
    return figure


@described("04a.folds", "Unfolded, every cut is there many times")
def region_maps(models: Mapping[str, nn.Sequential], bounds: Bounds) -> Figure:
    """The unit square twice, cut into all regions of a hand-built network. Left, 4 × 4 boxes, right, 5 × 5, those at
    the left and lower edges half as wide; in each of them lies the same bundle of eight lines that touch a parabola,
    mirrored from box to box.
    """
    figure, axes = plt.subplots(1, len(models), figsize=(2.7 * len(models), 3.3), sharey=True, squeeze=False)
    for ax, (name, model) in zip(axes[0], models.items(), strict=True):
        _plot_map(model, bounds, ax)
        ax.set_title(f"{name}:\n{ax.get_title()}")
        ax.label_outer()
    return figure


def _plot_map(model: nn.Sequential, bounds: Bounds, ax: Axes) -> None:
    """Draw every region of a network with two inputs, and say how many there are."""
    regions = linear_regions(model, bounds)
    plot_regions(regions, ax, edges=len(regions) < CROWDED)
    ax.set_title(some(len(regions), "region"))
    ax.locator_params(nbins=5)


def map_and_line(regions: Regions | None, count: int, chosen: Chosen) -> Figure:
    """Return a figure of the map, one region of it outlined, above the network along the line through the point.

    Beside the map stand the units of each layer, filled where they are on. Without regions, which are then too many, it
    has the point and the line alone.
    """
    figure = plt.figure(figsize=SIZE, layout="none")
    above, below = figure.add_axes(PLACE), figure.add_axes(BELOW)
    if regions is not None:
        _plot_units(chosen.region, figure.add_axes(BESIDE))
        plot_regions(regions, above, edges=count < CROWDED)
        above.add_patch(Polygon(chosen.region.vertices, facecolor=COLOURS["orange"], edgecolor=COLOURS["red"],
                                linewidth=2, path_effects=ON_ALL, zorder=2))
    x, height = chosen.point
    above.axhline(height, color=COLOURS["black"], linestyle="--", linewidth=1.2, path_effects=ON_ALL, zorder=3)
    above.plot(x, height, "o", color=COLOURS["red"], markersize=7, markeredgecolor="white", zorder=4)
    above.set(xlim=SQUARE[0], ylim=SQUARE[1], xlabel="", ylabel="x₂", aspect="auto")  # it fills its place
    above.locator_params(nbins=5)
    above.tick_params(labelbottom=False)
    above.set_title(some(count, "region"), loc="left")
    below.axvspan(*chosen.cell, color=COLOURS["orange"], alpha=0.45)
    below.axvline(x, color=COLOURS["red"], linestyle=":", linewidth=1.2)
    plot_pieces(chosen.pieces, ax=below)
    below.set(xlim=SQUARE[0], xlabel="x₁", ylabel="")
    below.locator_params(axis="x", nbins=5)
    below.set_title(f"f(x) along the line: {some(len(chosen.pieces.slopes), 'piece')}", loc="left")
    return figure


def _plot_units(region: Region, ax: Axes) -> None:
    """Draw which units are on in a region: a dot for each, filled or not, layer below layer, at most eight in a row."""
    top = 0.0
    for layer, on in enumerate(region.pattern, 1):
        ax.text(-0.4, top, f"layer {layer}", va="center", fontsize=11)
        row, column = np.divmod(np.arange(len(on)), IN_A_ROW)
        for which, face in ((on, COLOURS["black"]), (~on, "white")):
            ax.plot(column[which], top + 1 + row[which], "o", color=COLOURS["black"], markerfacecolor=face,
                    markersize=8, linestyle="none")
        top += row[-1] + 2.3
    ax.set(xlim=(-0.6, IN_A_ROW - 0.4), ylim=(max(top, BESIDE[3] * SIZE[1] / ROW) - 0.6, -0.6))
    ax.axis("off")
    ax.set_title("● on, ○ off", loc="left")


@described("04.card", "Lesson 04 on a card")
def card() -> Figure:
    """Left, a square cut into polygons in shades of blue. Right, four lines: how many pieces a layer makes of each
    piece, the units that a board of squares takes folded and in one layer, the error of x² by depth and by pieces, and
    that bounds are for the best weights.
    """
    lines = (
        r"a layer of $n$ units cuts each piece into at most $1 + n + \binom{n}{2}$",
        r"$4^k$ squares: $4(k+1)$ units folded, $4 \cdot 2^k - 5$ in one layer",
        r"$x^2$: error $4^{-(m+1)}$ by $m$ layers, at best $1/(8N^2)$ by $N$ pieces",
        "bounds are for the best weights: count your own",
    )
    figure, ax = plot_card(lines, wider=1.75, size=11)
    plot_regions(linear_regions(drawn_network(3, 8), SQUARE), ax=ax)
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    return figure
