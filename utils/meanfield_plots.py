"""Figures of signal propagation: cobwebs of the two maps, and the phase diagram. They draw what they are given."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.meanfield import PhaseDiagram

LEVELS = 41
PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 2}  # below words on lines and colours
LOG_CHI_SHOWN = 1.0  # |log10 χ_1|: beyond it the colour says no more


def plot_length_map(
    q: ArrayLike, stepped: ArrayLike, path: ArrayLike = (), *, fixed: float | None = None, ax: Axes | None = None
) -> Axes:
    """Return axes with the length map, the diagonal, and the cobweb of ``path``.

    q, stepped: [n], lengths and where one step takes them (`length_map`). path: [k], lengths layer after layer
    (`lengths`), drawn as a staircase. fixed: q*, marked where it is finite.
    """
    return _plot_map(q, stepped, path, fixed, "q*", ax, ("length q in layer l", "length q in layer l + 1"))


def plot_correlation_map(
    c: ArrayLike, stepped: ArrayLike, path: ArrayLike = (), *, fixed: float | None = None, ax: Axes | None = None
) -> Axes:
    """Return axes with the correlation map, the diagonal, and the cobweb of ``path``.

    c, stepped: [n], correlations and where one step takes them (`correlation_map`). path: [k], correlations layer after
    layer at one length, drawn as a staircase. fixed: c*, marked where it is a number.
    """
    labels = ("correlation c in layer l", "correlation c in layer l + 1")
    return _plot_map(c, stepped, path, fixed, "c*", ax, labels)


def plot_phase_diagram(diagram: PhaseDiagram, critical: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Return axes with log10 χ_1 over (σ_w, σ_b): purple ordered, orange chaotic, the critical line in black.

    critical: [len(diagram.sigma_b)], σ_w on the critical line (`critical_sigma_w`), nan where there is none. Cells
    without a finite q* are hatched.
    """
    ax = ax or plt.subplots(figsize=(5.2, 4))[1]
    with np.errstate(divide="ignore"):
        colour = np.clip(np.log10(diagram.chi_1), -LOG_CHI_SHOWN, LOG_CHI_SHOWN)
    filled = ax.contourf(
        diagram.sigma_w, diagram.sigma_b, colour, np.linspace(-LOG_CHI_SHOWN, LOG_CHI_SHOWN, LEVELS),
        cmap="PuOr_r", norm=TwoSlopeNorm(0, -LOG_CHI_SHOWN, LOG_CHI_SHOWN),
    )
    bar = ax.figure.colorbar(filled, ax=ax, ticks=[-1, -0.5, 0, 0.5, 1], label="log10 χ₁")
    bar.ax.set_yticklabels(["≤ −1", "−0.5", "0", "0.5", "≥ 1"])
    _hatch_unbounded(diagram, ax)
    _critical_line(diagram, critical, ax)
    _name_phases(diagram, ax)
    ax.set(xlabel="σ_w, spread of weights", ylabel="σ_b, spread of biases")
    ax.grid(False)
    return ax


def _plot_map(
    x: ArrayLike, y: ArrayLike, path: ArrayLike, fixed: float | None, name: str, ax: Axes | None,
    labels: tuple[str, str],
) -> Axes:
    ax = ax or plt.subplots(figsize=(4, 4))[1]
    x, y, path = np.asarray(x, dtype=float), np.asarray(y, dtype=float), np.asarray(path, dtype=float)
    ax.plot(x, x, color=COLOURS["grey"], linestyle="--", linewidth=1, label="unchanged")
    ax.plot(x, y, color=COLOURS["blue"], linestyle="-", label="map")
    if len(path) > 1:
        corners = np.repeat(path, 2)
        ax.plot(corners[:-1], corners[1:], color=COLOURS["orange"], linestyle="-", linewidth=1)
        ax.plot(path[0], path[0], "s", color=COLOURS["orange"], markersize=5, linestyle="none", label="start")
    if fixed is not None and math.isfinite(fixed):
        ax.plot(fixed, fixed, "o", color=COLOURS["red"], markersize=7, linestyle="none")
        inwards = {"xytext": (-10, 2), "ha": "right"} if fixed > x.max() - 0.3 * np.ptp(x) else {"xytext": (8, -12)}
        ax.annotate(f"{name} = {fixed:.3g}", (fixed, fixed), textcoords="offset points", bbox=PAPER, **inwards)
    ax.set(xlabel=labels[0], ylabel=labels[1])
    ax.set_aspect("equal", adjustable="box")
    ax.legend(loc="lower right")
    return ax


def _hatch_unbounded(diagram: PhaseDiagram, ax: Axes) -> None:
    unbounded = (~np.isfinite(diagram.q_star)).astype(float)
    if unbounded.any() and not unbounded.all():
        ax.contourf(diagram.sigma_w, diagram.sigma_b, unbounded, [0.5, 1.5], colors="none", hatches=["///"])


def _critical_line(diagram: PhaseDiagram, critical: ArrayLike, ax: Axes) -> None:
    at = np.asarray(critical, dtype=float)
    shown = np.isfinite(at) & (at >= diagram.sigma_w.min()) & (at <= diagram.sigma_w.max())
    points = np.column_stack([at[shown], diagram.sigma_b[shown]])
    ax.plot(*points.T, color=COLOURS["black"], linestyle="-", linewidth=2)
    if len(points):
        place = points[np.argsort(points[:, 1])][len(points) * 3 // 4]
        text = {"ha": "right", "color": COLOURS["black"], "bbox": PAPER}
        ax.annotate("critical, χ₁ = 1", place, (-8, 6), textcoords="offset points", **text)


def _name_phases(diagram: PhaseDiagram, ax: Axes) -> None:
    low = diagram.sigma_b.min() + 0.25 * np.ptp(diagram.sigma_b)
    row = np.abs(diagram.sigma_b - low).argmin()
    for name, inside in (("ordered", diagram.chi_1[row] < 1), ("chaotic", diagram.chi_1[row] > 1)):
        if inside.any():
            ax.text(diagram.sigma_w[inside].mean(), low, name, ha="center", fontweight="bold", bbox=PAPER)
