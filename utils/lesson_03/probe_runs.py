"""An experiment of the exercises: how far a linear probe gets at each stage of stacks of blocks that learned a spiral.

What it needs of torch is loaded when it runs: who marks a class runs a notebook's imports, and no experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from utils.engine.compilation import notify_if_slow
from utils.withholding import withholdable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 800  # to train on, and to score on
EPOCHS, BATCH = 250, 80  # 2,500 steps
RATE = 0.01


@withholdable
def probe(fit: tuple[np.ndarray, np.ndarray], score: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the share of ``score`` that an affine function is right about that is fitted to the labels of ``fit``."""
    (H, y), (other_H, other_y) = fit, score
    weights = np.linalg.lstsq(np.column_stack([H, np.ones(len(H))]), 2.0 * y - 1, rcond=None)[0]
    return float(((other_H @ weights[:-1] + weights[-1] > 0) == (other_y == 1)).mean())


def probed_spirals(turns: Sequence[float], n_seeds: int, first_seed: int = 0) -> np.ndarray:
    """Return held-out accuracies of probes, [turns, seeds, stages], of trained stacks; NaN where a run diverged."""
    with notify_if_slow("Loading PyTorch …"):
        from utils.comparison import sweep
        from utils.data import spirals, split
        from utils.lesson_03.probing import BLOCKS, NOISE, blocks, stages

    accuracies = np.full((len(turns), n_seeds, BLOCKS + 1), np.nan)
    for place, of_turns in enumerate(turns):
        swept = sweep(
            blocks,
            partial(split, spirals, POINTS, POINTS, turns=of_turns, noise=NOISE),
            lrs=[RATE],
            seeds=range(first_seed, first_seed + n_seeds),
            part_names=("training", "held-out"),
            epochs=EPOCHS,
            batch_size=BATCH,
            schedule="one-cycle",
            progress=False,
        )
        for seed in np.flatnonzero(~swept.diverged[:, 0]):
            (X, y), (other_X, other_y) = swept.parts[seed]
            planes = zip(*(stages(swept.models[seed][0], points) for points in (X, other_X)), strict=True)
            accuracies[place, seed] = [probe((H, y.numpy()), (other_H, other_y.numpy())) for H, other_H in planes]
    return accuracies


def probe_lines(accuracies: np.ndarray, level: float, names: Sequence[str]) -> tuple[Figure, str]:
    """Return a panel for each set of networks, with a line for each and their median, and what it shows in words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, axes = plt.subplots(1, len(accuracies), sharey=True, squeeze=False, figsize=(7.8, 3.4))
    stages, words = np.arange(accuracies.shape[2]), []
    for ax, name, of_seeds in zip(axes[0], names, accuracies, strict=True):
        lost = int(np.isnan(of_seeds).any(axis=1).sum())
        medians = np.median(np.nan_to_num(of_seeds), axis=0)  # a run that diverged is right about nothing
        ax.plot(stages, of_seeds.T, "-", color=COLOURS["grey"], alpha=0.4, linewidth=1)
        ax.plot(stages, medians, "o-", color=COLOURS["blue"])
        ax.axhline(level, color="black", linestyle=":")
        ax.set(title=name, xlabel="stage", xticks=stages, ylim=(min(0.35, medians.min() - 0.02), 1.02))
        numbers = ", ".join(f"{median:.2f}" for median in medians)
        words.append(f"{name}, medians {numbers}" + f" ({lost} diverged)" * (lost > 0))
    axes[0, 0].set_ylabel("the probe's held-out accuracy")
    figure.suptitle("Grey: each network. Blue: their median")
    return figure, (
        f"A panel for each set of networks, with a grey line for each of {accuracies.shape[1]} seeds, a blue one for "
        f"their median at each stage, and a dotted line at {level:g}: {'; '.join(words)}."
    )
