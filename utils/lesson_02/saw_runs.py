"""An experiment of the exercises: what training finds of sawtooths that could all be hand-built, over seeds.

What it needs of torch is loaded when it runs: who marks a class runs a notebook's imports, and no experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from utils.engine.compilation import notify_if_slow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARCHITECTURES = ("two units a layer", "eight units a layer", "one hidden layer")
FOLDS = (1, 2, 3, 4)  # of 2, 4, 8 and 16 pieces
EPOCHS = 250  # of eight batches: 2,000 steps
RATES = (0.03, 0.03, 0.1)  # with which each architecture found most in other seeds than the exercise's
HIGHEST = 1.25  # that is drawn: an error above it is drawn there


def sawtooth_errors(n_seeds: int, first_seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of pieces, and held-out errors [architectures, pieces, seeds] as shares of the variance.

    NaN where a run diverged. The one hidden layer has as many parameters as the layers of eight units.
    """
    with notify_if_slow("Loading PyTorch …"):
        from utils.comparison import HELD_OUT
        from utils.lesson_02.sawtooth import AS_WIDE, NARROW, WIDE, share_missed, train_shape

    def errors(shape: str, folds: int, rate: float) -> np.ndarray:
        swept = train_shape(shape, folds, range(first_seed, first_seed + n_seeds), lrs=[rate], epochs=EPOCHS)
        return swept.scores(share_missed).sel(part=HELD_OUT).squeeze("rate").to_numpy()

    pairs = list(zip((NARROW, WIDE, AS_WIDE), RATES, strict=True))
    return 2 ** np.array(FOLDS), np.array([[errors(shape, k, rate) for k in FOLDS] for shape, rate in pairs])


def error_dots(
    pieces: np.ndarray, missed: np.ndarray, threshold: float, names: Sequence[str] = ARCHITECTURES
) -> tuple[Figure, str]:
    """Return a panel for each architecture with a dot for each network, and what they show in words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, axes = plt.subplots(1, len(missed), sharey=True, squeeze=False, figsize=(10, 3.5))
    n_seeds, words = missed.shape[2], []
    places = np.arange(len(pieces))[:, None] + np.linspace(-0.25, 0.25, n_seeds)
    for ax, name, errors in zip(axes[0], names, missed, strict=True):
        lost = np.isnan(errors)
        ax.plot(places[~lost], errors[~lost].clip(max=HIGHEST), "o", color=COLOURS["blue"], alpha=0.6)
        ax.plot(places[lost], np.full(lost.sum(), HIGHEST), "x", color=COLOURS["red"])
        ax.axhline(threshold, color="black", linestyle=":")
        ax.set(title=name, xlabel="pieces", xticks=np.arange(len(pieces)), xticklabels=pieces, ylim=(-0.05, 1.3))
        counts = (errors <= threshold).sum(axis=1)
        words.append(f"{name}: " + ", ".join(f"{n} at {k} pieces" for k, n in zip(pieces, counts, strict=True)))
    axes[0, 0].set_ylabel("share missed")
    figure.suptitle("Each dot is a network. Those below the line found the sawtooth")
    return figure, (
        f"A panel for each architecture, with {n_seeds} dots, one for each seed, at each number of pieces, and a "
        f"dotted line at {threshold:g}; a cross at the top is a run that diverged. On or below the line are, "
        f"with {'; with '.join(words)}."
    )
