"""The figures of probes at each stage, and of learned and random features, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_03 import probing
from utils.lesson_03.folding_figures import SHOWN, plot_classes
from utils.pages import described
from utils.plots import plot_medians, plot_rows, write_beside
from utils.statistics import Estimate, median

LOOKS = (("trained", "o-", "blue"), ("untrained", "s--", "red"))


@described("03.probe", "Training lifts the probe, but in blocks\nit often falls on the way")
def probe_by_stage() -> Figure:
    """Three plots of a probe's held-out accuracy at the input and after each of four stages: medians of 20 seeds with
    intervals, and a thin line for each trained network. The left plot has blocks on one turn. Untrained, the accuracy
    stays near a half; trained, it jumps from a half to nearly 1, in most networks in the first block. The middle plot
    has blocks on 1½ turns. After the first block, most thin lines are lower than at the input; from the second block
    on, the median is near 1. Untrained, the accuracy sinks a little. The right plot has plain layers of 16 units on 1½
    turns. The accuracy rises to nearly 1 in two layers and stays there; untrained, it rises at the first layer and
    sinks from there on.
    """
    data = recorded("03_probes")
    networks = {
        "blocks,\none turn": ("blocks", 1.0),
        "blocks,\n1½ turns": ("blocks", 1.5),
        "plain layers,\n1½ turns": ("plain", 1.5),
    }
    figure, axes = plt.subplots(1, len(networks), figsize=(5.8, 3.6), sharey=True)
    names = ["input", *map(str, probing.STAGES[1:])]
    for (title, network), ax in zip(networks.items(), axes, strict=True):
        for label, style, colour in LOOKS:
            values = probing.probe(data, *network, state=label)
            plot_medians(names, values, label=label, style=style, colour=colour, ax=ax)
            if ax is axes[0]:
                end = len(probing.STAGES) - 1, float(np.median(values[:, -1]))
                write_beside(label, end, ax, colour=colour, right=-42, up=-14)
        ax.plot(probing.probe(data, *network).T, color=COLOURS["blue"], linestyle="-", linewidth=0.5, alpha=0.5)
        ax.set(title=title, xlabel="layers passed" if "plain" in network else "blocks passed")
    axes[0].set_ylabel("held-out accuracy")
    return figure


@described("03.components", "Two components still show a tangle\nwhere a line in all fifty units parts the arms")
def components(pictures: Sequence[tuple[Tensor, Tensor]], y: Tensor, accuracy: Callable[..., float]) -> Figure:
    """Held-out points of two kinds, blue circles and orange squares, on the first two principal components of the fifty
    units of layers 1, 2 and 3. In layer 1, the arms still wind around each other; in layer 2, they lie across each
    other; in layer 3, they lie apart. Above each picture stands the share of the variance that the two components keep,
    and below it the share of points that a line has right, in the picture and in all fifty units.
    """
    figure, axes = plt.subplots(1, len(pictures), figsize=(5.8, 3.3))
    for layer, (ax, (flat, H)) in enumerate(zip(axes, pictures, strict=True), 1):
        plot_classes(ax, flat.numpy()[:SHOWN], y.numpy()[:SHOWN])
        kept = float(flat.square().sum() / H.square().sum())  # both have mean 0
        half = len(y) // 2  # a line is fitted to one half, and scored on the other
        here, everywhere = (accuracy(seen[:half], y[:half], seen[half:], y[half:]) for seen in (flat, H))
        ax.set(title=f"layer {layer}: {kept:.0%}\nof the variance", xticks=[], yticks=[])
        ax.set(xlabel=f"component 1\n\na line has right\n{here:.2f} in the picture,\n{everywhere:.2f} in all units")
    axes[0].set_ylabel("component 2")
    return figure


@described("03.directions", "Learned features win where few directions matter,\nbut not on the digits")
def directions() -> Figure:
    """Two plots of recorded medians with intervals. The left plot has held-out accuracy on the spiral with 2, 4, 8 and
    20 inputs, of which all but two say nothing. 16 learned units stay near 1; random features with as many trained
    parameters begin there, too, and fall to little more than a half. The right plot has the held-out error on the
    digits, in rows, with a dot for each split. 32 learned units and 240 random ones, which are as many trained
    parameters, lie near three in a hundred; 1,000 random units and 3 nearest neighbours lie near two.
    """
    spirals, digits = recorded("03_features"), recorded("03_digits")
    figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3.6), width_ratios=(1, 1.1))
    lines = (("learned", probing.learned, "o-", "blue"), ("random", probing.random_features, "s--", "red"))
    for label, of, style, colour in lines:
        values = np.stack([of(spirals, task=task) for task in probing.WITH_MORE], axis=1)
        plot_medians([2 + more for more in probing.MORE], values, label=label, style=style, colour=colour, ax=left)
        write_beside(label, (len(probing.MORE) - 1, float(np.median(values[:, -1]))), left, colour=colour)
    left.set(title="a spiral, and inputs\nthat say nothing", xlabel="inputs", ylabel="held-out accuracy")
    left.set_xlim(right=len(probing.MORE) + 0.1)
    rows = {
        "32 learned\nunits": probing.learned(digits),
        "240 random\nunits": probing.random_features(digits),
        "1,000 random\nunits": probing.random_features(digits, probing.MANY),
        "3 nearest\nneighbours": digits["neighbours"],
    }
    plot_rows({name: 1 - accuracy for name, accuracy in rows.items()}, ax=right)
    right.set(title="the digits: most of\n64 pixels count", xlabel="held-out error")
    return figure


def probe_answer() -> dict[str, float]:
    """Return the probe's median accuracy at the input and at the end, and for how many seeds it falls, 1½ turns."""
    accuracy = probing.probe(recorded("03_probes"), "blocks", 1.5)
    first, last = (float(accuracy.sel(stage=stage).median()) for stage in (0, probing.BLOCKS))
    return {"first": first, "last": last, "falls": int(probing.falls(accuracy).sum()), "seeds": accuracy.sizes["seed"]}


def directions_answer() -> dict[str, Estimate]:
    """Return how far learned features are ahead at equal trained parameters: "plane", "noise" (20 inputs), "digits"."""
    plane, *_, noise = (probing.lead(recorded("03_features"), task=task) for task in probing.WITH_MORE)
    leads = {"plane": plane, "noise": noise, "digits": probing.lead(recorded("03_digits"))}
    return {name: median(values, method="order") for name, values in leads.items()}
