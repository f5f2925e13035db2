"""The figures of lesson 02 on the diagonal flip: each draws what it is given and returns the figure."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import nn

from utils.data import diagonal_flip
from utils.figures import COLOURS
from utils.lesson_02.flip import ACTIVATIONS, NARROW, PLACES, WIDTHS, flip_floor, flipped, narrowed
from utils.plots import plot_medians
from utils.types import Array, Data

LOOKS = {
    "relu": ("o", "blue", -0.22, "ReLU"),
    "leaky_relu": ("^", "green", 0.0, "leaky ReLU"),
    "identity": ("s", "orange", 0.22, "no activation"),
}  # marker, colour, shift sideways, name


def losses_by_step(losses: Mapping[str, Array]) -> Figure:
    """The loss of each network, under its name, against the step, and the floors for one, two and three units."""
    figure, ax = plt.subplots()
    for name, values in losses.items():
        ax.plot(values, label=name)
    for width in (1, 2, 3):
        ax.axhline(flip_floor(width), color=COLOURS["grey"], linestyle=":", linewidth=1)
        ax.annotate(f"{4 - width}/32", (1.005, flip_floor(width)), xycoords=("axes fraction", "data"), va="center")
    ax.set(xlabel="step", ylabel="half-MSE on the sixteen images", ylim=(-0.005, 0.2))
    ax.legend(ncols=2)
    return figure


def images(models: Mapping[str, nn.Module]) -> Figure:
    """The sixteen images in a row, their transposes, and under each name what a network makes of them."""
    X, y = diagonal_flip()
    with torch.no_grad():
        rows = {"image": X, "wanted": y, **{name: model(X) for name, model in models.items()}}
    figure, axes = plt.subplots(len(rows), 1, figsize=(10, 0.62 * len(rows)))
    for ax, (name, row) in zip(axes, rows.items(), strict=True):
        strip = np.full((16, 2, 3), np.nan)  # a gap after each image
        strip[:, :, :2] = row.reshape(16, 2, 2).numpy()
        ax.imshow(strip.transpose(1, 0, 2).reshape(2, 48)[:, :-1], cmap="Greys", vmin=0, vmax=1)
        for place in range(16):
            ax.add_patch(plt.Rectangle((3 * place - 0.5, -0.5), 2, 2, fill=False, linewidth=0.8))
        ax.set(xticks=[], yticks=[], xlim=(-0.7, 46.7), ylim=(1.7, -0.7))
        ax.set_ylabel(name, rotation=0, ha="right", va="center")
        ax.spines[:].set_visible(False)
        ax.grid(False)
    return figure


def errors_by_width(data: Data) -> Figure:
    """Half-MSE against the width: every seed, the medians with their intervals, and the floors."""
    figure, ax = plt.subplots(figsize=(8, 3.8))
    for activation in ACTIVATIONS:
        values = np.stack([flipped(data, activation, width) for width in WIDTHS], axis=1)
        _seeds_and_medians(values, WIDTHS, activation, ax)
    _floors([flip_floor(width) for width in WIDTHS], ax)
    ax.set(xlabel="hidden units", ylabel="half-MSE on the sixteen images")
    ax.legend()
    return figure


def errors_by_place(record: Data) -> Figure:
    """A panel for each narrow layer's width: half-MSE against the layer's place, and the last layer's floor."""
    figure, axes = plt.subplots(1, len(NARROW), figsize=(10, 3.6), sharey=True)
    for width, ax in zip(NARROW, axes, strict=True):
        for activation in ACTIVATIONS:
            values = np.stack([narrowed(record, activation, place, width) for place in PLACES], axis=1)
            _seeds_and_medians(values, list(PLACES), activation, ax)
        _floors([flip_floor(width)] * len(PLACES), ax, "rank floor of a last layer, or without activation")
        ax.set(title=f"{width} unit{'s' * (width > 1)}", xlabel="the narrow layer is the …")
    axes[0].set_ylabel("half-MSE on the sixteen images")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _seeds_and_medians(values: Array, x: object, activation: str, ax: Axes) -> None:
    """values [seeds, len(x)]: a dot for each seed, side by side with the median and its interval."""
    marker, colour, shift, name = LOOKS[activation]
    spread = shift + np.linspace(-0.08, 0.08, len(values))
    for place, column in enumerate(values.T):
        ax.plot(place + spread, column, ".", color=COLOURS[colour], alpha=0.5, markersize=5, linestyle="none")
    plot_medians(x, values, label=name, style=marker, colour=colour, shift=shift, ax=ax)


def _floors(floors: list[float], ax: Axes, label: str = "rank floor") -> None:
    places = np.arange(len(floors))
    ax.set_yticks([flip_floor(width) for width in range(4, -1, -1)], ["0", "1/32", "2/32", "3/32", "4/32"])
    ax.hlines(floors, places - 0.35, places + 0.35, color="black", linestyle="--", linewidth=1.2, label=label)
