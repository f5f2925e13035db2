"""The figures of lesson 05 on what students learn of a teacher, and on what recovers it."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from utils.figures import COLOURS
from utils.lesson_05.networks import RECOVERED
from utils.lesson_05.teachers import OTHER, SAME, STUDENTS, WIDTHS, after_adam, long_adam, parameters
from utils.pages import described
from utils.plots import plot_estimates
from utils.statistics import median
from utils.types import Data

SHALLOW = [f"shallow {width}" for width in WIDTHS]


@described("05.students", "At equal parameters, deep students come far nearer")
def students(record: Data, own: Mapping[int, float] | None = None) -> Figure:
    """Relative held-out error against parameters, both logarithmic, medians of twenty teachers with intervals. A dotted
    level line marks the linear baseline. Below it a line falls slowly from 30 to 810 parameters: one hidden layer. Two
    marks at about a hundred parameters lie far below it: a violet diamond for three layers of 6, 6 and 5 units, and
    lower still a green square for the teacher's shape. Black crosses, your own four students, lie at about the same
    heights.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4))
    level = median(record["linear"].values).value
    ax.axhline(level, color=COLOURS["black"], linestyle=":")
    ax.annotate(
        "linear, these twenty",
        (0.99, level),
        xycoords=("axes fraction", "data"),
        xytext=(0, -4),
        textcoords="offset points",
        va="top",
        ha="right",
        fontsize=9,
    )
    adam = {name: after_adam(record, name) for name in STUDENTS}
    looks = (  # marks are shifted beside each other, so that all bars are seen
        (SHALLOW, 1, "o-", "blue", "one hidden layer"),
        ([OTHER], 0.93, "D", "purple", "three layers of 6, 6 and 5"),
        ([SAME], 1, "s", "green", "the teacher's shape"),
    )
    for names, shift, style, colour, label in looks:
        places, estimates = [shift * parameters(name) for name in names], [median(adam[name]) for name in names]
        plot_estimates(places, estimates, label=label, style=style, colour=colour, markersize=6, ax=ax)
    if own:
        look = {"color": COLOURS["black"], "markersize": 8, "mew": 2, "linestyle": "none"}
        ax.plot([*own], [*own.values()], "x", label="yours, at one rate", **look)
    places = [parameters(name) for name in SHALLOW]
    ax.set(xscale="log", yscale="log", xlabel="parameters", ylabel="relative held-out error")
    ax.set_xticks([*places], [f"{place}\n{width} units" for place, width in zip(places, WIDTHS, strict=True)])
    ax.set_xticks([], minor=True)
    ax.legend(loc="lower left", bbox_to_anchor=(0.42, 0.02))
    return figure


@described("05.recovered", "Levenberg–Marquardt recovers nearly all, Adam none")
def digits(recovery: Data, adam: Data) -> Figure:
    """Relative held-out error on a logarithmic axis against the share of teachers with at most this error. Blue
    triangles, Levenberg–Marquardt for up to a minute, lie far below a dotted line at 1e-20, all but two. Orange
    circles, a million steps of Adam, rise from far above that line to near 1e-2.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    for errors, style, colour, label in (
        (long_adam.best(adam), "o", "orange", "one start of Adam, a million steps"),
        (recovery["error"], "^", "blue", "Levenberg–Marquardt, up to a minute"),
    ):
        shares = np.arange(1, len(errors) + 1) / len(errors)
        look = {"color": COLOURS[colour], "markersize": 5, "linestyle": "none", "label": label}
        ax.plot(shares, np.sort(errors), style, **look)
    ax.axhline(RECOVERED, color=COLOURS["black"], linestyle=":", linewidth=1)
    ax.annotate(
        f"recovered: below {RECOVERED:.0e}", (0, RECOVERED), xytext=(4, 4), textcoords="offset points", fontsize=9
    )
    ax.set(yscale="log", xlabel="share of teachers", ylabel="relative held-out error", xlim=(0, 1.02), ylim=(1e-32, 10))
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.58))
    return figure
