"""The fair fight of the path: two checkerboards, equal parameters, and what the record says under the terms chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import matplotlib.pyplot as plt
import torch
from ipywidgets import Dropdown, Widget
from matplotlib.figure import Figure
from torch import nn

from utils.claims import recorded
from utils.comparison import HELD_OUT, VALIDATION
from utils.lesson_02 import fair
from utils.lesson_02.fair_figures import gaps_by_terms, outcome
from utils.pages import described
from utils.plots import plot_decision, plot_points
from utils.statistics import Estimate, median
from utils.types import Array, Data, Part

COARSE, FINE = "checkerboard 3", "checkerboard 5"
LOWEST = 0.6  # of the accuracies that the lab of the path shows


def checkerboard(seed: int) -> list[Part]:
    """Return the coarse board's points: 4,000 to train on, 2,000 to choose with, 4,000 to report."""
    return fair.ALL_TASKS[COARSE].parts(generator=torch.Generator().manual_seed(seed))


@described(
    "02.boards",
    "One hidden layer draws rays, five draw the board",
    """Three squares: the points of a checkerboard of six by six squares in two colours; the network with one hidden
    layer, whose two classes are wedges that run from the centre outwards; the network with five, whose boundary follows
    the board's lines, a little bent.
    """,
)
def boards(models: Mapping[Sequence[int], nn.Module], board: Part) -> Figure:
    """Return the board's points, and over the plane the class that each network chooses; models are by their sizes."""
    figure, axes = plt.subplots(1, 1 + len(models), figsize=(9.5, 3.5), sharey=True)
    plot_points(*board, ax=axes[0]).set_title("the points")
    for line in axes[0].lines:
        line.set(markersize=2.5, markeredgewidth=0)
    for (sizes, model), ax in zip(models.items(), axes[1:], strict=True):
        depth = len(sizes) - 2
        plot_decision(model, half_width=1, ax=ax).set_title(f"{depth} hidden layer{'s' * (depth > 1)} of {sizes[1]}")
    for ax in axes:
        ax.label_outer()
    return figure


def checkerboard_lab(start: str, tuning: str) -> tuple[Figure, str]:
    """Return the recorded fight on the coarse board at equal parameters and steps, and what it says in words."""
    figure, words = lab(COARSE, fair.PARAMETERS, start, tuning)
    figure.axes[-1].set_ylim(LOWEST, 1.005)  # the same for all terms, so that one sees which network moves
    return figure, words


def board_controls() -> dict[str, Widget]:
    """Return what the reader of the path chooses."""
    return {
        "start": Dropdown(options=list(fair.STARTS), value=fair.UNFAIR["start"], description="biases at the start"),
        "tuning": Dropdown(options=list(fair.TUNINGS), value=fair.UNFAIR["tuning"], description="learning rate"),
    }


@described("02.fair", "The lead of depth vanishes as the terms become fairer")
def gaps_on_the_coarse_board() -> Figure:
    """Held-out accuracy of three and of five hidden layers minus that of one, with intervals, for four terms. With the
    rate 0.01 and zero biases, both lead by a fifth. With random biases or the best of six rates alone, a small lead is
    left; with both, none.
    """
    return gaps_by_terms(record_of(COARSE), COARSE)


def board_tables(depth: int) -> tuple[Array, Array]:
    """Return the accuracies recorded on the coarse board, from random biases, for validation and held out: [rates,
    seeds].
    """
    cell = (
        record_of(COARSE)["accuracy"]
        .sel(task=COARSE, start=fair.BEST_OF_SIX["start"], run=str(fair.EQUAL[fair.PARAMETERS][depth]))
        .transpose("part", "rate", "seed")
    )
    return cell.sel(part=VALIDATION).to_numpy(), cell.sel(part=HELD_OUT).to_numpy()


def hard_gap() -> dict[str, Estimate]:
    """Return three and five layers' leads over one on the fine board, tuned and from random biases."""
    return {
        words: median(fair.gap(record_of(FINE), depth, FINE, **fair.BEST_OF_SIX), method="order")
        for words, depth in (("three", 3), ("five", 5))
    }


def one_change() -> dict[str, Estimate]:
    """Return five layers' leads over one on the coarse board where only the biases, or only the rate, got fairer."""
    changes = {"biases": {"start": fair.BEST_OF_SIX["start"]}, "rate": {"tuning": fair.BEST_OF_SIX["tuning"]}}
    return {
        words: median(fair.gap(record_of(COARSE), 5, COARSE, **{**fair.UNFAIR, **change}), method="order")
        for words, change in changes.items()
    }


@cache  # the labs read it at every move
def record_of(task: str) -> Data:
    """Return what was recorded about a task."""
    return recorded("02_chosen" if task in fair.CHOSEN else "02_fair")


# --- the lab with all its terms: three tasks, and two chosen because one hidden layer won on them ---------------

MARK = "chosen: one layer won"


def lab(task: str, equal: str, start: str, tuning: str) -> tuple[Figure, str]:
    """Return a figure of one cell, recorded, and what it says in words."""
    choice = fair.Choice(task, equal, start, tuning)
    figure, words = outcome(choice, fair.fighters(record_of(task), choice), "recorded")
    if task in fair.CHOSEN:
        words += " This task, its budget and its training were chosen because one layer had won there."
    return figure, words


def terms_of(task: str) -> dict[str, tuple[str, ...]]:
    """Return what can be held equal on a task, and its starts: first the one that the lab's controls begin with."""
    equal = sorted(fair.ALL_TASKS[task].equal, key=lambda name: name != fair.PARAMETERS)
    return {"equal": tuple(equal), "start": tuple(reversed(fair.ALL_TASKS[task].starts))}


def lab_controls() -> dict[str, Widget]:
    """Return the controls of `lab`, which offer what was measured on the task."""
    tasks = [(f"{task} ({MARK})" if task in fair.CHOSEN else task, task) for task in fair.ALL_TASKS]
    task = Dropdown(options=tasks, value="swirl", description="task")
    offered = terms_of(task.value)
    equal = Dropdown(options=offered["equal"], description="held equal")
    start = Dropdown(options=offered["start"], description="start")
    terms = {"equal": equal, "start": start}

    def offer_measured(_: object) -> None:
        # New options select the first of them, so the fewer come first: no moment has terms that were not measured.
        for name, options in sorted(terms_of(task.value).items(), key=lambda item: len(item[1])):
            terms[name].options = options

    task.observe(offer_measured, names="value")
    tuning = Dropdown(options=list(fair.TUNINGS), value=list(fair.TUNINGS)[-1], description="learning rate")
    return {"task": task, **terms, "tuning": tuning}


def leads(tasks: Iterable[str], deep: int = 5) -> list[tuple[fair.Choice, Estimate]]:
    """Return for each choice that the lab has on these tasks how far the deep shape is ahead of one layer, held out."""
    found = []
    for task in tasks:
        data = record_of(task)
        found += [(one, fair.difference(fair.fighters(data, one), deep, 1)) for one in fair.choices([task])]
    return found
