"""The figures of lesson 03's excursion on hierarchies."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.environment import building
from utils.figures import COLOURS
from utils.lesson_03 import hierarchy
from utils.pages import described
from utils.plots import plot_estimates, plot_seeds, write_beside
from utils.statistics import median, three_digits
from utils.types import Array, Data

LOOKS = {1: ("o", "blue"), 2: ("v", "purple"), 3: ("s", "orange"), 4: ("^", "green")}  # by depth
TICKS = (0.0001, 0.001, 0.01, 0.1, 1)


@described("03a.game", "Three moves: the better of each pair is taken,\nand its sign changes")
def played(ends: Array) -> Figure:
    """A tree with its eight ends at the bottom and one number at the top. In each pair of neighbours, a bold line leads
    up from the larger number and a thin grey one from the smaller. Above them stands the larger number with its sign
    changed.
    """
    levels = [np.asarray(ends)]
    while len(levels[-1]) > 1:
        levels.append(-np.maximum(levels[-1][0::2], levels[-1][1::2]))
    figure, ax = plt.subplots(figsize=(6, 3.2))
    for height, values in enumerate(levels):
        places = np.arange(len(values)) * 2.0**height + (2.0**height - 1) / 2
        for i, (place, value) in enumerate(zip(places, values, strict=True)):
            pair = slice(i - i % 2, i - i % 2 + 2)
            taken = height < hierarchy.LEVELS and value == max(values[pair])
            if height < hierarchy.LEVELS:
                line = {"color": COLOURS["blue" if taken else "grey"], "linewidth": 2.6 if taken else 1}
                ax.plot([place, places[pair].mean()], [height, height + 1], linestyle="-", zorder=1, **line)
            words, weight = f"{value:.1f}".replace("-", "−"), "bold" if taken else "normal"
            box = {"facecolor": "white", "edgecolor": "none"}
            ax.text(place, height, words, ha="center", va="center", zorder=2, fontweight=weight, bbox=box)
    ax.set_xticks(range(hierarchy.INPUTS), [f"x{number}" for number in "₁₂₃₄₅₆₇₈"])
    ax.set_yticks(range(hierarchy.LEVELS + 1), ["ends", "after two moves", "after one move", "the game"])
    ax.set_ylim(-0.4, hierarchy.LEVELS + 0.3)
    ax.grid(False)
    ax.tick_params(length=0)
    ax.spines[["bottom", "left"]].set_visible(False)
    return figure


@described("03a.slices", "A tree and a sum of random waves, equally rough")
def slices(functions: Mapping[str, Callable[[Array], Array]]) -> Figure:
    """Two maps of values on a plane, with contour lines. On the left is the game, with straight contours that bend at
    sharp edges; some of the edges end where they meet another. On the right is a random function, with rounded contours
    around smooth hills and hollows; they are about as dense.
    """
    rng = np.random.default_rng(1)
    directions, origin = np.linalg.qr(rng.normal(size=(8, 2)))[0].T, rng.normal(size=8)
    line = np.linspace(-4, 4, 161)
    plane = origin + line[:, None, None] * directions[1] + line[None, :, None] * directions[0]
    figure, axes = plt.subplots(1, len(functions), figsize=(6, 3.2), sharey=True)
    for (name, function), ax in zip(functions.items(), axes, strict=True):
        values = function(np.random.default_rng(0).normal(size=(5000, 8)))
        scaled = (function(plane) - values.mean()) / values.std()
        shown = ax.imshow(scaled, extent=(-4, 4, -4, 4), origin="lower", cmap="cividis", vmin=-2.5, vmax=2.5)
        ax.contour(line, line, scaled, levels=np.arange(-3, 3, 0.25), colors="white", linewidths=0.6, linestyles="-")
        ax.set(title=name, xlabel="along one direction")
        ax.grid(False)
    axes[0].set_ylabel("along another")
    figure.colorbar(shown, ax=axes, label="value", shrink=0.8)
    return figure


@described("03a.moves", "With as many parameters, three layers\nmiss far less of the game than one")
def missed_by_depth(record: Data) -> Figure:
    """The share of variance missed, on a logarithmic axis, for one, two, three and four hidden layers: a dot for each
    seed, and the median with its interval. One layer misses the most, two layers miss less, and three and four layers
    miss the least.
    """
    figure, ax = plt.subplots(figsize=(6, 3.4))
    for place, depth in enumerate(hierarchy.ALL_DEPTHS):
        style, colour = LOOKS[depth]
        plot_seeds(hierarchy.missed(record, depth), place, style=style, colour=colour, ax=ax)
    names = [f"{depth} × {hierarchy.sizes(depth)[1]}" for depth in hierarchy.ALL_DEPTHS]
    ax.set_xticks(range(len(names)), names)
    ax.set(xlabel="hidden layers × units", xlim=(-0.5, len(names) - 0.5))
    _log_shares(ax)
    return figure


@described(
    "03a.control",
    "On random functions as rough as the game,\ndepth has no lead",
    """The share of variance missed, on a logarithmic axis, with a dot for each seed. On the tree, three layers lie far
    below one. On the random function, both lie high up, three layers slightly above one.
    """,
)
@described(
    "03a.rotated",
    "A rotation hides the pairs, and the lead stays",
    """The share of variance missed, on a logarithmic axis, with a dot for each seed. On the tree and on the rotated
    tree alike, three layers lie far below one.
    """,
)
def missed_by_version(record: Data, versions: Sequence[str]) -> Figure:
    """Draw what one and three hidden layers miss of the game and of its controls: every seed, and medians."""
    figure, ax = plt.subplots(figsize=(6, 3.4))
    for group, version in enumerate(versions):
        for depth, shift in zip(hierarchy.DEPTHS, (-0.26, 0.18), strict=True):
            values = hierarchy.missed(record, depth, version=version)
            style, colour = LOOKS[depth]
            plot_seeds(values, group + shift, style=style, colour=colour, ax=ax)
            words, right, up = ("one layer", -22, -14) if depth == 1 else ("three layers", 30, 0)
            write_beside(words, (group + shift, float(values.median())), ax, right=right, up=up, size=9)
    ax.set_xticks(range(len(versions)), versions)
    ax.set_xlim(-0.5, len(versions) - 0.4)
    _log_shares(ax)
    return figure


@described("03a.trees", "Depth leads on some trees,\nbut on none of the random functions")
def leads(record: Data) -> Figure:
    """Each of the eight trees has a row, and the rows are sorted. On a logarithmic axis stands what one layer misses
    over what three miss, with its interval: a square for the tree, and a circle for random functions that are as rough.
    The circles lie at 1 or slightly to its left. The squares reach from 1, for trees of products, to far right of it,
    for the game.
    """
    figure, ax = plt.subplots(figsize=(6.2, 4.4))
    order = sorted(hierarchy.NODES, key=lambda target: float(hierarchy.times_less(record, target).median()))
    looks = (
        (hierarchy.TREE, "the tree", "s", "orange", 0.14),
        (hierarchy.RANDOM, "random function, as rough", "o", "blue", -0.14),
    )
    for version, label, style, colour, shift in looks:
        estimates = [median(hierarchy.times_less(record, target, version), method="order") for target in order]
        look = {"label": label, "style": style, "colour": colour, "markersize": 6}
        plot_estimates(np.arange(len(order)) + shift, estimates, upright=False, ax=ax, **look)
    ax.axvline(1, color="black", linestyle="-", linewidth=1)
    ax.set_yticks(range(len(order)), [f"{target}:\n{hierarchy.FORMULAS[target]}" for target in order])
    ax.set(xscale="log", xlabel="missed by one layer / missed by three\n(right of 1: depth leads)")
    ax.set_xticks([1, 3, 10, 30, 100, 300], ["1", "3", "10", "30", "100", "300"])
    ax.set_xticks([], minor=True)
    ax.legend(loc="lower right")
    return figure


def print_targets(record: Data) -> None:
    """Print every target that was tried: its roughness, and what one and three layers miss of tree and control.

    A built page has them folded: they answer a prediction.
    """
    rows = [f"{'tree of':24}{'roughness':>10}{'tree 1':>9}{'3':>9}{'random 1':>11}{'3':>7}"]
    for target in hierarchy.NODES:
        cells = itertools.product((hierarchy.TREE, hierarchy.RANDOM), hierarchy.DEPTHS)
        runs = [hierarchy.missed(record, depth, target, version) for version, depth in cells]
        shown = [three_digits(float(values.median())) for values in runs]
        rows.append(
            f"{hierarchy.FORMULAS[target]:24}{hierarchy.roughness(target):10}{shown[0]:>9}{shown[1]:>9}"
            f"{shown[2]:>11}{shown[3]:>7}"
        )
    table = "\n".join(rows)
    if not building():
        return print(table)
    from IPython.display import display

    page = f"<details><summary>The table</summary><pre>{html.escape(table)}</pre></details>"
    return display({"text/html": page, "text/plain": table}, raw=True)


def _log_shares(ax: Axes) -> None:
    ax.set(yscale="log", ylabel="share of variance missed")
    low = ax.get_ylim()[0]
    ticks = [tick for tick in TICKS if tick >= low / 3]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_yticks([], minor=True)
