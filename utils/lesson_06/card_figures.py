"""What to keep of lesson 06, on one card."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.meanfield import chi_1

GAINS = np.linspace(0.5, 2, 61)


def card() -> Figure:
    """χ₁ against the gain, for ReLU and for tanh, and four lines."""
    figure, (ax, text) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, 1.5))
    for activation, style, colour, place in (
        ("relu", "-", "blue", (1.62, 1.72)), ("tanh", "--", "red", (1.98, 1.07)),
    ):  # fmt: skip
        ax.plot(GAINS, [chi_1(gain, 0, activation) for gain in GAINS], style, color=COLOURS[colour])
        ax.text(*place, {"relu": "ReLU"}.get(activation, activation), ha="right", color=COLOURS[colour])
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.plot([1, np.sqrt(2)], [1, 1], "o", color=COLOURS["black"])
    ax.set(xlabel="gain", ylabel="χ₁", title="gradients survive at 1")
    text.axis("off")
    lines = (
        r"forward: $E[u^2] = g^2\, E[x^2]$, and ReLU keeps half",
        r"backward: each layer multiplies by $\chi_1 = g^2\, E[\varphi'(\sqrt{q^*}\, z)^2]$",
        r"$\chi_1 = 1$ at $g = \sqrt{2}$ for ReLU, at $g = 1$ for tanh (no biases)",
        r"nn.Linear: variance $1/(3\, n_{in})$, gain $\sqrt{1/3}$",
    )
    for place, words in zip((0.82, 0.58, 0.34, 0.1), lines, strict=True):
        text.text(0.0, place, words, fontsize=10.5, transform=text.transAxes)
    return figure
