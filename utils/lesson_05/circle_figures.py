"""The circle's film, the gap between two neighbours layer by layer, and the circle at a σ of the reader's choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import Dropdown, FloatSlider, IntSlider, Widget
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d import Axes3D

from utils.figures import COLOURS
from utils.lesson_05.circle import (
    DEPTH,
    OF_SIGMA,
    SIGMA_B,
    WIDTH,
    common,
    cosines,
    farthest,
    on_circle,
    pre_activations,
)
from utils.pages import described
from utils.player import MOST_PANELS, Scene, lines, play, points
from utils.plots import write_beside
from utils.statistics import median
from utils.types import Array

MOST_POINTS = 600  # of all circles of a film: more would not fit the page
CUBE = [(-1.0, 1.0)] * 3
LOOKS = ("purple", "-"), ("orange", "--")  # of the two pairs of points
SEEN, MOST_LAYERS = 481, 30  # points of the live circle, and how far it can be followed
NEAR, QUARTER = 1e-2, np.pi / 2  # radians from the first point


@described(
    "05.circles",
    "One circle, twenty layers, four values of σ",
    """Four cubes, each with the same circle on its way through twenty layers. At σ = 0.8 it is a
    small loop after five layers, and after ten a speck in the middle of the cube. At σ = 1 it shrinks ever more slowly,
    and ends as a small loop around the middle. At σ = 1.5 it stays large and ends as a winding loop that can still be
    followed by eye. At σ = 2.5 it has wiggles after five layers, and ends as a tangle that fills the whole cube. The
    two marked neighbours stay together in the first three cubes, and move apart in the fourth.
    """,
)
def play_circles(after: Mapping[float, Sequence[Array]]) -> None:
    """Show circles layer by layer, side by side: for each σ the circle [n, 2], and [n, width] after each layer."""
    scene, labels, settings = circles(after)
    play(scene, labels, "05.circles", answers="05.circle", **settings)


def circles(after: Mapping[float, Sequence[Array]]) -> tuple[Scene, list[str], dict]:
    """Return what `utils.player.play` takes to show the circles: the scene, the frames' labels, and settings.

    Each layer is seen in its first three units. Raises ValueError for more than four σ, and where they differ in their
    number of layers or of points.
    """
    if not 1 <= len(after) <= MOST_PANELS:
        raise ValueError(f"after has {len(after)} values of σ: wanted one to {MOST_PANELS}, a panel each")
    seen = {sigma: in_space(layers) for sigma, layers in after.items()}
    if len({frames.shape for frames in seen.values()}) != 1:
        raise ValueError("the circles differ in their number of layers or of points: wanted the same for every σ")
    every = thinned(list(seen.values()))
    scene = {
        f"σ = {sigma:g}": [
            lines(frames[:, None, :: every[i]], colours=[OF_SIGMA[sigma][0]]),
            points(frames[:, :2], [0, 1], colours=["purple", "orange"], names=["a point", "its neighbour"]),
        ]
        for i, (sigma, frames) in enumerate(seen.items())
    }
    labels = ["the circle", *(f"after layer {layer}" for layer in range(1, len(next(iter(seen.values())))))]
    return scene, labels, {"seconds": 0.8, "bounds": CUBE}


def in_space(layers: Sequence[Array]) -> Array:
    """Return the points [layers, n, 3] as the film shows them: the plane at height 0, then three units of each."""
    plane = np.concatenate([layers[0], 0 * layers[0][:, :1]], axis=1)
    return np.stack([plane, *(x[:, :3] for x in layers[1:])])


def thinned(circles: Sequence[Array]) -> list[int]:
    """Return for each circle [layers, n, 3] the k such that all fit the page if every k-th point is drawn.

    Points are left out where they lie closest in the end, and never so many that less than fifty remain.
    """
    counts = [frames.shape[1] for frames in circles]
    steps = [np.linalg.norm(np.diff(frames[-1], axis=0), axis=1).max() for frames in circles]
    every = [1] * len(circles)
    while sum(n // k for n, k in zip(counts, every, strict=True)) > MOST_POINTS:
        widened = [step * k if n > 100 * k else np.inf for step, k, n in zip(steps, every, counts, strict=True)]
        every[int(np.argmin(widened))] *= 2
    return every


@described(
    "05.separation",
    "At 1.5 and 2.5, neighbours move apart",
    """The gap between two neighbours on a logarithmic axis, over forty layers, a line with a narrow band for each σ.
    All begin at the same small gap. At 2.5 the line climbs nearly straight for some
    twelve layers, then bends and runs along a
    dashed line, the distance of two unrelated points. At 1.5 it climbs slowly and is still far below after forty
    layers. At 1 it falls, ever more slowly. At 0.8 it falls along a straight line.
    """,
)
def separation(apart: Mapping[float, Array]) -> Figure:
    """Return a figure of gaps [networks, layers], from the input on, for σ of the circles: medians with intervals."""
    figure, ax = plt.subplots(figsize=(6.4, 3.9))
    for sigma, gaps in apart.items():
        colour, style, _ = OF_SIGMA[sigma]
        estimates = [median(layer, method="order") for layer in np.transpose(gaps)]
        layers, middle = range(len(estimates)), [one.value for one in estimates]
        ax.fill_between(
            layers,
            [one.low for one in estimates],
            [one.high for one in estimates],
            color=COLOURS[colour],
            alpha=0.25,
            linewidth=0,
        )
        ax.plot(layers, middle, color=COLOURS[colour], linestyle=style)
        write_beside(f"σ = {sigma:g}", (layers[-1], middle[-1]), ax, colour=colour, right=6)
    if max(apart) > 1:  # below, lengths settle at 0
        limit = farthest(max(apart))
        ax.plot([0, layers[-1]], [limit] * 2, color=COLOURS["grey"], linestyle=(0, (6, 3)), linewidth=1.2)
        ax.annotate(
            f"two unrelated points at σ = {max(apart):g}",
            (0, limit),
            (0, 4),
            textcoords="offset points",
            color=COLOURS["grey"],
            fontsize=9.5,
        )
    ax.set(xlabel="layer (0: the input)", ylabel="gap between the neighbours, per unit", yscale="log")
    return figure


@described(
    "05.zigzag",
    "A tanh shrinks the gap, the weights multiply it by σ",
    """The gap between two neighbours on a logarithmic axis, through ten layers, a zigzag for each σ: it falls
    where the signals go through tanh, and rises or falls again where they go through weights. At σ = 2.5 each fall is
    long, each rise is longer, and the zigzag climbs. At 1.5 it climbs slowly. At 1 the weights change nothing, and tanh
    takes off less and less. At 0.8 the weights take off as well, and the line goes down.
    """,
)
def zigzag(steps: Mapping[float, Array]) -> Figure:
    """Return a figure of gaps [networks, 2 · layers], before and after each layer's tanh, for σ of the circles.

    Medians over networks, as multiples of the gap that goes into the first layer.
    """
    figure, ax = plt.subplots(figsize=(6.4, 4))
    for sigma, gaps in steps.items():
        colour, style, marker = OF_SIGMA[sigma]
        middle = np.median(gaps, axis=0)
        middle = middle / middle[0]
        layers = np.arange(1, len(middle) // 2 + 1)
        places = np.stack([layers, layers + 0.5], axis=1).ravel()
        ax.plot(places, middle, color=COLOURS[colour], linestyle="-", linewidth=1.4)
        ax.plot(places[::2], middle[::2], marker, color=COLOURS[colour], markersize=5)
        write_beside(f"σ = {sigma:g}", (places[-1], middle[-1]), ax, colour=colour, right=8)
    ax.text(0.03, 0.95, "after a mark: tanh\nbefore a mark: weights", va="top", transform=ax.transAxes)
    ax.set(xlabel="layer (a mark: what goes into tanh)", ylabel="gap, as a multiple of the first", yscale="log")
    ax.set_xticks(range(1, len(middle) // 2 + 1))
    return figure


# --- live -------------------------------------------------------------------------------------------------


def circle_at(*, sigma: float, layer: int, sigma_b: float, seed: int) -> tuple[Figure, str]:
    """Return a figure of the circle after a layer, and of what pairs of its points have in common, and its words."""
    angles = np.append(np.linspace(0, 2 * np.pi, SEEN), [NEAR, QUARTER])
    pre = pre_activations(on_circle(angles), sigma, sigma_b, layers=MOST_LAYERS, seed=seed)
    x = np.tanh(pre[layer - 1])
    near, quarter = (cosines(pre, 0, SEEN + i) for i in range(2))
    figure = plt.figure(figsize=(8.4, 4))
    left, right = figure.add_gridspec(1, 2, width_ratios=[1, 1.1])
    plot_in_cube(x[:SEEN, :3], figure.add_subplot(left, projection="3d"))
    limit = common(sigma, sigma_b)
    plot_cosines({"neighbours": near, "a quarter circle apart": quarter}, layer, limit, figure.add_subplot(right))
    end = "" if limit is None else f" Given enough layers, all pairs but opposite points come to {abs(limit):.3f}."
    return figure, (
        f"{WIDTH} units, each about {np.sqrt(np.mean(x**2)):.2g} in size (root mean square over the circle). "
        f"Correlation of two neighbours, {NEAR} rad apart: {near[layer - 1]:.3f}. "
        f"A quarter circle apart: {quarter[layer - 1]:.3f}.{end}"
    )


def circle_controls() -> dict[str, Widget]:
    """Return the controls of `circle_at`, by name."""
    return {
        "sigma": FloatSlider(2.5, min=0.5, max=4.0, step=0.1, description="σ of the weights"),
        "layer": IntSlider(DEPTH, 1, MOST_LAYERS, description="layer"),
        "sigma_b": Dropdown(options=[(f"σ_b = {SIGMA_B}", SIGMA_B), ("none", 0.0)], description="biases"),
        "seed": IntSlider(0, 0, 19, description="seed"),
    }


def plot_in_cube(curve: Array, ax: Axes3D) -> Axes3D:
    """Return axes with the curve [n, 3] in the cube from −1 to 1, and its first point."""
    ax.plot(*curve.T, color=COLOURS["blue"], linewidth=0.9, linestyle="-")
    ax.plot(*curve[:1].T, "s", color=COLOURS["red"], markersize=5)
    ax.set(xlim=CUBE[0], ylim=CUBE[1], zlim=CUBE[2])
    ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1], zticks=[-1, 0, 1], title="three of the units")
    ax.view_init(20, -60)
    return ax


def plot_cosines(pairs: Mapping[str, Array], layer: int, limit: float | None, ax: Axes) -> Axes:
    """Return axes with the correlation of pairs of points, layer by layer, the chosen layer and the limit."""
    for (name, values), (colour, style) in zip(pairs.items(), LOOKS, strict=False):
        ax.plot(range(1, len(values) + 1), values, color=COLOURS[colour], linestyle=style, label=name)
        ax.plot(layer, values[layer - 1], "o", color=COLOURS[colour], markersize=5)
    if limit is not None:
        ax.axhline(limit, color=COLOURS["grey"], linestyle=(0, (1, 2)), linewidth=1.2, label="in theory, in the end")
    ax.set(xlabel="layer", ylabel="correlation", ylim=(-0.45, 1.05), title="what two points have in common")
    ax.set_xticks(range(0, MOST_LAYERS + 1, 10))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    return ax
