"""The figures of lesson 01 that have several panels: each draws what it is given and returns the figure."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from scipy.special import expit
from torch import Tensor, nn

from utils.claims.lesson_01 import HELD_OUT, TRAIN, VALIDATION, built, learned, plane, ring
from utils.constructions import Array
from utils.figures import COLOURS
from utils.lesson_01 import (
    COSINE_INPUTS,
    COSINE_UNITS,
    CURVES,
    LEARNING_WIDTHS,
    PLANE_WIDTHS,
    PLANES,
    TARGET_NAMES,
    bell_variance,
    best_weights_error,
    ring_bayes_accuracy,
)
from utils.plots import plot_decision, plot_medians, plot_points, plot_two_fits

RING_WIDTHS = (2, 3, 5, 10, 30, 100)
HALF_WIDTH = 2.6  # of the square around the rings


def rings_of_points(X: Tensor, y: Tensor) -> Figure:
    """The points X [n, 2] of classes y, and thin circles where they would lie without noise."""
    figure, ax = plt.subplots(figsize=(5.6, 3.8))
    plot_points(X, y, ax=ax)
    turn = np.linspace(0, 2 * np.pi, 200)
    for radius in (0.5, 1.5):
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), color=COLOURS["grey"], linestyle="-", linewidth=0.8)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def boundaries(models: Mapping[str, nn.Module], X: Tensor, y: Tensor) -> Figure:
    """A panel for each model, under its name: the points X [n, 2] of classes y over the model's decision."""
    figure, axes = plt.subplots(1, len(models), figsize=(10, 2.9), sharey=True)
    for (name, model), ax in zip(models.items(), axes, strict=True):
        plot_points(X, y, ax=plot_decision(model, half_width=HALF_WIDTH, ax=ax)).set_title(name)
        ax.label_outer()
    return figure


def hidden_units(model: nn.Sequential) -> Figure:
    """A panel for each hidden unit of a network [2, n, 2], after its activation, and one for its decision.

    A unit's title says with which weight it enters the second output minus the first.
    """
    line = torch.linspace(-HALF_WIDTH, HALF_WIDTH, 101)
    with torch.no_grad():
        features = model[:2](torch.cartesian_prod(line, line)).reshape(101, 101, -1)
        weights = (model[2].weight[1] - model[2].weight[0]).tolist()
    figure, axes = plt.subplots(1, len(weights) + 1, figsize=(10, 2.9), sharey=True)
    for unit, (weight, ax) in enumerate(zip(weights, axes[:-1], strict=True)):
        ends = (-HALF_WIDTH, HALF_WIDTH, -HALF_WIDTH, HALF_WIDTH)
        ax.imshow(features[:, :, unit].T.numpy(), origin="lower", extent=ends, cmap="Greys", vmin=0)
        ax.set(title=f"unit {unit + 1}, weight {weight:+.1f}", xlabel="x₁")
        ax.grid(False)
    axes[0].set_ylabel("x₂")
    plot_decision(model, half_width=HALF_WIDTH, ax=axes[-1]).set(title="where the sum changes sign", ylabel="")
    return figure


def accuracy_by_width(rings: Mapping[str, Array]) -> Figure:
    """Training and held-out accuracy on the rings against the width, the rate chosen well and chosen badly."""
    figure, axes = plt.subplots(1, 2, sharey=True)
    for ax, by, how in zip(axes, (VALIDATION, TRAIN), ("on validation data", "by training loss"), strict=True):
        for part, label, style, colour in ((TRAIN, "training", "s--", "orange"), (HELD_OUT, "held-out", "o-", "blue")):
            values = np.stack([ring(rings, f"{width} units", part, by) for width in RING_WIDTHS], axis=1)
            shift = 0.12 * (part == TRAIN) - 0.06  # side by side, so that no interval hides another
            plot_medians(RING_WIDTHS, values, label=label, style=style, colour=colour, shift=shift, ax=ax)
        ax.axhline(ring_bayes_accuracy(), color="black", linestyle=":", label="best possible, held-out")
        ax.set(title=f"rate chosen {how}", xlabel="hidden units")
    axes[0].set_ylabel("accuracy")
    axes[1].legend(loc="lower right")
    return figure


def fits(
    panels: Mapping[str, tuple[str, Mapping[str, object]]], *, beyond: Mapping[str, float] | None = None
) -> Figure:
    """A panel for each title: the name of one of CURVES, and functions to draw over it, by label.

    A function is a network that takes x / half_width [n, 1], or takes x and returns an array. beyond: by title, how
    many times as wide as the curve's interval its panel is; dotted lines are then the interval's ends.
    """
    figure, axes = plt.subplots(1, len(panels), figsize=(10, 3.0))
    for (title, (name, functions)), ax in zip(panels.items(), np.atleast_1d(axes), strict=True):
        curve, wider = CURVES[name], (beyond or {}).get(title, 1.0)
        x = wider * curve.grid(1001)
        lines = [_values(function, x, curve.half_width) for function in functions.values()]
        plot_two_fits(x, curve.f(x), lines, list(functions), ax=ax)
        if wider > 1:
            for end in (-curve.half_width, curve.half_width):
                ax.axvline(end, color="black", linestyle=":", linewidth=1)
        ax.get_legend().remove()
        ax.set_title(title)
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def bumps(steepness: float = 20.0) -> Figure:
    """Two sigmoid steps and the bump that they add up to, and three bumps that add up to a staircase."""
    x = np.linspace(0, 5, 501)
    rise = {edge: expit(steepness * (x - edge)) for edge in range(1, 5)}
    figure, (left, right) = plt.subplots(1, 2)
    sums = {"color": COLOURS["sky"], "linestyle": "-", "linewidth": 5, "label": "their sum"}
    left.plot(x, rise[1] - rise[2], **sums)
    left.plot(x, rise[1], "--", color=COLOURS["black"], linewidth=1.2, label="step up at 1")
    left.plot(x, -rise[2], ":", color=COLOURS["red"], label="step down at 2")
    parts = [height * (rise[edge] - rise[edge + 1]) for edge, height in enumerate((0.4, 1.0, 0.7), 1)]
    right.plot(x, sum(parts), **sums)
    for part in parts:
        right.plot(x, part, "--", color=COLOURS["black"], linewidth=1.2, label="bumps" if part is parts[0] else None)
    left.set(title="two steps make a bump", xlabel="x")
    right.set(title="three bumps make a staircase", xlabel="x", ylim=(-0.1, 1.4))
    left.legend(loc="lower left")
    right.legend(loc="upper left", ncols=2)
    return figure


def cosine_errors_by_units(cosines: Mapping[str, Array]) -> Figure:
    """The squared error of random cosine networks against their width, for each number of inputs."""
    figure, ax = plt.subplots(figsize=(6, 3.2))
    for i, (n_in, colour, style) in enumerate(
        zip(COSINE_INPUTS, ("blue", "orange", "green"), ("o-", "s--", "^-."), strict=True)
    ):
        errors = cosines["errors"][:, i, :, 0]
        plot_medians(COSINE_UNITS, errors, label=f"{n_in} input{'s' * (n_in > 1)}", style=style, colour=colour, ax=ax)
        expected = cosines["errors"][:, i, :, 1].mean(axis=0)
        ax.plot(range(len(expected)), expected, "x", color="black", label="expected" if i == 0 else None, zorder=5)
    ax.axhline(bell_variance(), color="black", linestyle="--", linewidth=1, label="the best constant")
    bound = [1 / (2 * n) for n in COSINE_UNITS]
    ax.plot(range(len(bound)), bound, color="black", linestyle=":", label="never expected above: 1/(2N)")
    ax.set(yscale="log", xlabel="units N", ylabel="mean squared error")
    ax.legend()
    return figure


START_LOOKS = {
    "default": ("o-", "blue", "ReLU, PyTorch's start"),
    "spread": ("s--", "orange", "ReLU, bends inside"),
    "steep tanh": ("^-.", "green", "steep tanh, bends inside"),
    "written down": ("v:", "purple", "ReLU, trained from written down"),
}


def learning_by_width(record: Mapping[str, Array]) -> Figure:
    """A panel for each target: squared error against width, for each start and for the networks without training."""
    figure, axes = plt.subplots(1, len(TARGET_NAMES), figsize=(10, 4.2), sharey=True)
    places = range(len(LEARNING_WIDTHS))
    for ax, name in zip(axes, TARGET_NAMES, strict=True):
        for start, (style, colour, label) in START_LOOKS.items():
            values = np.stack([learned(record, start, name, width) for width in LEARNING_WIDTHS], axis=1)
            plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
            if start == "default":
                ax.plot(places, values.min(axis=0), "*", color=COLOURS["blue"], label="its best seed", markersize=8)
        best_weights = [best_weights_error(CURVES[name], width) for width in LEARNING_WIDTHS]
        ax.plot(places, [built(name, width) for width in LEARNING_WIDTHS], "k-", linewidth=1, label="written down")
        ax.plot(places, best_weights, "k--", linewidth=1, label="its hinges, best output weights")
        ax.set(title=name, xlabel="hidden units", yscale="log")
    axes[0].set_ylabel("mean squared error")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def planes_by_width(record: Mapping[str, Array]) -> Figure:
    """A panel for each of PLANES: held-out accuracy against width; median, best and worst seed."""
    figure, axes = plt.subplots(1, len(PLANES), figsize=(10, 3.4), sharey=True)
    for name, ax in zip(PLANES, axes, strict=True):
        values = np.stack([plane(record, name, width) for width in PLANE_WIDTHS], axis=1)
        plot_medians(PLANE_WIDTHS, values, label="median", ax=ax)
        for extreme, marker, label in ((values.max(axis=0), "^", "best seed"), (values.min(axis=0), "v", "worst seed")):
            ax.plot(
                range(len(PLANE_WIDTHS)), extreme, marker, color="black", linestyle="none", label=label, markersize=4
            )
        ax.set(title=name, xlabel="hidden units (0: a line)")
    axes[0].set_ylabel("held-out accuracy")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _values(function: object, x: Array, half_width: float) -> Array:
    if not isinstance(function, nn.Module):
        return function(x)
    with torch.no_grad():
        return function(torch.as_tensor(x / half_width, dtype=torch.float32)[:, None])[:, 0].numpy()
