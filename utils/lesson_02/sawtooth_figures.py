"""The figures of lesson 02's sawtooth: each draws what it is given and returns the figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from torch import nn

from utils.constructions import sawtooth_network
from utils.data import sawtooth
from utils.figures import COLOURS
from utils.lesson_02.sawtooth import (
    FOLDS,
    KEPT_FOLDS,
    NOISES,
    count_pieces,
    fewest_errors,
    least_error,
    missed,
    pieces_found,
    returned,
)
from utils.plots import plot_medians, plot_two_fits
from utils.types import Data

SHAPE_LOOKS = {
    "2 wide, k deep": ("o-", "blue"),
    "one layer, as many parameters as 2 wide": ("s--", "orange"),
    "8 wide, k deep": ("^-.", "green"),
    "one layer, as many parameters as 8 wide": ("v:", "purple"),
    "8 wide, k deep, PyTorch's start": ("D-", "grey"),
}


def tents(folds: Sequence[int] = (1, 2, 3, 4, 5)) -> Figure:
    """A panel for each k: the written-down network on [0, 1], with its pieces counted in the title."""
    figure, axes = plt.subplots(1, len(folds), figsize=(10, 2.2), sharey=True)
    x = torch.linspace(0, 1, 2**10 + 1)[:, None]
    for k, ax in zip(folds, np.atleast_1d(axes), strict=True):
        model = sawtooth_network(k)
        with torch.no_grad():
            ax.plot(x[:, 0], model(x)[:, 0], color=COLOURS["blue"], linestyle="-", linewidth=1.3)
        ax.set(title=f"k = {k}: {count_pieces(model)} pieces", xlabel="x")
    np.atleast_1d(axes)[0].set_ylabel("tent, k times")
    return figure


def fits(k: int, models: Mapping[str, nn.Module]) -> Figure:
    """A panel for each network, which takes 2x − 1, under its name, over the sawtooth of 2^k pieces."""
    figure, axes = plt.subplots(1, len(models), figsize=(10, 2.7), sharey=True)
    x = torch.linspace(0, 1, 2**10 + 1)[:, None]
    for (name, model), ax in zip(models.items(), np.atleast_1d(axes), strict=True):
        with torch.no_grad():
            plot_two_fits(x[:, 0], sawtooth(x, k)[:, 0], [model(2 * x - 1)[:, 0]], ["trained"], ax=ax)
        ax.get_legend().remove()
        ax.set_title(name)
        ax.label_outer()
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def missed_by_pieces(record: Data, k: int) -> Figure:
    """The share of the variance missed against the pieces: what is proved, what is possible, what training found."""
    figure, ax = plt.subplots(figsize=(8, 3.6))
    counts = np.arange(1, 2**k + 1)
    ax.plot(counts, [least_error(k, count) for count in counts], "k--", linewidth=1, label="missed at least: proved")
    ax.plot(counts, fewest_errors(k, 2**k), "k-", linewidth=1, label="the best pieces on a grid")
    for name, (style, colour) in SHAPE_LOOKS.items():
        ax.plot(pieces_found(record, name, k), missed(record, name, k), style[0], color=COLOURS[colour],
                linestyle="none", markersize=5, alpha=0.7, label=f"trained: {name}")  # fmt: skip
    ax.plot(2**k, 0, "*", color="black", markersize=11, label="written down", clip_on=False, zorder=5)
    ax.set(xlabel="linear pieces on [0, 1]", ylabel="share of variance missed", ylim=(-0.03, 1.05))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def missed_by_folds(record: Data) -> Figure:
    """The share of the variance missed, and the pieces, against k for each shape; the written-down network beside."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    for place, (name, (style, colour)) in enumerate(SHAPE_LOOKS.items()):
        options = {"label": name, "style": style, "colour": colour, "shift": 0.09 * (place - 2)}
        for ax, of in ((left, missed), (right, pieces_found)):
            plot_medians(FOLDS, np.stack([of(record, name, k) for k in FOLDS], axis=1), ax=ax, **options)
    places = np.arange(len(FOLDS))
    left.plot(places, np.zeros(len(FOLDS)), "k*-", linewidth=1, label="written down, 2 wide")
    right.plot(places, [2**k for k in FOLDS], "k*-", linewidth=1, label="written down, 2 wide")
    left.set(xlabel="k", ylabel="share of variance missed", ylim=(-0.05, 1.05))
    right.set(xlabel="k", ylabel="linear pieces on [0, 1]", yscale="log")
    right.set_yticks([1, 2, 4, 8, 16, 32, 64], ["1", "2", "4", "8", "16", "32", "64"])
    right.set_yticks([], minor=True)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


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
