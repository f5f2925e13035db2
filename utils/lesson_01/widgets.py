"""What lesson 01's widgets draw; pure functions of their controls' values, which need no widget."""

from __future__ import annotations

from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.comparison import VALIDATION, Sweep
from utils.constructions import evaluate_hinges, relu_interpolant, sup_error
from utils.lesson_01.curves import CURVES, LARGEST, SQUARED, built_errors, curve_scores, train_on_curve
from utils.lesson_01.curves_figures import fits
from utils.lesson_01.hypotheses import SWITCHES, train_switch
from utils.plots import plot_hinges, plot_interpolant
from utils.types import Array

LOW, HIGH = -5.0, 5.0
TARGETS = {
    "sine": np.sin,
    "kink": lambda x: np.abs(x - 0.75),
    "bell": lambda x: np.exp(-(x**2)),
    "step-like": lambda x: np.tanh(4 * x),
}
STARTS = 10  # networks that a widget trains at once
STEPS = 1500  # a third of a second at the largest width, so that a slider does not lag
RATE = 0.03  # does well at most widths; the widgets do not tune, the experiments do


def moved_knots(count: int, moved: int, shift: float) -> Array:
    """Return ``count + 1`` knots on [-5, 5], evenly spaced but for hinge number ``moved`` (from 1).

    ``shift`` is in units of the spacing, and stops short of the neighbouring knots. The first hinge and the
    last knot stay, since the network has to cover the interval; so does a hinge that there is not.
    """
    knots = np.linspace(LOW, HIGH, count + 1)
    if 2 <= moved <= count:
        knots[moved - 1] += np.clip(shift, -0.95, 0.95) * (HIGH - LOW) / count
    return knots


def hinge_builder(target: str, count: int, moved: int, shift: float) -> tuple[Figure, str]:
    """Return a figure of the interpolant and its hinges, and a sentence with its largest error."""
    function = TARGETS[target]
    knots, even = moved_knots(count, moved, shift), moved_knots(count, moved, 0.0)
    error, error_even = (_error(function, points) for points in (knots, even))
    x = np.linspace(LOW, HIGH, 601)
    hinges, weights, bias = relu_interpolant(knots, function(knots))
    figure, (left, right) = plt.subplots(1, 2)
    plot_interpolant(x, evaluate_hinges(x, hinges, weights, bias), knots, function(knots), function(x), ax=left)
    if 2 <= moved <= count:
        left.plot(knots[moved - 1], function(knots[moved - 1]), "s", color="black", markersize=11, fillstyle="none")
    plot_hinges(x, hinges, weights, ax=right)
    moved_now = f"hinge {moved} at x = {knots[moved - 1]:.2f}" if moved <= count else f"there is no hinge {moved}"
    words = f"{count} hinges, {moved_now}: largest error {error:.3g}; evenly spaced {error_even:.3g}."
    return figure, words


def width_slider(target: str, width: int) -> tuple[Figure, str]:
    """Return a figure of the best and the worst of ten trained networks, and their errors beside the built one's."""
    curve = CURVES[target]
    swept = _trained(target, width)
    errors = curve_scores(swept).sel(rate=RATE)
    best, worst = (errors.sel(seed=seed) for seed in (errors[SQUARED].idxmin(), errors[SQUARED].idxmax()))
    networks = {f"{name} of ten": swept.model(one["seed"]) for name, one in (("best", best), ("worst", worst))}
    figure = fits({target: (target, networks)})
    built_largest, built_squared = built_errors(curve, width)
    words = (
        f"{width} hidden units, ten random starts, {STEPS:,} steps. Largest error: best {best[LARGEST].item():.3g}, "
        f"worst {worst[LARGEST].item():.3g}, written down {built_largest:.3g}. Mean squared error: best "
        f"{best[SQUARED].item():.2g}, worst {worst[SQUARED].item():.2g}, written down {built_squared:.2g}."
    )
    return figure, words


def switchboard(hypothesis: str, width: int) -> tuple[Figure, str]:
    """Return a figure of the best of ten networks with one hypothesis of the theorem off, and its errors in words."""
    switch = SWITCHES[hypothesis]
    swept = _switched(hypothesis, width)
    errors = curve_scores(swept).sel(rate=RATE)
    best = errors.sel(seed=errors[VALIDATION].idxmin())
    networks = {"best of ten": swept.model(best["seed"])}
    figure = fits({hypothesis: (switch.curve, networks)}, beyond={hypothesis: switch.beyond})
    floor = f" No width gets below {switch.largest:.3g}." if switch.largest else ""
    floor_squared = f" No width gets below {switch.squared:.3g}." if switch.squared else ""
    words = (
        f"{hypothesis}: {width} {switch.activation} units{'' if switch.bias else ' without biases'}, best of ten "
        f"starts. Largest error {best[LARGEST].item():.3g}.{floor} "
        f"Mean squared error {best[SQUARED].item():.3g}.{floor_squared}"
    )
    return figure, words


@lru_cache(maxsize=256)  # a slider that comes back draws at once
def _trained(target: str, width: int) -> Sweep:
    return train_on_curve(target, width, range(STARTS), steps=STEPS, lrs=(RATE,))


@lru_cache(maxsize=256)
def _switched(hypothesis: str, width: int) -> Sweep:
    return train_switch(SWITCHES[hypothesis], width, range(STARTS), steps=STEPS, lrs=(RATE,))


def _error(function, knots: Array) -> float:
    network = relu_interpolant(knots, function(knots))
    return sup_error(function, lambda x: evaluate_hinges(x, *network), LOW, HIGH)
