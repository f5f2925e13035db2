"""The figures of lesson 08's path, but for the guesses'."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_08 import table
from utils.lesson_08.table import DEPTHS, NEW_ROWS, NEW_RUNS, ROWS, RUNS, airfoil
from utils.pages import described
from utils.plots import plot_card, plot_estimates, plot_rows, write_beside
from utils.statistics import median
from utils.types import Data

SHOWN = (3, 45, 60)  # runs


@described("08.runs", "Three runs of the table")
def runs() -> Figure:
    """Sound level against frequency, on a logarithmic axis, for three of the runs. In each run the dots lie on a smooth
    curve: neighbours in frequency have similar levels. The curves differ in height and in where they bend.
    """
    X, y, run = airfoil()
    figure, ax = plt.subplots(figsize=(7, 2.9))
    for number, mark, colour in zip(SHOWN, "os^", ("blue", "red", "green"), strict=True):
        rows = run == number
        _, angle, chord, speed, _ = X[rows][0]
        ax.plot(np.exp(X[rows, 0]), y[rows], f"{mark}-", color=COLOURS[colour], linewidth=0.8, markersize=5)
        write_beside(
            f"{angle:g}°, {100 * chord:.0f} cm, {speed:.0f} m/s",
            (np.exp(X[rows, 0][0]), y[rows][0]),
            ax,
            colour=colour,
            size=9,
            right=-5,
            up=-11,
        )
    ax.set(xscale="log", xlabel="frequency (Hz)", ylabel="sound level (dB)", xlim=(150, 30_000), ylim=(None, 142))
    return figure


@described("08.promise", "Folds of rows promise what new runs do not keep")
def promises(data: Data) -> Figure:
    """Two panels of errors in decibels; every seed is a dot, and the median is black. On the left, folds that hold out
    rows chose the networks: beside the promised error, that on new rows of known runs is lower, and that on new runs is
    higher. On the right, folds that hold out runs chose: the promised error is higher, and new runs keep it.
    """
    figure, axes = plt.subplots(1, 2, figsize=(7.6, 3), sharey=True)
    for ax, split in zip(axes, (ROWS, RUNS), strict=True):
        best = table.chosen(data, split)
        columns = {
            "promised": best["inner"],
            NEW_ROWS: best["outer"].sel(asked=NEW_ROWS),
            NEW_RUNS: best["outer"].sel(asked=NEW_RUNS),
        }
        for place, values in enumerate(columns.values()):
            ax.plot(
                place + np.linspace(-0.15, 0.05, len(values)),
                values,
                "o",
                color=COLOURS["blue"],
                alpha=0.5,
                markersize=4,
            )
            plot_estimates([place + 0.15], [median(values.values, method="order")], style="D", colour="black", ax=ax)
        ax.set_xticks(range(3), list(columns))
        ax.set(title=f"folds that hold out {split}", xlim=(-0.4, 2.5))
    axes[0].set_ylabel("error (dB)")
    axes[0].set_ylim(bottom=0)
    return figure


@described("08.depth", "Single trainings: a small lead of depth on known runs, none on new ones")
def by_depth(data: Data, rivals: Data) -> Figure:
    """Two panels of errors in decibels against the number of hidden layers, for the best network of each depth. Level
    lines show boosted trees and nearest neighbours. On the left, on new rows of known runs, deeper networks are a
    little better than one layer. On the right, on new runs, the intervals of all depths overlap, and boosted trees lie
    within them.
    """
    figure, axes = plt.subplots(1, 2, figsize=(7.6, 3), sharey=True)
    for ax, split, asked in zip(axes, (ROWS, RUNS), (NEW_ROWS, NEW_RUNS), strict=True):
        errors = [table.chosen(data, split, [depth])["outer"].sel(asked=asked).values for depth in DEPTHS]
        plot_estimates(range(len(DEPTHS)), [median(one, method="order") for one in errors], style="o-", ax=ax)
        looks = (table.TREES, "red", "--", "top"), (table.NEIGHBOURS, "green", ":", "bottom")
        for name, colour, style, side in looks:
            level = float(rivals["error"].sel(rival=name, split=split, asked=asked).median())
            ax.axhline(level, color=COLOURS[colour], linestyle=style)
            ax.text(len(DEPTHS) - 0.7, level, name.replace(" ", "\n"), color=COLOURS[colour], fontsize=9, va=side)
        ax.set_xticks(range(len(DEPTHS)), [str(depth) for depth in DEPTHS])
        ax.set(title=asked, xlabel="hidden layers", xlim=(-0.4, len(DEPTHS) + 0.4))
    axes[0].set_ylabel("error (dB)")
    axes[0].set_ylim(0, 4.4)
    return figure


@described("08.change", "One change at a time: fewer runs hurt, weight decay helps a little")
def changes(data: Data) -> Figure:
    """Errors on new runs in decibels for five versions of one network; every seed is a dot, and the median is black.
    Compared with the network as it is, half of the runs to learn from makes it worse. Twice the steps and the frequency
    in hertz leave it about level. Weight decay makes it a little better.
    """
    figure, ax = plt.subplots(figsize=(7, 2.6))
    plot_rows({change: table.after(data, change).values for change in table.CHANGES}, ax=ax)
    ax.set(xlabel="error on new runs (dB)", xlim=(0, None))
    return figure


@described("08.card", "Lesson 08 on a card")
def card() -> Figure:
    """Left, a tall narrow network and a flat wide one stand on the two pans of a scale. Right, four lines say: in whose
    class was the task made; what do more steps and equal seconds leave of the result; hold out what you will be asked
    about, whole runs; first use no network, then one layer, then a deeper one.
    """
    lines = (
        "in whose class was the task made?",
        "what do more steps, and equal seconds, leave of it?",
        "hold out what you will be asked about: whole runs",
        "first no network, then one layer, then deeper",
    )
    figure, ax = plot_card(lines, wider=1.7, size=11)
    ax.axis("off")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    black = COLOURS["black"]
    ax.plot((0.5, 0.5), (0.05, 0.8), color=black, linestyle="-", linewidth=2)
    ax.plot((0.1, 0.9), (0.8, 0.8), color=black, linestyle="-", linewidth=2)
    for middle, columns, rows, colour in ((0.18, 1, 5, "blue"), (0.82, 5, 1, "red")):
        ax.plot((middle - 0.16, middle + 0.16), (0.25, 0.25), color=black, linestyle="-", linewidth=1.5)
        for side in (-0.16, 0.16):
            ax.plot((middle + side, middle), (0.25, 0.8), color=black, linestyle="-", linewidth=0.8)
        across = middle + 0.055 * (np.arange(columns) - (columns - 1) / 2)
        for height in 0.3 + 0.07 * np.arange(rows):
            ax.plot(across, [height] * columns, "o", color=COLOURS[colour], markersize=6)
    return figure
