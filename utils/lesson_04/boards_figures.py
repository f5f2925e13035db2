"""The checkerboard as a sheet of paper that is folded, and the one layer that draws it, too."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from utils.checks import whole_number
from utils.figures import COLOURS
from utils.lesson_04 import boards
from utils.pages import described
from utils.player import Scene, play, points, polygons
from utils.plots import PITCH, plot_layers, unit_places
from utils.types import Array

# --- the sheet that is folded -----------------------------------------------------------------------------

TURNING = 4  # frames of each fold
NEARER = 0.3  # how much larger what stands up from the sheet is seen, for each of the sheet's widths
MARGIN, TOP = 0.2, 1.3  # what is in view beyond the pile, and up to where
OUTSIDE = 1.5  # where the cut waits
CUT = 0.0015  # half of its width on the sheet: two lines that are seen as one
MOST_FOLDS = 2  # each way: a third takes more than a page may hold
KINDS = ["blue", "red"]  # of +1, and of −1: names of the course's colours, whose red is seen as orange
UNIT = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])  # the corners of a square of half-width 1
GAPS = np.array([0.03, 0.13])  # around a square, in its widths: under an orange square a blue one still shows


@described(
    "04.trap-folded",
    "Folded along the squares' edges",
    """A sheet painted as a board of 4×4 squares, blue ones with a dot and smaller orange ones with a square mark, is
    folded in the middle four times, twice to the left and twice downwards, and each time stretched to its old width.
    From the first fold on, blue lies on orange and orange on blue, and in the pile all sixteen lie on one place, where
    both colours show. One black cut each way goes through the middle of the pile. Unfolded, the cuts run through the
    middles of the squares, not along their edges.
    """,
)
@described(
    "04.folding",
    "Folded half a square further, every square lies on its own colour",
    """A sheet painted as a board of 4×4 squares, blue ones with a dot and smaller orange ones with a square mark, is
    shifted by half a square. Then it is folded four times, twice to the left and twice downwards, through the marks,
    and each time stretched to the double width. Blue always comes to lie on blue, orange on orange. The pile has four
    quarters, blue and orange by turns; on the left and below, the outer halves of the last squares stick out, and no
    crease runs through them. One black cut each way separates the quarters. Unfolded, the cuts run along all inner
    edges of the squares.
    """,
)
def play_folding(k: int = 2, shift: float = 0.5, *, answers: str | None = None) -> None:
    """Show a painted sheet that is folded k times each way, cut once, and unfolded.

    ``shift``: how far beside the grid lines it is folded, in squares, ½ or 0, which is the trap. ``answers``: as of
    `utils.player.play`. Raises ValueError for another shift, and for more than two folds.
    """
    scene, labels, settings = folding(k, shift)
    play(scene, labels, "04.folding" if shift else "04.trap-folded", answers=answers, **settings)


def folding(k: int, shift: float) -> tuple[Scene, list[str], dict]:
    """Return what `utils.player.play` takes to show the folds: the scene, the frames' labels, and settings."""
    if whole_number("k", k) > MOST_FOLDS:
        raise ValueError(f"k is {k}: wanted at most {MOST_FOLDS}, which fills a page")
    if shift not in (0, 0.5):
        raise ValueError(f"shift is {shift!r}: wanted 0.5, half a square beside the grid lines, or 0, on them")
    middles = _middles(2**k)
    kind = (boards.board_signs(torch.from_numpy(middles), k).numpy() < 0).astype(int)
    order = np.argsort(kind, kind="stable")  # orange ones are drawn last, and of the marks the blue ones
    pieces, of_pieces = _pieces(middles[order], GAPS[kind[order]] / 2**k, 2.0 ** -(k + 1), whole=not shift)
    scene = [
        polygons(_carried(pieces, k, shift), kind[order][of_pieces], colours=KINDS, names=["blue", "orange"]),
        points(_carried(middles[order[::-1]], k, shift), kind[order[::-1]], colours=KINDS),
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


def _middles(m: int) -> Array:
    """Return the middles [m², 2] of m × m squares."""
    return (np.stack(np.meshgrid(*[np.arange(m)] * 2), axis=-1).reshape(-1, 2) + 0.5) / m


def _pieces(middles: Array, gaps: Array, half: float, *, whole: bool) -> tuple[Array, Array]:
    """Return the corners [n, 4, 2] of the squares around these middles, each smaller by its gap all around, and which
    square each is of; not ``whole``, the squares are cut in four, for the creases that will run through their middles.
    """
    reach = (half - gaps)[:, None, None]
    if whole:
        return middles[:, None] + reach * UNIT, np.arange(len(middles))
    quarters = middles[:, None, None] + reach[:, None] * (UNIT[:, None] + UNIT) / 2
    return quarters.reshape(-1, 4, 2), np.repeat(np.arange(len(middles)), len(UNIT))


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


# --- the two networks -------------------------------------------------------------------------------------

WIDTH = 5.2  # inches, in which all places are
ROW = 16  # units of the one layer in a row
BELOW, LABEL, ABOVE = 0.15, 0.75, 0.85  # the boxes, and between them


@described("04.shallow", "The same board: 24 units folded, and 123 in one layer")
def deep_and_shallow(k: int = 5) -> Figure:
    """Two networks drawn to one scale, with a dot for each hidden unit. Above, a chain of six boxes with four units
    each. Below, one box with eight rows of units, as many as one layer needs.
    """
    deep, shallow = boards.deep_units(k), boards.shallow_units(k)
    column, block = unit_places(4, 1), unit_places(shallow, min(shallow, ROW))
    high, low = ((np.ptp(places[:, 1]) + PITCH) / 2 for places in (column, block))
    middle = low + LABEL + high  # of the chain; the box's is 0
    figure, ax = plt.subplots(figsize=(WIDTH, BELOW + low + middle + high + ABOVE), layout="none")
    ax.set_position((0, 0, 1, 1))
    ax.set(xlim=(0, WIDTH), ylim=(-low - BELOW, middle + high + ABOVE))
    ax.axis("off")
    ends = "x, y", "f(x, y)"
    words = f"{k + 1} hidden layers of 4 units: {deep} units", f"1 hidden layer: {shallow} units; fewer cannot do it"
    plot_layers([column] * (k + 1), words[0], ax, left=1.2, middle=middle, ends=ends)
    plot_layers([block], words[1], ax, left=1.2, ends=ends)
    return figure


# --- the shallow side -------------------------------------------------------------------------------------

PALE = ListedColormap(["#fbe0d0", "#d3e6f2"])  # of −1, and of +1


@described("04.diagonals", "One layer creases along the diagonals")
def diagonals(k: int = 3) -> Figure:
    """Two boards of 8×8 squares. Left, with straight creases along the diagonals of the squares, solid ones rising and
    dashed ones falling. Right, with a dot in each inner corner, where four squares meet; those of the first column and
    of the lowest row are large and black, and a rising line passes through one of these.
    """
    m = 2 ** whole_number("k", k)
    figure, (left, right) = plt.subplots(1, 2, figsize=(5.2, 3.7), sharey=True)
    for ax in (left, right):
        signs = boards.board_signs(torch.from_numpy(_middles(m)), k).reshape(m, m).numpy()
        ax.imshow(signs, origin="lower", extent=(0, 1, 0, 1), cmap=PALE)
    for place in np.arange(2, 2 * m - 1) / m:
        left.axline((0, place), slope=-1, color=COLOURS["blue"], linestyle="--", linewidth=1)
        left.axline((0, place - 1), slope=1, color=COLOURS["red"], linestyle="-", linewidth=1)
    _unit_square(left, f"{boards.shallow_units(k) - 1} creases\nof one layer")
    left.set_ylabel("y")
    right.axline((1 / m, 2 / m), slope=1, color=COLOURS["red"], linestyle="-", linewidth=1)
    right.plot(*boards.inner_corners(k).T, "o", color=COLOURS["grey"], markersize=3, linestyle="none")
    right.plot(*boards.outer_corners(k).T, "o", color=COLOURS["black"], markersize=6, linestyle="none")
    _unit_square(right, f"a rising line meets at most\none of {len(boards.outer_corners(k))} black corners")
    return figure


def _unit_square(ax: Axes, title: str) -> None:
    ax.set(title=title, xlabel="x", xlim=(0, 1), ylim=(0, 1))
    ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    ax.set_yticks([0, 0.5, 1], ["0", "½", "1"])
    ax.grid(False)
