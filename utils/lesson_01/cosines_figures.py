"""The figure of random cosine networks."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_01.cosines import COSINE_UNITS, bell_variance
from utils.plots import plot_medians


def cosine_errors_by_units() -> Figure:
    """The squared error of random cosine networks against their width, for 10 inputs and for 100, as recorded."""
    cosines = recorded("01_cosines").transpose("seed", "units", "inputs")
    figure, ax = plt.subplots()
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
