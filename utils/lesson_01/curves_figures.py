"""Figures of functions, and of networks that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from scipy.special import expit
from torch import nn

from utils.claims import recorded
from utils.constructions import evaluate_steps, interpolation_bound, relu_interpolant, sigmoid_staircase
from utils.figures import COLOURS
from utils.lesson_01.cosines import COSINE_UNITS, bell_variance
from utils.lesson_01.curves import (
    CURVES,
    LARGEST,
    LEARNING_WIDTHS,
    TARGET_NAMES,
    best_weights_error,
    built,
    learned,
)
from utils.lesson_01.hypotheses import examples
from utils.pages import described
from utils.plots import plot_card, plot_errors, plot_medians, plot_two_fits, write_beside
from utils.types import Array


def fits(
    panels: Mapping[str, tuple[str, Mapping[str, object]]],
    *,
    beyond: Mapping[str, float] | None = None,
    rows: int = 1,
    size: tuple[float, float] = (6.4, 3.0),
    errors: bool = False,
) -> Figure:
    """Return a panel for each title: the name of one of CURVES, and functions to draw over it, by label.

    A function is a network that takes x / half_width [n, 1], or takes x and returns an array. beyond: by title, how
    many times as wide as the curve's interval its panel is; where it is wider, dotted lines are the interval's ends.
    errors: mark in each panel where the last function is furthest from the curve, and say by how much.
    """
    figure, axes = plt.subplots(rows, len(panels) // rows, figsize=size)
    for (title, (name, functions)), ax in zip(panels.items(), np.ravel(axes), strict=True):
        curve, wider = CURVES[name], (beyond or {}).get(title, 1.0)
        x = wider * curve.grid(1001)
        u = torch.as_tensor(x / curve.half_width, dtype=torch.float32)[:, None]
        with torch.no_grad():
            lines = [one(u)[:, 0].numpy() if isinstance(one, nn.Module) else one(x) for one in functions.values()]
        plot_two_fits(x, curve.f(x), lines, list(functions), ax=ax)
        if wider > 1:
            for end in (-curve.half_width, curve.half_width):
                ax.axvline(end, color="black", linestyle=":", linewidth=1)
        ax.get_legend().remove()
        ax.set_title(title)
        if errors:
            y, worst = curve.f(x), np.abs(lines[-1] - curve.f(x)).argmax()
            ends = {"color": COLOURS["red"], "linestyle": "-", "linewidth": 3, "label": "largest error"}
            ax.plot([x[worst]] * 2, [y[worst], lines[-1][worst]], **ends)
            ax.set_title(f"{title}: {abs(lines[-1][worst] - y[worst]):.2f}")
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


@described("01a.bumps", "Two steps make a bump, bumps make a staircase")
def bumps() -> Figure:
    """On the left, a broad line is close to 1 between 1 and 2 and close to 0 elsewhere. Two sigmoid steps add up to it,
    one up at 1 and one down at 2. On the right, three bumps of three heights stand side by side, drawn dashed. Their
    sum, a broad line, goes from height to height, because each bump begins where the one before it ends.
    """
    x = np.linspace(0, 5, 501)
    rise = {edge: expit(20 * (x - edge)) for edge in range(1, 5)}
    figure, (left, right) = plt.subplots(1, 2)
    sums = {"color": COLOURS["sky"], "linestyle": "-", "linewidth": 5, "label": "their sum"}
    left.plot(x, rise[1] - rise[2], **sums)
    left.plot(x, rise[1], "--", color=COLOURS["black"], linewidth=1.2)
    left.plot(x, -rise[2], ":", color=COLOURS["red"])
    for height, words in ((0.85, "step up at 1"), (0.15, "their sum"), (-0.85, "step down at 2")):
        left.text(5, height, words, ha="right", va="center", fontsize=9)
    parts = [height * (rise[edge] - rise[edge + 1]) for edge, height in enumerate((0.4, 1.0, 0.7), 1)]
    right.plot(x, sum(parts), **sums)
    for part in parts:
        right.plot(x, part, "--", color=COLOURS["black"], linewidth=1.2, label="bumps" if part is parts[0] else None)
    left.set(title="two steps make a bump", xlabel="x")
    right.set(title="three bumps make a staircase", xlabel="x", ylim=(-0.1, 1.4))
    right.legend(loc="upper left", ncols=2)
    return figure


@described("01.doubling", "Twice the units, a quarter of the error")
def errors_by_units(units: Array, errors: Array) -> Figure:
    """A log-log plot has the largest error for the sine against 5, 10, 20, 40, 80 and 160 hidden units. The measured
    points lie on the straight line of the proved bound, except for the first, which lies a little below it.
    """
    ax = plt.subplots(figsize=(6.4, 3.2))[1]
    return plot_errors(units, errors, [interpolation_bound(1.0, 10 / n) for n in units], ax=ax).figure


@described("01.hypotheses", "One hypothesis switched off, and 16 units do not help")
def four_hypotheses() -> Figure:
    """Each of four plots has a target, a broad grey line, a trained network, and a red bar at the network's largest
    error. Polynomial activation: the target is the cosine, and the network is one wide parabola through its waves. No
    bias: the target is a parabola, and the network stays close to zero. Target not continuous, enlarged around the
    jump: the network climbs in a ramp, and halfway up it is far from the target. Set not bounded: between the dotted
    lines the network lies on the sine, and outside them it goes on in straight lines, away from the sine.
    """
    wider = {"target not continuous": 0.1, "set not bounded": 2}
    return fits(examples(), beyond=wider, rows=2, size=(5.8, 5.2), errors=True)


@described("01a.staircases", "Rounded steps follow the sine more closely than sharp ones")
def staircases() -> Figure:
    """Each of two plots has the sine on the interval from -5 to 5, and a sum of nine sigmoids that climbs along it in
    steps. On the left, where the steepness is 4 over the cells' width, the steps are rounded, and the sum is a smooth
    line that misses only the tops. On the right, where it is 20, they are sharp, and the sum is nearly a staircase.
    """
    panels = {}
    for sharpness, look in ((4, "rounded"), (20, "sharp")):  # s h, the steepness times the cells' width
        steps, weights, bias = sigmoid_staircase(np.sin, -5.0, 5.0, 10, sharpness)
        sigmoids = partial(evaluate_steps, steps=steps, weights=weights, bias=bias, slope=float(sharpness))
        panels[f"s h = {sharpness}: {look} steps"] = "sin", {"nine sigmoids": sigmoids}
    return fits(panels)


@described("01a.root", "The square root: half the error takes four times the hinges")
def root_errors(units: Array, errors: Array) -> Figure:
    """A log-log plot has the largest error for the square root on [0, 1] against 5 to 160 evenly spaced hinges. The
    measured points lie on a straight line: with each doubling, the error is divided by the square root of two.
    """
    return plot_errors(units, errors, 0.25 / np.sqrt(units), ax=plt.subplots(figsize=(6.4, 3.2))[1]).figure


@described("01a.dimension", "Random waves: 10 inputs or 100, the error is the same")
def cosine_errors_by_units() -> Figure:
    """A plot on a logarithmic scale has the mean squared error of random cosine networks against 10, 100 and 1,000
    units, with medians and intervals over 40 draws. The thin line for 100 inputs lies on the broad one for 10 and on
    the crosses of what is expected, and ten times the units make the error ten times lower. All lie below the dotted
    line, the error of the best constant.
    """
    cosines = recorded("01_cosines").transpose("seed", "units", "inputs")
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    for n_in, colour, style in ((10, "orange", "s-"), (100, "blue", "o--")):
        values = cosines["measured"].sel(inputs=n_in)
        plot_medians(COSINE_UNITS, values, label=f"{n_in} inputs", style=style, colour=colour, ax=ax)
    ax.lines[0].set(linewidth=6, markersize=12, alpha=0.5)  # the other line lies on it
    expected = cosines["expected"].sel(inputs=100).mean("seed")
    ax.plot(range(len(expected)), expected, "x", color=COLOURS["black"], label="expected", zorder=5)
    ax.axhline(bell_variance(), color=COLOURS["black"], linestyle=":")
    ax.annotate("the best constant", (2, bell_variance()), xytext=(0, -13), textcoords="offset points", ha="right")
    ax.set(yscale="log", xlabel="units N", ylabel="mean squared error")
    ax.legend(loc="lower left")
    return figure


@described("01.learning", "Width helps hand-built hinges far more than trained ones")
def learning_by_width() -> Figure:
    """A plot on a logarithmic scale has the largest error for the sine against 10, 20, 40 and 80 hidden units, with
    medians of 20 seeds and intervals. The hand-built line falls steeply and evenly. Networks trained from PyTorch's
    initialisation lie above it at every width, further and further as the width grows. At 80 units, those whose bends
    begin inside the interval and steep tanh units lie between the two.
    """
    record, places = recorded("01_learning"), range(len(LEARNING_WIDTHS))
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    ax.plot(places, [built("sin", width, LARGEST) for width in LEARNING_WIDTHS], "k-")
    write_beside("hand-built", (places[-1], built("sin", LEARNING_WIDTHS[-1], LARGEST)), ax)
    for start, style, colour, label in (
        ("default", "o-", "blue", "trained: PyTorch's initialisation"),
        ("spread", "s--", "orange", "trained: bends inside"),
        ("steep tanh", "^-.", "green", "trained: steep tanh"),
    ):
        values = np.stack([learned(record, start, "sin", width, LARGEST) for width in LEARNING_WIDTHS], axis=1)
        plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
        write_beside(label, (places[-1], np.median(values[:, -1])), ax, colour=colour)
    ax.set(xlabel="hidden units", ylabel="largest error", yscale="log", xlim=(-0.2, 5.5))
    return figure


def learning_ratio() -> dict[str, float]:
    """Return by what factor the largest error of 80 trained units for the sine exceeds that of 80 hand-built ones."""
    trained = learned(recorded("01_learning"), "default", "sin", 80, LARGEST)
    return {"ratio": float(np.median(trained)) / built("sin", 80, LARGEST)}


@described("01b.kept", "Started at hand-built weights, training keeps them and improves")
def kept_or_lost() -> Figure:
    """Three plots on a logarithmic scale have the mean squared error against 10, 20, 40 and 80 hidden units: for the
    sine, for two sines, and for the sine on an interval four times as wide. The hand-built line falls steeply. The
    error of networks trained from PyTorch's initialisation falls far more slowly, and for two sines hardly at all.
    Networks trained from hand-built weights lie below the hand-built line throughout.
    """
    record, places = recorded("01_learning"), range(len(LEARNING_WIDTHS))
    figure, axes = plt.subplots(1, len(TARGET_NAMES), figsize=(6.8, 3.9), sharey=True)
    for ax, name in zip(axes, TARGET_NAMES, strict=True):
        for start, style, colour, label in (
            ("default", "o-", "blue", "ReLU, PyTorch's initialisation"),
            ("written down", "v:", "purple", "ReLU, trained from hand-built"),
        ):
            values = np.stack([learned(record, start, name, width) for width in LEARNING_WIDTHS], axis=1)
            plot_medians(LEARNING_WIDTHS, values, label=label, style=style, colour=colour, ax=ax)
        ax.plot(places, [built(name, width) for width in LEARNING_WIDTHS], "k-", label="hand-built, not trained")
        ax.set(title=name, xlabel="hidden units", yscale="log")
    axes[0].set_ylabel("mean squared error")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def kept_answer() -> dict[str, float]:
    """Return what the best output weights leave of the hand-built network's squared error, 40 units for the sine."""
    return {"weights": best_weights_error("sin", 40) / built("sin", 40)}


@described("01.card", "Lesson 01 on a card")
def card() -> Figure:
    """On the left stands a line of four straight pieces, with the change of slope written at each knot. On the right
    stand the formula of a network of ramps, its weights as changes of slope, the bound on its error, and a reminder:
    that a network can be built does not mean that training finds it.
    """
    knots, x = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.linspace(0, 4, 401)
    values = np.array([0.2, 1.4, 1.1, 1.9, 0.6])
    _, weights, _ = relu_interpolant(knots, values)
    lines = (
        r"$g(x) = b + \sum_i\, w_i\, \mathrm{ReLU}(x - t_i)$",
        r"$w_i = s_i - s_{i-1}$,  the change of slope at $t_i$",
        r"$|f - g| \leq M (b - a)^2 \,/\, (8 N^2)$  if  $|f''| \leq M$",
        "can be built  ≠  is found by training",
    )
    figure, ax = plot_card(lines, wider=1.15, size=12)
    ax.plot(x, np.interp(x, knots, values), color=COLOURS["blue"], linestyle="-")
    ax.plot(knots, values, "o", color=COLOURS["red"])
    for knot, value, weight in zip(knots, values, weights, strict=False):
        place = {"xytext": (0, 9), "ha": "center"} if weight < 0 else {"xytext": (8, -11), "ha": "left"}
        ax.annotate(f"{weight:+.1f}".replace("-", "−"), (knot, value), textcoords="offset points", **place)
    ax.set(xlabel="x", xlim=(-0.4, 4.4), ylim=(0, 2.3), title="each weight: the change of slope")
    return figure
