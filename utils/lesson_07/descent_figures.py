"""The figures of excursion 07b about least squares and the networks beside it, and what `reveal` says of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.comparison import TRAINING
from utils.figures import COLOURS
from utils.lesson_07 import descent
from utils.lesson_07.descent import EXAMPLES, FEATURES, FEWER, NOISES, WIDTHS
from utils.pages import described
from utils.plots import plot_medians, write_beside
from utils.types import Data

LOOKS = (("o-", "blue"), ("s--", "red"), ("^-.", "green"), ("D:", "black"))
RISES = ("right", "rise", "more")  # names in an answer, in the order of WRONG
NAMES = {0.0: "right labels", 0.2: "a fifth drawn anew", 0.4: "two fifths drawn anew"}


@described("07b.peak", "Worst with as many features as examples, best with ten times as many")
def peaks(data: Data) -> Figure:
    """Share of digits missed against the number of random features, from 10 to 3,000. The held-out line with right
    labels falls to about a tenth at 100 features, climbs to over three quarters at 300, marked by a dotted upright, and
    falls to a few hundredths at 3,000, its lowest point. The one with a fifth of the labels drawn anew runs above it in
    the same way, up to over four fifths at 300; at 3,000 it is about as low as in its first minimum. The training error
    with right labels is at 0 from about 100 features on.
    """
    figure, ax = _by_features()
    for wrong, (style, colour) in zip(NOISES, LOOKS, strict=False):
        rows = np.stack([descent.least_norm(data, count, wrong) for count in FEATURES], axis=1)
        plot_medians(FEATURES, rows, label=f"held-out, {NAMES[wrong]}", style=style, colour=colour, ax=ax)
    fitted = np.stack([descent.least_norm(data, count, 0.0, TRAINING) for count in FEATURES], axis=1)
    plot_medians(FEATURES, fitted, label="training, right labels", style="^:", colour="grey", ax=ax)
    ax.set_ylim(-0.02, 1)
    ax.legend(loc="upper right", bbox_to_anchor=(1.0, 1.02))
    return figure


@described("07b.ridge", "With a ridge chosen on validation data, more features did no harm")
def ridged(data: Data) -> Figure:
    """Share of held-out digits missed against the number of random features, with the best of ten ridges for each. Both
    lines, for right labels and for a fifth drawn anew, fall steeply up to 150 features and slowly from there on; the
    second one lies above the first. At 300, marked by a dotted upright line, there
    is no peak.
    """
    figure, ax = _by_features()
    for wrong, (style, colour) in zip(NOISES, LOOKS, strict=False):
        rows = np.stack([descent.ridged(data, count, wrong) for count in FEATURES], axis=1)
        plot_medians(FEATURES, rows, label=NAMES[wrong], style=style, colour=colour, ax=ax)
    ax.set_ylim(0, 0.65)
    ax.legend(loc="upper right")
    return figure


@described("07b.trained", "Trained networks have no peak where they begin to fit")
def widths(data: Data) -> Figure:
    """Share of held-out digits missed against the width, from 2 to 128. Three lines at one rate, for right labels, a
    fifth and two fifths drawn anew, lie above one another in this order, and all fall steeply up to a width of about 8;
    from there on they fall slowly or stay level, even past the ringed widths, from which on the training labels are
    fitted. A fourth line, a fifth drawn anew at the best rate for each width, lies well below the second one.
    """
    figure, ax = plt.subplots(figsize=(7, 3.8))
    for wrong, (style, colour) in zip(descent.WRONG, LOOKS, strict=False):
        rows = np.stack([descent.at_one_rate(data, width, wrong) for width in WIDTHS], axis=1)
        plot_medians(WIDTHS, rows, label=NAMES[wrong], style=style, colour=colour, ax=ax)
        place = WIDTHS.index(descent.threshold(data, wrong))
        ax.plot(place, np.median(rows[:, place]), "o", markersize=13, markerfacecolor="none", color=COLOURS["black"])
        write_beside(f"{NAMES[wrong]}", (len(WIDTHS) - 1, np.median(rows[:, -1])), ax, colour=colour)
    best = np.stack([descent.trained.best(data, width=width, wrong=0.2) for width in WIDTHS], axis=1)
    plot_medians(WIDTHS, best, label="tuned", style=LOOKS[3][0], colour=LOOKS[3][1], ax=ax)
    write_beside("a fifth, best rates", (len(WIDTHS) - 1, np.median(best[:, -1])), ax, colour=LOOKS[3][1])
    ax.set(
        xlabel="width (ringed: from here on the training labels are fitted)",
        ylabel="held-out error",
        ylim=(0, 0.9),
        xlim=(-0.3, len(WIDTHS) + 0.7),
    )
    return figure


def _by_features() -> tuple[Figure, Axes]:
    figure, ax = plt.subplots(figsize=(7, 3.6))
    ax.axvline(FEATURES.index(EXAMPLES), color=COLOURS["grey"], linestyle=":", linewidth=1)
    ax.set(xlabel=f"random features ({EXAMPLES} examples: dotted)", ylabel="share missed")
    return figure, ax


def peak_answer(data: Data) -> dict[str, float]:
    """Return the number of seeds, and median held-out errors at the first minimum, the peak, and the most features."""
    of = {"seeds": data.sizes["seed"]}
    for name, wrong in zip(("", "wrong_"), NOISES, strict=True):
        places = {"first": descent.first_minimum(data, wrong), "middle": EXAMPLES, "last": FEATURES[-1]}
        of |= {name + place: float(descent.least_norm(data, count, wrong).median()) for place, count in places.items()}
    return of


def trained_answer(data: Data) -> dict[str, float]:
    """Return by how much the median held-out error rises where networks begin to fit, and errors there."""
    width = descent.threshold(data, 0.2)
    best = {"width": width, "wrong": 0.2}
    return {
        **{name: float(descent.rise(data, wrong).median()) for name, wrong in zip(RISES, descent.WRONG, strict=True)},
        "width": width,
        "last": WIDTHS[-1],
        "one": float(descent.at_one_rate(data, **best).median()),
        "tuned": float(descent.trained.best(data, **best).median()),
        "unfitted": float(descent.trained.best(data, part=TRAINING, **best).median()),
    }


def print_ridges(data: Data) -> None:
    """Print a table of median held-out errors with the best ridge, and of the ridges."""
    print("features        " + "".join(f"{count:>7,}" for count in (*FEWER[-4:], EXAMPLES, *FEATURES[-3:])))
    for wrong in NOISES:
        counts = (*FEWER[-4:], EXAMPLES, *FEATURES[-3:])
        errors = [float(descent.ridged(data, count, wrong).median()) for count in counts]
        ridges = [descent.chosen_ridge(data, count, wrong) for count in counts]
        print(f"{NAMES[wrong]}\n  held-out error" + "".join(f"{error:7.3f}" for error in errors))
        print("  ridge         " + "".join(f"{ridge:7g}" for ridge in ridges))
