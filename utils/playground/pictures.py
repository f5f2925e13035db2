"""The picture that stands for a playground where scripts do not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb

from utils.figures import COLOURS, png, use_style
from utils.playground.models import Drawn

SIDES = (COLOURS["blue"], COLOURS["orange"])  # of the plane: where the output is below 0, and above
CELLS, MOST_DOTS = 200, 300


def picture(networks: Sequence[Drawn], whole: Mapping[str, Any], *, trained: bool) -> tuple[bytes, str]:
    """Return what networks make of a whole setting's square, as PNG, and in words; the same wherever it is drawn."""
    half, shapes = whole["half"], ["–".join(map(str, [2, *one.widths, 1])) for one in networks]
    with plt.rc_context():
        use_style()
        figure, grid = plt.subplots(1, len(networks), figsize=(2.7 * len(networks), 2.9), squeeze=False)
        for ax, network, shape in zip(grid[0], networks, shapes, strict=True):
            _draw(ax, network, half, whole.get("given", ()))
            ax.set(xlim=(-half, half), ylim=(-half, half), xticks=[-half, 0, half], yticks=[-half, 0, half])
            ax.set_title(shape, fontsize=9)
            ax.tick_params(labelsize=8)
            ax.grid(False)
        drawn = png(figure)
    what = f"the network{'s' if len(shapes) > 1 else ''} {' and '.join(shapes)}{'' if trained else ', not trained yet'}"
    switches = ", and lines where a unit switches" if "relu" in {one.activation for one in networks} else ""
    return drawn, (
        "A playground: where scripts run, networks are trained and changed in it. Without them, a picture of "
        f"{what}, from −{half:g} to {half:g} both ways: blue where the output is below 0, orange where it is above"
        f"{switches}."
    )


def _draw(ax: Axes, network: Drawn, half: float, given: Sequence[Sequence[float]]) -> None:
    line = np.linspace(-half, half, CELLS)
    X = np.stack(np.meshgrid(line, line), -1)
    *hidden, outputs = (z.reshape(CELLS, CELLS, -1) for z in network(X.reshape(-1, 2)))
    shown = np.where(outputs[..., 0] > 0, 1, 0)
    if network.activation == "relu" and hidden:
        on = np.concatenate(hidden, axis=-1) > 0
        shown[1:, 1:][(on[1:, 1:] != on[:-1, 1:]).any(-1) | (on[1:, 1:] != on[1:, :-1]).any(-1)] = 2
    faces: list[str | tuple[float, ...]] = [tuple(0.4 * part + 0.6 for part in to_rgb(side)) for side in SIDES]
    faces.append(COLOURS["grey"])
    ax.imshow(
        shown,
        ListedColormap(faces),
        vmin=0,
        vmax=2,
        origin="lower",
        extent=(-half, half, -half, half),
        interpolation="nearest",
    )
    for label, marker in enumerate("os"):
        at = np.array([place for *place, its in given[:MOST_DOTS] if its == label]).reshape(-1, 2)
        ax.scatter(at[:, 0], at[:, 1], s=8, marker=marker, color=SIDES[label], edgecolors="white", linewidths=0.4)
