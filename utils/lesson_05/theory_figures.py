"""The figures of lesson 05 about signals in random networks, in theory and measured, and what `reveal` says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import acos, degrees, sqrt

import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import FloatSlider, Widget
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.lesson_05.theory import (
    ACTIVATION,
    ANGLES,
    BESIDE,
    CHAOTIC,
    CRITICAL,
    CURVE,
    EDGE,
    FADING,
    FORGOTTEN,
    LENGTHS,
    NARROW,
    ORDERED,
    REACHED,
    SETTINGS,
    SIGMA_B,
    STRETCHED,
    STRETCHED_WIDTHS,
    WIDTHS,
    cosine_error,
    exponent,
    length_error,
    reach,
    reach_in_theory,
    stretch_error,
)
from utils.meanfield import (
    c_star,
    chi_1,
    correlation_map,
    critical_sigma_w,
    length_map,
    lengths,
    phase,
    phase_diagram,
    q_star,
)
from utils.meanfield_plots import plot_correlation_map, plot_length_map, plot_phase_diagram
from utils.plots import plot_card, plot_estimates, write_beside
from utils.statistics import Estimate, mean, median
from utils.types import Data

LOOKS = (("o-", "blue"), ("v--", "green"), ("s-.", "orange"), ("^:", "red"))
DEPTH = 20  # layers of a cobweb
START = 0.5  # cosine
NEAR_ZERO = 1e-3  # the length for whose cosines a map is drawn where q* is 0


def length_paths(measured: Mapping[float, ArrayLike], theory: Mapping[float, ArrayLike]) -> Figure:
    """Lengths layer by layer, for up to four σ: theory [layers] as lines, networks [networks, layers] as points.

    Raises ValueError where the two are not of the same σ, or there are more than four.
    """
    if set(measured) != set(theory) or len(theory) > len(LOOKS):
        raise ValueError(f"measured has σ {list(measured)}, theory {list(theory)}: wanted the same, at most four")
    figure, ax = plt.subplots(figsize=(8, 4))
    for (style, colour), sigma in zip(LOOKS, theory, strict=False):
        path, networks = np.asarray(theory[sigma]), np.asarray(measured[sigma])
        layers = np.arange(1, len(path) + 1)
        ax.plot(np.tile(layers, len(networks)), networks.ravel(), style[0], color=COLOURS[colour], markersize=3,
                alpha=0.35, linestyle="none")  # fmt: skip
        ax.plot(layers, path, linestyle=style[1:], color=COLOURS[colour])
        write_beside(f"σ = {sigma:g}", (layers[-1], path[-1]), ax, colour=colour, right=9)
    ax.set(yscale="log", xlabel="hidden layer", ylabel="length q", xlim=(0.5, layers[-1] * 1.13))
    ax.set_xticks([1, *range(5, layers[-1] + 1, 5)])
    return figure


def cobweb(*, sigma: float, sigma_b: float) -> tuple[Figure, str]:
    """Return both maps with the path of 20 layers on each, and what comes of them in words."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 4.3))
    q, path = q_star(sigma, sigma_b, ACTIVATION), lengths(DEPTH, sigma, sigma_b, ACTIVATION)
    q_axis = np.linspace(0, 1.25 * max(q, path[0]), 120)
    plot_length_map(q_axis, length_map(q_axis, sigma, sigma_b, ACTIVATION), path, fixed=q, ax=left)
    c_axis = np.linspace(-1, 1, 201)
    after = correlation_map(c_axis, sigma, sigma_b, ACTIVATION, q=q or NEAR_ZERO)
    cosines = [START]
    while len(cosines) < DEPTH:
        cosines.append(np.interp(cosines[-1], c_axis, after))
    fixed = c_star(sigma, sigma_b, ACTIVATION) if q else None
    plot_correlation_map(c_axis, after, cosines, fixed=fixed, ax=right)
    left.set_title("lengths")
    right.set_title("correlations, at q*" if q else "correlations, near q* = 0")
    return figure, cobweb_words(sigma, sigma_b)


def cobweb_words(sigma: float, sigma_b: float) -> str:
    """Return q*, χ₁, the verdict and c* in words."""
    q, chi = q_star(sigma, sigma_b, ACTIVATION), chi_1(sigma, sigma_b, ACTIVATION)
    said = f"q* = {q:.3f}, χ₁ = {chi:.3f}: <b>{phase(sigma, sigma_b, ACTIVATION)}</b>. "
    if q == 0:
        return f"{said}All lengths shrink to 0, so in the end there is no angle to speak of."
    return f"{said}c* = {c_star(sigma, sigma_b, ACTIVATION):.3f}."


def cobweb_controls() -> dict[str, Widget]:
    """Return the controls of `cobweb`, by name."""
    return {
        "sigma": FloatSlider(2.5, min=0.2, max=4.0, step=0.1, description="σ, of the weights"),
        "sigma_b": FloatSlider(SIGMA_B, min=0.0, max=1.0, step=0.1, description="σ_b, of the biases"),
    }


def cosine_maps(maps: Mapping[float, ArrayLike], cosines: ArrayLike) -> Figure:
    """One step of the cosine map for up to three σ_w: maps [n] over cosines [n], and where each of them rests."""
    if len(maps) > len(LOOKS) - 1:
        raise ValueError(f"maps has {len(maps)} σ_w: wanted at most {len(LOOKS) - 1}")
    figure, ax = plt.subplots(figsize=(5.4, 4.6))
    ax.plot([0, 1], [0, 1], color=COLOURS["grey"], linestyle="--", linewidth=1)
    for (style, colour), (sigma, after) in zip(LOOKS, maps.items(), strict=False):
        ax.plot(cosines, after, linestyle=style[1:], color=COLOURS[colour], label=f"σ_w = {sigma:g}")
        rest = c_star(sigma, SIGMA_B, ACTIVATION)
        ax.plot(rest, rest, style[0], color=COLOURS[colour], markersize=8)
    ax.set(xlabel="cosine in one layer", ylabel="cosine in the next layer", xlim=(0, 1.03), ylim=(0, 1.03))
    ax.legend(loc="lower right")
    return figure


def phases() -> Figure:
    """The phase diagram over σ_w and σ_b, with the settings of the page's networks."""
    sigma_w, sigma_b = np.linspace(0.2, 4, 60), np.linspace(0, 1.5, 40)
    figure, ax = plt.subplots(figsize=(6, 4.2))
    plot_phase_diagram(
        phase_diagram(sigma_w, sigma_b, ACTIVATION), [critical_sigma_w(b, ACTIVATION) for b in sigma_b], ax=ax
    )
    return figure


def width_errors_drawn(record: Data) -> Figure:
    """The relative error of lengths against width, in layers 1, 5 and 20: in the chaotic phase, and fading."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.9), sharey=True)
    for ax, setting in zip(axes, (CHAOTIC, FADING), strict=True):
        for (style, colour), layer in zip(LOOKS, (1, 5, 20), strict=False):
            estimates = [median(length_error(record, setting, width, layer)) for width in WIDTHS]
            plot_estimates(WIDTHS, estimates, label=f"layer {layer}", style=style, colour=colour, ax=ax)
        ax.set_title(_named(setting))
        ax.axhline(0.1, color=COLOURS["grey"], linewidth=1, linestyle=":")
        _width_axis(ax)
    axes[0].set_ylabel("relative error of the length")
    axes[1].legend(loc="upper right")
    return figure


def angle_errors(record: Data) -> Figure:
    """The error of the cosine in layer 20 against width, for the four settings."""
    figure, ax = plt.subplots(figsize=(8, 3.8))
    for (style, colour), setting in zip(LOOKS, (FADING, CHAOTIC, EDGE, ORDERED), strict=True):
        estimates = [median(cosine_error(record, setting, width)) for width in WIDTHS]
        label = f"{setting}: {_named(setting)}"
        plot_estimates(WIDTHS, estimates, label=label, style=style, colour=colour, ax=ax)
    _width_axis(ax)
    ax.set(yscale="linear", ylabel="error of the cosine", ylim=(-0.02, 1))
    ax.legend(loc="upper right")
    return figure


def stretched(record: Data) -> Figure:
    """The Lyapunov exponent against σ_w: theory as a line, networks of three widths as points."""
    figure, ax = plt.subplots(figsize=(8, 3.9))
    sigmas = np.linspace(0.7, 4.1, 60)
    ax.plot(sigmas, [exponent(sigma) for sigma in sigmas], color="black", linestyle="-")
    ax.annotate("½ log χ₁", (3, exponent(3)), xytext=(-8, 8), textcoords="offset points", ha="right")
    ax.axhline(0, color=COLOURS["grey"], linewidth=1)
    for (style, colour), width in zip(LOOKS, (STRETCHED_WIDTHS[-1], 20, NARROW), strict=False):
        off = stretch_error(record, "gap", width)
        estimates = [median(off.sel(sigma=sigma) + exponent(sigma)) for sigma in STRETCHED]
        plot_estimates(STRETCHED, estimates, style=style[0], colour=colour, ax=ax)
        write_beside(f"width {width}", (STRETCHED[-1], estimates[-1].value), ax, colour=colour, right=9, up=-9)
    ax.set(xlabel="σ_w, spread of weights", ylabel="log of the stretch in a layer", xlim=(0.6, 4.7))
    return figure


def curves(grown: Mapping[float, Sequence[float]]) -> Figure:
    """The lengths of a circle's images, layer by layer, as points, and a growth by √χ₁ through the fourth of them."""
    figure, ax = plt.subplots(figsize=(8, 3.9))
    for (style, colour), (sigma, lengths_of) in zip(LOOKS, grown.items(), strict=False):
        ratio, settled = np.asarray(lengths_of) / lengths_of[0], CURVE[0]
        layers = np.arange(1, len(ratio) + 1)
        growth = sqrt(chi_1(sigma, SIGMA_B, ACTIVATION)) ** (layers - settled)
        ax.plot(layers, ratio, style[0], color=COLOURS[colour], linestyle="none")
        ax.plot(layers, ratio[settled - 1] * growth, style[1:], color=COLOURS[colour])
        write_beside(f"σ_w = {sigma:g}", (layers[-1], ratio[-1]), ax, colour=colour, right=9)
    ax.set(yscale="log", xlabel="hidden layer", ylabel="length of the curve", xlim=(0.7, layers[-1] * 1.17))
    ax.set_xticks([1, *range(4, layers[-1] + 1, 4)])
    return figure


def reaches_drawn(record: Data) -> Figure:
    """The depth scales of angles and of lengths against σ_w: theory as lines, networks as points."""
    figure, ax = plt.subplots(figsize=(8, 4))
    # not on the edge itself, where a line that ends in infinity has no top
    sides = np.linspace(0.5, CRITICAL - 0.02, 80), np.linspace(CRITICAL + 0.02, 4, 80)
    for (style, colour), of in zip(LOOKS, FORGOTTEN, strict=False):
        for side in sides if of == ANGLES else [np.concatenate(sides)]:
            ax.plot(side, [reach_in_theory(sigma, of) for sigma in side], style[1:], color=COLOURS[colour])
        estimates = [median(reach(record, sigma, of)) for sigma in REACHED]
        plot_estimates(REACHED, estimates, style=style[0], colour=colour, ax=ax)
    ax.axvline(CRITICAL, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.annotate("edge", (CRITICAL, 0.36), xytext=(5, 0), textcoords="offset points", color=COLOURS["grey"])
    ends = {"angles, ξ_c": (ANGLES, "blue"), "lengths, ξ_q": (LENGTHS, "green")}
    for words, (of, colour) in ends.items():
        write_beside(words, (REACHED[-1], reach_in_theory(REACHED[-1], of)), ax, colour=colour, right=9)
    ax.set(yscale="log", ylim=(0.3, 100), xlim=(0.4, 4.65), xlabel="σ_w, spread of weights", ylabel="layers to 1/e")
    ax.yaxis.set_major_locator(FixedLocator([1, 10, 100]))
    ax.yaxis.set_major_formatter(FixedFormatter(["1", "10", "100"]))
    return figure


def card() -> Figure:
    """χ₁ against σ, with biases and without, and four lines."""
    lines = (
        r"length:  $q \to \sigma^2\, E[\tanh(\sqrt{q}\, z)^2] + \sigma_b^2$",
        r"a small gap grows by $\sqrt{\chi_1}$ a layer, $\chi_1 = \sigma^2\, E[\tanh'(\sqrt{q^*}\, z)^2]$",
        "a recovered student has the teacher's weights, up to order and signs",
        "beside every error, that of a linear map",
    )
    sigmas = np.linspace(0.4, 3, 53)
    figure, ax = plot_card(lines, wider=1.5, size=10.5)
    for sigma_b, style, colour, words, place in (
        (0.0, "-", "blue", "no biases", (1.9, 1.6)), (SIGMA_B, "--", "red", f"$\\sigma_b = {SIGMA_B}$", (2.95, 1.22)),
    ):  # fmt: skip
        ax.plot(sigmas, [chi_1(sigma, sigma_b, ACTIVATION) for sigma in sigmas], style, color=COLOURS[colour])
        ax.text(*place, words, ha="right", color=COLOURS[colour])
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.set(xlabel="σ", ylabel="χ₁", title="ordered below 1, chaotic above")
    return figure


# --- what `reveal` says -----------------------------------------------------------------------------------


def edge_answer() -> dict[str, float]:
    """What `reveal` says of the edge with biases: its σ, and σ_b."""
    return {"edge": critical_sigma_w(SIGMA_B, ACTIVATION), "sigma_b": SIGMA_B}


def angle_answer(cosine: float) -> dict[str, float]:
    """What `reveal` says of two inputs at 60° after many layers: the angle, in degrees, of the cosine."""
    return {"angle": degrees(acos(cosine))}


def width_answer(record: Data, most: float = 0.1) -> dict[str, float]:
    """What `reveal` says of widths: the least measured one at which the median error is at most 0.1, and the errors."""
    errors = {width: float(length_error(record, CHAOTIC, width).median()) for width in WIDTHS}
    enough = [width for width, error in errors.items() if error <= most]
    return {"least": min(enough, default=float("inf")), "hundred": errors[100], "most": most}


def narrow_answer(record: Data) -> dict[str, Estimate | float]:
    """What `reveal` says of the Lyapunov exponent at width 5, σ_w = 2.5: measured and in theory."""
    theory = exponent(2.5)
    return {"measured": mean(stretch_error(record, "gap", NARROW).sel(sigma=2.5) + theory), "theory": theory}


def reach_answer(record: Data) -> dict[str, float]:
    """What `reveal` says of angles: their depth scale at the edge, and a little above it, measured and in theory."""
    edge, beside = (float(reach(record, sigma).median()) for sigma in (CRITICAL, BESIDE))
    return {"edge": edge, "beside": beside, "sigma": BESIDE, "theory": reach_in_theory(BESIDE)}


# --- parts of figures -------------------------------------------------------------------------------------


def _named(setting: str) -> str:
    sigma_w, sigma_b = SETTINGS[setting]
    return f"σ_w = {sigma_w:.3g}, " + (f"σ_b = {sigma_b:g}" if sigma_b else "no biases")


def _width_axis(ax: Axes) -> None:
    ax.set(xscale="log", yscale="log", xlabel="width")
    ax.xaxis.set_major_locator(FixedLocator(WIDTHS))
    ax.xaxis.set_major_formatter(FixedFormatter([f"{width:,}" for width in WIDTHS]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.tick_params(axis="x", labelrotation=45)
