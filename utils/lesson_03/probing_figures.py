"""The figures of probes at each stage, and of learned and random features, and what is said of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.figures import COLOURS
from utils.lesson_03 import probing
from utils.pages import described
from utils.plots import plot_medians, write_beside
from utils.statistics import Estimate, median

LOOKS = (("trained", "o-", "blue"), ("untrained", "s--", "red"))
SPIRALS = {1.5: "1½ turns", 2.0: "two turns"}


@described("03.probe", "Trained blocks help a line; on the way the probe often falls, the best line hardly ever")
def probe_by_stage() -> Figure:
    """Three plots of held-out accuracy at the input and after each of four blocks: medians of 20 seeds with intervals,
    and a thin line for each trained network. Left, a probe on one turn: untrained it stays near a half; trained it
    jumps from a half to near one, in most networks in the first block. Middle, a probe on 1½ turns: after the first
    block most thin lines are lower than at the input; from the second block on the median is near one. Untrained it
    sinks a little. Right, the line with the most right answers on 1½ turns: it rises from the input on, and hardly a
    thin line falls.
    """
    probes, lines = recorded("03_probes"), recorded("03_lines")
    untrained = [probing.probe(probes, "blocks", turns, state="untrained") for turns in probing.TURNS]
    panels = {
        "probe, one turn": (probing.probe(probes, "blocks", 1.0), untrained[0]),
        "probe, 1½ turns": (probing.line(lines, probing.LINE), untrained[1]),
        "best line, 1½ turns": (probing.line(lines, probing.BEST),),
    }
    figure, axes = plt.subplots(1, len(panels), figsize=(10.5, 3.8), sharey=True)
    names = ["input", *map(str, probing.STAGES[1:])]
    for (title, states), ax in zip(panels.items(), axes, strict=True):
        for values, (label, style, colour) in zip(states, LOOKS, strict=False):
            plot_medians(names, values, label=label, style=style, colour=colour, ax=ax)
            end = len(probing.STAGES) - 1, float(np.median(values[:, -1]))
            write_beside(label, end, ax, colour=colour, right=8)
        ax.plot(states[0].T, color=COLOURS["blue"], linestyle="-", linewidth=0.5, alpha=0.5)
        ax.set(title=title, xlabel="blocks passed", xlim=(-0.4, len(probing.STAGES) + 0.5))
    axes[0].set_ylabel("held-out accuracy")
    return figure


@described("03.random-parameters", "Learning leads where units are few; at equal trained parameters little is left")
def learned_or_random() -> Figure:
    """Two plots of held-out accuracy against 8, 16, 32 and 64 learned hidden units, medians of 20 seeds with intervals.
    Left, 1½ turns: as many random units lie far below at 8 and 16 and catch up from 32 on; random units with as many
    trained parameters lie on the learned ones throughout. Right, two turns: as many random units stay clearly below up
    to 32, and a little at 64; with as many trained parameters they lie on the learned ones, with wider intervals at 8
    and 16.
    """
    data = recorded("03_features")
    figure, axes = plt.subplots(1, len(probing.FEATURE_TURNS), figsize=(10, 3.8), sharey=True)
    lines = {
        "learned": (probing.learned, "o-", "blue", 0.0),
        "random, as many trained parameters": (probing.random_as_many, "^-.", "green", 0.08),
        "random, as many units": (probing.random_features, "s--", "red", -0.08),
    }
    for (turns, title), ax in zip(SPIRALS.items(), axes, strict=True):
        for label, (of, style, colour, shift) in lines.items():
            values = np.stack([of(data, turns, width) for width in probing.WIDTHS], axis=1)
            plot_medians(probing.WIDTHS, values, label=label, style=style, colour=colour, shift=shift, ax=ax)
        ax.set(title=title, xlabel="learned hidden units")
    axes[0].set_ylabel("held-out accuracy")
    axes[0].legend(loc="lower right")
    return figure


def probe_answer() -> dict[str, Estimate | int]:
    """Return the probe's accuracy at the input and after the last block, and for how many seeds it falls, 1½ turns."""
    accuracy = probing.line(recorded("03_lines"), probing.LINE)
    first, last = (median(accuracy.sel(stage=stage), method="order") for stage in (0, probing.BLOCKS))
    return {"first": first, "last": last, "falls": int(probing.falls(accuracy).sum()), "seeds": accuracy.sizes["seed"]}


def outer_untrained() -> float:
    """Return the median accuracy with which a line reads the arms' outer half off an untrained plain last layer."""
    accuracy = probing.probe(recorded("03_probes"), "plain", 1.5, probing.OUTER, "untrained")
    return float(accuracy.sel(stage=probing.BLOCKS).median())


def random_answer() -> dict[str, Estimate]:
    """Return how far 16 learned units are ahead of 16 random ones, and of as many trained parameters on random ones.

    "units" and "parameters" at 1½ turns; "harder": of as many trained parameters at two turns.
    """
    data = recorded("03_features")
    asked = {"units": (1.5, "width"), "parameters": (1.5, "parameters"), "harder": (2.0, "parameters")}
    leads = {name: probing.lead(data, turns, 16, equal=equal) for name, (turns, equal) in asked.items()}
    return {name: median(values, method="order") for name, values in leads.items()}
