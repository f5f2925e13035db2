"""The figures of excursion 07b about capacity and regularisers, and what its page prints and reveals of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.comparison import HELD_OUT, TRAINING
from utils.figures import COLOURS
from utils.lesson_07 import capacity
from utils.lesson_07.capacity import AIDS, DEEP, EXAMPLES, NONE, RACE, SHAPES, SMALL, WRONG
from utils.pages import described
from utils.plots import plot_medians, plot_rows, write_beside
from utils.statistics import median
from utils.types import Data


@described("07b.gap", "The larger network fits the wrong labels, and is better on held-out points")
def learning_curves(data: Data) -> Figure:
    """Share of labels missed against the number of training points, from 50 to 800. Two solid lines, held-out error,
    begin at about the same height; that of three layers of 32 falls below a fifth, that of one layer of 16 stays at
    about three tenths. Two dashed lines, training error, rise: that of three layers from 0, and it stays below a dotted
    line, the share of wrong labels, up to 200 points; that of one layer of 16 crosses it before 100 points and ends
    near its solid line.
    """
    figure, ax = plt.subplots(figsize=(7, 3.8))
    for shape, marker, colour in ((SMALL, "s", "red"), (DEEP, "o", "blue")):
        for part, line in ((HELD_OUT, "-"), (TRAINING, "--")):
            rows = [capacity.capacity.best(data, part=part, shape=shape, examples=count) for count in EXAMPLES]
            rows = np.stack(rows, axis=1)
            plot_medians(EXAMPLES, rows, label=shape, style=marker + line, colour=colour, ax=ax)
            end = len(EXAMPLES) - 1, np.median(rows[:, -1])
            write_beside(f"{shape}, {part}", end, ax, colour=colour)
    ax.axhline(WRONG, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.text(-0.2, WRONG + 0.008, "wrong labels", fontsize=9)
    ax.set(xlabel="training points", ylabel="share missed", ylim=(-0.02, 0.45), xlim=(-0.3, len(EXAMPLES) + 0.7))
    return figure


@described("07b.aids", "What each spares is small, and differs from seed to seed")
def aids(data: Data) -> Figure:
    """A row for each of L2, weight decay, L1, dropout and early stopping: by how much the held-out error is lower than
    without aid, a dot for each seed and their median in black with its interval. All medians lie close to 0, on its
    right. The intervals of L2 and weight decay end to the right of 0, the other three reach to both sides of it. No
    interval lies wholly beyond a dotted upright at a hundredth. One dot of dropout is a tenth below 0.
    """
    figure, ax = plt.subplots(figsize=(7, 3.2))
    plot_rows({kind: capacity.spared(data, kind) for kind in AIDS.values()}, ax=ax)
    ax.axvline(0, color=COLOURS["grey"], linewidth=1)
    ax.axvline(0.01, color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.set_xlabel("held-out error spared (dotted: .01)")
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
