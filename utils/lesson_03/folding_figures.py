"""The sheet and the spiral in motion, a neuron's map, and the straight pieces of a boundary."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from torch import Tensor, nn

from utils.lesson_03.folding import along_line, planes, squared_paper, straight_line, views
from utils.player import Scene, lines, play, points, polygons
from utils.regions import decision_boundary
from utils.types import Array

MARGIN = 0.08  # of the points' spread, that the paper reaches beyond them
SHOWN = 300  # points
EDGE = 1.3  # what is in view of a plane whose points lie between −1 and 1
FAR = 3 * EDGE  # where what leaves the picture is clipped

# --- the spiral -------------------------------------------------------------------------------------------


def play_spiral(model: nn.Sequential, X: Tensor, y: Tensor, words: str = "03.unfolds") -> None:
    """Show points [n, 2] of two classes, squared paper and the boundary moving from plane to plane."""
    scene, labels, settings = unfolding(model, X, y)
    play(scene, labels, words, **settings)


def unfolding(model: nn.Sequential, X: Tensor, y: Tensor) -> tuple[Scene, list[str], dict]:
    """What `utils.player.play` takes to show the points on their way: the scene, the frames' labels, and settings."""
    X, y = X[:SHOWN].numpy().astype(float), y[:SHOWN].numpy()
    low, high = box(X)
    seen = views(planes(model, X))
    # The last frame is the last plane once more, with the read-out's straight line.
    dots, paper, boundary = (
        np.stack([*moved, moved[-1]])
        for moved in (
            [np.clip(view(plane), -FAR, FAR) for view, plane in zip(seen, planes(model, shape), strict=True)]
            for shape in (X, squared_paper(low, high), decision_boundary(model, tuple(zip(low, high, strict=True))))
        )
    )
    line = along_line(*straight_line(model), seen[-1], 2 * EDGE)
    waiting = np.broadcast_to(line[:1], (len(dots) - 1, 2, 2))
    scene = [
        polygons(paper, colours=["sky"], names=["squared paper"]),
        lines(np.concatenate([waiting, line[None]])[:, None], colours=["green"]),
        lines(boundary, colours=["green"], names=["where both outputs are equal"]),
        points(dots, y, names=["class 0", "class 1"]),
    ]
    blocks = len(seen) - 1
    labels = ["the input", *(f"after block {block}" for block in range(1, blocks + 1)), "a straight line"]
    return scene, labels, {"seconds": 2.5, "bounds": [(-EDGE, EDGE)] * 2}


def box(X: Array) -> tuple[Array, Array]:
    """Return two corners (low [2], high [2]) around the points, and a little more."""
    low, high = X.min(axis=0), X.max(axis=0)
    return low - MARGIN * (high - low), high + MARGIN * (high - low)
