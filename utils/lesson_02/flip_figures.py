"""The figures of lesson 02 on the diagonal flip: each draws what it is given and returns the figure."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_02 import flip
from utils.models import mlp_parameters
from utils.pages import described
from utils.plots import write_beside
from utils.types import Array, Data

NAMES = {"relu": "ReLU", "leaky_relu": "leaky ReLU", "identity": "no activation"}
LEVEL_NAMES = ("0", "1/32", "2/32", "3/32", "4/32")
LOOKS = {
    "one layer of 16": ("blue", "-"),
    "two layers of 16": ("sky", "-."),
    "one layer of 8": ("black", ":"),
    "two layers of 8": ("red", "--"),
}  # by shape, colour and line
PLACE_LOOKS = {"first": ("green", "--"), "middle": ("blue", "-"), "last": ("black", ":")}


@described(
    "02a.images",
    "Sixteen images, and each mirrored in its diagonal",
    """Two rows of sixteen 2×2 images of black and white pixels. In the lower row the pixels at the top right and at the
    bottom left have changed places; images in which these two are equal stay as they are.
    """,
)
def images(rows: Mapping[str, Array]) -> Figure:
    """Return a row for each name: under it sixteen 2×2 images [16, 4], black for 1 and white for 0."""
    figure, axes = plt.subplots(len(rows), 1, figsize=(10, 0.75 * len(rows)))
    for ax, (name, row) in zip(np.atleast_1d(axes), rows.items(), strict=True):
        strip = np.full((16, 2, 3), np.nan)  # a gap after each image
        strip[:, :, :2] = np.asarray(row).reshape(16, 2, 2)
        ax.imshow(strip.transpose(1, 0, 2).reshape(2, 48)[:, :-1], cmap="Greys", vmin=0, vmax=1)
        for place in range(16):
            ax.add_patch(plt.Rectangle((3 * place - 0.5, -0.5), 2, 2, fill=False, linewidth=0.8))
        ax.set(xticks=[], yticks=[], xlim=(-0.7, 46.7), ylim=(1.7, -0.7))
        ax.set_ylabel(name, rotation=0, ha="right", va="center")
        ax.spines[:].set_visible(False)
        ax.grid(False)
    return figure


@described(
    "02a.ends",
    "Six initialisations: the loss stops at multiples of 1/32",
    """Half-MSE against 1,500 steps for six initialisations of the same network. All fall steeply at first and then
    become flat, on dotted lines at multiples of 1/32: one at 0, one on 1/32, three on 2/32, one on 3/32.
    """,
)
def losses_by_step(losses: Array) -> Figure:
    """Return the half-MSE [starts, steps] against the step, a line for each start, which ends with its number."""
    figure, ax = plt.subplots(figsize=(8, 3.4))
    for level in range(5):
        ax.axhline(level * flip.LEVEL, color=COLOURS["grey"], linestyle=":", linewidth=1)
    taken: dict[int, int] = {}  # how many lines end on each level, to write their numbers side by side
    for start, values in enumerate(losses):
        ax.plot(values, color=COLOURS["blue"], linestyle="-", linewidth=1.2)
        level = round(values[-1] / flip.LEVEL)
        write_beside(str(start), (len(values), values[-1]), ax, right=4 + 14 * taken.get(level, 0), size=9)
        taken[level] = taken.get(level, 0) + 1
    ax.set_yticks([level * flip.LEVEL for level in range(5)], LEVEL_NAMES)
    ax.set(xlabel="step; at the end of each line its seed", ylabel="half-MSE", ylim=(-0.006, 0.17))
    return figure


@described("02a.linear", "100 networks by the level on which they end: with ReLU, many miss the framed floor")
def starts_by_level(data: Data) -> Figure:
    """Three tables, for ReLU, leaky ReLU and no activation: a row for each level from 0 to 4/32, a column for 2, 3, 4,
    8 and 16 hidden units. With no activation all 100 are on the floor, in every column, and with leaky ReLU all but two
    of those with four units, of which one is on the next level and one between the two. With ReLU, two to four units
    are spread from the floor up to 4/32, and with 8 and 16 units all are at 0.
    """
    figure, axes = plt.subplots(1, len(NAMES), figsize=(10, 3.1), sharey=True)
    for (activation, name), ax in zip(NAMES.items(), axes, strict=True):
        errors = [flip.flipped(data, activation, width) for width in flip.WIDTHS]
        counts = np.stack([flip.levels(one).values for one in errors], axis=1)  # [levels, widths]
        ax.imshow(counts / errors[0].size, cmap="Blues", vmin=0, vmax=1.6, origin="lower", aspect="auto")
        for level, place in zip(*counts.nonzero(), strict=True):
            ax.text(place, level, str(counts[level, place]), ha="center", va="center")
        for place, width in enumerate(flip.WIDTHS):
            corner = (place - 0.46, flip.flip_floor(width) / flip.LEVEL - 0.46)
            ax.add_patch(plt.Rectangle(corner, 0.92, 0.92, fill=False, linewidth=1.6))
        ax.set_xticks(range(len(flip.WIDTHS)), [str(width) for width in flip.WIDTHS])
        ax.set(title=name, xlabel="hidden units")
        ax.grid(False)
    axes[0].set_yticks(range(5), LEVEL_NAMES)
    axes[0].set_ylabel("half-MSE at the end")
    return figure


@described("02a.slower", "Narrow layers take more steps, and two of them the most")
def learned_by_step(data: Data) -> Figure:
    """The share of 100 initialisations whose half-MSE has come below 0.1/32, against the step on a logarithmic scale,
    up to 1,000, each shape at its quickest rate. One layer of 16 climbs first, two layers of 16 close behind it, and
    both get nearly all there. One layer of 8 climbs next, two layers of 8 last, and of both about a quarter has not
    arrived at the end.
    """
    figure, ax = plt.subplots(figsize=(8, 3.4))
    steps = np.arange(1, flip.SPEED_STEPS)
    for shape, (colour, style) in LOOKS.items():
        needed = np.sort(flip.quickest(data, "PyTorch's", shape).values)
        share = np.searchsorted(needed, steps, side="right") / len(needed)
        ax.plot(steps, share, color=COLOURS[colour], linestyle=style)
        words = f"{shape}, {mlp_parameters(flip.SHAPES[shape])} parameters"
        write_beside(words, (steps[-1], share[-1]), ax, right=6, size=9, up=6 if shape.startswith("one") else -6)
    ax.set(xscale="log", xlim=(10, flip.SPEED_STEPS), ylim=(-0.03, 1.05), xlabel="step", ylabel="share below 0.1/32")
    ax.set_xticks([10, 30, 100, 300, 1000], ["10", "30", "100", "300", "1,000"])
    return figure


@described(
    "02a.code",
    "Sixteen images on one line: each output is a polyline",
    """Four plots of an output against the number from 0 to 15 that the narrow unit hands on. The first wanted pixel is
    0 for the first eight numbers and 1 for the others; the second changes every two numbers, the third every four, the
    fourth with each number. Straight pieces join the sixteen points.
    """,
)
def polylines(number: Array, outputs: Array) -> Figure:
    """Return four panels: each of the outputs [16, 4] against the number that one unit hands on."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 2.9), sharex=True, sharey=True)
    for name, values, ax in zip(("first", "second", "third", "fourth"), outputs.T, axes.flat, strict=True):
        ax.plot(number, values, "o-", color=COLOURS["blue"], markersize=4)
        ax.set(title=f"{name} pixel wanted", yticks=[0, 1])
    for ax in axes[1]:
        ax.set(xlabel="the unit's number", xticks=range(0, 16, 3))
    return figure


@described("02a.places", "Only as the last layer does a narrow layer keep the network on the rank floor")
def errors_by_place(record: Data) -> Figure:
    """Three plots of the half-MSE of 100 initialisations, sorted. One leaky unit: as the last layer all are at 3/32; as
    the middle layer nearly all lie far below, around 1/32; as the first most do, and some are at 2/32 or above. Two
    leaky units: as the last layer all are at 2/32; elsewhere most are at 0. One ReLU unit: as the last layer they are
    at 3/32 or 4/32; elsewhere they rise from below 1/32, and those that died are at 4/32.
    """
    panels = {
        (1, "leaky_relu"): "one unit, leaky ReLU",
        (2, "leaky_relu"): "two units, leaky ReLU",
        (1, "relu"): "one unit, ReLU",
    }
    figure, axes = plt.subplots(1, len(panels), figsize=(8, 3.4), sharey=True)
    for ((width, activation), title), ax in zip(panels.items(), axes, strict=True):
        for place, (colour, style) in PLACE_LOOKS.items():
            errors = np.sort(flip.narrowed(record, activation, place, width).values)
            label = f"as the {place} layer"
            ax.plot(np.arange(1, len(errors) + 1), errors, color=COLOURS[colour], linestyle=style, label=label)
        ax.set(title=title, xlabel="initialisations, sorted")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(PLACE_LOOKS))
    axes[0].set_yticks([level * flip.LEVEL for level in range(5)], LEVEL_NAMES)
    axes[0].set(ylabel="half-MSE at the end", ylim=(-0.01, 0.131))
    return figure
