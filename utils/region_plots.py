"""Region maps, decision boundaries and pieces, drawn on the axes that are given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray
from torch import nn

from utils.figures import COLOURS
from utils.regions import Pieces, Regions, linear_pieces


def lightness(regions: Regions) -> NDArray[np.float64]:
    """Return a number in [0, 1] per region: the share of its pattern's hash, the same wherever it is drawn.

    Neighbours differ in one unit or a few, which moves each by its own golden-ratio step.
    """
    patterns = regions.patterns()
    steps = np.arange(1, patterns.shape[1] + 1) * ((5**0.5 - 1) / 2) % 1
    return (patterns @ (0.2 + 0.6 * steps)) % 1


def plot_regions(regions: Regions, ax: Axes | None = None, *, edges: bool = True) -> Axes:
    """Return axes with every polygon of `linear_regions` for two inputs, in blues that differ in lightness.

    Neighbours' lightness differs, so the map reads in grey too; edges draws the creases on top.
    Raises TypeError for anything but the regions of a network with two inputs.
    """
    if not isinstance(regions, Regions) or regions.vertices.shape[1] != 2:
        raise TypeError(f"regions is {regions!r}: wanted what linear_regions returns for 2 inputs")
    ax = ax or plt.subplots()[1]
    polygons = np.split(regions.vertices, regions.ends[:-1])
    shades = plt.get_cmap("Blues")(0.1 + 0.6 * lightness(regions))
    # a line of the polygon's own colour closes the seams that anti-aliasing leaves between neighbours
    line, width = (COLOURS["black"], 0.25) if edges else (shades, 0.3)
    ax.add_collection(PolyCollection(polygons, facecolors=shades, edgecolors=line, linewidths=width), autolim=False)
    low, high = regions.vertices.min(axis=0), regions.vertices.max(axis=0)
    ax.set(xlabel="x₁", ylabel="x₂", xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    ax.grid(False)
    return ax


def plot_pieces(pieces: Pieces | nn.Module, bounds: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
    """Return axes with a network of one input: its linear pieces as lines, the breakpoints as dots.

    pieces: what `linear_pieces` returns, or the network itself together with bounds.
    """
    if isinstance(pieces, nn.Module) and bounds is not None:
        pieces = linear_pieces(pieces, bounds)
    if not isinstance(pieces, Pieces):
        raise TypeError(f"pieces is {pieces!r}: wanted what linear_pieces returns, or a network and bounds")
    ax = ax or plt.subplots()[1]
    x = pieces.knots[:, None]
    y = np.concatenate([pieces.slopes * x[:-1] + pieces.intercepts, (pieces.slopes * x[1:] + pieces.intercepts)[-1:]])
    for output in y.T:
        line = ax.plot(pieces.knots, output)[0]
        ax.plot(pieces.knots[1:-1], output[1:-1], "o", color=line.get_color(), linestyle="none", markersize=4)
    ax.set(xlabel="x", ylabel="y")
    return ax
