"""What moves on a page: frames of points, lines, polygons or bars, played in the page itself by utils/player.js.

A page holds the frames, a small script that draws them, and a strip of some frames as a picture, which the script
replaces; where scripts do not run, the strip stays. Nothing is asked of a kernel or the network.
"""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from utils.commitments import waits
from utils.figures import COLOURS, png
from utils.pages import KEY, figure_text

LIMIT = 100_000  # characters in the page, the strip not counted
MOST_PANELS = 4
NAMES = ("blue", "red", "green", "black", "purple", "orange", "sky", "grey")  # in the order of all figures
LETTERS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", np.uint8)
HIGHEST = len(LETTERS) ** 2 - 1  # a number becomes two letters: a sixth of a page's pixel
FARTHEST = 8  # times the bounds that the frames may reach; beyond, rounding would be seen
ANGLES = {"turn": -30, "tilt": 20}  # degrees, from which a reader first looks at what is in space
# A colour has a marker and a line style of its own, here as in player.js.
MARKERS, DASHES = "os^DvPXH", ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1)), "-")
IN_STRIP = 5  # frames


@dataclass(frozen=True)
class Shape:
    """Items of one kind ("points", "lines" or "polygons"), frame by frame."""

    kind: str
    frames: np.ndarray  # [frames, items, vertices, 2 or 3]; a single frame stays where it is
    groups: np.ndarray  # [items], which of the styles
    styles: tuple[int, ...]  # places in NAMES
    names: tuple[str, ...]


Scene = Shape | Sequence[Shape] | Mapping[str, Sequence[Shape]]


def points(frames, groups=None, *, colours: Sequence[str] = NAMES, names: Sequence[str] = ()) -> Shape:
    """Return points that move; frames [frames, points, 2 or 3].

    ``groups`` [points], whole numbers from 0, says which of ``colours`` (names of utils.figures.COLOURS) each has; a
    colour has a marker of its own. ``names`` are the groups' names, for the legend. Lines and polygons take the same.
    Raises ValueError that says what is wrong.
    """
    return _shape("points", frames, 3, groups, colours, names)


def lines(frames, groups=None, *, colours: Sequence[str] = NAMES, names: Sequence[str] = ()) -> Shape:
    """Return lines through points that move; frames [frames, lines, vertices, 2 or 3].

    A line that is to grow has all its vertices from the beginning, those that are still to come at its tip.
    """
    return _shape("lines", frames, 4, groups, colours, names)


def polygons(frames, groups=None, *, colours: Sequence[str] = NAMES, names: Sequence[str] = ()) -> Shape:
    """Return polygons whose corners move in the plane; frames [frames, polygons, corners, 2].

    They are translucent: where several lie on each other, it is darker.
    """
    return _shape("polygons", frames, 4, groups, colours, names)


def bars(heights, edges, *, colour: str = "blue", name: str = "") -> Shape:
    """Return bars whose heights [frames, bars] change, between ``edges`` [bars + 1], as numpy.histogram has them."""
    heights, edges = np.asarray(heights, float), np.asarray(edges, float)
    if heights.ndim != 2 or edges.shape != (heights.shape[-1] + 1,):
        raise ValueError(
            f"bars want heights [frames, bars] and one more edge than bars, not {heights.shape} and {edges.shape}"
        )
    left, right = np.broadcast_to(edges[:-1], heights.shape), np.broadcast_to(edges[1:], heights.shape)
    x, y = np.stack([left, left, right, right], -1), np.stack([0 * heights, heights, heights, 0 * heights], -1)
    return polygons(np.stack([x, y], -1), colours=[colour], names=[name] if name else [])


def play(scene: Scene, labels: Sequence[str], words: str, *, answers: str | None = None, **settings) -> None:
    """Display the scene, to be played: a shape, several in one panel, or up to four panels by their titles.

    One that ``answers`` a prediction is folded until a reader has committed, as by `utils.figures.show_figure`.

    ``labels`` names each frame; one with an empty label is passed without a rest, on the way to the next that has one.
    ``words`` says what is to be seen, for readers who cannot see it, or is the key of a text that a room has registered
    (see `utils.pages`), whose title then stands above the film; ``settings`` are those of `player_html`. All panels
    have one scale, and move and turn together.
    """
    from IPython.display import display

    title = ""
    if KEY.fullmatch(words):
        text = figure_text(words)
        title, words = f"<figcaption><b>{html.escape(text.title, quote=False)}</b></figcaption>", text.alt
    page = title + player_html(scene, labels, words, **settings)
    if waits(answers):
        page = f"<details><summary>The film</summary>{page}</details>"
    display({"text/html": page, "text/plain": _one_line(words)}, raw=True)


def player_html(
    scene: Scene,
    labels: Sequence[str],
    words: str,
    *,
    seconds: float = 1.0,
    bounds: Sequence[tuple[float, float]] | None = None,
    axes: tuple[str, str] = ("", ""),
    equal: bool = True,
    tallest: float = 2.2,
) -> str:
    """Return the player as a piece of a page; the same bytes for the same input.

    ``seconds`` from a frame with a label to the next; ``bounds``, a pair (low, high) for each axis, what is in view
    (all, where None); ``axes``, their names in the plane; ``equal``, one unit is as long on both axes, which curves
    and bars do not want; ``tallest``, in inches, the most that the strip has for each panel.

    Raises ValueError that says what is wrong, and what to do where the frames take more than 100 kB.
    """
    panels, labels, words = _panels(scene), [str(label) for label in labels], _one_line(words)
    _fitting(panels, labels, words, seconds)
    film = _film(panels, labels, seconds, bounds, axes, equal)
    film["id"] = hashlib.sha256(json.dumps(film).encode()).hexdigest()[:16]
    # Without what indents it; and "</script>" in a label must not end the script.
    script = "\n".join(map(str.strip, Path(__file__).with_suffix(".js").read_text(encoding="utf-8").splitlines()))
    code = f"{script}({json.dumps(film, ensure_ascii=False, separators=(',', ':')).replace('<', chr(92) + 'u003c')})"
    shown, said = '<img src="data:image/png;base64,{}" style="max-width:100%" alt="{}">', html.escape(words)
    page = (
        f'<div data-player="{film["id"]}">{shown}</div>'
        f"<details><summary>The figure in words</summary>{said}</details>\n<script>{{}}</script>"
    )
    size = len(page) + len(code) + len(said)
    if size > LIMIT:
        raise ValueError(
            f"the player takes {size / 1000:.0f} kB of the page, where {LIMIT // 1000} are allowed; show fewer frames "
            f"({len(labels)} now) or fewer points, or move less (a shape of one frame is stored once)"
        )
    return page.format(base64.b64encode(png(_strip(panels, film, tallest))).decode(), said, code)


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _shape(kind: str, frames, dimensions: int, groups, colours: Sequence[str], names: Sequence[str]) -> Shape:
    """Return the shape; raises ValueError where something does not fit."""
    frames = np.asarray(frames, float)
    most = 2 if kind == "polygons" else 3
    if frames.ndim != dimensions or 0 in frames.shape or not 2 <= frames.shape[-1] <= most:
        wanted = f"[frames, {kind}{', vertices' * (dimensions > 3)}, 2{' or 3' * (most > 2)}]"
        raise ValueError(f"{kind} want an array {wanted}, not {frames.shape}")
    if not np.isfinite(frames).all():
        raise ValueError(f"frames of {kind} hold a number that is not finite")
    frames = frames.reshape(len(frames), frames.shape[1], -1, frames.shape[-1])
    groups = np.zeros(frames.shape[1], int) if groups is None else np.asarray(groups)
    if groups.shape != frames.shape[1:2] or not np.isin(groups, range(len(colours))).all():
        raise ValueError(
            f"groups want a whole number from 0 to {len(colours) - 1} for each of the {frames.shape[1]} {kind}"
        )
    if unknown := [colour for colour in colours if colour not in NAMES]:
        raise ValueError(f"colours are names out of {', '.join(NAMES)}, not {unknown[0]!r}")
    used = colours[: int(groups.max()) + 1]
    if names and len(names) != len(used):
        raise ValueError(f"there are {len(names)} names for {len(used)} groups of {kind}; as many are wanted")
    return Shape(kind, frames, groups.astype(int), tuple(map(NAMES.index, used)), tuple(names))


def _panels(scene: Scene) -> dict[str, list[Shape]]:
    panels = scene if isinstance(scene, Mapping) else {"": scene}
    return {title: [one] if isinstance(one, Shape) else list(one) for title, one in panels.items()}


def _fitting(panels: dict[str, list[Shape]], labels: list[str], words: str, seconds: float) -> None:
    """Raise ValueError where shapes, labels, words and seconds do not fit together."""
    shapes = [shape for panel in panels.values() for shape in panel]
    if not 1 <= len(panels) <= MOST_PANELS or not all(panels.values()):
        raise ValueError(f"the scene has {len(panels)} panels; one to {MOST_PANELS} are wanted, each with a shape")
    if len({shape.frames.shape[-1] for shape in shapes}) > 1:
        raise ValueError("some shapes lie in the plane and others in space; all of a scene lie in one of them")
    for shape in shapes:
        if len(shape.frames) not in (1, len(labels)):
            raise ValueError(f"there are {len(labels)} labels, and {len(shape.frames)} frames of {shape.kind}")
    if len(labels) < 2:
        raise ValueError("a single frame does not move; show it with show_figure")
    if not (labels[0] and labels[-1]):
        raise ValueError("the first or the last label is empty; a film begins and ends with a frame that has one")
    if not words:
        raise ValueError("words are empty; a sentence that says what there is to see is wanted")
    if not (np.isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds is {seconds}; a number above 0 is wanted")


def _film(panels: dict[str, list[Shape]], labels: list[str], seconds: float, bounds, axes, equal: bool) -> dict:
    """Return what the script is handed, plain data; raises ValueError for bounds that do not fit."""
    shapes = [shape for panel in panels.values() for shape in panel]
    spread = np.concatenate([shape.frames.reshape(-1, shape.frames.shape[-1]) for shape in shapes])
    low, high = spread.min(axis=0), spread.max(axis=0)
    view = _view(low, high, bounds)
    width, height = (view[:, 1] - view[:, 0])[:2]
    solid = len(low) == 3
    ratio = 1.0 if solid else height / width if equal else 0.5 if len(panels) == 1 else 0.75
    return {
        "labels": labels,
        "seconds": float(seconds),
        "angles": ANGLES,
        "axes": list(axes),
        "colours": [COLOURS[name] for name in NAMES],
        "low": low.tolist(),
        "high": high.tolist(),
        "view": view.tolist(),
        "ratio": float(ratio),
        "equal": equal or solid,
        "ticks": [] if solid else [_ticks(*one) for one in view],
        "names": [{"kind": kind, "style": style, "name": name} for kind, style, name in _named(shapes)],
        "panels": [
            {"title": title, "shapes": [_written(shape, low, high) for shape in panel]}
            for title, panel in panels.items()
        ],
    }


def _view(low: np.ndarray, high: np.ndarray, bounds) -> np.ndarray:
    """Return what is in view [axes, 2]: the bounds, or all and a little more."""
    if bounds is None:
        wide = np.where(high > low, high - low, 1.0)
        return np.stack([low - 0.04 * wide, high + 0.04 * wide], -1)
    view = np.asarray(bounds, float)
    if view.shape != (len(low), 2) or not np.isfinite(view).all() or (view[:, 0] >= view[:, 1]).any():
        raise ValueError(f"bounds want a pair (low, high) for each of the {len(low)} axes, not {bounds}")
    if (high - low > FARTHEST * (view[:, 1] - view[:, 0])).any():
        raise ValueError(
            f"the frames reach over more than {FARTHEST} times the bounds, and rounding would be seen; "
            "clip them, or choose wider bounds"
        )
    return view


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    places = np.asarray(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    return [(float(one), f"{one:.4g}".replace("-", "−")) for one in places.round(12) if low <= one <= high]


def _named(shapes: Sequence[Shape]) -> list[tuple[str, int, str]]:
    """Return kind, style and name of what the legend names, each once."""
    named = ((shape.kind, *entry) for shape in shapes for entry in zip(shape.styles, shape.names, strict=False))
    return list(dict.fromkeys(named))


def _written(shape: Shape, low: np.ndarray, high: np.ndarray) -> dict:
    """Return a shape as plain data: each number as two letters, its place between ``low`` and ``high``."""
    wide = np.where(high > low, high - low, 1.0)
    levels = np.rint((shape.frames - low) / wide * HIGHEST).astype(int)
    letters = LETTERS[np.stack([levels // len(LETTERS), levels % len(LETTERS)], -1)]
    return {
        "kind": shape.kind,
        "frames": len(shape.frames),
        "items": shape.frames.shape[1],
        "vertices": shape.frames.shape[2],
        "groups": "".join(map(str, shape.groups)),
        "styles": list(shape.styles),
        "data": letters.tobytes().decode(),
    }


def _strip(panels: dict[str, list[Shape]], film: dict, tallest: float) -> Figure:
    """Return some of the frames side by side, a row for each panel."""
    labels = film["labels"]
    named = np.flatnonzero(labels)
    chosen = named[np.unique(np.rint(np.linspace(0, len(named) - 1, min(len(named), IN_STRIP))).astype(int))]
    view = np.array(film["view"])
    tall = min(max(8 / len(chosen) * film["ratio"], 0.8), tallest)
    size = (8, 0.5 + tall * len(panels) + 0.3 * bool(film["names"]))
    figure, grid = plt.subplots(len(panels), len(chosen), figsize=size, squeeze=False, sharex=True, sharey=True)
    for row, (title, shapes) in zip(grid, panels.items(), strict=True):
        for ax, frame in zip(row, chosen, strict=True):
            for shape in shapes:
                _draw(ax, shape, shape.frames[frame if len(shape.frames) > 1 else 0], view)
            ax.tick_params(labelsize=7)
            if film["equal"]:
                ax.set_aspect("equal")
        row[0].set_ylabel(title or film["axes"][1], fontsize=8)
    radius = np.linalg.norm(view[:, 1] - view[:, 0]) / 2
    limits = [(-radius, radius)] * 2 if len(view) == 3 else view
    grid[0, 0].set(xlim=limits[0], ylim=limits[1])
    for ax, frame in zip(grid[0], chosen, strict=True):
        ax.set_title(labels[frame], fontsize=8, wrap=True)
    for ax in grid.flat if len(view) == 3 else ():
        ax.set(xticks=[], yticks=[], frame_on=False)
        box = list(_projected(_edges(view), view))
        ax.add_collection(LineCollection(box, colors="lightgrey", linewidths=0.6, zorder=0))
    for ax in grid[-1]:
        ax.set_xlabel(film["axes"][0], fontsize=8)
    _legend(figure, film["names"])
    return figure


def _draw(ax: plt.Axes, shape: Shape, frame: np.ndarray, view: np.ndarray) -> None:
    flat = _projected(frame, view)
    if shape.kind == "polygons":  # one on the other in their own order, as on the page
        colours = [COLOURS[NAMES[shape.styles[group]]] for group in shape.groups]
        fill, edge = ([(colour, alpha) for colour in colours] for alpha in (0.3, 0.8))
        ax.add_collection(PolyCollection(list(flat), facecolors=fill, edgecolors=edge, linewidths=0.6))
        return
    for group, style in enumerate(shape.styles):
        colour = COLOURS[NAMES[style]]
        own = flat[shape.groups == group]
        if shape.kind == "points":
            size = 3 if len(flat) > 200 else 9
            ax.scatter(own[:, 0, 0], own[:, 0, 1], s=size, marker=MARKERS[style], color=colour, linewidths=0)
        else:
            ax.add_collection(LineCollection(list(own), colors=colour, linestyles=[DASHES[style]], linewidths=1.2))


def _projected(frame: np.ndarray, view: np.ndarray) -> np.ndarray:
    """Return the frame [items, vertices, 2] as it is seen, from where a reader first looks at what is in space."""
    if len(view) == 2:
        return frame
    turn, tilt = np.radians([ANGLES["turn"], ANGLES["tilt"]])
    x, y, z = np.moveaxis(frame - view.mean(axis=1), -1, 0)
    away = np.sin(turn) * x + np.cos(turn) * y
    return np.stack([np.cos(turn) * x - np.sin(turn) * y, np.cos(tilt) * z + np.sin(tilt) * away], -1)


def _edges(view: np.ndarray) -> np.ndarray:
    """Return the twelve edges [edges, 2, 3] of the box that is in view."""
    corners = np.array(list(itertools.product(*view)))
    pairs = itertools.combinations(corners, 2)
    return np.array([pair for pair in pairs if (pair[0] != pair[1]).sum() == 1])


def _legend(figure: Figure, names: Sequence[dict]) -> None:
    handles = []
    for entry in names:
        looks: dict[str, dict[str, Any]] = {
            "points": {"linestyle": "", "marker": MARKERS[entry["style"]]},
            "lines": {"linestyle": DASHES[entry["style"]]},
            "polygons": {"linestyle": "", "marker": "s", "alpha": 0.4},
        }
        handles.append(
            plt.Line2D([], [], color=COLOURS[NAMES[entry["style"]]], label=entry["name"], **looks[entry["kind"]])
        )
    if handles:
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize=8)
