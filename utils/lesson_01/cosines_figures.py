"""The figure of random cosine networks."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_01.cosines import COSINE_INPUTS, COSINE_UNITS, bell_variance
from utils.plots import plot_medians


def cosine_errors_by_units() -> Figure:
    """The squared error of random cosine networks against their width, for each number of inputs, as recorded."""
    cosines = recorded("01_cosines")
    figure, ax = plt.subplots(figsize=(8.5, 3.6))
    for n_in, colour, style in zip(COSINE_INPUTS, ("blue", "orange", "green"), ("o-", "s--", "^-."), strict=True):
        errors = cosines.sel(inputs=n_in).transpose("seed", "units")
        label = f"{n_in} input{'s' * (n_in > 1)}"
        plot_medians(COSINE_UNITS, errors["measured"], label=label, style=style, colour=colour, ax=ax)
        label, expected = "expected" if n_in == COSINE_INPUTS[0] else None, errors["expected"].mean("seed")
        ax.plot(range(len(expected)), expected, "x", color="black", label=label, zorder=5)
    ax.axhline(bell_variance(), color="black", linestyle="--", linewidth=1, label="the best constant")
    bound = [1 / (2 * n) for n in COSINE_UNITS]
    ax.plot(range(len(bound)), bound, color="black", linestyle=":", label="never expected above: 1/(2N)")
    ax.set(yscale="log", xlabel="units N", ylabel="mean squared error")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
