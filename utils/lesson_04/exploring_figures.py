"""Maps of all regions, and the lesson's card."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import nn

from utils.lesson_04.exploring import SQUARE, drawn_network, some
from utils.pages import described
from utils.plots import plot_card
from utils.region_plots import plot_regions
from utils.regions import Bounds, linear_regions

CROWDED = 4000  # regions, from which on the creases' lines would hide what they part


@described("04.map", "Every region of one network, each in its own shade")
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
