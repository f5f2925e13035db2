"""The figures of lesson 07's path."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from utils.figures import COLOURS
from utils.lesson_07 import budgets
from utils.lesson_07.budgets import DEPTHS, PER_EPOCH
from utils.lesson_07.networks import DEFAULT, HE, NEAR
from utils.lesson_07.tasks import BOARD, DIGITS, GAME, LONGER, NETWORKS, PLAIN, STEPS
from utils.lesson_07.tasks import missed as missed_task
from utils.live_training import Paced
from utils.pages import described
from utils.plots import plot_card, plot_estimates, plot_medians, plot_rows
from utils.statistics import median
from utils.training import History
from utils.types import Data

TRAINING_LOOK, HELD_OUT_LOOK = ("-", "blue"), ("--", "red")
GUESSING = 0.9


def _course(history: History, ax: Axes, *, held_out: bool = True) -> Axes:
    """Return axes with the training error of each pass, and the held-out error, against steps."""
    passes = history.steps // PER_EPOCH
    training = 1 - history.accuracy[: passes * PER_EPOCH].reshape(passes, PER_EPOCH).mean(axis=1)
    ax.plot(PER_EPOCH * np.arange(1, passes + 1), training, TRAINING_LOOK[0], color=COLOURS[TRAINING_LOOK[1]])
    if held_out:
        errors = 1 - np.asarray(history.validation_accuracy)
        ax.plot(history.validation_steps, errors, HELD_OUT_LOOK[0], color=COLOURS[HELD_OUT_LOOK[1]])
    ax.axhline(GUESSING, color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    ax.set(xlabel="step", ylim=(0, 1))
    return ax


@described(
    "07.start",
    "A plain network that starts near the identity trains as well",
    """Three panels of training error against steps. The plain network A still has a high error at the end. The
    one with skips reaches 0 within two hundred steps or so. The plain one that starts near the identity reaches about 0
    as well, somewhat later.
    """,
)
@described(
    "07.skip",
    "With skips, a network of the same depth learns at once",
    """Two panels of error against steps. The plain network A falls slowly and ends far above 0. The one with skips
    falls to 0 within two hundred steps or so, and its held-out error to a few per cent.
    """,
)
@described(
    "07.patients",
    "Three deep networks do worse in three ways",
    """Three panels, A, B and C, of training error and held-out error against steps. In A both fall slowly and are still
    falling at the end. In B both stay at nine tenths, which is guessing. In C the training error reaches 0 after
    a long time, and the held-out error settles above it, at several per cent.
    """,
)
def courses(histories: Mapping[str, History], *, held_out: bool = True) -> Figure:
    """Return a figure with a panel for each history: its training and its held-out error against steps.

    held_out: whether to show the latter, which a prediction may be about.
    """
    figure, axes = plt.subplots(1, len(histories), figsize=(7.4, 2.7), sharey=True, squeeze=False)
    for ax, (name, history) in zip(axes[0], histories.items(), strict=True):
        _course(history, ax, held_out=held_out).set_title(name)
    axes[0, 0].set_ylabel("share missed")
    last = axes[0, -1]
    last.text(0.97, 0.6, "training", color=COLOURS["blue"], transform=last.transAxes, ha="right")
    if held_out:
        last.text(0.97, 0.5, "held-out (dashed)", color=COLOURS["red"], transform=last.transAxes, ha="right")
    return figure


def treated(paced: Paced, *, patient: str, steps: str) -> tuple[Figure, str]:
    """Return a figure of the patient's errors so far, and the last of them in words."""
    figure, ax = plt.subplots(figsize=(6.4, 2.8))
    history = paced.trainer.histories[0]
    _course(history, ax).set(ylabel="share missed", xlim=(0, paced.trainer.plan.last_step))
    if history.steps < PER_EPOCH:
        return figure, f"Patient {patient}, before its first pass over the training images."
    training = 1 - history.accuracy[-PER_EPOCH:].mean()
    return figure, (
        f"Patient {patient} after {history.steps:,} steps: in the last pass it missed {training:.1%} of the training "
        f"images (solid line) and {1 - history.validation_accuracy[-1]:.1%} of the held-out ones (dashed). The dotted "
        "line is guessing."
    )


@described("07.sketches", "Four sketches of error against depth")
def sketches() -> Figure:
    """Four sketches, numbered, of training error, solid, and held-out error, dashed, against depth. 1: both fall, and
    level off. 2: training error falls, held-out error falls and then rises. 3: both rise with depth. 4: training error
    stays at 0, held-out error rises.
    """
    x = np.linspace(0, 1, 50)
    shapes = (
        (0.6 * np.exp(-4 * x) + 0.05, 0.6 * np.exp(-4 * x) + 0.15),
        (0.6 * np.exp(-4 * x) + 0.03, 0.6 * np.exp(-5 * x) + 0.15 + 0.45 * x**2),
        (0.02 + 0.55 * x**2, 0.1 + 0.65 * x**2),
        (0 * x + 0.02, 0.1 + 0.5 * x**1.5),
    )
    figure, axes = plt.subplots(1, 4, figsize=(7.4, 1.9), sharey=True)
    for number, (ax, (training, held_out)) in enumerate(zip(axes, shapes, strict=True), 1):
        ax.plot(x, training, TRAINING_LOOK[0], color=COLOURS[TRAINING_LOOK[1]])
        ax.plot(x, held_out, HELD_OUT_LOOK[0], color=COLOURS[HELD_OUT_LOOK[1]])
        ax.set(title=str(number), xticks=[], yticks=[], xlabel="depth", ylim=(0, 1))
    axes[0].set_ylabel("error")
    axes[0].text(0.97, 0.85, "training", color=COLOURS["blue"], ha="right", transform=axes[0].transAxes)
    axes[0].text(0.97, 0.7, "held-out", color=COLOURS["red"], ha="right", transform=axes[0].transAxes)
    return figure


@described(
    "07.longer",
    "With ten times the steps all fit, but deeper is worse",
    """Error of plain networks from He's weights against their number of hidden layers, 1, 5, 21 and 51, after ten times
    the steps. Training error is 0 up to 21 layers and close to 0 at 51. Held-out error rises with depth, from under
    three to several per cent.
    """,
)
@described(
    "07.curves",
    "After few steps, both errors rise with depth",
    """Error of plain networks from He's weights against their number of hidden layers, 1, 5, 21 and 51. Training error
    is 0 for one and five layers, small at 21, and large at 51. Held-out error lies above it and rises with depth, too.
    """,
)
def by_depth(data: Data) -> Figure:
    """Return a figure of training and held-out error of plain networks from He's weights against depth."""
    figure, ax = plt.subplots(figsize=(6, 2.8))
    looks = (("training", "o-", "blue"), ("held-out", "s--", "red"))
    for shift, (part, style, colour) in enumerate(looks):
        errors = np.stack([budgets.missed(data, f"{HE} {depth}", part) for depth in DEPTHS], axis=1)
        plot_medians(DEPTHS, errors, label=part, style=style, colour=colour, shift=0.06 * shift, ax=ax)
    ax.set(xlabel="hidden layers", ylabel="share missed")
    ax.set_ylim(bottom=0)
    ax.legend(loc="upper left")
    return figure


@described("07.steps", "Depth costs steps, but with skips hardly any")
def steps_by_depth(short: Data, long: Data) -> Figure:
    """Steps until at most 1 % of the training images are missed, on a logarithmic axis, against the number of hidden
    layers, 1, 5, 21 and 51. The line of plain networks from He's weights rises steeply, to thousands of steps at 51.
    That of plain networks near the identity rises a little. That of networks with skips starts at about a hundred and
    hardly rises.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.1))
    looks = (
        (HE, "plain, He's weights", "o-", "blue"),
        (NEAR, "plain, near the identity", "v-.", "green"),
        (budgets.SKIP, "with skips", "s--", "red"),
    )
    for kind, name, style, colour in looks:
        depths = [depth for depth in DEPTHS if f"{kind} {depth}" in short["network"].values]
        steps = [budgets.until(short, long, f"{kind} {depth}") for depth in depths]
        estimates = [median(one, method="order") for one in steps]
        plot_estimates(
            [DEPTHS.index(depth) for depth in depths], estimates, label=name, style=style, colour=colour, ax=ax
        )
    ax.set_xticks(range(len(DEPTHS)), [str(depth) for depth in DEPTHS])
    ax.set(yscale="log", xlabel="hidden layers", ylabel="steps until 1 %")
    ax.legend(loc="upper left")
    return figure


@described("07.crossing", "Normalisation alone does not heal fifty-one layers")
def crossing(data: Data) -> Figure:
    """Eight rows with a dot for each seed and the median: the training error of fifty-one layers. Plain
    layers from PyTorch's weights lie at guessing. From He's weights they lie around a quarter, and with LayerNorm or
    BatchNorm added at six and eight tenths. Near the identity they lie at about 0. Skips without a factor lie between
    two and four tenths, with the factor, or with LayerNorm, at 0.
    """
    rows = {
        "plain, PyTorch's weights": f"{DEFAULT} 51",
        "plain, He's": f"{HE} 51",
        "plain, He's, LayerNorm": "he, LayerNorm",
        "plain, He's, BatchNorm": "he, BatchNorm",
        "plain, near the identity": f"{NEAR} 51",
        "skips, no factor": "skip, no factor",
        "skips, factor 1/√B": f"{budgets.SKIP} 51",
        "skips, LayerNorm, no factor": "skip, LayerNorm, no factor",
    }
    figure, ax = plt.subplots(figsize=(6.8, 3.2))
    plot_rows({words: budgets.missed(data, name, "training") for words, name in rows.items()}, ax=ax)
    ax.axvline(GUESSING, color=COLOURS["grey"], linestyle=":", linewidth=1.2)
    ax.set(xlabel="share of training images missed", xlim=(-0.02, 1), ylim=(-0.6, len(rows) - 0.4))
    return figure


@described("07.tasks", "With more steps one lead goes, one grows, and one was never there")
def leads(tasks: Data, longer: Data, neighbours: Data) -> Figure:
    """Three panels of held-out error against hidden layers, 1, 5, 10, 20, and 21 with skips, after few steps, dotted,
    and after four times as many, solid. On the board five and ten layers lead after few steps; after more, one layer
    is level with them. In the game, on a logarithmic axis, five layers lead a little after few steps and far after
    more. On digits one layer leads both times, and a level line, three nearest neighbours, lies below. Twenty plain
    layers are last everywhere.
    """
    figure, axes = plt.subplots(1, 3, figsize=(7.6, 3))
    for ax, task in zip(axes, (BOARD, GAME, DIGITS), strict=True):
        for data, names, steps, style, colour in (
            (tasks, NETWORKS, STEPS, "o:", "grey"),
            (longer, PLAIN, LONGER, "s-", "blue"),
        ):
            errors = np.stack([missed_task(data, task, name) for name in names], axis=1)
            plot_medians(names, errors, label=f"{steps:,} steps", style=style, colour=colour, ax=ax)
        ax.set_xticks(range(len(NETWORKS)), [*PLAIN, "21,\nskips"])
        ax.set(title=task, xlabel="hidden layers", xlim=(-0.4, len(NETWORKS) - 0.6))
    axes[0].set_ylabel("held-out error")
    axes[0].set_ylim(0, 0.45)
    axes[0].legend(loc="upper left")
    axes[1].set(yscale="log")
    axes[2].set_ylim(bottom=0)
    axes[2].axhline(float(neighbours["error"].median()), color=COLOURS["red"], linestyle=":")
    axes[2].text(
        0.04,
        0.75,
        "level line:\nthree nearest\nneighbours",
        color=COLOURS["red"],
        fontsize=9,
        va="center",
        transform=axes[2].transAxes,
    )
    return figure


@described("07.card", "Lesson 07 on a card")
def card() -> Figure:
    """Left, a block: the stream runs straight on, and a branch leaves it, passes W, ReLU and V, and is added again.
    Right, four lines: the block; the start of a plain network that does as well; the three diagnoses; what depth was
    good for.
    """
    lines = (
        r"block: $h + V\, \mathrm{relu}(W h + b)\, /\, \sqrt{B}$, for $B$ blocks",
        r"without a skip: start at $W = I + \mathrm{He}/\sqrt{\mathrm{depth}}$",
        "look at the training error: blind, slow, or fitted?",
        "a lead: does it survive more steps?",
    )
    figure, ax = plot_card(lines, wider=1.5, size=11)
    ax.axis("off")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    arrow = {"arrowstyle": "->", "color": COLOURS["black"], "linewidth": 1.5}
    ax.annotate("", (0.3, 0.98), (0.3, 0.02), arrowprops=arrow)
    ax.plot((0.3, 0.75, 0.75), (0.15, 0.15, 0.82), color=COLOURS["black"], linewidth=1.5)
    ax.annotate("", (0.33, 0.82), (0.757, 0.82), arrowprops=arrow)
    for height, words in ((0.3, "W"), (0.47, "relu"), (0.64, "V")):
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": COLOURS["blue"]}
        ax.text(0.75, height, words, ha="center", va="center", bbox=box)
    ax.text(
        0.3,
        0.82,
        "+",
        ha="center",
        va="center",
        bbox={"boxstyle": "circle", "facecolor": "white", "edgecolor": COLOURS["blue"]},
    )
    ax.text(0.26, 0.5, "h", ha="right", va="center")
    return figure


def curves_answer(short: Data) -> dict[str, float]:
    """Return what `reveal` says of few steps: the median training error of one and of the deepest plain network."""
    at = {depth: float(budgets.missed(short, f"{HE} {depth}", "training").median()) for depth in DEPTHS}
    return {"shallow": at[DEPTHS[0]], "deep": at[DEPTHS[-1]]}


def longer_answer(long: Data) -> dict[str, float]:
    """Return what `reveal` says of ten times the steps: median errors of one layer and of the deepest network."""
    of = {
        (part, depth): float(budgets.missed(long, f"{HE} {depth}", part).median())
        for part in ("training", "held-out")
        for depth in (DEPTHS[0], DEPTHS[-1])
    }
    return {
        "training": of["training", DEPTHS[-1]],
        "shallow": of["held-out", DEPTHS[0]],
        "deep": of["held-out", DEPTHS[-1]],
    }
