"""The figures of lesson 05 about signals in random networks, in theory and measured, and what `reveal` says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import acos, degrees, sqrt

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
from numpy.typing import ArrayLike

from utils import meanfield
from utils.figures import COLOURS
from utils.lesson_05 import theory
from utils.lesson_05.circle import OF_SIGMA
from utils.meanfield_plots import plot_phase_diagram
from utils.pages import described
from utils.plots import plot_card, plot_estimates, write_beside
from utils.statistics import Estimate, median
from utils.types import Data

LOOKS = (("o-", "blue"), ("v--", "green"), ("s-.", "orange"), ("^:", "red"))


@described(
    "05.lengths",
    "Your map predicts the lengths in networks that you draw",
    """Lengths on a logarithmic axis against twenty hidden layers, for four σ: theory as lines, networks as points
    around them. At 2.5 and at 1.5 the lines are level after a few layers, at 1 the line sinks ever more slowly, at 0.8
    it falls like a straight line. The points lie close around the two upper lines. Around the lower two they spread
    further with every layer.
    """,
)
def length_paths(measured: Mapping[float, ArrayLike], expected: Mapping[float, ArrayLike]) -> Figure:
    """Return lengths layer by layer, for σ of the circles: theory [layers] as lines, networks [networks, layers] as
    points.

    Raises ValueError where the two are not of the same σ.
    """
    if set(measured) != set(expected):
        raise ValueError(f"measured has σ {list(measured)}, theory {list(expected)}: wanted the same")
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    for sigma, path in expected.items():
        colour, style, marker = OF_SIGMA[sigma]
        path, networks = np.asarray(path), np.asarray(measured[sigma])
        layers = np.arange(1, len(path) + 1)
        ax.plot(
            np.tile(layers, len(networks)),
            networks.ravel(),
            marker,
            color=COLOURS[colour],
            markersize=3,
            alpha=0.35,
            linestyle="none",
        )
        ax.plot(layers, path, linestyle=style, color=COLOURS[colour])
        write_beside(f"σ = {sigma:g}", (layers[-1], path[-1]), ax, colour=colour, right=9)
    ax.set(yscale="log", xlabel="hidden layer", ylabel="length q", xlim=(0.5, layers[-1] * 1.13))
    ax.set_xticks([1, *range(5, layers[-1] + 1, 5)])
    return figure


@described(
    "05a.maps",
    "Above the edge, the map crosses the diagonal below 1",
    """The cosine in the next layer against the cosine in this one, three curves over a dashed diagonal. At σ_w = 0.8
    the curve lies above the diagonal and meets it at 1 only. At 1.5 it hugs the diagonal and crosses it far up, at 4
    near the lower end, where each has a mark; then both run below it, up to 1.
    """,
)
def cosine_maps(maps: Mapping[float, ArrayLike], cosines: ArrayLike) -> Figure:
    """Return one step of the cosine map for up to three σ_w: maps [n] over cosines [n], and where each of them rests.

    Raises ValueError for more.
    """
    if len(maps) > len(LOOKS) - 1:
        raise ValueError(f"maps has {len(maps)} σ_w: wanted at most {len(LOOKS) - 1}")
    figure, ax = plt.subplots(figsize=(5.4, 4.6))
    ax.plot([0, 1], [0, 1], color=COLOURS["grey"], linestyle="--", linewidth=1)
    for (style, colour), (sigma, after) in zip(LOOKS, maps.items(), strict=False):
        ax.plot(cosines, after, linestyle=style[1:], color=COLOURS[colour], label=f"σ_w = {sigma:g}")
        rest = meanfield.c_star(sigma, theory.SIGMA_B, theory.ACTIVATION)
        ax.plot(rest, rest, style[0], color=COLOURS[colour], markersize=8)
    ax.set(xlabel="cosine in one layer", ylabel="cosine in the next layer", xlim=(0, 1.03), ylim=(0, 1.03))
    ax.legend(loc="lower right")
    return figure


@described("05a.biases", "Larger biases push the edge of chaos to larger weights")
def phases() -> Figure:
    """A map over σ_w, from 0.2 to 4, and σ_b, from 0 to 1.5, in colours from purple, ordered, on the left to orange,
    chaotic, on the right. A black line, the edge, parts them: it starts at σ_w = 1 and σ_b = 0 and leans to the right
    as σ_b grows.
    """
    sigma_w, sigma_b = np.linspace(0.2, 4, 60), np.linspace(0, 1.5, 40)
    figure, ax = plt.subplots(figsize=(6, 4.2))
    critical = [meanfield.critical_sigma_w(b, theory.ACTIVATION) for b in sigma_b]
    plot_phase_diagram(meanfield.phase_diagram(sigma_w, sigma_b, theory.ACTIVATION), critical, ax=ax)
    return figure


@described("05a.width", "The error falls with the width; where lengths fade, it grows with depth")
def width_errors_drawn(record: Data) -> Figure:
    """Two panels of the relative error of the length against widths from 5 to 1,000, both axes logarithmic, for layers
    1, 5 and 20, with a dotted line at a tenth. All lines fall straight. In the chaotic phase the three lie close
    together. At σ_w = 1 without biases they lie apart, layer 20 above layer 5 above layer 1.
    """
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.9), sharey=True)
    for ax, setting in zip(axes, (theory.CHAOTIC, theory.FADING), strict=True):
        for (style, colour), layer in zip(LOOKS, (1, 5, 20), strict=False):
            estimates = [median(theory.error(record, "length", setting, width, layer)) for width in theory.WIDTHS]
            plot_estimates(theory.WIDTHS, estimates, label=f"layer {layer}", style=style, colour=colour, ax=ax)
        ax.set_title(_named(setting))
        ax.axhline(0.1, color=COLOURS["grey"], linewidth=1, linestyle=":")
        _width_axis(ax)
    axes[0].set_ylabel("relative error of the length")
    axes[1].legend(loc="upper right")
    return figure


@described("05a.angles", "Angles: theory needs the widest networks where lengths fade")
def angle_errors(record: Data) -> Figure:
    """The error of the cosine in layer 20 against widths from 5 to 1,000. Three lines fall: that for σ_w = 1 without
    biases lies highest, the chaotic phase below it, the edge with biases lower again. The ordered phase lies along 0
    all the way.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.9))
    settings = (theory.FADING, theory.CHAOTIC, theory.EDGE, theory.ORDERED)
    for (style, colour), setting in zip(LOOKS, settings, strict=True):
        estimates = [median(theory.error(record, "cosine", setting, width)) for width in theory.WIDTHS]
        label = f"{setting}: {_named(setting)}"
        plot_estimates(theory.WIDTHS, estimates, label=label, style=style, colour=colour, ax=ax)
    _width_axis(ax)
    ax.set(yscale="linear", ylabel="error of the cosine", ylim=(-0.02, 1))
    ax.legend(loc="upper right")
    return figure


@described("05a.narrow", "Width 500 stretches a gap as χ₁ says; width 5 shrinks it")
def stretched(record: Data) -> Figure:
    """The logarithm of the stretch against σ_w. A black line, theory, rises from below 0 to above 0. Points of width
    500 lie on it. Those of width 20 lie below it and cross 0 at a larger σ_w. Those of width 5 lie below 0 everywhere.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.9))
    sigmas = np.linspace(0.7, 4.1, 60)
    ax.plot(sigmas, [theory.exponent(sigma) for sigma in sigmas], color="black", linestyle="-")
    ax.annotate("½ log χ₁", (3, theory.exponent(3)), xytext=(-8, 8), textcoords="offset points", ha="right")
    ax.axhline(0, color=COLOURS["grey"], linewidth=1)
    for (style, colour), width in zip(LOOKS, (theory.STRETCHED_WIDTHS[-1], 20, theory.NARROW), strict=False):
        estimates = [median(record["gap"].sel(sigma=sigma, width=width)) for sigma in theory.STRETCHED]
        plot_estimates(theory.STRETCHED, estimates, style=style[0], colour=colour, ax=ax)
        write_beside(f"width {width}", (theory.STRETCHED[-1], estimates[-1].value), ax, colour=colour, right=9, up=-9)
    ax.set(xlabel="σ_w, spread of weights", ylabel="log of the stretch in a layer", xlim=(0.6, 4.7))
    return figure


@described("05a.curves", "In chaos, a curve grows by the same factor in every layer")
def curves(grown: Mapping[float, Sequence[float]]) -> Figure:
    """The length of a circle's image on a logarithmic axis against layers, for three σ_w, measured points on lines. At
    0.8 it shrinks from layer to layer, at 1.5 it hardly changes, at 2.5 it grows along a straight line.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.9))
    for (style, colour), (sigma, lengths_of) in zip(LOOKS, grown.items(), strict=False):
        ratio, settled = np.asarray(lengths_of) / lengths_of[0], theory.CURVE[0]
        layers = np.arange(1, len(ratio) + 1)
        growth = sqrt(meanfield.chi_1(sigma, theory.SIGMA_B, theory.ACTIVATION)) ** (layers - settled)
        ax.plot(layers, ratio, style[0], color=COLOURS[colour], linestyle="none")
        ax.plot(layers, ratio[settled - 1] * growth, style[1:], color=COLOURS[colour])
        write_beside(f"σ_w = {sigma:g}", (layers[-1], ratio[-1]), ax, colour=colour, right=9)
    ax.set(yscale="log", xlabel="hidden layer", ylabel="length of the curve", xlim=(0.7, layers[-1] * 1.17))
    ax.set_xticks([1, *range(4, layers[-1] + 1, 4)])
    return figure


@described("05a.reach", "Angles last longest near the edge")
def reaches_drawn(record: Data) -> Figure:
    """Layers until a difference has shrunk to 1/e, on a logarithmic axis, against σ_w. The line for lengths stays near
    one layer. The line for angles rises to infinity at the edge from both sides. A black line, the map fitted over the
    same layers as networks are, leaves it near the edge and passes at about nine layers. Points follow the lines for
    lengths and for the fitted map.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4))
    # not on the edge itself, where a line that ends in infinity has no top
    sides = np.linspace(0.5, theory.CRITICAL - 0.02, 80), np.linspace(theory.CRITICAL + 0.02, 4, 80)
    for (style, colour), of in zip(LOOKS, theory.FORGOTTEN, strict=False):
        for side in sides if of == theory.ANGLES else [np.concatenate(sides)]:
            ax.plot(side, [theory.reach_in_theory(sigma, of) for sigma in side], style[1:], color=COLOURS[colour])
        estimates = [median(theory.reach(record, sigma, of)) for sigma in theory.REACHED]
        plot_estimates(theory.REACHED, estimates, style=style[0], colour=colour, ax=ax)
    fitted = np.linspace(0.5, 4, 50)
    ax.plot(fitted, [theory.reach_by_map(sigma) for sigma in fitted], "--", color="black", linewidth=1.2)
    write_beside("the map, fitted alike", (theory.CRITICAL, theory.reach_by_map(theory.CRITICAL)), ax, right=8, up=-30)
    ax.axvline(theory.CRITICAL, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.annotate("edge", (theory.CRITICAL, 0.36), xytext=(5, 0), textcoords="offset points", color=COLOURS["grey"])
    last = theory.REACHED[-1]
    for words, of, colour in (("angles, ξ_c", theory.ANGLES, "blue"), ("lengths, ξ_q", theory.LENGTHS, "green")):
        write_beside(words, (last, theory.reach_in_theory(last, of)), ax, colour=colour, right=9)
    ax.set(yscale="log", ylim=(0.3, 100), xlim=(0.4, 4.65), xlabel="σ_w, spread of weights", ylabel="layers to 1/e")
    ax.yaxis.set_major_locator(FixedLocator([1, 10, 100]))
    ax.yaxis.set_major_formatter(FixedFormatter(["1", "10", "100"]))
    return figure


@described("05.card", "Lesson 05 on a card")
def card() -> Figure:
    """Left, χ₁ against σ: without biases it rises through 1 at σ = 1, and with biases further right. Right, four lines:
    the length map; how a small gap grows from layer to layer; that the same function has the same weights, up to order
    and signs; and that an error belongs beside that of a linear map.
    """
    lines = (
        r"length:  $q \to \sigma^2\, E[\tanh(\sqrt{q}\, z)^2] + \sigma_b^2$",
        r"a small gap grows by $\sqrt{\chi_1}$ a layer, $\chi_1 = \sigma^2\, E[\tanh'(\sqrt{q^*}\, z)^2]$",
        "a recovered student has the teacher's weights, up to order and signs",
        "beside every error, that of a linear map",
    )
    sigmas = np.linspace(0.4, 3, 53)
    figure, ax = plot_card(lines, wider=1.5, size=10.5)
    looks = ((0.0, "-", "blue", "no biases", (1.9, 1.6)), (0.3, "--", "red", "$\\sigma_b = 0.3$", (2.95, 1.22)))
    for sigma_b, style, colour, words, place in looks:
        chi = [meanfield.chi_1(sigma, sigma_b, theory.ACTIVATION) for sigma in sigmas]
        ax.plot(sigmas, chi, style, color=COLOURS[colour])
        ax.text(*place, words, ha="right", color=COLOURS[colour])
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.set(xlabel="σ", ylabel="χ₁", title="ordered below 1, chaotic above")
    return figure


# --- what `reveal` says -----------------------------------------------------------------------------------


def angle_answer(cosine: float) -> dict[str, float]:
    """Return what `reveal` says of two inputs at 60° after many layers: the angle, in degrees, of the cosine."""
    return {"angle": degrees(acos(cosine))}


def width_answer(record: Data, most: float = 0.1) -> dict[str, float]:
    """Return what `reveal` says of widths: at which the median error, on a line between those measured, is 0.1."""
    errors = [float(theory.error(record, "length", theory.CHAOTIC, width).median()) for width in theory.WIDTHS]
    least = np.exp(np.interp(-np.log(most), -np.log(errors), np.log(theory.WIDTHS), right=np.inf))
    return {"least": float(least), "hundred": errors[theory.WIDTHS.index(100)]}


def narrow_answer(record: Data) -> dict[str, Estimate | float]:
    """Return what `reveal` says of the Lyapunov exponent at width 5, σ_w = 2.5: measured and in theory."""
    measured = median(record["gap"].sel(sigma=2.5, width=theory.NARROW))
    return {"measured": measured, "theory": theory.exponent(2.5)}


def reach_answer(record: Data) -> dict[str, float]:
    """Return what `reveal` says of angles: their depth scale at the edge and above it, measured, by map, in theory."""
    edge, beside = (float(theory.reach(record, sigma).median()) for sigma in (theory.CRITICAL, theory.BESIDE))
    by_map = theory.reach_by_map(theory.CRITICAL), theory.reach_by_map(theory.BESIDE)
    return {
        "edge": edge,
        "beside": beside,
        "sigma": theory.BESIDE,
        "theory": theory.reach_in_theory(theory.BESIDE),
        **dict(zip(("map", "map_beside"), by_map, strict=True)),
    }


# --- parts of figures -------------------------------------------------------------------------------------


def _named(setting: str) -> str:
    sigma_w, sigma_b = theory.SETTINGS[setting]
    return f"σ_w = {sigma_w:.3g}, " + (f"σ_b = {sigma_b:g}" if sigma_b else "no biases")


def _width_axis(ax: Axes) -> None:
    ax.set(xscale="log", yscale="log", xlabel="width")
    ax.xaxis.set_major_locator(FixedLocator(theory.WIDTHS))
    ax.xaxis.set_major_formatter(FixedFormatter([f"{width:,}" for width in theory.WIDTHS]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.tick_params(axis="x", labelrotation=45)
