"""The phase diagram of signal propagation; it draws what it is given."""

from __future__ import annotations

from typing import Any

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


def plot_phase_diagram(diagram: PhaseDiagram, critical: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Return axes with log10 χ_1 over (σ_w, σ_b): purple ordered, orange chaotic, the critical line in black.

    critical: [len(diagram.sigma_b)], σ_w on the critical line (`critical_sigma_w`), nan where there is none. Cells
    without a finite q* are hatched.
    """
    ax = ax or plt.subplots(figsize=(5.2, 4))[1]
    with np.errstate(divide="ignore"):
        colour = np.clip(np.log10(diagram.chi_1), -LOG_CHI_SHOWN, LOG_CHI_SHOWN)
    filled = ax.contourf(
        diagram.sigma_w,
        diagram.sigma_b,
        colour,
        np.linspace(-LOG_CHI_SHOWN, LOG_CHI_SHOWN, LEVELS),
        cmap="PuOr_r",
        norm=TwoSlopeNorm(0, -LOG_CHI_SHOWN, LOG_CHI_SHOWN),
    )
    bar = ax.figure.colorbar(filled, ax=ax, ticks=[-1, -0.5, 0, 0.5, 1], label="log10 χ₁")
    bar.ax.set_yticklabels(["≤ −1", "−0.5", "0", "0.5", "≥ 1"])
    _hatch_unbounded(diagram, ax)
    _critical_line(diagram, critical, ax)
    _name_phases(diagram, ax)
    ax.set(xlabel="σ_w, spread of weights", ylabel="σ_b, spread of biases")
    ax.grid(False)
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
        text: dict[str, Any] = {"ha": "right", "color": COLOURS["black"], "bbox": PAPER}
        ax.annotate("critical, χ₁ = 1", place, (-8, 6), textcoords="offset points", **text)


def _name_phases(diagram: PhaseDiagram, ax: Axes) -> None:
    low = diagram.sigma_b.min() + 0.25 * np.ptp(diagram.sigma_b)
    row = np.abs(diagram.sigma_b - low).argmin()
    for name, inside in (("ordered", diagram.chi_1[row] < 1), ("chaotic", diagram.chi_1[row] > 1)):
        if inside.any():
            ax.text(diagram.sigma_w[inside].mean(), low, name, ha="center", fontweight="bold", bbox=PAPER)
