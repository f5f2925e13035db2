"""The checkerboard as a sheet of paper that is folded, layer by layer as maps, and the one layer that draws it, too."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import CenteredNorm, LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from torch import nn

from utils.checks import whole_number
from utils.figures import COLOURS
from utils.lesson_04 import boards
from utils.pages import described
from utils.player import MOST_PANELS, Scene, play, points, polygons
from utils.plots import PITCH, plot_layers, unit_places
from utils.types import Array

# --- the sheet that is folded -----------------------------------------------------------------------------

TURNING = 4  # frames of each fold
NEARER = 0.3  # how much larger what stands up from the sheet is seen, for each of the sheet's widths
MARGIN, TOP = 0.2, 1.3  # what is in view beyond the pile, and up to where
OUTSIDE = 1.5  # where the cut waits
CUT = 0.0015  # half of its width on the sheet: two lines that are seen as one
MOST_FOLDS = 2  # each way: a third takes more than a page may hold
KINDS = ["blue", "red"]  # of +1, and of −1


@described(
    "04.trap-folded", "Folded on the grid lines, every square lies on its opposite colour",
    """A sheet painted as a board of 4×4 squares, blue with dots and red with small squares, is folded in the middle
    four times, twice to the left and twice downwards, and each time stretched to its old width. From the first fold on,
    blue lies on red and red on blue. One black cut each way goes through the middle of the pile. Unfolded, the cuts run
    through the middles of the squares, not along their edges.
    """,
)
@described(
    "04.folding", "Folded half a square beside the grid lines, every square lies on its own colour",
    """A sheet painted as a board of 4×4 squares, blue with dots and red with small squares, is shifted by half a
    square. Then it is folded four times, twice to the left and twice downwards, and each time stretched to the double
    width. Blue always comes to lie on blue, red on red. The pile has four quarters, blue and red by turns, with one
    more column and row on two sides, where the sheet's edge reaches out. One black cut each way separates the quarters.
    Unfolded, the cuts run along all inner edges of the squares.
    """,
)
def play_folding(k: int = 2, shift: float = 0.5) -> None:
    """Show a painted sheet that is folded k times each way, cut once, and unfolded.

    ``shift``: how far beside the grid lines it is folded, in squares, ½ or 0, which is the trap. Raises ValueError for
    another one, and for more than two folds.
    """
    scene, labels, settings = folding(k, shift)
    play(scene, labels, "04.folding" if shift else "04.trap-folded", **settings)


def folding(k: int, shift: float) -> tuple[Scene, list[str], dict]:
    """Return what `utils.player.play` takes to show the folds: the scene, the frames' labels, and settings."""
    if whole_number("k", k) > MOST_FOLDS:
        raise ValueError(f"k is {k}: wanted at most {MOST_FOLDS}, which fills a page")
    if shift not in (0, 0.5):
        raise ValueError(f"shift is {shift!r}: wanted 0.5, half a square beside the grid lines, or 0, on them")
    pieces = _quarters(2**k)
    middles = pieces.mean(axis=1)
    kind = (boards.board_signs(torch.from_numpy(middles), k).numpy() < 0).astype(int)
    scene = [
        polygons(_carried(pieces, k, shift), kind, colours=KINDS, names=["+1", "−1"]),
        points(_carried(middles, k, shift), kind, colours=KINDS),
        polygons(_cut_frames(k, shift), colours=["black"], names=["the cut"]),
    ]
    settings = {"seconds": 2.2, "bounds": [(-shift - MARGIN, TOP)] * 2, "axes": ("x, folded", "y, folded")}
    return scene, _labels(k, shift), settings


def _labels(k: int, shift: float) -> list[str]:
    labels = ["the painted sheet", *(["shifted by half a square"] if shift else [])]
    for fold in range(1, 2 * k + 1):
        labels += [""] * TURNING + [f"fold {fold}: {'to the left' if fold <= k else 'downwards'}"]
    way_back = [""] * (3 * k - 1)
    return [*labels, "the cut", *way_back, "half unfolded", *way_back, "unfolded"]


def _carried(places: Array, k: int, shift: float) -> Array:
    """Return where the film has the sheet's places […, 2], frame by frame: [frames, …, 2].

    The sheet is pushed beside the grid lines. A fold turns the part above ½ over, onto the rest, and all is stretched
    to the double width: x comes to 1 − |2x − 1|, the tent. After the last fold the cut takes a frame; then back again.
    """
    now = places + shift / 2**k
    frames, before = [places] * bool(shift) + [now], []
    for axis in np.repeat([0, 1], k):
        before.append((axis, now))
        frames += [_turned(now, axis, angle) for angle in np.linspace(0, np.pi, TURNING + 1)[1:]]
        now = frames[-1] * np.where(np.arange(2) == axis, 2, 1)
        frames.append(now)
    frames.append(now)
    for axis, flat in reversed(before):
        frames += [_turned(flat, axis, angle) for angle in (np.pi, np.pi / 2, 0)]
    return np.stack(frames)


def _turned(places: Array, axis: int, angle: float) -> Array:
    """Return the places […, 2], seen from above, after the part above ½ on the axis has turned by the angle."""
    beyond = np.maximum(places[..., axis] - 0.5, 0)
    turned = places.copy()
    turned[..., axis] += (np.cos(angle) - 1) * beyond
    return 0.5 + (turned - 0.5) * (1 + NEARER * np.sin(angle) * beyond[..., None])


def _quarters(m: int) -> Array:
    """Return the corners [4m², 4, 2] of the quarters of m × m squares, which no crease and no cut runs through."""
    lower = np.stack(np.meshgrid(*[np.arange(2 * m)] * 2), axis=-1).reshape(-1, 1, 2)
    return (lower + [[0, 0], [1, 0], [1, 1], [0, 1]]) / (2 * m)


def _cut_frames(k: int, shift: float) -> Array:
    """Return the cut, frame by frame: bands [frames, n, corners, 2], upright ones first, which wait outside of the
    view.
    """
    m = 2**k
    places = (np.arange(m) + 0.5 - shift) / m  # come to ½ in the pile
    places, along = places[(places > 0) & (places < 1)], np.linspace(0, 1, 2 * m + 1)
    across = places[:, None] + np.repeat([-CUT, CUT], len(along))
    upright = np.stack(np.broadcast_arrays(across, np.concatenate([along, along[::-1]])), axis=-1)
    frames = _carried(np.concatenate([upright, upright[..., ::-1]]), k, shift)
    before = _labels(k, shift).index("the cut")
    frames[:before, : len(places)], frames[:before, len(places) :] = [0.5, OUTSIDE], [OUTSIDE, 0.5]
    return frames


# --- layer by layer ---------------------------------------------------------------------------------------

SIDE = 240  # points of a map, each way, none of them on a grid line
SHADES = LinearSegmentedColormap.from_list("shades", ["#e8935c", "white", "#5ba3cf"])  # from red over white to blue
PALE = ListedColormap(["#fbe0d0", "#d3e6f2"])  # of −1, and of +1


@described("04.layers", "Each fold makes the stripes half as wide; the last layer compares two signs")
def layers_side_by_side(model: nn.Sequential) -> Figure:
    """Four maps of the unit square. The first three show a after one, two and three folds, blue where it is above 0 and
    red where it is below: upright stripes, about twice as many each time, with solid lines between them. Dashed level
    lines show where b changes its sign. In the fourth map the output is blue in the squares in which a and b have the
    same sign, and red in the others: a board of 8×8.
    """
    line = (np.arange(SIDE) + 0.5) / SIDE
    places = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    stages = boards.folded(model, places).reshape(-1, SIDE, SIDE, 2)
    folds = len(stages)
    if folds >= MOST_PANELS:
        raise ValueError(f"model folds {folds} times each way: wanted at most {MOST_PANELS - 1}, one map for each")
    figure, panels = plt.subplots(1, folds + 1, figsize=(2.1 * (folds + 1), 3), sharey=True)
    for fold, (ax, stage) in enumerate(zip(panels, stages, strict=False), start=1):
        _stage(ax, line, stage, stage[..., 0])
        _unit_square(ax, f"a after fold {fold}")
    a, b = np.moveaxis(stages[-1], -1, 0)
    _stage(panels[-1], line, stages[-1], abs(a + b) - abs(a - b))
    _unit_square(panels[-1], "|a + b| − |a − b|")
    panels[0].set_ylabel("y")
    return figure


def _stage(ax: Axes, line: Array, stage: Array, values: Array) -> None:
    """Draw values as shades, and where the stage's coordinates [SIDE, SIDE, 2] are 0."""
    ax.imshow(values, origin="lower", extent=(0, 1, 0, 1), cmap=SHADES, norm=CenteredNorm())
    for coordinate, style in zip(np.moveaxis(stage, -1, 0), ("-", "--"), strict=True):
        ax.contour(line, line, coordinate, levels=[0], colors="black", linewidths=1, linestyles=style)


def _unit_square(ax: Axes, title: str) -> None:
    ax.set(title=title, xlabel="x", xlim=(0, 1), ylim=(0, 1))
    ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    ax.set_yticks([0, 0.5, 1], ["0", "½", "1"])
    ax.grid(False)


# --- the two networks -------------------------------------------------------------------------------------

WIDTH = 8.0  # inches, in which all places are
ROW = 16  # units of the one layer in a row
BELOW, ABOVE = 0.15, 1.0  # the larger box


@described("04.shallow", "The same board: 24 units folded, and 123 in one layer")
def deep_and_shallow(k: int = 5) -> Figure:
    """Two networks drawn to one scale, with a dot for each hidden unit. Left, a chain of six boxes with four units
    each. Right, one box with eight rows of units: so many one layer takes, and with fewer it cannot do it.
    """
    deep, shallow = boards.deep_units(k), boards.shallow_units(k)
    column, block = unit_places(4, 1), unit_places(shallow, min(shallow, ROW))
    half = (max(np.ptp(column[:, 1]), np.ptp(block[:, 1])) + PITCH) / 2
    figure, ax = plt.subplots(figsize=(WIDTH, BELOW + 2 * half + ABOVE), layout="none")
    ax.set_position((0, 0, 1, 1))
    ax.set(xlim=(0, WIDTH), ylim=(-half - BELOW, half + ABOVE))
    ax.axis("off")
    ends = "x, y", "f(x, y)"
    plot_layers([column] * (k + 1), f"{k + 1} hidden layers of 4 units: {deep} units", ax, left=0.5, ends=ends)
    plot_layers([block], f"1 hidden layer: {shallow} units;\nfewer cannot do it", ax, left=4.6, ends=ends)
    return figure


# --- the shallow side -------------------------------------------------------------------------------------


@described("04.diagonals", "One layer draws the board with creases along its diagonals")
def diagonals(k: int = 3) -> Figure:
    """Two boards of 8×8 squares. Left, with straight creases along the diagonals of the squares, solid ones rising and
    dashed ones falling. Right, with a dot in each inner corner, where four squares meet; those of the first column and
    of the lowest row are large and black, and a rising line passes through one of these.
    """
    m = 2 ** whole_number("k", k)
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.4), sharey=True)
    for ax in (left, right):
        middles = (np.stack(np.meshgrid(*[np.arange(m)] * 2), axis=-1).reshape(-1, 2) + 0.5) / m
        signs = boards.board_signs(torch.from_numpy(middles), k).reshape(m, m).numpy()
        ax.imshow(signs, origin="lower", extent=(0, 1, 0, 1), cmap=PALE)
    for place in np.arange(2, 2 * m - 1) / m:
        left.axline((0, place), slope=-1, color=COLOURS["blue"], linestyle="--", linewidth=1)
        left.axline((0, place - 1), slope=1, color=COLOURS["red"], linestyle="-", linewidth=1)
    _unit_square(left, f"{boards.shallow_units(k) - 1} creases of one layer")
    left.set_ylabel("y")
    right.axline((1 / m, 2 / m), slope=1, color=COLOURS["red"], linestyle="-", linewidth=1)
    right.plot(*boards.inner_corners(k).T, "o", color=COLOURS["grey"], markersize=3, linestyle="none")
    right.plot(*boards.outer_corners(k).T, "o", color=COLOURS["black"], markersize=6, linestyle="none")
    _unit_square(right, f"a rising line has one of {len(boards.outer_corners(k))} at most")
    return figure
