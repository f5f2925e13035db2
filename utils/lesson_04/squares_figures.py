"""x² by depth and by hinges: the errors on the same axes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_04.squares import depth_error, hinge_error, hinges, measured_error, square_network
from utils.pages import described

LAYERS = np.arange(1, 41)
PIECES = 2 ** np.arange(13)
UNITS = 3  # a layer
LOWEST = 1e-19


@described("04.hinges", "Where one layer doubles, depth adds three units")
def errors() -> Figure:
    """The largest error on a logarithmic axis against hidden units on another. One layer's points fall along a straight
    line, slightly above the dotted line of the least error possible. The points of networks with three units a layer
    start above it, cross it between nine and twelve units, and fall ever more steeply down to 1e-16, where they turn
    aside: float64 ends there. In float32 they turn aside near 1e-7.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.6))
    units, width = UNITS * LAYERS, 2.0 ** np.linspace(0, 21, 50)
    ax.plot(units, np.maximum(depth_error(LAYERS), LOWEST), color=COLOURS["blue"], linestyle="-", linewidth=1)
    ax.plot(width, hinge_error(width), color=COLOURS["red"], linestyle="--", linewidth=1)
    ax.plot(width, hinge_error(width, best=True), color=COLOURS["grey"], linestyle=":", linewidth=1.5)
    for dtype, marker in ((torch.float64, "o"), (torch.float32, "D")):
        found = [measured_error(square_network(int(m)), 2 ** int(m), dtype) for m in LAYERS]
        ax.plot(
            units,
            found,
            marker,
            color=COLOURS["blue"],
            markersize=3.5,
            linestyle="none",
            fillstyle="full" if dtype == torch.float64 else "none",
        )
    ax.plot(
        PIECES,
        [measured_error(hinges(int(n)), int(n)) for n in PIECES],
        "s",
        color=COLOURS["red"],
        markersize=4,
        linestyle="none",
    )
    ax.set(xscale="log", yscale="log", xlabel="hidden units", ylabel="largest error on [0, 1]", ylim=(LOWEST, 1))
    for x, y, words, colour in (
        (6e3, 2e-7, "one layer: 1/(4N²)", "red"),
        (1.2, 1e-12, "by depth,\nthree units\na layer:\n$4^{-(m+1)}$", "blue"),
        (90, 2e-10, "float32 ends here", "blue"),
        (180, 8e-17, "float64 ends here", "blue"),
        (4e2, 1e-14, "the least with N\npieces: 1/(8N²)", "grey"),
    ):
        ax.text(x, y, words, color=COLOURS[colour], fontsize=10)
    return figure
