"""Lesson 02's tents: the two networks of one function, drawn to one scale, and the strip that is folded, in motion."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.constructions import sawtooth_network
from utils.lesson_02.sawtooth import one_layer_sawtooth
from utils.models import count_parameters
from utils.pages import described
from utils.player import Scene, lines, play, points
from utils.plots import plot_layers, unit_places
from utils.types import Array

# --- the two networks -------------------------------------------------------------------------------------

SIZE = (8.0, 4.4)  # inches, in which all places are
ROW = 32  # units, where a layer is too large for one column
MIDDLE = 1.9


@described("02.shallow", "The same function, 61 parameters or 3,073")
def two_networks(k: int = 10) -> Figure:
    """Two networks with a dot for each hidden unit, all dots of one size. Left, a thin chain: ten layers of two units.
    Right, a wall of dots: one layer of 1,024 units.
    """
    figure, ax = plt.subplots(figsize=SIZE, layout="none")
    ax.set_position((0, 0, 1, 1))
    ax.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]))
    ax.axis("off")
    deep, shallow = count_parameters(sawtooth_network(k)), count_parameters(one_layer_sawtooth(k))
    label = f"{k} hidden layers of 2 units:\n{deep:,} parameters"
    plot_layers([unit_places(2, 1)] * k, label, ax, left=0.25, middle=MIDDLE)
    label = f"1 hidden layer of {2**k:,} units:\n{shallow:,} parameters"
    plot_layers([unit_places(2**k, min(2**k, ROW))], label, ax, left=3.8, middle=MIDDLE)
    return figure


# --- the strip that is folded -----------------------------------------------------------------------------

SHEET = 1 / 40  # from sheet to sheet, where the strip lies on itself; the strip's length is 1
TURNING, STRETCHING = 8, 3  # frames of each fold
BEND = np.linspace(0, 1, 13)  # a crease is drawn round, through so many points
MARKED = np.array([0.18, 0.7])


@described(
    "02.folds",
    "A strip of paper, folded again and again",
    """Left, an upright strip seen from its edge: its upper half swings down beside the lower one, and the strip is
    stretched to its old length, four times, until sixteen sheets lie side by side. Right, the height of each of its
    points: a straight line that becomes a tent, then two, four and eight teeth. Two marked points are at the same
    height in both whenever it rests.
    """,
)
def play_folds(k: int = 4) -> None:
    """Show a strip that is folded in the middle and stretched to its old length, k times, beside its points' graph."""
    scene, labels, settings = folds(k)
    play(scene, labels, "02.folds", answers="02.pieces", **settings)


def folds(k: int) -> tuple[Scene, list[str], dict]:
    """Return what `utils.player.play` takes to show the folds: the scene, the frames' labels, and settings."""
    knots = np.linspace(0, 1, 2**k + 1)
    paper = np.concatenate([[0], np.repeat(knots[1:-1], len(BEND)), [1]])
    share = np.concatenate([[0], np.tile(BEND, len(knots) - 2), [0]])
    sheets, _ = _folded(paper, share, k)
    marked, marked_heights = _folded(MARKED, 0 * MARKED, k)
    _, heights = _folded(knots, 0 * knots, k)
    dots = {"groups": np.arange(len(MARKED)), "colours": ["red", "green"], "names": [f"x = {x:g}" for x in MARKED]}
    scene = {
        "the strip, seen from its edge": [lines(sheets[:, None], colours=["blue"]), points(marked, **dots)],
        "where each x of it lies": [
            lines(_graph(knots, heights)[:, None], colours=["blue"]),
            points(_graph(MARKED, marked_heights), **dots),
        ],
    }
    labels = ["the strip"]
    for fold in range(1, k + 1):
        labels += [""] * (TURNING + STRETCHING - 1) + [f"{fold} fold{'s' * (fold > 1)}"]
    return scene, labels, {"seconds": 2.4}


def _graph(x: Array, heights: Array) -> Array:
    """Return [frames, n, 2]: heights [frames, n] over x [n]."""
    return np.stack([np.broadcast_to(x, heights.shape), heights], axis=-1)


def _folded(x: Array, share: Array, k: int) -> tuple[Array, Array]:
    """Return places [frames, n, 2] of the strip's points x [n], seen from its edge, and heights [frames, n], if it were
    thin.

    The strip stands upright, its point x at the height x. A fold turns the part above ½ about its crease, to the right,
    until it hangs down in front of the rest; then all is stretched to the double height: what was at h is at
    1 − |2h − 1|, the tent. share [n]: how far through a crease's bend a point on it lies, from 0 to 1.
    """
    across, height = np.zeros(len(x)), np.array(x)
    bulge = np.zeros(len(x))  # how much higher a bend's point is than the bend's ends
    rising = np.ones(len(x), dtype=bool)  # whether the strip runs upwards there
    places, heights = [np.stack([across, height], axis=1)], [height]
    for fold in range(k):
        crease = (2**fold - 0.5) * SHEET
        turned = np.where(height == 0.5, np.where(rising, share, 1 - share), height > 0.5)
        for angle in np.linspace(0, np.pi, TURNING + 1)[1:]:
            cosine, sine = np.cos(angle * turned), np.sin(angle * turned)
            right, up = across - crease, height + bulge - 0.5
            places.append(np.stack([crease + right * cosine + up * sine, 0.5 + up * cosine - right * sine], axis=1))
            heights.append(0.5 + (height - 0.5) * cosine)
        rising ^= height > 0.5
        across, height, bulge = places[-1][:, 0], heights[-1], places[-1][:, 1] - heights[-1]
        for stretch in np.linspace(1, 2, STRETCHING + 1)[1:]:
            places.append(np.stack([across, stretch * height + bulge], axis=1))
            heights.append(stretch * height)
        height = heights[-1]
    return np.stack(places), np.stack(heights)
