"""The figures of lesson 02's sawtooth: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.data import sawtooth
from utils.figures import COLOURS
from utils.lesson_02 import sawtooth as lesson
from utils.pages import described
from utils.plots import plot_card

SHAPE_LOOKS = {
    lesson.NARROW: ("o-", "blue", "trained, two units a layer"),
    lesson.WIDE: ("^-.", "green", "trained, eight units a layer"),
    lesson.AS_WIDE: ("v:", "purple", "trained, one layer,\nas many parameters as with eight"),
}


@described("02.found", "You can always build it. The more pieces, the less often training finds it")
def found_by_folds() -> Figure:
    """The share of seeds that found the sawtooth, against 4, 8, 16, 32 and 64 pieces. The hand-built network is at 1
    throughout. Trained, two units a layer stay at or near 0. One layer with as many parameters as eight units a layer
    is near 1 for 4 and 8 pieces, and at 0 from 16 on. Eight units a layer fall from near 1 to seven tenths for 8
    pieces, a seventh for 16, and then 0.
    """
    record, places = recorded("02_saw_shapes"), range(len(lesson.FOLDS))
    figure, ax = plt.subplots(figsize=(8, 3.8))
    for name, (style, colour, label) in SHAPE_LOOKS.items():
        shares = [lesson.share_found(record, name, k) for k in lesson.FOLDS]
        ax.plot(places, shares, style, color=COLOURS[colour], label=label)
    ax.plot(places, np.ones(len(lesson.FOLDS)), "k*-", linewidth=1, label="hand-built, two units a layer")
    ax.set(xlabel="pieces", ylabel="share of seeds that found them", ylim=(-0.04, 1.08))
    ax.set_xticks(places, [str(2**k) for k in lesson.FOLDS])
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def found_three() -> dict[str, int]:
    """Return how many seeds there are, and how many of them found eight pieces with two units a layer, as recorded."""
    of = lesson.missed(recorded("02_saw_shapes"), lesson.NARROW, 3)
    return {"seeds": len(of), "found": int((of <= lesson.FOUND).sum())}


@described("02.card", "Lesson 02 on a card")
def card() -> Figure:
    """Left, the tent folded three times: eight pieces. Right, four lines: k folds make two to the power of k pieces,
    from k layers of two units; one hidden layer needs as many units as pieces; each later hidden layer has about n²
    parameters, where n is its width; and a reminder: say what is held equal, tune both sides.
    """
    x = torch.linspace(0, 1, 2**10 + 1)
    lines = (
        r"$k$ folds: $2^k$ pieces from $2k$ units",
        r"the same in one hidden layer: $2^k$ units",
        r"each layer after the first: about $n^2$ parameters ($n$: width)",
        "a fair fight: say what is equal, tune both sides",
    )
    figure, ax = plot_card(lines, wider=1.25, size=12)
    ax.plot(x, sawtooth(x, 3), color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", title="tent(tent(tent(x)))")
    return figure
