"""The picture of an exercise's experiment: both errors of several networks, epoch by epoch."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS


def error_lines(runs: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> tuple[Figure, str]:
    """Return a figure of errors on training and on unseen data over the epochs, a panel a network, and its words."""
    figure, axes = plt.subplots(1, len(runs), figsize=(9, 2.8), sharey=True)
    words = []
    for ax, (name, errors) in zip(axes, runs.items(), strict=True):
        for one, colour, style in zip(errors, ("blue", "red"), ("-", "--"), strict=True):
            ax.plot(np.arange(1, 1 + len(one)), one, style, color=COLOURS[colour])
        ax.set(title=f"network {name}", xlabel="epoch", ylim=(-0.02, 1))
        words.append("{}: {:.3f} and {:.3f}".format(name, *(np.median(one[-5:]) for one in errors)))
    axes[0].set_ylabel("error")
    figure.suptitle("Errors on training data (solid) and on unseen data (dashed)")
    return figure, f"Errors at the end on training and on unseen data: {'; '.join(words)}."
