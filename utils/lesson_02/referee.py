"""The fair fight of the path: two checkerboards, equal parameters, and what the record says under the terms chosen."""

from __future__ import annotations

from functools import cache

import ipywidgets as widgets
import torch
from matplotlib.figure import Figure

from utils.claims import recorded
from utils.lesson_02.fair import BEST_OF_SIX, PARAMETERS, STARTS, TUNINGS, UNFAIR, gap, task_parts
from utils.lesson_02.fair_figures import fair_fight, gaps_by_terms
from utils.statistics import Estimate, median
from utils.types import Data, Part

COARSE, FINE = "checkerboard 3", "checkerboard 5"


def checkerboard(seed: int) -> list[Part]:
    """The coarse board's points: 4,000 to train on, 2,000 to choose with, 4,000 to report."""
    return task_parts(COARSE, generator=torch.Generator().manual_seed(seed))


def checkerboard_lab(start: str, tuning: str) -> tuple[Figure, str]:
    """The recorded fight on the coarse board at equal parameters and steps, and what it says in words."""
    return fair_fight(_record(), COARSE, PARAMETERS, start, tuning)


def board_controls() -> dict[str, widgets.Widget]:
    """What the reader of the path chooses."""
    return {
        "start": widgets.Dropdown(options=list(STARTS), value=UNFAIR["start"], description="biases at the start"),
        "tuning": widgets.Dropdown(options=list(TUNINGS), value=UNFAIR["tuning"], description="learning rate"),
    }


def gaps_on_the_coarse_board() -> Figure:
    """Deep minus shallow on the coarse board, from the least fair terms to the fairest."""
    return gaps_by_terms(_record(), COARSE)


def fair_gap() -> dict[str, Estimate]:
    """What is left of five layers' lead over one on the coarse board on the fairest terms."""
    return {"gap": _lead(COARSE, 5)}


def hard_gap() -> dict[str, Estimate]:
    """Three and five layers' lead over one on the fine board on the fairest terms."""
    return {"three": _lead(FINE, 3), "five": _lead(FINE, 5)}


def _lead(task: str, deep: int) -> Estimate:
    return median(gap(_record(), deep, task, **BEST_OF_SIX), method="order")


@cache  # the lab reads it at every move
def _record() -> Data:
    return recorded("02_fair")
