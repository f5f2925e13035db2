"""The figures of probes at each stage, and of learned and random features, and what is said of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from torch import Tensor

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_03 import probing
from utils.lesson_03.folding import line_in, views
from utils.lesson_03.folding_figures import EDGE, IN_VIEW, SHOWN, plot_classes
from utils.pages import described
from utils.plots import plot_medians, plot_rows, write_beside
from utils.statistics import Estimate, median

LOOKS = (("trained", "o-", "blue"), ("untrained", "s--", "red"))


@described("03.probe", "Training lifts the probe; from plane to plane it often falls, in wide layers it rises")
def probe_by_stage() -> Figure:
    """Three plots of a probe's held-out accuracy at the input and after each of four stages: medians of 20 seeds with
    intervals, and a thin line for each trained network. Left, blocks on one turn: untrained it stays near a half;
    trained it jumps from a half to near one, in most networks in the first block. Middle, blocks on 1½ turns: after the
    first block most thin lines are lower than at the input; from the second block on the median is near one. Untrained
    it sinks a little. Right, plain layers of 16 units on 1½ turns: it rises to near one in two layers and stays there;
    untrained it rises at the first layer, and sinks from there.
    """
    data = recorded("03_probes")
    networks = {
        "blocks, one turn": ("blocks", 1.0),
        "blocks, 1½ turns": ("blocks", 1.5),
        "plain layers, 1½ turns": ("plain", 1.5),
    }
    figure, axes = plt.subplots(1, len(networks), figsize=(7.6, 3.6), sharey=True)
    names = ["input", *map(str, probing.STAGES[1:])]
    for (title, network), ax in zip(networks.items(), axes, strict=True):
        for label, style, colour in LOOKS:
            values = probing.probe(data, *network, state=label)
            plot_medians(names, values, label=label, style=style, colour=colour, ax=ax)
            end = len(probing.STAGES) - 1, float(np.median(values[:, -1]))
            write_beside(label, end, ax, colour=colour, right=8)
        ax.plot(probing.probe(data, *network).T, color=COLOURS["blue"], linestyle="-", linewidth=0.5, alpha=0.5)
        ax.set(title=title, xlabel="blocks, or layers, passed", xlim=(-0.4, len(probing.STAGES) + 0.5))
    axes[0].set_ylabel("held-out accuracy")
    return figure


@described("03.lines", "Where the probe is low, a better line may be there")
def two_lines(plane: Tensor, y: Tensor, probe: LogisticRegression) -> Figure:
    """Points of two kinds, blue circles and orange squares, in one of the planes. A dashed black line is the probe's:
    it lies where its loss is smallest, and has many points on the wrong side. A solid green line has the most points on
    their side, and still not all of them. The share that each has right is written above it.
    """
    points, classes = plane.numpy().astype(float), y.numpy()
    view = views([points, points])[1]
    lines = {
        "the probe's": ("black", "--", (probe.coef_[0], -probe.intercept_[0])),
        "the best": ("green", "-", probing.best_line(points, classes)),
    }
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.9), sharey=True)
    for ax, (name, (colour, style, line)) in zip(axes, lines.items(), strict=True):
        plot_classes(ax, view(points)[:SHOWN], classes[:SHOWN])
        ax.plot(*line_in(view, *line, 4 * EDGE).T, color=COLOURS[colour], linestyle=style, linewidth=2)
        right = probing.right_of(line, points, classes)
        ax.set(xlim=IN_VIEW[0], ylim=IN_VIEW[1], aspect="equal", title=f"{name} line: {right:.2f} right")
    return figure


@described("03.directions", "Learned features win where few directions matter, not on the digits")
def directions() -> Figure:
    """Two plots of recorded medians with intervals. Left, held-out accuracy on the spiral with 2, 4, 8 and 20 inputs,
    of which all but two say nothing: 16 learned units stay near 1; as many trained parameters on random features begin
    there, too, and fall to little more than a half. Right, a row each for the held-out error on the digits, with a dot
    for each split: 32 learned units and 240 random ones, which are as many trained parameters, lie near three in a
    hundred; 1,000 random units and 3 nearest neighbours lie near two.
    """
    spirals, digits = recorded("03_features"), recorded("03_digits")
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.4), width_ratios=(1, 1.1))
    lines = (("learned", probing.learned, "o-", "blue"), ("random", probing.random_features, "s--", "red"))
    for label, of, style, colour in lines:
        values = np.stack([of(spirals, task=task) for task in probing.WITH_MORE], axis=1)
        plot_medians([2 + more for more in probing.MORE], values, label=label, style=style, colour=colour, ax=left)
        write_beside(label, (len(probing.MORE) - 1, float(np.median(values[:, -1]))), left, colour=colour)
    left.set(title="a spiral, and inputs that say nothing", xlabel="inputs", ylabel="held-out accuracy")
    left.set_xlim(right=len(probing.MORE) - 0.2)
    rows = {
        "32 learned units": probing.learned(digits),
        "240 random units": probing.random_features(digits),
        "1,000 random units": probing.random_features(digits, probing.MANY),
        "3 nearest neighbours": digits["neighbours"],
    }
    plot_rows({name: 1 - accuracy for name, accuracy in rows.items()}, ax=right)
    right.set(title="digits: most of 64 pixels count", xlabel="held-out error")
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
