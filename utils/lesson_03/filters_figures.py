"""The figures of what a small convolutional network sees: each draws what it is given and returns the figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from torch import Tensor, nn

from utils.figures import COLOURS
from utils.lesson_03 import filters as nets
from utils.models import count_parameters
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Array, Data

LOOKS = {nets.TRAINED: ("blue", "o-"), nets.UNTRAINED: ("red", "s--")}
SHAPE_LOOKS = {"three of 3×3": ("blue", "o-"), "one of 3×3": ("red", "s--"), "one of 7×7": ("green", "^-.")}


@described("03b.fields", "After three layers a unit sees nearly the whole digit")
def fields(paths: Sequence[ArrayLike], digit: ArrayLike) -> Figure:
    """A digit of 8×8 pixels. Beside it, for layers 1, 2 and 3, are the pixels that a unit near the centre sees,
    brighter where more paths lead: a square of 3×3, one of 5×5, and one of 7×7, which is nearly all of the image.
    """
    figure, axes = plt.subplots(1, 1 + len(paths), figsize=(6, 2.2))
    _picture(axes[0], digit)
    axes[0].set_title("a digit")
    for layer, (ax, one) in enumerate(zip(axes[1:], paths, strict=True), 1):
        of_pixels = np.asarray(one, dtype=float).reshape(nets.SIDE, nets.SIDE)
        rows, columns = (np.flatnonzero(of_pixels.any(axis=axis)) for axis in (1, 0))
        corner, side = (columns[0] - 0.5, rows[0] - 0.5), len(rows)
        _picture(ax, of_pixels / of_pixels.max())
        ax.add_patch(plt.Rectangle(corner, side, side, fill=False, linewidth=2, edgecolor=COLOURS["red"]))
        ax.set_title(f"layer {layer}: {side}×{side}")
    return figure


@described("03b.filters", "Eight learned filters: what do they look for?")
def filters(weights: ArrayLike) -> Figure:
    """Eight squares of 3×3 shades, from black for the most negative weight to white for the most positive."""
    weights = np.asarray(weights)
    figure, axes = plt.subplots(2, -(-len(weights) // 2), figsize=(5, 3.2))
    for unit, (ax, one) in enumerate(zip(axes.flat, weights, strict=True)):
        _filter(ax, one)
        ax.set_xlabel(f"unit {unit}")
    return figure


@described(
    "03b.angle",
    "How strongly a unit answers a bar at each angle",
    """Four panels, for units 0 to 3 of the first layer. Each shows the answer to a bar against the bar's angle from 0°
    to 180°, with the unit's selectivity and preferred angle in the title and its filter as a small picture. Three
    curves go up and down a little and stay far from 0. The fourth has a broad peak at 45° and is near 0 from 112° on.
    """,
)
def curves(answered: Mapping[int, ArrayLike], weights: ArrayLike) -> Figure:
    """Return for each of these units its answers to bars at ANGLES, with its filter beside the title."""
    figure, axes = plt.subplots(2, 2, figsize=(6, 4.8), sharex=True, sharey=True)
    for ax, (unit, curve) in zip(axes.flat, answered.items(), strict=True):
        _curve(ax, nets.ANGLES, curve)
        selectivity, angle = nets.preference(np.asarray(curve)[:, None])
        ax.set_title(f"unit {unit}: {selectivity[0]:.2f}, at {angle[0]:.0f}°")
        _filter(ax.inset_axes([0.72, 0.7, 0.26, 0.3]), np.asarray(weights)[unit])
    axes[0, 0].set(ylabel="answer", xlabel="")
    axes[0, 1].set_xlabel("")
    axes[1, 0].set_ylabel("answer")
    axes[0, 0].set_ylim(0, 1.6 * max(float(np.max(curve)) for curve in answered.values()))
    return figure


@described("03b.tuned", "First-layer filters are as selective\nuntrained as trained")
def selectivities(data: Data) -> Figure:
    """A dot for the selectivity of every unit of twenty networks, in layers 1, 2 and 3, trained beside untrained, with
    a bar at each median. All medians lie around a fifth; that of the trained third layer is the highest. In each layer,
    untrained units are spread more widely than trained ones, up to 1.
    """
    figure, ax = plt.subplots(figsize=(6, 3.4))
    rng = np.random.default_rng(0)
    for layer in nets.LAYERS:
        for shift, weights in ((-0.2, nets.TRAINED), (0.2, nets.UNTRAINED)):
            colour, style = LOOKS[weights]
            units = data["selectivity"].sel(layer=layer, weights=weights).values.ravel()
            places = layer + shift + rng.uniform(-0.13, 0.13, units.size)
            ax.plot(places, units, style[0], color=COLOURS[colour], markersize=3, alpha=0.5)
            ax.hlines(np.median(units), layer + shift - 0.17, layer + shift + 0.17, color="black", linewidth=3)
            ax.annotate(weights, (layer + shift, 1.03), ha="center", color=COLOURS[colour])
    ax.set_xticks(nets.LAYERS, [f"layer {layer}" for layer in nets.LAYERS])
    ax.set(ylabel="selectivity", ylim=(-0.03, 1.12))
    ax.grid(False, axis="x")
    return figure


@described("03b.patches", "The nine cuttings that excite a unit most, in each layer")
def patches(rows: Mapping[str, tuple[Tensor, Tensor, int]]) -> Figure:
    """Three rows of nine cuttings from digits. In layer 1 they are pieces of 3×3 pixels, mostly light, with one dark
    corner. In layer 2 they are pieces of 5×5, with bits of strokes. In layer 3 they are pieces of 7×7, in which you
    recognise digits, most of them fours.
    """
    count = max(len(places) for _, places, _ in rows.values())
    figure, axes = plt.subplots(len(rows), count, figsize=(6.2, 0.8 * len(rows)))
    for line, (name, (images, places, side)) in zip(np.atleast_2d(axes), rows.items(), strict=True):
        for ax, image, place in zip(line, images, places, strict=True):
            _picture(ax, cutting(image, int(place), side))
        line[0].set_ylabel(name, rotation=0, ha="right", va="center")
    return figure


def cutting(image: Tensor, place: int, side: int) -> Array:
    """Return the square [side, side] of an image [64] around a place from 0 to 63; outside of the image it is black."""
    padded = np.pad(image.detach().numpy().reshape(nets.SIDE, nets.SIDE), side // 2)
    row, column = divmod(place, nets.SIDE)
    return padded[row : row + side, column : column + side]


@described("03b.probe", "Most of what a probe gains comes without training")
def probes_by_layer(data: Data) -> Figure:
    """Held-out accuracy of a linear probe on the pixels and after layers 1, 2 and 3, as medians with intervals. From
    the pixels to layer 1, both lines climb steeply together. From there on, the trained network's line rises a little,
    and the untrained network's does not.
    """
    figure, ax = plt.subplots(figsize=(6, 3.2))
    for shift, weights in ((-0.03, nets.TRAINED), (0.03, nets.UNTRAINED)):
        colour, style = LOOKS[weights]
        values = np.stack([nets.probes(data, weights, layer) for layer in (0, *nets.LAYERS)], axis=1)
        plot_medians(["pixels", *nets.LAYERS], values, label=weights, style=style, colour=colour, shift=shift, ax=ax)
        ax.annotate(weights, (3.12, np.median(values[:, -1])), color=COLOURS[colour], va="center")
    ax.set(xlabel="the probe reads the pixels, or layer", ylabel="held-out accuracy", xlim=(-0.2, 3.8))
    return figure


@described("03b.deep", "After 20 epochs: level where every place is read;\nfrom the means alone, 7×7 leads")
def shapes_by_rate(data: Data) -> Figure:
    """Two plots of held-out accuracy against six learning rates. On the left, every place is read: three layers of 3×3
    and one layer of 3×3 reach the same height. On the right, only means are read: one layer of 3×3 stays clearly below;
    three layers of 3×3 and one of 7×7 reach nearly as much as on the left, the 7×7 at larger rates.
    """
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 4), sharey=True)
    for ax, title, means in zip(axes, ("every place is read", "only means are read"), (False, True), strict=True):
        for name in (name for name in nets.SHAPES if name.endswith("means") == means):
            filters = name.removesuffix(", means")
            colour, style = SHAPE_LOOKS[filters]
            values = data["accuracy"].sel(shape=name, part="held-out").transpose("seed", "rate").values
            parameters = count_parameters(nets.builder(name)(generator=torch.Generator()))
            label = f"{filters}, {nets.SHAPES[name][1]} ({parameters:,})"
            plot_medians(nets.RATES, values, label=label, style=style, colour=colour, ax=ax)
        ax.set(title=title, xlabel="learning rate")
        ax.legend(loc="lower center", title="filters, maps per layer\n(parameters)", title_fontsize=9)
    axes[0].set_ylabel("held-out accuracy")
    return figure


# --- turning a bar ----------------------------------------------------------------------------------------


def turned(models: Mapping[str, nn.Sequential]) -> Callable[..., tuple[Figure, str]]:
    """Return what draws a bar, the map of a unit of one of the models, and the unit's curve, with the bar's angle."""

    def draw(weights: str, layer: int, unit: int, angle: float) -> tuple[Figure, str]:
        part = nets.after(models[weights], layer)
        curve = nets.answers(part)[:, unit]
        image, answered = strongest(part, unit, angle)
        here = nets.answers(part, [angle])[0, unit]
        (selectivity,), (preferred,) = nets.preference(curve[:, None])
        figure, (left, middle, right) = plt.subplots(1, 3, figsize=(6.4, 2.6), width_ratios=[1, 1, 1.6])
        _picture(left, image)
        left.set_title("the bar")
        _picture(middle, answered / max(answered.max(), 1e-12))
        middle.set_title("the unit's map")
        _curve(right, nets.ANGLES, curve)
        right.plot(angle, here, "o", color=COLOURS["red"], markersize=9)
        right.set_title(f"selectivity {selectivity:.2f}")
        rest = f", and it prefers about {preferred:.0f}°." if curve.any() else ": it answers no bar."
        return figure, (
            f"A bar at {angle:.0f}°: unit {unit} of layer {layer}, {weights}, answers {here:.2f}. Over all angles its "
            f"selectivity is {selectivity:.2f}{rest}"
        )

    return draw


def strongest(part: nn.Sequential, unit: int, angle: float) -> tuple[Array, Array]:
    """Return the bar at this angle that excites a unit most at the centre, and the unit's map [8, 8] of it."""
    bars = torch.stack([nets.bar(angle, offset) for offset in nets.OFFSETS])
    with torch.no_grad():
        maps = part(bars)[:, unit]
    best = int(maps[:, nets.CENTRE, nets.CENTRE].amax(dim=(1, 2)).argmax())
    return bars[best].numpy(), maps[best].numpy()


def bar_controls() -> dict[str, widgets.Widget]:
    """Return the controls of `turned`."""
    return {
        "weights": widgets.Dropdown(options=list(nets.WEIGHTS), value=nets.TRAINED, description="weights"),
        "layer": widgets.IntSlider(1, nets.LAYERS[0], nets.LAYERS[-1], description="layer"),
        "unit": widgets.IntSlider(0, 0, nets.CHANNELS - 1, description="unit"),
        "angle": widgets.IntSlider(0, 0, 175, 5, description="angle of the bar (°)"),
    }


def _picture(ax: Axes, pixels: ArrayLike, low: float = 0, high: float = 1) -> None:
    pixels = np.asarray(pixels, dtype=float)
    ax.imshow(pixels.reshape(nets.SIDE, nets.SIDE) if pixels.ndim == 1 else pixels, cmap="gray", vmin=low, vmax=high)
    ax.set(xticks=[], yticks=[])
    ax.grid(False)


def _filter(ax: Axes, weights: ArrayLike) -> None:
    limit = np.abs(np.asarray(weights, dtype=float)).max()
    _picture(ax, weights, -limit, limit)


def _curve(ax: Axes, angles: Sequence[float], curve: ArrayLike) -> None:
    ax.plot([*angles, 180], [*curve, curve[0]], "o-", color=COLOURS["blue"], markersize=4)  # 180° is 0° again
    ax.set(xlabel="angle of the bar (°)", xticks=[0, 45, 90, 135, 180])
    ax.set_ylim(bottom=0, top=max(1.15 * np.max(curve), 1e-9))
