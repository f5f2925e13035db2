"""An experiment of the exercises: which units are active along a line through the input, before and after training.

What it needs of torch is loaded when it runs: who marks a class runs a notebook's imports, and no experiment.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from utils.engine.compilation import notify_if_slow

if TYPE_CHECKING:
    import torch
    from matplotlib.figure import Figure
    from torch import nn

POINTS = 1000  # to train on
PLACES = 4001  # along the line
FREQUENCY = 2  # of the board, 4 × 4 squares
EPOCHS, BATCH = 300, 100  # 3,000 steps
RATE = 0.01


def patterns_along(
    sizes: Sequence[int], start: Sequence[float], end: Sequence[float], n_seeds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return which hidden units are active along a line, bool [seeds, places, units], before training and after it.

    The networks learn a checkerboard of 4 × 4 squares on [-1, 1]²; ``sizes`` begins and ends with 2, its inputs and
    its classes. The places are evenly spaced from ``start`` to ``end``.
    """
    with notify_if_slow("Loading PyTorch …"):
        from utils.comparison import sweep
        from utils.data import checkerboard, split
        from utils.models import mlp

    untrained: list[nn.Module] = []

    def build(*, generator: torch.Generator) -> nn.Module:
        model = mlp(sizes, generator=generator)
        untrained.append(copy.deepcopy(model))
        return model

    swept = sweep(
        build,
        partial(split, checkerboard, POINTS, frequency=FREQUENCY),
        lrs=[RATE],
        part_names=("training",),
        seeds=range(n_seeds),
        epochs=EPOCHS,
        batch_size=BATCH,
        schedule="one-cycle",
        progress=False,
    )
    line = np.linspace(start, end, PLACES)
    trained = [models[0] for models in swept.models]
    return tuple(np.stack([_patterns(model, line) for model in models]) for models in (untrained, trained))


def _patterns(model: nn.Sequential, line: np.ndarray) -> np.ndarray:
    """Return which hidden units are active at the points of a line, [places, units]."""
    h, active = line, []
    for layer in model[:-1:2]:
        z = h @ layer.weight.detach().double().numpy().T + layer.bias.detach().double().numpy()
        h = np.maximum(z, 0)
        active.append(z > 0)
    return np.concatenate(active, axis=1)


def pattern_bars(before: np.ndarray, after: np.ndarray) -> tuple[Figure, str]:
    """Return the patterns [places, units] of one network along the line, and what they show in words."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, sharey=True, figsize=(10, 3.4))
    for ax, patterns, title in zip(axes, (before, after), ("before training", "after training"), strict=True):
        units = patterns.shape[1]
        ax.imshow(~patterns.T, cmap="gray", aspect="auto", extent=(0, 1, units + 0.5, 0.5), interpolation="nearest")
        ax.hlines(np.arange(1, units) + 0.5, 0, 1, color="white", linewidth=1)
        ax.set(title=title, xlabel="place along the line")
        ax.grid(visible=False)
    axes[0].set_ylabel("hidden unit")
    figure.suptitle("Black: the unit is active. A piece ends wherever a unit switches")
    switching = [int(np.diff(patterns, axis=0).any(axis=0).sum()) for patterns in (before, after)]
    return figure, (
        f"Two panels, before and after training, with a row for each of {before.shape[1]} hidden units of one network: "
        f"black where the unit is active along the line. {switching[0]} of the units switch before training, "
        f"{switching[1]} after it."
    )


def count_lines(before: np.ndarray, after: np.ndarray) -> tuple[Figure, str]:
    """Return a line for each seed from its number of pieces before training to that after it, and what they show in
    words.
    """
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(6, 3.4))
    sides = np.linspace(-0.06, 0.06, len(before))  # so that seeds of the same numbers stay apart
    for side, counts in zip(sides, np.stack([before, after], axis=1), strict=True):
        fell = counts[1] < counts[0]
        style, colour = ("--", "orange") if fell else ("-", "blue")
        ax.plot([side, 1 + side], counts, style, marker="o", color=COLOURS[colour], linewidth=1, alpha=0.7)
    ax.set(xticks=[0, 1], xticklabels=["before", "after"], xlim=(-0.3, 1.3), ylim=(0, None))
    ax.set_ylabel("pieces along the line")
    figure.suptitle("A line for each network. Dashed: fewer pieces than before")
    more, fewer = int((after > before).sum()), int((after < before).sum())
    return figure, (
        f"A line for each of {len(before)} networks, from its number of pieces before training to that after it: "
        f"{more} have more pieces than before, {fewer}, dashed, have fewer."
    )
