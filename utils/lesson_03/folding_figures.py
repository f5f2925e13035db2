"""The sheet and the spiral in motion, a neuron's map, the straight pieces of a boundary, and the lesson's card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.figures import COLOURS
from utils.lesson_03 import folding
from utils.pages import described
from utils.player import lines, play, points, polygons
from utils.plots import plot_card
from utils.regions import Bounds, decision_boundary
from utils.types import Array

MARGIN = 0.08  # of the points' spread, that the paper reaches beyond them
SHOWN = 300  # points
EDGE = 1.3  # what is in view of a plane whose points lie between −1 and 1
IN_VIEW = [(-EDGE, EDGE)] * 2
FAR = 3 * EDGE  # where what leaves the picture is clipped
SECONDS = 2.5  # from a frame to the next
TALLEST = 1.4  # inches of a strip, for each panel: a page with five films has to stay light

# --- one layer --------------------------------------------------------------------------------------------

TURN = np.radians(25)  # of the crease's normal
NORMAL, ALONG = np.array([np.cos(TURN), np.sin(TURN)]), np.array([-np.sin(TURN), np.cos(TURN)])
CREASE = 0.15  # its distance from the sheet's middle; the sheet reaches from −1 to 1
HALVES = {"colours": ["blue", "red"], "names": ["z > 0", "z < 0"]}


@described("03.sheet", "One unit flattens one half, but a fold lays it on the other")
def play_sheet() -> None:
    """Three square sheets of squared paper, with a crease across each. One half, where z is below 0, is orange; the
    other is blue. The affine part turns and shifts the three alike, until the crease stands upright at 0. Then ReLU
    acts. In the first sheet, it presses the orange half onto the upright line, and the blue half stays. In the second,
    it also presses the part below 0 onto the level line, and a corner of paper is left. In the third, the orange half
    is laid over the blue one, turned as in a mirror.
    """
    after = {
        "(relu(z), s)": (False, lambda z, s: (np.maximum(z, 0), s)),
        "(relu(z), relu(s))": (True, lambda z, s: (np.maximum(z, 0), np.maximum(s, 0))),
        "(|z|, s)": (False, lambda z, s: (np.abs(z), s)),
    }  # whether a second crease cuts the sheet, and where it goes
    scene = {}
    for title, (second, move) in after.items():
        cells, side = halves(second=second)
        z, s = cells @ NORMAL - CREASE, cells @ ALONG
        frames = [cells, np.stack([z, s], axis=-1), np.stack(move(z, s), axis=-1)]
        scene[title] = polygons(np.stack(frames), side, **HALVES)
    labels = ["a sheet of squared paper", "affine part: (z, s)", "after ReLU"]
    play(scene, labels, "03.sheet", seconds=SECONDS, tallest=TALLEST)


@described("03.book", "A sheet bent by ReLU and closed like a book: only the side is forgotten")
def play_book() -> None:
    """A sheet of squared paper in space, with a blue half and an orange one. First the sheet is stood upright, and so
    is its crease. Then ReLU bends it at the crease into a right angle, like a half-open book. Then the read-out closes
    the book, with the orange half on the blue one.
    """
    cells, side = halves()
    cells = np.concatenate([cells, cells[:, :1]], axis=1)  # the squares' outlines
    z, s, nothing = cells @ NORMAL - CREASE, cells @ ALONG, np.zeros(cells.shape[:2])
    folded = (np.maximum(z, 0), np.maximum(-z, 0))
    added = (folded[0] + folded[1]) / 2
    frames = [(*np.moveaxis(cells, -1, 0), nothing), (z, -z, s), (*folded, s), (added, added, s)]
    labels = ["a sheet of squared paper", "z, −z, and s along the crease", "after ReLU", "added up: |z| and s"]
    scene = lines(np.stack([np.stack(frame, axis=-1) for frame in frames]), side, **HALVES)
    play(scene, labels, "03.book", seconds=SECONDS, answers="03.fold")


def halves(second: bool = False) -> tuple[Array, Array]:
    """Return the squares of a sheet, cut where z = 0, and s = 0 for a second: [n, corners, 2]; and 1 where z < 0."""
    creases = [(NORMAL, CREASE), *([(ALONG, 0.0)] if second else [])]
    parts = list(folding.squared_paper([-1, -1], [1, 1], squares=8))
    for n, c in creases:
        parts = [one for part in parts for one in folding.cut(part, n, c)]
    most = max(map(len, parts))
    cells = np.stack([np.concatenate([part, part[-1:].repeat(most - len(part), axis=0)]) for part in parts])
    return cells, (cells.mean(axis=1) @ NORMAL < CREASE).astype(int)


# --- the spiral -------------------------------------------------------------------------------------------


@described(
    "03.unfolds",
    "Block by block, until a straight line separates the two kinds",
    """Points of two kinds, blue circles and orange squares, on a sheet of squared paper, and a green curve that
    separates them. From block to block the sheet is bent, stretched and folded, and the points and the curve with it.
    After the last block the curve is straight: blue lies on one side of it, orange on the other. Each plane is shifted,
    turned and stretched to fill the picture, which leaves straight lines straight. What happens inside a block is left
    out: the points take the straight way from plane to plane.
    """,
)
def play_spiral(model: nn.Sequential, X: Tensor, y: Tensor) -> None:
    """Show points [n, 2] of two classes, squared paper and the boundary moving from plane to plane."""
    bounds, (X, y) = around(X), shown(X, y)
    seen = folding.views(folding.planes(model, X))

    def moved(shape: Array) -> Array:
        """Return the shape in every plane, and once more in the last one, for the straight line."""
        frames = in_view(seen, folding.planes(model, shape))
        return np.stack([*frames, frames[-1]])

    line = folding.straight_line(model, seen[-1], 2 * EDGE)
    line = line.clip(-2 * FAR, 2 * FAR)  # where the network calls all points alike, it is anywhere
    growing = np.stack([*[line[[0, 0]]] * len(seen), line])
    boundary = decision_boundary(model, bounds)
    scene = [
        polygons(moved(folding.squared_paper(*np.transpose(bounds))), colours=["sky"], names=["squared paper"]),
        lines(growing[:, None], colours=["green"], names=["the boundary"]),
        *([lines(moved(boundary), colours=["green"])] if len(boundary) else []),
        points(moved(X), y, names=["class 0", "class 1"]),
    ]
    labels = ["the input", *(f"after block {block}" for block in range(1, len(seen))), "a straight line"]
    play(scene, labels, "03.unfolds", seconds=SECONDS, bounds=IN_VIEW)


def shown(X: Tensor, y: Tensor) -> tuple[Array, Array]:
    """Return at most SHOWN of the points, and their classes."""
    chosen = np.random.default_rng(0).permutation(len(X))[:SHOWN]
    return X.numpy()[chosen], y.numpy()[chosen]


def in_view(views: Sequence[folding.View], stages: Sequence[Array]) -> Array:
    """Return the stages of a shape as they are seen, [stages, …, 2], each by its own view."""
    return np.stack([np.clip(view(stage), -FAR, FAR) for view, stage in zip(views, stages, strict=True)])


def around(X: Tensor) -> Bounds:
    """Return ((low, high), (low, high)) around the points, and a little more."""
    low, high = (end(X.numpy().astype(float), axis=0) for end in (np.min, np.max))
    margin = MARGIN * (high - low)
    return tuple(zip((low - margin).tolist(), (high + margin).tolist(), strict=True))


# --- a unit, and what the boundary owes to it -------------------------------------------------------------

CLASSES = (("blue", "o"), ("red", "s"))  # as the player has them
SIGNS = LinearSegmentedColormap.from_list("signs", [COLOURS["red"], "#ffffff", COLOURS["blue"]])
AROUND = ((-2.2, 2.2), (-2.2, 2.2))
ON = 1e-9  # a unit's sum where the boundary meets its crease, but for rounding


def beside(model: nn.Sequential, X: Tensor, y: Tensor) -> Callable[[nn.Sequential], Figure]:
    """Return what draws another network's boundary and last plane beside this one's.

    The last plane is shifted, turned and stretched as this network's is, so that what moves is seen.
    """
    bounds = around(X)
    boundary, view = decision_boundary(model, bounds), folding.views(folding.planes(model, X.numpy()))[-1]

    def draw(other: nn.Sequential) -> Figure:
        figure = plt.figure(figsize=(6, 3.3), layout="none")
        left, right = figure.add_axes((0.08, 0.1, 0.41, 0.78)), figure.add_axes((0.58, 0.1, 0.41, 0.78))
        for segments, colour, width in ((boundary, "grey", 1), (decision_boundary(other, bounds), "green", 2)):
            left.add_collection(LineCollection(segments, colors=COLOURS[colour], linewidths=width))
        plot_classes(left, X.numpy(), y.numpy())
        left.set(xlim=bounds[0], ylim=bounds[1], aspect="equal", title="the input,\nwith the boundary")
        plot_classes(right, view(folding.planes(other, X.numpy())[-1]), y.numpy())
        line = folding.straight_line(other, view, 5.0)
        right.plot(*line.T, color=COLOURS["green"], linestyle="-", linewidth=2)
        right.set(xlim=IN_VIEW[0], ylim=IN_VIEW[1], aspect="equal", title="after the last block")
        return figure

    return draw


@described("03.neuron", "This unit's crease has corners,\nand the boundary bends where the two cross")
def neuron_maps(model: nn.Sequential, block: int, unit: int, bounds: Bounds = AROUND) -> Figure:
    """Three squares over the input plane. The first shows a unit's sum before ReLU, orange where it is negative and
    blue where it is positive; between them runs its dashed crease, a line with corners. The second shows the same after
    ReLU, with white in place of orange. The third shows the crease again, and the network's boundary in green, with a
    dot wherever the boundary bends. Where the two cross, there is such a dot, with a diamond around it.
    """
    single = folding.neuron(model, block, unit)
    crease = decision_boundary(single, bounds)
    figure, axes = plt.subplots(1, 3, figsize=(5.8, 3.1), sharey=True)
    x, y = (np.linspace(*side, 121) for side in bounds)
    plane = np.stack(np.meshgrid(x, y), axis=-1)
    heights = single(torch.tensor(plane)).detach().numpy()[..., 0]
    most = np.abs(heights).max()
    for ax, values, title in ((axes[0], heights, "before ReLU"), (axes[1], np.maximum(heights, 0), "after ReLU")):
        ax.contourf(x, y, values, np.linspace(-most, most, 16), cmap=SIGNS)
        ax.set_title(f"block {block}, unit {unit},\n{title}")
    segments = decision_boundary(model, bounds)
    axes[2].add_collection(LineCollection(segments, colors=COLOURS["green"], linewidths=2))
    ends = segments.reshape(-1, 2)
    crossings = ends[np.abs(single(torch.tensor(ends)).detach().numpy()[:, 0]) < ON]
    axes[2].plot(*ends.T, "o", color=COLOURS["green"], markersize=3, linestyle="none")
    axes[2].plot(*crossings.T, "D", color=COLOURS["black"], markersize=7, fillstyle="none", linestyle="none")
    axes[2].set_title("the boundary,\nand this crease")
    for ax in axes:
        ax.add_collection(LineCollection(crease, colors=COLOURS["black"], linewidths=1.2, linestyles=[(0, (4, 2))]))
        ax.set(xlim=bounds[0], ylim=bounds[1], aspect="equal", xlabel="x₁")
        ax.grid(False)
    axes[0].set_ylabel("x₂")
    return figure


def plot_classes(ax: Axes, places: Array, y: Array) -> None:
    """Draw points [n, 2] of the classes y [n] as the player has them."""
    for number, (colour, marker) in enumerate(CLASSES):
        ax.plot(*places[y == number].T, marker, color=COLOURS[colour], markersize=2.5, linestyle="none")


# --- what to keep of the lesson ---------------------------------------------------------------------------

CARD_CREASE = np.array([0.6, 0.8])


@described("03.card", "Lesson 03 on a card")
def card() -> Figure:
    """On the left is a sheet of squared paper, folded along a slanted crease, so that one part lies on the other. Four
    lines stand on the right: a fold is the absolute value of z, with s handed on; layers move the space, and the last
    one draws a line; the boundary has straight pieces, with corners only at creases; a probe is fitted to some points
    and scored on others.
    """
    lines = (
        r"fold: $|z| = \mathrm{relu}(z) + \mathrm{relu}(-z)$, and $s$ is handed on",
        "layers move the space; the last one draws a line",
        "boundary: straight pieces, corners only at creases",
        "a probe: fitted to some points, scored on others",
    )
    figure, ax = plot_card(lines, wider=1.5, size=11)
    figure.set_size_inches(6.6, 3.2)
    for square in folding.squared_paper([-1, -1], [1, 1], squares=8):
        for part in folding.cut(square, CARD_CREASE, 0.2):
            folded = part - 2 * np.maximum(part @ CARD_CREASE - 0.2, 0)[:, None] * CARD_CREASE
            ax.plot(*np.concatenate([folded, folded[:1]]).T, "-", color=COLOURS["blue"], linewidth=0.8)
    ax.set(aspect="equal", title="three units fold a sheet", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return figure
