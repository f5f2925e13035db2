"""The figures of two classes in the plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.comparison import HELD_OUT, TRAINING, VALIDATION
from utils.figures import COLOURS
from utils.lesson_01.rings import PLANE_WIDTHS, PLANES, RING_WIDTHS, on_planes, ring, ring_bayes_accuracy
from utils.pages import described
from utils.plots import plot_decision, plot_medians, plot_points
from utils.types import Array, Data

HALF_WIDTH = 2.6  # of the square around the rings


@described("01.points", "A hundred points on two noisy rings")
def points(X: Tensor, y: Tensor) -> Figure:
    """A hundred points lie in the plane: fifty blue circles are scattered around a thin ring of radius one half, and
    fifty orange squares around a ring of radius one and a half. Some points of each class lie among the other.
    """
    figure, ax = plt.subplots(figsize=(5.6, 3.8))
    plot_points(X, y, ax=ax)
    turn = np.linspace(0, 2 * np.pi, 200)
    for radius in (0.5, 1.5):
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), color=COLOURS["grey"], linestyle="-", linewidth=0.8)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


@described("01.fence", "Two ramps leave a gap, three close the fence")
def boundaries(models: Mapping[int, nn.Module], X: Tensor, y: Tensor) -> Figure:
    """Three squares show the same hundred points, shaded by the class that a trained network chooses, for 2, 3 and 10
    hidden units. With two units, the inner class's region is open and runs off to one side. With three, it is a closed
    polygon. With ten, it is a polygon with more corners.
    """
    figure, axes = plt.subplots(1, len(models), figsize=(6.8, 3.1), sharey=True)
    for (units, model), ax in zip(models.items(), axes, strict=True):
        plot_points(X, y, ax=plot_decision(model, half_width=HALF_WIDTH, ax=ax)).set_title(f"{units} hidden units")
        ax.label_outer()
    return figure


@described("01.features", "Three ramps add up to a closed fence")
def ramps_and_fence(
    fence: Callable[[Array, Array, float], Array], normals: Array, threshold: float, X: Tensor, y: Tensor
) -> Figure:
    """Three grey squares show one ramp each. It is white where it is zero, up to a straight line through the middle,
    and then gets darker and darker, each time in another direction. A fourth square, with the hundred points, shows
    where the sum of the ramps is below the threshold: within a hexagon around the origin, which holds most of the inner
    class.
    """
    side = np.linspace(-HALF_WIDTH, HALF_WIDTH, 201)
    plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    columns = (len(normals) + 2) // 2
    figure, axes = plt.subplots(2, columns, figsize=(2.8 * columns, 5.8), sharex=True, sharey=True)
    ramps, last, rest = axes.flat[: len(normals)], axes.flat[len(normals)], axes.flat[len(normals) + 1 :]
    for ax in rest:
        ax.remove()
    for at, (normal, ax) in enumerate(zip(normals, ramps, strict=True), 1):
        ramp = fence(plane, normal[None], 0.0).reshape(201, 201)
        ends = (-HALF_WIDTH, HALF_WIDTH, -HALF_WIDTH, HALF_WIDTH)
        ax.imshow(ramp, origin="lower", extent=ends, cmap="Greys", vmin=0)
        ax.set(title=f"ramp {at} (white: zero)", xlabel="x₁", ylabel="x₂")
        ax.grid(False)

    def two_outputs(points: Tensor) -> Tensor:
        margin = torch.as_tensor(fence(points.numpy(), normals, threshold))
        return torch.stack([torch.zeros_like(margin), margin], dim=1)

    plot_points(X, y, ax=plot_decision(two_outputs, half_width=HALF_WIDTH, ax=last))
    last.set(title="the fence")
    for ax in (*ramps, last):
        ax.label_outer()
    return figure


@described("01b.width", "It takes both to do harm: width, and a rate chosen by the training loss")
def accuracy_by_width(rings: Data) -> Figure:
    """Two plots have the median accuracy over seeds, with intervals, against 2, 3, 5, 10, 30 and 100 hidden units. A
    dotted line marks the best possible held-out accuracy. On the left, the rate is chosen on validation points, and
    held-out accuracy rises nearly to the dotted line. On the right, it is chosen by training loss: training accuracy
    rises to 1, and held-out accuracy has its peak at five units and falls slowly from there.
    """
    figure, axes = plt.subplots(1, 2, figsize=(6.8, 3.4), sharey=True)
    for ax, by, how in zip(axes, (VALIDATION, TRAINING), ("on validation data", "by training loss"), strict=True):
        for part, style, colour in ((TRAINING, "s--", "orange"), (HELD_OUT, "o-", "blue")):
            values = np.stack([ring(rings, f"{width} units", part, by) for width in RING_WIDTHS], axis=1)
            shift = 0.12 * (part == TRAINING) - 0.06  # side by side, so that no interval hides another
            plot_medians(RING_WIDTHS, values, label=part, style=style, colour=colour, shift=shift, ax=ax)
        ax.axhline(ring_bayes_accuracy(), color="black", linestyle=":", label="best possible, held-out")
        ax.set(title=f"rate chosen {how}", xlabel="hidden units")
    axes[0].set_ylabel("accuracy")
    axes[1].legend(loc="lower right")
    return figure


@described("01b.sets", "Three sets in the plane")
def three_sets() -> Figure:
    """Three squares show 500 points of two classes each: two round clouds lie side by side, an outer ring lies around
    an inner one, and two spirals are wound into one another.
    """
    figure, axes = plt.subplots(1, len(PLANES), figsize=(6.8, 2.8))
    for (name, draw), ax in zip(PLANES.items(), axes, strict=True):
        plot_points(*draw(500, generator=torch.Generator().manual_seed(0)), ax=ax).set_title(name)
    return figure


@described("01b.spirals", "The harder the set, the more units it takes; and seeds differ")
def planes_by_width(record: Data) -> Figure:
    """Three plots have held-out accuracy against 0, 2, 3, 4, 8, 16 and 32 hidden units: the median, its interval, and
    the best and the worst of 20 seeds. On two clouds, the median is close to 1 everywhere. On two rings, it is a half
    without hidden units; with three, it is close to 1, but the worst seed stays at a half; from eight on, all seeds are
    close to 1. On two spirals, accuracy is low up to four units and far higher with eight, where seeds differ most. The
    median is close to 1 with sixteen, and all seeds are with 32.
    """
    figure, axes = plt.subplots(1, len(PLANES), figsize=(6.8, 3.4), sharey=True)
    for name, ax in zip(PLANES, axes, strict=True):
        values = np.stack([on_planes.best(record, set=name, width=width) for width in PLANE_WIDTHS], axis=1)
        plot_medians(PLANE_WIDTHS, values, label="median", ax=ax)
        for extreme, marker, label in ((values.max(axis=0), "^", "best seed"), (values.min(axis=0), "v", "worst seed")):
            places = range(len(PLANE_WIDTHS))
            ax.plot(places, extreme, marker, color="black", linestyle="none", label=label, markersize=4)
        ax.set(title=name, xlabel="units (0: a line)")
    axes[0].set_ylabel("held-out accuracy")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
