"""What to keep of lesson 05, on one card."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.meanfield import chi_1

SIGMAS = np.linspace(0.4, 3, 53)


def card() -> Figure:
    """χ₁ against σ, with biases and without, and four lines."""
    figure, (ax, text) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, 1.5))
    for sigma_b, style, colour, words, place in (
        (0.0, "-", "blue", "no biases", (1.9, 1.6)), (0.3, "--", "red", "$\\sigma_b = 0.3$", (2.95, 1.22)),
    ):  # fmt: skip
        ax.plot(SIGMAS, [chi_1(sigma, sigma_b, "tanh") for sigma in SIGMAS], style, color=COLOURS[colour])
        ax.text(*place, words, ha="right", color=COLOURS[colour])
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.set(xlabel="σ", ylabel="χ₁", title="ordered below 1, chaotic above")
    text.axis("off")
    lines = (
        r"length:  $q \to \sigma^2\, E[\tanh(\sqrt{q}\, z)^2] + \sigma_b^2$",
        r"a small gap grows by $\sqrt{\chi_1}$ a layer, $\chi_1 = \sigma^2\, E[\tanh'(\sqrt{q^*}\, z)^2]$",
        "a recovered student has the teacher's weights, up to order and signs",
        "beside every error, that of a linear map",
    )
    for place, words in zip((0.82, 0.58, 0.34, 0.1), lines, strict=True):
        text.text(0.0, place, words, fontsize=10.5, transform=text.transAxes)
    return figure
