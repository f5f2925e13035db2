"""The figures of lesson 02's fair fights, and what its lab shows for the terms that a reader chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.comparison import HELD_OUT, VALIDATION
from utils.figures import COLOURS
from utils.lesson_02 import fair
from utils.models import mlp_parameters
from utils.pages import described
from utils.plots import plot_estimates, plot_medians, plot_points, plot_seeds
from utils.statistics import Estimate, three_digits
from utils.training import History
from utils.types import Data

LOOKS = {1: ("o-", "blue"), 3: ("s--", "orange"), 5: ("^-.", "green")}  # by depth
MANY_LOOKS = (*LOOKS.values(), ("v:", "purple"))
WORDS = {1: "one hidden layer", 3: "three", 5: "five"}


# --- the tasks, and the spirals ----------------------------------------------------------------------------


@described("02b.tasks", "Four tasks with two inputs and two classes")
def four_tasks() -> Figure:
    """Four squares of points in two colours. Spirals: two arms wound into one another, blurred, two turns each. Swirl:
    two spiral bands without noise that end at the square's edge. Checkerboard 3: six by six cells. Checkerboard 5: ten
    by ten.
    """
    tasks = {"spirals": next(iter(fair.CHOSEN.values())), **fair.TASKS}
    figure, axes = plt.subplots(1, len(tasks), figsize=(11, 3.3))
    for (name, task), ax in zip(tasks.items(), axes, strict=True):
        plot_points(*task.parts(generator=torch.Generator().manual_seed(0))[0], ax=ax).set_title(name)
        for line in ax.lines:
            line.set(markersize=2, markeredgewidth=0)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, markerscale=2)
    return figure


@described("02b.spirals", "With enough parameters all shapes reach the ceiling, but not at every rate")
def spirals_by_rate(record: Data) -> Figure:
    """Two plots of the median held-out accuracy over 20 seeds, with intervals, against six learning rates, for one,
    three and five hidden layers; a dotted line marks the best possible. Left, about 150 parameters: one layer of 30
    rises steadily up to near the dotted line, three layers of seven to nearly as much, five layers of five stay clearly
    below. Right, about 1,040 parameters: from the third rate to the fifth the three lie on one another, at the dotted
    line. At the smallest one layer is far below; at the largest three layers fall far, five to a half, and one layer
    does not fall.
    """
    figure, axes = plt.subplots(1, len(fair.SPIRAL_BUDGETS), figsize=(10, 3.6), sharey=True)
    for budget, ax in zip(fair.SPIRAL_BUDGETS, axes, strict=True):
        ends = {}
        for i, depth in enumerate(fair.DEPTHS):
            style, colour = LOOKS[depth]
            label = f"{depth} × {fair.spiral_sizes(budget, depth)[1]}"
            values = record["accuracy"].sel(budget=budget, depth=depth, part=HELD_OUT).transpose("seed", "rate")
            plot_medians(fair.RATES, values, label=label, style=style, colour=colour, shift=0.12 * (i - 1), ax=ax)
            ends[label] = colour, float(np.median(values[:, -1]))
        ax.hlines(  # as far as the data: names of lines stand beside them
            fair.spiral_bayes_accuracy(), -0.4, len(fair.RATES) - 0.85, color="black", linestyle=":", linewidth=1
        )
        ax.annotate(
            "best possible", (-0.3, fair.spiral_bayes_accuracy()), (0, 3), textcoords="offset points", fontsize=9
        )
        ax.set(title=f"about {three_digits(round(budget, -1))} parameters", xlabel="learning rate", ylim=(0.48, 1.04))
        _name_ends(ends, len(fair.RATES) - 1, ax)
    axes[0].set_ylabel("held-out accuracy")
    return figure


@described("02b.loss", "At a small rate more layers are quicker; at a large one all come down")
def loss_by_step(runs: Mapping[tuple[float, int], Sequence[History]]) -> Figure:
    """Two plots of the training loss on the spirals against the step, on a logarithmic axis, for one, two and three
    hidden layers with equal parameters: the median of ten seeds, in a band from the lowest seed to the highest; beside
    each name the share of validation points that are right at the end. Left, at the rate 0.001: one layer ends highest
    and is right far less often, three layers lowest, and all curves are flat at the end. Right, at the rate 0.1: all
    come down much further, one layer later than the others; it ends slightly above them, and is right as often.
    """
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
    looks = {1: LOOKS[1], 2: (":", "purple"), 3: LOOKS[3]}
    for ax, rate in zip(axes, sorted({rate for rate, _ in runs}), strict=True):
        for depth, (style, colour) in looks.items():
            losses = np.array([history.loss for history in runs[rate, depth]])
            each = losses.reshape(len(losses), -1, 5).mean(axis=2)  # of all training points: an epoch has five steps
            step = 5 * np.arange(each.shape[1])
            right = np.median([history.validation_accuracy[-1] for history in runs[rate, depth]])
            label = f"{depth} × {fair.spiral_sizes(fair.SPIRAL_BUDGETS[-1], depth)[1]}: {right:.3f}"
            ax.fill_between(step, each.min(axis=0), each.max(axis=0), color=COLOURS[colour], alpha=0.2, linewidth=0)
            line = style.replace("o", "").replace("s", "")
            ax.plot(step, np.median(each, axis=0), line, color=COLOURS[colour], label=label)
        ax.set(title=f"rate {rate}", xlabel="step", yscale="log", ylim=(0.008, 1.3))
        ax.set_yticks([0.01, 0.03, 0.1, 0.3, 1], ["0.01", "0.03", "0.1", "0.3", "1"])
        ax.set_yticks([], minor=True)
        ax.legend(loc="lower left", title="validation accuracy", title_fontsize=9, fontsize=9)
    axes[0].set_ylabel("training loss")
    return figure


def _name_ends(ends: Mapping[str, tuple[str, float]], x: float, ax: Axes, *, left: bool = False) -> None:
    """Write each line's name beside its end, at x, in its colour; names that would touch are moved apart."""
    low, high = ax.get_ylim()
    place = -np.inf
    for name, (colour, y) in sorted(ends.items(), key=lambda end: end[1][1]):
        place = max(y, place + 0.07 * (high - low))
        side = {"xytext": (-18, 0), "ha": "right"} if left else {"xytext": (18, 0), "ha": "left"}
        ax.annotate(name, (x, place), textcoords="offset points", va="center", color=COLOURS[colour], **side)
    ax.set_xlim((-2.4, x + len(fair.RATES) - 0.6) if left else (-0.4, x + 1.1))


# --- the lab ----------------------------------------------------------------------------------------------


def outcome(choice: fair.Choice, of: Mapping[int, fair.Fighter], source: str) -> tuple[Figure, str]:
    """Return a figure of three shapes under the terms chosen, and its words; source: "recorded", or where it is from.

    On the left the rates that were tried, where there are several; on the right each seed at the rate chosen.
    """
    several = len(fair.TUNINGS[choice.tuning]) > 1
    if several:
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.0), width_ratios=(1.2, 1))
        for one in of.values():
            _rates_tried(one, left)
        left.set(xlabel="learning rate", ylabel="validation accuracy, median", title="which rate: chosen here")
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    else:
        figure, right = plt.subplots(figsize=(6.5, 3.8))
    for place, one in enumerate(of.values()):
        style, colour = LOOKS[one.run.depth]
        plot_seeds(one.held_out, place, style=style[0], colour=colour, ax=right)
    lowest = min(0.95, *(one.held_out.min() for one in of.values()))
    right.set(ylabel="held-out accuracy", title="how good: reported here", ylim=(lowest - 0.02, 1.005))
    right.set_xticks(range(len(of)), [_named(one) for one in of.values()], fontsize=8)
    right.set_xlim(-0.5, len(of) - 0.5)
    figure.suptitle(
        f"five hidden layers against one: {fair.comparison_verdict(fair.difference(of, 5, 1))}", fontsize=11
    )
    return figure, _in_words(choice, of, source)


def _rates_tried(one: fair.Fighter, ax: Axes) -> None:
    """The median validation accuracy for each rate tried, the rate chosen with a ring around it."""
    style, colour = LOOKS[one.run.depth]
    places = [fair.RATES.index(rate) for rate in one.validation["rate"].values]
    depth = one.run.depth
    ax.plot(places, one.validation, style, color=COLOURS[colour], label=f"{depth} hidden layer{'s' * (depth > 1)}")
    best = one.validation.sel(rate=one.rate)
    ax.plot(fair.RATES.index(one.rate), best, "o", color="black", fillstyle="none", markersize=12)
    ax.set_xticks(range(len(fair.RATES)), [str(rate) for rate in fair.RATES])
    ax.set_xlim(-0.4, len(fair.RATES) - 0.6)


def _named(one: fair.Fighter) -> str:
    run = one.run
    return f"{run.depth} × {run.width}\n{mlp_parameters(run.sizes):,} parameters\n{run.steps:,} steps"


def _in_words(choice: fair.Choice, of: Mapping[int, fair.Fighter], source: str) -> str:
    seeds = len(next(iter(of.values())).held_out)
    shapes = "; ".join(
        f"{WORDS[depth]} ({one.run.width} wide, {mlp_parameters(one.run.sizes):,} parameters, {one.run.steps:,} "
        f"steps): {one.estimate}, rate {three_digits(one.rate)}{', the edge of those tried' * one.at_edge}"
        for depth, one in of.items()
    )
    return (
        f"{choice.task}, equal {choice.equal}, {choice.start}, rate: {choice.tuning}; {source}, {seeds} seeds. "
        f"Held-out accuracy, median with 95 % interval: {shapes}. "
        f"Three against one: {fair.comparison_verdict(fair.difference(of, 3, 1))}. "
        f"Five against one: {fair.comparison_verdict(fair.difference(of, 5, 1))}."
    )


TERMS = {  # from the least fair to the fairest
    "0.01 for everybody,\nzero biases": ("0.01 for everybody", "zero biases"),
    "0.01 for everybody,\nrandom biases": ("0.01 for everybody", "random biases"),
    "best of six rates,\nzero biases": ("the best of six, 0.001 to 0.3", "zero biases"),
    "best of six rates,\nrandom biases": ("the best of six, 0.001 to 0.3", "random biases"),
}


def gaps_by_terms(record: Data, task: str) -> Figure:
    """Return deep minus shallow held-out accuracy at equal parameters and steps, from the least fair terms to the
    fairest.
    """
    figure, ax = plt.subplots(figsize=(8, 3.6))
    outcomes = [
        fair.fighters(record, fair.Choice(task, fair.PARAMETERS, start, tuning)) for tuning, start in TERMS.values()
    ]
    for deep, shift in ((3, -0.08), (5, 0.08)):
        estimates = [fair.difference(of, deep, 1) for of in outcomes]
        label, (style, colour) = f"{WORDS[deep]} hidden layers minus one", LOOKS[deep]
        places = np.arange(len(estimates)) + shift
        plot_estimates(places, estimates, label=label, style=style[0], colour=colour, ax=ax)  # no lines: x is no scale
    ax.axhline(0, color="black", linewidth=1, linestyle="-")
    ax.set_xticks(range(len(TERMS)), list(TERMS))
    ax.set(xlim=(-0.5, len(TERMS) - 0.5), ylabel="difference in held-out accuracy")
    ax.legend(loc="upper right")
    return figure


@described("02b.cells-sorted", "Sorted by size: for every opinion there is a choice of terms")
def all_cells(leads: Sequence[tuple[fair.Choice, Estimate]]) -> Figure:
    """The lead in held-out accuracy of five layers over one, with intervals, a dot for each choice of terms, sorted by
    size. Blue circles, of the lab's three tasks, begin at zero and climb to the upper right. Red squares, of the two
    chosen tasks, are spread from clearly below zero, where there are hardly any circles, far up among them.
    """
    ordered = sorted(leads, key=lambda lead: lead[1].value)
    figure, ax = plt.subplots(figsize=(9, 3.8))
    for kind, wanted, style, colour in (
        ("the lab's three tasks", False, "o", "blue"),
        ("the two tasks chosen because one layer had won", True, "s", "red"),
    ):
        of_kind = [place for place, (choice, _) in enumerate(ordered) if (choice.task in fair.CHOSEN) == wanted]
        if not of_kind:
            continue
        estimates = [ordered[place][1] for place in of_kind]
        plot_estimates(
            of_kind, estimates, label=kind, style=style, colour=colour, ax=ax, capsize=0, markersize=3.5, linewidth=1
        )
    ax.axhline(0, color="black", linewidth=1, linestyle="-")
    ax.set(xlabel="choices of terms, sorted by the lead", ylabel="five layers minus one,\nheld-out accuracy")
    ax.set_xticks([])
    ax.legend(loc="upper left")
    return figure


# --- somebody else's comparison ----------------------------------------------------------------------------


@described("02b.found", "At equal parameters the shallow network is ahead")
def found_by_rate(record: Data) -> Figure:
    """Median validation accuracy over 60 seeds, with intervals, against six learning rates, for four networks. One
    layer of 272 units is the highest line; one layer of 100 units and four layers of 20 reach nearly as much, four
    layers of 11 far less. All fall off at the two largest rates.
    """
    figure, ax = plt.subplots(figsize=(9, 3.8))
    ends = {}
    for i, ((name, (depth, width)), (style, colour)) in enumerate(zip(fair.FOUND.items(), MANY_LOOKS, strict=True)):
        label = f"{depth} × {width}: {mlp_parameters([2, *[width] * depth, 2]):,} parameters"
        values = record["accuracy"].sel(network=name, part=VALIDATION).transpose("seed", "rate")
        plot_medians(fair.RATES, values, label=label, style=style, colour=colour, shift=0.1 * (i - 1.5), ax=ax)
        ends[label] = colour, float(np.median(values[:, 0]))
    ax.set(xlabel="learning rate", ylabel="validation accuracy")
    _name_ends(ends, 0, ax, left=True)
    return figure
