"""The film of fifty layers, gain by gain, the gradient's factor against the gain, and what `reveal` says of both."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_06.gains import ACTIVATIONS, GAINS, HE, RELU, TANH, growth, propagate, random_network, select, theory
from utils.pages import described
from utils.player import lines, play, polygons
from utils.plots import plot_card, plot_estimates, write_beside
from utils.statistics import median
from utils.types import Array, Data

SHOWN = 2 ** (np.arange(-8, 9) / 8)  # gains of the film: from a half to 2, through 1 and √2
REACH = 8.0  # powers of ten in view, to both sides
OUTSIDE = REACH + 1
LEVELS = np.array([0.01, 0.08, 0.25, 0.45, 0.65, 0.85, 0.99])  # shares of the values, between which a row has its bars
TALLEST = 3.0  # layers, of each histogram's highest place
NAMES = {RELU: "ReLU", TANH: "tanh"}
LOOKS = {RELU: ("o", "-", "blue"), TANH: ("v", "--", "red")}


@described(
    "06.gains-tanh",
    "The same two towers, with tanh",
    """The film shows the same two towers for tanh. At gain 0.5 signals and gradients leave the picture to the left. At
    gain 1 both towers nearly stand, and that of the signals bends a little to the left as it rises. At 1.41 and at 2
    the signals stand upright at the line of size 1 and never cross it. The gradients lean to the right on their way
    down, a little at 1.41 and by three powers of ten at 2.
    """,
)
@described(
    "06.gains-relu",
    "Both towers stand upright at a single gain",
    """Two towers of fifty histograms, one for each layer of a ReLU network, stand on an axis of powers of ten, with
    layer 1 at the bottom. The left tower shows signals, the right one gradients of the loss. At gain ½ the signals
    lean far to the left and have left the picture after some twenty layers. The gradients begin at the top and leave
    the picture to the left on their way down. With every step of the gain both towers lean less. At √2 both stand
    upright. At 2 the signals lean to the right as they rise, and the gradients as they come down.
    """,
)
def play_gains(activation: str, seed: int = 0) -> None:
    """Show how signals and gradients spread in each of 50 layers of a network, "relu" or "tanh", gain by gain."""
    network = random_network(np.random.default_rng(seed))
    frames = [propagate(network, gain, activation) for gain in SHOWN]
    signals, gradients = (np.stack([histograms(values) for values in of]) for of in zip(*frames, strict=True))
    name, top = NAMES[activation], len(network.weights) + 3.0
    upright = lines(np.array([[[[0, 0], [0, top]]]]), colours=["grey"])
    scene = {
        f"{name}: signals": [polygons(signals, colours=["blue"]), upright],
        f"{name}: gradients": [polygons(gradients, colours=["red"]), upright],
    }
    play(
        scene,
        [f"gain {gain:.2f}" for gain in SHOWN],
        f"06.gains-{activation}",
        seconds=0.6,
        equal=False,
        answers="06.gain" if activation == "relu" else "06.tanh",
        axes=("power of ten", "layer"),
        bounds=[(-REACH, REACH), (0.0, top)],
    )


def histograms(values: Array) -> Array:
    """Return a histogram of log10 |value| for each layer, as a polygon that stands on the layer's number.

    values [layers, width, inputs] to [layers, corners, 2]. Zeros, which ReLU makes, are left out. What is too small or
    too large for the picture lies just outside of it.
    """
    found = []
    for number, layer in enumerate(values, start=1):
        ends = np.quantile(np.log10(np.abs(layer[layer != 0])), LEVELS)
        heights = np.diff(LEVELS) / np.maximum(np.diff(ends), 1e-3)  # where tanh saturates all values are alike
        x = np.concatenate([ends[:1], (ends[:-1] + ends[1:]) / 2, ends[-1:]])
        y = np.concatenate([[0], TALLEST * heights / heights.max(), [0]])
        found.append(np.stack([x.clip(-OUTSIDE, OUTSIDE), number + y], axis=-1))
    return np.array(found)


@described("06.factors", "Different gains, one condition: gradients survive where χ₁ = 1")
def gradient_factors(record: Data) -> Figure:
    """The figure shows the factor by which a layer multiplies the gradient's mean square, on a logarithmic axis,
    against the gain from ½ to 2. The line for ReLU rises steeply from 1/8 to 2 and crosses 1 at √2. The line for tanh
    rises from 1/4 to 1 at gain 1, where it has a kink, and then more slowly. Measured points lie on both lines, except
    that the one for tanh at gain 1 lies slightly below.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.7))
    fine = np.linspace(GAINS[0], GAINS[-1], 76)
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle="-")
    for activation in ACTIVATIONS:
        marker, style, colour = LOOKS[activation]
        expected = theory(activation, fine)
        ax.plot(fine, expected, linestyle=style, color=COLOURS[colour])
        estimates = [median(select(record, "gradient", activation, gain)) for gain in GAINS]
        plot_estimates(GAINS, estimates, style=marker, colour=colour, ax=ax)
        write_beside(NAMES[activation], (fine[-1], expected[-1]), ax, colour=colour, right=9)
    for gain, words in ((1.0, "g = 1"), (HE, "g = √2")):
        ax.plot(gain, 1, "o", markersize=13, markerfacecolor="none", markeredgecolor="black")
        ax.annotate(words, (gain, 1), xytext=(0, -20), textcoords="offset points", ha="left")
    ax.set(yscale="log", xlabel="gain g", ylabel="factor of the gradient's\nmean square in a layer", xlim=(0.45, 2.15))
    ax.set_yticks([0.125, 0.25, 0.5, 1, 2], ["1/8", "1/4", "1/2", "1", "2"])
    ax.set_yticks([], minor=True)
    return figure


@described("06.card", "Lesson 06 on a card")
def card() -> Figure:
    """The left panel shows χ₁ against the gain. The curve for ReLU rises through 1 at √2, that for tanh through 1 at
    gain 1; a dot marks each place. On the right, four lines say what a layer does to the mean square of a signal, what
    it does to that of a gradient, at which gains χ₁ is 1, and what variance nn.Linear's weights have.
    """
    lines = (
        r"forward: $E[u^2] = g^2\, E[x^2]$, and ReLU keeps half",
        r"backward: each layer multiplies by $\chi_1 = g^2\, E[\varphi'(\sqrt{q^*}\, z)^2]$",
        r"$\chi_1 = 1$ at $g = \sqrt{2}$ for ReLU, at $g = 1$ for tanh (no biases)",
        r"nn.Linear: variance $1/(3\, n_{in})$, gain $\sqrt{1/3}$",
    )
    figure, ax = plot_card(lines, wider=1.5, size=10.5)
    gains = np.linspace(0.5, 2, 61)
    for activation, place in ((RELU, (1.62, 1.72)), (TANH, (1.98, 1.07))):
        _, style, colour = LOOKS[activation]
        ax.plot(gains, theory(activation, gains), style, color=COLOURS[colour])
        ax.text(*place, NAMES[activation], ha="right", color=COLOURS[colour])
    ax.axhline(1, color=COLOURS["grey"], linewidth=1, linestyle=":")
    ax.plot([1, HE], [1, 1], "o", color=COLOURS["black"])
    ax.set(xlabel="gain", ylabel="χ₁", title="gradients survive at 1")
    return figure


def tanh_answer(record: Data) -> dict[str, float]:
    """Return what `reveal` says of a tanh network: the gradient's size in layer 1 over that in the last at gain 2, and
    in theory at PyTorch's own gain for tanh.
    """
    return {"back": float(select(record, "back", TANH, 2.0).median()), "recommended": growth(5 / 3)}
