"""What to keep of lesson 04, on one card."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.lesson_04.exploring import SQUARE, drawn_network
from utils.region_plots import plot_regions
from utils.regions import linear_regions


def card() -> Figure:
    """Every region of a network, and four lines."""
    figure, (ax, text) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, 1.75))
    plot_regions(linear_regions(drawn_network(3, 8), SQUARE), ax=ax)
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="", title="every piece, counted")
    text.axis("off")
    lines = (
        r"a layer of $n$ units cuts each piece into at most $1 + n + \binom{n}{2}$",
        r"$4^k$ squares: $4(k+1)$ units folded, $4 \cdot 2^k - 5$ in one layer",
        r"$x^2$: error $4^{-(m+1)}$ by $m$ layers, at best $1/(8N^2)$ by $N$ pieces",
        "bounds are for the best weights: count your own",
    )
    for place, words in zip((0.82, 0.58, 0.34, 0.1), lines, strict=True):
        text.text(0.0, place, words, fontsize=11, transform=text.transAxes)
    return figure
