"""What to keep of lesson 03, on one card."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_03.folding import cut, fold, squared_paper

CREASE = np.array([0.6, 0.8])


def card() -> Figure:
    """A folded sheet, and four lines."""
    figure, (ax, text) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, 1.35))
    for square in squared_paper([-1, -1], [1, 1], squares=8):
        for part in cut(square, CREASE, 0.2):
            folded = fold(part, CREASE, 0.2)
            ax.plot(*np.concatenate([folded, folded[:1]]).T, "-", color=COLOURS["blue"], linewidth=0.8)
    ax.set(aspect="equal", title="three units fold a sheet", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    text.axis("off")
    lines = (
        r"fold: $|z| = \mathrm{relu}(z) + \mathrm{relu}(-z)$, and $s$ is handed on",
        "layers move the space; the last one draws a line",
        "boundary: straight pieces, corners only at creases",
        "a probe: fitted on some points, scored on others",
    )
    for place, words in zip((0.82, 0.58, 0.34, 0.1), lines, strict=True):
        text.text(0.02, place, words, fontsize=12, transform=text.transAxes)
    return figure
