"""An experiment of the exercises: small networks on the noisy rings, over learning rates and seeds.

What it needs of torch is loaded when it runs: who marks a class runs a notebook's imports, and no experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from utils.engine.compilation import notify_if_slow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Accuracies = tuple[np.ndarray, np.ndarray, np.ndarray]


def ring_accuracies(rates: Sequence[float], *, n_seeds: int, width: int = 10) -> Accuracies:
    """Return training, validation and held-out accuracies, each [rates, seeds], of networks with one hidden layer."""
    with notify_if_slow("Loading PyTorch …"):
        from utils.comparison import PARTS, sweep
        from utils.lesson_01.rings import RING_STEPS, ring_parts
        from utils.models import mlp

    swept = sweep(partial(mlp, [2, width, 2]), ring_parts, seeds=range(n_seeds), lrs=rates, epochs=RING_STEPS)
    scores = swept.scores()
    return tuple(scores.sel(part=part).transpose("rate", "seed").to_numpy() for part in PARTS)


def accuracy_dots(
    rates: np.ndarray, training: np.ndarray, validation: np.ndarray, held_out: np.ndarray
) -> tuple[Figure, str]:
    """Return a panel for each part with a dot for each network, and what they show in words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, axes = plt.subplots(1, 3, sharey=True, figsize=(6.8, 3.2))
    parts = {
        "training": (training, "s", "orange"),
        "validation": (validation, "^", "green"),
        "held-out": (held_out, "o", "blue"),
    }
    for ax, (name, (accuracies, marker, colour)) in zip(axes, parts.items(), strict=True):
        places = np.broadcast_to(rates[:, None], accuracies.shape)
        ax.plot(places, accuracies, marker, color=COLOURS[colour], linestyle="none", alpha=0.5)
        ax.set(title=name, xlabel="learning rate", xscale="log")
    axes[0].set_ylabel("accuracy")
    words = (
        f"Three panels show training, validation and held-out accuracy. Each has {training.shape[1]} dots, one for "
        f"each seed, at each of {len(rates)} learning rates from {rates.min():g} to {rates.max():g}. The accuracies "
        f"reach from {training.min():.2f} to {training.max():.2f}, {validation.min():.2f} to {validation.max():.2f} "
        f"and {held_out.min():.2f} to {held_out.max():.2f}."
    )
    return figure, words
