"""The figure of the three sets in the plane."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure

from utils.lesson_01.planes import PLANE_WIDTHS, PLANES, plane
from utils.pages import described
from utils.plots import plot_medians, plot_points
from utils.types import Data


@described("01b.sets", "Three sets in the plane")
def three_sets() -> Figure:
    """Three squares with 500 points of two classes each: two round clouds side by side, an inner and an outer ring, and
    two spirals wound into one another.
    """
    figure, axes = plt.subplots(1, len(PLANES), figsize=(9, 3.3))
    for (name, draw), ax in zip(PLANES.items(), axes, strict=True):
        plot_points(*draw(500, generator=torch.Generator().manual_seed(0)), ax=ax).set_title(name)
    return figure


@described("01b.spirals", "The harder the set, the more units it takes; and seeds differ")
def planes_by_width(record: Data) -> Figure:
    """Three plots of held-out accuracy against 0, 2, 3, 4, 8, 16 and 32 hidden units, with the median, its interval,
    the best and the worst of 20 seeds. Two clouds: close to 1 everywhere. Two rings: a half without hidden units; with
    three the median is close to 1 and the worst seed at a half; from eight on all are close to 1. Two spirals: low up
    to four units, far higher with eight, where seeds differ most, and close to 1 from sixteen on.
    """
    figure, axes = plt.subplots(1, len(PLANES), figsize=(10, 3.4), sharey=True)
    for name, ax in zip(PLANES, axes, strict=True):
        values = np.stack([plane(record, name, width) for width in PLANE_WIDTHS], axis=1)
        plot_medians(PLANE_WIDTHS, values, label="median", ax=ax)
        for extreme, marker, label in ((values.max(axis=0), "^", "best seed"), (values.min(axis=0), "v", "worst seed")):
            ax.plot(
                range(len(PLANE_WIDTHS)), extreme, marker, color="black", linestyle="none", label=label, markersize=4
            )
        ax.set(title=name, xlabel="hidden units (0: a line)")
    axes[0].set_ylabel("held-out accuracy")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
