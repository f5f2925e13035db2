"""Lesson 02's lab with all its terms: three tasks, and two that were chosen because one hidden layer won on them."""

from __future__ import annotations

from collections.abc import Iterable

from ipywidgets import Dropdown, Widget
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_02 import fair
from utils.lesson_02.fair_figures import outcome
from utils.statistics import Estimate
from utils.types import Data

MARK = "chosen: one layer won"


def record_of(task: str) -> Data:
    """What was recorded about a task."""
    return recorded("02_chosen" if task in fair.CHOSEN else "02_fair")


def lab(task: str, equal: str, start: str, tuning: str) -> tuple[Figure, str]:
    """A figure of one cell, recorded, and what it says in words."""
    choice = fair.Choice(task, equal, start, tuning)
    figure, words = outcome(choice, fair.fighters(record_of(task), choice), "recorded")
    if task in fair.CHOSEN:
        words += " This task, its budget and its training were chosen because one layer had won there."
    return figure, words


def terms_of(task: str) -> dict[str, tuple[str, ...]]:
    """What can be held equal on a task, and its starts: first the one that the lab's controls begin with."""
    equal = sorted(fair.ALL_TASKS[task].equal, key=lambda name: name != fair.PARAMETERS)
    return {"equal": tuple(equal), "start": tuple(reversed(fair.ALL_TASKS[task].starts))}


def lab_controls() -> dict[str, Widget]:
    """The controls of `lab`, which offer what was measured on the task."""
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
    """For every choice that the lab has on these tasks: how far the deep shape is ahead of one layer, held out."""
    found = []
    for task in tasks:
        data = record_of(task)
        found += [(one, fair.difference(fair.fighters(data, one), deep, 1)) for one in fair.choices([task])]
    return found
