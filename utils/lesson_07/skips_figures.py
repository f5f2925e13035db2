"""The figures of excursion 07a: slopes, their correlation, two inputs' cosine, and networks without a block."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from utils.comparison import ACCURACY
from utils.figures import COLOURS
from utils.lesson_07 import skips
from utils.lesson_07.skips import BLOCKS, EXCHANGED, KINDS, PLAIN, SCALED, SKIP, START, WITHOUT, layers_of
from utils.pages import described
from utils.plots import plot_estimates, plot_medians, write_beside
from utils.statistics import median
from utils.types import Data

LOOKS = {PLAIN: ("o", "-", "red"), START: ("s", "--", "orange"), SKIP: ("^", "-.", "black"), SCALED: ("D", ":", "blue")}
NAMES = {PLAIN: "plain", START: "plain, near identity", SKIP: "skip alone", SCALED: "scaled skip"}


@described("07a.slopes", "With three layers the slope walks, with fifty-one it jumps")
def slope_curves(few: ArrayLike, many: ArrayLike) -> Figure:
    """Two panels of a plain network's slope df/dx against x from −2 to 2. Left, with 3 layers, the slope stays the same
    for a while, then steps a little up or down. Right, with 51 layers, it jumps up and down all along.
    """
    figure, axes = plt.subplots(1, 2, figsize=(7, 2.8))
    for ax, numbers, blocks in zip(axes, (few, many), (1, BLOCKS), strict=True):
        ax.step(np.linspace(-skips.ENDS, skips.ENDS, len(numbers)), numbers, "-", color=COLOURS["red"], linewidth=1.2)
        ax.set(title=f"{layers_of(blocks)} plain layers", xlabel="x", ylabel="slope df/dx")
    return figure


@described("07a.shatter", "Scaled skips, or a start near the identity, keep slopes together")
def correlations(data: Data) -> Figure:
    """The correlation of slopes a short way apart, against the number of layers from 3 to 51, for four kinds of
    network with 200 units. All begin near the top. Plain: it falls to below a half. Skip alone: it falls, too, though
    less. Scaled skips, and plain layers near the identity: both stay near the top all along.
    """
    figure, ax = plt.subplots(figsize=(6.8, 3.6))
    layers = [layers_of(blocks) for blocks in skips.BLOCK_COUNTS]
    for place, kind in enumerate(KINDS):
        marker, line, colour = LOOKS[kind]
        values = data["correlation"].sel(kind=kind, width=skips.SHATTER_WIDTHS[-1]).transpose("seed", "blocks")
        plot_medians(
            layers, values, label=NAMES[kind], style=marker + line, colour=colour, shift=(place - 1.5) / 12, ax=ax
        )
    ax.set(xlabel="layers", ylabel="correlation of slopes", ylim=(0, 1.03))
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


@described("07a.angle", "Only scaled skips keep two inputs far apart")
def two_inputs(data: Data) -> Figure:
    """The cosine of two inputs that began orthogonal, against the number of blocks passed, up to 25. Plain: it rises at
    once and ends close to 1. Skip alone: it rises more slowly, and ends close to it. Plain near the identity: it begins
    at about a third, and ends a little below these two. Scaled skips: it rises from 0, and stays below a half. Theory,
    drawn as lines for all but the network near the identity, runs along the measured points.
    """
    figure, ax = plt.subplots(figsize=(6.8, 3.6))
    blocks = data["block"].values
    for kind in KINDS:
        marker, _, colour = LOOKS[kind]
        measured = data["cosine"].sel(kind=kind).transpose("block", "seed").values
        shown = [*range(0, BLOCKS + 1, 5)]
        plot_estimates(blocks[shown], [median(measured[place]) for place in shown], style=marker, colour=colour, ax=ax)
        if kind != START:
            ax.plot(blocks, skips.cosines(kind), "-", color=COLOURS[colour], linewidth=1.2)
        write_beside(
            NAMES[kind],
            (BLOCKS, float(np.median(measured[-1]))),
            ax,
            colour=colour,
            size=9,
            up={PLAIN: 6, SKIP: -2, START: -8}.get(kind, 0),
        )
    ax.set(xlabel="blocks passed (lines: theory)", ylabel="cosine of two inputs", ylim=(-0.05, 1.03), xlim=(-0.5, 33.5))
    ax.set_xticks(range(0, BLOCKS + 1, 5))
    return figure


@described("07a.removed", "Where each block changes little, losing one costs little")
def without_a_block(data: Data) -> Figure:
    """Held-out accuracy for four kinds of network, with three markers each: whole, with two neighbouring blocks
    exchanged, and without one block (the median over its places). Plain from He's weights: the whole network lies near
    a half, with a wide interval, and the two other markers far below it. Skip alone: the whole network lies near
    the top, and the two other markers well below it. Scaled skips, and plain layers near the identity: all three
    markers lie close together, near the top.
    """
    figure, ax = plt.subplots(figsize=(6.8, 3.6))
    looks = (
        (ACCURACY, "whole", "o", "black"),
        (EXCHANGED, "two exchanged", "s", "orange"),
        (WITHOUT, "one taken out", "^", "blue"),
    )
    for place, (score, label, marker, colour) in enumerate(looks):
        values = np.stack([skips.reached(data, kind, score.name) for kind in KINDS], axis=1)
        plot_medians(
            [NAMES[kind] for kind in KINDS],
            values,
            label=label,
            style=marker,
            colour=colour,
            shift=(place - 1) / 6,
            ax=ax,
        )
    ax.set(ylabel="held-out accuracy", ylim=(0, 1.03))
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure
