"""The figure of excursion 07c on texts: what layers and more reviews bring."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.lesson_07.readings import best
from utils.lesson_07.texts import ENDS, FEW, LAST, MANY, SHAPES, STEPS
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data


@described("07c.layers", "It took more reviews, and four layers are slow to learn from them")
def stacked_readers(few: Data, many: Data) -> Figure:
    """Held-out errors of networks by number of layers and units. From 512 reviews, one and four layers lie near a half.
    From 2,048, the errors after all steps lie at zero for one and two layers, and near a half for four, with a wide
    interval downwards. After half of the steps those of one and two layers are higher, with wide intervals.
    """
    figure, ax = plt.subplots(figsize=(7, 3.4))
    of_few = np.stack([best(few, shape=shape, reading=LAST) for shape in ENDS], axis=1)
    places = [list(SHAPES).index(shape) for shape in ENDS]
    names = [f"{depth} layer{'s' * (depth > 1)}\nof {width}" for depth, width in SHAPES.values()]
    for place, column in zip(places, of_few.T, strict=True):
        label = f"{FEW:,} reviews, {STEPS[LAST]} steps" if place == places[0] else None
        plot_medians([place], column[:, None], label=label, style="^", colour="red", shift=place - 0.12, ax=ax)
    for reading, (style, colour, shift) in enumerate((("s", "grey", 0), ("o", "blue", 0.12))):
        errors = np.stack([best(many, shape=shape, reading=reading) for shape in SHAPES], axis=1)
        label = f"{MANY:,} reviews, {STEPS[reading]} steps"
        plot_medians(names, errors, label=label, style=style, colour=colour, shift=shift, ax=ax)
    ax.set(ylabel="held-out error", ylim=(-0.03, 0.6))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
