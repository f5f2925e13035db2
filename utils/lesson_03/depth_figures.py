"""How many blocks a spiral needs, as a table; and a sheet that folds while its network learns."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from torch import nn

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_03 import depth, folding
from utils.lesson_03.folding_figures import EDGE, IN_VIEW, around, in_view, plot_classes, shown
from utils.pages import described
from utils.regions import decision_boundary
from utils.types import Part

DARKEST = 0.6  # of accuracy: what is no better is as dark
TURNS = ("1", "1¼", "1½", "1¾", "2")


@described("03.depth", "Two blocks of 8 units are enough,\nand so is one wide block")
def table() -> Figure:
    """A table of held-out accuracies, medians of 20 seeds, for spirals of 1, 1¼, 1½, 1¾ and 2 turns; the lower the
    number, the darker the cell. One block of 8 units has nearly all points right up to 1¼ turns, and then falls to less
    than three quarters on two turns. Two, three and four blocks of 8 stay high throughout, and so does one block of 32
    units. One block of 16 falls a little on two turns.
    """
    medians = depth.medians(recorded("03_depth"))
    values = 100 * medians.values
    figure, ax = plt.subplots(figsize=(5.6, 3.3))
    ax.imshow(values, cmap="Blues_r", vmin=100 * DARKEST, vmax=100, aspect="auto")
    for row, column in np.ndindex(values.shape):
        dark = values[row, column] < 85
        ax.text(column, row, f"{values[row, column]:.0f}", ha="center", va="center", color="white" if dark else "black")
    ax.axhline(len(depth.NARROW) - 0.5, color="black", linewidth=1.2, linestyle="-")
    ax.set_xticks(range(len(TURNS)), TURNS)
    ax.set_yticks(range(len(depth.SHAPES)), [f"{name} units" for name in depth.SHAPES])
    ax.set(xlabel="turns of the spiral", title="held-out points on the right side, of 100")
    ax.tick_params(length=0)
    ax.grid(False)
    return figure


def folded(model: nn.Sequential, part: Part, blocks: int) -> Figure:
    """Return the input plane with the boundary, and beside it where the sheet and the points have come to.

    ``model`` is a stack of blocks in one row of layers, as `depth.stack` makes it.
    """
    X, y = part
    bounds = around(X)
    nested = nn.Sequential(*[model[3 * at : 3 * at + 3] for at in range(blocks)], model[-1])
    few, classes = shown(X, y)
    after = folding.planes(nested, few)[-1]
    view = folding.views([few, after])[-1]
    paper = folding.planes(nested, folding.squared_paper(*np.transpose(bounds)))[-1]
    figure = plt.figure(figsize=(6, 3.3), layout="none")
    left, right = figure.add_axes((0.08, 0.1, 0.41, 0.78)), figure.add_axes((0.58, 0.1, 0.41, 0.78))
    green = {"color": COLOURS["green"], "linestyle": "-", "linewidth": 2}
    left.add_collection(LineCollection(decision_boundary(nested, bounds), colors=COLOURS["green"], linewidths=2))
    plot_classes(left, few, classes)
    left.set(xlim=bounds[0], ylim=bounds[1], aspect="equal", title="the input,\nwith the boundary")
    colours = {"facecolors": (COLOURS["sky"], 0.25), "edgecolors": (COLOURS["sky"], 0.8)}
    right.add_collection(PolyCollection(in_view([view], [paper])[0], linewidths=0.6, **colours))
    plot_classes(right, view(after), classes)
    right.plot(*folding.straight_line(nested, view, 4 * EDGE).T, **green)
    title = f"after block {blocks},\nwith the straight line"
    right.set(xlim=IN_VIEW[0], ylim=IN_VIEW[1], aspect="equal", title=title)
    for ax in (left, right):
        ax.grid(False)
    return figure
