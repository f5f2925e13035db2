"""The figures of excursion 08a, and what its predictions and those of the path say of experiments."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_08.flaw_records import ENDS, TOLD, VERSIONS, lead
from utils.pages import described
from utils.plots import plot_rows
from utils.statistics import median
from utils.types import Data


@described("08a.d", "Most of the lead of three layers was size")
def leads_d(data: Data) -> Figure:
    """Two rows have a dot for each seed, and in black their median with its interval: by how much three layers'
    held-out error is lower than one layer's. As told, all dots lie far to the right of an upright line at 0. Mended,
    they lie close to it, most of them still to its right.
    """
    return _leads({version: lead(data, "D", version) for version in VERSIONS}, "held-out error of one layer − of three")


@described("08a.i", "Without the twins, nothing is left of the lead")
def leads_i(data: Data) -> Figure:
    """Two rows have a dot for each seed, and in black their median with its interval: by how much the held-out error
    without biases is lower than with biases. As told, nearly all dots lie to the right of an upright line at 0. Mended,
    they lie on both sides of it, near it.
    """
    rows = {version: -lead(data, "I", version) for version in VERSIONS}
    return _leads(rows, "held-out error with biases − without")


def _leads(rows: dict, label: str) -> Figure:
    figure, ax = plt.subplots(figsize=(7, 1.9))
    plot_rows(rows, ax=ax)
    ax.axvline(0, color=COLOURS["grey"], linewidth=1)
    ax.set_xlabel(label)
    return figure


def flaw_answer(data: Data, name: str) -> dict[str, object]:
    """Return both sides' medians over seeds, with intervals, as an experiment is told and as it is mended, and more.

    "seeds" says how many, "lead" has by how much the second side's number is smaller as told.
    """
    found: dict[str, object] = {"seeds": data.sizes["seed"], "lead": median(lead(data, name, TOLD), method="order")}
    for version in VERSIONS:
        for side in ENDS:
            numbers = data["number"].sel(experiment=name, version=version, side=side)
            found[f"{version.split()[-1]}_{side}"] = median(numbers, method="order")
    return found
