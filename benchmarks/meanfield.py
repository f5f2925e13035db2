"""The phase diagram against integrating each cell by SciPy, and what accuracy costs with Gauss–Hermite."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.integrate
import scipy.optimize

from utils import meanfield
from utils.meanfield import c_star, gauss_hermite, phase_diagram, q_star

CELLS = 200
SIGMA_W, SIGMA_B = (0.02, 4.0), (0.0, 2.0)
ORDERS = (16, 32, 64, 128)
LENGTHS = (0.1, 1.0, 10.0, 100.0)


def measure(full: bool = False) -> dict[str, Any]:
    """Times in seconds, their ratio, and errors: the figures that `show` prints.

    quick: 6 cells by SciPy, 3 diagrams; full: 60 cells, 7 diagrams. One side after the other, in turns, so that both
    meet the same load; medians.
    """
    rng = np.random.default_rng(0)
    samples = [(rng.uniform(*SIGMA_W), rng.uniform(0.05, SIGMA_B[1])) for _ in range(60 if full else 6)]
    diagrams, cells, loops = [], [], []
    errors = {"q": [], "c": []}
    for i, (sigma_w, sigma_b) in enumerate(samples):
        if i % max(1, len(samples) // (7 if full else 3)) == 0:
            diagrams.append(_seconds(_diagram)[0])
        seconds, (q, c) = _seconds(lambda w=sigma_w, b=sigma_b: _cell_by_scipy(w, b))
        cells.append(seconds)
        loops.append(_seconds(lambda w=sigma_w, b=sigma_b: (q_star(w, b, "tanh"), c_star(w, b, "tanh")))[0])
        errors["q"].append(abs(q_star(sigma_w, sigma_b, "tanh") / q - 1))
        errors["c"].append(abs(c_star(sigma_w, sigma_b, "tanh") - c))
    diagram, cell = statistics.median(diagrams), statistics.median(cells)
    return {
        "cells": CELLS**2,
        "diagram_seconds": diagram,
        "scipy_cells_measured": len(samples),
        "scipy_seconds_per_cell": cell,
        "scipy_seconds_extrapolated": statistics.mean(cells) * CELLS**2,
        "own_loop_seconds_extrapolated": statistics.mean(loops) * CELLS**2,
        "ratio_to_scipy": statistics.mean(cells) * CELLS**2 / diagram,
        "ratio_to_own_loop": statistics.mean(loops) * CELLS**2 / diagram,
        "largest_difference_q": max(errors["q"]),
        "largest_difference_c": max(errors["c"]),
        "quadrature": _quadrature(),
    }


def show(figures: dict[str, Any]) -> str:
    """The figures of `measure` in words and a table."""
    lines = [
        f"phase diagram, tanh, {figures['cells']:,} cells: {figures['diagram_seconds']:.2f} s",
        f"scipy.integrate.quad in each cell: {figures['scipy_seconds_per_cell']:.2f} s a cell (median), "
        f"{figures['scipy_seconds_extrapolated'] / 3600:.1f} h for all,",
        f"  extrapolated from {figures['scipy_cells_measured']} cells drawn at random; ratio "
        f"{figures['ratio_to_scipy']:,.0f}",
        f"q_star and c_star in a loop: {figures['own_loop_seconds_extrapolated']:.0f} s for all, likewise; "
        f"ratio {figures['ratio_to_own_loop']:,.0f}",
        f"largest difference to SciPy: q* {figures['largest_difference_q']:.0e} (relative), c* "
        f"{figures['largest_difference_c']:.0e}",
        "",
        "relative error of E[tanh'(√q z)²], by nodes of Gauss–Hermite, and by the module's choice:",
        "    q  " + "".join(f"{order:>9}" for order in ORDERS) + "   module (nodes)",
    ]
    for row in figures["quadrature"]:
        errors = "".join(f"{error:9.0e}" for error in row["hermite"])
        lines.append(f"{row['q']:7g}{errors}{row['module']:9.0e} ({row['nodes']:,})")
    return "\n".join(lines)


def _seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def _diagram() -> None:
    meanfield._table.cache_clear()  # a first call, as a reader meets it
    phase_diagram(np.linspace(*SIGMA_W, CELLS), np.linspace(*SIGMA_B, CELLS), "tanh")


def _cell_by_scipy(sigma_w: float, sigma_b: float) -> tuple[float, float]:
    """q* and c* as one would write them at first: nested adaptive integrals inside a root finder."""

    def density(z: float) -> float:
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    def average(function: Callable[[float], float]) -> float:
        return scipy.integrate.quad(lambda z: density(z) * function(z), -9, 9, epsabs=1e-9, epsrel=1e-9, limit=200)[0]

    def excess(q: float) -> float:
        return sigma_w**2 * average(lambda z: math.tanh(math.sqrt(q) * z) ** 2) + sigma_b**2 - q

    q = scipy.optimize.brentq(excess, 1e-6, sigma_w**2 + sigma_b**2 + 1, xtol=1e-12)
    root = math.sqrt(q)

    def fixed(c: float) -> float:
        across = math.sqrt(1 - c * c)
        product = average(lambda a: math.tanh(root * a) * average(lambda b: math.tanh(root * (c * a + across * b))))
        return (sigma_w**2 * product + sigma_b**2) / q - c

    if sigma_w**2 * average(lambda z: (1 - math.tanh(root * z) ** 2) ** 2) <= 1:
        return q, 1.0
    return q, scipy.optimize.brentq(fixed, 0, 1 - 1e-4, xtol=1e-8)


def _quadrature() -> list[dict[str, Any]]:
    """Errors against a rule with many more nodes than any in use."""
    activation = meanfield.ACTIVATIONS["tanh"]
    rows = []
    for q in LENGTHS:
        length = np.array([q])

        def error(rule: meanfield.Rule, length: np.ndarray = length) -> float:
            exact = meanfield._averages(activation, length, meanfield._pieces(30, 0.11)).slope_square[0]
            return float(abs(meanfield._averages(activation, length, rule).slope_square[0] / exact - 1))

        chosen = meanfield._rule_of(meanfield._rule_key(activation, length, meanfield.TERMS))
        rows.append(
            {
                "q": q,
                "hermite": [error(gauss_hermite(order)) for order in ORDERS],
                "module": error(chosen),
                "nodes": len(chosen.nodes),
            }
        )
    return rows
