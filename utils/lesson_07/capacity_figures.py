"""The figures of excursion 07b about capacity and regularisers, and what its page prints and reveals of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.comparison import HELD_OUT, TRAINING
from utils.figures import COLOURS
from utils.lesson_07 import capacity
from utils.lesson_07.capacity import AIDS, AS_LARGE, DEEP, EXAMPLES, NONE, RACE, SHAPES, SMALL, WRONG
from utils.pages import described
from utils.plots import plot_medians, plot_rows, write_beside
from utils.statistics import median
from utils.types import Data


@described("07b.gap", "Large networks fit the wrong labels, but do better on held-out points")
def learning_curves(data: Data) -> Figure:
    """Share of labels missed against the number of training points, from 50 to 800. Three solid lines, held-out error,
    begin at about the same height. Those of three layers of 32 and of one layer of 450 fall together to about a fifth,
    the former a little lower at the end; that of one layer of 16 stays at about three tenths. A dashed line, the
    training error of three layers, rises from 0, and stays below a dotted one, the share of wrong labels, up to 200
    points.
    """
    figure, ax = plt.subplots(figsize=(7, 3.8))
    looks = (
        (SMALL, HELD_OUT, "s-", "red", 0),
        (AS_LARGE, HELD_OUT, "^-", "green", 6),
        (DEEP, HELD_OUT, "o-", "blue", 3),
        (DEEP, TRAINING, "o--", "blue", -4),
    )
    for shape, part, style, colour, up in looks:
        rows = [capacity.capacity.best(data, part=part, shape=shape, examples=count) for count in EXAMPLES]
        rows = np.stack(rows, axis=1)
        plot_medians(EXAMPLES, rows, label=shape, style=style, colour=colour, ax=ax)
        end = len(EXAMPLES) - 1, np.median(rows[:, -1])
        write_beside(f"{shape}, {part}", end, ax, colour=colour, up=up)
    ax.axhline(WRONG, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.text(-0.2, WRONG + 0.008, "wrong labels", fontsize=9)
    ax.set(xlabel="training points", ylabel="share missed", ylim=(-0.02, 0.45), xlim=(-0.3, len(EXAMPLES) + 0.7))
    return figure


@described("07b.aids", "What each remedy saves is small, and differs from seed to seed")
def aids(data: Data) -> Figure:
    """A row for each of L2, weight decay, L1, dropout and early stopping: by how much the held-out error is lower than
    with none, a dot for each seed and their median in black with its interval. All medians lie close to 0, on its
    right. The intervals of weight decay and early stopping begin just to the right of 0, the other three reach to both
    sides of it. No interval lies wholly beyond a dotted upright at a hundredth. One dot of dropout lies far below 0.
    """
    figure, ax = plt.subplots(figsize=(7, 3.2))
    plot_rows({kind: capacity.spared(data, kind) for kind in AIDS.values()}, ax=ax)
    ax.axvline(0, color=COLOURS["grey"], linewidth=1)
    ax.axvline(0.01, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.set_xlabel("held-out error saved (dotted: .01)")
    return figure


def print_shapes(data: Data) -> None:
    """Print a table of four shapes' median errors after training on RACE points."""
    print(f"{RACE} points, share missed   training   held-out      gap")
    for shape in SHAPES:
        fitted, missed = (
            float(capacity.capacity.best(data, part=part, shape=shape, examples=RACE).median())
            for part in (TRAINING, HELD_OUT)
        )
        gap = float(capacity.gap(data, shape, examples=RACE).median())
        print(f"{shape:<24} {fitted:10.3f} {missed:10.3f} {gap:8.3f}")


def aids_answer(data: Data) -> dict[str, object]:
    """Return the seeds, errors with and without each aid, the differences, and how many of these lie above .01."""
    spared = {name: capacity.spared(data, kind) for name, kind in AIDS.items()}
    said = {
        name: f"{float(capacity.aided(data, kind).median()):.3f} ({median(spared[name], method='order')})"
        for name, kind in AIDS.items()
    }
    count = sum(median(values, method="order").low >= 0.01 for values in spared.values())
    return {"seeds": data.sizes["seed"], "none": float(capacity.aided(data, NONE).median()), "count": count, **said}
