"""The figures of lesson 02's sawtooth: each draws what it is given and returns the figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from torch import nn

from utils.claims import recorded
from utils.data import sawtooth
from utils.figures import COLOURS
from utils.lesson_02.sawtooth import (
    AS_WIDE,
    FOLDS,
    FOUND,
    KEPT_FOLDS,
    NARROW,
    NOISES,
    WIDE,
    missed,
    returned,
    share_found,
)
from utils.plots import plot_card, plot_medians, plot_two_fits
from utils.types import Data

SHAPE_LOOKS = {
    NARROW: ("o-", "blue", "trained, two units a layer"),
    WIDE: ("^-.", "green", "trained, eight units a layer"),
    AS_WIDE: ("v:", "purple", "trained, one layer,\nas many parameters as with eight"),
}


def trained(model: nn.Module, k: int) -> Figure:
    """A network, which takes 2x − 1, over the sawtooth of 2^k pieces."""
    x = torch.linspace(0, 1, 2**10 + 1)[:, None]
    with torch.no_grad():
        ax = plot_two_fits(x[:, 0], sawtooth(x, k)[:, 0], [model(2 * x - 1)[:, 0]], ["trained"])
    return ax.figure


def found_by_folds() -> Figure:
    """The share of seeds that found the sawtooth, against its pieces, for each of SHAPES, as recorded."""
    record, places = recorded("02_saw_shapes"), range(len(FOLDS))
    figure, ax = plt.subplots(figsize=(8, 3.8))
    for name, (style, colour, label) in SHAPE_LOOKS.items():
        shares = [share_found(record, name, k) for k in FOLDS]
        ax.plot(places, shares, style, color=COLOURS[colour], label=label)
    ax.plot(places, np.ones(len(FOLDS)), "k*-", linewidth=1, label="hand-built, two units a layer")
    ax.set(xlabel="pieces", ylabel="share of seeds that found them", ylim=(-0.04, 1.08))
    ax.set_xticks(places, [str(2**k) for k in FOLDS])
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def found_three() -> dict[str, int]:
    """How many seeds there are, and how many of them found eight pieces with two units a layer, as recorded."""
    of = missed(recorded("02_saw_shapes"), NARROW, 3)
    return {"seeds": len(of), "found": int((of <= FOUND).sum())}


def kept_by_noise(record: Data) -> Figure:
    """The share missed after training from shaken hand-built weights, against the noise: a line for each k."""
    figure, ax = plt.subplots(figsize=(8, 3.6))
    looks = (("o-", "blue"), ("s--", "orange"), ("^-.", "green"))
    for place, (k, (style, colour)) in enumerate(zip(KEPT_FOLDS, looks, strict=True)):
        values = np.maximum(np.stack([returned(record, k, noise) for noise in NOISES], axis=1), 1e-9)
        label = f"k = {k}, {2**k} pieces"
        plot_medians(NOISES, values, label=label, style=style, colour=colour, shift=0.06 * (place - 1), ax=ax)
        lifted = (-7, 7, 0)[place]  # the first two begin at the same point
        ends = {"xytext": (-12, lifted), "textcoords": "offset points", "ha": "right", "va": "center"}
        ax.annotate(label, (0, np.median(values[:, 0])), color=COLOURS[colour], **ends)
    ax.axhline(1, color="black", linestyle=":", linewidth=1)
    ax.annotate("the best constant", (0, 1), (0, 4), textcoords="offset points", fontsize=9)
    ax.set(xlabel="noise added to each weight (standard deviation)", yscale="log", xlim=(-1.7, len(NOISES) - 0.6))
    ax.set_ylim(1e-10, 8)
    ax.set_ylabel("share of variance missed\nafter training")
    return figure


def card() -> Figure:
    """What to keep of the lesson: three folds, and four lines."""
    x = torch.linspace(0, 1, 2**10 + 1)
    lines = (
        r"$k$ folds: $2^k$ pieces from $2k$ units",
        r"the same in one hidden layer: $2^k$ units",
        r"$D \geq 2$ layers of width $w$: about $(D - 1)\, w^2$ parameters",
        "a fair fight: say what is equal, tune both sides",
    )
    figure, ax = plot_card(lines, wider=1.25, size=12)
    ax.plot(x, sawtooth(x, 3), color=COLOURS["blue"], linestyle="-")
    ax.set(xlabel="x", title="tent(tent(tent(x)))")
    return figure
