"""The figures of lesson 02's fair fight, and what its lab shows for the terms that a reader chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.comparison import HELD_OUT, VALIDATION
from utils.figures import COLOURS
from utils.lesson_02.fair import (
    DEPTHS,
    EQUAL,
    FOUND,
    RATES,
    SPIRAL_BUDGETS,
    TASKS,
    Choice,
    Fighter,
    difference,
    fighters,
    spiral_bayes_accuracy,
    spiral_sizes,
    verdict,
)
from utils.models import mlp_parameters
from utils.plots import plot_decision, plot_medians, plot_points
from utils.statistics import Estimate, three_digits
from utils.training import History
from utils.types import Array, Data

LOOKS = {1: ("o-", "blue"), 3: ("s--", "orange"), 5: ("^-.", "green")}  # by depth
MANY_LOOKS = (*LOOKS.values(), ("v:", "purple"))
WORDS = {1: "one hidden layer", 3: "three", 5: "five"}


# --- spirals ----------------------------------------------------------------------------------------------


def task_labels(tasks: Mapping[str, tuple[Tensor, Tensor]]) -> Figure:
    """A panel for each task's points X [n, 2] of classes y."""
    figure, axes = plt.subplots(1, len(tasks), figsize=(10, 3.4), sharey=True)
    for (name, (X, y)), ax in zip(tasks.items(), axes, strict=True):
        plot_points(X, y, ax=ax).set_title(name)
        for line in ax.lines:
            line.set(markersize=2.5, markeredgewidth=0)
        ax.label_outer()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, markerscale=2)
    return figure


def spiral_curves(trained: Mapping[int, tuple[list[nn.Module], list[History]]]) -> Figure:
    """Training loss and validation accuracy against steps, by depth: median over seeds, and the middle half."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.2))
    for depth, (_, histories) in trained.items():
        loss = np.stack([history.loss for history in histories])
        per_epoch = loss.reshape(len(loss), -1, 5).mean(axis=2)  # five batches of 200 make an epoch of 1,000
        _band(5 * np.arange(1, per_epoch.shape[1] + 1), per_epoch, depth, left)
        accuracy = np.stack([history.validation_accuracy for history in histories])
        _band(histories[0].validation_steps, accuracy, depth, right)
    left.set(xlabel="steps", ylabel="training loss", yscale="log", title="mean loss of an epoch's batches")
    right.axhline(spiral_bayes_accuracy(), color="black", linestyle=":", linewidth=1, label="best possible")
    right.set(xlabel="steps", ylabel="validation accuracy", title="on points not trained on")
    right.legend(loc="lower right")
    return figure


def _band(x: Array, values: Array, depth: int, ax: Axes) -> None:
    """The median of values [seeds, x] and the middle half of the seeds."""
    style, colour = LOOKS[depth]
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
    label = f"{depth} hidden layer{'s' * (depth > 1)}"
    ax.plot(x, middle, style[1:], color=COLOURS[colour], label=label)
    ax.fill_between(x, low, high, color=COLOURS[colour], alpha=0.15, linewidth=0)


def spiral_boundaries(models: Mapping[str, nn.Module], X: Tensor, y: Tensor) -> Figure:
    """A panel for each model, under its name: the points over the model's decision."""
    figure, axes = plt.subplots(1, len(models), figsize=(10, 3.8), sharey=True)
    for (name, model), ax in zip(models.items(), axes, strict=True):
        plot_points(X, y, ax=plot_decision(model, half_width=2.4, ax=ax)).set_title(name)
        for line in ax.lines:
            line.set(markersize=2.5, markeredgewidth=0)
        ax.label_outer()
    return figure


def spirals_by_rate(record: Data) -> Figure:
    """A panel for each budget: held-out accuracy on the spirals against the learning rate, by depth."""
    figure, axes = plt.subplots(1, len(SPIRAL_BUDGETS), figsize=(10, 3.4), sharey=True)
    for budget, ax in zip(SPIRAL_BUDGETS, axes, strict=True):
        for i, depth in enumerate(DEPTHS):
            style, colour = LOOKS[depth]
            sizes = spiral_sizes(budget, depth)
            label = f"{depth} × {sizes[1]}: {mlp_parameters(sizes):,} parameters"
            values = record["accuracy"].sel(budget=budget, depth=depth, part=HELD_OUT).transpose("seed", "rate")
            plot_medians(RATES, values, label=label, style=style, colour=colour, shift=0.12 * (i - 1), ax=ax)
        ax.axhline(spiral_bayes_accuracy(), color="black", linestyle=":", linewidth=1, label="best possible")
        ax.set(title=f"about {three_digits(round(budget, -1))} parameters", xlabel="learning rate")
        ax.legend(loc="lower center")
    axes[0].set_ylabel("held-out accuracy")
    return figure


# --- the lab ----------------------------------------------------------------------------------------------


def fair_fight(record: Data, task: str, equal: str, start: str, tuning: str) -> tuple[Figure, str]:
    """The lab: a figure of one cell of the recorded grid, and what it says in words."""
    choice = Choice(task, equal, start, tuning)
    return outcome(choice, fighters(record, choice), "recorded")


def outcome(choice: Choice, of: Mapping[int, Fighter], source: str) -> tuple[Figure, str]:
    """A figure of three shapes under the terms chosen, and its words; source: "recorded", or where it is from."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.0), width_ratios=(1.2, 1))
    for depth, one in of.items():
        _rates_tried(one, left)
        _seeds_of(one, list(of).index(depth), right)
    lowest = min(0.95, *(one.held_out.min() for one in of.values()))
    left.set(xlabel="learning rate", ylabel="validation accuracy, median", title="which rate: chosen here")
    right.set(ylabel="held-out accuracy", title="how good: reported here", ylim=(lowest - 0.02, 1.005))
    right.set_xticks(range(len(of)), [_named(one) for one in of.values()], fontsize=8)
    right.set_xlim(-0.5, len(of) - 0.5)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle(f"five hidden layers against one: {verdict(difference(of, 5, 1))}", fontsize=11)
    return figure, _in_words(choice, of, source)


def _rates_tried(one: Fighter, ax: Axes) -> None:
    """The median validation accuracy for each rate tried, the rate chosen with a ring around it."""
    style, colour = LOOKS[one.run.depth]
    places = [RATES.index(rate) for rate in one.validation["rate"].values]
    depth = one.run.depth
    ax.plot(places, one.validation, style, color=COLOURS[colour], label=f"{depth} hidden layer{'s' * (depth > 1)}")
    best = one.validation.sel(rate=one.rate)
    ax.plot(RATES.index(one.rate), best, "o", color="black", fillstyle="none", markersize=12)
    ax.set_xticks(range(len(RATES)), [str(rate) for rate in RATES])
    ax.set_xlim(-0.4, len(RATES) - 0.6)


def _seeds_of(one: Fighter, place: int, ax: Axes) -> None:
    """Each seed's held-out accuracy as a dot, the median with its interval beside them."""
    style, colour = LOOKS[one.run.depth]
    spread = np.linspace(-0.18, 0.02, len(one.held_out))
    marks = {"color": COLOURS[colour], "linestyle": "none", "markersize": 3, "alpha": 0.6}
    ax.plot(place + spread, one.held_out, style[0], **marks)
    low, high = _ends(one.estimate)
    middle = one.estimate.value
    ax.errorbar(place + 0.18, middle, [[middle - low], [high - middle]], fmt=style[0], color="black", capsize=4)


def _ends(estimate: Estimate) -> tuple[float, float]:
    """The interval's ends, or the value itself where there are too few seeds for an interval."""
    return (estimate.low, estimate.high) if np.isfinite(estimate.low) else (estimate.value, estimate.value)


def _named(one: Fighter) -> str:
    run = one.run
    return f"{run.depth} × {run.width}\n{mlp_parameters(run.sizes):,} parameters\n{20 * run.epochs:,} steps"


def _in_words(choice: Choice, of: Mapping[int, Fighter], source: str) -> str:
    seeds = len(next(iter(of.values())).held_out)
    shapes = "; ".join(
        f"{WORDS[depth]} ({one.run.width} wide, {mlp_parameters(one.run.sizes):,} parameters, {20 * one.run.epochs:,} "
        f"steps): {one.estimate}, rate {three_digits(one.rate)}{', the edge of those tried' * one.at_edge}"
        for depth, one in of.items()
    )
    return (
        f"{choice.task}, equal {choice.equal}, {choice.start}, rate: {choice.tuning}; {source}, {seeds} seeds. "
        f"Held-out accuracy, median with 95 % interval: {shapes}. Three against one: {verdict(difference(of, 3, 1))}. "
        f"Five against one: {verdict(difference(of, 5, 1))}."
    )


TERMS = {  # from the least fair to the fairest
    "0.01,\nzero\nbiases": ("0.01 for everybody", "zero biases"),
    "0.01,\nrandom\nbiases": ("0.01 for everybody", "random biases"),
    "best of six,\nzero\nbiases": ("the best of six, 0.001 to 0.3", "zero biases"),
    "best of six,\nrandom\nbiases": ("the best of six, 0.001 to 0.3", "random biases"),
}


def gaps_by_terms(record: Data, equal: str = "parameters and steps") -> Figure:
    """A panel for each task: deep minus shallow held-out accuracy, from the least fair terms to the fairest."""
    choices = {
        task: {name: Choice(task, equal, start, tuning) for name, (tuning, start) in TERMS.items()} for task in TASKS
    }
    return _gaps(record, choices)


EQUAL_SHORT = ("width,\nsteps", "param.,\nsteps", "FLOPs,\nsteps", "seconds,\ncomp.", "seconds,\nPyTorch")


def gaps_by_equal(record: Data) -> Figure:
    """A panel for each task: deep minus shallow, tuned, random biases, for each quantity that may be held equal."""
    tuning, start = TERMS["best of six,\nrandom\nbiases"]
    choices = {
        task: {name: Choice(task, equal, start, tuning) for name, equal in zip(EQUAL_SHORT, EQUAL, strict=True)}
        for task in TASKS
    }
    return _gaps(record, choices)


def _gaps(record: Data, choices: Mapping[str, Mapping[str, Choice]]) -> Figure:
    figure, axes = plt.subplots(1, len(choices), figsize=(11, 4.1), sharey=True)
    for (task, named), ax in zip(choices.items(), axes, strict=True):
        outcomes = [fighters(record, choice) for choice in named.values()]
        for deep, shift in ((3, -0.08), (5, 0.08)):
            estimates = [difference(of, deep, 1) for of in outcomes]
            _plot_estimates(estimates, shift, *LOOKS[deep], f"{WORDS[deep]} hidden layers minus one", ax)
        ax.axhline(0, color="black", linewidth=1, linestyle="-")
        ax.set_xticks(range(len(named)), list(named), fontsize=8.5)
        ax.set_title(task)
    axes[0].set_ylabel("difference in held-out accuracy")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _plot_estimates(estimates: Sequence[Estimate], shift: float, style: str, colour: str, label: str, ax: Axes) -> None:
    middles = np.array([estimate.value for estimate in estimates])
    ends = np.array([_ends(estimate) for estimate in estimates]).T
    x = np.arange(len(estimates)) + shift
    options = {"color": COLOURS[colour], "capsize": 3, "markersize": 5, "label": label}
    ax.errorbar(x, middles, np.abs(ends - middles), fmt=style[0], **options)  # no lines: x is not a scale


# --- somebody else's comparison ----------------------------------------------------------------------------


def found_by_rate(record: Data) -> Figure:
    """Validation accuracy against the learning rate for the four networks of FOUND."""
    figure, ax = plt.subplots(figsize=(8, 3.8))
    for i, ((name, (depth, width)), (style, colour)) in enumerate(zip(FOUND.items(), MANY_LOOKS, strict=True)):
        label = f"{name}: {mlp_parameters([2, *[width] * depth, 2]):,} parameters"
        values = record["accuracy"].sel(network=name, part=VALIDATION).transpose("seed", "rate")
        plot_medians(RATES, values, label=label, style=style, colour=colour, shift=0.1 * (i - 1.5), ax=ax)
    ax.set(xlabel="learning rate", ylabel="validation accuracy")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
