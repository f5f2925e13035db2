"""Lesson 02's lab with all its terms: three tasks, and two that were chosen because one hidden layer won on them."""

from __future__ import annotations

from collections.abc import Iterable

import matplotlib.pyplot as plt
from ipywidgets import Dropdown, Widget
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_02.fair import (
    ALL_TASKS,
    CHOSEN,
    CHOSEN_STARTS,
    EQUAL,
    PARAMETERS,
    TUNINGS,
    Choice,
    choices,
    difference,
    equal_for,
    fighters,
    starts_for,
)
from utils.lesson_02.fair_figures import outcome
from utils.statistics import Estimate
from utils.types import Data

MARK = "chosen: one layer won"


def record_of(task: str) -> Data:
    """What was recorded about a task."""
    return recorded("02_chosen" if task in CHOSEN else "02_fair")


def lab(task: str, equal: str, start: str, tuning: str) -> tuple[Figure, str]:
    """A figure of one cell, recorded, and what it says in words; an empty one where these terms were not measured."""
    choice = Choice(task, equal, start, tuning)
    if equal not in equal_for(task) or start not in starts_for(task):
        said = f"On {task} this was not measured. "
        if task in CHOSEN:
            return _nothing(f"{said}Choose {PARAMETERS}, held equal.")
        return _nothing(f"{said}Choose another start than {start}.")
    figure, words = outcome(choice, fighters(record_of(task), choice), "recorded")
    if task in CHOSEN:
        words += " This task, its budget and its training were chosen because one layer had won there."
    return figure, words


def _nothing(said: str) -> tuple[Figure, str]:
    figure, ax = plt.subplots(figsize=(6.5, 1.2))
    ax.set_axis_off()
    ax.text(0.5, 0.5, said.replace(". ", ".\n"), horizontalalignment="center", verticalalignment="center")
    return figure, said


def lab_controls() -> dict[str, Widget]:
    """The controls of `lab`."""
    tasks = [(f"{task} ({MARK})" if task in CHOSEN else task, task) for task in ALL_TASKS]
    return {
        "task": Dropdown(options=tasks, value="swirl", description="task"),
        "equal": Dropdown(options=list(EQUAL), value=PARAMETERS, description="held equal"),
        "start": Dropdown(options=list(CHOSEN_STARTS), value="random biases", description="start"),
        "tuning": Dropdown(options=list(TUNINGS), value=list(TUNINGS)[-1], description="learning rate"),
    }


def leads(tasks: Iterable[str], deep: int = 5) -> list[tuple[Choice, Estimate]]:
    """For every choice that the lab has on these tasks: how far the deep shape is ahead of one layer, held out."""
    found = []
    for task in tasks:
        data = record_of(task)
        found += [(one, difference(fighters(data, one), deep, 1)) for one in choices([task])]
    return found
