"""The figure of random cosine networks."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_01.cosines import COSINE_UNITS, bell_variance
from utils.pages import described
from utils.plots import plot_medians


@described("01a.dimension", "Random waves: 10 inputs or 100, the error is the same")
def cosine_errors_by_units() -> Figure:
    """The mean squared error of random cosine networks against 10, 100 and 1,000 units, on a logarithmic scale, with
    medians and intervals over 20 draws. The thin line for 100 inputs lies on the broad one for 10 and on the crosses of
    what is expected, ten times lower for ten times the units. All lie below the dotted line, the error of the best
    constant.
    """
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
