"""Figures of functions on an interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from scipy.special import expit
from torch import nn

from utils.constructions import (
    evaluate_hinges,
    evaluate_steps,
    interpolation_bound,
    relu_interpolant,
    sigmoid_staircase,
)
from utils.figures import COLOURS
from utils.lesson_01.curves import CURVES
from utils.lesson_01.hypotheses import examples
from utils.pages import described
from utils.plots import plot_card, plot_errors, plot_interpolant, plot_two_fits
from utils.types import Array


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


@described("01a.bumps", "Two steps make a bump, bumps make a staircase")
def bumps(steepness: float = 20.0) -> Figure:
    """Left: a broad line that is close to 1 between 1 and 2 and close to 0 elsewhere, and the two sigmoid steps, up at
    1 and down at 2, that add up to it. Right: three bumps side by side, of three heights, drawn dashed, and their sum,
    a broad line that goes from height to height: where one bump ends the next begins.
    """
    x = np.linspace(0, 5, 501)
    rise = {edge: expit(steepness * (x - edge)) for edge in range(1, 5)}
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


def interpolant(x: Array, y_hat: Array, knots: Array, f: Callable[[Array], Array]) -> Figure:
    """A network's values, its knots, and the function f behind them."""
    return plot_interpolant(x, y_hat, knots, f(knots), f(x)).figure


@described("01.doubling", "Twice the units, a quarter of the error")
def errors_by_units(units: Array, errors: Array) -> Figure:
    """A log-log plot of the largest error for the sine against 5, 10, 20, 40, 80 and 160 hidden units. The measured
    points lie on the straight line of the proved bound, but for the first, which is a little below it.
    """
    return plot_errors(units, errors, [interpolation_bound(1.0, 10 / n) for n in units]).figure


@described("01.hypotheses", "One hypothesis switched off, and 16 units do not help")
def four_hypotheses() -> Figure:
    """Four plots of a target, a broad grey line, and a trained network. Polynomial activation: the network is a flat
    parabola that cannot follow the sine. No bias: the target is a parabola, the network stays close to zero. Target not
    continuous: a steep ramp where the target jumps. Set not bounded: between the dotted lines the network lies on the
    sine, outside of them it goes on in straight lines.
    """
    return fits(examples(), beyond={"set not bounded": 2})


@described("01a.staircases", "Rounded steps follow the sine more closely than sharp ones")
def staircases() -> Figure:
    """The sine on the interval from -5 to 5 and a sum of nine sigmoids that climbs along it in steps. Left, with a
    steepness of 4 over the cells' width, the steps are rounded and the sum is a smooth line that misses only the tops.
    Right, with 20, they are sharp, and the sum is nearly a staircase.
    """
    panels = {}
    for sharpness, look in ((4, "rounded"), (20, "sharp")):  # s h, the steepness times the cells' width
        steps, weights, bias = sigmoid_staircase(np.sin, -5.0, 5.0, 10, sharpness)
        sigmoids = partial(evaluate_steps, steps=steps, weights=weights, bias=bias, slope=float(sharpness))
        panels[f"s h = {sharpness}: {look} steps"] = "sin", {"nine sigmoids": sigmoids}
    return fits(panels)


@described("01a.root", "The square root: four times the units for half the error")
def root_errors(units: Array, errors: Array) -> Figure:
    """A log-log plot of the largest error for the square root on [0, 1] against 5 to 160 hidden units. The measured
    points lie on a straight line that falls by the root of two with each doubling.
    """
    return plot_errors(units, errors, 0.25 / np.sqrt(units)).figure


@described("01.built-and-found", "Built by hand, and found by training")
def built_and_found(model: nn.Module) -> Figure:
    """A sine with a smaller, faster sine on top, drawn as a broad grey line. The hand-built network of 20 hinges
    follows the fast waves roughly. The trained one of 20 units cuts through most of them.
    """
    knots = np.linspace(-5, 5, 21)
    hinges, weights, bias = relu_interpolant(knots, CURVES["two sines"].f(knots))
    hand_built = partial(evaluate_hinges, hinges=hinges, weights=weights, bias=bias)
    return fits({"": ("two sines", {"hand-built, 20 units": hand_built, "trained, 20 units": model})})


@described("01.card", "Lesson 01 on a card")
def card() -> Figure:
    """Left, a polyline of four pieces with the change of slope written at each knot. Right, the formula of a network of
    ramps, its weights as changes of slope, the bound on its error, and a reminder: that a network can be built does not
    mean that training finds it.
    """
    knots, x = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.linspace(0, 4, 401)
    values = np.array([0.2, 1.4, 1.1, 1.9, 0.6])
    hinges, weights, bias = relu_interpolant(knots, values)
    lines = (
        r"$g(x) = b + \sum_i\, w_i\, \mathrm{ReLU}(x - t_i)$",
        r"$w_i = s_i - s_{i-1}$,  the change of slope at $t_i$",
        r"$|f - g| \leq M (b - a)^2 \,/\, (8 N^2)$  if  $|f''| \leq M$",
        "can be built  ≠  is found by training",
    )
    figure, ax = plot_card(lines, wider=1.15, size=12)
    ax.plot(x, evaluate_hinges(x, hinges, weights, bias), color=COLOURS["blue"], linestyle="-")
    ax.plot(knots, values, "o", color=COLOURS["red"])
    for knot, value, weight in zip(knots, values, weights, strict=False):
        above = (0, 9, "center") if weight < 0 else (8, -11, "left")  # where the polyline is not
        ax.annotate(
            f"{weight:+.1f}".replace("-", "−"), (knot, value), xytext=above[:2], textcoords="offset points", ha=above[2]
        )
    ax.set(xlabel="x", xlim=(-0.4, 4.4), ylim=(0, 2.3), title="each weight: the change of slope")
    return figure


def _values(function: object, x: Array, half_width: float) -> Array:
    if not isinstance(function, nn.Module):
        return function(x)
    with torch.no_grad():
        return function(torch.as_tensor(x / half_width, dtype=torch.float32)[:, None])[:, 0].numpy()
