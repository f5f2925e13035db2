"""The figures of lesson 04's excursion on training from the construction, and to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike
from torch import nn

from utils.comparison import score
from utils.data import checkerboard_labels
from utils.figures import COLOURS
from utils.lesson_04 import returning
from utils.pages import described
from utils.plots import plot_estimates, plot_medians, plot_seeds
from utils.types import Data

LOOKS = (("o-", "blue"), ("^-.", "green"), ("s--", "orange"))  # of three depths, or three boards
BOARDS = [f"{2**k}×{2**k}" for k in returning.FOLDS]  # squares
NEAR = 0.02  # the noise that the figure of random weights has beside it
SHAPE_NAMES = [f"{depth} × {width}" for depth, width in returning.SHAPES.items()]


@described("04b.yours", "Yours: built, shaken, and trained from there")
def boards(models: Mapping[str, nn.Module], k: int) -> Figure:
    """Three squares, coloured dark and light. The hand-built network draws an exact board. Shaken, it draws wedges and
    strips in place of most squares. After training the board is back, but for thin slivers along the sides of some
    squares.
    """
    middles = (torch.arange(240) + 0.5) / 240
    points = torch.cartesian_prod(middles, middles)
    labels = checkerboard_labels(points, 2 ** (k - 1), returning.UNIT)
    rows = 1 if len(models) < 4 else 2
    figure, axes = plt.subplots(rows, -(-len(models) // rows), figsize=(5.2, 0.5 + 2.1 * rows), squeeze=False)
    for (name, model), ax in zip(models.items(), axes.flat, strict=True):
        with torch.no_grad():
            colours = model(points).argmax(1).reshape(240, 240).T.numpy()
        ax.imshow(colours, extent=(0, 1, 0, 1), origin="lower", cmap="Greys", vmin=-0.3, vmax=1.5)
        ax.set(title=f"{name}\n{score(model, points, labels):.2f} right", xticks=[0, 1], yticks=[0, 1])
        ax.grid(False)
    return figure


@described("04b.shaken", "A hundredth of noise already tears the board")
def shaken_boards(k: int, noises: Sequence[float], seed: int = 0) -> Figure:
    """Four squares, coloured dark and light by a network. Without noise an exact board of 8×8 squares. With noise .01
    the squares have become patches of different sizes, and a thin strip runs through the middle. With .04 they are
    islands and wedges, and with .16 a few large shapes are left.
    """
    generators = [torch.Generator().manual_seed(seed) for _ in noises]
    return boards(
        {
            f"noise {noise:g}": returning.shaken(k, noise, generator=generator)
            for noise, generator in zip(noises, generators, strict=True)
        },
        k,
    )


@described("04b.returned", "With one fold more, runs come back from about half of the noise")
def shares(record: Data) -> Figure:
    """The share of runs that come back, against the noise, a line with intervals for each of three boards.
    All lines start at all of the runs and end at none. They fall one after the other: the board of 16×16 squares first,
    then that of 8×8, last that of 4×4.
    """
    figure, ax = plt.subplots(figsize=(5.2, 3.8))
    places = np.arange(len(returning.NOISES))
    for k, board, shift, (style, colour) in zip(returning.FOLDS, BOARDS, (-0.08, 0, 0.08), LOOKS, strict=True):
        plot_estimates(
            places + shift,
            returning.shares_back(record, k),
            label=f"{k} folds: {board} squares",
            style=style,
            colour=colour,
            markersize=6,
            ax=ax,
        )
    ax.set_xticks(range(len(returning.NOISES)), [f"{noise:g}" for noise in returning.NOISES])
    ax.set(xlabel="noise, relative to the size of the weights", ylabel="share of runs that come back")
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.legend(loc="lower left")
    return figure


@described("04b.same", "Runs that come back agree with the twin again")
def agreements(record: Data, folds: int = 3) -> Figure:
    """Each run as a point: across, the share of switches that are as in the unshaken twin before training, from a
    little over a half to nearly 1; upwards, the share after training. Runs that came back are blue circles in a band at
    the top, at nearly 1, whatever the share was before, from .8 on. Runs that did not are orange crosses, most of them
    left of .8 and scattered around the line on which nothing changes.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.0))
    noises = returning.NOISES[1:]
    before = np.concatenate([record["same_before"].sel(folds=folds, noise=noise) for noise in noises])
    after = np.concatenate([returning.same_after(record, folds, noise) for noise in noises])
    back = np.concatenate([returning.came_back(record, folds, noise) for noise in noises]) == 1
    for which, style, colour, words in ((back, "o", "blue", "came back"), (~back, "x", "orange", "did not")):
        ax.plot(before[which], after[which], style, color=COLOURS[colour], linestyle="none", markersize=5, label=words)
    ends = [min(before.min(), after.min()), 1]
    ax.plot(ends, ends, color=COLOURS["grey"], linestyle="-", linewidth=1)
    ax.annotate("as before", (0.8, 0.8), xytext=(6, -12), textcoords="offset points", fontsize=9)
    ax.set(xlabel="switches like the twin's, before training", ylabel="after training")
    ax.legend(loc="lower right")
    return figure


@described("04b.scratch", "From random weights, layers of 4 do not get there")
def from_scratch(scratch: Data, returned: Data) -> Figure:
    """Held-out accuracy for boards of 4×4, 8×8 and 16×16 squares, a mark for each run. Layers of 4 from random weights
    lie lowest: well below 1 on the coarsest board, close to one half on the others. Layers of 16 are near 1 on the
    coarsest, lower on the next and low on the finest. The hand-built network, shaken a little and trained, lies near 1;
    on the finest board many of its runs fall far below.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.4))
    narrow, wide = returning.WIDTHS
    looks = (
        (-0.28, "o", "blue", f"layers of {narrow}, random weights"),
        (0, "^", "green", f"layers of {wide}, random weights"),
        (0.28, "s", "orange", f"layers of {narrow}, hand-built, shaken by {NEAR:g}"),
    )
    groups = [
        [
            *(returning.ended(scratch, k, width=width) for width in returning.WIDTHS),
            returning.ended(returned, k, noise=NEAR),
        ]
        for k in returning.FOLDS
    ]
    _columns(groups, looks, [f"{board} squares" for board in BOARDS], ax)
    ax.set(ylabel="held-out accuracy", ylim=(0.45, 1.02), xlim=(-0.5, len(returning.FOLDS) - 0.4))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1))
    return figure


@described("04b.rising", "On the finest board all three shapes fall far back")
def rising(record: Data) -> Figure:
    """Held-out accuracy against boards of 4×4, 8×8 and 16×16 squares. One, two and four hidden layers lie near each
    other: near 1 on the first board, a little above .8 on the second, and not much above a half on the last, where four
    layers lie highest. The line of the nearest training point sinks only slowly, to .9.
    """
    figure, ax = plt.subplots(figsize=(5.2, 4.0))
    plot_medians(
        BOARDS,
        record["nearest"].transpose("seed", "folds"),
        label="nearest training point",
        style="D:",
        colour="black",
        ax=ax,
    )
    for depth, name, shift, (style, colour) in zip(returning.SHAPES, SHAPE_NAMES, (-0.05, 0.05, 0), LOOKS, strict=True):
        values = np.stack([returning.ended(record, k, depth=depth) for k in returning.RISING], axis=1)
        plot_medians(BOARDS, values, label=f"{name} units", style=style, colour=colour, shift=shift, ax=ax)
    ax.set(xlabel="squares", ylabel="held-out accuracy", ylim=(0.45, 1.02))
    ax.legend(loc="lower left")
    return figure


@described("04b.longer", "On 16×16 squares, one layer stays near a half")
def longer(short: Data, long: Data) -> Figure:
    """Held-out accuracy for one, two and four hidden layers, a column of marks for each after 3,000 steps, and another
    after 12,000, in a panel for each of two boards. On 8×8 squares the first columns lie below .9, the others mostly
    above it, one layer's as high as four layers'. On 16×16 squares one layer stays near a half; two layers and four
    begin a little above it and climb further, but nowhere near 1.
    """
    figure, axes = plt.subplots(1, len(returning.LONGER), figsize=(5.2, 3.8))
    looks = ((-0.17, "o", "orange", "3,000 steps"), (0.17, "s", "blue", "12,000 steps"))
    for folds, ax in zip(returning.LONGER, axes, strict=True):
        groups = [
            [returning.ended(record, folds, depth=depth) for record in (short, long)] for depth in returning.SHAPES
        ]
        _columns(groups, looks, SHAPE_NAMES, ax)
        ax.set(title=f"{BOARDS[returning.FOLDS.index(folds)]} squares", xlabel="hidden layers × units")
    axes[0].set_ylabel("held-out accuracy")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _columns(groups: Sequence[Sequence[ArrayLike]], looks: Sequence[tuple], names: Sequence[str], ax: Axes) -> None:
    """Draw a named group of columns at each place, a mark for each seed; looks: shift, style, colour and label."""
    for place, runs in enumerate(groups):
        for values, (shift, style, colour, label) in zip(runs, looks, strict=True):
            plot_seeds(values, place + shift, style=style, colour=colour, label=None if place else label, ax=ax)
    ax.set_xticks(range(len(groups)), names)
