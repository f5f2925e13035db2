"""The figures of excursion 06c, and what its predictions say of what was measured."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.lesson_06 import transformers
from utils.lesson_06.transformers import (
    ALONE,
    BOTH,
    DEPTHS,
    FED,
    NORMS,
    POST,
    PRE,
    SIX,
    SKIPPED,
    TRAINED_DEPTHS,
    TWO,
    cold,
    decades_apart,
    reads,
)
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data

DARKEST = 0.3  # the share that is drawn black
NAMES = {PRE: "pre-norm", POST: "post-norm"}
LOOKS = {PRE: ("o-", "blue"), POST: ("s--", "red")}


@described("06c.mixtures", "Layer by layer, all positions come to read the same mixture")
def mixtures(tables: Sequence[ArrayLike]) -> Figure:
    """Four tables of attention have a row for each of twelve positions that read, and a column for each that is read;
    the darker a place, the larger the share. In layer 1 every row has dark places of its own. In layer 2 columns begin
    to show, dark or light from top to bottom. In layer 3 all rows look alike, and in layer 4 the table is one even
    grey.
    """
    figure, axes = plt.subplots(1, len(tables), figsize=(6.4, 2.3))
    for layer, (ax, table) in enumerate(zip(axes, tables, strict=True), 1):
        ax.imshow(table, cmap="Greys", vmin=0, vmax=DARKEST)
        ax.set(title=f"layer {layer}", xticks=[], yticks=[], xlabel="read")
        ax.grid(visible=False)
    axes[0].set_ylabel("reading")
    return figure


@described("06c.parts", "Without skips, positions agree within six layers")
def parts(data: Data) -> Figure:
    """The figure shows how far apart twelve positions are, on a logarithmic axis, over 24 random layers. Two lines,
    attention alone and with feed-forward, bend down more and more steeply and reach the rounding of float64, 16 powers
    of ten below, at layer 5. Two others, with skips and with both, stay within the first power of ten; the one with
    both lies higher.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.6))
    looks = ((ALONE, "o-", "blue"), (FED, "s--", "red"), (SKIPPED, "^-.", "green"), (BOTH, "D:", "black"))
    for having, style, colour in looks:
        shares = data["apart"].sel(having=having, sharper=1).median("seed")
        ax.plot(shares["layer"], np.maximum(shares, 1e-16), style, color=COLOURS[colour], markersize=4, label=having)
    ax.set(yscale="log", xlabel="layers", ylabel="how far apart the positions are", ylim=(3e-17, 3))
    ax.legend(loc="center right")
    return figure


@described("06c.gradient", "With depth, the last block's gradient shrinks in pre-norm only")
def last_gradients(data: Data) -> Figure:
    """Two panels show the gradient's size against 2 to 24 blocks, on logarithmic axes, for the last block and the
    first. In the left one, the last block, post-norm's squares run level. Pre-norm's circles fall, from 8 blocks on
    along a dotted line, one over the square root of the depth. In the right one, the first block, both run level, and
    post-norm's lie a little higher.
    """
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.4), sharey=True)
    for ax, block in zip(axes, ("last", "first"), strict=True):
        for norm in NORMS:
            sizes = data["gradient"].sel(norm=norm, block=block, gain=1).transpose("seed", "depth")
            style, colour = LOOKS[norm]
            plot_medians(DEPTHS, sizes.values, label=NAMES[norm], style=style, colour=colour, ax=ax)
        ax.set(title=f"{block} block", xlabel="blocks", yscale="log")
    at = float(data["gradient"].sel(norm=PRE, block="last", gain=1, depth=8).median())
    places = [DEPTHS.index(depth) for depth in DEPTHS if depth >= 8]
    root = [at * (8 / DEPTHS[place]) ** 0.5 for place in places]
    axes[0].plot(places, root, ":", color=COLOURS["black"], label="1/√depth")
    axes[0].set_yticks([1, 2, 4, 8], ["1", "2", "4", "8"])
    axes[0].set_ylabel("size of the gradient")
    axes[0].minorticks_off()
    axes[0].legend(loc="lower left")
    return figure


@described("06c.train", "Six pre-norm blocks learn to read, six post-norm blocks hardly")
def accuracies(data: Data, without: Data) -> Figure:
    """The figure shows held-out accuracy after 1,024 steps, with intervals, for two blocks, six blocks, and six blocks
    without warm-up. Pre-norm's circles lie at about the same height, near 0.8, in all three places. Post-norm's squares
    lie a little lower at two blocks. At six blocks, with warm-up or without, they lie just above a dotted line at a
    half, which is guessing.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    for norm, shift in zip(NORMS, (-0.06, 0.06), strict=True):
        style, colour = LOOKS[norm]
        scores = [reads.best(data, norm=norm, depth=depth) for depth in TRAINED_DEPTHS]
        scores.append(cold.best(without, norm=norm, warm_up=transformers.COLD))
        names = [f"{TWO} blocks", f"{SIX} blocks", f"{SIX} blocks,\nno warm-up"]
        plot_medians(
            names, np.stack(scores, axis=1), label=NAMES[norm], style=style[0], colour=colour, shift=shift, ax=ax
        )
    ax.axhline(0.5, color=COLOURS["grey"], linestyle=":")
    ax.text(0.5, 0.51, "guessing", horizontalalignment="center")
    ax.set(ylabel="held-out accuracy", ylim=(0.45, 1.02), xlim=(-0.4, 2.4))
    ax.legend(loc="upper right", ncols=2)
    return figure


def parts_answer(data: Data) -> dict[str, float]:
    """Return the median share in which rows differ after twelve layers, for each kind of block."""
    kinds = zip(("alone", "fed", "skipped", "both"), (ALONE, FED, SKIPPED, BOTH), strict=True)
    return {name: 10 ** float(decades_apart(data, 12, having).median()) for name, having in kinds}


def gradient_answer(data: Data) -> dict[str, float]:
    """Return by what the last block's gradient at 24 blocks is that at 2, in both kinds, as medians over networks."""

    def ratio(norm: str) -> float:
        sizes = data["gradient"].sel(norm=norm, gain=1, block="last").median("seed")
        return float(sizes.sel(depth=DEPTHS[-1]) / sizes.sel(depth=DEPTHS[0]))

    return {"pre": ratio(PRE), "post": ratio(POST)}


def train_answer(data: Data, without: Data) -> dict[str, float]:
    """Return the median held-out accuracies of six blocks, with and without warm-up."""
    return {
        "pre": float(reads.best(data, norm=PRE, depth=SIX).median()),
        "post": float(reads.best(data, norm=POST, depth=SIX).median()),
        "pre_cold": float(cold.best(without, norm=PRE, warm_up=transformers.COLD).median()),
        "post_cold": float(cold.best(without, norm=POST, warm_up=transformers.COLD).median()),
    }
