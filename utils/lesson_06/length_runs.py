"""The experiment of an exercise: how long a signal is in each layer of deep networks, at several gains."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS

LEFT, RIGHT = -0.6, 1.0  # the slopes of the activation, which the exercise does not name


def deep_lengths(gains: Sequence[float], n_seeds: int, depth: int = 30, width: int = 100) -> np.ndarray:
    """Return mean squares of the pre-activations, float64 [seeds, gains, layers], of networks with new weights each.

    A layer's weights have the standard deviation gain / √width, and there are no biases. The input is standard
    normal, and each seed draws its own.
    """
    lengths = np.empty((n_seeds, len(gains), depth))
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=width)
        for place, gain in enumerate(gains):
            signal = x
            for layer in range(depth):
                z = gain / np.sqrt(width) * (rng.standard_normal((width, width), dtype=np.float32) @ signal)
                lengths[seed, place, layer] = np.mean(z**2)
                signal = np.where(z < 0, LEFT * z, RIGHT * z)
    return lengths


def length_lines(gains: Sequence[float], lengths: np.ndarray) -> tuple[Figure, str]:
    """Return a figure of the median length over the seeds, layer by layer, at four of the gains, and it in words."""
    figure, ax = plt.subplots(figsize=(7, 3.6))
    medians = np.median(lengths, axis=0)
    places = np.unique(np.linspace(0, len(gains) - 1, 4).round().astype(int))
    layers = np.arange(lengths.shape[-1])
    for place, colour, style in zip(places, ("blue", "orange", "green", "red"), ("-", "--", "-.", ":"), strict=False):
        ax.plot(layers, medians[place], style, color=COLOURS[colour])
        ax.annotate(
            f"gain {gains[place]:.3g}",
            (layers[-1], medians[place, -1]),
            xytext=(5, -3),
            textcoords="offset points",
            color=COLOURS[colour],
        )
    ax.set(yscale="log", xlabel="layer, from 0", ylabel="mean square", xlim=(0, 1.16 * layers[-1]))
    figure.suptitle("The signal's mean square, layer by layer: the median over the seeds")
    ends = ", ".join(f"{medians[place, -1]:.2g} at gain {gains[place]:.3g}" for place in places)
    return figure, f"The median of the mean square in layer {layers[-1]}, from 0: {ends}."
