"""The phase diagram against integrating each cell by SciPy."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.integrate
import scipy.optimize

from benchmarks import timed
from utils import meanfield
from utils.meanfield import chi_1, phase_diagram, q_star

CELLS = 200
SIGMA_W, SIGMA_B = (0.02, 4.0), (0.0, 2.0)


def measure(full: bool = False) -> dict[str, Any]:
    """Return times in seconds, their ratios, and errors: the figures that `show` prints.

    quick: 6 cells by SciPy, 3 diagrams; full: 60 cells, 7 diagrams. One side after the other, in turns, so that both
    meet the same load; medians.
    """
    rng = np.random.default_rng(0)
    samples = [(rng.uniform(*SIGMA_W), rng.uniform(0.05, SIGMA_B[1])) for _ in range(60 if full else 6)]
    diagrams, cells, loops, differences = [], [], [], []
    for i, (sigma_w, sigma_b) in enumerate(samples):
        if i % max(1, len(samples) // (7 if full else 3)) == 0:
            diagrams.append(timed(_diagram)[0])
        seconds, by_scipy = timed(lambda w=sigma_w, b=sigma_b: _cell_by_scipy(w, b))
        cells.append(seconds)
        seconds, own = timed(lambda w=sigma_w, b=sigma_b: (q_star(w, b, "tanh"), chi_1(w, b, "tanh")))
        loops.append(seconds)
        differences.append(np.abs(np.divide(own, by_scipy) - 1).max())
    diagram = statistics.median(diagrams)
    return {
        "cells": CELLS**2,
        "diagram_seconds": diagram,
        "scipy_cells_measured": len(samples),
        "scipy_seconds_per_cell": statistics.median(cells),
        "scipy_seconds_extrapolated": statistics.mean(cells) * CELLS**2,
        "own_loop_seconds_extrapolated": statistics.mean(loops) * CELLS**2,
        "ratio_to_scipy": statistics.mean(cells) * CELLS**2 / diagram,
        "ratio_to_own_loop": statistics.mean(loops) * CELLS**2 / diagram,
        "largest_difference": float(max(differences)),
    }


def show(figures: dict[str, Any]) -> str:
    """Return the figures of `measure` in words and a table."""
    lines = [
        f"phase diagram, tanh, {figures['cells']:,} cells: {figures['diagram_seconds']:.2f} s",
        f"scipy.integrate.quad in each cell: {figures['scipy_seconds_per_cell'] * 1000:.0f} ms a cell (median), "
        f"{figures['scipy_seconds_extrapolated'] / 60:.0f} min for all,",
        f"  extrapolated from {figures['scipy_cells_measured']} cells drawn at random; ratio "
        f"{figures['ratio_to_scipy']:,.0f}",
        f"q_star and chi_1 in a loop: {figures['own_loop_seconds_extrapolated']:.0f} s for all, likewise; "
        f"ratio {figures['ratio_to_own_loop']:,.0f}",
        f"largest relative difference to SciPy in q* or χ₁: {figures['largest_difference']:.0e}",
    ]
    return "\n".join(lines)


def _diagram() -> None:
    meanfield._table.cache_clear()  # a first call, as a reader meets it
    phase_diagram(np.linspace(*SIGMA_W, CELLS), np.linspace(*SIGMA_B, CELLS), "tanh")


def _cell_by_scipy(sigma_w: float, sigma_b: float) -> tuple[float, float]:
    """Return q* and χ₁ as one would write them at first: adaptive integrals inside a root finder."""

    def average(function: Callable[[float], float]) -> float:
        density = lambda z: math.exp(-z * z / 2) / math.sqrt(2 * math.pi)  # noqa: E731
        return scipy.integrate.quad(lambda z: density(z) * function(z), -9, 9, epsabs=1e-9, epsrel=1e-9, limit=200)[0]

    def excess(q: float) -> float:
        return sigma_w**2 * average(lambda z: math.tanh(math.sqrt(q) * z) ** 2) + sigma_b**2 - q

    q = scipy.optimize.brentq(excess, 1e-6, sigma_w**2 + sigma_b**2 + 1, xtol=1e-12)
    return q, sigma_w**2 * average(lambda z: (1 - math.tanh(math.sqrt(q) * z) ** 2) ** 2)
